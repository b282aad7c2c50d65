"""A cache beside the data: the first reading writes it, the next ones use it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from noregret.certificate import counted
from noregret.data.nrb import NrbStream, NrbWriter, meaning_of, stamps_of
from noregret.data.nrb_file import Parts
from noregret.data.stream import DataStream
from noregret.errors import BadCommand, NoregretError
from noregret.rounds import Batch
from noregret.whole_file import whole_file


class CacheStream(NrbStream):
    """The rows of a cache. It tells what was passed over when it was written."""

    remedy = "delete it: then --cache writes it again"

    def __init__(self, cache: Path, stream: DataStream) -> None:
        """Stand for a stream that was read before."""
        super().__init__([cache], stream.labels, skip=stream.skip)
        self.made_of_files = stream.paths
        self._passes = stream.passes

    @property
    def passes(self) -> int:
        """How often a row is read, at most: the cache holds the rows of all files."""
        return self._passes

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows."""
        self.skipped = self.passed_over
        return super().file(path)

    def where(self, path: Path, first: int, row: int) -> str:
        """Name the data, which people know; a cache keeps rows and no lines."""
        data, *more = self.made_of_files
        whose = f"{data} and {counted(len(more), 'more file')}" if more else str(data)
        return f"{whose}, row {first + row + 1} of {'their' if more else 'its'} cache"


class CachingStream(DataStream):
    """A stream that writes `cache` while it is read for the first time, and reads that afterwards."""

    def __init__(self, stream: DataStream, cache: Path, asked: dict[str, Any]) -> None:
        """Stand before a stream."""
        self.__dict__ = dict(stream.__dict__)
        self.stream = stream
        self.format = stream.format
        self.cache = cache
        self.asked = asked
        self.is_written = False

    def batches(self) -> Iterator[Batch]:
        """Yield the rows; when the last one was taken, the cache is there."""
        if self.is_written:
            yield from CacheStream(self.cache, self.stream).batches()
            return
        sources = stamps_of(self.stream)
        with whole_file(self.cache) as file:
            writer = NrbWriter(file)
            for batch in self.stream.batches():
                writer.add(batch)
                self._hear()
                yield batch
            self._hear()  # of what came after the last batch too
            writer.close({**meaning_of(self.stream, sources), "asked": self.asked})
        self.columns, self.is_written = self.stream.columns, True

    def _hear(self) -> None:
        """Tell what the stream behind tells so far."""
        behind = self.stream
        self.skipped, self.faults, self.left_out = behind.skipped, behind.faults, behind.left_out

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file."""
        return self.stream.file(path)

    @property
    def settled(self) -> Any:
        """How the data was read."""
        return self.stream.settled

    def describe(self) -> str:
        """Say what was read."""
        return self.stream.describe()


def cached(stream: DataStream) -> DataStream:
    """Give a stream from its cache where there is one that is fresh, else one that will write it."""
    if not stream.replayable or stream.format == "nrb":
        raise BadCommand(
            "files can be cached, but no pipe, which is read once, and no .nrb file, which is a cache"
        )
    cache, asked = cache_of(stream.paths), _asked(stream)
    if _is_usable(stream, cache, asked):
        return CacheStream(cache, stream)
    return CachingStream(stream, cache, asked)


def cache_of(paths: list[Path]) -> Path:
    """Where the cache of some files is: beside the first of them, or else in the user's own folder."""
    first = paths[0].resolve()
    name = f"{first.name}.nrb" if len(paths) == 1 else f"{first.name}+{len(paths) - 1}.nrb"
    if os.access(first.parent, os.W_OK):
        return first.parent / name
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "noregret"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{hashlib.sha256(os.fsencode(first)).hexdigest()[:16]}-{name}"


def _is_usable(stream: DataStream, cache: Path, asked: dict[str, Any]) -> bool:
    """Whether a cache was made of this data, and in answer to the same question."""
    try:
        with closing(Parts(cache)) as parts:
            # To the last time that anything about a file changed, too, which nobody can put back. A copy has
            # another, and `convert` does not ask for it: what refuses a good file there only costs time here.
            return parts.meaning["sources"] == stamps_of(stream) and parts.meaning.get("asked") == asked
    except (NoregretError, KeyError, TypeError):
        return False


def _asked(stream: DataStream) -> dict[str, Any]:
    """What the user wanted of the data before it was looked at."""
    labels = stream.labels
    wanted = {"task": labels.task, "positive": labels.positive, "classes": list(labels.classes)}
    return {
        "labels": wanted,
        "reading": stream.reading.as_json(),
        "skip": stream.skip,
        "format": stream.format,
    }
