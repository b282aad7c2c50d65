"""Examples as lists of features: what the core takes is taken here, and what it refuses is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from noregret.errors import BadInput, BadType
from noregret.rounds import Example, Feature

LARGEST = 2**31 - 2  # among the numbers of features


def entries(x: Example) -> list[tuple[Feature, float]]:
    """List the features of an example the way a learner reads them; a point is the feature that is 1."""
    if isinstance(x, int | str) and not isinstance(x, bool):
        return [(x, 1.0)]
    if hasattr(x, "tocsr"):  # some of scipy's are mappings as well
        return _sparse(x.tocsr())
    if isinstance(x, dict):
        return [_named(key, value) for key, value in x.items()]
    if hasattr(x, "__array_interface__"):
        return list(enumerate(_dense(x)))
    if hasattr(x, "keys") and hasattr(x, "__getitem__"):
        return [_named(key, value) for key, value in dict(x).items()]
    raise BadType(f"x is a {type(x).__name__}; an example is a dict, a one-dimensional array or a sparse row")


def number(value: Any) -> float:
    """Read a number as the core does: what says that it is one, and no text."""
    return math.ldexp(value, 0)


def number_or_nan(value: Any) -> float:
    """Read a number, NaN for what is none."""
    try:
        return number(value)
    except (TypeError, OverflowError):
        return math.nan


def _named(key: Any, value: Any) -> tuple[Feature, float]:
    if not isinstance(key, str):
        raise BadType(f"the key of a feature must be a string, not a {type(key).__name__}")
    if isinstance(value, str):
        return _utf8(f"{key}={value}"), 1.0
    try:
        return _utf8(key), value if type(value) is float else number(value)
    except OverflowError:
        raise BadInput(f"feature '{key}' is too large; a value must be a finite number") from None
    except TypeError:
        raise BadType(
            f"feature '{key}' is a {type(value).__name__}; a value is a number, a string or a boolean, "
            "and a missing one is left out"
        ) from None


def _utf8(name: str) -> str:
    if name.isascii():
        return name
    try:
        name.encode()
    except UnicodeEncodeError:
        raise BadInput("a feature name cannot be written as UTF-8") from None
    return name


def _dense(x: Any) -> list[float]:
    if (count := np.ndim(x)) != 1:
        raise BadType(
            f"x has {count} dimensions; one example is one-dimensional (a whole matrix goes through play)"
        )
    return _doubles(x)


def _sparse(row: Any) -> list[tuple[Feature, float]]:
    if len(row.shape) == 2 and row.shape[0] != 1:
        raise BadType("x is a sparse matrix of several rows; one example is one row")
    features: list[int] = row.indices.tolist()
    wrong = next((feature for feature in features if not 0 <= feature <= LARGEST), None)
    if wrong is not None:
        raise BadInput(f"feature {wrong} is out of range: 0 to {LARGEST}")
    return list(zip(features, _doubles(row.data), strict=False))


def require_unmasked(values: Any, what: str) -> None:
    """Refuse an array with masked values, which numpy would read as if they were there."""
    if np.ma.is_masked(values):
        raise BadType(f"{what} is masked in places; fill these first, as in {what}.filled(…)")


def _doubles(values: Any) -> list[float]:
    require_unmasked(values, "x")
    try:
        if np.asarray(values).dtype.kind in "cUS":
            raise TypeError
        doubles: list[float] = np.asarray(values, dtype=np.float64).tolist()
    except (TypeError, ValueError, OverflowError):
        raise BadType("an array of features must hold numbers") from None
    return doubles
