"""Witnesses: directions u, found in hindsight on a sample of the rows, that make a bound small.

Nothing here has to be right for a certificate to be right: every witness is evaluated on all rows, and a
poor one makes a bound larger, never wrong. How far a search goes is counted in steps, never in seconds: the
same data give the same witness on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from noregret import _core
from noregret.judged import Judged
from noregret.judging.finder import Finder, Found, final_weights, rest_of
from noregret.judging.separators import largest_margin, path, scores, solution
from noregret.rounds import Floats
from noregret.sample import Cells

MIXTURE_EPOCHS = 16


def _separators(finder: Finder, run: Judged, found: Found) -> None:
    """Solutions of ½‖u‖² + C·Σ loss for a range of C, the largest margin where the rows are separated."""
    for direction in finder.shared(("path", run.bias), lambda: list(path(finder, run.bias))):
        found.directions.append(direction)
    if (price := _own_price(run)) is not None:
        key = ("own", run.bias, price)
        found.directions.append(finder.shared(key, lambda: solution(finder, run.bias, *price)))
    best, dual, at_most = finder.shared(
        ("margin", run.bias), lambda: largest_margin(finder, run.bias, found.notes)
    )
    found.dual, found.at_most = dual, at_most
    if best is not None:
        found.directions.append(best)


def _own_price(run: Judged) -> tuple[float, bool] | None:
    """C and the loss that the theorem of a learner asks for by itself."""
    name, parameters = getattr(run.learner, "name", ""), run.parameters
    if name == "pa1":
        return float(parameters["C"]), False
    if name == "pa2":
        return 2.0 * float(parameters["C"]), True
    return None


def _mixtures(finder: Finder, run: Judged, found: Found) -> None:
    _add_mixtures(finder, run, found, is_signed=False)


def _signed_mixtures(finder: Finder, run: Judged, found: Found) -> None:
    _add_mixtures(finder, run, found, is_signed=True)


def _add_mixtures(finder: Finder, run: Judged, found: Found, is_signed: bool) -> None:
    """Snapshots of exponentiated gradient at a few margins, and separators cut down to what is allowed."""
    rate = float(run.parameters.get("rate", 0.1))
    for mixture in finder.shared(
        ("mixtures", is_signed, rate), lambda: list(_descended(finder, is_signed, rate))
    ):
        found.directions.append(mixture)
    for direction in finder.shared(("path", False), lambda: list(path(finder, False)))[1::3]:
        found.directions.append(direction if is_signed else np.maximum(direction, 0.0))
    best = finder.shared(("margin", False), lambda: largest_margin(finder, False, found.notes))[0]
    if best is not None:
        found.directions.append(best if is_signed else np.maximum(best, 0.0))
    if finder.effort == "thorough":
        from noregret.judging.programs import exact_mixture

        exact = finder.shared(
            ("program", is_signed), lambda: exact_mixture(finder.sample, is_signed, found.notes)
        )
        if exact is not None:
            direction, found.dual, found.at_most = exact
            found.directions.append(direction)


def _descended(finder: Finder, is_signed: bool, rate: float) -> Iterator[Floats]:
    cells, labels, _ = finder.rows(False)
    width = len(finder.sample.columns)
    peak = float(np.max(_core.measure_rows(cells)[1], initial=0.0)) or 1.0
    for margin in (0.0, 0.1, 0.3):
        step = min(rate, 1.0 / peak)
        snapshots = _core.mixtures(
            cells, labels, width, False, is_signed, margin * peak, step, MIXTURE_EPOCHS, 1
        )
        usable = [one for one in snapshots if np.any(one != 0.0) and np.isfinite(one).all()]
        if usable:
            yield usable[0]
            yield np.mean(usable[len(usable) // 2 :], axis=0)
            yield np.mean(usable, axis=0)


def _disjunctions(finder: Finder, run: Judged, found: Found) -> None:
    """The features that no negative has, and a small cover of the positives among them."""
    cells, labels, _ = finder.rows(False)
    width = len(finder.sample.columns)
    lengths = np.diff(cells[2])
    negative = np.repeat(labels < 0, lengths)
    allowed = np.ones(width, dtype=bool)
    allowed[cells[1][negative]] = False
    found.directions.append(allowed.astype(np.float64))
    found.directions.append(_cover(cells, labels > 0, allowed))


def _cover(cells: Cells, positive: Any, allowed: Any) -> Floats:
    """Cover the positive rows with columns, each time the one that covers most (Johnson 1974)."""
    columns, starts = cells[1], cells[2]
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    used = positive[rows] & allowed[columns]
    rows, columns = rows[used], columns[used]
    chosen = np.zeros(len(allowed))
    order = np.argsort(columns, kind="stable")
    ends = np.searchsorted(columns[order], np.arange(len(allowed) + 1))
    uncovered = np.ones(len(starts) - 1, dtype=bool)
    while len(rows):
        gains = np.bincount(columns, weights=uncovered[rows], minlength=len(allowed))
        best = int(np.argmax(gains))
        if gains[best] == 0:
            break
        chosen[best] = 1.0
        uncovered[rows[order[ends[best] : ends[best + 1]]]] = False
    return chosen


def _thresholds(finder: Finder, run: Judged, found: Found) -> None:
    """Targets μ ≥ 0 with Σμx ≥ 1 on positives and ≤ 1 − δ on negatives; and what nearly is one."""
    _disjunctions(finder, run, found)
    for direction in finder.shared(("path", True), lambda: list(path(finder, True)))[::2]:
        found.directions.append(np.maximum(direction[:-1], 0.0))
    from noregret.judging.programs import threshold_targets

    found.directions += finder.shared("targets", lambda: threshold_targets(finder.sample, found.notes))


def _least_squares(finder: Finder, run: Judged, found: Found) -> None:
    """Nothing, and the u of least Σ(⟨u,x⟩ − y)² + strength·‖u‖² for a few strengths."""
    width = len(finder.sample.columns) + run.bias
    found.directions.append(np.zeros(width))
    found.directions += finder.shared(("squares", run.bias), lambda: list(_ridges(finder, run.bias)))
    own = run.parameters.get("ridge")
    if own is not None:
        key = ("squares", run.bias, float(own))
        found.directions.append(finder.shared(key, lambda: _ridge(finder, run.bias, float(own))))


def _ridges(finder: Finder, bias: bool) -> Iterator[Floats]:
    _, labels, squares = finder.rows(bias)
    scale = float(np.sum(squares)) / len(labels) / max(finder.sample.share, 1e-300)
    for strength in (10.0, 1.0, 1e-2, 1e-6):
        yield _ridge(finder, bias, strength * scale)


def _ridge(finder: Finder, bias: bool, strength: float) -> Floats:
    """Least squares with a penalty: conjugate gradients on the normal equations (Hestenes & Stiefel 1952)."""
    cells, labels, _ = finder.rows(bias)
    penalty = max(strength * finder.sample.share, 1e-300)
    u = np.zeros(len(finder.sample.columns) + bias)
    left = labels.copy()
    slope = _back(cells, left, len(u), bias)
    direction, size = slope, float(slope @ slope)
    first = size
    for _ in range(200):
        if size <= 1e-24 * first or size == 0.0:
            break
        along = scores(cells, direction, bias)
        bend = float(along @ along) + penalty * float(direction @ direction)
        if not bend > 0.0:
            break
        step = size / bend
        u = u + step * direction
        left = left - step * along
        slope = _back(cells, left, len(u), bias) - penalty * u
        before, size = size, float(slope @ slope)
        direction = slope + (size / before) * direction
    return u


def _back(cells: Cells, factors: Floats, width: int, bias: bool) -> Floats:
    found = np.zeros(width)
    _core.add_weighted_rows(cells, factors, found[: width - 1] if bias else found)
    if bias:
        found[-1] = float(np.sum(factors))
    return found


def _class_separators(finder: Finder, run: Judged, found: Found) -> None:
    from noregret.judging.programs import class_separators

    found.directions += class_separators(finder.sample, run.classes, run.bias, found.notes)


def _ranks(finder: Finder, run: Judged, found: Found) -> None:
    from noregret.judging.programs import between_ranks

    ranks = int(run.parameters["ranks"])
    found.cuts[0] = np.array([run.ledger.final.scalars[f"threshold-{r}"] for r in range(1, ranks)])
    best = between_ranks(finder.sample, ranks, found.notes)
    if best is not None:
        direction, cuts, found.dual, found.at_most = best
        found.cuts[len(found.directions)] = cuts
        found.directions.append(direction)


_SEARCHES: dict[str, Callable[[Finder, Judged, Found], None]] = {
    "separator": _separators,
    "mixture": _mixtures,
    "signed-mixture": _signed_mixtures,
    "disjunction": _disjunctions,
    "threshold": _thresholds,
    "least-squares": _least_squares,
    "class-separator": _class_separators,
    "ranks": _ranks,
}


def find_witnesses(finder: Finder, kind: str, run: Judged) -> Found:
    """Directions of a kind for a run: its final weights first, then what hindsight finds."""
    found = Found(rest=rest_of(kind, run))
    found.directions.append(final_weights(run, finder.sample.columns, found.rest))
    if not len(finder.sample.labels):
        return found
    if not finder.sample.is_everything:
        found.notes.append(
            f"witnesses were searched for on {len(finder.sample.labels):,} of {finder.sample.rounds:,} rounds"
        )
    if kind in _SEARCHES:
        _SEARCHES[kind](finder, run, found)
    return found
