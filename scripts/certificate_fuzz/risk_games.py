"""Risk bounds on rounds drawn from a known distribution, where every risk can be worked out exactly.

A bound may be exceeded in a share δ of all games. So games are counted, by scenario and method, and at the
end the count is compared with what chance allows.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import noregret as nr
from certificate_fuzz.parameters import Generator, Kind, spec
from certificate_fuzz.tables import Floats

METHODS = ("voted", "penalised", "average", "random", "survivor", "last")
DELTAS = (0.05, 0.2, 0.5)
CHANCE = 1e-4  # a count that honest bounds reach less often than this is a failure
SCENARIOS = ("fresh", "missing labels", "learned these rows before", "leave one out")
COMMANDS = ("command: one of many learners", "command: several passes", "command: a model of several passes")


@dataclass(frozen=True)
class Claim:
    """A risk that is promised not to be exceeded, but for a share δ of all games."""

    scenario: str
    method: str
    exceeded: bool
    allowed: float  # δ
    detail: str


@dataclass
class Tally:
    """Claims of one scenario and method."""

    claims: int = 0
    exceeded: int = 0
    allowed: float = 0.0  # Σδ
    deltas: set[float] = field(default_factory=set)
    details: list[str] = field(default_factory=list)

    def add(self, claim: Claim, where: str) -> None:
        """Count a claim."""
        self.claims += 1
        self.exceeded += claim.exceeded
        self.allowed += claim.allowed
        self.deltas.add(claim.allowed)
        if claim.exceeded and len(self.details) < 3:
            self.details.append(f"{where}: {claim.detail}")

    @property
    def chance(self) -> float:
        """At most how often honest bounds are exceeded at least as often as these.

        The tail of the binomial distribution if all δ are equal, else its bound by Chernoff, which Hoeffding
        proved in 1956 for different ones.
        """
        if len(self.deltas) == 1:
            return _binomial_tail(self.claims, self.exceeded, *self.deltas)
        share, mean = self.exceeded / max(self.claims, 1), self.allowed / max(self.claims, 1)
        if share <= mean or mean <= 0.0:
            return 1.0 if share <= mean else 0.0
        rest = (1.0 - share) * math.log((1.0 - share) / (1.0 - mean)) if share < 1.0 else 0.0
        return math.exp(-self.claims * (share * math.log(share / mean) + rest))


def _binomial_tail(count: int, least: int, chance: float) -> float:
    """The probability that `least` or more of `count` independent events happen."""
    if least == 0 or chance >= 1.0:
        return 1.0
    if chance <= 0.0:
        return 0.0
    logs = [
        math.lgamma(count + 1)
        - math.lgamma(k + 1)
        - math.lgamma(count - k + 1)
        + k * math.log(chance)
        + (count - k) * math.log1p(-chance)
        for k in range(least, count + 1)
    ]
    return min(1.0, sum(map(math.exp, logs)))


@dataclass(frozen=True)
class World:
    """A distribution on finitely many rows and their labels."""

    points: Floats
    shares: Floats
    positive: Floats  # the probability of +1 at each point
    target: Floats  # of which `positive` depends, if it does

    def sample(self, rng: Generator, rounds: int) -> tuple[Floats, Floats]:
        """Draw rounds independently."""
        drawn = rng.choice(len(self.points), rounds, p=self.shares)
        return self.points[drawn], np.where(rng.random(rounds) < self.positive[drawn], 1.0, -1.0)

    def risk(self, predictor: Any) -> float:
        """The probability that a predictor errs on a new round."""
        said = np.array([predictor.predict(x) for x in self.points])
        return float(self.shares @ np.where(said > 0, 1.0 - self.positive, self.positive))


def world(rng: Generator, name: str, labels: str = "", most: int = 16) -> World:
    """Draw a distribution on a few rows; its labels are coins, those of a target, or of one and noise."""
    labels = labels or str(rng.choice(["coins", "target", "noise"]))
    count, width = int(rng.integers(2, most + 1)), int(rng.integers(1, most // 2 + 1))
    if labels == "coins" and rng.random() < 0.5:  # so that every row can be learned by heart
        count, width = 100, 60
    zero_one = name == "winnow"
    points = rng.standard_normal((count, width)) if not zero_one else rng.integers(0, 2, (count, width)) * 1.0
    shares = rng.dirichlet(np.ones(count))
    target = rng.standard_normal(width)
    positive = (points @ target > 0).astype(float)
    if labels == "coins":
        positive = np.full(count, 0.5)
    return World(points, shares, np.clip(positive, 0.2, 0.8) if labels == "noise" else positive, target)


def claims(rng: Generator, kind: Kind) -> Iterator[Claim]:
    """Play a game of a learner that can be converted, and yield what is promised."""
    scenario = SCENARIOS[int(rng.integers(len(SCENARIOS)))]
    if scenario == "leave one out":
        yield from _leave_one_out(rng)
        return
    rounds = int(rng.integers(10, 120))
    text = _convertible(rng, kind, rounds)
    by_heart = scenario == "learned these rows before" and rng.random() < 0.7
    made = world(rng, kind.name, "coins" if by_heart else "")
    X, y = made.sample(rng, rounds)
    learner = nr.learner(text)
    if scenario == "missing labels":
        y = np.where(rng.random(rounds) < 0.5, y, np.nan)
    if scenario == "learned these rows before":
        for _ in range(30):
            nr.play(nr.from_arrays(X, y), learner)
    start = learner.clone()
    ledger = nr.play(nr.from_arrays(X, y), learner)
    for method in rng.choice(METHODS, 3, replace=False).tolist():
        delta = float(rng.choice(DELTAS))
        converted = nr.to_batch(ledger, method, delta=delta)
        bound = converted.bound
        if bound.value is None:
            continue
        risk = made.risk(converted) if bound.proved else _mean_risk(made, start.clone(), X, y)
        what = method if bound.proved else "mean risk"
        detail = f"{text}, {rounds} rounds: risk {risk:.4f}, promised {bound.value:.4f} with δ = {delta}"
        yield Claim(scenario, what, risk > bound.value + 1e-9, delta, detail)


def _convertible(rng: Generator, kind: Kind, rounds: int) -> str:
    """Draw a spec that a batch predictor is made of: without scaling; Winnow with a threshold."""
    text = spec(rng, kind, rounds)
    while "scale=" in text or (kind.name == "winnow" and "threshold=" not in text):
        text = spec(rng, kind, rounds)
    return text


def _mean_risk(made: World, learner: Any, X: Floats, y: Floats) -> float:
    """Play the run again; return the mean risk of the hypotheses before each labelled round."""
    risks = []
    for x, label in zip(X, y, strict=True):
        if not math.isnan(label):
            risks.append(made.risk(learner))
            learner.learn(x, label)
    return float(np.mean(risks))


def _leave_one_out(rng: Generator) -> Iterator[Claim]:
    """The vote of all rounds but the last, in a random order, errs on the last with a bounded chance."""
    rounds = int(rng.integers(2, 300))
    made = world(rng, "voted-perceptron", "target" if rng.random() < 0.9 else "", most=4)
    X, y = made.sample(rng, rounds)
    stream = nr.shuffled(nr.from_arrays(X, y), int(rng.integers(1 << 30)))
    voters = nr.VotedPerceptron(budget=0)
    nr.play(stream, voters, rounds - 1)
    errs = voters.predict(stream.matrix[-1]) != stream.labels[-1]
    for one in nr.certify(nr.play(stream, nr.VotedPerceptron(budget=0)), made.target):
        if "leave one out" in one.theorem and one.bound is not None:
            allowed = min(1.0, max(0.0, one.bound))
            yield Claim("leave one out", one.theorem, bool(errs), allowed, f"{rounds} rounds: {one}")


# ---- through the command line ----------------------------------------------------------------------


def command_claims(rng: Generator, kinds: list[Kind]) -> Iterator[Claim]:
    """Run `noregret run --to-batch … --save` on fair coins: every risk is exactly a half."""
    scenario = str(rng.choice(COMMANDS, p=(0.9, 0.02, 0.08)))
    method = str(rng.choice(METHODS, p=(0.02, 0.1, 0.8, 0.04, 0.02, 0.02)))
    rounds = int(rng.integers(40, 70))
    X = (rng.random((rounds, 60)) < 0.1) * 10.0 ** rng.uniform(-2, 2, 60)  # learners differ most on such rows
    y = rng.choice([-1.0, 1.0], rounds)
    many = 40 if "many" in scenario else 1
    additive = [kind for kind in kinds if "winnow" not in kind.name]  # the others do not take every method
    specs = [_convertible(rng, additive[int(rng.integers(len(additive)))], rounds) for _ in range(many)]
    with tempfile.TemporaryDirectory() as folder:
        names = ("data.npz", "learner.model", "predictor.model", "run.json")
        data, model, saved, told = (Path(folder) / name for name in names)
        np.savez(data, X=X, y=y)
        passes = ["--passes", str(int(rng.integers(2, 31)))]
        learners = [part for one in specs for part in ("-l", one)]
        end = ["--to-batch", method, "--save", str(saved), "--json", str(told), "--quiet", "--no-certify"]
        if "model" in scenario:
            begin = ["--save", str(model), "--quiet", "--no-certify"]
            _command("run", str(data), *learners, *passes, *begin)
            learners, passes = ["--model", str(model)], []
        elif "passes" not in scenario:
            passes = []
        _command("run", str(data), *learners, *passes, *end)
        if not saved.exists():
            return
        bound = nr.load(saved).bound
        delta = json.loads(told.read_text(encoding="utf-8"))["to_batch"][0]["delta"]
    if bound.value is not None:
        what = method if bound.proved else "mean risk"
        detail = f"risk 0.5, promised {bound.value:.4f} after {rounds} rounds of {many} learners"
        yield Claim(scenario, what, bound.value < 0.5 - 1e-9, delta, detail)


def _command(*arguments: str) -> None:
    """Run a command in a fork of this process, which has imported everything already."""
    child = multiprocessing.get_context("fork").Process(target=_main, args=(arguments,))
    child.start()
    child.join()


def _main(arguments: tuple[str, ...]) -> None:
    from noregret.cli import main

    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    sys.argv = ["noregret", *arguments]
    main()
