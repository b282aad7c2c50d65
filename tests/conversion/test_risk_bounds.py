"""What a risk bound needs, what a choice among learners costs, and the theorem of the survivor."""

import json
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.conversion.iterates import iterates, source_of
from noregret.conversion.methods import METHODS, survivor_risk
from noregret.errors import BadInput, BadParameter
from noregret.model_file import from_bytes, to_bytes
from noregret.natures.order import Passes

PROMISING = [method for method in METHODS if method != "last"]


def coin_flips(rounds=300, n=5, seed=0):
    """Labels that nothing predicts: every rule errs with probability ½."""
    rng = np.random.default_rng(seed)
    return nr.from_arrays(rng.normal(size=(rounds, n)), np.where(rng.random(rounds) < 0.5, -1.0, 1.0))


def taught(passes=30, **given):
    learner = nr.Perceptron()
    nr.play(Passes(coin_flips(**given), passes), learner)
    return learner


def assert_silent(made, sentence):
    bound = made.bound
    assert bound.value is None and not bound.proved and bound.heading == "risk at most"
    assert bound.statement.startswith("nothing is promised") and "\n" not in bound.statement
    assert sentence in bound.statement or made.method == "last"
    told = made.as_json()
    assert told["bound"] is None and told["proved"] is False and told["statement"] == bound.statement


# ---- a fresh learner, one pass, a whole run ----------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_a_learner_that_has_learned_is_promised_nothing(method):
    """A model that saw the same rows in thirty passes hardly errs on them: the bound was false."""
    stream, learner = coin_flips(200, 300), taught(rounds=200, n=300)
    made = nr.to_batch(learner, method, nature=stream)
    assert made.bound.mistakes < 20  # it knows these rows by heart, and errs on every other of new ones
    assert_silent(made, "of a learner that had learned before")
    assert_silent(nr.to_batch(from_bytes(to_bytes(learner))[0], method, nature=stream), "learned before")
    assert_silent(nr.to_batch(nr.play(stream, learner.clone()), method), "learned before")


@pytest.mark.parametrize("method", METHODS)
def test_weights_that_are_zero_again_are_no_fresh_start(method):
    learner = nr.Perceptron()
    for label in (-1, 1):
        learner.learn(np.ones(5), label)
    assert not any(learner.weights.values())
    assert_silent(nr.to_batch(learner, method, nature=coin_flips()), "of a learner that had learned before")


@pytest.mark.parametrize("method", METHODS)
def test_rounds_that_come_again_promise_nothing(method):
    for stream in (Passes(coin_flips(), 2), Passes(Passes(coin_flips(), 2), 1), Passes(coin_flips(), 2, 1)):
        assert_silent(nr.to_batch(nr.Perceptron(), method, nature=stream), "after more than one pass")
    twice = nr.PartlyLabelled(Passes(Passes(coin_flips(), 3), 1, seed=1), 0.5)
    assert_silent(nr.to_batch(nr.Perceptron(), method, nature=twice), "after more than one pass")


