"""How far off forecasts were."""

from __future__ import annotations

import math

import numpy as np

from noregret.experts.losses import Loss
from noregret.rounds import Floats


def numbers(loss: Loss, losses: Floats, said: Floats | None, truth: Floats) -> dict[str, float | None]:
    """The loss and the errors as plain data; None where there is nothing to tell."""
    if not len(truth):
        return dict.fromkeys(("loss", "rmse", "mape", "error_rate"))
    labels = loss.name == "zero-one"
    return {
        "loss": float(np.nansum(losses)),
        "rmse": None if labels or said is None else root_mean_square(said, truth),
        "mape": None if labels or said is None else mean_percentage(said, truth),
        "error_rate": float(np.nanmean(losses)) if labels else None,
    }


def root_mean_square(said: Floats, truth: Floats) -> float:
    """The root of the mean squared error, over the rows where something was said."""
    return math.sqrt(float(np.nanmean((said - truth) ** 2)))


def mean_percentage(said: Floats, truth: Floats) -> float | None:
    """The mean of |error|/|truth|; None when a truth is 0."""
    return None if (truth == 0.0).any() else float(np.nanmean(np.abs(said - truth) / np.abs(truth)))
