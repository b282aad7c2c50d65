"""A stream of rounds takes what a learner takes one by one, and refuses what that refuses."""

from collections import UserDict

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array

import noregret as nr
from noregret.errors import BadInput, BadLabel, BadType

TAKEN = [
    {"a": 2, "b": True, "c": "red", "d": np.float32(0.5), "e": np.array(3)},
    UserDict(a=1.5),
    np.array([1, 0, 2]),
    np.array([True, False]),
    csr_array(np.array([[0.0, 2.0, 0.0]])),
    coo_array(np.array([1.0, 2.0])),
]
REFUSED = [
    {"a": None},
    {"a": [1]},
    {"a": 10**400},
    {"a": np.array([1])},
    {"a": 1j},
    {"a": b"1"},
    {1: 2.0},
    {b"a": 1},
    {"\ud800": 1},
    {"a": "\ud800"},
    [1.0, 2.0],
    None,
    np.eye(2),
    np.array(3.0),
    np.array(["a"]),
    np.array(["1.5", "2"]),
    np.array([1j, 2.0]),
    np.ma.masked_array([1.0, 2.0], [False, True]),
    csr_array(np.array([[1j, 0.0]])),
    csr_array(np.eye(2)),
    csr_array(([1.0], ([0], [2**31 - 1])), shape=(1, 2**32)),
]


@pytest.mark.parametrize("x", TAKEN)
def test_what_a_learner_takes_makes_a_round(x):
    alone, played = nr.Perceptron(), nr.Perceptron()
    alone.learn(x, -1)
    nr.play(nr.from_rounds([(x, -1)]), played)
    assert played.weights == alone.weights and alone.weights


@pytest.mark.parametrize("x", REFUSED)
def test_what_a_learner_refuses_makes_no_round(x):
    with pytest.raises(BadInput) as alone:
        nr.Perceptron().learn(x, -1)
    with pytest.raises(type(alone.value)) as recorded:
        nr.from_rounds([({"a": 1.0}, 1), (x, -1)])
    assert str(recorded.value).removeprefix("row 1: ") == str(alone.value).replace("numpy.ndarray", "ndarray")


@pytest.mark.parametrize("labels", [["1", "2"], [1, "1"], [np.str_("a"), "b"], [1, 2.0], [True, False]])
def test_labels_are_what_they_are_one_by_one(labels):
    alone, played, rows = (nr.MulticlassPerceptron() for _ in range(3))
    for learner in (alone, played):
        learner.announce(labels)
    for x, y in zip(np.eye(2), labels, strict=True):
        alone.learn(x, y)
    nr.play(nr.from_rounds(zip(np.eye(2), labels, strict=True)), played)
    nr.play(nr.from_arrays(np.eye(2), labels), rows)
    assert played.classes == alone.classes == rows.classes
    assert list(map(type, played.classes)) == list(map(type, rows.classes)) == list(map(type, alone.classes))
    assert played.weights == alone.weights == rows.weights


@pytest.mark.parametrize("label", [[1], np.array([1]), {"a": 1}, 1j, b"1", 10**400])
def test_labels_that_no_learner_takes(label):
    with pytest.raises(BadLabel):
        nr.MulticlassPerceptron().learn({"a": 1.0}, label if not isinstance(label, dict) else list(label))
    with pytest.raises(BadLabel, match="row 0: the label is .*; labels must be numbers or strings"):
        nr.from_rounds([({"a": 1.0}, label)])


@pytest.mark.parametrize(
    ("told", "kind", "sentence"),
    [
        (({"a": 1}, 1, "x"), BadInput, "the importance weight is 'x'; it must be a finite number, 0 or more"),
        (({"a": 1}, 1, None), BadInput, "the importance weight is None"),
        (({"a": 1},), BadType, r"a round is \(x, y\) or \(x, y, weight\), not a tuple of 1"),
        (({"a": 1}, 1, 1.0, 1), BadType, "not a tuple of 4"),
        ({"a": 1, "b": 2}, BadType, "not a dict"),
    ],
)
def test_what_is_no_round(told, kind, sentence):
    with pytest.raises(kind, match=f"row 0: .*{sentence}"):
        nr.from_rounds([told])
    with pytest.raises(BadType, match="rounds are a list, or what can be gone through like one, not a int"):
        nr.from_rounds(5)


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [(["x", 1], "the importance weight is 'x'"), ([1.0], "there are 2 rows and 1 importance weights")],
)
def test_importance_weights_of_arrays_are_numbers(weights, sentence):
    with pytest.raises(BadInput, match=sentence):
        nr.from_arrays(np.eye(2), [1, -1], weights=weights)


def test_rows_of_different_lengths():
    with pytest.raises(BadType, match="the rows of X are not all of one length"):
        nr.from_arrays([[1, 2], [3]], [1, -1])


def test_rows_without_features_do_not_make_numbers_of_names():
    learner = nr.Perceptron(bias=True)
    nr.play(nr.from_rounds([({}, -1)]), learner)
    assert learner.learn({"a": 1.0}, 1)
    nr.play(nr.from_rounds([({}, 1)]), learner)
    assert learner.weights == {"a": 1.0}
