"""The report of `noregret run`: what happened, why it could not be worse, what was learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from noregret.certificate import Certificate, Verdict, shown
from noregret.ledger import Ledger
from noregret.linear.learner import flat
from noregret.panel.panel import Panel
from noregret.report.figures import (
    course_chart,
    mistakes,
    mistakes_chart,
    potential_chart,
    scores_chart,
    tightest,
    weights_chart,
)
from noregret.report.page import Page
from noregret.report.words import in_words


class Told(NamedTuple):
    """A learner, its run, and what its theorems say."""

    learner: Any
    ledger: Ledger
    certificates: Sequence[Certificate]


def run_page(title: str, command: str, runs: Sequence[Told], baselines: Sequence[tuple[str, int]]) -> Page:
    """Make the page."""
    page = Page(f"noregret: {title}")
    first = runs[0].ledger
    stopped = "" if first.complete else " The run was stopped before the end."
    page.say(f"{first.rounds:,} rounds, {first.labelled:,} of them with a label.{stopped}")
    page.say("Each row was predicted before its label was looked at, then learned from.")
    page.command(command)
    _summary(page, runs, baselines)
    page.heading("Mistakes")
    page.chart(mistakes_of(runs))
    for one in runs:
        _learner(page, one)
    return page


def mistakes_of(runs: Sequence[Told]) -> Any:
    """The mistakes of all learners in one chart; of one learner, with its bound."""
    rows = [row for one in runs for row in mistakes(one.learner.spec, one.ledger)]
    alone = tightest(runs[0].certificates) if len(runs) == 1 else None
    return mistakes_chart(rows, alone, max(one.ledger.mistakes for one in runs))


def _summary(page: Page, runs: Sequence[Told], baselines: Sequence[tuple[str, int]]) -> None:
    cells = [
        [
            one.learner.spec,
            f"{one.ledger.mistakes:,}",
            f"{one.ledger.mistake_rate:.2%}",
            f"{one.ledger.updates:,}",
            "; ".join(f"{c.theorem}: {str(c.verdict).upper()}" for c in one.certificates) or "no theorem",
        ]
        for one in runs
    ]
    labelled = max(runs[0].ledger.labelled, 1)
    cells += [[name, f"{count:,}", f"{count / labelled:.2%}", "", ""] for name, count in baselines]
    page.table(["learner", "mistakes", "rate", "updates", "certificates"], cells)


def _learner(page: Page, one: Told) -> None:
    page.heading(one.learner.spec)
    for certificate in one.certificates:
        page.certificate(
            str(certificate.verdict),
            f"{certificate.theorem}: {str(certificate.verdict).upper()}",
            in_words(certificate),
        )
    separated = [c for c in one.certificates if c.theorem == "Novikoff" and c.verdict is Verdict.HOLDS]
    for certificate in separated:
        page.say("The proof in a picture: the potential is squeezed from both sides as mistakes add up.")
        rate = float(one.learner.parameters["rate"])
        page.chart(potential_chart(one.ledger, certificate.quantities, rate))
    if one.ledger.scores:
        page.say("Scores, by label. Right of 0 the learner says +1.")
        page.chart(scores_chart(one.ledger))
    if isinstance(one.learner, Panel):
        _members(page, one.learner)
    else:
        _weights(page, one.learner)
    _numbers(page, one)


def _weights(page: Page, learner: Any) -> None:
    weights = flat(getattr(learner, "weights", None) or {})
    if weights:
        page.say(f"The largest of {len(weights):,} weights.")
        page.chart(weights_chart(weights, learner.initial_weight))


def _members(page: Page, panel: Panel) -> None:
    """The members of a panel: how they did, and how much was given on what they said."""
    rows = [[one.member, f"{one.mistakes:,.6g}", f"{one.weight:.2%}"] for one in panel.standings()]
    page.table(["member", "mistakes", "weight now"], rows)
    if panel.course.points:
        page.say("How the weights of the members went.")
        page.chart(course_chart(panel.course.points, panel.specs))


def _numbers(page: Page, one: Told) -> None:
    scalars = getattr(one.learner, "scalars", {})
    if scalars:
        page.say(
            "Running numbers: " + ", ".join(f"{name} {shown(value)}" for name, value in scalars.items()) + "."
        )
