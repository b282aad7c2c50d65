"""What every linear learner has in common: parameters, a spec, copies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from noregret import _core, markup
from noregret.certificate import Theorem
from noregret.parameters import Parameter, ReadOnlyParameters, one_of, spec_of
from noregret.rounds import Floats

BIAS = Parameter("bias", False, "whether a feature that is always 1 is added to every row")
TEMPER = Parameter("C", 1.0, "how much a round may move the weights: small for noisy labels")
SCALES = ("none", "standard", "max", "rms", "unit")
SCALE = Parameter(
    "scale",
    "none",
    "what is done to a row before the rule sees it: standard (less the mean, over the deviation, of what "
    "was met), max (over the largest met), rms (over √(Σ value²/rows)), unit (over its length)",
)


class Described(ReadOnlyParameters):
    """What a rule of the native core is called, what it takes, what is proved of it."""

    name: ClassVar[str]
    summary: ClassVar[str]
    loss_name: str  # what loss() of its rule is called
    task: ClassVar[str] = "binary"  # or multiclass, or regression: what its labels are
    read_only: ClassVar[tuple[str, ...]] = ("scale", "spec", "parameters")
    zero_one: ClassVar[bool] = False  # whether it refuses values other than 0 and 1
    keeps_examples: ClassVar[bool] = False  # so that no weights by feature make its score
    divides: ClassVar[bool] = False  # its score is ⟨w, x⟩ over something that depends on x
    steady: ClassVar[bool] = True  # what it says of a row changes only in rounds that count as updates
    scale: str  # what is done to a row before the rule sees it

    def theorems(self) -> tuple[Theorem, ...]:
        """The theorems that speak about this learner, with these parameters."""
        return ()

    def late_theorems(self) -> tuple[Theorem, ...]:
        """The theorems that speak about it when labels come late."""
        return ()

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters by name, as they would be given again."""
        return {p.name: getattr(self, p.name) for p in self.accepts}

    @property
    def spec(self) -> str:
        """The one-line name, for example ``perceptron:rate=0.5``."""
        return spec_of(self.name, self.accepts, self.parameters)

    @property
    def counts_zeros(self) -> bool:
        """Whether a 0 that is given is another thing than a feature that is absent."""
        return self.scale == "standard"

    if TYPE_CHECKING:  # the core has them

        @property
        def rounds_learned(self) -> int | None:
            """The number of labelled rounds of a weight above 0 that it has learned."""

        def adopt(self, other: Any) -> None:
            """Become a copy of another learner."""

        def state(self) -> dict[str, Any]:
            """Give everything there is to save."""

        def restore(self, state: dict[str, Any]) -> None:
            """Become what state() described."""

    @property
    def is_fresh(self) -> bool:
        """Whether it has learned no labelled round; False where an older model file kept no count."""
        return self.rounds_learned == 0

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


class LinearLearner(Described, _core.Linear):
    """A rule over one weight a feature.

    A subclass says what it is; everything else (save, clone, batches, inspection) follows.
    """

    def __init__(
        self, *, bias: bool = False, scale: str = "none", rule: str | None = None, **parameters: float
    ) -> None:
        """Hand the parameters to the core; `rule` is its name there, if it is another."""
        self.scale = one_of("scale", scale, SCALES)
        super().__init__(rule or self.name, parameters, bias, self.scale)

    def _repr_html_(self) -> str:
        """Show it in a notebook: the ten weights furthest from where they started."""
        start = self.initial_weight
        largest = sorted(self.weights.items(), key=lambda pair: (-abs(pair[1] - start), str(pair[0])))[:10]
        rows = [(str(feature), f"{weight:.6g}") for feature, weight in largest]
        return markup.table(f"{self.spec}: {len(self.weights):,} weights", rows, ("feature", "weight"))

    def __repr__(self) -> str:
        """Spec and size."""
        return f"<{self.spec}: {len(self.weights):,} weights>"


def _rebuilt(kind: type[Described], parameters: dict[str, Any], state: dict[str, Any]) -> Described:
    learner = kind(**parameters)
    learner.restore(state)
    return learner


def vector(weights: Mapping[Any, float], features: list[Any], initial: float = 0.0) -> Floats:
    """Lay out weights in the order of the features."""
    return np.array([weights.get(feature, initial) for feature in features], dtype=np.float64)


def flat(weights: Mapping[Any, Any]) -> dict[Any, float]:
    """By feature; with several classes, by "class, feature"."""
    if not any(isinstance(part, Mapping) for part in weights.values()):
        return dict(weights)
    return {f"{one}, {feature}": w for one, part in weights.items() for feature, w in part.items()}
