"""What every learner over a finite class has in common: a version space, a spec, copies."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

from noregret import _core, markup
from noregret.certificate import Theorem
from noregret.errors import BadInput, BadLabel
from noregret.hypotheses.evidence import Evidence
from noregret.hypotheses.naming import finite_class
from noregret.hypotheses.pickled import labels_of, space_of
from noregret.labelling import counts
from noregret.parameters import ReadOnlyParameters, spec_of
from noregret.rounds import Example


class FiniteLearner(ReadOnlyParameters, ABC):
    """A learner over a finite class, for labels 0 and 1.

    It keeps the version space: the hypotheses that agree with every label so far. A subclass says
    how to predict. x is a point: its number, its name, or the one feature that is 1.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    read_only: ClassVar[tuple[str, ...]] = ("hypotheses", "spec", "parameters")
    randomised: ClassVar[bool] = False
    loss_name: ClassVar[str] = "zero-one"

    def __init__(self, hypotheses: Any) -> None:
        """Start with every hypothesis of the class: a FiniteClass, a spec, a table or a CSV file."""
        self.hypotheses = finite_class(hypotheses)
        self.space = _core.VersionSpace(self.hypotheses.core)
        self.played = 0

    def predict(self, x: Example) -> float:
        """Say 0 or 1. Changes nothing."""
        return float(self._vote(self.hypotheses.point(x)))

    @abstractmethod
    def _vote(self, point: int) -> bool | int:
        """What it says about a point."""

    def votes(self, point: int) -> str:
        """How those that it listens to are divided, 0 against 1: of the version space, how many."""
        ones = self.space.ones(point)
        return f"{self.space.size - ones:,} : {ones:,}"

    def learn(self, x: Example, y: float | None, weight: float = 1.0) -> bool:
        """Learn that the label of x is y; True when something changed. A weight of 0 changes nothing."""
        point = self.hypotheses.point(x)
        if y is None:
            return False
        label = as_label(y)
        return counts(weight) and self._teach(point, label)

    def _teach(self, point: int, label: int) -> bool:
        """Keep the hypotheses that explain a label; True when others fell away."""
        ones = self.space.ones(point)
        if (ones if label else self.space.size - ones) == 0:
            where = self.hypotheses.point_name(point)
            raise BadInput(
                f"round {self.played + 1}: no hypothesis of {self.hypotheses.name} explains the labels: "
                f"all that are left say {1 - label} at {where}, and the label is {label}"
            )
        self.played += 1
        return bool(self.space.restrict(point, bool(label)))

    def theorems(self) -> tuple[Theorem, ...]:
        """The theorems that speak about this learner."""
        return ()

    def late_theorems(self) -> tuple[Theorem, ...]:
        """The theorems that speak about it when labels come late."""
        return ()

    def evidence(self) -> Evidence:
        """What a replay of its run is gathered in."""
        return Evidence(self.hypotheses)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name, as they would be given again."""
        return {p.name: getattr(self, p.name) for p in self.accepts}

    @property
    def spec(self) -> str:
        """The one-line name; the class is not part of it."""
        return spec_of(self.name, self.accepts, self.parameters)

    @property
    def potential(self) -> float:
        """The size of the version space, which the proofs follow."""
        return float(self.space.size)

    @property
    def rounds_learned(self) -> int:
        """The number of labelled rounds learned; one of weight 0, which leaves no trace, is not."""
        return self.played

    @property
    def is_fresh(self) -> bool:
        """Whether it has learned nothing yet."""
        return self.rounds_learned == 0 and self.space.size == self.hypotheses.size

    def clone(self) -> Self:
        """Make a copy that shares nothing that changes."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.space = copy.copy(self.space)
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: Any) -> Self:
        """Copy."""
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Let pickle carry it, the version space as labels. Model files are never pickles."""
        return self.__dict__ | {"space": labels_of(self.space, self.hypotheses.points)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become what was pickled."""
        self.__dict__.update(state)
        self.space = space_of(self.hypotheses.core, state["space"])

    def _repr_html_(self) -> str:
        """Show it in a notebook: the first hypotheses that are left."""
        left = [self.space.member(rank) for rank in range(min(self.space.size, 12))]
        return markup.table(repr(self)[1:-1], [(self.hypotheses.hypothesis_name(h),) for h in left])

    def __repr__(self) -> str:
        """Spec and what is left."""
        return f"<{self.spec} over {self.hypotheses.name}: {self.space.size:,} hypotheses left>"


class RandomisedLearner(FiniteLearner):
    """A learner that predicts 1 with a probability. Its loss is the expected one, over its own coin."""

    read_only: ClassVar[tuple[str, ...]] = ("seed",)
    randomised: ClassVar[bool] = True
    loss_name: ClassVar[str] = "expected zero-one"
    seed: int

    def score(self, x: Example) -> float:
        """The probability that the prediction is 1: what an adversary may see."""
        return self._chance(self.hypotheses.point(x))

    @abstractmethod
    def _chance(self, point: int) -> float:
        """How likely it is to say 1."""

    def loss_of(self, score: float, y: float) -> float:
        """The probability of a mistake."""
        return abs(score - y)


def as_label(y: Any) -> int:
    """See that a label is 0 or 1."""
    if y in (0, 1):
        return int(y)
    raise BadLabel(f"the label is {y!r}; learners over a finite class take 0 and 1")
