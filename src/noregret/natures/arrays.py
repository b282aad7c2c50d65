"""Streams from arrays that are already in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from noregret import _core
from noregret.errors import BadInput, BadType
from noregret.examples import require_unmasked
from noregret.labelling import coded, importances
from noregret.rounds import Batch

ROWS = 1 << 18  # rows a batch, where they are read in place: what is done once a batch is hardly noticed
CELLS = 1 << 20  # numbers a batch, where they are converted first


class ArrayStream:
    """Rows of a matrix in memory and their labels, in order.

    `witness`, where a generator knows it, is a target that explains the labels.
    """

    place: Callable[[int], str] = staticmethod("row {}".format)  # where a row came from
    in_memory = True
    _drawn: list[int] | None = None  # checksums of the rows in an order that was drawn at random

    def __init__(
        self,
        X: Any,
        y: Any,
        weights: Any = None,
        names: Sequence[str] | None = None,
        witness: Any = None,
    ) -> None:
        """Check the shapes; copy nothing that is float64 or float32 already."""
        self.matrix = _as_matrix(X)
        self.labels, self.classes = coded(y)
        if len(self.labels) != self.matrix.shape[0]:
            raise BadInput(f"there are {self.matrix.shape[0]} rows and {len(self.labels)} labels")
        self.weights = None if weights is None else importances(weights, self.matrix.shape[0])
        self.names = None if names is None else list(names)
        self.witness = witness
        self.width = int(self.matrix.shape[1])  # −1 where the source did not tell
        if self.names is not None and len(self.names) != self.matrix.shape[1]:
            raise BadInput(f"there are {self.matrix.shape[1]} columns and {len(self.names)} names")
        if self.names is not None and len(set(self.names)) < len(self.names):
            raise BadInput("two columns have the same name")

    def __len__(self) -> int:
        """Count the rounds."""
        return len(self.labels)

    @property
    def drawn(self) -> bool:
        """Whether the rows are in an order that was drawn at random, every one as likely as any other.

        False once an array of the stream was changed or replaced, as by sorting it in place.
        """
        return self._drawn is not None and self._drawn == self._checksums()

    def _checksums(self) -> list[int]:
        """XXH64 of every array."""
        matrix = self.matrix
        parts = [matrix] if isinstance(matrix, np.ndarray) else [matrix.data, matrix.indices, matrix.indptr]
        parts += [self.labels, *([] if self.weights is None else [self.weights])]
        return [_core.checksum(np.ascontiguousarray(part)) for part in parts]

    @property
    def announced(self) -> list[Any]:
        """The classes that occur, in their order: what a multiclass learner is told beforehand."""
        if self.classes is not None:
            return self.classes
        found: list[float] = np.unique(self.labels[~np.isnan(self.labels)]).tolist()
        return found

    def batches(self) -> Iterator[Batch]:
        """Yield the rounds."""
        rows = ROWS if _is_floats(self.matrix) else max(1, CELLS // max(1, _cells_a_row(self.matrix)))
        for begin in range(0, len(self), rows):
            yield self._batch(begin, min(begin + rows, len(self)))

    def _batch(self, begin: int, end: int) -> Batch:
        values, indices, starts = _rows(self.matrix, begin, end)
        return Batch(
            values,
            self.labels[begin:end],
            indices,
            starts,
            self.width,
            None if self.weights is None else self.weights[begin:end],
            self.names,
            lambda row: self.place(begin + row),
            classes=self.classes,
        )


def from_arrays(
    X: Any,
    y: Any,
    weights: Any = None,
    names: Sequence[str] | None = None,
) -> ArrayStream:
    """Make a stream of the rows of a matrix (numpy or scipy sparse) and their labels.

    Labels are −1/+1, whole numbers or words for classes, or numbers to be predicted: the learner's
    task decides. Classes are announced to multiclass learners beforehand. A label of NaN or None
    means that nobody told it: the learner predicts and does not learn. Dense matrices and CSR of
    float64 or float32 are read where they lie, without a copy.
    """
    return ArrayStream(X, y, weights, names)


def shuffled(stream: ArrayStream, seed: int) -> ArrayStream:
    """Put copies of the rounds of a stream into a random order, the same for the same seed."""
    mixed = permuted(stream, seed)
    mixed._drawn = mixed._checksums()
    return mixed


def permuted(stream: ArrayStream, seed: int) -> ArrayStream:
    """The same without the checksums, for a stream that is not given to users."""
    order = np.random.default_rng(seed).permutation(len(stream))
    weights = None if stream.weights is None else stream.weights[order]
    mixed = ArrayStream(stream.matrix[order], stream.labels[order], weights, stream.names, stream.witness)
    mixed.width = stream.width
    mixed.classes = stream.classes
    mixed.place = lambda row: stream.place(int(order[row]))
    return mixed


def _as_matrix(X: Any) -> Any:
    require_unmasked(X, "X")
    try:
        matrix = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    except ValueError:
        raise BadType("the rows of X are not all of one length; each has a cell for each column") from None
    if matrix.ndim != 2:
        raise BadType(f"X has {matrix.ndim} dimensions; it must have two, a row for each example")
    if matrix.dtype.kind not in "fiub":
        raise BadType(f"X holds {matrix.dtype}; it must hold numbers")
    return matrix


def _is_floats(matrix: Any) -> bool:
    return matrix.dtype in (np.float64, np.float32)


def _cells_a_row(matrix: Any) -> int:
    """Count the numbers of a row, of sparse ones on average."""
    cells = matrix.size if isinstance(matrix, np.ndarray) else matrix.nnz
    return int(cells) // max(1, int(matrix.shape[0]))


def _rows(matrix: Any, begin: int, end: int) -> tuple[Any, Any, Any]:
    """Give values, columns and starts of some rows: where they lie if they are floats, else converted."""
    if isinstance(matrix, np.ndarray):
        some = matrix[begin:end]
        return (some if _is_floats(matrix) else some.astype(np.float64)), None, None
    starts = matrix.indptr[begin : end + 1]
    if _is_floats(matrix):
        return matrix.data, matrix.indices, starts
    span = slice(int(starts[0]), int(starts[-1]))
    return matrix.data[span].astype(np.float64), matrix.indices[span], starts - starts[0]
