"""How each quantity of a certificate was obtained, in words."""

from __future__ import annotations

_CHOSEN = "chosen so that the bound is about least; any γ > 0 is allowed"
_CLASSES = "classes that nobody announced and that joined during the run"
_LEAD = "the least lead of the right class under the witness over all rounds, rounded down"
_FEATURES = "features that occur in the data"
_MISTAKEN = "the largest ‖x‖ among the mistakes, rounded up"
_LACK = "Σ max(0, γ − y⟨u,x⟩)/γ over all rounds, rounded up"
_SHORT_OF_RHO = "Σ max(0, ρ − y⟨v,x⟩/‖v‖₁) over all rounds, rounded up"
_ANY_RHO = "chosen so that the bound is about least; any ρ > 0 is allowed"
_REACH = "√(R² + 2μ/η) of the learner and the data"

# By quantity; with the theorem in front where it differs from one to the other.
OBTAINED = {
    "R": "the largest ‖x‖ in the data, rounded up",
    "Crammer–Singer (any data)/D": "√Σ max(0, γ − lead)² over all rounds, rounded up",
    "Freund–Schapire/R": _MISTAKEN,
    "Mohri–Rostamizadeh/R": _MISTAKEN,
    "Crammer–Singer (any data)/R": _MISTAKEN,
    "Mohri–Rostamizadeh (classes)/R": _MISTAKEN,
    "Freund–Schapire (kernel)/R": "√ of the largest K(x, x) among the mistakes, rounded up",
    "Mohri–Rostamizadeh (kernel)/R": "√ of the largest K(x, x) among the mistakes, rounded up",
    "Novikoff (updates)/R": _REACH,
    "Mohri–Rostamizadeh (updates)/R": _REACH,
    "Half the weight/R": "the bound on the regret by a theorem of the panel's rule",
    "X": "the largest ‖x‖ in the data, rounded up",
    "Y": "the largest |y| in the data",
    "norm_u": "the length ‖u‖ of the witness, rounded up",
    "norm_f": "‖f‖ of f = Σ a·K(x, ·), a given as dual, rounded up",
    "norm": "√(‖u‖² + ‖c‖²) of the witness and its thresholds, rounded up",
    "gamma": "the least y⟨u,x⟩ of the witness over all rounds, rounded down",
    "Freund–Schapire/gamma": _CHOSEN,
    "Mohri–Rostamizadeh/gamma": _CHOSEN,
    "Late labels (any data)/gamma": _CHOSEN,
    "Novikoff (updates)/gamma": _CHOSEN,
    "Mohri–Rostamizadeh (updates)/gamma": _CHOSEN,
    "Freund–Schapire (leave one out)/gamma": _CHOSEN,
    "Freund–Schapire (kernel)/gamma": _CHOSEN,
    "Mohri–Rostamizadeh (kernel)/gamma": _CHOSEN,
    "Cesa-Bianchi–Conconi–Gentile/gamma": _CHOSEN,
    "Crammer–Kulesza–Dredze/gamma": _CHOSEN,
    "Gentile–Zinkevich/gamma": _CHOSEN,
    "Crammer–Singer (any data)/gamma": _CHOSEN,
    "Mohri–Rostamizadeh (classes)/gamma": _CHOSEN,
    "Crammer–Singer/gamma": _LEAD,
    "Crammer–Singer (ranks)/gamma": "the least distance of a round from a threshold, on the right side",
    "D": "√Σ max(0, γ − y⟨u,x⟩)² over all rounds, rounded up",
    "Late labels/D": "how many rounds late labels came, at most",
    "Late labels (any data)/D": "how many rounds late labels came, at most",
    "Littlestone (any data)/D": "how far rounds fall short of 1 or, if negative, pass 1 − δ: the sum",
    "Kivinen–Warmuth (normalised, any data)/D": _SHORT_OF_RHO,
    "Kivinen–Warmuth (balanced, any data)/D": _SHORT_OF_RHO,
    "L": _LACK,
    "Mohri–Rostamizadeh (classes)/L": "Σ max(0, γ − lead)/γ over all rounds, rounded up",
    "Freund–Schapire (kernel)/L": "Σ max(0, γ − y·f(x))/γ over all rounds, rounded up",
    "Mohri–Rostamizadeh (kernel)/L": "Σ max(0, γ − y·f(x))/γ over all rounds, rounded up",
    "P": "over the mistakes, the earlier ones whose labels were still on their way",
    "A": "2(1−α)B + 2/C + C·R² of the learner and the data, rounded up",
    "a": "chosen so that the bound is about least; any a between 0 and c is allowed",
    "loss_u": "Σℓ(u), the loss of the witness over all rounds, rounded up",
    "growth": "Y²·ln det(I + Σxxᵀ/a), by the learner's own factors of the matrix, rounded up",
    "Novikoff (kernel)/wrong": "rounds in which f = Σ a·K(x, ·), a given as dual, is on the wrong side",
    "log_det": "ln det(I + X/a) of the theorem, by the learner's own factors of the matrix, rounded up",
    "U": "rounds that taught and were no mistakes",
    "wrong": "rounds in which the witness is on the wrong side",
    "margin_at_most": "‖Σα·y·x‖ in the dual norm, for the weights α of rounds given as dual: no u has more",
    "gap": "how much larger the margin of any u could be: margin_at_most less that of the witness",
    "K": _CLASSES,
    "Littlestone (disjunctions)/K": "features in the disjunction that is the witness",
    "N": "experts: columns of a table, members of a panel, or hypotheses of a class",
    "Littlestone (disjunctions)/N": _FEATURES,
    "Littlestone (thresholds)/N": _FEATURES,
    "Littlestone (any data)/N": _FEATURES,
    "Kivinen–Warmuth (normalised)/N": _FEATURES,
    "Kivinen–Warmuth (normalised, any data)/N": _FEATURES,
    "Kivinen–Warmuth (balanced)/N": f"{_FEATURES}, each counted twice",
    "Kivinen–Warmuth (balanced, any data)/N": f"{_FEATURES}, each counted twice",
    "Kivinen–Warmuth (classes)/N": f"{_FEATURES} times classes, each counted twice",
    "delta": "the part between positives and negatives that the witness μ leaves free",
    "Littlestone (any data)/delta": "chosen so that the bound is about least; (1 − δ)α must be below 1",
    "sum_mu": "Σμ of the witness, scaled to reach 1 on every positive",
    "Littlestone (any data)/sum_mu": "Σμ of the witness, rounded up",
    "rho": "the least y⟨v,x⟩/‖v‖₁ of the witness, rounded down",
    "Kivinen–Warmuth (normalised, any data)/rho": _ANY_RHO,
    "Kivinen–Warmuth (balanced, any data)/rho": _ANY_RHO,
    "KL": "ln N less the entropy of the witness made a mixture, rounded up",
    "Kivinen–Warmuth (normalised, any data)/S": "Σ(max xᵢ − min xᵢ)² over the mistakes, rounded up",
    "Kivinen–Warmuth (balanced, any data)/S": "Σ(2·max |xᵢ|)² over the mistakes, rounded up",
    "c": "the threshold after this rank, which belongs to the witness",
    "promotions": "counted by the rule",
    "demotions": "counted by the rule",
    "highest": "the largest weight that the rule ever had",
    "ceiling": "α·Θ, or 1 if that is more, rounded up",
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
    of_several = quantity.rstrip("0123456789")
    found = OBTAINED.get(f"{theorem}/{quantity}") or OBTAINED.get(quantity) or OBTAINED.get(of_several)
    return found or "as the theorem defines it"
