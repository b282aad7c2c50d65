"""Regret over the rounds of a run: what it lost, less what something known only afterwards lost.

A learner over features is compared with one fixed rule of the same kind, a panel also with its best
member, a learner over a class with its best hypothesis. The data are read again for it; what is kept of
them does not grow with their length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from noregret.certificate import counted
from noregret.errors import BadInput
from noregret.game.play import first, play_batch
from noregret.hypotheses.learner import FiniteLearner
from noregret.ledger import Ledger
from noregret.linear.learner import LinearLearner
from noregret.linear.losses import LOSSES, losses
from noregret.linear.multiclass_learner import MulticlassLearner
from noregret.panel.panel import Panel
from noregret.regret.fixed_rule import (
    VALUES,
    BestFixed,
    best_fixed,
    best_fixed_classes,
    best_hypothesis,
)
from noregret.regret.sample import rows_of
from noregret.rounds import Batch, Floats

OWN = {  # losses that a fixed rule can be charged, and the one that is made least to find it
    "hinge": "hinge",
    "logistic": "logistic",
    "squared-hinge": "squared-hinge",
    "squared hinge": "squared-hinge",  # that of ons: not halved, so the two are not one loss
    "squared": "squared",
    "epsilon-insensitive": "squared",
    "quantile": "squared",
}

Suffered: TypeAlias = tuple[int, int, float]  # as the points of a ledger's curve: round, mistakes, loss


class Point(NamedTuple):
    """How many more mistakes, and how much more loss, a run had than its comparator after so many rounds."""

    round: int
    mistakes: int
    loss: float  # without a meaning where the regret names no loss


@dataclass(frozen=True)
class Regret:
    """The course of a run against a comparator; its size does not depend on the length of the run."""

    against: str  # in a few words
    found: str  # how, in a sentence or two
    points: list[Point]
    priced: str | None  # the loss of the two, by name; None where they cannot be compared
    task: str = "binary"


def regrets(ledger: Ledger) -> list[Regret]:
    """Compare a run with what hindsight finds; a BadInput says why that cannot be done.

    >>> import noregret as nr
    >>> (regret,) = regrets(nr.play(nr.separable(3, 0.2, 200), nr.PassiveAggressive()))
    >>> regret.against, regret.priced, regret.points[-1].mistakes > 0
    ('one fixed rule', 'hinge loss', True)
    """
    comparisons = Comparisons([ledger])
    if ledger.nature is not None:
        for batch in first(ledger.nature, ledger.limit):
            for observer in comparisons.observers:
                observer.add(batch)
    return comparisons.regrets(0)


class Comparisons:
    """Comparators of several runs of one game, which observe one further reading of the rows."""

    def __init__(self, ledgers: Sequence[Ledger]) -> None:
        """Find the comparators; why a run has none is kept for `regrets`."""
        self._known: dict[tuple[str, bool], BestFixed] = {}
        self._runs: list[list[_Against] | BadInput] = []
        for ledger in ledgers:
            try:
                with np.errstate(over="ignore", invalid="ignore"):  # a learner may have run away
                    self._runs.append(_comparators(ledger, self._known))
            except BadInput as why:
                self._runs.append(why)
        self._ledgers = ledgers

    @property
    def observers(self) -> list[_Course]:
        """What has to see every row."""
        return [one.course for run in self._runs if not isinstance(run, BadInput) for one in run]

    def regrets(self, k: int) -> list[Regret]:
        """The regrets of run k, when every row was seen; a BadInput says why there are none."""
        run = self._runs[k]
        if isinstance(run, BadInput):
            raise run
        return [one.regret(self._ledgers[k]) for one in run]


class _Course:
    """A comparator that plays, and what it has suffered so far."""

    def add(self, batch: Batch) -> None:
        """Play a batch."""
        raise NotImplementedError

    def suffered(self) -> list[Suffered]:
        """What it had suffered at the rounds of the run's curve."""
        raise NotImplementedError


