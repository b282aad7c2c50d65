"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from noregret.errors import BadCommand


def require_writable(path: Path) -> None:
    """Refuse a place that cannot be written to, before the work is done and not after."""
    try:
        if path.exists() and not path.is_file():
            raise BadCommand(f"{path} cannot be written: it is a folder or a device, not a file")
        if not path.parent.is_dir():
            raise BadCommand(f"{path} cannot be written: there is no folder {path.parent}")
        if not os.access(path.parent, os.W_OK):
            raise BadCommand(f"{path} cannot be written: the folder {path.parent} is read-only")
    except OSError as problem:
        raise BadCommand(f"{path} cannot be written: {(problem.strerror or str(problem)).lower()}") from None


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file that appears when it is finished; what was there stays if it never is.

    A link stays a link to what is written.
    """
    require_writable(path)
    path = path.resolve()
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as problem:
        raise BadCommand(f"{path} cannot be written: {(problem.strerror or str(problem)).lower()}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except OSError as problem:
        Path(name).unlink(missing_ok=True)
        raise BadCommand(f"{path} cannot be written: {(problem.strerror or str(problem)).lower()}") from None
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
