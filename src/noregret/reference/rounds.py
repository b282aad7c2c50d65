"""Data files read in plain Python, for whoever wants to check a certificate.

A round is a label (None where nobody told it), its importance and its features in the order given.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import math
import re
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .hashing import hashed
from .linear import LARGEST_FEATURE, Feature

EXACT = 2**53  # below it every whole number is a double
LARGEST_QUERY = 2**63 - 1

# Just what the fast reader takes: a row that only one of them passes over makes this other data.
_TOKEN = re.compile(rb"[^ \t\r]+")
_WHOLE = re.compile(rb"-0+|0*(\d{1,19})")
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_OPENERS: dict[bytes, Any] = {b"\x1f\x8b": gzip.decompress, b"BZ": bz2.decompress, b"\xfd7": lzma.decompress}


class Refused(ValueError):
    """A certificate, or data, that cannot be verified: the sentence says why."""


class Round(NamedTuple):
    """One round of the data, as it was decoded; a label is a number, or the word that names a class."""

    label: float | str | None
    weight: float
    features: Sequence[Feature]
    values: Sequence[float]


def text_of(path: Path) -> bytes:
    """The bytes of a file; a compressed one is unpacked."""
    try:
        data = path.read_bytes()
    except OSError as problem:
        raise Refused(f"{path}: {(problem.strerror or str(problem)).lower()}") from None
    try:
        unpack = _OPENERS.get(data[:2])
        return (data if unpack is None else unpack(data)).removeprefix(b"\xef\xbb\xbf")
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as problem:
        raise Refused(f"{path}: its compression is damaged or cut short ({problem})") from None


def read_libsvm(
    paths: Sequence[Path],
    positive: float | None,
    skip: bool,
    bits: int | None = None,
    task: str = "binary",
) -> Iterator[Round]:
    """Yield the rounds of libsvm files; bad lines end it, or with `skip` are passed over.

    With `bits`, features are hashed into 2^bits numbers. Labels are −1 and +1 if the task is binary.
    """
    negative: list[float] = []  # how the files write −1, once they have
    for path in paths:
        for number, line in enumerate(text_of(path).split(b"\n"), 1):
            tokens = _TOKEN.findall(line.split(b"#", 1)[0])
            if not tokens:
                continue
            try:
                raw, features, values = _row(tokens)
                if abs(raw) >= EXACT and (task == "multiclass" or positive is not None):
                    raise ValueError(f"the label {raw:g} is too large to be told from its neighbours")
                label = _signed(raw, positive, negative) if task == "binary" else raw
            except ValueError as problem:
                if skip:
                    continue
                raise Refused(f"{path}, line {number}: {problem}") from None
            yield Round(label, 1.0, features if bits is None else [hashed(f, bits) for f in features], values)


def _row(tokens: list[bytes]) -> tuple[float, list[Feature], list[float]]:
    raw = _number(tokens[0])
    features: list[Feature] = []
    values = []
    for token in tokens[1:]:
        name, colon, value = token.partition(b":")
        if name + colon == b"qid:":
            if _whole(value, LARGEST_QUERY) is None:
                raise ValueError(f"{_shown(token)} is not a query, such as qid:7")
            continue
        index = _whole(name, LARGEST_FEATURE)
        if not colon or index is None:
            raise ValueError(f"{_shown(token)} is not a feature, such as 3:0.5")
        features.append(index)
        values.append(_number(value))
    return raw, features, values


def _whole(token: bytes, largest: int) -> int | None:
    """A whole number from 0 to the largest; None if it is no such number."""
    found = _WHOLE.fullmatch(token)
    number = int(found[1] or 0) if found else None
    return None if number is None or number > largest else number


def _number(token: bytes) -> float:
    number = float(token) if _NUMBER.fullmatch(token) else math.nan
    if not math.isfinite(number):
        raise ValueError(f"{_shown(token)} is not a finite number")
    return number


def _shown(token: bytes) -> str:
    return repr(token.decode("utf-8", "replace"))


def _signed(raw: float, positive: float | None, negative: list[float]) -> float:
    """−1 or +1: 1 is positive and −1 or 0 negative, or only `positive` is positive."""
    if positive is not None:
        return 1.0 if raw == positive else -1.0
    if raw not in (1.0, 0.0, -1.0):
        raise ValueError(f"the label is {raw:g}; it must be 1 or -1, or 1 and 0")
    if raw != 1.0:
        negative[:] = negative or [raw]
        if raw != negative[0]:
            raise ValueError("labels are -1 and 0 in one file")
    return 1.0 if raw == 1.0 else -1.0


def stored_rounds(stored: dict[str, Any]) -> list[Round]:
    """The rounds that a certificate carries with it; a row without features has those of the row before."""
    names = stored.get("names")
    found: list[Round] = []
    features: list[Feature] = []
    for label, weight, columns, values in stored["rows"]:
        if columns is not None:
            features = [names[c] for c in columns] if names else columns
        found.append(Round(label, float(weight), features, [float(v) for v in values]))
    return found
