"""The checks that parameters of learners share."""

import math

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadParameter
from noregret.parameters import EXACT, one_of, whole


@pytest.mark.parametrize("value", [3, 3.0, np.int64(3), np.float32(3.0)])
def test_a_whole_number_may_come_as_a_float(value):
    found = whole("n", value, 1)
    assert found == 3 and type(found) is int


@pytest.mark.parametrize("value", [2.5, math.nan, math.inf, -math.inf, True, "3", None])
def test_what_is_no_whole_number_is_refused(value):
    with pytest.raises(BadParameter, match=r"n is .*; it must be a whole number$"):
        whole("n", value)


def test_limits_are_said():
    with pytest.raises(BadParameter, match="n is 0; it must be a whole number, 1 or more$"):
        whole("n", 0, 1)
    with pytest.raises(BadParameter, match="n is 1001; it must be a whole number from 2 to 1,000$"):
        whole("n", 1001, 2, 1000)
    assert whole("n", 10**400) == 10**400


@pytest.mark.parametrize(
    "make",
    [
        lambda seed: nr.SelectivePerceptron(seed=seed),
        lambda seed: nr.SelectivePerceptron(budget=seed),
        lambda seed: nr.RandomizedMajority(2, seed=seed),
    ],
)
def test_what_the_core_keeps_as_a_double_is_exact(make):
    assert make(EXACT)
    with pytest.raises(BadParameter, match="it must be a whole number from 0 to 9,007,199,254,740,991$"):
        make(EXACT + 1)


def test_a_word_that_is_close_is_offered_beside_all_that_there_are():
    with pytest.raises(
        BadParameter, match=r"hue is 'blu'; did you mean blue\? it must be red, green or blue$"
    ):
        one_of("hue", "blu", ["red", "green", "blue"])


@pytest.mark.parametrize("value", [0.5, np.float32(0.5), np.float64(0.5)])
def test_a_number_may_be_one_of_numpys(value):
    assert nr.learner("ftrl").__class__(l1=value).parameters["l1"] == 0.5
    assert nr.Perceptron(rate=value).parameters["rate"] == 0.5


@pytest.mark.parametrize("value", ["0.5", 10**400, math.nan, [1.0, 2.0], None])
def test_what_is_no_number_is_refused_by_everybody(value):
    for make in (lambda: nr.Perceptron(rate=value), lambda: nr.learner("ftrl").__class__(l1=value)):
        with pytest.raises(BadParameter, match="it must be a"):
            make()
