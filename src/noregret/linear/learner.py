"""What every linear learner has in common: parameters, a spec, copies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Self

from noregret import _core
from noregret.certificate import Theorem
from noregret.errors import BadParameter
from noregret.rounds import Floats


class Parameter(NamedTuple):
    """A parameter of a learner, for help and for specs."""

    name: str
    default: float | bool | None
    meaning: str


class LinearLearner(_core.Linear):
    """A rule of the native core with a name, parameters and theorems.

    A subclass says what it is; everything else (save, clone, batches, inspection) follows.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    loss_name: ClassVar[str] = "perceptron"
    accepts: ClassVar[tuple[Parameter, ...]] = ()

    def __init__(self, *, bias: bool = False, **parameters: float) -> None:
        """Hand the parameters to the core."""
        super().__init__(self.name, parameters, bias)

    def theorems(self) -> tuple[Theorem, ...]:
        """The theorems that speak about this learner, with these parameters."""
        return ()

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name, as they would be given again."""
        return {p.name: getattr(self, p.name) for p in self.accepts}

    @property
    def spec(self) -> str:
        """The one-line name, for example ``perceptron:rate=0.5``."""
        given = self.parameters
        told = [f"{p.name}={written(given[p.name])}" for p in self.accepts if given[p.name] != p.default]
        return ":".join([self.name, ",".join(told)]) if told else self.name

    @property
    def is_fresh(self) -> bool:
        """Whether it has learned nothing yet."""
        return (
            not self.weights
            and not self.intercept
            and not any(v for k, v in self.scalars.items() if k not in ("threshold", "highest"))
        )

    def clone(self) -> Self:
        """Make a copy that shares nothing."""
        copy = type(self)(**self.parameters)
        copy.adopt(self)
        return copy

    __copy__ = clone

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Self:
        """Copy."""
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        """Let pickle, and so multiprocessing, carry it. Model files are never pickles."""
        return _rebuilt, (type(self), self.parameters, self.state())

    def __repr__(self) -> str:
        """Spec and size."""
        return f"<{self.spec}: {len(self.weights):,} weights>"


def _rebuilt(kind: type[LinearLearner], parameters: dict[str, Any], state: dict[str, Any]) -> LinearLearner:
    learner = kind(**parameters)
    learner.restore(state)
    return learner


def vector(weights: Mapping[Any, float], features: list[Any], initial: float = 0.0) -> Floats:
    """Lay out weights in the order of the features."""
    import numpy as np

    return np.array([weights.get(feature, initial) for feature in features], dtype=np.float64)


def positive(name: str, value: float) -> float:
    """Check a number that must be above 0 and finite."""
    return within(name, value, 0.0, math.inf)


def within(name: str, value: float, low: float, high: float) -> float:
    """Check a number that must lie strictly between two others."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise BadParameter(f"{name} is {value!r}; it must be a number") from None
    if not (low < number < high):
        asked = f"above {low:g}" if math.isinf(high) else f"between {low:g} and {high:g}"
        raise BadParameter(f"{name} is {value}; it must be a finite number {asked}")
    return number


def flag(name: str, value: bool) -> bool:
    """Check a yes or no."""
    if not isinstance(value, bool):
        raise BadParameter(f"{name} is {value!r}; it must be true or false")
    return value


def written(value: float | bool | None) -> str:
    """Write a parameter the way a spec has it."""
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
