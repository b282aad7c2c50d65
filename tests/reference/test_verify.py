"""Certificates are written by the fast code and checked by the plain one; what was tampered with is refused."""

import copy
import gzip
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.data.fingerprint import fingerprint as fast_fingerprint
from noregret.hypotheses.naming import finite_class
from noregret.natures.margins import (
    doubling_groups,
    separable,
    separable_classes,
    separable_ranks,
    standard_basis,
)
from noregret.natures.targets import disjunction, k_of_n, unknown_literal
from noregret.reference import classes
from noregret.reference.fingerprint import fingerprint
from noregret.reference.rounds import Refused, read_libsvm
from noregret.reference.shuffling import permutation
from noregret.reference.verify import main, seal, verify

from .certified import certified, forge, noisy, svm


def signed_literal():
    stream = unknown_literal(16, 300, 0)
    return nr.from_arrays(2.0 * np.asarray(stream.matrix, dtype=float) - 1.0, stream.labels)


def numbers():
    """Rows within ±1, and numbers that no u gives exactly."""
    rng = np.random.default_rng(6)
    X = rng.uniform(-1, 1, size=(150, 4))
    return nr.from_arrays(X, 3.0 * X @ rng.normal(size=4) + 0.2 * rng.normal(size=150))


def classes_apart():
    return separable_classes(5, 3, 0.1, 150)


def classes_mixed():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(150, 4))
    return nr.from_arrays(X, np.argmax(X[:, :3] + 0.7 * rng.normal(size=(150, 3)), axis=1))


def ranks_apart():
    """Few rows, again and again, so that the thresholds that are learned keep them apart."""
    rows = np.tile([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0], [-1.0, 0.0]], (12, 1))
    return nr.from_arrays(rows, np.tile([3.0, 3.0, 2.0, 1.0], 12))


def noisy_disjunction():
    """A disjunction whose label is wrong in a round of twenty."""
    stream = disjunction(40, 3, 300, 0)
    wrong = np.random.default_rng(1).random(300) < 0.05
    return nr.from_arrays(
        np.asarray(stream.matrix, dtype=float), np.where(wrong, -stream.labels, stream.labels)
    )


def noisy_literal():
    """Signs, and the label is one of them except in a round of twenty."""
    stream = signed_literal()
    wrong = np.random.default_rng(1).random(300) < 0.05
    return nr.from_arrays(stream.matrix, np.where(wrong, -stream.labels, stream.labels))


RUNS = {
    "Novikoff": ("perceptron", lambda: standard_basis(50)),
    "Freund–Schapire": ("perceptron:bias=true", lambda: separable(5, 0.1, 200, 0)),
    "Mohri–Rostamizadeh": ("perceptron:bias=true", noisy),
    "Li–Long": ("romma", lambda: separable(5, 0.1, 200, 0)),
    "Littlestone (disjunctions)": ("winnow:threshold=100", lambda: disjunction(100, 3, 300, 0)),
    "Littlestone (thresholds)": ("winnow:promotion=1.25,threshold=10", lambda: k_of_n(2, 4, 30, 200, 0)),
    "Littlestone (any data)": ("winnow:threshold=40", noisy_disjunction),
    "Littlestone (bookkeeping)": ("winnow:threshold=1.99", lambda: doubling_groups(4)),
    "Novikoff (updates)": ("voted-perceptron:budget=5,bias=true", noisy),
    "Mohri–Rostamizadeh (updates)": ("perceptron:margin=0.5,rate=0.3", noisy),
    "Freund–Schapire (leave one out)": ("voted-perceptron", lambda: separable(5, 0.3, 200, 0)),
    "Gentile–Zinkevich": ("alma", noisy),
    "Crammer (PA)": ("pa", noisy),
    "Crammer (PA-I)": ("pa1:C=0.5", noisy),
    "Crammer (PA-II)": ("pa2", noisy),
    "Shalev-Shwartz–Singer (PA-I)": ("pa1:C=0.5,bias=true", noisy),
    "Shalev-Shwartz–Singer (PA-II)": ("pa2:C=0.5", noisy),
    "Zinkevich": ("ogd", noisy),
    "Duchi (descent)": ("adagrad", noisy),
    "Duchi (averaging)": ("adagrad:form=averaging,delta=4", noisy),
    "Cesa-Bianchi–Gentile–Zaniboni": ("selective-perceptron:smoothing=2,budget=60,bias=true", noisy),
    "McMahan": ("ftrl:loss=hinge,alpha=1,l1=0.5,l2=0.1,bias=true", noisy),
    "Orabona–Pál": ("coin", noisy),
    "Cesa-Bianchi–Conconi–Gentile": ("sop:covariance=full", noisy),
    "Crammer–Kulesza–Dredze": ("arow:covariance=full,bias=true", noisy),
    "Hazan–Agarwal–Kale": ("ons:covariance=full", noisy),
    "Novikoff (kernel)": ("kernel-perceptron", noisy),
    "Freund–Schapire (kernel)": ("kernel-perceptron:gamma=2", noisy),
    "Mohri–Rostamizadeh (kernel)": ("kernel-perceptron:kernel=polynomial", noisy),
    "Kivinen–Warmuth (normalised)": ("normalized-winnow:rate=1", signed_literal),
    "Kivinen–Warmuth (balanced)": ("balanced-winnow:rate=1", signed_literal),
    "Kivinen–Warmuth (normalised, any data)": ("normalized-winnow:rate=0.3", noisy_literal),
    "Kivinen–Warmuth (balanced, any data)": ("balanced-winnow:rate=0.3", noisy),
    "Crammer–Singer": ("multiclass-perceptron", classes_apart),
    "Crammer–Singer (any data)": ("multiclass-perceptron:bias=true", classes_mixed),
    "Mohri–Rostamizadeh (classes)": ("multiclass-perceptron:rate=0.5", classes_mixed),
    "Crammer et al. (multiclass PA)": ("multiclass-pa:bias=true", classes_apart),
    "Crammer et al. (multiclass PA-I)": ("multiclass-pa1:C=0.3", classes_mixed),
    "Crammer et al. (multiclass PA-II)": ("multiclass-pa2", classes_mixed),
    "Kivinen–Warmuth (classes)": ("multiclass-winnow:rate=0.02,bias=true", classes_apart),
    "Zinkevich (multiclass)": ("multiclass-ogd:rate=0.3", classes_mixed),
    "Crammer–Singer (ranks)": ("prank:ranks=3", lambda: separable_ranks(4, 3, 0.1, 150, 2)),
    "Cesa-Bianchi–Long–Warmuth": ("widrow-hoff:rate=0.1,bias=true", numbers),
    "Crammer et al. (regression)": ("pa-regression:form=2", numbers),
    "Zinkevich (quantile)": ("quantile-regression:quantile=0.9", numbers),
    "Vovk–Azoury–Warmuth": ("ridge:bias=true", numbers),
    "Half the weight": ("panel:perceptron/arow/balanced-winnow", noisy),
}


