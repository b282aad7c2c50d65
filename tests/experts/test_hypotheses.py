"""What theorems about experts ask of a run: who joined, which truths came late, and what is finite."""

import math
import pickle

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.errors import BadInput
from noregret.reference.verify import verify
from noregret.registry import expert_rule

NAN = float("nan")


def verdicts(rule):
    return {c.theorem: str(c.verdict) for c in nr.certify(rule)}


# ---- joining ----------------------------------------------------------------------------------------

TUNED = [
    lambda n: nr.Hedge(n, horizon=100),
    lambda n: nr.RandomizedMajority(n, horizon=1000),
    lambda n: nr.FixedShare(n, horizon=40, switches=3),
]


@pytest.mark.parametrize("made", TUNED, ids=["hedge", "rwm", "fixed-share"])
def test_a_rate_made_for_the_number_of_experts_follows_it(made):
    table = np.random.default_rng(0).random((20, 3))
    rule, fresh = made(1), made(3)
    rule.join(2)
    rule.play(table)
    fresh.play(table)
    assert rule.weights.tolist() == fresh.weights.tolist()  # joined before the first round: always there
    assert verdicts(rule) == dict.fromkeys(verdicts(fresh), "holds")
    rule.join()
    copies = [rule.clone(), pickle.loads(pickle.dumps(rule))]
    assert set(verdicts(rule).values()) == {"silent"}
    for one in copies:
        assert one.weights.tolist() == rule.weights.tolist()
        assert one.learn([0.0, 1.0, 0.0, 1.0]) == rule.clone().learn([0.0, 1.0, 0.0, 1.0])
        assert [c.reason for c in nr.certify(one)] != [] and verdicts(one) == verdicts(rule)


def test_who_joins_a_rule_of_one_expert_breaks_no_theorem():
    rule = nr.Hedge(1, horizon=100)
    rule.play(np.ones((10, 1)))
    rule.join(1)
    rule.play(np.tile([1.0, 0.0], (40, 1)))
    assert set(verdicts(rule).values()) == {"silent"}
    assert "1 experts joined later" in nr.certify(rule)[0].reason


def test_who_joins_late_leaves_a_given_rate_its_theorems():
    rule = nr.Hedge(2, rate=0.5)
    rule.play(np.eye(2))
    rule.join(2)
    rule.play(np.tile([1.0, 1.0, 0.0, 1.0], (40, 1)))
    assert set(verdicts(rule).values()) == {"holds"}


def test_a_thousand_who_join_a_horizon_are_not_held_against_it():
    rule = nr.RandomizedMajority(2, horizon=1000)
    rule.play(np.ones((1, 2)))
    rule.join(998)
    rule.play(np.r_[np.zeros(999), 1.0] * -1.0 + np.ones((900, 1)))
    assert set(verdicts(rule).values()) == {"silent"}


def test_a_halving_adversary_with_newcomers_breaks_no_vote():
    rule = nr.WeightedMajority(64, beta=0.5)
    for bit in range(6):
        rule.learn(np.arange(64) >> bit & 1, 0.0)
    rule.join(64)
    for bit in range(7):
        rule.learn(np.arange(128) >> bit & 1, 0.0)
    assert set(verdicts(rule).values()) == {"silent"}


# ---- truths that come late --------------------------------------------------------------------------


def late(rule):
    return rule, rule.promise([0.0, 1.0])


def hedge(**more):
    return nr.Hedge(2, rate=1.665, loss="absolute", gradient=False, **more)


def test_a_round_that_overtakes_a_promise_was_played_without_its_truth():
    rule, promise = late(hedge())
    rule.learn([0.0, 1.0], 0.0)
    rule.learn(promise, 0.0)
    assert rule.scalars["waited"] == 1
    assert verdicts(rule) == {"Cesa-Bianchi–Lugosi": "holds", "Freund–Schapire 1997": "silent"}
    rule.learn([0.0, 1.0], 0.0)
    assert rule.scalars["waited"] == 1  # nothing is outstanding any more


def test_losses_and_matrices_overtake_too_row_by_row():
    rule, _ = late(hedge())
    rule.promise([0.0, 1.0])
    rule.learn([0.0, 1.0])
    assert rule.scalars["waited"] == 2
    played = rule.play(np.eye(2))
    assert played.account.scalars["waited"] == rule.scalars["waited"] == 6
    with pytest.raises(BadInput):
        rule.play([[0.0, 1.0], [0.0, math.inf]], [0.0, 0.0])
    assert rule.scalars["waited"] == 8  # the row before the bad one was played
    assert pickle.loads(pickle.dumps(rule)).scalars == rule.scalars


def test_overtaking_changes_nothing_else():
    waiting, plain = late(hedge())[0], hedge()
    table = np.random.default_rng(3).random((50, 2))
    for rule in (waiting, plain):
        rule.play(table, table[:, 0])
        rule.learn([0.25, 0.5], 1.0)
    assert waiting.weights.tolist() == plain.weights.tolist()
    assert waiting.scalars | {"waited": 0.0} == plain.scalars


def test_a_promise_whose_truth_is_refused_is_still_outstanding():
    rule, promise = late(hedge())
    with pytest.raises(BadInput):
        rule.learn(promise, NAN)
    assert rule.promise([0.0, 1.0]).waiting == 1
    rule.learn(promise, 0.0)


def test_a_promise_is_kept_once():
    rule, promise = late(hedge())
    rule.learn(promise, 0.0)
    with pytest.raises(BadInput, match="no promise is outstanding"):
        rule.learn(promise, 0.0)
    assert rule.scalars["rounds"] == 1


