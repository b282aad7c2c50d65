"""What is proved about Passive-Aggressive: for any u, with ℓ* its hinge losses.

The bounds of Crammer et al. come from one inequality, Σ τ(2ℓ − τ‖x‖² − 2ℓ*) ≤ ‖u‖² (Lemma 1 of the paper).
With several classes it is the same over differences (Kesler's construction): the margin is the lead of the
right class, and a row x counts as one of length √2·‖x‖. Seen as ascent on the dual of a support vector
machine (Shalev-Shwartz & Singer 2007), the steps of a run prove a value that the least penalised loss cannot
be below.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.margin_bounds import best_gamma, radius, reach, unannounced
from noregret.margin_sums import Shortfalls
from noregret.rounding import at_least, float_above, root_above
from noregret.rounds import Floats

_SOURCE = "Crammer et al. 2006, Online passive-aggressive algorithms"


class HingeSums(Meter):
    """Σℓ² of the learner, and how many rows are all 0."""

    def __init__(self, run: Judged) -> None:
        """Nothing yet."""
        super().__init__(run)
        self.squares, self.empty = 0.0, 0

    def add(self, block: Block) -> None:
        """Add the losses of a block."""
        self.empty += int(np.count_nonzero(block.squares == 0.0))
        if not self.run.classes:
            short = np.maximum(0.0, 1.0 - block.labels * block.scores)
            self.squares += float(np.sum(short * short))

    @property
    def observed(self) -> float:
        """Σℓ², less what can have been rounded up; of classes the mistakes, which are no more."""
        return float(self.run.mistakes) if self.run.classes else at_least(self.squares)


class DualSteps(Meter):
    """Σ(τℓ − ½τ²‖x‖²), τ = min(C, ℓ/‖x‖²): the value that the steps of PA-I prove. A zero row has τ = C."""

    def __init__(self, run: Judged) -> None:
        """Nothing yet."""
        super().__init__(run)
        self.value = 0.0

    def add(self, block: Block) -> None:
        """Add the steps of a block."""
        limit = float(self.run.parameters["C"])
        short = np.maximum(0.0, 1.0 - block.labels * block.scores)
        steps = np.minimum(limit, short / np.maximum(block.squares, 1e-300))
        self.value += float(np.sum(steps * short - 0.5 * steps * steps * block.squares))


class SquaredDualSteps(DualSteps):
    """½Στℓ, τ = ℓ/(‖x‖² + 1/(2C)): the same for PA-II."""

    def add(self, block: Block) -> None:
        """Add the steps of a block."""
        limit = float(self.run.parameters["C"])
        short = np.maximum(0.0, 1.0 - block.labels * block.scores)
        self.value += float(np.sum(0.5 * short * short / (block.squares + 1.0 / (2.0 * limit))))


Bound = Callable[[Fraction, Fraction, Fraction], Fraction]  # of Σℓ*, Σℓ*² and ‖u‖²


def in_best_length(
    theorem: RunTheorem,
    run: Judged,
    witness: Witness,
    observed: float,
    values: Callable[[Floats, Floats, Floats], Floats],
    bound: Bound,
    more: list[Hypothesis],
    priced: Callable[[Floats], Floats] | None = None,
) -> Certificate:
    """Conclude with u in the length 1/γ whose bound is least.

    `values` has the bounds, about, of arrays (Σℓ*, Σℓ*² or what `priced` has in its place, ‖u‖²); `bound`
    the exact one.
    """
    hypotheses = [*prompt_run(run), *more]
    if not all(h.met for h in hypotheses):
        return conclude(theorem, observed, None, hypotheses)
    short, length = witness.margins().shortfalls, witness.square
    squares = short.squares if priced is None else priced(short.gammas)
    short = Shortfalls(short.gammas, short.linear, squares)
    if len(run.classes) == 1:  # the lead of a class that has no rival is 1, however long u is
        short = Shortfalls(*(part[:1] for part in short))
    size = float_above(length)
    place = best_gamma(
        short, lambda gamma, linear, square: values(linear / gamma, square / gamma**2, size / gamma**2)
    )
    gamma = Fraction(float(short.gammas[place]))
    lost, square = (Fraction(float(part[place])) for part in (short.linear, short.squares))
    value = bound(lost / gamma, square / gamma**2, length / gamma**2)
    witness.length = 1.0 / float(gamma)
    shown = {
        "R": float_above(root_above(radius(run))),
        "norm_u": float_above(root_above(length / gamma**2)),
        "loss_u": float_above(lost / gamma),
    }
    return conclude(theorem, observed, value + run.unannounced, hypotheses, shown | unannounced(run))


class CrammerPA(RunTheorem):
    """PA: Σℓ² ≤ R²(‖u‖ + 2√Σ(ℓ*/‖x‖)²)²."""

    name = "Crammer (PA)"
    statement = "for any u, with ℓ* its hinge losses and 0 < ‖x‖ ≤ R: M ≤ Σℓ² ≤ R²·(‖u‖ + 2√Σ(ℓ*/‖x‖)²)²"
    source = f"{_SOURCE}, Thms 2 and 4 (for rows of any length)"
    about = "squared hinge losses"
    views: ClassVar[tuple[str, ...]] = ("all", "by length")
    meters: ClassVar[tuple[type[Meter], ...]] = (HingeSums,)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        sums, square = run.meter(HingeSums), reach(run, radius(run))
        part = 2 if run.classes else 1  # with several classes a row counts as √2 times as long
        scale = float_above(square)
        by_length = witness.margins("by length")

        def values(_: Floats, squares: Floats, length: Floats) -> Floats:
            return scale * (np.sqrt(length) + 2.0 * np.sqrt(squares / part)) ** 2

        def bound(_: Fraction, squares: Fraction, length: Fraction) -> Fraction:
            if squares == 0:
                return square * length  # exact: no root is taken
            return square * (root_above(length) + 2 * root_above(squares / part)) ** 2

        def priced(gammas: Floats) -> Floats:
            short = witness.margins().shortfalls
            return np.where(short.linear == 0.0, 0.0, by_length.squares(gammas))

        full = Hypothesis("no row is all 0", sums.empty == 0, f"{sums.empty:,} are")
        return in_best_length(self, run, witness, sums.observed, values, bound, [full], priced)


class CrammerOne(RunTheorem):
    """PA-I: M ≤ max(R², 1/C)·(‖u‖² + 2C·Σℓ*)."""

    name = "Crammer (PA-I)"
    statement = "for any u, with ℓ* its hinge losses and ‖x‖ ≤ R: M ≤ max(R², 1/C)·(‖u‖² + 2C·Σℓ*)"
    source = f"{_SOURCE}, Thm 5"

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        limit = Fraction(float(run.parameters["C"]))
        factor = max(reach(run, radius(run)), 1 / limit)
        scale, price = float_above(factor), float(limit)
        return in_best_length(
            self,
            run,
            witness,
            run.mistakes,
            lambda lost, _, length: scale * (length + 2.0 * price * lost),
            lambda lost, _, length: factor * (length + 2 * limit * lost),
            [],
        )


class CrammerTwo(RunTheorem):
    """PA-II: Σℓ² ≤ (R² + 1/(2C))·(‖u‖² + 2C·Σℓ*²)."""

    name = "Crammer (PA-II)"
    statement = "for any u, with ℓ* its hinge losses and ‖x‖ ≤ R: M ≤ Σℓ² ≤ (R² + 1/(2C))·(‖u‖² + 2C·Σℓ*²)"
    source = f"{_SOURCE}, Thm 6"
    about = "squared hinge losses"
    meters: ClassVar[tuple[type[Meter], ...]] = (HingeSums,)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        limit = Fraction(float(run.parameters["C"]))
        factor = reach(run, radius(run)) + 1 / (2 * limit)
        scale, price = float_above(factor), float(limit)
        return in_best_length(
            self,
            run,
            witness,
            run.meter(HingeSums).observed,
            lambda _, squares, length: scale * (length + 2.0 * price * squares),
            lambda _, squares, length: factor * (length + 2 * limit * squares),
            [],
        )


class _DualValue(RunTheorem):
    """Every value of the dual is at most every value of the primal, ½‖u‖² + C·Σ of the losses of u."""

    about = "dual value"
    meters: ClassVar[tuple[type[Meter], ...]] = (DualSteps,)
    squared: ClassVar[bool] = False

    def trivial(self, run: Judged) -> float:
        """The penalised loss of u = 0."""
        return float(run.parameters["C"]) * run.rounds

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        limit = Fraction(float(run.parameters["C"]))
        price = float(limit)
        observed = at_least(run.meter(self.meters[0]).value)
        if witness.is_zero:
            return conclude(self, observed, limit * run.rounds, prompt_run(run))
        return in_best_length(
            self,
            run,
            witness,
            observed,
            lambda lost, squares, length: 0.5 * length + price * (squares if self.squared else lost),
            lambda lost, squares, length: length / 2 + limit * (squares if self.squared else lost),
            [],
        )


class DualOne(_DualValue):
    """PA-I as ascent on the dual: Στ − ½‖w‖² ≤ ½‖u‖² + C·Σℓ(u), w the weights after the last round."""

    name = "Shalev-Shwartz–Singer (PA-I)"
    statement = (
        "for any u: Στ − ½‖w‖² = Σ(τℓ − ½τ²‖x‖²) ≤ ½‖u‖² + C·Σℓ(u), τ the steps and ℓ the hinge losses"
    )
    source = "Shalev-Shwartz & Singer 2007, A primal-dual perspective of online learning algorithms"


class DualTwo(_DualValue):
    """PA-II as ascent on the dual: Στ − ½‖w‖² − Στ²/(4C) ≤ ½‖u‖² + C·Σℓ(u)²."""

    name = "Shalev-Shwartz–Singer (PA-II)"
    statement = (
        "for any u: Στ − ½‖w‖² − Στ²/(4C) = ½Στℓ ≤ ½‖u‖² + C·Σℓ(u)², τ the steps and ℓ the hinge losses"
    )
    source = "Shalev-Shwartz & Singer 2007, A primal-dual perspective of online learning algorithms"
    squared: ClassVar[bool] = True
    meters: ClassVar[tuple[type[Meter], ...]] = (SquaredDualSteps,)
