"""What is proved about learners that update more often than they err: their updates are few as well."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.linear.margin_bounds import TINY, shortfalls
from noregret.rounding import outward
from noregret.rounds import Floats

GAMMAS = 64  # so many are tried


def best_gamma(margins: Floats, bound: Callable[[float], float]) -> tuple[float, float]:
    """The γ > 0 of the smallest bound, among quantiles of the margins and more; and the bound."""
    scale = float(np.max(np.abs(margins), initial=0.0))
    scale = scale if scale > TINY else 1.0
    positive = margins[margins > TINY]
    quantiles = np.quantile(positive, np.linspace(0.0, 1.0, GAMMAS)) if len(positive) else np.empty(0)
    tried = [*quantiles.tolist(), *(scale * np.array([1.0, 2.0, 10.0, 100.0, 1000.0])).tolist()]
    value, gamma = min((bound(g), g) for g in tried)
    return gamma, value


def some_direction(replay: Replay, witness: Floats) -> Hypothesis:
    """Ask for a u that is not 0, if there was anything to learn."""
    some = bool(np.any(witness != 0)) or replay.ledger.updates == 0
    return Hypothesis("some u is not zero", some, "there was nothing to learn from")


class Updates:
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
    about = "updates"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness and the best γ for it."""
        observed = replay.ledger.updates
        hypotheses = [*prompt_run(replay), some_direction(replay, witness)]
        if not all(h.met for h in hypotheses):
            return conclude(self, observed, None, hypotheses)
        value, quantities = most_updates(replay, witness)
        return conclude(self, observed, value, hypotheses, quantities)


def most_updates(replay: Replay, witness: Floats) -> tuple[float, dict[str, float]]:
    """((‖u‖√(R² + 2μ/η) + D)/γ)² with u = witness and the best γ for it; and R and γ."""
    margins = arithmetic.margins(replay.rows, replay.labels, witness)
    margin = float(replay.parameters.get("margin", 0.0)) / float(replay.parameters.get("rate", 1.0))
    radius = float(np.max(arithmetic.square_norms(replay.rows), initial=0.0)) + 2.0 * margin
    reach = outward(math.sqrt(radius * float(arithmetic.square_norm(witness))))

    def bound(gamma: float) -> float:
        short = shortfalls(margins, gamma)
        return outward(((reach + outward(math.sqrt(float(short @ short)))) / gamma) ** 2)

    gamma, value = best_gamma(margins, bound)
    return value, {"R": math.sqrt(radius), "gamma": gamma}
