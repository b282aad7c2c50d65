"""The Littlestone and the VC dimension of a class, exactly.

The Littlestone dimension is the depth of the deepest tree of points that the class shatters: the
number of mistakes that the best learner cannot avoid and need not exceed. The search looks at
version spaces, each one once: a version space is remembered by a fingerprint of 128 bits of the
table that is left when points that split it alike are one. VC ≤ Littlestone ≤ log₂|H|.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, overload

from noregret import _core
from noregret.errors import BadParameter
from noregret.hypotheses.classes import InfiniteClass
from noregret.hypotheses.naming import hypothesis_class

Progress = Callable[[int, int, int], None]


class Bounds(NamedTuple):
    """What is proved about a dimension: lower ≤ dimension ≤ upper."""

    lower: float
    upper: float


@overload
def littlestone_dimension(hypotheses: Any, limit: None = None, progress: Progress | None = None) -> float: ...
@overload
def littlestone_dimension(hypotheses: Any, limit: int, progress: Progress | None = None) -> Bounds: ...
def littlestone_dimension(
    hypotheses: Any, limit: int | None = None, progress: Progress | None = None
) -> float | Bounds:
    """Work out the Littlestone dimension of a class or a 0/1 table.

    With a `limit`, no more than about so many version spaces are looked at, and the answer is a pair
    of proven bounds. `progress` is told (lower, upper, looked at) now and then.

    >>> littlestone_dimension("thresholds:1023")
    10
    >>> littlestone_dimension("thresholds:[0,1]")
    inf
    >>> littlestone_dimension([[0, 1]])
    0
    """
    made = hypothesis_class(hypotheses)
    if isinstance(made, InfiniteClass):
        return made.littlestone if limit is None else Bounds(made.littlestone, made.littlestone)
    search = _core.Search(made.core)
    found = search.littlestone(_core.VersionSpace(made.core), _checked(limit), progress)
    return found[0] if limit is None else Bounds(*found)


@overload
def vc_dimension(hypotheses: Any, limit: None = None, progress: Progress | None = None) -> int: ...
@overload
def vc_dimension(hypotheses: Any, limit: int, progress: Progress | None = None) -> Bounds: ...
def vc_dimension(hypotheses: Any, limit: int | None = None, progress: Progress | None = None) -> int | Bounds:
    """Work out the VC dimension: the most points on which the class shows all patterns.

    With a `limit`, no more than about so many sets of points are looked at, and the answer is a pair
    of proven bounds.

    >>> vc_dimension("thresholds:1023")
    1
    """
    made = hypothesis_class(hypotheses)
    if isinstance(made, InfiniteClass):
        return made.vc if limit is None else Bounds(made.vc, made.vc)
    lower, upper, _ = _core.Search(made.core).vc(_checked(limit), progress)
    return lower if limit is None else Bounds(lower, upper)


def log2_size(hypotheses: Any) -> float:
    """The logarithm of the number of hypotheses, which no dimension exceeds."""
    made = hypothesis_class(hypotheses)
    return math.inf if isinstance(made, InfiniteClass) else math.log2(made.size)


def _checked(limit: int | None) -> int | None:
    if limit is not None and limit < 0:
        raise BadParameter(f"limit is {limit}; it must be 0 or more")
    return limit
