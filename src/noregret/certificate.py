"""Theorems and what they say about a run.

A theorem answers HOLDS (its hypotheses are met, and so is its bound), SILENT (a hypothesis is not
met: it says which) or BROKEN (hypotheses met, bound exceeded: a bug, in the learner or in us).

Bounds are compared exactly: quantities that are not whole numbers are rounded outward, towards
the weaker statement, which is still a true instance of the theorem; then fractions are compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

from noregret import markup
from noregret.rounding import float_above

HUGE = 1e15  # from here on numbers are shown with an exponent
NOTHING = 1e-250  # below it they are shown as 0: what is so small was only kept from being 0


class Verdict(StrEnum):
    """What a theorem says about a run."""

    HOLDS = "holds"
    SILENT = "silent"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Something that a theorem asks of the data, and whether the data grants it."""

    text: str
    met: bool
    detail: str = ""  # why not, where it is not


@dataclass(frozen=True, slots=True)
class Certificate:
    """One theorem, one run."""

    theorem: str
    statement: str
    source: str
    verdict: Verdict
    observed: float
    bound: float | None  # None when the theorem is silent
    hypotheses: tuple[Hypothesis, ...] = ()
    quantities: dict[str, float] = field(default_factory=dict)
    about: str = "mistakes"  # what is observed and bounded
    # u by feature (None is the bias), and weights of rounds that prove how good it is, or that f is made of
    witness: dict[Any, float] | None = field(default=None, compare=False, repr=False)
    dual: dict[int, float] | None = field(default=None, compare=False, repr=False)
    note: str = field(default="", compare=False)  # what a reader should know besides
    family: str = field(
        default="", compare=False
    )  # of theorems about one quantity, of which the best is shown
    vacuous: bool = False  # the bound is met, and so would it be by any learner

    @property
    def slack(self) -> float | None:
        """How much was to spare."""
        return None if self.bound is None else self.bound - self.observed

    @property
    def verdict_in_words(self) -> str:
        """The verdict in words: holds, vacuous where the bound says nothing."""
        return f"{self.verdict}, vacuous" if self.vacuous else str(self.verdict)

    @property
    def reason(self) -> str:
        """Say in a sentence why the verdict is what it is."""
        if self.verdict is Verdict.SILENT:
            unmet = [h for h in self.hypotheses if not h.met]
            return "; ".join(f"not met: {h.text}" + (f" ({h.detail})" if h.detail else "") for h in unmet)
        if self.verdict is Verdict.BROKEN:
            return f"{shown(self.observed)} is more than the bound {shown(self.bound)}: this is a bug"
        return f"{shown(self.observed)} ≤ {shown(self.bound)}"

    def as_json(self) -> dict[str, Any]:
        """Give the certificate as plain data."""
        return {
            "theorem": self.theorem,
            "verdict": str(self.verdict),
            "about": self.about,
            "observed": self.observed,
            "bound": self.bound,
            "slack": self.slack,
            "vacuous": self.vacuous,
            "source": self.source,
            "statement": self.statement,
            "reason": self.reason,
            "note": self.note,
            "quantities": self.quantities,
            "hypotheses": [
                {"text": h.text, "met": h.met, "detail": "" if h.met else h.detail} for h in self.hypotheses
            ],
        }

    def _repr_html_(self) -> str:
        """Show it in a notebook."""
        rows = [
            ("verdict", self.verdict_in_words.upper()),
            (self.about, f"{shown(self.observed)} observed, {shown(self.bound)} at most"),
            ("statement", self.statement),
            ("source", self.source),
            ("reason", self.reason),
        ]
        return markup.table(self.theorem, rows)

    def __str__(self) -> str:
        """Theorem, verdict and reason in a line."""
        return f"{self.theorem}: {self.verdict.upper()} ({self.reason})"


@runtime_checkable
class Theorem(Protocol):
    """A statement that can be held against a replayed run."""

    @property
    def name(self) -> str:
        """Its name: that of its authors."""
        ...

    @property
    def statement(self) -> str:
        """The statement, in one line."""
        ...

    @property
    def source(self) -> str:
        """Where it is proved."""
        ...

    @property
    def comparator(self) -> str | None:
        """The kind of witness that it needs from hindsight; None if it needs none."""
        ...

    @property
    def about(self) -> str:
        """What it bounds: mistakes, regret, …"""
        ...

    def certify(self, replay: Any, witness: Any) -> Certificate:
        """Hold the theorem against a run."""
        ...


def conclude(
    theorem: Theorem,
    observed: float,
    bound: Fraction | float | None,
    hypotheses: list[Hypothesis],
    quantities: dict[str, float] | None = None,
) -> Certificate:
    """Make the certificate: silent unless every hypothesis is met, then compare exactly."""
    verdict, shown_bound = Verdict.SILENT, None
    if bound is not None and all(h.met for h in hypotheses) and not (_finite(observed) and _finite(bound)):
        told = bound if isinstance(bound, float) else float_above(Fraction(bound))
        detail = f"observed is {shown(observed)}, the bound {shown(told)}"
        hypotheses = [*hypotheses, Hypothesis("both numbers are finite", False, detail)]
    if bound is not None and all(h.met for h in hypotheses):
        verdict = Verdict.HOLDS if Fraction(observed) <= Fraction(bound) else Verdict.BROKEN
        shown_bound = float_above(Fraction(bound))
    return Certificate(
        theorem.name,
        theorem.statement,
        theorem.source,
        verdict,
        observed,
        shown_bound,
        tuple(hypotheses),
        quantities or {},
        theorem.about,
        family=getattr(theorem, "family", ""),
    )


def telling(certificates: Sequence[Certificate]) -> list[Certificate]:
    """Of each family the certificate with the least bound, and all that are broken; else the first."""
    found: list[Certificate] = []
    for family in dict.fromkeys((one.family, one.about) if one.family else id(one) for one in certificates):
        members = [
            one for one in certificates if ((one.family, one.about) if one.family else id(one)) == family
        ]
        broken = [one for one in members if one.verdict is Verdict.BROKEN]
        holding = [one for one in members if one.bound is not None]
        best = min(holding, key=lambda one: one.bound or 0.0, default=members[0])
        found += broken or [best]
    return found


COUNTED = (
    "mistakes",
    "updates",
    "corrections",
    "weighed mistakes",
    "expected mistakes",
    "squared hinge losses",
)


def marked(certificate: Certificate, most: float | None) -> Certificate:
    """Mark a bound that says nothing: it is at least `most`, which nothing can pass, or which u = 0 has."""
    if certificate.bound is None or most is None or not most > 0.0:
        return certificate
    bound = certificate.bound
    counted = math.floor(bound) if certificate.about in COUNTED and math.isfinite(bound) else bound
    return replace(certificate, vacuous=counted >= most)


def _finite(number: Fraction | float) -> bool:
    """Whether a double holds the number, rounded up."""
    return math.isfinite(number if isinstance(number, float) else float_above(Fraction(number)))


def shown(number: float | None) -> str:
    """Write a number for people: four digits, thousands separated, an exponent where it is huge."""
    if number is None:
        return "–"
    if not math.isfinite(number) or abs(number) >= HUGE:
        return f"{number:.4g}"
    if abs(number) < NOTHING:
        return "0"
    if number == int(number):
        return f"{int(number):,}"
    return f"{number:,.1f}" if abs(number) >= 1000 else f"{number:.4g}"


def counted(number: float, thing: str, things: str | None = None) -> str:
    """Write a number of things, as `shown` does: 1 mistake, 2 mistakes."""
    return f"{shown(number)} {thing if number == 1 else things or thing + 's'}"
