"""The table of a run, as the task of its learners asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from noregret.certificate import shown
from noregret.cli.output import share
from noregret.ledger import Ledger

Cells = Callable[[Ledger], list[str]]


def columns(task: str) -> tuple[list[str], Cells]:
    """What stands between the learner and its updates, and how to write it."""
    if task == "regression":
        return ["RMSE", "MAE", "loss"], lambda one: [shown(one.rmse), shown(one.mae), shown(one.loss)]
    return ["mistakes", "rate", "precision", "recall"], _mistakes


def _mistakes(one: Ledger) -> list[str]:
    return [f"{one.mistakes:,}", share(one.mistake_rate), share(one.precision), share(one.recall)]


def best(ledgers: list[Ledger]) -> tuple[int, str]:
    """Which learner did best, and at what."""
    if ledgers[0].task == "regression":
        errors = [float("inf") if one.rmse is None else one.rmse for one in ledgers]
        return errors.index(min(errors)), "the smallest error"
    counts = [one.mistakes for one in ledgers]
    return counts.index(min(counts)), "the fewest mistakes"


def labels_as_json(labels: Any) -> dict[str, Any]:
    """How labels were read."""
    if labels.task != "binary":
        return dict(labels.as_json())
    return {"positive": labels.write(1.0), "negative": labels.write(-1.0)}
