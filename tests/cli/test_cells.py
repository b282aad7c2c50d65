"""Text from the data reaches the terminal as it is: no markup, no command."""

import io

import pytest
from rich.console import Console

from noregret.cli.app import run
from noregret.cli.cells import fit, seen
from noregret.cli.output import table

LABELS = ("[/]", "[bold]b", "[unknown]")


@pytest.fixture
def odd(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = ["[/]name,word,label", "1,[unknown],1", "2,:smile:,-1", "3,\x1b[31mred,1", "4,[/],-1"]
    (tmp_path / "odd.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (tmp_path / "classes.csv").write_text("label,a\n" + "".join(f"{c},1\n" for c in LABELS), encoding="utf-8")
    assert run(["run", "odd.csv", "-l", "perceptron:bias=true", "--save", "m", "-q"]) == 0
    assert run(["run", "odd.csv", "-l", "perceptron", "--passes", "3", "--save", "n", "-q"]) == 0
    return tmp_path


@pytest.mark.parametrize("command", [["m"], ["m", "--diff", "n"], ["m", "--example", "odd.csv"]])
def test_names_of_features_are_shown_as_they_are(odd, capsys, command):
    assert run(["inspect", *command]) == 0
    out = capsys.readouterr().out
    assert "word=[" in out and "\x1b" not in out
    assert ("word=[unknown]" in out) == (command != ["m"]) and ("word=[/]" in out) == (
        "odd.csv" not in command
    )


def test_what_a_terminal_would_obey_is_shown_by_its_number(odd, capsys):
    assert run(["inspect", "m", "--example", "odd.csv", "--row", "3"]) == 0
    assert "word=\\x1b[31mred" in capsys.readouterr().out
    assert run(["run", "odd.csv", "--drop", "\x1b[2J"]) == 2
    err = capsys.readouterr().err
    assert "has no column '\\x1b[2J'" in err and "\x1b" not in err
    assert seen("a\nb", lines=True) == "a\nb" and seen("a\nb\u202e\ud800") == "a\\x0ab\\u202e\\ud800"


def test_colons_are_no_pictures(odd, capsys):
    assert run(["inspect", "m", "--example", "odd.csv", "--row", "2"]) == 0
    assert "word=:smile:" in capsys.readouterr().out


def test_classes_are_shown_as_they_are(odd, capsys):
    assert run(["run", "classes.csv", "-l", "multiclass-perceptron"]) == 0
    out = capsys.readouterr().out
    assert "always [/]" in out and "3 classes: [/], [bold]b, [unknown]" in out


def test_experts_and_certificates_too(odd, capsys):
    (odd / "f.csv").write_text("[/],[dim]b,y\n1,2,1\n2,3,2\n", encoding="utf-8")
    command = ["experts", "f.csv", "--target", "y", "--certificate", "[x].json"]
    assert run(command) == 0
    assert run(["verify", "[x].json", "f.csv"]) == 0
    assert "[x].json: verified." in capsys.readouterr().out


def shown(listed, width, spare=()):
    console = Console(width=width, file=io.StringIO(), highlight=False)
    fit(listed, console, spare)
    console.print(listed)
    return console.file.getvalue()


def wide():
    listed = table("", "learner", "mistakes", "over best expert", "bound", "rows/s")
    listed.add_row("perceptron:bias=true,scale=standard", "1,234,567", "12.5", "212,807,088.4", "1,000,000")
    return listed


def test_numbers_and_headings_are_never_cut():
    assert "over best expert" in shown(wide(), 130) and "rows/s" in shown(wide(), 130)
    told = shown(wide(), 72, ["rows/s"])
    assert "212,807,088.4" in told and "1,000,000" in told and "over best expert" not in told
    told = shown(wide(), 62, ["over best expert"])
    assert "212,807,088.4" in told and "1,000,000" in told and "best" not in told and "…" not in told
    told = shown(wide(), 60, ["rows/s"])
    assert "212,807,088.4" in told and "1,234,567" in told and "mistakes" in told and "rows/s" not in told
