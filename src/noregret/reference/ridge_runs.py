"""Runs of the ridge rule, and what its theorem asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .expert_account import ExpertsRun, RidgeAccount
from .experts import Row
from .regrets import ExpertRidge


def play_ridge(
    parameters: dict[str, Any], n: int, advice: Sequence[Row], truths: Sequence[float]
) -> ExpertsRun:
    """Play the rule by its twin; the normal equations are kept and solved anew each time."""
    penalty = float(parameters.get("penalty", 1.0))
    run, twin = ExpertsRun("expert-ridge", parameters, n), ExpertRidge(n, penalty)
    reach = leverage = 0.0
    played: list[tuple[list[float], float]] = []
    for said, truth in zip(advice, truths, strict=True):
        awake = [one for one in said if one is not None]
        full = [sum(awake) / len(awake) if one is None else one for one in said]
        prediction = twin.predict(full)
        erred = [None if one is None else (one - truth) ** 2 for one in said]
        run.suffer([], [], erred, (prediction - truth) ** 2)
        beyond = truth - sum(full) / n
        twin.learn(full, truth)
        reach = max(reach, abs(beyond))
        played.append((full, beyond))
        leverage += sum(a * b for a, b in zip(full, solved(twin.matrix, full), strict=True))
    v = solved(twin.matrix, twin.target)
    # Σy² less vᵀAv would cancel where the advice is large; the sum itself hardly feels an error of v
    least = penalty * sum(a * a for a in v)
    for full, beyond in played:
        least += (sum(a * b for a, b in zip(v, full, strict=True)) - beyond) ** 2
    run.ridge = RidgeAccount(least, reach, leverage, sum(twin.matrix[i][i] for i in range(n)))
    return run


def solved(matrix: list[list[float]], target: Sequence[float]) -> list[float]:
    """A⁻¹b, by elimination."""
    rows = [[*row, b] for row, b in zip(matrix, target, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(len(rows)):
            if k != i and rows[k][i]:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]
