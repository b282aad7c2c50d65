"""The theorems of the rules over experts, played against Cover's adversary and against fair coins.

Two experts say 0 and 1 for ever, and the truth is what the weights believe less: nothing is harder
for a rule that must not regret. At random, eight experts and the truth are fair coins.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from noregret.certificate import Certificate
from noregret.certification import certify
from noregret.registry import expert_rule
from noregret.rounds import Floats

ROUNDS = 500
# Together they have every theorem of every rule.
SPECS = (
    "wm",
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
        for title, (advice, truth) in (
            ("worst: Cover's adversary", _cover(spec)),
            ("random: fair coins", _coins(seed)),
        ):
            run = expert_rule(spec, advice.shape[1], loss="zero-one").play(advice, truth)
            for certificate in certify(run):
                yield f"{title}, {spec}", certificate


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
