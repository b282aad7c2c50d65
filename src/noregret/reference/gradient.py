"""The twins of gradient descent: plain, and with weights kept small."""

from __future__ import annotations

import math

from .linear import Example, Feature, LaneWise, checked, merged
from .losses import LOSSES, STEPS, chosen, loss, not_negative, pace, shrunk, slope

SMALLEST = 2.0**-100  # below this the scale is worked into the weights


class OGD(LaneWise):
    """w ← w − η_t·∇ℓ, every weight starting at 0.

    >>> twin = OGD("hinge", "constant", 0.5)
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.weights
    (True, {'free': -0.5, 'money': -1.0})
    """

    def __init__(
        self,
        loss: str = "hinge",
        step: str = "sqrt",
        rate: float = 1.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Which loss, which step, η."""
        super().__init__(scale)
        self.loss = chosen("loss", loss, LOSSES)
        self.step = chosen("step", step, STEPS)
        self.rate = checked("rate", rate, 0.0)
        self.has_bias = bias

    def loss_of(self, score: float, y: float) -> float:
        """The loss it descends on."""
        return loss(self.loss, score, y)

    def moves(self, y: float, score: float) -> bool:
        """Where the loss is flat there is nothing to learn."""
        return slope(self.loss, score, y) != 0.0

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """One step down the loss."""
        return pace(self.step, self.rate, self.labelled) * weight * slope(self.loss, score, y) * y, 0.0

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """w + step·x."""
        return (at[0] + step[0] * value,)

    @property
    def scalars(self) -> dict[str, float]:
        """The labelled rounds, and ‖w‖²."""
        return {"rounds": float(self.labelled), "potential": self.potential}


class RegularizedOGD(OGD):
    """The same, then w ← (1 − η_t·λ₂)·w, and every weight moves η_t·λ₁ towards 0.

    What is kept is v, with w = scale·v; and what v owes to λ₁ is due − paid.

    >>> twin = RegularizedOGD(step="constant", rate=0.5, l1=0.5)
    >>> twin.learn([("free", 1.0)], -1), twin.learn([("money", 1.0)], -1), twin.weights
    (True, True, {'money': -0.25})
    """

    def __init__(
        self,
        loss: str = "hinge",
        step: str = "sqrt",
        rate: float = 1.0,
        l1: float = 0.0,
        l2: float = 0.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Which loss, which step, η, λ₁ and λ₂."""
        super().__init__(loss, step, rate, bias, scale)
        self.l1, self.l2 = not_negative("l1", l1), not_negative("l2", l2)
        self.paid: dict[Feature | None, float] = {}
        self.scale, self.due = 1.0, 0.0

    def factor(self) -> float:
        """w = scale·v."""
        return self.scale

    def weight(self, feature: Feature | None) -> float:
        """Give v less what it owes."""
        return shrunk(self.table.get(feature, 0.0), self.due - self.paid.get(feature, 0.0))

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Step, then shrink; every labelled round does."""
        now = pace(self.step, self.rate, self.labelled)
        scale = self.scale * (1.0 - now * self.l2)
        later = self.due + now * self.l1 / scale
        step = now * weight * slope(self.loss, score, y) * y / scale
        row = merged(self.row(x))
        after = {feature: self.weight(feature) + step * value for feature, value in row}
        change = 0.0
        for feature, new in after.items():
            old = self.table.get(feature, 0.0)
            change += (new - old) * (new + old)
        if not math.isfinite(self.potential + change) or not math.isfinite(later):
            raise ValueError("learning from this row would overflow the weights")
        self.table.update(after)
        self.paid.update(dict.fromkeys(after, self.due))
        self.potential, self.scale, self.due = self.potential + change, scale, later
        if self.scale < SMALLEST:
            self.renew()
        return True

    def renew(self) -> None:
        """Work the scale, and what is owed, into the weights."""
        self.table = {feature: self.weight(feature) * self.scale for feature in self.table}
        self.paid = {}
        self.potential *= self.scale * self.scale
        self.scale, self.due = 1.0, 0.0

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers."""
        return super().scalars | {"scale": self.scale, "due": self.due}


def ogd(
    loss: str = "hinge",
    step: str = "sqrt",
    rate: float = 1.0,
    l1: float = 0.0,
    l2: float = 0.0,
    bias: bool = False,
    scale: str = "none",
) -> OGD:
    """Make the twin that the parameters ask for."""
    if l1 or l2:
        return RegularizedOGD(loss, step, rate, l1, l2, bias, scale)
    return OGD(loss, step, rate, bias, scale)
