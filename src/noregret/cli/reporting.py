"""`--report`: the page, or the picture, of a run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noregret.errors import BadCommand

if TYPE_CHECKING:
    from noregret.certificate import Certificate
    from noregret.ledger import Ledger

KINDS = (".html", ".svg", ".png")

given: list[str] = []  # the arguments of this command, for the page to tell


def command() -> str:
    """The command that is running, as it would be typed again."""
    return shlex.join(["noregret", *given])


def require_report(path: Path | None) -> None:
    """Refuse a report that could not be made, before the work is done."""
    if path is None:
        return
    if path.suffix.lower() not in KINDS:
        raise BadCommand(f"{path}: a report ends in .html, a picture in .svg or .png")
    from noregret.report.page import require_extra

    require_extra()


def write_report(
    path: Path,
    title: str,
    runs: Sequence[tuple[Any, Ledger, list[Certificate]]],
    baselines: Sequence[tuple[str, int]],
) -> None:
    """Write the page, or for .svg and .png its main picture."""
    from noregret.report.page import write_picture
    from noregret.report.run import Told, mistakes_of, run_page

    told = [Told(*one) for one in runs]
    if path.suffix.lower() == ".html":
        run_page(title, command(), told, baselines).write(path)
    else:
        write_picture(mistakes_of(told).properties(width=640, title=title), path)
