"""The twins of Passive-Aggressive in its three forms."""

from __future__ import annotations

from .linear import LaneWise, checked
from .losses import TINY


class PassiveAggressive(LaneWise):
    """When y⟨w, x⟩ < 1, w ← w + τ·y·x with τ = (1 − y⟨w, x⟩)/‖x‖².

    >>> twin = PassiveAggressive()
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.weights
    (True, {'free': -0.2, 'money': -0.4})
    """

    def __init__(self, bias: bool = False, scale: str = "none") -> None:
        """Whether a feature that is always 1 ends every row."""
        super().__init__(scale)
        self.has_bias = bias

    def loss_of(self, score: float, y: float) -> float:
        """How much of a margin of 1 is missing."""
        return max(0.0, 1.0 - y * score)

    def moves(self, y: float, score: float) -> bool:
        """A margin below 1 teaches."""
        return 1.0 - y * score > 0.0

    def measure(self, at: tuple[float, ...], value: float) -> float:
        """Add up ‖x‖²."""
        return value * value

    def tau(self, loss: float, square: float, weight: float) -> float:
        """Make the round right by a margin of 1."""
        return loss / square

    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """A row that is all 0 has nothing to move."""
        return (self.tau(1.0 - y * score, measured, weight) * y if measured >= TINY else 0.0), 0.0

    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """w + step·x."""
        return (at[0] + step[0] * value,)

    @property
    def scalars(self) -> dict[str, float]:
        """‖w‖²."""
        return {"potential": self.potential}


class PassiveAggressive1(PassiveAggressive):
    """τ = min(C, ℓ/‖x‖²).

    >>> twin = PassiveAggressive1(0.125)
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.weights
    (True, {'free': -0.125, 'money': -0.25})
    """

    def __init__(self, C: float = 1.0, bias: bool = False, scale: str = "none") -> None:
        """The longest step."""
        super().__init__(bias, scale)
        self.C = checked("C", C, 0.0)

    def tau(self, loss: float, square: float, weight: float) -> float:
        """No step longer than C."""
        return min(self.C * weight, loss / square)


class PassiveAggressive2(PassiveAggressive1):
    """τ = ℓ/(‖x‖² + 1/(2C)).

    >>> twin = PassiveAggressive2(0.1)
    >>> twin.learn([("free", 1.0), ("money", 2.0)], -1), twin.weights
    (True, {'free': -0.1, 'money': -0.2})
    """

    def tau(self, loss: float, square: float, weight: float) -> float:
        """Every step shortened."""
        return loss / (square + 0.5 / (self.C * weight))
