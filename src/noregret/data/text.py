"""Text files as streams of batches: what the formats in lines have in common.

A parser per core works ahead of the one learner; rows arrive in the order of the file, whatever
thread parsed them, and so do new names get their columns.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from noregret import _core
from noregret.data.ahead import in_order
from noregret.data.features import MOST_NAMES
from noregret.data.labels import Labels, Read
from noregret.data.reading import Reading, printable
from noregret.data.source import Cut, Source, last_line_end
from noregret.data.stream import DataStream
from noregret.errors import BadFile, BadLabel
from noregret.parameters import written
from noregret.rounds import Batch

Parse = Callable[[memoryview], _core.Parsed]


class _Done(NamedTuple):
    """A block that has been parsed, and the bytes of the file that it took."""

    parsed: _core.Parsed
    consumed: int


class TextStream(DataStream):
    """The rows of one or more text files, in order, block by block.

    `left_out` counts the features whose names came after the first ten million; `names` are those
    names, in the order in which they were met.
    """

    names: _core.Vocabulary | None = None
    label_place = ", column 1"
    cut: Cut = staticmethod(last_line_end)  # where the last whole record of a block ends

    def __init__(
        self, paths: Sequence[Path], labels: Labels, reading: Reading | None = None, skip: bool = False
    ) -> None:
        """Remember where to read; nothing is opened yet."""
        super().__init__(paths, labels, reading, skip)
        self.bits = -1 if self.reading.bits is None else self.reading.bits
        self.width = 1 << self.bits if self.bits >= 0 else -1
        self.left_out = 0

    @abstractmethod
    def parser(self, path: Path, start: memoryview) -> tuple[Parse, memoryview]:
        """Give the parser of a file whose text begins so, and the part of that which holds rows."""

    def batches(self) -> Iterator[Batch]:
        """Yield the rows. A bad line ends the stream with an error, after the rows before it."""
        self.left_out = 0
        return super().batches()

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file."""
        line = 0
        with closing(_Reader(self, path)) as reader, closing(reader.blocks()) as blocks:
            for done in blocks:
                line = line or reader.first_line
                yield from self._block(path, line, done)
                line += done.parsed.line_count

    def vocabulary(self) -> _core.Vocabulary | None:
        """The names of this stream, unless they are hashed."""
        if self.bits < 0 and self.names is None:
            self.names = _core.Vocabulary(MOST_NAMES)
        return self.names

    def _block(self, path: Path, line: int, done: _Done) -> Iterator[Batch]:
        parsed = done.parsed
        told = [(line + fault.line, BadFile(self._sentence(path, line, fault))) for fault in parsed.faults]
        untold = parsed.fault_count - len(told)
        if self.names is not None:
            self.left_out += parsed.settle(self.names)
        for found in self._rows(path, line, done):
            if isinstance(found, Batch):
                yield found
                continue
            # What is wrong is told in the order of the file, whoever found it.
            while told and told[0][0] < found[0]:
                self.fault(told.pop(0)[1])
            self.fault(found[1])
        for _, problem in told:
            self.fault(problem)
        self.skipped += untold

    def rule(self, fault: _core.Fault) -> str:
        """What would be right."""
        return fault.rule

    def _sentence(self, path: Path, first: int, fault: _core.Fault) -> str:
        token = printable(fault.token.decode("utf-8", "backslashreplace"))
        place = f"{path}, line {first + fault.line}, column {fault.column}"
        return f"{place}: '{token}': {self.rule(fault)}"

    def _rows(self, path: Path, line: int, done: _Done) -> Iterator[Batch | tuple[int, BadLabel]]:
        """Yield batches of rows with good labels, and the rows between them whose labels are bad."""
        count, weights, consumed = len(done.parsed), done.parsed.weights(), done.consumed
        groups = done.parsed.groups()
        raw = _RawLabels(done.parsed)
        values, indices, starts, lines = done.parsed.take()
        if self.find_gaps:
            self.gaps += [self.done + bisect_left(lines, at) for at in done.parsed.fault_lines]
        begin = 0
        while begin < count:
            labels, stop, why = raw.read(self.labels, begin, count)
            end = count if stop is None else begin + stop
            if end > begin:
                good = labels if stop is None else raw.read(self.labels, begin, end)[0]
                yield Batch(
                    values,
                    good,
                    indices,
                    starts[begin : end + 1],
                    self.width,
                    None if weights is None else weights[begin:end],
                    self.names,
                    partial(_where, path, line, lines[begin:end]),
                    consumed,
                    self.class_table,
                    groups=None if groups is None else groups[begin:end],
                )
                consumed = 0  # the bytes of a block count once
            if stop is None:
                return
            place = f"{_where(path, line, lines, end)}{self.label_place}"
            yield line + int(lines[end]), BadLabel(f"{place}: '{printable(raw.written(end))}': {why}")
            begin = end + 1


class _RawLabels:
    """The labels of a block as the file has them: numbers, or words."""

    def __init__(self, parsed: _core.Parsed) -> None:
        self.words: list[str] = parsed.label_words
        self.codes = parsed.label_codes()
        self.numbers = parsed.labels()

    def read(self, labels: Labels, begin: int, end: int) -> Read:
        if self.codes is not None:
            return labels.read_words(self.codes[begin:end], self.words)
        return labels.read(self.numbers[begin:end])

    def written(self, row: int) -> str:
        return written(self.numbers[row]) if self.codes is None else self.words[self.codes[row]]


class _Reader:
    """Reads a file a block at a time, and knows its parser once it has seen how it begins."""

    def __init__(self, stream: TextStream, path: Path) -> None:
        self.stream = stream
        self.source = Source(path, stream.reading.encoding, stream.cut)
        self.parse: Parse | None = None
        self.first_line = 1  # of those that hold rows

    def blocks(self) -> Generator[_Done, None, None]:
        return in_order(self.take, self.work, lend=self.source.at_hand)

    def take(self, room: bytearray) -> tuple[Parse, memoryview, int] | None:
        block = self.source.fill(room)
        if block is None:
            return None
        text = block.text
        if self.parse is None:
            self.parse, text = self.stream.parser(self.source.path, text)
            self.first_line += bytes(block.text[: len(block.text) - len(text)]).count(b"\n")
        return self.parse, text, block.consumed

    def work(self, item: tuple[Parse, memoryview, int]) -> _Done:
        parse, text, consumed = item
        return _Done(parse(text), consumed)

    def close(self) -> None:
        self.source.close()


def _where(path: Path, first: int, lines: Any, row: int) -> str:
    return f"{path}, line {first + int(lines[row])}"
