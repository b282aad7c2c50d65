"""The fingerprint of data, many rounds at a time; `reference/fingerprint.py` says what it is."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from noregret.rounds import Batch, Floats, Stream

HEAD = b"noregret rounds 1\n"
NO_NUMBER = np.uint64(0x7FF8000000000000)

Words = NDArray[np.uint64]


def fingerprint(stream: Stream) -> tuple[str, int]:
    """The fingerprint of a stream, and how many rounds it has.

    >>> import noregret as nr
    >>> fingerprint(nr.from_arrays([[0.5]], [1]))[0][:23]
    'sha256:77a1b54b7ad9c931'
    """
    made = Fingerprint()
    for batch in stream.batches():
        made.add(batch)
    return made.mark, made.rounds


class Fingerprint:
    """The fingerprint of rows that are read for something else as well."""

    def __init__(self) -> None:
        """No rows yet."""
        self._digest, self.rounds = hashlib.sha256(HEAD), 0

    def add(self, batch: Batch) -> None:
        """Take the rows of a batch, whatever its size."""
        self._digest.update(_words(batch).data)
        self.rounds += len(batch)

    @property
    def mark(self) -> str:
        """The fingerprint so far."""
        return f"sha256:{self._digest.hexdigest()}"


def table_fingerprint(truth: Floats, advice: Floats, series: Sequence[str] | None) -> str:
    """The fingerprint of a table of forecasts."""
    marks = _doubles(np.ones(len(truth)))
    if series is not None:
        marks = np.array([name_word(key) for key in series], dtype=np.uint64)
    columns = np.arange(advice.shape[1], dtype=np.uint64)
    words = np.empty((len(truth), 3 + 2 * len(columns)), dtype=np.uint64)
    words[:, 0], words[:, 1], words[:, 2] = _doubles(truth), marks, len(columns)
    words[:, 3::2], words[:, 4::2] = columns, _doubles(advice)
    return f"sha256:{hashlib.sha256(HEAD + words.astype('<u8').tobytes()).hexdigest()}"


def name_word(name: str) -> int:
    """The number of a feature that has a name."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "little")


def _words(batch: Batch) -> Words:
    """Three words for each round, then two for each of its features."""
    count = len(batch)
    values, columns, starts = batch.cells()
    lengths = np.diff(starts)
    features = columns.astype(np.uint64)
    if batch.names is not None:
        met, place = np.unique(columns, return_inverse=True)
        features = np.array([name_word(batch.names[c]) for c in met.tolist()], dtype=np.uint64)[place]
    heads = 3 * np.arange(count) + 2 * starts[:-1]
    words = np.empty(3 * count + 2 * len(values), dtype=np.uint64)
    words[heads] = _labels(batch)
    words[heads + 1] = _doubles(np.ones(count) if batch.weights is None else batch.weights)
    words[heads + 2] = lengths.astype(np.uint64)
    places = 2 * np.arange(len(values)) + 3 * np.repeat(np.arange(1, count + 1), lengths)
    words[places], words[places + 1] = features, _doubles(values)
    return words.astype("<u8")


def _labels(batch: Batch) -> Words:
    """Labels as doubles; of classes the numbers that they are, or that their words have."""
    if batch.classes is None:
        return _doubles(batch.labels)
    known = [
        name_word(one) if isinstance(one, str) else int(_doubles(np.array([float(one)]))[0])
        for one in batch.classes
    ]
    table = np.array([*known, NO_NUMBER], dtype=np.uint64)
    return np.asarray(table[np.where(np.isnan(batch.labels), -1, batch.labels).astype(np.int64)])


def _doubles(numbers: Floats) -> Words:
    """Doubles as they are in memory; every NaN is the same."""
    exact = np.ascontiguousarray(numbers, dtype=np.float64)
    return np.where(np.isnan(exact), NO_NUMBER, exact.view(np.uint64))
