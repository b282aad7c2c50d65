"""The laws, one function each. A law raises LawBroken with a sentence, or says nothing."""

from __future__ import annotations

import copy
import math
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from noregret import reference
from noregret.checks.probes import (
    Factory,
    OneByOne,
    Patient,
    alike,
    asking,
    examples,
    finite,
    full_row,
    insist,
    one,
    play,
    played,
    portrait,
    refused,
    require,
    said,
    sensible,
    size,
    spoiled,
    task_of,
    traced,
    truths,
    untruths,
)
from noregret.game.loops import has_loop
from noregret.model_file import from_bytes, to_bytes
from noregret.natures.trial import repeated, without_zeros
from noregret.rounds import Batch

FAR = 2_000_000_000  # a feature: one of them must not cost the room of all below it
ROOM = 1 << 26  # bytes that one far feature may cost
EXAMPLE = 32  # bytes that a feature of a kept example may cost
GROWTH = 1 << 15  # bytes that many more rounds with the same features may cost
# Values and importances that no double holds the square, the product or the sum of.
HUGE = ((1e160, 1.0), (-1e160, 1.0), (1e200, 1e200), (1.7e308, 1.0), (None, 1e5), (None, 1.7e308))


def predict_changes_nothing(make: Factory, batch: Batch) -> None:
    """A learner that was asked goes on like one that was not; a round without a label teaches nothing."""
    asked, quiet = make(), make()
    for now in batch.rounds():
        require(said(asked, now.x) == said(asked, now.x), "predict, asked again, says something else")
        if now.y is None:
            require(not asked.learn(now.x, None), "learning without a label says that something changed")
        else:
            asked.learn(now.x, now.y, weight=now.weight)
            quiet.learn(now.x, now.y, weight=now.weight)
    require(alike(asked, quiet, batch), "being asked made it go on differently")


def a_batch_is_its_rounds(make: Factory, batch: Batch) -> None:
    """Batches of any size and rounds one by one give the same scores, ledger and learner, to the bit."""
    whole, parts, loop = make(), make(), make()
    third = len(batch) // 3
    at_once, one_by_one = play(whole, batch), play(OneByOne(loop), batch)
    play(parts, batch.part(0, third))
    play(parts, batch.part(third, len(batch)))
    require(at_once.scores == one_by_one.scores, "the scores of a batch are not those of its rounds")
    require(
        at_once.predictions == one_by_one.predictions,
        "the predictions of a batch are not those of its rounds",
    )
    require(at_once.counts == one_by_one.counts, "the ledger of a batch is not that of its rounds")
    require(alike(whole, loop, batch), "what is learned from a batch is not what its rounds teach")
    require(alike(whole, parts, batch), "what is learned depends on how the rounds are cut into batches")


def saving_keeps_everything(make: Factory, batch: Batch) -> None:
    """A learner that was saved and loaded goes on exactly where it was."""
    half = len(batch) // 2
    for begin in (0, half):
        learner = played(make(), batch.part(0, begin))
        data = to_bytes(learner)
        loaded = from_bytes(data)[0]
        require(to_bytes(loaded) == data, "saved again, a loaded learner gives another file")
        rest = batch.part(begin, len(batch))
        require(play(loaded, rest) == play(learner, rest), "after loading, it says something else")
        require(to_bytes(loaded) == to_bytes(learner), "after loading, it learns something else")


