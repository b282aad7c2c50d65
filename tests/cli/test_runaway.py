"""A learner of numbers whose error explodes: nothing breaks, and what is shown can be read."""

import json
import re

import pytest

from noregret.certificate import shown
from noregret.cli.app import run


@pytest.fixture
def houses(tmp_path):
    """Each of the first rows multiplies the error of widrow-hoff by 99; its default rate is far too large."""

    def written(*sizes):
        path = tmp_path / "houses.csv"
        path.write_text("size,price\n" + "".join(f"{size},100\n" for size in sizes), encoding="utf-8")
        return str(path)

    return written


RUNAWAY = (*[100] * 77, 10)  # the weight ends above 1e153: the last error has no square, and mends it
LEARNERS = ("-l", "ridge", "-l", "widrow-hoff")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["a.svg", "a.html"])
def test_pictures_leave_out_what_is_not_finite_and_say_so(houses, tmp_path, name, capsys):
    page = tmp_path / name
    assert run(["run", houses(*RUNAWAY), "--label", "price", *LEARNERS, "--report", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "too large a number is left out" in text
    charts = text if name == "a.svg" else re.search(r"^const charts = (.*);$", text, re.MULTILINE).group(1)
    assert "Infinity" not in charts and "NaN" not in charts
    assert not re.search(r"\d{16}", capsys.readouterr().out)


def test_json_and_the_certificate_hold_only_numbers(houses, tmp_path, capsys):
    data, sealed = houses(*RUNAWAY), str(tmp_path / "c.json")
    assert run(["run", data, "--label", "price", *LEARNERS, "--json", "-", "--certificate", sealed]) == 0
    told = capsys.readouterr().out
    assert "Infinity" not in told and "NaN" not in told
    assert json.loads(told)["learners"][1]["loss"] is None
    assert run(["verify", sealed, data, "--json", "-"]) == 0
    told = capsys.readouterr().out
    assert "Infinity" not in told and json.loads(told)["theorems"][1]["observed"] is None


def test_each_learner_has_its_own_rounds_where_one_stopped_before_the_others(houses, tmp_path, capsys):
    page = tmp_path / "a.html"
    arguments = ["run", houses(*[100] * 200), "--label", "price", *LEARNERS]
    assert run([*arguments, "--report", str(page)]) == 1
    out = capsys.readouterr().out
    table = out.split("Certificates")[0]
    rounds = [int(line.split()[1]) for line in table.splitlines() if line[:5] in ("ridge", "widro")]
    (stopped,) = re.findall(r"(\d+) to 200 rounds, stopped before the end", out)
    assert rounds == [200, int(stopped)]
    assert f"By learner: ridge 200, widrow-hoff {stopped}." in page.read_text(encoding="utf-8")
    assert run([*arguments, "--json", "-"]) == 1
    learners = json.loads(capsys.readouterr().out)["learners"]
    assert [one["rounds"] for one in learners] == [200, int(stopped)]


@pytest.mark.filterwarnings("error")
def test_labels_whose_squares_no_double_holds_leave_the_theorems_silent(tmp_path, capsys):
    path = tmp_path / "large.svm"
    path.write_text("1e154 1:1\n-1e154 1:2\n1e154 2:1\n", encoding="utf-8")
    assert run(["run", str(path), "-l", "ridge", "-l", "pa-regression", "--json", "-"]) == 0
    for one in json.loads(capsys.readouterr().out)["learners"]:
        assert [c["verdict"] for c in one["certificates"]] == ["silent"]


@pytest.mark.parametrize(
    ("number", "told"),
    [(2.5e152, "2.5e+152"), (1e15, "1e+15"), (999e12, "999,000,000,000,000"), (3e-300, "0"), (1e-9, "1e-09")],
)
def test_numbers_are_short(number, told):
    assert shown(number) == told
