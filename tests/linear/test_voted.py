"""The voted Perceptron by hand: its votes, its budget, the Perceptron inside."""

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadInput, BadModel, BadParameter
from noregret.model_file import from_bytes, to_bytes

RNG = np.random.default_rng(4)
X = RNG.integers(-3, 4, size=(150, 4)).astype(float)  # whole numbers: no sum is rounded
Y = np.where(X @ [1.0, -2.0, 0.5, 1.0] + RNG.normal(size=150) > 0, 1.0, -1.0)


def side(score):
    return 1.0 if score >= 0 else -1.0


@pytest.mark.parametrize("budget", [0, 1, 6])
def test_by_hand(budget):
    """Every w with the rounds it lived; with a budget only the last so many and one before them."""
    learner, lived = nr.VotedPerceptron(budget=budget), [[np.zeros(4), 0]]
    for x, y in zip(X, Y, strict=True):
        voting = lived[-budget - 1 :] if budget else lived
        votes = sum(count * side(w @ x) for w, count in voting)
        total = sum(count for _, count in voting)
        assert learner.score(x) == votes / max(total, 1)
        wrong = side(lived[-1][0] @ x) != y
        assert learner.learn(x, y) == wrong
        if wrong:
            lived.append([lived[-1][0] + y * x, 0])
        lived[-1][1] += 1
    assert learner.scalars["supports"] == min(len(lived) - 1, budget or len(lived))
    assert [learner.weights.get(k, 0.0) for k in range(4)] == lived[-1][0].tolist()
    assert len(lived) == 20


@pytest.mark.parametrize("budget", [0, 1, 30])
@pytest.mark.parametrize("bias", [False, True])
def test_the_perceptron_inside_is_the_perceptron_whatever_the_budget(budget, bias):
    rows = RNG.normal(size=(300, 5))
    stream = nr.from_arrays(rows, np.where(rows[:, 0] + 0.5 * RNG.normal(size=300) > 0.2, 1.0, -1.0))
    voted, plain = nr.VotedPerceptron(budget=budget, bias=bias), nr.Perceptron(bias=bias)
    ledgers = [nr.play(stream, learner) for learner in (voted, plain)]
    assert ledgers[0].updates == ledgers[1].updates > 50
    assert (voted.weights, voted.intercept) == (plain.weights, plain.intercept)
    assert ledgers[0].potentials == ledgers[1].potentials


def test_the_vote_errs_less_than_the_last_on_noisy_rounds():
    rows = RNG.normal(size=(2000, 10))
    stream = nr.from_arrays(rows, np.where(rows[:, 0] + RNG.normal(size=2000) > 0, 1.0, -1.0))
    voted = nr.play(stream, nr.VotedPerceptron(budget=0))
    assert voted.mistakes < 0.9 * voted.updates


def test_importance_is_a_larger_step_and_no_importance_is_no_vote():
    learner = nr.VotedPerceptron()
    learner.learn({"a": 2.0}, -1, weight=3.0)
    assert learner.weights == {"a": -6.0}
    learner.learn({"a": -2.0}, 1, weight=0.0)
    assert learner.scalars["rounds"] == 1 and learner.score({"a": 1.0}) == -1.0


def test_zero_says_plus_until_something_was_learned():
    learner = nr.VotedPerceptron()
    assert (learner.score({"a": 1.0}), learner.predict({"a": 1.0})) == (0.0, 1.0)
    learner.learn({"a": 1.0}, 1)
    assert learner.score({"b": 1.0}) == 1.0


@pytest.mark.parametrize("budget", [3, 0])
def test_a_file_keeps_the_votes_and_the_bias(budget):
    learner = nr.VotedPerceptron(budget=budget, bias=True)
    for x, y in zip(X[:60], Y[:60], strict=True):
        learner.learn({"a": x[0], "b": x[1]}, y)
    again = from_bytes(to_bytes(learner))[0]
    for x, y in zip(X[60:], Y[60:], strict=True):
        row = {"a": x[0], "b": x[1]}
        assert again.score(row) == learner.score(row)
        assert again.learn(row, y) == learner.learn(row, y)
    assert again.scalars == learner.scalars and again.intercept == learner.intercept


def test_a_file_without_a_bias_may_not_hold_one_in_its_examples():
    learner = nr.VotedPerceptron(bias=True)
    learner.learn({"a": 1.0}, -1)
    state = learner.state()
    with pytest.raises(BadModel, match="do not fit its features"):
        nr.VotedPerceptron().restore(state)


def test_bad_input():
    with pytest.raises(BadParameter, match="budget is -1; it must be a whole number, 0 or more"):
        nr.VotedPerceptron(budget=-1)
    with pytest.raises(BadParameter, match="bias"):
        nr.VotedPerceptron(bias=1)  # not a yes or no
    learner = nr.VotedPerceptron()
    learner.learn({"a": 1.0}, -1)
    for value in (np.inf, 1e200):
        with pytest.raises(BadInput):
            learner.learn({"a": value}, 1)
    assert learner.weights == {"a": -1.0} and learner.scalars["rounds"] == 1


def test_the_theorem_is_about_the_perceptron_inside():
    ledger = nr.play(nr.standard_basis(40), nr.VotedPerceptron(budget=5))
    told = nr.certify(ledger)[0]
    assert (told.theorem, told.verdict, told.observed) == ("Novikoff (updates)", "holds", ledger.updates)
    assert 40.0 <= told.bound <= 40.001
