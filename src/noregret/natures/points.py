"""Streams of points with labels 0 and 1: drawn from a class, with noise, or read from a file."""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadFile, BadInput, BadParameter
from noregret.hypotheses.classes import FiniteClass
from noregret.hypotheses.naming import finite_class
from noregret.hypotheses.table import is_number, read_lines
from noregret.natures.arrays import ArrayStream


def from_points(hypotheses: Any, points: Any, labels: Any) -> ArrayStream:
    """Make a stream of points, by number or name, and their labels 0 and 1.

    >>> import noregret as nr
    >>> nr.play(from_points("thresholds:3", [1, 2], [0, 1]), nr.Halving("thresholds:3")).mistakes
    1
    """
    made = finite_class(hypotheses)
    places = np.array([made.point(x) for x in points], dtype=np.int64)
    return _stream(made, places, np.asarray(labels, dtype=np.float64))


def realizable(hypotheses: Any, rounds: int, seed: int = 0) -> ArrayStream:
    """Draw a hypothesis of the class and points, all alike likely; the hypothesis labels the points."""
    return noisy(hypotheses, rounds, share=0.0, seed=seed)


def noisy(hypotheses: Any, rounds: int, share: float = 0.2, seed: int = 0) -> ArrayStream:
    """Draw a hypothesis and points, and turn each label over with the probability `share`."""
    if rounds < 0:
        raise BadParameter(f"rounds is {rounds}; it must be 0 or more")
    if not 0.0 <= share <= 1.0:
        raise BadParameter(f"share is {share}; it must be between 0 and 1")
    made = finite_class(hypotheses)
    rng = np.random.default_rng(seed)
    target = int(rng.integers(made.size))
    places = rng.integers(made.points, size=rounds)
    truth = np.array([made.says(target, x) for x in places.tolist()], dtype=np.float64)
    flips = rng.random(rounds) < share
    return _stream(made, places, np.where(flips, 1.0 - truth, truth))


def read_points(path: str | PathLike[str], hypotheses: Any) -> ArrayStream:
    """Read rounds from a CSV file: a point, by number or name, and its label in every line."""
    made = finite_class(hypotheses)
    places, labels = [], []
    for number, cells in read_lines(path):
        if len(cells) != 2:
            raise BadFile(
                f"{path}, line {number}: '{','.join(cells)}' is not a round; write a point and 0 or 1"
            )
        try:
            place = made.point(cells[0])
        except BadInput as problem:
            if number == 1 and not any(map(is_number, cells)):  # a title line
                continue
            raise BadFile(f"{path}, line {number}, column 1: {problem}") from None
        if cells[1] not in ("0", "1"):
            raise BadFile(f"{path}, line {number}, column 2: '{cells[1]}' is not a label; write 0 or 1")
        places.append(place)
        labels.append(float(cells[1]))
    if not places:
        raise BadFile(f"{path}: there is not a single round in it; write a point and 0 or 1 in every line")
    return _stream(made, np.array(places, dtype=np.int64), np.array(labels))


def _stream(hypotheses: FiniteClass, places: NDArray[np.int64], labels: NDArray[np.float64]) -> ArrayStream:
    """A row for each round with a 1 at its point."""
    from scipy.sparse import csr_array

    count = len(places)
    rows = csr_array((np.ones(count), places, np.arange(count + 1)), shape=(count, hypotheses.points))
    return ArrayStream(rows, labels)
