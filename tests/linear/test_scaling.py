"""Scaling as rows come: what a rule sees, what teaches the scaling, and what does not."""

import math

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadInput, BadParameter
from noregret.model_file import from_bytes, to_bytes

SCALES = ["standard", "max", "rms", "unit"]


def statistics(learner):
    lanes = learner.state()["lanes"]
    return {name: lane[1:].tolist() for name, lane in lanes.items() if name.startswith("scale-")}


def test_standard_keeps_count_mean_and_squares_of_each_feature():
    learner = nr.Perceptron(scale="standard")
    for value, y in ((1.0, 1), (3.0, 1), (8.0, -1)):
        learner.learn({"a": value}, y)
    assert statistics(learner) == {"scale-count": [3.0], "scale-mean": [4.0], "scale-squares": [26.0]}


def test_the_rule_learns_from_the_row_as_scaled_with_itself():
    learner = nr.Perceptron(scale="standard")
    learner.learn({"a": 2.0}, -1)  # the first of its kind: 0, so nothing moves
    assert learner.weights == {}
    learner.learn({"a": 4.0}, -1)  # mean 3, deviation 1: seen as +1
    assert learner.weights == {"a": -1.0}
    assert learner.score({"a": 5.0}) == -2.0
    assert statistics(learner)["scale-count"] == [2.0]  # asking teaches nothing


def test_what_is_always_1_stays_1_under_standard():
    learner = nr.Perceptron(scale="standard")
    learner.learn({"town": "A", "word": 1.0}, -1)
    assert learner.weights == {"town=A": -1.0, "word": -1.0}
    assert learner.score({"town": "A"}) == -1.0
    learner.learn({"word": 3.0}, 1)  # no longer: mean 2, deviation 1, seen as +1
    assert learner.weights == {"town=A": -1.0}
    assert learner.score({"town": "B"}) == 0.0


def test_max_divides_by_the_largest_so_far():
    learner = nr.Perceptron(scale="max")
    learner.learn({"a": -4.0, "b": 2.0}, -1)
    assert learner.weights == {"a": 1.0, "b": -1.0}
    assert learner.score({"a": 2.0}) == 0.5
    assert learner.score({"c": 2.0}) == 0.0


def test_rms_counts_the_rows_where_a_feature_is_absent():
    learner = nr.Perceptron(scale="rms")
    learner.learn({"a": 6.0}, -1)  # the only row: seen as 1
    assert learner.weights == {"a": -1.0}
    for _ in range(3):
        learner.learn({"b": 0.0}, 1)
    assert statistics(learner) == {"scale-squares": [36.0]}  # a 0 is no feature
    assert learner.score({"a": 6.0}) == -2.0  # over √(36/4)
    assert from_bytes(to_bytes(learner))[0].score({"a": 6.0}) == -2.0
    assert learner.score({"c": 6.0}) == 0.0


def test_unit_divides_by_the_length_and_leaves_the_bias():
    learner = nr.Perceptron(scale="unit", bias=True)
    learner.learn({"a": 3.0, "b": 4.0}, -1)
    assert learner.weights == {"a": -0.6, "b": -0.8}
    assert learner.intercept == -1.0
    assert nr.Perceptron(scale="unit").score({}) == 0.0


def test_features_that_were_never_met_count_in_the_length_of_a_row():
    learner = nr.Perceptron(scale="unit")
    learner.learn({"a": 1.0}, -1)
    assert learner.score({"a": 3.0, "new": 4.0, "newer": 12.0}) == pytest.approx(-3.0 / 13.0)


@pytest.mark.parametrize("scale", SCALES)
def test_rows_without_label_or_importance_and_bad_rows_teach_nothing(scale):
    learner = nr.Perceptron(scale=scale, bias=True)
    for value, y in ((1.0, 1), (3.0, -1), (8.0, -1)):
        learner.learn({"a": value, "b": 1.0 / value}, y)
    before = to_bytes(learner)
    learner.learn({"a": 100.0}, None)
    learner.learn({"a": 100.0}, 1.0, weight=0.0)
    for bad in (math.nan, math.inf, -math.inf):
        with pytest.raises(BadInput, match="'a' is"):
            learner.learn({"a": bad}, 1.0)
    with pytest.raises(BadInput):
        learner.learn({"a": 100.0}, 3.0)
    if scale != "max":
        with pytest.raises(BadInput, match="too large to be scaled"):
            learner.learn({"a": 1e200}, 1.0)
    assert to_bytes(learner) == before


@pytest.mark.parametrize("scale", SCALES)
def test_loaded_it_goes_on_with_the_statistics_it_had(scale):
    rng = np.random.default_rng(0)
    X, y = 5.0 + 3.0 * rng.normal(size=(300, 4)), rng.choice([-1.0, 1.0], 300)
    learner = nr.learner(f"arow:bias=true,scale={scale}")
    nr.play(nr.from_arrays(X[:150], y[:150]), learner)
    again = from_bytes(to_bytes(learner))[0]
    for one in (learner, again):
        nr.play(nr.from_arrays(X[150:], y[150:]), one)
    assert to_bytes(learner) == to_bytes(again)


def test_a_stray_tiny_value_does_not_block_the_rows_after_it():
    learner = nr.Perceptron(scale="max")
    learner.learn({"a": 1e-310}, -1)
    assert math.isfinite(learner.score({"a": 5.0}))
    learner.learn({"a": 5.0}, -1)
    assert statistics(learner) == {"scale-largest": [5.0]}


def test_theorems_about_the_rows_as_given_are_silent():
    stream = nr.separable(5, 0.1, 100)
    for certificate in nr.certify(nr.play(stream, nr.Perceptron(scale="unit"))):
        assert certificate.verdict == "silent"
        assert "scale=unit" in certificate.reason


def test_a_scale_that_does_not_exist_is_refused():
    with pytest.raises(BadParameter, match="none, standard, max, rms or unit"):
        nr.Perceptron(scale="robust")
    with pytest.raises(BadParameter, match="none, standard, max, rms or unit"):
        nr.learner("arow:scale=minmax")
