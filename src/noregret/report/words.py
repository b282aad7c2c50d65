"""A certificate in words that need no course in learning theory."""

from __future__ import annotations

from noregret.certificate import Certificate, Verdict, shown

_MEANING = {
    "R": "the longest row",
    "gamma": "the margin by which a fixed rule is right",
    "norm_u": "the length of that rule",
    "N": "the number of features or experts",
    "T": "the number of rounds",
    "K": "how many features the right rule looks at",
}
_OF_MARGINS = ("R", "norm_u")  # letters that mean this only beside a margin γ


def in_words(certificate: Certificate) -> list[str]:
    """Say what was promised, what happened and what that means."""
    told = [_what_happened(certificate)]
    known = [
        f"{name} = {shown(value)}, {_MEANING[name]}"
        for name, value in certificate.quantities.items()
        if name in _MEANING and (name not in _OF_MARGINS or "gamma" in certificate.quantities)
    ]
    if known:
        told.append(f"It rests on: {'; '.join(known)}.")
    return [*told, f"The theorem: {certificate.statement}.", f"Proved in: {certificate.source}."]


def _what_happened(certificate: Certificate) -> str:
    what, seen = certificate.about, shown(certificate.observed)
    if certificate.verdict is Verdict.SILENT:
        return (
            f"This theorem says nothing about this run ({seen} {what}), because the data does not grant what "
            f"it assumes. That is no fault of the learner. {certificate.reason.capitalize()}."
        )
    bound = shown(certificate.bound)
    told = f"There were {seen} {what}" if what.endswith("s") else f"The {what} was {seen}"
    if certificate.verdict is Verdict.BROKEN:
        return (
            f"{told}, and mathematics allows {bound} at most. The learner, or this program, has a fault: "
            "please report it."
        )
    return (
        f"{told}. For this very data, in this very order, mathematics allows {bound} at "
        f"most: {shown(certificate.slack)} to spare. The bound was computed from the run and held against "
        "it exactly."
    )
