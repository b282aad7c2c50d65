"""JSON lines: an object a line. Nested objects are named a.b, strings become name=value.

A list of strings is a set of words: each becomes name=value once.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from noregret.data.columns import USUAL, Columns, number, remarks
from noregret.data.gather import Row, RowStream
from noregret.data.json_places import Place, half_a_pair, places
from noregret.data.labels import Value
from noregret.data.lines import lines
from noregret.data.reading import Reading, few, nearest, printable
from noregret.data.words import words
from noregret.errors import BadCommand, BadFile
from noregret.rounds import Batch

SAMPLE = 1000  # rows that tell what is said about the keys
_DEEPEST = 32


class JsonStream(RowStream):
    """Objects, one a line. The label is what --label names, or one called label, class, target or y."""

    format = "jsonl"
    takes = frozenset(("label", "kinds", "bits", "encoding"))
    _label: str | None = None  # found in the first object
    _unmet: Sequence[str] = ()  # the keys that the user spoke of, until a row has them
    _keys: dict[str, None]  # met until then
    _looked: int = 0  # rows
    _kinds: dict[str, str]  # by key, as those rows have it
    _words: dict[str, list[str]]  # by key, what stands there in quotes

    def batches(self) -> Iterator[Batch]:
        """Yield the rows. The last of them may have any key: one that none had is told after it."""
        self._unmet, self._keys = list(self.said.kinds), {}
        self._looked, self._kinds, self._words = 0, {}, {}
        yield from super().batches()
        if self._unmet:
            name = self._unmet[0]
            files = ", ".join(map(str, self.paths))
            raise BadCommand(f"{files}: no row has a key '{name}'; {nearest(name, list(self._keys))}")

    def rows(self, path: Path) -> Iterator[tuple[Row, int]]:
        """Yield the rows of a file."""
        taken = 0
        for line, text, consumed in lines(path, self.reading.encoding, self.fault):
            taken += consumed
            if not text.strip():
                continue
            try:
                row = self._row(f"{path}, line {line}", text, line)
            except BadFile as problem:
                self.fault(problem)
                continue
            yield row, taken
            taken = 0

    def _row(self, place: str, text: str, line: int) -> Row:
        try:
            return self._read(place, _object(place, text), line)
        except _Wrong as wrong:
            raise _told(place, wrong.place(text), str(wrong)) from None

    def _read(self, place: str, found: Mapping[str, Any], line: int) -> Row:
        cells = _flat(found, self.reading.kinds)
        if self._unmet:
            self._unmet = [name for name in self._unmet if name not in cells]
            self._keys |= dict.fromkeys(cells)
        label = self._label_of(place, cells)
        if self._looked < SAMPLE:
            self._look(cells)
        features: list[tuple[str, float]] = []
        for name, cell in cells.items():
            if name != self._label:
                features += self._features(name, cell)
        return Row(features, label, line)

    def _label_of(self, place: str, cells: dict[str, Any]) -> Value | None:
        if self._label is None:
            usual = [name for name in cells if name.lower() in USUAL]
            self._label = self.reading.label or (usual[0] if len(usual) == 1 else None)
            if self.need_label and (self._label is None or self._label not in cells):
                # With several kinds of objects it may be the row's fault, and the next one may have it.
                said = (self._label is None or self.said.label is not None) and not self.skip
                raise _no_label(place, self._label, list(cells), BadCommand if said else BadFile)
            self.label_place = f", key '{self._label}'"
        label = cells.get(self._label or "")
        if isinstance(label, list) or (isinstance(label, float) and not math.isfinite(label)):
            name = self._label or ""
            raise _Wrong(name, f"'{printable(name)}' is the label: a finite number, a word or a boolean")
        return self.labels.boolean(label) if isinstance(label, bool) else label

    def _look(self, cells: dict[str, Any]) -> None:
        """Keep what a row says about the keys, to tell the user."""
        self._looked += 1
        for name, cell in cells.items():
            words = isinstance(cell, str | list)
            guessed = "categorical" if words or self._kinds.get(name) == "categorical" else "numeric"
            self._kinds[name] = "label" if name == self._label else self.reading.kinds.get(name, guessed)
            if isinstance(cell, str) and name not in self.reading.kinds and name != self._label:
                self._words.setdefault(name, []).append(cell)

    def _features(self, name: str, cell: Any) -> list[tuple[str, float]]:
        kind = self.reading.kinds.get(name)
        if kind == "drop" or cell is None:
            return []
        if kind == "text":
            return words(name, " ".join(cell) if isinstance(cell, list) else str(cell))
        if isinstance(cell, list) and kind != "numeric":
            return [(f"{name}={word}", 1.0) for word in dict.fromkeys(cell)]
        if kind == "categorical" or (kind is None and isinstance(cell, str)):
            return [(f"{name}={cell if isinstance(cell, str) else json.dumps(cell)}", 1.0)]
        value = _as_float(cell) if isinstance(cell, int | float) else number(str(cell))
        if value is None:
            raise _Wrong(name, f"'{printable(name)}' must be a finite number")
        return [(name, value)]

    @property
    def settled(self) -> Reading:
        """How the data was read: the key of the label is known now."""
        return replace(self.reading, label=self._label or self.reading.label)

    def describe(self) -> str:
        """Say what was recognised."""
        if not self._looked:
            return self.format
        quoted = [n for n, cells in self._words.items() if all(number(cell) is not None for cell in cells)]
        told = f"{few(quoted)}: numbers in quotes are taken as words; --numeric takes them as numbers"
        notes = [*([told] if quoted else []), *remarks(self._words)]
        return f"{self.format}: {Columns(self._kinds, tuple(notes)).describe()}"


def _no_label(
    place: str, label: str | None, names: list[str], kind: type[BadCommand | BadFile]
) -> BadCommand | BadFile:
    if label is None:
        told = f"--label NAME, in Python label=NAME; {nearest('label', names)}"
        return kind(f"{place}: say which key is the label: {told}")
    return kind(f"{place}: there is no '{label}'; {nearest(label, names)}")


class _Wrong(Exception):
    """What is wrong with the value of a key."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name

    def place(self, text: str) -> Place | None:
        """Find the value in its line."""
        return next((one for one in places(text) if not one.is_key and one.name == self.name), None)


