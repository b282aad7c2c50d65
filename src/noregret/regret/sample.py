"""Rounds of a stream laid out as a matrix: all of them, or of a long stream every second, fourth, eighth …

The rounds are evenly spread over the stream, and what they take in memory does not depend on its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret.game.play import first
from noregret.replay import Part, laid_out, part_of, places
from noregret.rounds import Feature, Floats, Stream


class Sample(NamedTuple):
    """Labelled rounds: a sparse row each, the features of its columns, and which share of all they are."""

    rows: Any  # scipy csr_array, float64
    labels: Floats
    features: list[Feature]
    every: int  # 1: all of them


def sampled(stream: Stream, limit: int | None, values: int, classes: Sequence[Any] = ()) -> Sample:
    """Take the labelled rounds, or every so many of them that they have no more than so many values.

    With classes, a label is a place among them.

    >>> import numpy as np, noregret as nr
    >>> stream = nr.from_arrays(np.ones((100, 3)), [1] * 100)
    >>> few = sampled(stream, None, values=60)
    >>> few.rows.shape, few.every
    ((13, 3), 8)
    """
    kept: list[_Kept] = []
    every, met = 1, 0
    for batch in first(stream, limit):
        told = ~np.isnan(batch.labels)
        numbers = met + np.cumsum(told) - 1
        wanted = told & (numbers % every == 0)
        kept.append(_Kept(numbers[wanted], part_of(batch, batch.labels, batch.labels, wanted)))
        met += int(told.sum())
        while _size(kept) > values and sum(len(one.numbers) for one in kept) > 1:
            every *= 2
            kept = [_thinned(one, every) for one in kept]
        kept = [one for one in kept if len(one.numbers)]
    parts = [one.part for one in kept]
    rows, features = laid_out(parts)
    labels = [places(part.labels, part.classes, classes) for part in parts]
    return Sample(rows, np.concatenate([np.empty(0), *labels]), features, every)


class _Kept(NamedTuple):
    numbers: NDArray[np.int64]  # among the labelled rounds, from 0
    part: Part


def _size(kept: list[_Kept]) -> int:
    """The values, and the rows themselves."""
    return sum(len(one.part.values) + len(one.numbers) for one in kept)


def _thinned(one: _Kept, every: int) -> _Kept:
    """Keep the rows whose number is a multiple of `every`."""
    stays, part = one.numbers % every == 0, one.part
    inside = np.repeat(stays, part.lengths)
    fewer = part._replace(
        lengths=part.lengths[stays],
        values=part.values[inside],
        columns=part.columns[inside],
        labels=part.labels[stays],
        mistaken=part.mistaken[stays],
        scores=part.scores[stays],
    )
    return _Kept(one.numbers[stays], fewer)
