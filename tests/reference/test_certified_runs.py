"""Certificates of runs in Python: late labels, hidden labels, classes announced, panels under any rule."""

import json

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadCertificate, BadCommand
from noregret.natures.lateness import late_basis
from noregret.natures.margins import separable_classes, standard_basis

from .certified import certified, forge, noisy, svm


def verified(ledger, path):
    nr.save_certificate(ledger, path)
    return {one.theorem: one for one in nr.verify_certificate(path)}


LATE = {
    "the worst case": lambda: late_basis(10, 3),
    "unit vectors": lambda: nr.Delayed(standard_basis(60), 7),
    "a margin": lambda: nr.Delayed(nr.separable(5, 0.1, 300, 0), 20),
    "no row": lambda: nr.Delayed(nr.from_arrays(np.empty((0, 2)), []), 3),
    "some labels only": lambda: nr.PartlyLabelled(nr.Delayed(nr.separable(5, 0.1, 300, 0), 4), 0.5, 3),
}


@pytest.mark.parametrize("kind", LATE)
def test_late_labels_are_verified(kind, tmp_path):
    ledger = nr.play(LATE[kind](), nr.Perceptron(bias=kind == "a margin"))
    found = verified(ledger, tmp_path / "c")
    assert ledger.lag and list(found) == ["Late labels", "Late labels (any data)"]
    assert {one.verdict for one in found.values()} == {"holds"}
    told = json.loads((tmp_path / "c").read_text())
    assert told["play"]["lag"] == ledger.lag
    for change in ({"lag": ledger.lag - 1}, {"lag": 0}, {"lag": -1}):
        forge(tmp_path / "f", told | {"play": told["play"] | change})
        with pytest.raises(BadCertificate, match="Late labels|lag is|mistakes is|updates is|leaves out"):
            nr.verify_certificate(tmp_path / "f")


def test_late_labels_of_learners_without_a_theorem_are_counted_alike(tmp_path):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(120, 4))
    words = np.array(["cat", "cow", "dog"])[np.argmax(X[:, :3], axis=1)]
    for spec, y in (("arow", np.sign(X[:, 0])), ("multiclass-pa", words), ("widrow-hoff", X[:, 1])):
        assert verified(nr.play(nr.Delayed(nr.from_arrays(X, y), 5), nr.learner(spec)), tmp_path / "c") == {}


def test_some_labels_are_never_told(tmp_path):
    hidden = nr.PartlyLabelled(nr.separable(5, 0.1, 300, 0), 0.4, 1)
    ledger = nr.play(hidden, nr.Perceptron(), rounds=250)
    found = verified(ledger, tmp_path / "c")
    assert found["Novikoff"].verdict == found["Freund–Schapire"].verdict == "holds"
    assert (
        sum(row[0] is None for row in json.loads((tmp_path / "c").read_text())["data"]["stored"]["rows"])
        > 100
    )


def test_classes_that_were_announced_cost_nothing(tmp_path):
    found = verified(nr.play(separable_classes(5, 3, 0.1, 200), nr.MulticlassPerceptron()), tmp_path / "c")
    assert found["Crammer–Singer"].verdict == "holds"
    told = json.loads((tmp_path / "c").read_text())
    assert told["play"]["announced"] and told["runs"][0]["certificates"][0]["quantities"]["K"]["value"] == 0
    told["play"]["announced"] = []
    forge(tmp_path / "c", told)
    with pytest.raises(BadCertificate, match="mistakes is|K is"):
        nr.verify_certificate(tmp_path / "c")


def test_words_as_classes_in_a_random_order(tmp_path):
    rng = np.random.default_rng(1)
    lines = [f"{rng.choice(['spam', 'ham', 'eggs'])},{rng.random()!r},{rng.random()!r}" for _ in range(80)]
    (tmp_path / "d.csv").write_text("\n".join(["label,a,b", *lines]) + "\n")
    options = ["-l", "multiclass-perceptron", "-l", "multiclass-pa1", "--passes", "2", "--shuffle", "5"]
    certified(tmp_path, [tmp_path / "d.csv"], *options)
    assert len(nr.verify_certificate(tmp_path / "c", tmp_path / "d.csv")) == 4


