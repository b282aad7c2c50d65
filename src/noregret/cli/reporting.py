"""`--report`: the page, or the pictures, of a run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from noregret.cli import signals

if TYPE_CHECKING:
    from noregret.cli.baselines import Baselines
    from noregret.cli.output import Output

given: list[str] = []  # the arguments of this command, for the page to tell


def command() -> str:
    """The command that is running, as it would be typed again."""
    return shlex.join(["noregret", *given])


def require_report(path: Path | None) -> None:
    """Refuse a report that could not be made, before the work is done."""
    if path is None:
        return
    from noregret.report.page import require_extra, require_kind

    require_kind(path)
    require_extra()


def write_report(
    output: Output,
    path: Path,
    title: str,
    runs: Sequence[tuple[Any, ...]],
    baselines: Baselines | None = None,
    comparisons: Any = None,
) -> None:
    """Write the page, or for .svg and .png its pictures, unless a person does not want to wait for them."""
    from noregret.cli.progress import working
    from noregret.report.figures import SIDES
    from noregret.report.run import Told, results, run_page

    rows: list[tuple[str, list[str]]] = []
    sides = SIDES
    if baselines is not None:
        rows = [(one.name, [f"{one.mistakes:,}", f"{one.mistake_rate:.2%}"]) for one in baselines.rows()]
        rows += [(ledger.learner, results(ledger)) for ledger in baselines.ledgers()]
        sides = baselines.labels.sides or SIDES
    try:
        with working("drawing the report", output.silent):
            run_page(title, command(), [Told(*one) for one in runs], rows, sides, comparisons).write(path)
    except KeyboardInterrupt:
        signals.tell("the report was not written")
    else:
        output.say(f"wrote {path}")
