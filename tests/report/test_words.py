"""Certificates in words: no raw names of quantities, no wrong plural, a margin that is not there told as that."""

import math

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Certificate, Hypothesis, Verdict, counted, marked
from noregret.registry import EXPERTS, LEARNERS
from noregret.report.words import in_words, verdicts


def certificate(verdict, observed=3.0, bound=None, about="mistakes", hypotheses=(), **quantities):
    return Certificate(
        "Theorem", "if so, then so", "Somebody 1962", verdict, observed, bound, hypotheses, quantities, about
    )


def text_of(one, rounds=math.inf):
    told, small = in_words(one, rounds)
    return " ".join([*told, *small])


def test_one_is_not_many():
    assert counted(1, "mistake") == "1 mistake" and counted(0, "mistake") == "0 mistakes"
    assert "There was 1 mistake." in text_of(certificate(Verdict.HOLDS, 1.0, 4.0))
    assert "There were 2 updates." in text_of(certificate(Verdict.HOLDS, 2.0, 4.0, "updates"))
    assert repr(nr.play(nr.standard_basis(1), nr.Perceptron())).endswith("1 mistake in 1 round>")
    title = nr.play(nr.standard_basis(1), nr.Perceptron()).plot().to_dict()["title"]
    assert title == "perceptron: 1 mistake in 1 round, 1 at most (Novikoff)"


def test_a_bound_that_is_met_with_nothing_to_spare():
    assert "4 at most: nothing to spare" in text_of(certificate(Verdict.HOLDS, 4.0, 4.0))


def test_what_is_counted_has_a_whole_bound():
    assert "7 at most: 4 to spare" in text_of(certificate(Verdict.HOLDS, 3.0, 7.9))
    assert "7.9 at most: 4.9 to spare" in text_of(certificate(Verdict.HOLDS, 3.0, 7.9, "regret"))
    assert "7.9 at most: 4.4 to spare" in text_of(certificate(Verdict.HOLDS, 3.5, 7.9))  # importance weights
    assert "inf at most" in text_of(certificate(Verdict.HOLDS, 3.0, math.inf))


def test_a_vacuous_bound_says_nothing():
    large = marked(certificate(Verdict.HOLDS, 4.0, 20.9), 20.0)
    assert "In 20 rounds no learner could pass this bound: it is true, and says nothing." in text_of(
        large, 20
    )
    assert "says nothing" not in text_of(marked(certificate(Verdict.HOLDS, 4.0, 19.9), 20.0), 20)
    loss = marked(certificate(Verdict.HOLDS, 4.0, 1e9, "loss"), 20.0)
    assert "A rule that never learns has no more than this bound" in text_of(loss, 20)
    assert not marked(certificate(Verdict.SILENT), 20.0).vacuous


def test_a_margin_that_is_not_there_is_told_as_a_shortfall():
    unmet = (Hypothesis("some u separates the rounds", False, "the best u tried is wrong in 2 of 9 rounds"),)
    told = text_of(certificate(Verdict.SILENT, hypotheses=unmet, gamma=-2.5, R=3.0, norm_u=1.0))
    assert "off by 2.5" in told and "-2.5" not in told and "wrong in 2 of 9 rounds" in told
    assert "It rests on" not in told


def test_what_the_letters_mean_depends_on_the_theorem():
    charged = certificate(Verdict.HOLDS, bound=9.0, R=1.0, norm_u=2.0, gamma=0.5, D=7.0)
    met = (Hypothesis("some u separates the rounds", True),)
    late = certificate(Verdict.HOLDS, bound=9.0, hypotheses=met, R=1.0, norm_u=2.0, gamma=0.5, D=7.0, P=1.0)
    assert "a margin γ = 0.5 is asked" in text_of(charged) and "root D = 7" in text_of(charged)
    assert "up to D = 7 rounds late" in text_of(late) and "by a margin γ = 0.5 at least" in text_of(late)


def test_linearised_losses_are_not_shown_as_losses():
    told = text_of(
        certificate(Verdict.HOLDS, 5.0, 9.0, "regret", **{"L*": -5.0, "loss": 1e-9, "T": 3.0, "N": 2.0})
    )
    assert "every fixed mixture" in told and "1e-09" not in told and "-5" not in told
    plain = text_of(
        certificate(Verdict.HOLDS, 5.0, 9.0, "regret", **{"L*": 6.0, "loss": 11.0, "T": 3.0, "N": 2.0})
    )
    assert "the best of them lost L* = 6" in plain and "the weighted mixture lost 11" in plain


def test_verdicts_in_a_few_words():
    many = [certificate(v) for v in (Verdict.HOLDS, Verdict.HOLDS, Verdict.SILENT)]
    assert (
        verdicts(many) == "2 hold, 1 is silent"
        and verdicts(many[:1]) == "1 holds"
        and verdicts([]) == "no theorem"
    )


@pytest.mark.parametrize("name", [name for name in LEARNERS if name not in ("auto",)])
def test_no_raw_name_of_a_quantity_reaches_the_reader(name):
    learner = nr.learner(name)
    X = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] * 10)
    y = {"multiclass": [0, 1, 0], "regression": [1.0, 2.0, 1.0]}.get(learner.task, [1.0, -1.0, 1.0]) * 10
    for one in nr.certify(nr.play(nr.from_arrays(X, y), learner)):
        told, _ = in_words(one, 30)
        assert not any(word in " ".join(told) for word in ("gamma", "norm_u", "loss_u", "{}", "None", "nan"))


@pytest.mark.parametrize("name", EXPERTS)
def test_nor_of_a_rule_over_experts(name):
    rule = nr.expert_rule(name, 3, loss="zero-one") if name in ("wm", "rwm") else nr.expert_rule(name, 3)
    rng = np.random.default_rng(0)
    rule.play(rng.integers(0, 2, size=(20, 3)).astype(float), rng.integers(0, 2, size=20).astype(float))
    for one in nr.certify(rule):
        told = text_of(one)
        assert "{}" not in told and "None" not in told
    assert rule.spec in rule._repr_html_()
