import math

import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret.errors import BadInput, BadParameter


def test_the_threshold_rule_by_hand():
    learner = nr.Winnow(promotion=3.0, threshold=2.0)
    x = {"a": 1, "b": True, "c": 0}
    assert learner.score(x) == 0.0 and learner.predict(x) == -1.0  # strict: 2 is not above 2
    assert learner.learn(x, 1)
    assert learner.weights == {"a": 3.0, "b": 3.0} and learner.predict(x) == 1.0
    assert learner.learn({"a": 1}, -1) and learner.weights == {"b": 3.0}
    assert learner.scalars["promotions"] == 1 and learner.scalars["demotions"] == 1
    assert learner.potential == pytest.approx(2.0)  # 1 + 3 − 2·1


def test_threshold_defaults_to_the_width_of_the_array():
    learner = nr.Winnow()
    assert learner.threshold is None and learner.spec == "winnow"
    learner.predict(np.zeros(7))
    assert learner.threshold is None  # predict is pure
    learner.learn(np.zeros(7), -1)
    assert learner.threshold == 7.0 and learner.spec == "winnow:threshold=7"
    sparse = nr.Winnow()
    nr.play(nr.from_arrays(csr_array(np.eye(4)), -np.ones(4)), sparse)
    assert sparse.threshold == 4.0


def test_a_batch_that_teaches_nothing_settles_nothing():
    for labels, bad in (([np.nan, np.nan], False), ([1.0, 1.0], True)):
        learner = nr.Winnow()
        X = np.array([[0.5 if bad else 1.0, 0.0], [1.0, 1.0]])
        if bad:
            with pytest.raises(BadInput):
                nr.play(nr.from_arrays(X, labels), learner)
        else:
            nr.play(nr.from_arrays(X, labels), learner)
        assert learner.threshold is None
        learner = nr.Winnow(threshold=2)
        assert learner.predict({"named": 1}) == -1.0


def test_threshold_must_be_given_for_dicts():
    with pytest.raises(BadParameter, match="winnow needs threshold="):
        nr.Winnow().predict({"a": 1})


@pytest.mark.parametrize("value", [0.5, 2.0, -1.0])
def test_only_bits(value):
    learner = nr.Winnow(threshold=2)
    with pytest.raises(BadInput, match="feature 'a' is .* winnow takes only 0 and 1"):
        learner.learn({"a": value}, 1)
    assert learner.weights == {}


def test_a_repeated_feature_is_two_and_refused():
    X = csr_array((np.ones(3), np.array([1, 0, 1]), np.array([0, 3])), shape=(1, 2))
    with pytest.raises(BadInput, match="feature 1 is given twice, which adds up to 2"):
        nr.play(nr.from_arrays(X, [1]), nr.Winnow())
    unsorted = csr_array((np.ones(2), np.array([1, 0]), np.array([0, 2])), shape=(1, 2))
    assert nr.play(nr.from_arrays(unsorted, [1]), nr.Winnow()).mistakes == 1
    absent = csr_array((np.array([0.0, 1.0]), np.array([1, 1]), np.array([0, 2])), shape=(1, 2))
    assert nr.play(nr.from_arrays(absent, [1]), nr.Winnow()).mistakes == 1


@pytest.mark.parametrize(
    "given",
    [
        {"promotion": 1.0},
        {"promotion": math.inf},
        {"threshold": 0.5},
        {"threshold": math.nan},
        {"threshold": -3},
    ],
)
def test_bad_parameters(given):
    with pytest.raises(BadParameter):
        nr.Winnow(**given)


def test_weights_never_vanish():
    learner = nr.Winnow(promotion=1e100, threshold=1)
    for _ in range(6):
        learner.learn({"a": 1, "b": 1}, 1)
        learner.learn({"a": 1}, -1)
    assert all(w > 0 for w in learner.weights.values())


