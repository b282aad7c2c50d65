"""Random features stand for a gaussian kernel, in front of any linear learner."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret.errors import BadInput, BadParameter

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3)) * 0.5


@pytest.mark.parametrize("gamma", [0.3, 1.0])
def test_inner_products_are_those_of_the_kernel(gamma):
    z = nr.RandomFeatures(3, 20_000, seed=1, gamma=gamma)(X)
    kernel = np.exp(-gamma * ((X[:, None] - X[None]) ** 2).sum(-1))
    assert np.abs(z @ z.T - kernel).max() < 0.05


def test_the_seed_decides():
    first, again, other = (nr.RandomFeatures(3, 50, seed=s)(X) for s in (1, 1, 2))
    assert (first == again).all() and (first != other).any()


def test_rows_alone_dense_and_sparse_are_the_same():
    features = nr.RandomFeatures(3, 50, seed=1)
    assert features(csr_array(X)) == pytest.approx(features(X), rel=1e-12)
    assert features(X[4]) == pytest.approx(features(X)[4], rel=1e-12)


@pytest.mark.parametrize("sparse", [False, True])
def test_a_stream_behind_the_map(sparse):
    y = np.where((X**2).sum(1) > 0.6, 1.0, -1.0)
    features = nr.RandomFeatures(3, 300, seed=1)
    stream = features.of(nr.from_arrays(csr_array(X) if sparse else X, y))
    learner = nr.Perceptron()
    ledger = nr.play(stream, learner)
    for _ in range(30):
        again = nr.play(stream, learner)
    assert again.mistakes == 0 < ledger.mistakes
    assert [learner.predict(z) for z in features(X)] == y.tolist()
    assert nr.certify(nr.play(stream, nr.Perceptron()))[1].verdict is nr.Verdict.HOLDS


def test_what_does_not_fit_is_refused():
    features = nr.RandomFeatures(3, 5, seed=1)
    with pytest.raises(BadInput, match="a row has 4 features; this map takes 3"):
        features(np.ones((2, 4)))
    wide = nr.from_arrays(csr_array(np.eye(5)), np.ones(5))
    with pytest.raises(BadInput, match="feature 4 occurs; this map takes 0 to 2"):
        nr.play(features.of(wide), nr.Perceptron())
    named = nr.from_arrays(np.ones((1, 2)), [1], names=["a", "b"])
    with pytest.raises(BadInput, match="there are 2 columns"):
        nr.play(features.of(named), nr.Perceptron())


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ((0, 5, 1), "dimension is 0; it must be a whole number, 1 or more"),
        ((3, 2.5, 1), "width is 2.5"),
        ((3, 5, -1), "seed is -1"),
        ((3, 5, 1, 0.0), "gamma is 0.0"),
    ],
)
def test_bad_parameters(given, sentence):
    with pytest.raises(BadParameter, match=sentence):
        nr.RandomFeatures(*given)


def test_classes_go_through_the_map():
    stream = nr.from_arrays(np.eye(3), ["b", "c", "a"])
    learner = nr.MulticlassPerceptron()
    ledger = nr.play(nr.RandomFeatures(3, np.int64(50), seed=0).of(stream), learner)
    assert ledger.rounds == 3 and learner.classes == ["a", "b", "c"]
