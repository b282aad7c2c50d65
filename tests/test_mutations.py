"""Every theorem catches wrong learners: on a stream where the right one HOLDS, the wrong one is BROKEN.

The mutants are twins of the reference with one thing changed. They play the same game as the
learners of noregret, and certificates are made of them in the same way.
"""

import copy
import math

import numpy as np
import pytest
from scipy.sparse import vstack

import noregret as nr
from noregret.certificate import Verdict
from noregret.examples import entries
from noregret.reference.exponential import BalancedWinnow, NormalizedWinnow
from noregret.reference.kernel_perceptron import KernelPerceptron
from noregret.reference.least_squares import AROW, SOP, OnlineNewton
from noregret.reference.perceptron import Perceptron
from noregret.reference.voted import VotedPerceptron
from noregret.reference.winnow import Winnow
from noregret.registry import LEARNERS

from .beyond_mutants import BEYOND
from .linear.mutants import FORMS


class Mutant:
    """A twin in the shape that the game, the replay and the certificates ask for."""

    is_fresh = True

    def __init__(self, twin, original):
        self.twin = twin
        self.original = original  # the learner that it pretends to be
        self.spec = f"{type(twin).__name__} posing as {original.spec}"
        self.loss_name = original.loss_name
        self.task = original.task
        self.keeps_examples = original.keeps_examples
        self.last = (None, [])  # a round asks for the entries of its x three times

    def entries(self, x):
        if self.last[0] is not x:
            self.last = (x, list(entries(x)))
        return self.last[1]

    def predict(self, x):
        return self.twin.predict(self.entries(x))

    def score(self, x):
        return self.twin.score(self.entries(x))

    def learn(self, x, y, weight=1.0):
        return self.twin.learn(self.entries(x), y, weight)

    def learn_late(self, x, y, score, weight=1.0):
        return self.twin.learn_late(self.entries(x), y, score, weight)

    def theorems(self):
        return self.original.theorems()

    def late_theorems(self):
        return self.original.late_theorems()

    def clone(self):
        return Mutant(copy.deepcopy(self.twin), self.original)

    @property
    def parameters(self):
        return self.original.parameters

    @property
    def log_determinant(self):
        """How much a full covariance of the twin has shrunk, as `Covariance` reckons."""
        return float(np.sum(math.log(self.twin.variance) - np.log(self.twin.variances))) + 0.0

    def state(self):
        """The examples that a kernel twin keeps, in the shape of a native one; their features are numbers."""
        rows = [row for _, row in self.twin.kept]
        return {
            "kind": "index",
            "support_starts": np.cumsum([0, *map(len, rows)]),
            "support_slots": np.array([feature for row in rows for feature in row], dtype=np.int64),
            "support_values": np.array([value for row in rows for value in row.values()], dtype=float),
            "support_coefficients": np.array([coefficient for coefficient, _ in self.twin.kept], dtype=float),
        }

    def __getattr__(self, name):  # weights, scalars, potential, initial_weight, has_bias, intercept, loss_of
        if name == "twin":
            raise AttributeError(name)
        return getattr(self.twin, name)


# ---- Perceptrons that are wrong --------------------------------------------------------------------


class FlippedSign(Perceptron):
    def update(self, x, y, score, weight):
        if self.decide(score) == y:
            return False
        for feature, value in x:
            self.table[feature] = self.table.get(feature, 0.0) - self.rate * y * value
        return True


class NeverUpdates(Perceptron):
    def update(self, x, y, score, weight):
        return False


class NeverStarts(Perceptron):
    """Updates when y·score < 0 only: from w = 0 that never happens."""

    def update(self, x, y, score, weight):
        return y * score < 0 and super().update(x, y, score, weight)


class UnlearnsWhenRight(Perceptron):
    """Updates on the wrong side: steps away from what it got right."""

    def update(self, x, y, score, weight):
        return self.decide(score) == y and super().update(x, -y, score, weight)