class _Twice(Exception):
    """An object has a key twice."""


def _told(place: str, found: Place | None, sentence: str) -> BadFile:
    """Say what is wrong, and where; a line that nobody can follow has no such place."""
    if found is None:
        return BadFile(f"{place}: {sentence}")
    return BadFile(f"{place}, column {found.column}: '{printable(found.token)}': {sentence}")


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Twice
    return found


def _object(place: str, text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=_each_key_once)
    except _Twice:
        again = next((one for one in places(text) if one.is_again), None)
        raise _told(place, again, "the key is there twice") from None
    except json.JSONDecodeError as problem:
        token = printable(text[problem.pos : problem.pos + 20])
        raise BadFile(
            f"{place}, column {problem.pos + 1}: '{token}': a line is one JSON object ({problem.msg.lower()})"
        ) from None
    except RecursionError:
        raise _too_deep(place, text) from None
    except ValueError:  # Python reads no whole number of so many digits
        numbers = (one for one in places(text) if not one.token.startswith('"'))
        long = max(numbers, key=lambda one: len(one.token), default=None)
        raise _told(place, long, "the number is too long") from None
    if not isinstance(found, dict):
        raise BadFile(f"{place}, column 1: '{printable(text[:20])}': a line is one JSON object, {{…}}")
    if "\\u" in text and (half := half_a_pair(text)) is not None:
        raise _told(place, half, "half of a surrogate pair (\\ud800 to \\udfff) is not a character")
    return found


def _too_deep(place: str, text: str) -> BadFile:
    deepest = next((one for one in places(text) if one.depth > _DEEPEST), None)
    return _told(place, deepest, f"objects are nested more than {_DEEPEST} deep")


def _flat(
    found: Mapping[str, Any], kinds: Mapping[str, str], before: str = "", depth: int = 0
) -> dict[str, Any]:
    """Give every value the names of the objects around it; what is left out is not looked at."""
    cells: dict[str, Any] = {}
    if depth > _DEEPEST:
        raise _Wrong(before.removesuffix("."), f"objects are nested more than {_DEEPEST} deep")
    for key, cell in found.items():
        name = before + key
        kind = kinds.get(name)
        if name in cells:
            raise _lost(name)
        if kind == "drop":
            cells[name] = None
        elif isinstance(cell, dict):
            inner = _flat(cell, kinds, f"{name}.", depth + 1)
            if not cells.keys().isdisjoint(inner):
                raise _lost(next(name for name in inner if name in cells))
            cells |= inner
        elif isinstance(cell, list):
            cells[name] = _words(name, cell, kind)
        else:
            cells[name] = cell
    return cells


def _lost(name: str) -> _Wrong:
    """Say that one of two values would be lost."""
    return _Wrong(name, f"two values are called '{printable(name)}', one of them inside an object")


def _words(name: str, cell: list[Any], kind: str | None) -> list[str]:
    """Take a list of strings as it is, one of numbers where the user says that they are words."""
    told = [
        json.dumps(one) if kind == "categorical" and isinstance(one, int | float) else one for one in cell
    ]
    if not all(isinstance(one, str) for one in told):
        shown = printable(name)
        raise _Wrong(
            name, f"'{shown}': a list has no name for each value; use an object, or say --drop {shown}"
        )
    return told


def _as_float(cell: Any) -> float | None:
    try:
        value = float(cell)
    except OverflowError:
        return None
    return value if math.isfinite(value) else None
