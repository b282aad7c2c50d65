"""ARFF, the format of Weka: named attributes with their types, then rows, dense or sparse."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from noregret.data.columns import Columns, is_missing, number, plan, repeated
from noregret.data.gather import Row, RowStream
from noregret.data.labels import Value
from noregret.data.lines import lines
from noregret.data.reading import printable
from noregret.data.words import words
from noregret.errors import BadCommand, BadFile

_ATTRIBUTE = re.compile(
    r"""@attribute\s+('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^\s{]+)\s*(.*)$""", re.IGNORECASE
)
_NUMBERS = ("numeric", "real", "integer")


@dataclass
class _Header:
    """The attributes in their order; nominal ones with their values."""

    names: list[str] = field(default_factory=list)
    numeric: list[bool] = field(default_factory=list)
    nominal: list[list[str] | None] = field(default_factory=list)


class ArffStream(RowStream):
    """Rows of ARFF. Without --label, the label is an attribute called class (or the like), else the last."""

    format = "arff"
    takes = frozenset(("label", "kinds", "bits", "encoding"))

    def rows(self, path: Path) -> Iterator[tuple[Row, int]]:
        """Yield the rows of a file."""
        header, in_data, taken = _Header(), False, 0
        for line, text, consumed in lines(path, self.reading.encoding, self.fault):
            taken += consumed
            stripped = text.strip()
            if not stripped or stripped.startswith("%"):
                continue
            if not in_data:
                in_data = _declare(path, line, text, header)
                if in_data:
                    columns = self._planned(path, line, header)
                continue
            try:
                row = self._row(path, line, text, header, columns)
            except BadFile as problem:
                self.fault(problem)
                continue
            yield row, taken
            taken = 0
        if not in_data:
            raise BadFile(f"{path}: there is no @data line; this is not ARFF, or it was cut short")

    def _planned(self, path: Path, line: int, header: _Header) -> Columns:
        if not header.names:
            raise BadFile(f"{path}, line {line}: there is no @attribute before @data")
        twice = repeated(header.names)
        if twice is not None:
            raise BadFile(f"{path}: attribute '{twice}' is declared twice")
        columns = plan(
            str(path), header.names, header.numeric, self.reading, need_label=False, said=self.said
        )
        if columns.label is None and (self.reading.label is None or self.need_label):
            if self.reading.label is not None:
                plan(str(path), header.names, header.numeric, self.reading)  # says what is like it
            last = header.names[-1]
            if last not in self.reading.kinds and self.need_label:
                columns = Columns({**columns.kinds, last: "label"})
        if self.columns is not None and self.columns != columns:
            raise BadCommand(f"{path}: its attributes are not those of {self.paths[0]}")
        self.columns = columns
        return columns

    def _row(self, path: Path, line: int, text: str, header: _Header, columns: Columns) -> Row:
        place = f"{path}, line {line}"
        cells, weight = _weight(place, *_cells(place, text, header))
        features: list[tuple[str, float]] = []
        label: Value | None = None
        for (name, kind), (at, cell), nominal in zip(
            columns.kinds.items(), cells, header.nominal, strict=True
        ):
            if kind == "drop" or cell is None:
                continue
            if nominal is not None and cell not in nominal:
                raise _bad(place, at, cell, f"'{name}' is one of {', '.join(nominal[:8])}")
            if kind == "label":
                label = cell
            elif kind == "numeric":
                value = number(cell)
                if value is None:
                    raise _bad(
                        place, at, cell, f"'{name}' must be a finite number (or ?, when it is missing)"
                    )
                features.append((name, value))
            else:
                features += words(name, cell) if kind == "text" else [(f"{name}={cell}", 1.0)]
        return Row(features, label, line, weight)


_Cell = tuple[int, str | None]  # the column of the line where it begins, and what it says


def _cells(place: str, text: str, header: _Header) -> tuple[list[_Cell], _Cell | None]:
    """Give a cell for every attribute, and what stands behind them: the weight of the row."""
    begin = len(text) - len(text.lstrip())
    if text[begin] == "{":
        return _sparse(place, text, begin, header)
    found = [(at, _unquoted(cell)) for at, cell in _split(place, text, begin, len(text))]
    extra = None
    if len(found) == len(header.names) + 1 and (found[-1][1] or "").startswith("{"):
        extra = found.pop()
    if len(found) != len(header.names):
        raise BadFile(
            f"{place}: the row has {len(found)} values, and there are {len(header.names)} attributes"
        )
    return found, extra


