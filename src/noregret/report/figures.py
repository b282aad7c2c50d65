"""The pictures of a run, as Altair charts; a report shows them, `.save` writes them as SVG or PNG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from noregret.certificate import Certificate, Verdict, counted, shown
from noregret.errors import BadInput
from noregret.judging.certify import certify
from noregret.ledger import Ledger
from noregret.regret.over_rounds import Regret, regrets
from noregret.report.charts import GREY, above_zero, amounts, legend, lines_chart, stacked_chart, thinned
from noregret.report.page import altair, stacked
from noregret.report.words import at_most
from noregret.rounds import Floats

BARS = 20  # weights that are shown
FAR = 10.0  # a bound so many times the mistakes would flatten them, and is told instead
BINS = 60  # of scores, about
TAIL = 0.03  # of the scores on either side, drawn as one bar
SIDES = ("−1", "+1")  # the labels, where the data have no words for them
EFFECTS = {  # what a weight above 0 does, and another
    "multiclass": ("for the class", "against the class"),
    "regression": ("raises the number", "lowers the number"),
}
RED = "#d9534f"  # of a bound


def plot(ledger: Ledger, certificates: Sequence[Certificate] | None = None) -> Any:
    """Draw a run: its mistakes under the smallest bound that holds; below, its regret, where it is known.

    >>> import noregret as nr
    >>> chart = nr.plot(nr.play(nr.standard_basis(100), nr.Perceptron()))
    >>> chart.to_dict()["title"]
    'perceptron: 100 mistakes in 100 rounds, 100 at most (Novikoff)'
    """
    told = certify(ledger) if certificates is None else certificates
    best = tightest(told)
    title = repr(ledger).removeprefix("<Ledger ").removesuffix(">")
    if best is not None:
        title += f", {shown(at_most(best))} at most ({best.theorem})"
    charts = [progress_chart([(ledger.learner, ledger)], best)]
    with suppress(BadInput):  # of a run that cannot be read again
        charts += [chart.properties(title=name) for name, chart in regret_charts(regrets(ledger))]
    return stacked(charts).properties(title=title)


def tightest(certificates: Sequence[Certificate]) -> Certificate | None:
    """The smallest bound on mistakes that was met, if there is one."""
    holding = [c for c in certificates if c.about == "mistakes" and c.verdict is not Verdict.SILENT]
    return min(holding, key=lambda c: c.bound or 0.0, default=None)


def progress_chart(runs: Sequence[tuple[str, Ledger]], bound: Certificate | None = None) -> Any:
    """Mistakes so far, by round, under a bound that is not too far above; of numbers, the loss so far."""
    numbers = runs[0][1].task == "regression"
    value = "loss" if numbers else "mistakes"
    rows = [
        {"round": point[0], "learner": name, value: point[2] if numbers else point[1]}
        for name, ledger in runs
        for point in (ledger.curve[k] for k in thinned(len(ledger.curve)))
    ]
    lines = lines_chart(rows, "learner", value, f"{value} so far")
    most = max(ledger.mistakes for _, ledger in runs)
    if bound is None or bound.bound is None or bound.bound > FAR * max(most, 1):
        return lines
    return (lines + _ceiling(bound)).properties(height=260)


def _ceiling(bound: Certificate) -> Any:
    """A dashed line with its name below it, where the curve is still far down."""
    alt = altair()
    words = f"at most {counted(at_most(bound) or 0.0, 'mistake')} ({bound.theorem})"
    base = alt.Chart(alt.Data(values=[{"bound": bound.bound, "what": words}]))
    line = base.mark_rule(strokeDash=[6, 4], strokeWidth=1.5, color=RED).encode(y="bound:Q")
    text = base.mark_text(align="left", baseline="top", dx=6, dy=5, x=0, fontSize=13, color=RED)
    return line + text.encode(y="bound:Q", text="what:N")


def regret_charts(found: Sequence[Regret]) -> list[tuple[str, Any]]:
    """The regret in mistakes, and in the learner's own loss where that can be compared; each with a title."""
    charts = []
    if found[0].task != "regression":
        lines = [(one.against, [(p.round, float(p.mistakes)) for p in one.points]) for one in found]
        charts.append(("Regret in mistakes", _regret_chart(lines)))
    priced = [one for one in found if one.priced is not None]
    if priced:
        lines = [(one.against, [(p.round, p.loss) for p in one.points]) for one in priced]
        charts.append((f"Regret in {priced[0].priced}", _regret_chart(lines)))
    return charts


def _regret_chart(lines: Sequence[tuple[str, list[tuple[int, float]]]]) -> Any:
    rows = [
        {"round": t, "against": f"against {against}", "regret": value}
        for against, points in lines
        for t, value in (points[k] for k in thinned(len(points)))
    ]
    return above_zero(lines_chart(rows, "against", "regret", "regret so far"))


