"""The account of a run, made from the weights that were played and the losses that came, and from nothing else.

A theorem reads quantities that a rule adds up while it plays. A rule that is wrong would add them up wrongly, so
here they are computed again, as the theorems define them, without asking the rule.
"""

import math

import numpy as np

from noregret.experts.account import Account


def audited(rule, weights, losses):
    """The account that `rule` would give, had it played these weights (rounds × experts)."""
    own = np.sum(weights * losses, axis=1)
    regrets = own[:, None] - losses
    spreads = losses.max(axis=1) - losses.min(axis=1)
    scalars = {
        "lowest": losses.min(),
        "highest": losses.max(),
        "widest": spreads.max(),
        "squares": np.sum(spreads**2),
        "variance": np.sum(weights * regrets**2),
        "price": _price(rule, spreads),
        "overtaken": _overtaken(losses, spreads),
        **dict.fromkeys(("waited", "joined", "slept"), 0.0),
    }
    lanes = {"square": np.sum(regrets**2, axis=0)}
    if rule.name == "mlpol":
        scalars |= _polynomial(regrets)
    if rule.name == "boa":
        scalars["excess"], lanes["rate"], lanes["correction"] = _bernstein(regrets)
    return _account(rule, own.sum(), losses, scalars, lanes)


def audited_vote(rule, said, advice, truth):
    """The account of what was said, 0 or 1, by a vote."""
    erred = (advice != truth[:, None]).astype(float)
    scalars = {"lowest": 0.0, "highest": 1.0} | dict.fromkeys(("waited", "joined", "slept"), 0.0)
    return _account(rule, float(np.sum(said != truth)), erred, scalars, {})


def audited_ridge(rule, said, advice, truth):
    """The account of what was said by a linear aggregation."""
    beyond, n = truth - advice.mean(axis=1), advice.shape[1]
    matrix = rule.penalty * np.eye(n)
    leverage = 0.0
    for x in advice:
        matrix += np.outer(x, x)
        leverage += x @ np.linalg.solve(matrix, x)
    best = np.linalg.solve(matrix, advice.T @ beyond)
    least = rule.penalty * best @ best + np.sum((advice @ best - beyond) ** 2)
    squares = (advice - truth[:, None]) ** 2
    scalars = {"least": least, "reach": np.abs(beyond).max(), "leverage": leverage, "highest": squares.max()}
    scalars |= dict.fromkeys(("lowest", "waited", "joined", "slept"), 0.0)
    lanes = {"triangle": np.linalg.cholesky(matrix)}
    return _account(rule, float(np.sum((said - truth) ** 2)), squares, scalars, lanes)


def _account(rule, own, losses, scalars, lanes):
    rounds, n = losses.shape
    numbers = {name: float(value) for name, value in scalars.items()}
    totals = losses.sum(axis=0)
    return Account(rule.spec, n, rounds, float(own), totals, numbers, lanes, rule.parameters, False, losses)


def _price(rule, spreads):
    """Σ min(s, η·s²/8), at the rates that the rule should have used."""
    before = np.concatenate([[0.0], np.cumsum(spreads**2)[:-1]])
    with np.errstate(divide="ignore"):
        rates = 2.0 * np.sqrt(math.log(rule.n) / before)
    given = getattr(rule, "rate", None)
    rates = rates if given is None else np.full(len(spreads), given)
    return np.sum(np.minimum(spreads, rates * spreads**2 / 8.0))


def _overtaken(losses, spreads):
    leaders = np.argmin(np.vstack([np.zeros(losses.shape[1]), np.cumsum(losses, axis=0)]), axis=1)
    return np.sum(spreads[leaders[1:] != leaders[:-1]])


def _polynomial(regrets):
    """By how much Σ max(R, 0)²/(B + Σr²) grew beyond its slope."""
    total, square, bound, excess = np.zeros(regrets.shape[1]), np.zeros(regrets.shape[1]), 0.0, 0.0
    for r in regrets:
        scale = np.maximum(bound + square, 1e-200)
        allowed = np.maximum(total, 0.0) ** 2 / scale + 2.0 * np.maximum(total, 0.0) / scale * r
        bound = max(bound, np.max(r * r))
        total, square = total + r, square + r * r
        after = np.maximum(total, 0.0) ** 2 / np.maximum(bound + square, 1e-200)
        excess += np.sum(np.maximum(after - allowed, 0.0))
    return {"excess": excess, "bound": bound}


def _bernstein(regrets):
    """By how much Σ exp(η·R) grew beyond its slope, the last rates, and what the regrets were corrected by."""
    n = regrets.shape[1]
    rate, square, bound = (np.full(n, 2.0**-20) for _ in range(3))
    total, correction, excess = np.zeros(n), np.zeros(n), 0.0
    for r in regrets:
        allowed = np.exp(rate * total) * (1.0 + 0.5 * rate * r)
        bound = np.maximum(bound, np.abs(r))
        power = 2.0 ** np.ceil(np.log2(bound))
        square = square + r * r
        rate = np.minimum(1.0 / power, np.sqrt(math.log(max(n, 2)) / square))
        change = rate * r * r - np.where(rate * r > 0.5, power, 0.0)
        correction, total = correction + change, total + 0.5 * (r - change)
        excess += np.sum(np.maximum(np.exp(np.minimum(rate * total, 700.0)) - allowed, 0.0))
    return excess, rate, correction
