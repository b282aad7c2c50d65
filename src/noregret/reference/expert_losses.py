"""What a prediction costs, and how fast that grows with it."""

from __future__ import annotations

import math


def _sure(p: float) -> float:
    return min(max(p, 1e-15), 1.0 - 1e-15)


def cost_of(loss: str, said: float, truth: float) -> float:
    """What a prediction costs."""
    error = said - truth
    if loss == "zero-one":
        return float(said != truth)
    if loss == "log":
        return -(truth * math.log(_sure(said)) + (1.0 - truth) * math.log(1.0 - _sure(said)))
    if loss.startswith("pinball"):
        quantile = float(loss.partition("-")[2] or 0.5)
        return (1.0 - quantile) * error if error >= 0.0 else -quantile * error
    if loss == "percentage":
        return abs(error) / abs(truth)
    return {"square": error * error, "absolute": abs(error)}[loss]


def slope_of(loss: str, said: float, truth: float) -> float:
    """How fast the cost grows with the prediction."""
    error = said - truth
    sign = float(error > 0.0) - float(error < 0.0)
    if loss == "log":
        return (1.0 - truth) / (1.0 - _sure(said)) - truth / _sure(said)
    if loss.startswith("pinball"):
        quantile = float(loss.partition("-")[2] or 0.5)
        return 0.0 if error == 0.0 else 1.0 - quantile if error > 0.0 else -quantile
    if loss == "percentage":
        return sign / abs(truth)
    return {"square": 2.0 * error, "absolute": sign}[loss]
