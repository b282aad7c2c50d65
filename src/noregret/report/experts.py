"""The report of `noregret experts`: weights stacked, regret under its bound, losses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from noregret.certificate import shown
from noregret.experts.played import Played
from noregret.hindsight_experts import Hindsight
from noregret.report.figures import lines_chart, thinned
from noregret.report.page import Page, altair
from noregret.rounds import Floats

STACKED = 12  # experts with a colour of their own; the others are drawn together


def experts_page(
    title: str,
    names: Sequence[str],
    axis: Sequence[str],
    played: Sequence[Played],
    hindsight: Sequence[Hindsight],
) -> Page:
    """Make the page."""
    page = Page(f"Experts: {title}")
    page.say(f"{len(axis):,} rows, from {axis[0]} to {axis[-1]}; {len(names):,} experts.")
    rows = [[one.name, shown(float(one.losses.mean()))] for one in played]
    rows += [[f"{row.name} (hindsight)", shown(row.loss / len(axis))] for row in hindsight]
    page.table(["rule", "mean loss"], rows)
    for one in played:
        if one.weights is not None:
            page.heading(f"Weights of {one.name}")
            page.chart(weights_chart(one.weights, names))
        if one.course:
            page.heading(f"{one.name} and its bound")
            if one.course[-1].bound is None:
                page.say("The theorem is silent about this run; the certificate says why.")
            page.chart(course_chart(one))
    page.heading("Losses")
    page.chart(losses_chart(played, hindsight))
    return page


def weights_chart(weights: Floats, names: Sequence[str]) -> Any:
    """Stacked areas; beyond twelve experts, the smallest are drawn as one."""
    alt = altair()
    order = np.argsort(-weights.mean(axis=0))[:STACKED]
    rows = []
    for t in thinned(len(weights)):
        rows += [{"round": t + 1, "expert": names[i], "weight": float(weights[t, i])} for i in order]
        if len(names) > STACKED:
            rest = float(weights[t].sum() - weights[t, order].sum())
            rows.append({"round": t + 1, "expert": "all others", "weight": rest})
    chart = alt.Chart(alt.Data(values=rows)).mark_area()
    return chart.encode(
        x=alt.X("round:Q"),
        y=alt.Y("weight:Q", stack="zero"),
        color=alt.Color("expert:N", legend=alt.Legend(orient="top", columns=4, title=None)),
        tooltip=["round:Q", "expert:N", "weight:Q"],
    ).properties(height=240)


def course_chart(one: Played) -> Any:
    """What the theorem bounds, and the bound, round by round."""
    rows = [{"round": p.round, "what": "observed", "value": p.observed} for p in one.course]
    rows += [{"round": p.round, "what": "bound", "value": p.bound} for p in one.course if p.bound is not None]
    return lines_chart(rows, "what", "value")


def losses_chart(played: Sequence[Played], hindsight: Sequence[Hindsight]) -> Any:
    """The mean loss so far, of every rule and every comparator."""
    rows = []
    for name, losses in [(one.name, one.losses) for one in played] + [(h.name, h.losses) for h in hindsight]:
        means = np.cumsum(losses) / np.arange(1, len(losses) + 1)
        rows += [
            {"round": t + 1, "who": name, "mean loss so far": float(means[t])} for t in thinned(len(means))
        ]
    return lines_chart(rows, "who", "mean loss so far")
