"""Streams around other streams."""

from __future__ import annotations

from typing import Any, ClassVar

from noregret.rounds import Stream

ABOUT_ROUNDS = ("announced", "classes", "class_table", "drawn", "passes")
ABOUT_ROWS = ("names", "width", "witness")


class Wrapper:
    """A stream around another: what that one offers beside its rounds is offered here too."""

    offered: ClassVar[tuple[str, ...]] = ABOUT_ROUNDS + ABOUT_ROWS

    def __init__(self, stream: Stream) -> None:
        """Take the other stream."""
        self.source = stream
        self.lag = int(getattr(stream, "lag", 0))
        self.replayable = bool(getattr(stream, "replayable", True))

    def __getattr__(self, name: str) -> Any:
        """Ask the source, where it has an answer."""
        if name in self.offered:
            return getattr(self.source, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
