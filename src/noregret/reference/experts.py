"""What the twins of the expert rules share, and those that weigh exponentially.

A row holds a loss for each expert, None for one that sleeps. Sleepers weigh nothing, and are charged what the
rule itself suffers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Row = Sequence[float | None]

TINY = 1e-300  # a sum of squares that is less counts as 0: one over it would leave the doubles


class Experts:
    """Weighs n experts by their losses; a subclass says how. This one holds everybody alike."""

    def __init__(self, n: int) -> None:
        """Everybody starts alike."""
        self.n = n
        self.rounds = 0
        self.loss = 0.0  # Σ p·ℓ
        self.losses = [0.0] * n  # of each expert, those of sleepers being the rule's own

    logarithms = True

    def raw(self) -> list[float]:
        """Weights on any scale: logarithms if `logarithms`, else as they are."""
        return [0.0] * self.n

    def weights(self, row: Row | None = None) -> list[float]:
        """The weights, adding up to 1 over those awake."""
        awake = [row is None or row[i] is not None for i in range(self.n)]
        raw = self.raw()
        if self.logarithms:
            top = max(v for v, ok in zip(raw, awake, strict=True) if ok)
            raw = [math.exp(v - top) if ok else 0.0 for v, ok in zip(raw, awake, strict=True)]
        kept = [v if ok else 0.0 for v, ok in zip(raw, awake, strict=True)]
        total = 0.0
        for v in kept:
            total += v
        if total == 0.0:
            return [1.0 / sum(awake) if ok else 0.0 for ok in awake]
        return [v / total for v in kept]

    def learn(self, row: Row) -> float:
        """Suffer Σ p·ℓ, charge everybody, change the weights; gives what was suffered."""
        p = self.weights(row)
        own = 0.0
        for weight, loss in zip(p, row, strict=True):
            if loss is not None:
                own += weight * loss
        self.update([own if loss is None else loss for loss in row], own, row)
        self.losses = [
            total + (own if loss is None else loss) for total, loss in zip(self.losses, row, strict=True)
        ]
        self.rounds += 1
        self.loss += own
        return own

    def update(self, charged: list[float], own: float, row: Row) -> None:
        """What a round teaches beyond the totals, which are still those from before."""


class Hedge(Experts):
    """p ∝ exp(−η·L); the rate fixed, or 2√(ln N/t).

    >>> twin = Hedge(2, rate=math.log(2.0))
    >>> twin.learn([0.0, 1.0]), [round(w, 3) for w in twin.weights()]
    (0.5, [0.667, 0.333])
    """

    def __init__(self, n: int, rate: float | None = None) -> None:
        """η, or None."""
        super().__init__(n)
        self.given = rate

    def rate(self) -> float:
        """The rate of this round."""
        if self.given is not None:
            return self.given
        return 2.0 * math.sqrt(math.log(self.n) / (self.rounds + 1))

    def raw(self) -> list[float]:
        """−η·L."""
        return [-self.rate() * total for total in self.losses]


class Doubling(Hedge):
    """Hedge for 1, 2, 4, … rounds, started anew each time."""

    def __init__(self, n: int) -> None:
        """Begin with a horizon of one round."""
        super().__init__(n)
        self.horizon, self.begun, self.before = 1, 0, [0.0] * n

    def rate(self) -> float:
        """That of the horizon."""
        return math.sqrt(8.0 * math.log(self.n) / self.horizon)

    def raw(self) -> list[float]:
        """Only what was lost since the last start counts."""
        if self.rounds - self.begun == self.horizon:
            self.begun, self.horizon, self.before = self.rounds, 2 * self.horizon, list(self.losses)
        return [-self.rate() * (total - b) for total, b in zip(self.losses, self.before, strict=True)]


class EG(Hedge):
    """Hedge at the pace of the spreads seen."""

    def __init__(self, n: int, rate: float | None = None) -> None:
        """No spread seen yet."""
        super().__init__(n, rate)
        self.squares = 0.0

    def rate(self) -> float:
        """2√(ln N/Σs²)."""
        if self.given is not None:
            return self.given
        return 2.0 * math.sqrt(math.log(self.n) / self.squares) if self.squares > TINY else 0.0

    def update(self, charged: list[float], own: float, row: Row) -> None:
        """Count the spread of those awake."""
        awake = [loss for loss in row if loss is not None]
        self.squares += (max(awake) - min(awake)) ** 2


class AdaHedge(Experts):
    """η = ln N/Δ, Δ the sum of the mixability gaps; with Δ = 0 the leaders alike."""

    def __init__(self, n: int) -> None:
        """No gap yet."""
        super().__init__(n)
        self.gap = 0.0

    def raw(self) -> list[float]:
        """−η·L, or 0 for the leaders and −∞ for the others."""
        if self.gap == 0.0:
            return [0.0 if total == min(self.losses) else -math.inf for total in self.losses]
        return [-math.log(self.n) / self.gap * total for total in self.losses]

    def weights(self, row: Row | None = None) -> list[float]:
        """With Δ = 0, the leaders among those awake."""
        if self.gap > 0.0 or row is None:
            return super().weights(row)
        least = min(total for total, loss in zip(self.losses, row, strict=True) if loss is not None)
        led = [loss is not None and total == least for total, loss in zip(self.losses, row, strict=True)]
        return [1.0 / sum(led) if leads else 0.0 for leads in led]

    def update(self, charged: list[float], own: float, row: Row) -> None:
        """Add own loss less mix loss."""
        after = [total + loss for total, loss in zip(self.losses, charged, strict=True)]
        if self.gap == 0.0 or self.n == 1:  # of one expert rounding alone makes a gap, and nothing follows
            mix = min(after) - min(self.losses)
        else:
            eta = math.log(self.n) / self.gap
            mix = _mixed(after, eta) - _mixed(self.losses, eta)
        self.gap += max(0.0, own - mix)


def _mixed(totals: Sequence[float], eta: float) -> float:
    least = min(totals)
    return least - math.log(sum(math.exp(-eta * (total - least)) for total in totals)) / eta


class FollowTheLeader(Experts):
    """All weight on the first of those with the least loss."""

    def weights(self, row: Row | None = None) -> list[float]:
        """One for the leader."""
        awake = [i for i in range(self.n) if row is None or row[i] is not None]
        leader = min(awake, key=lambda i: (self.losses[i], i))
        return [1.0 if i == leader else 0.0 for i in range(self.n)]


class FixedShare(Experts):
    """Exponential weights, of which everybody then gives the share α to the others."""

    logarithms = False

    def __init__(self, n: int, rate: float = 0.5, share: float = 0.01) -> None:
        """η and α."""
        super().__init__(n)
        self.rate, self.share = rate, share
        self.kept = [1.0 / n] * n

    def raw(self) -> list[float]:
        """As they are."""
        return list(self.kept)

    def update(self, charged: list[float], own: float, row: Row) -> None:
        """Weigh, then share."""
        if self.n == 1:
            return
        low = min(charged)
        moved = [w * math.exp(-self.rate * (loss - low)) for w, loss in zip(self.kept, charged, strict=True)]
        part = [w / sum(moved) for w in moved]
        self.kept = [(1.0 - self.share) * w + self.share * (1.0 - w) / (self.n - 1) for w in part]