class Forgets(Perceptron):
    """Keeps the last mistake only."""

    def update(self, x, y, score, weight):
        if self.decide(score) == y:
            return False
        self.table = {feature: y * value for feature, value in x}
        return True


class ShrinkingSteps(Perceptron):
    """Every step is half the one before."""

    def update(self, x, y, score, weight):
        moved = super().update(x, y, score, weight)
        self.rate *= 0.5 if moved else 1.0
        return moved


class GrowingSteps(Perceptron):
    """Every step is half as long again as the one before."""

    def update(self, x, y, score, weight):
        moved = super().update(x, y, score, weight)
        self.rate *= 1.5 if moved else 1.0
        return moved


class FirstFeatureOnly(Perceptron):
    def update(self, x, y, score, weight):
        return super().update(x[:1], y, score, weight)


class AbsoluteValues(Perceptron):
    """Loses the sign of the features."""

    def update(self, x, y, score, weight):
        return super().update([(feature, abs(value)) for feature, value in x], y, score, weight)


PERCEPTRONS = [
    FlippedSign,
    NeverUpdates,
    NeverStarts,
    UnlearnsWhenRight,
    Forgets,
    ShrinkingSteps,
    GrowingSteps,
    FirstFeatureOnly,
    AbsoluteValues,
]


# ---- Winnows that are wrong ------------------------------------------------------------------------


class FlippedFactor(Winnow):
    """Promotes where it should demote, and the other way round."""

    def update(self, x, y, score, weight):
        return self.decide(score) != y and super().update(x, -y, y, weight)


class NeverPromotes(Winnow):
    def update(self, x, y, score, weight):
        return y < 0 and super().update(x, y, score, weight)


class NeverDemotes(Winnow):
    """Counts its demotions, and forgets to demote."""

    def update(self, x, y, score, weight):
        return super().update(x if y > 0 else [], y, score, weight)


class WeakFactor(Winnow):
    """α is 1.01, whatever it was told."""

    def step_factor(self, x, weight):
        return 1.01


class WeakDemotion(Winnow):
    """Demotes by the hundredth root of α."""

    def update(self, x, y, score, weight):
        return super().update(x, y, score, weight if y > 0 else 0.01 * weight)


class StrongPromotion(Winnow):
    """Promotes by α¹⁰."""

    def update(self, x, y, score, weight):
        return super().update(x, y, score, 10.0 * weight if y > 0 else weight)


class PromotesEverything(Winnow):
    """Updates features that are absent as well."""

    def update(self, x, y, score, weight):
        return super().update([(feature, 1.0) for feature, _ in x], y, score, weight)


class PromotesWhenRight(Winnow):
    """Takes every positive for a missed one."""

    def update(self, x, y, score, weight):
        return super().update(x, y, -1.0 if y > 0 else score, weight)


class UpdatesWhenRight(Winnow):
    """Updates on the wrong side."""

    def update(self, x, y, score, weight):
        return super().update(x, y, -score, weight)


class ForgetsWeights(Winnow):
    def update(self, x, y, score, weight):
        if self.decide(score) != y:
            self.table = {}
        return super().update(x, y, score, weight)


class UncountedUpdates(Winnow):
    """Updates, and says that nothing changed."""

    def update(self, x, y, score, weight):
        return super().update(x, y, score, weight) and y > 0


# ---- exponential forms that are wrong --------------------------------------------------------------


def exponential_mutants(form):
    class Flipped(form):
        def update(self, x, y, score, weight):
            return super().update([(feature, -value) for feature, value in x], y, score, weight)

    class Dropped(form):
        def update(self, x, y, score, weight):
            return False

    class TooSlow(form):
        def update(self, x, y, score, weight):
            return super().update(x, y, score, 0.01 * weight)

    class Shrinking(form):
        def update(self, x, y, score, weight):
            moved = super().update(x, y, score, weight)
            self.rate *= 0.5 if moved else 1.0
            return moved

    class Unlearning(form):
        def update(self, x, y, score, weight):
            return self.decide(score) == y and super().update(x, -y, score, weight)

    class Memoryless(form):
        def update(self, x, y, score, weight):
            if self.decide(score) != y:
                self.table, self.exponents = {}, {}
            return super().update(x, y, score, weight)

    class SignsOnly(form):
        """Looks at the label and not at the features."""

        def update(self, x, y, score, weight):
            return super().update([(feature, 1.0) for feature, _ in x], y, score, weight)

    return [Flipped, Dropped, TooSlow, Shrinking, Unlearning, Memoryless, SignsOnly]


