"""Learners of classes and of numbers that are wrong, and the games in which their theorems notice."""

import numpy as np

from noregret.natures.margins import class_signs, linear_numbers, separable_classes, separable_ranks
from noregret.reference.gradient import OGD
from noregret.reference.multiclass import Kesler
from noregret.reference.multiclass_rules import ExponentRule
from noregret.reference.passive_aggressive import PassiveAggressive, PassiveAggressive1, PassiveAggressive2
from noregret.reference.perceptron import Perceptron
from noregret.reference.ranking import PRank
from noregret.reference.regression import PARegression, QuantileRegression, WidrowHoff
from noregret.reference.ridge import Ridge

# ---- several classes -------------------------------------------------------------------------------


def over_classes(rule, frame=Kesler):
    def made(scale="none", **parameters):
        return frame(rule(**parameters), scale)

    made.__name__ = rule.__name__ if frame is Kesler else frame.__name__
    return made


class FlippedStep(Perceptron):
    def plan(self, y, score, measured, weight):
        return -self.rate * weight * y, 0.0


class NeverSteps(Perceptron):
    def plan(self, y, score, measured, weight):
        return 0.0, 0.0


class SmallerAndSmaller(Perceptron):
    def plan(self, y, score, measured, weight):
        self.rate *= 0.5
        return self.rate * weight * y, 0.0


class LosesTheSign(Perceptron):
    def apply(self, at, value, step):
        return (at[0] + step[0] * abs(value),)


class KeepsTheLast(Perceptron):
    def apply(self, at, value, step):
        return (step[0] * value,)


class Swapped(Kesler):
    """Takes the rival for the right class."""

    def reveal(self, x, shown, weight):
        if shown.rival is None:
            return False
        return super().reveal(x, shown._replace(right=shown.rival, rival=shown.right), weight)


class LearnsWhenRight(Kesler):
    def reveal(self, x, shown, weight):
        return super().reveal(x, shown._replace(margin=-shown.margin, mistaken=not shown.mistaken), weight)


CLASS_MUTANTS = [
    *map(over_classes, [FlippedStep, NeverSteps, SmallerAndSmaller, LosesTheSign, KeepsTheLast]),
    over_classes(Perceptron, Swapped),
    over_classes(Perceptron, LearnsWhenRight),
]


def classes(noise):
    """Four classes with a lead of 0.1 under a hidden U, save for a share of noise."""
    stream = separable_classes(6, 4, 0.1, 2500, seed=3)
    rng = np.random.default_rng(4)
    wrong = rng.random(len(stream)) < noise
    stream.labels = np.where(wrong, rng.integers(0, 4, len(stream)), stream.labels).astype(float)
    witness, stream.witness = stream.witness, None
    return stream, witness


# ---- numbers ---------------------------------------------------------------------------------------


def number_mutants(rule):
    class Flipped(rule):
        def plan(self, y, score, measured, weight):
            step, _ = super().plan(y, score, measured, weight)
            return -0.01 * step, 0.0

    class Stays(rule):
        def plan(self, y, score, measured, weight):
            return 0.0, 0.0

    class TooSmall(rule):
        def plan(self, y, score, measured, weight):
            step, _ = super().plan(y, score, measured, weight)
            return 1e-4 * step, 0.0

    class Tires(rule):
        """Every step is shorter than the one before."""

        pace = 1.0

        def plan(self, y, score, measured, weight):
            self.pace *= 0.8
            step, _ = super().plan(y, score, measured, weight)
            return self.pace * step, 0.0

    class Absolute(rule):
        def apply(self, at, value, step):
            return super().apply(at, abs(value), step)

    return [Flipped, Stays, TooSmall, Tires, Absolute]


def numbers(noise=0.0):
    stream = linear_numbers(5, 1000, noise, seed=8)
    witness, stream.witness = stream.witness, None
    return stream, witness


def leading():
    """The same with a witness under which the right class leads by 1, as the hinge asks."""
    stream, witness = classes(0.0)
    return stream, 10.0 * witness


def class_games():
    """The three forms of passive-aggressive, each wrong in the same ways."""
    for spec, form, rule in (
        ("multiclass-pa", "PA", PassiveAggressive),
        ("multiclass-pa1", "PA-I", PassiveAggressive1),
        ("multiclass-pa2", "PA-II", PassiveAggressive2),
    ):
        wrong = [over_classes(one) for one in number_mutants(rule) if one.__name__ != "TooSmall"]
        yield f"Crammer et al. (multiclass {form})", (leading, spec, over_classes(rule), wrong)


def descent_mutants():
    """Gradient descents that are wrong; a step that is too small is only a smaller rate."""
    for one in number_mutants(OGD):
        if one.__name__ != "TooSmall":
            yield over_classes(one)
    yield over_classes(OGD, Swapped)


def signs():
    stream = class_signs(40, 4, 500, seed=9)
    witness, stream.witness = stream.witness, None
    return stream, witness


def winnow_mutants():
    """Winnows of several classes that are wrong; a step that is too small is only a smaller rate."""
    for one in number_mutants(ExponentRule):
        if one.__name__ != "TooSmall":
            yield over_classes(one)
    yield over_classes(ExponentRule, Swapped)


# ---- ranks -----------------------------------------------------------------------------------------


class StepsAway(PRank):
    def update(self, x, y, score, weight):
        return super().update([(feature, -value) for feature, value in x], y, score, weight)


class OnlyThresholds(PRank):
    def update(self, x, y, score, weight):
        return super().update([], y, score, weight)


class TakesOneStep(PRank):
    """Keeps the last step only."""

    def update(self, x, y, score, weight):
        before, self.table = self.table, {}
        moved = super().update(x, y, score, weight)
        self.table = self.table if moved else before
        return moved


class TurnedRanks(PRank):
    def decide(self, score):
        return self.ranks + 1.0 - super().decide(score)


def ranked():
    return separable_ranks(4, 3, 0.1, 1000, seed=6), None


_CLASSES = (over_classes(Perceptron), CLASS_MUTANTS)
BEYOND = {
    "Kivinen–Warmuth (classes)": (
        signs,
        "multiclass-winnow:rate=0.3",
        over_classes(ExponentRule),
        list(winnow_mutants()),
    ),
    "Crammer–Singer": (lambda: classes(0.0), "multiclass-perceptron", *_CLASSES),
    "Crammer–Singer (any data)": (lambda: classes(0.01), "multiclass-perceptron", *_CLASSES),
    "Mohri–Rostamizadeh (classes)": (lambda: classes(0.002), "multiclass-perceptron", *_CLASSES),
    "Zinkevich (multiclass)": (
        leading,
        "multiclass-ogd:step=constant,rate=0.1",
        over_classes(OGD),
        list(descent_mutants()),
    ),
    "Cesa-Bianchi–Long–Warmuth": (numbers, "widrow-hoff:rate=1", WidrowHoff, number_mutants(WidrowHoff)),
    "Crammer et al. (regression)": (
        numbers,
        "pa-regression:epsilon=0,form=2",
        PARegression,
        number_mutants(PARegression),
    ),
    **dict(class_games()),
    "Crammer–Singer (ranks)": (
        ranked,
        "prank:ranks=3",
        PRank,
        [StepsAway, OnlyThresholds, TakesOneStep, TurnedRanks],
    ),
    "Vovk–Azoury–Warmuth": (numbers, "ridge", Ridge, number_mutants(Ridge)[:-1]),
    "Zinkevich (quantile)": (
        numbers,
        "quantile-regression:rate=0.05",
        QuantileRegression,
        number_mutants(QuantileRegression),
    ),
}
