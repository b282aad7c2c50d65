"""What a certificate claims, what was found, and whether the one is the other.

A claim was computed in doubles and rounded towards the weaker statement. It agrees with what is found here if
it is not stronger than the truth, and not weaker than rounding explains.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .rounds import Refused

Number = Fraction | float | int
NEAR = 1e-9  # relative: what rounding may explain
COUNTED = ("mistakes", "updates", "corrections", "weighed mistakes", "squared hinge losses")


@dataclass
class Found:
    """A theorem held against a run that was played again."""

    observed: Number
    bound: Number | None
    met: list[bool]
    quantities: dict[str, Number]
    allowed: dict[str, Number] = field(default_factory=dict)  # beyond NEAR, by quantity
    near: float = NEAR
    over: Number = 0  # by how much more than `near` the bound may be above what is found


class Claim:
    """One certificate of the file."""

    def __init__(self, told: Any) -> None:
        """Take the entry apart; anything that is not what it should be is refused."""
        try:
            self.theorem, self.verdict = str(told["theorem"]), str(told["verdict"])
            self.observed = as_number(told["observed"])
            self.bound = None if told["bound"] is None else as_number(told["bound"])
            self.slack = None if told["slack"] is None else as_number(told["slack"])
            self.met = [one["met"] is True for one in told["hypotheses"]]
            self.quantities = {key: as_number(one["value"]) for key, one in told["quantities"].items()}
            self.witness: Mapping[str, Any] | None = told.get("witness")
            self.dual = told.get("dual")
            self.about, self.marked = (
                told.get("about"),
                told.get("vacuous"),
            )  # the mark is newer than the format
        except (KeyError, TypeError, AttributeError, ValueError) as problem:
            raise Refused(f"the certificate is damaged: {problem!r} in one of its theorems") from None

    def told(self, name: str) -> Fraction:
        """A quantity that the theorem takes as given."""
        value = self.quantities.get(name, math.nan)
        if not math.isfinite(value):
            raise Refused(f"{self.theorem}: the certificate does not give a number for {name}")
        return Fraction(value)

    def direction(self) -> dict[Any, float]:
        """The witness u, by feature; None is the bias."""
        if self.witness is None or "classes" in self.witness:
            raise Refused(f"{self.theorem}: the certificate has no witness, and the theorem needs one")
        return _by_feature(self.witness)

    def by_class(self) -> dict[Any, dict[Any, float]]:
        """The witness U, by class, then by feature."""
        if self.witness is None:
            raise Refused(f"{self.theorem}: the certificate has no witness, and the theorem needs one")
        if "classes" not in self.witness:
            return {}
        classes = [one if isinstance(one, str) else int(one) for one in self.witness["classes"]]
        return dict(zip(classes, map(_by_feature, self.witness["weights"]), strict=True))

    def at_most(self, name: str, most: Number, allowed: Number) -> Fraction:
        """A quantity that must not be larger than what is true, nor smaller than rounding explains."""
        told, room = self.told(name), max(Fraction(allowed), abs(Fraction(most)) * Fraction(NEAR))
        highest = most if most > 0 else most + room  # what is not positive proves nothing anyway
        if not most - room <= told <= highest:
            raise Refused(
                f"{self.theorem}: {name} is {shown(told)} in the certificate and {shown(most)} in the data"
            )
        return told

    def compare(self, found: Found) -> None:
        """Refuse the first difference."""
        finite = found.bound is None or (_finite(found.observed) and _finite(found.bound))
        if all(found.met) and not finite:
            found.met = [*found.met, False]  # nothing can be said of numbers beyond doubles
        self._same("observed", self.observed, found.observed, found.allowed.get("observed", 0), found.near)
        for name, value in self.quantities.items():
            if name not in found.quantities:
                raise Refused(f"{self.theorem}: the verifier knows no quantity {name}")
            self._same(name, value, found.quantities[name], found.allowed.get(name, 0), found.near)
        if self.met != found.met:
            raise Refused(
                f"{self.theorem}: its hypotheses are {_words(self.met)}, and were found {_words(found.met)}"
            )
        silent = not all(found.met) or found.bound is None
        if silent or found.bound is None or self.bound is None:
            if not silent or self.bound is not None:
                raise Refused(
                    f"{self.theorem}: the bound is {shown(self.bound)}, and was found {shown(found.bound)}"
                )
            if self.slack is not None:
                raise self._differs("the slack", self.slack, None)
            self._require_verdict("silent")
            return
        missing = [name for name in found.quantities if name not in self.quantities]
        if missing:
            raise Refused(f"{self.theorem}: the certificate does not give {missing[0]}")
        self._compare_bound(self.bound, found)
        if self.slack is None:
            raise self._differs("the slack", None, self.bound - self.observed)
        self._same("the slack", self.slack, self.bound - self.observed, 0, 1e-12)
        holds = Fraction(self.observed) <= self.bound
        self._require_verdict("holds" if holds else "broken")

    @property
    def vacuous(self) -> bool:
        """Whether the bound is marked as one that says nothing."""
        return self.marked is True

    def compare_vacuous(self, rounds: int) -> None:
        """Refuse a mark that is wrong: what is counted once a round is bounded by the rounds anyway."""
        if self.marked is None:
            return
        counted = self.about in COUNTED and self.bound is not None and rounds > 0
        says_nothing = counted and (
            not math.isfinite(self.bound or 0.0) or math.floor(self.bound or 0.0) >= rounds
        )
        if self.marked not in (True, False) or (counted and self.marked != says_nothing):
            raise Refused(
                f"{self.theorem}: vacuous is {self.marked!r} in the certificate, and is {says_nothing}"
            )
        if self.bound is None and self.marked:
            raise Refused(f"{self.theorem}: vacuous is true in the certificate, and there is no bound")

    def _compare_bound(self, told: float, found: Found) -> None:
        """Not below what is proved, and above it by no more than rounding explains."""
        assert found.bound is not None
        if math.isfinite(found.bound) and math.isfinite(told):
            bound = Fraction(found.bound)
            inexact = isinstance(found.bound, float)
            room = Fraction(found.allowed.get("bound", 0))
            least = bound * Fraction(1.0 - 1e-12) if inexact and bound > 0 else bound
            most = bound + abs(bound) * Fraction(found.near) + Fraction(found.over) + Fraction(1, 10**300)
            agrees = least - room <= told <= most + room
        else:
            agrees = told == found.bound
        if not agrees:
            raise self._differs("the bound", told, found.bound)

    def _require_verdict(self, verdict: str) -> None:
        if self.verdict != verdict:
            raise self._differs("the verdict", self.verdict, verdict)

    def _differs(self, what: str, told: object, found: object) -> Refused:
        exact = float(found) if isinstance(found, Fraction) else found
        return Refused(f"{self.theorem}: {what} is {told!r} in the certificate, and was found {exact!r}")

    def _same(self, name: str, told: float, found: Number, allowed: Number, near: float) -> None:
        if math.isfinite(told) and math.isfinite(found):
            away = abs(Fraction(told) - Fraction(found))
            if away <= max(Fraction(allowed), Fraction(near) * abs(Fraction(found))):
                return
        elif told == found:
            return
        raise Refused(
            f"{self.theorem}: {name} is {told!r} in the certificate, and was found {float(found)!r}"
        )


def _finite(number: Number) -> bool:
    """Whether a double holds the number."""
    try:
        return math.isfinite(float(number))
    except OverflowError:
        return False


def as_number(told: Any) -> float:
    """A number of the file; those that JSON has not are written as words."""
    if told in ("inf", "-inf", "nan"):
        return float(told)
    if isinstance(told, bool) or not isinstance(told, int | float):
        raise ValueError(f"{told!r} is not a number")
    return float(told)


def shown(number: Number | None) -> str:
    """Write a number for people."""
    return "none" if number is None else f"{float(number):.10g}"


def _by_feature(told: Any) -> dict[Any, float]:
    features = [f if isinstance(f, str | int) or f is None else str(f) for f in told["features"]]
    return dict(zip(features, map(as_number, told["values"]), strict=True))


def _words(met: list[bool]) -> str:
    return ", ".join("met" if one else "not met" for one in met) or "none"
