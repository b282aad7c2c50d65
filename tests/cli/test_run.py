"""The command line as a person meets it."""

import csv
import json
import shlex
import signal
import subprocess
import sys

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (300, 8))
    y = np.where(X @ np.arange(-4, 4) + 0.5 > 0, 1, -1)
    lines = [
        f"{label} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(row) if v)
        for row, label in zip(X, y, strict=True)
    ]
    path = tmp_path / "data.svm"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def told(capsys):
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_without_data_the_built_in_stream_is_played(capsys):
    assert run(["run"]) == 0
    out, err = told(capsys)
    assert "inspection line" in out and "Half the weight" in out and "holds" in out and err == ""
    assert "always -1" in out and "last-label" in out


def test_json_on_standard_output_is_json_and_nothing_else(data, capsys):
    assert run(["run", str(data), "-l", "perceptron:bias=true", "-l", "balanced-winnow", "--json", "-"]) == 0
    out, _ = told(capsys)
    result = json.loads(out)
    ledger = nr.play(nr.read(data), nr.Perceptron(bias=True))
    assert result["rounds"] == 300 and result["complete"] is True and result["seconds"] > 0
    first = result["learners"][0]
    assert first["learner"] == "perceptron:bias=true" and first["mistakes"] == ledger.mistakes
    keys = {
        "learner",
        "mistakes",
        "mistake_rate",
        "updates",
        "loss",
        "precision",
        "recall",
        "auc",
        "certificates",
    }
    assert all(keys <= set(one) for one in result["learners"])
    assert {"theorem", "verdict", "observed", "bound"} <= set(first["certificates"][0])
    assert {c["verdict"] for c in first["certificates"]} <= {"holds", "silent"}
    assert [b["baseline"] for b in result["baselines"]][1] == "last-label"


def test_baselines_are_what_the_learners_of_that_name_do(data, capsys):
    assert run(["run", str(data), "-l", "last-label", "-l", "majority", "--json", "-", "--no-certify"]) == 0
    result = json.loads(told(capsys)[0])
    by_name = {b["baseline"]: b for b in result["baselines"]}
    last = result["learners"][0]
    assert by_name["last-label"]["mistakes"] == last["mistakes"]
    assert (
        by_name["last-label"]["precision"] == last["precision"]
        and by_name["last-label"]["recall"] == last["recall"]
    )
    always = next(b for name, b in by_name.items() if name.startswith("always"))
    assert always["mistakes"] <= result["learners"][1]["mistakes"]


def test_save_continue_is_identical_to_one_run(data, tmp_path, capsys):
    lines = data.read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "a").write_text("".join(lines[:100]), encoding="utf-8")
    (tmp_path / "b").write_text("".join(lines[100:]), encoding="utf-8")
    m, whole = tmp_path / "m", tmp_path / "whole"
    assert run(["run", str(tmp_path / "a"), "-l", "perceptron:rate=0.1", "--save", str(m), "-q"]) == 0
    assert run(["run", str(tmp_path / "b"), "--model", str(m), "--save", str(m), "-q"]) == 0
    assert run(["run", str(data), "-l", "perceptron:rate=0.1", "--save", str(whole), "-q"]) == 0
    assert m.read_bytes() == whole.read_bytes()
    assert told(capsys) == ("", "")


def test_several_learners_are_ranked_for_saving_and_it_is_said(data, tmp_path, capsys):
    assert (
        run(["run", str(data), "-l", "majority", "-l", "perceptron:bias=true", "--save", str(tmp_path / "m")])
        == 0
    )
    assert "saved perceptron:bias=true, which had the fewest mistakes" in told(capsys)[0]
    assert nr.load(tmp_path / "m").spec == "perceptron:bias=true"


