"""Runs of panels, played again: the twins of the members, and an expert rule over their mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from . import TWINS
from .checking import parsed
from .expert_account import ExpertsRun
from .expert_runs import twin_of
from .linear import Example, Linear
from .rounds import Refused, Round

PANELS = ("auto", "panel")
HEAVIEST = 1e100
CLOSE = 1e-9  # a vote as near to a tie as this may go either way: weights have exp in them
AUTO = (
    *(f"arow:ridge={ridge},bias=true" for ridge in (0.1, 1, 10, 100)),
    *(f"adagrad:loss=logistic,rate={rate},delta=0.01,bias=true" for rate in (0.1, 0.2, 0.5, 1)),
    *(f"pa2:C={price},bias=true,scale=rms" for price in (0.001, 0.005, 0.02, 0.1, 0.5)),
    "perceptron:bias=true",
    "balanced-winnow",
    "majority",
    "last-label",
)


def parts_of(spec: str) -> tuple[str, list[str]]:
    """The rule and the members that the spec of a panel names.

    >>> parts_of("panel:rule=squint/perceptron/last-label")
    ('squint', ['perceptron', 'last-label'])
    """
    if spec == "auto":
        return "adahedge", list(AUTO)
    pieces = [piece.strip() for piece in spec.partition(":")[2].split("/") if piece.strip()]
    if pieces and pieces[0].startswith("rule="):
        return pieces[0].removeprefix("rule="), pieces[1:]
    return "adahedge", pieces


class Lesson(NamedTuple):
    """What the members learn from."""

    x: Example
    label: float
    weight: float


class PanelRun(ExpertsRun):
    """The run of the rule over its members, and the vote of the panel.

    `vote` adds up the importance of the rounds where the vote erred; `doubt` that of the rounds where it
    was too close to tell.
    """

    def __init__(self, spec: str, rounds: Sequence[Round], skip: bool) -> None:
        """Play; with `skip`, rounds that a member refuses are passed over."""
        rule, self.specs = parts_of(spec)
        name, given = parsed(rule)
        super().__init__(name, given, len(self.specs))
        self.rule = twin_of(name, given, self.n)
        self.members = self._fresh()
        self.vote = self.doubt = 0.0
        self.played = self.mistakes = self.updates = 0
        learned: list[Lesson] = []
        for now in rounds:
            try:
                self._play(now, learned)
            except ValueError as problem:
                if not skip or isinstance(problem, Refused):
                    raise

    def _fresh(self) -> list[Linear]:
        members = []
        for spec in self.specs:
            name, given = parsed(spec)
            if name not in TWINS:
                raise Refused(f"the verifier does not know the member '{name}': nothing about it was checked")
            members.append(TWINS[name](**given))
        return members

    def _play(self, now: Round, learned: list[Lesson]) -> None:
        x: Any = list(zip(now.features, now.values, strict=True))
        said = [member.predict(x) for member in self.members]
        if now.label is not None:
            if now.label not in (-1, 1) or not 0.0 <= now.weight <= HEAVIEST:
                raise ValueError("the label or the importance of a row is not what a panel takes")
            lesson = Lesson(x, float(now.label), now.weight)
            self._teach(lesson, learned)
            self._judge(said, lesson.label, lesson.weight)
            learned.append(lesson)
        self.played += 1

    def _teach(self, lesson: Lesson, learned: list[Lesson]) -> None:
        """Teach every member; a row that one of them refuses was learned by none."""
        try:
            for member in self.members:
                member.learn(*lesson)
        except ValueError:
            self.members = self._fresh()
            for before in learned:
                for member in self.members:
                    member.learn(*before)
            raise

    def _judge(self, said: list[float], label: float, weight: float) -> None:
        weights = self.rule.weights()
        score = 0.0
        for share, one in zip(weights, said, strict=True):
            score += share * one
        wrong = (1.0 if score >= 0.0 else -1.0) != label
        self.vote += weight * wrong
        exact = score == 0.0 and len(set(weights)) == 1  # a tie while everybody weighs the same is one
        self.doubt += max(weight, 1.0) * (abs(score) < CLOSE and not exact)
        self.mistakes += wrong
        self.updates += weight > 0.0
        row: list[float | None] = [weight * (one != label) for one in said]
        self.suffer(weights, weights, row, self.rule.learn(row))
