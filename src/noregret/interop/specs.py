"""Specs, as the adapters need them: whose learner is it, and with which parameters."""

from __future__ import annotations

from typing import Any

from noregret.errors import BadParameter, UnknownName
from noregret.parameters import name_of
from noregret.registry import LEARNERS, PANELS, learner_class
from noregret.registry import learner as make_learner


def task_of(spec: str) -> str:
    """What a learner predicts: "binary", "multiclass", "regression" (any number) or "ranks"."""
    kind = learner_class(name_of(spec))
    return "ranks" if hasattr(kind, "takes") else str(kind.task)


def require_task(spec: str, *tasks: str) -> None:
    """Refuse a spec that is not that of a learner for one of these tasks."""
    kind = learner_class(name_of(spec))
    name = kind.name
    if name not in LEARNERS | PANELS:
        raise UnknownName(f"{name} does not learn from features; `noregret learners` lists those that do")
    if task_of(spec) not in tasks:
        raise BadParameter(
            f"{name} is a learner for {task_of(spec)}; this takes one for {' or '.join(tasks)}"
        )


def multiclass_form(spec: str) -> str | None:
    """The same rule for several classes; None where no learner has its name and its parameters."""
    name = f"multiclass-{name_of(spec)}"
    if name not in LEARNERS:
        return None
    known = {parameter.name for parameter in learner_class(name).accepts}
    return f"multiclass-{spec}" if known >= set(make_learner(spec).parameters) else None


def is_scaled(parameters: dict[str, Any]) -> bool:
    """Whether a learner with these parameters scales values before it weighs them."""
    return bool(parameters.get("scale", "none") != "none")


def gives_chances(spec: str) -> bool:
    """Whether a score is the logarithm of the odds, because the learner has the logistic loss."""
    return bool(make_learner(spec).loss_name == "logistic")


def takes_zero_one(spec: str) -> bool:
    """Whether a learner refuses values other than 0 and 1."""
    return bool(getattr(learner_class(name_of(spec)), "zero_one", False))


def same(spec: str, other: str) -> bool:
    """Whether two specs are those of one learner, however they are written."""
    return spec == other or bool(make_learner(spec).spec == make_learner(other).spec)


def changed(spec: str, given: dict[str, Any]) -> str:
    """Write the spec of the same learner with other parameters."""
    before = make_learner(spec)
    unknown = sorted(set(given) - set(before.parameters))
    if unknown:
        known = ", ".join(before.parameters) or "none"
        raise BadParameter(f"{before.name} has no parameter {unknown[0]}; its parameters are: {known}")
    return str(type(before)(**(before.parameters | given)).spec)
