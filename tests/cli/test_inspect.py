"""`noregret inspect`: why a row gets its prediction, and what changed between two models."""

import json
from pathlib import Path

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.linear.learner import SCALES
from noregret.registry import LEARNERS, learner_class

ROWS = "1 1:1 2:0.5\n-1 2:1 3:2\n1 1:2 3:-1\n-1 3:1\n"


@pytest.fixture
def saved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text(ROWS, encoding="utf-8")
    Path("b.svm").write_text("-1 1:1 9:1\n1 2:1\n", encoding="utf-8")
    assert run(["run", "a.svm", "-l", "perceptron:bias=true", "--save", "a.model", "-q"]) == 0
    assert run(["run", "b.svm", "--model", "a.model", "--save", "b.model", "-q"]) == 0


def told(capsys, *command):
    capsys.readouterr()
    assert run(["inspect", *command, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def test_parts_add_up_to_the_score(saved, capsys):
    found = told(capsys, "a.model", "--example", "a.svm", "--row", "2")
    learner = nr.load("a.model")
    by_hand = {"2": learner.weights.get(2, 0.0) * 1.0, "3": learner.weights.get(3, 0.0) * 2.0}
    assert {part["feature"]: part["contribution"] for part in found["parts"]} == by_hand
    assert found["score"] == sum(by_hand.values()) + learner.intercept


def test_a_row_that_the_learner_refuses_is_named(saved, capsys):
    Path("named.csv").write_text("x,label\n1,1\n2,-1\n", encoding="utf-8")
    assert run(["inspect", "a.model", "--example", "named.csv", "--row", "2"]) == 1
    assert "noregret: named.csv, line 3: this learner knows its features by number" in capsys.readouterr().err


def test_what_changed_since(saved, capsys):
    found = told(capsys, "b.model", "--diff", "a.model")
    models = [nr.load(name) for name in ("a.model", "b.model")]
    before, now = ({**model.weights, "(bias)": model.intercept} for model in models)
    moved = {f for f in {*before, *now} if before.get(f, 0.0) != now.get(f, 0.0)}
    assert found["moved"] == len(moved) > 0
    for change in found["changes"]:
        assert before.get(change["feature"], 0.0) == change["before"]
        assert now.get(change["feature"], 0.0) == change["now"]


def test_names_and_scaled_rows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("m.csv").write_text("label,size,colour\n1,3,red\n0,1,blue\n1,4,red\n0,2,blue\n", encoding="utf-8")
    assert run(["run", "m.csv", "-l", "pa1:scale=standard,bias=true", "--save", "m.model", "-q"]) == 0
    found = told(capsys, "m.model", "--example", "m.csv", "--row", "4")
    assert {part["feature"] for part in found["parts"]} == {"size", "colour=blue"}


@pytest.mark.parametrize(
    ("command", "status", "sentence"),
    [
        (["a.model", "--example", "a.svm", "--row", "99"], 1, "has 4 rows; --row 99 is not among them"),
        (["a.model", "--example", "a.svm", "--diff", "b.model"], 2, "give one of them"),
        (["a.model", "--example", "missing.svm"], 1, "no such file"),
        (["a.model", "--diff", "a.svm"], 1, "not a model file"),
    ],
)
def test_what_cannot_be_shown_is_said(saved, capsys, command, status, sentence):
    assert run(["inspect", *command]) == status
    assert sentence in capsys.readouterr().err


def explainable():
    """Every learner of two classes or of numbers whose score is a sum over features, with each of its scales."""
    for name in LEARNERS:
        kind = learner_class(name)
        if kind.task != "multiclass" and not kind.keeps_examples:
            scales = SCALES if any(p.name == "scale" for p in kind.accepts) else ("none",)
            yield from (name if scale == "none" else f"{name}:scale={scale}" for scale in scales)


@pytest.mark.parametrize("spec", list(explainable()))
def test_parts_add_up_whatever_the_learner_and_its_scaling(spec, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    rows = rng.integers(0, 2, size=(40, 4))
    rows[8] = [0, 1, 1, 0]
    labels = np.where(rows[:, 0] > rows[:, 1], 1, 2 if spec.startswith("prank") else -1)
    lines = [f"{y}," + ",".join(map(str, row)) for y, row in zip(labels, rows.tolist(), strict=True)]
    Path("d.csv").write_text("label,a,b,c,d\n" + "\n".join(lines) + "\n", encoding="utf-8")
    learner = nr.learner("winnow:threshold=2" if spec == "winnow" else spec)
    nr.play(nr.read("d.csv", task=learner.task), learner)
    nr.save(learner, "d.model")
    found = told(capsys, "d.model", "--example", "d.csv", "--row", "9")
    parts = {part["feature"]: part["contribution"] for part in found["parts"]}
    assert sum(parts.values()) + found["rest"] == pytest.approx(found["score"], rel=1e-9, abs=1e-12)
    assert set(parts) == (set("abcd") if learner.counts_zeros else set("bc"))


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["-l", "voted-perceptron"], "voted-perceptron predicts by a vote"),
        (["-l", "perceptron", "--to-batch", "voted"], "voted of perceptron predicts by a vote"),
        (["-l", "auto"], "not auto"),
    ],
)
def test_a_vote_is_no_sum_over_features(more, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text(ROWS, encoding="utf-8")
    assert run(["run", "a.svm", *more, "--save", "v.model", "-q"]) == 0
    assert run(["inspect", "v.model", "--example", "a.svm"]) == 2
    assert sentence in capsys.readouterr().err
    assert run(["inspect", "v.model", "--diff", "v.model"]) == 2


@pytest.mark.parametrize("spec", ["voted-perceptron", "kernel-perceptron"])
def test_a_learner_that_keeps_examples_shows_no_weights(spec, saved, capsys):
    assert run(["run", "a.svm", "-l", spec, "--save", "v.model", "-q"]) == 0
    kept = int(nr.load("v.model").scalars["supports"])
    assert run(["inspect", "v.model"]) == 0
    out = capsys.readouterr().out
    kept_examples = f"{kept} example" if kept == 1 else f"{kept} examples"
    assert f"by a vote of {kept_examples} that it keeps" in out and "feature" not in out
    assert told(capsys, "v.model")["weights"] == []
    assert run(["inspect", "v.model", "--diff", "a.model"]) == 2
    assert f"{spec} predicts by a vote" in capsys.readouterr().err
    assert run(["run", "a.svm", "-l", spec, "--report", "page.html", "-q"]) == 0
    assert "The largest of" not in Path("page.html").read_text("utf-8")


def test_one_feature_is_counted_as_one(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text("-1 1:1\n", encoding="utf-8")
    assert run(["run", "a.svm", "-l", "perceptron", "--save", "a.model", "-q"]) == 0
    assert run(["inspect", "a.model"]) == 0
    assert "\n1 feature has a weight other than 0\n" in capsys.readouterr().out
