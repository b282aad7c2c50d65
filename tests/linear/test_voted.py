"""The voted Perceptron by hand: its votes, its budget, the Perceptron inside, the round that is left out."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Verdict
from noregret.errors import BadInput, BadModel, BadParameter
from noregret.model_file import from_bytes, to_bytes
from noregret.natures.order import Passes
from noregret.reference.voted import VotedPerceptron as Twin

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


# ---- leave one out: in all orders of a few rows, so that the chance is known exactly ------------------


def left_out(make, rows):
    """The chance that the vote of all rows but one errs on that one, and what it may not exceed."""
    wrong = updates = orders = 0
    for order in permutations(rows):
        learner = make()
        updates += sum(learner.learn(x, y) for x, y in order[:-1])
        wrong += learner.predict(order[-1][0]) != order[-1][1]
        updates += learner.learn(*order[-1])
        orders += 1
    negative = Fraction(sum(y < 0 for _, y in rows), len(rows))
    return Fraction(wrong, orders), Fraction(2, len(rows) - 1) * (Fraction(updates, orders) - negative)


def drawn_rows(seed, count):
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 4))
    return [
        (list(enumerate(rng.integers(-2, 3, width).astype(float))), float(rng.choice([-1, 1])))
        for _ in range(count)
    ]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_chance_of_a_mistake_on_the_row_left_out_is_below_its_bound_in_all_orders(count):
    for seed in range(60):
        chance, bound = left_out(lambda: Twin(budget=0), drawn_rows(seed, count))
        assert chance <= bound


def test_one_of_three_orders_reaches_the_bound():
    rows = [([(0, 2.0)], -1.0), ([(0, 2.0)], -1.0), ([(0, -1.0)], 1.0)]
    assert left_out(lambda: Twin(budget=0), rows) == (Fraction(1, 3), Fraction(1, 3))
    again = [(np.array([x[0][1]]), y) for x, y in rows]
    assert left_out(nr.VotedPerceptron, again) == (Fraction(1, 3), Fraction(1, 3))


class TurnedVote(Twin):
    def decide(self, score):
        return -super().decide(score)


class NobodyVotes(Twin):
    def score(self, x):
        return 0.0


class ZeroVotes(Twin):
    """What it was before the first round has a vote as well."""

    def score(self, x):
        return (super().score(x) * max(self.labelled, 1) + 1.0) / (self.labelled + 1.0)


class LearnsTheOpposite(Twin):
    def update(self, x, y, score, weight):
        return super().update([(feature, -value) for feature, value in x], y, score, weight)


@pytest.mark.parametrize("mutant", [TurnedVote, NobodyVotes, ZeroVotes, LearnsTheOpposite])
def test_a_wrong_vote_errs_more_than_the_bound_allows(mutant):
    drawn = [drawn_rows(seed, count) for count in (2, 3, 4) for seed in range(60)]
    assert any(
        chance > bound for chance, bound in (left_out(lambda: mutant(budget=0), rows) for rows in drawn)
    )


def leave_one_out(stream, **parameters):
    ledger = nr.play(stream, nr.VotedPerceptron(**parameters))
    told = {c.theorem: c for c in nr.certify(ledger)}["Freund–Schapire (leave one out)"]
    return ledger, told


def test_the_certificate_wants_a_random_order_and_every_vote():
    rows = nr.separable(5, 0.3, 400, seed=3)
    assert "play it with --shuffle SEED" in leave_one_out(rows)[1].reason
    assert "kept 1 of" in leave_one_out(nr.shuffled(rows, 1), budget=1)[1].reason
    assert "there is 1" in leave_one_out(nr.shuffled(nr.from_arrays(np.eye(1), [1]), 1))[1].reason
    ledger, told = leave_one_out(nr.shuffled(rows, 1))
    share = float(np.mean(rows.labels < 0))
    assert told.verdict == "holds"
    assert told.observed == pytest.approx(2 / 399 * (ledger.updates - share))
    assert told.observed < told.bound < 0.5


def test_equal_rows_leave_nothing_to_err_on():
    told = leave_one_out(nr.shuffled(nr.from_arrays(np.ones((20, 1)), -np.ones(20)), 0))[1]
    assert (told.verdict, told.observed) == ("holds", 0.0)
    assert told.bound == pytest.approx(0.0, abs=1e-8)


def test_several_passes_are_the_reason_and_not_the_order():
    stream = Passes(nr.from_arrays(np.eye(4), [-1.0, 1.0, -1.0, 1.0]), 2, seed=1)
    silent = next(
        c for c in nr.certify(nr.play(stream, nr.VotedPerceptron())) if "leave one out" in c.theorem
    )
    assert silent.verdict is Verdict.SILENT and "rounds come again: play one pass" in silent.reason
