"""What the twins share: how an example is read, added up, and refused."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence

from .scaling import SCALINGS

Feature = int | str
Example = Sequence[tuple[Feature, float]]

LARGEST_FEATURE = 2**31 - 2
BIAS = None  # the feature that is 1 in every row, and comes last


class Linear(ABC):
    """Predicts by the sign of ⟨w, x⟩ + shift; a subclass says what a label teaches.

    `table` has the weights of the features met so far, the bias among them; any other feature
    weighs `initial_weight`.
    """

    initial_weight = 0.0
    has_bias = False
    potential = 0.0  # the quantity that the proof follows

    def __init__(self, scale: str = "none") -> None:
        """Start with no feature met; `scale` is what is done to a row before the rule sees it."""
        self.scaling = SCALINGS[scale]() if scale != "none" else None
        self.table: dict[Feature | None, float] = {}
        self.kind: type | None = None  # of its features: int or str, whichever it meets first
        self.labelled = 0  # labelled rounds heard of, this one included

    # ---- what a rule says ----------------------------------------------------------------------

    def shift(self) -> float:
        """What is added to ⟨w, x⟩."""
        return 0.0

    def factor(self) -> float:
        """What ⟨w, x⟩ is multiplied by."""
        return 1.0

    def weight(self, feature: Feature | None) -> float:
        """What ⟨w, x⟩ multiplies the value of a feature by, but for the factor."""
        return self.table.get(feature, self.initial_weight)

    def decide(self, score: float) -> float:
        """The prediction that goes with a score: sign(0) = +1."""
        return 1.0 if score >= 0.0 else -1.0

    def loss_of(self, score: float, y: float) -> float:
        """What is suffered for this score when the label is y."""
        return 0.0 if self.decide(score) == y else 1.0

    def truth(self, y: float) -> float:
        """The label as a number; refused where it is none."""
        if y not in (-1, 1):
            raise ValueError(f"the label is {y}; it must be -1 or +1")
        return float(y)

    @abstractmethod
    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Learn; True when something changed. Refuse before anything has changed."""

    @property
    def scalars(self) -> dict[str, float]:
        """The running numbers of the rule, by name."""
        return {}

    # ---- what all of them do -------------------------------------------------------------------

    @property
    def weights(self) -> dict[Feature, float]:
        """The weights that have moved from where they started."""
        fresh = self.factor() * self.initial_weight
        now = {f: self.factor() * self.weight(f) for f in self.table if f is not BIAS}
        return {f: w for f, w in now.items() if w != fresh}

    @property
    def intercept(self) -> float:
        """The weight of the bias."""
        return self.factor() * self.weight(BIAS) if BIAS in self.table else 0.0

    def score(self, x: Example) -> float:
        """One sum over the row as it is seen, in the order given, the bias last."""
        self.check(x)
        return self.total(x if self.scaling is None else self.scaling.seen(added_up(x)))

    def total(self, x: Example) -> float:
        """Add up a row as the rule sees it."""
        total = 0.0
        for feature, value in self.row(x):
            total += self.weight(feature) * value
        total = total * self.factor() + self.shift()
        if not math.isfinite(total):
            raise ValueError("the score of this row overflows")
        return total

    def predict(self, x: Example) -> float:
        """−1 or +1. Changes nothing."""
        return self.decide(self.score(x))

    def learn(self, x: Example, y: float | None, weight: float = 1.0) -> bool:
        """Learn that the label of x is y; no label, or no importance, teaches nothing."""
        return self._told(x, y, self.score(x), weight)

    def learn_late(self, x: Example, y: float | None, score: float, weight: float = 1.0) -> bool:
        """Learn a label that comes late; `score` is what was said when x was predicted."""
        self.score(x)  # a bad row is refused
        return self._told(x, y, score, weight)

    def _told(self, x: Example, y: float | None, score: float, weight: float) -> bool:
        if y is None:
            return False
        label = self.truth(y)
        if not 0.0 <= weight < math.inf:
            raise ValueError(f"the importance weight is {weight}; it must be a finite number, 0 or more")
        changed = weight > 0.0 and self._heard(x, label, score, weight)
        for feature, _ in x:
            self.kind = type(feature)
            self.table.setdefault(feature, self.initial_weight)
        return changed

    def _heard(self, x: Example, y: float, score: float, weight: float) -> bool:
        if self.scaling is None:
            return self._taught(x, y, score, weight)
        once = added_up(x)
        after = self.scaling.after(once)
        scaled = after.seen(once)
        changed = self._taught(scaled, y, self.total(scaled), weight)
        self.scaling = after
        return changed

    def _taught(self, x: Example, y: float, score: float, weight: float) -> bool:
        before = dict(vars(self))
        try:
            self.labelled += 1
            return self.update(x, y, score, weight)
        except ValueError:
            vars(self).update(before)  # numbers; a rule replaces its tables and never changes them halfway
            raise

    def row(self, x: Example) -> list[tuple[Feature | None, float]]:
        """Put the bias, if there is one, at the end of an example."""
        return [*x, (BIAS, 1.0)] if self.has_bias else [*x]

    def check(self, x: Example) -> None:
        """Refuse features that are neither names nor numbers in range, and values that are not finite."""
        for feature, value in x:
            if type(feature) not in (int, str) or type(feature) is not (self.kind or type(x[0][0])):
                raise ValueError(f"feature {feature!r}: features are all whole numbers, or all names")
            if isinstance(feature, int) and not 0 <= feature <= LARGEST_FEATURE:
                raise ValueError(f"feature {feature} is out of range: 0 to {LARGEST_FEATURE}")
            if not math.isfinite(value):
                raise ValueError(f"feature {feature} is {value}; a value must be a finite number")


