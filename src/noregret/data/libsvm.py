"""The libsvm format: ``label index:value index:value … # comment``, a row a line."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from noregret import _core
from noregret.data.text import Parse, TextStream


class LibsvmStream(TextStream):
    """The rows of libsvm files; a query, ``qid:7``, is no feature: it stands in the `groups` of a batch."""

    format = "libsvm"
    takes = frozenset(("bits", "encoding"))

    def parser(self, path: Path, start: memoryview) -> tuple[Parse, memoryview]:
        """Give the parser, which is the same for every file."""
        return partial(_core.parse_libsvm, skip=self.skip, bits=self.bits), start
