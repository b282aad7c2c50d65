"""Which theorems a certificate must speak of: leaving one out is no way to hide it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .rounds import Refused

_ALWAYS = {
    "perceptron": ("Novikoff", "Freund–Schapire", "Mohri–Rostamizadeh"),
    "averaged-perceptron": ("Novikoff (updates)", "Mohri–Rostamizadeh (updates)"),
    "voted-perceptron": (
        "Novikoff (updates)",
        "Mohri–Rostamizadeh (updates)",
        "Freund–Schapire (leave one out)",
    ),
    "selective-perceptron": ("Cesa-Bianchi–Gentile–Zaniboni",),
    "ogd": ("Zinkevich",),
    "pa": ("Crammer (PA)",),
    "pa1": ("Crammer (PA-I)", "Shalev-Shwartz–Singer (PA-I)"),
    "pa2": ("Crammer (PA-II)", "Shalev-Shwartz–Singer (PA-II)"),
    "alma": ("Gentile–Zinkevich",),
    "romma": ("Li–Long",),
    "adagrad": ("Duchi (descent)",),
    "ftrl": ("McMahan",),
    "coin": ("Orabona–Pál",),
    "winnow": (
        "Littlestone (disjunctions)",
        "Littlestone (thresholds)",
        "Littlestone (any data)",
        "Littlestone (bookkeeping)",
    ),
    "normalized-winnow": ("Kivinen–Warmuth (normalised)", "Kivinen–Warmuth (normalised, any data)"),
    "balanced-winnow": ("Kivinen–Warmuth (balanced)", "Kivinen–Warmuth (balanced, any data)"),
    "sop": ("Cesa-Bianchi–Conconi–Gentile",),
    "arow": ("Crammer–Kulesza–Dredze",),
    "ons": ("Hazan–Agarwal–Kale",),
    "multiclass-perceptron": (
        "Crammer–Singer",
        "Crammer–Singer (any data)",
        "Mohri–Rostamizadeh (classes)",
    ),
    "multiclass-ogd": ("Zinkevich (multiclass)",),
    "multiclass-winnow": ("Kivinen–Warmuth (classes)",),
    "multiclass-pa": ("Crammer et al. (multiclass PA)",),
    "multiclass-pa1": ("Crammer et al. (multiclass PA-I)",),
    "multiclass-pa2": ("Crammer et al. (multiclass PA-II)",),
    "widrow-hoff": ("Cesa-Bianchi–Long–Warmuth",),
    "pa-regression": ("Crammer et al. (regression)",),
    "quantile-regression": ("Zinkevich (quantile)",),
    "prank": ("Crammer–Singer (ranks)",),
    "ridge": ("Vovk–Azoury–Warmuth",),
    "kernel-perceptron": (
        "Novikoff (kernel)",
        "Freund–Schapire (kernel)",
        "Mohri–Rostamizadeh (kernel)",
    ),
    "consistent": ("Consistent",),
    "randconsistent": ("RandConsistent", "RandConsistent (exact)"),
    "halving": ("Halving",),
    "soa": ("Littlestone (SOA)",),
    "agnostic": ("Ben-David–Pál–Shalev-Shwartz",),
    "adahedge": ("de Rooij et al.",),
    "squint": ("Koolen–van Erven",),
    "fixed-share": ("Herbster–Warmuth",),
    "mlprod": ("Gaillard–Stoltz–van Erven",),
    "boa": ("Wintenberger",),
    "mlpol": ("Polynomial potential",),
    "eg": ("Hoeffding spreads",),
    "expert-ridge": ("Vovk–Azoury–Warmuth",),
    "ftl": ("Be the leader",),
}


def theorems_of(name: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The theorems of a learner with these parameters; of one not listed here none are asked."""
    if name == "hedge":
        if given.get("doubling"):
            return ("Doubling trick",)
        fixed = given.get("rate") or given.get("horizon")
        return ("Cesa-Bianchi–Lugosi", "Freund–Schapire 1997") if fixed else ("Anytime Hedge",)
    if name == "wm":
        beta = given.get("beta", 0.5)
        told = ("Littlestone–Warmuth", "Weighted Majority, penalty form")
        return told if beta >= 0.5 else told[:1] if beta > 0.0 else ("Halving (experts)",)
    if name == "rwm":
        tuned = ("Randomised Majority, known horizon",) if given.get("horizon") else ()
        return ("Randomised Majority", *tuned)
    if name == "perceptron" and given.get("margin", 0.0) > 0.0:
        return ("Novikoff (updates)", "Mohri–Rostamizadeh (updates)")
    if name == "multiclass-ogd" and given.get("loss") in ("squared", "squared-hinge"):
        return ()
    if name == "ogd" and (given.get("l1") or given.get("l2")):
        return ()
    if name == "multiclass-ogd" and given.get("loss", "hinge") not in ("perceptron", "hinge", "logistic"):
        return ()
    if name == "adagrad" and given.get("form") == "averaging":
        return ("Duchi (averaging)",)
    return _ALWAYS.get(name, ())


def late_theorems_of(name: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The theorems of a learner whose labels came late."""
    told = ("Late labels", "Late labels (any data)")
    return told if name == "perceptron" and not given.get("margin", 0.0) else ()


def require_complete(spec: str, expected: Sequence[str], told: Sequence[str]) -> None:
    """Refuse a run that keeps silent about one of its theorems."""
    missing = [theorem for theorem in expected if theorem not in told]
    if missing:
        raise Refused(f"{spec}: the certificate leaves out the theorem '{missing[0]}'")
