"""Linear programs, solved with so much work and no more.

The limit is a number of simplex steps, fewer the larger the program is: never a time, so that the same data
give the same witness, and so the same verdict, on every machine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noregret.rounds import Floats

VALUES = 1_000_000  # larger data are not searched,
FEATURES = 20_000  # nor those with more features
TOO_LARGE = f"with more than {VALUES:,} values or {FEATURES:,} features, only simple witnesses are tried"
WORK = 1_000_000_000  # steps × numbers in the program
FEWEST = 100  # steps that any program has


def is_too_large(rows: Any) -> bool:
    """Whether a sparse matrix is beyond what is searched."""
    return bool(rows.nnz > VALUES or rows.shape[1] > FEATURES)


class Solution(NamedTuple):
    """What was found, and the prices of the inequalities; nothing where there is no solution."""

    x: Floats | None
    prices: Floats
    stopped: bool  # the work ran out first


def solved(
    goal: Floats, table: Any, limit: Floats, equal: Any = (None, None), bounds: Any = (0, None)
) -> Solution:
    """Make ⟨goal, x⟩ least, where table·x ≤ limit and equal holds."""
    from scipy.optimize import linprog

    steps = max(FEWEST, WORK // (table.nnz + sum(table.shape)))
    found = linprog(goal, table, limit, *equal, bounds=bounds, method="highs-ds", options={"maxiter": steps})
    x = None if found.x is None else np.asarray(found.x, dtype=np.float64)
    marginals = None if found.ineqlin is None else found.ineqlin.marginals
    prices = np.zeros(0) if marginals is None else np.asarray(marginals, dtype=np.float64)
    return Solution(x, prices, found.status == 1)
