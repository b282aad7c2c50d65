"""Queries: rows that belong together, in files that say so (``qid:7`` in libsvm)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from noregret.data.read import read
from noregret.errors import BadInput, BadLabel
from noregret.rounds import Batch, Example, Stream


@dataclass
class Query:
    """The elements of one query with their labels, in the order of the data."""

    number: int
    elements: list[Example] = field(default_factory=list)
    labels: list[float] = field(default_factory=list)

    @property
    def right(self) -> list[int]:
        """The places of the elements with the largest label."""
        best = max((label for label in self.labels if not math.isnan(label)), default=None)
        if best is None:
            raise BadLabel(f"no element of query {self.number} has a label, so none of them is right")
        return [place for place, label in enumerate(self.labels) if label == best]


def queries(source: str | PathLike[str] | Stream) -> Iterator[Query]:
    """Yield the queries of a file or a stream: rows one after the other with the same qid."""
    stream: Any = read(source, task="regression") if isinstance(source, str | PathLike) else source
    now: Query | None = None
    for batch in stream.batches():
        for r, number in enumerate(_numbers(batch)):
            if now is None or number != now.number:
                if now is not None:
                    yield now
                now = Query(number)
            now.elements.append(batch.example(r))
            now.labels.append(float(batch.labels[r]))
    if now is not None:
        yield now


def _numbers(batch: Batch) -> list[int]:
    numbers: list[int] = [] if batch.groups is None else batch.groups.tolist()
    missing = next((r for r in range(len(batch)) if not numbers or numbers[r] < 0), None)
    if missing is None:
        return numbers
    raise BadInput(
        f"{batch.located(missing)}: the row names no query; one of libsvm does so as in 3 qid:7 1:0.5 4:1"
    )
