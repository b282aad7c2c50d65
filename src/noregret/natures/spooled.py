"""A stream that can be read only once, kept in a temporary file so that a certificate can read it again."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from noregret.errors import BadInput, reason
from noregret.natures.wrapper import Wrapper
from noregret.rounds import Batch, Stream

LIMIT = 10.0  # GB


class _Kept(NamedTuple):
    """A batch in the file: where its arrays begin and what they hold, and what is small enough for memory."""

    begin: int
    arrays: list[tuple[str, Any, Any]]  # field, type, shape
    rest: Batch


class Spooled(Wrapper):
    """The first reading writes what it yields; the next ones read that. Beyond `limit` GB nothing is kept.

    `lost` is the reason why the rows cannot be read again, empty if they can.
    """

    def __init__(self, stream: Stream, limit: float = LIMIT) -> None:
        """Stand before a stream; the file is made when it is first read, and gone with this object."""
        super().__init__(stream)
        self.replayable = True
        self.lost = ""
        self._limit = limit
        self._file: Any = None
        self._kept: list[_Kept] | None = None
        self._size = 0

    def batches(self) -> Iterator[Batch]:
        """Yield the rounds."""
        if self._kept is not None:
            if self.lost:
                raise BadInput(self.lost)
            yield from self._read()
            return
        kept: list[_Kept] = []
        self._kept = kept
        for batch in self.source.batches():
            if not self.lost:
                self._keep(batch, kept)
            yield batch

    def _keep(self, batch: Batch, kept: list[_Kept]) -> None:
        flat = batch.flat()
        arrays = [(field, getattr(flat, field)) for field in _ARRAYS if getattr(flat, field) is not None]
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(prefix="noregret-")  # noqa: SIM115 (lives as long as this)
                weakref.finalize(self, self._file.close)
            begin, listed = self._size, []
            for field, array in arrays:
                whole: Any = np.ascontiguousarray(array)
                self._size += whole.nbytes
                if self._size > self._limit * 1e9:
                    self._give_up(f"the rows take more than {self._limit:g} GB; --spool-limit raises that")
                    return
                self._file.write(memoryview(whole).cast("B"))
                listed.append((field, whole.dtype, whole.shape))
        except OSError as problem:
            self._give_up(f"the temporary file could not be written: {reason(problem)}")
            return
        nothing: dict[str, Any] = dict.fromkeys([field for field, _ in arrays], np.empty(0))
        kept.append(_Kept(begin, listed, replace(flat, **nothing, where=None)))

    def _give_up(self, why: str) -> None:
        self.lost = f"its rows came through a pipe and were not kept: {why}"
        if self._file is not None:
            self._file.close()
        self._file = None

    def _read(self) -> Iterator[Batch]:
        for begin, arrays, rest in self._kept or []:
            if self._file is None:
                return
            self._file.seek(begin)
            found: dict[str, Any] = {}
            for field, dtype, shape in arrays:
                array: Any = np.empty(shape, dtype=dtype)
                self._file.readinto(memoryview(array).cast("B"))
                found[field] = array
            yield replace(rest, **found)


_ARRAYS = ("values", "labels", "indices", "starts", "weights", "groups")
