"""Losses of a witness u at many lengths: what the bounds on losses compare a run with."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from noregret.certificate import Certificate, Hypothesis, conclude
from noregret.judged import Judged, RunTheorem, Witness
from noregret.linear.assumptions import prompt_run
from noregret.linear.losses import losses
from noregret.rounding import float_above, outward, root_above
from noregret.rounds import Floats

# Lengths c of a witness at which its losses are known exactly: 1/c is a limit of a bin. Steps of about √2.
LENGTHS = 1.0 / np.sort(np.concatenate([2.0 ** np.arange(-4.0, 9.0), 1.40625 * 2.0 ** np.arange(-4.0, 8.0)]))


def losses_at(name: str, witness: Witness, lengths: Floats) -> Floats:
    """Σℓ(c·u) over all rounds for each length c, from above; 1/c are limits of bins."""
    margins = witness.margins()
    gammas = 1.0 / lengths
    if name == "hinge":
        found = margins.linear(gammas) * lengths
    elif name == "squared-hinge":
        found = 0.5 * margins.squares(gammas) * lengths**2
    elif name == "perceptron":
        found = margins.negative * lengths
    else:
        found = margins.convex(partial(losses, name), lengths)
        if name == "squared":  # the one loss that also grows with the margin, which is rounded down
            doubt = lengths * witness.doubt
            found = found + np.sqrt(2.0 * margins.rounds * found) * doubt + margins.rounds * doubt**2
    return np.asarray(found + 1e-9 * np.abs(found))


def nothing(run: Judged) -> float:
    """The loss of u = 0 over all rounds."""
    return run.rounds * float(losses(str(run.parameters["loss"]), np.zeros(1))[0])


def loss_bound(
    theorem: RunTheorem,
    run: Judged,
    witness: Witness,
    price: Callable[[float], float],
    more: list[Hypothesis],
    observed: float | None = None,
) -> Certificate:
    """Σℓ(w) ≤ Σℓ(c·u) + price(c), at the best length c; a length of 0 is tried too."""
    kind = str(run.parameters["loss"])
    observed = run.ledger.loss if observed is None else observed
    hypotheses = [*prompt_run(run), *more]
    if not all(h.met for h in hypotheses):
        return conclude(theorem, observed, None, hypotheses)
    lost = losses_at(kind, witness, LENGTHS) if run.rounds else np.zeros(len(LENGTHS))
    tried = [(outward(nothing(run) + outward(price(0.0))), 0.0, nothing(run))]
    if not witness.is_zero:
        for c, loss in zip(LENGTHS.tolist(), lost.tolist(), strict=True):
            value = outward(loss + outward(price(c)))
            if not math.isnan(value):
                tried.append((value, c, loss))
    value, length, loss = min(tried)
    witness.length = length
    shown = {"norm_u": length * float_above(root_above(witness.square)), "loss_u": loss}
    return conclude(theorem, observed, value, hypotheses, shown)
