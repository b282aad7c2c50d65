"""Learners that predict a number: by hand, ledgers, bounds, and labels that are none."""

import math

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadLabel, BadParameter
from noregret.natures.margins import basis_numbers, linear_numbers
from noregret.registry import LEARNERS, learner_class

REGRESSION = [name for name in LEARNERS if learner_class(name).task == "regression"]


def test_widrow_hoff_by_hand():
    learner = nr.WidrowHoff(rate=0.1)
    assert learner.predict({"a": 3.0}) == 0.0
    assert learner.learn({"a": 1.0, "b": 2.0}, 5.0)
    assert learner.weights == {"a": 0.5, "b": 1.0}
    assert learner.predict({"a": 1.0, "b": 2.0}) == 2.5
    assert not learner.learn({"a": 1.0}, 0.5)
    assert learner.learn({"a": 1.0}, 1.5, weight=2.0)
    assert learner.weights["a"] == 0.5 + 0.1 * 2.0 * 1.0


def test_passive_aggressive_regression_by_hand():
    first = nr.PARegression(epsilon=0.5, C=0.25)
    assert not first.learn({"a": 2.0}, 0.5)
    assert first.learn({"a": 2.0}, 1.5)  # ℓ = 1, ‖x‖² = 4
    assert first.weights == {"a": 0.5}
    assert first.learn({"a": 1.0}, -3.0)  # ℓ = 3, cut at C
    assert first.weights == {"a": 0.25}
    second = nr.PARegression(epsilon=0.5, C=0.25, form=2)
    assert second.learn({"a": 2.0}, 1.5)  # 1/(4 + 2)
    assert second.weights == {"a": 2.0 / 6.0}


def test_the_share_below_a_quantile_is_the_quantile():
    rng = np.random.default_rng(0)
    y = rng.normal(size=40_000)
    learner = nr.QuantileRegression(quantile=0.9, rate=0.01, bias=True)
    nr.play(nr.from_arrays(np.zeros((len(y), 1)), y), learner)
    assert np.mean(y < learner.predict(np.zeros(1))) == pytest.approx(0.9, abs=0.02)


def test_baselines():
    y = [4.0, 6.0, 2.0]
    assert nr.play(nr.from_arrays(np.zeros((3, 1)), y), nr.Mean()).rmse == pytest.approx(
        math.sqrt((16 + 4 + 9) / 3)
    )
    ledger = nr.play(nr.from_arrays(np.zeros((3, 1)), y), nr.LastValue())
    assert ledger.mae == pytest.approx((4 + 2 + 4) / 3)
    weighted = nr.Mean()
    weighted.learn({}, 1.0, weight=3.0)
    weighted.learn({}, 5.0)
    assert weighted.predict({}) == 2.0


def test_the_ledger_of_numbers_has_errors_and_no_mistakes():
    ledger = nr.play(nr.from_arrays(np.eye(3), [1.0, np.nan, -2.0]), nr.WidrowHoff())
    assert (ledger.mistakes, ledger.labelled, ledger.auc, ledger.confusion) == (0, 2, None, None)
    assert ledger.loss == 5.0
    assert (ledger.rmse, ledger.mae) == (math.sqrt(2.5), 1.5)
    assert repr(ledger) == "<Ledger widrow-hoff: RMSE 1.581 in 3 rounds>"


@pytest.mark.parametrize("spec", REGRESSION)
def test_labels_that_are_no_numbers_are_refused(spec):
    learner = nr.learner(spec)
    for y in (math.inf, -math.inf, math.nan):
        with pytest.raises(BadLabel, match="takes finite ones|a whole number from 1 to"):
            learner.learn({"a": 1.0}, y)
    with pytest.raises(BadLabel, match="takes numbers"):
        learner.learn({"a": 1.0}, "high")
    with pytest.raises(BadLabel, match="multiclass-perceptron"):
        nr.play(nr.from_arrays(np.eye(2), ["a", "b"]), learner)
    assert learner.is_fresh


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("widrow-hoff:rate=0", "above 0"),
        ("pa-regression:epsilon=-1", "0 or more"),
        ("pa-regression:C=0", "above 0"),
        ("pa-regression:form=3", "1 or 2"),
        ("quantile-regression:quantile=1", "between 0 and 1"),
        ("quantile-regression:rate=nan", "above 0"),
    ],
)
def test_bad_parameters_are_refused(spec, why):
    with pytest.raises(BadParameter, match=why):
        nr.learner(spec)


@pytest.mark.parametrize(
    ("spec", "value"),
    [("widrow-hoff:rate=1", 1.0), ("pa-regression:epsilon=0", 1.0), ("quantile-regression:rate=2", 1.0)],
)
def test_the_basis_reaches_the_bound_but_for_rounding(spec, value):
    (certificate,) = nr.certify(nr.play(basis_numbers(300, value), nr.learner(spec)))
    assert certificate.verdict is nr.Verdict.HOLDS
    assert certificate.observed == pytest.approx(certificate.bound, rel=1e-8)


def test_too_large_a_rate_makes_the_theorem_silent():
    (certificate,) = nr.certify(nr.play(linear_numbers(5, 50), nr.WidrowHoff(rate=2.5)))
    assert certificate.verdict is nr.Verdict.SILENT
    assert "a rate below 2" in certificate.reason


@pytest.mark.parametrize(
    "spec", ["widrow-hoff:rate=0.5", "pa-regression", "pa-regression:form=2", "quantile-regression"]
)
def test_bounds_hold_with_a_bias_and_noise(spec):
    stream = linear_numbers(6, 1500, noise=0.3, seed=2)
    learner = nr.learner(f"{spec}{',' if ':' in spec else ':'}bias=true")
    (certificate,) = nr.certify(nr.play(stream, learner))
    assert certificate.verdict is nr.Verdict.HOLDS
