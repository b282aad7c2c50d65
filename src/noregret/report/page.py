"""A page: text, tables and charts in one HTML file.

Nothing in it is fetched, and no name in the data becomes code. It follows the reader's choice of
light or dark, and the charts are as wide as the page.
"""

from __future__ import annotations

import html
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from noregret.errors import BadCommand, MissingExtra
from noregret.model_file import write_whole

_EXPOSE = "window.vegaEmbed = vegaEmbed;"
_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --faint: #ddd; --good: #17692f;
  --quiet: #8a5a00; --bad: #b00020; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #16181c; --faint: #3a3d44;
  --good: #6bd08a; --quiet: #f0b429; --bad: #ff7a85; } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem;
  color: var(--ink); background: var(--paper); }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
td, th { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid var(--faint); }
td:first-child, th:first-child { text-align: left; }
.chart { width: 100%; min-height: 12rem; }
.certificate { border-left: .3rem solid var(--faint); padding: .2rem 1rem; margin: 1rem 0; }
.holds { border-color: var(--good); }
.silent { border-color: var(--quiet); }
.broken { border-color: var(--bad); }
code { overflow-wrap: anywhere; }
"""
# The theme is chosen when the page is opened; a chart is drawn again when the reader changes it.
_DRAW = """
const night = window.matchMedia("(prefers-color-scheme: dark)");
function draw() {
  const options = {actions: false, renderer: "svg", theme: night.matches ? "dark" : undefined,
    config: {background: "transparent", axis: {gridOpacity: 0.35}}};
  return Promise.all(charts.map((spec, k) => vegaEmbed("#chart" + k, spec, options)));
}
night.addEventListener("change", draw);
draw().then(() => document.body.setAttribute("data-drawn", charts.length));
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

    def command(self, text: str) -> None:
        """Add a command that can be given again."""
        self.parts.append(f"<p><code>{html.escape(text)}</code></p>")

    def certificate(self, verdict: str, title: str, sentences: list[str]) -> None:
        """Add a certificate in words, coloured by its verdict."""
        told = "".join(f"<p>{html.escape(one)}</p>" for one in sentences)
        self.parts.append(f'<div class="certificate {verdict}"><h3>{html.escape(title)}</h3>{told}</div>')

    def table(self, header: list[str], rows: list[list[str]]) -> None:
        """Add a table of text cells."""
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        self.parts.append(f"<table><tr>{head}</tr>{body}</table>")

    def chart(self, chart: Any) -> None:
        """Add an Altair chart, as wide as the page."""
        self.parts.append(f'<div class="chart" id="chart{len(self.charts)}"></div>')
        self.charts.append(chart.properties(width="container").to_dict())

    def text(self) -> str:
        """Give the whole page."""
        title = html.escape(self.title)
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<link rel="icon" href="data:,">'
            f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n" + "\n".join(self.parts) + "\n"
            f"<script>{_library()}</script>\n"
            f"<script>\nconst charts = {_in_script(self.charts)};{_DRAW}</script></body></html>\n"
        )

    def write(self, path: Path) -> None:
        """Write the page, whole or not at all."""
        write_whole(path, self.text().encode())


def write_picture(chart: Any, path: Path) -> None:
    """Write one figure as SVG or PNG, whole or not at all, without a browser."""
    converter, spec = _converter(), chart.to_json()
    if path.suffix == ".svg":
        write_whole(path, converter.vegalite_to_svg(spec).encode())
    elif path.suffix == ".png":
        write_whole(path, converter.vegalite_to_png(spec, scale=2.0))
    else:
        raise BadCommand(f"{path}: a report ends in .html, a picture in .svg or .png")


def require_extra() -> None:
    """Say what to install before the work is done, not after."""
    altair()
    _converter()


def altair() -> Any:
    """Import altair, or say what to install."""
    try:
        import altair
    except ImportError:
        raise MissingExtra("reports need altair: pip install 'noregret[report]'") from None
    return altair


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise MissingExtra("reports need vl-convert-python: pip install 'noregret[report]'") from None
    return vl_convert


def _library() -> str:
    """The drawing library itself, so that the page needs no network."""
    return str(_converter().javascript_bundle(_EXPOSE)).replace("</script", "<\\/script")


def _in_script(data: Any) -> str:
    """JSON that cannot end the script it stands in."""
    return json.dumps(data).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
