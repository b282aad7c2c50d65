"""The format of Vowpal Wabbit: ``label importance 'tag |space:scale name:value name …``, a row a line.

A feature of the namespace ``space`` is called ``space^name``; one of the nameless namespace has its
name alone. A line without a label is predicted and not learned from; the importance is the weight
with which a row is learned; a first prediction and a tag are read and not used.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from noregret import _core
from noregret.data.text import Parse, TextStream


class VwStream(TextStream):
    """The rows of files in Vowpal Wabbit's format."""

    format = "vw"
    takes = frozenset(("bits", "encoding"))

    def parser(self, path: Path, start: memoryview) -> tuple[Parse, memoryview]:
        """Give the parser, which is the same for every file."""
        return partial(_core.parse_vw, names=self.vocabulary(), skip=self.skip, bits=self.bits), start
