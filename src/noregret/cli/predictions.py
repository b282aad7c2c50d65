"""The file of predictions: it grows while the run goes on, and appears when the run is over."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path

from noregret.cli.output import STDOUT, to_stdout
from noregret.data.labels import Labels
from noregret.data.spool import without_folders
from noregret.errors import BadCommand
from noregret.game.said import Said
from noregret.rounds import Batch
from noregret.whole_file import WholeFile, cannot_write, utf8


class PredictionFile:
    """CSV: the label, for every learner its prediction and its score, then where the row is; a row a round.

    On standard output the rows of a batch are shown when they are answered. A file that cannot be
    written does not stop the run: `problem` says so afterwards.
    """

    def __init__(self, path: Path, specs: Sequence[str], labels: Labels) -> None:
        """Open the file and write its header."""
        self.path = path
        self.whole = None if path == STDOUT else WholeFile(path)
        self.labels = labels
        self.problem: BadCommand | None = None
        self._write([["label", *[cell for spec in specs for cell in (spec, f"{spec} score")], "row"]])

    def batch(self, batch: Batch, said: Sequence[Said]) -> None:
        """Write the rounds of a batch."""
        columns = [column.tolist() for one in said for column in (one.predictions, one.scores)]
        rows = []
        for r, (label, *cells) in enumerate(zip(batch.labels.tolist(), *columns, strict=True)):
            pairs = zip(cells[::2], cells[1::2], strict=True)
            told = [cell for p, s in pairs for cell in (self._label(p), "" if math.isnan(s) else repr(s))]
            rows.append([self._label(label), *told, without_folders(batch.located(r))])
        self._write(rows)

    def _label(self, value: float) -> str:
        return self.labels.write(value) if math.isfinite(value) else ""

    def _write(self, rows: list[list[str]]) -> None:
        if self.problem is not None:
            return
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(rows)
        try:
            if self.whole is None:
                to_stdout(text.getvalue())
            else:
                self.whole.file.write(utf8(text.getvalue()))
        except OSError as problem:
            self._give_up(problem)

    def _give_up(self, problem: OSError) -> None:
        self.problem = cannot_write(Path("standard output") if self.whole is None else self.path, problem)
        self.discard()

    def close(self) -> None:
        """Put the file in its place."""
        try:
            if self.whole is not None and self.problem is None:
                self.whole.keep()
        except OSError as problem:
            self._give_up(problem)

    def discard(self) -> None:
        """Leave nothing behind."""
        if self.whole is not None:
            self.whole.discard()
