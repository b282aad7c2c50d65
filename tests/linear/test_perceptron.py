from collections import ChainMap

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array

import noregret as nr
from noregret.errors import BadInput, BadLabel, BadParameter, BadType, NoregretError


def test_the_rule_by_hand():
    learner = nr.Perceptron(rate=0.5, bias=True)
    assert learner.predict({"a": 1.0}) == 1.0  # sign(0) = +1
    assert learner.learn({"a": 1.0, "b": 2.0}, 1) is False
    assert learner.learn({"a": 1.0, "b": 2.0}, -1) is True
    assert learner.weights == {"a": -0.5, "b": -1.0} and learner.intercept == -0.5
    assert learner.score({"a": 1.0, "c": 9.0}) == -1.0
    assert learner.potential == 0.25 + 1.0 + 0.25


def test_importance_scales_the_step():
    learner = nr.Perceptron()
    learner.learn({"a": 1.0}, -1, weight=3.0)
    assert learner.weights == {"a": -3.0}
    assert learner.learn({"a": -1.0}, -1, weight=0.0) is False
    assert learner.weights == {"a": -3.0}


def test_every_form_of_example():
    rows = {
        "array": np.array([0.0, 2.0, 0.0]),
        "float32": np.array([0.0, 2.0, 0.0], dtype=np.float32),
        "integers": np.array([0, 2, 0]),
        "booleans": np.array([False, True, False]),
        "stride": np.array([0.0, 9.0, 2.0, 9.0, 0.0, 9.0])[::2],
        "csr": csr_array(np.array([[0.0, 2.0, 0.0]])),
        "coo": coo_array(np.array([[0.0, 2.0, 0.0]])),
        "flat sparse": coo_array(np.array([0.0, 2.0, 0.0])),
    }
    for name, x in rows.items():
        learner = nr.Perceptron()
        learner.learn(x, -1)
        assert learner.weights == {1: -1.0 if name == "booleans" else -2.0}, name


def test_dicts_hold_numbers_strings_and_booleans():
    learner = nr.Perceptron()
    learner.learn({"n": 2, "colour": "red", "ripe": True, "wet": False, "f": np.float32(0.5), "é": 1.0}, -1)
    assert learner.weights == {"n": -2.0, "colour=red": -1.0, "ripe": -1.0, "f": -0.5, "é": -1.0}
    learner.learn(ChainMap({"n": -5.0}), -1)
    assert learner.weights["n"] == 3.0


def test_the_same_key_object_or_an_equal_one_is_the_same_feature():
    learner = nr.Perceptron()
    key = "".join(["long", "name"])
    learner.learn({key: 1.0}, -1)
    learner.predict({key: 1.0})
    assert learner.score({key: 1.0}) == learner.score({"".join(["longn", "ame"]): 1.0}) == -1.0
    for k in range(20_000):  # far more than are remembered by address
        learner.predict({f"key{k}": 1.0})
    assert learner.score({key: 1.0}) == -1.0


def test_repeated_unsorted_and_huge_features():
    X = csr_array((np.array([1.0, 2.0, 3.0]), np.array([5, 2, 5]), np.array([0, 3])), shape=(1, 8))
    learner = nr.Perceptron()
    nr.play(nr.from_arrays(X, [-1]), learner)
    assert learner.weights == {2: -2.0, 5: -4.0}
    far = csr_array((np.array([1.0, 1.0]), np.array([2**31 - 2, 3]), np.array([0, 2])), shape=(1, 2**31 - 1))
    learner = nr.Perceptron()
    nr.play(nr.from_arrays(far, [-1]), learner)
    assert learner.weights == {3: -1.0, 2**31 - 2: -1.0}
    assert learner.score(far) == -2.0


