"""The twins of multiclass learners: binary twins taught the difference of two classes."""

from __future__ import annotations

import copy
import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .linear import BIAS, Example, Feature, LaneWise, Linear, added_up, merged

Class = int | str


class Against(NamedTuple):
    """What the right class is held against, whether that is a mistake, and how much it counts."""

    rival: Class | None
    mistaken: bool
    weight: float


class Shown(NamedTuple):
    """What a label says: the right class, the class it is held against, and how the scores stood."""

    right: Class
    rival: Class | None
    margin: float  # of the right class over the rival
    mistaken: bool


class Classes(Linear):
    """Predicts the class with the largest score, a tie to the smallest; numbers come before words.

    `joined` has the classes in the order in which they were announced or first revealed.
    """

    featureless = False

    def __init__(self, scale: str = "none") -> None:
        """Start with no class known."""
        super().__init__(scale)
        self.joined: list[Class] = []

    # ---- what a rule says ----------------------------------------------------------------------

    @abstractmethod
    def class_weight(self, one: Class, feature: Feature | None) -> float:
        """What the score of a class multiplies the value of a feature by."""

    @abstractmethod
    def margin_loss(self, margin: float, mistaken: bool, alone: bool) -> float:
        """What is suffered when the right class leads the best other one by a margin."""

    @abstractmethod
    def reveal(self, x: Example, shown: Shown, weight: float) -> bool:
        """Learn that one class is right and another is its rival."""

    # ---- what all of them do -------------------------------------------------------------------

    @property
    def classes(self) -> list[Class]:
        """The classes known, numbers before words."""
        return sorted(self.joined, key=lambda one: (isinstance(one, str), one))

    def announce(self, classes: Any) -> None:
        """Make classes known before they are seen."""
        self.joined += [as_class(one) for one in classes if as_class(one) not in self.joined]

    def class_number(self, one: Any) -> int:
        """The place of a class among those that joined; −1 for none."""
        return self.joined.index(as_class(one)) if one is not None and as_class(one) in self.joined else -1

    def score(self, x: Example) -> Any:
        """The scores of the row as it is seen, by class."""
        self.check(x)
        return self.scores_of(x if self.scaling is None else self.scaling.seen(added_up(x)))

    def scores_of(self, x: Example) -> dict[Class, float]:
        """For each class one sum, in the order given, the bias last."""
        scores: dict[Class, float] = {}
        row = [(BIAS, 1.0)] if self.featureless else self.row(x)
        for one in self.classes:
            total = 0.0
            for feature, value in row:
                total += self.class_weight(one, feature) * value
            scores[one] = total * self.factor() + 0.0
        if not all(map(math.isfinite, scores.values())):
            raise ValueError("the score of this row overflows")
        return scores

    def predict(self, x: Example) -> Any:
        """The class with the largest score; None while none is known."""
        return leader(self.score(x))

    def loss_of(self, scores: Any, y: Any) -> float:
        """What is suffered for these scores when the class is y."""
        right = as_class(y)
        rival = leader(scores, but=right)
        margin = 0.0 if rival is None else scores.get(right, 0.0) - scores[rival]
        return self.margin_loss(margin, leader(scores) != right, rival is None)

    def update(self, x: Example, y: Any, score: Any, weight: float) -> bool:
        """Learn, as `learn` does: the scores are worked out there."""
        return self.learn(x, y, weight)

    def learn(self, x: Example, y: Any, weight: float = 1.0) -> bool:
        """Learn that the class of x is y, or what every class costs; no label teaches nothing."""
        scores = self.score(x)
        if y is None:
            return False
        if not 0.0 <= weight < math.inf:
            raise ValueError(f"the importance weight is {weight}; it must be a finite number, 0 or more")
        before = list(self.joined)
        try:
            if isinstance(y, Mapping):
                return self._pay(x, scores, {as_class(one): float(cost) for one, cost in y.items()}, weight)
            right = as_class(y)
            self.announce([right])

            def against(now: dict[Class, float]) -> Against:
                return Against(leader(now, but=right), leader(now) != right, weight)

            return self._shown(x, scores, right, against, weight)
        except ValueError:
            self.joined = before
            raise

    def _pay(self, x: Example, scores: dict[Class, float], costs: dict[Class, float], weight: float) -> bool:
        said = leader(scores)
        self.announce(costs)
        right = min(sorted(costs, key=lambda one: (isinstance(one, str), one)), key=lambda one: costs[one])
        extra = weight * (costs[said] - costs[right]) if said is not None else 0.0
        told = Against(said if extra > 0.0 else None, extra > 0.0, extra)
        return self._shown(x, scores, right, lambda now: told, weight)

    def _shown(
        self,
        x: Example,
        scores: dict[Class, float],
        right: Class,
        against: Callable[[dict[Class, float]], Against],
        weight: float,
    ) -> bool:
        """Teach, by the scores as they stand; with scaling, by what they are once it has met the row."""
        told, shown = self._seen(scores, right, against)
        for feature, _ in x:
            self.kind = type(feature)
        if self.scaling is None or weight == 0.0:
            return told.weight > 0.0 and self.reveal(x, shown, told.weight)
        once = added_up(x)
        after = self.scaling.after(once)
        scaled = after.seen(once)
        told, shown = self._seen(self.scores_of(scaled), right, against)
        changed = told.weight > 0.0 and self.reveal(scaled, shown, told.weight)
        self.scaling = after
        return changed

    def _seen(
        self, scores: dict[Class, float], right: Class, against: Callable[[dict[Class, float]], Against]
    ) -> tuple[Against, Shown]:
        """What a label says by these scores; a class that just joined has 0."""
        now = {one: scores.get(one, 0.0) for one in self.classes}
        told = against(now)
        margin = 0.0 if told.rival is None else now[right] - now[told.rival]
        if not math.isfinite(margin):
            raise ValueError("the scores of this row overflow")
        return told, Shown(right, told.rival, margin, told.mistaken)