RULES = ["adahedge", "hedge", "hedge:rate=0.3", "hedge:doubling=true", "hedge:horizon=99", "squint", "mlprod"]
RULES += ["boa", "mlpol", "eg", "ftl", "fixed-share", "rwm", "rwm:horizon=300"]


@pytest.mark.parametrize("rule", RULES)
def test_panels_are_verified_under_every_rule(rule, tmp_path):
    panel = nr.Panel(["perceptron", "arow:bias=true", "pa2:scale=rms", "majority", "last-label"], rule)
    found = verified(nr.play(noisy(), panel), tmp_path / "c")
    assert "Half the weight" in found and len(found) >= 2
    told = json.loads((tmp_path / "c").read_text())
    told["runs"][0]["learner"] = told["runs"][0]["learner"].replace("pa2:", "pa2:C=0.5,")
    forge(tmp_path / "c", told)
    with pytest.raises(BadCertificate, match="is .* in the certificate, and was found"):
        nr.verify_certificate(tmp_path / "c")


def test_auto_is_what_a_run_without_a_learner_certifies(tmp_path):
    (tmp_path / "d.svm").write_text(svm(noisy()))
    told = certified(tmp_path, [tmp_path / "d.svm"])
    assert told["runs"][0]["learner"] == "auto"
    assert [one.theorem for one in nr.verify_certificate(tmp_path / "c", tmp_path / "d.svm")] == [
        "de Rooij et al.",
        "Half the weight",
    ]


def test_a_row_that_one_member_refuses_is_learned_by_none(tmp_path):
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1e200, 1e200], [1.0, 1.0], [0.0, np.nan], [1.0, 0.0]])
    rows = nr.from_arrays(X, [1, -1, 1, -1, 1, 1])
    (ledger,) = nr.play_all(rows, [nr.Panel(["perceptron", "pa2", "majority"])], skip=True)
    assert ledger.skipped >= 1
    assert "Half the weight" in verified(ledger, tmp_path / "c")


def test_importance_counts_in_a_panel(tmp_path):
    rng = np.random.default_rng(4)
    X = rng.normal(size=(100, 3))
    rows = nr.from_arrays(X, np.sign(X[:, 0] + 0.3), weights=rng.integers(0, 4, 100))
    assert verified(nr.play(rows, nr.Panel(["perceptron", "majority"])), tmp_path / "c")


def test_what_cannot_be_certified_says_so(tmp_path):
    with pytest.raises(BadCommand, match="noregret duel --certificate"):
        nr.save_certificate(nr.play(nr.TreeAdversary("thresholds:7"), nr.SOA("thresholds:7")), tmp_path / "c")
    learner = nr.Perceptron()
    nr.play(noisy(), learner)
    with pytest.raises(BadCommand, match="from the beginning"):
        nr.save_certificate(nr.play(noisy(), learner), tmp_path / "c")
    with pytest.raises(BadCommand, match="panel has no certificate where labels came late"):
        nr.save_certificate(nr.play(nr.Delayed(noisy(), 3), nr.Panel(["perceptron"])), tmp_path / "c")
    assert not (tmp_path / "c").exists()


def test_a_threshold_that_is_the_width_of_the_data_stands_in_the_certificate(tmp_path):
    bits = nr.disjunction(30, 2, 150, 1)
    assert (
        verified(nr.play(bits, nr.Winnow()), tmp_path / "c")["Littlestone (disjunctions)"].verdict == "holds"
    )
    assert json.loads((tmp_path / "c").read_text())["runs"][0]["learner"] == "winnow:threshold=30"
    panel = nr.Panel(["winnow", "perceptron"], "squint")
    assert "Half the weight" in verified(nr.play(bits, panel), tmp_path / "c")
    np.savez(tmp_path / "d.npz", X=bits.matrix, y=bits.labels)
    told = certified(tmp_path, [tmp_path / "d.npz"], "-l", "winnow", "-l", "panel:winnow/last-label")
    specs = ["winnow:threshold=30", "panel:winnow:threshold=30/last-label"]
    assert [one["learner"] for one in told["runs"]] == specs
    assert len(nr.verify_certificate(tmp_path / "c", tmp_path / "d.npz")) == 6