@pytest.mark.parametrize("seed", range(3))
def test_disjunctions_are_certified(seed):
    stream = nr.disjunction(200, 4, 4000, seed)
    ledger = nr.play(stream, nr.Winnow())
    disjunction, threshold, anything, books = nr.certify(ledger)
    expected = 2 + 3 * 4 * (1 + math.log2(200))
    assert disjunction.verdict == threshold.verdict == anything.verdict == books.verdict == "holds"
    assert anything.bound <= threshold.bound * 1.04  # the limits that it tries are 3 % apart
    assert disjunction.bound == pytest.approx(expected) and disjunction.quantities["K"] == 4
    assert ledger.mistakes <= expected


def test_k_of_n_and_halfspaces_need_a_promotion_that_fits_delta():
    for stream, promotion in ((nr.k_of_n(2, 4, 40, 3000), 1.2), (nr.halfspace(30, 3, 3, 3000), 1.1)):
        told = nr.certify(nr.play(stream, nr.Winnow(promotion=promotion)))
        assert told[0].verdict == "silent" and told[1].verdict == "holds", told
        assert nr.certify(nr.play(stream, nr.Winnow(promotion=3.0)))[1].verdict == "silent"


def test_decision_lists_are_no_monotone_targets_but_the_books_hold():
    told = nr.certify(nr.play(nr.decision_list(20, 3, 500), nr.Winnow()))
    assert [c.verdict for c in told] == ["silent", "silent", "holds", "holds"]


def test_unknown_literal_is_where_winnow_shines():
    stream = nr.unknown_literal(128)
    winnow, perceptron = nr.play(stream, nr.Winnow()), nr.play(stream, nr.Perceptron())
    assert winnow.mistakes < 30 < 100 < perceptron.mistakes


def test_complemented_features_let_winnow_learn_negations():
    rng = np.random.default_rng(0)
    X = (rng.random((3000, 30)) < 0.5).astype(float)
    y = np.where((X[:, 3] == 0) | (X[:, 7] == 0), 1.0, -1.0)
    plain = nr.certify(nr.play(nr.from_arrays(X, y), nr.Winnow()))
    both = nr.play(nr.from_arrays(nr.complemented(X), y), nr.Winnow())
    assert plain[0].verdict == "silent"
    assert nr.certify(both)[0].verdict == "holds" and nr.certify(both)[0].quantities["N"] == 60


def margin_stream(rows=2000, width=20, seed=0, signed=False):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0], (rows, width))
    v = np.zeros(width)
    v[:3] = [1.0, 1.0, -1.0] if signed else [1.0, 1.0, 1.0]
    return X, np.sign(X @ v), v / 3


@pytest.mark.parametrize(
    ("spec", "signed", "count"), [("normalized-winnow", False, 20), ("balanced-winnow", True, 40)]
)
def test_exponential_forms_are_certified(spec, signed, count):
    X, y, v = margin_stream(signed=signed)
    ledger = nr.play(nr.from_arrays(X, y), nr.learner(f"{spec}:rate={1 / 3!r}"))
    told = nr.certify(ledger, witness=v)[0]
    assert told.verdict == "holds" and told.bound == pytest.approx(2 * 9 * math.log(count), rel=1e-9)
    assert nr.certify(ledger)[0].bound <= told.bound * 1.0001  # linear programming finds it
    fast = nr.certify(nr.play(nr.from_arrays(X, y), nr.learner(f"{spec}:rate=0.7")), witness=v)[0]
    assert fast.verdict == "silent" and "the rate is below 2ρ/r²" in fast.reason


def test_normalised_predictions_do_not_depend_on_the_scale():
    """Weights far beyond the doubles: the centre moves, the learner goes on."""
    learner = nr.NormalizedWinnow(rate=400.0)
    for _ in range(5):
        learner.learn({"a": 1.0, "b": -2.0}, 1)
        learner.learn({"a": 3.0, "c": -1.0}, -1)
        learner.learn({"b": -1.0, "c": 0.5}, 1)
    assert learner.scalars["center"] > 300
    assert all(math.isfinite(w) and w > 0 for w in learner.weights.values())
    assert math.isfinite(learner.score({"a": 1.0, "never": 1.0}))


def test_balanced_weights_take_both_signs():
    learner = nr.BalancedWinnow(rate=0.5)
    learner.learn({"a": 1.0, "b": -1.0}, -1)
    assert learner.weights["a"] == -learner.weights["b"] == math.exp(-0.5) - math.exp(0.5)