LATE = {
    "Late labels": ("perceptron", lambda: nr.Delayed(separable(5, 0.1, 200, 0), 4)),
    "Late labels (any data)": ("perceptron:bias=true", lambda: nr.Delayed(noisy(), 7)),
}


@pytest.mark.parametrize("theorem", RUNS)
def test_theorems_of_linear_learners_are_verified(theorem, tmp_path):
    spec, stream = RUNS[theorem]
    (tmp_path / "d.svm").write_text(svm(stream()))
    asked = ["run", str(tmp_path / "d.svm"), "-l", spec, "--certificate", str(tmp_path / "c"), "-q"]
    assert run([*asked, *(["--shuffle", "4"] if "leave one out" in theorem else [])]) == 0
    found = {one.theorem: one for one in verify(tmp_path / "c", [tmp_path / "d.svm"])}
    assert found[theorem].verdict == "holds"
    explained = entry_of(theorem, json.loads((tmp_path / "c").read_text()))["quantities"]
    assert all(one["how"] != "as the theorem defines it" for one in explained.values())
    refuse_tampering(theorem, tmp_path, [tmp_path / "d.svm"])
    first, rest = (tmp_path / "d.svm").read_text().split(" ", 1)
    (tmp_path / "d.svm").write_text(f"{-float(first) or 1.0} {rest}")
    with pytest.raises(Refused, match="other data, or it was changed"):
        verify(tmp_path / "c", [tmp_path / "d.svm"])


@pytest.mark.parametrize("theorem", LATE)
def test_theorems_about_late_labels_are_verified(theorem, tmp_path):
    spec, stream = LATE[theorem]
    nr.save_certificate(nr.play(stream(), nr.learner(spec)), tmp_path / "c")
    assert {one.theorem: one.verdict for one in verify(tmp_path / "c")}[theorem] == "holds"
    refuse_tampering(theorem, tmp_path, [])


def refuse_tampering(theorem, folder, data):
    """Forge every number of a theorem, one after the other: each forgery is refused, and there are ten or more."""
    told = json.loads((folder / "c").read_text())
    refused = 0
    for change in [*TAMPERINGS, *quantity_tamperings(entry_of(theorem, told))]:
        forged = copy.deepcopy(told)
        if change(entry_of(theorem, forged)):
            forge(folder / "f", forged)
            with pytest.raises(Refused, match=f"{re.escape(theorem)}: "):
                verify(folder / "f", data)
            refused += 1
    assert refused >= 10


def entry_of(theorem, told):
    return next(one for one in told["runs"][0]["certificates"] if one["theorem"] == theorem)


def bound_times(factor):
    def change(entry):
        entry["bound"] *= factor
        entry["slack"] = entry["bound"] - entry["observed"]
        entry["verdict"] = "holds" if entry["slack"] >= 0 else "broken"
        return entry["bound"] != 0

    return change


def observed_more(more):
    def change(entry):
        entry["observed"] += more
        entry["slack"] -= more
        return True

    return change


def other_verdict(entry):
    entry["verdict"] = "broken"
    return True


def other_slack(entry):
    entry["slack"] += 1.0
    return True


def unmet_hypothesis(entry):
    entry["hypotheses"][0]["met"] = False
    return True


def without_last_hypothesis(entry):
    entry["hypotheses"].pop()
    return True


def silenced(entry):
    entry.update(verdict="silent", bound=None, slack=None)
    return True


def parts_of_witness(entry):
    """What a witness has, as columns; several classes have one part each, and f of a kernel is in the dual."""
    if entry["witness"] is None:
        return [entry["dual"]] if "(kernel)" in entry["theorem"] else []
    return entry["witness"].get("weights", [entry["witness"]])