class LaneWise(Linear):
    """A rule that does the same with every feature of a row, once a step has been chosen.

    `numbers` has what is kept for each feature, the weight first. A row that is learned has its
    repeated features added up before.
    """

    initial: tuple[float, ...] = (0.0,)

    def __init__(self, scale: str = "none") -> None:
        """Start with no feature met."""
        super().__init__(scale)
        self.numbers: dict[Feature | None, tuple[float, ...]] = {}

    # ---- what a rule says ----------------------------------------------------------------------

    @abstractmethod
    def moves(self, y: float, score: float) -> bool:
        """Whether the round teaches anything."""

    def measure(self, at: tuple[float, ...], value: float) -> float:
        """What is summed over the row before the step is chosen."""
        return 0.0

    @abstractmethod
    def plan(self, y: float, score: float, measured: float, weight: float) -> tuple[float, float]:
        """Choose the step: two numbers for `apply`; two zeros are no step."""

    @abstractmethod
    def apply(self, at: tuple[float, ...], value: float, step: tuple[float, float]) -> tuple[float, ...]:
        """Give what the step makes of the numbers of one feature."""

    # ---- what all of them do -------------------------------------------------------------------

    def update(self, x: Example, y: float, score: float, weight: float) -> bool:
        """Measure the row, choose a step, take it; refuse before anything has changed."""
        if not self.moves(y, score):
            return False
        row = merged(self.row(x))
        measured = 0.0
        for feature, value in row:
            measured += self.measure(self.at(feature), value)
        step = self.plan(y, score, measured, weight)
        if step == (0.0, 0.0):
            return False
        after = {feature: self.apply(self.at(feature), value, step) for feature, value in row}
        change = 0.0
        for feature, numbers in after.items():
            change += (numbers[0] - self.at(feature)[0]) * (numbers[0] + self.at(feature)[0])
        finite = all(math.isfinite(number) for numbers in after.values() for number in numbers)
        if not finite or not math.isfinite(self.potential + change):
            raise ValueError("learning from this row would overflow the weights")
        self.potential += change
        self.numbers.update(after)
        self.table.update({feature: numbers[0] for feature, numbers in after.items()})
        return True

    def at(self, feature: Feature | None) -> tuple[float, ...]:
        """The numbers of a feature, met or not."""
        return self.numbers.get(feature, self.initial)


def merged(row: Sequence[tuple[Feature | None, float]]) -> list[tuple[Feature | None, float]]:
    """Add up repeated features, each at its first place."""
    sums: dict[Feature | None, float] = {}
    for feature, value in row:
        sums[feature] = sums[feature] + value if feature in sums else value
    return list(sums.items())


def added_up(x: Example) -> list[tuple[Feature, float]]:
    """Add up repeated features of a row that has no bias yet."""
    return [(feature, value) for feature, value in merged(x) if feature is not None]


def stepped(
    numbers: dict[Feature | None, float],
    row: Sequence[tuple[Feature | None, float]],
    step: float,
    square: float,
) -> tuple[dict[Feature | None, float], float]:
    """Give what v ← v + step·x makes of the numbers of a row, and ‖v‖² after it; change nothing."""
    after: dict[Feature | None, float] = {}
    change = 0.0
    for feature, value in row:
        old = after.get(feature, numbers.get(feature, 0.0))
        new = old + step * value
        after[feature] = new
        change += (new - old) * (new + old)
    if not math.isfinite(square + change):
        raise ValueError("learning from this row would overflow the weights")
    return after, square + change


def checked(name: str, value: float, low: float) -> float:
    """Refuse a parameter that is not a finite number above `low`."""
    if not low < value < math.inf:
        raise ValueError(f"{name} is {value}; it must be a finite number above {low:g}")
    return float(value)
