"""The hypotheses that a linear learner went through: a run played again, with a look at every change.

h_t is what the learner was before round t. Rounds without a label are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret import _core
from noregret.errors import BadCommand, BadType
from noregret.game.play import first, play_batch
from noregret.game.said import Said
from noregret.ledger import Ledger
from noregret.linear.learner import LinearLearner
from noregret.rounds import Batch, Feature, Stream


class Iterate(NamedTuple):
    """A hypothesis: its weights by feature, what is added to ⟨w, x⟩, and the rounds in which it predicted."""

    weights: dict[Feature, float]
    initial: float  # the weight of any other feature
    offset: float
    begin: int  # the first of its rounds, from 0
    rounds: int  # how many it had; the last hypothesis may have none
    survived: int  # its correct rounds before its first mistake; the round that replaces it counts if correct


class Source(NamedTuple):
    """A learner as it was before the first round, and the rounds that it played."""

    start: Any
    stream: Stream
    limit: int | None = None
    skipping: bool = False
    complete: bool = True  # the run was not stopped before its end
    fresh: bool = True  # the learner had learned nothing before the first round


def source_of(learner_or_run: Any, nature: Stream | None) -> Source:
    """Find out what to play again: a ledger knows, a learner needs a stream."""
    if isinstance(learner_or_run, Ledger):
        run = learner_or_run
        if run.nature is None or run.start is None:
            raise BadCommand("the rounds of this run were not kept; give a fresh learner, and nature=…")
        source = Source(run.start, run.nature, run.limit, run.skipping, run.complete, run.fresh)
    elif nature is None:
        raise BadCommand("a learner alone has no rounds; give nature=…, or the ledger of a run")
    else:
        source = Source(learner_or_run, nature)
    if getattr(source.stream, "lag", 0):
        raise BadCommand("labels that come late leave no hypothesis for each round; play them without delay")
    require_fixed_weights(source.start)
    return source._replace(fresh=source.fresh and source.start.is_fresh)


def require_fixed_weights(learner: Any) -> None:
    """Refuse a learner whose hypotheses are not weights that stay as they are between its updates."""
    name = getattr(learner, "spec", type(learner).__name__)
    if not isinstance(learner, LinearLearner):
        raise BadType(f"{name} has no weights by feature; a batch predictor is made of a linear learner")
    if learner.task != "binary":
        raise BadType(f"{name} predicts numbers; a batch predictor is made of a learner for two classes")
    if learner.scale != "none":
        raise BadType(
            f"{name} scales rows by what it has met so far; scale the data beforehand, and leave scale out"
        )
    if learner.keeps_examples:
        raise BadType(
            f"{name} has no weights that make its score; of perceptron, the method 'voted' makes a vote"
        )
    if not learner.steady:
        raise BadType(f"{name} changes in every round; of perceptron, the method 'average' makes the average")


def iterates(source: Source) -> Iterator[Iterate]:
    """Yield the hypotheses one after the other, each when its rounds are over; the last one too."""
    learner = source.start.clone()
    ledger = Ledger(learner.spec, skipping=source.skipping)
    begin, count, survived, held = 0, 0, 0, None
    erred = False  # the current hypothesis
    for batch in first(source.stream, source.limit):
        held = held or _look(learner, batch)
        counts, stops = _scouted(batch, learner, ledger.skipping)
        at = 0
        for stop in [*stops, len(batch) - 1]:
            part = batch.part(at, stop + 1)
            updates, mistakes = ledger.updates, ledger.mistakes
            play_batch(part, learner, ledger, None)
            labelled = int(counts[at : stop + 1].sum())
            wrong = ledger.mistakes > mistakes  # only the last row of a part can be a mistake
            count += labelled
            survived += 0 if erred else labelled - wrong
            erred = erred or wrong
            at = stop + 1
            if ledger.updates > updates:
                yield Iterate(*held, begin, count, survived)
                begin, count, survived, erred, held = begin + count, 0, 0, False, _look(learner, batch)
    if held is not None:
        yield Iterate(*held, begin, count, survived)


def _scouted(batch: Batch, learner: Any, skipping: bool) -> tuple[NDArray[np.bool_], list[int]]:
    """Play a batch ahead: which rows count, and after which the learner may have changed.

    After its mistakes, most of the time; where it learned between two of them, after any row there.
    """
    said = Said(len(batch))
    play_batch(batch, learner.clone(), Ledger(learner.spec, skipping=skipping), said)
    counts = ~np.isnan(batch.labels) & ~np.isnan(said.predictions)
    scout, ledger = learner.clone(), Ledger(learner.spec, skipping=skipping)
    stops: list[int] = []
    at = 0
    for mistake in [*np.flatnonzero(counts & (said.predictions != batch.labels)).tolist(), len(batch)]:
        before = ledger.updates
        play_batch(batch.part(at, mistake), scout, ledger, None)
        if ledger.updates > before:
            stops += (at + np.flatnonzero(counts[at:mistake])).tolist()
        play_batch(batch.part(mistake, mistake + 1), scout, ledger, None)
        stops.append(mistake)
        at = mistake + 1
    return counts, stops[:-1]


def _look(learner: Any, batch: Batch) -> tuple[dict[Feature, float], float, float]:
    """The weights now, that of a feature not met, and the score of a row of this kind without features."""
    nothing = np.empty(0), np.empty(0, dtype=np.int64), np.zeros(2, dtype=np.int64)
    score = np.empty(1)
    learner.score_matrix(_core.Matrix(*nothing, batch.width, batch.names), np.empty(1), score)
    return learner.weights, learner.initial_weight, float(score[0])
