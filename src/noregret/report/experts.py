"""The report of `noregret experts`: losses and regret, every rule under its bound, weights over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from noregret.certificate import HUGE, Certificate, counted, shown
from noregret.experts.losses import parse_loss
from noregret.experts.played import Played
from noregret.hindsight.experts import Hindsight, regret_curve
from noregret.report.charts import above_zero, lines_chart, stacked_chart, thinned
from noregret.report.page import Page
from noregret.report.words import verdicts
from noregret.rounds import Floats

MEANING = {
    "uniform": "every expert counts the same",
    "best expert": "the one expert that turned out best",
    "best convex": "the best fixed mixture of the experts, the shares adding up to 1",
    "best linear": "the best fixed weights of any size and sign",
}
MANY = 8  # certificates of a rule; more of them are told in a table


class Told(NamedTuple):
    """A rule as it was played, and what its theorems say, for each series in turn."""

    played: Played
    certificates: list[Certificate]


def experts_page(
    title: str,
    command: str,
    names: Sequence[str],
    axis: Sequence[str],
    loss: str,
    rules: Sequence[Told],
    hindsight: Sequence[Hindsight],
) -> Page:
    """Make the page."""
    page = Page(f"noregret: {title}")
    rows = f"{counted(len(axis), 'row')}, from {axis[0]} to {axis[-1]}"
    page.say(f"{rows}; {counted(len(names), 'expert')}; what is wrong costs its {loss} loss.")
    page.say(
        "In each row the experts spoke first. A rule gave each a weight, by how well they had done in the "
        "rows before, and said the mixture; only then was the truth looked at."
    )
    page.command(command)
    played = [one.played for one in rules]
    _summary(page, rules, hindsight)
    page.chart("Mean loss so far", losses_chart(played, hindsight))
    page.chart(f"Regret: {loss} loss more than the best expert's", regret_chart(played, hindsight))
    page.say(
        "Regret is how much more a rule has lost so far than the one expert that turned out best, which "
        "nobody knew beforehand. A rule that learns has a curve that flattens out; below 0 it did better "
        "than that expert."
    )
    for one in rules:
        _rule(page, one, names, loss)
    return page


def _summary(page: Page, rules: Sequence[Told], hindsight: Sequence[Hindsight]) -> None:
    best = _best_expert(hindsight)
    rows = [
        [p.name, _brief(float(p.losses.mean())), _brief(regret_curve(p.losses, best)[-1]), verdicts(many)]
        for p, many in rules
    ]
    marks = ["baseline" if one.name == "uniform" else "hindsight" for one in hindsight]
    rows += [[one.told_name, _brief(one.mean), "", mark] for one, mark in zip(hindsight, marks, strict=True)]
    page.table(["rule", "mean loss", "over best expert", "theorems"], rows)
    told = [f"{one.name}: {MEANING[one.name]}" for one in hindsight if one.name in MEANING]
    page.say(
        f"What is marked hindsight was computed afterwards, to compare with. {'; '.join(told).capitalize()}."
    )


def _brief(number: float) -> str:
    """As `shown`, but large numbers without what stands behind the point."""
    return f"{number:,.0f}" if 10_000 <= abs(number) < HUGE else shown(number)


def _rule(page: Page, one: Told, names: Sequence[str], loss: str) -> None:
    played, certificates = one
    page.heading(played.name)
    own = played.rules[0].loss
    if own != parse_loss(loss):
        page.say(f"It learns with the {own.text} loss; its theorems speak of that, and not of {loss} loss.")
    if len(certificates) > MANY:
        rows = [[_whose(one, k), c.theorem, c.verdict_in_words] for k, c in enumerate(certificates)]
        page.table(["series", "theorem", "verdict"], rows)
    for k, certificate in enumerate(certificates[:MANY]):
        page.certificate(certificate, of=_whose(one, k))
    if played.course and certificates:
        first = certificates[0]
        page.chart(f"What {first.theorem} bounds, and the bound", course_chart(played, first.about))
        if played.course[-1].bound is None:
            page.say("There is no bound to draw: the theorem is silent about this run.")
    if played.weights is not None:
        rounds = list(range(1, len(played.weights) + 1))
        page.chart("How much each expert counted", stacked_chart(rounds, played.weights, names))


def _whose(one: Told, place: int) -> str:
    """The series that a certificate is about, if there are several."""
    if one.played.keys is None:
        return ""
    return one.played.keys[place // (len(one.certificates) // len(one.played.keys))]


def course_chart(one: Played, about: str) -> Any:
    """What the theorem bounds, and the bound, round by round."""
    rows = [{"round": p.round, "what": f"the {about}", "value": p.observed} for p in one.course]
    rows += [
        {"round": p.round, "what": "its bound", "value": p.bound} for p in one.course if p.bound is not None
    ]
    return lines_chart(rows, "what", "value", about)


def losses_chart(played: Sequence[Played], hindsight: Sequence[Hindsight]) -> Any:
    """The mean loss so far, of every rule and every comparator."""
    everyone = [(one.name, one.losses) for one in played] + [(h.name, h.losses) for h in hindsight]
    means = [(name, _mean_so_far(lost)) for name, lost in everyone]
    return lines_chart(_points(means), "who", "value", "mean loss so far")


def _mean_so_far(losses: Floats) -> Floats:
    """Over the rounds that have a loss; NaN, which is not drawn, before the first of them."""
    awake = np.cumsum(~np.isnan(losses))
    return np.where(awake > 0, np.nancumsum(losses) / np.maximum(awake, 1), np.nan)


def regret_chart(played: Sequence[Played], hindsight: Sequence[Hindsight]) -> Any:
    """The loss of every rule, less that of the best expert."""
    best = _best_expert(hindsight)
    curves = [(one.name, regret_curve(one.losses, best)) for one in played]
    return above_zero(lines_chart(_points(curves), "who", "value", "regret so far"))


def _points(curves: Sequence[tuple[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"round": t + 1, "who": name, "value": float(curve[t])}
        for name, curve in curves
        for t in thinned(len(curve))
        if not np.isnan(curve[t])
    ]


def _best_expert(hindsight: Sequence[Hindsight]) -> Hindsight:
    return next(one for one in hindsight if one.name == "best expert")
