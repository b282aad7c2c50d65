"""What all streams of data files share: the files, the labels, and what is done about a bad row."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from noregret.data.columns import Columns
from noregret.data.labels import Labels, Value
from noregret.data.reading import Reading
from noregret.data.reading import printable as printable
from noregret.data.source import STDIN
from noregret.data.spool import Spool
from noregret.errors import MOST_FAULTS, BadCommand, BadFile, BadInput, BadLabel
from noregret.rounds import Batch, Floats

_FOR = {
    "label": "it is for csv, arff, jsonl, parquet, arrow and npz, where labels have a name",
    "kinds": "it is for csv, arff, jsonl, parquet and arrow, where columns have names",
    "bits": "it is for data in text, parquet and arrow",
    "header": "it is for csv",
    "encoding": "it is for data in text",
}


class DataStream(ABC):
    """The rows of one or more files, in order.

    `skipped` counts the bad rows that were passed over with on_bad_row="skip"; `faults` keeps the
    first few of them. `columns` says what was found, where there are columns.
    """

    format: str
    takes: frozenset[str] = frozenset()  # what of a Reading says something about such a file
    said: Reading = Reading()  # what the user said about this data; a model may remember more
    columns: Columns | None = None
    spools: Sequence[Spool] = ()  # files that stand for pipes, and go when the stream does
    left_out: int = 0  # features without a column, because there were too many names
    find_gaps: bool = False  # whether `gaps` is wanted; for labels of which none is bad
    label_place: str = ""  # of the labels in a row, for who has to say what is wrong with one
    need_label: bool = True  # False: a table may lack the column of the labels

    def __init__(
        self, paths: Sequence[Path], labels: Labels, reading: Reading | None = None, skip: bool = False
    ) -> None:
        """Remember where to read; nothing is opened yet."""
        self.paths = list(paths)
        self.labels = labels
        self.reading = reading or Reading()
        self.skip = skip
        self.skipped = 0
        self.faults: list[str] = []
        self.done = 0  # rows that were handed over
        self.gaps: list[int] = []  # for each row that was skipped, how many good ones came before it
        self.replayable = all(path != STDIN and path.is_file() for path in self.paths)

    def require_taken(self, said: Reading) -> None:
        """Refuse what is said about data of another format, and not of this one."""
        for name, option in said.options.items():
            if name not in self.takes:
                raise BadCommand(f"{self.paths[0]}: {option} says nothing about {self.format}; {_FOR[name]}")

    @property
    def size(self) -> int:
        """Bytes on disk, for progress."""
        return sum(path.stat().st_size for path in self.paths if path.is_file())

    @property
    def passes(self) -> int:
        """How often a row is read, at most: as often as its file is named."""
        return max(Counter(path.resolve() for path in self.paths).values(), default=1)

    @property
    def settled(self) -> Reading:
        """How the data was read, with everything that was found said."""
        return self.reading if self.columns is None else self.columns.settle(self.reading)

    def describe(self) -> str:
        """Say in a line what the data was recognised as."""
        return self.format if self.columns is None else f"{self.format}: {self.columns.describe()}"

    def batches(self) -> Iterator[Batch]:
        """Yield the rows. A bad row ends the stream with an error, after the rows before it."""
        self.skipped = 0
        self.faults, self.gaps = [], []
        self.done = 0
        for path in self.paths:
            for batch in self.file(path):
                self.done += len(batch)
                yield batch
        if self.done == 0 and self.skipped == 0:
            raise BadFile(f"{', '.join(map(str, self.paths))}: there is not a single row in it")
        if self.labels.unmet is not None and self.labels.asker.in_python:
            warnings.warn(self.labels.unmet, stacklevel=2)  # a command says it beside the other labels

    @abstractmethod
    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file."""

    def fault(self, problem: BadInput) -> None:
        """Stop at a bad row, or count it."""
        if not self.skip:
            raise problem
        self.skipped += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(str(problem))

    def labelled(self, batch: Batch, codes: NDArray[Any], words: Sequence[Value]) -> Iterator[Batch]:
        """Give a batch its labels: row r has words[codes[r]]. Rows whose label is bad are left out."""
        begin, consumed = 0, batch.consumed
        while begin < len(codes):
            found, stop, why = self.labels.read_words(codes[begin:], words)
            end = len(codes) if stop is None else begin + stop
            if end > begin:
                good: Floats = found if stop is None else self.labels.read_words(codes[begin:end], words)[0]
                part = batch.part(begin, end)
                yield replace(part, labels=good, classes=self.class_table, consumed=consumed)
                consumed = 0  # the bytes of a batch count once
            if stop is None:
                return
            place = f"{batch.located(end)}{self.label_place}"
            self.fault(BadLabel(f"{place}: '{printable(str(words[int(codes[end])]))}': {why}"))
            begin = end + 1

    @property
    def class_table(self) -> list[Value] | None:
        """What the labels of a batch mean, where they are places in a list of classes."""
        return self.labels.classes if self.labels.task == "multiclass" else None
