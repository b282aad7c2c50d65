"""Small HTML for notebooks: every text in it is escaped."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

_CELL = "text-align:left; padding:0 1em 0 0"


def table(title: str, rows: Iterable[Sequence[str]], header: Sequence[str] = ()) -> str:
    """A titled table.

    >>> table("a < b", [("x", "1")])[:29]
    '<div><strong>a &lt; b</strong'
    """
    head = "".join(f'<th style="{_CELL}">{html.escape(cell)}</th>' for cell in header)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{html.escape(cell)}</td>' for cell in row) + "</tr>"
        for row in rows
    )
    top = f"<thead><tr>{head}</tr></thead>" if header else ""
    return f"<div><strong>{html.escape(title)}</strong><table>{top}<tbody>{body}</tbody></table></div>"
