"""A certificate in words that need no course in learning theory."""

from __future__ import annotations

import math
from collections.abc import Sequence

from noregret.certificate import Certificate, Verdict, counted, shown

COUNTS = {"mistakes": "mistake", "updates": "update", "corrections": "correction"}

_OF_ROWS = {
    "R": "the longest row has length R = {}",
    "norm_u": "the fixed rule it compares with has length ‖u‖ = {}",
    "gamma": "that rule is on the right side of every row by a margin γ = {} at least",
    "loss_u": "that rule has a loss of {} itself",
}
_CHARGED = {  # where the margin is asked for, and not met everywhere
    "gamma": "a margin γ = {} is asked of that rule",
    "D": "what is missing of it, squared and added up, has the root D = {}",
    "L": "what is missing of it, added up in units of γ, is L = {}",
}
_LATE = {"D": "labels came up to D = {} rounds late"}
_OF_FEATURES = {"N": "there are N = {} features", "K": "the right rule looks at K = {} of them"}
_OF_EXPERTS = {
    "T": "there were T = {} rounds",
    "N": "there were N = {} to choose from",
    "L*": "the best of them lost L* = {}",
    "loss": "the weighted mixture lost {}",
}
_LINEAR = _OF_EXPERTS | {  # the gradient trick: losses are counted from that of the mixture, so that L* < 0
    "L*": "a loss is counted from that of the mixture, along its slope there: the regret against every fixed "
    "mixture of them, and not only against each, is then at most this one",
    "loss": "",
}
_LETTERS = "In the theorem, u is one fixed rule for all rows, x a row and y its label."


def in_words(certificate: Certificate, rounds: float = math.inf) -> tuple[list[str], list[str]]:
    """Say what was promised, what happened and what that means; and, for those who want it, the theorem.

    A bound that no learner could pass is true, and says nothing.
    """
    silent = certificate.verdict is Verdict.SILENT
    told = [_silence(certificate) if silent else _what_happened(certificate)]
    if not silent:
        told += _rests(certificate)
    if certificate.vacuous:
        told.append(
            f"In {counted(rounds, 'round')} no learner could pass this bound: it is true, and says nothing."
            if certificate.about in COUNTS
            else "A rule that never learns has no more than this bound: it is true, and says nothing."
        )
    if certificate.note:
        told.append(f"{certificate.note[0].upper()}{certificate.note[1:]}.")
    letters = f" {_LETTERS}" if "⟨u,x⟩" in certificate.statement else ""
    return told, [f"The theorem: {certificate.statement}.{letters}", f"Proved in: {certificate.source}."]


def at_most(certificate: Certificate) -> float | None:
    """The bound; of what is counted, the whole number in it."""
    bound = certificate.bound
    whole = certificate.about in COUNTS and float(certificate.observed).is_integer()
    return math.floor(bound) if whole and bound is not None and math.isfinite(bound) else bound


def verdicts(certificates: Sequence[Certificate]) -> str:
    """Several verdicts in a few words: 2 hold, 1 is silent."""
    forms = {
        Verdict.BROKEN: ("broken", "broken"),
        Verdict.HOLDS: ("holds", "hold"),
        Verdict.SILENT: ("is silent", "are silent"),
    }
    told = []
    for verdict, (one, more) in forms.items():
        count = sum(c.verdict is verdict for c in certificates)
        told += [f"{count} {one if count == 1 else more}"] if count else []
    return ", ".join(told) or "no theorem"


def _what_happened(certificate: Certificate) -> str:
    told, bound = _seen(certificate), shown(at_most(certificate))
    if certificate.verdict is Verdict.BROKEN:
        return (
            f"{told}, and mathematics allows {bound} at most. The learner, or this program, has a fault: "
            "please report it."
        )
    left = (at_most(certificate) or 0.0) - certificate.observed
    spare = f"{shown(left)} to spare" if left else "nothing to spare"
    return (
        f"{told}.{_regret(certificate)} For this very data, in this very order, mathematics allows {bound} "
        f"at most: {spare}. The bound was computed from the run and held against it exactly."
    )


def _seen(certificate: Certificate) -> str:
    what, number = certificate.about, certificate.observed
    if what in COUNTS:
        return f"There {'was' if number == 1 else 'were'} {counted(number, COUNTS[what])}"
    return f"The {what} came to {shown(number)}"


def _regret(certificate: Certificate) -> str:
    if certificate.about != "regret":
        return ""
    whom = "the best of those it listened to" if "L*" in certificate.quantities else "one fixed rule"
    return f" Regret is how much more was lost than by {whom}, known only afterwards."


def _silence(certificate: Certificate) -> str:
    """Why a theorem does not speak; a margin that is not there is told as what it is."""
    missing = "; ".join(
        h.text + (f" ({h.detail})" if h.detail else "") for h in certificate.hypotheses if not h.met
    )
    told = (
        f"{_seen(certificate)}. This theorem says nothing about that: it speaks only where "
        f"{missing or 'more is granted'}. That is no fault of the learner."
    )
    gamma = certificate.quantities.get("gamma", 1.0)
    if gamma <= 0.0:
        told += (
            " It needs a fixed rule that is right on every row, by a margin γ above 0. The best one found is "
            f"wrong on some: on the worst of them it is off by {shown(-gamma)}."
        )
    return told


def _rests(certificate: Certificate) -> list[str]:
    numbers = certificate.quantities
    known = [
        told.format(shown(numbers[name]))
        for name, told in _meaning(certificate).items()
        if told and name in numbers
    ]
    if "margin_at_most" in numbers:
        known.append(f"no rule of length 1 has a margin above {shown(numbers['margin_at_most'])}")
    return [f"It rests on this: {'; '.join(known)}."] if known else []


def _meaning(certificate: Certificate) -> dict[str, str]:
    """What the letters of a theorem stand for; one letter means different things in different theorems."""
    numbers = certificate.quantities
    if "L*" in numbers:
        return _OF_EXPERTS if numbers["L*"] >= 0.0 else _LINEAR
    if "N" in numbers:
        return _OF_FEATURES
    if "norm_u" not in numbers:
        return {}
    if any("separates" in h.text for h in certificate.hypotheses):
        return _OF_ROWS | _LATE if "P" in numbers else _OF_ROWS
    return _OF_ROWS | _CHARGED
