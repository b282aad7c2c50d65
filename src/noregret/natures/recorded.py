"""Rounds that were written down one by one, as a stream that can be played again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from noregret.errors import BadInput, BadType
from noregret.examples import entries
from noregret.labelling import coded, importance, plain
from noregret.rounds import Batch, Example, Feature


class Recorded:
    """A stream of the rounds added to it. All of them name their features, or none does."""

    in_memory = True

    def __init__(self) -> None:
        """Start empty."""
        self._rows: list[list[tuple[Feature, float]]] = []
        self._labels: list[Any] = []
        self._weights: list[float] = []
        self._widths: set[int] = set()
        self._dicts = False  # whether one of them was a dict, whose features have names if there are any

    def add(self, x: Example, y: Any, weight: float = 1.0) -> None:
        """Write down a round, or refuse all of it."""
        row, label, counts = entries(x), plain(y), importance(weight)
        self._rows.append(row)
        self._labels.append(label)
        self._weights.append(counts)
        self._widths.add(_width(x))
        self._dicts = self._dicts or isinstance(x, Mapping)

    def __len__(self) -> int:
        """Count the rounds."""
        return len(self._rows)

    def batches(self) -> Iterator[Batch]:
        """Yield all rounds as one batch."""
        if not self._rows:
            return
        columns: dict[Feature, int] = {}
        for row in self._rows:
            for feature, _ in row:
                columns.setdefault(feature, len(columns))
        named = any(isinstance(feature, str) for feature in columns) if columns else self._dicts
        if named and not all(isinstance(feature, str) for feature in columns):
            raise BadInput("some rounds name their features and some number them; keep to one kind")
        labels, classes = coded(self._labels)
        place = columns if named else {feature: feature for feature in columns}
        yield Batch(
            values=np.array([value for row in self._rows for _, value in row], dtype=np.float64),
            labels=labels,
            indices=np.array([place[feature] for row in self._rows for feature, _ in row], dtype=np.int64),
            starts=np.cumsum([0] + [len(row) for row in self._rows], dtype=np.int64),
            width=-1 if named or len(self._widths) != 1 else next(iter(self._widths)),
            weights=np.array(self._weights) if any(weight != 1.0 for weight in self._weights) else None,
            names=[str(feature) for feature in columns] if named else None,
            classes=classes,
        )


def from_rounds(rounds: Iterable[tuple[Example, Any] | tuple[Example, Any, float]]) -> Recorded:
    """Make a stream of (x, y) or (x, y, weight): x a dict, an array or a sparse row, y its label or None.

    Labels are −1/+1, classes (whole numbers or strings) or numbers to be predicted, as the learner takes.

    >>> import noregret as nr
    >>> mails = [({"free": 1.0, "from": "shop"}, 1), ({"from": "mother"}, -1)]
    >>> nr.play(nr.from_rounds(mails), nr.Perceptron()).mistakes
    1
    """
    if not isinstance(rounds, Iterable):
        raise BadType(
            f"rounds are a list, or what can be gone through like one, not a {type(rounds).__name__}"
        )
    record = Recorded()
    for k, told in enumerate(rounds):
        try:
            if not isinstance(told, tuple | list) or len(told) not in (2, 3):
                raise BadType(f"a round is (x, y) or (x, y, weight), not {_shown(told)}")
            record.add(*told)
        except BadInput as bad:
            bad.row, bad.where = k, f"row {k}"
            raise
    return record


def _shown(told: Any) -> str:
    kind = type(told).__name__
    return f"a {kind} of {len(told)}" if isinstance(told, tuple | list) else f"a {kind}"


def _width(x: Example) -> int:
    shape = getattr(x, "shape", None)
    return int(shape[-1]) if shape else -1
