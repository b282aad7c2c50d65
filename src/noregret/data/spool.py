"""What comes through a pipe, kept in a file for as long as somebody reads it."""

from __future__ import annotations

import shutil
import stat
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from noregret.data.source import STDIN, opened

_FOLDERS: set[str] = set()  # of the files that stand for pipes


class Spool:
    """A file with all that a pipe gives, for formats that are read from their end.

    It is gone when this object is, or when the program ends.
    """

    def __init__(self, pipe: Path) -> None:
        """Read the pipe to its end."""
        folder = Path(tempfile.mkdtemp(prefix="noregret-"))
        _FOLDERS.add(f"{folder}/")
        self.close = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.path = folder / ("standard input" if pipe == STDIN else pipe.name)
        with self.path.open("wb") as file, opened(pipe) as text:
            shutil.copyfileobj(text, file)


def without_folders(text: str) -> str:
    """Name pipes in a sentence as people know them, not by where they are kept."""
    for folder in _FOLDERS:
        text = text.replace(folder, "")
    return text


def is_pipe(path: Path) -> bool:
    """Whether what is there can be read only once, from its beginning."""
    if path == STDIN:
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False  # whoever opens it says why
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


@contextmanager
def seekable(path: Path) -> Iterator[Path]:
    """Lend a file in the place of a pipe; any other file is itself."""
    if not is_pipe(path):
        yield path
        return
    spool = Spool(path)
    try:
        yield spool.path
    finally:
        spool.close()