# ---- second-order rules that are wrong --------------------------------------------------------------


def second_order_mutants(form):
    class FlippedStep(form):
        def plan(self, y, score, measured, weight):
            step, growth = super().plan(y, score, measured, weight)
            return -step, growth

    class Dropped(form):
        def update(self, x, y, score, weight):
            return False

    class Forgetful(form):
        """Keeps its covariance, and the last step only."""

        def update(self, x, y, score, weight):
            before = self.table
            self.table = {}
            moved = super().update(x, y, score, weight)
            self.table = self.table if moved else before
            return moved

    class SignsLost(form):
        def update(self, x, y, score, weight):
            return super().update([(feature, abs(value)) for feature, value in x], y, score, weight)

    class Unlearning(form):
        """Steps away from what it got right."""

        def update(self, x, y, score, weight):
            return self.decide(score) == y and super().update(x, -y, score, weight)

    class LastFeatureOnly(form):
        def update(self, x, y, score, weight):
            return super().update(x[-1:], y, score, weight)

    return [FlippedStep, Dropped, Forgetful, SignsLost, Unlearning, LastFeatureOnly]


# ---- kernel Perceptrons that are wrong ---------------------------------------------------------------


class FlippedCoefficient(KernelPerceptron):
    def update(self, x, y, score, weight):
        moved = super().update(x, y, score, weight)
        self.kept = [*self.kept[:-1], (-self.kept[-1][0], self.kept[-1][1])] if moved else self.kept
        return moved


class KeepsNothing(KernelPerceptron):
    def update(self, x, y, score, weight):
        return False


class KeepsTheLast(KernelPerceptron):
    def update(self, x, y, score, weight):
        moved = super().update(x, y, score, weight)
        self.kept = self.kept[-1:]
        return moved


class KeepsWhatWasRight(KernelPerceptron):
    def update(self, x, y, score, weight):
        return super().update(x, -y, score, weight)


# ---- voted Perceptrons that are wrong: those whose vote alone is wrong are in test_voted.py -----------


class AlwaysUpdates(VotedPerceptron):
    """Turns every row over that it got right."""

    def update(self, x, y, score, weight):
        return super().update(x, y, score, weight) or super().update(x, -y, score, weight)


class ForgetsAll(VotedPerceptron):
    """Knows the last mistake only."""

    def update(self, x, y, score, weight):
        moved = super().update(x, y, score, weight)
        self.table = dict(self.kept[-1][1]) if moved else self.table
        return moved


class Tires(VotedPerceptron):
    """Every step is half the one before."""

    def update(self, x, y, score, weight):
        return super().update(x, y, score, weight * 0.5 ** len(self.kept))


class LosesSigns(VotedPerceptron):
    def update(self, x, y, score, weight):
        return super().update([(feature, abs(value)) for feature, value in x], y, score, weight)


# ---- streams ---------------------------------------------------------------------------------------


def majority(noise):
    """Signs, and the label is the majority of three of them, save for a share of noise."""
    stream = nr.k_of_n(2, 3, 30, 1000, seed=1)
    wrong = np.random.default_rng(2).random(len(stream)) < noise
    labels = np.where(wrong, -stream.labels, stream.labels)
    return nr.from_arrays(2.0 * stream.matrix - 1.0, labels), 2.0 * stream.witness  # whole numbers


def disjunction():
    stream = nr.disjunction(40, 2, 600, seed=3)
    return stream, stream.witness


def two_of_four():
    stream = nr.k_of_n(2, 4, 20, 1500, seed=4)
    return stream, stream.witness


