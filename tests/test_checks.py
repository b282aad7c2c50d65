"""Every learner obeys the laws; and each law catches learners that were written to break it."""

import itertools
import math
import time
from typing import ClassVar

import numpy as np
import pytest

import noregret as nr
from noregret import checks
from noregret.checks import laws
from noregret.errors import BadParameter, LawBroken, UnknownName
from noregret.natures.trial import SHAPES, repeated, trial, without_zeros
from noregret.registry import LEARNERS

MORE = [
    "perceptron:rate=0.3,bias=true",
    "winnow:promotion=1.5,threshold=3",
    "balanced-winnow:rate=40",
    "sop:covariance=full,bias=true",
    "cw:confidence=0.9,covariance=full",
    "arow:ridge=0.2,covariance=full,bias=true",
    "scw1:C=0.2,covariance=full",
    "scw2:covariance=full",
    "nherd:C=3,covariance=full,bias=true",
    "ons:limit=2,covariance=full",
    "voted-perceptron:budget=7,bias=true",
    "kernel-perceptron:kernel=polynomial,budget=7",
    "kernel-perceptron:kernel=linear,budget=20",
    "perceptron:margin=2",
    "ogd:loss=logistic,step=constant,rate=0.3,bias=true",
    "ogd:l1=0.1,l2=0.3,bias=true",
    "alma:alpha=0.5,B=1,normalize=false",
    "romma:aggressive=true,bias=true",
    "adagrad:form=averaging,delta=3",
    "ftrl:loss=hinge,alpha=1,l1=0.5,l2=0.1,bias=true",
]
SCALED = [
    *(f"perceptron:bias=true,scale={scale}" for scale in ("standard", "max", "rms", "unit")),
    "arow:bias=true,scale=standard",
    "arow:covariance=full,scale=max",
    *(f"multiclass-pa1:bias=true,scale={scale}" for scale in ("standard", "max", "rms", "unit")),
    "multiclass-arow:scale=standard",
    "multiclass-winnow:scale=rms",
    *(f"ridge:bias=true,scale={scale}" for scale in ("standard", "max", "rms", "unit")),
    "widrow-hoff:scale=unit",
    "pa-regression:bias=true,scale=rms",
    "quantile-regression:scale=max",
    "prank:ranks=3,scale=standard",
]


@pytest.mark.parametrize("spec", [*LEARNERS, *MORE, *SCALED])
def test_every_learner_obeys_every_law(spec):
    held = checks.check(spec, seed=len(spec) % 2)
    assert len(held) == len(checks.LAWS)
    shapes = (
        "dense, sparse" if spec == "winnow" else "dense, sparse, named, table"
    )  # its Θ is the width, unless given
    assert all(sentence.endswith(f"({shapes})") for sentence in held)


# ---- a learner of one's own ------------------------------------------------------------------------


class Own:
    """A Perceptron for dicts that owes nothing to noregret."""

    spec = "own"
    rate = 1.0

    def __init__(self):
        self.weights = {}

    def score(self, x):
        total = sum(self.weights.get(feature, 0.0) * value for feature, value in x.items())
        if not all(map(math.isfinite, x.values())) or not math.isfinite(total):
            raise ValueError("the values of an example must be finite")
        return total

    def predict(self, x):
        return 1.0 if self.score(x) >= 0.0 else -1.0

    def learn(self, x, y, weight=1.0):
        right = self.predict(x) == y
        if y not in (None, -1.0, 1.0):
            raise ValueError("a label is -1 or +1")
        if not 0.0 <= weight < math.inf:
            raise ValueError("an importance is a finite number, 0 or more")
        if y is None or right or weight == 0.0:
            return False
        moved = {f: self.weights.get(f, 0.0) + self.rate * weight * y * value for f, value in x.items()}
        if not all(abs(w) < 1e150 for w in moved.values()):
            raise ValueError("a weight would become too large")
        self.weights.update(moved)
        return True


