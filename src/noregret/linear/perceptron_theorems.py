"""What is proved about the Perceptron: Novikoff, Freund–Schapire, the hinge form, and late labels.

The first is for rows that some u separates, the others for any rows. All rest on one inequality over the
mistakes: M·γ ≤ ‖u‖·√Σ‖x‖² + Σ max(0, γ − y⟨u, x⟩). A bound that is shown sums the shortfalls over all
rounds; over the mistakes alone the inequality only checks the run, for with γ → ∞ it says M ≤ M.
"""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude
from noregret.judged import Judged, RunTheorem, Witness
from noregret.linear.assumptions import plain_run, prompt_run
from noregret.linear.margin_bounds import (
    Priced,
    hinge_form,
    least_margin,
    quantities,
    radius,
    reach,
    squared_form,
    unannounced,
)
from noregret.rounding import float_above, root_above


def some_direction(run: Judged, witness: Witness, changes: int) -> Hypothesis:
    """Ask for a u that is not 0, if there was anything to learn."""
    some = not witness.is_zero or changes == 0
    return Hypothesis("some u is not zero", some, "there was nothing to learn from")


def separates(run: Judged, witness: Witness) -> Hypothesis:
    """Ask for a u that is right in every round."""
    wrong = witness.margins().wrong
    why = f"the best u tried is wrong in {wrong:,} of {run.rounds:,} rounds"
    return Hypothesis("some u separates the rounds", wrong == 0, why)


class Novikoff(RunTheorem):
    """Separable data: M ≤ (R‖u‖/γ)²."""

    name = "Novikoff"
    statement = "if y⟨u,x⟩ ≥ γ > 0 and ‖x‖ ≤ R in every round, then M ≤ (R‖u‖/γ)²"
    source = "Novikoff 1962, On convergence proofs on perceptrons"
    family = "perceptron"

    def margin(self, quantities: dict[str, float]) -> float:
        """The margin of the witness at length 1."""
        return quantities["gamma"] / quantities["norm_u"] if quantities["norm_u"] else 0.0

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness."""
        gamma, length = least_margin(run, witness), witness.square
        hypotheses = [*prompt_run(run), separates(run, witness)]
        bound = reach(run, radius(run)) * length / gamma**2 + run.unannounced if gamma > 0 else None
        shown = quantities(radius(run), length, gamma) | {"wrong": float(witness.margins().wrong)}
        return conclude(self, run.mistakes, bound, hypotheses, shown | unannounced(run))


class _AnyData(RunTheorem):
    """A form for any rows, with the norms taken over the mistakes and the shortfalls over all rounds."""

    family = "perceptron"
    views: ClassVar[tuple[str, ...]] = ("all", "mistakes")

    def form(self, witness: Witness, square_reach: Fraction) -> Priced:
        """The bound, without the classes that were not announced."""
        raise NotImplementedError

    def shortfall(self, priced: Priced) -> dict[str, float]:
        """The quantity that tells how far rounds fall short of γ."""
        raise NotImplementedError

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness and the best γ for it."""
        changes = max(run.mistakes - run.unannounced, 0)
        hypotheses = [*prompt_run(run), some_direction(run, witness, changes)]
        if not all(h.met for h in hypotheses):
            return conclude(self, run.mistakes, None, hypotheses)
        length = witness.square
        priced = self.form(witness, reach(run, radius(run, "mistakes")) * length)
        bound = priced.bound + run.unannounced
        strong = _over_mistakes(run, witness, priced.gamma) + run.unannounced
        told = bound if run.mistakes <= strong else min(bound, strong)
        shown = quantities(radius(run, "mistakes"), length, priced.gamma) | self.shortfall(priced)
        return conclude(self, run.mistakes, told, hypotheses, shown | unannounced(run))


def _over_mistakes(run: Judged, witness: Witness, gamma: Fraction) -> Fraction:
    """(‖u‖√Σ‖x‖² + Σ max(0, γ − m))/γ over the mistakes: a check, and no bound."""
    walked = reach(run, run.norms("mistakes").total.above()) * witness.square
    margins = witness.margins("mistakes")
    short = (
        Fraction(0)
        if margins.least >= gamma
        else Fraction(float(margins.linear(np.array([float(gamma)]))[0]))
    )
    return (root_above(walked) + short) / gamma


class FreundSchapire(_AnyData):
    """Any data: M ≤ ((R‖u‖ + D)/γ)², D² = Σ max(0, γ − y⟨u,x⟩)²."""

    name = "Freund–Schapire"
    statement = "for any u and γ > 0, with D² = Σ max(0, γ − y⟨u,x⟩)² and ‖x‖ ≤ R: M ≤ ((R‖u‖ + D)/γ)²"
    source = "Freund & Schapire 1999, Large margin classification using the perceptron algorithm, Thm 2"

    def form(self, witness: Witness, square_reach: Fraction) -> Priced:
        """((R‖u‖ + D)/γ)²."""
        return squared_form(witness.margins().shortfalls, square_reach)

    def shortfall(self, priced: Priced) -> dict[str, float]:
        """D."""
        return {"D": float_above(root_above(priced.squares))}


