"""PRank: ordered labels, such as stars, by one direction and the thresholds between the ranks.

Crammer & Singer 2001, Pranking with ranking.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Hypothesis, Theorem, conclude
from noregret.errors import BadParameter
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.linear.learner import SCALE, LinearLearner
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


class CrammerSingerRanks:
    """Separable ranks: Σ|ŷ − y| ≤ (k − 1)(R² + 1)(‖u‖² + ‖c‖²)/γ²."""

    name = "Crammer–Singer (ranks)"
    statement = (
        "if every round lies on the right side of every threshold c_r under u, by γ > 0, and ‖x‖ ≤ R: "
        "Σ|ŷ − y| ≤ (k − 1)(R² + 1)(‖u‖² + ‖c‖²)/γ²"
    )
    source = "Crammer & Singer 2001, Pranking with ranking, Thm 2"
    about = "rank loss"
    comparator = "ranks"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with (u, c) = witness; without c, the thresholds that were learned."""
        width, between = replay.rows.shape[1], int(replay.parameters["ranks"]) - 1
        learned = [replay.scalars[f"threshold-{r}"] for r in range(1, between + 1)]
        u, cuts = witness[:width], witness[width:] if len(witness) > width else np.array(learned)
        low, high = arithmetic.products(replay.rows, u)
        above = replay.labels[:, None] > np.arange(1, between + 1)
        gaps = np.where(above, _less(low[:, None], cuts), _less(cuts, high[:, None]))
        gamma = Fraction(float(gaps.min())) if gaps.size else Fraction(1)
        radius = Fraction(float(np.max(arithmetic.square_norms(replay.rows), initial=0.0)))
        length = arithmetic.square_norm(u) + arithmetic.square_norm(cuts)
        wrong = int(np.sum((gaps <= 0).any(axis=1)))
        told = f"the best (u, c) tried is wrong in {wrong:,} of {len(gaps):,} rounds"
        hypotheses = [*prompt_run(replay), Hypothesis("some (u, c) keeps the ranks apart", gamma > 0, told)]
        bound = between * (radius + 1) * length / gamma**2 if gamma > 0 else None
        shown = {
            "R": float_above(root_above(radius)),
            "norm": float_above(root_above(length)),
            "gamma": float(gamma),
            "wrong": float(wrong),
        } | {f"c{r}": float(cut) for r, cut in enumerate(cuts, 1)}
        return conclude(self, replay.ledger.loss, bound, hypotheses, shown)


def _less(a: Floats, b: Floats) -> Floats:
    """The difference a − b, from below; exact for whole numbers."""
    found = a - b
    exact = (np.floor(a) == a) & (np.floor(b) == b) & (np.abs(found) < arithmetic.EXACT)
    return np.where(exact, found, np.nextafter(found, -np.inf))