def without_largest_weight(entry):
    """Take the largest weight out of the witness, where there is one."""
    for part in parts_of_witness(entry):
        names, numbers = ("features", "values") if "features" in part else ("rounds", "weights")
        if part[numbers]:
            place = int(np.argmax(np.abs(part[numbers])))
            del part[names][place], part[numbers][place]
            return True
    return False


def turned_witness(entry):
    """Change the sign of the first weight of a witness that has two or more."""
    parts = [part["values" if "values" in part else "weights"] for part in parts_of_witness(entry)]
    if sum(map(len, parts)) < 2:
        return False
    numbers = next(numbers for numbers in parts if numbers)
    place = int(np.argmax(np.abs(numbers)))
    numbers[place] = -numbers[place]
    return True


# These hold the same of a witness of any length.
LENGTH_FREE = (
    "Kivinen–Warmuth",
    "Littlestone (disjunctions)",
    "Littlestone (thresholds)",
    "Novikoff (kernel)",
    "Gentile",
)


def longer_witness(entry):
    """Make the witness longer, and leave its numbers as they are."""
    for part in parts_of_witness(entry):
        numbers = "values" if "values" in part else "weights"
        part[numbers] = [1.5 * number for number in part[numbers]]
    return bool(parts_of_witness(entry)) and not entry["theorem"].startswith(LENGTH_FREE)


def no_witness(entry):
    had = entry["witness"] is not None
    entry["witness"] = None
    return had


def unknown_quantity(entry):
    entry["quantities"]["luck"] = {"value": 7.0, "how": "by luck"}
    return True


TAMPERINGS = [
    bound_times(0.999),
    bound_times(1.01),
    observed_more(1.0),
    observed_more(-1.0),
    other_verdict,
    other_slack,
    unmet_hypothesis,
    without_last_hypothesis,
    silenced,
    without_largest_weight,
    turned_witness,
    longer_witness,
    no_witness,
    unknown_quantity,
]


def quantity_tamperings(entry):
    """Every quantity a little smaller, a little larger, and left out."""

    def scaled(name, factor):
        def change(entry):
            value = entry["quantities"][name]["value"]
            entry["quantities"][name]["value"] = factor * value if value else factor - 1.0
            return not 0.0 < abs(value) < 1e-9  # what is so small was only rounded

        return change

    def without(name):
        def change(entry):
            del entry["quantities"][name]
            return True

        return change

    for name in entry["quantities"]:
        yield from (scaled(name, 0.99), scaled(name, 1.01), without(name))


DUELS = [
    ("Consistent", "consistent", "worst", "singletons:16"),
    ("RandConsistent", "randconsistent", "worst", "singletons:16"),
    ("RandConsistent (exact)", "randconsistent", "random", "disjunctions:4,general"),
    ("Halving", "halving", "tree", "thresholds:63"),
    ("Littlestone (SOA)", "soa", "tree", "thresholds:63"),
    ("Littlestone (SOA)", "soa", "random", "random:24,12,0"),
    ("Ben-David–Pál–Shalev-Shwartz", "agnostic", "noise", "thresholds:7"),
    ("Littlestone–Warmuth", "wm", "cover", "all:1"),
    ("Weighted Majority, penalty form", "wm:beta=0.8", "noise", "thresholds:15"),
    ("Halving (experts)", "wm:beta=0", "random", "thresholds:15"),
    ("Randomised Majority", "rwm", "noise", "thresholds:15"),
    ("Randomised Majority, known horizon", "rwm:horizon=60", "noise", "thresholds:15"),
    ("Cesa-Bianchi–Lugosi", "hedge:rate=0.3", "noise", "intervals:5"),
    ("Freund–Schapire 1997", "hedge:horizon=60", "noise", "k-of-n:2,3"),
    ("Anytime Hedge", "hedge", "cover", "all:1"),
    ("Doubling trick", "hedge:doubling=true", "noise", "singletons:4*all:2"),
    ("de Rooij et al.", "adahedge", "noise", "thresholds:7"),
    ("Koolen–van Erven", "squint", "noise", "thresholds:7"),
]


@pytest.mark.parametrize(("theorem", "learner", "nature", "over"), DUELS)
def test_theorems_over_classes_are_verified(theorem, learner, nature, over, tmp_path):
    told = ["duel", learner, nature, "--class", over, "--rounds", "60", "--seed", "3", "-q"]
    assert run([*told, "--certificate", str(tmp_path / "c")]) == 0
    assert {one.theorem: one.verdict for one in verify(tmp_path / "c")}[theorem] == "holds"


def forecasts(labels, sleepers=False):
    rng = np.random.default_rng(0)
    lines = ["y,region,a,b,c"]
    for t in range(120):
        draw = rng.integers(0, 2, 4).tolist() if labels else rng.random(4).tolist()
        said = ["" if sleepers and k and rng.random() < 0.2 else repr(x) for k, x in enumerate(draw[1:])]
        lines.append(",".join([repr(draw[0]), "north" if t % 3 else "south", *said]))
    return "\n".join(lines) + "\n"


