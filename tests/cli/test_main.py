"""The command as a process: what it does when its inputs and outputs are closed or full."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from noregret.cli.app import run

MAIN = [sys.executable, "-c", "from noregret.cli import main; main()"]
FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "command", [["--version"], ["--help"], ["run", "-l", "perceptron", "--json", "-"], ["learners"]]
)
def test_an_output_that_is_full_is_one_sentence(command):
    with FULL.open("w") as full:
        told = subprocess.run([*MAIN, *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (told.returncode, told.stderr) == (1, "noregret: standard output: no space left on device\n")


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
def test_nobody_is_told_where_standard_error_is_full():
    with FULL.open("w") as full:
        told = subprocess.run([*MAIN, "run", "missing.svm"], stderr=full, stdout=subprocess.PIPE, check=False)
    assert (told.returncode, told.stdout) == (1, b"")


@pytest.mark.skipif(os.name != "posix", reason="on Windows a pipe is closed otherwise")
def test_a_reader_who_has_gone_is_no_error_on_either_output(tmp_path):
    (tmp_path / "d.svm").write_text("1 1:1\n-1 2:1\n" * 50_000)
    assert run(["run", str(tmp_path / "d.svm"), "-l", "perceptron", "--save", str(tmp_path / "m"), "-q"]) == 0
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen([*MAIN, "predict", "m", "d.svm"], cwd=tmp_path, **both) as process:
        assert process.stdout is not None and process.stdout.readline()
        process.stdout.close()
    assert process.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="the shell closes the files")
@pytest.mark.parametrize(
    ("closed", "command", "status", "err"),
    [
        (">&-", "run -l perceptron --save m", 0, ""),
        (">&-", "--version", 0, ""),
        ("<&-", "run -", 1, "noregret: there is no standard input to read from\n"),
        ("<&- >&- 2>&-", "run - --save m", 1, ""),
        ("<&- >&- 2>&-", "run -l perceptron --save m", 0, ""),
    ],
)
def test_files_that_are_closed_are_no_traceback(tmp_path, closed, command, status, err):
    shell = ["sh", "-c", f'"$@" {closed}', "sh", *MAIN, *command.split()]
    told = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (told.returncode, told.stderr) == (status, err)
    assert (tmp_path / "m").exists() == (status == 0 and "--save" in command)


@pytest.mark.parametrize(
    ("encoding", "command"),
    [("ascii", "run -l perceptron"), ("ascii", "learners perceptron"), ("cp1252", "theorems")],
)
def test_an_output_of_an_older_alphabet_is_no_traceback(encoding, command):
    told = subprocess.run(
        [*MAIN, *command.split()],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (0, b"") and told.stdout.decode(encoding)


def test_the_package_can_be_run_as_a_module():
    told = subprocess.run(
        [sys.executable, "-m", "noregret", "--version"], capture_output=True, text=True, check=True
    )
    assert told.stdout.startswith("noregret ")


def test_json_is_json_in_every_alphabet(tmp_path):
    (tmp_path / "t.csv").write_text("label,größe\n1,2\n-1,1\n", encoding="utf-8")
    told = subprocess.run(
        [*MAIN, "run", "t.csv", "-l", "perceptron", "--json", "-", "--save", "m"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )
    assert "≤" in json.loads(told.stdout)["learners"][0]["certificates"][0]["statement"]
    shown = [*MAIN, "inspect", "m", "--json", "-"]
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    told = subprocess.run(shown, cwd=tmp_path, env=env, capture_output=True, check=True)
    assert "größe" in json.dumps(json.loads(told.stdout), ensure_ascii=False)


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are any bytes on Linux only")
def test_names_of_files_that_are_not_utf_8(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = os.fsdecode(b"\xff.svm")
    Path(path).write_text("1 1:1\n-1 2:1\n" * 3, encoding="utf-8")
    outputs = [
        "--json",
        "j",
        "--report",
        "r.html",
        "--predictions",
        "p.csv",
        "--certificate",
        "c.json",
        "--save",
        "m",
    ]
    assert run(["run", path, "-l", "perceptron", *outputs]) == 0
    assert json.loads(Path("j").read_text(encoding="utf-8"))["data"] == path
    for name in ("r.html", "p.csv", "c.json"):
        assert "\\udcff.svm" in Path(name).read_text(encoding="utf-8")
    assert run(["verify", "c.json", path]) == 0
    assert run(["convert", path, "rows.nrb"]) == 0 and run(["predict", "m", "rows.nrb"]) == 0
    for said in ("cached in", "read from the cache"):
        assert run(["run", path, "-l", "perceptron", "--cache"]) == 0
        assert said in capsys.readouterr().out


def test_a_bad_row_in_the_test_file_comes_after_the_report(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.svm").write_text("1 1:1\n-1 2:1\n", encoding="utf-8")
    (tmp_path / "bad.svm").write_text("1 1:1\n3 2:1\n", encoding="utf-8")
    command = ["run", "one.svm", "-l", "perceptron", "--test", "bad.svm", "--to-batch", "average"]
    assert run([*command, "--json", "t.json", "--report", "t.html", "--certificate", "c.json"]) == 1
    out, err = capsys.readouterr()
    assert "Novikoff" in out and "bad.svm, line 2" in err
    result = json.loads((tmp_path / "t.json").read_text(encoding="utf-8"))
    assert result["complete"] and result["learners"][0]["mistakes"] == 1 and "to_batch" in result
    assert (tmp_path / "t.html").exists() and (tmp_path / "c.json").exists()


def test_a_test_that_is_interrupted_costs_no_report(tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    (tmp_path / "one.svm").write_text("1 1:1\n-1 2:1\n", encoding="utf-8")
    monkeypatch.setattr("noregret.cli.running.count_errors", interrupted)
    data = str(tmp_path / "one.svm")
    assert run(["run", data, "-l", "perceptron", "--test", data]) == 130
    assert "Novikoff" in capsys.readouterr().out
