"""Labels as batches keep them: numbers, or places in a list of classes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from noregret.errors import BadInput, BadLabel
from noregret.examples import number, require_unmasked
from noregret.rounds import Floats


def coded(y: Any) -> tuple[Floats, list[Any] | None]:
    """Give labels as numbers; with words among them, as places in the sorted list of classes.

    A string is a word, whatever stands in it: "1" is not 1, as for a learner that is told one label.
    """
    require_unmasked(y, "y")
    told = _listed(y)
    if isinstance(told, np.ndarray):
        return told.astype(np.float64, copy=False).ravel(), None
    labels = [plain(one) for one in told]
    if not any(isinstance(one, str) for one in labels):
        return np.array([math.nan if one is None else one for one in labels], dtype=np.float64), None
    classes = in_order({one for one in labels if one is not None})
    places = {one: float(place) for place, one in enumerate(classes)}
    return np.array([math.nan if one is None else places[one] for one in labels]), classes


def importances(weights: Any, count: int) -> Floats:
    """Give importance weights in the form that batches keep."""
    require_unmasked(weights, "weights")
    told = _listed(weights)
    found = told.ravel() if isinstance(told, np.ndarray) else np.array([importance(one) for one in told])
    if len(found) != count:
        raise BadInput(f"there are {count} rows and {len(found)} importance weights")
    return found.astype(np.float64, copy=False)


def importance(weight: Any) -> float:
    """Give one as a number; whether a learner can take that is for the learner to say."""
    try:
        return number(weight)
    except (TypeError, OverflowError):
        raise BadInput(
            f"the importance weight is {weight!r}; it must be a finite number, 0 or more"
        ) from None


def counts(weight: Any) -> bool:
    """See that an importance weight is one, and tell whether it is above 0."""
    found = importance(weight)
    if not 0.0 <= found < math.inf:
        raise BadInput(f"the importance weight is {found:g}; it must be a finite number, 0 or more")
    return found > 0.0


def is_missing(label: Any) -> bool:
    """Whether it says that nobody told it: None, NaN, or what pandas calls NA."""
    return label is None or type(label).__name__ == "NAType" or bool(label != label)


def in_order(classes: Iterable[Any]) -> list[Any]:
    """Sort classes: numbers, then words."""
    return sorted(classes, key=lambda one: (isinstance(one, str), one))


def _listed(told: Any) -> Any:
    """An array where all are numbers, else a list of what there is."""
    try:
        array = np.asarray(told)
    except ValueError:  # lists of different lengths
        return list(told)
    if array.dtype.kind in "fiub":
        return array
    return array.ravel().tolist() if hasattr(told, "dtype") else list(told)


def plain(label: Any) -> Any:
    """A word, a number (whole ones as such), or None for no label."""
    if label is None or isinstance(label, str):
        return label
    if is_missing(label):
        return None
    try:
        told = number(label)
    except (TypeError, OverflowError):
        raise BadLabel(
            f"the label is {label!r}; labels must be numbers or strings (None for no label)"
        ) from None
    return None if math.isnan(told) else int(told) if told.is_integer() else told
