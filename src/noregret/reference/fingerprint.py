"""The fingerprint of data: SHA-256 over the decoded rounds, in their order.

After the line ``noregret rounds 1`` come, for each round and all in eight bytes, little-endian: the label
as a double (no label: the NaN 0x7ff8000000000000; a word: its number), the importance as a double, the
number of features, then for each feature its number and its value as a double. The number of a word, be it
a feature or a class, is the first eight bytes of its SHA-256 in UTF-8. How a file is packed or spaced plays
no part.

In a table of forecasts the label is the truth, the features are the experts' columns, counted from 0, with
that NaN for one that sleeps, and the name of the series stands where the importance is.
"""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Iterable
from functools import lru_cache

from .linear import Feature
from .rounds import Round

HEAD = b"noregret rounds 1\n"
NO_NUMBER = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000000))[0]


def fingerprint(rounds: Iterable[Round]) -> str:
    """The fingerprint of rounds.

    >>> fingerprint([Round(1.0, 1.0, [3], [0.5])])[:23]
    'sha256:2734116c7a60efe6'
    """
    digest = hashlib.sha256(HEAD)
    for now in rounds:
        digest.update(_label(now.label))
        digest.update(struct.pack("<dQ", now.weight, len(now.features)))
        for feature, value in zip(now.features, now.values, strict=True):
            digest.update(struct.pack("<Qd", word_of(feature), _double(value)))
    return f"sha256:{digest.hexdigest()}"


def series_mark(key: str) -> float:
    """What stands for the name of a series: its eight bytes, read as a double."""
    mark: float = struct.unpack("<d", struct.pack("<Q", word_of(key)))[0]
    return mark


@lru_cache(maxsize=1 << 16)
def word_of(feature: Feature) -> int:
    """The eight bytes of a feature."""
    if isinstance(feature, int):
        return feature
    return int.from_bytes(hashlib.sha256(feature.encode()).digest()[:8], "little")


def _label(label: float | str | None) -> bytes:
    """Pack a label into eight bytes."""
    if isinstance(label, str):
        return struct.pack("<Q", word_of(label))
    return struct.pack("<d", _double(label))


def _double(number: float | None) -> float:
    return NO_NUMBER if number is None or math.isnan(number) else number
