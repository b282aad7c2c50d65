"""What stands beside a regret: the bound and the verdict of one theorem, over all series."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from noregret.certificate import Certificate, Verdict, counted
from noregret.experts.losses import Loss
from noregret.experts.played import Played


class Standing(NamedTuple):
    """What a theorem says of a rule: how large its regret may be, and whether it was."""

    bound: float | None  # None where the theorem says nothing about the regret that is shown
    verdict: Verdict
    vacuous: bool = False


def standing(one: Played, certificates: Sequence[Certificate]) -> Standing | None:
    """The theorem for the summary: broken first, then the least bound on the regret."""
    share = len(certificates) // len(one.accounts)
    told = [
        k * share for k, account in enumerate(one.accounts) if account.rounds
    ]  # the others have no regret
    found = [_over_series([certificates[at + k] for at in told]) for k in range(share)]
    broken = [told for told in found if told.verdict is Verdict.BROKEN]
    return min(broken or found, key=lambda t: math.inf if t.bound is None else t.bound, default=None)


def _over_series(certificates: Sequence[Certificate]) -> Standing:
    """One theorem about every series: the regrets add up, so do the bounds, and none may be missing."""
    verdicts = {certificate.verdict for certificate in certificates}
    worst = next(v for v in (Verdict.BROKEN, Verdict.SILENT, Verdict.HOLDS) if v in verdicts)
    bounds = [bound for c in certificates if (bound := _on_regret(c)) is not None]
    vacuous = bool(certificates) and all(certificate.vacuous for certificate in certificates)
    return Standing(sum(bounds) if len(bounds) == len(certificates) else None, worst, vacuous)


def _on_regret(certificate: Certificate) -> float | None:
    """A bound on a loss is a bound on the regret, less what the best expert lost."""
    if certificate.bound is None or certificate.about == "regret":
        return certificate.bound
    return certificate.bound - certificate.quantities["L*"]


def remark(one: Played, loss: Loss) -> str:
    """Why its theorems do not bound the regret that is shown, if they do not."""
    own, earlier = one.rules[0].loss, one.start.rounds
    if own != loss:
        return f"{one.name} learns with loss {own.text}; its theorems bound that loss, not {loss.text}"
    if earlier:
        return f"{one.name} goes on; its theorems also speak of {counted(earlier, 'row')} before these"
    return ""


def whose(one: Played, certificates: Sequence[Certificate]) -> list[str]:
    """The name of the rule beside each certificate, and with several series that of the series."""
    if one.keys is None:
        return [one.name] * len(certificates)
    share = len(certificates) // len(one.keys)
    return [f"{one.name} ({key})" for key in one.keys for _ in range(share)]
