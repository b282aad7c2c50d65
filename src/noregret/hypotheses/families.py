"""Families of classes by size, each a function: thresholds, disjunctions, halfspaces and so on.

The points of a cube {0,1}ⁿ are counted like binary numbers: variable i is bit i.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadParameter
from noregret.hypotheses.classes import FiniteClass, require_room


def thresholds(n: int) -> FiniteClass:
    """n ordered points, n + 1 cuts: x ≥ c."""
    require_room(n + 1, n, f"thresholds:{n}")
    cuts = np.arange(n + 1)
    return _columns(f"thresholds:{n}", n + 1, n, lambda x: cuts <= x)


def singletons(d: int) -> FiniteClass:
    """d points, and for each the hypothesis that is 1 there alone."""
    require_room(d, d, f"singletons:{d}")
    ones = np.arange(d)
    return _columns(f"singletons:{d}", d, d, lambda x: ones == x)


def intervals(n: int) -> FiniteClass:
    """The sets {a, …, b} of neighbours among n ordered points, and the empty one."""
    name, size = f"intervals:{n}", n * (n + 1) // 2 + 1
    require_room(size, n, name)
    first, last = np.triu_indices(n)
    first, last = np.append(first, n), np.append(last, -1)
    return _columns(name, size, n, lambda x: (first <= x) & (x <= last))


def every(n: int) -> FiniteClass:
    """All functions on n points."""
    return _columns(f"all:{n}", _power(2, n, "all"), n, lambda x: _bit(np.arange(2**n), x))


def disjunctions(n: int, general: bool = False) -> FiniteClass:
    """Ors of variables; with `general` also of negated ones."""
    return _juntas("disjunctions", n, general, negate=False)


def conjunctions(n: int, general: bool = False) -> FiniteClass:
    """Ands of variables; with `general` also of negated ones."""
    return _juntas("conjunctions", n, general, negate=True)


def _juntas(name: str, n: int, general: bool, negate: bool) -> FiniteClass:
    """An or of literals; an and is the negated or of negated literals."""
    title = f"{name}:{n},general" if general else f"{name}:{n}"
    size = _power(3 if general else 2, n, name)
    require_room(size, 2**n, title)
    codes = np.arange(size)
    if general:  # a digit of base 3 for each variable: absent, plain, negated
        digits = [codes // 3**i % 3 for i in range(n)]
        plain = _sum_bits([digit == 1 for digit in digits])
        negated = _sum_bits([digit == 2 for digit in digits])
    else:
        plain, negated = codes, np.zeros_like(codes)
    full = 2**n - 1

    def column(x: int) -> NDArray[Any]:
        value = x ^ full if negate else x
        return np.asarray((((plain & value) | (negated & (value ^ full))) != 0) ^ negate)

    return _columns(title, size, 2**n, column, _cube(n))


def parities(n: int) -> FiniteClass:
    """Sums modulo 2 of some of n variables."""
    size = _power(2, n, "parities")
    require_room(size, size, f"parities:{n}")
    codes = np.arange(size)
    return _columns(f"parities:{n}", size, size, lambda x: _odd(codes & x), _cube(n))


def k_of_n(k: int, n: int) -> FiniteClass:
    """At least k of the variables in S, for every S among n variables."""
    name = f"k-of-n:{k},{n}"
    if k > n:
        raise BadParameter(f"{name}: k is {k} and n is {n}; k of n needs k ≤ n")
    size = _power(2, n, name)
    require_room(size, size, name)
    codes = np.arange(size)
    chosen = codes[np.array([int(code).bit_count() for code in codes]) >= k]
    sets = np.append(chosen, 0)  # a set that is too small says 0 everywhere: one is enough

    def column(x: int) -> NDArray[Any]:
        return np.asarray(np.sum([_bit(sets & x, i) for i in range(n)], axis=0) >= k)

    return _columns(name, len(sets), size, column, _cube(n))


def halfspaces(n: int, w: int) -> FiniteClass:
    """Σ wᵢxᵢ ≥ θ with whole weights from −w to w, on the corners of the cube; each function once."""
    name = f"halfspaces:{n},{w}"
    weights = _power(2 * w + 1, n, name)
    require_room(weights * (2 * n * w + 2), 2**n, name)
    corners = _bit(np.arange(2**n)[:, None], np.arange(n)).astype(np.int16)
    sums = (np.indices((2 * w + 1,) * n, dtype=np.int16).reshape(n, -1).T - w) @ corners.T
    parts = [np.packbits(sums >= threshold, axis=1) for threshold in range(-n * w, n * w + 2)]
    return from_packed_rows(name, np.unique(np.vstack(parts), axis=0), 2**n, _cube(n))


def decision_lists(n: int, k: int) -> FiniteClass:
    """Lists of at most k rules "if literal then bit", then a bit, over n variables; each function once."""
    name = f"decision-lists:{n},{k}"
    points = _power(2, n, name)
    require_room(2 * n + 2, points, f"{name} with one rule")
    plain = [np.packbits(_bit(np.arange(points), i)) for i in range(n)]
    whole = np.packbits(np.ones(points, dtype=bool))
    literals = [*plain, *(whole & ~bits for bits in plain)]
    found = {whole.tobytes(), np.zeros_like(whole).tobytes()}
    for _ in range(k):
        lists = _stack(found)
        before = len(found)
        for literal in literals:
            for longer in (lists | literal, lists & ~literal):
                found.update(row.tobytes() for row in longer)
                require_room(len(found), points, name)
        if len(found) == before:
            break
    return from_packed_rows(name, _stack(sorted(found)), points, _cube(n))


def random(h: int, x: int, seed: int) -> FiniteClass:
    """h hypotheses of fair coins on x points; the same for the same seed."""
    rng = np.random.default_rng(seed)
    return _columns(f"random:{h},{x},{seed}", h, x, lambda _: rng.integers(0, 2, h, dtype=np.uint8))


def _columns(
    name: str,
    size: int,
    points: int,
    column: Callable[[int], object],
    point_names: Sequence[str] | None = None,
) -> FiniteClass:
    require_room(size, points, name)
    return FiniteClass.from_columns(
        map(column, range(points)), size, points, name=name, point_names=point_names
    )


def from_packed_rows(
    name: str, rows: NDArray[np.uint8], points: int, point_names: Sequence[str] | None
) -> FiniteClass:
    """Make a class of packed rows, the first point in the highest bit of the first byte."""
    columns = (np.unpackbits(rows[:, x // 8, None], axis=1)[:, x % 8] for x in range(points))
    return FiniteClass.from_columns(columns, len(rows), points, name=name, point_names=point_names)


def _stack(rows: Iterable[bytes]) -> NDArray[np.uint8]:
    return np.array([np.frombuffer(row, dtype=np.uint8) for row in rows])


def _power(base: int, exponent: int, name: str) -> int:
    """base^exponent, refused before it is worked out where nothing of that size could be kept."""
    if exponent * math.log2(base) > 40:
        raise BadParameter(
            f"{name} of {exponent} has {base}^{exponent} hypotheses or points; that does not fit"
        )
    return int(base**exponent)


def _cube(n: int) -> list[str]:
    """The corners of the cube as bit strings, the last variable first."""
    return [format(x, f"0{n}b") for x in range(2**n)]


def _bit(codes: NDArray[Any], place: Any) -> NDArray[Any]:
    return np.asarray((codes >> place) & 1 == 1)


def _sum_bits(flags: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.asarray(np.sum([flag.astype(np.int64) << i for i, flag in enumerate(flags)], axis=0))


def _odd(codes: NDArray[Any]) -> NDArray[Any]:
    for shift in (32, 16, 8, 4, 2, 1):
        codes = codes ^ (codes >> shift)
    return np.asarray(codes & 1 == 1)
