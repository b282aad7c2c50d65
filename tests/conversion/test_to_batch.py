"""From online to batch, against the same by hand: every hypothesis listed, round by round."""

import math
import os
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret.cli.app import run
from noregret.conversion.iterates import iterates, source_of
from noregret.conversion.methods import CANDIDATES
from noregret.errors import BadCommand, BadInput, BadParameter, BadType, UnknownName
from noregret.registry import LEARNERS

DATA = os.environ.get("NOREGRET_DATA")


def noisy_stream(rounds=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 4)) * (rng.random((rounds, 4)) < 0.7)
    y = np.where(X @ [1.0, -2.0, 0.5, 0.1] + 0.4 * rng.normal(size=rounds) >= 0, 1.0, -1.0)
    y[rng.random(rounds) < 0.1] = np.nan
    return nr.from_arrays(X, y)


def by_hand(learner, stream):
    """(weights as an array, intercept, round) of h_1 … h_T, and the mistakes."""
    found, mistakes = [], 0
    for x, y in zip(stream.matrix, stream.labels, strict=True):
        if math.isnan(y):
            continue
        found.append(
            (np.array([learner.weights.get(j, learner.initial_weight) for j in range(4)]), learner.intercept)
        )
        mistakes += learner.predict(x) != y
        learner.learn(x, y)
    return found, mistakes


BINARY = [spec for spec in LEARNERS if getattr(nr.learner(spec), "task", "") == "binary"]
SPECS = ["perceptron", "perceptron:bias=true", "balanced-winnow"]


@pytest.mark.parametrize(
    "spec", [*BINARY, "winnow:threshold=2", "ogd:l1=0.01,l2=0.1", "arow:covariance=full,bias=true"]
)
def test_the_hypotheses_err_as_the_learner_did(spec):
    """Each in its own rounds: so there is one for every change, and it is what the learner was."""
    stream = noisy_stream()
    if nr.learner(spec).zero_one:
        stream = nr.from_arrays((stream.matrix > 0).astype(float), stream.labels)
    ledger = nr.play(stream, nr.learner(spec))
    try:
        source = source_of(ledger, None)
    except BadType as refused:
        assert spec in ("averaged-perceptron", "voted-perceptron", "kernel-perceptron"), refused
        return
    told, wrong = ~np.isnan(stream.labels), 0
    rows, labels = stream.matrix[told], stream.labels[told]
    for h in iterates(source):
        part = slice(h.begin, h.begin + h.rounds)
        scores = rows[part] @ [h.weights.get(j, h.initial) for j in range(4)] + h.offset
        says = np.where(scores > 0, 1.0, np.where(scores < 0, -1.0, ledger.start.decide(0.0)))
        wrong += int(np.sum(says != labels[part]))
    assert wrong == ledger.mistakes


@pytest.mark.parametrize(
    "spec",
    ["perceptron:scale=standard", "arow:scale=unit", "averaged-perceptron", "voted-perceptron", "kernel-perceptron",
     "ridge", "multiclass-perceptron", "panel:perceptron/pa1"],
)  # fmt: skip
def test_learners_without_fixed_weights_are_refused(spec):
    with pytest.raises(BadType, match=r"scale|voted|average|two classes|linear learner"):
        nr.to_batch(nr.learner(spec), "last", nature=noisy_stream())


def test_winnow_knows_its_threshold_from_the_columns():
    stream = noisy_stream()
    made = nr.to_batch(nr.Winnow(), "last", nature=nr.from_arrays((stream.matrix > 0) * 1.0, stream.labels))
    assert made.predictor.offsets[0] == -4.0


@pytest.mark.parametrize("spec", SPECS)
def test_the_average_is_the_mean_of_the_weights(spec):
    stream = noisy_stream()
    listed, mistakes = by_hand(nr.learner(spec), stream)
    made = nr.to_batch(nr.play(stream, nr.learner(spec)), "average", delta=0.1)
    mean = np.mean([w for w, _ in listed], axis=0)
    assert np.allclose([made.predictor.weights.get(j, 0.0) for j in range(4)], mean, rtol=1e-12)
    assert math.isclose(
        made.predictor.offsets[0], np.mean([b for _, b in listed]), rel_tol=1e-12, abs_tol=1e-15
    )
    T = len(listed)
    expected = mistakes / T + math.sqrt(math.log(10.0) / (2 * T))
    assert expected <= made.bound.value <= expected * (1 + 1e-13) and not made.bound.proved


