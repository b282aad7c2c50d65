"""How far off forecasts were, and the certificate that says the most about that."""

from __future__ import annotations

import math

import numpy as np

from noregret.certificate import Certificate, Verdict
from noregret.experts.losses import Loss
from noregret.rounds import Floats


def numbers(loss: Loss, losses: Floats, said: Floats | None, truth: Floats) -> dict[str, float | None]:
    """The loss and the errors as plain data; None where there is nothing to tell."""
    if not len(truth):
        return dict.fromkeys(("loss", "rmse", "mape", "error_rate"))
    labels = loss.name == "zero-one"
    return {
        "loss": float(losses.sum()),
        "rmse": None if labels or said is None else root_mean_square(said, truth),
        "mape": None if labels or said is None else mean_percentage(said, truth),
        "error_rate": float(losses.mean()) if labels else None,
    }


def leading(certificates: list[Certificate]) -> Certificate | None:
    """The certificate for the summary: broken first, then the least bound on the regret."""
    broken = [c for c in certificates if c.verdict is Verdict.BROKEN]

    def size(certificate: Certificate) -> float:
        bound = on_regret(certificate)
        return math.inf if bound is None else bound

    return min(broken or certificates, key=size, default=None)


def on_regret(certificate: Certificate) -> float | None:
    """A bound on a loss is a bound on the regret, less what the best expert lost."""
    if certificate.bound is None or certificate.about == "regret":
        return certificate.bound
    return certificate.bound - certificate.quantities["L*"]


def root_mean_square(said: Floats, truth: Floats) -> float:
    """The root of the mean squared error, over the rows where something was said."""
    return math.sqrt(float(np.nanmean((said - truth) ** 2)))


def mean_percentage(said: Floats, truth: Floats) -> float | None:
    """The mean of |error|/|truth|; None when a truth is 0."""
    return None if (truth == 0.0).any() else float(np.nanmean(np.abs(said - truth) / np.abs(truth)))
