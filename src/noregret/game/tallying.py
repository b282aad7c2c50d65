"""How a labelled round is written into the tally, whatever the task of the learner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noregret import _core
from noregret.labelling import in_order


def count(
    tally: _core.Tally, learner: Any, prediction: Any, score: Any, y: Any, updated: bool, weight: float
) -> None:
    """Count a round: what was predicted, with which score, and what the label was."""
    task = getattr(learner, "task", "binary")
    rest = (updated, weight, getattr(learner, "potential", 0.0))
    if isinstance(y, Mapping):  # the loss is the cost of what was predicted; of nothing, the largest
        right = min(in_order(y), key=lambda one: y[one])
        loss = float(y[prediction] if prediction is not None else max(y.values()))
        tally.add_class(learner.class_number(prediction), learner.class_number(right), loss, *rest)
        return
    if hasattr(learner, "distance"):  # its loss is that of the prediction: by now the score may say another
        loss = learner.distance(prediction, y)
    else:
        loss = learner.loss_of(score, y) if hasattr(learner, "loss_of") else float(prediction != y)
    if task == "multiclass":
        tally.add_class(learner.class_number(prediction), learner.class_number(y), loss, *rest)
    elif task == "regression":
        tally.add_number(prediction, float(y), loss, *rest)
    else:
        rank = float(learner.ranked(score)) if hasattr(learner, "ranked") else score
        tally.add(rank, prediction, float(y), loss, *rest)


def top(score: Any) -> float:
    """Give the score that goes with a prediction: of several classes, the largest."""
    return float(max(score.values(), default=0.0) if isinstance(score, dict) else score)
