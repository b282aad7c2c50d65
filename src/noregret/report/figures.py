"""The pictures of a run, as Altair charts; a report shows them, `.save` writes them as SVG or PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from noregret.certificate import Certificate, Verdict, shown
from noregret.certification import certify
from noregret.ledger import Ledger
from noregret.report.page import altair

POINTS = 300  # of a curve
BARS = 20  # weights that are shown
FAR = 20.0  # a bound so many times the mistakes would flatten them, and is told instead
BINS = 60
STACKED = 8  # members with a colour of their own


def plot(ledger: Ledger, certificates: Sequence[Certificate] | None = None) -> Any:
    """Draw a run: its mistakes, and above them the smallest bound that holds.

    >>> import noregret as nr
    >>> chart = nr.plot(nr.play(nr.standard_basis(100), nr.Perceptron()))
    >>> chart.to_dict()["title"]
    'perceptron: 100 mistakes in 100 rounds, 100 at most (Novikoff)'
    """
    told = certify(ledger) if certificates is None else certificates
    rows = mistakes(ledger.learner, ledger)
    best = tightest(told)
    title = f"{ledger.learner}: {ledger.mistakes:,} mistakes in {ledger.rounds:,} rounds"
    if best is not None:
        title += f", {shown(best.bound)} at most ({best.theorem})"
    return mistakes_chart(rows, best, ledger.mistakes).properties(title=title, width=640)


def tightest(certificates: Sequence[Certificate]) -> Certificate | None:
    """The smallest bound on mistakes that was met, if there is one."""
    holding = [c for c in certificates if c.about == "mistakes" and c.verdict is not Verdict.SILENT]
    return min(holding, key=lambda c: c.bound or 0.0, default=None)


def mistakes(name: str, ledger: Ledger) -> list[dict[str, Any]]:
    """The curve of mistakes, thinned out."""
    curve = ledger.curve
    return [{"round": curve[k][0], "learner": name, "mistakes": curve[k][1]} for k in thinned(len(curve))]


def mistakes_chart(rows: list[dict[str, Any]], bound: Certificate | None, most: int) -> Any:
    """Mistakes so far, by round; the bound is a dashed line where it is not too far above."""
    alt = altair()
    lines = _lines(alt, rows, "learner", "mistakes", "mistakes so far")
    if bound is None or bound.bound is None or bound.bound > FAR * max(most, 1):
        return lines
    mark = [{"bound": bound.bound, "what": f"at most {shown(bound.bound)}: {bound.theorem}"}]
    base = alt.Chart(alt.Data(values=mark))
    rule = base.mark_rule(strokeDash=[6, 4], color="#e74c3c").encode(y="bound:Q")
    label = base.mark_text(align="left", dx=4, dy=-6, x=0, color="#e74c3c").encode(y="bound:Q", text="what:N")
    return (lines + rule + label).properties(height=260)


def potential_chart(ledger: Ledger, quantities: Mapping[str, float], rate: float) -> Any:
    """Φ = ‖w‖²/η² between its two bounds: at least (Mγ/‖u‖)², at most M·R². They close on M together."""
    alt = altair()
    reach, margin = quantities["R"] ** 2, (quantities["gamma"] / quantities["norm_u"]) ** 2
    rows: list[dict[str, Any]] = []
    curve, potentials = ledger.curve, ledger.potentials
    for k in thinned(len(curve)):
        t, m = curve[k][0], curve[k][1]
        for what, value in (
            ("M·R², the most it can be", m * reach),
            ("Φ = ‖w‖²/η²", potentials[k][1] / rate**2),
            ("(Mγ/‖u‖)², the least it can be", m * m * margin),
        ):
            rows.append({"round": t, "what": what, "value": value})
    return _lines(alt, rows, "what", "value", "potential")


def scores_chart(ledger: Ledger) -> Any:
    """How scores lie for either label: the further apart, the surer the learner."""
    alt = altair()
    bins = ledger.scores
    values = np.array([b[0] for b in bins])
    counts = np.array([[b[1], b[2]] for b in bins], dtype=np.float64)
    low, high = _middle(values, counts.sum(axis=1))
    edges = np.linspace(low, high, BINS + 1)
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, BINS - 1)
    rows = []
    for column, label in enumerate(("label −1", "label +1")):
        sums = np.bincount(place, weights=counts[:, column], minlength=BINS)
        rows += [
            {"from": float(edges[k]), "to": float(edges[k + 1]), "label": label, "rounds": float(sums[k])}
            for k in range(BINS)
            if sums[k]
        ]
    chart = alt.Chart(alt.Data(values=rows)).mark_bar(opacity=0.6)
    return chart.encode(
        x=alt.X("from:Q", title="score (what lies beyond is in the last bars)", bin="binned"),
        x2="to:Q",
        y=alt.Y("rounds:Q", stack=None),
        color=alt.Color("label:N", legend=_legend(alt)),
        tooltip=["from:Q", "to:Q", "label:N", "rounds:Q"],
    ).properties(height=220)


def weights_chart(weights: Mapping[Any, float], start: float) -> Any:
    """The weights furthest from where they started, by name."""
    alt = altair()
    largest = sorted(weights.items(), key=lambda pair: (-abs(pair[1] - start), str(pair[0])))[:BARS]
    rows = [
        {"feature": str(name), "weight": w, "side": "for +1" if w > 0 else "for −1"} for name, w in largest
    ]
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_bar()
        .encode(
            x=alt.X("weight:Q"),
            y=alt.Y("feature:N", sort=[str(name) for name, _ in largest], title=None),
            color=alt.Color("side:N", legend=_legend(alt)),
            tooltip=["feature:N", "weight:Q"],
        )
        .properties(height=18 * len(rows))
    )


def course_chart(points: Sequence[tuple[int, list[float]]], names: Sequence[str]) -> Any:
    """Weights over time, stacked; beyond the largest few, the others are drawn as one."""
    alt = altair()
    table = np.array([weights for _, weights in points])
    order = np.argsort(-table.mean(axis=0))[:STACKED]
    rows = []
    for k in thinned(len(points)):
        t = points[k][0]
        rows += [{"round": t, "who": names[i], "weight": float(table[k, i])} for i in order]
        if len(names) > STACKED:
            rest = max(0.0, float(table[k].sum() - table[k, order].sum()))
            rows.append({"round": t, "who": "all others", "weight": rest})
    chart = alt.Chart(alt.Data(values=rows)).mark_area()
    return chart.encode(
        x=alt.X("round:Q"),
        y=alt.Y("weight:Q", stack="zero"),
        color=alt.Color("who:N", legend=_legend(alt)),
        tooltip=["round:Q", "who:N", "weight:Q"],
    ).properties(height=260)


def lines_chart(rows: list[dict[str, Any]], who: str, value: str) -> Any:
    """Lines by round, one for each `who`."""
    return _lines(altair(), rows, who, value, value)


def thinned(count: int) -> list[int]:
    """At most so many places, the first and the last among them."""
    return sorted({round(k) for k in np.linspace(0, count - 1, min(count, POINTS))})


def _middle(values: Any, counts: Any) -> tuple[float, float]:
    """Where all but the outermost hundredths lie, and 0."""
    share = np.cumsum(counts) / counts.sum()
    low = float(values[np.searchsorted(share, 0.01)])
    high = float(values[min(np.searchsorted(share, 0.99), len(values) - 1)])
    low, high = min(low, 0.0), max(high, 0.0)
    return (low, high) if high > low else (low - 1.0, high + 1.0)


def _lines(alt: Any, rows: list[dict[str, Any]], who: str, value: str, title: str) -> Any:
    chart = alt.Chart(alt.Data(values=rows)).mark_line()
    return chart.encode(
        x=alt.X("round:Q"),
        y=alt.Y(f"{value}:Q", title=title),
        color=alt.Color(f"{who}:N", legend=_legend(alt)),
        tooltip=["round:Q", f"{who}:N", f"{value}:Q"],
    ).properties(height=240)


def _legend(alt: Any) -> Any:
    """Above the chart and in columns, so that it fits a phone."""
    return alt.Legend(orient="top", direction="vertical", title=None, labelLimit=300)
