"""Which format a file has, by what stands in it and by its name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from noregret.errors import BadFile

_ZIP = b"PK\x03\x04"
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # what Excel wrote before .xlsx
_MAGIC = {
    b"PAR1": "parquet",
    b"ARROW1": "arrow",
    b"\xff\xff\xff\xff": "arrow",
    _ZIP: "npz",
    b"\x93NUMPY": "npz",
    b"NRB": "nrb",
}
_ENDINGS = {
    ".svm": "libsvm", ".libsvm": "libsvm", ".svmlight": "libsvm", ".vw": "vw", ".csv": "csv", ".tsv": "csv",
    ".tab": "csv", ".arff": "arff", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl",
    ".parquet": "parquet", ".pq": "parquet", ".arrow": "arrow", ".ipc": "arrow", ".feather": "arrow",
    ".npz": "npz", ".nrb": "nrb",
}  # fmt: skip
_COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
_LIBSVM = re.compile(rb"[+-]?[\d.]+(e[+-]?\d+)?(\s+(qid:)?\d+:\S+)+\s*(#.*)?$", re.IGNORECASE)
_VW = re.compile(rb"[^|,;\t]*\|")


def recognise(path: Path, head: bytes) -> str:
    """Name the format of a file that begins with `head` (uncompressed); what stands there comes first."""
    require_no_archive(path, head)
    for magic, format in _MAGIC.items():
        if head.startswith(magic):
            return format
    named = _ENDINGS.get(_ending(path))
    if named is not None:
        return named
    if b"\0" in head[:4096] and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise BadFile(f"{path}: this is binary data of no format that noregret knows; it reads text, "
                      "Parquet, Arrow, .npz and .nrb")  # fmt: skip
    return _by_content(head)


def require_one_format(paths: Sequence[Path], format: str) -> None:
    """Refuse a file whose name says that it has another format than the first one."""
    for path in paths[1:]:
        named = _ENDINGS.get(_ending(path), format)
        if named != format:
            raise BadFile(
                f"{path}: by its name this is {named}, and {paths[0]} is {format}; "
                "the files of one stream have one format"
            )


def require_no_archive(path: Path, head: bytes) -> None:
    """Refuse a workbook, which holds no text, and a zip archive of other things than arrays."""
    spreadsheet = b"opendocument.spreadsheet" in head[:200]
    if head.startswith(_OLD_OFFICE) or (
        head.startswith(_ZIP) and (spreadsheet or b"[Content_Types]" in head)
    ):
        raise BadFile(f"{path}: this is a workbook of Excel or the like; save the sheet as CSV and give that")
    if head.startswith(_ZIP) and _ending(path) != ".npz" and b".npy" not in head[:4096]:
        raise BadFile(f"{path}: this is a zip archive; unpack it and give the files that are in it")


def _ending(path: Path) -> str:
    endings = [ending.lower() for ending in path.suffixes]
    while endings and endings[-1] in _COMPRESSED:
        endings.pop()
    return endings[-1] if endings else ""


def _by_content(head: bytes) -> str:
    """Look at the first lines that say something."""
    lines = [line.strip() for line in head.removeprefix(b"\xef\xbb\xbf").splitlines()[:20]]
    lines = [line for line in lines if line]
    if any(line.lower().startswith((b"@relation", b"@attribute")) for line in lines):
        return "arff"
    lines = [line for line in lines if not line.startswith((b"#", b"%"))]
    if lines and lines[0].startswith(b"{"):
        return "jsonl"
    if lines and any(_LIBSVM.match(line) for line in lines[:5]):
        return "libsvm"
    if lines and _VW.match(lines[0]):
        return "vw"
    if lines and any(mark in lines[0] for mark in (b",", b";", b"\t")):
        return "csv"
    return "libsvm"
