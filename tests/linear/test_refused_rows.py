"""A row that is refused leaves no trace: no weight, no name, no kind of feature."""

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, dok_array, lil_array

import noregret as nr
from noregret.errors import BadInput

HUGE = {"a": 1e308, "b": 1e308}
SPECS = [
    "perceptron",
    "ogd:loss=perceptron",
    "averaged-perceptron",
    "multiclass-perceptron",
    "panel:perceptron/ogd/last-label",
]


@pytest.mark.parametrize("spec", SPECS)
def test_after_a_refusal_another_kind_of_features_may_come(spec):
    learner, fresh = nr.learner(spec), nr.learner(spec)
    for one in (learner, fresh):
        if hasattr(one, "announce"):
            one.announce([-1, 1])
    with pytest.raises(BadInput):
        learner.learn(HUGE, -learner.predict(HUGE), weight=1e10)
    for one in (learner, fresh):
        one.learn(np.ones(2), -1)
    assert learner.predict(np.ones(2)) == fresh.predict(np.ones(2))


def test_names_of_refused_rows_are_forgotten_and_the_others_found_again():
    learner, undisturbed = nr.Perceptron(), nr.Perceptron()
    for k in range(400):
        with pytest.raises(BadInput):
            row = {f"a{k}": 1e308, f"b{k}": 1e308, "x": 1.0}
            learner.learn(row, -learner.predict(row), weight=1e10)
        for one in (learner, undisturbed):
            one.learn({f"n{k}": 1.0, "x": 1.0}, -1 if k % 2 else 1)
    assert learner.weights == undisturbed.weights and len(learner.weights) > 100
    state, other = learner.state(), undisturbed.state()
    assert {key: len(value) for key, value in state.items()} == {
        key: len(value) for key, value in other.items()
    }
    assert state["lanes"]["weight"].tobytes() == other["lanes"]["weight"].tobytes()


def test_a_far_feature_of_a_refused_row_is_forgotten():
    learner, x = (
        nr.Perceptron(),
        csr_array(([1e308, 1e308], [5, 2_000_000_000], [0, 2]), shape=(1, 2**31 - 1)),
    )
    with pytest.raises(BadInput):
        learner.learn(x, -1, weight=1e10)
    assert learner.learn({"a": 1.0}, -1) and learner.weights == {"a": -1.0}


@pytest.mark.parametrize("made", [csr_array, coo_array, dok_array, lil_array])
def test_every_sparse_row_of_scipy_is_read_alike(made):
    learner = nr.Perceptron()
    learner.learn(made(np.array([[0.0, 3.0, 0.0]])), -1)
    assert learner.weights == {1: -3.0}
    (batch,) = nr.from_rounds([(made(np.array([[0.0, 3.0, 0.0]])), -1)]).batches()
    assert batch.row(0) == [(1, 3.0)]


def test_weights_that_were_recentred_come_back(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 5)) * 1000
    y = np.where(X @ [1, 2, -1, 0, 1] > 0, 1.0, -1.0)
    for names in (None, list("abcde")):
        learner = nr.NormalizedWinnow()
        nr.play(nr.from_arrays(X, y, names=names), learner)
        nr.save(learner, tmp_path / "a.model")
        again = nr.load(tmp_path / "a.model")
        assert again.weights == learner.weights and again.initial_weight == learner.initial_weight
        if names is None:
            assert again.score(np.ones(12)) == learner.score(np.ones(12))


@pytest.mark.parametrize("spec", ["perceptron", "multiclass-perceptron"])
@pytest.mark.parametrize("weight", ["x", None, 10**400, [1.0], -1.0, float("nan"), float("inf")])
def test_an_importance_that_is_none_is_refused_with_a_sentence(spec, weight):
    learner = nr.learner(spec)
    with pytest.raises(BadInput, match=r"the importance weight is .*; it must be a finite number, 0 or more"):
        learner.learn({"a": 1.0}, -1, weight=weight)
    assert learner.weights == {}