class _Alone(_Course):
    """A member of a panel, learning by itself."""

    def __init__(self, ledger: Ledger, member: Any) -> None:
        self.learner, self.ledger = member.clone(), Ledger(member.spec, skipping=ledger.skipping)

    def add(self, batch: Batch) -> None:
        """Play and learn."""
        play_batch(batch, self.learner, self.ledger, None)

    def suffered(self) -> list[Suffered]:
        """Its own curve; its loss is its mistakes."""
        return [(t, mistakes, float(mistakes)) for t, mistakes, _ in self.ledger.curve]


class _Fixed(_Course):
    """A rule that does not learn."""

    def __init__(self, ledger: Ledger, rule: Any, charged: Callable[..., Any] | None) -> None:
        self.rule, self.charged = rule, charged
        self.at = np.array([t for t, _, _ in ledger.curve])
        self.rounds, self.mistakes, self.loss = 0, 0, 0.0
        self.found: list[Suffered] = []

    def add(self, batch: Batch) -> None:
        """Predict every row."""
        wrong, lost = _suffered(batch, self.rule, self.charged)
        so_far, losses = self.mistakes + np.cumsum(wrong), self.loss + np.cumsum(lost)
        here = self.at[(self.at > self.rounds) & (self.at <= self.rounds + len(batch))]
        for t in here.tolist():
            place = int(t) - self.rounds - 1
            self.found.append((int(t), int(so_far[place]), float(losses[place])))
        if len(batch):
            self.rounds += len(batch)
            self.mistakes, self.loss = int(so_far[-1]), float(losses[-1])

    def suffered(self) -> list[Suffered]:
        """What was counted."""
        return self.found


class _Against(NamedTuple):
    """A comparator of a run: in a few words, its course, and how it was found, known when it has played."""

    name: str
    course: _Course
    found: Callable[[list[Suffered]], str]
    priced: str | None
    task: str = "binary"

    def regret(self, ledger: Ledger) -> Regret:
        """The regret of the run against it."""
        theirs = self.course.suffered()
        return Regret(self.name, self.found(theirs), _points(ledger, theirs), self.priced, self.task)


def _comparators(ledger: Ledger, known: dict[tuple[str, bool], BestFixed]) -> list[_Against]:
    if not isinstance(ledger.start, LinearLearner | MulticlassLearner | Panel | FiniteLearner):
        raise BadInput("there is no fixed rule to compare this kind of learner with")
    if ledger.nature is None:
        raise BadInput("its rows could be read only once, and a fixed rule is found by reading them again")
    if ledger.skipped:
        raise BadInput("it passed over rows that another rule would not have refused")
    if ledger.labelled == 0:
        raise BadInput("no round had a label")
    if ledger.task == "regression" and ledger.loss_name not in OWN:
        raise BadInput(f"there is no fixed rule of least {ledger.loss_name} loss to compare it with")
    if isinstance(ledger.start, FiniteLearner):
        return [_against_hypothesis(ledger, ledger.start)]
    fixed = _against_fixed(ledger, known)
    if isinstance(ledger.start, Panel) and not ledger.lag:  # late labels: it kept count of another game
        return [_against_member(ledger, ledger.start), fixed]
    return [fixed]


def _against_member(ledger: Ledger, panel: Panel) -> _Against:
    """The member with the fewest mistakes, which learned by itself: the others do not change it."""
    lost = ledger.account.expert_losses - panel.account().expert_losses
    best = int(np.argmin(lost))

    def found(theirs: list[Suffered]) -> str:
        return (
            f"The best member is {panel.specs[best]}: by itself it makes "
            f"{counted(theirs[-1][1], 'mistake')}. Expected mistakes are those of a panel that follows one "
            "member, drawn by weight, in place of the vote; the theorem about regret bounds these."
        )

    priced = None if ledger.tally.weighted else ledger.loss_name  # mistakes have no importance
    return _Against("the best member", _Alone(ledger, panel.members[best]), found, priced)