def test_a_learner_of_ones_own_can_be_checked():
    held = checks.check(Own, shapes=["named"])
    assert len(held) == len(checks.LAWS) - 2  # it cannot be saved, and has no twin
    assert held[0] == "features may appear at any time (named)"


class Bits(Own):
    def score(self, x):
        if any(value not in (0.0, 1.0) for value in x.values()):
            raise ValueError("only 0 and 1")
        return super().score(x)


def test_a_learner_that_wants_bits_is_given_bits():
    assert checks.check(Bits, shapes=["named"])
    with pytest.raises(LawBroken, match="only 0 and 1"):
        checks.check(Bits, shapes=["named"], bits=False)


# ---- learners that break a law ---------------------------------------------------------------------


class Drifts(Own):
    def predict(self, x):
        said = super().predict(x)
        for feature in x:
            self.weights[feature] = self.weights.get(feature, 0.0) + 0.01
        return said


class KeepsAsking(Own):
    """Says the same twice, and is another learner from then on."""

    def predict(self, x):
        self.rate += 1.0
        return super().predict(x)


class LearnsWithoutLabel(Own):
    def learn(self, x, y, weight=1.0):
        return super().learn(x, 1.0 if y is None else y, weight)


class KnowsAllFeatures(Own):
    def score(self, x):
        if self.weights and not any(feature in self.weights for feature in x):
            raise KeyError("unknown features")
        return super().score(x)


class SaysZero(Own):
    def predict(self, x):
        return 0.0 if self.score(x) == 0.0 else super().predict(x)


class CountsZeros(Own):
    """Its rows are longer when they hold zeros."""

    def score(self, x):
        return super().score(x) + 0.2 * len(x) - 0.5


class Throws(Own):
    """Ties are decided by a coin that nobody seeded: here, by how many were made before."""

    coins = itertools.count()

    def __init__(self):
        super().__init__()
        self.coin = next(self.coins) % 2

    def predict(self, x):
        return (-1.0 if self.coin else 1.0) if self.score(x) == 0.0 else super().predict(x)


class LoopLearnsMore(nr.Perceptron):
    play_matrix = nr.Perceptron.play_matrix  # said to be the loop of what is written here

    def learn(self, x, y, weight=1.0):
        return super().learn(x, y, weight=1.5 * weight)


class LoopScoresOtherwise(nr.Perceptron):
    play_matrix = nr.Perceptron.play_matrix  # said to be the loop of what is written here

    def score(self, x):
        return super().score(x) * (1.0 + 1e-15)


class BatchForgets(nr.Perceptron):
    """Every batch starts anew."""

    def play_matrix(self, *given):
        self.adopt(nr.Perceptron())
        super().play_matrix(*given)


class SavesSingles(nr.Perceptron):
    def state(self):
        state = super().state()
        state["lanes"]["weight"] = state["lanes"]["weight"].astype(np.float32).astype(np.float64)
        return state


class SavesNoScalars(nr.Winnow):
    def state(self):
        state = super().state()
        state["scalars"] |= {"promotions": 0.0}
        return state


class SharesItsWeights(Own):
    def clone(self):
        copy = type(self)()
        copy.weights = self.weights
        return copy


class ClonesNothing(Own):
    def clone(self):
        return type(self)()


class LaterClone(Own):
    """The clone looks the same, and learns at another rate."""

    def clone(self):
        copy = type(self)()
        copy.weights, copy.rate = dict(self.weights), 0.3
        return copy


class KeepsEveryRow(Own):
    def __init__(self):
        super().__init__()
        self.rows = []

    def learn(self, x, y, weight=1.0):
        self.rows.append(dict(x))
        return super().learn(x, y, weight)


class MakesRoom(nr.Majority):
    """Room for every feature up to the largest."""

    room = np.zeros(0, dtype=np.int8)

    def learn(self, x, y, weight=1.0):
        self.room = np.zeros(int(np.max(x.tocsr().indices, initial=0)) + 1, dtype=np.int8)
        return super().learn(x, y, weight)


