"""Rows that Python reads one by one, gathered into batches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from noregret.data.labels import Value
from noregret.data.naming import NamedStream
from noregret.errors import BadInput
from noregret.rounds import Batch

ROWS = 4096  # rows a batch


class Row(NamedTuple):
    """One row: its features by name, its label (None: nobody told it) and its place in the file."""

    features: list[tuple[str, float]]
    label: Value | None
    line: int
    weight: float = 1.0


class RowStream(NamedStream):
    """A stream whose format reads row by row."""

    waiting = 0  # rows that were read and not yet handed over

    def fault(self, problem: BadInput) -> None:
        """Stop at a bad row, or count it and remember its place."""
        super().fault(problem)
        if self.find_gaps:
            self.gaps.append(self.done + self.waiting)

    @abstractmethod
    def rows(self, path: Path) -> Iterator[tuple[Row, int]]:
        """Yield the rows of a file, and how many bytes were read since the row before."""

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file, gathered."""
        some: list[Row] = []
        taken = 0
        try:
            for row, consumed in self.rows(path):
                some.append(row)
                taken += consumed
                self.waiting = len(some)
                if len(some) == ROWS:
                    yield from self._gathered(path, some, taken)
                    some, taken, self.waiting = [], 0, 0
        except BadInput:
            yield from self._gathered(path, some, taken)  # what came before a bad row is played
            raise
        yield from self._gathered(path, some, taken)
        self.waiting = 0

    def _gathered(self, path: Path, rows: list[Row], consumed: int) -> Iterator[Batch]:
        if not rows:
            return
        names: dict[str, int] = {}
        places = [names.setdefault(name, len(names)) for row in rows for name, _ in row.features]
        words: dict[Value, int] = {}
        codes = [-1 if row.label is None else words.setdefault(row.label, len(words)) for row in rows]
        weighted = any(row.weight != 1.0 for row in rows)
        batch = self.sparse(
            np.array([value for row in rows for _, value in row.features], dtype=np.float64),
            np.array(places, dtype=np.int64),
            np.cumsum([0, *(len(row.features) for row in rows)]),
            list(names),
        )
        batch = replace(
            batch,
            weights=np.array([row.weight for row in rows]) if weighted else None,
            where=partial(_where, path, [row.line for row in rows]),
            consumed=consumed,
        )
        yield from self.labelled(batch, np.array(codes, dtype=np.int64), list(words))


def _where(path: Path, lines: list[int], row: int) -> str:
    return f"{path}, line {lines[row]}"