def potential_chart(ledger: Ledger, quantities: Mapping[str, float], rate: float) -> Any:
    """Φ = ‖w‖²/η² between its two bounds: at least (Mγ/‖u‖)², at most M·R². They close on M together."""
    length = quantities["norm_u"]  # 0 where no round had a label
    reach, margin = quantities["R"] ** 2, (quantities["gamma"] / length) ** 2 if length else 0.0
    rows: list[dict[str, Any]] = []
    curve, potentials = ledger.curve, ledger.potentials
    for k in thinned(len(curve)):
        t, m = curve[k][0], curve[k][1]
        for what, value in (
            ("the most it can be: M·R²", m * reach),
            ("the potential: Φ = ‖w‖²/η²", potentials[k][1] / rate**2),
            ("the least it can be: (Mγ/‖u‖)²", m * m * margin),
        ):
            rows.append({"round": t, "what": what, "potential": value})
    return lines_chart(rows, "what", "potential")


def scores_chart(ledger: Ledger, root: bool = False, sides: tuple[str, str] = SIDES) -> Any:
    """How scores lie for either label: the further apart, the surer the learner."""
    alt = altair()
    bins = ledger.scores
    values = np.array([b[0] for b in bins])
    counts = np.array([[b[1], b[2]] for b in bins], dtype=np.float64)
    edges = _edges(*_middle(values, counts.sum(axis=1)))
    last = len(edges) - 2
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, last)
    rows = []
    for column, label in enumerate(f"label {side}" for side in sides):
        sums = np.bincount(place, weights=counts[:, column], minlength=last + 1)
        rows += [
            {"from": float(edges[k]), "to": float(edges[k + 1]), "label": label, "rounds": float(sums[k])}
            for k in range(last + 1)
            if sums[k]
        ]
    beyond = values[0] < edges[0] or values[-1] > edges[-1]
    along = alt.X(
        "from:Q",
        title="score (the last bars hold what lies beyond)" if beyond else "score",
        bin="binned",
        scale=alt.Scale(nice=False),
        axis=alt.Axis(tickCount=alt.ExprRef("width < 520 ? 4 : 8"), labelFlush=True),
    )
    counts_title = "rounds (square-root scale)" if root else "rounds"
    bars = alt.Chart(alt.Data(values=rows)).mark_bar(opacity=0.6)
    bars = bars.encode(
        x=along,
        x2="to:Q",
        y=alt.Y(
            "rounds:Q",
            stack=None,
            axis=amounts(),
            scale=alt.Scale(type="sqrt" if root else "linear"),
            title=counts_title,
        ),
        color=alt.Color("label:N", legend=legend(), sort=[f"label {side}" for side in sides]),
        tooltip=["from:Q", "to:Q", "label:N", "rounds:Q"],
    )
    middle = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(strokeDash=[4, 3], color=GREY)
    return (bars + middle.encode(x="zero:Q")).properties(height=220)


def weights_chart(
    weights: Mapping[Any, float], start: float, task: str = "binary", sides: tuple[str, str] = SIDES
) -> Any:
    """The weights furthest from where they started, by name; with several classes by class and name."""
    alt = altair()
    effects = EFFECTS.get(task, (f"for {sides[1]}", f"for {sides[0]}"))
    largest = sorted(weights.items(), key=lambda pair: (-abs(pair[1] - start), str(pair[0])))[:BARS]
    rows = [{"feature": str(name), "weight": w, "side": effects[int(w <= 0)]} for name, w in largest]
    title = "class, feature" if task == "multiclass" else None
    names = alt.Axis(labelLimit=alt.ExprRef("width < 400 ? 110 : 260"), labelFontSize=12)
    return (
        alt.Chart(alt.Data(values=rows))
        .mark_bar()
        .encode(
            x=alt.X("weight:Q", axis=amounts(tickCount=8)),
            y=alt.Y("feature:N", sort=[str(name) for name, _ in largest], title=title, axis=names),
            color=alt.Color("side:N", legend=legend()),
            tooltip=["feature:N", "weight:Q"],
        )
        .properties(height=18 * len(rows))
    )


def course_chart(points: Sequence[tuple[int, list[float]]], names: Sequence[str]) -> Any:
    """The weights of a panel's members over time; they change where there is a label."""
    table = np.array([weights for _, weights in points])
    return stacked_chart([t for t, _ in points], table, names, "round with a label")


def _edges(low: float, high: float) -> Floats:
    """Edges of bars of a round width, 0 among them."""
    least = (high - low) / BINS
    power = 10.0 ** np.floor(np.log10(least))
    width = next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least * (1.0 - 1e-9))
    return np.asarray(np.arange(np.floor(low / width), np.ceil(high / width) + 1.0) * width)


def _middle(values: Any, counts: Any) -> tuple[float, float]:
    """Where all but the tails lie, and 0."""
    share = np.cumsum(counts) / counts.sum()
    low = float(values[np.searchsorted(share, TAIL)])
    high = float(values[min(np.searchsorted(share, 1.0 - TAIL), len(values) - 1)])
    low, high = min(low, 0.0), max(high, 0.0)
    return (low, high) if high > low else (low - 1.0, high + 1.0)
