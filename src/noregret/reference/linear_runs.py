"""Runs of learners over examples, played again by their twins, and what several theorems ask for."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from . import exact
from .claims import Claim, Found, Number
from .linear import Feature, Linear
from .rounds import Refused, Round

EPSILON = 2.0**-46  # times Σ|x·u|: what the writer may have moved a margin by


class Waiting(NamedTuple):
    """A round that was predicted and whose label has not come."""

    x: list[tuple[Feature, float]]
    label: Any
    weight: float
    score: Any
    said: Any
    mistaken: bool
    behind: int  # mistakes before it that were still on their way when it was predicted


class Played:
    """A learner played again by its twin, and the labelled rounds it was played on.

    `unannounced` counts the classes that joined during the run.

    Labels come `lag` rounds late, in their order; those still on their way at the end come then.
    `overtaken` adds up, over the mistakes, the earlier ones that were still on their way.
    """

    def __init__(
        self,
        twin: Linear,
        parameters: dict[str, Any],
        rounds: Sequence[Round],
        skip: bool,
        lag: int = 0,
        drawn: bool = False,
    ) -> None:
        """Play; with `skip`, rounds that the twin refuses are passed over. `drawn`: their order is random.

        A round that is refused when its label comes is as if it had not been played.
        """
        self.twin, self.parameters, self.lag, self.drawn = twin, parameters, lag, drawn
        self.unannounced = 0
        self.numeric = twin.decide(0.25) not in (-1.0, 1.0)  # it says numbers, of which none is a mistake
        self._plainly = type(twin).predict is Linear.predict  # by the score alone
        self.rounds = self.mistakes = self.updates = self.overtaken = 0
        self.rows: list[list[tuple[Any, float]]] = []
        self.labels: list[Any] = []
        self.mistaken: list[bool] = []
        self.scores: list[Any] = []
        self.said: list[Any] = []
        self.weights: list[float] = []
        self.features: dict[Feature, None] = {}
        self.weighted = False
        self._waiting: deque[Waiting] = deque()
        passing: AbstractContextManager[None] = suppress(ValueError) if skip else nullcontext()
        for now in rounds:
            with passing:
                self._predict(now)
            self._arrive(lag, passing)
        self._arrive(0, passing)

    def meant(self, label: Any) -> Any:
        """A label as the twin takes it."""
        return label

    def late(self, now: Waiting) -> bool:
        """Learn a label that comes late, from what was said then."""
        return self.twin.learn_late(now.x, now.label, now.score, now.weight)

    def _predict(self, now: Round) -> None:
        x = list(zip(now.features, now.values, strict=True))
        score = self.twin.score(x)
        said = self.twin.decide(score) if self._plainly else self.twin.predict(x)
        mistaken = now.label is not None and said != now.label
        behind = sum(one.mistaken for one in self._waiting) if mistaken else 0
        self._waiting.append(Waiting(x, now.label, now.weight, score, said, mistaken, behind))

    def _arrive(self, lag: int, passing: AbstractContextManager[None]) -> None:
        """Learn from the labels that have come: of all rounds but the last `lag`."""
        while len(self._waiting) > lag:
            now = self._waiting.popleft()
            with passing:
                self._learn(now._replace(label=self.meant(now.label)))

    def _learn(self, now: Waiting) -> None:
        updated = now.label is not None and self.late(now)
        self._count(now)  # not before: the twin may refuse it
        self.updates += updated
        self.overtaken += now.behind

    def _count(self, now: Waiting) -> None:
        self.rounds += 1
        if now.label is None:
            return
        self.weighted |= now.weight != 1.0
        self.mistakes += now.mistaken
        merged: dict[Any, float] = {}
        for feature, value in self.twin.row(now.x):
            merged[feature] = merged.get(feature, 0.0) + value
        self.features |= dict.fromkeys(feature for feature, _ in now.x)
        self.rows.append([pair for pair in merged.items() if pair[1] != 0.0])
        self.labels.append(now.label)
        self.scores.append(now.score)
        self.said.append(now.said)
        self.weights.append(now.weight)
        self.mistaken.append(now.mistaken)

    @property
    def counted(self) -> int:
        """The mistakes that a ledger counts."""
        return 0 if self.numeric else self.mistakes

    def by_importance(self, losses: Iterable[float]) -> float:
        """The losses of the labelled rounds as a ledger adds them up."""
        return math.fsum(weight * loss for weight, loss in zip(self.weights, losses, strict=True))

    @property
    def width(self) -> int:
        """How many features there are, the bias among them."""
        return len(self.features) + self.twin.has_bias

    @cached_property
    def occurring(self) -> set[Feature]:
        """The features that occur with a value other than 0, the bias not counted."""
        return {feature for row in self.rows for feature, _ in row if feature is not None}

    def restricted(self, u: dict[Any, float]) -> dict[Any, float]:
        """A direction without the features that do not occur."""
        return {feature: value for feature, value in u.items() if feature in self.occurring}

    @property
    def plain(self) -> list[bool]:
        """From the beginning, every round counting once, and every label before the next round."""
        return [True, not self.weighted, self.lag == 0]

    @cached_property
    def square_norms(self) -> list[Fraction]:
        """‖x‖² of every round."""
        return [exact.square(v for _, v in row) for row in self.rows]

    def fuzz(self, witness: dict[Any, float]) -> Fraction:
        """What a product ⟨u, x⟩ may be off by in doubles."""
        sizes = (sum(abs(v * witness.get(f, 0.0)) for f, v in row) for row in self.rows)
        longest = max(map(len, self.rows), default=0) + 2
        return Fraction(max(sizes, default=0.0) * EPSILON * longest + 5e-324)


class LinearRun(Played):
    """A run whose labels are −1 and +1, or numbers."""

    def margins(self, witness: dict[Any, float]) -> list[Fraction]:
        """y⟨u, x⟩ of every round."""
        return [m if y > 0 else -m for m, y in zip(exact.dots(self.rows, witness), self.labels, strict=True)]

    def errors(self, witness: dict[Any, float]) -> list[Fraction]:
        """⟨u, x⟩ − y of every round."""
        return [d - Fraction(y) for d, y in zip(exact.dots(self.rows, witness), self.labels, strict=True)]


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
