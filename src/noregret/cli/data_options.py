"""What the command line says about data, put together with what a model file remembers."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from noregret.data.asking import RUN
from noregret.data.labels import Labels, plain
from noregret.data.read import open_data
from noregret.data.reading import KINDS, Reading, kinds_of
from noregret.data.stream import DataStream
from noregret.errors import BadCommand


@dataclass(frozen=True)
class DataOptions:
    """The options of `run` and `predict` that say how data is read."""

    format: str | None = None
    label: str | None = None
    positive: str | None = None
    numeric: Sequence[str] | None = None
    categorical: Sequence[str] | None = None
    text: Sequence[str] | None = None
    drop: Sequence[str] | None = None
    bits: int | None = None
    header: bool | None = None
    encoding: str | None = None
    on_bad_row: str = "stop"

    def require_nothing(self, cache: bool) -> None:
        """Refuse options about data where there is none, and the built-in stream would be played."""
        said = [one.name for one in fields(self) if getattr(self, one.name) not in (one.default, [], ())]
        if said or cache:
            option = f"--{said[0].replace('_', '-')}" if said else "--cache"
            raise BadCommand(f"{option} is for a data file; name the file, or leave {option} out")

    def labels(self, meta: dict[str, Any], task: str) -> Labels:
        """Begin with the labels that a model was learned from, or with new ones."""
        kept = Labels.from_json(meta["labels"], RUN) if meta.get("labels") else None
        if kept is None or (self.positive is not None and kept.task != "binary"):
            return Labels(self.positive, task=task, asker=RUN)
        if self.positive is None:
            return kept
        known = 1 if kept.positive is None else kept.positive
        if self.positive != kept.write(1.0) and plain(self.positive) != known:
            raise BadCommand(
                f"the model was learned with {kept.write(1.0)} as the positive label, and the command says "
                f"--positive {self.positive}; leave that out"
            )
        return kept

    def reading(self, meta: dict[str, Any]) -> Reading:
        """Put what is said after what the model remembers."""
        return self.said.after(Reading.from_json(meta["reading"])) if meta.get("reading") else self.said

    @property
    def said(self) -> Reading:
        """What the command says about columns and text."""
        lists = {kind: listed(kind, getattr(self, kind)) for kind in KINDS}
        return Reading(self.label, kinds_of(**lists), self.bits, self.header, self.encoding)

    def open(
        self, paths: Sequence[Path], reading: Reading, labels: Labels, *, need_label: bool = True
    ) -> DataStream:
        """Open the files."""
        return open_data(
            list(paths),
            reading,
            labels,
            format=self.format,
            on_bad_row=self.on_bad_row,
            need_label=need_label,
            said=self.said,
        )


def listed(kind: str, groups: Sequence[str] | None) -> list[str]:
    """Take names apart that were written with commas; one that has a comma stands in double quotes."""
    rows = [next(csv.reader([group], skipinitialspace=True)) or [""] for group in groups or ()]
    names = [name.strip() for row in rows for name in row]
    if not all(names):
        raise BadCommand(
            f"--{kind} names nothing; a column without a name is called by its place, as in --{kind} 1"
        )
    return names


def task_of(learners: Sequence[Any]) -> str:
    """The one task of several learners."""
    tasks = {getattr(one, "task", "binary"): one.spec for one in learners}
    if len(tasks) > 1:
        told = ", ".join(f"{spec} is for {task}" for task, spec in tasks.items())
        raise BadCommand(f"learners of one run have one task: {told}")
    return next(iter(tasks), "binary")
