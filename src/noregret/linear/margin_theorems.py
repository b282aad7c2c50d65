"""What is proved about learners that update more often than they err: their updates are few as well."""

from __future__ import annotations

import math
from fractions import Fraction

from noregret.certificate import Certificate, conclude
from noregret.judged import Judged, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.margin_bounds import Priced, hinge_form, radius, squared_form
from noregret.linear.perceptron_theorems import some_direction
from noregret.rounding import float_above, outward, root_above


class _UpdateBound(RunTheorem):
    """Any data, with the margin μ below which a round teaches: an update adds at most η²R² + 2ημ to ‖w‖²."""

    about = "updates"
    family = "updates"

    def form(self, witness: Witness, square_reach: Fraction) -> Priced:
        """The bound for a reach ‖u‖√(R² + 2μ/η)."""
        raise NotImplementedError

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness and the best γ for it."""
        observed = run.ledger.updates
        hypotheses = [*prompt_run(run), some_direction(run, witness, observed)]
        if not all(h.met for h in hypotheses):
            return conclude(self, observed, None, hypotheses)
        value, quantities = self.most(run, witness)
        return conclude(self, observed, value, hypotheses, quantities)

    def most(self, run: Judged, witness: Witness) -> tuple[float, dict[str, float]]:
        """The bound with u = witness and the best γ for it; and the quantities that are shown."""
        margin = float(run.parameters.get("margin", 0.0)) / float(run.parameters.get("rate", 1.0))
        square = radius(run) + 2 * Fraction(margin)
        priced = self.form(witness, square * witness.square)
        shown = {"R": math.sqrt(float(square)), "gamma": float(priced.gamma)}
        return outward(float_above(priced.bound)), shown | self.more(witness, priced)

    def more(self, witness: Witness, priced: Priced) -> dict[str, float]:
        """Quantities that only this form has."""
        return {}


class Updates(_UpdateBound):
    """Any data: at most ((‖u‖√(R² + 2μ/η) + D)/γ)² updates, D² = Σ max(0, γ − y⟨u,x⟩)².

    An update adds at most η²R² + 2ημ to ‖w‖² and at least η(γ − d) to ⟨w, u⟩: Novikoff's proof, with
    the margin μ below which a round teaches. Without a margin μ is 0.
    """

    name = "Novikoff (updates)"
    statement = (
        "for any u and γ > 0, with D² = Σ max(0, γ − y⟨u,x⟩)², ‖x‖ ≤ R and a margin μ: "
        "updates ≤ ((‖u‖√(R² + 2μ/η) + D)/γ)²"
    )
    source = "Novikoff 1962; Freund & Schapire 1999, Thm 2; with a margin Krauth & Mézard 1987"

    def form(self, witness: Witness, square_reach: Fraction) -> Priced:
        """((reach + D)/γ)²."""
        return squared_form(witness.margins().shortfalls, square_reach)


class UpdatesByHinges(_UpdateBound):
    """Any data: at most (a/2 + √(a²/4 + L))² updates, a = ‖u‖√(R² + 2μ/η)/γ, L = Σ max(0, γ − y⟨u,x⟩)/γ."""

    name = "Mohri–Rostamizadeh (updates)"
    statement = (
        "for any u and γ > 0, with L = Σ max(0, γ − y⟨u,x⟩)/γ, ‖x‖ ≤ R, a margin μ and "
        "a = ‖u‖√(R² + 2μ/η)/γ: updates ≤ (a/2 + √(a²/4 + L))²"
    )
    source = "Mohri & Rostamizadeh 2013, Perceptron mistake bounds, Thm 2; with a margin Krauth & Mézard 1987"

    def form(self, witness: Witness, square_reach: Fraction) -> Priced:
        """(a/2 + √(a²/4 + L))²."""
        return hinge_form(witness.margins().shortfalls, square_reach)

    def more(self, witness: Witness, priced: Priced) -> dict[str, float]:
        """‖u‖ and L."""
        lack = float_above(priced.linear / priced.gamma)
        return {"norm_u": float_above(root_above(witness.square)), "L": lack}
