"""Compressed files, recognised by how they begin: gzip, bz2, xz and zstd."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
import zlib
from collections.abc import Callable
from typing import Any

from noregret.errors import MissingExtra


def unpacking(file: Any, start: bytes) -> Any:
    """Give what is in a file that begins so: the file itself if it is not compressed."""
    for magic, opener in _OPENERS.items():
        if start.startswith(magic):
            return opener(file)
    return file


def unpacked(start: bytes) -> bytes:
    """Uncompress as much as the start of a compressed file gives."""
    unpackers: dict[bytes, Callable[[], Any]] = {
        b"\x1f\x8b": lambda: zlib.decompressobj(31),
        b"BZh": bz2.BZ2Decompressor,
        b"\xfd7zXZ": lzma.LZMADecompressor,
        b"\x28\xb5\x2f\xfd": lambda: _zstandard().ZstdDecompressor().decompressobj(),
    }
    for magic, unpacker in unpackers.items():
        if start.startswith(magic):
            try:
                unpacked: bytes = unpacker().decompress(start)
            except damages():
                return b""  # whoever reads it says so
            return unpacked
    return start


def _open_zstd(file: Any) -> Any:
    return _zstandard().ZstdDecompressor().stream_reader(file, read_across_frames=True)


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("zstd files need zstandard: pip install 'noregret[zstd]'") from None
    return zstandard


def damages() -> tuple[type[Exception], ...]:
    """What reading a damaged file raises; of zstandard if it is in use."""
    zstandard = sys.modules.get("zstandard")
    raised = (EOFError, OSError, zlib.error, lzma.LZMAError)
    return raised if zstandard is None else (*raised, zstandard.ZstdError)


_OPENERS: dict[bytes, Callable[[Any], Any]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
    b"\x28\xb5\x2f\xfd": _open_zstd,
}
