"""Regret over the rounds of a run: what it lost, less what something known only afterwards lost.

A learner over features is compared with one fixed rule of the same kind, a panel also with its best
member, a learner over a class with its best hypothesis. The data are read again for it; what is kept of
them does not grow with their length.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from noregret.certificate import counted
from noregret.errors import BadInput
from noregret.game.play import first, play_all
from noregret.hypotheses.learner import FiniteLearner
from noregret.ledger import Ledger
from noregret.linear.learner import LinearLearner
from noregret.linear.multiclass_learner import MulticlassLearner
from noregret.panel.panel import Panel
from noregret.regret.fixed_rule import BestFixed, best_fixed, best_fixed_classes, best_hypothesis
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


@np.errstate(over="ignore", invalid="ignore")  # a learner may have run away
def regrets(ledger: Ledger, known: dict[tuple[str, bool], BestFixed] | None = None) -> list[Regret]:
    """Compare a run with what hindsight finds; a BadInput says why that cannot be done.

    `known` has the fixed rules found for other runs over the same data, by loss and bias.

    >>> import noregret as nr
    >>> (regret,) = regrets(nr.play(nr.separable(3, 0.2, 200), nr.PassiveAggressive()))
    >>> regret.against, regret.priced, regret.points[-1].mistakes > 0
    ('one fixed rule', 'hinge loss', True)
    """
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
    fixed = _against_fixed(ledger, {} if known is None else known)
    if isinstance(ledger.start, Panel) and not ledger.lag:  # late labels: it kept count of another game
        return [_against_member(ledger, ledger.start), fixed]
    return [fixed]


def _against_member(ledger: Ledger, panel: Panel) -> Regret:
    """The member with the fewest mistakes, which learned by itself: the others do not change it."""
    lost = ledger.account.expert_losses - panel.account().expert_losses
    best = int(np.argmin(lost))
    (alone,) = play_all(ledger.nature, [panel.members[best]], ledger.limit, skip=ledger.skipping)
    theirs = [(t, mistakes, float(mistakes)) for t, mistakes, _ in alone.curve]
    found = (
        f"The best member is {panel.specs[best]}: by itself it makes {counted(alone.mistakes, 'mistake')}. "
        "Expected mistakes are those of a panel that follows one member, drawn by weight, in place of the "
        "vote; the theorem about regret bounds these."
    )
    priced = None if ledger.tally.weighted else ledger.loss_name  # mistakes have no importance
    return Regret("the best member", found, _points(ledger, theirs), priced)


def _against_hypothesis(ledger: Ledger, learner: FiniteLearner) -> Regret:
    best = best_hypothesis(ledger.nature, ledger.limit, learner.hypotheses)
    theirs = _played(ledger, best, np.frompyfunc(lambda said, label: float(said != label), 2, 1))
    found = (
        f"The best hypothesis of {learner.hypotheses.name}, known only afterwards, is {best.name}: it makes "
        f"{counted(theirs[-1][1], 'mistake')}."
    )
    priced = "expected mistakes" if learner.randomised else None
    return Regret("the best hypothesis", found, _points(ledger, theirs), priced)


def _against_fixed(ledger: Ledger, known: dict[tuple[str, bool], BestFixed]) -> Regret:
    several = ledger.task == "multiclass"
    goal = None if several else OWN.get(ledger.loss_name)
    key = ("classes" if several else goal or "hinge", bool(getattr(ledger.start, "has_bias", True)))
    if key not in known:
        known[key] = _found(ledger, *key)
    best = known[key]
    charged = np.frompyfunc(ledger.start.loss_of, 2, 1) if goal else None
    theirs = _played(ledger, best.rule, charged)
    told = [_chosen(best)]
    if ledger.task != "regression":
        told.append(f"Over all rows it makes {counted(theirs[-1][1], 'mistake')}.")
    if goal:
        told.append(f"Its {ledger.loss_name} loss is {theirs[-1][2]:,.6g}{_proof(best, ledger)}.")
    priced = f"{ledger.loss_name} loss" if goal else None
    return Regret("one fixed rule", " ".join(told), _points(ledger, theirs), priced, ledger.task)


def _found(ledger: Ledger, goal: str, bias: bool) -> BestFixed:
    if goal == "classes":
        return best_fixed_classes(ledger.nature, ledger.limit, ledger.classes, bias)
    return best_fixed(ledger.nature, ledger.limit, goal, bias)


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


def _played(ledger: Ledger, rule: Any, charged: Callable[..., Any] | None) -> list[Suffered]:
    """What a fixed rule had suffered at the rounds of the run's curve."""
    at = np.array([t for t, _, _ in ledger.curve])
    rounds, mistakes, loss = 0, 0, 0.0
    found: list[Suffered] = []
    for batch in first(ledger.nature, ledger.limit):
        wrong, lost = _suffered(batch, rule, charged)
        so_far, losses = mistakes + np.cumsum(wrong), loss + np.cumsum(lost)
        here = at[(at > rounds) & (at <= rounds + len(batch))]
        found += [(int(t), int(so_far[t - rounds - 1]), float(losses[t - rounds - 1])) for t in here]
        if len(batch):
            rounds, mistakes, loss = rounds + len(batch), int(so_far[-1]), float(losses[-1])
    return found


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