RULES = (
    "hedge hedge:rate=0.3 hedge:doubling=true eg eg:rate=0.2 adahedge squint mlprod mlpol boa ftl fixed-share"
)
TABLES = [
    (["--loss", "zero-one"], {"labels": True}, f"{RULES} wm wm:beta=0 rwm rwm:horizon=120"),
    (["--loss", "absolute", "--no-gradient"], {"labels": False}, RULES),  # the deterministic mixture
    (["--loss", "absolute"], {"labels": False}, RULES),
    (["--loss", "square"], {"labels": False, "sleepers": True}, f"{RULES} expert-ridge"),
    (["--loss", "pinball-0.9", "--series", "region"], {"labels": False}, RULES),
]


@pytest.mark.parametrize(("options", "kind", "rules"), TABLES)
def test_theorems_of_expert_rules_are_verified(options, kind, rules, tmp_path):
    data, written = tmp_path / "f.csv", tmp_path / "c"
    data.write_text(forecasts(**kind))
    specs = [part for spec in rules.split() for part in ("-r", spec)]
    told = ["experts", str(data), "--target", "y", "--experts", "a,b,c", *options, *specs, "-q"]
    assert run([*told, "--certificate", str(written)]) == 0
    checked = verify(written, [data])
    assert len(checked) >= len(rules.split()) and not any(one.verdict == "broken" for one in checked)


# ---- tampering ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("honest")
    (folder / "d.svm").write_text(svm(separable(5, 0.1, 200, 0)))
    told = ["run", str(folder / "d.svm"), "-l", "perceptron", "-l", "balanced-winnow", "-q", "--shuffle", "1"]
    assert run([*told, "--certificate", str(folder / "c")]) == 0
    return (folder / "d.svm").read_text(), json.loads((folder / "c").read_text())


def novikoff(told):
    return told["runs"][0]["certificates"][0]


def flip(text, _):
    first, rest = text.split(" ", 1)
    return f"{-int(first)} {rest}"


def swap_rows(text, _):
    first, second, rest = text.split("\n", 2)
    return "\n".join([second, first, rest])


def drop_row(text, _):
    return text.split("\n", 1)[1]


def change_value(text, _):
    head, colon, rest = text.partition(":")
    value, space, tail = rest.partition(" ")
    return f"{head}{colon}{math.nextafter(float(value), 2.0)!r}{space}{tail}"


def edit(change):
    def tamper(text, told):
        change(told)
        return text

    return tamper


def scale_bound(factor):
    def change(told):
        one = novikoff(told)
        one["bound"] *= factor
        one["slack"] = one["bound"] - one["observed"]

    return change


def same_data(told):
    """Edit the fingerprint to that of other data: then the numbers must give it away."""
    told["data"]["fingerprint"] = "sha256:" + "0" * 64


def add_fermat(told):
    told["runs"][0]["certificates"].append(novikoff(told) | {"theorem": "Fermat"})