def _against_hypothesis(ledger: Ledger, learner: FiniteLearner) -> _Against:
    best = best_hypothesis(ledger.nature, ledger.limit, learner.hypotheses)
    course = _Fixed(ledger, best, np.frompyfunc(lambda said, label: float(said != label), 2, 1))

    def found(theirs: list[Suffered]) -> str:
        return (
            f"The best hypothesis of {learner.hypotheses.name}, known only afterwards, is {best.name}: "
            f"it makes {counted(theirs[-1][1], 'mistake')}."
        )

    priced = "expected mistakes" if learner.randomised else None
    return _Against("the best hypothesis", course, found, priced)


def _against_fixed(ledger: Ledger, known: dict[tuple[str, bool], BestFixed]) -> _Against:
    several = ledger.task == "multiclass"
    goal = None if several else OWN.get(ledger.loss_name)
    key = ("classes" if several else goal or "hinge", bool(getattr(ledger.start, "has_bias", True)))
    if key not in known:
        known[key] = _found(ledger, *key)
    best = known[key]
    charged = _charged(ledger) if goal else None

    def found(theirs: list[Suffered]) -> str:
        sentences = [_chosen(best)]
        if ledger.task != "regression":
            sentences.append(f"Over all rows it makes {counted(theirs[-1][1], 'mistake')}.")
        if goal:
            sentences.append(f"Its {ledger.loss_name} loss is {theirs[-1][2]:,.6g}{_proof(best, ledger)}.")
        return " ".join(sentences)

    priced = f"{ledger.loss_name} loss" if goal else None
    return _Against("one fixed rule", _Fixed(ledger, best.rule, charged), found, priced, ledger.task)


def _charged(ledger: Ledger) -> Callable[..., Any]:
    """The learner's loss of scores and labels: by whole arrays where it is a loss of margins."""
    if ledger.task == "binary" and ledger.loss_name in LOSSES:
        return lambda scores, labels: losses(ledger.loss_name, labels * scores)
    charged: Callable[..., Any] = np.frompyfunc(ledger.start.loss_of, 2, 1)
    return charged


def _found(ledger: Ledger, goal: str, bias: bool) -> BestFixed:
    values = VALUES // max(len(ledger.classes), 1) if goal == "classes" else VALUES
    rows = rows_of(ledger, values, ledger.classes if goal == "classes" else ())
    if goal == "classes":
        return best_fixed_classes(rows, ledger.classes, bias)
    return best_fixed(rows, goal, bias)


def _chosen(best: BestFixed) -> str:
    seen = "every label" if best.every == 1 else f"the labels of every {best.every:,}th row"
    return (
        f"The fixed rule was chosen afterwards, knowing {seen}: of those with small weights, the one of "
        f"least {best.loss} loss. It does not learn."
    )


def _proof(best: BestFixed, ledger: Ledger) -> str:
    """What duality says of all other rules, where that loss is the run's own and every round counts once."""
    if best.at_least is None or ledger.loss_name != best.loss or ledger.tally.weighted:
        return ""
    return (
        f", and no rule with weights as small (each in units of its feature) has less than "
        f"{best.at_least:,.6g}"
    )


def _suffered(batch: Batch, rule: Any, charged: Callable[..., Any] | None) -> tuple[Any, Floats]:
    """By round: whether the prediction was wrong, and the loss, by importance."""
    told, scores = ~np.isnan(batch.labels), rule.scores(batch)
    wrong = told & rule.wrong(batch, scores)
    lost = np.zeros(len(batch))
    if charged is not None and told.any():
        lost[told] = charged(scores[told], batch.labels[told])
        lost *= 1.0 if batch.weights is None else batch.weights
    return wrong, lost


def _points(ledger: Ledger, theirs: list[Suffered]) -> list[Point]:
    own = ledger.curve
    if [t for t, _, _ in own] != [t for t, _, _ in theirs]:
        raise BadInput(f"the data is not what it was: the run had {ledger.rounds:,} rounds")
    return [Point(a[0], a[1] - b[1], a[2] - b[2]) for a, b in zip(own, theirs, strict=True)]
