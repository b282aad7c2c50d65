"""The round: nature poses x, the learner predicts, nature reveals y, the learner learns.

A *stream* is a nature that fixed its rounds beforehand and can hand them over in batches; any
other nature is asked, round by round, and may look at the prediction before it answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from noregret import _core

Feature: TypeAlias = int | str
Example: TypeAlias = (
    Any  # a dict of features, a one-dimensional array, a sparse row, or a point by number or name
)
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a stream. A label of None means that nobody told it."""

    x: Example
    y: Any
    weight: float = 1.0


@dataclass(frozen=True)
class Batch:
    """Rounds as a matrix: dense (`indices` is None), compressed sparse rows, or a table (with `features`).

    Column j is the feature j, or `names[j]` where names are given. Column k of a table holds values of
    `features[k]`; or, where that is −1, its cells are features themselves, each of value 1: words. Where it
    has `holes`, a value that is NaN is missing: the row does not have the feature.
    `width` is the number of columns, −1 when it is not known. Labels are −1 and +1; with `classes`
    label k stands for `classes[k]`; for regression they are the numbers themselves. NaN is "no label".
    """

    values: NDArray[Any]
    labels: Floats
    indices: NDArray[Any] | None = None
    starts: NDArray[Any] | None = None
    width: int = -1
    weights: Floats | None = None
    names: Sequence[str] | _core.Vocabulary | None = None
    where: Callable[[int], str] | None = field(default=None, compare=False)
    consumed: int = 0  # bytes of the source that these rows came from, for progress
    classes: Sequence[Any] | None = None
    lag: int = 0  # how many rounds late each label comes
    groups: NDArray[np.int64] | None = None  # the query that each row belongs to, −1 for none
    features: NDArray[np.int32] | None = None
    holes: bool = False

    def __len__(self) -> int:
        """Count the rounds."""
        return len(self.labels)

    def matrix(self) -> _core.Matrix:
        """Lend the rows to the core, without a copy."""
        return _core.Matrix(
            self.values,
            self.indices,
            self.starts,
            self.width,
            self.names,
            self.classes,
            self.features,
            self.holes,
        )

    def flat(self) -> Batch:
        """Give the rows of a table as compressed sparse rows; others as they are."""
        if self.features is None:
            return self
        values, indices, starts = self.cells()
        starts = starts.astype(np.int32)
        return replace(self, values=values, indices=indices, starts=starts, features=None, holes=False)

    def cells(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.int64]]:
        """Give values, their columns, and where each row begins, from 0 on; of dense rows every cell."""
        if self.features is not None:
            words = self.features < 0
            there = ~(np.isnan(self.values) & self.holes)
            columns = np.where(words, self.values, self.features)[there].astype(np.int32)
            ends = np.concatenate([[0], np.cumsum(there.sum(axis=1, dtype=np.int64))])
            return np.where(words, 1.0, self.values)[there], columns, ends
        if self.indices is None or self.starts is None:
            rows, width = self.values.shape
            columns = np.tile(np.arange(width), rows)
            return self.values.ravel(), columns, np.arange(rows + 1, dtype=np.int64) * width
        span = slice(int(self.starts[0]), int(self.starts[-1]))
        return self.values[span], self.indices[span], self.starts.astype(np.int64) - span.start

    def row(self, r: int) -> list[tuple[Feature, float]]:
        """List the features of row r, in their order, repeats and all."""
        if self.features is not None:
            return self.part(r, r + 1).flat().row(0)
        if self.indices is None or self.starts is None:
            columns, values = range(self.values.shape[1]), self.values[r]
        else:
            span = slice(int(self.starts[r]), int(self.starts[r + 1]))
            columns, values = self.indices[span].tolist(), self.values[span]
        features: Sequence[Feature] = (
            [self.names[c] for c in columns] if self.names is not None else list(columns)
        )
        return list(zip(features, values.tolist(), strict=True))

    def example(self, r: int) -> Example:
        """Give row r in a form that a learner takes one by one."""
        if self.names is not None:
            cells = self.row(r)
            named = dict(cells)
            return named if len(named) == len(cells) else NamedExample(cells)
        if self.features is not None:
            return self.part(r, r + 1).flat().example(0)
        if self.indices is None or self.starts is None:
            return self.values[r]
        from scipy.sparse import csr_array

        span = slice(int(self.starts[r]), int(self.starts[r + 1]))
        width = self.width if self.width >= 0 else 2**31 - 1
        ends = np.array([0, span.stop - span.start], dtype=self.indices.dtype)
        return SparseExample(
            csr_array((self.values[span], self.indices[span], ends), shape=(1, width)), self.width
        )

    def rounds(self) -> Iterator[Round]:
        """Yield the rounds one by one."""
        for r, label in enumerate(self.labels.tolist()):
            weight = 1.0 if self.weights is None else float(self.weights[r])
            yield Round(self.example(r), None if math.isnan(label) else self.meaning(label), weight)

    def meaning(self, label: float) -> Any:
        """Say what a label stands for: the class, or the number itself."""
        return label if self.classes is None else self.classes[int(label)]

    def place(self, prediction: Any) -> float:
        """Write a prediction the way labels are written; infinity when they have no way."""
        if self.classes is None:
            return math.inf if prediction is None or isinstance(prediction, str) else float(prediction)
        return float(self.classes.index(prediction)) if prediction in self.classes else math.inf

    def located(self, r: int) -> str:
        """Say where row r came from: a file and a line, or its number."""
        return self.where(r) if self.where else f"row {r}"

    def part(self, begin: int, end: int) -> Batch:
        """Give the rounds from begin to end as a batch of their own, without a copy."""
        if begin == 0 and end >= len(self):
            return self
        sparse = self.indices is not None and self.starts is not None
        size = max(len(self), 1)
        return replace(
            self,
            values=self.values if sparse else self.values[begin:end],
            labels=self.labels[begin:end],
            starts=None if self.starts is None else self.starts[begin : end + 1],
            weights=None if self.weights is None else self.weights[begin:end],
            groups=None if self.groups is None else self.groups[begin:end],
            where=lambda row: self.located(begin + row),
            consumed=self.consumed * min(end, size) // size - self.consumed * begin // size,
        )


