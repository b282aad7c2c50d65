"""A rule played over a table of forecasts, for people to look at: with its course, in parts or by series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from noregret.certificate import Verdict
from noregret.experts.account import Account
from noregret.experts.rule import ExpertRule
from noregret.rounds import Floats

POINTS = 100  # of the course of a run


@dataclass(frozen=True)
class Point:
    """Where a run stood after a round.

    The quantity of its first theorem, and the bound, if it was not silent.
    """

    round: int
    observed: float
    bound: float | None


@dataclass(frozen=True)
class Played:
    """What a rule said and suffered in every row, and how it stands."""

    name: str
    rules: list[ExpertRule]  # one, or one for each series
    keys: list[str] | None
    predictions: Floats
    losses: Floats
    weights: Floats | None
    course: list[Point]  # empty with several series
    accounts: list[Account]  # one for each rule
    start: Account  # where each of them began: a rule may have been played before

    def where(self, rows: NDArray[np.bool_]) -> Played:
        """What it said in these rows alone."""
        weights = None if self.weights is None else self.weights[rows]
        return replace(self, predictions=self.predictions[rows], losses=self.losses[rows], weights=weights)


def play_rule(
    rule: ExpertRule, advice: Floats, truth: Floats, series: list[str] | None, *, keep_weights: bool = False
) -> Played:
    """Play a rule over a table; cutting it into parts changes nothing but shows its course.

    Where the truth is NaN the rule predicts and does not learn; such a row has the loss NaN.
    """
    rows, start = _rows(series, len(truth)), rule.account()
    said, lost = np.empty(len(truth)), np.empty(len(truth))
    history = np.empty(advice.shape) if keep_weights else None
    played: list[ExpertRule] = []
    course: list[Point] = []
    accounts: list[Account] = []
    for at in rows.values():
        one = rule.clone() if series is not None else rule
        prices: list[Floats] = []
        for part in _parts(at, np.isnan(truth)):
            if np.isnan(truth[part[0]]):
                said[part], lost[part] = [one.predict(row) for row in advice[part]], np.nan
                if history is not None:
                    history[part] = [one.weights_for(row) for row in advice[part]]
                continue
            run = one.play(advice[part], truth[part], keep_weights=keep_weights)
            assert run.predictions is not None
            said[part], lost[part] = run.predictions, run.losses
            if history is not None and run.weights is not None:
                history[part] = run.weights
            if series is None and keep_weights:
                course.append(_point(one))
            if run.priced is not None:
                prices.append(run.priced)
        played.append(one)
        accounts.append(one.account(np.concatenate(prices) if prices else None))
    keys = None if series is None else list(rows)
    return Played(rule.rule, played, keys, said, lost, history, course, accounts, start)


def _rows(series: list[str] | None, count: int) -> dict[str, NDArray[np.int64]]:
    if series is None:
        return {"": np.arange(count, dtype=np.int64)}
    keys = np.array(series)
    return {key: np.flatnonzero(keys == key).astype(np.int64) for key in dict.fromkeys(series)}


def _parts(at: NDArray[np.int64], untold: NDArray[np.bool_]) -> Iterator[NDArray[np.int64]]:
    """Cut rows where truths begin or cease to be told; those that are told also for the course."""
    for piece in np.split(at, np.flatnonzero(np.diff(untold[at])) + 1):
        points = 1 if untold[piece[0]] else min(len(piece), max(1, POINTS * len(piece) // len(at)))
        yield from np.array_split(piece, points)


def _point(rule: ExpertRule) -> Point:
    """The first theorem of a rule, as it stands."""
    account = rule.account()
    theorems = rule.theorems()
    if not theorems:
        return Point(account.rounds, account.regret, None)
    certificate = theorems[0].certify(account, None)
    told = certificate.verdict is not Verdict.SILENT
    return Point(account.rounds, certificate.observed, certificate.bound if told else None)