class HingeForm(_AnyData):
    """Any data: M ≤ (a/2 + √(a²/4 + L))², a = R‖u‖/γ and L = Σ max(0, γ − y⟨u,x⟩)/γ.

    Over the mistakes M ≤ a√M + L, because Σ‖x‖² ≤ R²M there; solved for √M that is the bound.
    """

    name = "Mohri–Rostamizadeh"
    statement = (
        "for any u and γ > 0, with L = Σ max(0, γ − y⟨u,x⟩)/γ, ‖x‖ ≤ R and a = R‖u‖/γ: "
        "M ≤ (a/2 + √(a²/4 + L))²"
    )
    source = "Mohri & Rostamizadeh 2013, Perceptron mistake bounds, Thm 2"

    def form(self, witness: Witness, square_reach: Fraction) -> Priced:
        """(a/2 + √(a²/4 + L))²."""
        return hinge_form(witness.margins().shortfalls, square_reach)

    def shortfall(self, priced: Priced) -> dict[str, float]:
        """L."""
        return {"L": float_above(priced.linear / priced.gamma)}


class LateLabels(RunTheorem):
    """Separable data, labels at most D rounds late: M ≤ (1 + 2D)(R‖u‖/γ)².

    When a mistake is learned at last, the weights have moved by the mistakes that were waiting when it
    was made; each of them adds at most 2R² to ‖w‖². So (Mγ)² ≤ ‖u‖²R²(M + 2P), P the number of
    such pairs, and P ≤ M·D. The sharper form is checked too, and breaks the certificate if it fails.
    """

    name = "Late labels"
    statement = (
        "if y⟨u,x⟩ ≥ γ > 0 and ‖x‖ ≤ R in every round and labels come in order, at most D rounds late: "
        "M ≤ (1 + 2D)(R‖u‖/γ)²"
    )
    source = "Novikoff's argument with late updates; compare Joulani, György & Szepesvári 2013"
    family = "perceptron"

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness."""
        gamma, length, square = least_margin(run, witness), witness.square, radius(run)
        hypotheses = [*plain_run(run), separates(run, witness)]
        shown = quantities(square, length, gamma) | {
            "D": float(run.ledger.lag),
            "P": float(run.ledger.overtaken),
            "wrong": float(witness.margins().wrong),
        }
        if gamma <= 0:
            return conclude(self, run.mistakes, None, hypotheses, shown)
        novikoff = reach(run, square) * length / gamma**2
        bound = (1 + 2 * run.ledger.lag) * novikoff + run.unannounced
        known = max(run.mistakes - run.unannounced, 0)
        sharp = novikoff * (run.mistakes + 2 * run.ledger.overtaken)
        told = bound if Fraction(known) ** 2 <= sharp else min(bound, root_above(sharp) + run.unannounced)
        return conclude(self, run.mistakes, told, hypotheses, shown | unannounced(run))


class LateLabelsAnyData(RunTheorem):
    """Any data, labels at most D rounds late: M ≤ (a/2 + √(a²/4 + L))² with a = R‖u‖√(1 + 2D)/γ.

    As for `LateLabels`, Mγ ≤ ‖u‖R√(M + 2P) + Σ max(0, γ − y⟨u,x⟩), and P ≤ M·D.
    """

    name = "Late labels (any data)"
    statement = (
        "for any u and γ > 0, with L = Σ max(0, γ − y⟨u,x⟩)/γ, ‖x‖ ≤ R, labels in order, at most D rounds "
        "late, and a = R‖u‖√(1 + 2D)/γ: M ≤ (a/2 + √(a²/4 + L))²"
    )
    source = "Mohri & Rostamizadeh 2013, Perceptron mistake bounds, Thm 2, with late updates"
    family = "perceptron"

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness and the best γ for it."""
        changes = max(run.mistakes - run.unannounced, 0)
        hypotheses = [*plain_run(run), some_direction(run, witness, changes)]
        if not all(h.met for h in hypotheses):
            return conclude(self, run.mistakes, None, hypotheses)
        length, lag, pairs = witness.square, run.ledger.lag, run.ledger.overtaken
        square = reach(run, radius(run)) * length
        priced = hinge_form(witness.margins().shortfalls, square * (1 + 2 * lag))
        walked = root_above(square * (run.mistakes + 2 * pairs))
        strong = (walked + priced.linear) / priced.gamma + run.unannounced
        bound = priced.bound + run.unannounced
        told = bound if run.mistakes <= strong else min(bound, strong)
        shown = quantities(radius(run), length, priced.gamma) | {
            "L": float_above(priced.linear / priced.gamma),
            "D": float(lag),
            "P": float(pairs),
        }
        return conclude(self, run.mistakes, told, hypotheses, shown | unannounced(run))
