"""Where commands write: links, standard output, full disks, and never over what they read."""

import csv
import json
import resource
import subprocess
import sys

import pytest

from noregret.cli.app import run
from noregret.model_file import load

MAIN = [sys.executable, "-c", "from noregret.cli import main; main()"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.svm").write_text("1 1:1\n-1 2:1\n1 1:1\n", encoding="utf-8")
    assert run(["run", "d.svm", "-l", "perceptron", "--save", "m", "--certificate", "c.json", "-q"]) == 0
    return tmp_path


def test_predictions_are_written_through_a_link(here):
    (here / "link.csv").symlink_to("real.csv")
    assert run(["run", "d.svm", "-l", "perceptron", "--predictions", "link.csv", "-q"]) == 0
    assert (here / "link.csv").is_symlink()
    assert (
        (here / "real.csv").read_text(encoding="utf-8").startswith("label,perceptron,perceptron score,row\n")
    )


def test_predictions_without_room_cost_nothing_else(here):
    (here / "long.svm").write_text("1 1:1\n-1 2:1\n" * 30_000, encoding="utf-8")
    command = ["run", "long.svm", "-l", "perceptron", "--predictions", "p.csv", "--save", "n", "--json", "o"]
    small = 200_000  # bytes: enough for all but the predictions
    told = subprocess.run(
        [*MAIN, *command],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (small, small)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (2, "noregret: p.csv cannot be written: file too large\n")
    assert load("n").weights and json.loads((here / "o").read_text(encoding="utf-8"))["rounds"] == 60_000
    assert sorted(p.name for p in here.iterdir()) == ["c.json", "d.svm", "long.svm", "m", "n", "o"]


def test_answers_go_to_standard_output(here, capsys):
    assert run(["run", "d.svm", "-l", "perceptron", "--predictions", "-"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "label,perceptron,perceptron score,row",
        '1,1,0.0,"d.svm, line 1"',
        '-1,1,0.0,"d.svm, line 2"',
        '1,1,0.0,"d.svm, line 3"',
    ]
    assert run(["predict", "m", "d.svm", "-o", "-"]) == 0
    assert capsys.readouterr().out == "1\n-1\n1\n"
    (here / "f.csv").write_text("a,b,y\n1,2,1\n2,3,2\n", encoding="utf-8")
    assert run(["experts", "f.csv", "--target", "y", "--rule", "boa", "--predictions", "-"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "row,y,boa"
    assert not (here / "-").exists()


def test_predictions_know_their_rows(here):
    """Shuffled, with bad rows passed over, from two files and in several passes."""
    (here / "a.csv").write_text("label,a\n" + "".join(f"{k % 2},{k}\n" for k in range(9)), encoding="utf-8")
    (here / "b.csv").write_text("label,a\n" + "".join(f"0,{k},9\n0,{k}\n" for k in (7, 8)), encoding="utf-8")
    more = ["--on-bad-row", "skip", "--shuffle", "3", "--passes", "2", "--predictions", "p.csv", "-q"]
    assert run(["run", "a.csv", "b.csv", "-l", "perceptron", *more]) == 0
    with (here / "p.csv").open(encoding="utf-8") as file:
        rows = [(row["row"], row["label"]) for row in csv.DictReader(file)]
    truth = {(f"a.csv, line {k + 2}", str(k % 2)) for k in range(9)}
    truth |= {("b.csv, line 3", "0"), ("b.csv, line 5", "0")}
    assert len(rows) == 2 * len(truth) and set(rows[:11]) == set(rows[11:]) == truth
    assert rows[:11] != rows[11:] != sorted(rows[11:])


def test_answers_are_shown_as_the_rows_come(here):
    command = [*MAIN, "run", "-", "-l", "perceptron", "--predictions", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        process.stdin.write("1 1:1\n")
        process.stdin.flush()
        assert [process.stdout.readline() for _ in range(2)][
            1
        ] == '1,1,0.0,"-, line 1"\n'  # and more may come
        process.stdin.write("-1 1:1\n")
        process.stdin.close()
        assert process.stdout.read() == '-1,1,0.0,"-, line 2"\n'
    assert process.returncode == 0


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["run", "d.svm", "--predictions", "-", "--json", "-"], "takes one output only"),
        (["predict", "m", "d.svm", "-o", "-", "--json", "-"], "takes one output only"),
        (["run", "d.svm", "--save", "-"], "give it a name"),
        (["verify", "c.json", "d.svm", "--json", "c.json"], "c.json is read or written by this command"),
    ],
)
def test_outputs_that_cannot_be_are_refused(here, command, sentence, capsys):
    before = (here / "c.json").read_bytes()
    assert run(command) == 2
    assert sentence in capsys.readouterr().err
    assert (here / "c.json").read_bytes() == before and not (here / "-").exists()


def test_a_regression_has_no_mistakes_to_count(here, capsys):
    (here / "n.csv").write_text("y,a\n1.5,1\n2.5,2\n", encoding="utf-8")
    assert run(["run", "n.csv", "-l", "ridge", "--save", "r", "--json", "-"]) == 0
    learner = json.loads(capsys.readouterr().out)["learners"][0]
    assert (learner["mistakes"], learner["mistake_rate"]) == (None, None) and learner["rmse"] > 0.0
    assert run(["predict", "r", "n.csv", "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["mistakes"], told["error_rate"]) == (None, None) and told["labelled"] == 2
