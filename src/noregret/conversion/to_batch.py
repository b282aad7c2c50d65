"""From online to batch: one fixed predictor out of all that a learner was, with a bound on its risk.

If the rounds are drawn independently from one distribution, the mean risk of h_1 … h_T is at most
M/T + √(ln(1/δ)/(2T)) with probability 1 − δ, M the mistakes of the run: Cesa-Bianchi, Conconi & Gentile
2004, On the generalization ability of on-line learning algorithms.
"""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np

from noregret.conversion.converted import Conversion
from noregret.conversion.iterates import Source, source_of
from noregret.conversion.methods import METHODS, Task, require_method
from noregret.data.read import read
from noregret.errors import BadInput, BadParameter
from noregret.game.play import first, play_batch
from noregret.ledger import Ledger
from noregret.parameters import count
from noregret.rounds import Stream


def to_batch(
    learner_or_run: Any,
    method: str = "average",
    *,
    nature: Stream | None = None,
    delta: float = 0.05,
    test: Stream | str | PathLike[str] | None = None,
    seed: int = 0,
    learners: int = 1,
) -> Conversion:
    """Make a fixed predictor of a run, or of a fresh learner and a stream.

    average: the mean of the weights; voted: the majority of all hypotheses; last; random: one drawn with
    the seed; survivor: the one that was right for longest before it erred, with the least bound; penalised:
    the least error on what came after, plus a penalty for how little came after.

    A risk bound needs a learner that has learned nothing, a single pass over the data, and a run that was
    played to its end; else `bound.value` is None and `bound.statement` has the reason. To choose among the
    predictors of several learners, give their number as `learners`: each bound is then computed with
    δ/learners, so that all of them hold at once with probability 1 − δ.

    >>> import noregret as nr
    >>> ledger = nr.play(nr.separable(5, 0.2, 500), nr.Perceptron())
    >>> batch = nr.to_batch(ledger, "voted", test=nr.separable(5, 0.2, 500))
    >>> batch.bound.proved, batch.observed <= batch.bound.value
    (True, True)
    """
    require_method(method)
    if not 0.0 < delta < 1.0:
        raise BadParameter(f"delta is {delta}; it must lie between 0 and 1")
    count("learners", learners, 1)
    source = source_of(learner_or_run, nature)
    run = _counted(source)
    if run.labelled == 0:
        raise BadInput("there is no labelled round to learn from")
    task = Task(source, run.labelled, run.mistakes, run.skipped, delta, seed, learners)
    predictor, bound = METHODS[method](task)
    made = Conversion(source.start.spec, method, predictor, bound)
    return made if test is None else _tested(made, read(test) if isinstance(test, str | PathLike) else test)


def _counted(source: Source) -> Ledger:
    """Play the run again, for its labelled rounds, mistakes and refused rows."""
    learner = source.start.clone()
    ledger = Ledger(learner.spec, skipping=source.skipping)
    for batch in first(source.stream, source.limit):
        play_batch(batch, learner, ledger, None)
    return ledger


def _tested(made: Conversion, test: Stream) -> Conversion:
    rows = errors = 0
    for batch in test.batches():
        labelled = ~np.isnan(batch.labels)
        rows += int(labelled.sum())
        errors += int(np.sum(made.predictor.predict_batch(batch)[0][labelled] != batch.labels[labelled]))
    return replace(made, rows=rows, errors=errors)