def _sparse(place: str, text: str, begin: int, header: _Header) -> tuple[list[_Cell], _Cell | None]:
    """`{3 1.5, 7 yes}`: what is not named is 0, or the first value of a nominal attribute."""
    found = _WITHIN.match(text, begin)
    end = len(text) if found is None else found.end()
    if not text.startswith("}", end):
        raise _bad(place, begin, text[begin : begin + 20], "a sparse row ends with }")
    zeros = ["0" if is_number else None for is_number in header.numeric]
    firsts = [nominal[0] if nominal else zero for nominal, zero in zip(header.nominal, zeros, strict=True)]
    cells: list[_Cell] = [(begin, cell) for cell in firsts]
    met: set[int] = set()
    inside = text[begin + 1 : end]
    for at, pair in _split(place, text, begin + 1, end) if inside.strip() else []:
        index, value = [*pair.split(None, 1), "", ""][:2]
        if (
            not (index.isascii() and index.isdigit())
            or not value
            or int(index[:9]) >= len(cells)
            or len(index) > 9
        ):
            raise _bad(
                place, at, pair, f"a sparse value is INDEX VALUE, the index from 0 to {len(cells) - 1}"
            )
        if int(index) in met:
            raise _bad(place, at, pair, "each index stands in a sparse row once")
        met.add(int(index))
        cells[int(index)] = (at, _unquoted(value.strip()))
    rest = text[end + 1 :].strip().removeprefix(",").strip()
    return cells, (end + 1, rest) if rest else None


def _split(place: str, text: str, begin: int, end: int) -> Iterator[tuple[int, str]]:
    at, more = begin, True
    while more:
        found = _CELL.match(text, at, end)
        if found is None:
            raise _bad(
                place, at, text[at : at + 20], "values stand between commas; quote one that has a comma"
            )
        yield at, found[1].strip()
        at, more = found.end(), found[2] == ","


_WITHIN = re.compile(r"""(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^}'"])*""")  # a brace may be quoted
# A cell may have a quoted part behind a number: "3 'New York'".
_CELL = re.compile(r"""((?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^,'"])*)(,|$)""")


def _weight(place: str, cells: list[_Cell], extra: _Cell | None) -> tuple[list[_Cell], float]:
    if extra is None:
        return cells, 1.0
    weight = number((extra[1] or "").strip("{} "))
    if weight is None or weight < 0:
        raise _bad(place, extra[0], extra[1] or "", "behind a row stands its weight, such as {2.5}")
    return cells, weight


def _unquoted(cell: str) -> str | None:
    if len(cell) >= 2 and cell[0] == cell[-1] and cell[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", cell[1:-1])
    return None if is_missing(cell) and cell in ("?", "") else cell


def _declare(path: Path, line: int, text: str, header: _Header) -> bool:
    """Take in a line of the header; True when the data begins."""
    word = text.split(None, 1)[0].lower()
    if word == "@data":
        return True
    if word == "@relation":
        return False
    found = _ATTRIBUTE.match(text.strip())
    if found is None:
        raise _bad(
            f"{path}, line {line}", 0, text[:20], "the header has @relation, @attribute NAME TYPE and @data"
        )
    name, kind = _unquoted(found[1]) or "?", found[2].strip()
    nominal = None
    if kind.startswith("{"):
        place = f"{path}, line {line}"
        end = kind.rfind("}")
        if end < 0:
            raise _bad(place, text.find("{"), kind[:20], "the values of a nominal attribute end with }")
        nominal = [_unquoted(cell) or "" for _, cell in _split(place, kind, 1, end)]
    elif kind.lower().split(None, 1)[:1] not in [[word] for word in (*_NUMBERS, "string", "date")]:
        raise _bad(
            f"{path}, line {line}", text.rfind(kind), kind, "a type is numeric, string, date or {a, b, c}"
        )
    header.names.append(name)
    header.numeric.append(kind.lower().split(None, 1)[0] in _NUMBERS)  # a range or a comment may follow
    header.nominal.append(nominal)
    return False


def _bad(place: str, at: int, token: str, sentence: str) -> BadFile:
    return BadFile(f"{place}, column {at + 1}: '{printable(token.strip())}': {sentence}")
