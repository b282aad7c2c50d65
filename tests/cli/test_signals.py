"""Signals: what was learned is kept, whoever ends the run."""

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest

import noregret as nr
from noregret.cli import app

MAIN = [sys.executable, "-c", "from noregret.cli import main; main()"]
OUTPUTS = ["--save", "m", "--json", "o", "--predictions", "p.csv"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.svm").write_text("-1 1:1\n1 2:1\n" * 20, encoding="utf-8")
    return tmp_path


def start(*arguments, **how):
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | how
    endless = ["run", *arguments, "-l", "perceptron", "--progress-every", "1"]
    return subprocess.Popen([*MAIN, *endless, *OUTPUTS], **how)


def require_kept(here, least):
    told = json.loads((here / "o").read_text(encoding="utf-8"))
    assert told["complete"] is False and told["rounds"] >= least and nr.load("m").weights
    rows = (here / "p.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == told["rounds"] + 1
    assert sorted(path.name for path in here.iterdir()) == ["d.svm", "m", "o", "p.csv"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_keeps_what_was_learned(here, number):
    process = start("d.svm", "--passes", "1000000")
    assert "rows" in process.stderr.readline()  # it plays
    process.send_signal(number)
    process.send_signal(number)  # as `timeout` does
    _, err = process.communicate(timeout=60)
    assert process.returncode == 128 + number and "interrupted" in err and "Traceback" not in err
    require_kept(here, 40)


def test_a_signal_does_not_wait_for_a_pipe(here):
    process = start("-", stdin=subprocess.PIPE)
    process.stdin.write("-1 1:1\n1 2:1\n")
    process.stdin.flush()
    assert "2 rows" in process.stderr.readline()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=60) == 128 + signal.SIGTERM  # and nobody closed the pipe
    process.communicate()
    require_kept(here, 2)


def take_terminal():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_a_terminal_that_is_closed_costs_nothing(here):
    ours, theirs = pty.openpty()
    process = start(
        "d.svm",
        "--passes",
        "1000000",
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        preexec_fn=take_terminal,
    )
    os.close(theirs)
    assert b"rows" in os.read(ours, 100)
    os.close(ours)
    assert process.wait(timeout=60) == 128 + signal.SIGHUP
    require_kept(here, 40)


def test_a_signal_that_is_ignored_stays_so(here):
    """As with nohup."""
    process = start(
        "-", stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)
    )
    process.stdin.write("-1 1:1\n1 2:1\n")
    process.stdin.flush()
    assert "2 rows" in process.stderr.readline()
    process.send_signal(signal.SIGHUP)
    process.communicate("1 2:1\n", timeout=60)
    assert process.returncode == 0
    assert json.loads((here / "o").read_text(encoding="utf-8"))["rounds"] == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["convert", "-", "o.nrb"], "interrupted; o.nrb was not written"),
        (["convert", "-", "o.svm"], "interrupted; o.svm was not written"),
        (["predict", "m", "-", "-o", "o.txt"], "interrupted; o.txt was not written"),
        (["predict", "m", "-", "--json", "o.json"], "interrupted; 2 rows had an answer"),
        (["experts", "-", "--target", "y", "--save", "o"], "interrupted"),
    ],
)
def test_whoever_is_interrupted_says_what_was_written(here, command, told, number):
    assert app.run(["run", "d.svm", "-l", "perceptron", "--save", "m", "--quiet"]) == 0
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([*MAIN, *command], **streams, text=True)
    hand_over(process, "-1 1:1\n")  # which tells the format
    hand_over(process, "1 2:1\n")  # which is taken by who works
    if "--json" in command:
        assert [process.stdout.readline() for _ in range(2)] == ["-1\n", "1\n"]
    process.send_signal(number)
    assert process.wait(timeout=60) == 128 + number  # and nobody closed the pipe
    assert process.communicate()[1] == f"noregret: {told}\n"
    assert sorted(path.name for path in here.iterdir()) == ["d.svm", "m"]


def hand_over(process, text):
    """Write to a pipe, and wait until somebody has taken it out."""
    process.stdin.write(text)
    process.stdin.flush()
    while struct.unpack("i", fcntl.ioctl(process.stdin, termios.FIONREAD, b"    "))[0]:
        time.sleep(0.01)
