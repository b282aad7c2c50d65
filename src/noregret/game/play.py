"""The game: the only place that orders pose → predict → reveal → learn.

A learner with a native core plays whole batches at a time; any other plays round by round. Both
ways give the same predictions, the same weights and the same ledger, to the bit.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, cast

from noregret import _core
from noregret.errors import BadCommand, BadInput, BusyLearner, Stopped
from noregret.game.interrupts import Calm, calm
from noregret.game.late_rounds import arrive, play_late
from noregret.game.loops import has_loop
from noregret.game.pace import paced
from noregret.game.players import require_players
from noregret.game.said import Said
from noregret.game.tallying import count, top
from noregret.ledger import Ledger
from noregret.natures.recorded import Recorded
from noregret.natures.spooled import Spooled
from noregret.rounds import Batch, Example, Learner, Nature, Stream, is_stream
from noregret.sample import Sample, needs_sample

_MOMENT = 0.001  # seconds
Watch = Callable[[Batch, Sequence[Ledger], Sequence[Said]], None]


def play(
    nature: Stream | Nature, learner: Learner, rounds: int | None = None, replay: bool = False
) -> Ledger:
    """Play a learner against a nature, for so many rounds or to the end.

    With `replay`, the rows of a stream that can be read only once are kept in a temporary file, so that the
    run can be certified.

    >>> import numpy as np, noregret as nr
    >>> nr.play(nr.from_arrays(np.eye(3), [-1, -1, -1]), nr.Perceptron())
    <Ledger perceptron: 3 mistakes in 3 rounds>
    """
    if replay and is_stream(nature) and not getattr(nature, "replayable", True):
        nature = Spooled(nature)
    return play_all(nature, [learner], rounds)[0]


def play_all(
    nature: Stream | Nature,
    learners: Sequence[Learner],
    rounds: int | None = None,
    watch: Watch | None = None,
    skip: bool = False,
    scores: bool = True,
    sampling: bool = True,
) -> list[Ledger]:
    """Play several learners over one pass of a stream; `watch` sees every batch when it is done.

    It is given the batch, the ledgers so far, and of each learner what it said: `predictions`, and `scores`
    unless these are not wanted. With `sampling`, rows that are read from a file are sampled on the way:
    witnesses of certificates are searched for on the sample.

    A bad row stops the run, or with `skip` is counted and passed over. When a run is stopped, by a
    bad row or by Ctrl-C, what was learned before stays learned: the exception carries the ledgers,
    marked incomplete, as its `ledgers`. Where only one of several learners refuses the row, those that
    stand before it in the list have played its batch to the end; the ledgers say how many rounds each has.
    """
    require_players(nature, learners, rounds)
    ledgers = [_open(nature, learner, rounds, skip) for learner in learners]
    sample = _sample(nature, ledgers) if sampling else None
    try:
        if is_stream(nature):
            # Closed in any case: an error that is kept would keep what reads ahead at work.
            with calm() as pause, closing(paced(first(nature, rounds))) as batches:
                try:
                    _play_stream(batches, learners, ledgers, watch, scores, pause, sample)
                finally:
                    _settle(learners, ledgers)
        elif len(learners) == 1:
            _play_rounds(cast(Nature, nature), learners[0], ledgers[0], rounds)
        else:
            raise BadCommand("a nature that answers round by round plays one learner at a time")
    except BadInput as bad:
        bad.ledgers = _cut_short(ledgers)
        raise
    except KeyboardInterrupt:
        raise Stopped(_cut_short(ledgers)) from None
    finally:
        for learner, ledger in zip(learners, ledgers, strict=True):
            ledger.account = learner.account() if hasattr(learner, "account") else None
            if ledger.theorems and ledger.account is None and hasattr(learner, "clone"):
                ledger.final = learner.clone()
    return ledgers


def _sample(nature: Any, ledgers: list[Ledger]) -> Sample | None:
    """A sample to be filled while a file is read; what lies in memory is sampled when it is asked for."""
    wanted = any(needs_sample(theorem) for ledger in ledgers for theorem in ledger.theorems)
    if not wanted or not is_stream(nature) or getattr(nature, "in_memory", False):
        return None
    sample = Sample(_core.FeatureColumns())
    for ledger in ledgers:
        ledger.sample = sample
    return sample


def _settle(learners: Sequence[Any], ledgers: list[Ledger]) -> None:
    """Let the labels arrive that are still on their way; everybody's, whoever refuses one."""
    problems = []
    for learner, ledger in zip(learners, ledgers, strict=True):
        try:
            arrive(learner, ledger, 0)
        except BadInput as problem:
            problems.append(problem)
    if problems:
        raise problems[0]


def _cut_short(ledgers: list[Ledger]) -> list[Ledger]:
    """Mark ledgers as those of a run that was stopped where they are."""
    for ledger in ledgers:
        ledger.complete = False
        ledger.limit = ledger.rounds + ledger.skipped
    return ledgers


def _open(nature: Any, learner: Any, rounds: int | None, skip: bool) -> Ledger:
    if hasattr(learner, "announce") and hasattr(nature, "announced"):
        learner.announce(nature.announced)
    lag = int(getattr(nature, "lag", 0))
    known = "late_theorems" if lag else "theorems"
    own_way = hasattr(learner, "learn_late") and not has_loop(learner, "learn_late")  # of a subclass
    speaks = hasattr(learner, known) and not (lag and own_way)
    theorems = getattr(learner, known)() if speaks else ()
    replayable = nature if is_stream(nature) and getattr(nature, "replayable", True) else None
    return Ledger(
        learner.spec,
        theorems,
        getattr(learner, "loss_name", "zero-one"),
        nature=replayable,
        start=learner.clone() if hasattr(learner, "clone") else None,
        fresh=_is_fresh(learner),
        limit=rounds,
        skipping=skip,
        lag=lag,
        task=getattr(learner, "task", "binary"),
    )