@pytest.mark.parametrize(
    ("x", "kind", "sentence"),
    [
        ([1.0, 2.0], BadType, "x is a list; an example is a dict"),
        ("text", BadType, "x is a str"),
        (None, BadType, "x is a NoneType"),
        ({3: 1.0}, BadType, "must be a string, not a int"),
        ({"a": None}, BadType, "feature 'a' is a NoneType"),
        ({"a": [1]}, BadType, "feature 'a' is a list"),
        ({"a": float("nan")}, BadInput, "feature 'a' is nan; a value must be a finite number"),
        ({"a": float("-inf")}, BadInput, "feature 'a' is -inf"),
        ({"a": 10**400}, BadInput, "feature 'a'"),
        (np.ones((2, 2)), BadType, "x has 2 dimensions"),
        (np.array(["a"]), BadType, "must"),
        (np.array([1.0, np.nan]), BadInput, "feature 1 is nan"),
        (csr_array(np.ones((2, 2))), BadType, "several rows"),
    ],
)
def test_bad_examples_change_nothing(x, kind, sentence):
    learner = nr.Perceptron()
    for call in (learner.predict, learner.score, lambda x: learner.learn(x, -1)):
        with pytest.raises(kind, match=sentence):
            call(x)
    assert learner.weights == {} and learner.is_fresh


def test_negative_and_huge_indices_are_refused():
    for index in (-1, 2**31 - 1, 2**40):
        X = csr_array((np.array([1.0]), np.array([0]), np.array([0, 1])), shape=(1, 4))
        X.indices = np.array([index], dtype=np.int64)
        X.indptr = np.array([0, 1], dtype=np.int64)
        with pytest.raises(BadInput, match="out of range: 0 to 2147483646"):
            nr.play(nr.from_arrays(X, [-1]), nr.Perceptron())


@pytest.mark.parametrize("y", [0, 2, "spam", float("nan"), [1]])
def test_bad_labels_change_nothing(y):
    learner = nr.Perceptron()
    with pytest.raises(BadLabel, match="this learner takes -1 and \\+1"):
        learner.learn({"a": 1.0}, y)
    assert learner.weights == {}


def test_no_label_teaches_nothing():
    learner = nr.Perceptron()
    assert learner.learn({"a": 1.0}, None) is False
    assert learner.weights == {}


def test_overflow_is_refused_before_a_weight_changes():
    learner = nr.Perceptron()
    learner.learn({"a": 1e150, "b": 1.0}, -1)
    before = learner.weights
    with pytest.raises(BadInput, match="overflow"):
        learner.learn({"a": -1e300, "c": 1.0}, -1)
    assert learner.weights == before
    with pytest.raises(BadInput, match="overflow"):
        learner.predict({"a": 1e300})


def test_names_and_numbers_do_not_mix():
    learner = nr.Perceptron()
    learner.learn({"a": 1.0}, -1)
    with pytest.raises(BadInput, match="knows its features by name"):
        learner.predict(np.ones(2))
    other = nr.Perceptron()
    other.learn(np.ones(2), -1)
    with pytest.raises(BadInput, match="knows its features by number"):
        other.learn({"a": 1.0}, 1)


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf"), "fast"])
def test_bad_rates(rate):
    with pytest.raises(BadParameter, match="rate is"):
        nr.Perceptron(rate=rate)


def test_bad_bias():
    with pytest.raises(BadParameter, match="bias is 1; it must be true or false"):
        nr.Perceptron(bias=1)


def test_novikoff_is_exact_at_its_worst_case():
    ledger = nr.play(nr.standard_basis(1000), nr.Perceptron())
    novikoff, schapire, hinges = nr.certify(ledger)
    assert ledger.mistakes == 1000
    for certificate in (novikoff, schapire, hinges):
        assert (certificate.verdict, certificate.observed, certificate.bound, certificate.slack) == (
            nr.Verdict.HOLDS, 1000, 1000.0, 0.0,
        )  # fmt: skip


@pytest.mark.parametrize("seed", range(5))
def test_a_chosen_margin_gives_its_bound(seed):
    stream = nr.separable(20, 0.1, 3000, seed)
    ledger = nr.play(stream, nr.Perceptron(rate=0.37))
    novikoff, schapire, hinges = nr.certify(ledger, witness=stream.witness)
    assert novikoff.verdict == "holds" and novikoff.bound <= 100.001
    assert schapire.bound <= novikoff.bound * 1.000001 and hinges.bound <= novikoff.bound * 1.000001
    better, *_ = nr.certify(ledger)
    assert better.bound <= novikoff.bound


