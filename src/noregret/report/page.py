"""A page: text, tables and charts in one HTML file.

Nothing in it is fetched, and no name in the data becomes code.
"""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from noregret.errors import MissingExtra
from noregret.model_file import write_whole

_EXPOSE = "window.vegaEmbed = vegaEmbed;"
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color:
#222; } table { border-collapse: collapse; margin: 1rem 0; }
td, th { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; }
"""


@dataclass
class Page:
    """Put together part by part, then written whole."""

    title: str
    parts: list[str] = field(default_factory=list)
    charts: list[dict[str, Any]] = field(default_factory=list)

    def heading(self, text: str) -> None:
        """Add a heading."""
        self.parts.append(f"<h2>{html.escape(text)}</h2>")

    def say(self, text: str) -> None:
        """Add a paragraph."""
        self.parts.append(f"<p>{html.escape(text)}</p>")

    def table(self, header: list[str], rows: list[list[str]]) -> None:
        """Add a table of text cells."""
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        self.parts.append(f"<table><tr>{head}</tr>{body}</table>")

    def chart(self, chart: Any) -> None:
        """Add an Altair chart."""
        self.parts.append(f'<div id="chart{len(self.charts)}"></div>')
        self.charts.append(chart.to_dict())

    def text(self) -> str:
        """Give the whole page."""
        calls = "".join(
            f'vegaEmbed("#chart{k}", {_in_script(chart)}, {{"actions": false}});\n'
            for k, chart in enumerate(self.charts)
        )
        title = html.escape(self.title)
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n" + "\n".join(self.parts) + "\n"
            f"<script>{_library()}</script>\n<script>\n{calls}</script></body></html>\n"
        )

    def write(self, path: Path) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.text().encode())


def altair() -> Any:
    """Import altair, or say what to install."""
    try:
        import altair
    except ImportError:
        raise MissingExtra("reports need altair: pip install 'noregret[report]'") from None
    return altair


def vl_convert() -> Any:
    """Import vl-convert, or say what to install."""
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra("reports need vl-convert-python: pip install 'noregret[report]'") from None
    return vl_convert


def require_extra() -> None:
    """Say what to install before the work is done, not after."""
    altair()
    vl_convert()


def _library() -> str:
    """The drawing library itself, so that the page needs no network."""
    return str(vl_convert().javascript_bundle(_EXPOSE)).replace("</script", "<\\/script")


def _in_script(data: Any) -> str:
    """JSON that cannot end the script it stands in."""
    return json.dumps(data).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
