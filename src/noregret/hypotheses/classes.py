"""Classes of hypotheses: a 0/1 table of hypotheses and points, kept as bits.

Built from a table, a predicate, a CSV file, or by name with a size (see `naming`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noregret import _core, markup
from noregret.errors import BadInput, BadParameter, BadType
from noregret.examples import entries
from noregret.rounds import Feature

LARGEST = 1 << 32  # cells of a table: half a gigabyte of bits


class FiniteClass:
    """A class: hypotheses × points, each cell 0 or 1.

    >>> H = FiniteClass([[0, 0], [0, 1], [1, 1]], name="steps")
    >>> H.size, H.points, H.says(1, 1)
    (3, 2, 1)
    """

    def __init__(
        self,
        table: Any,
        *,
        name: str = "class",
        hypothesis_names: Sequence[str] | None = None,
        point_names: Sequence[str] | None = None,
    ) -> None:
        """Take a table, a row for each hypothesis."""
        cells = _checked(table)
        self._take(cells.T, cells.shape, name, hypothesis_names, point_names)

    @classmethod
    def from_columns(
        cls,
        columns: Iterable[Any],
        size: int,
        points: int,
        *,
        name: str,
        point_names: Sequence[str] | None = None,
    ) -> FiniteClass:
        """Take what all hypotheses say at each point, one point after the other: no table in between."""
        made = cls.__new__(cls)
        made._take(columns, (size, points), name, None, point_names)
        return made

    @classmethod
    def from_predicate(
        cls,
        predicate: Callable[[Any, Any], Any],
        hypotheses: Iterable[Any],
        points: Iterable[Any],
        *,
        name: str = "class",
    ) -> FiniteClass:
        """Ask predicate(hypothesis, point) for every pair.

        >>> FiniteClass.from_predicate(lambda c, x: x >= c, range(5), range(4)).size
        5
        """
        rows, domain = list(hypotheses), list(points)
        require_room(len(rows), len(domain), name)
        table = [[predicate(h, x) for x in domain] for h in rows]
        shaped = np.array(table).reshape(len(rows), len(domain))
        return cls(
            shaped, name=name, hypothesis_names=[str(h) for h in rows], point_names=[str(x) for x in domain]
        )

    def _take(
        self,
        columns: Iterable[Any],
        shape: tuple[int, int],
        name: str,
        hypothesis_names: Sequence[str] | None,
        point_names: Sequence[str] | None,
    ) -> None:
        self.size, self.points = shape
        self.name = name
        self.hypothesis_names = _names(hypothesis_names, self.size, "hypotheses")
        self.point_names = _names(point_names, self.points, "points")
        self._places = {label: place for place, label in enumerate(self.point_names or ())}
        if self.point_names is not None and len(self._places) != self.points:
            raise BadInput(f"{name}: two points have the same name; give each its own")
        require_room(self.size, self.points, name)
        self._pack(np.packbits(column, bitorder="little") for column in columns)

    def _pack(self, columns: Iterable[NDArray[np.uint8]]) -> None:
        """Keep the columns, each as bits."""
        packed = np.zeros((self.points, (self.size + 63) // 64 * 8), dtype=np.uint8)
        for place, bits in enumerate(columns):
            packed[place, : len(bits)] = bits
        self.core = _core.FiniteClass(packed.ravel(), self.size, self.points)

    def __getstate__(self) -> dict[str, Any]:
        """Let pickle carry it, the table as bits."""
        return self.__dict__ | {"core": [self.core.column(point) for point in range(self.points)]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become what was pickled."""
        self.__dict__.update(state)
        self._pack(state["core"])

    def says(self, hypothesis: int, point: int) -> int:
        """What a hypothesis says at a point: 0 or 1."""
        return int(self.core.says(hypothesis, point))

    def column(self, point: int) -> NDArray[np.uint8]:
        """What every hypothesis says at a point."""
        return np.unpackbits(self.core.column(point), count=self.size, bitorder="little")

    def table(self) -> NDArray[np.uint8]:
        """The whole table, a row for each hypothesis."""
        return np.stack([self.column(x) for x in range(self.points)], axis=1)

    def point(self, x: Any) -> int:
        """Find a point: by its number, its name, or as the one feature that is 1."""
        place = self._place(x)
        if not 0 <= place < self.points:
            raise BadInput(f"there is no point {place}; {self.name} has {self.points:,}, counted from 0")
        return place

    def _place(self, x: Any) -> int:
        if isinstance(x, int | np.integer) and not isinstance(x, bool):
            return int(x)
        if isinstance(x, str):
            if x in self._places:
                return self._places[x]
            if self.point_names is None and x.isdecimal():
                return int(x)
            raise BadInput(f"there is no point called '{x}' in {self.name}")
        return self.point_of(entries(x))

    def point_of(self, features: list[tuple[Feature, float]]) -> int:
        """Find the point that is the one feature which is 1."""
        present = [feature for feature, value in features if value != 0]
        if len(present) != 1 or (present[0], 1.0) not in features:
            raise BadInput(f"a point of {self.name} is its number, its name, or one feature that is 1")
        return self.point(present[0])

    def point_name(self, point: int) -> str:
        """Write a point for people."""
        return str(point) if self.point_names is None else self.point_names[point]

    def hypothesis_name(self, hypothesis: int) -> str:
        """Write a hypothesis for people."""
        return f"h{hypothesis}" if self.hypothesis_names is None else self.hypothesis_names[hypothesis]

    def _repr_html_(self) -> str:
        """Show it in a notebook: the first hypotheses at the first points."""
        shown, across = min(self.size, 12), min(self.points, 16)
        rows = [
            [self.hypothesis_name(h), *(str(self.says(h, x)) for x in range(across))] for h in range(shown)
        ]
        title = f"{self.name}: {self.size:,} hypotheses on {self.points:,} points"
        return markup.table(title, rows, ["", *(self.point_name(x) for x in range(across))])

    def __repr__(self) -> str:
        """Name and size."""
        return f"<FiniteClass {self.name}: {self.size:,} hypotheses, {self.points:,} points>"


