"""What a run over experts leaves behind, for its theorems to look at."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, NamedTuple

from .experts import Row

EPSILON = 2.0**-52


class Turn(NamedTuple):
    """One round: the weights, with everybody awake too, the losses (None: asleep), and what was suffered."""

    weights: list[float]
    everybody: list[float]
    losses: Row
    own: float


class RidgeAccount(NamedTuple):
    """What the theorem of the ridge rule asks for."""

    least: float  # min over v of λ‖v‖² + Σ(x̄ + ⟨v,x⟩ − y)²
    reach: float  # the largest |y − x̄|
    leverage: float  # Σ xᵀA⁻¹x
    size: float  # the trace of A, nλ + Σ‖x‖²


class ExpertsRun:
    """What came of a rule: its loss, that of each expert, and every turn."""

    def __init__(self, name: str, parameters: dict[str, Any], n: int) -> None:
        """Nothing played yet."""
        self.name, self.parameters, self.n = name, parameters, n
        self.turns: list[Turn] = []
        self.loss = 0.0
        self.losses = [0.0] * n
        self.linear = False
        self.noise = 0.0  # what a linear loss may be off by, because the prediction is
        self.ridge: RidgeAccount | None = None

    def suffer(self, weights: list[float], everybody: list[float], losses: Row, own: float) -> None:
        """Write down a turn; sleepers are charged what the rule suffered."""
        self.turns.append(Turn(weights, everybody, losses, own))
        self.loss += own
        self.losses = [
            total + (own if loss is None else loss) for total, loss in zip(self.losses, losses, strict=True)
        ]

    @property
    def rounds(self) -> int:
        """How many turns."""
        return len(self.turns)

    @property
    def log_n(self) -> float:
        """ln N."""
        return math.log(self.n)

    @property
    def best(self) -> int:
        """The first expert of the least loss."""
        return min(range(self.n), key=lambda i: (self.losses[i], i))

    @cached_property
    def awake(self) -> list[list[float]]:
        """The losses of those awake, by round."""
        return [[loss for loss in turn.losses if loss is not None] for turn in self.turns]

    @cached_property
    def spreads(self) -> list[float]:
        """max ℓ − min ℓ of every round."""
        return [max(row) - min(row) for row in self.awake]

    @cached_property
    def lowest(self) -> float:
        """The least loss of all."""
        return min((min(row) for row in self.awake), default=0.0)

    @cached_property
    def highest(self) -> float:
        """The greatest."""
        return max((max(row) for row in self.awake), default=0.0)

    @property
    def largest(self) -> float:
        """The largest absolute loss of an expert in a round."""
        return max(abs(self.lowest), abs(self.highest))

    @property
    def rounding(self) -> float:
        """More than rounding can have moved Σp·ℓ and the loss of one expert, together.

        An operation is off by 2⁻⁵³ of its result. T losses are added up, a Σp·ℓ is a sum of n products over a
        sum of n weights, a weight is the exponential of a number up to 745; twice as much covers the rest.
        """
        return EPSILON * (self.rounds + self.n + 1024) * self.rounds * self.largest + 1e-300

    def tolerance(self, bound: float, sums: float = 1.0) -> float:
        """What the writer adds to a bound in which losses count `sums` times, and other sums once."""
        return sums * self.rounding + EPSILON * (4.0 * self.rounds + 64.0) * abs(bound)

    def squares_above(self, squares: float) -> float:
        """No less than Σr² without rounding: each r is off by what its Σp·ℓ is off."""
        off = EPSILON * (self.n + 4) * self.largest + 1e-300
        share = 1.0 + EPSILON * (self.rounds + self.n + 8)
        return (share * math.sqrt(squares) + math.sqrt(self.rounds) * off) ** 2 + 1e-300

    @cached_property
    def slept(self) -> int:
        """How many times somebody slept."""
        return sum(loss is None for turn in self.turns for loss in turn.losses)

    def regrets(self, turn: Turn) -> list[float]:
        """r of every expert in a turn; a sleeper has none."""
        return [0.0 if loss is None else turn.own - loss for loss in turn.losses]

    @cached_property
    def squares(self) -> list[float]:
        """Σr² of every expert."""
        total = [0.0] * self.n
        for turn in self.turns:
            total = [s + r * r for s, r in zip(total, self.regrets(turn), strict=True)]
        return total
