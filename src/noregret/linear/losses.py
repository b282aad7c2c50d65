"""The losses and steps of the gradient frame, by their words; the core knows them by number."""

from __future__ import annotations

import numpy as np

from noregret.rounds import Floats

LOSSES = ("perceptron", "hinge", "squared-hinge", "logistic", "squared")
STEPS = ("constant", "sqrt", "inverse")
LOSS_MEANING = (
    "the loss of a score s, with m = y·s: perceptron max(0, −m), hinge max(0, 1 − m), squared-hinge half its "
    "square, logistic ln(1 + exp(−m)), squared (1 − m)²/2"
)


def losses(name: str, margins: Floats) -> Floats:
    """ℓ as a function of m = y·s, round by round."""
    short = np.maximum(0.0, 1.0 - margins)
    if name == "perceptron":
        return np.maximum(0.0, -margins)
    if name == "logistic":
        return np.logaddexp(0.0, -margins)
    if name == "squared":
        return np.asarray(0.5 * (1.0 - margins) ** 2)
    return short if name == "hinge" else np.asarray(0.5 * short * short)


def slopes(name: str, scores: Floats, labels: Floats) -> Floats:
    """−dℓ/dm, round by round; at the corner of the perceptron loss, 1 when the prediction is wrong."""
    margins = labels * scores
    if name == "perceptron":
        return np.where(np.where(scores >= 0, 1.0, -1.0) != labels, 1.0, 0.0)
    if name == "hinge":
        return np.where(margins < 1.0, 1.0, 0.0)
    if name == "squared-hinge":
        return np.maximum(0.0, 1.0 - margins)
    if name == "squared":
        return np.asarray(1.0 - margins)
    return np.asarray(1.0 / (1.0 + np.exp(np.minimum(margins, 700.0))))


def paces(name: str, rate: float, rounds: int, before: int = 0) -> Floats:
    """η_t of `rounds` labelled rounds that follow on the first `before` ones."""
    t = np.arange(before + 1.0, before + rounds + 1.0)
    return np.asarray(
        {"constant": np.full(rounds, rate), "sqrt": rate / np.sqrt(t), "inverse": rate / t}[name]
    )
