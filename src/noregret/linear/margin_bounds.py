"""Bounds of the Perceptron kind: a reach, margins, and a price for those that fall short of γ."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.rounding import float_above, root_above
from noregret.rounds import Floats

TINY = 1e-150  # the square of a smaller γ is 0, and so would be the price of falling short of it


def square_bound(margins: Floats, square_reach: Fraction, gamma: float) -> Fraction:
    """((√reach² + √Σ max(0, γ − m)²)/γ)², from above."""
    short = deficit(margins, gamma)
    if short == 0:
        return square_reach / Fraction(gamma) ** 2  # exact: no root was taken
    return ((root_above(square_reach) + short) / Fraction(gamma)) ** 2


def deficit(margins: Floats, gamma: float) -> Fraction:
    """D = √Σ max(0, γ − m)², from above; 0 exactly where nothing is short of γ."""
    short = shortfalls(margins, gamma)
    if not short.any():
        return Fraction(0)
    squares = short * short * (1.0 + arithmetic.EPSILON) + np.where(short > 0.0, 5e-324, 0.0)  # never 0
    return root_above(arithmetic.sum_above(squares))


def linear_bound(margins: Floats, square_reach: Fraction, gamma: float) -> Fraction:
    """(√reach² + Σ max(0, γ − m))/γ, from above."""
    return (root_above(square_reach) + arithmetic.sum_above(shortfalls(margins, gamma))) / Fraction(gamma)


def shortfalls(margins: Floats, gamma: float) -> Floats:
    """max(0, γ − m), from above."""
    return np.maximum(0.0, gamma - margins) * (1.0 + 2.0 * arithmetic.EPSILON)


def best_gamma(margins: Floats, reach: float) -> float:
    """The first γ for which (reach + √Σ max(0, γ − m)²)/γ is about least, among the margins and more."""
    ordered = np.sort(margins)
    scale = float(np.max(np.abs(ordered), initial=0.0))
    scale = scale if scale > TINY else 1.0
    gammas = np.concatenate([ordered[ordered > TINY], scale * np.array([1.0, 1e1, 1e2, 1e3])])
    count = np.searchsorted(ordered, gammas)
    sums = np.concatenate([[0.0], np.cumsum(ordered)])[count]
    squares = np.concatenate([[0.0], np.cumsum(ordered**2)])[count]
    short = np.maximum(0.0, gammas**2 * count - 2.0 * gammas * sums + squares)
    values = (reach + np.sqrt(short)) / gammas
    return float(gammas[int(np.argmax(values <= values.min() * (1.0 + 1e-9)))])


def quantities(radius: Fraction, length: Fraction, gamma: Fraction) -> dict[str, float]:
    """What a certificate shows: R, ‖u‖ and γ."""
    return {
        "R": float_above(root_above(radius)),
        "norm_u": float_above(root_above(length)),
        "gamma": float(gamma),
    }


def reach(replay: Replay, square: Fraction) -> Fraction:
    """What a round of square length ‖x‖² adds to ‖w‖²: twice that with several classes, of which two move."""
    return 2 * square if replay.classes else square


def news(replay: Replay) -> dict[str, float]:
    """K, the classes that nobody announced: each may be missed once before it is known."""
    return {"K": float(replay.unannounced)} if replay.classes else {}
