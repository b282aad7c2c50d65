"""Bounds at their worst cases and on anything that may come; rules that are wrong are in test_mutations."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import noregret as nr
from noregret.registry import EXPERTS

UNIT = ["hedge", "hedge:rate=0.3", "hedge:doubling=true", "rwm", "fixed-share", "squint", "mlprod"]
ANY_SCALE = ["adahedge", "boa", "mlpol", "eg", "eg:rate=0.2", "ftl"]
LOSS_RULES = UNIT + ANY_SCALE


def alternating(rounds=1000):
    """The ruin of who follows the leader: a half, then the leader loses each time."""
    table = np.zeros((rounds, 2))
    table[0] = [0.5, 0.0]
    table[1::2, 1] = 1.0
    table[2::2, 0] = 1.0
    return table


def late_good(rounds=2000, n=8):
    """Everybody loses at random; after half the rounds one expert is faultless, and the others fail."""
    table = np.random.default_rng(0).integers(0, 2, (rounds, n)).astype(float)
    table[rounds // 2 :] = 1.0
    table[rounds // 2 :, n - 1] = 0.0
    return table


def switching(rounds=5000, n=6, switches=10):
    """Who is good changes ten times."""
    table = np.random.default_rng(1).integers(0, 2, (rounds, n)).astype(float)
    for k in range(switches + 1):
        part = slice(k * rounds // (switches + 1), (k + 1) * rounds // (switches + 1))
        table[part, k % n] = 0.0
    return table


NATURES = {"alternating": alternating, "late good": late_good, "switching": switching}


@pytest.mark.parametrize("nature", NATURES)
@pytest.mark.parametrize("spec", LOSS_RULES)
def test_bounds_hold_at_the_worst_cases(spec, nature):
    table = NATURES[nature]()
    run = nr.expert_rule(spec, table.shape[1]).play(table)
    certificates = nr.certify(run)
    assert certificates and {c.verdict for c in certificates} == {"holds"}, [str(c) for c in certificates]
    assert all(c.bound < len(table) * 3 for c in certificates)


@pytest.mark.parametrize(
    "spec", ["hedge", "hedge:rate=0.3", "fixed-share", "squint", "mlprod", "adahedge", "rwm"]
)
def test_horizon_and_rwm_hold_when_nature_looks_at_the_weights(spec):
    """The adversary charges the heavier half: no loss sequence that is fixed beforehand is worse."""
    rule = nr.expert_rule(spec, 4)
    for _ in range(500):
        order = np.argsort(-rule.weights)
        row = np.zeros(4)
        row[order[:2]] = 1.0
        rule.learn(row)
    assert {c.verdict for c in nr.certify(rule)} == {"holds"}


@pytest.mark.parametrize("rounds", [1, 2, 3, 100, 1000])
@pytest.mark.parametrize("beta", [0.25, 0.5, 0.9])
def test_cover_a_vote_errs_in_every_round_and_weighted_majority_within_its_bound(beta, rounds):
    rule = nr.WeightedMajority(2, beta=beta)
    for _ in range(rounds):
        rule.learn([0, 1], 1.0 - rule.predict([0, 1]))
    assert rule.scalars["loss"] == rounds  # Cover: T mistakes, whatever the vote
    certificates = nr.certify(rule)
    assert len(certificates) == 1 + (beta >= 0.5) and {c.verdict for c in certificates} == {"holds"}
    assert rule.account().regret >= rounds / 2


def test_cover_does_not_hurt_the_expectation():
    """Against the vote of Hedge nature wins every round.

    Against Σp·ℓ it cannot, and that is what is certified.
    """
    rule = nr.Hedge(2, loss="zero-one")
    votes = 0
    for _ in range(1000):
        said = rule.predict([0, 1])
        votes += 1
        rule.learn([0, 1], 1.0 - said)
    (certificate,) = nr.certify(rule)
    assert rule.scalars["suffered"] == votes == 1000
    assert certificate.verdict == "holds" and certificate.observed < certificate.bound < 27
    assert rule.scalars["suffered"] <= 2 * (rule.account().best_loss + certificate.observed)


def test_randomised_majority_with_a_horizon():
    table, rounds = late_good(), 2000
    rule = nr.RandomizedMajority(8, horizon=rounds)
    bound, tuned = nr.certify(rule.play(table))
    assert bound.verdict == tuned.verdict == "holds" and tuned.about == "regret"
    rule.play(table[:1])
    assert nr.certify(rule)[1].verdict == "silent" and "horizon" in nr.certify(rule)[1].reason


def test_fixed_share_follows_ten_switches_and_hedge_does_not():
    table = switching()
    share = nr.FixedShare(6, horizon=5000, switches=10).play(table)
    hedge = nr.Hedge(6, horizon=5000).play(table)
    (certificate,) = nr.certify(share)
    assert certificate.verdict == "holds" and certificate.quantities["m"] == 10
    against_sequence = hedge.account.loss - certificate.quantities["L_m"]
    assert certificate.observed < certificate.bound < against_sequence / 3
    assert certificate.quantities["L_m"] == 0.0


def test_a_leader_that_is_overtaken_pays_and_its_theorem_says_so():
    run = nr.FollowTheLeader(2).play(alternating(1000))
    (certificate,) = nr.certify(run)
    assert run.regret > 400 and certificate.verdict == "holds" and certificate.bound >= run.regret
    calm = np.tile([0.0, 1.0], (1000, 1))
    assert nr.certify(nr.FollowTheLeader(2).play(calm))[0].bound < 1e-6


@pytest.mark.parametrize("spec", LOSS_RULES)
@settings(max_examples=60, deadline=None)
@given(
    table=st.tuples(st.integers(1, 60), st.integers(1, 5)).flatmap(
        lambda shape: arrays(float, shape, elements=st.sampled_from([0.0, 0.25, 1.0, float("nan")]))
    )
)
def test_no_bound_is_ever_broken(spec, table):
    awake = table[~np.isnan(table).all(axis=1)]
    run = nr.expert_rule(spec, table.shape[1]).play(awake)
    assert all(c.verdict != "broken" for c in nr.certify(run)), [str(c) for c in nr.certify(run)]
    if not np.isnan(awake).any():
        assert all(c.verdict == "holds" for c in nr.certify(run)), [str(c) for c in nr.certify(run)]


@pytest.mark.parametrize("spec", ANY_SCALE)
@settings(max_examples=60, deadline=None)
@given(
    table=st.tuples(st.integers(1, 60), st.integers(1, 5)).flatmap(
        lambda shape: arrays(float, shape, elements=st.floats(-1e6, 1e6))
    )
)
def test_no_bound_is_ever_broken_at_any_scale(spec, table):
    run = nr.expert_rule(spec, table.shape[1]).play(table)
    assert all(c.verdict == "holds" for c in nr.certify(run)), [str(c) for c in nr.certify(run)]


@settings(max_examples=60, deadline=None)
@given(data=st.data(), n=st.integers(1, 4), rounds=st.integers(1, 40))
def test_votes_and_ridge_are_never_broken(data, n, rounds):
    bits = data.draw(arrays(float, (rounds, n + 1), elements=st.sampled_from([0.0, 1.0])))
    for rule in (nr.WeightedMajority(n, beta=0.7), nr.RandomizedMajority(n), nr.ExpertRidge(n)):
        run = rule.play(bits[:, :n], bits[:, n])
        assert all(c.verdict == "holds" for c in nr.certify(run)), [str(c) for c in nr.certify(run)]
    reals = data.draw(arrays(float, (rounds, n + 1), elements=st.floats(-100, 100)))
    run = nr.ExpertRidge(n).play(reals[:, :n], reals[:, n])
    assert all(c.verdict == "holds" for c in nr.certify(run)), [str(c) for c in nr.certify(run)]


# ---- silence ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", UNIT)
def test_losses_out_of_range_make_a_theorem_silent_and_it_says_why(spec):
    run = nr.expert_rule(spec, 2).play([[0.0, 0.5], [1.5, 0.0]])
    for certificate in nr.certify(run):
        assert certificate.verdict == "silent" and certificate.bound is None
        assert "they go from 0 to 1.5" in certificate.reason


@pytest.mark.parametrize("spec", EXPERTS)
def test_nothing_played_is_nothing_lost(spec):
    certificates = nr.certify(nr.expert_rule(spec, 3))
    assert certificates and {c.verdict for c in certificates} == {"holds"}


def test_votes_are_silent_about_sleepers():
    rule = nr.WeightedMajority(2)
    rule.learn([float("nan"), 1.0], 0.0)
    assert {c.verdict for c in nr.certify(rule)} == {"silent"}
    assert "experts slept 1 times" in nr.certify(rule)[0].reason


def test_certificates_of_linearised_losses_ask_for_their_spread():
    rng = np.random.default_rng(0)
    truth = rng.random(500)
    said = truth[:, None] + rng.normal(size=(500, 3)) * 0.05
    run = nr.Hedge(3).play(said, truth)
    (certificate,) = nr.certify(run)
    assert certificate.verdict == "holds"
    mixture = nr.in_hindsight(said, truth)[2]
    assert run.loss - mixture.loss <= certificate.observed + 1e-9  # convexity: against every mixture
    wild = nr.Hedge(3).play(said * 1000, truth * 1000)
    assert nr.certify(wild)[0].verdict == "silent" and "differ by at most 1" in nr.certify(wild)[0].reason


def test_the_mixture_is_a_deterministic_forecast_with_absolute_loss():
    """Σ|ŷ−y| ≤ best + √(2T ln N), for forecasts and truths in [0, 1], and nothing is drawn."""
    rng = np.random.default_rng(4)
    said, truth = rng.integers(0, 2, (800, 16)).astype(float), rng.integers(0, 2, 800).astype(float)
    said[:, 5] = np.where(rng.random(800) < 0.2, 1.0 - truth, truth)
    for gradient in (True, False):
        run = nr.Hedge(16, loss="absolute", gradient=gradient).play(said, truth)
        assert {c.verdict for c in nr.certify(run)} == {"holds"}
        assert run.loss - np.abs(said[:, 5] - truth).sum() <= np.sqrt(2 * 800 * np.log(16))


def test_late_truths_make_other_theorems_silent():
    rule = nr.AdaHedge(2)
    first, second = rule.promise([0.0, 1.0]), rule.promise([0.0, 1.0])
    rule.learn(first, 1.0)
    rule.learn(second, 1.0)
    assert nr.certify(rule)[0].verdict == "silent" and "1 truths outstanding" in nr.certify(rule)[0].reason
