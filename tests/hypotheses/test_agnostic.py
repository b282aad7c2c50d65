"""The agnostic learner: against the twin that lists every expert, and under its bound."""

import itertools
import math

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Verdict
from noregret.errors import BadInput, BadParameter
from noregret.hypotheses import standard_experts
from noregret.hypotheses.agnostic import default_rate
from noregret.hypotheses.standard_experts import expert_count
from noregret.reference import finite


def every_set(rounds, depth):
    return [frozenset(s) for k in range(depth + 1) for s in itertools.combinations(range(rounds), k)]


@pytest.mark.parametrize(
    ("spec", "rounds"),
    [("thresholds:3", 8), ("all:2", 7), ("singletons:4", 9), ("disjunctions:2,general", 6), ("all:1", 10)],
)
@pytest.mark.parametrize("seed", range(4))
def test_merged_experts_are_the_listed_ones(spec, rounds, seed):
    H = nr.hypothesis_class(spec)
    depth = nr.littlestone_dimension(H)
    sets = every_set(rounds, depth)
    learner = nr.Agnostic(H, rounds=rounds)
    assert learner.experts == expert_count(rounds, depth) == len(sets)
    twin = finite.Agnostic(H.table().tolist(), rounds, learner.step, sets)
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        x, y = int(rng.integers(H.points)), int(rng.integers(2))
        assert learner.score(x) == pytest.approx(twin.chance(x), abs=1e-12)
        learner.learn(x, y)
        twin.learn(x, y)


def test_regret_on_a_noisy_threshold_is_under_its_bound_for_a_hundred_seeds():
    H = nr.hypothesis_class("thresholds:15")
    regrets = []
    for seed in range(100):
        ledger = nr.play(nr.noisy(H, 200, 0.2, seed), nr.Agnostic(H, rounds=200, seed=seed))
        (certificate,) = nr.certify(ledger)
        assert certificate.verdict is Verdict.HOLDS
        assert certificate.observed == pytest.approx(ledger.loss - certificate.quantities["best"], abs=1e-6)
        regrets.append(certificate.observed)
    assert certificate.bound == pytest.approx(math.sqrt(200 * math.log(expert_count(200, 4)) / 2))
    assert certificate.bound <= math.sqrt(2 * 200 * 4 * math.log(math.e * 200))
    assert 0 < np.mean(regrets) < certificate.bound


def test_the_drawn_mistakes_follow_the_expected_ones():
    H = nr.hypothesis_class("thresholds:7")
    drawn = [nr.play(nr.noisy(H, 100, 0.2, 1), nr.Agnostic(H, rounds=100, seed=seed)) for seed in range(60)]
    (expected,) = {round(ledger.loss, 9) for ledger in drawn}
    mistakes = [ledger.mistakes for ledger in drawn]
    assert len(set(mistakes)) > 1
    assert abs(np.mean(mistakes) - expected) < 4 * np.std(mistakes) / math.sqrt(60)


def test_any_labels_are_taken():
    ledger = nr.play(nr.CoverAdversary("all:1", 300), nr.Agnostic("all:1", rounds=300))
    (certificate,) = nr.certify(ledger)
    assert ledger.rounds == 300 and certificate.verdict is Verdict.HOLDS
    assert certificate.quantities["best"] <= 150


def test_a_class_of_one_function_leaves_nothing_to_regret():
    learner = nr.Agnostic([[0, 1, 1]], rounds=20)
    assert learner.experts == 1 and learner.step == 0.0
    ledger = nr.play(nr.noisy([[0, 1, 1]], 20, 0.5), learner)
    (certificate,) = nr.certify(ledger)
    assert certificate.observed == 0.0 == certificate.bound
    assert str(certificate).endswith("HOLDS (0 ≤ 0)")


def test_more_rounds_than_told_are_refused():
    learner = nr.Agnostic("all:2", rounds=3)
    with pytest.raises(BadInput, match="round 4: this learner was made for 3 rounds; give rounds=T"):
        nr.play(nr.noisy("all:2", 5), learner)
    assert learner.played == 3


def test_fewer_rounds_are_fine():
    (certificate,) = nr.certify(nr.play(nr.noisy("all:3", 50), nr.Agnostic("all:3", rounds=80)))
    assert certificate.verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("rounds", "rate"), [(0, None), (2.5, None), (math.inf, None), (math.nan, None), (10, 0), (10, -1)]
)
def test_bad_parameters(rounds, rate):
    with pytest.raises(BadParameter):
        nr.Agnostic("all:2", rounds=rounds, rate=rate)


def test_a_given_rate_is_used_and_certified():
    learner = nr.Agnostic("thresholds:3", rounds=100, rate=0.3)
    assert (
        learner.step == 0.3 != default_rate(learner.experts, 100)
        and learner.spec == "agnostic:rounds=100,rate=0.3"
    )
    (certificate,) = nr.certify(nr.play(nr.noisy("thresholds:3", 100), learner))
    assert certificate.bound == pytest.approx(math.log(learner.experts) / 0.3 + 100 * 0.3 / 8)


def test_version_spaces_that_would_not_fit_are_refused_with_the_number(monkeypatch):
    monkeypatch.setattr(standard_experts, "MOST_CELLS", 16 * 16)
    with pytest.raises(
        BadParameter, match=r"the experts have \d+ version spaces of 16 hypotheses, which is all that fits"
    ):
        nr.play(nr.noisy("all:4", 200, 0.4), nr.Agnostic("all:4", rounds=200))


def test_weights_neither_vanish_nor_overflow():
    H = nr.hypothesis_class("all:1")
    learner = nr.Agnostic(H, rounds=30_000, rate=5.0)
    for t in range(400):
        learner.learn(0, t // 200)
        assert 0.0 <= learner.score(0) <= 1.0
    assert learner.score(0) > 0.5


class Reckless(nr.Agnostic):
    """Does the opposite of what the weights say."""

    def _chance(self, point):
        return 1.0 - super()._chance(point)


class Ungrateful(nr.Agnostic):
    """Takes weight from those who were right."""

    def learn(self, x, y, weight=1.0):
        self._experts.learn(self.hypotheses.point(x), 1 - int(y), self.step)
        self.played += 1
        return True


class Random(nr.Agnostic):
    def _chance(self, point):
        return 0.5


@pytest.mark.parametrize("wrong", [Reckless, Ungrateful, Random])
def test_wrong_learners_are_caught(wrong):
    ledger = nr.play(nr.realizable("thresholds:7", 400, 1), wrong("thresholds:7", rounds=400))
    (certificate,) = nr.certify(ledger)
    assert certificate.verdict is Verdict.BROKEN
