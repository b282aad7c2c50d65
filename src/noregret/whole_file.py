"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from noregret.errors import BadCommand, reason

_DEVICES = (Path("/dev"), Path("/proc"))


class WholeFile:
    """A file that is written beside its place, and moved there when it is kept.

    A link stays a link to what is written. What was there stays until then.
    """

    def __init__(self, path: Path) -> None:
        """Open a file that nobody will mistake for the result."""
        require_writable(path)
        self.path = path
        self.place = path.resolve()
        try:
            handle, name = tempfile.mkstemp(
                dir=self.place.parent, prefix=f".{self.place.name}.", suffix=".part"
            )
        except OSError as problem:
            raise cannot_write(path, problem) from None
        self.part = Path(name)
        self.file: BinaryIO = os.fdopen(handle, "wb")

    def keep(self) -> None:
        """Put the file in its place."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        self.part.chmod(self._mode())
        self.part.replace(self.place)

    def _mode(self) -> int:
        """Who may read and write it: as before, if it was there; what was private stays so."""
        try:
            return stat.S_IMODE(self.place.stat().st_mode)
        except OSError:
            return 0o666 & ~_umask()

    def discard(self) -> None:
        """Leave nothing behind."""
        self.part.unlink(missing_ok=True)
        with suppress(OSError):  # of what it still holds, for which there is no room
            self.file.close()


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that appears when it is finished; what was there stays if it never is."""
    made = WholeFile(path)
    try:
        yield made.file
        made.keep()
    except OSError as problem:
        made.discard()
        raise cannot_write(path, problem) from None
    except BaseException:
        made.discard()
        raise


def write_whole(path: Path, data: bytes) -> None:
    """Make a file appear whole, or leave what was there."""
    with whole_file(path) as file:
        file.write(data)


def utf8(text: str) -> bytes:
    """Give text as the bytes of a file. What UTF-8 cannot hold is written as its number.

    That is in the names of files that are not UTF-8 themselves; in JSON the number says the same name.
    """
    return text.encode(errors="backslashreplace")


def require_outputs(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """Refuse outputs that cannot be written, that are inputs, or that would overwrite each other."""
    taken = {_place(path) for path in inputs}
    for path in outputs:
        require_writable(path)
        if _place(path) in taken:
            raise BadCommand(f"{path} is read or written by this command already; give another name")
        taken.add(_place(path))


def _place(path: Path) -> Path:
    """Where a path leads; links that go round in a circle lead nowhere, as whoever opens them says."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()


def require_writable(path: Path) -> None:
    """Refuse a place that cannot be written to, before the work is done and not after."""
    try:
        if _exists(path) and (not path.is_file() or _is_open_elsewhere(path)):
            raise BadCommand(f"{path} cannot be written: it is a folder or a device, not a file")
        folder = path.resolve().parent if path.is_symlink() else path.parent
        if not folder.is_dir():
            raise BadCommand(f"{path} cannot be written: there is no folder {folder}")
        if not os.access(folder, os.W_OK):
            raise BadCommand(f"{path} cannot be written: the folder {folder} is read-only")
    except OSError as problem:
        raise cannot_write(path, problem) from None


def cannot_write(path: Path, problem: OSError) -> BadCommand:
    """Say that a file could not be written."""
    return BadCommand(f"{path} cannot be written: {reason(problem)}")


def _exists(path: Path) -> bool:
    """Whether there is something; links that go round in a circle are a problem of their own."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _is_open_elsewhere(path: Path) -> bool:
    """Whether links lead through /dev or /proc, where they stand for what a process has open.

    `/dev/stdout` is such a link: to replace the file behind it would take it from whoever writes there.
    """
    while path.is_symlink():
        folder = path.parent.resolve()
        if any(folder.is_relative_to(devices) for devices in _DEVICES):
            return True
        path = folder / path.readlink()
    return False


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
