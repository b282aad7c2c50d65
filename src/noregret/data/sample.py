"""The first rows of a table in text, which tell whether it has a header and what its columns are."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from noregret import _core
from noregret.data.delimited import reader
from noregret.errors import BadFile

SAMPLE = 1000  # rows that are looked at to tell what the columns are
_LOOK = 1 << 20  # and bytes, unless the first two rows have more
# No quoted cell that has lines in it is longer: behind a quote that nobody closes rows begin again.
LONGEST_QUOTE = 1 << 24
_UNCLOSED = "a quote that opens a cell must be closed"


def sample(path: Path, start: memoryview, separator: str) -> tuple[list[list[str]], int]:
    """Give the first rows, and how many lines there are up to the end of the very first."""
    text = _looked_at(path, start, separator)
    _require_text(path, text)
    rows: list[list[str]] = []
    lines = at = 0
    while at < len(text) and len(rows) <= SAMPLE:
        part = text[at:]
        whole = _core.csv_cut(part, len(part), separator)
        for row, end in islice(_read(path, part[:whole], separator), SAMPLE + 1):
            lines = lines or end
            rows.append(row)
        if whole < len(part) and not rows:
            line = text.count(10, 0, at + whole) + 1
            raise BadFile(f"{path}, line {line}: {with_limit(_UNCLOSED)}")
        # A quote that nobody closes takes one line with it, as it does when the rows are read.
        at = text.find(b"\n", at + whole) + 1 or len(text)
    if not rows:
        raise BadFile(f"{path}: there is not a single row in it")
    return rows[: SAMPLE + 1], lines


def with_limit(rule: str) -> str:
    """Say of a quote that nobody closes how far a cell may go: it may have been closed behind that."""
    lines = f", within {LONGEST_QUOTE >> 20} MiB if there are lines in it"
    return rule + lines if rule == _UNCLOSED else rule


def has_rows(count: int, path: Path, text: bytearray, separator: str) -> bool:
    """Whether whole lines hold so many rows that say something: a blank line does not."""
    return len(list(islice(_read(path, text, separator), count))) == count


def _looked_at(path: Path, start: memoryview, separator: str) -> bytearray:
    """Whole rows, as far as they are looked at, each with the end of its line."""
    text = bytearray(start)
    if len(text) > _LOOK:
        whole = text[: _core.csv_cut(text, _LOOK, separator)]
        if has_rows(2, path, whole, separator):
            return whole
    return text if text.endswith(b"\n") else text + b"\n"


def _require_text(path: Path, text: bytearray) -> None:
    if (zero := text.find(0)) >= 0:
        line, column = text.count(b"\n", 0, zero) + 1, zero - text.rfind(b"\n", 0, zero)
        raise BadFile(
            f"{path}, line {line}, column {column}: '\\x00': this is binary data and no table in text"
        )
    if b"\r" in text.strip() and text.find(b"\n") in (-1, len(text) - 1):
        raise BadFile(
            f"{path}, line 1: '\\r' alone ends its lines, as old Macs wrote them; a line ends with \\n"
        )


def _read(path: Path, text: bytearray, separator: str) -> Iterator[tuple[list[str], int]]:
    """Yield the rows that say something, and the line that each ends with."""
    rows = reader(io.StringIO(text.decode("utf-8", "replace"), newline=""), separator)
    try:
        with _long_cells():
            for row in rows:
                if any(map(str.strip, row)):
                    yield [cell.strip() for cell in row], rows.line_num
    except csv.Error as problem:
        raise BadFile(f"{path}: it cannot be read as a table ({problem})") from None


@contextmanager
def _long_cells() -> Iterator[None]:
    """Let cells be as long as they are."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)
