"""Predictions whose truths come late, and the rounds that overtake them."""

from __future__ import annotations

from typing import NamedTuple

from noregret import _core
from noregret.rounds import Floats


class Promise(NamedTuple):
    """A prediction whose truth comes later; hand it to `learn` with the truth."""

    prediction: float
    advice: Floats
    weights: Floats
    waiting: int  # earlier promises not kept yet


def count_waited(rule: _core.Experts, truths: float) -> None:
    """Let the rule know that rounds were played without so many truths of earlier ones."""
    scalars = dict(rule.scalars)
    scalars["waited"] += truths
    rule.core_restore(rule.lanes(), scalars)
