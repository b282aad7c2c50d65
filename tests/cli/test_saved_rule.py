"""`noregret experts --save` and `--model`: a rule that goes on weighs the same experts, wherever they stand."""

import json

import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.errors import BadModel
from noregret.model_file import from_bytes, to_bytes


@pytest.fixture
def saved(tmp_path):
    """A rule that has learned that b is right, and a table of tomorrow with its columns in another order."""
    (tmp_path / "f.csv").write_text("y,a,b,c\n" + "1,5,1,9\n2,7,2,8\n3,6,3,9\n")
    (tmp_path / "next.csv").write_text("c,b,z,y,a\n30,20,40,,10\n")
    told = ["experts", str(tmp_path / "f.csv"), "--target", "y", "-r", "adahedge", "-q"]
    assert run([*told, "--save", str(tmp_path / "m")]) == 0
    return tmp_path


def going_on(folder, *options):
    told = ["experts", str(folder / "next.csv"), "--target", "y", "--model", str(folder / "m"), "-q"]
    return run([*told, "--predictions", str(folder / "p.csv"), *options])


def test_experts_are_found_by_name(saved):
    assert going_on(saved) == 0
    said = float((saved / "p.csv").read_text().splitlines()[1].rpartition(",")[2])
    assert said == nr.load(saved / "m").predict([10.0, 20.0, 30.0])


def test_another_order_is_refused_and_other_names_take_their_places(saved, capsys):
    assert going_on(saved, "--experts", "c,b,a") == 2
    assert "weighs a, b, c, in this order; leave out --experts" in capsys.readouterr().err
    assert going_on(saved, "--experts", "z,b,c") == 0
    said = float((saved / "p.csv").read_text().splitlines()[1].rpartition(",")[2])
    assert said == nr.load(saved / "m").predict([40.0, 20.0, 30.0])


def test_an_expert_that_is_missing_is_named(saved, capsys):
    (saved / "next.csv").write_text("c,b,y\n30,20,\n")
    assert going_on(saved) == 2
    told = capsys.readouterr().err
    assert "has no column 'a'" in told and "weighs a, b, c; --experts names other columns" in told


def test_a_rule_saved_without_names_takes_the_columns_as_they_come(saved):
    nr.save(nr.load(saved / "m"), saved / "m")
    assert going_on(saved, "--experts", "c,b,a") == 0


def test_inspect_calls_them_by_name(saved, capsys):
    assert run(["inspect", str(saved / "m"), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["weights"][0]["name"] == "b"


@pytest.mark.parametrize("experts", [["a"], ["a", 1], "ab"])
def test_names_that_do_not_fit_are_refused(experts):
    with pytest.raises(BadModel, match="experts|damaged"):
        from_bytes(to_bytes(nr.BOA(2), experts=experts))


def test_a_rule_for_each_series_is_refused_before_anything_is_written(saved, capsys):
    told = ["experts", str(saved / "f.csv"), "--target", "y", "--series", "a", "--save", str(saved / "s")]
    assert run([*told, "--predictions", str(saved / "p.csv")]) == 2
    assert "cannot be saved in one file" in capsys.readouterr().err
    assert not (saved / "p.csv").exists()
