"""What the README says is run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from noregret.cli.app import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


@pytest.mark.parametrize("code", blocks("python"))
def test_python_blocks_run_and_print_what_they_say(code, tmp_path):
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=True
    )
    promised = re.findall(r"^# (?!nr\.)(\S.*)$", code, flags=re.MULTILINE)
    assert promised
    for line in promised:
        assert line in told.stdout
    assert "spam.model" not in code or "{'free': -1.0, 'sender=shop': -1.0}" in told.stdout


def test_commands_over_experts_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("forecasts.csv").write_text("load,a,b\n1,1.5,2\n2,2.5,2\n", encoding="utf-8")
    Path("votes.csv").write_text("y,a,b\n1,1,0\n0,1,0\n", encoding="utf-8")
    commands = [line.split() for line in blocks("sh")[2].splitlines()]
    assert [command[1] for command in commands] == ["experts", "experts"]
    for command in commands:
        assert run(command[1:]) == 0
    assert Path("load.html").exists() and Path("out.csv").exists() and capsys.readouterr().err == ""


def test_commands_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("mail.svm", "more.svm", "new.svm"):
        Path(name).write_text("1 1:1 2:0.5\n-1 3:1\n", encoding="utf-8")
    commands = [line.split("#")[0].split() for line in blocks("sh")[1].splitlines()]
    assert [command[1] for command in commands] == ["run", "run", "predict", "inspect", "learners"]
    for command in commands:
        assert run(command[1:]) == 0
    assert capsys.readouterr().err.count("\n") == 1  # predict counts on standard error


def test_commands_over_your_data_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("sms.tsv", "new.tsv"):
        Path(name).write_text("ham\tsee you\nspam\tfree money\nham\tyou\n", encoding="utf-8")
    Path("visits.csv").write_text("id,zip,time,y\n1,8001,2.5,1\n2,8002,1,0\n3,8001,x,1\n", encoding="utf-8")
    commands = next(block for block in blocks("sh") if "sms.tsv" in block)
    for line in commands.splitlines():
        assert run(line.split("#")[0].split()[1:]) == 0
    assert (
        "read as csv: 2 categorical columns (zip, time), 1 column left out (id); label 'y'"
        in capsys.readouterr().out
    )


def test_commands_over_classes_say_what_is_promised(capsys):
    commands = [line.split("#") for line in blocks("sh")[3].splitlines()]
    assert commands.pop()[0].split() == ["noregret", "theorems", "--verify"]  # run by checks/test_theorems.py
    expected = ["10 mistakes in 10 rounds", "10,000 mistakes in 10,000 rounds", "dimension  9"]
    for (command, _), promise in zip(commands, expected, strict=True):
        assert run(command.split()[1:]) == 0
        assert promise in capsys.readouterr().out


def test_the_table_is_what_the_demo_prints(capsys):
    script = (ROOT / "scripts" / "demo").read_text(encoding="utf-8")
    arguments = re.search(r"noregret (run .*)", script).group(1).split()
    assert run(arguments) == 0
    out = capsys.readouterr().out
    for line in blocks("text")[0].splitlines()[2:]:
        cells = line.split()[:6]  # the bound comes from a numerical search and may move in its last digits
        assert any(row.split()[: len(cells)] == cells for row in out.splitlines()), line


def test_the_picture_and_the_links_are_there():
    for target in re.findall(r"\]\((?!http)([^)]+)\)", README):
        assert (ROOT / target).exists(), target
