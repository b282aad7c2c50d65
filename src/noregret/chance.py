"""The coin of a randomised learner: a function of the seed and the round, so that predict stays pure."""

from __future__ import annotations

import struct

_WORD = (1 << 64) - 1


def coin(seed: int, t: int, score: float | None = None) -> float:
    """A number in [0, 1) for round t, as good as drawn (splitmix64, Steele, Lea & Flood 2014).

    With a score, rounds that nobody counts have coins of their own.

    >>> coin(0, 1) == coin(0, 1), coin(0, 1) == coin(1, 1)
    (True, False)
    """
    word = _mixed(_mixed(seed & _WORD) + t & _WORD)
    if score is not None:
        word = _mixed(word ^ struct.unpack("<Q", struct.pack("<d", score))[0])
    return (word >> 11) * 2.0**-53


def _mixed(word: int) -> int:
    word = word + 0x9E3779B97F4A7C15 & _WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31
