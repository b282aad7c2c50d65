"""The report of `noregret run`: what happened, why it could not be worse, what was learned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from noregret.certificate import Certificate, Verdict, counted, shown
from noregret.errors import BadInput
from noregret.ledger import Ledger
from noregret.linear.learner import Described, flat
from noregret.panel.panel import LATE, Panel
from noregret.regret.over_rounds import Comparisons, Regret, regrets
from noregret.report.figures import (
    SIDES,
    course_chart,
    potential_chart,
    progress_chart,
    regret_charts,
    scores_chart,
    tightest,
    weights_chart,
)
from noregret.report.page import Page
from noregret.report.words import verdicts


class Told(NamedTuple):
    """A learner, its run, and what its theorems say."""

    learner: Any
    ledger: Ledger
    certificates: Sequence[Certificate]
    every: Sequence[Certificate] = ()  # also those that another one contains


def run_page(
    title: str,
    command: str,
    runs: Sequence[Told],
    baselines: Sequence[tuple[str, list[str]]],
    sides: tuple[str, str] = SIDES,
    comparisons: Comparisons | None = None,
) -> Page:
    """Make the page; a baseline has its name and its results, `sides` are what the data call −1 and +1."""
    page = Page(f"noregret: {title}")
    first = runs[0].ledger
    stopped = "" if first.complete else " The run was stopped before the end."
    told = "all" if first.labelled == first.rounds else f"{first.labelled:,} of them"
    page.say(f"{counted(first.rounds, 'round')}, {told} with a label.{stopped}{_own_rounds(runs)}")
    page.say("Each row was predicted before its label was looked at, then learned from.")
    page.command(command)
    _summary(page, runs, baselines)
    alone = tightest(runs[0].certificates) if len(runs) == 1 else None
    title = "Loss so far" if first.task == "regression" else "Mistakes so far"
    page.chart(title, progress_chart([(one.learner.spec, one.ledger) for one in runs], alone))
    for k, one in enumerate(runs):
        _learner(
            page,
            one,
            partial(regrets, one.ledger) if comparisons is None else partial(comparisons.regrets, k),
            sides,
        )
    return page


def _own_rounds(runs: Sequence[Told]) -> str:
    """How far each learner came, where one was stopped before the others."""
    if len({one.ledger.rounds for one in runs}) == 1:
        return ""
    return f" By learner: {', '.join(f'{one.learner.spec} {one.ledger.rounds:,}' for one in runs)}."


def _summary(page: Page, runs: Sequence[Told], baselines: Sequence[tuple[str, list[str]]]) -> None:
    numbers = runs[0].ledger.task == "regression"
    cells = [[one.learner.spec, *results(one.ledger), verdicts(one.certificates)] for one in runs]
    cells += [[name, *told, ""] for name, told in baselines]
    columns = ["error (RMSE)", "loss"] if numbers else ["mistakes", "rate"]
    page.table(["learner", *columns, "theorems"], cells)


def results(ledger: Ledger) -> list[str]:
    """The cells of a learner in the table."""
    if ledger.task == "regression":
        return [shown(ledger.rmse), shown(ledger.loss)]
    return [f"{ledger.mistakes:,}", f"{ledger.mistake_rate:.2%}"]


def _learner(page: Page, one: Told, compared: Callable[[], list[Regret]], sides: tuple[str, str]) -> None:
    page.heading(one.learner.spec)
    for certificate in one.certificates:
        page.certificate(certificate, one.ledger.labelled)
    _regrets(page, compared)
    for certificate in one.every or one.certificates:
        if certificate.theorem == "Novikoff" and certificate.verdict is Verdict.HOLDS:
            _potential(page, one, certificate)
    if one.ledger.scores and one.ledger.task == "binary" and _over_features(one.learner):
        _scores(page, one, sides)
    if isinstance(one.learner, Panel) and one.ledger.lag:
        page.say(f"{LATE[0].upper()}{LATE[1:]}.")
    elif isinstance(one.learner, Panel):
        _members(page, one.learner)
    else:
        _weights(page, one.learner, sides)
        _numbers(page, one)


def _over_features(learner: Any) -> bool:
    """Whether its rows have features, and not the number of a point."""
    return isinstance(learner, Described | Panel)


def _regrets(page: Page, compared: Callable[[], list[Regret]]) -> None:
    """How the run did against what was known only afterwards, or why that is not told."""
    try:
        found = compared()
    except BadInput as why:
        page.say(f"There is no curve of its regret: {why}.")
        return
    for title, chart in regret_charts(found):
        page.chart(title, chart)
    page.say(
        "Regret is how much worse the learner has done so far than something that was known only afterwards. "
        "It rises while there is something to learn, and flattens out when the learner has caught up; where "
        "it falls, the learner did better."
    )
    for one in found:
        page.say(one.found)


def _potential(page: Page, one: Told, certificate: Certificate) -> None:
    rate = float(one.learner.parameters["rate"])
    chart = potential_chart(one.ledger, certificate.quantities, rate)
    page.chart("The proof in a picture: a potential between its two bounds", chart)
    page.say(
        "The potential Φ is the squared length of the learner's weights. Each mistake can add only so much "
        "to it (the upper line), and each must bring the weights nearer to the fixed rule by so much (the "
        "lower line, which grows faster). M, the number of mistakes, cannot pass the point where they meet."
    )


def _scores(page: Page, one: Told, sides: tuple[str, str]) -> None:
    vote = isinstance(one.learner, Panel)
    page.chart("Scores, by what the label was", scores_chart(one.ledger, vote, sides))
    negative, positive = sides
    if vote:
        page.say(
            f"The panel predicts by a vote: each member says {negative} or {positive}, and counts as much as "
            f"its weight. The score goes from −1 (all say {negative}) to +1 (all say {positive}); in between "
            "they disagree."
        )
    page.say(
        f"Right of the line at 0 the learner said {positive}, left of it {negative}; the distance from 0 is "
        "the margin, how sure it was. What lies on the wrong side for its label was a mistake."
    )


def _weights(page: Page, learner: Any, sides: tuple[str, str]) -> None:
    summed = not getattr(learner, "keeps_examples", False)  # else weights do not make its score
    weights = flat(getattr(learner, "weights", None) or {}) if summed else {}
    if weights:
        chart = weights_chart(weights, learner.initial_weight, learner.task, sides)
        of = ", by class and feature" if learner.task == "multiclass" else ""
        page.chart(f"The largest of {counted(len(weights), 'weight')}{of}", chart)


def _members(page: Page, panel: Panel) -> None:
    """The members of a panel: how they did, and how much was given on what they said."""
    if panel.course.points:
        page.chart("How much each member counted", course_chart(panel.course.points, panel.specs))
    rows = [[one.member, shown(one.mistakes), f"{one.weight:.2%}"] for one in panel.standings()]
    page.table(["member", "mistakes", "weight now"], rows)


def _numbers(page: Page, one: Told) -> None:
    """How often it changed, and what it keeps besides its weights."""
    told = f"It changed in {counted(one.ledger.updates, 'round')}."
    scalars = getattr(one.learner, "scalars", {})
    if scalars:
        numbers = ", ".join(f"{name} {shown(value)}" for name, value in scalars.items())
        told += f" Besides its weights it keeps: {numbers}."
    page.say(told)