class NamedExample(dict[Feature, float]):
    """A row of text that repeats a name: its sums, for who takes a dict, and its cells, for the core.

    w·a + w·b may differ from w·(a + b) in the last bit.
    """

    def __init__(self, cells: list[tuple[Feature, float]]) -> None:
        """Add up what has the same name."""
        super().__init__()
        for feature, value in cells:
            self[feature] = self.get(feature, 0.0) + value
        self.noregret_cells = cells


class SparseExample:
    """A sparse row cut out of text whose width is unknown: it says so instead of guessing."""

    def __init__(self, row: Any, width: int) -> None:
        """Wrap one sparse row."""
        self._row = row
        self.width = width

    def tocsr(self) -> SparseExample:
        """Be what the core asks of a sparse row."""
        return self

    @property
    def indices(self) -> NDArray[Any]:
        """The features."""
        indices: NDArray[Any] = self._row.indices
        return indices

    @property
    def data(self) -> NDArray[Any]:
        """Their values."""
        data: NDArray[Any] = self._row.data
        return data

    @property
    def shape(self) -> tuple[int, int]:
        """One row; −1 columns when nobody knows."""
        return (1, self.width)


@runtime_checkable
class Learner(Protocol):
    """Predicts, is told the truth, improves."""

    @property
    def spec(self) -> str:
        """The one-line name that the command line, model files and reports use."""
        ...

    def predict(self, x: Example, /) -> Any:
        """Say what the label of x will be. Changes nothing."""
        ...

    def learn(self, x: Example, y: Any, /, weight: float = 1.0) -> bool:
        """Learn that the label of x is y; True when something changed."""
        ...


@runtime_checkable
class Nature(Protocol):
    """Whatever the learner plays against, asked round by round."""

    def pose(self) -> Example | None:
        """Give the next x, or None when the game is over."""
        ...

    def reveal(self, prediction: Any) -> Any:
        """Give the label of the x just posed, having seen the prediction; None is no label."""
        ...


@runtime_checkable
class Stream(Protocol):
    """A nature whose rounds are fixed beforehand. Asked again, it gives the same batches again."""

    def batches(self) -> Iterator[Batch]:
        """Yield the rounds, many at a time."""
        ...


def is_stream(nature: Any) -> TypeGuard[Stream]:
    """Whether it is one: what isinstance says, without its look at the whole protocol."""
    return hasattr(nature, "batches")
