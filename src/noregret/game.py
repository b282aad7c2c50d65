"""The game: the only place that orders pose → predict → reveal → learn.

A learner with a native core plays whole batches at a time; any other plays round by round. Both
ways give the same predictions, the same weights and the same ledger, to the bit.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from noregret.errors import BadCommand, BadInput
from noregret.ledger import Ledger
from noregret.natures.recorded import Recorded
from noregret.rounds import Batch, Example, Floats, Learner, Nature, Stream

Watch = Callable[[Batch, Sequence[Ledger], Sequence[tuple[Floats, Floats]]], None]


def play(nature: Stream | Nature, learner: Learner, rounds: int | None = None) -> Ledger:
    """Play a learner against a nature, for so many rounds or to the end.

    >>> import numpy as np, noregret as nr
    >>> nr.play(nr.from_arrays(np.eye(3), [-1, -1, -1]), nr.Perceptron())
    <Ledger perceptron: 3 mistakes in 3 rounds>
    """
    return play_all(nature, [learner], rounds)[0]


def play_all(
    nature: Stream | Nature, learners: Sequence[Learner], rounds: int | None = None, watch: Watch | None = None
) -> list[Ledger]:
    """Play several learners over one pass of a stream; `watch` sees every batch when it is done.

    When a row is bad or the run is interrupted, what was learned before stays learned: the
    exception carries the ledgers, marked incomplete, as its `ledgers`.
    """
    ledgers = [_open(nature, learner, rounds) for learner in learners]
    try:
        if isinstance(nature, Stream):
            _play_stream(nature, learners, ledgers, rounds, watch)
        elif len(learners) == 1:
            _play_rounds(nature, learners[0], ledgers[0], rounds)
        else:
            raise BadCommand("a nature that answers round by round plays one learner at a time")
    except (BadInput, KeyboardInterrupt) as stop:
        for ledger in ledgers:
            ledger.complete = False
            ledger.limit = ledger.rounds
        stop.ledgers = ledgers  # type: ignore[union-attr]
        raise
    return ledgers


def _open(nature: Any, learner: Any, rounds: int | None) -> Ledger:
    theorems = learner.theorems() if hasattr(learner, "theorems") else ()
    replayable = nature if isinstance(nature, Stream) and getattr(nature, "replayable", True) else None
    return Ledger(
        learner.spec,
        theorems,
        getattr(learner, "loss_name", "zero-one"),
        nature=replayable,
        start=learner.clone() if theorems and hasattr(learner, "clone") else None,
        fresh=getattr(learner, "is_fresh", True),
        limit=rounds,
    )


def _play_stream(
    stream: Stream, learners: Sequence[Any], ledgers: list[Ledger], rounds: int | None, watch: Watch | None
) -> None:
    for batch in first(stream, rounds):
        said = [(np.empty(len(batch)), np.empty(len(batch))) for _ in learners]
        for learner, ledger, (predictions, scores) in zip(learners, ledgers, said, strict=True):
            began = time.perf_counter()
            play_batch(batch, learner, ledger, predictions, scores)
            ledger.seconds += time.perf_counter() - began
        if watch is not None:
            watch(batch, ledgers, said)


def first(stream: Stream, rounds: int | None) -> Iterator[Batch]:
    """Yield the batches of the first so many rounds."""
    left = math.inf if rounds is None else rounds
    if left <= 0:
        return
    for batch in stream.batches():
        yield batch.take(int(left)) if left < len(batch) else batch
        left -= len(batch)
        if left <= 0:
            return


def play_batch(batch: Batch, learner: Any, ledger: Ledger, predictions: Floats, scores: Floats) -> None:
    """Play one batch: in the core where there is one, else round by round."""
    try:
        if hasattr(learner, "play_matrix"):
            learner.play_matrix(batch.matrix(), batch.labels, batch.weights, ledger.tally, predictions, scores)
        else:
            _play_one_by_one(batch, learner, ledger, predictions, scores)
    except BadInput as bad:
        if bad.row is not None and bad.where is None:
            bad.where = batch.where(bad.row) if batch.where else f"row {bad.row}"
        raise


def _play_one_by_one(batch: Batch, learner: Any, ledger: Ledger, predictions: Floats, scores: Floats) -> None:
    for r, now in enumerate(batch.rounds()):
        try:
            predictions[r], scores[r] = _play_round(now.x, lambda _, y=now.y: y, learner, ledger, now.weight)
        except BadInput as bad:
            bad.row = r
            raise


def _play_rounds(nature: Nature, learner: Any, ledger: Ledger, rounds: int | None) -> None:
    """Play against a nature that answers round by round, and write down what it said."""
    record = Recorded()
    ledger.nature = record
    began = time.perf_counter()
    left = math.inf if rounds is None else rounds
    while left > 0 and (x := nature.pose()) is not None:
        answer: list[float | None] = []

        def reveal(prediction: float, answer: list[float | None] = answer) -> float | None:
            answer.append(nature.reveal(prediction))
            return answer[0]

        _play_round(x, reveal, learner, ledger, 1.0)
        record.add(x, answer[0])
        left -= 1
    ledger.seconds += time.perf_counter() - began


def _play_round(
    x: Example, reveal: Callable[[float], float | None], learner: Any, ledger: Ledger, weight: float
) -> tuple[float, float]:
    """The round itself."""
    scored = hasattr(learner, "score")
    prediction = learner.predict(x)
    score = learner.score(x) if scored else prediction
    y = reveal(prediction)
    if y is None:
        ledger.tally.skip(getattr(learner, "potential", 0.0))
        return prediction, score
    updated = learner.learn(x, y, weight=weight)
    loss = learner.loss_of(score, y) if hasattr(learner, "loss_of") else float(prediction != y)
    potential = getattr(learner, "potential", 0.0)
    ledger.tally.add(score, prediction, float(y), loss, bool(updated), weight, potential)
    return prediction, score
