"""What all pictures have in common: the axis of rounds, lines, stacked areas, the legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from noregret.certificate import HUGE
from noregret.report.page import altair
from noregret.rounds import Floats

POINTS = 300  # of a curve
STACKED = 8  # weights with a colour of their own; the others are drawn together
OTHERS = "all others"
GREY = "#888888"  # of the line at 0


def thinned(count: int) -> list[int]:
    """At most so many places, the first and the last among them."""
    return sorted({round(k) for k in np.linspace(0, count - 1, min(count, POINTS))})


def lines_chart(rows: list[dict[str, Any]], who: str, value: str, title: str | None = None) -> Any:
    """Lines by round, one for each `who`; a point that is not finite is left out, and the axis says so."""
    alt = altair()
    drawn = [row for row in rows if math.isfinite(row[value])]
    note = "" if len(drawn) == len(rows) else " (too large a number is left out)"
    chart = alt.Chart(alt.Data(values=drawn)).mark_line(strokeWidth=2)
    return chart.encode(
        x=rounds_axis(),
        y=alt.Y(f"{value}:Q", title=f"{title or value}{note}", axis=amounts()),
        color=alt.Color(f"{who}:N", legend=legend(), sort=None),
        tooltip=[
            alt.Tooltip("round:Q", format=",d"),
            f"{who}:N",
            alt.Tooltip(f"{value}:Q", format=",.6~g"),
        ],
    ).properties(height=240)


def stacked_chart(rounds: Sequence[int], table: Floats, names: Sequence[str], counted: str = "round") -> Any:
    """Weights over time, stacked; beyond the largest few, the others are drawn as one."""
    alt = altair()
    order = np.argsort(-table.mean(axis=0), kind="stable")[:STACKED]
    rows = []
    for k in thinned(len(rounds)):
        t = rounds[k]
        rows += [{"round": t, "who": names[i], "weight": float(table[k, i])} for i in order]
        if len(names) > STACKED:
            rest = max(0.0, float(table[k].sum() - table[k, order].sum()))
            rows.append({"round": t, "who": OTHERS, "weight": rest})
    told = [names[i] for i in order] + ([OTHERS] if len(names) > STACKED else [])
    chart = alt.Chart(alt.Data(values=rows)).mark_area(interpolate="step-after")
    return chart.encode(
        x=rounds_axis(counted),
        y=alt.Y("weight:Q", stack="zero", scale=alt.Scale(nice=False)),
        color=alt.Color("who:N", legend=legend(), sort=told),
        tooltip=[alt.Tooltip("round:Q", format=",d"), "who:N", alt.Tooltip("weight:Q", format=".4~f")],
    ).properties(height=260)


def above_zero(lines: Any) -> Any:
    """Lines that may go below 0, with a line there."""
    alt = altair()
    zero = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=GREY).encode(y="zero:Q")
    return (lines + zero).properties(height=200)


def rounds_axis(counted: str = "round") -> Any:
    """To the last round, and no further; `counted` says what is counted."""
    alt = altair()
    axis = alt.Axis(format="~s", tickMinStep=1, tickCount=6, labelFlush=True)
    return alt.X("round:Q", title=counted, scale=alt.Scale(nice=False), axis=axis)


def amounts(**more: Any) -> Any:
    """An axis whose large numbers are short: 60M, 2e+150."""
    short = (
        f"abs(datum.value) >= {HUGE:g} ? format(datum.value, '.2~g') : "
        "abs(datum.value) >= 1000 ? format(datum.value, '~s') : datum.label"
    )
    return altair().Axis(labelExpr=short, **more)


def legend() -> Any:
    """Above the chart, in as many columns as there is room for."""
    alt = altair()
    columns = alt.ExprRef("width < 520 ? 1 : width < 800 ? 2 : 3")
    room = alt.ExprRef("width < 520 ? max(width - 30, 120) : 330")
    return alt.Legend(orient="top", direction="horizontal", columns=columns, title=None, labelLimit=room)
