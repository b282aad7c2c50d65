"""The twin of ROMMA."""

from __future__ import annotations

from collections.abc import Sequence

from .linear import Example, Feature, Linear, merged, stepped
from .losses import TINY, square_length

SMALLEST, LARGEST = 2.0**-100, 2.0**100  # beyond, the scale is worked into the weights
BEYOND = 1e300  # ‖w‖² stays below


class Romma(Linear):
    """On a mistake w becomes the shortest u with ⟨u, w⟩ ≥ ‖w‖² and y⟨u, x⟩ ≥ 1.

    The aggressive form does so when y⟨w, x⟩ < 1. What is kept is v, with w = scale·v.

    >>> twin = Romma()
    >>> twin.learn([("a", 2.0)], -1), twin.learn([("b", 1.0)], -1), twin.weights
    (True, True, {'a': -0.5, 'b': -1.0})
    """

    def __init__(self, aggressive: bool = False, bias: bool = False, scale: str = "none") -> None:
        """Whether a small margin teaches too, and whether a feature that is always 1 ends every row."""
        super().__init__(scale)
        self.aggressive = aggressive
        self.has_bias = bias
        self.stretch, self.square = 1.0, 0.0

    def factor(self) -> float:
        """w = scale·v."""
        return self.stretch

    def loss_of(self, score: float, y: float) -> float:
        """How much of a margin of 1 is missing."""
        return max(0.0, 1.0 - y * score)

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Find the shortest u: y·x/‖x‖² if that will do, else c·w + d·x."""
        if self.decide(score) == y and not (self.aggressive and y * score < 1.0):
            return False
        row = merged(self.row(x))
        length = square_length(row)
        both = length * self.potential
        if length < TINY:
            return False
        if y * score >= both:
            return self.start(row, y, length)
        rest = both - score * score
        if not rest > 0.0:
            return False
        keep, step = (both - y * score) / rest, self.potential * (y - score) / rest
        reach = keep * keep * self.potential + 2.0 * keep * step * score + step * step * length
        if not abs(reach) < BEYOND:
            raise ValueError("learning from this row would overflow the weights")
        return self.turn(row, keep, step)

    def start(self, row: Sequence[tuple[Feature | None, float]], y: float, length: float) -> bool:
        """w = y·x/‖x‖²."""
        after, self.square = stepped({}, row, y / length, 0.0)
        self.table = dict.fromkeys(self.table, 0.0) | after
        self.stretch, self.potential = 1.0, self.square
        return True

    def turn(self, row: Sequence[tuple[Feature | None, float]], keep: float, step: float) -> bool:
        """w = keep·w + step·x."""
        scale = self.stretch * keep
        after, self.square = stepped(self.table, row, step / scale, self.square)
        self.table.update(after)
        self.stretch = scale
        if self.stretch < SMALLEST or self.stretch > LARGEST:
            self.table = {feature: v * self.stretch for feature, v in self.table.items()}
            self.square *= self.stretch * self.stretch
            self.stretch = 1.0
        self.potential = self.stretch * self.stretch * self.square
        return True

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers."""
        return {"scale": self.stretch, "square": self.square, "potential": self.potential}
