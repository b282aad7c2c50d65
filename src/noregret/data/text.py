"""Text files as streams of batches: what the formats in lines have in common.

A parser per core works ahead of the one learner; rows arrive in the order of the file, whatever
thread parsed them, and so do new names get their columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from noregret import _core
from noregret.data.ahead import in_order
from noregret.data.features import MOST_NAMES
from noregret.data.labels import Labels
from noregret.data.source import STANDARD_INPUT, Cut, Source, last_line_end
from noregret.errors import BadFile, BadLabel
from noregret.rounds import Batch

Parse = Callable[[memoryview], _core.Parsed]
FAULTS = 5  # how many are told of those that were passed over


class _Item(NamedTuple):
    """A block that waits for its parser, or that has been through it."""

    path: Path
    parse: Parse
    text: memoryview
    consumed: int


class _Done(NamedTuple):
    path: Path
    parsed: _core.Parsed
    consumed: int


class TextStream:
    """The rows of one or more text files, in order, block by block.

    `skipped` counts the bad lines that were passed over with skip; `faults` keeps the first few of
    them. `left_out` counts the features whose names came after the first ten million.
    """

    def __init__(
        self,
        paths: list[Path],
        labels: Labels,
        skip: bool = False,
        bits: int | None = None,
        encoding: str | None = None,
    ) -> None:
        """Remember where to read; nothing is opened yet."""
        self.paths = paths
        self.labels = labels
        self.skip = skip
        self.bits = -1 if bits is None else bits
        self.encoding = encoding
        self.replayable = STANDARD_INPUT not in paths
        self.names: _core.Vocabulary | None = None
        self._clear()

    def _clear(self) -> None:
        self.skipped = 0
        self.faults: list[str] = []
        self.left_out = 0

    @property
    def size(self) -> int | None:
        """Bytes on disk, for progress; None when nobody knows."""
        return sum(path.stat().st_size for path in self.paths) if self.replayable else None

    @property
    def width(self) -> int:
        """The number of features; −1 when it is not known."""
        return 1 << self.bits if self.bits >= 0 else -1

    def batches(self) -> Iterator[Batch]:
        """Yield the rows. A bad line ends the stream with an error, after the rows before it."""
        self._clear()
        rows, line, path = 0, 1, self.paths[0]
        reader = _Reader(self)
        with closing(reader), closing(in_order(reader.take, _work)) as blocks:
            for done in blocks:
                if done.path != path:
                    line, path = 1, done.path
                for batch in self._block(done, line):
                    rows += len(batch)
                    yield batch
                line += done.parsed.line_count
        if rows == 0 and self.skipped == 0:
            raise BadFile(f"{', '.join(map(str, self.paths))}: there is not a single row in it")

    # A format says how its text is cut and parsed.

    cut: Cut = staticmethod(last_line_end)

    def _parser(self, path: Path, start: memoryview) -> tuple[Parse, memoryview]:
        """Give the parser of a file whose text begins so, and the part of that which holds rows."""
        raise NotImplementedError

    def _named(self) -> _core.Vocabulary | None:
        """The names of this stream, where features have names and these are not hashed."""
        if self.bits < 0 and self.names is None:
            self.names = _core.Vocabulary(MOST_NAMES)
        return self.names

    def _block(self, done: _Done, line: int) -> Iterator[Batch]:
        parsed = done.parsed
        faults, fault_count = parsed.faults, parsed.fault_count
        if self.names is not None:
            self.left_out += parsed.settle(self.names)
        self._told: list[tuple[int, str]] = []
        yield from self._rows(done, line)
        for fault in faults:
            place = f"{done.path}, line {line + fault.line}, column {fault.column}"
            sentence = f"{place}: '{printable(fault.token)}': {fault.rule}"
            if not self.skip:
                raise BadFile(sentence)
            self._told.append((line + fault.line, sentence))
        self.skipped += fault_count
        self.faults += [sentence for _, sentence in sorted(self._told)][: FAULTS - len(self.faults)]

    def _rows(self, done: _Done, line: int) -> Iterator[Batch]:
        parsed, consumed = done.parsed, done.consumed
        count, weights = len(parsed), parsed.weights()
        raw = _RawLabels(parsed)
        values, indices, starts, lines = parsed.take()
        begin = 0
        while begin < count:
            labels, stop, why = raw.read(self.labels, begin, count)
            end = count if stop is None else begin + stop
            if end > begin:
                good = raw.read(self.labels, begin, end)[0] if stop is not None else labels
                yield Batch(
                    values,
                    good,
                    indices,
                    starts[begin : end + 1],
                    self.width,
                    None if weights is None else weights[begin:end],
                    self.names,
                    partial(_where, done.path, line, lines[begin:end]),
                    consumed,
                )
                consumed = 0  # the bytes of a block count once
            if stop is None:
                return
            sentence = f"{_where(done.path, line, lines, end)}, column 1: '{raw.written(end)}': {why}"
            if not self.skip:
                raise BadLabel(sentence)
            self.skipped += 1
            if len(self._told) < FAULTS:
                self._told.append((line + int(lines[end]), sentence))
            begin = end + 1


class _RawLabels:
    """The labels of a block as the file has them: numbers, or words."""

    def __init__(self, parsed: _core.Parsed) -> None:
        self.words: list[str] = parsed.label_words
        self.codes = parsed.label_codes()
        self.numbers = parsed.labels()

    def read(self, labels: Any, begin: int, end: int) -> Any:
        if self.codes is not None:
            return labels.read_words(self.codes[begin:end], self.words)
        return labels.read(self.numbers[begin:end])

    def written(self, row: int) -> str:
        return f"{self.numbers[row]:g}" if self.codes is None else self.words[self.codes[row]]


class _Reader:
    """Reads the files of a stream one after the other."""

    def __init__(self, stream: TextStream) -> None:
        self.stream = stream
        self.paths = list(stream.paths)
        self.source: Source | None = None
        self.parse: Parse | None = None

    def take(self, room: bytearray) -> _Item | None:
        while self.source is not None or self.paths:
            if self.source is None:
                self.source = Source(self.paths.pop(0), self.stream.encoding, self.stream.cut)
                self.parse = None
            source = self.source
            block = source.fill(room)
            if block is None:
                self.close()
                continue
            text = block.text
            if self.parse is None:
                self.parse, text = self.stream._parser(source.path, text)
            return _Item(source.path, self.parse, text, block.consumed)
        return None

    def close(self) -> None:
        if self.source is not None:
            self.source.close()
            self.source = None


def _work(item: _Item) -> _Done:
    return _Done(item.path, item.parse(item.text), item.consumed)


def _where(path: Path, first: int, lines: Any, row: int) -> str:
    return f"{path}, line {first + int(lines[row])}"


def printable(token: bytes) -> str:
    """Write bytes of a file so that they can be shown."""
    text = token.decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)