# ---- shares, single experts, numbers without end -----------------------------------------------------


@pytest.mark.parametrize("rule", ["fixed-share:share=0.9,rate=1", "fixed-share:horizon=40,switches=36"])
def test_a_share_that_makes_staying_dear_is_charged_for_staying(rule, tmp_path):
    data, written = tmp_path / "fs.csv", tmp_path / "c"
    data.write_text("y,a,b\n" + "0,0,1\n" * 33)
    told = ["experts", str(data), "--target", "y", "--loss", "absolute", "--rule", rule, "-q"]
    assert run([*told, "--certificate", str(written)]) == 0
    assert [one.verdict for one in verify(written, [data])] == ["holds"]


@pytest.mark.parametrize(
    "spec", ["hedge", "hedge:doubling=true", "hedge:horizon=40", "fixed-share", "eg", "squint"]
)
def test_a_single_expert_is_followed_whatever_is_rounded(spec):
    for seed in range(20):
        played = nr.expert_rule(spec, 1).play(np.random.default_rng(seed).random((33, 1)))
        assert {str(c.verdict) for c in nr.certify(played)} == {"holds"}


@pytest.mark.parametrize("said", [0.21875, 1e6 / 3, 1e-9])
def test_ridge_is_not_broken_by_the_mean_of_equal_advice(said):
    for n in (3, 5, 7):
        played = nr.ExpertRidge(n).play(np.full((9, n), said), np.full(9, said))
        assert {str(c.verdict) for c in nr.certify(played)} == {"holds"}


@pytest.mark.parametrize(
    ("spec", "table"),
    [
        ("fixed-share:rate=1e-310", np.eye(2)),
        ("fixed-share:share=1e-310", np.eye(2)),
        ("hedge:rate=1e-310", np.eye(2)),
        ("hedge:rate=1e308", np.ones((20, 2))),
        ("eg:rate=1e-310", np.eye(2)),
    ],
)
def test_a_number_that_is_not_finite_is_silence(spec, table):
    for certificate in nr.certify(nr.expert_rule(spec, 2).play(table)):
        assert certificate.verdict == "silent" and certificate.bound is None
        assert "both numbers are finite" in certificate.reason


def test_the_verifier_is_silent_with_it(tmp_path):
    data, written = tmp_path / "turns.csv", tmp_path / "c"
    data.write_text("y,a,b\n" + "0,1,\n0,,1\n" * 50)
    told = ["experts", str(data), "--target", "y", "--loss", "absolute", "--no-gradient", "-q"]
    for spec, verdict in (("fixed-share:rate=1e-310", "silent"), ("fixed-share", "holds")):
        assert run([*told, "--rule", spec, "--certificate", str(written)]) == 0
        assert [one.verdict for one in verify(written, [data])] == [verdict]


@pytest.mark.parametrize("beta", [5e-324, 1e-12, math.nextafter(1.0, 0.0)])
def test_votes_have_their_bound_at_the_ends_of_beta(beta):
    rule = nr.WeightedMajority(2, beta=beta)
    rule.learn([0, 1], 0)
    assert set(verdicts(rule).values()) == {"holds"}


# ---- a faultless expert -----------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 7, 8, 100])
def test_a_vote_of_the_faultless_errs_as_often_as_experts_can_be_halved(n):
    rule, left = nr.WeightedMajority(n, beta=0), list(range(n))
    while len(left) > 1:  # the answer is what half of those left, or fewer, say
        said = np.zeros(n)
        said[left[: (len(left) + 1) // 2]] = 1.0
        rule.learn(said, 0.0)
        left = left[(len(left) + 1) // 2 :]
    (certificate,) = nr.certify(rule)
    assert certificate.theorem == "Halving (experts)" and certificate.verdict == "holds"
    assert certificate.bound == int(math.log2(n)) == certificate.observed + certificate.slack
    if n in (1, 2, 8):
        assert certificate.slack == 0


def test_a_vote_of_the_faultless_is_silent_where_nobody_is():
    erred, slept, joined = (nr.WeightedMajority(2, beta=0) for _ in range(3))
    erred.play([[0, 1], [0, 1]], [0, 1])
    slept.learn([NAN, 1.0], 1.0)
    joined.learn([0, 1], 0)
    joined.join()
    reasons = ["each of them errs, the best in 1 round", "experts slept 1 times", "1 experts joined later"]
    for rule, reason in zip((erred, slept, joined), reasons, strict=True):
        assert verdicts(rule) == {"Halving (experts)": "silent"} and reason in nr.certify(rule)[0].reason


@pytest.mark.parametrize(
    "spec",
    ["hedge:rate=0.5", "hedge", "hedge:doubling=true", "eg", "adahedge", "squint", "boa", "mlpol", "mlprod"],
)
def test_a_promise_that_is_kept_at_once_is_a_round_like_any_other(spec):
    promised, direct = (expert_rule(spec, 3) for _ in range(2))
    rng = np.random.default_rng(0)
    for advice, truth in zip(rng.random((40, 3)), rng.random(40), strict=True):
        promised.learn(promised.promise(advice), truth)
        direct.learn(advice, truth)
    np.testing.assert_allclose(promised.weights, direct.weights, rtol=1e-9)
    told, plain = promised.scalars, direct.scalars
    for name in {"epoch", "price", "played"} & set(told):
        assert told[name] == pytest.approx(plain[name], rel=1e-9)