def coin_flips():
    stream = nr.unknown_literal(16, 1000, seed=5)
    labels = np.random.default_rng(6).choice([-1.0, 1.0], len(stream))
    return nr.from_arrays(stream.matrix, labels), None


def late_majority(lag, noise=0.0):
    stream, witness = majority(noise)
    return nr.Delayed(stream, lag), witness


def literal(turned):
    """Signs, and the label is one of them, or its opposite if `turned`."""
    stream = nr.unknown_literal(50, 600, seed=7)
    side = -1.0 if turned else 1.0
    return nr.from_arrays(2.0 * stream.matrix - 1.0, side * stream.labels), side * stream.witness


def few_signs():
    """Ten signs, and the label is one of them: a u whose scores are within ±1 has no loss at all."""
    stream = nr.unknown_literal(10, 800, seed=8)
    return nr.from_arrays(2.0 * stream.matrix - 1.0, stream.labels), stream.witness


def three_of_ten(rounds=1000):
    """Signs of ten features, and the label is the majority of three."""
    stream = nr.k_of_n(2, 3, 10, rounds, seed=1)
    return nr.from_arrays(2.0 * stream.matrix - 1.0, stream.labels), 2.0 * stream.witness


def few_of_ten():
    """As few of them that a function over all rows is found; a mutant keeps most, and looks at all in every round."""
    stream, _ = three_of_ten(rounds=500)
    return nr.from_arrays(stream.matrix, stream.labels), None


def in_random_order(game):
    stream, witness = game
    return nr.shuffled(stream, 9), witness


GAMES = {
    "Novikoff": (lambda: majority(0.0), "perceptron", Perceptron, PERCEPTRONS),
    "Freund–Schapire": (lambda: majority(0.02), "perceptron", Perceptron, PERCEPTRONS),
    "Mohri–Rostamizadeh": (lambda: majority(0.02), "perceptron", Perceptron, PERCEPTRONS),
    "Freund–Schapire (leave one out)": (
        lambda: in_random_order(three_of_ten(rounds=500)),
        "voted-perceptron:budget=0",
        VotedPerceptron,
        [AlwaysUpdates, ForgetsAll, Tires, LosesSigns],
    ),
    "Late labels": (lambda: late_majority(3), "perceptron", Perceptron, PERCEPTRONS),
    "Late labels (any data)": (lambda: late_majority(3, 0.02), "perceptron", Perceptron, PERCEPTRONS),
    "Cesa-Bianchi–Conconi–Gentile": (
        lambda: majority(0.02),
        "sop:covariance=full",
        SOP,
        second_order_mutants(SOP),
    ),
    "Crammer–Kulesza–Dredze": (
        lambda: majority(0.02),
        "arow:covariance=full",
        AROW,
        second_order_mutants(AROW),
    ),
    "Hazan–Agarwal–Kale": (
        few_signs,
        "ons:covariance=full",
        OnlineNewton,
        second_order_mutants(OnlineNewton),
    ),
    **{
        theorem: (
            few_of_ten,
            "kernel-perceptron:kernel=linear",
            KernelPerceptron,
            [FlippedCoefficient, KeepsNothing, KeepsTheLast, KeepsWhatWasRight],
        )
        for theorem in ("Novikoff (kernel)", "Freund–Schapire (kernel)", "Mohri–Rostamizadeh (kernel)")
    },
    "Littlestone (disjunctions)": (
        disjunction,
        "winnow:threshold=40",
        Winnow,
        [
            FlippedFactor,
            NeverPromotes,
            NeverDemotes,
            WeakFactor,
            PromotesEverything,
            UpdatesWhenRight,
            ForgetsWeights,
        ],
    ),
    "Littlestone (thresholds)": (
        two_of_four,
        "winnow:promotion=1.5,threshold=20",
        Winnow,
        [FlippedFactor, NeverPromotes, NeverDemotes, UpdatesWhenRight, PromotesEverything, ForgetsWeights],
    ),
    "Littlestone (any data)": (
        two_of_four,
        "winnow:promotion=1.5,threshold=20",
        Winnow,
        [FlippedFactor, NeverPromotes, NeverDemotes, UpdatesWhenRight, PromotesEverything, ForgetsWeights],
    ),
    "Littlestone (bookkeeping)": (
        coin_flips,
        "winnow:threshold=8",
        Winnow,
        [
            FlippedFactor,
            NeverDemotes,
            WeakDemotion,
            StrongPromotion,
            PromotesWhenRight,
            UncountedUpdates,
            UpdatesWhenRight,
        ],
    ),
    "Kivinen–Warmuth (normalised)": (
        lambda: literal(False),
        "normalized-winnow:rate=1",
        NormalizedWinnow,
        exponential_mutants(NormalizedWinnow),
    ),
    "Kivinen–Warmuth (balanced)": (
        lambda: literal(True),
        "balanced-winnow:rate=1",
        BalancedWinnow,
        exponential_mutants(BalancedWinnow),
    ),
    "Kivinen–Warmuth (normalised, any data)": (
        lambda: literal(False),
        "normalized-winnow:rate=1",
        NormalizedWinnow,
        exponential_mutants(NormalizedWinnow),
    ),
    "Kivinen–Warmuth (balanced, any data)": (
        lambda: literal(True),
        "balanced-winnow:rate=1",
        BalancedWinnow,
        exponential_mutants(BalancedWinnow),
    ),
    **BEYOND,
} | {theorem: (three_of_ten, *form) for theorem, form in FORMS.items()}
MUTANTS = [(theorem, mutant) for theorem, game in GAMES.items() for mutant in game[3]]


