"""How each quantity of a certificate was obtained, in words."""

from __future__ import annotations

_CHOSEN = "chosen so that the bound is about least; any γ > 0 is allowed"
_CLASSES = "classes that nobody announced and that joined during the run"
_LEAD = "the least lead of the right class under the witness over all rounds, rounded down"

# By quantity; with the theorem in front where it differs from one to the other.
OBTAINED = {
    "R": "the largest ‖x‖ in the data, rounded up",
    "Crammer–Singer (any data)/D": "√Σ max(0, γ − lead)² over all rounds, rounded up",
    "Freund–Schapire/R": "the largest ‖x‖ among the mistakes, rounded up",
    "Crammer–Singer (any data)/R": "the largest ‖x‖ among the mistakes, rounded up",
    "Half the weight/R": "the bound on the regret by a theorem of the panel's rule",
    "X": "the largest ‖x‖ in the data, rounded up",
    "Y": "the largest |y| in the data",
    "norm_u": "the length ‖u‖ of the witness, rounded up",
    "norm": "√(‖u‖² + ‖c‖²) of the witness and its thresholds, rounded up",
    "gamma": "the least y⟨u,x⟩ of the witness over all rounds, rounded down",
    "Freund–Schapire/gamma": _CHOSEN,
    "Novikoff (updates)/gamma": _CHOSEN,
    "Gentile–Zinkevich/gamma": _CHOSEN,
    "Crammer–Singer (any data)/gamma": _CHOSEN,
    "Crammer–Singer/gamma": _LEAD,
    "Crammer–Singer (ranks)/gamma": "the least distance of a round from a threshold, on the right side",
    "D": "√Σ max(0, γ − y⟨u,x⟩)² over all rounds, rounded up",
    "Late labels/D": "how many rounds late labels came, at most",
    "P": "over the mistakes, the earlier ones whose labels were still on their way",
    "A": "2(1−α)B + 2/C + C·R² of the learner and the data, rounded up",
    "a": "chosen so that the bound is about least; any a between 0 and c is allowed",
    "loss_u": "Σℓ(u), the loss of the witness over all rounds, rounded up",
    "growth": "Y²·ln det(I + Σxxᵀ/a), by eigenvalues",
    "Novikoff (kernel)/wrong": "rounds in which f = Σ a·K(x, ·), a given as dual, is on the wrong side",
    "log_det": "ln det(I + X/a) of the theorem, by eigenvalues, rounded up",
    "U": "rounds that taught and were no mistakes",
    "wrong": "rounds in which the witness is on the wrong side",
    "margin_at_most": "‖Σα·y·x‖ in the dual norm, for the weights α of rounds given as dual: no u has more",
    "gap": "how much larger the margin of any u could be: margin_at_most less that of the witness",
    "K": _CLASSES,
    "Littlestone (disjunctions)/K": "features in the disjunction that is the witness",
    "N": "experts: columns of a table, members of a panel, or hypotheses of a class",
    "Littlestone (disjunctions)/N": "features that occur in the data",
    "Littlestone (thresholds)/N": "features that occur in the data",
    "Littlestone (bookkeeping)/N": "features that occur in the data",
    "Kivinen–Warmuth (normalised)/N": "features that occur in the data",
    "Kivinen–Warmuth (balanced)/N": "features that occur in the data",
    "delta": "the part between positives and negatives that the witness μ leaves free",
    "sum_mu": "Σμ of the witness, scaled to reach 1 on every positive",
    "rho": "the least y⟨v,x⟩/‖v‖₁ of the witness, rounded down",
    "r": "the largest |xᵢ| in the data",
    "H": "hypotheses in the class",
    "Ldim": "worked out by search over version spaces",
    "T": "rounds played",
    "L*": "the loss of the best expert, known at the end",
    "L_m": "the loss of the best sequence of experts with m switches, known at the end",
    "m": "chosen so that the promised loss is least",
    "loss": "Σp·ℓ, the loss of the rule",
    "V": "a sum of squared regrets, kept by the rule",
    "rounding": "added to the bound: more than rounding can have taken from the sums behind it",
    "S": "the largest difference between losses of one round",
    "eta": "the rate of the rule",
    "alpha": "the share of the rule",
    "beta": "the parameter of the rule",
    "horizon": "the parameter of the rule",
}


def obtained(theorem: str, quantity: str) -> str:
    """Say how a quantity of a theorem was obtained."""
    return OBTAINED.get(f"{theorem}/{quantity}") or OBTAINED.get(quantity, "as the theorem defines it")