TAMPERED = {
    "a flipped label": (flip, "other data, or it was changed"),
    "two rows exchanged": (swap_rows, "other data, or it was changed"),
    "a row less": (drop_row, "199 rounds"),
    "the last bit of a value": (change_value, "other data, or it was changed"),
    "a smaller bound": (edit(scale_bound(1 - 1e-11)), "Novikoff: the bound is"),
    "a larger bound": (edit(scale_bound(1.001)), "Novikoff: the bound is"),
    "a verdict": (edit(lambda t: novikoff(t).update(verdict="broken")), "the verdict is 'broken'"),
    "fewer mistakes": (edit(lambda t: t["runs"][0].update(mistakes=3)), "mistakes is 3"),
    "another observed": (edit(lambda t: novikoff(t).update(observed=3, slack=None)), "observed is 3"),
    "a slack": (edit(lambda t: novikoff(t).update(slack=1e6)), "the slack is 1000000"),
    "a quantity": (edit(lambda t: novikoff(t)["quantities"]["R"].update(value=0.5)), "R is 0.5"),
    "a margin": (edit(lambda t: novikoff(t)["quantities"]["gamma"].update(value=9.0)), "gamma is 9"),
    "a quantity left out": (edit(lambda t: novikoff(t)["quantities"].pop("norm_u")), "does not give norm_u"),
    "a witness": (edit(lambda t: novikoff(t)["witness"]["values"].reverse()), "in the data"),
    "no witness": (edit(lambda t: novikoff(t).update(witness=None)), "has no witness"),
    "a hypothesis": (edit(lambda t: novikoff(t)["hypotheses"][3].update(met=False)), "its hypotheses are"),
    "another learner": (
        edit(lambda t: t["runs"][1].update(learner="winnow:threshold=3")),
        "refuses the data",
    ),
    "another rate": (edit(lambda t: t["runs"][1].update(learner="balanced-winnow:rate=0.9")), "balanced"),
    "another order": (edit(lambda t: t["play"].update(shuffle=2)), "is [0-9]+ in the certificate"),
    "another fingerprint": (edit(same_data), "other data, or it was changed"),
    "a theorem unheard of": (edit(add_fermat), "was not checked"),
    "a theorem left out": (
        edit(lambda t: t["runs"][0]["certificates"].pop(0)),
        "leaves out the theorem 'Novikoff'",
    ),
    "another task": (
        edit(lambda t: (t["play"].update(task="regression"), t["runs"][0].update(mistakes=0))),
        "the task is regression in the certificate, and the learner is for binary",
    ),
    "no run at all": (edit(lambda t: t.update(runs=[])), "speaks of no run"),
    "a million passes": (edit(lambda t: t["play"].update(passes=10**12)), "passes"),
    "a part missing": (edit(lambda t: t.pop("play")), "damaged"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_refused(name, honest, tmp_path, capsys):
    tamper, sentence = TAMPERED[name]
    told = copy.deepcopy(honest[1])
    (tmp_path / "d.svm").write_text(tamper(honest[0], told))
    told["seal"] = seal(told)  # a forger would do as much
    (tmp_path / "c").write_text(json.dumps(told))
    with pytest.raises(Refused, match=sentence):
        verify(tmp_path / "c", [tmp_path / "d.svm"])
    assert run(["verify", str(tmp_path / "c"), str(tmp_path / "d.svm")]) == 1
    said = capsys.readouterr()
    assert not said.out and said.err.startswith("noregret: not verified: ") and said.err.count("\n") == 1


WORDS = {
    "version": lambda told: told.update(version="0.0.1"),
    "a source": lambda told: novikoff(told).update(source="Gauss 1801"),
    "a statement": lambda told: novikoff(told).update(statement="M ≤ 0"),
    "how a quantity was obtained": lambda told: novikoff(told)["quantities"]["R"].update(how="guessed"),
    "a note": lambda told: novikoff(told).update(note="trust me"),
    "who read the rows": lambda told: told["data"].update(reader="nobody"),
    "the name of the data": lambda told: told["data"].update(names=["other.svm"]),
    "the seal": lambda told: told.update(seal="sha256:0"),
    "no seal": lambda told: told.pop("seal"),
}


@pytest.mark.parametrize("name", WORDS)
def test_words_that_were_edited_are_refused(name, honest, tmp_path, capsys):
    told = copy.deepcopy(honest[1])
    WORDS[name](told)
    (tmp_path / "d.svm").write_text(honest[0])
    (tmp_path / "c").write_text(json.dumps(told))
    assert run(["verify", str(tmp_path / "c"), str(tmp_path / "d.svm")]) == 1
    said = capsys.readouterr().err
    assert "its words were changed after it was written" in said and said.count("\n") == 1


def test_a_file_that_was_cut_short_is_refused(honest, tmp_path, capsys):
    text = json.dumps(honest[1])
    (tmp_path / "d.svm").write_text(honest[0])
    for cut in (0, 1, len(text) // 3, len(text) - 1):
        (tmp_path / "c").write_text(text[:cut])
        assert run(["verify", str(tmp_path / "c"), str(tmp_path / "d.svm")]) == 1
        said = capsys.readouterr().err
        assert "it is not JSON" in said and said.count("\n") == 1


def test_words_are_sealed(honest, tmp_path, capsys):
    told = copy.deepcopy(honest[1])
    (tmp_path / "d.svm").write_text(honest[0])
    (tmp_path / "c").write_text(json.dumps(told, indent=7))
    assert run(["verify", str(tmp_path / "c"), str(tmp_path / "d.svm")]) == 0  # layout is not a word
    assert "every number was found" in capsys.readouterr().out.replace("\n", " ")
    told["version"] = "0.0.1"
    told["seal"] = seal(told)
    (tmp_path / "c").write_text(json.dumps(told))
    assert (
        run(["verify", str(tmp_path / "c"), str(tmp_path / "d.svm")]) == 0
    )  # another version, the same format
    assert f"written by noregret 0.0.1, checked by noregret {nr.__version__}" in capsys.readouterr().out
    novikoff(told)["statement"] = "M ≤ 0"
    (tmp_path / "c").write_text(json.dumps(told))
    assert run(["verify", str(tmp_path / "c"), str(tmp_path / "d.svm")]) == 1
    assert "its words were changed" in capsys.readouterr().err


def test_expert_and_duel_certificates_are_refused_too(tmp_path):
    data, written = tmp_path / "f.csv", tmp_path / "c"
    data.write_text(forecasts(labels=True))
    told = ["experts", str(data), "--target", "y", "--experts", "a,b,c", "--loss", "zero-one", "-r", "hedge"]
    assert run([*told, "--certificate", str(written), "-q"]) == 0
    data.write_text(data.read_text().replace("\n0,", "\n1,", 1))
    with pytest.raises(Refused, match="other data, or it was changed"):
        verify(written, [data])
    assert json.loads(written.read_text())["data"]["reader"].startswith("noregret.reference")
    assert run(["duel", "soa", "tree", "--class", "thresholds:15", "--certificate", str(written), "-q"]) == 0
    forged = json.loads(written.read_text())
    forged["runs"][0]["certificates"][0].update(bound=5, slack=1)
    written.write_text(json.dumps(forged))
    with pytest.raises(Refused, match="the bound is 5"):
        verify(written)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda told: told["certificates"][1].update(slack=1.0), "the slack is 1.0 in the certificate"),
        (lambda told: told.update(learner="hedge:n=3,rate=0.5"), "it does not weigh 2 experts"),
    ],
)
def test_what_a_silent_theorem_and_a_spec_say_is_checked_too(edit, sentence, tmp_path):
    data, written = tmp_path / "f.csv", tmp_path / "c"
    data.write_text("y,a,b\n0.1,0.2,0.3\n0.4,0.2,0.5\n")
    told = ["experts", str(data), "--target", "y", "-r", "hedge:rate=0.5", "--certificate", str(written)]
    assert run([*told, "-q"]) == 0
    forged = json.loads(written.read_text())
    assert forged["runs"][0]["certificates"][1]["verdict"] == "silent"
    edit(forged["runs"][0])
    forge(written, forged)
    with pytest.raises(Refused, match=sentence):
        verify(written, [data])