def certified(theorem, ledger, witness=None):
    return next(c for c in nr.certify(ledger, witness) if c.theorem == theorem)


def posing(twin_class, spec):
    original = nr.learner(spec)
    return Mutant(twin_class(**original.parameters), original)


def test_every_theorem_is_tried_with_three_mutants_or_more():
    specs = [*LEARNERS, *(spec for spec, _, _ in FORMS.values())]
    learners = [nr.learner(spec) for spec in specs]
    named = {theorem.name for one in learners for theorem in (*one.theorems(), *one.late_theorems())}
    assert named == set(GAMES)
    assert all(len(mutants) >= 3 for _, _, _, mutants in GAMES.values())


@pytest.mark.parametrize("theorem", GAMES)
def test_the_right_learner_holds(theorem):
    make_stream, spec, twin_class, _ = GAMES[theorem]
    stream, witness = make_stream()
    native, twin = nr.play(stream, nr.learner(spec)), nr.play(stream, posing(twin_class, spec))
    certificate = certified(theorem, native, witness)
    assert certificate.verdict is Verdict.HOLDS
    assert certificate == certified(theorem, twin, witness)
    assert (native.mistakes, native.updates, native.loss) == (twin.mistakes, twin.updates, twin.loss)
    assert (native.curve, native.potentials) == (twin.curve, twin.potentials)


@pytest.mark.parametrize(("theorem", "mutant"), MUTANTS, ids=lambda value: getattr(value, "__name__", value))
def test_a_wrong_learner_is_broken(theorem, mutant):
    make_stream, spec, _, _ = GAMES[theorem]
    stream, witness = make_stream()
    certificate = certified(theorem, nr.play(stream, posing(mutant, spec)), witness)
    assert certificate.verdict is Verdict.BROKEN
    assert certificate.observed > certificate.bound
    assert all(hypothesis.met for hypothesis in certificate.hypotheses)


