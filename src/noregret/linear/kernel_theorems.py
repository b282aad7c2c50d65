"""The theorems of the Perceptron in the space of a kernel.

The witness is f = Σ a·K(z, ·) over the examples z that the learner keeps: ‖f‖² = Σ a·a'·K(z, z'), and the
margin of a round is y·f(x). The proofs need a positive semidefinite kernel, which the three kernels are, and
that no example was removed.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from noregret import _core
from noregret.certificate import Certificate, Hypothesis, conclude
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.assumptions import plain_run
from noregret.linear.margin_bounds import Priced, hinge_form, squared_form
from noregret.margin_sums import Margins
from noregret.rounding import float_above, outward, root_above
from noregret.rounds import Feature, Floats
from noregret.sample import Cells, Sample, joined

RIDGES = (1.0, 1e-2, 1e-4)  # strengths of the least squares that propose functions, times the mean of K(z, z)
MOST_SOLVED = 3000  # examples for which least squares are solved; beyond MANY with one strength only
MANY = 1200
DIRECT = 1 << 20  # numbers of features below it are their own slots
KINDS = {"linear": 0, "polynomial": 1, "gaussian": 2}


class KernelMargins(Meter):
    """Margins y·f(x) of a few functions f over the kept examples, and the largest K(x, x)."""

    samples: ClassVar[bool] = True

    def __init__(self, run: Judged) -> None:
        """The functions are those of the learner as it was after the last round."""
        super().__init__(run)
        self.functions: list[Floats] = []
        self.squares: list[Fraction] = []
        self.all: list[Margins] = []
        self.mistakes: list[Margins] = []
        self.largest = self.largest_mistake = self.total_mistakes = 0.0
        self.rounds_of_examples: list[int] = []
        self.rounds = 0
        self.examples: Cells | None = None
        self.own, self.numbers = np.zeros(0), np.zeros(0, dtype=np.int64)

    def lay(self, sample: Sample) -> None:
        """Choose functions over the examples that the learner keeps; of a short run, over all its rows."""
        if not self.speaks:
            return
        kept, coefficients = examples_of(self.run.ledger.final, sample.columns)
        self.own, self.numbers = coefficients, np.zeros(0, dtype=np.int64)
        self.examples, labels = kept, np.sign(coefficients)
        # The numbers of the rows in a sample are those of the stream: of the run only where none was refused.
        whole = sample.is_everything and not self.run.ledger.skipped
        if whole and len(coefficients) < len(sample.labels) <= MOST_SOLVED:
            self.examples, labels, self.numbers = joined([kept, sample.cells]), sample.labels, sample.numbers
        self.functions = self._chosen(coefficients, labels)
        for a in self.functions:
            low, high, _ = self.scores(self.examples, np.ascontiguousarray(a[None, :]))
            square = math.fsum(np.maximum(a * low[0], a * high[0]))
            whole = bool(np.all(np.floor(a) == a) and np.all(low == high) and np.all(np.floor(low) == low))
            self.squares.append(Fraction(square if whole else max(outward(square), 0.0)))
            self.all.append(Margins())
            self.mistakes.append(Margins())

    @property
    def speaks(self) -> bool:
        """Whether every mistake is still kept."""
        budget = float(self.run.parameters["budget"])
        return not 0 < budget < self.run.mistakes

    @property
    def _kernel(self) -> tuple[int, float, float, float]:
        given = self.run.parameters
        return KINDS[given["kernel"]], float(given["gamma"]), float(given["degree"]), float(given["offset"])

    def scores(self, rows: Cells, coefficients: Floats) -> tuple[Floats, Floats, Floats]:
        """f(x) from below and above for several functions, and K(x, x) from above."""
        found: tuple[Floats, Floats, Floats] = _core.score_kernels(
            *self._kernel, rows, self.examples, coefficients
        )
        return found

    def _chosen(self, own: Floats, labels: Floats) -> list[Floats]:
        """The learner's own function, and least squares on the labels of the kept examples or of all rows."""
        more = len(labels) if len(self.numbers) else 0
        found = [np.concatenate([own, np.zeros(more)])] if len(own) else []
        if not 1 < len(labels) <= MOST_SOLVED or self.examples is None:
            return found
        first = len(own) if more else 0
        values, places, starts = self.examples
        begin = int(starts[first])
        solved_for = (values[begin:], places[begin:], starts[first:] - begin)
        matrix = _core.kernel_matrix(*self._kernel, solved_for)
        mean = float(np.trace(matrix)) / len(labels) or 1.0
        for ridge in RIDGES if len(labels) <= MANY else RIDGES[-1:]:
            try:
                solved = np.linalg.solve(matrix + ridge * mean * np.eye(len(labels)), labels)
            except np.linalg.LinAlgError:
                continue
            if np.isfinite(solved).all():
                found.append(np.concatenate([np.zeros(first), solved]))
        return found

    def by_round(self, k: int) -> dict[int, float]:
        """The coefficients of a function by the number of the round whose row they belong to."""
        count = len(self.own)
        rounds = [*self.rounds_of_examples[:count], *self.numbers.tolist()]
        found: dict[int, float] = {}
        for number, value in zip(rounds, self.functions[k].tolist(), strict=False):
            if value != 0.0:
                found[int(number)] = found.get(int(number), 0.0) + value
        return found

    def add(self, block: Block) -> None:
        """Add the rounds of a block."""
        at = np.flatnonzero(block.mistaken)
        self.rounds_of_examples += (self.rounds + at).tolist()
        self.rounds += len(block.labels)
        if not self.functions:
            return
        table = np.array(self.functions).reshape(len(self.functions), -1)
        low, high, own = self.scores(block.cells, np.ascontiguousarray(table))
        self.largest = max(self.largest, float(np.max(own, initial=0.0)))
        wrong = own[block.mistaken]
        self.largest_mistake = max(self.largest_mistake, float(np.max(wrong, initial=0.0)))
        self.total_mistakes += float(np.sum(wrong))
        for k in range(len(self.functions)):
            margins = np.where(block.labels > 0, low[k], -high[k])
            self.all[k].add(margins, None, None)
            self.mistakes[k].add(margins, block.mistaken, None)