@pytest.mark.parametrize(
    "spec", ["multiclass-perceptron", "multiclass-pa1", "widrow-hoff", "ridge", "prank:ranks=3"]
)
def test_rows_that_were_scaled_leave_their_theorems_silent(spec, tmp_path):
    rng = np.random.default_rng(8)
    X = rng.normal(size=(60, 3)) * [1.0, 10.0, 100.0]
    stream = nr.from_arrays(X, 1.0 + np.argmax(X / [1.0, 10.0, 100.0], axis=1))
    scaled = f"{spec}{',' if ':' in spec else ':'}scale=rms"
    found = verified(nr.play(stream, nr.learner(scaled)), tmp_path / "c")
    assert found and {one.verdict for one in found.values()} == {"silent"}


OWN_LOSSES = ("ons", "ons:covariance=full", "multiclass-ogd", "prank:ranks=3")


@pytest.mark.parametrize("weights", [[2, 1, 1], [0, 1, 3], [1, 1, 1]])
@pytest.mark.parametrize("spec", OWN_LOSSES)
def test_importance_counts_in_the_loss_of_a_silent_theorem(spec, weights, tmp_path):
    labels = [1, -1, 1] if spec.startswith("ons") else [1, 2, 3]
    rows = nr.from_arrays([[1.0, 2.0], [2.0, -1.0], [0.0, 1.0]], labels, weights=weights)
    ledger = nr.play(rows, nr.learner(spec))
    (found,) = verified(ledger, tmp_path / "c").values()
    assert found.observed == pytest.approx(ledger.loss)
    assert set(weights) == {1} or found.verdict == "silent"


@pytest.mark.parametrize(("rule", "seed"), [("squint", 6), ("mlprod", 21), ("boa", 35), ("mlpol", 9)])
def test_the_vote_may_lean_on_any_of_the_members_that_tie(rule, seed, tmp_path):
    rng = np.random.default_rng(seed)
    rows = nr.from_arrays(rng.normal(size=(10, 2)), np.where(rng.random(10) < 0.5, 1, -1))
    found = verified(nr.play(rows, nr.Panel(["perceptron", "arow", "pa"], rule)), tmp_path / "c")
    assert found["Half the weight"].verdict == "holds"
    told = json.loads((tmp_path / "c").read_text())
    told["runs"][0]["certificates"][-1]["quantities"]["R"]["value"] *= 0.99
    forge(tmp_path / "c", told)
    with pytest.raises(BadCertificate, match="Half the weight: R is"):
        nr.verify_certificate(tmp_path / "c")


@pytest.mark.parametrize("rounds", [None, 60])
def test_rounds_in_a_random_order_stay_so_in_the_certificate(rounds, tmp_path):
    ledger = nr.play(nr.shuffled(noisy(), 3), nr.VotedPerceptron(), rounds=rounds)
    assert verified(ledger, tmp_path / "c")["Freund–Schapire (leave one out)"].verdict == "holds"
    told = json.loads((tmp_path / "c").read_text())
    for change in ({"drawn": False}, {"drawn": 1}, {"passes": 2}):
        forge(tmp_path / "f", told | {"play": told["play"] | change})
        with pytest.raises(BadCertificate):
            nr.verify_certificate(tmp_path / "f")


def test_an_order_that_nobody_drew_is_not_said_to_be_random(tmp_path):
    found = verified(nr.play(noisy(), nr.VotedPerceptron()), tmp_path / "c")
    assert found["Freund–Schapire (leave one out)"].verdict == "silent"
    assert "drawn" not in json.loads((tmp_path / "c").read_text())["play"]


BITS = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 1.0]]
UNTOLD = float("nan")
OPEN = {
    "the first row has no label": lambda: nr.from_arrays(BITS, [UNTOLD, -1, 1, -1]),
    "labels come late": lambda: nr.Delayed(nr.from_arrays(BITS, [1, -1, 1, -1]), 1),
    "they come after the last row": lambda: nr.Delayed(nr.from_arrays(BITS, [1, -1, 1, -1]), 9),
    "no row": lambda: nr.from_arrays(np.empty((0, 2)), []),
    "no label": lambda: nr.from_arrays(BITS, [UNTOLD] * 4),
}


