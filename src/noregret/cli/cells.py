"""Text on its way to a terminal: nothing in it is taken as markup, and no character as a command."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console, RenderableType
from rich.style import StyleType
from rich.table import Table
from rich.text import Text

from noregret.data.spool import without_folders

# Control characters, marks that turn the direction of text, halves of characters (they cannot be written).
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_AMPLE = 10_000  # a width that no table has
_ROOM = 20  # what names and words have at the least, where the terminal is narrow


def seen(text: str, *, lines: bool = False) -> str:
    """Write what cannot be seen as its number; with `lines` the ends of lines stay what they are.

    What came through a pipe is called by the name of that.
    """
    return _UNSEEN.sub(
        lambda found: found[0] if lines and found[0] == "\n" else _number(found[0]), without_folders(text)
    )


def _number(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def dim(text: str) -> Text:
    """Make a cell that stands back."""
    return Text(seen(text), style="dim")


class Cells(Table):
    """A table whose cells are shown as they are."""

    def add_row(
        self,
        *cells: RenderableType | None,
        style: StyleType | None = None,
        end_section: bool = False,
    ) -> None:
        """Add a row; the style of a cell comes as Text, never as markup in a string."""
        shown = [Text(seen(cell)) if isinstance(cell, str) else cell for cell in cells]
        super().add_row(*shown, style=style, end_section=end_section)


def fit(table: Table, console: Console, spare: Sequence[str]) -> None:
    """Make a table fit: headings one word a line, then one spare column less after the other."""
    if _width(table, console) > console.width:
        for column in table.columns:
            column.header = str(column.header).replace(" ", "\n") if column.no_wrap else column.header
    for heading in spare:
        if _width(table, console) <= console.width:
            return
        left = [column for column in table.columns if column.header != heading.replace(" ", "\n")]
        # A column knows its place, and whether there is room to its right.
        table.columns = [replace(column, _index=k) for k, column in enumerate(left)]


def _width(table: Table, console: Console) -> int:
    """How wide a table is when names and words are folded."""
    folded = [column for column in table.columns if not column.no_wrap]
    for column in folded:
        column.max_width = _ROOM
    width = console.measure(table, options=console.options.update(width=_AMPLE)).maximum
    for column in folded:
        column.max_width = None
    return width
