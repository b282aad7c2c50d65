"""Twins of what noregret knows about finite classes. A class is a list of rows of 0 and 1."""

from __future__ import annotations

import struct
from collections.abc import Sequence

Row = Sequence[int]
Class = Sequence[Row]

_WORD = (1 << 64) - 1


def restricted(rows: Class, x: int, label: int) -> list[Row]:
    """The hypotheses that say `label` at x."""
    return [row for row in rows if row[x] == label]


def littlestone(rows: Class) -> int:
    """The Littlestone dimension, as it is defined: −1 for nothing, else one more than the best split.

    >>> littlestone([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    2
    """
    if not rows:
        return -1
    best = 0
    for x in range(len(rows[0])):
        zero, one = restricted(rows, x, 0), restricted(rows, x, 1)
        if zero and one:
            best = max(best, 1 + min(littlestone(zero), littlestone(one)))
    return best


def vc(rows: Class) -> int:
    """The VC dimension: the most points on which every pattern occurs.

    >>> vc([[0, 0, 0], [0, 0, 1], [0, 1, 1], [1, 1, 1]])
    1
    """

    def largest(chosen: list[int], start: int) -> int:
        if len({tuple(row[x] for x in chosen) for row in rows}) < 2 ** len(chosen):
            return -1
        return max(
            [len(chosen)] + [largest([*chosen, x], x + 1) for x in range(start, len(rows[0]))],
        )

    return largest([], 0)


def shatters(rows: Class, points: Sequence[int]) -> bool:
    """Whether every path of a tree agrees with some hypothesis; node i has children 2i and 2i + 1."""
    depth = len(points).bit_length()
    if len(points) != 2**depth - 1:
        return False
    for path in range(2**depth):
        node, left = 1, list(rows)
        for step in range(depth):
            label = path >> (depth - 1 - step) & 1
            left = restricted(left, points[node - 1], label)
            node = 2 * node + label
        if not left:
            return False
    return True


class Consistent:
    """Says what the first hypothesis says that has not erred yet."""

    def __init__(self, rows: Class) -> None:
        """All hypotheses."""
        self.left = list(rows)
        self.played = 0

    def predict(self, x: int) -> int:
        """0 or 1."""
        return self.left[0][x]

    def learn(self, x: int, y: int) -> None:
        """Drop the hypotheses that are wrong."""
        self.left = restricted(self.left, x, y)
        self.played += 1


class RandConsistent(Consistent):
    """Says what a hypothesis says that is drawn among those left."""

    def __init__(self, rows: Class, seed: int = 0) -> None:
        """All hypotheses, and a seed."""
        super().__init__(rows)
        self.seed = seed

    def predict(self, x: int) -> int:
        """Draw and ask."""
        return self.left[int(coin(self.seed, self.played + 1) * len(self.left))][x]

    def chance(self, x: int) -> float:
        """The probability of 1."""
        return sum(row[x] for row in self.left) / len(self.left)


class Halving(Consistent):
    """Says what most of those left say; 1 when tied."""

    def predict(self, x: int) -> int:
        """Count."""
        ones = sum(row[x] for row in self.left)
        return int(2 * ones >= len(self.left))


class SOA(Consistent):
    """Says the label that leaves the larger dimension; 1 when tied."""

    def predict(self, x: int) -> int:
        """Compare."""
        return optimal(self.left, x)


def optimal(rows: Class, x: int) -> int:
    """SOA's label."""
    return int(littlestone(restricted(rows, x, 1)) >= littlestone(restricted(rows, x, 0)))


class Agnostic:
    """Exponential weights over all experts, each one listed: a set of rounds in which it contradicts SOA."""

    def __init__(self, rows: Class, rounds: int, rate: float, sets: Sequence[frozenset[int]]) -> None:
        """`sets` has every set of at most Ldim rounds, counted from 0."""
        self.rate = rate
        self.played = 0
        self.sets = sets
        self.left = [list(rows) for _ in sets]
        self.losses = [0] * len(sets)

    def says(self, expert: int, x: int) -> int:
        """What an expert says."""
        return optimal(self.left[expert], x) ^ (self.played in self.sets[expert])

    def chance(self, x: int) -> float:
        """The share of the weight that says 1."""
        from math import exp

        least = min(self.losses)
        weights = [exp(-self.rate * (loss - least)) for loss in self.losses]
        return sum(w for k, w in enumerate(weights) if self.says(k, x)) / sum(weights)

    def learn(self, x: int, y: int) -> None:
        """Count losses; every expert believes itself."""
        said = [self.says(k, x) for k in range(len(self.sets))]
        for k, label in enumerate(said):
            self.losses[k] += label != y
            self.left[k] = restricted(self.left[k], x, label)
        self.played += 1


def coin(seed: int, t: int, score: float | None = None) -> float:
    """The number of round t; with a score, of the score in that round."""
    word = mixed(mixed(seed & _WORD) + t & _WORD)
    if score is not None:
        word = mixed(word ^ struct.unpack("<Q", struct.pack("<d", score))[0])
    return (word >> 11) / 2**53


def mixed(word: int) -> int:
    """One step of splitmix64."""
    word = word + 0x9E3779B97F4A7C15 & _WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31