def test_any_length_of_u_gives_the_same_bound():
    stream = nr.separable(5, 0.2, 200)
    ledger = nr.play(stream, nr.Perceptron())
    bounds = [nr.certify(ledger, witness=stream.witness * scale)[0].bound for scale in (1e-6, 1.0, 1e6)]
    assert bounds == pytest.approx([bounds[0]] * 3)


def test_data_that_nothing_separates():
    X = np.ones((10, 1))
    y = np.tile([1.0, -1.0], 5)
    novikoff, schapire, hinges = nr.certify(nr.play(nr.from_arrays(X, y), nr.Perceptron()))
    assert (
        novikoff.verdict == "silent"
        and "wrong in 5 of 10 rounds" in novikoff.reason
        and novikoff.bound is None
    )
    assert schapire.verdict == hinges.verdict == "holds" and schapire.bound >= 10 and hinges.bound >= 10
    assert schapire.vacuous and hinges.vacuous and not novikoff.vacuous


def test_the_bias_is_part_of_r_and_u():
    X, y = np.array([[1.0], [3.0]]), np.array([1.0, -1.0])
    ledger = nr.play(nr.from_arrays(np.tile(X, (50, 1)), np.tile(y, 50)), nr.Perceptron(bias=True))
    told = nr.certify(ledger, witness=[-1.0, 2.0])[0]  # −x + 2
    assert told.verdict == "holds" and told.quantities["R"] ** 2 == pytest.approx(10) and told.bound == 50.0
    without = nr.play(nr.from_arrays(np.tile(X, (50, 1)), np.tile(y, 50)), nr.Perceptron())
    assert nr.certify(without)[0].verdict == "silent"


def test_silent_when_continued_weighted_or_lost():
    X, y = np.eye(3), -np.ones(3)
    learner = nr.Perceptron()
    nr.play(nr.from_arrays(X, y), learner)
    again = nr.certify(nr.play(nr.from_arrays(X, -y), learner))
    assert all(c.verdict == "silent" and "continued an earlier run" in c.reason for c in again)
    weighted = nr.certify(nr.play(nr.from_arrays(X, y, weights=[1, 2, 1]), nr.Perceptron()))
    assert all(c.verdict == "silent" and "importance" in c.reason for c in weighted)

    class Once:
        replayable = False

        def batches(self):
            return nr.from_arrays(X, y).batches()

    lost = nr.certify(nr.play(Once(), nr.Perceptron()))
    assert all(c.verdict == "silent" and "were not kept" in c.reason for c in lost)

    class Own:
        spec, theorems = "own", nr.Perceptron().theorems

        def predict(self, x):
            return 1.0

        def learn(self, x, y, weight=1.0):
            return False

    alone = nr.certify(nr.play(nr.from_arrays(X, y), Own()))
    assert alone and all("the learner has no clone()" in c.reason for c in alone)


def test_data_that_changed_since_is_noticed():
    X, y = np.eye(3), -np.ones(3)
    ledger = nr.play(nr.from_arrays(X, y), nr.Perceptron())
    y[1] = 1.0
    X[1, 1] = 0.0
    ledger.nature.labels[1] = 1.0
    told = nr.certify(ledger)
    assert all(c.verdict == "silent" and "the data is not what it was" in c.reason for c in told)


@pytest.mark.parametrize("witness", [[1.0], {"a": 1.0}, [np.nan] * 3])
def test_bad_witnesses(witness):
    ledger = nr.play(nr.from_arrays(np.eye(3), -np.ones(3)), nr.Perceptron())
    if isinstance(witness, dict):
        assert nr.certify(ledger, witness=witness)[0].verdict == "silent"
    else:
        with pytest.raises(NoregretError):
            nr.certify(ledger, witness=witness)
