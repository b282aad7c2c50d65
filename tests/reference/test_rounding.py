"""Honest certificates are verified, even where their numbers are nothing but what rounding left."""

import json

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.errors import BadCertificate
from noregret.margin_sums import Margins
from noregret.reference.rounds import Refused
from noregret.reference.verify import verify

from .certified import certified, forge, svm

TIED = "y,e0,e1\n1,0,1\n0,0,1\n0,1,0\n0,0,1\n0,1,0\n0,0,1\n"


@pytest.mark.parametrize("spec", ["ogd", "adagrad", "coin", "pa"])
def test_a_loss_that_is_all_rounding_is_verified(spec, tmp_path):
    rng = np.random.default_rng(3)
    X = np.round(rng.random((30, 3)), 1)
    X[:, 0], X[:, 1] = np.arange(30) % 2, 1 - np.arange(30) % 2
    y = np.where(np.arange(30) % 2, 1.0, -1.0)
    (tmp_path / "d.svm").write_text(svm(nr.from_arrays(X, y)))
    certified(tmp_path, [tmp_path / "d.svm"], "-l", spec)
    assert {one.verdict for one in verify(tmp_path / "c", [tmp_path / "d.svm"])} == {"holds"}


@pytest.mark.parametrize("rule", ["boa", "mlpol", "mlprod", "squint"])
def test_of_experts_that_tie_any_may_be_told(rule, tmp_path):
    (tmp_path / "f.csv").write_text(TIED)
    told = ["experts", str(tmp_path / "f.csv"), "--target", "y", "--loss", "absolute", "-r", rule, "-q"]
    assert run([*told, "--certificate", str(tmp_path / "c")]) == 0
    assert [one.verdict for one in verify(tmp_path / "c", [tmp_path / "f.csv"])] == ["holds"]


@pytest.mark.parametrize(
    ("rule", "loss"),
    [
        ("squint", "absolute"),
        *((r, "square") for r in ("expert-ridge", "squint", "boa", "hedge", "adahedge")),
    ],
)
def test_experts_who_say_the_truth_are_verified(rule, loss, tmp_path):
    truths = np.random.default_rng(5).normal(size=30).tolist()
    rows = "".join(f"{y!r},{y!r},{y!r},{y!r}\n" for y in truths)
    (tmp_path / "f.csv").write_text(f"y,a,b,c\n{rows}")
    told = ["experts", str(tmp_path / "f.csv"), "--target", "y", "--loss", loss, "-r", rule, "-q"]
    assert run([*told, "--certificate", str(tmp_path / "c")]) == 0
    assert not any(one.verdict == "broken" for one in verify(tmp_path / "c", [tmp_path / "f.csv"]))


def test_one_expert_has_a_theorem_with_its_numbers(tmp_path, capsys):
    (tmp_path / "f.csv").write_text("y,a\n1,1\n0,1\n")
    told = ["experts", str(tmp_path / "f.csv"), "--target", "y", "--loss", "zero-one"]
    assert run([*told, "-r", "hedge:horizon=40", "--certificate", str(tmp_path / "c")]) == 0
    assert "loss: 1 ≤ 1" in capsys.readouterr().out
    assert [one.verdict for one in verify(tmp_path / "c", [tmp_path / "f.csv"])] == ["holds", "holds"]
    assert run([*told, "-r", "fixed-share:horizon=1,switches=1"]) == 2
    assert "horizon is 1; with switches it must be above 1" in capsys.readouterr().err


def test_a_u_of_zero_pays_for_every_round(tmp_path):
    ledger = nr.play(nr.from_arrays(np.array([[0.6, 0.9], [0.3, 0.2]]), [1, 1]), nr.Perceptron())
    told = {one.theorem: one for one in nr.certify(ledger, witness=[0.0, 0.0])}["Freund–Schapire"]
    assert told.quantities["D"] == pytest.approx(told.quantities["gamma"] * np.sqrt(2))
    assert told.bound == pytest.approx(2.0)
    nr.save_certificate(ledger, tmp_path / "c", witness=[0.0, 0.0])
    assert {one.verdict for one in nr.verify_certificate(tmp_path / "c")} <= {"holds", "silent"}
    margins = Margins()
    margins.add(np.full(3, -1e-200), None, None)
    assert margins.shortfalls.gammas.min() > 1e-160 and (margins.shortfalls.squares > 0.0).all()


def verified_forecasts(folder, X, y, *options):
    """Aggregate a table, write what the theorems say, and give the verdicts that the verifier finds."""
    columns = ",".join(f"e{i}" for i in range(X.shape[1]))
    cells = np.column_stack([y, X]).tolist()
    rows = "".join(",".join("" if c != c else repr(c) for c in row) + "\n" for row in cells)
    (folder / "f.csv").write_text(f"y,{columns}\n{rows}")
    told = ["experts", str(folder / "f.csv"), "--target", "y", "-q", *options]
    assert run([*told, "--certificate", str(folder / "c")]) == 0
    return {one.verdict for one in verify(folder / "c", [folder / "f.csv"])}


@pytest.mark.parametrize(
    ("rule", "apart", "count"),
    [("squint", 0, 3), ("adahedge", 2**-52, 4), ("mlpol", 2**-52, 4), ("adahedge", 0, 1)],
)
def test_experts_that_only_rounding_tells_apart_are_verified(rule, apart, count, tmp_path):
    rng = np.random.default_rng(1)
    y = rng.random(10) + 0.1
    X = (y + 0.3 * rng.normal(size=10))[:, None] * (1.0 + apart * rng.integers(-2, 3, (10, count)))
    assert verified_forecasts(tmp_path, X, y, "--loss", "absolute", "--no-gradient", "-r", rule) == {"holds"}


