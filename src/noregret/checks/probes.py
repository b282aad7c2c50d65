"""What the laws look with: playing, comparing, spoiling rows, asking from another thread."""

from __future__ import annotations

import gc
import math
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from noregret.errors import BadType, BusyLearner, LawBroken
from noregret.game.play import play_batch
from noregret.game.said import Said
from noregret.ledger import Ledger
from noregret.model_file import to_bytes
from noregret.natures.trial import CLASSES
from noregret.rounds import Batch, Example

Factory: TypeAlias = Callable[[], Any]


def require(met: bool, sentence: str) -> None:
    """Break the law unless something is so."""
    if not met:
        raise LawBroken(sentence)


# ---- playing -------------------------------------------------------------------------------------


class Run(NamedTuple):
    """What was said in a run, to the bit, and what the ledger counted."""

    predictions: bytes
    scores: bytes
    counts: tuple[Any, ...]


class OneByOne:
    """A learner without its native loop."""

    def __init__(self, learner: Any) -> None:
        """Wrap it."""
        self._learner = learner

    def __getattr__(self, name: str) -> Any:
        """Be the learner in everything else."""
        if name == "play_matrix":
            raise AttributeError(name)
        return getattr(self._learner, name)


def play(learner: Any, batch: Batch) -> Run:
    """Play a batch: in the learner's own loop if it has one."""
    ledger = Ledger(learner.spec)
    said = Said(len(batch))
    play_batch(batch, learner, ledger, said)
    counts = (ledger.rounds, ledger.mistakes, ledger.updates, ledger.loss, ledger.curve, ledger.potentials)
    return Run(said.predictions.tobytes(), said.scores.tobytes(), counts)


def played(learner: Any, batch: Batch) -> Any:
    """Play a batch and give the learner back."""
    play(learner, batch)
    return learner


def examples(batch: Batch) -> list[Example]:
    """List the rows, in the form a learner takes one by one."""
    return [batch.example(r) for r in range(len(batch))]


# ---- comparing -----------------------------------------------------------------------------------


def said(learner: Any, x: Example) -> tuple[Any, Any]:
    """Ask for a prediction, and for the score if there is one."""
    return learner.predict(x), learner.score(x) if hasattr(learner, "score") else None


def answer(learner: Any, x: Example) -> tuple[Any, Any] | None:
    """Ask; None when the row is refused."""
    try:
        return said(learner, x)
    except ValueError:
        return None


def file_of(learner: Any) -> bytes | None:
    """Give the bytes of its model file; None if it cannot be saved."""
    try:
        return to_bytes(learner)
    except BadType:
        return None


def portrait(learner: Any, batch: Batch) -> Any:
    """Give all there is to see of a learner: its file, or else what it says, and its weights."""
    data = file_of(learner)
    if data is not None:
        return data
    return [answer(learner, x) for x in examples(batch)], dict(getattr(learner, "weights", {}))


def alike(first: Any, second: Any, batch: Batch) -> bool:
    """Tell whether two learners are the same to the bit."""
    return bool(portrait(first, batch) == portrait(second, batch))


def finite(learner: Any, batch: Batch) -> bool:
    """Tell whether every weight is finite, and every score that is not refused."""
    if not _finite(dict(getattr(learner, "weights", {}))):
        return False
    answers = [answer(learner, x) for x in examples(batch)]
    return all(found is None or found[1] is None or _finite(found[1]) for found in answers)


def _finite(numbers: Any) -> bool:
    """Tell it of a number, or of all numbers of a dict."""
    return all(map(_finite, numbers.values())) if isinstance(numbers, dict) else math.isfinite(numbers)


def size(learner: Any) -> int:
    """Measure the model file; 0 if there is none."""
    return len(file_of(learner) or b"")


def traced(work: Callable[[], Any]) -> tuple[int, int]:
    """Do some work; give the bytes of Python's memory that it kept, and that it needed at most."""
    begun = not tracemalloc.is_tracing()
    gc.collect()
    if begun:
        tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        work()
        gc.collect()
        now, peak = tracemalloc.get_traced_memory()
        return now - before, peak - before
    finally:
        if begun:
            tracemalloc.stop()


