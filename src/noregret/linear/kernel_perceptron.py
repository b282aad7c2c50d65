"""The kernel Perceptron, and Novikoff's theorem over the features of its kernel.

Aizerman, Braverman & Rozonoer 1964; budgets: Dekel, Shalev-Shwartz & Singer 2008, The Forgetron.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from noregret.certificate import Certificate, Hypothesis, Theorem, conclude
from noregret.errors import BadParameter
from noregret.ledger import Replay
from noregret.linear.arithmetic import EPSILON
from noregret.linear.assumptions import plain_run
from noregret.linear.learner import LinearLearner
from noregret.parameters import Parameter, not_negative, one_of, positive, whole
from noregret.rounding import above
from noregret.rounds import Floats

KERNELS = ("linear", "polynomial", "gaussian")
ROUNDS = 3000  # of which a matrix of kernels still fits
PASSES = 200  # over it, in search of a witness


class KernelPerceptron(LinearLearner):
    """The Perceptron over the features of a kernel: the score is Σ c·K(z, x) over the mistakes z it keeps.

    Kernels: linear ⟨x,z⟩, polynomial (⟨x,z⟩ + offset)^degree, gaussian exp(−gamma·‖x − z‖²). When a
    mistake more than `budget` would be kept, the oldest goes: memory and time stay bounded, and the
    theorem speaks only of runs in which that did not happen. A budget of 0 is none. It has no
    weights by feature.

    >>> learner = KernelPerceptron(kernel="polynomial")
    >>> for x, y in [((0, 0), -1), ((0, 1), 1), ((1, 0), 1), ((1, 1), -1)] * 10:
    ...     _ = learner.learn({"a": x[0], "b": x[1]}, y)
    >>> [learner.predict({"a": a, "b": b}) for a in (0, 1) for b in (0, 1)]
    [-1.0, 1.0, 1.0, -1.0]
    """

    name: ClassVar[str] = "kernel-perceptron"
    summary: ClassVar[str] = "the Perceptron over a kernel; beyond a budget the oldest mistake goes"
    loss_name: str = "perceptron"
    keeps_examples: ClassVar[bool] = True
    accepts: ClassVar[tuple[Parameter, ...]] = (
        Parameter("kernel", "gaussian", "linear, polynomial or gaussian"),
        Parameter("gamma", 1.0, "gaussian: exp(−gamma·‖x − z‖²)"),
        Parameter("degree", 2.0, "polynomial: the power, a whole number"),
        Parameter("offset", 1.0, "polynomial: added to ⟨x,z⟩, 0 or more"),
        Parameter("budget", 1000.0, "how many mistakes are kept; 0: all"),
    )

    def __init__(
        self,
        kernel: str = "gaussian",
        gamma: float = 1.0,
        degree: float = 2.0,
        offset: float = 1.0,
        budget: float = 1000.0,
    ) -> None:
        """Start with nothing kept."""
        self.kernel = one_of("kernel", kernel, KERNELS)
        self.gamma = positive("gamma", gamma)
        self.degree = float(whole("degree", degree, 1))
        if self.degree > 100:
            raise BadParameter(f"degree is {degree}; it must be at most 100")
        self.offset = not_negative("offset", offset)
        self.budget = float(whole("budget", budget, 0))
        super().__init__(
            kernel=float(KERNELS.index(kernel)),
            gamma=self.gamma,
            degree=self.degree,
            offset=self.offset,
            budget=self.budget,
        )

    def theorems(self) -> tuple[Theorem, ...]:
        """Novikoff, in the space of the kernel."""
        return (KernelNovikoff(),)

    def __repr__(self) -> str:
        """Spec and size."""
        return f"<{self.spec}: {int(self.scalars['supports']):,} examples>"


class KernelNovikoff:
    """Separable by a function of the kernel: M ≤ (R‖f‖/γ)².

    The witness is f = Σ a·K(x, ·) over the rounds, found by a Perceptron that goes over the matrix
    of kernels again and again, and by least squares.
    """

    name = "Novikoff (kernel)"
    statement = "if y·f(x) ≥ γ > 0 for some f = Σ a·K(z,·) and K(x,x) ≤ R² in every round, then M ≤ (R‖f‖/γ)²"
    source = (
        "Novikoff 1962; Aizerman, Braverman & Rozonoer 1964, Theoretical foundations of the potential "
        "function method"
    )
    about = "mistakes"
    comparator = None

    def certify(self, replay: Replay, witness: None = None) -> Certificate:
        """Hold it against a run, with the best f that was found."""
        budget, rounds = float(replay.parameters["budget"]), len(replay.labels)
        hypotheses = [
            *plain_run(replay),
            Hypothesis(
                "no mistake was let go", not 0 < budget < replay.mistakes, f"the budget is {budget:,.0f}"
            ),
            Hypothesis(
                f"there are at most {ROUNDS:,} rounds to compare", rounds <= ROUNDS, f"there are {rounds:,}"
            ),
        ]
        if not all(h.met for h in hypotheses):
            return conclude(self, replay.mistakes, None, hypotheses)
        matrix, error = kernel_matrix(replay.rows, replay.parameters)
        tried = [(*_bound(matrix, error, replay.labels, a), a) for a in _functions(matrix, replay.labels)]
        bound, wrong, best = min(tried, key=lambda one: one[:2])
        separated = math.isfinite(bound) or rounds == 0
        hypotheses.append(
            Hypothesis(
                "some f separates the rounds",
                separated,
                f"the best f tried is wrong in {wrong:,} of {rounds:,} rounds",
            )
        )
        told = (bound if rounds else 0.0) if separated else None
        told_of = {int(t): float(best[t]) for t in np.flatnonzero(best)}
        certificate = conclude(self, replay.mistakes, told, hypotheses, {"wrong": float(wrong)})
        return replace(certificate, dual=told_of)


def kernel_matrix(rows: Any, parameters: dict[str, Any]) -> tuple[Floats, Floats]:
    """K(x, z) for all pairs of rows, and how far off each may be."""
    products = (rows @ rows.T).toarray()
    sizes = (abs(rows) @ abs(rows).T).toarray()
    off = (rows.shape[1] + 8.0) * EPSILON * sizes
    if bool(np.all(np.floor(rows.data) == rows.data)) and float(sizes.max(initial=0.0)) < 2.0**53:
        off = np.zeros_like(sizes)
    if parameters["kernel"] == "linear":
        return products, off
    if parameters["kernel"] == "polynomial":
        degree, offset = float(parameters["degree"]), float(parameters["offset"])
        base = np.abs(products) + off + offset
        error = degree * (2.0 * off + 4.0 * EPSILON * base) * base ** (degree - 1)
        return (products + offset) ** degree, error
    gamma, squares = float(parameters["gamma"]), np.diag(products)
    apart = np.maximum(0.0, squares[:, None] + squares[None, :] - 2.0 * products)
    total = np.diag(sizes)[:, None] + np.diag(sizes)[None, :] + 2.0 * sizes
    slack = gamma * ((rows.shape[1] + 16.0) * EPSILON * total)
    error = np.expm1(np.minimum(slack, 1.0)) + 8.0 * EPSILON
    return np.exp(-gamma * apart), np.minimum(error, 1.0)  # both lie between 0 and 1


def _functions(matrix: Floats, labels: Floats) -> list[Floats]:
    """Coefficients of functions that may separate: a Perceptron's at several times, and of least squares."""
    coefficients, scores = np.zeros(len(labels)), np.zeros(len(labels))
    total = np.zeros(len(labels))
    found = []
    for turn in range(PASSES):
        erred = False
        for t in range(len(labels)):
            if labels[t] * scores[t] <= 0.0:
                coefficients[t] += labels[t]
                scores += labels[t] * matrix[t]
                erred = True
        total += coefficients
        if turn == 0 or not erred:
            found.append(coefficients.copy())
        if not erred or (turn + 1) * len(labels) > 400_000:
            break
    mean = float(np.trace(matrix)) / max(len(labels), 1) or 1.0
    for ridge in (1.0, 1e-3, 1e-7):  # least squares, which often has the larger margin
        solved = np.linalg.solve(matrix + ridge * mean * np.eye(len(labels)), labels)
        found.append(np.asarray(solved, dtype=np.float64))
    return [*found, coefficients, total]


def _bound(matrix: Floats, error: Floats, labels: Floats, coefficients: Floats) -> tuple[float, int]:
    """R²‖f‖²/γ² from above, infinite when f does not separate; and how many rounds it gets wrong."""
    sizes = np.abs(coefficients)
    scores = matrix @ coefficients
    off = error @ sizes + len(labels) * EPSILON * (np.abs(matrix) @ sizes)
    margins = labels * scores - np.where(off > 0.0, off, 0.0)
    exact = not off.any()
    wrong, least = int(np.sum(margins <= 0.0)), float(np.min(margins, initial=math.inf))
    if wrong or not len(labels):
        return math.inf, wrong
    square = float(coefficients @ scores + (0.0 if exact else float(sizes @ off) * 2.0))
    radius = float(np.max(np.diag(matrix) + np.diag(error)))
    return above(radius * square / (least * least)), 0
