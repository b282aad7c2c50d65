"""`noregret experts` compares like with like: one loss, the same rows, all series."""

import json

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Certificate, Verdict
from noregret.cli.app import run
from noregret.cli.standing import standing
from noregret.experts.played import play_rule


def table_of(path, names, rows):
    lines = [",".join("" if isinstance(v, float) and np.isnan(v) else str(v) for v in row) for row in rows]
    path.write_text("\n".join([names, *lines]) + "\n", encoding="utf-8")
    return ["experts", str(path), "--target", "y"]


@pytest.fixture
def numbers(tmp_path):
    """Errors below 1, whose squares are smaller than they are."""
    rng = np.random.default_rng(1)
    truth = 10 + np.cumsum(rng.normal(size=200))
    said = truth[:, None] + rng.normal(size=(200, 3)) * [1.0, 2.0, 0.5]
    return table_of(tmp_path / "f.csv", "y,a,b,c", np.c_[truth, said].tolist()), said, truth


@pytest.fixture
def labels(tmp_path):
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 100)
    said = np.where(rng.random((100, 3)) < [0.1, 0.3, 0.4], 1 - truth[:, None], truth[:, None])
    return table_of(tmp_path / "v.csv", "y,a,b,c", np.c_[truth, said].tolist()), said, truth