def a_clone_is_independent(make: Factory, batch: Batch) -> None:
    """A clone goes on like its original, and neither touches the other."""
    first, rest = batch.part(0, len(batch) // 2), batch.part(len(batch) // 2, len(batch))
    original = played(make(), first)
    before = portrait(original, batch)
    clone = original.clone() if hasattr(original, "clone") else copy.deepcopy(original)
    require(portrait(clone, batch) == before, "a clone is not like its original")
    play(clone, rest)
    after = portrait(clone, batch)
    require(portrait(original, batch) == before, "teaching a clone changes its original")
    play(original, rest)
    require(portrait(original, batch) == after, "a clone goes on differently from its original")
    play(original, first)
    require(portrait(clone, batch) == after, "teaching the original changes its clone")


def memory_is_bounded(make: Factory, batch: Batch) -> None:
    """Memory grows with the features met, not with rounds, nor with how large a feature's number is.

    A learner with a budget of examples may fill it.
    """
    learner = played(make(), repeated(batch, 2))
    kept = int(getattr(learner, "parameters", {}).get("budget") or 0)
    room = GROWTH + kept * EXAMPLE * max((len(batch.row(r)) + 1 for r in range(len(batch))), default=1)
    before, again = size(learner), repeated(batch, 20)
    growth = traced(partial(play, learner, again))[0] + size(learner) - before
    require(growth < room, f"{len(again):,} more rounds with the same features cost {growth:,} bytes")
    if batch.names is not None or batch.starts is None:
        return
    far = one(batch, FAR)
    learner = make()
    peak = traced(lambda: [learner.learn(far, y) for y in truths(learner)])[1]
    cost = max(peak, size(learner))
    members = len(getattr(learner, "specs", [learner.spec]))  # of a panel, each may take so much
    require(cost < ROOM * members, f"the one feature {FAR:,} costs {cost:,} bytes")


def bad_numbers_are_refused(make: Factory, batch: Batch) -> None:
    """NaN, ±inf, a wrong label and a wrong importance are refused, and leave no trace."""
    learner, r = played(make(), batch), full_row(batch)
    good, before = batch.example(r), portrait(learner, batch)
    for y in truths(learner)[:2]:
        for value in (math.nan, math.inf, -math.inf):
            bad = spoiled(batch, r, value).example(r)
            refused(partial(learner.predict, bad), f"predict does not refuse a value of {value}")
            refused(partial(learner.learn, bad, y), f"learn does not refuse a value of {value}")
        for weight in (-1.0, math.inf, math.nan):
            refused(
                partial(learner.learn, good, y, weight=weight), f"an importance of {weight} is not refused"
            )
    for y in untruths(learner):
        refused(partial(learner.learn, good, y), f"a label of {y} is not refused")
    require(portrait(learner, batch) == before, "a row that was refused left a trace")
    learner = make()
    refused(partial(play, learner, spoiled(batch, r, math.nan)), "a batch with NaN in it is not refused")
    kept = played(make(), batch.part(0, r))
    require(alike(learner, kept, batch), "a bad row in a batch changes what the rows before it taught")


def overflow_is_refused(make: Factory, batch: Batch) -> None:
    """A row that would push a number out of the doubles is refused, and leaves no trace."""
    r = full_row(batch)
    for value, weight in HUGE:
        learner = played(make(), batch)
        x = (batch if value is None else spoiled(batch, r, value)).example(r)
        for y in truths(learner):
            before = portrait(learner, batch)
            try:
                learner.learn(x, y, weight=weight)
            except ValueError:
                require(portrait(learner, batch) == before, "a row refused for its size left a trace")
            require(finite(learner, batch), "a huge row made numbers that are not finite")


def runs_repeat(make: Factory, batch: Batch) -> None:
    """The same rounds give the same learner: chance has a seed, and the seed is a parameter."""
    first, second = make(), make()
    require(play(first, batch) == play(second, batch), "played again, it says something else")
    require(alike(first, second, batch), "played again, it learns something else")


def features_may_appear_at_any_time(make: Factory, batch: Batch) -> None:
    """Features never met are fine in predict and in learn; 0 is the same as absent, unless it is averaged."""
    stranger = one(batch, 40)
    for learner in (make(), played(make(), batch.part(0, len(batch) // 2))):
        for x in [*examples(batch), stranger]:
            known = sensible(learner, learner.predict(x))
            require(known, "of features never met it says neither -1 nor +1, nor what its task allows")
        for y in truths(learner)[:2]:
            learner.learn(stranger, y)
    if getattr(make(), "counts_zeros", False):
        return  # a 0 that is given is one of the values whose mean is taken away
    bare = without_zeros(batch)
    first, second = (np.frombuffer(play(make(), one).predictions) for one in (bare, batch))
    # Numbers may be added up in another order where a feature that is 0 comes back later in the row.
    loose = 1e-9 if task_of(make()) == "regression" else 0.0
    same = np.allclose(first, second, rtol=loose, atol=loose, equal_nan=True)
    require(same, "a feature that is 0 is not the same as one that is absent")


def two_threads_are_safe(make: Factory, batch: Batch) -> None:
    """Used from two threads at once, a learner refuses (BusyLearner) or waits; it is never torn."""
    alone, shared = make(), make()
    native = has_loop(shared, "play_matrix")
    play(alone, repeated(batch, 10))
    with asking(shared, batch):
        for _ in range(10):
            insist(partial(play, shared if native else Patient(shared), batch))
    require(alike(alone, shared, batch), "being asked by another thread made it learn something else")
    if not native:
        return  # its rounds come one by one, and those of two threads in any order
    half = len(batch) // 2
    times = 100 if getattr(shared, "parameters", {}).get("budget") else 400  # whoever keeps examples is slow
    first, second = repeated(batch.part(0, half), times), repeated(batch.part(half, len(batch)), times)
    orders = [portrait(played(played(make(), a), b), batch) for a, b in ((first, second), (second, first))]
    for _ in range(3):
        learner = make()
        with ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(insist, partial(play, learner, part)) for part in (first, second)]
        for job in jobs:
            job.result()
        require(portrait(learner, batch) in orders, "two batches at once are not one after the other")


def it_agrees_with_its_twin(make: Factory, batch: Batch) -> None:
    """The plain-Python reference says and learns the same, to the bit."""
    learner = make()
    run = play(learner, batch)
    twin = reference.TWINS[learner.name](**learner.parameters)
    scores = np.empty(len(batch))
    for r, now in enumerate(batch.rounds()):
        scored: Any = twin.score(batch.row(r))
        scores[r] = max(scored.values(), default=0.0) if isinstance(scored, dict) else scored
        twin.learn(batch.row(r), now.y, weight=now.weight)
    require(run.scores == scores.tobytes(), "its scores are not those of the reference")
    require(learner.weights == twin.weights, "its weights are not those of the reference")
    require(learner.scalars == twin.scalars, "its running numbers are not those of the reference")
