"""What a linear run is compared with: one fixed u, the best in hindsight for a convex loss or the margin.

Each comes with a duality gap: how far, at most, it can be from the best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from noregret.errors import BadInput, BadParameter, UnknownName
from noregret.hindsight.losses import LOSSES, Minimum, minimised
from noregret.hindsight.margins import euclidean_margin, mixture_margin
from noregret.hindsight.programs import VALUES, is_too_large
from noregret.judging.whole_run import WholeRun, whole_run
from noregret.ledger import Ledger
from noregret.rounds import Floats

NORMS = ("l2", "l1", "positive")


@dataclass(frozen=True)
class Comparator:
    """A fixed u: by feature, None being the bias; what it is worth, and what no other can pass.

    For a loss, `value` is its penalised loss and `best` a number below that of every u; for a margin,
    `value` is its margin and `best` a number above that of every u.
    """

    name: str
    weights: dict[Any, float]
    value: float
    best: float
    scores: Floats  # ⟨u, x⟩ of the labelled rounds
    labels: Floats

    @property
    def gap(self) -> float:
        """How far from the best it can be, at most."""
        return abs(self.value - self.best)

    def losses(self, loss: str) -> Floats:
        """What it loses in every labelled round."""
        return _loss(loss)(self.labels * self.scores)


def best_for_loss(ledger: Ledger, loss: str = "hinge", penalty: float = 1.0) -> Comparator:
    """The u that makes Σ loss(y⟨u,x⟩) + ½·penalty·‖u‖² least; the loss is hinge, squared-hinge or logistic.

    >>> import noregret as nr
    >>> ledger = nr.play(nr.separable(3, 0.2, 200), nr.Perceptron())
    >>> best = nr.best_for_loss(ledger, "logistic")
    >>> best.gap < 1e-4 * best.value
    True
    """
    _loss(loss)
    if not 0.0 < penalty < np.inf:
        raise BadParameter(f"penalty is {penalty}; it must be a finite number above 0")
    again = _replayed(ledger)
    found: Minimum = minimised(again.rows, again.labels, loss, penalty)
    return _comparator(f"least {loss} loss", again, found.witness, found.value, found.at_least)


def best_margin(ledger: Ledger, norm: str = "l2") -> Comparator:
    """The u with the largest margin among those of length 1: l2, l1, or positive (l1 and u ≥ 0).

    >>> import noregret as nr
    >>> ledger = nr.play(nr.standard_basis(4), nr.Perceptron())
    >>> round(best_margin(ledger).value, 6), round(best_margin(ledger, "l1").value, 6)
    (0.5, 0.25)
    """
    if norm not in NORMS:
        raise UnknownName(f"there is no norm called '{norm}'; there is {', '.join(NORMS)}")
    again = _replayed(ledger)
    signed = again.signed()
    found = euclidean_margin(signed) if norm == "l2" else mixture_margin(signed, norm == "l1")
    if not np.isfinite(found.at_most):
        raise BadInput("no margin was found within the steps that are allowed")
    length = float(np.linalg.norm(found.witness, 2 if norm == "l2" else 1))
    u = found.witness / length if length > 0 else found.witness
    least = float(np.min(again.labels * (again.rows @ u)))
    return _comparator(f"largest {norm} margin", again, u, least, found.at_most)


def regret_against(ledger: Ledger, comparator: Comparator, loss: str = "hinge") -> Floats:
    """The loss of the run less that of the comparator, after each labelled round."""
    again = _replayed(ledger)
    own = _loss(loss)(again.labels * again.scores)
    if len(own) != len(comparator.labels):
        raise BadInput(f"the run has {len(own):,} labelled rounds, the comparator {len(comparator.labels):,}")
    return np.asarray(np.cumsum(own - comparator.losses(loss)))


def _replayed(ledger: Ledger) -> WholeRun:
    if ledger.task != "binary":
        raise BadInput(
            f"margins are of labels -1 and +1, and the task of {ledger.learner} is {ledger.task}; "
            "nr.certify holds such a run against its own comparators"
        )
    again = whole_run(ledger, VALUES)
    if len(again.labels) == 0:
        raise BadInput("hindsight looks at the rounds of a linear learner, and this run has kept none")
    if is_too_large(again.rows):
        raise BadInput(
            f"hindsight looks at data of at most {VALUES:,} values, and this has {again.rows.nnz:,}"
        )
    return again


def _comparator(name: str, again: WholeRun, u: Floats, value: float, best: float) -> Comparator:
    return Comparator(name, again.by_feature(u), value, best, np.asarray(again.rows @ u), again.labels)


def _loss(name: str) -> Callable[[Floats], Floats]:
    if name not in LOSSES:
        raise UnknownName(f"there is no loss called '{name}'; there is {', '.join(LOSSES)}")
    return LOSSES[name].value
