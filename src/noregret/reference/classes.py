"""Finite classes in plain Python: for each point a whole number, whose bit h is what hypothesis h says."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .rounds import Refused

MOST_CELLS = 1 << 24
LARGEST_CUBE = 12  # variables
MOST_SPACES = 300_000  # version spaces that the dimension is worked out for


class Table(NamedTuple):
    """A class: how many hypotheses, and a column of bits for each point."""

    size: int
    columns: list[int]

    @property
    def everybody(self) -> int:
        """All hypotheses."""
        return (1 << self.size) - 1

    def says(self, hypothesis: int, point: int) -> int:
        """0 or 1."""
        return self.columns[point] >> hypothesis & 1


def rebuilt(spec: str) -> bool:
    """Whether a class has a formula, so that its name is enough.

    >>> rebuilt("thresholds:7*all:2"), rebuilt("random:8,8,0")
    (True, False)
    """
    parts = spec.replace(" ", "").replace("*", "+").split("+")
    return all((part.partition(":")[0], part.endswith(",general")) in _FAMILIES for part in parts)


def named(spec: str) -> Table:
    """The class of a name.

    >>> named("thresholds:2").columns
    [1, 3]
    """
    terms = [
        _product([_family(part) for part in term.split("*")]) for term in spec.replace(" ", "").split("+")
    ]
    if len(terms) == 1:
        return terms[0]
    rows = [row for term in terms for row in _rows(term)]
    return _from_rows(dict.fromkeys(rows))


def from_hexadecimal(rows: list[str], points: int) -> Table:
    """A table written as a number of base 16 for each hypothesis, the first point in its lowest bit."""
    return _from_rows(tuple(int(row, 16) >> x & 1 for x in range(points)) for row in rows)


def _family(part: str) -> Table:
    name, _, text = part.partition(":")
    words = text.split(",")
    general = words[-1] == "general"
    if name in _CUBES and any(word.isdecimal() and int(word) > LARGEST_CUBE for word in words):
        raise Refused(f"the class '{part}' is too large for the plain verifier")
    try:
        return _FAMILIES[name, general](*map(int, words[:-1] if general else words))
    except (KeyError, ValueError, TypeError):
        raise Refused(f"the verifier does not know the class '{part}'") from None


def _table(size: int, points: int, says: Callable[[int, int], object]) -> Table:
    if size * points > MOST_CELLS:
        raise Refused(f"the class has {size:,} × {points:,} cells; the plain verifier takes {MOST_CELLS:,}")
    return Table(size, [sum(1 << h for h in range(size) if says(h, x)) for x in range(points)])


def _from_rows(rows: Iterable[tuple[int, ...]]) -> Table:
    listed = list(rows)
    return _table(len(listed), len(listed[0]), lambda h, x: listed[h][x])


def _rows(table: Table) -> list[tuple[int, ...]]:
    return [tuple(column >> h & 1 for column in table.columns) for h in range(table.size)]


def _intervals(n: int) -> Table:
    ends = [(a, b) for a in range(n) for b in range(a, n)] + [(n, -1)]
    return _table(len(ends), n, lambda h, x: ends[h][0] <= x <= ends[h][1])


def _junta(general: bool, negate: bool) -> Callable[[int], Table]:
    def build(n: int) -> Table:
        full = 2**n - 1

        def literals(code: int) -> tuple[int, int]:
            if not general:
                return code, 0
            digits = [code // 3**i % 3 for i in range(n)]
            return sum(1 << i for i in range(n) if digits[i] == 1), sum(
                1 << i for i in range(n) if digits[i] == 2
            )

        def says(h: int, x: int) -> bool:
            plain, negated = literals(h)
            value = x ^ full if negate else x
            return bool(plain & value | negated & (value ^ full)) ^ negate

        return _table((3 if general else 2) ** n, 2**n, says)

    return build


def _k_of_n(k: int, n: int) -> Table:
    sets = [code for code in range(2**n) if code.bit_count() >= k] + [0]
    return _table(len(sets), 2**n, lambda h, x: (sets[h] & x).bit_count() >= k)


def _halfspaces(n: int, w: int) -> Table:
    corners = [[x >> i & 1 for i in range(n)] for x in range(2**n)]
    rows = set()
    for weights in itertools.product(range(-w, w + 1), repeat=n):
        sums = [sum(a * b for a, b in zip(weights, corner, strict=True)) for corner in corners]
        rows |= {tuple(int(s >= threshold) for s in sums) for threshold in range(-n * w, n * w + 2)}
    return _from_rows(sorted(rows))


def _decision_lists(n: int, k: int) -> Table:
    corners = range(2**n)
    literals = [tuple(x >> i & 1 for x in corners) for i in range(n)]
    literals += [tuple(1 - bit for bit in literal) for literal in literals]
    found = {(0,) * 2**n, (1,) * 2**n}
    for _ in range(k):
        longer = set(found)
        for row, literal in itertools.product(found, literals):
            longer.add(tuple(a | b for a, b in zip(row, literal, strict=True)))
            longer.add(tuple(a & 1 - b for a, b in zip(row, literal, strict=True)))
        found = longer
    return _from_rows(sorted(found))


def _product(parts: list[Table]) -> Table:
    """A hypothesis for every choice of one from each part, on the points of all; the last changes first."""
    choices = list(itertools.product(*(range(part.size) for part in parts)))
    points = [(k, x) for k, part in enumerate(parts) for x in range(len(part.columns))]
    if len(parts) == 1:
        return parts[0]
    return _table(
        len(choices),
        len(points),
        lambda h, p: parts[points[p][0]].says(choices[h][points[p][0]], points[p][1]),
    )


_FAMILIES: dict[tuple[str, bool], Callable[..., Table]] = {
    ("thresholds", False): lambda n: _table(n + 1, n, lambda h, x: h <= x),
    ("singletons", False): lambda d: _table(d, d, lambda h, x: h == x),
    ("intervals", False): _intervals,
    ("disjunctions", False): _junta(False, False),
    ("disjunctions", True): _junta(True, False),
    ("conjunctions", False): _junta(False, True),
    ("conjunctions", True): _junta(True, True),
    ("decision-lists", False): _decision_lists,
    ("parities", False): lambda n: _table(2**n, 2**n, lambda h, x: (h & x).bit_count() % 2),
    ("k-of-n", False): _k_of_n,
    ("halfspaces", False): _halfspaces,
    ("all", False): lambda n: _table(2**n, n, lambda h, x: h >> x & 1),
}


_CUBES = ("disjunctions", "conjunctions", "decision-lists", "parities", "k-of-n", "halfspaces", "all")


class Dimensions:
    """Littlestone dimensions of version spaces, each looked at once; 2^d hypotheses are needed for d."""

    def __init__(self, table: Table) -> None:
        """Nothing known yet."""
        self.columns = list(dict.fromkeys(table.columns))
        self.known: dict[tuple[int, int], bool] = {}

    def of(self, space: int) -> int:
        """The dimension; −1 of no hypotheses."""
        depth = -1
        while self.at_least(space, depth + 1):
            depth += 1
        return depth

    def at_least(self, space: int, depth: int) -> bool:
        """Whether some point splits it into two parts of at least one less, and so on."""
        if depth <= 0:
            return depth < 0 or space != 0
        if space.bit_count() < 1 << depth:
            return False
        if (space, depth) not in self.known:
            if len(self.known) >= MOST_SPACES:
                raise Refused(
                    f"the class has more than {MOST_SPACES:,} version spaces: too many for the plain verifier"
                )
            self.known[space, depth] = False  # a point that has been used up cannot come again
            self.known[space, depth] = self._splits(space, depth)
        return self.known[space, depth]

    def _splits(self, space: int, depth: int) -> bool:
        count = space.bit_count()
        parts = {space & column for column in self.columns}
        for part in sorted(parts, key=lambda one: abs(2 * one.bit_count() - count)):
            other = space ^ part
            if part and other and self.at_least(part, depth - 1) and self.at_least(other, depth - 1):
                return True
        return False

    def optimal(self, space: int, column: int) -> int:
        """SOA's label at a point: the one that leaves the larger dimension, 1 when they are tied."""
        one, zero = space & column, space & ~column
        if not one or not zero:
            return int(one != 0 or space == 0)
        return int(self.of(one) >= self.of(zero))
