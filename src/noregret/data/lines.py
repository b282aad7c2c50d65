"""Text, line by line, with its encoding checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from noregret.data.reading import printable
from noregret.data.source import blocks
from noregret.errors import BadFile, BadInput


def lines(
    path: Path, encoding: str | None, fault: Callable[[BadInput], None]
) -> Iterator[tuple[int, str, int]]:
    """Yield the number of a line, its text without the line end, and how many bytes were read for it."""
    number = 0
    for block, consumed in blocks(path, encoding):
        taken = consumed
        for line in block.removesuffix(b"\n").split(b"\n"):
            number += 1
            try:
                text = line.removesuffix(b"\r").decode()
            except UnicodeDecodeError as problem:
                token = printable(repr(line[problem.start : problem.start + 8])[2:-1])
                fault(
                    BadFile(
                        f"{path}, line {number}, column {problem.start + 1}: '{token}': this is not UTF-8; "
                        f"say how the text is written: --encoding latin-1, in Python encoding='latin-1'"
                    )
                )
                continue
            yield number, text, taken
            taken = 0
