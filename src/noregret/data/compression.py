"""Compressed files, recognised by how they begin: gzip, bz2, xz and zstd."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Callable
from typing import Any, NamedTuple

from noregret.errors import MissingExtra


class Packing(NamedTuple):
    """How to read what is packed in one way: a whole file, or only the start of one."""

    opener: Callable[[Any], Any]
    unpacker: Callable[[], Any]


def unpacking(file: Any, start: bytes) -> Any:
    """Give what is in a file that begins so: the file itself if it is not compressed."""
    packing = _packing(start)
    return file if packing is None else packing.opener(file)


def unpacked(start: bytes) -> bytes:
    """Uncompress as much as the start of a compressed file gives."""
    packing = _packing(start)
    if packing is None:
        return start
    try:
        text: bytes = packing.unpacker().decompress(start)
    except damages():
        return b""  # whoever reads it says so
    return text


def _packing(start: bytes) -> Packing | None:
    return next((packing for magic, packing in _PACKINGS.items() if start.startswith(magic)), None)


class _Zstd(io.RawIOBase):
    """What is in a zstd file. Its own reader takes the end of a file for the end of what was packed."""

    CHUNK = 1 << 12  # a byte may stand for many thousand

    def __init__(self, file: Any) -> None:
        self._file = file
        self._unpacker = _zstandard().ZstdDecompressor()
        self._frame: Any = None  # None between two of them
        self._packed = b""
        self._text = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        while not self._text and (self._packed or self._read()):
            self._unpack()
        some = min(len(room), len(self._text))
        room[:some] = self._text[:some]
        self._text = self._text[some:]
        return some

    def _read(self) -> bool:
        self._packed = self._file.read(self.CHUNK)
        if not self._packed and self._frame is not None:
            raise EOFError("the compressed file ended before the end of its last part")
        return bool(self._packed)

    def _unpack(self) -> None:
        self._frame = self._frame or self._unpacker.decompressobj()
        self._text = memoryview(self._frame.decompress(self._packed))
        self._packed = b""
        if self._frame.eof:
            self._packed, self._frame = self._frame.unused_data, None


def _open_zstd(file: Any) -> Any:
    return io.BufferedReader(_Zstd(file), 1 << 17)


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


_PACKINGS = {
    b"\x1f\x8b": Packing(gzip.open, lambda: zlib.decompressobj(31)),
    b"BZh": Packing(bz2.open, bz2.BZ2Decompressor),
    b"\xfd7zXZ": Packing(lzma.open, lzma.LZMADecompressor),
    b"\x28\xb5\x2f\xfd": Packing(_open_zstd, lambda: _zstandard().ZstdDecompressor().decompressobj()),
}
