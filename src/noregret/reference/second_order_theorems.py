"""The theorems of second-order learners with a full covariance: one small function each."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from . import exact
from .claims import Claim, Found, Number
from .linear_runs import LinearRun
from .loss_theorems import at_length

WIDEST = 600  # beyond, the mean eigenvalue has to do
EPSILON = 2.0**-52
ROUNDING = 1e-8
Rows = Sequence[Sequence[tuple[Any, float]]]


def log_determinant(rows: Rows, features: int, ridge: float, widest: int = WIDEST) -> tuple[float, float]:
    """Give ln det(I + Σxxᵀ/a), and by how much more than that the writer may have said.

    The writer adds to every eigenvalue what rounding may have taken from it: where the trace is more than a,
    to those of the matrix scaled to have ones on its diagonal.
    """
    width = min(len(rows), features)
    trace = math.fsum(value * value for row in rows for _, value in row)
    if width == 0 or trace == 0.0:
        return 0.0, 0.0
    if width > widest:
        most = width * math.log1p(trace / (width * ridge))
        return most, most * ROUNDING
    matrix = _by_rows(rows) if len(rows) < features else _by_features(rows)
    error = 2.0 * width * (max(len(rows), features) + 16.0 * width) * EPSILON
    exact = _log_determinant(matrix, ridge)
    if trace <= ridge:
        return exact, error * trace / ridge
    return exact, _log_determinant(matrix, ridge, error) - exact + 1e-11 * (exact + width)


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
    """M ≤ √(a‖u‖² + uᵀXu)·√(ln det(I + X/a) + U) + Σ max(0, 1 − y⟨u,x⟩) − U, u in its best length."""
    twin: Any = run.twin
    u = claim.direction()
    met = [*run.plain[:2], twin.covariance == "full", any(u.values()) or run.mistakes == 0]
    if not all(met):
        return Found(run.mistakes, None, met, {})
    rows = [row for row, one in zip(run.rows, taught, strict=True) if one]
    spare = sum(one and not wrong for one, wrong in zip(taught, run.mistaken, strict=True))
    logarithm, slack = log_determinant(rows, run.width, twin.ridge)
    margins = [float(margin) for margin in run.margins(u)]
    chosen = [margin for margin, one in zip(margins, taught, strict=True) if one]
    length = exact.square(u.values())
    square = twin.ridge * float(length) + math.fsum(margin * margin for margin in chosen)
    inside = [m for m in (y * s for s, y in zip(run.scores, run.labels, strict=True)) if 0.0 < m < 1.0]
    grown = math.fsum(m * (2.0 - m) for m in inside) if spare else 0.0

    def proved(log_det: float) -> float:
        bound = _least(margins, math.sqrt(square * (log_det + spare))) - spare
        strong = _least(chosen, math.sqrt(square * (log_det + grown))) - spare
        reached = strong + 1e-12 * (run.mistakes + spare)  # doubles lose that much of a sum which is just M
        return bound if run.mistakes <= reached else min(bound, strong)

    told = proved(logarithm)
    quantities: dict[str, Number] = {
        "log_det": logarithm,
        "norm_u": exact.root_above(length),
        "U": spare,
    }
    near = ROUNDING * (1.0 + spare / max(abs(told), 1e-300))
    over = max(0.0, proved(logarithm + slack) - told)
    return Found(run.mistakes, told, met, quantities, {"log_det": slack}, near=min(near, 1e-4), over=over)


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
    logarithm, slack = log_determinant(pulls, run.width, ridge)
    most = float(max(map(abs, run.margins(claim.direction())), default=Fraction(0)))
    longest = limit / most if most > 1e-300 else 0.0
    u = at_length(claim, [share / 40.0 * longest for share in range(41)])
    losses = math.fsum(max(0.0, 1.0 - float(margin)) ** 2 for margin in run.margins(u))
    length = float(exact.square(u.values()))
    bound = losses + 0.5 * ridge * length + logarithm / (2.0 * sigma)
    quantities: dict[str, Number] = {"log_det": logarithm, "norm_u": math.sqrt(length)}
    # The writer rounds the largest |⟨u,x⟩| up, and u is that much shorter.
    share = min(float(run.fuzz(claim.direction())) / max(most, 1e-300), 1e-4)
    allowed: dict[str, Number] = {"log_det": slack, "norm_u": math.sqrt(length) * share}
    return Found(observed, bound, met, quantities, allowed, near=ROUNDING, over=slack / (2.0 * sigma))


THEOREMS: dict[str, Callable[[LinearRun, Claim], Found]] = {
    "Cesa-Bianchi–Conconi–Gentile": second_order_perceptron,
    "Crammer–Kulesza–Dredze": arow,
    "Hazan–Agarwal–Kale": online_newton,
}