def test_the_ridge_rule_is_verified_where_the_advice_is_large(tmp_path):
    X = np.array([[506.5073470347585, 774.9532515399842, -72.34705825413738, 101.23374321684929]])
    assert verified_forecasts(tmp_path, X, np.array([289.3203845397613]), "-r", "expert-ridge") == {"holds"}


@pytest.mark.parametrize(
    ("rule", "loss", "seed"),
    [
        ("adahedge", "absolute", 37),
        ("hedge:doubling=true", "pinball", 37),
        ("hedge", "absolute", 50),
        ("eg", "pinball", 59),
    ],
)
def test_predictions_that_fall_on_the_kink_of_a_loss_are_verified(rule, loss, seed, tmp_path):
    rng = np.random.default_rng(seed)
    y = np.round(rng.gamma(3, 2, 150))
    X = np.maximum(0.0, np.round(y[:, None] + 2.0 * rng.normal(size=(150, 4))))
    assert "broken" not in verified_forecasts(tmp_path, X, y, "--loss", loss, "-r", rule)


def test_a_hit_that_was_none_is_refused(tmp_path):
    y = np.array([1.0, 2.0])
    verified_forecasts(tmp_path, np.array([[1.0, 1.0], [3.0, 5.0]]), y, "--loss", "absolute", "-r", "hedge")
    told = json.loads((tmp_path / "c").read_text())
    assert told["runs"][0]["hits"] == {"rounds": [0], "sides": [0]}
    told["runs"][0]["hits"] = {"rounds": [0, 1], "sides": [0, -1]}
    forge(tmp_path / "c", told)
    with pytest.raises(Refused, match="it was no hit"):
        verify(tmp_path / "c", [tmp_path / "f.csv"])


@pytest.mark.parametrize("option", ["--gradient", "--no-gradient"])
def test_fixed_share_charges_sleepers_what_it_suffers_itself(option, tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.random((100, 2)), rng.random(100)
    X[::2, 0] = X[1::2, 1] = np.nan  # no sequence with few switches is always awake
    played = nr.FixedShare(2, gradient=option == "--gradient").play(X, y)
    assert played.priced.sum(axis=0) == pytest.approx(played.account.expert_losses)
    (told,) = nr.certify(played)
    assert (told.verdict, told.quantities["m"], told.observed) == (
        "holds",
        0.0,
        pytest.approx(0.0, abs=1e-12),
    )
    assert verified_forecasts(tmp_path, X, y, "-r", "fixed-share", option) == {"holds"}


FULL = ("sop:covariance=full", "arow:covariance=full", "ons:covariance=full", "ridge")


@pytest.mark.parametrize(("size", "ridge"), [(1e-3, 1), (1e-6, 1), (1e-9, 1), (1.0, 1e6), (1.0, 1e12)])
@pytest.mark.parametrize("spec", FULL)
def test_a_determinant_next_to_one_is_verified(spec, size, ridge, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3)) * size
    wanted = f"{spec}{',' if ':' in spec else ':'}ridge={ridge}"
    ledger = nr.play(nr.from_arrays(X, np.sign(X @ [1.0, 2.0, 3.0])), nr.learner(wanted))
    nr.save_certificate(ledger, tmp_path / "c")
    assert [one.verdict for one in nr.verify_certificate(tmp_path / "c")] == ["holds"]


def test_a_sharper_bound_that_is_just_reached_is_not_passed(tmp_path):
    rng = np.random.default_rng(23)
    X, y = rng.normal(size=(4, 1)) * 1e-8, np.where(rng.random(4) < 0.5, 1.0, -1.0)
    ledger = nr.play(nr.from_arrays(X, y), nr.learner("arow:covariance=full,ridge=7e6"))
    nr.save_certificate(ledger, tmp_path / "c")
    assert [one.verdict for one in nr.verify_certificate(tmp_path / "c")] == ["holds"]


def test_a_u_of_zero_has_products_of_zero(tmp_path):
    ledger = nr.play(nr.from_arrays([[3e-6, 4e-6]], [1.0]), nr.learner("arow:covariance=full"))
    nr.save_certificate(ledger, tmp_path / "c", witness=[0.0, 0.0])
    assert [(one.observed, one.bound) for one in nr.verify_certificate(tmp_path / "c")] == [(0, 0)]


@pytest.mark.parametrize("size", [1e3, 1e7, 1e10])
@pytest.mark.parametrize("spec", ["pa-regression", "pa-regression:form=2,epsilon=0", "quantile-regression"])
def test_a_bound_has_the_rounding_of_large_numbers_that_fit(spec, size, tmp_path):
    X = np.random.default_rng(0).normal(size=(20, 1)) * size
    nr.save_certificate(nr.play(nr.from_arrays(X, X @ [1.6]), nr.learner(spec)), tmp_path / "c")
    assert [one.verdict for one in nr.verify_certificate(tmp_path / "c")] == ["holds"]
    told = json.loads((tmp_path / "c").read_text())
    for factor in (0.999, 1.01):
        entry = told["runs"][0]["certificates"][0]
        bound = entry["bound"] * factor
        changed = entry | {"bound": bound, "slack": bound - entry["observed"]}
        forge(tmp_path / "f", told | {"runs": [told["runs"][0] | {"certificates": [changed]}]})
        with pytest.raises(BadCertificate, match="the bound is"):
            nr.verify_certificate(tmp_path / "f")
