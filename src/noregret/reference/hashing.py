"""The hash that turns features into numbers, version 1.

A name is the bytes of its UTF-8 in words of eight, little end first; the last word, which may be
empty, is filled up with zeros; it starts from the number of bytes. A feature that is a number is one
word, and starts from 2⁶⁴ − 1. The last `bits` bits of the result are kept.
"""

from __future__ import annotations

_ALL = 2**64 - 1


def hashed(feature: int | str, bits: int) -> int:
    """Give the number below 2^bits that stands for a feature."""
    if isinstance(feature, int):
        return _end(_step(_ALL, feature)) & (1 << bits) - 1
    text = feature.encode()
    hash = len(text)
    for at in range(0, len(text) + 1, 8):
        hash = _step(hash, int.from_bytes(text[at : at + 8], "little"))
    return _end(hash) & (1 << bits) - 1


def _step(hash: int, word: int) -> int:
    hash = (hash ^ word) * 0x9E3779B97F4A7C15 & _ALL
    return hash ^ hash >> 32


def _end(hash: int) -> int:
    hash = hash * 0xD6E8FEB86659FD93 & _ALL
    return hash ^ hash >> 32
