"""The built-in stream: an inspection line for oranges.

A camera grades every orange on the belt; it goes to export (+1) or to the local market (−1). The
rule is a count of good marks against bad ones, it drifts slowly over the season (what buyers
mind changes), a few oranges are misgraded, and only some are labelled by a person.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadParameter
from noregret.natures.arrays import ArrayStream
from noregret.rounds import Floats

# A reading, its grades, and what the market thinks of each grade at the start and at the end.
READINGS: tuple[tuple[str, tuple[str, ...], tuple[float, ...], tuple[float, ...]], ...] = (
    ("size", ("small", "medium", "large"), (-2, 1, 2), (-2, 2, 1)),
    ("colour", ("green", "pale", "orange", "deep"), (-3, -1, 1, 2), (-1, -1, 1, 1)),
    ("shape", ("flat", "oval", "round"), (-1, 0, 1), (-1, 0, 1)),
    ("skin", ("smooth", "pitted", "scarred", "mouldy"), (1, -1, -3, -6), (1, 0, -1, -6)),
    ("stem", ("present", "missing", "torn"), (1, 0, -2), (0, 0, -2)),
    ("sugar", ("low", "medium", "high"), (-1, 0, 1), (-3, 0, 3)),
    ("grower", ("alba", "berta", "clara", "dora", "elsa"), (0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
    ("belt", ("north", "south"), (0, 0), (0, 0)),
)


def inspection_line(rounds: int = 10_000, labelled: float = 0.7, seed: int = 0) -> ArrayStream:
    """Make the stream: named 0/1 features such as ``colour=deep``, labels for a share of the rounds.

    >>> stream = inspection_line(100)
    >>> stream.names[:2], len(stream)
    (['size=small', 'size=medium'], 100)
    """
    if rounds < 0:
        raise BadParameter(f"rounds is {rounds}; it must be 0 or more")
    if not 0.0 <= labelled <= 1.0:
        raise BadParameter(f"labelled is {labelled}; it must be a share between 0 and 1")
    rng = np.random.default_rng(seed)
    names = [f"{reading}={grade}" for reading, grades, _, _ in READINGS for grade in grades]
    bits, grades = _graded(rng, rounds, len(names))
    labels = np.where(_worth(grades) > 0, 1.0, -1.0)
    labels[rng.random(rounds) < 0.02] *= -1.0
    labels[rng.random(rounds) >= labelled] = np.nan
    return ArrayStream(bits, labels, names=names)


def _graded(rng: np.random.Generator, rounds: int, width: int) -> tuple[Floats, list[NDArray[np.int64]]]:
    bits = np.zeros((rounds, width))
    chosen = []
    column = 0
    for _, grades, _, _ in READINGS:
        shares = np.linspace(1.0, 2.0, len(grades))
        pick = rng.choice(len(grades), size=rounds, p=shares / shares.sum())
        bits[np.arange(rounds), column + pick] = 1.0
        chosen.append(pick)
        column += len(grades)
    return bits, chosen


def _worth(chosen: list[NDArray[np.int64]]) -> Floats:
    """Value each orange by what buyers mind on its day: early tastes turn slowly into late ones."""
    rounds = len(chosen[0])
    late = np.linspace(0.0, 1.0, rounds) if rounds else np.zeros(0)
    worth = np.zeros(rounds)
    for (_, _, early, end), pick in zip(READINGS, chosen, strict=True):
        worth += (1.0 - late) * np.array(early)[pick] + late * np.array(end)[pick]
    return worth
