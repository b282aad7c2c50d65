"""Several series at once: the same rule for each, with weights of its own."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from noregret.errors import BadInput
from noregret.experts.rule import ExpertRule
from noregret.rounds import Floats


class Series:
    """A rule for every key: regions, products, stations. A series begins when its key is first met.

    >>> from noregret.experts.hedge import Hedge
    >>> many = Series(Hedge(2, rate=1.0))
    >>> many.learn("north", [0.0, 1.0])
    0.5
    >>> many["north"].weights.round(2).tolist(), many["south"].weights.tolist()
    ([0.73, 0.27], [0.5, 0.5])
    """

    def __init__(self, rule: ExpertRule) -> None:
        """Every series starts as a copy of this rule."""
        self.first = rule.clone()
        self.rules: dict[Hashable, ExpertRule] = {}

    def __getitem__(self, key: Hashable) -> ExpertRule:
        """The rule of a series; for one not met yet, a fresh copy that nothing remembers."""
        return self.rules.get(key) or self.first.clone()

    def predict(self, key: Hashable, advice: Any) -> float:
        """Predict the next value of a series. Changes nothing."""
        return self[key].predict(advice)

    def learn(self, key: Hashable, advice: Any, truth: float | None = None) -> float:
        """Learn in one series: from losses, or from advice and truth."""
        if key not in self.rules:
            self.rules[key] = self.first.clone()
        return self.rules[key].learn(advice, truth)

    def play(self, keys: Sequence[Hashable], advice: Any, truth: Any) -> tuple[Floats, Floats]:
        """Play a whole table of mixed series; give predictions and losses in the order of its rows."""
        table, truths = np.asarray(advice, dtype=np.float64), np.asarray(truth, dtype=np.float64)
        if not len(keys) == len(table) == len(truths):
            raise BadInput(
                f"there are {len(keys)} keys, {len(table)} rows of advice and {len(truths)} truths"
            )
        rows: dict[Hashable, list[int]] = {}
        for at, key in enumerate(keys):
            rows.setdefault(key, []).append(at)
        said, losses = np.empty(len(table)), np.empty(len(table))
        for key, chosen in rows.items():
            rule = self.rules.setdefault(key, self.first.clone())
            run = rule.play(table[chosen], truths[chosen])
            assert run.predictions is not None
            said[chosen], losses[chosen] = run.predictions, run.losses
        return said, losses
