"""What `noregret run` says when it is done: the tables, and the same as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from noregret.certificate import Certificate, counted
from noregret.cli import summary
from noregret.cli.cells import dim
from noregret.cli.output import bound_and_verdict, certificates_table, share, table
from noregret.cli.panels import panel_as_json, show_members
from noregret.cli.testing import Tested
from noregret.data.cache import CacheStream, CachingStream
from noregret.data.features import MOST_NAMES
from noregret.data.stream import DataStream
from noregret.errors import MOST_FAULTS
from noregret.ledger import Ledger
from noregret.panel.panel import Panel

if TYPE_CHECKING:
    from noregret.cli.running import Run


def show_run(
    run: Run, ledgers: list[Ledger], certificates: list[list[Certificate]], tested: list[Tested]
) -> None:
    """Print what was read, how the learners did, and what their theorems say."""
    _show_reading(run, ledgers)
    _show_summary(run, ledgers, certificates, tested)
    for one, ledger, many in zip(run.learners, ledgers, certificates, strict=True):
        if isinstance(one, Panel):
            show_members(run.output, one, ledger, run.all_members, certified=bool(many))
    told = [(run.learners[k].spec, c) for k, many in enumerate(certificates) for c in many]
    if told:
        run.output.say()
        run.output.show(certificates_table(told))
    if run.certify:
        _show_uncertified(run, ledgers)


def _show_uncertified(run: Run, ledgers: list[Ledger]) -> None:
    """Say of whom no theorem speaks; a panel has said it."""
    told = [
        f"{one.spec}: {_why_uncertified(one, ledger)}"
        for one, ledger in zip(run.learners, ledgers, strict=True)
        if not ledger.theorems and not (isinstance(one, Panel) and ledger.lag)
    ]
    for line in ["", *told] if told else []:
        run.output.say(line)


def _why_uncertified(learner: Any, ledger: Ledger) -> str:
    known = len(learner.theorems()) if ledger.lag else 0
    if not known:
        return "no theorem is known for it"
    return f"its {'theorem is' if known == 1 else 'theorems are'} for labels that come at once"


def _show_reading(run: Run, ledgers: list[Ledger]) -> None:
    first = ledgers[0]
    said = "" if first.complete else ", stopped before the end"
    unlabelled = f", {first.tally.unlabelled:,} without a label" if first.tally.unlabelled else ""
    least, most = min(one.rounds for one in ledgers), max(one.rounds for one in ledgers)
    rounds = counted(most, "round") if least == most else f"{least:,} to {most:,} rounds"
    run.output.say(f"{run.title}: {rounds}{unlabelled}{said}; {run.labels.describe()}")
    if not first.labelled:
        run.output.say("no row has a label: nothing was learned, and what the theorems say is about nothing")
    if isinstance(run.stream, DataStream):
        run.output.say(f"read as {run.stream.describe()}")
    if isinstance(run.stream, CachingStream) and run.stream.is_written:
        run.output.say(f"cached in {run.stream.cache}; the next run with --cache reads that")
    elif isinstance(run.stream, CacheStream):
        run.output.say(f"read from the cache {run.stream.paths[0]}")
    _show_skipped(run, ledgers)
    for one, ledger in zip(run.learners, ledgers, strict=True):
        if hasattr(one, "asked"):
            run.output.say(f"{one.spec} asked for {one.asked:,} of {ledger.labelled:,} labels")


def _show_summary(
    run: Run, ledgers: list[Ledger], certificates: list[list[Certificate]], tested: list[Tested]
) -> None:
    names, written = summary.columns(run.labels.task)
    own = ["rounds"] if len({ledger.rounds for ledger in ledgers}) > 1 else []
    last = ["updates", "bound", "verdict", "rows/s"]
    made = table("", "learner", *own, *names, *last, *(["test error"] if tested else []))
    for k, ledger in enumerate(ledgers):
        cells: list[RenderableType] = [f"{ledger.rounds:,}" for _ in own]
        cells += [*written(ledger), f"{ledger.updates:,}", *bound_and_verdict(certificates[k])]
        cells += [
            f"{ledger.rounds / max(ledger.seconds, 1e-9):,.0f}",
            *([tested[k].shown] if tested else []),
        ]
        made.add_row(run.learners[k].spec, *cells)
    named = {one.spec for one in run.learners}
    for name, numbers in _baselines(run, written):
        if name not in named:
            made.add_row(dim(name), *("" for _ in own), *numbers)
    run.output.show(made, spare=("rows/s", "updates", "precision", "recall"))


def _baselines(run: Run, written: summary.Cells) -> list[tuple[str, list[str]]]:
    """The name of each baseline, and its cells."""
    counts = [
        (one.name, [f"{one.mistakes:,}", share(one.mistake_rate), share(one.precision), share(one.recall)])
        for one in run.baselines.rows()
    ]
    return counts + [(ledger.learner, written(ledger)) for ledger in run.baselines.ledgers()]


def _show_skipped(run: Run, ledgers: list[Ledger]) -> None:
    count = getattr(run.stream, "skipped", 0) + max(ledger.skipped for ledger in ledgers)
    told = [*getattr(run.stream, "faults", []), *(fault for ledger in ledgers for fault in ledger.faults)]
    run.output.skipped(count, list(dict.fromkeys(told))[:MOST_FAULTS])  # several learners may refuse a row
    left_out = getattr(run.stream, "left_out", 0)
    if left_out:
        run.output.say(
            f"left out: {counted(left_out, 'feature')} whose names came after the first {MOST_NAMES:,}; "
            "with --bits names are hashed, and there may be any number"
        )


def run_as_json(
    run: Run, ledgers: list[Ledger], certificates: list[list[Certificate]], tested: list[Tested]
) -> dict[str, Any]:
    """Give the runs as plain data."""
    return {
        "data": run.title,
        "rounds": ledgers[0].rounds,
        "unlabelled": ledgers[0].tally.unlabelled,
        "skipped": getattr(run.stream, "skipped", 0) + max(ledger.skipped for ledger in ledgers),
        "left_out": getattr(run.stream, "left_out", 0),
        "seconds": run.seconds,
        "complete": all(ledger.complete for ledger in ledgers),
        "labels": summary.labels_as_json(run.labels),
        "learners": [
            ledger_as_json(run.learners[k].spec, ledger, certificates[k])
            | panel_as_json(run.learners[k], late=ledger if ledger.lag else None)
            | ({"test": tested[k].as_json()} if tested else {})
            for k, ledger in enumerate(ledgers)
        ],
        "baselines": run.baselines.as_json(),
    }


def ledger_as_json(spec: str, ledger: Ledger, certificates: list[Certificate]) -> dict[str, Any]:
    """Give a run as plain data."""
    numbers = ledger.task == "regression"  # which nobody counts as right or wrong
    return {
        "learner": spec,
        "rounds": ledger.rounds,
        "mistakes": None if numbers else ledger.mistakes,
        "mistake_rate": None if numbers else ledger.mistake_rate,
        "updates": ledger.updates,
        "loss": ledger.loss,
        "loss_name": ledger.loss_name,
        "precision": ledger.precision,
        "recall": ledger.recall,
        "auc": ledger.auc,
        "rmse": ledger.rmse,
        "mae": ledger.mae,
        "rows_per_second": ledger.rounds / max(ledger.seconds, 1e-9),
        "curve": ledger.curve,
        "certificates": [certificate.as_json() for certificate in certificates],
    }
