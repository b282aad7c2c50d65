"""Features with names: how many there may be, and the numbers that hashing turns them into."""

from __future__ import annotations

from noregret import _core
from noregret.errors import BadParameter
from noregret.rounds import Feature

MOST_NAMES = 10_000_000  # distinct names of a stream; the features of further ones are left out, and counted
MOST_BITS = 30
HASH_VERSION: int = _core.HASH_VERSION


def require_bits(bits: int) -> None:
    """Refuse a number of bits that no hash has."""
    if not 1 <= bits <= MOST_BITS:
        raise BadParameter(f"bits is {bits}; it must be from 1 to {MOST_BITS}")


def hashed(feature: Feature, bits: int) -> int:
    """Give the number below 2^bits that stands for a feature, by its name or its number.

    The hash is fixed: a later version of noregret that hashes differently says so by HASH_VERSION,
    which model files keep. `noregret.reference.hashing` spells it out.

    >>> hashed("height", 18), hashed("height", 4), hashed(7, 18)
    (29564, 12, 222748)
    """
    require_bits(bits)
    if isinstance(feature, str):
        return _core.hash_name(feature, bits)
    return _core.hash_number(feature, bits)
