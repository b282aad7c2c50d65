"""The parts of an .nrb file, written and read with every length and checksum checked.

docs/nrb.md describes the format.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from noregret import _core
from noregret.errors import BadFile, BadInput, reason
from noregret.whole_file import utf8

START = b"NRB\x01\r\n\x1a\n"
NAMES, ROWS, END = b"NRBn", b"NRBb", b"NRBe"
HEAD = struct.Struct("<4s12xQQ")  # what it is, how many bytes are behind it, their checksum
TAIL = struct.Struct("<Q8s")  # where the last part begins
TAIL_MARK = b"NRBend\r\n"
LARGEST_PART = 1 << 30


class Part(NamedTuple):
    """A part of a file: its kind, and all of it, head included."""

    kind: bytes
    text: memoryview


def write_json(file: BinaryIO, kind: bytes, data: Any) -> None:
    """Write a part that is JSON."""
    body = utf8(json.dumps(data, ensure_ascii=False, sort_keys=True))
    file.write(HEAD.pack(kind, len(body), _core.checksum(body)) + body)


def read_json(part: Part) -> Any:
    """Read a part that is JSON."""
    body = part.text[HEAD.size :]
    _, _, checksum = HEAD.unpack_from(part.text)
    if _core.checksum(body) != checksum:
        raise BadFile("a part of it is damaged: its checksum is wrong")
    try:
        return json.loads(bytes(body))
    except ValueError:
        raise BadFile("a part of it is damaged: it is not JSON") from None


class Parts:
    """An open file, read part by part. Nothing is mapped: a file that shrinks is an error, not a signal."""

    def __init__(self, path: Path) -> None:
        """Open it, and see that it is whole."""
        self.path = path
        try:
            self.file = path.open("rb", buffering=0)
        except OSError as problem:
            raise BadFile(f"{path}: {reason(problem)}") from None
        try:
            self.meaning = self._meaning()
        except BadInput as problem:
            self.file.close()
            raise self.damaged(problem) from None
        self.file.seek(len(START))

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def next(self, room: bytearray) -> Part:
        """Read the next part into a room, which is made larger where it must be."""
        if len(room) < HEAD.size:
            room.extend(bytes(HEAD.size - len(room)))
        self._fill(memoryview(room)[: HEAD.size])
        kind, size, _ = HEAD.unpack_from(room)
        if kind not in (NAMES, ROWS, END) or size > LARGEST_PART:
            raise BadFile("a part of it is damaged: its head is wrong")
        end = HEAD.size + size
        if len(room) < end:
            room.extend(bytes(end + end // 4 - len(room)))
        self._fill(memoryview(room)[HEAD.size : end])
        return Part(kind, memoryview(room)[:end])

    def damaged(self, problem: Exception) -> BadFile:
        """Say that the file cannot be used, and what to do."""
        return BadFile(f"{self.path}: {problem}; convert the data again")

    def _meaning(self) -> dict[str, Any]:
        """Read the end, which says what the rows mean."""
        if self.file.read(len(START)) != START:
            raise BadFile("this is not an .nrb file of version 1")
        try:
            self.file.seek(-TAIL.size, 2)
            place, mark = TAIL.unpack(self.file.read(TAIL.size))
            if mark != TAIL_MARK:
                raise BadFile("it is cut short")
            self.file.seek(place)
        except (OSError, OverflowError, struct.error):
            raise BadFile("it is cut short") from None
        part = self.next(bytearray())
        meaning = read_json(part)
        if part.kind != END or not isinstance(meaning, dict):
            raise BadFile("its end is damaged")
        return meaning

    def _fill(self, room: memoryview) -> None:
        at = 0
        with room:
            while at < len(room):
                try:
                    got = self.file.readinto(room[at:])
                except OSError as problem:
                    raise BadFile(f"it cannot be read any further ({problem})") from None
                if not got:
                    raise BadFile("it is cut short")
                at += got