@pytest.mark.parametrize("spec", SPECS)
def test_the_vote_counts_every_hypothesis_for_its_rounds(spec):
    stream, test = noisy_stream(), noisy_stream(100, seed=5)
    listed, mistakes = by_hand(nr.learner(spec), stream)
    made = nr.to_batch(nr.learner(spec), "voted", nature=stream, test=test)
    votes = np.mean([np.where(test.matrix @ w + b >= 0, 1.0, -1.0) for w, b in listed], axis=0)
    assert np.allclose(made.score(test.matrix), votes, atol=1e-12)
    assert made.predict(test.matrix).tolist() == np.where(votes >= 0, 1.0, -1.0).tolist()
    labelled = ~np.isnan(test.labels)
    wrong = np.sum(np.where(votes >= 0, 1.0, -1.0)[labelled] != test.labels[labelled])
    assert (made.rows, made.errors) == (labelled.sum(), wrong)
    assert made.bound.proved and math.isclose(
        made.bound.value, 2 * (mistakes / len(listed) + math.sqrt(math.log(20.0) / (2 * len(listed))))
    )


def test_one_example_and_a_matrix_and_sparse_rows_are_told_alike():
    made = nr.to_batch(nr.Perceptron(bias=True), "voted", nature=noisy_stream())
    X = np.random.default_rng(1).normal(size=(6, 4))
    scores = made.score(X)
    assert np.array_equal(scores, made.score(csr_array(X)))
    assert np.array_equal(scores, [made.score(x) for x in X])
    assert np.array_equal(made.predict(X), [made.predict(csr_array(x[None, :])) for x in X])


def test_the_last_promises_nothing():
    stream, learner = noisy_stream(), nr.Perceptron()
    ledger = nr.play(stream, learner)
    final = nr.to_batch(ledger, "last")
    assert final.predictor.weights == learner.weights and final.bound.value is None
    assert "nothing is promised" in final.bound.statement


def test_a_random_hypothesis_is_the_one_of_its_round():
    stream = noisy_stream()
    listed, _ = by_hand(nr.Perceptron(), stream)
    for seed in range(4):
        t = int(np.random.default_rng(seed).integers(len(listed)))
        made = nr.to_batch(nr.Perceptron(), "random", nature=stream, seed=seed)
        assert [made.predictor.weights.get(j, 0.0) for j in range(4)] == listed[t][0].tolist()
        assert not made.bound.proved  # what is proved is the mean over the draws
        assert "on average over the draw" in made.bound.statement