def test_predictions_are_those_of_the_run(data, tmp_path):
    assert (
        run(
            [
                "run",
                str(data),
                "-l",
                "perceptron",
                "-l",
                "last-label",
                "--predictions",
                str(tmp_path / "p.csv"),
                "-q",
            ]
        )
        == 0
    )
    with (tmp_path / "p.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    learner = nr.Perceptron()
    for row, now in zip(rows, [r for b in nr.read(data).batches() for r in b.rounds()], strict=True):
        assert float(row["label"]) == now.y and float(row["perceptron score"]) == learner.score(now.x)
        assert float(row["perceptron"]) == learner.predict(now.x)
        learner.learn(now.x, now.y)


def test_test_file_passes_and_shuffle(data, tmp_path, capsys):
    common = [
        "run",
        str(data),
        "--test",
        str(data),
        "--json",
        "-",
        "--no-certify",
        "-l",
        "perceptron:bias=true",
    ]
    results = []
    for extra in ([], ["--passes", "5"], ["--shuffle", "3"], ["--shuffle", "3"]):
        assert run([*common, *extra]) == 0
        results.append(json.loads(told(capsys)[0]))
    assert results[0]["rounds"] == 300 and results[1]["rounds"] == 1500
    assert results[1]["learners"][0]["test"]["mistakes"] <= results[0]["learners"][0]["test"]["mistakes"]
    assert results[2]["learners"][0]["mistakes"] == results[3]["learners"][0]["mistakes"]
    assert results[2]["learners"][0]["curve"] != results[0]["learners"][0]["curve"]


def test_predict_writes_labels_as_the_data_has_them(tmp_path, capsys):
    (tmp_path / "d").write_text("2 1:1\n7 2:1\n2 1:1\n7 2:1\n", encoding="utf-8")
    model, out = str(tmp_path / "m"), tmp_path / "out"
    assert run(["run", str(tmp_path / "d"), "--positive", "7", "--passes", "3", "--save", model, "-q"]) == 0
    assert run(["predict", model, str(tmp_path / "d")]) == 0
    assert told(capsys)[0] == "2\n7\n2\n7\n"
    assert run(["predict", model, str(tmp_path / "d"), "--scores", "-o", str(out), "--json", "-"]) == 0
    assert json.loads(told(capsys)[0])["mistakes"] == 0
    assert out.read_text(encoding="utf-8").splitlines()[1].split()[0] == "7"


def test_inspect_lists_the_largest_weights(tmp_path, capsys):
    learner = nr.Perceptron(bias=True)
    learner.learn({"spam[red]": 3.0, "tiny": 0.5}, -1)
    nr.save(learner, tmp_path / "m")
    assert run(["inspect", str(tmp_path / "m"), "--top", "1"]) == 0
    out = told(capsys)[0]
    assert "spam[red]" in out and "-3" in out and "tiny" not in out and "(bias)" in out
    assert run(["inspect", str(tmp_path / "m"), "--json", "-"]) == 0
    assert json.loads(told(capsys)[0])["weights"][0] == {"feature": "spam[red]", "weight": -3.0}


def test_a_learner_without_a_theorem_says_so(capsys):
    assert run(["learners", "majority"]) == 0
    assert "No theorem is known" in told(capsys)[0]


def test_an_impatient_person_gets_the_model_and_no_certificate(data, tmp_path, capsys, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("noregret.cli.running.certify_all", interrupted)
    assert run(["run", str(data), "--save", str(tmp_path / "m"), "-l", "perceptron"]) == 0
    out, err = told(capsys)
    assert (
        nr.load(tmp_path / "m").weights and "the run was not judged" in err and "judging was stopped" in out
    )


def test_a_pipe_can_be_read():
    process = subprocess.run(
        [sys.executable, "-c", "from noregret.cli import main; main()", "run", "/dev/stdin", "-l", "perceptron", "--json", "-"],
        input="1 1:1\n-1 2:1\n", capture_output=True, text=True, check=True,
    )  # fmt: skip
    result = json.loads(process.stdout)
    assert result["rounds"] == 2 and {c["verdict"] for c in result["learners"][0]["certificates"]} == {
        "holds"
    }


def test_baselines_leave_out_the_rows_that_were_skipped(tmp_path, capsys):
    (tmp_path / "d").write_text("-1 1:1\n1 2:0.5\n-1 3:1\n", encoding="utf-8")
    arguments = [
        "run",
        str(tmp_path / "d"),
        "--on-bad-row",
        "skip",
        "-l",
        "winnow:threshold=2",
        "--json",
        "-",
    ]
    assert run(arguments) == 0
    assert [b["mistakes"] for b in json.loads(told(capsys)[0])["baselines"]] == [0, 1]


def test_learners_lists_and_explains(capsys):
    assert run(["learners"]) == 0
    out = told(capsys)[0]
    assert all(
        name in out for name in ("perceptron", "winnow", "normalized-winnow", "balanced-winnow", "last-label")
    )
    assert run(["learners", "winnow"]) == 0
    out = told(capsys)[0]
    assert "promotion=2" in out and "Littlestone 1988" in out and ">>>" not in out
    assert run(["learners", "--json", "-"]) == 0
    assert {one["learner"] for one in json.loads(told(capsys)[0])} >= {"perceptron", "winnow"}


def test_demo_ends_in_certificates(capsys):
    assert run(["demo"]) == 0
    out = told(capsys)[0]
    assert "1,000 ≤ 1,000" in out and "broken" not in out


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["run", "nothing.svm"], 1, "nothing.svm: there is no such file"),
        (["run", "{bad}"], 1, "bad.svm, line 2, column 3: '1:x'"),
        (["run", "{empty}"], 1, "not a single row"),
        (["run", "{data}", "-l", "winnow"], 2, "winnow needs threshold="),
        (["run", "{data}", "-l", "winnow:threshold=9"], 1, "winnow takes only 0 and 1"),
        (["run", "{data}", "-l", "percepton"], 2, "did you mean perceptron"),
        (["run", "{data}", "--save", "no/such/folder"], 2, "cannot be written: there is no folder"),
        (["run", "{data}", "--json", "no/such/folder"], 2, "cannot be written"),
        (["run", "{data}", "--predictions", "no/such/folder"], 2, "cannot be written"),
        (["run", "{data}", "--save", "."], 2, "it is a folder"),
        (["run", "{data}", "--save", "/dev/null"], 2, "not a file"),
        (["run", "{data}", "--save", "{data}"], 2, "read or written by this command already"),
        (["run", "{data}", "--save", "x", "--json", "x"], 2, "read or written by this command already"),
        (["run", "{data}", "--test", "nothing.svm", "--save", "m"], 1, "no such file"),
        (["run", "{data}", "--save", "n" * 300], 2, "file name too long"),
        (["run", "{data}", "--positive", "nan"], 2, "must be a finite number"),
        (["run", "{data}", "--shuffle", "-1"], 2, "--shuffle"),
        (["run", "{data}", "--model", "{data}"], 1, "not a model file of noregret"),
        (["run", "{data}", "--passes", "0"], 2, "--passes"),
        (["run", "{data}", "--on-bad-row", "weep"], 2, "stop or skip"),
        (["run", "{data}", "--format", "xml"], 2, "no format called 'xml'"),
        (["run", "{data}", "--frobnicate"], 2, "No such option"),
        (["predict", "{data}", "{data}"], 1, "not a model file"),
        (["predict"], 2, "Missing argument"),
        (["inspect", "nothing"], 1, "no such file"),
        (["learners", "wizard"], 2, "no learner called 'wizard'"),
        (["frobnicate"], 2, "No such command"),
    ],
)
def test_errors_are_one_sentence_and_the_right_status(
    arguments, status, sentence, data, tmp_path, capsys, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.svm").write_text("1 1:1\n1 1:x\n", encoding="utf-8")
    (tmp_path / "empty.svm").touch()
    places = {"data": str(data), "bad": "bad.svm", "empty": "empty.svm"}
    assert run([argument.format(**places) for argument in arguments]) == status
    err = told(capsys)[1]
    assert sentence in err and "Traceback" not in err


def test_a_bad_row_leaves_what_was_learned(tmp_path, capsys):
    (tmp_path / "bad.svm").write_text("-1 1:1\n-1 2:1\n-1 3:x\n", encoding="utf-8")
    files = {name: tmp_path / name for name in ("m", "o.json", "p.csv")}
    arguments = [
        "--save",
        str(files["m"]),
        "--json",
        str(files["o.json"]),
        "--predictions",
        str(files["p.csv"]),
        "-q",
    ]
    assert run(["run", str(tmp_path / "bad.svm"), "-l", "perceptron", *arguments]) == 1
    assert told(capsys)[1].count("\n") == 1
    assert nr.load(files["m"]).weights == {1: -1.0, 2: -1.0}
    result = json.loads(files["o.json"].read_text(encoding="utf-8"))
    assert result["complete"] is False and result["rounds"] == 2
    assert len(files["p.csv"].read_text(encoding="utf-8").splitlines()) == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.svm", "m", "o.json", "p.csv"]


def test_bad_rows_can_be_skipped_and_are_told(tmp_path, capsys):
    (tmp_path / "bad.svm").write_text("-1 1:1\n-1 2:x\n-1 3:1\n-1 4:0.5\n", encoding="utf-8")
    assert run(["run", str(tmp_path / "bad.svm"), "--on-bad-row", "skip", "-l", "winnow:threshold=2"]) == 0
    out = told(capsys)[0]
    assert "skipped: 2 bad rows" in out and "line 2, column 4: '2:x'" in out


def start(*arguments):
    return subprocess.Popen(
        [sys.executable, "-c", "from noregret.cli import main; main()", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_ctrl_c_keeps_what_was_learned_and_leaves_130(data, tmp_path):
    endless = ["run", str(data), "--passes", "1000000", "--progress-every", "1"]
    process = start(*endless, "--save", str(tmp_path / "m"), "--json", str(tmp_path / "o"))
    assert "rows" in process.stderr.readline()  # it plays
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in err and "Traceback" not in err
    assert "stopped before the end" in out
    assert json.loads((tmp_path / "o").read_text(encoding="utf-8"))["complete"] is False
    assert nr.load(tmp_path / "m").weights


def test_a_closed_pipe_is_no_traceback(data):
    process = start("run", str(data))
    process.stdout.close()
    assert process.wait(timeout=60) in (0, 1) and process.stderr.read() == ""
    process.stderr.close()


def test_version_and_help():
    for arguments, expected in (
        (["--version"], f"noregret {nr.__version__}\n"),
        (["--help"], "noregret demo"),
    ):
        process = start(*arguments)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0 and expected in out and err == ""


def test_progress_bar_only_on_a_terminal(data):
    process = start("run", str(data))
    _, err = process.communicate(timeout=60)
    assert err == ""


def test_a_certificate_has_a_name(data, capsys):
    assert run(["run", str(data), "-l", "perceptron", "--certificate", "-"]) == 2
    assert "give it a name" in told(capsys)[1]


def test_a_certificate_is_written_with_the_command_that_checks_it(data, tmp_path, capsys):
    path = tmp_path / "a run.json"
    assert run(["run", str(data), "-l", "perceptron", "--certificate", str(path)]) == 0
    command = shlex.split(told(capsys)[0].partition("check it with: noregret ")[2])
    assert command == ["verify", str(path), str(data)]
    assert run(command) == 0 and "verified" in told(capsys)[0]
