"""Batch predictors in model files: what is told about one, its tensors, and back.

Tensors: ``matrix`` (float64, hypotheses × features, the last column for features never met), ``offsets`` and
``counts`` (float64, one a hypothesis), and the features: ``names`` (uint8, UTF-8 end to end) with
``name_ends``, or ``numbers`` (int64).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from noregret.conversion.converted import METHOD_NAMES, Conversion, RiskBound
from noregret.conversion.predictor import BatchPredictor
from noregret.errors import BadModel
from noregret.rounds import Feature, Floats

KIND = "batch"
LARGEST_FEATURE = 2**31 - 2
_DAMAGED = "it is damaged: what it says of its predictor does not fit together"


def batch_state(made: Conversion) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give what is told about a batch predictor, and its tensors."""
    bound, predictor = made.bound, made.predictor
    told = {
        "method": made.method,
        "strict": predictor.strict,
        "proved": bound.proved,
        "statement": bound.statement,
        "value": bound.value,
        "delta": bound.delta,
        "rounds": bound.rounds,
        "mistakes": bound.mistakes,
        "learners": bound.learners,
        "rows": made.rows,
        "errors": made.errors,
    }
    arrays = {"matrix": predictor.matrix, "offsets": predictor.offsets, "counts": predictor.counts}
    return {"kind": KIND, "scalars": {}, "batch": told}, arrays | _features(list(predictor.columns))


def _features(features: list[Feature]) -> dict[str, Any]:
    if any(isinstance(feature, str) for feature in features):
        names = [str(feature).encode() for feature in features]
        ends = np.cumsum([len(name) for name in names], dtype=np.int64)
        return {"names": np.frombuffer(b"".join(names), dtype=np.uint8), "name_ends": ends}
    return {"numbers": np.array(features, dtype=np.int64)}


def batch_from(meta: dict[str, Any], arrays: dict[str, Any]) -> Conversion:
    """Put a batch predictor together. Nothing is believed before it is checked."""
    told = meta.get("batch")
    if not isinstance(told, dict):
        raise BadModel(_DAMAGED)
    try:
        _require(told["method"] in METHOD_NAMES and isinstance(told["statement"], str))
        _require(type(told["strict"]) is bool and type(told["proved"]) is bool)
        bound = RiskBound(
            None if told["value"] is None else _number(told["value"]),
            told["proved"],
            told["statement"],
            _number(told["delta"]),
            _count(told["rounds"]),
            _count(told["mistakes"]),
            _count(told.get("learners", 1)),  # files of the first version do not have it
        )
        _require(bound.learners >= 1)
        tested = [None if told[key] is None else _count(told[key]) for key in ("rows", "errors")]
        predictor = _predictor(arrays, told["strict"])
    except (KeyError, TypeError, ValueError):
        raise BadModel(_DAMAGED) from None
    return Conversion(meta["learner"], told["method"], predictor, bound, *tested)


def _predictor(arrays: dict[str, Any], strict: bool) -> BatchPredictor:
    columns = {feature: place for place, feature in enumerate(_listed(arrays))}
    matrix, offsets, counts = (_floats(arrays[key]) for key in ("matrix", "offsets", "counts"))
    _require(matrix.ndim == 2 and len(matrix) > 0 and matrix.shape[1] == len(columns) + 1)
    _require(offsets.shape == counts.shape == (len(matrix),))
    _require(bool((counts >= 0.0).all()) and (len(matrix) == 1 or float(counts.sum()) > 0.0))
    return BatchPredictor(columns, matrix, offsets, counts, strict)


def _listed(arrays: dict[str, Any]) -> list[Feature]:
    """The features, each of them once."""
    found: list[Feature]
    if "numbers" in arrays:
        _require(arrays["numbers"].dtype == np.int64 and arrays["numbers"].ndim == 1)
        found = arrays["numbers"].tolist()
        _require(all(0 <= int(number) <= LARGEST_FEATURE for number in found))
    else:
        names, ends = arrays["names"], arrays["name_ends"]
        _require(names.dtype == np.uint8 and ends.dtype == np.int64 and names.ndim == ends.ndim == 1)
        starts = np.concatenate([[0], ends])
        _require(bool((np.diff(starts) >= 0).all()) and int(starts[-1]) == len(names))
        text = names.tobytes()
        found = [text[a:b].decode() for a, b in zip(starts[:-1].tolist(), ends.tolist(), strict=True)]
    _require(len(set(found)) == len(found))
    return found


def _floats(array: Any) -> Floats:
    _require(array.dtype == np.float64 and bool(np.isfinite(array).all()))
    return np.asarray(array)


def _number(value: Any) -> float:
    _require(isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value))
    return float(value)


def _count(value: Any) -> int:
    _require(type(value) is int and value >= 0)
    return int(value)


def _require(good: bool) -> None:
    if not good:
        raise ValueError
