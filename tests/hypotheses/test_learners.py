"""Learners over finite classes: against their twins, their theorems, and wrong learners."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret.certificate import Verdict
from noregret.chance import coin
from noregret.errors import BadInput, BadLabel, BadParameter, BadType
from noregret.reference import finite
from noregret.registry import FINITE_LEARNERS

REALIZABLE = {"consistent": finite.Consistent, "halving": finite.Halving, "soa": finite.SOA, "randconsistent": finite.RandConsistent}  # fmt: skip


def only(certificates):
    (certificate,) = certificates
    return certificate


@pytest.mark.parametrize("name", REALIZABLE)
@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**6))
def test_learner_and_twin_say_the_same(name, seed):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 2, (int(rng.integers(1, 24)), int(rng.integers(1, 6))))
    learner, twin = nr.learner(name, table), REALIZABLE[name](table.tolist())
    target = table[rng.integers(len(table))]
    for x in rng.integers(table.shape[1], size=12).tolist():
        assert learner.predict(x) == learner.predict(x) == twin.predict(x)
        if learner.randomised:
            assert learner.score(x) == twin.chance(x)
        learner.learn(x, int(target[x]))
        twin.learn(x, int(target[x]))
        assert learner.space.size == len(twin.left)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**64), st.integers(0, 10**9))
def test_the_coin_is_that_of_the_twin(seed, t):
    assert coin(seed, t) == finite.coin(seed, t)
    assert 0.0 <= coin(seed, t) < 1.0


def test_the_coin_is_fair_and_its_rounds_do_not_follow_each_other():
    numbers = np.array([[coin(seed, t) for t in range(100)] for seed in range(100)])
    assert abs(numbers.mean() - 0.5) < 0.01
    assert abs(np.corrcoef(numbers[:, :-1].ravel(), numbers[:, 1:].ravel())[0, 1]) < 0.03
    assert abs(np.corrcoef(numbers[:-1].ravel(), numbers[1:].ravel())[0, 1]) < 0.03


def test_soa_against_the_tree_errs_ldim_times():
    ledger = nr.play(nr.TreeAdversary("thresholds:1023"), nr.SOA("thresholds:1023"))
    assert (ledger.mistakes, ledger.rounds) == (10, 10)
    certificate = only(nr.certify(ledger))
    assert (certificate.verdict, certificate.observed, certificate.bound) == (Verdict.HOLDS, 10, 10)


@pytest.mark.parametrize(
    "spec",
    ["thresholds:1023", "disjunctions:6", "random:100,20,1", "disjunctions:4,general", "halfspaces:4,1"],
)
@pytest.mark.parametrize("name", ["consistent", "halving", "soa"])
def test_every_deterministic_learner_errs_ldim_times_against_the_tree(name, spec):
    ledger = nr.play(nr.TreeAdversary(spec), nr.learner(name, spec))
    assert ledger.mistakes == ledger.rounds == nr.littlestone_dimension(spec)
    assert only(nr.certify(ledger)).verdict is Verdict.HOLDS


def test_halving_on_thresholds_errs_ten_times_at_most():
    H = nr.hypothesis_class("thresholds:1023")
    assert nr.play(nr.TreeAdversary(H), nr.Halving(H)).mistakes <= 10
    for seed in range(20):
        assert nr.play(nr.realizable(H, 300, seed), nr.Halving(H)).mistakes <= 10


def test_consistent_reaches_its_bound():
    ledger = nr.play(nr.WorstCase("singletons:64"), nr.Consistent("singletons:64"))
    assert ledger.mistakes == 63
    certificate = only(nr.certify(ledger))
    assert certificate.slack == 0 and certificate.verdict is Verdict.HOLDS


@pytest.mark.parametrize(
    ("spec", "nature"), [("singletons:64", nr.WorstCase), ("thresholds:255", nr.TreeAdversary)]
)
def test_randconsistent_errs_ln_h_times_on_average(spec, nature):
    """The expected loss is exact; the mean of what was drawn over 600 seeds is near it and below ln|H|."""
    H = nr.hypothesis_class(spec)
    drawn, expected = [], set()
    for seed in range(600):
        ledger = nr.play(nature(H), nr.RandConsistent(H, seed=seed))
        drawn.append(ledger.mistakes)
        expected.add(round(ledger.loss, 9))
    (mean,) = expected
    assert mean <= math.log(H.size)
    assert np.mean(drawn) <= math.log(H.size)
    assert abs(np.mean(drawn) - mean) < 4 * np.std(drawn) / math.sqrt(600)


def test_randconsistent_reaches_the_harmonic_sum():
    ledger = nr.play(nr.WorstCase("singletons:64"), nr.RandConsistent("singletons:64"))
    assert ledger.loss == pytest.approx(sum(1 / k for k in range(2, 65)), abs=1e-12)
    assert ledger.loss_name == "expected zero-one"
    assert [c.verdict for c in nr.certify(ledger)] == [Verdict.HOLDS] * 2
    assert nr.certify(ledger)[1].slack == pytest.approx(0, abs=1e-12)


def test_an_adversary_sees_the_distribution_and_never_the_coin():
    H = nr.hypothesis_class("thresholds:255")
    labels = set()
    for seed in range(20):
        seen = []

        class Tree(nr.TreeAdversary):
            def reveal(self, prediction, seen=seen):
                label = super().reveal(prediction)
                seen.append((prediction, label))
                return label

        nr.play(Tree(H), nr.RandConsistent(H, seed=seed))
        labels.add(tuple(seen))
    assert len(labels) == 1 and set(labels.pop()) == {(0.5, 0.0)}


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 10**6))
def test_theorems_hold_on_random_classes(seed):
    rng = np.random.default_rng(seed)
    H = nr.FiniteClass(rng.integers(0, 2, (int(rng.integers(1, 60)), int(rng.integers(1, 12)))))
    for name in REALIZABLE:
        for nature in (nr.realizable(H, 30, seed), nr.WorstCase(H), nr.TreeAdversary(H)):
            for certificate in nr.certify(nr.play(nature, nr.learner(name, H))):
                assert certificate.verdict is Verdict.HOLDS, str(certificate)


def test_labels_that_nothing_explains_name_the_round_and_change_nothing():
    learner = nr.Halving("thresholds:7")
    learner.learn(5, 0)
    before = learner.space.key()
    with pytest.raises(
        BadInput,
        match="round 2: no hypothesis of thresholds:7 explains the labels: all that are left say 0 at 3",
    ):
        learner.learn(3, 1)
    assert learner.space.key() == before and learner.played == 1
    assert learner.learn(6, 1)


@pytest.mark.parametrize("name", REALIZABLE)
def test_a_run_that_nothing_explains_stops_there(name):
    with pytest.raises(BadInput, match="round 3") as stop:
        nr.play(nr.from_points("thresholds:7", [1, 4, 1, 2], [0, 1, 1, 0]), nr.learner(name, "thresholds:7"))
    (ledger,) = stop.value.ledgers
    assert ledger.rounds == 2 and not ledger.complete
    assert all(c.verdict is Verdict.HOLDS for c in nr.certify(ledger))


@pytest.mark.parametrize("label", [-1, 2, 0.5, "1", math.nan])
def test_labels_other_than_0_and_1_are_refused(label):
    with pytest.raises(BadLabel, match="take 0 and 1"):
        nr.SOA("all:2").learn(0, label)


def test_a_round_without_a_label_teaches_nothing():
    learner = nr.Consistent("all:3")
    assert learner.learn(0, None) is False and learner.is_fresh
    ledger = nr.play(nr.from_points("all:3", [0, 1, 2], [1, math.nan, 0]), learner)
    assert ledger.labelled == 2 and ledger.rounds == 3
    assert only(nr.certify(ledger)).verdict is Verdict.HOLDS


@pytest.mark.parametrize("name", FINITE_LEARNERS)
def test_laws(name):
    """Predict is pure, a clone is independent, round by round is as good as a stream, a spec repeats."""
    H = nr.hypothesis_class("disjunctions:4")
    stream = nr.realizable(H, 40, 5)
    learner, other = nr.learner(name, H), nr.learner(name, H)
    for now in next(iter(stream.batches())).rounds():
        twin = copy.deepcopy(other) if other.played % 2 else other.clone()
        assert other.predict(now.x) == other.predict(now.x)
        twin.learn(now.x, now.y)
        other.learn(now.x, now.y)
        assert twin.predict(0) == other.predict(0)
    ledger = nr.play(stream, learner)
    assert [learner.predict(x) for x in range(16)] == [other.predict(x) for x in range(16)]
    assert learner.clone() is not learner and not learner.is_fresh
    assert nr.learner(learner.spec, H).parameters == learner.parameters
    assert ledger.potentials[-1][1] == learner.potential
    assert learner.spec in repr(learner) and learner.summary and type(learner).__doc__


def test_a_learner_that_went_on_makes_its_theorem_silent():
    learner = nr.Halving("all:4")
    learner.learn(0, 1)
    certificate = only(nr.certify(nr.play(nr.realizable("all:4", 0), learner)))
    assert certificate.verdict is Verdict.SILENT and "nothing learned" in certificate.reason


def test_the_class_is_asked_for():
    with pytest.raises(
        BadParameter, match="soa plays over a class of hypotheses; give one, such as thresholds:7"
    ):
        nr.learner("soa")
    with pytest.raises(BadParameter, match="infinitely many"):
        nr.SOA("thresholds:[0,1]")


@pytest.mark.parametrize("seed", [0.5, math.nan, math.inf, True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(BadParameter, match="whole number"):
        nr.RandConsistent("all:2", seed=seed)


def test_a_million_hypotheses_are_a_few_words_of_bits():
    H = nr.FiniteClass.from_columns((np.arange(10**6) >> i & 1 for i in range(20)), 10**6, 20, name="million")
    learner = nr.Halving(H)
    ledger = nr.play(nr.realizable(H, 60, 3), learner)
    assert learner.space.size == 1 and ledger.mistakes <= 19


# Wrong learners: each must break its theorem somewhere.


class Minority(nr.Halving):
    def _vote(self, point):
        return not super()._vote(point)


class Stubborn(nr.Halving):
    def learn(self, x, y, weight=1.0):
        self.played += 1
        return False


class Backwards(nr.SOA):
    def _vote(self, point):
        return not super()._vote(point)


class Forgetful(nr.Consistent):
    """Drops nothing when the label is 0."""

    def learn(self, x, y, weight=1.0):
        return super().learn(x, y) if y else bool(self.played)


class Overconfident(nr.RandConsistent):
    def _chance(self, point):
        return 1.0 - super()._chance(point)


@pytest.mark.parametrize(
    ("wrong", "spec", "nature"),
    [
        (Minority, "singletons:64", nr.WorstCase),
        (Stubborn, "thresholds:63", lambda H: nr.from_points(H, [9] * 20, [1] * 20)),
        (Backwards, "singletons:64", nr.WorstCase),
        (Forgetful, "singletons:4", lambda H: nr.from_points(H, [0] * 9, [0] * 9)),
        (Overconfident, "singletons:64", nr.WorstCase),
    ],
)
def test_wrong_learners_are_caught(wrong, spec, nature):
    certificates = nr.certify(nr.play(nature(spec), wrong(spec)))
    assert Verdict.BROKEN in {c.verdict for c in certificates}


# ---- importance weights, pickles, files ----------------------------------------------------------------

EVERY = [*FINITE_LEARNERS, "wm", "rwm", "hedge"]


@pytest.mark.parametrize("name", EVERY)
def test_a_round_of_no_weight_changes_nothing(name):
    learner, untaught = nr.learner(name, "thresholds:7"), nr.learner(name, "thresholds:7")
    for y in (0, 1):
        assert learner.learn(3, y, weight=0) is False and learner.learn(3, y, weight=np.float32(0)) is False
    assert learner.played == 0 and learner.is_fresh and learner.potential == untaught.potential
    assert [learner.predict(x) for x in range(7)] == [untaught.predict(x) for x in range(7)]
    assert learner.learn(3, 1, weight=0.5) is True and learner.played == 1


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf, None, "1"])
def test_a_weight_that_is_none_is_refused(name, weight):
    learner = nr.learner(name, "thresholds:7")
    with pytest.raises(BadInput, match=r"the importance weight is .*; it must be a finite number, 0 or more"):
        learner.learn(3, 1, weight=weight)
    assert learner.played == 0


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("H", ["thresholds:15", "random:70,9,1", [[0, 1], [1, 1], [1, 0]]])
def test_a_pickle_goes_on_where_the_learner_was(name, H):
    learner = nr.learner(name, H)
    rng, told = np.random.default_rng(4), learner.hypotheses.table()[1]
    rounds = [(x, int(told[x])) for x in rng.integers(len(told), size=20).tolist()]
    for x, y in rounds[:10]:
        learner.learn(x, y)
    twin = pickle.loads(pickle.dumps(learner))
    assert repr(twin) == repr(learner) and twin.played == learner.played
    assert twin.hypotheses.table().tolist() == learner.hypotheses.table().tolist()
    for x, y in rounds[10:]:
        assert twin.predict(x) == learner.predict(x)
        if learner.randomised:
            assert twin.score(x) == learner.score(x)
        assert twin.learn(x, y) == learner.learn(x, y)
    assert twin.potential == learner.potential


def test_a_pickle_of_the_agnostic_learner_holds_labels_that_nothing_explains():
    learner = nr.learner("agnostic:rounds=12", "thresholds:3")
    for x, y in [(0, 1), (1, 0), (2, 0), (0, 0)]:
        learner.learn(x, y)
    twin = pickle.loads(pickle.dumps(learner))
    for x, y in [(0, 1), (1, 0), (2, 0), (0, 0)]:
        assert twin.score(x) == learner.score(x)
        learner.learn(x, y)
        twin.learn(x, y)
    assert repr(twin) == repr(learner)


def test_what_cannot_be_saved_hears_what_can(tmp_path):
    with pytest.raises(BadType, match="a SOA cannot be saved; what can is a linear or multiclass learner"):
        nr.save(nr.SOA("thresholds:7"), tmp_path / "soa")
