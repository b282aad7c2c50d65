"""Rows that a learner or the labels refuse, where nothing is learned; and what is said of them."""

import json
from pathlib import Path

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def write(name, text):
    Path(name).write_text(text, encoding="utf-8")


def test_predict_passes_over_a_row_that_the_learner_refuses(capsys):
    write("w.svm", "1 1:1\n-1 2:1\n1 1:1\n")
    write("t.svm", "1 1:1\n-1 2:0.5\n1 1:1\nbad\n1 1:1\n")
    assert run(["run", "w.svm", "-l", "winnow:threshold=2", "--no-certify", "--save", "w.model", "-q"]) == 0
    told = ["predict", "w.model", "t.svm", "--json", "p.json"]
    assert run(told) == 1
    assert "t.svm, line 2" in capsys.readouterr().err
    assert run([*told, "--on-bad-row", "skip"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == ["1", "?", "1", "?", "1"]
    assert "3 rows, 0 unlike" in err and "skipped: 2 bad rows" in err and "line 2" in err
    counted = json.loads(Path("p.json").read_text(encoding="utf-8"))
    assert (counted["rows"], counted["labelled"], counted["skipped"]) == (3, 3, 2)


def test_members_of_a_panel_may_refuse_different_rows(capsys):
    write("w.svm", "-1 1:1\n-1 2:1\n1 3:1\n")
    write("t.svm", "1 3:1\n1 2:0.5\n1 3:1\n1 1:1e308\n1 3:1\n")
    panel = "panel:perceptron:rate=10/winnow:threshold=2"
    assert run(["run", "w.svm", "-l", panel, "--no-certify", "--save", "w.model", "-q"]) == 0
    assert run(["predict", "w.model", "t.svm"]) == 1
    assert "t.svm, line 2" in capsys.readouterr().err
    assert run(["predict", "w.model", "t.svm", "--on-bad-row", "skip"]) == 0
    out, err = capsys.readouterr()
    assert [line == "?" for line in out.splitlines()] == [False, True, False, True, False]
    assert "3 rows" in err and "skipped: 2 bad rows" in err


def test_a_test_passes_over_it_too(capsys):
    write("w.svm", "1 1:1\n-1 2:1\n1 1:1\n")
    write("t.svm", "1 1:1\n-1 2:0.5\n1 1:1\n")
    told = ["run", "w.svm", "-l", "winnow:threshold=2", "--no-certify", "--test", "t.svm", "--json", "r.json"]
    assert run([*told, "-q"]) == 1
    assert run([*told, "-q", "--on-bad-row", "skip"]) == 0
    tested = json.loads(Path("r.json").read_text(encoding="utf-8"))["learners"][0]["test"]
    assert tested["rows"] == 2


def test_a_label_that_is_too_large_to_be_told_apart_is_unknown(capsys):
    write("m.svm", "1 1:1\n2 2:1\n3 1:1\n")
    write("t.svm", "1 1:1\n10000000000000000 2:1\n3 1:1\n")
    assert (
        run(["run", "m.svm", "-l", "multiclass-perceptron", "--no-certify", "--save", "m.model", "-q"]) == 0
    )
    assert run(["predict", "m.model", "t.svm"]) == 0
    out, err = capsys.readouterr()
    assert "?" not in out and len(out.splitlines()) == 3
    assert "labels that do not fit the model count as unknown: 1" in err


def test_labels_of_rows_that_were_left_out_are_no_classes(capsys):
    write("k.csv", "label,x\ndog,1\nwolf,abc\ncat,2\n")
    skip = ["--numeric", "x", "--on-bad-row", "skip", "--no-certify"]
    assert run(["run", "k.csv", *skip, "-l", "multiclass-perceptron"]) == 0
    assert "2 classes: dog, cat" in capsys.readouterr().out
    assert run(["run", "k.csv", *skip, "--positive", "dog", "-l", "perceptron"]) == 0
    assert "label dog is positive, cat negative" in capsys.readouterr().out
    assert run(["run", "k.csv", *skip, "--positive", "wolf", "-l", "perceptron"]) == 0
    assert "label wolf is positive, which no row had" in capsys.readouterr().out


def test_a_cache_remembers_that_several_labels_are_negative(capsys):
    write("s.csv", "label,x\na,1\nb,2\nc,3\na,4\n")
    told = ["run", "s.csv", "--positive", "a", "-l", "perceptron", "--no-certify", "--cache"]
    for _ in range(2):
        assert run(told) == 0
        out = capsys.readouterr().out
        assert "label a is positive, every other negative" in out and "always not a" in out


def test_rows_that_only_learners_refuse_are_listed_once(capsys):
    write("t.svm", "-1 1:1e200\n1 1:1e200\n-1 2:1\n")
    learners = ["-l", "perceptron", "-l", "perceptron:rate=2"]
    assert run(["run", "t.svm", *learners, "--no-certify", "--on-bad-row", "skip"]) == 0
    told = capsys.readouterr()
    assert (told.out + told.err).count("t.svm, line 1: ") == 1


def test_what_no_learner_takes_is_not_converted(capsys):
    values = np.array([[1.0, 2.0], [1.0, np.inf], [3.0, np.nan], [4.0, 5.0]])
    np.savez("t.npz", X=values, y=[1, -1, 1, -1])
    assert run(["convert", "t.npz", "t.nrb"]) == 1
    assert "t.npz, row 2: feature 1 is inf; a value must be a finite number" in capsys.readouterr().err
    assert not Path("t.nrb").exists()
    assert run(["convert", "t.npz", "t.nrb", "--on-bad-row", "skip"]) == 0
    told = capsys.readouterr()
    assert "2 bad rows" in told.out + told.err and "row 3: feature 1 is nan" in told.out + told.err
    rows = [batch.row(r) for batch in nr.read("t.nrb").batches() for r in range(len(batch))]
    assert rows == [[(0, 1.0), (1, 2.0)], [(0, 4.0), (1, 5.0)]]


def test_the_other_negative_label_is_told_with_the_one_before(capsys):
    """Which may be that of the model's data; this data has one alone."""
    write("zeros.svm", "1 1:1\n0 2:1\n")
    write("minus.svm", "1 1:1\n-1 2:1\n")
    assert run(["run", "zeros.svm", "-l", "perceptron", "--save", "m", "-q"]) == 0
    assert run(["run", "minus.svm", "--model", "m"]) == 1
    assert (
        "minus.svm, line 2, column 1: '-1': the negative label is 0 so far; it is -1 or 0, not both in one "
        "stream or model" in capsys.readouterr().err
    )


@pytest.mark.parametrize("lag", [0, 1, 2, 3, 50])
def test_a_row_that_is_refused_when_its_label_comes_has_no_prediction(monkeypatch, lag):
    """Nor is it counted for the baselines, wherever batches end."""
    monkeypatch.setattr("noregret.game.pace.FIRST", 1)
    monkeypatch.setattr("noregret.game.pace.PATIENCE", 0.0)
    rows = ["1 2:1", "-1 1:1e200", "-1 3:1", "bad", "1 2:1", "-1 1:1e200"]
    write("t.svm", "\n".join(rows) + "\n")
    told = ["run", "t.svm", "-l", "perceptron", "--no-certify", "--on-bad-row", "skip", "--lag", str(lag)]
    assert run([*told, "--predictions", "p.csv", "--json", "r.json", "-q"]) == 0
    lines = Path("p.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert [line.split(",")[1] == "" for line in lines] == [False, True, False, False, True]
    result = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert (result["rounds"], result["skipped"]) == (3, 3)
    assert [one["mistake_rate"] for one in result["baselines"]] == [1 / 3, 2 / 3]
