"""Classes of what describes them: a table, a file, or a name.

Names are ``thresholds:1023``, ``disjunctions:8,general``, and sums and products of them.

``A+B`` is the union of two classes on the same points; ``A*B`` has a hypothesis for every pair, on
the points of A followed by those of B (its Littlestone dimension is the sum of the two).
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret.errors import BadParameter, UnknownName
from noregret.hypotheses import families
from noregret.hypotheses.classes import FiniteClass, InfiniteClass, require_room
from noregret.hypotheses.table import read_table

FAMILIES: dict[str, tuple[Callable[..., FiniteClass], str]] = {
    "thresholds": (families.thresholds, "n"),
    "singletons": (families.singletons, "d"),
    "intervals": (families.intervals, "n"),
    "disjunctions": (families.disjunctions, "n or n,general"),
    "conjunctions": (families.conjunctions, "n or n,general"),
    "decision-lists": (families.decision_lists, "n,k"),
    "parities": (families.parities, "n"),
    "k-of-n": (families.k_of_n, "k,n"),
    "halfspaces": (families.halfspaces, "n,w"),
    "random": (families.random, "h,x,seed"),
    "all": (families.every, "n"),
}


INFINITE = {
    "thresholds:[0,1]": InfiniteClass("thresholds:[0,1]", 1, math.inf),
    "intervals:[0,1]": InfiniteClass("intervals:[0,1]", 2, math.inf),
    "singletons:[0,1]": InfiniteClass("singletons:[0,1]", 1, 1),
}


def hypothesis_class(source: Any) -> FiniteClass | InfiniteClass:
    """Make a class of whatever describes one: a name with a size, a CSV file, a 0/1 table, a class.

    >>> hypothesis_class("thresholds:7")
    <FiniteClass thresholds:7: 8 hypotheses, 7 points>
    """
    if isinstance(source, FiniteClass | InfiniteClass):
        return source
    if hasattr(source, "__fspath__") or (isinstance(source, str) and source.lower().endswith(".csv")):
        cells, hypotheses, points = read_table(source)
        return FiniteClass(cells, name=str(source), hypothesis_names=hypotheses, point_names=points)
    return named_class(source) if isinstance(source, str) else FiniteClass(source)


def finite_class(source: Any) -> FiniteClass:
    """Make a class that can be listed, or say why it cannot."""
    made = hypothesis_class(source)
    if isinstance(made, InfiniteClass):
        raise BadParameter(
            f"{made.name} has infinitely many hypotheses and cannot be listed; give a size, like thresholds:7"
        )
    return made


def named_class(spec: str) -> FiniteClass | InfiniteClass:
    """Make the class that a spec describes.

    >>> named_class("singletons:4*thresholds:3").size
    16
    """
    text = spec.replace(" ", "")
    if text in INFINITE:
        return INFINITE[text]
    terms = [_product([_named(part) for part in term.split("*")]) for term in text.split("+")]
    return terms[0] if len(terms) == 1 else _union(terms)


def _named(part: str) -> FiniteClass:
    name, _, text = part.partition(":")
    if name not in FAMILIES:
        near = difflib.get_close_matches(name, FAMILIES, n=2, cutoff=0.7)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        forms = [f"{one}:{form.split(' ')[0]}" for one, (_, form) in FAMILIES.items()]
        known = f"there is {', '.join(forms)}, or a file that ends in .csv"
        raise UnknownName(f"there is no class called '{name}'; {hint}{known}")
    if part in INFINITE:
        raise BadParameter(f"{part} has infinitely many hypotheses and cannot be part of a sum or a product")
    build, form = FAMILIES[name]
    words = text.split(",")
    general = words[-1] == "general" and "general" in form
    sizes = words[:-1] if general else words
    wanted = len(form.split(" ")[0].split(","))
    if len(sizes) != wanted or not all(map(_is_size, sizes)):
        raise BadParameter(f"'{part}' is not a class; write {name}:{form} with whole numbers")
    numbers = [int(size) for size in sizes]
    if 0 in numbers[: 2 if name == "random" else None]:
        raise BadParameter(f"'{part}': a size is 0; it must be at least 1")
    return build(*numbers, general=True) if general else build(*numbers)


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 19


def _union(parts: Sequence[FiniteClass]) -> FiniteClass:
    name = "+".join(part.name for part in parts)
    points = parts[0].points
    for part in parts:
        if part.points != points:
            raise BadParameter(
                f"{name}: {parts[0].name} has {points:,} points and {part.name} has {part.points:,}; "
                "a union needs the same points"
            )
    require_room(sum(part.size for part in parts), points, name)
    rows = np.vstack([_packed(part) for part in parts])
    _, first = np.unique(rows, axis=0, return_index=True)
    return families.from_packed_rows(name, rows[np.sort(first)], points, parts[0].point_names)


def _packed(part: FiniteClass) -> NDArray[np.uint8]:
    """The rows of a class as bits, eight points at a time: the whole table need never be there."""
    blocks = [range(begin, min(begin + 8, part.points)) for begin in range(0, part.points, 8)]
    packed = [np.packbits([part.column(x) for x in block], axis=0)[0] for block in blocks]
    return np.stack(packed, axis=1)


def _product(parts: Sequence[FiniteClass]) -> FiniteClass:
    if len(parts) == 1:
        return parts[0]
    name = "*".join(part.name for part in parts)
    size, points = math.prod(part.size for part in parts), sum(part.points for part in parts)
    require_room(size, points, name)
    inner = size

    def columns() -> Iterator[Any]:
        nonlocal inner
        for part in parts:
            inner //= part.size
            outer = size // (inner * part.size)
            for x in range(part.points):
                yield np.tile(np.repeat(part.column(x), inner), outer)

    labels = [f"{part.name}/{part.point_name(x)}" for part in parts for x in range(part.points)]
    unique = labels if len(set(labels)) == points else None
    return FiniteClass.from_columns(columns(), size, points, name=name, point_names=unique)
