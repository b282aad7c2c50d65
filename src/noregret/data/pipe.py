"""Bytes that somebody is still writing: they are taken as they come, and nobody waits for more."""

from __future__ import annotations

import io
import os
import select
from typing import Any

_HASTE = 0.002  # seconds


class Pipe(io.RawIOBase):
    """A pipe, a terminal or a socket, by its descriptor.

    Python's own buffered readers wait until they have all that was asked for, and keep a lock
    meanwhile that a thread left behind would hold for ever.
    """

    def __init__(self, descriptor: int, own: bool) -> None:
        """Read from a descriptor; it is closed with this if it is its own."""
        super().__init__()
        self._descriptor = descriptor
        self._own = own
        self._seen = b""  # looked at, and not yet read

    def close(self) -> None:
        """Close it."""
        if self._own and not self.closed:
            os.close(self._descriptor)
        super().close()

    def fileno(self) -> int:
        """The descriptor."""
        return self._descriptor

    def readable(self) -> bool:
        """It can be read, and nothing else."""
        return True

    def peek(self, size: int) -> bytes:
        """Look at what comes next, once something has come; it stays there."""
        if not self._seen:
            self._seen = os.read(self._descriptor, max(size, 1 << 16))
        return self._seen

    def readinto(self, room: Any) -> int:
        """Read what has come into a room, at least a byte; 0 at the end."""
        with memoryview(room) as free:
            if self._seen:
                got = min(len(self._seen), len(free))
                free[:got], self._seen = self._seen[:got], self._seen[got:]
                return got
            return os.readv(self._descriptor, [free])

    def has_more(self) -> bool:
        """Whether there is more to read, if only that it has ended: now, or in the time of one in haste."""
        return bool(self._seen) or bool(select.select([self._descriptor], [], [], _HASTE)[0])
