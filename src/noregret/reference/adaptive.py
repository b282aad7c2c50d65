"""The twins of AdaGrad, FTRL-proximal and coin betting, which have a rate or a bet for every feature."""

from __future__ import annotations

import math

from .linear import LaneWise, checked
from .losses import LOSSES, chosen, loss, not_negative, shrunk, slope


class Adaptive(LaneWise):
    """What they share: a loss, and a gradient that importance multiplies."""

    def __init__(self, loss: str, bias: bool, scale: str) -> None:
        """Which loss, and whether a feature that is always 1 ends every row."""
        super().__init__(scale)
        self.loss = chosen("loss", loss, LOSSES)
        self.has_bias = bias

    def loss_of(self, score: float, y: float) -> float:
        """The loss it descends on."""
        return loss(self.loss, score, y)

    def moves(self, y: float, score: float) -> bool:
        """Where the loss is flat there is nothing to learn."""
        return slope(self.loss, score, y) != 0.0

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """The pull is −g over x."""
        return weight * slope(self.loss, score, y) * y, 0.0

    @property
    def scalars(self) -> dict[str, float]:
        """The sum of squares of what is kept as the weights."""
        return {"potential": self.potential}


class AdaGrad(Adaptive):
    """w ← w − η·g/(δ + √Σg²); what is kept is w/η.

    >>> twin = AdaGrad(rate=0.5)
    >>> twin.learn([("a", 1.0), ("b", 3.0)], -1), twin.weights
    (True, {'a': -0.25, 'b': -0.375})
    """

    initial: tuple[float, ...] = (0.0, 0.0)

    def __init__(
        self,
        loss: str = "hinge",
        rate: float = 1.0,
        delta: float = 1.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Which loss, η and δ."""
        super().__init__(loss, bias, scale)
        self.rate = checked("rate", rate, 0.0)
        self.delta = checked("delta", delta, 0.0)

    def factor(self) -> float:
        """η."""
        return self.rate

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """Weight and Σg²."""
        pull = step[0] * value
        squares = at[1] + pull * pull
        return at[0] + pull / (self.delta + math.sqrt(squares)), squares


class AveragingAdaGrad(AdaGrad):
    """w = −η·Σg/(δ + √Σg²).

    >>> twin = AveragingAdaGrad(rate=0.5)
    >>> twin.learn([("a", 1.0), ("b", 3.0)], -1), twin.weights
    (True, {'a': -0.25, 'b': -0.375})
    """

    initial = (0.0, 0.0, 0.0)

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """Weight, Σg² and −Σg."""
        pull = step[0] * value
        squares, total = at[1] + pull * pull, at[2] + pull
        return total / (self.delta + math.sqrt(squares)), squares, total


def adagrad(
    loss: str = "hinge",
    form: str = "descent",
    rate: float = 1.0,
    delta: float = 1.0,
    bias: bool = False,
    scale: str = "none",
) -> AdaGrad:
    """Make the twin that the parameters ask for."""
    kinds = {"descent": AdaGrad, "averaging": AveragingAdaGrad}
    return kinds[chosen("form", form, tuple(kinds))](loss, rate, delta, bias, scale)


class FTRL(Adaptive):
    """z ← z + g − (√(n + g²) − √n)/α·w, n ← n + g², w = −(z shrunk by λ₁)/((β + √n)/α + λ₂).

    >>> twin = FTRL(loss="hinge", alpha=1.0, l1=2.0)
    >>> twin.learn([("a", 1.0), ("b", 3.0)], -1), twin.weights
    (True, {'b': -0.25})
    """

    initial = (0.0, 0.0, 0.0)

    def __init__(
        self,
        loss: str = "logistic",
        alpha: float = 0.1,
        beta: float = 1.0,
        l1: float = 0.0,
        l2: float = 0.0,
        bias: bool = False,
        scale: str = "none",
    ) -> None:
        """Which loss, α, β, λ₁ and λ₂."""
        super().__init__(loss, bias, scale)
        self.alpha, self.beta = checked("alpha", alpha, 0.0), checked("beta", beta, 0.0)
        self.l1, self.l2 = not_negative("l1", l1), not_negative("l2", l2)

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """Weight, z and n."""
        pull = step[0] * value
        before = math.sqrt(at[2])
        n = at[2] + pull * pull
        after = math.sqrt(n)
        z = at[1] - (pull + (after - before) / self.alpha * at[0])
        return shrunk(-z, self.l1) / ((self.beta + after) / self.alpha + self.l2), z, n


class Coin(Adaptive):
    """Bets: w = Σc/(2 + 2Σ|c|)·wealth with c = −g cut to [−1, 1], wealth ← wealth + c·w.

    >>> twin = Coin()
    >>> twin.learn([("a", 1.0)], -1), twin.weights
    (True, {'a': -0.25})
    """

    def __init__(
        self, loss: str = "hinge", wealth: float = 1.0, bias: bool = False, scale: str = "none"
    ) -> None:
        """Which loss, and what every feature has to bet with."""
        super().__init__(loss, bias, scale)
        self.wealth = checked("wealth", wealth, 0.0)
        self.initial = (0.0, self.wealth, 0.0, 0.0)

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """Weight, wealth, Σc and Σ|c|."""
        pull = max(min(step[0] * value, 1.0), -1.0)
        wealth, total, size = at[1] + pull * at[0], at[2] + pull, at[3] + abs(pull)
        return total / (2.0 + 2.0 * size) * wealth, wealth, total, size