def results(command, capsys):
    assert run([*command, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def line_of(out, name):
    return next(line for line in out.splitlines() if line.startswith(name)).replace(", vacuous", "").split()


def test_every_rule_is_priced_by_the_loss_of_the_run(numbers, tmp_path, capsys):
    command, said, truth = numbers
    command = [*command, "--loss", "absolute", "-r", "expert-ridge:penalty=100", "-r", "boa", "-r", "wm"]
    found = results(command, capsys)
    best = found["hindsight"][1]["loss"]
    ridge = nr.ExpertRidge(3, penalty=100.0).play(said, truth)
    costs = {
        "expert-ridge:penalty=100": np.abs(ridge.predictions - truth).sum(),
        "boa:loss=absolute": nr.BOA(3, loss="absolute").play(said, truth).loss,
        "wm": np.abs(nr.WeightedMajority(3).play(said, truth).predictions - truth).sum(),
    }
    assert ridge.loss < min(costs.values())  # by its squares it would be the first
    assert [one["rule"] for one in found["rules"]] == sorted(costs, key=costs.__getitem__)
    assert found["rules"][0]["rule"] == "boa:loss=absolute"
    for one in found["rules"]:
        assert one["loss"] == pytest.approx(costs[one["rule"]])
        assert one["regret"] == pytest.approx(costs[one["rule"]] - best)
    assert run([*command, "--save", str(tmp_path / "m")]) == 0
    out = capsys.readouterr().out
    assert "saved boa:loss=absolute, which had the least loss" in out
    assert nr.load(tmp_path / "m").rule == "boa:loss=absolute"


def test_no_bound_stands_beside_a_regret_that_it_does_not_bound(numbers, tmp_path, capsys):
    command, _, _ = numbers
    page = tmp_path / "r.html"
    told = ["--loss", "absolute", "-r", "expert-ridge", "-r", "boa", "-r", "wm", "-r", "hedge:loss=square"]
    assert run([*command, *told, "--report", str(page)]) == 0
    out = capsys.readouterr().out
    for name, own in (("expert-ridge", "square"), ("wm", "zero-one"), ("hedge", "square")):
        assert line_of(out, name)[-2] == "–" and line_of(out, name)[1] == "*"
        assert f"* {name} learns with loss {own}; its theorems bound that loss, not absolute" in out
    assert float(line_of(out, "boa")[-2]) > 0 and "*" not in line_of(out, "boa")
    text = page.read_text(encoding="utf-8")
    assert text.count("It learns with the square loss; its theorems speak of that, and not of absolute") == 2


def test_numbers_are_no_labels(labels, capsys):
    command, said, truth = labels
    for spec in ("expert-ridge", "hedge:loss=square"):
        assert run([*command, "--loss", "zero-one", "-r", "wm", "-r", spec]) == 2
        err = capsys.readouterr().err
        assert "says numbers, and --loss zero-one counts labels" in err and err.count("\n") == 1
    found = results([*command, "--loss", "zero-one", "-r", "wm", "-r", "rwm"], capsys)["rules"]
    wrong = {"wm": nr.WeightedMajority(3), "rwm": nr.RandomizedMajority(3)}
    for one in found:
        assert one["error_rate"] == wrong[one["rule"]].play(said, truth).losses.mean()


def test_a_saved_rule_goes_on_with_its_own_loss(numbers, labels, tmp_path, capsys):
    command, model = numbers[0], str(tmp_path / "m")
    assert run([*command, "-r", "boa", "--loss", "pinball-0.8", "--save", model, "-q"]) == 0
    assert run([*command, "--model", model]) == 2
    err = capsys.readouterr().err
    assert "learned with loss pinball-0.8; add --loss pinball-0.8" in err and err.count("\n") == 1
    assert run([*command, "--model", model, "--loss", "pinball-0.8"]) == 0
    out = capsys.readouterr().out
    assert "its theorems also speak of 200 rows before these" in out and line_of(out, "boa")[-2] == "–"
    ridge = [*command, "-r", "expert-ridge", "--loss", "absolute", "--save", model, "-q"]
    assert run(ridge) == 0 and run([*command, "--model", model, "--loss", "absolute", "-q"]) == 0


def test_the_regret_of_a_rule_that_goes_on_is_that_of_these_rows(labels, tmp_path, capsys):
    command, said, truth = labels
    model = str(tmp_path / "m")
    assert run([*command, "--loss", "zero-one", "-r", "wm", "--save", model, "-q"]) == 0
    (one,) = results([*command, "--loss", "zero-one", "--model", model], capsys)["rules"]
    rule = nr.WeightedMajority(3)
    rule.play(said, truth)
    assert one["loss"] == rule.play(said, truth).loss
    assert one["regret"] == one["loss"] - (said != truth[:, None]).sum(axis=0).min()


def test_who_slept_is_compared_where_it_was_awake(tmp_path, capsys):
    rng = np.random.default_rng(3)
    truth = rng.normal(size=200)
    said = truth[:, None] + rng.normal(size=(200, 3)) * [0.1, 1.0, 2.0]
    said[100:, 0], said[:50, 1], said[150:, 2] = np.nan, np.nan, np.nan
    page = tmp_path / "r.html"
    command = table_of(tmp_path / "f.csv", "y,a,b,c", np.c_[truth, said].tolist())
    assert run([*command, "-r", "boa", "--report", str(page)]) == 0
    assert "best expert (awake in 100 of 200)" in capsys.readouterr().out
    assert "best expert (awake in 100 of 200)" in page.read_text(encoding="utf-8")
    found = results([*command, "-r", "boa", "-r", "mlpol"], capsys)
    best = found["hindsight"][1]
    own = (said[:100, 0] - truth[:100]) ** 2
    assert best["name"] == "best expert" and best["loss"] == pytest.approx(own.sum())
    for one, rule in zip(found["rules"], (nr.BOA(3), nr.MLPol(3)), strict=True):
        assert one["rule"] == rule.name
        assert one["regret"] == pytest.approx(rule.play(said, truth).losses[:100].sum() - own.sum())


def test_a_sequence_that_does_not_exist_is_left_out(tmp_path, capsys):
    rows = [[1, 1, np.nan], [1, np.nan, 1], [1, 1, np.nan]]
    command = table_of(tmp_path / "f.csv", "y,a,b", rows)
    assert run([*command, "-r", "boa", "--switches", "1"]) == 0
    out = capsys.readouterr().out
    assert "inf" not in out and "best sequence" not in out
    assert "--switches 1: every such sequence of experts sleeps in some row" in out
    assert len(results([*command, "-r", "boa", "--switches", "1"], capsys)["hindsight"]) == 2
    assert len(results([*command, "-r", "boa", "--switches", "2"], capsys)["hindsight"]) == 3


@pytest.fixture
def places(tmp_path):
    """Losses in [0, 1] in the north; in the south they are far larger."""
    rng = np.random.default_rng(4)
    truth = rng.random(120)
    said = rng.random((120, 2))
    rows = [["ns"[k % 2], truth[k], said[k, 0], said[k, 1] + 9 * (k % 2)] for k in range(120)]
    return table_of(tmp_path / "f.csv", "place,y,a,b", rows)


def test_bounds_of_several_series_add_up(places, capsys):
    command = [*places, "--series", "place", "--no-gradient", "-r", "hedge", "-r", "boa"]
    assert run(command) == 0
    out = capsys.readouterr().out
    assert line_of(out, "hedge")[-2:] == ["–", "silent"]  # of the south; the north holds
    assert "hedge:gradient=false (n)  Anytime Hedge  holds" in out
    assert "hedge:gradient=false (s)  Anytime Hedge  silent" in out
    boa = next(one for one in results(command, capsys)["rules"] if one["rule"].startswith("boa"))
    bound = float(line_of(out, "boa")[-2])
    assert bound == pytest.approx(sum(c["bound"] for c in boa["certificates"]), rel=1e-3)
    assert boa["regret"] <= bound and line_of(out, "boa")[-1] == "holds"


def test_a_series_without_a_truth_adds_nothing_to_the_bound(places, tmp_path, capsys):
    command = [*places, "--series", "place", "-r", "boa", "--no-gradient"]
    assert run(command) == 0
    before = line_of(capsys.readouterr().out, "boa")
    with (tmp_path / "f.csv").open("a", encoding="utf-8") as file:
        file.write("east,,1,2\n")
    assert run(command) == 0
    assert line_of(capsys.readouterr().out, "boa") == before


def test_one_broken_series_breaks_the_theorem():
    advice, truth = np.ones((4, 2)), np.ones(4)
    one = play_rule(nr.Hedge(2), advice, truth, ["n", "s", "n", "s"])

    def of(verdict, bound):
        return Certificate("A", "", "", verdict, 1.0, bound, about="regret")

    holds, silent, broken = of(Verdict.HOLDS, 2.0), of(Verdict.SILENT, None), of(Verdict.BROKEN, 0.5)
    assert standing(one, [holds, holds]) == (4.0, Verdict.HOLDS, False)
    assert standing(one, [holds, silent]) == (None, Verdict.SILENT, False)
    assert standing(one, [broken, silent]) == (None, Verdict.BROKEN, False)
    assert standing(one, [holds, broken]) == (2.5, Verdict.BROKEN, False)
    assert standing(one, [holds, of(Verdict.HOLDS, 1.0), silent, holds]) == (3.0, Verdict.HOLDS, False)
    assert standing(one, []) is None
