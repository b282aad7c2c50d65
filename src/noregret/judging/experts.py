"""Certify a run over experts: its account has everything, and no row is read again."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from noregret.certificate import Certificate, Theorem, marked
from noregret.experts.account import Account
from noregret.hindsight.experts import least_sequences

SWITCHES = 32  # the most that a tracking bound is tried with


def certify_experts(account: Account, theorems: Sequence[Theorem]) -> list[Certificate]:
    """Hold a run over experts against its theorems, with the sequences that hindsight finds."""
    least = None
    if account.losses is not None and any(theorem.comparator == "sequences" for theorem in theorems):
        least = least_sequences(account.losses, min(SWITCHES, max(account.rounds - 1, 0)))
    most = _largest_losses(account)
    limits = {"regret": most - account.best_loss, "mistakes": float(account.rounds)}
    found = [theorem.certify(account, least) for theorem in theorems]
    return [marked(one, limits.get(one.about, most)) for one in found]


def _largest_losses(account: Account) -> float:
    """Σ of the largest loss of every round; where the losses were not kept, a number that is not below it."""
    if account.losses is not None:
        return (
            float(np.sum(np.max(account.losses, axis=1, initial=-math.inf))) if len(account.losses) else 0.0
        )
    return account.rounds * max(account.scalars["highest"], 0.0)
