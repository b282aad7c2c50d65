"""The ways from online to batch: which hypotheses of a run are kept, and what is promised of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from noregret.certificate import counted
from noregret.conversion.converted import RiskBound
from noregret.conversion.iterates import Iterate, Source, iterates
from noregret.conversion.predictor import BatchPredictor, stacked
from noregret.errors import BadCommand, UnknownName
from noregret.game.play import first
from noregret.rounding import above

VOTERS = 20_000_000  # numbers in all the hypotheses of a vote
CANDIDATES = 500  # hypotheses, evenly spaced, of which the penalised risk is looked at

_IID = "if the rounds are drawn independently from one distribution"


@dataclass(frozen=True)
class Task:
    """What a conversion starts from."""

    source: Source
    rounds: int
    mistakes: int
    refused: int  # rows that the learner refused and that were passed over
    delta: float
    seed: int
    learners: int  # how many are converted together

    @property
    def share(self) -> float:
        """The probability with which the bound of this learner may fail: δ/learners (union bound)."""
        return self.delta / self.learners

    @property
    def mean_risk(self) -> float:
        """The bound on the mean risk of all hypotheses."""
        return above(
            self.mistakes / self.rounds + math.sqrt(math.log(1.0 / self.share) / (2.0 * self.rounds))
        )

    @property
    def strict(self) -> bool:
        """Whether a score of 0 says −1."""
        return bool(self.source.start.decide(0.0) < 0)

    def predictor(self, chosen: list[Iterate]) -> BatchPredictor:
        """A predictor of some hypotheses."""
        return stacked(chosen, self.strict)

    def bound(self, value: float | None, proved: bool, statement: str) -> RiskBound:
        """State the bound; or, where an assumption of every risk bound fails, why there is none."""
        missing = self._missing()
        if value is not None and missing is not None:
            value, proved, statement = None, False, f"nothing is promised {missing}"
        elif value is not None and self.learners > 1:
            statement += (
                f"; the bounds of all {self.learners} learners hold at once, each with δ/{self.learners}"
            )
        capped = None if value is None else min(1.0, value)
        return RiskBound(capped, proved, statement, self.delta, self.rounds, self.mistakes, self.learners)

    def _missing(self) -> str | None:
        """The assumption that fails: h_t must depend on the rounds before t alone, and T not on the run."""
        if not self.source.fresh:
            return "of a learner that had learned before: these rounds may be among those that it has seen"
        if getattr(self.source.stream, "passes", 1) > 1:
            return "after more than one pass: rounds that come again are no fresh draws"
        if not self.source.complete:
            return "of a run that was stopped: the number of its rounds was not fixed beforehand"
        if self.refused:
            return (
                f"where the learner refused {counted(self.refused, 'row')}: those played are no fair sample"
            )
        return None


def average(task: Task) -> tuple[BatchPredictor, RiskBound]:
    """The mean of the weights, each counted for the rounds it lasted."""
    sums: dict[Any, float] = {}
    initial, offset = task.source.start.initial_weight, 0.0
    for one in iterates(task.source):
        if one.initial != initial:
            raise BadCommand(
                f"{task.source.start.spec} changed the scale of its weights on the way: their mean says "
                "nothing; use voted or penalised"
            )
        for feature, weight in one.weights.items():
            sums[feature] = sums.get(feature, 0.0) + one.rounds * (weight - initial)
        offset += one.rounds * one.offset
    mean = {feature: initial + total / task.rounds for feature, total in sums.items()}
    statement = (
        f"{_IID}: the mean risk of the {task.rounds:,} hypotheses is at most this. Of their average it is "
        "proved for a convex loss, with its mean in place of M/T, not when mistakes are counted"
    )
    made = task.predictor([Iterate(mean, initial, offset / task.rounds, 0, task.rounds, 0)])
    return made, task.bound(task.mean_risk, False, statement)


def voted(task: Task) -> tuple[BatchPredictor, RiskBound]:
    """The majority of all hypotheses; where it errs, at least half of them do, hence twice the mean."""
    chosen, size = [], 0
    for one in iterates(task.source):
        if one.rounds:
            chosen.append(one)
            size += len(one.weights)
        if size > VOTERS:
            raise BadCommand(
                f"the hypotheses have more than {VOTERS:,} weights between them, too many for a vote; "
                "use average or penalised"
            )
    statement = f"{_IID}: the vote errs with at most twice the mean risk of the hypotheses"
    return task.predictor(chosen), task.bound(2.0 * task.mean_risk, True, statement)


def last(task: Task) -> tuple[BatchPredictor, RiskBound]:
    """What the learner is in the end."""
    *_, final = iterates(task.source)
    statement = "nothing is promised of the last hypothesis: it may be the one that the last round spoiled"
    return task.predictor([final]), task.bound(None, False, statement)


def drawn(task: Task) -> tuple[BatchPredictor, RiskBound]:
    """A hypothesis drawn among all rounds, alike likely."""
    place = int(np.random.default_rng(task.seed).integers(task.rounds))
    chosen = next(one for one in iterates(task.source) if one.begin + one.rounds > place)
    statement = f"{_IID}: the risk is at most this on average over the draw, not of every one that is drawn"
    return task.predictor([chosen]), task.bound(task.mean_risk, False, statement)


def survivor(task: Task) -> tuple[BatchPredictor, RiskBound]:
    """The hypothesis with the least bound of those that were right in their first rounds.

    h_j is the j-th spell of an unchanged predictor, s_j its correct rounds before its first mistake. A risk
    above 1 − ε^(1/s) survives s rounds with probability below ε; with ε = δ/(j(j+1)), which add up to δ, this
    holds for all j at once, although their number is not known beforehand.
    """
    least, place, chosen = math.inf, 0, None
    for j, one in enumerate(iterates(task.source), start=1):
        value = survivor_risk(task.share, j, one.survived)
        if value < least:
            least, place, chosen = value, j, one
    assert chosen is not None
    statement = (
        f"{_IID}: the risk of hypothesis j, right in its first s rounds, is at most "
        f"1 − (δ/(j(j+1)))^(1/s), for all j at once; here j = {place:,} and s = {chosen.survived:,}"
    )
    return task.predictor([chosen]), task.bound(least, True, statement)


def survivor_risk(delta: float, j: int, survived: int) -> float:
    """1 − (δ/(j(j+1)))^(1/s), rounded up; 1 where s = 0."""
    if survived == 0:
        return 1.0
    return above(-math.expm1(math.log(delta / (j * (j + 1.0))) / survived))


def penalised(task: Task) -> tuple[BatchPredictor, RiskBound]:
    """The h_t with the least error on the rounds from t on, and a penalty for how few they are.

    For each t of a grid that was fixed beforehand, Hoeffding's inequality holds for h_t and the rounds
    after it with probability 1 − δ/N; all N of the grid at once with 1 − δ.
    """
    if task.source.skipping:
        raise BadCommand("penalised wants every row played; leave out the bad rows beforehand")
    count = min(CANDIDATES, task.rounds)
    grid = [k * task.rounds // count for k in range(count)]
    chosen: list[Iterate] = []
    for one in iterates(task.source):
        chosen += [one] * sum(one.begin <= t < one.begin + one.rounds for t in grid[len(chosen) :])
    errors = _tail_errors(task, chosen, grid)
    left = task.rounds - np.array(grid)
    values = errors / left + np.sqrt(math.log(count / task.share) / (2.0 * left))
    best = int(np.argmin(values))
    statement = (
        f"{_IID}: the risk is at most its error on the {left[best]:,} rounds after it, and the penalty"
    )
    return task.predictor([chosen[best]]), task.bound(above(float(values[best])), True, statement)


def _tail_errors(task: Task, chosen: list[Iterate], grid: list[int]) -> Any:
    """How often each hypothesis errs on the rounds from its own on."""
    committee = task.predictor(chosen)
    errors, begin = np.zeros(len(grid), dtype=np.int64), 0
    for batch in first(task.source.stream, task.source.limit):
        labelled = np.flatnonzero(~np.isnan(batch.labels))
        for at in range(0, len(labelled), 4096):
            rows = labelled[at : at + 4096]
            wrong = committee.opinions(batch, rows) != batch.labels[rows][:, None]
            place = begin + at + np.arange(len(rows))
            errors += np.sum(wrong & (place[:, None] >= np.array(grid)[None, :]), axis=0)
        begin += len(labelled)
    return errors


METHODS: dict[str, Callable[[Task], tuple[BatchPredictor, RiskBound]]] = {
    "average": average,
    "voted": voted,
    "last": last,
    "random": drawn,
    "survivor": survivor,
    "penalised": penalised,
}


def require_method(method: str) -> None:
    """Refuse one that is not there."""
    if method not in METHODS:
        raise UnknownName(f"there is no conversion called '{method}'; there is {', '.join(METHODS)}")
