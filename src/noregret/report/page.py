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
from noregret.errors import BadCommand, BadInput, MissingExtra
from noregret.report.look import DRAW, LOOK, STYLE
from noregret.report.words import in_words
from noregret.whole_file import utf8, write_whole

_EXPOSE = "window.vegaEmbed = vegaEmbed;"
KINDS = (".html", ".svg", ".png")
WIDTH = 640  # of a figure by itself
_NOT_DRAWN = re.compile("[^\t\n\r\x20-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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
        title = f"{certificate.theorem}: {certificate.verdict_in_words.upper()}{of and f' ({of})'}"
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
            f"<style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n" + "\n".join(self.parts) + "\n"
            f"<script>{_library()}</script>\n"
            f"<script>\nconst look = {_in_script(LOOK)};\nconst charts = {_in_script(self._wide())};{DRAW}"
            "</script></body></html>\n"
        )

    def _wide(self) -> list[dict[str, Any]]:
        """The charts as wide as the page; their titles stand above them, and are read to who cannot see."""
        specs = [drawable(chart.properties(width="container").to_dict()) for chart in self.charts]
        return [spec | {"title": None, "description": spec["title"]} for spec in specs]

    def picture(self) -> Any:
        """All charts, one below the other."""
        return stacked(self.charts)

    def write(self, path: Path) -> None:
        """Write the page, or for .svg and .png its pictures, whole or not at all."""
        require_kind(path)
        kind = path.suffix.lower()
        if kind == ".html":
            write_whole(path, utf8(self.text()))
        else:
            write_whole(path, _drawn(self.picture().to_dict(), kind))


def drawable(spec: Any) -> Any:
    """Take out of all words of a chart what has no place in a picture: characters that XML or Vega lack."""
    if isinstance(spec, str):
        return _NOT_DRAWN.sub("\N{REPLACEMENT CHARACTER}", spec)
    if isinstance(spec, dict):
        return {drawable(key): drawable(value) for key, value in spec.items()}
    return [drawable(one) for one in spec] if isinstance(spec, list) else spec


def _drawn(spec: dict[str, Any], kind: str) -> bytes:
    """The picture in the bytes of a file of this kind."""
    text = json.dumps(drawable(spec))
    try:
        if kind == ".svg":
            return bytes(_converter().vegalite_to_svg(text).encode())
        return bytes(_converter().vegalite_to_png(text, scale=2.0))
    except ValueError as problem:
        raise BadInput(f"the pictures cannot be drawn ({str(problem).splitlines()[0]})") from None


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
    text = json.dumps(data, allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