@dataclass(frozen=True, slots=True)
class InfiniteClass:
    """A class that cannot be listed, with the dimensions that are proved for it."""

    name: str
    vc: int
    littlestone: float

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        rows = [("VC dimension", f"{self.vc:,}"), ("Littlestone dimension", f"{self.littlestone:,.6g}")]
        return markup.table(f"{self.name}: a class without end", rows)


def require_room(size: int, points: int, name: str) -> None:
    """Refuse a table that is empty or would not fit, before it is made."""
    if size < 1:
        raise BadInput(f"{name} has no hypotheses; a class needs at least one")
    if points < 1:
        raise BadInput(f"{name} has no points; a class needs at least one")
    if size * points > LARGEST:
        raise BadParameter(
            f"{name} has {size:,} hypotheses on {points:,} points: {size * points:,} cells, "
            f"and at most {LARGEST:,} are kept"
        )


def _names(names: Sequence[str] | None, count: int, what: str) -> tuple[str, ...] | None:
    if names is not None and len(names) != count:
        raise BadInput(f"there are {count} {what} and {len(names)} names for them")
    return None if names is None else tuple(names)


def _checked(table: Any) -> NDArray[np.uint8]:
    """See that a table has two dimensions and holds nothing but 0 and 1."""
    try:
        cells = np.asarray(table)
    except ValueError:
        raise BadInput(
            "the rows of the table have different lengths; each needs a cell for every point"
        ) from None
    if cells.dtype.kind not in "biuf":
        raise BadType(f"the table holds {cells.dtype}; its cells must be 0 or 1")
    if cells.ndim != 2:
        if cells.size == 0:
            raise BadInput("the class has no hypotheses; a class needs at least one")
        raise BadType(f"the table has {cells.ndim} dimensions; it must have two, a row for each hypothesis")
    odd = np.argwhere((cells != 0) & (cells != 1))
    if len(odd):
        row, column = odd[0].tolist()
        raise BadInput(f"row {row}, column {column} of the table is {cells[row, column]}; a cell is 0 or 1")
    return cells.astype(np.uint8)