@pytest.mark.parametrize("options", [[], ["--cache"]])
def test_a_file_that_is_named_twice_is_read_twice(options, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.svm").write_text("1 1:1\n-1 2:1\n" * 20, encoding="utf-8")
    (tmp_path / "e.svm").write_text("1 1:1\n-1 2:1\n" * 20, encoding="utf-8")
    told = ["-l", "perceptron", "--to-batch", "voted", "--no-certify", *options]
    for _ in range(2):  # the second time from the cache
        assert run(["run", "d.svm", "./d.svm", *told]) == 0
        assert "nothing is promised after more than one pass" in capsys.readouterr().out
        assert run(["run", "d.svm", "e.svm", *told]) == 0
        assert "nothing is promised" not in capsys.readouterr().out


@pytest.mark.parametrize("method", METHODS)
def test_a_run_that_was_stopped_promises_nothing(method):
    rows = np.vstack([coin_flips(50).matrix, np.full((1, 5), np.nan)])
    with pytest.raises(BadInput) as stop:
        nr.play(nr.from_arrays(rows, np.ones(51)), nr.Perceptron())
    assert_silent(nr.to_batch(stop.value.ledgers[0], method), "of a run that was stopped")


@pytest.mark.parametrize("method", [one for one in METHODS if one != "penalised"])
def test_rows_that_the_learner_refused_promise_nothing(method):
    rows = coin_flips(50).matrix.copy()
    rows[7] = np.nan
    (ledger,) = nr.play_all(nr.from_arrays(rows, np.ones(50)), [nr.Perceptron()], skip=True)
    assert_silent(nr.to_batch(ledger, method), "where the learner refused 1 row")


def test_the_command_line_says_why_nothing_is_promised(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, stream in (("noise", coin_flips(100, 120)), ("test", coin_flips(500, 120, seed=1))):
        np.savez(name, X=stream.matrix, y=stream.labels)
    assert run(["run", "noise.npz", "-l", "perceptron", "--passes", "30", "--save", "a.model", "-q"]) == 0
    told = ["run", "noise.npz", "--model", "a.model", "-l", "pa1", "--test", "test.npz", "--no-certify"]
    assert run([*told, "--to-batch", "average", "--json", "r.json", "--save", "b.model"]) == 0
    shown = capsys.readouterr().out
    assert "perceptron: nothing is promised of a learner that had learned before" in shown
    assert "mean risk at most" in shown and "pa1: if the rounds are drawn" in shown
    first, second = json.loads((tmp_path / "r.json").read_text())["to_batch"]
    assert first["bound"] is None and first["observed"] > 0.4 and second["bound"] is not None
    assert nr.load("b.model").bound.value is None
    assert run(["inspect", "b.model"]) == 0
    assert "nothing is promised of a learner" in capsys.readouterr().out


# ---- a choice among several learners ------------------------------------------------------------------


@pytest.mark.parametrize("method", PROMISING)
def test_the_choice_among_learners_has_its_price(method):
    stream = nr.separable(4, 0.05, 2000, seed=3)
    alone = nr.to_batch(nr.Perceptron(), method, nature=stream, delta=0.05 / 40)
    one_of = nr.to_batch(nr.Perceptron(), method, nature=stream, delta=0.05, learners=40)
    plain = nr.to_batch(nr.Perceptron(), method, nature=stream, delta=0.05)
    assert one_of.bound.value == alone.bound.value > plain.bound.value
    assert (one_of.bound.delta, one_of.bound.learners, plain.bound.learners) == (0.05, 40, 1)
    assert one_of.as_json()["learners"] == 40 and one_of.as_json()["delta"] == 0.05
    assert "the bounds of all 40 learners hold at once, each with δ/40" in one_of.bound.statement
    assert "δ/" not in plain.bound.statement.replace("(δ/(j(j+1)))", "")
    assert from_bytes(to_bytes(one_of))[0].bound == one_of.bound


@pytest.mark.parametrize("learners", [0, -1, 1.5, True])
def test_a_number_of_learners_that_is_none_is_refused(learners):
    with pytest.raises(BadParameter, match="learners is"):
        nr.to_batch(nr.Perceptron(), nature=coin_flips(), learners=learners)


def test_the_best_of_many_is_no_more_often_false_than_promised():
    """Of forty learners on coin flips the least bound is taken: without the union over them it is too low."""
    false, careless, repetitions = 0, 0, 60
    for seed in range(repetitions):
        stream = coin_flips(40, 20, seed)
        ledgers = nr.play_all(stream, [nr.Perceptron(margin=k / 4) for k in range(40)])
        made = [nr.to_batch(one, "survivor", delta=0.2, learners=40) for one in ledgers]
        false += min(one.bound.value for one in made) < 0.5
        careless += min(nr.to_batch(one, "survivor", delta=0.2).bound.value for one in ledgers) < 0.5
    assert false <= 0.2 * repetitions < careless


def test_the_command_line_divides_by_the_number_of_learners(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    stream = nr.separable(4, 0.1, 400)
    np.savez("d", X=stream.matrix, y=stream.labels)
    told = ["run", "d.npz", "-l", "perceptron", "-l", "pa1", "-l", "arow", "--no-certify"]
    assert run([*told, "--to-batch", "voted", "--save", "m", "--json", "r.json"]) == 0
    shown = capsys.readouterr().out
    assert "confidence, all 3" in shown and "95.00%" in shown
    assert shown.count("the bounds of all 3 learners hold at once") == 1
    entries = json.loads((tmp_path / "r.json").read_text())["to_batch"]
    assert [one["learners"] for one in entries] == [3, 3, 3]
    for one, spec in zip(entries, ("perceptron", "pa1", "arow"), strict=True):
        expected = nr.to_batch(nr.learner(spec), "voted", nature=stream, delta=0.05 / 3)
        assert one["bound"] == expected.bound.value
    assert nr.load("m").bound.learners == 3
    assert run(["inspect", "m"]) == 0
    assert "the bounds of all 3 learners hold at once" in capsys.readouterr().out


# ---- the survivor -------------------------------------------------------------------------------------


def spells(spec, stream):
    """(weights, correct rounds) of every spell: one begins where the learner has changed."""
    learner, found = nr.learner(spec), []
    weights, survived, erred = dict(learner.weights), 0, False
    for x, y in zip(stream.matrix, stream.labels, strict=True):
        erred = erred or learner.predict(x) != y
        survived += not erred
        if learner.learn(x, y):
            found.append((weights, survived))
            weights, survived, erred = dict(learner.weights), 0, False
    return [*found, (weights, survived)]


@pytest.mark.parametrize("spec", ["perceptron", "perceptron:margin=0.3", "pa", "pa1:C=0.1", "arow", "alma"])
def test_the_survivor_has_the_least_bound_of_all_spells(spec):
    for seed in range(5):
        rng = np.random.default_rng(seed)
        X = rng.integers(-1, 2, (60, 3)).astype(float)  # empty rows among them, which teach nothing
        stream = nr.from_arrays(X, np.where(X @ [1.0, -2.0, 0.5] + rng.normal(size=60) >= 0, 1.0, -1.0))
        expected = spells(spec, stream)
        found = [(one.weights, one.survived) for one in iterates(source_of(nr.learner(spec), stream))]
        assert found == expected
        values = [
            1.0 - (0.1 / ((j + 1) * (j + 2))) ** (1.0 / s) if s else 1.0 for j, (_, s) in enumerate(expected)
        ]
        made = nr.to_batch(nr.learner(spec), "survivor", nature=stream, delta=0.1)
        assert made.bound.value == pytest.approx(min(values), rel=1e-12) and made.bound.proved
        j, (weights, s) = min(enumerate(expected), key=lambda one: values[one[0]])
        assert made.weights == {feature: weights[feature] for feature in made.weights}
        assert f"here j = {j + 1} and s = {s}" in made.bound.statement


def test_a_passive_aggressive_round_that_replaces_and_was_right_counts():
    stream = nr.from_arrays([[1.0], [0.5], [0.25]], [1, 1, 1])
    found = [one.survived for one in iterates(source_of(nr.learner("pa"), stream))]
    assert found == [1, 1, 1, 0]  # each round is right, and moves the weight for its margin


def test_a_mistake_that_changes_nothing_ends_what_is_counted():
    stream = nr.from_arrays([[0.0], [0.0], [0.0]], [1, -1, 1])  # an empty row teaches nothing
    (one,) = iterates(source_of(nr.learner("pa"), stream))
    assert (one.rounds, one.survived) == (3, 1)


def test_the_exact_form_is_rounded_outward():
    assert survivor_risk(0.0625, 3, 0) == 1.0
    for j, s in ((1, 1), (1, 10**6), (10**6, 7), (3, 40)):
        with localcontext(prec=40):
            exact = 1 - (Decimal("0.0625") / (j * (j + 1))) ** (1 / Decimal(s))
        assert exact <= Decimal(survivor_risk(0.0625, j, s)) <= exact * Decimal("1.000000000001")
        assert survivor_risk(0.0625, j, s) <= math.log(j * (j + 1) / 0.0625) / s * (1 + 1e-12)


def angle(weights, u):
    norm = np.linalg.norm(weights)
    return 0.5 if norm == 0.0 else math.acos(np.clip(weights @ u / norm, -1.0, 1.0)) / math.pi


@pytest.mark.parametrize("noise", [0.5, 0.1, 0.0])
def test_the_bound_of_the_survivor_is_exceeded_no_more_often_than_promised(noise):
    """The risk is known: of normal rows it is the angle between two rules, turned over by the noise."""
    delta, repetitions, exceeded = 0.25, 120, 0
    for seed in range(repetitions):
        rng = np.random.default_rng(seed)
        u, X = rng.normal(size=3), rng.normal(size=(100, 3))
        y = np.where(X @ u >= 0, 1.0, -1.0) * np.where(rng.random(100) < noise, -1.0, 1.0)
        made = nr.to_batch(nr.Perceptron(), "survivor", nature=nr.from_arrays(X, y), delta=delta)
        apart = angle(np.array([made.weights.get(j, 0.0) for j in range(3)]), u / np.linalg.norm(u))
        exceeded += noise + (1.0 - 2.0 * noise) * apart > made.bound.value
    assert exceeded <= delta * repetitions
