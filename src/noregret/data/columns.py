"""What the columns of a table are: the label, numbers, categories, text, or nothing to learn from."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from noregret.data.reading import Reading, few, nearest, printable
from noregret.errors import BadCommand, BadFile

MISSING = frozenset(("", "?", "na", "n/a", "nan", "null", "none"))  # in lower case
USUAL = ("label", "class", "target", "y")
NAMED = 6  # columns of a kind are named, up to so many
# Numbers as people write them: 15,61 and 1,234.5 and 1.234,5 and 12 %; also plain ones among them.
_FOR_PEOPLE = re.compile(r"[-+]?(\d{1,3}([,.' ]\d{3})+|\d+)([.,]\d+)?\s?%?")
_MARKS = ",%'"


@dataclass(frozen=True)
class Columns:
    """The columns of a table in their order, each with its kind; the label has the kind "label"."""

    kinds: Mapping[str, str]  # label, numeric, categorical, text or drop
    notes: tuple[str, ...] = ()  # what may surprise whoever said nothing about a column

    @property
    def label(self) -> str | None:
        """The column of the labels, if there is one."""
        return next((name for name, kind in self.kinds.items() if kind == "label"), None)

    def of(self, kind: str) -> list[str]:
        """List the columns of a kind."""
        return [name for name, told in self.kinds.items() if told == kind]

    def describe(self) -> str:
        """Say in a line what was found."""
        words = [("categorical column", "categorical"), ("number", "numeric")]
        words += [("text column", "text"), ("column left out", "drop")]
        told = ", ".join(_counted(word, self.of(kind)) for word, kind in words if self.of(kind))
        label = "no label" if self.label is None else f"label '{self.label}'"
        return "; ".join([told or "no columns", label, *self.notes])

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
    idle: Collection[str] = (),
) -> Columns:
    """Decide what each column is: as the reading says, else by what stands in it.

    `numeric[j]` tells whether the cells of column j are numbers. Without a label in the reading, a
    column with one of the usual names is it. A column that is left out anyway may be absent, unless
    the user has just `said` to leave it out: then the name is wrong. The `idle` ones say nothing.
    """
    wrong = {} if said is None else said.kinds
    needed = [name for name, kind in reading.kinds.items() if kind != "drop" or name in wrong]
    there = frozenset(names)
    absent = [name for name in needed if name not in there]
    if absent:
        raise _no_column(source, absent[0], names, said is None or absent[0] in said.kinds)
    label = _label(source, names, reading, need_label, said is None or said.label is not None)
    kinds = {}
    for name, is_number in zip(names, numeric, strict=True):
        guessed = "drop" if name in idle else "numeric" if is_number else "categorical"
        found = reading.kinds.get(name, guessed)
        kinds[name] = "label" if name == label else found
    return Columns(kinds)


def _no_column(source: str, name: str, names: Sequence[str], said: bool) -> BadCommand | BadFile:
    """Say that a column is not there: the command is wrong if it spoke of it, else the data is."""
    kind = BadCommand if said else BadFile
    return kind(f"{source} has no column '{printable(name)}'; {nearest(name, names)}")


def _label(source: str, names: Sequence[str], reading: Reading, need: bool, said: bool) -> str | None:
    if reading.label is not None:
        if reading.label in names:
            return reading.label
        if need:
            raise _no_column(source, reading.label, names, said)
        return None
    found = [name for name in names if name.lower() in USUAL and name not in reading.kinds]
    if len(found) == 1:
        return found[0]
    if need:
        several = f"{' and '.join(found)} would do" if found else f"there is {few(names)}"
        raise BadCommand(
            f"{source}: say which column is the label: --label NAME, in Python label=NAME; {several}"
        )
    return None


def repeated(names: Iterable[str]) -> str | None:
    """The first name that stands there a second time."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
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


def truth(cell: str) -> float | None:
    """Read a cell that says true or false, as 1 or 0: those they are in formats that have a type for them."""
    return {"true": 1.0, "false": 0.0}.get(cell.strip().lower())


def value(cell: str) -> float | None:
    """Read a cell of a column of numbers: a finite one, or a truth."""
    found = number(cell)
    return truth(cell) if found is None else found


def is_infinite(cell: str) -> bool:
    """Whether a cell is a number that is not finite, as -inf and 1e400 are not: a bad number, and no word."""
    try:
        return not math.isfinite(float(cell))
    except ValueError:
        return False


def remarks(columns: Mapping[str, Iterable[str]]) -> list[str]:
    """Say of columns that are taken as words that they look like numbers, where most of their cells do."""
    alike: dict[str, list[str]] = {}
    for name, cells in columns.items():
        if marks := _marks(cells):
            alike.setdefault(marks, []).append(name)
    right = "is taken as words (a number is written 1234.5)"
    return [f"{few(names)}: what looks like numbers with {marks} {right}" for marks, names in alike.items()]


def truths(columns: Mapping[str, Iterable[str]]) -> list[str]:
    """Say of columns that are taken as numbers where their truths went."""
    names = [name for name, cells in columns.items() if any(truth(cell) is not None for cell in cells)]
    right = "true is 1 and false is 0 (--categorical takes them as words)"
    return [f"{few(names)}: {right}"] if names else []


def _marks(cells: Iterable[str]) -> str:
    """What most of these have beside digits, if they are numbers as people write them."""
    told = [cell for cell in cells if not is_missing(cell)]
    alike = [cell for cell in told if _FOR_PEOPLE.fullmatch(cell)]
    if 2 * len(alike) <= len(told):
        return ""
    odd = "".join(cell for cell in alike if number(cell) is None)
    return " and ".join(f"'{mark}'" for mark in _MARKS if mark in odd)


def _counted(word: str, names: Sequence[str]) -> str:
    """So many columns of a kind; which, where they are few."""
    several = word.replace("column", "columns") if "column" in word else f"{word}s"
    told = f" ({few(names)})" if len(names) <= NAMED else ""
    return f"{len(names):,} {word if len(names) == 1 else several}{told}"