def examples_of(learner: Any, columns: _core.FeatureColumns) -> tuple[Cells, Floats]:
    """The examples that a kernel learner keeps, over the columns of a run, and their coefficients."""
    state = learner.state()
    starts, slots = np.array(state["support_starts"], dtype=np.int64), np.array(state["support_slots"])
    occurring, inverse = np.unique(slots, return_inverse=True)
    place = [columns.add(_feature(state, int(slot))) for slot in occurring.tolist()]
    cells = np.array(state["support_values"]), np.array(place, dtype=np.int32)[inverse], starts
    return cells, np.array(state["support_coefficients"])


def _feature(state: dict[str, Any], slot: int) -> Feature:
    """The feature in a slot: a name, a small number, which is its slot, or a large one from the list."""
    if state["kind"] == "name":
        ends = state["name_ends"]
        begin = int(ends[slot - 1]) if slot else 0
        return bytes(state["names"][begin : int(ends[slot])]).decode()
    return slot if slot < DIRECT else int(state["far"][slot - DIRECT])


class _KernelTheorem(RunTheorem):
    """A theorem about the kernel Perceptron, held with the best of the functions that were tried."""

    comparator = None
    meters: ClassVar[tuple[type[Meter], ...]] = (KernelMargins,)
    family = "kernel"

    def bound(self, sums: KernelMargins, k: int) -> tuple[Fraction | None, dict[str, float]]:
        """The bound with function k, None where it does not apply, and the quantities."""
        raise NotImplementedError

    def asks(self, sums: KernelMargins, k: int, missing: bool) -> list[Hypothesis]:
        """What it asks of the function; `missing`: it gives no bound."""
        return [Hypothesis("some f is not zero", False, "its norm is 0")] if missing else []

    def without_function(self, run: Judged, hypotheses: list[Hypothesis]) -> Certificate:
        """What it says of a run without examples: for f = 0 each form allows a mistake in every round."""
        return conclude(self, run.mistakes, Fraction(run.rounds), hypotheses)

    def certify(self, run: Judged, witness: Witness | None = None) -> Certificate:
        """Hold it against a run, with the best f that was tried."""
        sums: KernelMargins = run.meter(KernelMargins)
        budget = float(run.parameters["budget"])
        kept = Hypothesis("no mistake was let go", sums.speaks, f"the budget is {budget:,.0f}")
        hypotheses = [*plain_run(run), kept]
        if not all(h.met for h in hypotheses):
            return conclude(self, run.mistakes, None, hypotheses)
        if not sums.functions:  # no mistake, so that nothing is known of f but 0
            return self.without_function(run, hypotheses)
        tried = []
        for k in range(len(sums.functions)):
            value, quantities = self.bound(sums, k)
            tried.append((value is None, value or Fraction(0), sums.all[k].wrong, k, quantities))
        _, value, _, k, quantities = min(tried, key=lambda one: one[:4])
        missing = next(one for one in tried if one[3] == k)[0]
        hypotheses += self.asks(sums, k, missing)
        held = conclude(self, run.mistakes, None if missing else value, hypotheses, quantities)
        return replace(held, dual=sums.by_round(k))