@pytest.mark.parametrize(
    ("theorem", "mutant"),
    [
        ("Novikoff", FlippedSign),
        ("Freund–Schapire", FlippedSign),
        ("Mohri–Rostamizadeh", FlippedSign),
        ("Littlestone (disjunctions)", FlippedFactor),
        ("Littlestone (thresholds)", NeverDemotes),
        ("Littlestone (any data)", NeverDemotes),
        ("Kivinen–Warmuth (normalised)", GAMES["Kivinen–Warmuth (normalised)"][3][0]),
        ("Kivinen–Warmuth (balanced)", GAMES["Kivinen–Warmuth (balanced)"][3][0]),
        ("Kivinen–Warmuth (normalised, any data)", GAMES["Kivinen–Warmuth (normalised)"][3][0]),
        ("Kivinen–Warmuth (balanced, any data)", GAMES["Kivinen–Warmuth (balanced)"][3][0]),
        ("Mohri–Rostamizadeh (kernel)", KeepsNothing),
    ],
)
def test_hindsight_finds_the_witness_against_a_wrong_learner(theorem, mutant):
    make_stream, spec, _, _ = GAMES[theorem]
    stream, _ = make_stream()
    unexplained = nr.from_arrays(stream.matrix, stream.labels)
    certificate = certified(theorem, nr.play(unexplained, posing(mutant, spec)))
    assert certificate.verdict is Verdict.BROKEN


# ---- worst cases -----------------------------------------------------------------------------------


@pytest.mark.parametrize("theorem", ["Novikoff", "Freund–Schapire", "Mohri–Rostamizadeh"])
@pytest.mark.parametrize("rate", [1.0, 0.3])
def test_the_standard_basis_reaches_the_perceptrons_bound_exactly(theorem, rate):
    certificate = certified(theorem, nr.play(nr.standard_basis(1000), nr.Perceptron(rate=rate)))
    assert certificate.verdict is Verdict.HOLDS
    assert certificate.observed == certificate.bound == 1000


@pytest.mark.parametrize("theorem", ["Novikoff", "Freund–Schapire", "Mohri–Rostamizadeh"])
def test_one_mistake_more_than_the_bound_is_one_too_many(theorem):
    basis = nr.standard_basis(1000)
    once_more = nr.from_arrays(vstack([basis.matrix, basis.matrix[:1]], format="csr"), np.full(1001, -1.0))
    right = certified(theorem, nr.play(once_more, nr.Perceptron()), basis.witness)
    wrong = certified(theorem, nr.play(once_more, posing(Forgets, "perceptron")), basis.witness)
    assert (right.verdict, right.observed, right.bound) == (Verdict.HOLDS, 1000, 1000)
    assert (wrong.verdict, wrong.observed, wrong.bound) == (Verdict.BROKEN, 1001, 1000)


def falling(n, theta):
    """False positives only: rows whose weights, halved again and again, pass Θ by as little as can be."""
    rows, left, size = [], n, theta + 1
    while left >= size:
        left -= left % size  # these have all been halved equally often
        rows += [np.arange(begin, begin + size) for begin in range(0, left, size)]
        size = 2 * (size - 1) + 1
    X = np.zeros((len(rows), n))
    for r, features in enumerate(rows):
        X[r, features] = 1.0
    return X


def test_demotions_nearly_reach_littlestones_bound():
    theorem, X = "Littlestone (bookkeeping)", falling(1024, 31)
    twice = nr.from_arrays(np.vstack([X, X]), np.full(2 * len(X), -1.0))
    spec = "winnow:threshold=31"
    right = certified(theorem, nr.play(twice, nr.learner(spec)))
    wrong = certified(theorem, nr.play(twice, posing(WeakDemotion, spec)))
    assert right.verdict is Verdict.HOLDS
    assert right.observed == len(X) > 0.95 * right.bound
    assert wrong.verdict is Verdict.BROKEN


def test_a_weight_may_reach_its_ceiling_and_not_pass_it():
    theorem, spec = "Littlestone (bookkeeping)", "winnow:threshold=64"
    positives = nr.from_arrays(np.ones((20, 1)), np.ones(20))
    right = certified(theorem, nr.play(positives, nr.learner(spec)))
    wrong = certified(theorem, nr.play(positives, posing(PromotesWhenRight, spec)))
    assert right.verdict is Verdict.HOLDS
    assert right.quantities["highest"] == 128
    assert wrong.verdict is Verdict.BROKEN