# ---- labels of a task ----------------------------------------------------------------------------


def truths(learner: Any) -> tuple[Any, ...]:
    """Give labels that fit a learner, a few of them."""
    if few := taken(learner):
        return few[0], few[-1], few[len(few) // 2]
    by_task = {"multiclass": (CLASSES[0], CLASSES[1], 7), "regression": (-1.5, 1.0, 0.0)}
    return by_task.get(task_of(learner), (-1.0, 1.0, -1.0))


def untruths(learner: Any) -> tuple[float, ...]:
    """Give labels that do not."""
    if few := taken(learner):
        return few[0] - 1.0, few[0] + 0.5, math.nan
    by_task = {"multiclass": (0.5, math.inf, math.nan), "regression": (math.inf, -math.inf, math.nan)}
    return by_task.get(task_of(learner), (0.0, 2.0, math.nan))


def sensible(learner: Any, prediction: Any) -> bool:
    """Tell whether a prediction is of the kind that the task of a learner wants."""
    if few := taken(learner):
        return prediction in few
    if task_of(learner) == "multiclass":
        return prediction is None or prediction in learner.classes
    return math.isfinite(prediction) if task_of(learner) == "regression" else prediction in (-1.0, 1.0)


def taken(learner: Any) -> tuple[float, ...]:
    """The only labels that a learner takes, if it says so."""
    return tuple(getattr(learner, "takes", ()))


def task_of(learner: Any) -> str:
    """What the labels of a learner are; binary, unless it says otherwise."""
    return str(getattr(learner, "task", "binary"))


# ---- rows that are wrong, or odd -----------------------------------------------------------------


def refused(work: Callable[[], Any], sentence: str) -> None:
    """Break the law unless the work is refused with a ValueError."""
    try:
        work()
    except ValueError:
        return
    raise LawBroken(sentence)


def full_row(batch: Batch) -> int:
    """Find a row of the second half that is not empty."""
    return next(r for r in range(len(batch) // 2, len(batch)) if batch.row(r))


def spoiled(batch: Batch, r: int, value: float) -> Batch:
    """Put a value where row r has its last one."""
    values = batch.values.copy(order="K")
    if batch.starts is None:
        values[r, -1] = value
    else:
        values[int(batch.starts[r + 1]) - 1] = value
    return replace(batch, values=values)


def one(batch: Batch, feature: int) -> Example:
    """Make an example of the same kind in which one feature is 1, far from those of the batch."""
    if batch.names is not None:
        return {f"feature {feature}": 1.0}
    if batch.starts is None:
        return np.eye(1, feature + 1, feature)[0]
    single = Batch(np.ones(1), np.ones(1), np.array([feature]), np.array([0, 1]), feature + 1)
    return single.example(0)


# ---- two threads ---------------------------------------------------------------------------------


def insist(work: Callable[[], Any]) -> Any:
    """Do some work as soon as the learner is not busy."""
    for _ in range(10_000):
        try:
            return work()
        except BusyLearner:
            time.sleep(0.001)
    raise LawBroken("it stays busy when nobody uses it any more")


class Patient:
    """A learner whose calls wait while it is busy."""

    def __init__(self, learner: Any) -> None:
        """Wrap it."""
        self._learner = learner

    def __getattr__(self, name: str) -> Any:
        """Be the learner, patiently."""
        value = getattr(self._learner, name)
        if not callable(value):
            return value
        return lambda *given, **named: insist(partial(value, *given, **named))


@contextmanager
def asking(learner: Any, batch: Batch) -> Iterator[None]:
    """Keep asking for predictions from another thread."""
    rows, enough = examples(batch), threading.Event()

    def ask() -> None:
        while not enough.is_set():
            for x in rows:
                insist(partial(learner.predict, x))
                time.sleep(0)  # else a slow learner is always busy when the other thread has its turn

    with ThreadPoolExecutor(1) as pool:
        job = pool.submit(ask)
        try:
            yield
        finally:
            enough.set()
        job.result()
