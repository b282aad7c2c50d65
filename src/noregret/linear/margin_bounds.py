"""Bounds of the Perceptron kind: a reach, margins, and a price for those that fall short of γ."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from noregret.judged import Judged, Witness
from noregret.margin_sums import Shortfalls
from noregret.rounding import float_above, root_above
from noregret.rounds import Floats


class Priced(NamedTuple):
    """A bound at its best γ, with the sums of shortfalls there."""

    bound: Fraction
    gamma: Fraction
    linear: Fraction  # Σ max(0, γ − m)
    squares: Fraction  # Σ max(0, γ − m)²


def best_gamma(short: Shortfalls, bound: Callable[[Floats, Floats, Floats], Floats]) -> int:
    """The place of the γ whose bound is about least; of equal ones the first."""
    with np.errstate(over="ignore", invalid="ignore"):
        values = bound(short.gammas, short.linear, short.squares)
    values = np.where(np.isnan(values), np.inf, values)
    return int(np.argmax(values <= values.min() * (1.0 + 1e-9)))


def squared_form(short: Shortfalls, square_reach: Fraction) -> Priced:
    """((reach + √Σ max(0, γ − m)²)/γ)² at the best γ, from above."""
    reach = float_above(root_above(square_reach))
    place = best_gamma(short, lambda gamma, _, squares: (reach + np.sqrt(squares)) / gamma)
    gamma, linear, squares = _at(short, place)
    if squares == 0:
        return Priced(square_reach / gamma**2, gamma, linear, squares)  # exact: no root was taken
    return Priced(((root_above(square_reach) + root_above(squares)) / gamma) ** 2, gamma, linear, squares)


def hinge_form(short: Shortfalls, square_reach: Fraction) -> Priced:
    """(a/2 + √(a²/4 + L))² at the best γ, a = reach/γ and L = Σ max(0, γ − m)/γ, from above."""
    reach = float_above(root_above(square_reach))
    place = best_gamma(
        short,
        lambda gamma, linear, _: reach / gamma / 2.0 + np.sqrt((reach / gamma) ** 2 / 4.0 + linear / gamma),
    )
    gamma, linear, squares = _at(short, place)
    square = square_reach / gamma**2
    if linear == 0:
        return Priced(square, gamma, linear, squares)
    half, lack = root_above(square) / 2, linear / gamma
    root = root_above(square / 4 + lack)
    return Priced((half + root) ** 2, gamma, linear, squares)


def _at(short: Shortfalls, place: int) -> tuple[Fraction, Fraction, Fraction]:
    gamma, linear, squares = (Fraction(float(part[place])) for part in short)
    return gamma, linear, squares


def quantities(radius: Fraction, length: Fraction, gamma: Fraction) -> dict[str, float]:
    """What a certificate shows: R, ‖u‖ and γ."""
    return {
        "R": float_above(root_above(radius)),
        "norm_u": float_above(root_above(length)),
        "gamma": float(gamma),
    }


def reach(run: Judged, square: Fraction) -> Fraction:
    """What a round of square length ‖x‖² adds to ‖w‖²: twice that with several classes, of which two move."""
    return 2 * square if run.classes else square


def radius(run: Judged, view: str = "all") -> Fraction:
    """The largest ‖x‖² of a view, rounded up."""
    largest = run.norms(view).largest
    return Fraction(largest) if np.isfinite(largest) else Fraction(2) ** 1030


def least_margin(run: Judged, witness: Witness) -> Fraction:
    """The least margin of a witness over all rounds; 1 where there is no round."""
    return Fraction(witness.margins().least) if run.rounds else Fraction(1)


def unannounced(run: Judged) -> dict[str, float]:
    """K, the classes that nobody announced: each may be missed once before it is known."""
    return {"K": float(run.unannounced)} if run.classes else {}
