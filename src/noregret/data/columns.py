"""What the columns of a table are: the label, numbers, categories, text, or nothing to learn from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from noregret.data.reading import KINDS, Reading, few, nearest
from noregret.errors import BadCommand

MISSING = frozenset(("", "?", "na", "n/a", "nan", "null", "none"))  # in lower case
_USUAL = ("label", "class", "target", "y")


@dataclass(frozen=True)
class Columns:
    """The columns of a table in their order, each with its kind; the label has the kind "label"."""

    kinds: Mapping[str, str]  # label, numeric, categorical, text or drop

    @property
    def label(self) -> str | None:
        """The column of the labels, if there is one."""
        return next((name for name, kind in self.kinds.items() if kind == "label"), None)

    def of(self, kind: str) -> list[str]:
        """List the columns of a kind."""
        return [name for name, told in self.kinds.items() if told == kind]

    def describe(self) -> str:
        """Say in a line what was found."""
        counts = {kind: len(self.of(kind)) for kind in KINDS}
        words = [("categorical column", counts["categorical"]), ("number", counts["numeric"])]
        words += [("text column", counts["text"]), ("column left out", counts["drop"])]
        told = ", ".join(f"{n:,} {_plural(word, n)}" for word, n in words if n)
        return f"{told or 'no columns'}; " + ("no label" if self.label is None else f"label '{self.label}'")

    def settle(self, reading: Reading) -> Reading:
        """Write what was found into a reading, so that other data is read the same way."""
        found = {name: kind for name, kind in self.kinds.items() if kind != "label"}
        return replace(reading, label=self.label or reading.label, kinds={**reading.kinds, **found})


def plan(
    source: str,
    names: Sequence[str],
    numeric: Sequence[bool],
    reading: Reading,
    *,
    need_label: bool = True,
    said: Reading | None = None,
    usual: Sequence[str] = _USUAL,
) -> Columns:
    """Decide what each column is: as the reading says, else by what stands in it.

    `numeric[j]` tells whether the cells of column j are numbers. Without a label in the reading, a
    column with one of the `usual` names is it. A column that is left out anyway may be absent, unless
    the user has just `said` to leave it out: then the name is wrong.
    """
    wrong = {} if said is None else said.kinds
    needed = [name for name, kind in reading.kinds.items() if kind != "drop" or name in wrong]
    absent = [name for name in needed if name not in names]
    if absent:
        raise BadCommand(f"{source} has no column '{absent[0]}'; {nearest(absent[0], names)}")
    label = _label(source, names, reading, need_label, usual)
    kinds = {}
    for name, is_number in zip(names, numeric, strict=True):
        found = reading.kinds.get(name) or ("numeric" if is_number else "categorical")
        kinds[name] = "label" if name == label else found
    return Columns(kinds)


def _label(
    source: str, names: Sequence[str], reading: Reading, need: bool, usual: Sequence[str]
) -> str | None:
    if reading.label is not None:
        if reading.label in names:
            return reading.label
        if need:
            raise BadCommand(f"{source} has no column '{reading.label}'; {nearest(reading.label, names)}")
        return None
    found = [name for name in names if name.lower() in usual and name not in reading.kinds]
    if len(found) == 1:
        return found[0]
    if need:
        raise BadCommand(
            f"{source}: say which column is the label: --label NAME, in Python label=NAME; "
            f"there is {few(names)}"
        )
    return None


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is nothing."""
    return cell.strip().lower() in MISSING


def number(cell: str) -> float | None:
    """Read a cell as a finite number, or tell that it is none."""
    try:
        found = float(cell)
    except ValueError:
        return None
    return found if math.isfinite(found) and "_" not in cell else None


def _plural(word: str, count: int) -> str:
    return word if count == 1 else word.replace("column", "columns") if "column" in word else f"{word}s"
