"""The theorems of second-order learners with a full covariance: one small function each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .linear_runs import LinearRun
from .loss_theorems import doubt
from .rounds import Refused
from .shortfalls import positive, shortfalls

EPSILON = 2.0**-52
ROUNDING = 1e-8
Rows = Sequence[Sequence[tuple[Any, float]]]


def log_determinant(rows: Rows, features: int, ridge: float, rounds: int) -> tuple[float, float]:
    """Give ln det(I + Σxxᵀ/a), and how far from it the writer may be, or this.

    The writer takes it from the factors of the learner, which every round of the run has rounded.
    """
    width = min(len(rows), features)
    trace = math.fsum(value * value for row in rows for _, value in row)
    writer = 16.0 * EPSILON * features * (rounds + 8.0)
    if width == 0 or trace == 0.0:
        return 0.0, writer
    matrix = _by_rows(rows) if len(rows) < features else _by_features(rows)
    exact = _log_determinant(matrix, ridge)
    error = 2.0 * width * (max(len(rows), features) + 16.0 * width) * EPSILON
    raised = trace / ridge * error if trace <= ridge else _log_determinant(matrix, ridge, error) - exact
    return exact, raised + writer + ROUNDING * exact


def up_to_trace(rows: Rows, ridge: float, determinant: tuple[float, float]) -> tuple[float, float]:
    """The same where the writer tells no more than the trace of X/a."""
    exact, slack = determinant
    trace = math.fsum(value * value for row in rows for _, value in row) / ridge
    return exact, min(slack, max(trace - exact, 0.0) + ROUNDING * exact)


def _by_rows(rows: Rows) -> list[list[float]]:
    """⟨x, z⟩ for every row and the rows before it."""
    tables = [dict(row) for row in rows]
    return [
        [math.fsum(value * other.get(f, 0.0) for f, value in row) for other in tables[: k + 1]]
        for k, row in enumerate(rows)
    ]


def _by_features(rows: Rows) -> list[list[float]]:
    """Σxxᵀ, below the diagonal and on it."""
    places: dict[Any, int] = {}
    for row in rows:
        for feature, _ in row:
            places.setdefault(feature, len(places))
    matrix = [[0.0] * (k + 1) for k in range(len(places))]
    for row in rows:
        for f, one in row:
            for g, other in row:
                if places[g] <= places[f]:
                    matrix[places[f]][places[g]] += one * other
    return matrix


def _log_determinant(matrix: list[list[float]], ridge: float, share: float = 0.0) -> float:
    """Cholesky's triangle of I + X/a has the root of the determinant on its diagonal.

    The diagonal of I + X/a is first raised by a share of itself.
    """
    triangle: list[list[float]] = []
    total = 0.0
    for k, given in enumerate(matrix):
        row: list[float] = []
        for j in range(k):
            inner = sum(a * b for a, b in zip(row, triangle[j], strict=False))
            row.append((given[j] / ridge - inner) / triangle[j][j])
        beyond = max(0.0, given[k] / ridge - sum(a * a for a in row))  # never less, but for rounding
        beyond += share * (1.0 + given[k] / ridge)
        row.append(math.sqrt(1.0 + beyond))
        triangle.append(row)
        total += math.log1p(beyond)  # what is far below 1 is lost in the sum with it
    return total


def _least_squares(run: LinearRun, claim: Claim, taught: list[bool]) -> Found:
    """M ≤ (√(a‖u‖² + uᵀXu)·√(ln det(I + X/a) + U) + Σ max(0, γ − y⟨u,x⟩))/γ − U for any γ."""
    twin: Any = run.twin
    u = claim.direction()
    met = [*run.plain[:2], twin.covariance == "full", any(u.values()) or run.mistakes == 0]
    if not all(met):
        return Found(run.mistakes, None, met, {})
    rows = [row for row, one in zip(run.rows, taught, strict=True) if one]
    spare = sum(one and not wrong for one, wrong in zip(taught, run.mistaken, strict=True))
    found = log_determinant(rows, run.width, twin.ridge, len(run.rows))
    logarithm, slack = up_to_trace(rows, twin.ridge, found)
    margins = [float(margin) for margin in run.margins(u)]
    chosen = [margin for margin, one in zip(margins, taught, strict=True) if one]
    short = shortfalls(run.margins(u), positive(claim, "gamma"), run.fuzz(u))
    length = exact.square(u.values())
    square = twin.ridge * float(length) + math.fsum(margin * margin for margin in chosen)
    gamma, lack = float(short.gamma), float(short.linear)

    def bound(logarithm: float, lack: float) -> float:
        return (math.sqrt(square * (max(logarithm, 0.0) + spare)) + lack) / gamma - spare

    inside = [m for m in (y * s for s, y in zip(run.scores, run.labels, strict=True)) if 0.0 < m < 1.0]
    grown = math.fsum(m * (2.0 - m) for m in inside) if spare else 0.0
    strong = _least(chosen, math.sqrt(square * (logarithm + slack + grown))) - spare
    reached = strong + 1e-12 * (run.mistakes + spare)  # doubles lose that much of a sum which is just M
    least, most = bound(logarithm - slack, lack), bound(logarithm + slack, lack + float(short.more_linear))
    quantities: dict[str, Number] = {
        "log_det": logarithm,
        "norm_u": exact.root_above(length),
        "U": spare,
        "gamma": short.gamma,
    }
    over = most - least + ROUNDING * (most + spare)
    if run.mistakes > reached:
        least = min(least, strong)
    return Found(run.mistakes, least, met, quantities, {"log_det": slack}, near=ROUNDING, over=over)


def _least(margins: list[float], reach: float) -> float:
    """The least (reach + Σ max(0, γ − m))/γ over the margins and more."""
    ordered = sorted(margins)
    scale = max(map(abs, ordered), default=0.0) or 1.0
    sums = 0.0
    best = math.inf
    for count, margin in enumerate(ordered):
        if margin > 0.0:
            best = min(best, (reach + max(0.0, margin * count - sums)) / margin)
        sums += margin
    for gamma in (scale * factor for factor in (1.0, 1e1, 1e2, 1e3)):
        best = min(best, (reach + math.fsum(max(0.0, gamma - margin) for margin in ordered)) / gamma)
    return best


def second_order_perceptron(run: LinearRun, claim: Claim) -> Found:
    """Only mistakes teach."""
    return _least_squares(run, claim, run.mistaken)


def arow(run: LinearRun, claim: Claim) -> Found:
    """Margins below 1 teach."""
    return _least_squares(run, claim, [y * s < 1.0 for s, y in zip(run.scores, run.labels, strict=True)])


def online_newton(run: LinearRun, claim: Claim) -> Found:
    """L ≤ L(u) + (a/2)‖u‖² + (1/2σ)·ln det(I + (σ/a)Σggᵀ) for u with |⟨u,x⟩| ≤ C in every round."""
    twin: Any = run.twin
    observed = run.by_importance(map(twin.loss_of, run.scores, run.labels))
    met = [*run.plain[:2], twin.covariance == "full"]
    if not all(met):
        return Found(observed, None, met, {}, near=ROUNDING)
    limit, ridge = twin.limit, twin.ridge
    sigma = 1.0 / (2.0 * (1.0 + limit) * max(1.0 + limit, 2.0 * limit))
    steps = [
        2.0 * math.sqrt(sigma) * max(0.0, 1.0 - y * min(max(s, -limit), limit))
        for s, y in zip(run.scores, run.labels, strict=True)
    ]
    pulls = [[(f, step * value) for f, value in row] for row, step in zip(run.rows, steps, strict=True)]
    logarithm, slack = log_determinant(pulls, run.width, ridge, len(run.rows))
    u = claim.direction()
    margins = [float(margin) for margin in run.margins(u)]
    farthest, fuzz = max(map(abs, margins), default=0.0), float(run.fuzz(u))
    if farthest > limit * (1.0 + 1e-9) + fuzz:
        raise Refused(f"{claim.theorem}: the witness scores {farthest:.10g}, and C is {limit:g}")
    losses = math.fsum(max(0.0, 1.0 - margin) ** 2 for margin in margins)
    length = float(exact.square(u.values()))
    bound = losses + 0.5 * ridge * length + max(logarithm - slack, 0.0) / (2.0 * sigma)
    quantities: dict[str, Number] = {"log_det": logarithm, "norm_u": math.sqrt(length)}
    over = slack / sigma + doubt("squared-hinge", margins, fuzz)
    return Found(observed, bound, met, quantities, {"log_det": slack}, near=ROUNDING, over=over)


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Cesa-Bianchi–Conconi–Gentile": second_order_perceptron,
    "Crammer–Kulesza–Dredze": arow,
    "Hazan–Agarwal–Kale": online_newton,
}
