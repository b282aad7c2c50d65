"""Losses of a score, steps, and a few numbers that several twins need."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .linear import Feature

LOSSES = ("perceptron", "hinge", "squared-hinge", "logistic", "squared")
STEPS = ("constant", "sqrt", "inverse")
TINY = 1e-200  # a row with a smaller ‖x‖² counts as all 0 where it would be divided by


def loss(name: str, score: float, y: float) -> float:
    """What is suffered for a score when the label is y; m = y·score."""
    m = y * score
    if name == "perceptron":
        return max(0.0, -m)
    if name == "hinge":
        return max(0.0, 1.0 - m)
    if name == "squared-hinge":
        return 0.5 * max(0.0, 1.0 - m) * max(0.0, 1.0 - m)
    if name == "logistic":
        return math.log1p(math.exp(-m)) if m > 0.0 else math.log1p(math.exp(m)) - m
    return 0.5 * (1.0 - m) * (1.0 - m)


def slope(name: str, score: float, y: float) -> float:
    """How strongly the round pulls the score towards its label: −dℓ/dm."""
    m = y * score
    if name == "perceptron":
        return 1.0 if (1.0 if score >= 0.0 else -1.0) != y else 0.0
    if name == "hinge":
        return 1.0 if m < 1.0 else 0.0
    if name == "squared-hinge":
        return max(0.0, 1.0 - m)
    if name == "logistic":
        return 1.0 / (1.0 + exponential(m))
    return 1.0 - m


def exponential(number: float) -> float:
    """Raise e to a power; infinity where doubles end."""
    try:
        return math.exp(number)
    except OverflowError:
        return math.inf


def pace(name: str, rate: float, rounds: float) -> float:
    """η, η/√t or η/t."""
    return {"constant": rate, "sqrt": rate / math.sqrt(rounds), "inverse": rate / rounds}[name]


def shrunk(number: float, by: float) -> float:
    """Move a number towards 0, and stop there."""
    return max(number - by, 0.0) + min(number + by, 0.0)


def square_length(row: Sequence[tuple[Feature | None, float]]) -> float:
    """‖x‖², added up in the order given."""
    total = 0.0
    for _, value in row:
        total += value * value
    return total


def chosen(name: str, value: str, choices: Sequence[str]) -> str:
    """Refuse a word that is not one of several."""
    if value not in choices:
        raise ValueError(f"{name} is {value}; it must be {', '.join(choices)}")
    return value


def not_negative(name: str, value: float) -> float:
    """Refuse a parameter that is not a finite number, 0 or more."""
    if not 0.0 <= value < math.inf:
        raise ValueError(f"{name} is {value}; it must be a finite number, 0 or more")
    return float(value)
