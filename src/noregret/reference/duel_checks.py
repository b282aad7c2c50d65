"""The runs of `noregret duel` played again: learners over a finite class; the certificate has the rounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from . import classes, finite_theorems
from .checking import Checked, compare, hold, parsed
from .data import Reader, rounds_of
from .expected import theorems_of
from .expert_account import ExpertsRun
from .expert_checks import THEOREMS
from .expert_runs import play_losses, play_votes
from .finite import coin
from .finite_runs import FiniteRun

ADVISED = ("wm", "rwm", "hedge", "adahedge", "squint")


def check_duel(told: dict[str, Any], paths: list[Path], _: Reader | None) -> list[Checked]:
    """A learner over a class."""
    play = told["play"]
    rounds = rounds_of(told, paths, None)
    if classes.rebuilt(play["class"]):
        table = classes.named(play["class"])
    else:
        table = classes.from_hexadecimal(play["table"]["rows"], play["table"]["points"])
    labelled = [now for now in rounds if now.label is not None]
    points = [int(feature) for now in labelled for feature in now.features]
    labels = [int(now.label or 0) for now in labelled]
    checked = []
    for run in told["runs"]:
        name, given = parsed(run["learner"])
        expected = theorems_of(name, given)
        if name in ADVISED:
            again, mistakes = _advised(name, given, table, points, labels, play["seed"])
            compare(run, rounds=len(rounds), mistakes=mistakes)
            checked += hold(run, THEOREMS, again, expected)
        else:
            finite = FiniteRun(name, given, table, points, labels)
            compare(run, rounds=len(rounds), mistakes=finite.mistakes)
            checked += hold(run, finite_theorems.THEOREMS, finite, expected)
    return checked


def _advised(
    name: str, given: dict[str, Any], table: classes.Table, points: list[int], labels: list[int], seed: int
) -> tuple[ExpertsRun, int]:
    """A rule with the hypotheses as its experts; the mistakes are those of the vote, or of the coin."""
    advice = [[float(table.says(h, point)) for h in range(table.size)] for point in points]
    if name == "wm":
        run = play_votes(given, table.size, advice, [float(label) for label in labels])
        return run, int(run.loss)
    losses = [[abs(one - label) for one in said] for said, label in zip(advice, labels, strict=True)]
    run = play_losses(name, given, table.size, losses)
    mistakes = 0
    for t, (turn, said, label) in enumerate(zip(run.turns, advice, labels, strict=True), 1):
        chance = sum(weight * one for weight, one in zip(turn.weights, said, strict=True))
        mistakes += (coin(seed, t) < min(1.0, max(0.0, chance))) != label
    return run, mistakes
