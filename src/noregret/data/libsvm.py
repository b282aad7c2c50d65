"""The libsvm format: ``label index:value index:value … # comment``, a row a line."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

from noregret import _core
from noregret.data.labels import Labels
from noregret.errors import BadFile, BadLabel
from noregret.rounds import Batch

BLOCK = 4 << 20  # bytes of text at a time
LONGEST_LINE = 1 << 30


class LibsvmStream:
    """The rows of one or more libsvm files, in order, block by block.

    `skipped` counts the bad lines that were passed over with on_bad_row="skip"; `faults` keeps the
    first few of them.
    """

    def __init__(self, paths: list[Path], labels: Labels, skip: bool = False) -> None:
        """Remember where to read; nothing is opened yet."""
        self.paths = paths
        self.labels = labels
        self.skip = skip
        self.skipped = 0
        self.faults: list[str] = []

    @property
    def size(self) -> int:
        """Bytes on disk, for progress."""
        return sum(path.stat().st_size for path in self.paths)

    def batches(self) -> Iterator[Batch]:
        """Yield the rows. A bad line ends the stream with an error, after the rows before it."""
        self.skipped = 0
        self.faults = []
        rows = 0
        for path in self.paths:
            for batch in self._file(path):
                rows += len(batch)
                yield batch
        if rows == 0 and self.skipped == 0:
            raise BadFile(f"{', '.join(map(str, self.paths))}: there is not a single row in it")

    def _file(self, path: Path) -> Iterator[Batch]:
        line = 1
        for text, consumed in _blocks(path):
            while text:
                parsed = _core.parse_libsvm(text, line)
                yield from self._rows(path, parsed, consumed)
                line += parsed.line_count
                consumed = 0
                if not parsed.fault:
                    break
                place = f"{path}, line {parsed.fault_line}, column {parsed.fault_column}"
                self._fault(f"{place}: '{_printable(parsed.token)}': {parsed.fault}")
                text = _after_lines(text, parsed.line_count + 1)
                line += 1

    def _rows(self, path: Path, parsed: Any, consumed: int) -> Iterator[Batch]:
        raw, values, indices, starts, lines = parsed.take()
        begin = 0
        while begin < len(raw):
            labels, stop, why = self.labels.read(raw[begin:])
            end = len(raw) if stop is None else begin + stop
            if end > begin:
                good = self.labels.read(raw[begin:end])[0] if stop is not None else labels
                where = partial(_where, path, lines[begin:end])
                yield Batch(values, good, indices, starts[begin : end + 1], where=where, consumed=consumed)
                consumed = 0  # the bytes of a block count once
            if stop is None:
                return
            self._fault(f"{_where(path, lines, end)}, column 1: '{raw[end]:g}': {why}", BadLabel)
            begin = end + 1

    def _fault(self, sentence: str, kind: type[BadFile] | type[BadLabel] = BadFile) -> None:
        if not self.skip:
            raise kind(sentence)
        self.skipped += 1
        if len(self.faults) < 5:
            self.faults.append(sentence)


def _where(path: Path, lines: Any, row: int) -> str:
    return f"{path}, line {int(lines[row])}"


def _printable(token: bytes) -> str:
    text = token.decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def _after_lines(text: bytes, count: int) -> bytes:
    at = 0
    for _ in range(count):
        at = text.find(b"\n", at) + 1
        if at == 0:
            return b""
    return text[at:]


_OPENERS: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}


def _open(path: Path) -> tuple[IO[bytes], IO[bytes]]:
    """Open a file for its text, and for its place: compressed files have two."""
    try:
        plain = path.open("rb")
        start = plain.peek(6) if hasattr(plain, "peek") else b""
    except OSError as problem:
        raise BadFile(f"{path}: {(problem.strerror or str(problem)).lower()}") from None
    for magic, opener in _OPENERS.items():
        if start.startswith(magic):
            return opener(plain), plain
    return plain, plain


def _place(file: IO[bytes], before: int) -> int:
    """How far a file has been read; a pipe does not tell."""
    try:
        return os.lseek(file.fileno(), 0, os.SEEK_CUR)
    except OSError:
        return before


def _blocks(path: Path) -> Iterator[tuple[bytes, int]]:
    """Yield blocks of whole lines, and how many bytes of the file each took."""
    text, plain = _open(path)
    left, before, began = b"", 0, False
    with plain, text:
        while True:
            try:
                block = text.read(BLOCK)
            except (EOFError, OSError, zlib.error, lzma.LZMAError) as problem:
                raise BadFile(f"{path}: its compression is damaged or cut short ({problem})") from None
            place = _place(plain, before)
            taken, before = place - before, place
            if not began:
                block, began = block.removeprefix(codecs.BOM_UTF8), True  # some editors write one
            if not block:
                break
            cut = block.rfind(b"\n") + 1
            if cut:
                yield left + block[:cut], taken
                left = block[cut:]
            else:
                left += block
                if len(left) > LONGEST_LINE:
                    raise BadFile(
                        f"{path}: a line is longer than {LONGEST_LINE:,} bytes; this is not libsvm text"
                    )
        if left:
            yield left, 0
