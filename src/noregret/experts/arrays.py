"""Advice, losses and truths as the core takes them; anything else is refused in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np

from noregret.errors import BadInput, BadType
from noregret.rounds import Floats


def number(value: Any) -> float:
    """A truth as a float."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"the truth is {value!r}; it must be a number") from None


def truths_of(values: Any, count: int) -> Floats:
    """Truths as doubles, one for each round."""
    try:
        truths = np.ascontiguousarray(np.asarray(values, dtype=np.float64).ravel())
    except (TypeError, ValueError):
        raise BadType("truths are numbers, one for each round") from None
    if len(truths) != count:
        raise BadInput(f"there are {count} rows of advice and {len(truths)} truths")
    return truths


def row_of(values: Any) -> Floats:
    """One round: a row of doubles, one for each expert."""
    row = _doubles(values)
    if row.ndim != 1:
        raise BadType(f"one round is one row; a whole matrix ({row.ndim} dimensions) goes through play")
    return row


def table_of(values: Any) -> Floats:
    """A whole run: a matrix of doubles, rounds × experts."""
    table = _doubles(values)
    if table.ndim != 2:
        raise BadType(f"a whole run is a matrix, rounds × experts; this has {table.ndim} dimensions")
    return table


def _doubles(values: Any) -> Floats:
    try:
        return np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadType("advice and losses are numbers, one for each expert; NaN for one that sleeps") from None
