"""Sums over the rounds of a run, rounded towards the weaker statement: norms, margins, shortfalls."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret import _core
from noregret.rounds import Floats

Mask = NDArray[np.bool_]
EPSILON = 2.0**-52
EXACT = 2.0**53
WHOLE = 2.0**40  # sums of whole numbers below it, times the limits of bins, are exact
_SMALLEST = 5e-324


class Total:
    """A sum of numbers that are not negative, with a bound on its rounding error."""

    def __init__(self) -> None:
        """Start at 0."""
        self.value = 0.0
        self.count = 0
        self.whole = True

    def add(self, numbers: Floats) -> None:
        """Add an array."""
        self.value += float(np.sum(numbers))
        self.count += len(numbers)
        self.whole = self.whole and bool(np.all(np.floor(numbers) == numbers))

    def above(self) -> Fraction:
        """The sum, rounded up; exact for whole numbers."""
        if not np.isfinite(self.value):
            return Fraction(2) ** 1030  # beyond the doubles: a bound with it is not finite
        total = Fraction(self.value)
        if self.whole and self.value < EXACT:
            return total
        return total + Fraction((self.count + 2.0) * EPSILON * self.value + _SMALLEST)


class Norms:
    """The lengths of the rows of a view."""

    def __init__(self) -> None:
        """No rows yet."""
        self.rounds = 0
        self.largest = 0.0  # ‖x‖²
        self.peak = 0.0
        self.label = 0.0  # max |y| where labels are numbers
        self.labels = 0.0  # Σy²
        self.total = Total()  # Σ‖x‖²
        self.spans = Total()  # Σ(max x − min x)²
        self.peaks = 0.0  # Σ(max |x|)²

    def add(self, squares: Floats, peaks: Floats, spans: Floats) -> None:
        """Add rows."""
        self.rounds += len(squares)
        self.largest = max(self.largest, float(np.max(squares, initial=0.0)))
        self.peak = max(self.peak, float(np.max(peaks, initial=0.0)))
        self.total.add(squares)
        self.peaks += float(np.sum(peaks * peaks))
        self.spans.add(spans * spans * (1.0 + EPSILON) if np.any(np.floor(spans) != spans) else spans * spans)


class Shortfalls(NamedTuple):
    """For candidates γ: Σ max(0, γ − m) and Σ max(0, γ − m)² over the rounds, rounded up."""

    gammas: Floats
    linear: Floats
    squares: Floats


class Margins:
    """The margins m of one witness over the rounds of a view."""

    def __init__(self) -> None:
        """No rounds yet."""
        self._bins = _core.Bins()

    def add(self, margins: Floats, wanted: Mask | None, weights: Floats | None) -> None:
        """Add the margins of a block."""
        mask = None if wanted is None else wanted.view(np.uint8)
        self._bins.add(np.ascontiguousarray(margins), mask, weights)

    @property
    def least(self) -> float:
        """The least margin, exactly; infinity without rounds."""
        return self._bins.least

    @property
    def rounds(self) -> int:
        """How many rounds the view has."""
        return self._bins.rounds

    @property
    def wrong(self) -> int:
        """How many margins are 0 or less."""
        return self._bins.wrong

    def not_below(self, limit: float) -> int:
        """How many margins are at least a limit of a bin."""
        lowest, _, counts, _, _ = self._table
        return int(np.sum(counts[lowest >= limit]))

    @property
    def largest_size(self) -> float:
        """The largest |m|; 0 without rounds."""
        if not self._bins.rounds:
            return 0.0
        return max(abs(self._bins.least), abs(self._bins.most))

    @cached_property
    def _table(self) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        lowest, following, counts, sums, squares = self._bins.table()
        return lowest, following, counts, sums, squares

    def edges(self) -> Floats:
        """Numbers at which sums of shortfalls are known exactly: the limits of the bins."""
        lowest, following = self._table[:2]
        return np.unique(np.concatenate([lowest, following]))

    def linear(self, gammas: Floats) -> Floats:
        """Σ max(0, γ − m) from above; up to rounding the sum itself where γ is a limit of bins."""
        _, following, counts, sums, _ = self._table
        place = np.searchsorted(following, gammas, side="right")
        count, total, size = (_cumulated(part)[place] for part in (counts, sums, np.abs(sums)))
        exact = self._bins.whole & _short(gammas) & (np.abs(gammas) * count + size < WHOLE)
        error = self._error() * (np.abs(gammas) * count + size)
        found = np.maximum(gammas * count - total, 0.0) + np.where(exact | (count == 0.0), 0.0, error)
        return np.asarray(found + self._within(gammas, place, 1))

    def squares(self, gammas: Floats) -> Floats:
        """Σ max(0, γ − m)² from above; up to rounding the sum itself where γ is a limit of bins."""
        _, following, counts, sums, squares = self._table
        place = np.searchsorted(following, gammas, side="right")
        count, total, size, square = (
            _cumulated(part)[place] for part in (counts, sums, np.abs(sums), squares)
        )
        sizes = gammas**2 * count + 2.0 * np.abs(gammas) * size + square
        exact = self._bins.whole & _short(gammas) & (sizes < WHOLE)
        found = np.maximum(gammas**2 * count - 2.0 * gammas * total + square, 0.0)
        found = found + np.where(exact | (count == 0.0), 0.0, self._error() * sizes)
        return np.asarray(found + self._within(gammas, place, 2))

    def _within(self, gammas: Floats, place: NDArray[np.intp], power: int) -> Floats:
        """How far margins of the bin around γ fall short at most: a convex function lies below its chord."""
        lowest, following, counts, sums, _ = (np.append(part, np.inf) for part in self._table)
        low, count, total = lowest[place], counts[place], sums[place]
        exact = self._bins.whole & (np.abs(total) < WHOLE)
        doubt = (
            32.0 * EPSILON * np.where(exact, 4.0, self._bins.rounds + 4.0)
        )  # a bin is 1/64 of a margin wide, or more
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            share = (following[place] - total / count) / (following[place] - low) + doubt
            share = np.where(np.isfinite(share), np.clip(share, 0.0, 1.0), 1.0)
            found = count * share * (gammas - low) ** power * (1.0 + 8.0 * EPSILON)
        return np.where(low < gammas, found, 0.0)

    def _error(self) -> float:
        return (self._bins.rounds + 8.0) * EPSILON

    @cached_property
    def shortfalls(self) -> Shortfalls:
        """Candidates γ > 0 for a bound, with their sums; a positive least margin is the first of them."""
        edges = self.edges()
        edges = edges[edges > TINY]
        if len(edges) == 0:
            edges = np.ones(1)
        edges = np.concatenate([edges, edges[-1] * 2.0 ** np.arange(1, 11)])
        edges = edges[np.isfinite(edges)]
        linear, squares = self.linear(edges), self.squares(edges)
        if TINY < self.least < np.inf:  # nothing falls short of it, also where it lies within a bin
            later = edges > self.least
            edges = np.concatenate([[self.least], edges[later]])
            linear = np.concatenate([[0.0], linear[later]])
            squares = np.concatenate([[0.0], squares[later]])
        return Shortfalls(edges, linear, squares)

    def convex(self, loss: Callable[[Floats], Floats], lengths: Floats) -> Floats:
        """Σ loss(c·m) for each length c, from above: a convex loss lies below its chord over a bin."""
        lowest, following, counts, sums, _ = self._table
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            share = np.clip((sums / counts - lowest) / (following - lowest), 0.0, 1.0)
        share = np.where(np.isfinite(share), share, 0.5)
        found = [
            float(np.sum(counts * ((1.0 - share) * loss(c * lowest) + share * loss(c * following))))
            for c in lengths.tolist()
        ]
        return np.array(found)

    def sum_of_squares(self, doubt: float) -> Fraction:
        """Σm², from above, where a margin may be off by as much as `doubt`."""
        _, _, counts, sums, squares = self._table
        total = float(np.sum(squares))
        if self._bins.whole and doubt == 0.0 and total < EXACT:
            return Fraction(total)
        sizes = float(np.sum(np.abs(sums)))
        found = total + 2.0 * doubt * sizes + float(np.sum(counts)) * doubt * doubt
        return (
            Fraction(found * (1.0 + (self._bins.rounds + 8.0) * EPSILON))
            if np.isfinite(found)
            else Fraction(2) ** 1030
        )

    @property
    def negative(self) -> float:
        """Σ max(0, −m), from above."""
        return float(self.linear(np.zeros(1))[0])


TINY = 1e-150  # the square of a smaller γ is 0, and so would be the price of falling short of it


def _short(gammas: Floats) -> Mask:
    """Which numbers have a few binary digits only, as the positive limits of bins have."""
    mantissas = 64.0 * np.frexp(gammas)[0]
    return np.asarray(np.floor(mantissas) == mantissas)


def _cumulated(numbers: Floats) -> Floats:
    return np.concatenate([[0.0], np.cumsum(numbers)])
