"""The bytes of a file, or of standard input: opened, uncompressed, and cut into blocks of whole lines."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from noregret.data.compression import damages, unpacked, unpacking
from noregret.data.pipe import Pipe
from noregret.errors import BadFile, MissingExtra, reason

STDIN = Path("-")
BLOCK = 1 << 20  # bytes of text at a time
FIRST_BLOCK = 1 << 16  # names met in it are known to those who parse the next ones
LONGEST_LINE = 1 << 30

Cut = Callable[[bytearray, int], int]


class Block(NamedTuple):
    """Whole lines of a source. `consumed` counts the bytes on disk that they took, for progress."""

    text: memoryview
    consumed: int


def last_line_end(room: bytearray, end: int) -> int:
    """Find where the last whole line ends; 0 when there is none."""
    return room.rfind(b"\n", 0, end) + 1


class Source:
    """One file that is read from its start to its end.

    Compression is recognised by content: gzip, bz2, xz and zstd. A byte order mark is passed over,
    and text in another encoding than UTF-8 is turned into it.
    """

    def __init__(self, path: Path, encoding: str | None = None, cut: Cut = last_line_end) -> None:
        """Open it. `cut` finds where the last whole record of a block ends."""
        self.path = path
        self._cut = cut
        self._file, self._text = _open(path)
        self._process = os.getpid()
        self._size = _size(self._file)
        self._encoding, self._decoder = encoding, _decoder(encoding)
        self._left = b""  # the beginning of a line whose end has not been read yet
        self._wanted = min(FIRST_BLOCK, BLOCK)
        self._place = 0
        self._began = False
        self._ended = False

    def fill(self, room: bytearray) -> Block | None:
        """Read the next block into a room, which is made larger where a line needs that; None at the end."""
        filled, consumed = len(self._left), 0
        room[:filled] = self._left
        while not self._ended:
            wanted = max(self._wanted, filled)  # twice as much each time: a long line is searched again
            if len(room) - filled < wanted:
                room.extend(bytes(filled + wanted - len(room)))
            got, taken = self._read(room, filled, wanted)
            filled, consumed = filled + got, consumed + taken
            cut = self._cut(room, filled)
            if cut and not self._ended:
                self._wanted = min(2 * self._wanted, BLOCK)
                self._left = bytes(memoryview(room)[cut:filled])
                return Block(memoryview(room)[:cut], consumed)
            if filled > LONGEST_LINE:
                raise BadFile(
                    f"{self.path}: a line is longer than {LONGEST_LINE:,} bytes; this is not text in lines"
                )
        self._left = b""
        return Block(memoryview(room)[:filled], consumed) if filled else None

    @property
    def at_hand(self) -> bool:
        """Whether nobody has to be waited for: it is a file, not a pipe."""
        return self._size is not None

    def close(self) -> None:
        """Close the file; standard input stays open, and so does a file in a forked process.

        A thread that read from it in the other one may hold its lock, which here nobody gives back.
        """
        if os.getpid() != self._process:
            _FORKED.append((self._text, self._file))  # closing waits for the lock, and so does forgetting
        elif self.path != STDIN:
            self._text.close()
            self._file.close()

    def _read(self, room: bytearray, at: int, wanted: int) -> tuple[int, int]:
        """Read something into a room; give its length, and how much of the file that was."""
        try:
            if self._decoder is None:
                with memoryview(room)[at : at + wanted] as free:
                    got = _read_into(self._text, free)
                self._ended = not got
            else:
                raw = self._text.read(wanted)
                self._ended = not raw
                text = self._decoder.decode(raw, final=self._ended).encode()
                got = len(text)
                room[at : at + got] = text
        except UnicodeError as problem:
            why = getattr(problem, "reason", problem)
            raise BadFile(f"{self.path}: it is not {self._encoding} text ({why})") from None
        except damages() as problem:
            raise BadFile(f"{self.path}: {self._why(problem)}") from None
        if not self._began and got:
            got = _without_mark(self.path, room, at, got)
            self._began = True
        return got, self._moved()

    def _why(self, problem: BaseException) -> str:
        if self._text is self._file:
            return f"it cannot be read any further ({problem})"
        return f"its compression is damaged or cut short ({problem})"

    def _moved(self) -> int:
        """How far the file has been read since the last time; a pipe does not tell."""
        try:
            place = os.lseek(self._file.fileno(), 0, os.SEEK_CUR)
        except (OSError, ValueError):
            return 0
        if self._ended and self._size is not None and place < self._size:
            raise BadFile(
                f"{self.path}: it had {self._size:,} bytes when it was opened and ended after {place:,}; "
                "somebody cut it short while it was read"
            )
        moved, self._place = place - self._place, place
        return moved


def _read_into(file: Any, free: memoryview) -> int:
    """Fill a room, or of a pipe only what has come by now; 0 at the end."""
    got: int = file.readinto(free)
    while isinstance(file, Pipe) and 0 < got < len(free) and file.has_more():
        more: int = file.readinto(free[got:])
        if not more:
            break  # it says so again when it is asked again
        got += more
    return got


def head(path: Path, size: int = 1 << 16) -> bytes:
    """Give the first bytes of a file, uncompressed; of a pipe what has arrived, which stays there."""
    file, text = _open(path)
    if not path.is_file():
        _PIPES[path] = file
        return unpacked(file.peek(size) if hasattr(file, "peek") else b"")
    with file, text:
        try:
            start: bytes = text.read(size)
        except damages() as problem:
            raise BadFile(f"{path}: its compression is damaged or cut short ({problem})") from None
        return start


def blocks(path: Path, encoding: str | None = None) -> Iterator[tuple[bytes, int]]:
    """Yield blocks of whole lines, for those who parse in Python, and the bytes that each took."""
    with closing(Source(path, encoding)) as source:
        room = bytearray()
        while (block := source.fill(room)) is not None:
            text = bytes(block.text)
            block.text.release()  # the room may have to grow
            yield text, block.consumed


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """Open a file for its text, to be read as a whole; standard input stays open."""
    file, text = _open(path)
    try:
        yield text
    except damages() as problem:
        raise BadFile(f"{path}: it cannot be read any further ({problem})") from None
    finally:
        if path != STDIN:
            text.close()
            file.close()


def _size(file: Any) -> int | None:
    """The size of a plain file; None for a pipe, whose end nobody knows."""
    try:
        descriptor = file.fileno()
    except (OSError, ValueError):
        return None
    return os.fstat(descriptor).st_size if _is_file(descriptor) else None


def _is_file(descriptor: int) -> bool:
    return stat.S_ISREG(os.fstat(descriptor).st_mode)


def _decoder(encoding: str | None) -> codecs.IncrementalDecoder | None:
    if encoding is None or codecs.lookup(encoding).name in ("utf-8", "ascii"):
        return None
    return codecs.getincrementaldecoder(encoding)("strict")


def _without_mark(path: Path, room: bytearray, at: int, got: int) -> int:
    """Pass over the mark that some editors put in front; give what is left."""
    if room.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE), at):
        raise BadFile(
            f"{path}: it is UTF-16; say --encoding utf-16, in Python encoding='utf-16', or save it as UTF-8"
        )
    mark = codecs.BOM_UTF8
    if not room.startswith(mark, at):
        return got
    room[at : at + got - len(mark)] = room[at + len(mark) : at + got]
    return got - len(mark)


def _open(path: Path) -> tuple[Any, Any]:
    """Open a file for its place, and for its text: of a compressed file these are two."""
    try:
        file = _PIPES.pop(path, None) or _bytes_of(path)
        start = file.peek(6) if hasattr(file, "peek") else b""
    except OSError as problem:
        raise BadFile(f"{path}: {reason(problem)}") from None
    try:
        return file, unpacking(file, start)
    except MissingExtra:
        file.close()
        raise


def _bytes_of(path: Path) -> Any:
    """A file; or whatever else gives bytes, as they come."""
    if path != STDIN:
        return path.open("rb") if path.is_file() else Pipe(os.open(path, os.O_RDONLY), own=True)
    if sys.stdin is None:
        raise BadFile("there is no standard input to read from")
    try:
        descriptor = sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):  # somebody has put something else in its place
        return sys.stdin.buffer
    return open(descriptor, "rb", closefd=False) if _is_file(descriptor) else Pipe(descriptor, own=False)


_FORKED: list[tuple[Any, Any]] = []  # files of another process
_PIPES: dict[Path, Any] = {}  # opened to look at, not yet read: a pipe gives its bytes once