# ---- files that are no certificates ------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hello", "it is not JSON"),
        ("[1]", "it is not a certificate"),
        ('{"noregret": "certificate", "format": 9, "version": "7.0"}', "written by noregret 7.0 in format 9"),
        ('{"noregret": "certificate", "format": 1, "command": "cook"}', "a certificate of 'cook'"),
    ],
)
def test_what_is_no_certificate_is_said_to_be_none(text, sentence, tmp_path, capsys):
    (tmp_path / "c").write_text(text)
    assert run(["verify", str(tmp_path / "c")]) == 1
    told = capsys.readouterr().err
    assert sentence in told and told.count("\n") == 1


NASTY = [None, -1, 0, 1e308, "x", "", [], {}, True, 10**30, "inf", "nan", "all:500", "decision-lists:40,3"]


LEARNERS = "perceptron pa ogd coin adagrad alma voted-perceptron arow:covariance=full ons:covariance=full "
LEARNERS += "multiclass-perceptron multiclass-pa1 widrow-hoff pa-regression ridge panel:perceptron/majority"


@pytest.mark.parametrize(
    "command",
    [
        ["duel", "soa", "tree", "--class", "thresholds:7"],
        *(["run", "-l", spec] for spec in [*LEARNERS.split(), "kernel-perceptron"]),
    ],
)
def test_damaged_certificates_never_end_in_a_traceback(command, tmp_path):
    """Every value of the file is replaced by something else, and the seal is made anew."""
    data = tmp_path / "d.svm"
    data.write_text("1 1:1 2:0.5\n-1 3:1 2:0.25\n" * 5)
    files = [data] if command[0] == "run" else []
    assert run([*command, *map(str, files), "--certificate", str(tmp_path / "c"), "-q"]) == 0
    told = json.loads((tmp_path / "c").read_text())
    for k, path in enumerate(leaves(told)):
        forged = copy.deepcopy(told)
        inside = forged
        for key in path[:-1]:
            inside = inside[key]
        inside[path[-1]] = NASTY[k % len(NASTY)]
        forged["seal"] = seal(forged)
        (tmp_path / "f").write_text(json.dumps(forged))
        try:
            verify(tmp_path / "f", files)
        except Refused as refused:
            assert str(refused)


def leaves(told, path=()):
    for key in list(told) if isinstance(told, dict) else range(len(told)):
        yield (*path, key)
        if isinstance(told[key], dict | list):
            yield from leaves(told[key], (*path, key))


def test_data_must_be_given_and_be_there(honest, tmp_path, capsys):
    (tmp_path / "c").write_text(json.dumps(honest[1]))
    assert run(["verify", str(tmp_path / "c")]) == 1
    assert "give the data after the certificate" in capsys.readouterr().err
    assert run(["verify", str(tmp_path / "c"), str(tmp_path / "none.svm")]) == 1
    assert "no such file" in capsys.readouterr().err
    assert run(["verify", str(tmp_path / "none")]) == 1


