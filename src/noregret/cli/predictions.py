"""The file of predictions: written beside its place while the run goes on, moved there at the end."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from noregret.data.labels import Labels
from noregret.errors import BadCommand
from noregret.game.play import Said
from noregret.rounds import Batch


class PredictionFile:
    """CSV: the label, then for every learner its prediction and its score, a row a round."""

    def __init__(self, path: Path, specs: Sequence[str], labels: Labels) -> None:
        """Open a file that nobody will mistake for the result."""
        self.path = path
        self.part = path.with_name(f".{path.name}.{os.getpid()}.part")
        self.labels = labels
        try:
            self.file = self.part.open("w", newline="", encoding="utf-8")
        except OSError as problem:
            raise BadCommand(
                f"{path} cannot be written: {(problem.strerror or str(problem)).lower()}"
            ) from None
        self.rows: Any = csv.writer(self.file, lineterminator="\n")
        self.rows.writerow(["label", *[cell for spec in specs for cell in (spec, f"{spec} score")]])

    def batch(self, batch: Batch, said: Sequence[Said]) -> None:
        """Write the rounds of a batch."""
        columns = [column.tolist() for one in said for column in (one.predictions, one.scores)]
        for label, *cells in zip(batch.labels.tolist(), *columns, strict=True):
            pairs = zip(cells[::2], cells[1::2], strict=True)
            told = [cell for p, s in pairs for cell in (self._label(p), "" if math.isnan(s) else repr(s))]
            self.rows.writerow([self._label(label), *told])

    def _label(self, value: float) -> str:
        return self.labels.write(value) if math.isfinite(value) else ""

    def close(self) -> None:
        """Put the file in its place."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        self.part.replace(self.path)

    def discard(self) -> None:
        """Leave nothing behind."""
        self.file.close()
        self.part.unlink(missing_ok=True)