def test_the_penalised_hypothesis_has_the_least_error_after_it_and_penalty():
    stream = noisy_stream(1000)
    listed, _ = by_hand(nr.Perceptron(), stream)
    X, y = (part[~np.isnan(stream.labels)] for part in (stream.matrix, stream.labels))
    T, K = len(y), CANDIDATES
    grid = [k * T // K for k in range(K)]
    values = [
        np.mean(np.where(X[t:] @ listed[t][0] >= 0, 1.0, -1.0) != y[t:])
        + math.sqrt(math.log(K / 0.05) / (2 * (T - t)))
        for t in grid
    ]
    made = nr.to_batch(nr.Perceptron(), "penalised", nature=stream)
    assert math.isclose(made.bound.value, min(values)) and made.bound.proved
    chosen = listed[grid[int(np.argmin(values))]][0].tolist()
    assert [made.predictor.weights.get(j, 0.0) for j in range(4)] == chosen


def test_features_never_met_weigh_what_they_start_with():
    rounds = [({"a": 1.0}, -1), ({"b": 1.0}, 1)] * 5
    made = nr.to_batch(nr.Winnow(threshold=1.5), "average", nature=nr.from_rounds(rounds))
    assert made.score({"never": 1.0}) == 1.0 - 1.5 and made.predict({"never": 1.0, "b": 1.0}) == 1.0
    assert made.predict({}) == -1.0


def test_weights_that_all_come_back_to_zero_are_no_trouble():
    rounds = [({"a": 1.0}, -1), ({"a": 1.0}, 1), ({"a": 1.0}, -1)]
    assert nr.to_batch(nr.Perceptron(), "voted", nature=nr.from_rounds(rounds)).predictor.hypotheses == 3


def test_a_learner_that_changes_without_a_mistake_is_looked_at_in_every_round():
    stream = nr.from_arrays([[1.0]] * 3, [1, 1, -1])
    made = nr.to_batch(nr.Majority(), "voted", nature=stream)
    assert made.predictor.hypotheses == 3  # undecided, 1 ahead, 2 ahead
    assert made.predictor.offsets.tolist() == [0.0, 1.0, 2.0]


def test_nothing_is_promised_when_rounds_come_again(tmp_path):
    (tmp_path / "d.svm").write_text("1 1:1\n-1 2:1\n")
    told = [
        "run",
        str(tmp_path / "d.svm"),
        "-l",
        "perceptron",
        "--passes",
        "2",
        "--to-batch",
        "voted",
        "--json",
        str(tmp_path / "j"),
        "-q",
    ]
    assert run(told) == 0
    assert '"bound": null' in (tmp_path / "j").read_text()


def test_what_cannot_be_converted_is_said():
    stream = noisy_stream(20)
    with pytest.raises(UnknownName, match="there is average, voted"):
        nr.to_batch(nr.Perceptron(), "median", nature=stream)
    with pytest.raises(BadParameter, match="delta is 1"):
        nr.to_batch(nr.Perceptron(), nature=stream, delta=1)
    with pytest.raises(BadCommand, match="has no rounds"):
        nr.to_batch(nr.Perceptron())
    with pytest.raises(BadCommand, match="without delay"):
        nr.to_batch(nr.Perceptron(), nature=nr.Delayed(stream, 2))
    with pytest.raises(BadType, match="no weights by feature"):
        nr.to_batch(nr.Halving("thresholds:3"), nature=stream)
    with pytest.raises(BadInput, match="no labelled round"):
        nr.to_batch(nr.Perceptron(), nature=nr.from_arrays([[1.0]], [np.nan]))


def test_the_command_prints_bound_and_risk(tmp_path, capsys):
    for name in ("train", "test"):
        (tmp_path / name).write_text("1 1:1\n-1 2:1\n" * 100)
    told = [
        "run",
        str(tmp_path / "train"),
        "-l",
        "perceptron",
        "--to-batch",
        "average",
        "--test",
        str(tmp_path / "test"),
    ]
    assert run(told) == 0
    assert "mean risk at most" in capsys.readouterr().out
    assert run([*told[:4], "--to-batch", "median"]) == 2


@pytest.mark.skipif(DATA is None, reason="a9a is not here; set NOREGRET_DATA to the folder that has it")
def test_average_and_vote_beat_the_last_hypothesis_on_a9a():
    folder = Path(DATA or "")
    observed = {}
    for method in ("last", "average", "voted", "penalised"):
        made = nr.to_batch(nr.Perceptron(), method, nature=nr.read(folder / "a9a"), test=folder / "a9a.t")
        observed[method] = made.observed
        assert made.bound.value is None or made.observed <= made.bound.value
    assert max(observed["average"], observed["voted"]) < observed["last"] - 0.02


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("multiclass-perceptron", "two classes, and multiclass-perceptron is for multiclass"),
        ("widrow-hoff", "two classes, and widrow-hoff is for regression"),
        ("kernel-perceptron", "--to-batch: kernel-perceptron has no weights"),
        ("perceptron:scale=unit", "--to-batch: perceptron:scale=unit scales rows"),
        ("averaged-perceptron", "--to-batch: averaged-perceptron changes in every round"),
    ],
)
def test_the_command_line_says_of_whom_no_predictor_is_made(spec, sentence, tmp_path, capsys):
    path = tmp_path / "d.svm"
    path.write_text("1 1:1\n2 2:1\n", encoding="utf-8")
    assert run(["run", str(path), "-l", spec, "--to-batch", "voted"]) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--labelled", "0.9"], ["--shuffle", "1", "--labelled", "0.9"]])
def test_nothing_is_promised_after_several_passes_whatever_else_is_asked(tmp_path, capsys, options):
    (tmp_path / "d.svm").write_text("1 0:1\n-1 1:1\n" * 40)
    told = ["run", str(tmp_path / "d.svm"), "-l", "perceptron", "--to-batch", "penalised", "--passes", "3"]
    assert run([*told, *options]) == 0
    assert "nothing is promised after more than one pass" in capsys.readouterr().out


@pytest.mark.parametrize("spec", ["pa", "pa1", "alma", "cw", "romma:aggressive=true", "perceptron:margin=1"])
def test_as_many_updates_as_mistakes_in_other_rounds(spec):
    """A mistake may teach nothing (an empty row), and a round that was right may teach."""
    rng = np.random.default_rng(0)
    for _ in range(30):
        X = rng.integers(-2, 3, (8, 4)) * (rng.random((8, 4)) < 0.4) / 2.0
        stream = nr.from_arrays(X, rng.choice([-1.0, 1.0], 8))
        expected, _ = by_hand(nr.learner(spec), stream)
        found = [
            one.weights for one in iterates(source_of(nr.learner(spec), stream)) for _ in range(one.rounds)
        ]
        assert [[one.get(j, 0.0) for j in range(4)] for one in found] == [w.tolist() for w, _ in expected]


@pytest.mark.parametrize("method", ["average", "voted", "random", "penalised"])
def test_no_risk_is_more_than_certain(method):
    stream = nr.from_arrays(np.eye(3), [-1.0, -1.0, -1.0])
    assert nr.to_batch(nr.Perceptron(), method, nature=stream).bound.value == 1.0