def _is_fresh(learner: Any) -> bool:
    """Whether a learner has learned nothing: by its own count, or else by its weights."""
    if hasattr(learner, "is_fresh"):
        return bool(learner.is_fresh)
    return not _moved(getattr(learner, "weights", None), getattr(learner, "initial_weight", 0.0))


def _moved(weights: Any, initial: float) -> bool:
    """Whether a weight, by feature or by class and feature, is not what it was at first."""
    if not isinstance(weights, Mapping):
        return False
    return any(
        _moved(one, initial) if isinstance(one, Mapping) else one != initial for one in weights.values()
    )


def _play_stream(
    batches: Iterator[Batch],
    learners: Sequence[Any],
    ledgers: list[Ledger],
    watch: Watch | None,
    scores: bool,
    pause: Calm,
    sample: Sample | None,
) -> None:
    for whole in batches:
        pause.begin()
        batch, bad = whole, None
        said = [None if watch is None else Said(len(batch), scores) for _ in learners]
        for learner, ledger, told in zip(learners, ledgers, said, strict=True):
            began = time.perf_counter()
            try:
                play_batch(batch, learner, ledger, told)
            except BadInput as problem:
                if problem.row is None:
                    raise
                batch, bad = batch.part(0, problem.row), bad or problem
            ledger.seconds += time.perf_counter() - began
        if sample is not None:
            sample.add(batch)
        if watch is not None:
            watch(batch, ledgers, [told.part(0, len(batch)) for told in said if told is not None])
        if bad is not None:
            raise bad
        pause.finish()


def first(stream: Stream, rounds: int | None) -> Generator[Batch, None, None]:
    """Yield the batches of the first so many rounds."""
    left = math.inf if rounds is None else rounds
    if left <= 0:
        return
    for batch in stream.batches():
        yield batch.part(0, int(min(left, len(batch))))
        left -= len(batch)
        if left <= 0:
            return


def play_batch(batch: Batch, learner: Any, ledger: Ledger, said: Said | None) -> None:
    """Play one batch: in the core where there is one, else round by round."""
    native = has_loop(learner, "play_matrix")
    begin = 0
    while begin < len(batch):
        part = batch.part(begin, len(batch))
        told = None if said is None else said.part(begin, len(batch))
        try:
            if part.lag:
                play_late(part, learner, ledger, told)
            elif native:
                outputs = (
                    (None, None)
                    if told is None
                    else (told.predictions, told.scores if len(told.scores) else None)
                )
                learner.play_matrix(part.matrix(), part.labels, part.weights, ledger.tally, *outputs)
            else:
                _play_one_by_one(part, learner, ledger, told)
            return
        except BadInput as bad:
            if bad.row is None:
                raise
            bad.where = bad.where or part.located(bad.row)
            bad.row += begin
            if not ledger.skipping:
                raise
            ledger.pass_over(bad)
            if said is not None:
                said.pass_over(bad.row)
            begin = bad.row + 1
        finally:
            ledger.classes = _joined(learner)


def _joined(learner: Any) -> Sequence[Any]:
    """Give the classes that a multiclass learner has met; while another thread plays it, wait.

    The batch is learned by now: who is told that the learner is busy would teach it once more.
    """
    while True:
        try:
            classes: Sequence[Any] = getattr(learner, "joined", ())
            return classes
        except BusyLearner:
            time.sleep(_MOMENT)


def _play_one_by_one(batch: Batch, learner: Any, ledger: Ledger, said: Said | None) -> None:
    for r, now in enumerate(batch.rounds()):
        try:
            prediction, score = _play_round(now.x, partial(_told, now.y), learner, ledger, now.weight)
        except BadInput as bad:
            bad.row = r
            raise
        if said is not None:
            said.write(r, batch.place(prediction), score)


def _told(y: Any, _: Any) -> Any:
    return y


def _play_rounds(nature: Nature, learner: Any, ledger: Ledger, rounds: int | None) -> None:
    """Play against a nature that answers round by round, and write down what it said."""
    record = Recorded()
    ledger.nature = record
    began = time.perf_counter()
    left = math.inf if rounds is None else rounds
    while left > 0 and (x := nature.pose()) is not None:
        answer: list[Any] = []

        def reveal(prediction: Any, answer: list[Any] = answer) -> Any:
            answer.append(nature.reveal(prediction))
            return answer[0]

        _play_round(x, reveal, learner, ledger, 1.0)
        if isinstance(answer[0], Mapping):
            ledger.nature = None  # rounds with costs are not written down
        else:
            record.add(x, answer[0])
        left -= 1
    ledger.classes = _joined(learner)
    ledger.seconds += time.perf_counter() - began


def _play_round(
    x: Example, reveal: Callable[[Any], Any], learner: Any, ledger: Ledger, weight: float
) -> tuple[Any, float]:
    """The round itself; gives what was predicted, and with which score."""
    scored = hasattr(learner, "score")
    prediction = learner.predict(x)
    score = learner.score(x) if scored else prediction
    # An adversary may see how a randomised learner will draw, never the coin.
    y = reveal(score if getattr(learner, "randomised", False) else prediction)
    if y is None:
        ledger.tally.skip(getattr(learner, "potential", 0.0))
    else:
        updated = learner.learn(x, y, weight=weight)
        count(ledger.tally, learner, prediction, score, y, bool(updated), weight)
    return prediction, top(score)
