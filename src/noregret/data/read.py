"""Open data of any format that noregret knows."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from noregret.data.arff import ArffStream
from noregret.data.arrow import ArrowStream
from noregret.data.csv import CsvStream
from noregret.data.jsonl import JsonStream
from noregret.data.labels import Labels, Value
from noregret.data.libsvm import LibsvmStream
from noregret.data.npz import NpzStream
from noregret.data.nrb import NrbStream
from noregret.data.reading import Reading, kinds_of, printable
from noregret.data.recognise import recognise, require_one_format
from noregret.data.source import STDIN, head
from noregret.data.spool import Spool, is_pipe
from noregret.data.stream import DataStream
from noregret.data.vw import VwStream
from noregret.errors import BadFile, BadParameter, BadType, UnknownName, reason

Paths = str | PathLike[str] | Sequence[str | PathLike[str]]
FORMATS = ("libsvm", "vw", "csv", "tsv", "arff", "jsonl", "parquet", "arrow", "feather", "npz", "nrb")

_FROM_THE_END = ("parquet", "arrow", "feather", "npz", "nrb")  # a pipe has to be kept in a file for them


def read(
    path: Paths,
    *,
    format: str | None = None,
    label: str | int | None = None,
    positive: Value | None = None,
    task: str = "binary",
    drop: Sequence[str | int] = (),
    numeric: Sequence[str | int] = (),
    categorical: Sequence[str | int] = (),
    text: Sequence[str | int] = (),
    bits: int | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    on_bad_row: str = "stop",
) -> DataStream:
    """Read a file, several, or a pattern such as "day-*.csv", as one stream in the order given.

    The format is recognised by content and ending (so is compression) unless `format` names it; "-" is
    standard input. `label` names the column of the labels; `numeric`, `categorical`, `text` and
    `drop` say what columns are where the guess would be wrong; columns without names have numbers, from 1.
    1 is the positive label, −1 or 0 the negative; any other pair needs `positive`. More than two classes
    need `task="multiclass"`, and numbers to be predicted `task="regression"`, with a learner for them.
    `bits` hashes the names of features into 2^bits numbers. With `on_bad_row="skip"` bad rows are counted and
    passed over; otherwise the first one stops.
    """
    kinds = kinds_of(numeric=numeric, categorical=categorical, text=text, drop=drop)
    reading = Reading(None if label is None else str(label), kinds, bits, header, encoding)
    labels = Labels(positive, task=task)
    return open_data(path, reading, labels, format=format, on_bad_row=on_bad_row, said=reading)


def open_data(
    path: Paths,
    reading: Reading,
    labels: Labels,
    *,
    format: str | None = None,
    on_bad_row: str = "stop",
    need_label: bool = True,
    said: Reading | None = None,
) -> DataStream:
    """Read data in a way that is settled already; what the user `said` of it must be fit for its format."""
    if format is not None and format not in FORMATS:
        raise UnknownName(f"there is no format called '{format}'; there is {', '.join(FORMATS)}")
    if on_bad_row not in ("stop", "skip"):
        raise BadParameter(f"on_bad_row is '{on_bad_row}'; it must be stop or skip")
    paths = found(path)
    chosen = format or recognise(paths[0], head(paths[0]))
    if format is None:
        require_one_format(paths, chosen)
    spools = {one: Spool(one) for one in paths if chosen in _FROM_THE_END and is_pipe(one)}
    files = [spools[one].path if one in spools else one for one in paths]
    stream = _made(chosen, files, labels, reading, on_bad_row == "skip")
    stream.spools = list(spools.values())
    stream.replayable = stream.replayable and not spools
    stream.need_label = need_label
    if said is not None:
        stream.require_taken(said)
        stream.said = said
    return stream


def _made(format: str, paths: list[Path], labels: Labels, reading: Reading, skip: bool) -> DataStream:
    if format in ("parquet", "arrow", "feather"):
        kind = "parquet" if format == "parquet" else "arrow"
        return ArrowStream(paths, labels, reading, skip, format=kind)
    kinds: dict[str, type[DataStream]] = {
        "libsvm": LibsvmStream,
        "vw": VwStream,
        "csv": CsvStream,
        "tsv": CsvStream,
        "arff": ArffStream,
        "jsonl": JsonStream,
        "npz": NpzStream,
        "nrb": NrbStream,
    }
    return kinds[format](paths, labels, reading, skip)


def found(path: Paths) -> list[Path]:
    """List the files that are meant; a pattern stands for those that match, in the order of their names."""
    try:
        given = [Path(one) for one in ([path] if isinstance(path, str | PathLike) else path)]
    except TypeError:
        raise BadType(f"files are named by a string, a Path or a list of those, not {path!r}") from None
    if not given:
        raise BadParameter("no file was given")
    paths: list[Path] = []
    for one in given:
        if one == STDIN or _exists(one) or not glob.has_magic(str(one)):
            paths.append(one)
            continue
        folder = Path(one.anchor or ".")
        try:
            matching = sorted(folder.glob(str(one.relative_to(one.anchor))))
        except ValueError as problem:
            raise BadParameter(f"{one}: this is no pattern ({problem})") from None
        if not matching:
            raise BadFile(f"{one}: no file matches this pattern")
        paths += matching
    for one in paths:
        _require_file(one)
    if paths.count(STDIN) > 1:
        raise BadParameter("standard input (-) can be read only once")
    return paths


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # _require_file says what is wrong with it
        return False


def _require_file(path: Path) -> None:
    if "\0" in str(path):
        raise BadFile(f"{printable(str(path))}: no file has a name with a zero in it")
    try:
        if path == STDIN:
            return
        if path.is_dir():
            raise BadFile(f"{path}: this is a folder; give the files in it")
        path.stat()
    except FileNotFoundError:
        raise BadFile(f"{path}: there is no such file") from None
    except OSError as problem:
        raise BadFile(f"{path}: {reason(problem)}") from None
