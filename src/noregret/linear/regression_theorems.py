"""Relative loss bounds: what a learner of numbers loses, against what any u loses.

The runs are floating point, so a bound is raised by one part in 10⁹ before it is compared.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.margin_bounds import radius
from noregret.margin_sums import EPSILON, Total
from noregret.rounding import float_above, root_above
from noregret.rounds import Floats

_RAISED = Fraction(1_000_000_001, 1_000_000_000)


class Errors(Meter):
    """Sums over the errors |⟨u, x⟩ − y| of every witness, and over those of the learner."""

    def __init__(self, run: Judged) -> None:
        """Before the first round."""
        super().__init__(run)
        self.own = Total()
        self.squares: dict[int, Total] = {}

    def add(self, block: Block) -> None:
        """Add the rounds of a block."""
        self.own.add((block.scores - block.labels) ** 2)
        for k in range(len(block.low)):
            self.squares.setdefault(k, Total()).add(errors_above(block, k) ** 2 * (1.0 + EPSILON))

    def lost(self, witness: Witness) -> Fraction:
        """Σ(⟨u, x⟩ − y)², from above."""
        return self.squares.get(witness.place, Total()).above()


def errors_above(block: Block, k: int) -> Floats:
    """|⟨u, x⟩ − y| of every round, from above."""
    worst = np.maximum(np.abs(block.low[k] - block.labels), np.abs(block.high[k] - block.labels))
    return np.asarray(worst * (1.0 + EPSILON))


class CesaBianchiLongWarmuth(RunTheorem):
    """Σ(ŷ − y)² ≤ (‖u‖²/η + L(u)/a)/(2 − a − ηX²), for every u and every a.

    With e the error of the learner and d that of u, a step brings w nearer to u by
    2ηe(e − d) − η²e²‖x‖², and 2ed ≤ ae² + d²/a.
    """

    name = "Cesa-Bianchi–Long–Warmuth"
    statement = (
        "if ‖x‖ ≤ X and c = 2 − ηX² > 0, then for every u and 0 < a < c: "
        "Σ(ŷ − y)² ≤ (‖u‖²/η + Σ(⟨u,x⟩ − y)²/a)/(c − a)"
    )
    source = (
        "Cesa-Bianchi, Long & Warmuth 1996, Worst-case quadratic loss bounds for prediction (there a = 1)"
    )
    about = "squared loss"
    comparator = "least-squares"
    meters: ClassVar[tuple[type[Meter], ...]] = (Errors,)

    def trivial(self, run: Judged) -> float:
        """The loss of u = 0."""
        return run.norms().labels

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness and the best a for it."""
        rate, square = Fraction(run.parameters["rate"]), radius(run)
        room = 2 - rate * square
        why = (
            f"η·X² is {float(rate * square):.4g}; a rate below {2 / max(float(square), 1e-300):.3g} would do"
        )
        hypotheses = [*prompt_run(run), Hypothesis("η‖x‖² < 2 in every round", room > 0, why)]
        observed = run.meter(Errors).own.value
        if room <= 0:
            return conclude(self, observed, None, hypotheses)
        length, lost = witness.square, run.meter(Errors).lost(witness)
        share = _best_share(length / rate, lost, room)
        bound = (length / rate + (lost / share if lost else 0)) / (room - share) * _RAISED
        shown = {"X": _root(square), "norm_u": _root(length), "loss_u": float(lost), "a": float(share)}
        return conclude(self, observed, bound, hypotheses, shown)


def _best_share(length: Fraction, lost: Fraction, room: Fraction) -> Fraction:
    """The a for which (length + lost/a)/(room − a) is about least."""
    if lost == 0:
        return Fraction(0)
    p, q, c = float(length), float(lost), float(room)
    best = 0.5 * c if p == 0.0 else c * q / (q + math.sqrt(q * q + p * q * c))
    return Fraction(min(max(best, 1e-9 * c), (1.0 - 1e-9) * c))


class ErrorsBeyond(Meter):
    """Passive-aggressive regression: sums over ε-insensitive losses, of the learner and of every witness."""

    def __init__(self, run: Judged) -> None:
        """Before the first round."""
        super().__init__(run)
        self.capped, self.squares = 0.0, 0.0
        self.linear_by_witness: dict[int, Total] = {}
        self.squares_by_witness: dict[int, Total] = {}

    def add(self, block: Block) -> None:
        """Add the rounds of a block."""
        epsilon, limit = float(self.run.parameters["epsilon"]), float(self.run.parameters["C"])
        losses = np.maximum(0.0, np.abs(block.scores - block.labels) - epsilon)
        some = block.squares > 0.0
        self.capped += float(
            np.sum(np.minimum(limit * losses[some], losses[some] ** 2 / block.squares[some]))
        )
        self.squares += float(np.sum(losses**2))
        for k in range(len(block.low)):
            beyond = np.maximum(0.0, errors_above(block, k) - epsilon) * (1.0 + EPSILON)
            self.linear_by_witness.setdefault(k, Total()).add(beyond)
            self.squares_by_witness.setdefault(k, Total()).add(beyond * beyond * (1.0 + EPSILON))