class TakesAnything(Own):
    def score(self, x):
        return sum(self.weights.get(feature, 0.0) * value for feature, value in x.items())


class TakesNegativeImportance(Own):
    def learn(self, x, y, weight=1.0):
        return super().learn(x, y, abs(weight))


class TakesAnyLabel(Own):
    def learn(self, x, y, weight=1.0):
        return super().learn(x, y if y in (None, -1.0, 1.0) else 1.0, weight)


class RefusesTooLate(Own):
    def learn(self, x, y, weight=1.0):
        if y == 1.0 and not all(map(math.isfinite, x.values())):
            self.weights["trace"] = 1.0
        return super().learn(x, y, weight)


class BatchLosesRows(nr.Perceptron):
    """A bad row takes those before it with it."""

    def play_matrix(self, *given):
        try:
            super().play_matrix(*given)
        except ValueError:
            self.adopt(nr.Perceptron())
            raise


class Overflows(Own):
    def learn(self, x, y, weight=1.0):
        if y is None or self.predict(x) == y:
            return False
        for feature, value in x.items():
            self.weights[feature] = self.weights.get(feature, 0.0) + weight * y * value
        return True


class RefusesOverflowTooLate(Own):
    def learn(self, x, y, weight=1.0):
        for feature, value in x.items():
            after = self.weights.get(feature, 0.0) + weight * (y or 0.0) * value
            if abs(after) > 1e100:
                raise ValueError("too large")
            self.weights[feature] = after
        return True


class Scribbles(Own):
    """What predict was asked last is what learn learns; another thread may have asked in between."""

    def predict(self, x):
        self.row = x
        return super().predict(x)

    def learn(self, x, y, weight=1.0):
        self.row = x
        time.sleep(0.0002)
        return super().learn(self.row, y, weight)


class Tears(nr.Perceptron):
    """Two batches at once: each works on its own copy, and the last one wins."""

    def play_matrix(self, *given):
        copy = nr.Perceptron()
        copy.adopt(self)
        copy.play_matrix(*given)
        time.sleep(0.05)
        self.adopt(copy)


class Doubles(Own):
    name = "perceptron"
    parameters: ClassVar[dict] = {}
    scalars: ClassVar[dict] = {}
    rate = 2.0


BROKEN = [
    (laws.predict_changes_nothing, "named", Drifts),
    (laws.predict_changes_nothing, "named", KeepsAsking),
    (laws.predict_changes_nothing, "named", LearnsWithoutLabel),
    (laws.features_may_appear_at_any_time, "named", SaysZero),
    (laws.features_may_appear_at_any_time, "named", CountsZeros),
    (laws.runs_repeat, "named", Throws),
    (laws.a_batch_is_its_rounds, "dense", LoopLearnsMore),
    (laws.a_batch_is_its_rounds, "sparse", LoopScoresOtherwise),
    (laws.a_batch_is_its_rounds, "named", BatchForgets),
    (laws.saving_keeps_everything, "sparse", SavesSingles),
    (laws.saving_keeps_everything, "sparse", SavesNoScalars),
    (laws.a_clone_is_independent, "named", SharesItsWeights),
    (laws.a_clone_is_independent, "named", ClonesNothing),
    (laws.a_clone_is_independent, "named", LaterClone),
    (laws.memory_is_bounded, "named", KeepsEveryRow),
    (laws.memory_is_bounded, "sparse", MakesRoom),
    (laws.bad_numbers_are_refused, "named", TakesAnything),
    (laws.bad_numbers_are_refused, "named", TakesNegativeImportance),
    (laws.bad_numbers_are_refused, "named", TakesAnyLabel),
    (laws.bad_numbers_are_refused, "named", RefusesTooLate),
    (laws.bad_numbers_are_refused, "sparse", BatchLosesRows),
    (laws.overflow_is_refused, "named", Overflows),
    (laws.overflow_is_refused, "named", RefusesOverflowTooLate),
    (laws.two_threads_are_safe, "named", Scribbles),
    (laws.two_threads_are_safe, "dense", Tears),
    (laws.it_agrees_with_its_twin, "named", Doubles),
]