@pytest.mark.parametrize("option", [["--model", "m"], ["--no-certify"], ["-l", "auto", "--lag", "3"]])
def test_runs_without_a_certificate_say_so(option, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("d.svm").write_text("1 1:1\n")
    nr.save(nr.Perceptron(), "m")
    assert run(["run", "d.svm", "--certificate", "c", *option]) == 2
    assert "--certificate" in capsys.readouterr().err and not Path("c").exists()


def test_a_stopped_run_has_no_certificate(tmp_path, capsys):
    (tmp_path / "d.svm").write_text("1 1:1\n-1 2:x\n")
    told = ["run", str(tmp_path / "d.svm"), "-l", "perceptron", "--certificate", str(tmp_path / "c"), "-q"]
    assert run(told) == 1
    assert not (tmp_path / "c").exists()


def test_the_built_in_line_carries_its_rounds(tmp_path, capsys):
    assert run(["run", "-l", "perceptron", "--certificate", str(tmp_path / "c"), "-q"]) == 0
    assert main([str(tmp_path / "c")]) == 0
    assert "verified: perceptron: Freund–Schapire: holds" in capsys.readouterr().out


def test_skipped_rows_and_other_labels_are_played_alike(tmp_path):
    (tmp_path / "d.svm").write_text("2 1:1\n7 2:x\n7 2:1 2:1\n2 3:1 # so\n\n7 4:1e-3\n")
    told = [
        "run",
        str(tmp_path / "d.svm"),
        "-l",
        "perceptron",
        "--positive",
        "2",
        "--on-bad-row",
        "skip",
        "-q",
    ]
    assert run([*told, "--certificate", str(tmp_path / "c"), "--passes", "3"]) == 0
    assert len(verify(tmp_path / "c", [tmp_path / "d.svm"])) == 3


REFUSED_LATE = {
    "perceptron": "1 1:1\n-1 1:1e200\n-1 1:1\n1 2:1\n1 1:1\n-1 2:1\n",
    "perceptron:bias=true": "-1 1:1\n-1 1:1e200\n-1 1:1\n-1 2:1\n-1 1:1e200\n1 2:1\n",
    "ridge": "1 1:1\n-1 1:1e200\n0.5 1:1\n1 2:1e160\n1e200 1:1e150\n1.5 2:1\n3 1:0.25\n",
    "multiclass-perceptron": "1 1:1\n2 1:1\n3 1:1e200\n1 2:1\n2 1:1\n3 2:2\n1 1:1\n",
    "multiclass-pa": "1 1:1\n2 1:1\n2.5 1:1\n1 2:1\n0.5 2:1\n2 1:1\n3 2:2\n1 1:1\n",  # 2.5 is no class
}


@pytest.mark.parametrize("lag", ["1", "2", "9"])
@pytest.mark.parametrize("spec", REFUSED_LATE)
def test_a_row_that_is_refused_when_its_label_comes_was_not_played(spec, lag, tmp_path):
    data = tmp_path / "d.svm"
    data.write_text(REFUSED_LATE[spec])
    told = certified(tmp_path, [data], "-l", spec, "--on-bad-row", "skip", "--lag", lag)
    assert 0 < told["runs"][0]["rounds"] < told["data"]["rounds"] == REFUSED_LATE[spec].count("\n")
    verify(tmp_path / "c", [data])


def test_a_mistake_that_is_refused_late_overtakes_nothing(tmp_path):
    (tmp_path / "d.svm").write_text("-1 1:1\n-1 1:1e200\n-1 2:1\n")
    told = certified(tmp_path, [tmp_path / "d.svm"], "-l", "perceptron", "--on-bad-row", "skip", "--lag", "9")
    for late in told["runs"][0]["certificates"]:
        assert late["quantities"]["P"]["value"] == 2  # the third one overtook both
    verify(tmp_path / "c", [tmp_path / "d.svm"])


def test_a_table_is_certified_by_way_of_libsvm(tmp_path, capsys):
    rng = np.random.default_rng(3)
    lines = [f"{rng.choice(['red', 'blue'])},{rng.random()!r},{rng.integers(2)}" for _ in range(60)]
    (tmp_path / "d.csv").write_text("\n".join(["colour,size,bought", *lines]) + "\n")
    assert run(["convert", str(tmp_path / "d.csv"), str(tmp_path / "d.svm"), "--label", "bought"]) == 0
    assert set((tmp_path / "d.svm.names").read_text().split()) == {"colour=red", "colour=blue", "size"}
    told = ["run", str(tmp_path / "d.svm"), "-l", "perceptron", "-q", "--certificate", str(tmp_path / "c")]
    assert run(told) == 0 and len(verify(tmp_path / "c", [tmp_path / "d.svm"])) == 3
    of_table = nr.play(nr.read(tmp_path / "d.csv", label="bought"), nr.Perceptron())
    assert of_table.mistakes == nr.play(nr.read(tmp_path / "d.svm"), nr.Perceptron()).mistakes
    assert run(["convert", str(tmp_path / "d.csv"), str(tmp_path / "e.svm"), "--task", "multiclass"]) == 2
    assert "libsvm text is written for two classes" in capsys.readouterr().err


# ---- the verifier's own parts ------------------------------------------------------------------


def test_verification_imports_nothing_of_the_core(honest, tmp_path):
    (tmp_path / "d.svm").write_text(honest[0])
    (tmp_path / "c").write_text(json.dumps(honest[1]))
    code = (
        "import sys; from noregret.cli.app import run;"
        f"status = run(['verify', {str(tmp_path / 'c')!r}, {str(tmp_path / 'd.svm')!r}]);"
        "print(status, [m for m in ('noregret._core', 'numpy', 'scipy') if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "0 []"


def test_fingerprints_agree_and_compression_plays_no_part(tmp_path):
    text = "1 1:1 2:0.1 # x\n\n-1 3:-2 3:1e-5\n1\n"
    (tmp_path / "a.svm").write_text(text)
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"+1   1:1.0 2:1e-1\r\n-1.0 3:-2 3:0.00001\n1 \n"))
    marks = {fingerprint(read_libsvm([tmp_path / name], None, False)) for name in ("a.svm", "b.gz")}
    assert marks == {fast_fingerprint(nr.read(tmp_path / name))[0] for name in ("a.svm", "b.gz")}
    assert len(marks) == 1


def test_fingerprints_of_arrays_see_weights_names_and_missing_labels():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(5, 3)), np.array([1, -1, np.nan, 1, -1.0])
    streams = [
        nr.from_arrays(X, y),
        nr.from_arrays(X, y, weights=[1, 2, 1, 1, 1]),
        nr.from_arrays(X, y, names=["a", "b", "c"]),
        nr.from_arrays(X.astype(np.float32), y),
        nr.from_arrays(X[::-1], y),
    ]
    assert len({fast_fingerprint(stream)[0] for stream in streams}) == len(streams)


