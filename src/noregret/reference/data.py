"""The rounds that a certificate speaks of: those of its data files, or those that it carries with it.

Libsvm text is read here, in plain Python. For any other format whoever calls the verifier lends a reader;
`noregret verify` lends those that the run itself used. What is read is held against the fingerprint.
"""

from __future__ import annotations

import glob
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .fingerprint import fingerprint
from .rounds import Refused, Round, read_libsvm, stored_rounds

MOST_BITS = 30
ZSTD = b"\x28\xb5\x2f\xfd"
TASKS = ("binary", "multiclass", "regression")

Reader = Callable[[Mapping[str, Any], Sequence[Path]], Iterable[Round]]  # of how it was read, and the files


def rounds_of(told: Mapping[str, Any], paths: Sequence[Path], reader: Reader | None) -> list[Round]:
    """The rounds, after it was seen that they are those of the certificate."""
    data, play = told["data"], told["play"]
    if data.get("stored") is not None:
        if paths:
            raise Refused("this certificate carries its rounds itself: verify it without data")
        rounds = stored_rounds(data["stored"])
    elif not paths:
        raise Refused(
            f"this certificate speaks of {', '.join(data['names'])}: give the data after the certificate"
        )
    else:
        rounds = list(_read(play, _found(paths), reader))
    require_data(told, fingerprint(rounds), len(rounds))
    return rounds


def skips(play: Mapping[str, Any]) -> bool:
    """Whether bad rows were passed over."""
    if play["on_bad_row"] not in ("stop", "skip"):
        raise Refused(f"on_bad_row is {play['on_bad_row']!r}; it must be stop or skip")
    return bool(play["on_bad_row"] == "skip")


def require_data(told: Mapping[str, Any], found: str, count: int) -> None:
    """Refuse data that the certificate does not speak of."""
    data = told["data"]
    if count != data["rounds"]:
        raise Refused(
            f"this is other data: it has {count:,} rounds, and the certificate speaks of {data['rounds']:,}"
        )
    if found != data["fingerprint"]:
        raise Refused(
            f"this is other data, or it was changed: its fingerprint is {found[:23]}…, and that of the "
            f"certificate {data['fingerprint'][:23]}…"
        )


def _read(play: Mapping[str, Any], paths: list[Path], reader: Reader | None) -> Iterable[Round]:
    bits, task = play["reading"]["bits"], play["task"]
    if bits is not None and not 1 <= bits <= MOST_BITS:
        raise Refused(f"bits is {bits}; it must be from 1 to {MOST_BITS}")
    if task not in TASKS:
        raise Refused(f"the task is {task!r}; it is one of {', '.join(TASKS)}")
    if reads_itself(play, paths):
        return read_libsvm(paths, play["positive"], skips(play), bits, task)
    if reader is None:
        raise Refused(
            f"the data was read as {play['format']}, and by itself this verifier reads libsvm text (plain, "
            "gz, bz2 or xz): `noregret verify` reads the others"
        )
    return reader(play, paths)


def reads_itself(play: Mapping[str, Any], paths: Sequence[Path]) -> bool:
    """Whether no other reader is needed."""
    utf8 = str(play["reading"]["encoding"] or "utf-8").lower() in ("utf-8", "utf8", "ascii")
    return play["format"] == "libsvm" and utf8 and not any(map(_is_zstd, paths))


def _is_zstd(path: Path) -> bool:
    """Whether the standard library cannot unpack it."""
    try:
        with path.open("rb") as file:
            return file.read(4) == ZSTD
    except OSError:
        return False  # whoever reads it says so


def _found(paths: Sequence[Path]) -> list[Path]:
    """The files that are meant; a pattern stands for those that match, in the order of their names."""
    files: list[Path] = []
    for path in paths:
        if path.exists() or not glob.has_magic(str(path)):
            files.append(path)
            continue
        folder = Path(path.anchor or ".")
        files += sorted(folder.glob(str(path.relative_to(path.anchor)))) or [path]
    return files
