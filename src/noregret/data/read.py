"""Open a data file of any format that noregret knows."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from noregret.data.labels import Labels
from noregret.data.libsvm import LibsvmStream
from noregret.errors import BadFile, BadParameter, UnknownName

FORMATS = ("libsvm",)


def read(
    path: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    format: str = "libsvm",
    positive: float | None = None,
    on_bad_row: str = "stop",
    labels: Any = None,
) -> LibsvmStream:
    """Read a file, or several as one stream in the order given. Compressed ones are recognised.

    1 is the positive label, −1 or 0 the negative; any other pair needs `positive`. With
    `on_bad_row="skip"` bad lines are counted and passed over; otherwise the first one stops.
    """
    if format not in FORMATS:
        raise UnknownName(f"there is no format called '{format}'; there is {', '.join(FORMATS)}")
    if on_bad_row not in ("stop", "skip"):
        raise BadParameter(f"on_bad_row is '{on_bad_row}'; it must be stop or skip")
    paths = [Path(p) for p in ([path] if isinstance(path, str | PathLike) else path)]
    if not paths:
        raise BadParameter("no file was given")
    for one in paths:
        if not one.exists():
            raise BadFile(f"{one}: there is no such file")
        if one.is_dir():
            raise BadFile(f"{one}: this is a folder; give the files in it")
    return LibsvmStream(paths, labels if labels is not None else Labels(positive), on_bad_row == "skip")
