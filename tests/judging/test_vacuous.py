"""Bounds that say nothing are marked, and the verifier refuses a wrong mark."""

import json

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Certificate, Verdict, marked, telling
from noregret.errors import BadCertificate
from noregret.reference.verify import seal


def noise(rows=60):
    rng = np.random.default_rng(0)
    return nr.from_arrays(rng.normal(size=(rows, 8)), rng.choice([-1, 1], rows))


def by_name(ledger):
    return {one.theorem: one for one in nr.certify(ledger)}


def test_more_mistakes_than_rounds_is_vacuous():
    (crammer, dual) = nr.certify(nr.play(noise(), nr.learner("pa1")))
    assert crammer.verdict == "holds" and crammer.bound >= 60 and crammer.vacuous
    assert crammer.as_json()["vacuous"] is True and crammer.verdict_in_words == "holds, vacuous"
    assert dual.bound < 60 and not dual.vacuous


def test_the_loss_of_no_rule_at_all_is_vacuous():
    zinkevich = by_name(nr.play(noise(), nr.learner("ogd")))["Zinkevich"]
    assert zinkevich.bound >= 60.0 and zinkevich.vacuous
    easy = nr.separable(4, 0.3, 2000, 1)
    assert not by_name(nr.play(easy, nr.learner("ogd")))["Zinkevich"].vacuous


def test_the_whole_number_of_mistakes_counts():
    made = Certificate("", "", "", Verdict.HOLDS, 3.0, 9.99, about="mistakes")
    assert not marked(made, 10.0).vacuous and marked(made, 9.0).vacuous
    assert not marked(Certificate("", "", "", Verdict.HOLDS, 3.0, 9.99, about="regret"), 10.0).vacuous
    assert not marked(Certificate("", "", "", Verdict.SILENT, 3.0, None), 1.0).vacuous


def test_experts_and_finite_classes_are_marked_too():
    rule = nr.Hedge(2, rate=0.01)
    rule.learn([0.0, 1.0])
    assert all(one.vacuous for one in nr.certify(rule))
    for _ in range(5000):
        rule.learn([0.0, 1.0])
    assert not any(one.vacuous for one in nr.certify(rule))


def test_of_one_family_the_least_bound_is_shown():
    certificates = nr.certify(nr.play(noise(), nr.Perceptron()))
    assert len(certificates) == 3
    (shown,) = telling(certificates)
    assert shown.bound == min(one.bound for one in certificates if one.bound is not None)
    broken = Certificate("B", "", "", Verdict.BROKEN, 3.0, 2.0, family="perceptron")
    assert telling([*certificates, broken]) == [broken]


@pytest.mark.parametrize("mark", [False, "true"])
def test_a_wrong_mark_is_refused(mark, tmp_path):
    path = tmp_path / "c"
    nr.save_certificate(nr.play(noise(), nr.learner("pa1")), path)
    assert [one.vacuous for one in nr.verify_certificate(path)] == [True, False]
    content = json.loads(path.read_text(encoding="utf-8"))
    content["runs"][0]["certificates"][0]["vacuous"] = mark
    content["seal"] = seal(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(BadCertificate, match="vacuous"):
        nr.verify_certificate(path)


def test_a_bound_that_no_double_holds_is_silent():
    """Rows so short that the best γ underflows when it is squared."""
    ledger = nr.play(nr.from_arrays([[-1e-160], [2e-160]], [-1, -1]), nr.Perceptron(bias=True))
    found = nr.certify(ledger, [1e45])
    assert all(one.verdict == "silent" or np.isfinite(one.bound) for one in found)
