"""Labels that predictions are only compared with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.data.labels import EXACT, Labels, Read, Value, plain
from noregret.rounds import Floats


class ComparedLabels(Labels):
    """The labels of a model, for data of which nothing is learned: one that does not fit is no label.

    `unfit` counts those. Data to be predicted often has some number in the place of its labels.
    """

    def __init__(self, known: Labels) -> None:
        """Take over what is known."""
        self.__dict__.update(known.__dict__)
        self.unfit = 0

    def read(self, raw: Floats) -> Read:
        """Map labels that are numbers; every row is fine."""
        if self.task == "multiclass" or self.positive is not None:
            fits = np.abs(raw) < EXACT
        elif self.task == "regression":
            fits = np.isfinite(raw)
        else:
            self._mixed(raw)  # which finds the negative label, where the model knows none
            fits = (raw == 1.0) | (raw == (math.nan if self.negative is None else self.negative))
        self.unfit += int(np.sum(~fits & ~np.isnan(raw)))
        return super().read(np.where(fits, raw, math.nan))

    def read_words(self, codes: NDArray[Any], words: Sequence[Value]) -> Read:
        """Map labels that are words; every row is fine."""
        if self.task == "multiclass" or self.positive is not None:
            return super().read_words(codes, words)
        values = [plain(word) for word in words]
        numbers = [math.nan if isinstance(value, str) else float(value) for value in values]
        raw: Floats = np.array([*numbers, math.nan])[codes]
        self.unfit += int(np.sum(np.isnan(raw) & (codes >= 0)))
        return self.read(raw)
