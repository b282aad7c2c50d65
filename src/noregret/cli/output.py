"""What commands print and write."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from noregret.certificate import Certificate, Verdict, counted, shown
from noregret.cli.cells import Cells, dim, fit, seen
from noregret.errors import BadCommand
from noregret.whole_file import require_outputs, utf8, whole_file

STDOUT = Path("-")
COLOURS = {Verdict.HOLDS: "green", Verdict.SILENT: "yellow", Verdict.BROKEN: "bold red"}


class Output:
    """Where a command talks: tables on standard output, or there JSON or rows and nothing else."""

    def __init__(
        self,
        json_to: str | None,
        quiet: bool,
        outputs: Sequence[Path | None] = (),
        inputs: Sequence[Path | str | None] = (),
        rows: Sequence[Path | None] = (),
    ) -> None:
        """What will be written is checked beforehand: JSON and `rows` may be `-`, the other outputs not.

        Whichever of them goes to standard output has it for itself: the tables are left out.
        """
        self.json_to = json_to
        texts = [path for path in (*rows, None if json_to is None else Path(json_to)) if path is not None]
        if texts.count(STDOUT) > 1:
            raise BadCommand("standard output (-) takes one output only; give the other a file")
        files = [path for path in outputs if path is not None]
        if STDOUT in files:
            raise BadCommand(
                "only answers and JSON go to standard output (-); the rest is a file: give it a name"
            )
        files += [path for path in texts if path != STDOUT]
        require_outputs(files, [Path(path) for path in inputs if path is not None])
        self.silent = quiet or STDOUT in texts
        width = None if sys.stdout.isatty() else 130
        self.console = Console(quiet=self.silent, highlight=False, width=width)

    def say(self, text: str = "") -> None:
        """Print a line."""
        self.console.print(Text(seen(text, lines=True)), soft_wrap=True)  # the terminal breaks lines itself

    def skipped(self, rows: int, faults: Sequence[str] = ()) -> None:
        """Say how many bad rows were passed over, if any, and what was wrong with the first few."""
        if rows:
            self.say("\n  ".join((f"skipped: {counted(rows, 'bad row')}", *faults)))

    def show(self, table: Table, spare: Sequence[str] = ()) -> None:
        """Print a table; on a narrow terminal without its `spare` columns, as far as need be."""
        fit(table, self.console, spare)
        self.console.print(table)

    def write(self, result: Any) -> None:
        """Write the result as JSON where it was asked for."""
        if self.json_to is None:
            return
        path = Path(self.json_to)
        ascii = path == STDOUT and not _takes_all(sys.stdout)
        text = json.dumps(_plain(result), indent=2, ensure_ascii=ascii, allow_nan=False) + "\n"
        with text_to(path) as write:
            write(text)


@contextmanager
def text_to(path: Path) -> Iterator[Callable[[str], object]]:
    """Lend a way to write text: to a file that appears whole, or to standard output as it comes."""
    if path == STDOUT:
        yield to_stdout
    else:
        with whole_file(path) as file:
            yield lambda text: file.write(utf8(text))


def to_stdout(text: str) -> None:
    """Write what whoever reads it need not wait for."""
    sys.stdout.write(text)
    sys.stdout.flush()


def _takes_all(output: TextIO) -> bool:
    """Whether an output takes every character; a terminal or a pipe may be of an older alphabet."""
    return "utf" in (output.encoding or "utf-8").lower()


def table(title: str, *columns: str, words: Sequence[str] = ()) -> Table:
    """Make a table: the first column and those of words to the left, numbers to the right and never cut."""
    made = Cells(
        title=title, title_justify="left", title_style="bold", header_style="bold", box=None, pad_edge=False
    )
    for k, column in enumerate(columns):
        if k == 0 or column in words:
            made.add_column(column, overflow="fold")
        else:
            made.add_column(column, justify="right", no_wrap=True)
    return made


def coloured(verdict: Verdict, vacuous: bool = False) -> Text:
    """Write a verdict in its colour; that of a bound which says nothing is marked."""
    return Text(
        f"{verdict}, vacuous" if vacuous else str(verdict), style="dim" if vacuous else COLOURS[verdict]
    )


def share(number: float | None) -> str:
    """Write a share as a percentage."""
    return "–" if number is None else f"{100 * number:.2f}%"


def certificates_table(rows: list[tuple[str, Certificate]]) -> Table:
    """List certificates with their reasons."""
    made = table("Certificates", "learner", "theorem", "verdict", "why", words=("theorem", "why"))
    made.columns[2].justify = "left"
    for name, certificate in rows:
        silent = certificate.verdict is Verdict.SILENT
        why = certificate.reason if silent else f"{certificate.about}: {certificate.reason}"
        note = f" ({certificate.note})" if certificate.note else ""
        told = Text.assemble(seen(why), dim(note))
        made.add_row(name, certificate.theorem, coloured(certificate.verdict, certificate.vacuous), told)
    return made


def leading(certificates: list[Certificate]) -> Certificate | None:
    """Choose the certificate for the summary: broken first, then the least bound on mistakes."""
    broken = [c for c in certificates if c.verdict is Verdict.BROKEN]
    about = [c for c in certificates if c.about == "mistakes"] or certificates
    return min(broken or about, key=lambda c: math.inf if c.bound is None else c.bound, default=None)


def bound_and_verdict(certificates: list[Certificate]) -> tuple[str, str | Text]:
    """Give the two cells of the summary."""
    chosen = leading(certificates)
    return ("–", "–") if chosen is None else (shown(chosen.bound), coloured(chosen.verdict, chosen.vacuous))


def _plain(value: Any) -> Any:
    """Make data that JSON can hold: no NaN, no infinity, no numpy."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value.item() if hasattr(value, "item") else value
