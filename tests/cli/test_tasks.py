"""Classes and numbers on the command line."""

import json

import numpy as np
import pytest

from noregret.cli.app import run


def written(path, rows):
    path.write_text(
        "".join(f"{label} {' '.join(f'{k}:{v}' for k, v in row.items())}\n" for label, row in rows)
    )
    return str(path)


@pytest.fixture
def letters(tmp_path):
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(300):
        label = int(rng.integers(1, 5))
        rows.append((label, {label: 1.0, 9: round(float(rng.normal()), 3)}))
    return written(tmp_path / "letters.svm", rows)


@pytest.fixture
def prices(tmp_path):
    rng = np.random.default_rng(1)
    rows = [(round(2 * x - y, 4), {1: x, 2: y}) for x, y in np.round(rng.normal(size=(300, 2)), 3).tolist()]
    return written(tmp_path / "prices.svm", rows)


def test_a_run_over_classes(letters, tmp_path, capsys):
    model, said = str(tmp_path / "m"), str(tmp_path / "said.csv")
    arguments = ["run", letters, "-l", "multiclass-perceptron", "-l", "multiclass-pa1", "--save", model]
    assert run([*arguments, "--predictions", said, "--test", letters, "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert sorted(told["labels"]["classes"]) == [1, 2, 3, 4]
    first = told["learners"][0]
    assert 0 < first["mistakes"] < 60
    assert first["auc"] is None and 0.8 < first["recall"] <= 1.0
    assert {c["verdict"] for one in told["learners"] for c in one["certificates"]} <= {"holds", "silent"}
    assert [one["baseline"] for one in told["baselines"]][1] == "last-label"
    rows = (tmp_path / "said.csv").read_text().splitlines()
    assert rows[1].split(",")[1] == ""  # nothing was known in the first round
    assert run(["predict", model, letters]) == 0
    out = capsys.readouterr()
    assert set(out.out.split()) == {"1", "2", "3", "4"}
    assert run(["inspect", model]) == 0
    assert "4, 4" in capsys.readouterr().out
    assert run(["run", letters, "--model", model]) == 0


def test_a_run_over_numbers(prices, tmp_path, capsys):
    model = str(tmp_path / "m")
    specs = ["-l", "ridge", "-l", "widrow-hoff:rate=0.1", "-l", "mean"]
    assert run(["run", prices, *specs, "--test", prices, "--save", model]) == 0
    out = capsys.readouterr().out
    assert "RMSE" in out and "mistakes" not in out and "the smallest error" in out
    assert run(["run", prices, *specs, "--json", "-"]) == 0
    ridge, widrow, mean = json.loads(capsys.readouterr().out)["learners"]
    assert max(ridge["rmse"], widrow["rmse"]) < 0.2 * mean["rmse"]
    assert ridge["certificates"][0]["verdict"] == widrow["certificates"][0]["verdict"] == "holds"
    assert run(["predict", model, prices]) == 0
    assert len(capsys.readouterr().out.split()) == 300


@pytest.mark.parametrize(
    ("specs", "status", "why"),
    [
        (["perceptron", "multiclass-pa"], 2, "one task"),
        (["widrow-hoff", "multiclass-pa"], 2, "one task"),
        (["perceptron"], 1, "multiclass-perceptron"),
    ],
)
def test_tasks_are_not_mixed_and_labels_must_fit(letters, capsys, specs, status, why):
    assert run(["run", letters, *[word for spec in specs for word in ("-l", spec)]]) == status
    assert why in capsys.readouterr().err


def test_numbers_are_no_classes(prices, capsys):
    assert run(["run", prices, "-l", "multiclass-perceptron"]) == 1
    assert "widrow-hoff" in capsys.readouterr().err
    assert run(["run", "-l", "ridge"]) == 2
    assert "two classes" in capsys.readouterr().err


def test_one_scale_for_every_learner_that_names_none(letters, prices, capsys):
    arguments = [
        "run",
        letters,
        "-l",
        "multiclass-pa1",
        "-l",
        "multiclass-arow:scale=rms",
        "--scale",
        "standard",
    ]
    assert run([*arguments, "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)["learners"]
    assert [one["learner"] for one in told] == ["multiclass-pa1:scale=standard", "multiclass-arow:scale=rms"]
    assert run(["run", prices, "-l", "ridge:bias=true", "--scale", "max", "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)["learners"][0]
    assert told["learner"] == "ridge:bias=true,scale=max"
    assert told["certificates"][0]["verdict"] == "silent"


def test_baselines_need_no_scaling(prices, capsys):
    assert run(["run", prices, "-l", "ridge:bias=true", "-l", "mean", "--scale", "max", "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["learner"] for one in told["learners"]] == ["ridge:bias=true,scale=max", "mean"]


def test_a_run_over_numbers_has_its_baselines(prices, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert run(["run", prices, "-l", "mean", "-l", "last-value", "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    for one, baseline in zip(told["learners"], told["baselines"], strict=True):
        expected = {"baseline": one["learner"]} | {key: one[key] for key in ("rmse", "mae", "loss")}
        assert baseline == expected
    assert run(["run", prices, "-l", "ridge", "--report", str(page)]) == 0
    out = capsys.readouterr().out
    assert [line.split()[0] for line in out.splitlines()[2:6]] == ["learner", "ridge", "mean", "last-value"]
    assert "<td>last-value</td>" in page.read_text(encoding="utf-8")
    assert run(["run", prices, "-l", "ridge", "-l", "mean"]) == 0
    assert capsys.readouterr().out.count("\nmean ") == 1  # who names it has it once


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--scale", "standard"], "--scale is for single learners: auto weighs members"),
        (["-l", "panel:perceptron/arow", "--scale", "max"], "--scale is for single learners: panel weighs"),
        (["-l", "winnow", "--scale", "max"], "winnow takes none; leave --scale out"),
        (["-l", "arow", "--scale", "minmax"], "it must be none, standard, max, rms or unit"),
        (["-l", "arrow", "--scale", "max"], "did you mean arow"),
    ],
)
def test_a_scale_that_cannot_be_is_refused(letters, more, why, capsys):
    assert run(["run", letters, *more]) == 2
    assert why in " ".join(capsys.readouterr().err.split())


def test_a_model_keeps_its_scaling(prices, tmp_path, capsys):
    model = str(tmp_path / "m")
    assert run(["run", prices, "-l", "ridge", "--scale", "rms", "--save", model]) == 0
    assert run(["run", prices, "--model", model, "--scale", "rms"]) == 2
    assert "a model keeps the scaling" in capsys.readouterr().err
    assert run(["run", prices, "--model", model]) == 0
    assert "ridge:scale=rms" in capsys.readouterr().out


def test_panels_are_listed_with_their_parameters_and_theorems(capsys):
    assert run(["learners", "--json", "-"]) == 0
    told = {one["learner"]: one for one in json.loads(capsys.readouterr().out)}
    assert [one["name"] for one in told["panel"]["parameters"]] == ["rule", "members"]
    assert told["auto"]["parameters"] == []
    for name in ("auto", "panel"):
        assert [one["theorem"] for one in told[name]["theorems"]] == ["de Rooij et al.", "Half the weight"]
    assert run(["learners", "panel"]) == 0
    assert "panel:rule=squint/perceptron/arow:ridge=10" in capsys.readouterr().out


def test_a_model_that_met_one_class_goes_on(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.csv").write_text("y,a\nred,1\nred,2\n", encoding="utf-8")
    (tmp_path / "more.csv").write_text("y,a\nred,1\nblue,2\n", encoding="utf-8")
    assert run(["run", "one.csv", "-l", "multiclass-perceptron", "--save", "m", "-q"]) == 0
    assert run(["predict", "m", "more.csv"]) == 0
    assert capsys.readouterr().out == "red\nred\n"
    assert run(["run", "more.csv", "--model", "m", "--save", "m", "-q"]) == 0
    assert run(["run", "more.csv", "--model", "m", "--positive", "red"]) == 2
    assert "positive" in capsys.readouterr().err
