"""Runs of linear learners, played again by their twins, and what several of their theorems ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .linear import Feature, Linear
from .rounds import Refused, Round

EPSILON = 2.0**-46  # times Σ|x·u|: what the writer may have moved a margin by


class LinearRun:
    """A linear learner played again by its twin, and the labelled rounds it was played on."""

    def __init__(
        self,
        twin: Linear,
        parameters: dict[str, Any],
        rounds: Sequence[Round],
        skip: bool,
        drawn: bool = False,
    ) -> None:
        """Play; with `skip`, rounds that the twin refuses are passed over. `drawn`: their order is random."""
        self.twin, self.parameters, self.drawn = twin, parameters, drawn
        self._plainly = type(twin).predict is Linear.predict  # by the score alone
        self.rounds = self.mistakes = self.updates = 0
        self.rows: list[list[tuple[Any, float]]] = []
        self.labels: list[float] = []
        self.mistaken: list[bool] = []
        self.scores: list[Any] = []
        self.features: dict[Feature, None] = {}
        self.weighted = False
        for now in rounds:
            self._play(now, skip)

    def _play(self, now: Round, skip: bool) -> None:
        x = list(zip(now.features, now.values, strict=True))
        try:
            score = self.twin.score(x)
            said = self.twin.decide(score) if self._plainly else self.twin.predict(x)
            updated = self.twin.learn(x, now.label, now.weight)
        except ValueError:
            if skip:
                return
            raise
        self.rounds += 1
        if now.label is None:
            return
        self.weighted |= now.weight != 1.0
        self.updates += updated
        self.mistakes += said != now.label
        merged: dict[Any, float] = {}
        for feature, value in self.twin.row(x):
            merged[feature] = merged.get(feature, 0.0) + value
        self.features |= dict.fromkeys(now.features)
        self.rows.append([pair for pair in merged.items() if pair[1] != 0.0])
        self.labels.append(now.label)
        self.scores.append(score)
        self.mistaken.append(said != now.label)

    @property
    def width(self) -> int:
        """How many features there are, the bias among them."""
        return len(self.features) + self.twin.has_bias

    @property
    def plain(self) -> list[bool]:
        """From the beginning, every round counting once, and every label before the next round."""
        return [True, not self.weighted, True]

    def margins(self, witness: dict[Any, float]) -> list[Fraction]:
        """y⟨u, x⟩ of every round."""
        return [m if y > 0 else -m for m, y in zip(exact.dots(self.rows, witness), self.labels, strict=True)]

    def fuzz(self, witness: dict[Any, float]) -> Fraction:
        """What a margin may be off by in doubles."""
        sizes = (sum(abs(v * witness.get(f, 0.0)) for f, v in row) for row in self.rows)
        longest = max(map(len, self.rows), default=0) + 2
        return Fraction(max(sizes, default=0.0) * EPSILON * longest)

    @cached_property
    def square_norms(self) -> list[Fraction]:
        """‖x‖² of every round."""
        return [exact.square(v for _, v in row) for row in self.rows]


def with_gap(
    run: LinearRun,
    claim: Claim,
    found: Found,
    margin: Number,
    norm: Callable[[dict[Any, Fraction]], Fraction],
) -> Found:
    """Add what the dual proves: for weights α of rounds that add up to 1, no margin is above ‖Σα·y·x‖."""
    if claim.dual is None:
        return found
    weights = [Fraction(float(weight)) for weight in claim.dual["weights"]]
    if len(weights) != len(claim.dual["rounds"]) or min(weights) < 0 or sum(weights) <= 0:
        raise Refused(f"{claim.theorem}: the dual is no set of weights over rounds")
    mixed: dict[Any, Fraction] = {}
    for r, weight in zip(claim.dual["rounds"], weights, strict=True):
        for feature, value in run.rows[r]:
            moved = weight * Fraction(value) * Fraction(run.labels[r])
            mixed[feature] = mixed.get(feature, Fraction(0)) + moved
    most = norm(mixed) / sum(weights)
    largest = max((abs(value) for row in run.rows for _, value in row), default=0.0)
    slip = 1e-9 * max(float(most), largest)
    found.quantities |= {"margin_at_most": most, "gap": max(Fraction(0), most - Fraction(margin))}
    found.allowed |= {"margin_at_most": 1e-3 * slip, "gap": slip}
    return found


def euclidean(vector: dict[Any, Fraction]) -> Fraction:
    """√Σz²."""
    return exact.root_above(sum((z * z for z in vector.values()), Fraction(0)))
