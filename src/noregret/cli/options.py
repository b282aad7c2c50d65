"""Options that several commands share, written once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

LISTED = "; commas separate, a name that has one stands in double quotes."
Data = Annotated[
    list[Path] | None,
    typer.Argument(
        help="Data files or patterns, played in this order as one stream; - is standard input.",
        readable=False,  # whoever opens it says so, as of any other bad file
        show_default=False,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        help="libsvm, vw, csv, tsv, arff, jsonl, parquet, arrow, feather, npz or nrb.",
        show_default="recognised",
    ),
]
Label = Annotated[
    str | None,
    typer.Option(
        "--label",
        help="The column of the labels.",
        show_default="the one called label, class, target or y",
    ),
]
Positive = Annotated[
    str | None,
    typer.Option(
        "--positive",
        help="The label that counts as +1; every other is −1.",
        show_default="1, against −1 or 0",
    ),
]
Numeric = Annotated[
    list[str] | None,
    typer.Option("--numeric", help=f"These columns are numbers{LISTED}", show_default=False),
]
Categorical = Annotated[
    list[str] | None,
    typer.Option(
        "--categorical", help=f"These columns are words, numbers or not{LISTED}", show_default=False
    ),
]
Text = Annotated[
    list[str] | None,
    typer.Option("--text", help=f"These columns are text, each word a feature{LISTED}", show_default=False),
]
Drop = Annotated[
    list[str] | None, typer.Option("--drop", help=f"Leave these columns out{LISTED}", show_default=False)
]
Bits = Annotated[
    int | None,
    typer.Option(
        "--bits", help="Hash the names of features into 2^bits numbers.", show_default="names are kept"
    ),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header", help="A table begins with the names of its columns.", show_default="found out"
    ),
]
Encoding = Annotated[
    str | None, typer.Option("--encoding", help="How the text is written.", show_default="UTF-8")
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
CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        help="Write what the theorems say, for `noregret verify` to check.",
        show_default=False,
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        help="Write a page with the pictures of the run (.html), or the pictures alone (.svg, .png).",
        show_default=False,
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
