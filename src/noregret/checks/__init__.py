"""The laws that every learner obeys, as a library: for the learners here, and for your own.

A law is a function of a factory (anything that makes a fresh learner when called) and a batch of
rounds; it raises LawBroken with a sentence, or says nothing. `check` runs them all.

>>> check("perceptron")[0]
'features may appear at any time (dense, sparse, named, table)'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from noregret import reference
from noregret.checks import laws
from noregret.checks.probes import Factory, examples, file_of, taken, task_of
from noregret.errors import BadParameter, BadType, LawBroken
from noregret.natures.trial import SHAPES, trial
from noregret.registry import learner as make_learner
from noregret.rounds import Batch


def _anything(learner: Any) -> bool:
    return True


def _can_be_saved(learner: Any) -> bool:
    return file_of(learner) is not None


def _has_a_twin(learner: Any) -> bool:
    return getattr(learner, "name", None) in reference.TWINS


class Law(NamedTuple):
    """A sentence, the function that checks it, and of which learners it can be asked."""

    sentence: str
    holds: Callable[[Factory, Batch], None]
    applies: Callable[[Any], bool] = _anything


LAWS: tuple[Law, ...] = (
    Law("features may appear at any time", laws.features_may_appear_at_any_time),
    Law("predict changes nothing", laws.predict_changes_nothing),
    Law("runs repeat", laws.runs_repeat),
    Law("a batch is its rounds one by one", laws.a_batch_is_its_rounds),
    Law("saving keeps everything", laws.saving_keeps_everything, _can_be_saved),
    Law("a clone is independent", laws.a_clone_is_independent),
    Law("memory is bounded by the features met", laws.memory_is_bounded),
    Law("bad numbers are refused before anything changes", laws.bad_numbers_are_refused),
    Law("overflow is refused before anything changes", laws.overflow_is_refused),
    Law("two threads are refused or safe", laws.two_threads_are_safe),
    Law("it agrees with its twin", laws.it_agrees_with_its_twin, _has_a_twin),
)


def check(
    spec_or_factory: str | Factory, seed: int = 0, shapes: Sequence[str] = SHAPES, bits: bool | None = None
) -> list[str]:
    """Hold a learner to every law; give the laws it was held to, or raise LawBroken.

    `shapes` are the kinds of rows that it takes: dense, sparse, named, table. `bits` says that values must
    be 0 or 1; left out, a learner that refuses other values is believed.
    """
    make = _factory(spec_or_factory)
    only_bits = any(_refuses_numbers(make, shape, seed) for shape in shapes) if bits is None else bits
    task = task_of(make())
    few = taken(make())
    all_rows = {shape: trial(shape, bits=only_bits, seed=seed, task=task, takes=few) for shape in shapes}
    rows = {shape: batch for shape, batch in all_rows.items() if _takes(make, batch)}
    if not rows:
        raise LawBroken(f"{make().spec} takes none of these rows: {', '.join(shapes)}")
    held = [law for law in LAWS if law.applies(make())]
    for law in held:
        for shape, batch in rows.items():
            _hold(law, make, shape, batch)
    return [f"{law.sentence} ({', '.join(rows)})" for law in held]


def _factory(spec_or_factory: str | Factory) -> Factory:
    if not isinstance(spec_or_factory, str):
        return spec_or_factory
    spec = spec_or_factory
    return lambda: make_learner(spec)


def _hold(law: Law, make: Factory, shape: str, batch: Batch) -> None:
    try:
        law.holds(make, batch)
    except Exception as problem:  # a learner that raises where it should not breaks the law too
        said = str(problem) if isinstance(problem, LawBroken) else f"it raised {problem!r}"
        raise LawBroken(f"{make().spec} breaks the law '{law.sentence}' on {shape} rows: {said}") from problem


def _takes(make: Factory, batch: Batch) -> bool:
    """Tell whether the learner, with the parameters that it has, can take such rows at all."""
    try:
        make().predict(batch.example(0))
    except BadParameter:
        return False
    except Exception:
        return True  # it should, and a law will say so
    return True


def _refuses_numbers(make: Factory, shape: str, seed: int) -> bool:
    try:
        for x in examples(trial(shape, seed=seed)):
            make().predict(x)
    except (BadParameter, BadType):
        return False
    except ValueError:
        return True
    return False


__all__ = ["LAWS", "Factory", "Law", "check", "laws", "trial"]
