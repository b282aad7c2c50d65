"""Text on its way to a terminal: nothing in it is taken as markup, and no character as a command."""

from __future__ import annotations

import re

from rich.console import RenderableType
from rich.style import StyleType
from rich.table import Table
from rich.text import Text

# Control characters, marks that turn the direction of text, halves of characters (they cannot be written).
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def seen(text: str, *, lines: bool = False) -> str:
    """Write what cannot be seen as its number; with `lines` the ends of lines stay what they are."""
    return _UNSEEN.sub(lambda found: found[0] if lines and found[0] == "\n" else _number(found[0]), text)


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
