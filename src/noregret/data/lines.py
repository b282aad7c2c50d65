"""Text, line by line, with its encoding checked."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from pathlib import Path

from noregret.data.libsvm import blocks
from noregret.data.stream import printable
from noregret.errors import BadFile, BadInput

_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def lines(
    path: Path, encoding: str | None, fault: Callable[[BadInput], None]
) -> Iterator[tuple[int, str, int]]:
    """Yield the number of a line, its text without the line end, and how many bytes were read for it."""
    number = 0
    for block, consumed in text_blocks(path, encoding):
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
                        f"say how the text is written: --encoding latin-1, for example"
                    )
                )
                continue
            yield number, text, taken
            taken = 0


def text_blocks(path: Path, encoding: str | None) -> Iterator[tuple[bytes, int]]:
    """Yield blocks of whole lines in UTF-8, whatever the file is written in."""
    if encoding is None or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii"):
        for first, (block, consumed) in enumerate(blocks(path)):
            if first == 0 and block[:2] in _MARKS:
                raise BadFile(
                    f"{path}: the text is {_MARKS[block[:2]]}; say so: --encoding {_MARKS[block[:2]]}"
                )
            yield block, consumed
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    left = ""
    try:
        for block, consumed in blocks(path):
            text = left + decoder.decode(block)
            cut = text.rfind("\n") + 1
            left = text[cut:]
            if cut:
                yield text[:cut].encode(), consumed
        left += decoder.decode(b"", final=True)
    except UnicodeDecodeError as problem:
        raise BadFile(f"{path}: byte {problem.start} of a block is not {encoding} text") from None
    if left:
        yield left.encode(), 0
