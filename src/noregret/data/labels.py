"""Labels in a file to −1 and +1, and back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from noregret.errors import BadLabel, BadParameter
from noregret.rounds import Floats


class Labels:
    """How a file writes its two classes.

    1 is positive; −1 or 0 is negative, and a file uses one of the two. Any other pair needs
    `positive`: that value is +1, every other is −1.
    """

    def __init__(self, positive: float | None = None, negative: float | None = None) -> None:
        """Begin with what is known; `negative` is found in the data."""
        if positive is not None and not math.isfinite(positive):
            raise BadParameter(f"the positive label is {positive}; it must be a finite number")
        self.positive = positive
        self.negative = negative

    def read(self, raw: Floats) -> tuple[Floats, int | None, str]:
        """Map labels; where one cannot be, give its row and say why."""
        if self.positive is not None:
            return self._by_value(raw)
        odd = np.flatnonzero((raw != 1.0) & (raw != -1.0) & (raw != 0.0))
        mixed = self._mixed(raw)
        stop = min([int(odd[0])] if len(odd) else [], default=None)
        if mixed is not None and (stop is None or mixed < stop):
            return raw, mixed, "labels are -1 and 0 in one file; use one of them for the negative class"
        if stop is not None:
            return (
                raw,
                stop,
                "a label is 1 or -1 (or 1 and 0); for other pairs say which is positive: --positive VALUE",
            )
        return np.where(raw == 1.0, 1.0, -1.0), None, ""

    def _by_value(self, raw: Floats) -> tuple[Floats, int | None, str]:
        others = raw[raw != self.positive]
        if self.negative is None and len(others):
            self.negative = float(others[0])
        return np.where(raw == self.positive, 1.0, -1.0), None, ""

    def _mixed(self, raw: Floats) -> int | None:
        """Find the first row that uses the other negative than the file did so far."""
        negative = raw[(raw == -1.0) | (raw == 0.0)]
        if self.negative is None and len(negative):
            self.negative = float(negative[0])
        if self.negative is None:
            return None
        other = np.flatnonzero(raw == (0.0 if self.negative == -1.0 else -1.0))
        return int(other[0]) if len(other) else None

    def write(self, prediction: float) -> str:
        """Write a prediction the way the file writes labels."""
        value = (1.0 if self.positive is None else self.positive) if prediction > 0 else self._negative()
        return f"{value:g}"

    def _negative(self) -> float:
        return -1.0 if self.negative is None else self.negative

    def describe(self) -> str:
        """Say the mapping in a line."""
        return f"label {self.write(1.0)} is positive, {self.write(-1.0)} negative"

    def as_json(self) -> dict[str, float | None]:
        """Give it as plain data, for the model file."""
        return {"positive": self.positive, "negative": self.negative}

    @staticmethod
    def from_json(data: Any) -> Labels:
        """Read what as_json wrote."""
        if not isinstance(data, dict) or not all(
            data.get(k) is None or isinstance(data.get(k), int | float) for k in ("positive", "negative")
        ):
            raise BadLabel("the labels of the model are not a pair of numbers")
        return Labels(data.get("positive"), data.get("negative"))