class Kesler(Classes):
    """A binary rule taught φ(x, right) − φ(x, rival) with label +1; φ(x, c) is x in the place of class c."""

    def __init__(self, rule: LaneWise, scale: str = "none") -> None:
        """The rule chooses the steps; what it keeps for each class and feature is kept here."""
        super().__init__(scale)
        self.rule = rule
        self.has_bias = rule.has_bias
        self.kept: dict[tuple[Class, Feature | None], tuple[float, ...]] = {}

    def at(self, one: Class, feature: Feature | None) -> tuple[float, ...]:
        """The numbers of a class and a feature, met or not."""
        return self.kept.get((one, feature), self.rule.initial)

    def class_weight(self, one: Class, feature: Feature | None) -> float:
        """The first of the numbers."""
        return self.at(one, feature)[0]

    def factor(self) -> float:
        """That of the rule."""
        return self.rule.factor()

    def margin_loss(self, margin: float, mistaken: bool, alone: bool) -> float:
        """That of the rule; nothing when there is no other class."""
        return 0.0 if alone else self.rule.loss_of(margin, 1.0)

    def reveal(self, x: Example, shown: Shown, weight: float) -> bool:
        """Teach the rule the difference; a tie that is a mistake lies on the wrong side of 0."""
        if shown.rival is None:
            return False
        margin = -5e-324 if shown.mistaken and shown.margin == 0.0 else shown.margin
        before = copy.copy(self.rule)
        try:
            self.rule.labelled += 1
            if not self.rule.moves(1.0, margin) and not shown.mistaken:
                return False
            return self._step(x, shown.right, shown.rival, margin, weight)
        except ValueError:
            self.rule = before
            raise

    def _step(self, x: Example, right: Class, rival: Class, margin: float, weight: float) -> bool:
        row = [(one, f, s * v) for f, v in merged(self.row(x)) for one, s in ((right, 1.0), (rival, -1.0))]
        measured = 0.0
        for one, feature, value in row:
            measured += self.rule.measure(self.at(one, feature), value)
        step = self.rule.plan(1.0, margin, measured, weight)
        if step == (0.0, 0.0):
            return False
        after = {(one, f): self.rule.apply(self.at(one, f), value, step) for one, f, value in row}
        change = 0.0
        for place, numbers in after.items():
            change += (numbers[0] - self.at(*place)[0]) * (numbers[0] + self.at(*place)[0])
        finite = all(math.isfinite(number) for numbers in after.values() for number in numbers)
        if not finite or not math.isfinite(self.rule.potential + change):
            raise ValueError("learning from this row would overflow the weights")
        self.rule.potential += change
        self.potential = self.rule.potential
        self.kept.update(after)
        return True

    @property
    def scalars(self) -> dict[str, float]:
        """Those of the rule."""
        return self.rule.scalars

    @property
    def weights(self) -> Any:
        """The weights other than 0, by class, then by feature."""
        found: dict[Class, dict[Feature, float]] = {one: {} for one in self.classes}
        for (one, feature), numbers in self.kept.items():
            if feature is not BIAS and self.factor() * numbers[0] != 0.0:
                found[one][feature] = self.factor() * numbers[0]
        return found

    @property
    def intercept(self) -> Any:
        """The weight of the bias, by class."""
        return {one: self.factor() * self.class_weight(one, BIAS) for one in self.classes}


def leader(scores: Mapping[Class, float], but: Class | None = None) -> Class | None:
    """The class with the largest score, a tie to the smallest, leaving one out."""
    best: Class | None = None
    for one in sorted(scores, key=lambda one: (isinstance(one, str), one)):
        if one != but and (best is None or scores[one] > scores[best]):
            best = one
    return best


def as_class(label: Any) -> Class:
    """A class as it is meant: a word, or a whole number."""
    if isinstance(label, str):
        return label
    number = float(label)
    if not number.is_integer() or abs(number) >= 2**53:
        raise ValueError(f"the label is {label}; a class is a whole number or a word")
    return int(number)