@pytest.mark.parametrize("kind", OPEN)
def test_a_threshold_is_told_as_soon_as_a_label_tells_it(kind, tmp_path):
    ledger = nr.play(OPEN[kind](), nr.Winnow())
    found = verified(ledger, tmp_path / "c")
    assert len(found) == (0 if ledger.lag else 4)
    spec = "winnow" if kind in ("no row", "no label") else "winnow:threshold=2"
    assert json.loads((tmp_path / "c").read_text())["runs"][0]["learner"] == spec
    if not ledger.lag:
        panel = nr.Panel(["winnow", "perceptron"])
        assert "Half the weight" in verified(nr.play(OPEN[kind](), panel), tmp_path / "c")


@pytest.mark.parametrize("learner", ["winnow", "panel:winnow/perceptron"])
@pytest.mark.parametrize("bad", ["stop", "skip"])
def test_a_threshold_is_left_out_only_where_no_label_was_told(learner, bad, tmp_path):
    verified(nr.play(nr.from_arrays(BITS, [1, -1, 1, -1]), nr.learner(learner)), tmp_path / "c")
    told = json.loads((tmp_path / "c").read_text())
    told["runs"][0]["learner"] = learner
    told["play"]["on_bad_row"] = bad
    forge(tmp_path / "c", told)
    with pytest.raises(BadCertificate, match="threshold is left out"):
        nr.verify_certificate(tmp_path / "c")


PROMPT = ("arow:covariance=full", "ons:covariance=full", "sop:covariance=full", "kernel-perceptron", "pa")


@pytest.mark.parametrize("spec", PROMPT)
def test_a_theorem_about_prompt_labels_is_none_about_late_ones(spec, tmp_path):
    X = [[3.0, 0.0], [0.0, 3.0], [3.0, 0.0]]
    assert verified(nr.play(nr.from_arrays(X, [1.0, 1.0, 1.0]), nr.learner(spec)), tmp_path / "c")
    told = json.loads((tmp_path / "c").read_text())
    late = {"lag": 3}
    again = nr.play(nr.Delayed(nr.from_arrays(X, [1.0, 1.0, 1.0]), 3), nr.learner(spec))
    counts = {"mistakes": again.mistakes, "updates": again.updates}
    forge(tmp_path / "c", told | {"play": told["play"] | late, "runs": [told["runs"][0] | counts]})
    with pytest.raises(BadCertificate, match="is no theorem about such a run"):
        nr.verify_certificate(tmp_path / "c")


@pytest.mark.parametrize("lag", [-1, 0.0, 0.5, "3", None, True, False, 10**12])
def test_a_lag_is_a_whole_number(lag, tmp_path):
    verified(nr.play(noisy(), nr.learner("arow")), tmp_path / "c")
    told = json.loads((tmp_path / "c").read_text())
    forge(tmp_path / "c", told | {"play": told["play"] | {"lag": lag}})
    with pytest.raises(BadCertificate, match="lag is .*; it must be a whole number"):
        nr.verify_certificate(tmp_path / "c")


def test_a_theorem_about_another_learner_is_none_about_this_one(tmp_path):
    verified(nr.play(standard_basis(9), nr.Perceptron()), tmp_path / "c")
    told = json.loads((tmp_path / "c").read_text())
    romma = nr.play(standard_basis(9), nr.learner("romma"))
    verified(romma, tmp_path / "r")
    other = json.loads((tmp_path / "r").read_text())
    other["runs"][0]["certificates"].append(told["runs"][0]["certificates"][0])
    forge(tmp_path / "r", other)
    with pytest.raises(BadCertificate, match="romma: 'Novikoff' is no theorem about such a run"):
        nr.verify_certificate(tmp_path / "r")


def test_rows_without_features_have_a_bias(tmp_path):
    for labels in ([1, -1], [-1, -1, -1]):
        rows = nr.from_rounds([({}, label) for label in labels])
        found = verified(nr.play(rows, nr.Perceptron(bias=True)), tmp_path / "c")
        assert found["Novikoff"].verdict == ("silent" if 1 in labels else "holds")
