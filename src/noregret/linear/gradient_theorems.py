"""What is proved about gradient descent.

The bounds are on the learner's own loss, and hold for any u. Everything in them is computed from
the rounds and from what the learner said in them: its weights are not asked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from noregret.certificate import Certificate, conclude
from noregret.ledger import Replay
from noregret.linear import arithmetic
from noregret.linear.assumptions import prompt_run
from noregret.linear.losses import losses, paces, slopes
from noregret.rounding import outward
from noregret.rounds import Floats


def scaled(witness: Floats) -> Iterator[Floats]:
    """Yield u in a few lengths: a bound on losses depends on it."""
    yield witness
    if np.any(witness != 0):
        for power in (-8, -6, -4, -3, -2, -1, 1, 2, 3):
            yield witness * 2.0**power
        yield np.zeros_like(witness)


def least(bound: Callable[[Floats], float], witness: Floats) -> tuple[float, Floats]:
    """The smallest bound over the lengths of a witness, and the u that gives it."""
    best = min(((bound(u), k) for k, u in enumerate(scaled(witness))), key=lambda pair: pair[0])
    return best[0], list(scaled(witness))[best[1]]


def comparator_loss(name: str, replay: Replay, witness: Floats) -> float:
    """Σℓ(u), from above."""
    low, high = arithmetic.products(replay.rows, witness)
    worst = losses(name, np.where(replay.labels > 0, low, -high))
    if name == "squared":  # the one loss that grows on both sides
        worst = np.maximum(worst, losses(name, np.where(replay.labels > 0, high, -low)))
    return outward(math.fsum(worst))


def length(witness: Floats) -> float:
    """‖u‖², from above."""
    return outward(float(witness @ witness))


class Zinkevich:
    """Any data, any u: Σℓ(w) ≤ Σℓ(u) + ‖u‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + ½Σ η_t‖∇ℓ‖².

    D is the largest ‖w_t − u‖; from one round to the next ‖w − u‖² changes by 2η·ℓ′·y⟨w − u, x⟩ +
    η²ℓ′²‖x‖², all of which is known once the learner has said its score.
    """

    name = "Zinkevich"
    statement = (
        "for any u, with D ≥ ‖w_t − u‖ in every round: "
        "Σℓ(w_t) ≤ Σℓ(u) + ‖u‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + ½Σ η_t‖∇ℓ_t‖²"
    )
    source = "Zinkevich 2003, Online convex programming and generalized infinitesimal gradient ascent, Thm 1"
    about = "loss"
    comparator = "separator"

    def certify(self, replay: Replay, witness: Floats) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        kind = str(replay.parameters["loss"])
        observed = math.fsum(losses(kind, replay.labels * replay.scores))
        hypotheses = prompt_run(replay)
        if not all(h.met for h in hypotheses) or not len(replay.labels):
            return conclude(self, observed, None if len(replay.labels) else 0.0, hypotheses)
        pace = paces(str(replay.parameters["step"]), float(replay.parameters["rate"]), len(replay.labels))
        slope = slopes(kind, replay.scores, replay.labels)
        pulls = arithmetic.square_norms(replay.rows) * slope * slope
        noise = outward(0.5 * math.fsum(pace * pulls))

        def bound(u: Floats) -> float:
            apart = _distances(replay, u, pace * slope, pace * pace * pulls)
            drift = 0.5 * outward(apart) * (1.0 / pace[-1] - 1.0 / pace[0])
            return outward(comparator_loss(kind, replay, u) + length(u) / (2.0 * pace[0]) + drift + noise)

        value, u = least(bound, witness)
        quantities = {"norm_u": math.sqrt(length(u)), "loss_u": comparator_loss(kind, replay, u)}
        return conclude(self, observed, value, hypotheses, quantities)


def _distances(replay: Replay, u: Floats, steps: Floats, squares: Floats) -> float:
    """The largest ‖w_t − u‖² before a round."""
    toward = replay.labels * (replay.scores - replay.rows @ u)
    path = float(u @ u) + np.cumsum(2.0 * steps * toward + squares)
    return max(float(u @ u), float(np.max(path[:-1], initial=0.0)))