ODD_TOKENS = {
    "qid:7 1:1": True,
    "1:1 qid:-0": True,
    "qid:9223372036854775807": True,
    "qid:" + "0" * 5000 + "7": True,
    "-0:1": True,
    "0" * 5000 + "7:1": True,
    "1:1\t\r2:1\r": True,
    "qid:x": False,
    "qid:-1": False,
    "qid:": False,
    "qid:1.5": False,
    "qid:+3": False,
    "qid:1:2": False,
    "qid:9223372036854775808": False,
    "qid:" + "9" * 5000: False,
    "-1:1": False,
    "2147483647:1": False,
    "1:1\v2:1": False,
    "1:1 \f": False,
}


@pytest.mark.parametrize(("tokens", "good"), ODD_TOKENS.items(), ids=[one[:30] for one in ODD_TOKENS])
def test_the_plain_reader_takes_what_the_fast_one_takes(tokens, good, tmp_path):
    data = tmp_path / "d.svm"
    data.write_bytes(f"1 {tokens}\n-1 1:1\n1 1:2\n".encode())
    told = certified(tmp_path, [data], "-l", "perceptron", "--on-bad-row", "skip", "--format", "libsvm")
    assert told["data"]["rounds"] == 2 + good
    assert verify(tmp_path / "c", [data])
    if not good:
        with pytest.raises(Refused, match="line 1: .* is not a "):
            list(read_libsvm([data], None, skip=False))


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**40 + 3, 2**140 + 1])
def test_the_order_is_numpys(seed):
    for count in (0, 1, 2, 5, 1000):
        assert permutation(seed, count) == np.random.default_rng(seed).permutation(count).tolist()


@pytest.mark.parametrize(
    "spec",
    [
        "thresholds:9",
        "singletons:5",
        "intervals:5",
        "all:4",
        "disjunctions:3",
        "disjunctions:3,general",
        "conjunctions:3",
        "conjunctions:2,general",
        "parities:3",
        "k-of-n:2,4",
        "halfspaces:3,1",
        "decision-lists:2,2",
        "all:2*thresholds:3",
        "singletons:4+thresholds:4",
    ],
)
def test_classes_are_rebuilt_to_the_bit(spec):
    made, plain = finite_class(spec), classes.named(spec)
    assert classes.rebuilt(spec) and plain.size == made.size
    assert [[plain.says(h, x) for x in range(made.points)] for h in range(made.size)] == made.table().tolist()
    assert classes.Dimensions(plain).of(plain.everybody) == nr.littlestone_dimension(made)


def test_data_beside_a_certificate_that_carries_its_rounds_is_refused(tmp_path):
    (tmp_path / "d.svm").write_text(svm(noisy()))
    assert run(["run", "-l", "perceptron", "--certificate", str(tmp_path / "c"), "-q"]) == 0
    assert run(["duel", "soa", "tree", "--class", "all:4", "--certificate", str(tmp_path / "e"), "-q"]) == 0
    for name in ("c", "e"):
        verify(tmp_path / name)
        with pytest.raises(Refused, match="carries its rounds itself"):
            verify(tmp_path / name, [tmp_path / "d.svm"])


def test_counts_count(tmp_path):
    data = tmp_path / "d.svm"
    data.write_text(svm(noisy()))
    assert run(["run", str(data), "-l", "perceptron", "--certificate", str(tmp_path / "c"), "-q"]) == 0
    verify(tmp_path / "c", [data])
    told = json.loads((tmp_path / "c").read_text())
    for name in ("rounds", "mistakes", "updates"):
        for count in (math.nan, True, "5", 5.5, None, math.inf):
            changed = copy.deepcopy(told)
            changed["runs"][0][name] = count
            forge(tmp_path / "f", changed)
            with pytest.raises(Refused):
                verify(tmp_path / "f", [data])


def test_a_key_that_stands_twice_is_refused(tmp_path):
    assert run(["run", "-l", "perceptron", "--certificate", str(tmp_path / "c"), "-q"]) == 0
    text = (tmp_path / "c").read_text()
    (tmp_path / "f").write_text(text.replace('"verdict":', '"verdict": "broken", "verdict":', 1))
    with pytest.raises(Refused, match="it is not JSON"):
        verify(tmp_path / "f")


def test_who_reads_the_rows_is_not_believed(tmp_path, capsys):
    (tmp_path / "d.csv").write_text("a,y\n1,1\n2,-1\n3,1\n")
    assert (
        run(["run", str(tmp_path / "d.csv"), "-l", "perceptron", "--certificate", str(tmp_path / "c"), "-q"])
        == 0
    )
    told = json.loads((tmp_path / "c").read_text())
    told["data"]["reader"] = "an angel"
    forge(tmp_path / "f", told)
    capsys.readouterr()
    assert run(["verify", str(tmp_path / "f"), str(tmp_path / "d.csv")]) == 0
    said = capsys.readouterr().out
    assert "an angel" not in said
    assert "rows were read by noregret.data" in said


@pytest.mark.parametrize("told", [["-l", "multiclass-perceptron"], ["-l", "perceptron", "--positive", "2"]])
def test_a_label_that_is_too_large_is_passed_over_by_both(tmp_path, told):
    data, certificate = tmp_path / "v.svm", tmp_path / "c"
    data.write_text("1 1:1\n9007199254740993 1:1\n2 2:1\n1 1:2\n")
    assert (
        run(["run", str(data), *told, "--on-bad-row", "skip", "--certificate", str(certificate), "-q"]) == 0
    )
    verify(certificate, [data])
