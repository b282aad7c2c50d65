"""What `noregret run --to-batch` does: a fixed predictor of each run, its bound, and what was observed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from noregret.cli import summary
from noregret.cli.output import share, table
from noregret.conversion.converted import Conversion
from noregret.conversion.to_batch import to_batch
from noregret.ledger import Ledger
from noregret.model_file import save

if TYPE_CHECKING:
    from pathlib import Path

    from noregret.cli.running import Run


def converted_runs(run: Run, method: str, ledgers: list[Ledger]) -> list[dict[str, Any]]:
    """Convert every run, show them, and give them as plain data."""
    found = [
        to_batch(ledger, method, test=run.test_stream() if run.test is not None else None)
        for ledger in ledgers
    ]
    heading = found[0].bound.heading
    shown = table(f"To batch: {method}", "learner", heading, "confidence", "observed on the test data")
    for one in found:
        shown.add_row(one.learner, share(one.bound.value), share(1.0 - one.bound.delta), share(one.observed))
    run.output.say()
    run.output.show(shown)
    run.output.say(f"({found[0].bound.statement})")
    if run.save is not None:
        _save(run, run.save, found, ledgers)
    return [one.as_json() for one in found]


def _save(run: Run, path: Path, made: list[Conversion], ledgers: list[Ledger]) -> None:
    """Save the predictor of the run with the fewest mistakes."""
    best, why = summary.best(ledgers)
    reading = getattr(run.stream, "settled", None)
    save(made[best], path, labels=run.labels, reading=reading, complete=ledgers[best].complete)
    told = f", which had {why}," if len(ledgers) > 1 else ""
    run.output.say(f"saved the {made[best].spec}{told} to {path}")
