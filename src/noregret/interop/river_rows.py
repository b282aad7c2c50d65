"""Rows, labels and targets as River gives them, in the form that learners take."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadInput, BadLabel, BadType
from noregret.examples import number_or_nan
from noregret.interop.frames import kind_of, rows_of
from noregret.labelling import importances
from noregret.rounds import Floats


def features_of(x: dict[Any, Any], cut: float | None) -> dict[str, Any]:
    """Take the features by name, so that their order changes nothing, not even a rounding."""
    named = x if all(type(key) is str for key in x) else {str(key): value for key, value in x.items()}
    if len(named) < len(x):
        names = [str(key) for key in x]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(
            f"two keys are {twice!r} when they are written as text; give every feature its own name"
        )
    if cut is None:
        return dict(sorted(named.items()))
    return {key: _above(cut, value) for key, value in sorted(named.items())}


def _above(cut: float, value: Any) -> Any:
    """Give 1 for a number above the cut and 0 for others; what is none is left for the learner to judge."""
    found = number_or_nan(value)
    return value if math.isnan(found) else float(found > cut)


def target_of(y: Any) -> float:
    """Give a real target; refuse one that is missing."""
    target = number_or_nan(y)
    if not math.isfinite(target):
        raise BadLabel(f"the target is {y!r}; it must be a finite number (leave rows without one out)")
    return target


def matrix_of(X: Any, cut: float | None) -> tuple[Any, list[str] | None]:
    """Give a data frame as numbers and names; as a list of dicts, without names, where it holds text."""
    if not kind_of(X):
        raise BadType(f"X is a {type(X).__name__}; it must be a data frame of pandas or polars")
    names = [str(name) for name in X.columns]
    if len(set(names)) < len(names):
        raise BadInput("two columns have the same name")
    values: NDArray[Any] = X.to_numpy()
    if values.dtype.kind not in "fiub":
        return rows_of(X), None
    order = sorted(range(len(names)), key=names.__getitem__)
    if order != list(range(len(names))):
        values, names = values[:, order], [names[i] for i in order]
    return values if cut is None else np.where(np.isnan(values), np.nan, values > cut), names


def rounds_of(X: Any, y: Any, w: Any) -> tuple[list[Any], Floats | None]:
    """Give labels and weights, one for each row."""
    labels = _listed(y)
    if len(labels) != len(X):
        raise BadInput(f"there are {len(X)} rows and {len(labels)} labels")
    return labels, None if w is None else importances(_listed(w), len(X))


def _listed(values: Any) -> list[Any]:
    listed: list[Any] = values.tolist() if hasattr(values, "tolist") else list(values)
    return listed
