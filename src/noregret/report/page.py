"""A page: text, tables and charts in one HTML file.

Nothing in it is fetched, and no name in the data becomes code. It follows the reader's choice of
light or dark, and the charts are as wide as the page.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from noregret.certificate import Certificate
from noregret.errors import BadCommand, MissingExtra
from noregret.model_file import write_whole
from noregret.report.words import in_words

_EXPOSE = "window.vegaEmbed = vegaEmbed;"
_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --faint: #ddd; --soft: #666; --card: #f6f7f9;
  --good: #17692f; --quiet: #8a5a00; --bad: #b00020; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e6e6; --paper: #16181c; --faint: #3a3d44;
  --soft: #a0a4ad; --card: #1f2228; --good: #6bd08a; --quiet: #f0b429; --bad: #ff7a85; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem;
  color: var(--ink); background: var(--paper); }
h1, h2, h3, p, figcaption { overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.25; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 .5rem; padding-top: .8rem; border-top: 1px solid var(--faint); }
h3 { font-size: 1rem; margin: .4rem 0; }
.table { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; }
td, th { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid var(--faint); white-space: nowrap;
  vertical-align: top; font-variant-numeric: tabular-nums; }
td:first-child, th:first-child { text-align: left; padding-left: 0; white-space: normal;
  overflow-wrap: anywhere; min-width: 7rem; }
figure { margin: 1.4rem 0; }
figcaption { font-weight: 600; margin-bottom: .3rem; }
td:last-child, th { white-space: normal; }
.chart.vega-embed { display: block; }
.chart { width: 100%; min-height: 6rem; }
.certificate { border-left: .3rem solid var(--faint); background: var(--card); padding: .4rem 1rem;
  margin: 1rem 0; }
.certificate p { margin: .4rem 0; }
.certificate p.small { color: var(--soft); font-size: 13px; }
.holds { border-color: var(--good); }
.silent { border-color: var(--quiet); }
.broken { border-color: var(--bad); }
pre { background: var(--card); padding: .5rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 600px) { body { margin: 1rem auto; } h1 { font-size: 1.35rem; } table { font-size: 13px; }
  td, th { padding: .2rem .35rem; } }
"""
LOOK: dict[str, Any] = {  # of the pictures, in the page and by themselves
    "axis": {"labelFontSize": 12, "titleFontSize": 12, "titleFontWeight": "normal", "gridOpacity": 0.35},
    "legend": {"labelFontSize": 13, "symbolSize": 130, "symbolStrokeWidth": 3, "columnPadding": 14},
    "view": {"stroke": None},
}
# The theme is chosen when the page is opened; a chart is drawn again when the reader changes it.
_DRAW = """
const night = window.matchMedia("(prefers-color-scheme: dark)");
function draw() {
  const options = {actions: false, renderer: "svg", theme: night.matches ? "dark" : undefined,
    config: {background: "transparent", ...look}};
  return Promise.all(charts.map((spec, k) => vegaEmbed("#chart" + k, spec, options)));
}
night.addEventListener("change", draw);
draw().then(() => document.body.setAttribute("data-drawn", charts.length));
"""
KINDS = (".html", ".svg", ".png")
WIDTH = 640  # of a figure by itself


@dataclass
class Page:
    """Put together part by part, then written whole."""

    title: str
    parts: list[str] = field(default_factory=list)
    charts: list[Any] = field(default_factory=list)
    chapter: str = ""

    def heading(self, text: str) -> None:
        """Add a heading."""
        self.chapter = text
        self.parts.append(f"<h2>{html.escape(text)}</h2>")

    def say(self, text: str) -> None:
        """Add a paragraph."""
        self.parts.append(f"<p>{html.escape(text)}</p>")

    def command(self, text: str) -> None:
        """Add a command that can be given again."""
        self.parts.append(f"<pre><code>{html.escape(text)}</code></pre>")

    def certificate(self, certificate: Certificate, rounds: float = math.inf, of: str = "") -> None:
        """Add a certificate in words, coloured by its verdict; `of` says whose it is."""
        sentences, small = in_words(certificate, rounds)
        title = f"{certificate.theorem}: {str(certificate.verdict).upper()}{of and f' ({of})'}"
        told = "".join(f"<p>{html.escape(one)}</p>" for one in sentences)
        told += "".join(f'<p class="small">{html.escape(one)}</p>' for one in small)
        self.parts.append(
            f'<div class="certificate {certificate.verdict}"><h3>{html.escape(title)}</h3>{told}</div>'
        )

    def table(self, header: list[str], rows: list[list[str]]) -> None:
        """Add a table of text cells."""
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{_breakable(cell)}</td>" for cell in row) + "</tr>" for row in rows
        )
        self.parts.append(f'<div class="table"><table><tr>{head}</tr>{body}</table></div>')

    def chart(self, title: str, chart: Any) -> None:
        """Add an Altair chart, as wide as the page."""
        caption, place = f"<figcaption>{html.escape(title)}</figcaption>", len(self.charts)
        self.parts.append(f'<figure>{caption}<div class="chart" id="chart{place}"></div></figure>')
        self.charts.append(chart.properties(title=f"{self.chapter}: {title}" if self.chapter else title))

    def text(self) -> str:
        """Give the whole page."""
        title = html.escape(self.title)
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<link rel="icon" href="data:,">'
            f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n" + "\n".join(self.parts) + "\n"
            f"<script>{_library()}</script>\n"
            f"<script>\nconst look = {_in_script(LOOK)};\nconst charts = {_in_script(self._wide())};{_DRAW}"
            "</script></body></html>\n"
        )

    def _wide(self) -> list[dict[str, Any]]:
        """The charts as wide as the page; their titles stand above them as text."""
        return [_untitled(chart.properties(width="container").to_dict()) for chart in self.charts]

    def picture(self) -> Any:
        """All charts, one below the other."""
        return stacked(self.charts)

    def write(self, path: Path) -> None:
        """Write the page, or for .svg and .png its pictures, whole or not at all."""
        require_kind(path)
        kind = path.suffix.lower()
        if kind == ".html":
            write_whole(path, self.text().encode())
        elif kind == ".svg":
            write_whole(path, _converter().vegalite_to_svg(self.picture().to_json()).encode())
        else:
            write_whole(path, _converter().vegalite_to_png(self.picture().to_json(), scale=2.0))


def stacked(charts: Sequence[Any]) -> Any:
    """Charts one below the other, each with its own colours, in the look of the page."""
    columns = altair().vconcat(*(chart.properties(width=WIDTH) for chart in charts), spacing=30)
    return columns.resolve_scale(color="independent").configure(**LOOK)


def require_kind(path: Path) -> None:
    """Refuse a file that is neither a page nor a picture."""
    if path.suffix.lower() not in KINDS:
        raise BadCommand(f"{path}: a report ends in .html, a picture in .svg or .png")


def _breakable(cell: str) -> str:
    """Text whose lines may be broken behind the commas and colons of a spec, but not of a number."""
    return re.sub(r"([,:])(?=[^\d\s])", r"\1<wbr>", html.escape(cell))


def _untitled(spec: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in spec.items() if key != "title"}


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
