"""What commands print and write."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from noregret.certificate import Certificate, Verdict, shown
from noregret.cli.cells import Cells, dim, seen
from noregret.model_file import require_outputs, write_whole

COLOURS = {Verdict.HOLDS: "green", Verdict.SILENT: "yellow", Verdict.BROKEN: "bold red"}


class Output:
    """Where a command talks: tables on standard output, or JSON there and nothing else."""

    def __init__(
        self,
        json_to: str | None,
        quiet: bool,
        outputs: Sequence[Path | None] = (),
        inputs: Sequence[Path | str | None] = (),
    ) -> None:
        """With `--json -` the tables are left out. What will be written is checked beforehand."""
        self.json_to = json_to
        json_file = None if json_to in (None, "-") else Path(json_to or "")
        files = [path for path in (*outputs, json_file) if path is not None]
        require_outputs(files, [Path(path) for path in inputs if path is not None])
        self.silent = quiet or json_to == "-"
        width = None if sys.stdout.isatty() else 130
        self.console = Console(quiet=self.silent, highlight=False, width=width)

    def say(self, text: str = "") -> None:
        """Print a line."""
        self.console.print(Text(seen(text, lines=True)), soft_wrap=True)  # the terminal breaks lines itself

    def show(self, table: Table) -> None:
        """Print a table."""
        self.console.print(table)

    def write(self, result: Any) -> None:
        """Write the result as JSON where it was asked for."""
        if self.json_to is None:
            return
        text = json.dumps(_plain(result), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        if self.json_to == "-":
            sys.stdout.write(text)
        else:
            write_whole(Path(self.json_to), text.encode())


def table(title: str, *columns: str) -> Table:
    """Make a table: the first column to the left, numbers to the right."""
    made = Cells(
        title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False
    )
    for k, column in enumerate(columns):
        made.add_column(column, justify="left" if k == 0 else "right", overflow="fold")
    return made


def coloured(verdict: Verdict) -> Text:
    """Write a verdict in its colour."""
    return Text(str(verdict), style=COLOURS[verdict])


def share(number: float | None) -> str:
    """Write a share as a percentage."""
    return "–" if number is None else f"{100 * number:.2f}%"


def certificates_table(rows: list[tuple[str, Certificate]]) -> Table:
    """List certificates with their reasons."""
    made = table("Certificates", "learner", "theorem", "verdict", "why")
    for column in made.columns:
        column.justify = "left"
    for name, certificate in rows:
        silent = certificate.verdict is Verdict.SILENT
        why = certificate.reason if silent else f"{certificate.about}: {certificate.reason}"
        note = f" ({certificate.note})" if certificate.note else ""
        told = Text.assemble(seen(why), dim(note))
        made.add_row(name, certificate.theorem, coloured(certificate.verdict), told)
    return made


def leading(certificates: list[Certificate]) -> Certificate | None:
    """Choose the certificate for the summary: broken first, then the least bound on mistakes."""
    broken = [c for c in certificates if c.verdict is Verdict.BROKEN]
    about = [c for c in certificates if c.about == "mistakes"] or certificates
    return min(broken or about, key=lambda c: math.inf if c.bound is None else c.bound, default=None)


def bound_and_verdict(certificates: list[Certificate]) -> tuple[str, str | Text]:
    """Give the two cells of the summary."""
    chosen = leading(certificates)
    return ("–", "–") if chosen is None else (shown(chosen.bound), coloured(chosen.verdict))


def _plain(value: Any) -> Any:
    """Make data that JSON can hold: no NaN, no infinity, no numpy."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value.item() if hasattr(value, "item") else value