class PassiveAggressive(RunTheorem):
    """What passive-aggressive regression loses, against any u; a bound for each of its two forms.

    Both rest on the lemma Σ τ(2ℓ − τ‖x‖² − 2ℓ(u)) ≤ ‖u‖². In form 1, τ ≤ C and τ‖x‖² ≤ ℓ.
    """

    name = "Crammer et al. (regression)"
    statement = (
        "for every u, ℓ the ε-insensitive loss: form 1: Σ min(Cℓ, ℓ²/‖x‖²) ≤ ‖u‖² + 2C·Σℓ(u); "
        "form 2, ‖x‖ ≤ R: Σℓ² ≤ (R² + 1/(2C))(‖u‖² + 2C·Σℓ(u)²)"
    )
    source = "Crammer, Dekel, Keshet, Shalev-Shwartz & Singer 2006, Online passive-aggressive algorithms"
    about = "loss beyond ε"
    comparator = "least-squares"
    meters: ClassVar[tuple[type[Meter], ...]] = (ErrorsBeyond,)

    def trivial(self, run: Judged) -> float | None:
        """What the bound is for u = 0, where the form bounds the losses themselves."""
        zero = next((one for one in run.witnesses if one.is_zero), None)
        if run.parameters["form"] == 1.0 or zero is None:
            return None
        return float(run.meter(ErrorsBeyond).squares_by_witness.get(zero.place, Total()).above())

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness."""
        limit, sums, length = Fraction(run.parameters["C"]), run.meter(ErrorsBeyond), witness.square
        first = run.parameters["form"] == 1.0
        observed = sums.capped if first else sums.squares
        by_witness = sums.linear_by_witness if first else sums.squares_by_witness
        lost = by_witness.get(witness.place, Total()).above()
        factor = Fraction(1) if first else radius(run) + 1 / (2 * limit)
        bound = factor * (length + 2 * limit * lost) * _RAISED
        shown = {"R": _root(radius(run)), "norm_u": _root(length), "loss_u": float(lost)}
        return conclude(self, float(observed), bound, prompt_run(run), shown)


class QuantileLosses(Meter):
    """Pinball losses, of the learner and of every witness; and Σg²‖x‖²."""

    def __init__(self, run: Judged) -> None:
        """Before the first round."""
        super().__init__(run)
        self.own, self.steps = 0.0, Total()
        self.by_witness: dict[int, Total] = {}

    def add(self, block: Block) -> None:
        """Add the rounds of a block."""
        quantile = float(self.run.parameters["quantile"])
        short = block.labels - block.scores
        slopes = np.where(short > 0, quantile, np.where(short < 0, 1.0 - quantile, 0.0))
        self.own += float(np.sum(_pinball(short, quantile)))
        self.steps.add(slopes**2 * block.squares * (1.0 + 1e-12))
        for k in range(len(block.low)):
            sides = [_pinball(block.labels - side, quantile) for side in (block.low[k], block.high[k])]
            self.by_witness.setdefault(k, Total()).add(np.maximum(*sides) * (1.0 + 4 * EPSILON))


class Zinkevich(RunTheorem):
    """Σℓ ≤ Σℓ(u) + ‖u‖²/(2η) + (η/2)·Σg²‖x‖², for every u."""

    name = "Zinkevich (quantile)"
    statement = "for every u, g the slope of the loss: Σℓ ≤ Σℓ(u) + ‖u‖²/(2η) + (η/2)·Σg²‖x‖²"
    source = "Zinkevich 2003, Online convex programming and generalized infinitesimal gradient ascent"
    about = "quantile loss"
    comparator = "least-squares"
    meters: ClassVar[tuple[type[Meter], ...]] = (QuantileLosses,)

    def trivial(self, run: Judged) -> float | None:
        """The loss of u = 0."""
        zero = next((one for one in run.witnesses if one.is_zero), None)
        return (
            None
            if zero is None
            else float(run.meter(QuantileLosses).by_witness.get(zero.place, Total()).above())
        )

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness."""
        rate, sums, length = Fraction(run.parameters["rate"]), run.meter(QuantileLosses), witness.square
        lost = sums.by_witness.get(witness.place, Total()).above()
        bound = (lost + length / (2 * rate) + rate / 2 * sums.steps.above()) * _RAISED
        shown = {"norm_u": _root(length), "loss_u": float(lost)}
        return conclude(self, sums.own, bound, prompt_run(run), shown)


def _pinball(short: Floats, quantile: float) -> Floats:
    return np.maximum(quantile * short, (quantile - 1.0) * short)


def _root(number: Fraction) -> float:
    return float_above(root_above(number))
