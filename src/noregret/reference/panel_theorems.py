"""The theorems of a panel: those of its rule, and what follows for its vote."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from . import expert_theorems, regret_theorems
from .claims import Claim, Found, Number
from .expected import theorems_of
from .expert_theorems import found_for, tracked
from .panel_runs import PanelRun

RULES = expert_theorems.THEOREMS | regret_theorems.THEOREMS
# Those of them that bound the regret against the best member.
REGRET = (
    "Cesa-Bianchi–Lugosi",
    "Anytime Hedge",
    "Doubling trick",
    "Hoeffding spreads",
    "Randomised Majority, known horizon",
    "Be the leader",
    "Herbster–Warmuth",
    "de Rooij et al.",
    "Koolen–van Erven",
    "Gaillard–Stoltz–van Erven",
    "Polynomial potential",
    "Wintenberger",
)


def half_the_weight(run: PanelRun, claim: Claim) -> Found:
    """A vote errs only where half of the weight does: M ≤ 2(L* + R), R a bound on the regret of the rule."""
    names = [name for name in theorems_of(run.name, run.parameters) if name in REGRET]
    rule = _of_the_rule(claim)
    found = [tracked(run, 0) if name == "Herbster–Warmuth" else RULES[name](run, rule) for name in names]
    told = [(float(one.bound), one) for one in found if one.bound is not None and all(one.met)]
    allowed: dict[str, Number] = {"observed": run.doubt}
    if not told:
        return Found(run.vote, None, [met for one in found for met in one.met] or [False], {}, allowed)
    regret, best = min(told, key=lambda one: one[0])
    bound = 2.0 * (run.losses[run.best] + regret)
    held = found_for(run, run.vote, bound, best.met, best.near, run.tolerance(bound, 2.0), R=regret)
    held.allowed |= allowed
    return held


def _of_the_rule(claim: Claim) -> Claim:
    """What the claim says of its rule: R is the bound, and for which of the members that tie it shows."""
    rule = copy(claim)
    rule.bound, rule.quantities = claim.quantities.get("R"), {}
    return rule


THEOREMS: dict[str, Callable[[PanelRun, Claim], Found]] = {**RULES, "Half the weight": half_the_weight}
