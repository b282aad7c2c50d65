"""Directions with large margins: solutions of support vector machines, found by dual coordinate descent."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from noregret import _core
from noregret.judging.finder import Finder
from noregret.rounds import Floats
from noregret.sample import Cells, select

EPOCHS = 30  # over the sample, in one solve
HARD_EPOCHS = 400  # in the search for the largest margin,
HARD_STEP = 50  # epochs between two counts of the rows on the wrong side
HOPELESS = 0.005  # with a larger share of them the search ends
TOLERANCE = 0.05  # of the condition y⟨u, x⟩ = 1
TUNINGS = 3
SOLVE_VALUES = (
    600_000  # values on which the path of solutions is computed; the last steps use the whole sample
)
UNEVEN = 10.0  # from here on the sizes of features differ so much that they are brought to one


class Solver:
    """Dual descent on the rows of a sample, warm from one C to the next."""

    def __init__(self, finder: Finder, bias: bool, squared: bool, few: bool = False) -> None:
        """Take the rows of the sample; `few`: at most SOLVE_VALUES values of them."""
        cells, labels, squares = finder.rows(bias)
        share = finder.sample.share
        if few and len(cells[0]) > SOLVE_VALUES:
            chosen = np.zeros(len(labels), dtype=bool)
            chosen[:: -(-len(cells[0]) // SOLVE_VALUES)] = True
            share *= float(np.mean(chosen))
            cells, labels, squares = select(cells, chosen), labels[chosen], squares[chosen]
        self.cells, self.labels, self.squares = cells, labels, squares
        self.share, self.bias, self.squared = share, bias, squared
        self.thorough = finder.effort == "thorough"
        self.epochs = 0  # of the last solve
        self.alpha = np.zeros(len(labels))
        self.u = np.zeros(len(finder.sample.columns) + bias)

    def solve(self, price: float, epochs: int = EPOCHS, tolerance: float = TOLERANCE) -> Floats:
        """The u of least ½‖u‖² + C·Σ loss over all rounds, of which the sample has a share."""
        if self.thorough:
            epochs, tolerance = 10 * epochs, 0.1 * tolerance
        price = price / max(self.share, 1e-300)
        if not price > 0.0:  # the rows are so long that their mean length overflows
            return self.u.copy()
        limit, diagonal = (math.inf, 1.0 / price) if self.squared else (price, 0.0)
        if self.alpha.max(initial=0.0) > limit:
            self.alpha, self.u = np.zeros_like(self.alpha), np.zeros_like(self.u)
        arguments = (self.cells, self.labels, self.squares, self.bias, limit, diagonal, self.alpha, self.u)
        self.epochs = _core.descend_dual(*arguments, epochs, tolerance, 1)
        return self.u.copy()


def solution(finder: Finder, bias: bool, price: float, squared: bool) -> Floats:
    """The u of least ½‖u‖² + C·Σ loss, the loss the hinge or half its square."""
    return Solver(finder, bias, squared).solve(price, 2 * EPOCHS, TOLERANCE / 5.0)


def path(finder: Finder, bias: bool) -> Iterator[Floats]:
    """A coarse path in C for both losses; then C is tuned to the bounds of the Perceptron."""
    _, _, squares = finder.rows(bias)
    mean = float(np.mean(squares)) or 1.0
    radius = math.sqrt(float(np.max(squares, initial=0.0)))
    coarse = Solver(finder, bias, False, few=True)
    tried = [coarse.solve(factor / mean) for factor in (1e-3, 1e-2, 1e-1, 1.0, 10.0)]
    yield from tried
    labels, cells = coarse.labels, coarse.cells
    rounds = len(labels) / coarse.share
    best = min(tried, key=lambda u: _hinge_form(u, cells, labels, radius, rounds, bias)[0])
    tuned = Solver(finder, bias, False)
    for _ in range(TUNINGS):
        _, price = _hinge_form(best, cells, labels, radius, rounds, bias)
        if not 0.0 < price < math.inf:
            break
        best = tuned.solve(price)
        yield best
    squared = Solver(finder, bias, True)
    best = np.zeros(0)
    for factor in (1e-1, 1.0, 100.0):
        best = squared.solve(factor / mean)
        yield best
    for _ in range(TUNINGS - 1):
        short = np.maximum(0.0, 1.0 - labels * scores(cells, best, bias))
        length, lack = float(np.linalg.norm(best)), math.sqrt(float(short @ short) / coarse.share)
        if length == 0.0 or lack == 0.0 or radius == 0.0:
            break
        best = squared.solve(length / (radius * lack))
        yield best
    yield from _evened(finder, bias)


def _evened(finder: Finder, bias: bool) -> Iterator[Floats]:
    """Solutions with every feature in units of its root mean square, which rows with uneven columns need."""
    (values, places, starts), labels, _ = finder.rows(bias)
    width = len(finder.sample.columns)
    counts = np.bincount(places, minlength=width)
    with np.errstate(over="ignore"):
        units = np.sqrt(np.bincount(places, values * values, minlength=width) / np.maximum(counts, 1))
    units = np.where((units > 0.0) & np.isfinite(units), units, 1.0)
    if units.max(initial=1.0) < UNEVEN * units.min(initial=1.0):
        return
    cells = (values / units[places], places, starts)
    squares = _core.measure_rows(cells)[0] + (1.0 if bias else 0.0)
    mean, share = float(np.mean(squares)) or 1.0, max(finder.sample.share, 1e-300)
    alpha, u = np.zeros(len(labels)), np.zeros(width + bias)
    for factor in (1.0, 10.0):
        price = factor / mean / share
        _core.descend_dual(cells, labels, squares, bias, price, 0.0, alpha, u, EPOCHS, TOLERANCE, 1)
        yield np.concatenate([u[:width] / units, u[width:]])


def _hinge_form(
    u: Floats, cells: Cells, labels: Floats, radius: float, rounds: float, bias: bool
) -> tuple[float, float]:
    """The bound (a/2 + √(a²/4 + L))² at the best length of u, and the C for which u would be a solution."""
    margins = labels * scores(cells, u, bias)
    scale, weight = float(np.max(np.abs(margins), initial=0.0)) or 1.0, rounds / max(len(labels), 1)
    best = (math.inf, 0.0)
    length = float(np.linalg.norm(u))
    for gamma in scale * 2.0 ** np.arange(-12.0, 3.0, 0.5):
        lack = weight * float(np.sum(np.maximum(0.0, gamma - margins))) / gamma
        reach = radius * length / gamma
        root = math.sqrt(reach * reach / 4.0 + lack)
        price = (length / gamma) / max(radius * (root + reach / 2.0), 1e-300)
        best = min(best, ((reach / 2.0 + root) ** 2, price))
    return best


def scores(cells: Cells, u: Floats, bias: bool) -> Floats:
    """⟨u, x⟩ of every row."""
    table = np.zeros((len(u) - bias, 8))
    table[:, 0] = u[:-1] if bias else u
    offsets = np.zeros(8)
    offsets[0] = u[-1] if bias else 0.0
    low, high = _core.score_directions(cells, table, np.zeros(8), offsets, np.zeros(8, np.uint8), np.ones(8))
    return np.asarray(0.5 * low[0] + 0.5 * high[0])


def largest_margin(
    finder: Finder, bias: bool, notes: list[str]
) -> tuple[Floats | None, dict[int, float] | None, float]:
    """The hard margin where the sample is separated; and weights of rounds that limit every margin."""
    cells, labels, squares = finder.rows(bias)
    if finder.effort == "thorough":
        from noregret.judging.programs import exact_margin

        return exact_margin(finder.sample, bias, notes)
    if np.any(squares == 0.0):
        return None, None, math.inf  # a row without features is on the wrong side of everything
    solver, separated = Solver(finder, bias, False), False
    mean, wrong = float(np.mean(squares)), len(labels)
    for price in (1e2 / mean, 1e5 / mean, math.inf):
        epochs = EPOCHS if price < 1e4 / mean else HARD_EPOCHS
        for _ in range(max(epochs // HARD_STEP, 1)):
            u = solver.solve(price, HARD_STEP, 1e-3)
            wrong = int(np.count_nonzero(labels * scores(cells, u, bias) <= 0.0))
            separated = wrong == 0
            if solver.epochs < HARD_STEP or wrong > HOPELESS * len(labels):
                break
        if not separated and wrong > HOPELESS * len(labels):
            break  # nearly separated rows may still be; these are not
    total = float(solver.alpha.sum())
    if not total > 0.0 or not np.isfinite(total):
        return (u if separated else None), None, math.inf
    weights = solver.alpha / total
    mixed = np.zeros(len(finder.sample.columns))
    _core.add_weighted_rows(cells, weights * labels, mixed)
    shift = float(weights @ labels) if bias else 0.0
    at_most = math.hypot(float(np.linalg.norm(mixed)), shift)
    chosen = np.flatnonzero(weights)
    dual = dict(zip(finder.sample.numbers[chosen].tolist(), weights[chosen].tolist(), strict=True))
    return (u if separated else None), dual, at_most
