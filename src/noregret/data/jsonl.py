"""JSON lines: an object a line. Nested objects are named a.b, strings become name=value."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from noregret.data.columns import number
from noregret.data.gather import Row, RowStream
from noregret.data.labels import Value
from noregret.data.lines import lines
from noregret.data.reading import Reading, nearest
from noregret.data.stream import printable
from noregret.data.words import words
from noregret.errors import BadCommand, BadFile
from noregret.rounds import Batch

_USUAL = ("label", "class", "target", "y")
_DEEPEST = 32


class JsonStream(RowStream):
    """Objects, one a line. The label is what --label names, or one called label, class, target or y."""

    format = "jsonl"
    takes = frozenset(("label", "kinds", "bits", "encoding"))
    _label: str | None = None  # found in the first object
    _unmet: Sequence[str] = ()  # the keys that the user spoke of, until a row has them
    _keys: dict[str, None]  # met until then

    def batches(self) -> Iterator[Batch]:
        """Yield the rows. The last of them may have any key: one that none had is told after it."""
        self._unmet, self._keys = list(self.said.kinds), {}
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
        cells = _flat(place, _object(place, text))
        if self._unmet:
            self._unmet = [name for name in self._unmet if name not in cells]
            self._keys |= dict.fromkeys(cells)
        label = self._label_of(place, cells)
        features: list[tuple[str, float]] = []
        for name, cell in cells.items():
            if name != self._label:
                features += self._features(place, name, cell)
        return Row(features, label, line)

    def _label_of(self, place: str, cells: dict[str, Any]) -> Value | None:
        if self._label is None:
            usual = [name for name in cells if name.lower() in _USUAL]
            self._label = self.reading.label or (usual[0] if len(usual) == 1 else None)
            if self.need_label and (self._label is None or self._label not in cells):
                raise _no_label(place, self._label, list(cells))
        label = cells.get(self._label or "")
        if isinstance(label, float) and not math.isfinite(label):
            raise BadFile(f"{place}: '{label}': a label is a finite number, a word or a boolean")
        return int(label) if isinstance(label, bool) else label

    def _features(self, place: str, name: str, cell: Any) -> list[tuple[str, float]]:
        kind = self.reading.kinds.get(name)
        if kind == "drop" or cell is None:
            return []
        if kind == "text":
            return words(name, str(cell))
        if kind == "categorical" or (kind is None and isinstance(cell, str)):
            return [(f"{name}={cell if isinstance(cell, str) else json.dumps(cell)}", 1.0)]
        value = number(cell) if isinstance(cell, str) else _as_float(cell)
        if value is None:
            raise BadFile(f"{place}: '{printable(str(cell))}': '{name}' must be a finite number")
        return [(name, value)]

    @property
    def settled(self) -> Reading:
        """How the data was read: the key of the label is known now."""
        return replace(self.reading, label=self._label or self.reading.label)

    def describe(self) -> str:
        """Say what was recognised."""
        return f"{self.format}: label '{self._label}'" if self._label else self.format


def _no_label(place: str, label: str | None, names: list[str]) -> BadFile:
    if label is None:
        told = f"--label NAME, in Python label=NAME; {nearest('label', names)}"
        return BadFile(f"{place}: say which key is the label: {told}")
    return BadFile(f"{place}: there is no '{label}'; {nearest(label, names)}")


def _object(place: str, text: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        token = printable(text[problem.pos : problem.pos + 20])
        raise BadFile(
            f"{place}, column {problem.pos + 1}: '{token}': a line is one JSON object ({problem.msg.lower()})"
        ) from None
    except (RecursionError, ValueError):
        raise BadFile(f"{place}: the JSON is nested too deeply or has a number that is too long") from None
    if not isinstance(found, dict):
        raise BadFile(f"{place}, column 1: '{printable(text[:20])}': a line is one JSON object, {{…}}")
    if "\\u" in text and any(0xD800 <= ord(c) < 0xE000 for c in json.dumps(found, ensure_ascii=False)):
        raise BadFile(f"{place}: half of a surrogate pair (\\ud800 to \\udfff) is not a character")
    return found


def _flat(place: str, found: Mapping[str, Any], before: str = "", depth: int = 0) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    if depth > _DEEPEST:
        raise BadFile(f"{place}: objects are nested more than {_DEEPEST} deep")
    for key, cell in found.items():
        if isinstance(cell, dict):
            cells |= _flat(place, cell, f"{before}{key}.", depth + 1)
        elif isinstance(cell, list):
            raise BadFile(f"{place}: '{printable(key)}': a list has no name for each value; use an object")
        else:
            cells[before + key] = cell
    return cells


def _as_float(cell: Any) -> float | None:
    try:
        value = float(cell)
    except OverflowError:
        return None
    return value if math.isfinite(value) else None
