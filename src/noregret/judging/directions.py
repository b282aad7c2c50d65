"""All witnesses of a judging pass side by side: one table, one look at every row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from noregret import _core
from noregret.judged import Witness
from noregret.rounds import Floats
from noregret.sample import Cells

_TOGETHER = 8  # the table is as wide as a multiple of it
_FRACTIONS, _WHOLE, _ZERO = 0, 1, 2


class Span(NamedTuple):
    """The rows of the products that belong to a witness; several classes have one each."""

    begin: int
    end: int


class Directions:
    """A table, columns × directions; its products with the rows of a block, from below and above."""

    def __init__(self) -> None:
        """Start without directions."""
        self._parts: list[tuple[Floats, float, bool]] = []  # numbers, weight of unknown columns, bias last
        self._spans: dict[tuple[int, bool], Span] = {}
        self._kept: list[Floats] = []  # whose addresses are the keys
        self._table: Floats | None = None

    def place(self, witness: Witness, bias: bool) -> Span:
        """Give a witness its place; one that is there already keeps it."""
        key = (id(witness.known), bias)
        if key not in self._spans:
            begin = len(self._parts)
            self._parts += [(part, witness.rest, bias) for part in np.atleast_2d(witness.known)]
            self._spans[key] = Span(begin, len(self._parts))
            self._kept.append(witness.known)
        return self._spans[key]

    def close(self) -> None:
        """Build the table."""
        width = -(-len(self._parts) // _TOGETHER) * _TOGETHER
        known = max((len(part) - bias for part, _, bias in self._parts), default=0)
        self._rest, self._offsets = np.zeros(width), np.zeros(width)
        self._smallest = np.full(width, np.inf)
        self._kinds = np.full(width, _ZERO, dtype=np.uint8)
        table = np.zeros((known, width))
        for k, (part, rest, bias) in enumerate(self._parts):
            features = part[:-1] if bias else part
            table[: len(features), k] = features
            table[len(features) :, k] = rest
            self._rest[k], self._offsets[k] = rest, part[-1] if bias else 0.0
            if np.any(part != 0.0) or rest != 0.0:
                whole = bool(np.all(np.floor(part) == part)) and rest == np.floor(rest)
                self._kinds[k] = _WHOLE if whole else _FRACTIONS
                sizes = np.abs([*part[part != 0.0].tolist(), *([rest] if rest else [])])
                self._smallest[k] = float(np.min(sizes))
        self._table = table

    def products(self, cells: Cells) -> tuple[Floats, Floats]:
        """⟨u, x⟩ for all directions and rows, rounded down and up: directions × rows."""
        return _core.score_directions(
            cells, self._table, self._rest, self._offsets, self._kinds, self._smallest
        )
