"""Runs over experts, played again in plain Python."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .expert_account import ExpertsRun
from .expert_losses import cost_of, slope_of
from .experts import EG, AdaHedge, Doubling, Experts, FixedShare, FollowTheLeader, Hedge, Row
from .regrets import BOA, MLPol, MLProd, Squint, WeightedMajority
from .ridge_runs import play_ridge
from .rounds import Refused

HIT = 2.0**-32  # a prediction so near to the truth, for the size of the advice, may be on either side of it


def play_losses(name: str, parameters: dict[str, Any], n: int, rows: Sequence[Row]) -> ExpertsRun:
    """Play a rule over rows of losses."""
    run, twin = ExpertsRun(name, parameters, n), twin_of(name, parameters, n)
    for row in rows:
        weights, everybody = twin.weights(row), twin.weights()
        run.suffer(weights, everybody, row, twin.learn(row))
    return run


def play_votes(
    parameters: dict[str, Any], n: int, advice: Sequence[Row], truths: Sequence[float]
) -> ExpertsRun:
    """Play Weighted Majority over advice."""
    run, twin = ExpertsRun("wm", parameters, n), WeightedMajority(n, parameters.get("beta", 0.5))
    for said, truth in zip(advice, truths, strict=True):
        erred = [None if one is None else float(one != truth) for one in said]
        run.suffer([], [], erred, float(twin.learn(said, truth)))
    return run


def play_advice(
    name: str,
    parameters: dict[str, Any],
    n: int,
    advice: Sequence[Row],
    truths: Sequence[float],
    hits: Mapping[int, float] | None = None,
) -> ExpertsRun:
    """Play a rule over advice, priced by its loss or by the slope of its loss at the prediction.

    `hits` has the rounds whose prediction was the truth but for rounding, and the side that it fell on.
    """
    if name == "wm":
        return play_votes(parameters, n, advice, truths)
    if name == "expert-ridge":
        return play_ridge(parameters, n, advice, truths)
    run, twin = ExpertsRun(name, parameters, n), twin_of(name, parameters, n)
    loss = "zero-one" if name == "rwm" else str(parameters.get("loss", "square"))
    given = str(parameters.get("gradient", "auto")).lower()
    run.linear = name != "rwm" and given != "false" and loss != "zero-one" and len(truths) > 0
    for t, (said, truth) in enumerate(zip(advice, truths, strict=True)):
        weights, everybody = twin.weights(said), twin.weights()
        if run.linear:
            prediction = 0.0
            for weight, one in zip(weights, said, strict=True):
                prediction += 0.0 if one is None else weight * one
            at = _beside(prediction, truth, said, hits[t]) if hits and t in hits else prediction
            slope = slope_of(loss, at, truth)
            run.noise = max(run.noise, _noise(loss, slope, truth, said))
            row: Row = [None if one is None else slope * (one - prediction) for one in said]
        else:
            row = [None if one is None else cost_of(loss, one, truth) for one in said]
        run.suffer(weights, everybody, row, twin.learn(row))
    return run


def twin_of(name: str, given: dict[str, Any], n: int) -> Experts:
    """The twin of a rule with its parameters."""
    rate, horizon = given.get("rate"), given.get("horizon")
    if name == "hedge":
        if given.get("doubling"):
            return Doubling(n)
        return Hedge(n, math.sqrt(8.0 * math.log(n) / horizon) if horizon else rate)
    if name == "rwm":
        return Hedge(n, -math.log(beta_of(given, n)))
    if name == "eg":
        return EG(n, rate)
    if name == "fixed-share":
        return FixedShare(n, *rate_and_share(given, n))
    plain = {
        "adahedge": AdaHedge,
        "ftl": FollowTheLeader,
        "squint": Squint,
        "mlprod": MLProd,
        "boa": BOA,
        "mlpol": MLPol,
    }
    if name not in plain:
        raise Refused(f"the verifier does not know the rule '{name}'")
    return plain[name](n)


def _beside(prediction: float, truth: float, said: Row, side: float) -> float:
    """The truth, or what is next to it on a side: ways of adding up do not agree about slopes at a kink."""
    reach = HIT * max(0.0, abs(truth), *(abs(one) for one in said if one is not None))
    if abs(prediction - truth) > reach or side not in (-1.0, 0.0, 1.0):
        raise Refused(f"a prediction is {prediction!r} and the truth {truth!r}: it was no hit")
    return math.nextafter(truth, side * math.inf) if side else truth


def _noise(loss: str, slope: float, truth: float, said: Row) -> float:
    """What rounding of the prediction does to a linear loss: where all are right, nothing else is left."""
    off = 2.0**-50 * len(said) * max(0.0, abs(truth), *(abs(one) for one in said if one is not None))
    near = (slope_of(loss, truth + off, truth), slope_of(loss, truth - off, truth))  # signs may turn over
    return off * (max(map(abs, (slope, *near))) + off)


def beta_of(given: dict[str, Any], n: int) -> float:
    """β of Randomised Majority: as given, or made for a horizon."""
    if not given.get("horizon"):
        return float(given.get("beta", 0.5))
    made = max(0.5, 1.0 - math.sqrt(math.log(n) / given["horizon"]))
    return min(made, math.nextafter(1.0, 0.0))


def rate_and_share(given: dict[str, Any], n: int) -> tuple[float, float]:
    """η and α of Fixed Share: as given, or made for a horizon and a number of switches."""
    rate, share = float(given.get("rate", 0.5)), float(given.get("share", 0.01))
    if given.get("horizon") and given.get("switches"):
        share = given["switches"] / (given["horizon"] - 1.0)
        price = prior_price(n, given["horizon"], given["switches"], share)
        rate = math.sqrt(8.0 * max(price, 1e-9) / given["horizon"])
    return rate, share


def prior_price(n: int, rounds: float, switches: float, share: float) -> float:
    """ln N + m·ln((N−1)/α) + (T−m−1)·ln(1/(1−α))."""
    if n == 1:
        return 0.0
    stay = max(rounds - switches - 1.0, 0.0) * -math.log1p(-share)
    return math.log(n) + switches * math.log((n - 1.0) / share) + stay
