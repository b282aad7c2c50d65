"""What commands say before they do anything: their help, and what they refuse."""

import json
import re

import pytest

from noregret.cli.app import app, run

COMMANDS = [one.name for one in app.registered_commands]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_a_terminal_and_gives_flags_no_type(command, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert run([command, "--help"]) == 0
    out = capsys.readouterr().out
    assert "<bool>" not in out and max(map(len, out.splitlines())) <= 80
    examples = re.findall(r"^    noregret .*\n(.*)$", out, flags=re.MULTILINE)
    assert set(examples) <= {""}  # each is a line that can be pasted


def test_predict_has_an_example(capsys):
    assert run(["predict", "--help"]) == 0
    assert "noregret predict mail.model new.svm\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "option"),
    [
        (["--format", "csv", "--label", "nothere"], "--format"),
        (["--label", "y"], "--label"),
        (["--positive", "spam"], "--positive"),
        (["--drop", "id"], "--drop"),
        (["--no-header"], "--header"),
        (["--on-bad-row", "skip"], "--on-bad-row"),
        (["--cache"], "--cache"),
    ],
)
def test_options_about_data_want_data(more, option, capsys):
    assert run(["run", *more]) == 2
    assert f"{option} is for a data file" in capsys.readouterr().err


@pytest.mark.parametrize("spec", ["boa", "boa:n=3"])
def test_a_rule_over_experts_is_sent_to_its_command_at_once(spec, capsys):
    assert run(["run", "-l", spec]) == 2
    assert "noregret experts FILE --target COL --rule boa" in capsys.readouterr().err


def test_a_file_of_several_classes_is_told_what_to_take(tmp_path, capsys):
    data = tmp_path / "three.svm"
    data.write_text("1 1:1\n1 2:1\n2 3:1\n3 4:1\n", encoding="utf-8")
    assert run(["run", str(data)]) == 1
    told = capsys.readouterr()
    assert told.out == "" and "--learner multiclass-perceptron" in told.err
    assert run(["run", str(data), "--save", str(tmp_path / "m")]) == 1  # what was learned is kept, and told
    assert "2 rounds, stopped before the end" in capsys.readouterr().out
    words = tmp_path / "three.csv"
    words.write_text("label,a\nred,1\ngreen,2\nblue,3\n", encoding="utf-8")
    assert run(["run", str(words)]) == 1
    assert "--learner multiclass-perceptron" in capsys.readouterr().err


@pytest.mark.parametrize(("spec", "key"), [("perceptron", "error_rate"), ("ridge", "rmse")])
def test_predictions_without_a_label_have_no_error_rate(spec, key, tmp_path, capsys):
    rows, model = tmp_path / "a.csv", tmp_path / "a.model"
    rows.write_text("label,a\n1,1\n0,2\n", encoding="utf-8")
    new = tmp_path / "new.csv"
    new.write_text("a\n1\n2\n", encoding="utf-8")
    assert run(["run", str(rows), "-l", spec, "--save", str(model), "-q"]) == 0
    assert run(["predict", str(model), str(new), "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["labelled"] == 0 and told[key] is None


def test_the_help_of_run_is_whole_at_80_columns(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["run", "--help"]) == 0
    assert "A spec such as perceptron:bias=true; may be repeated." in " ".join(
        capsys.readouterr().out.split()
    )