@pytest.mark.parametrize(
    ("law", "shape", "broken"), BROKEN, ids=lambda value: getattr(value, "__name__", value)
)
def test_a_law_catches_a_learner_that_breaks_it(law, shape, broken):
    bits = issubclass(broken, nr.Winnow)
    with pytest.raises(LawBroken):
        law(broken, trial(shape, bits=bits))


def test_every_law_has_been_broken():
    assert {law.holds for law in checks.LAWS} == {law for law, _, _ in BROKEN}


def test_check_names_the_learner_the_law_and_the_rows():
    with pytest.raises(
        LawBroken, match=r"^own breaks the law 'predict changes nothing' on named rows: predict, "
    ):
        checks.check(Drifts, shapes=["named"])


def test_a_learner_that_raises_breaks_the_law():
    with pytest.raises(
        LawBroken, match="'features may appear at any time' on named rows: it raised KeyError"
    ):
        checks.check(KnowsAllFeatures, shapes=["named"])


def test_a_learner_that_takes_no_rows_is_told_so():
    class Never(Own):
        def score(self, x):
            raise BadParameter("it wants more parameters")

    with pytest.raises(LawBroken, match="own takes none of these rows: dense, named"):
        checks.check(Never, shapes=["dense", "named"])


# ---- the rounds ------------------------------------------------------------------------------------


def test_a_trial_has_what_is_hard():
    batch = trial("sparse", seed=3)
    rows = [[feature for feature, _ in batch.row(r)] for r in range(len(batch))]
    assert any(not row for row in rows), "an empty row"
    assert any(len(set(row)) < len(row) for row in rows), "a feature twice"
    assert any(row != sorted(row) for row in rows), "out of order"
    assert max(map(max, filter(None, rows[:30]))) < max(map(max, filter(None, rows[30:]))), "a late feature"
    assert (batch.values == 0).any() and np.isnan(batch.labels).any() and (batch.weights == 0).any()
    zero = [score for score in said(nr.Perceptron(), batch) if score == 0.0]
    assert len(zero) > 3, "ties"


def said(learner, batch):
    scores = []
    for now in batch.rounds():
        scores.append(learner.score(now.x))
        learner.learn(now.x, now.y, weight=now.weight)
    return scores


def test_a_trial_repeats_and_its_seed_matters():
    assert trial("sparse", seed=5).values.tobytes() == trial("sparse", seed=5).values.tobytes()
    assert trial("sparse", seed=5).values.tobytes() != trial("sparse", seed=6).values.tobytes()


@pytest.mark.parametrize("shape", SHAPES)
def test_a_trial_of_bits_has_bits_and_a_feature_once(shape):
    batch = trial(shape, bits=True, seed=4)
    assert set(np.unique(batch.flat().values)) == {0.0, 1.0}
    assert all(len({f for f, _ in batch.row(r)}) == len(batch.row(r)) for r in range(len(batch)))


def test_unknown_rows_are_refused():
    with pytest.raises(UnknownName, match="choose from dense, sparse, named, table"):
        trial("round")


@pytest.mark.parametrize("shape", SHAPES)
def test_repeating_a_part_of_a_batch(shape):
    part = trial(shape).part(10, 17)
    twice = repeated(part, 2)
    assert len(twice) == 14
    assert [twice.row(r) for r in range(14)] == [part.row(r) for r in range(7)] * 2
    assert np.array_equal(twice.labels, np.tile(part.labels, 2), equal_nan=True)


def test_leaving_out_zeros():
    batch = trial("sparse")
    bare = without_zeros(batch)
    assert [bare.row(r) for r in range(60)] == [
        [(f, v) for f, v in batch.row(r) if v != 0] for r in range(60)
    ]
    assert len(bare.values) < len(batch.values)
