"""The libsvm format: ``label index:value index:value … # comment``, a row a line."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, Any

from noregret import _core
from noregret.data.stream import STDIN, DataStream
from noregret.errors import BadFile, BadLabel
from noregret.rounds import Batch

BLOCK = 4 << 20  # bytes of text at a time
LONGEST_LINE = 1 << 30


class LibsvmStream(DataStream):
    """The rows of one or more libsvm files, in order, block by block."""

    format = "libsvm"

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file."""
        line = 1
        for text, consumed in blocks(path):
            while text:
                parsed = _core.parse_libsvm(text, line)
                yield from self._rows(path, parsed, consumed)
                line += parsed.line_count
                consumed = 0
                if not parsed.fault:
                    break
                place = f"{path}, line {parsed.fault_line}, column {parsed.fault_column}"
                self.fault(BadFile(f"{place}: '{_printable(parsed.token)}': {parsed.fault}"))
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
                yield Batch(
                    values,
                    good,
                    indices,
                    starts[begin : end + 1],
                    where=where,
                    consumed=consumed,
                    classes=self.class_table,
                )
                consumed = 0  # the bytes of a block count once
            if stop is None:
                return
            self.fault(BadLabel(f"{_where(path, lines, end)}, column 1: '{raw[end]:g}': {why}"))
            begin = end + 1


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


_PIPES: dict[Path, IO[bytes]] = {}  # opened to look at, not yet read: a pipe gives its bytes once


def _open(path: Path) -> tuple[IO[bytes], IO[bytes]]:
    """Open a file for its text, and for its place: compressed files have two."""
    try:
        plain = _PIPES.pop(path, None) or (sys.stdin.buffer if path == STDIN else path.open("rb"))
        start = plain.peek(6) if hasattr(plain, "peek") else b""
    except OSError as problem:
        raise BadFile(f"{path}: {(problem.strerror or str(problem)).lower()}") from None
    for magic, opener in _OPENERS.items():
        if start.startswith(magic):
            return opener(plain), plain
    return plain, plain


def head(path: Path, size: int = 1 << 16) -> bytes:
    """Give the first bytes of a file, uncompressed; of a pipe what has arrived, which stays there."""
    text, plain = _open(path)
    if not path.is_file():
        _PIPES[path] = plain
        waiting: bytes = getattr(plain, "peek", lambda _: b"")(size)
        return waiting
    with plain, text:
        try:
            return text.read(size)
        except (EOFError, OSError, zlib.error, lzma.LZMAError) as problem:
            raise BadFile(f"{path}: its compression is damaged or cut short ({problem})") from None


def _place(file: IO[bytes], before: int) -> int:
    """How far a file has been read; a pipe does not tell."""
    try:
        return os.lseek(file.fileno(), 0, os.SEEK_CUR)
    except OSError:
        return before


def blocks(path: Path) -> Iterator[tuple[bytes, int]]:
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
