"""PRank: ordered labels, such as stars, by one direction and the thresholds between the ranks.

Crammer & Singer 2001, Pranking with ranking.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Hypothesis, Theorem, conclude
from noregret.errors import BadParameter
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.learner import SCALE, LinearLearner
from noregret.linear.margin_bounds import radius
from noregret.margin_sums import EXACT
from noregret.parameters import Parameter, whole
from noregret.rounding import float_above, root_above
from noregret.rounds import Floats

MOST_RANKS = 64


class PRank(LinearLearner):
    """Predicts the first rank r with ⟨w, x⟩ < b_r; b_1 ≤ … ≤ b_{k−1}, and the last rank beyond them.

    When the rank is wrong, every threshold on the wrong side of the score moves by 1 to its own side, and w
    by x times their number. If some (u, c) keeps every round on the right side of every c_r by γ and ‖x‖ ≤ R,
    then Σ|ŷ − y| ≤ (k − 1)(R² + 1)(‖u‖² + ‖c‖²)/γ². The importance of a round multiplies its
    steps, as far as thresholds keep their order.

    >>> stars = PRank(5)
    >>> stars.predict({"bad": 1.0}), stars.learn({"bad": 1.0}, 1), stars.predict({"bad": 1.0})
    (5.0, True, 1.0)
    >>> stars.weights, stars.thresholds
    ({'bad': -4.0}, [1.0, 1.0, 1.0, 1.0])
    """

    name: ClassVar[str] = "prank"
    summary: ClassVar[str] = "ordered labels 1 to k: thresholds on the wrong side move, and w with them"
    loss_name: str = "rank"
    task: ClassVar[str] = "regression"
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("ranks", 5.0, f"k: labels are whole numbers from 1 to k, which is {MOST_RANKS} at most"),
        SCALE,
    )

    def __init__(self, ranks: float = 5, scale: str = "none") -> None:
        """Start with every weight and threshold at 0."""
        self.ranks = float(whole("ranks", ranks, 2))
        if self.ranks > MOST_RANKS:
            raise BadParameter(
                f"ranks is {ranks}; it is {MOST_RANKS} at most (widrow-hoff takes any numbers)"
            )
        super().__init__(ranks=self.ranks, scale=scale)

    @property
    def takes(self) -> tuple[float, ...]:
        """The only labels that it takes."""
        return tuple(np.arange(1.0, self.ranks + 1.0).tolist())

    @property
    def thresholds(self) -> list[float]:
        """What a score must reach for the second rank, for the third, …."""
        return [self.scalars[f"threshold-{r}"] for r in range(1, int(self.ranks))]

    def distance(self, prediction: float, y: float) -> float:
        """How many ranks a prediction is away: what it suffers, whatever it has learned since."""
        return abs(prediction - y)

    def theorems(self) -> tuple[Theorem, ...]:
        """The bound on how far ranks are off, where some (u, c) keeps them apart."""
        return (CrammerSingerRanks(),)


class RankGaps(Meter):
    """For every witness the least distance from a threshold, and the rounds on the wrong side of one."""

    def __init__(self, run: Judged) -> None:
        """Before the first round."""
        super().__init__(run)
        self.least: dict[int, float] = {}
        self.wrong: dict[int, int] = {}

    def add(self, block: Block) -> None:
        """Look at the rounds of a block."""
        for k, witness in enumerate(self.run.witnesses):
            cuts = np.zeros(int(self.run.parameters["ranks"]) - 1) if witness.cuts is None else witness.cuts
            above = block.labels[:, None] > np.arange(1, len(cuts) + 1)
            low, high = block.low[k][:, None], block.high[k][:, None]
            gaps = np.where(above, _less(low, cuts), _less(cuts, high))
            self.least[k] = min(self.least.get(k, np.inf), float(np.min(gaps, initial=np.inf)))
            self.wrong[k] = self.wrong.get(k, 0) + int(np.sum((gaps <= 0).any(axis=1)))


class CrammerSingerRanks(RunTheorem):
    """Separable ranks: Σ|ŷ − y| ≤ (k − 1)(R² + 1)(‖u‖² + ‖c‖²)/γ²."""

    name = "Crammer–Singer (ranks)"
    statement = (
        "if every round lies on the right side of every threshold c_r under u, by γ > 0, and ‖x‖ ≤ R: "
        "Σ|ŷ − y| ≤ (k − 1)(R² + 1)(‖u‖² + ‖c‖²)/γ²"
    )
    source = "Crammer & Singer 2001, Pranking with ranking, Thm 2"
    about = "rank loss"
    comparator = "ranks"
    meters: ClassVar[tuple[type[Meter], ...]] = (RankGaps,)

    def trivial(self, run: Judged) -> float:
        """The largest rank loss in every round."""
        return (float(run.parameters["ranks"]) - 1.0) * run.rounds

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with (u, c) = witness and the thresholds that go with it."""
        between, gaps = int(run.parameters["ranks"]) - 1, run.meter(RankGaps)
        cuts = np.zeros(between) if witness.cuts is None else witness.cuts
        least, wrong = gaps.least.get(witness.place, np.inf), gaps.wrong.get(witness.place, 0)
        gamma = Fraction(least) if np.isfinite(least) else Fraction(1)
        length = witness.square + Witness(cuts, u=cuts).square
        square = radius(run)
        why = f"the best (u, c) tried is wrong in {wrong:,} of {run.rounds:,} rounds"
        hypotheses = [*prompt_run(run), Hypothesis("some (u, c) keeps the ranks apart", gamma > 0, why)]
        bound = between * (square + 1) * length / gamma**2 if gamma > 0 else None
        shown = {
            "R": float_above(root_above(square)),
            "norm": float_above(root_above(length)),
            "gamma": float(gamma),
            "wrong": float(wrong),
        } | {f"c{r}": float(cut) for r, cut in enumerate(cuts, 1)}
        return conclude(self, run.ledger.loss, bound, hypotheses, shown)


def _less(a: Floats, b: Floats) -> Floats:
    """The difference a − b, from below; exact for whole numbers."""
    found = a - b
    exact = (np.floor(a) == a) & (np.floor(b) == b) & (np.abs(found) < EXACT)
    return np.where(exact, found, np.nextafter(found, -np.inf))
