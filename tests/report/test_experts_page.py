"""The page of `noregret experts`: the command, certificates in words, regret that is what it says."""

import json
import re
import sys

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run


@pytest.fixture
def forecasts(tmp_path):
    rng = np.random.default_rng(0)
    truth = 10 + rng.normal(size=120)
    said = truth[:, None] + rng.normal(size=(120, 3)) * [0.5, 1.0, 2.0]
    path = tmp_path / "f.csv"
    lines = ["day,place,a,b,c,load"]
    lines += [f"day {k},{'north' if k % 2 else 'south'},{s[0]},{s[1]},{s[2]},{t}" for k, (s, t) in enumerate(zip(said, truth, strict=True))]  # fmt: skip
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path, said, truth


def charts_of(page):
    (found,) = re.findall(r"^const charts = (.*);$", page, flags=re.MULTILINE)
    return json.loads(found)


def test_the_page_has_the_command_the_words_and_the_regret(forecasts, tmp_path):
    path, said, truth = forecasts
    page = tmp_path / "r.html"
    command = [
        "experts",
        str(path),
        "--target",
        "load",
        "-r",
        "boa",
        "-r",
        "hedge",
        "--report",
        str(page),
        "-q",
    ]
    assert run(command) == 0
    text = page.read_text(encoding="utf-8")
    assert f"<pre><code>noregret {' '.join(command)}</code></pre>" in text
    assert "Wintenberger: HOLDS" in text and "mathematics allows" in text
    assert "Anytime Hedge: SILENT" in text and "no fault of the learner" in text
    assert "Proved in: " in text and "every fixed mixture" in text
    regret = charts_of(text)[1]["layer"][0]["data"]["values"]
    last = {row["who"]: row["value"] for row in regret if row["round"] == 120}
    own = nr.BOA(3).play(said, truth).losses.sum()
    assert last["boa"] == pytest.approx(own - ((said - truth[:, None]) ** 2).sum(axis=0).min())
    assert set(last) == {"boa", "hedge"}


def boa(forecasts):
    return ["experts", str(forecasts[0]), "--target", "load", "-r", "boa"]


def test_certificates_of_several_series_say_whose_they_are(forecasts, tmp_path):
    page = tmp_path / "r.html"
    by = ["--series", "place", "--time", "day", "--experts", "a,b,c"]
    assert run([*boa(forecasts), *by, "--report", str(page), "-q"]) == 0
    text = page.read_text(encoding="utf-8")
    assert "HOLDS (south)" in text and "HOLDS (north)" in text and "from day 0 to day 119" in text


@pytest.mark.parametrize(("name", "starts"), [("r.svg", b"<svg"), ("r.png", b"\x89PNG")])
def test_pictures_without_a_browser(forecasts, tmp_path, name, starts):
    assert run([*boa(forecasts), "--report", str(tmp_path / name), "-q"]) == 0
    made = (tmp_path / name).read_bytes()
    assert made.startswith(starts)
    if name == "r.svg":
        assert b"boa: How much each expert counted" in made


@pytest.mark.parametrize(
    "command", [["run"], ["duel", "soa", "tree", "--class", "thresholds:7"]], ids=["run", "duel"]
)
@pytest.mark.parametrize("name", ["run.pdf", "missing/run.html"])
def test_a_report_that_cannot_be_written_is_refused(tmp_path, name, command, capsys):
    assert run([*command, "--report", str(tmp_path / name)]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1


@pytest.mark.parametrize("name", ["run.pdf", "missing/run.html"])
def test_for_experts_too(forecasts, tmp_path, name, capsys):
    assert run(["experts", str(forecasts[0]), "--target", "load", "--report", str(tmp_path / name)]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1 and str(tmp_path) in told.err


@pytest.mark.parametrize("package", ["altair", "vl_convert"])
def test_without_the_extra_one_sentence_says_what_to_install(
    forecasts, package, monkeypatch, capsys, tmp_path
):
    monkeypatch.setitem(sys.modules, package, None)  # as if it were not installed
    page = str(tmp_path / "r.html")
    for command in (["run"], ["experts", str(forecasts[0]), "--target", "load"]):
        assert run([*command, "--report", page]) == 1
        told = capsys.readouterr()
        assert told.out == "" and told.err.count("\n") == 1 and "pip install 'noregret[report]'" in told.err
    assert run(["run", "-q", "-l", "perceptron"]) == 0  # without a report nothing of it is needed


def test_names_of_columns_series_and_rows_do_not_become_code(tmp_path):
    path, page = tmp_path / "f.csv", tmp_path / "r.html"
    evil = "</script><script>alert(1)</script>"
    rows = [f"{evil},{evil},{k % 3},{k % 2},{k % 2}" for k in range(6)]
    path.write_text("\n".join([f"when,where,{evil},b,y", *rows]) + "\n", encoding="utf-8")
    told = [
        "experts",
        str(path),
        "--target",
        "y",
        "--experts",
        f"{evil},b",
        "--time",
        "when",
        "--series",
        "where",
    ]
    assert run([*told, "-r", "boa", "--report", str(page), "-q"]) == 0
    text = page.read_text(encoding="utf-8")
    assert evil not in text and "&lt;script&gt;alert(1)" in text
