"""What a certificate says about its data, and the data read again the way it says.

Rounds that are in files are described: the files, how they were read, a fingerprint of the decoded rows in
their order. Rounds that are in no file are kept in the certificate itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from noregret.certificate_files.readers import LENT, PLAIN
from noregret.data.asking import RUN
from noregret.data.fingerprint import Fingerprint, fingerprint
from noregret.data.labels import Labels
from noregret.data.read import open_data
from noregret.data.reading import Reading
from noregret.data.stream import DataStream
from noregret.errors import BadCommand, BadInput
from noregret.reference.data import reads_itself
from noregret.reference.rounds import Refused, Round
from noregret.rounds import Batch, Stream

STORED_VALUES = 2_000_000  # rounds that are in no file are kept in the certificate, up to so many numbers


def how_read(format: str, labels: Labels, reading: Reading, skip: bool) -> dict[str, Any]:
    """Say how the rows came out of the files: all that it takes to read them once more."""
    return {
        "format": format,
        "task": labels.task,
        "positive": labels.positive,
        "reading": reading.as_json(),
        "on_bad_row": "skip" if skip else "stop",
    }


def described(
    stream: Stream, paths: Sequence[Path], play: Mapping[str, Any], seen: Fingerprint | None = None
) -> dict[str, Any]:
    """Describe the rounds of files; `seen` has their fingerprint if they were read a moment ago."""
    mark, rounds = (seen.mark, seen.rounds) if seen is not None else fingerprint(stream)
    return {
        "names": [path.name for path in paths],
        "rounds": rounds,
        "fingerprint": mark,
        "reader": PLAIN if reads_itself(play, paths) else LENT,
        "stored": None,
    }


def stored(stream: Stream, name: str) -> dict[str, Any]:
    """Describe rounds that are in no file, and keep them."""
    mark, rounds = fingerprint(stream)
    return {
        "names": [name],
        "rounds": rounds,
        "fingerprint": mark,
        "reader": PLAIN,
        "stored": _kept(stream),
    }


def _kept(stream: Stream) -> dict[str, Any]:
    """Label, importance, features and values of every round; features only where they differ from before."""
    rows: list[Any] = []
    names: dict[str, int] = {}
    before: list[int] | None = None
    size = 0
    for batch in stream.batches():
        for now in _rounds(batch):
            size += len(now.values)
            if size > STORED_VALUES:
                raise BadInput(
                    f"the rounds are in no file and have more than {STORED_VALUES:,} values, "
                    "too many for a certificate"
                )
            columns = [names.setdefault(f, len(names)) if isinstance(f, str) else f for f in now.features]
            rows.append([now.label, now.weight, None if columns == before else columns, list(now.values)])
            before = columns
    return {"names": list(names) or None, "rows": rows}


def read_again(play: Mapping[str, Any], paths: Sequence[Path]) -> Iterator[Round]:
    """Read the rows of files the way a certificate says, for the plain verifier."""
    try:
        stream = _opened(play, paths)
        for batch in stream.batches():
            yield from _rounds(batch)
    except (BadInput, BadCommand) as problem:
        raise Refused(str(problem)) from None


def _opened(play: Mapping[str, Any], paths: Sequence[Path]) -> DataStream:
    labels = Labels(play["positive"], task=play["task"], asker=RUN)
    reading = Reading.from_json(play["reading"])
    return open_data(list(paths), reading, labels, format=play["format"], on_bad_row=play["on_bad_row"])


def _rounds(batch: Batch) -> Iterator[Round]:
    """The rows of a batch, one by one; a label that is a place among classes is the class."""
    for r, label in enumerate(batch.labels.tolist()):
        row = batch.row(r)
        told = None if math.isnan(label) else label
        if told is not None and batch.classes is not None:
            told = batch.classes[int(told)]
        weight = 1.0 if batch.weights is None else float(batch.weights[r])
        yield Round(told, weight, [feature for feature, _ in row], [float(value) for _, value in row])
