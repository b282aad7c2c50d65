"""What is proved about gradient descent.

The bounds are on the learner's own loss, and hold for any u. Everything in them is computed from the rounds
and from the scores of the learner: its weights are not looked at.
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from noregret.certificate import Certificate, conclude
from noregret.judged import Block, Judged, Meter, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.losses import paces, slopes
from noregret.linear.losses_of_witness import LENGTHS, loss_bound, nothing
from noregret.rounding import float_above, outward
from noregret.rounds import Floats


class GradientSteps(Meter):
    """Σ η_t‖∇ℓ‖², and for every witness the largest ‖w_t − c·u‖² less c²‖u‖²."""

    def __init__(self, run: Judged) -> None:
        """Before the first round."""
        super().__init__(run)
        self.rounds, self.noise, self.walked, self.alone = 0, 0.0, 0.0, 0.0
        self.toward: dict[int, float] = {}
        self.farthest: dict[int, Floats] = {}

    def add(self, block: Block) -> None:
        """Follow the path of the weights."""
        parameters, count = self.run.parameters, len(block.labels)
        pace = paces(str(parameters["step"]), float(parameters["rate"]), count, self.rounds)
        slope = slopes(str(parameters["loss"]), block.scores, block.labels)
        pulls = block.squares * slope * slope
        self.rounds += count
        self.noise += math.fsum(pace * pulls)
        if str(parameters["step"]) == "constant":
            return
        steps = 2.0 * pace * slope * block.labels
        walk = np.concatenate(
            [[self.walked], self.walked + np.cumsum(steps * block.scores + pace * pace * pulls)]
        )
        self.walked = float(walk[-1])
        for k in range(len(block.low)):
            begin = self.toward.get(k, 0.0)
            middle = 0.5 * block.low[k] + 0.5 * block.high[k]
            along = np.concatenate([[begin], begin + np.cumsum(steps * middle)])
            self.toward[k] = float(along[-1])
            most = np.array(
                [float(np.max(walk[:-1] - c * along[:-1], initial=0.0)) for c in LENGTHS.tolist()]
            )
            self.farthest[k] = np.maximum(self.farthest.get(k, np.zeros(len(LENGTHS))), most)
        self.alone = max(self.alone, float(np.max(walk[:-1], initial=0.0)))

    def distance(self, witness: Witness, length: float) -> float:
        """The largest ‖w_t − c·u‖² before a round."""
        square = length * length * float_above(witness.square)
        if length == 0.0:
            return self.alone
        place = int(np.argmin(np.abs(LENGTHS - length)))
        return square + float(self.farthest.get(witness.place, np.zeros(len(LENGTHS)))[place])


class Zinkevich(RunTheorem):
    """Any data, any u: Σℓ(w) ≤ Σℓ(u) + ‖u‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + ½Σ η_t‖∇ℓ‖².

    D is the largest ‖w_t − u‖; from one round to the next ‖w − u‖² changes by 2η·ℓ′·y⟨w − u, x⟩ +
    η²ℓ′²‖x‖², all of which is known from the learner's score.
    """

    name = "Zinkevich"
    statement = (
        "for any u, with D ≥ ‖w_t − u‖ in every round: "
        "Σℓ(w_t) ≤ Σℓ(u) + ‖u‖²/(2η₁) + ½D²(1/η_T − 1/η₁) + ½Σ η_t‖∇ℓ_t‖²"
    )
    source = "Zinkevich 2003, Online convex programming and generalized infinitesimal gradient ascent, Thm 1"
    about = "loss"
    meters: ClassVar[tuple[type[Meter], ...]] = (GradientSteps,)

    def trivial(self, run: Judged) -> float:
        """The loss of u = 0."""
        return nothing(run)

    def certify(self, run: Judged, witness: Witness) -> Certificate:
        """Hold it against a run, with u = witness in its best length."""
        if not run.rounds:
            return conclude(self, 0.0, 0.0, prompt_run(run))
        steps: GradientSteps = run.meter(GradientSteps)
        pace = paces(str(run.parameters["step"]), float(run.parameters["rate"]), 1)[0]
        last = _last_pace(str(run.parameters["step"]), float(run.parameters["rate"]), run.rounds)
        square, noise = float_above(witness.square), outward(0.5 * steps.noise)

        def price(length: float) -> float:
            drift = 0.5 * outward(steps.distance(witness, length)) * (1.0 / last - 1.0 / pace)
            return float(length * length * square / (2.0 * pace) + (drift if last != pace else 0.0) + noise)

        return loss_bound(self, run, witness, price, [])


def _last_pace(step: str, rate: float, rounds: int) -> float:
    """η_T."""
    return float({"constant": rate, "sqrt": rate / math.sqrt(rounds), "inverse": rate / rounds}[step])
