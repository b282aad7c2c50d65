"""What the checks of all commands share: a run played again is held against what its certificate says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .claims import Claim, Found
from .expected import require_complete
from .rounds import Refused


class Checked(NamedTuple):
    """A theorem of the certificate that was derived anew and agrees."""

    learner: str
    theorem: str
    verdict: str
    observed: float
    bound: float | None
    vacuous: bool = False


def parsed(spec: str) -> tuple[str, dict[str, Any]]:
    """A spec as its name and parameters.

    >>> parsed("hedge:rate=0.5,loss=absolute")
    ('hedge', {'rate': 0.5, 'loss': 'absolute'})
    """
    name, _, text = spec.partition(":")
    given: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, _, word = part.partition("=")
        words = {"true": True, "false": False, "none": None}
        try:
            given[key] = words[word] if word in words else float(word)
        except ValueError:
            given[key] = word
    return name, given


def compare(run: Mapping[str, Any], *, doubt: float = 0, **found: int) -> None:
    """Refuse counts that differ; `doubt` is how many rounds were too close to tell."""
    for name, value in found.items():
        if isinstance(run[name], bool) or not isinstance(run[name], int | float) or run[name] % 1 != 0:
            raise Refused(f"{run['learner']}: {name} is {run[name]!r}, which counts nothing")
        if abs(run[name] - value) > (doubt if name == "mistakes" else 0):
            raise Refused(
                f"{run['learner']}: {name} is {run[name]:,} in the certificate, and was found {value:,}"
            )


def hold(
    run: Mapping[str, Any], theorems: Mapping[str, Any], again: Any, expected: Sequence[str]
) -> list[Checked]:
    """Derive every theorem of a run anew: those expected, no less and no other."""
    require_complete(run["learner"], expected, [one["theorem"] for one in run["certificates"]])
    checked = []
    for entry in run["certificates"]:
        claim = Claim(entry)
        if claim.theorem not in theorems:
            raise Refused(f"the verifier cannot derive the theorem '{claim.theorem}': it was not checked")
        if claim.theorem not in expected:
            raise Refused(f"{run['learner']}: '{claim.theorem}' is no theorem about such a run")
        found: Found = theorems[claim.theorem](again, claim)
        claim.compare(found)
        claim.compare_vacuous(len(getattr(again, "labels", ())))
        checked.append(
            Checked(run["learner"], claim.theorem, claim.verdict, claim.observed, claim.bound, claim.vacuous)
        )
    return checked
