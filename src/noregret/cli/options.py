"""Options that several commands share, written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Data = Annotated[
    list[Path] | None,
    typer.Argument(help="Data files, played in this order as one stream.", show_default=False),
]
Format = Annotated[str, typer.Option("--format", help="The format of the data.")]
Positive = Annotated[
    float | None,
    typer.Option(
        "--positive",
        help="The label that counts as +1; every other is −1. [default: 1, against −1 or 0]",
        show_default=False,
    ),
]
OnBadRow = Annotated[
    str, typer.Option("--on-bad-row", help="What to do with a bad row: stop, or skip and count it.")
]
Json = Annotated[
    str | None,
    typer.Option(
        "--json", help="Write the result as JSON to a file; - is standard output.", show_default=False
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        help="Write a page with the pictures of the run (.html), or the main picture (.svg, .png).",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