class KernelNovikoff(_KernelTheorem):
    """Separable by a function of the kernel: M ≤ (R‖f‖/γ)²."""

    name = "Novikoff (kernel)"
    statement = "if y·f(x) ≥ γ > 0 for some f = Σ a·K(z,·) and K(x,x) ≤ R² in every round, then M ≤ (R‖f‖/γ)²"
    source = (
        "Novikoff 1962; Aizerman, Braverman & Rozonoer 1964, Theoretical foundations of the potential "
        "function method"
    )

    def asks(self, sums: KernelMargins, k: int, missing: bool) -> list[Hypothesis]:
        """That f separates the rounds."""
        wrong = sums.all[k].wrong
        why = f"the best f tried is wrong in {wrong:,} of {sums.rounds:,} rounds"
        return [Hypothesis("some f separates the rounds", wrong == 0, why)]

    def without_function(self, run: Judged, hypotheses: list[Hypothesis]) -> Certificate:
        """Nothing separates the rounds, unless there is none."""
        some = Hypothesis(
            "some f separates the rounds", run.rounds == 0, "no example was kept to make one of"
        )
        return conclude(self, run.mistakes, Fraction(0), [*hypotheses, some])

    def bound(self, sums: KernelMargins, k: int) -> tuple[Fraction | None, dict[str, float]]:
        """(R‖f‖/γ)²."""
        gamma, wrong = sums.all[k].least, sums.all[k].wrong
        quantities = {"wrong": float(wrong)}
        if wrong or not gamma > 0.0:
            return None, quantities
        return Fraction(sums.largest) * sums.squares[k] / Fraction(gamma) ** 2, quantities


class _KernelAnyData(_KernelTheorem):
    def form(self, margins: Margins, square_reach: Fraction) -> Priced:
        """The bound for a reach."""
        raise NotImplementedError

    def bound(self, sums: KernelMargins, k: int) -> tuple[Fraction | None, dict[str, float]]:
        """The form at the best γ; the inequality over the mistakes is checked as well."""
        if sums.squares[k] <= 0:
            return None, {}
        priced = self.form(sums.all[k], Fraction(sums.largest_mistake) * sums.squares[k])
        quantities = {
            "R": float_above(root_above(Fraction(sums.largest_mistake))),
            "norm_f": float_above(root_above(sums.squares[k])),
            "gamma": float(priced.gamma),
            "L": float_above(priced.linear / priced.gamma),
        }
        walked = root_above(Fraction(outward(sums.total_mistakes)) * sums.squares[k])
        mistakes, gamma = sums.mistakes[k], float(priced.gamma)
        short = 0.0 if mistakes.least >= gamma else float(mistakes.linear(np.array([gamma]))[0])
        strong = (walked + Fraction(short)) / priced.gamma
        broken = sums.run.mistakes > strong
        return (min(priced.bound, strong) if broken else priced.bound), quantities


class KernelFreundSchapire(_KernelAnyData):
    """Any data: M ≤ ((R‖f‖ + D)/γ)², D² = Σ max(0, γ − y·f(x))²."""

    name = "Freund–Schapire (kernel)"
    statement = (
        "for any f = Σ a·K(z,·) and γ > 0, with D² = Σ max(0, γ − y·f(x))² and K(x,x) ≤ R² on mistakes: "
        "M ≤ ((R‖f‖ + D)/γ)²"
    )
    source = "Freund & Schapire 1999, Large margin classification using the perceptron algorithm, §4"

    def form(self, margins: Margins, square_reach: Fraction) -> Priced:
        """((R‖f‖ + D)/γ)²."""
        return squared_form(margins.shortfalls, square_reach)


class KernelHinges(_KernelAnyData):
    """Any data: M ≤ (a/2 + √(a²/4 + L))², a = R‖f‖/γ and L = Σ max(0, γ − y·f(x))/γ."""

    name = "Mohri–Rostamizadeh (kernel)"
    statement = (
        "for any f = Σ a·K(z,·) and γ > 0, with L = Σ max(0, γ − y·f(x))/γ, K(x,x) ≤ R² on mistakes and "
        "a = R‖f‖/γ: M ≤ (a/2 + √(a²/4 + L))²"
    )
    source = "Mohri & Rostamizadeh 2013, Perceptron mistake bounds, Thm 2, in the space of the kernel"

    def form(self, margins: Margins, square_reach: Fraction) -> Priced:
        """(a/2 + √(a²/4 + L))²."""
        return hinge_form(margins.shortfalls, square_reach)
