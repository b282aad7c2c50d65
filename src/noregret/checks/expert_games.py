"""The theorems of the rules over experts, played against Cover's adversary and against fair coins.

Two experts say 0 and 1 for ever, and the truth is what the weights believe less: nothing is harder
for a rule that must not regret. At random, eight experts and the truth are fair coins.

A vote that listens only to the faultless is played where somebody is: by questions that halve the
experts, and by coins of which one is always right.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from noregret.certificate import Certificate
from noregret.judging.certify import certify
from noregret.registry import expert_rule
from noregret.rounds import Floats

ROUNDS = 500
FAULTLESS = "wm:beta=0"
# Together they have every theorem of every rule.
SPECS = (
    "wm",
    FAULTLESS,
    f"rwm:horizon={ROUNDS}",
    "hedge",
    f"hedge:horizon={ROUNDS}",
    "hedge:doubling=true",
    "adahedge",
    "squint",
    "fixed-share",
    "mlprod",
    "boa",
    "mlpol",
    "eg",
    "expert-ridge",
    "ftl",
)


def expert_games(seed: int) -> Iterator[tuple[str, Certificate]]:
    """Yield the title of each game and what its theorem says."""
    for spec in SPECS:
        for title, (advice, truth) in _natures(spec, seed):
            run = expert_rule(spec, advice.shape[1], loss="zero-one").play(advice, truth)
            for certificate in certify(run):
                yield f"{title}, {spec}", certificate


def _natures(spec: str, seed: int) -> Iterator[tuple[str, tuple[Floats, Floats]]]:
    """What is hardest for a rule of this kind, and what is drawn."""
    if spec == FAULTLESS:
        yield "worst: half of 256 experts err, then half of the rest, …", _halves(8)
        advice, _ = _coins(seed)
        yield "random: fair coins, one of them the truth", (advice, advice[:, -1])
    else:
        yield "worst: Cover's adversary", _cover(spec)
        yield "random: fair coins", _coins(seed)


def _halves(questions: int) -> tuple[Floats, Floats]:
    """Expert i says the bits of i, and every answer is 0: the vote is tied each time, and says 1."""
    experts = np.arange(2**questions)
    return (experts >> np.arange(questions)[:, None] & 1).astype(np.float64), np.zeros(questions)


def _cover(spec: str) -> tuple[Floats, Floats]:
    """The rounds that the adversary makes of what a rule of this kind believes."""
    rule = expert_rule(spec, 2, loss="zero-one")
    advice = np.array([0.0, 1.0])
    truths = []
    for _ in range(ROUNDS):
        truths.append(0.0 if rule.weights[1] >= 0.5 else 1.0)
        rule.learn(advice, truths[-1])
    return np.tile(advice, (ROUNDS, 1)), np.array(truths)


def _coins(seed: int) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (ROUNDS, 8)).astype(np.float64), rng.integers(0, 2, ROUNDS).astype(np.float64)
