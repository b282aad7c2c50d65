"""`noregret predict` writes a line for every row, good or bad."""

import numpy as np
import pytest

from noregret.cli.app import run

HEADS = {
    "svm": "",
    "csv": "label,a\n",
    "jsonl": "",
    "arff": "@relation r\n@attribute label {1,-1}\n@attribute a numeric\n@data\n",
}
GOOD = {"svm": "{} 1:{}", "csv": "{},{}", "jsonl": '{{"label": {}, "a": {}}}', "arff": "{},{}"}


def written(path, kind, good):
    """A row for each of `good`, with a blank line now and then: 1 is positive, x is bad."""
    rows = [
        GOOD[kind].format(1 if k % 2 else -1, (1 if k % 2 else -1) if fine else "x")
        for k, fine in enumerate(good)
    ]
    for k in range(0, len(rows), 7):
        rows[k] += "\n"
    path.write_text(HEADS[kind] + "\n".join(rows) + "\n", encoding="utf-8")


@pytest.mark.parametrize("kind", GOOD)
@pytest.mark.parametrize("bad", [[2], [0, 1, 5, 59], list(range(20, 45)), "many"])
def test_a_row_that_is_skipped_has_its_line(tmp_path, kind, bad, capsys):
    model, old, new = (str(tmp_path / name) for name in ("m", f"old.{kind}", f"new.{kind}"))
    written(tmp_path / f"old.{kind}", kind, [True] * 20)
    assert run(["run", old, "-l", "perceptron", "--save", model, "-q"]) == 0
    good = np.random.default_rng(0).random(9000) < 0.7 if bad == "many" else ~np.isin(np.arange(60), bad)
    good[-2] = True
    written(tmp_path / f"new.{kind}", kind, good)
    assert run(["predict", model, new, "--on-bad-row", "skip", "-q"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [("1" if k % 2 else "-1") if fine else "?" for k, fine in enumerate(good)]


def test_what_a_model_has_decided_is_not_offered(tmp_path, capsys):
    data, new, model = (str(tmp_path / name) for name in ("d.csv", "n.csv", "m"))
    (tmp_path / "d.csv").write_text("label,a\n1,1\n0,2\n", encoding="utf-8")
    (tmp_path / "n.csv").write_text("label,a\n" + "1,1\n0,2\n" * 600 + "0,x\n", encoding="utf-8")
    assert run(["run", data, "-l", "perceptron", "--save", model, "-q"]) == 0
    assert run(["predict", model, new, "-o", str(tmp_path / "o")]) == 1
    assert "column 'a' holds finite numbers\n" in capsys.readouterr().err
    assert run(["run", new, "-l", "perceptron", "--model", model]) == 1
    assert "--categorical" not in capsys.readouterr().err
    assert run(["run", new, "-l", "perceptron"]) == 1
    assert "say --categorical a" in capsys.readouterr().err


def test_bad_rows_have_no_score(tmp_path, capsys):
    (tmp_path / "d.svm").write_text("1 1:1\n", encoding="utf-8")
    (tmp_path / "n.svm").write_text("1 1:1\n1 1:x\n", encoding="utf-8")
    data, new, model = (str(tmp_path / name) for name in ("d.svm", "n.svm", "m"))
    assert run(["run", data, "-l", "perceptron", "--save", model, "-q"]) == 0
    assert run(["predict", model, new, "--on-bad-row", "skip", "--scores", "-o", "-", "-q"]) == 0
    assert capsys.readouterr().out == "1 0.0\n? nan\n"
