"""Rules over experts that play over a class."""

import math

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Verdict
from noregret.errors import BadInput, BadParameter
from noregret.hypotheses.advised import Draw, Vote
from noregret.registry import ADVISED


@pytest.mark.parametrize("spec", ADVISED)
def test_a_rule_over_a_class_is_the_rule_over_its_columns(spec):
    H = nr.hypothesis_class("thresholds:7")
    learner = nr.learner(spec, H)
    rule = learner.rule.clone()
    rng = np.random.default_rng(0)
    for _ in range(60):
        x, y = int(rng.integers(7)), int(rng.integers(2))
        advice = H.column(x).astype(float)
        if learner.randomised:
            assert learner.score(x) == pytest.approx(float(rule.weights @ advice))
        else:
            assert learner.predict(x) == rule.predict(advice)
        learner.learn(x, y)
        rule.learn(np.abs(advice - y)) if learner.randomised else rule.learn(advice, y)
    assert np.array_equal(learner.rule.weights, rule.weights)


@pytest.mark.parametrize("spec", ADVISED)
def test_the_theorems_of_the_rule_hold_on_noise(spec):
    H = nr.hypothesis_class("thresholds:15")
    ledger = nr.play(nr.noisy(H, 400, 0.2, 3), nr.learner(spec, H))
    certificates = nr.certify(ledger)
    assert certificates and {c.verdict for c in certificates} == {Verdict.HOLDS}


def test_hedge_over_the_class_has_its_regret():
    H = nr.hypothesis_class("thresholds:15")
    for seed in range(20):
        ledger = nr.play(nr.noisy(H, 300, 0.2, seed), nr.learner("hedge:horizon=300", H))
        certificate = nr.certify(ledger)[0]
        assert certificate.verdict is Verdict.HOLDS
        assert certificate.bound == pytest.approx(math.sqrt(300 * math.log(16) / 2))


def test_clones_are_independent_and_predict_changes_nothing():
    learner = nr.learner("hedge", "all:3")
    learner.learn(0, 1)
    twin = learner.clone()
    twin.learn(0, 1)
    assert learner.score(0) == learner.score(0) < twin.score(0)
    assert learner.learn(0, None) is False and learner.played == 1


def test_the_rule_must_fit_the_class():
    with pytest.raises(BadInput, match="thresholds:7 has 8 hypotheses and the rule 3 experts"):
        Draw("thresholds:7", nr.Hedge(3))
    with pytest.raises(BadInput, match="all:1 has 2 hypotheses"):
        Vote("all:1", nr.WeightedMajority(5))
    with pytest.raises(BadParameter, match="ftl does not play over a class"):
        nr.learner("ftl", "all:2")
