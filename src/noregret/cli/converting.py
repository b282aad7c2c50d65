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
    """Convert every run, show them, and give them as plain data.

    The user, and --save, choose among the predictors: the bounds of all of them hold at once.
    """
    made = [
        to_batch(
            ledger,
            method,
            test=run.test_stream() if run.test is not None else None,
            learners=len(ledgers),
        )
        for ledger in ledgers
    ]
    bounded = [one.bound for one in made if one.bound.value is not None]
    heading = (bounded or [made[0].bound])[0].heading
    confidence = "confidence" if len(made) == 1 else f"confidence, all {len(made)}"
    shown = table(f"To batch: {method}", "learner", heading, confidence, "observed on the test data")
    for one in made:
        shown.add_row(one.learner, share(one.bound.value), share(1.0 - one.bound.delta), share(one.observed))
    run.output.say()
    run.output.show(shown)
    for sentence in _statements(made):
        run.output.say(f"({sentence})")
    if run.save is not None:
        _save(run, run.save, made, ledgers)
    return [one.as_json() for one in made]


def _statements(made: list[Conversion]) -> list[str]:
    """The statement of every bound; that of all learners alike once, others with the learner."""
    if len({one.bound.statement for one in made}) == 1:
        return [made[0].bound.statement]
    return [f"{one.learner}: {one.bound.statement}" for one in made]


def _save(run: Run, path: Path, made: list[Conversion], ledgers: list[Ledger]) -> None:
    """Save the predictor of the run with the fewest mistakes."""
    best, why = summary.best(ledgers)
    reading = getattr(run.stream, "settled", None)
    save(made[best], path, labels=run.labels, reading=reading, complete=ledgers[best].complete)
    told = f", which had {why}," if len(ledgers) > 1 else ""
    run.output.say(f"saved the {made[best].spec}{told} to {path}")
