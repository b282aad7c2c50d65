"""Bounds with a price for rounds that fall short of a margin γ, in exact arithmetic.

The writer adds the shortfalls up in doubles, by size, and rounds every margin down: how much more than the
truth that may give is worked out beside every sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from . import exact
from .claims import Claim, Found, Number
from .linear_runs import Played
from .rounds import Refused

EPSILON = Fraction(1, 2**52)


class Short(NamedTuple):
    """Σ max(0, γ − m) and Σ max(0, γ − m)², and by how much more the writer may have told."""

    gamma: Fraction
    linear: Fraction
    squares: Fraction
    more_linear: Fraction
    more_squares: Fraction
    each: list[Fraction]  # max(0, γ − m), round by round


class Bound(NamedTuple):
    """A bound, and by how much a bound from the writer's sums may be above it."""

    value: Fraction
    over: Fraction


def positive(claim: Claim, name: str) -> Fraction:
    """A quantity above 0 that the theorem lets anybody choose."""
    value = claim.told(name)
    if value <= 0:
        raise Refused(f"{claim.theorem}: {name} is {float(value)!r} in the certificate; it must be above 0")
    return value


def shortfalls(margins: Sequence[Fraction], gamma: Fraction, fuzz: Fraction) -> Short:
    """Add up how far margins fall short of γ; a margin of the writer may be lower by `fuzz`."""
    each = [max(gamma - m, Fraction(0)) for m in margins]
    linear, squares = sum(each, Fraction(0)), sum((d * d for d in each), Fraction(0))
    nearly, limit = sum(m < gamma + fuzz for m in margins), float(gamma)
    sizes = [limit + abs(float(m)) for m in margins if m < gamma]
    rounding = EPSILON * (len(margins) + 16)
    return Short(
        gamma,
        linear,
        squares,
        nearly * fuzz + rounding * Fraction(math.fsum(sizes)),
        2 * fuzz * linear + nearly * fuzz * fuzz + rounding * Fraction(math.fsum(x * x for x in sizes)),
        each,
    )


def squared_form(short: Short, square_reach: Fraction) -> Bound:
    """((reach + √Σ max(0, γ − m)²)/γ)²."""
    value = _squared(short.gamma, short.squares, square_reach)
    return Bound(value, _squared(short.gamma, short.squares + short.more_squares, square_reach) - value)


def hinge_form(short: Short, square_reach: Fraction) -> Bound:
    """(a/2 + √(a²/4 + L))², a = reach/γ and L = Σ max(0, γ − m)/γ."""
    value = _hinges(short.gamma, short.linear, square_reach)
    return Bound(value, _hinges(short.gamma, short.linear + short.more_linear, square_reach) - value)


def deficit(short: Short) -> tuple[Fraction, Fraction]:
    """√Σ max(0, γ − m)², and by how much more may be told."""
    root = exact.root_above(short.squares)
    return root, exact.root_above(short.squares + short.more_squares) - root


def lack(short: Short) -> tuple[Fraction, Fraction]:
    """Σ max(0, γ − m)/γ, and by how much more may be told."""
    return short.linear / short.gamma, short.more_linear / short.gamma


Form = Callable[[Short, Fraction], Bound]
Price = Callable[[Short], tuple[Fraction, Fraction]]


def any_data(
    run: Played, met: list[bool], length: Fraction, short: Short, moved: int, told: tuple[str, Form, Price]
) -> Found:
    """A form for any data: R over mistakes, shortfalls over all rounds; an update moves `moved` vectors."""
    name, form, price = told
    norms = [norm for norm, wrong in zip(run.square_norms, run.mistaken, strict=True) if wrong]
    radius = max(norms, default=Fraction(0))
    bound, (value, more) = form(short, moved * radius * length), price(short)
    paid = sum((d for d, wrong in zip(short.each, run.mistaken, strict=True) if wrong), Fraction(0))
    walked = exact.root_above(moved * length * sum(norms, Fraction(0)))
    strong = (walked + paid) / short.gamma + run.unannounced
    quantities: dict[str, Number] = {
        "R": exact.root_above(radius),
        "norm_u": exact.root_above(length),
        "gamma": short.gamma,
        name: value,
    }
    held = at_a_mistake(run.mistakes, bound.value + run.unannounced, strong)
    return Found(run.mistakes, held, met, quantities, {name: more}, over=bound.over)


def at_a_mistake(mistakes: int, bound: Fraction, strong: Fraction) -> Fraction:
    """The bound, unless what the proof says of the mistakes themselves is broken."""
    return bound if mistakes <= strong * (1 + Fraction(1, 10**12)) else min(bound, strong)


def _squared(gamma: Fraction, squares: Fraction, square_reach: Fraction) -> Fraction:
    if squares == 0:
        return square_reach / gamma**2
    return ((exact.root_above(square_reach) + exact.root_above(squares)) / gamma) ** 2


def _hinges(gamma: Fraction, linear: Fraction, square_reach: Fraction) -> Fraction:
    square = square_reach / gamma**2
    if linear == 0:
        return square
    half = exact.root_above(square) / 2
    return (half + exact.root_above(square / 4 + linear / gamma)) ** 2
