"""Rows of any format as libsvm text, which everybody reads, `noregret verify` among them."""

from __future__ import annotations

import math
from typing import BinaryIO

from noregret.errors import BadInput
from noregret.rounds import Batch

_IN_A_LINE = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r"})


class LibsvmWriter:
    """Writes a line for each row, every number with all its digits.

    Features that have names are numbered from 1 in the order they appear; `names` has them in that order.
    """

    def __init__(self, file: BinaryIO) -> None:
        """Write to a file that is open."""
        self.file = file
        self.rows = 0
        self._numbers: dict[str, int] = {}

    @property
    def names(self) -> list[str]:
        """The name of feature 1, of feature 2, …; none if features are numbers already."""
        return list(self._numbers)

    def listed(self) -> bytes:
        """Write the names, that of feature k to line k: a line end in it is \\n or \\r, a backslash two."""
        return "".join(f"{name.translate(_IN_A_LINE)}\n" for name in self._numbers).encode()

    def add(self, batch: Batch) -> None:
        """Write the rows of a batch."""
        if batch.weights is not None and any(weight != 1.0 for weight in batch.weights.tolist()):
            raise BadInput("libsvm text has no place for importance weights; convert to .nrb instead")
        for r, label in enumerate(batch.labels.tolist()):
            if math.isnan(label):
                raise BadInput(
                    f"row {self.rows + 1} has no label, and libsvm text has no place for such rows; "
                    "convert to .nrb instead"
                )
            cells = [f"{self._number(feature)}:{float(value)!r}" for feature, value in batch.row(r)]
            query = [] if batch.groups is None or batch.groups[r] < 0 else [f"qid:{batch.groups[r]}"]
            self.file.write((" ".join([f"{label:+g}", *query, *cells]) + "\n").encode())
            self.rows += 1

    def _number(self, feature: int | str) -> int:
        if isinstance(feature, int):
            return feature
        return self._numbers.setdefault(feature, len(self._numbers) + 1)
