"""What stands in front of a model file: one key of JSON, checked before any of it is believed.

Its ``checksum`` is XXH64, in hexadecimal, of the rest of that JSON and of the tensors. It tells damage, not
malice; files of versions that wrote none are read without.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from noregret import _core
from noregret.errors import BadModel

FORMAT = 1
KEY = "noregret"


def canonical(data: Any) -> str:
    """Write JSON in its one form."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), allow_nan=False)


def checksum(meta: dict[str, Any], arrays: dict[str, Any]) -> str:
    """Sum up a model: its metadata without their own checksum, and every tensor."""
    rest = {key: value for key, value in meta.items() if key != "checksum"}
    sums = {
        key: [str(array.dtype), array.shape, _core.checksum(np.ascontiguousarray(array))]
        for key, array in arrays.items()
    }
    return f"{_core.checksum(canonical([rest, sums]).encode()):016x}"


def require_checksum(meta: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Refuse what is not as it was written."""
    if "checksum" in meta and meta["checksum"] != checksum(meta, arrays):
        raise BadModel("it is damaged: its checksum is wrong")


def metadata(data: bytes) -> dict[str, Any]:
    """Read the JSON in front, with every length checked."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 10 or length > len(data) - 8 or data[8:9] != b"{":
        raise BadModel("this is not a model file of noregret, or it was cut short")
    try:
        header = json.loads(data[8 : 8 + length])
        meta: dict[str, Any] = json.loads(header["__metadata__"][KEY], parse_constant=_not_a_number)
        good = _is_described(meta)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        good = False
    if not good:
        raise BadModel("this is not a model file of noregret, or it is damaged")
    if meta["format"] > FORMAT:
        raise BadModel(f"it was written by noregret {meta['version']}, which is newer than this one")
    return meta


def _not_a_number(token: str) -> float:
    """NaN and infinity are no JSON, and nothing that is kept is either."""
    raise ValueError(token)


def _is_described(meta: dict[str, Any]) -> bool:
    """Whether everything is there that every model has, of the kind that it should be."""
    for text in (meta["learner"], meta["features"], meta["version"]):
        text.encode()  # a text, without halves of characters
    classes = meta.get("classes", [])
    return (
        type(meta["format"]) is int
        and type(meta["complete"]) is bool
        and isinstance(classes, list)
        and all(type(one) in (int, str) for one in classes)
        and isinstance(meta.get("experts", []), list)
        and all(isinstance(one, str) for one in meta.get("experts", []))
        and all(v is None or _is_finite(v) for v in meta["scalars"].values())
    )


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
