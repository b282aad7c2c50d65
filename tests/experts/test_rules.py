"""Every rule: like its twin, one by one as in one call, finite whatever happens, saved and continued."""

import math
import pickle

import numpy as np
import pytest

import noregret as nr
from noregret import _core
from noregret.errors import BadCommand, BadInput, BadParameter, BadType
from noregret.model_file import from_bytes, to_bytes
from noregret.reference import EXPERT_TWINS, ExpertRidge, WeightedMajority
from noregret.registry import EXPERTS

SPECS = [
    *EXPERTS,
    "hedge:rate=0.7",
    "hedge:horizon=300",
    "hedge:doubling=true",
    "rwm:horizon=200",
    "eg:rate=0.1",
]
BY_ADVICE = ("wm", "expert-ridge")


def losses(rounds=300, n=5, seed=0, asleep=0.0):
    rng = np.random.default_rng(seed)
    table = rng.random((rounds, n)) * np.linspace(0.4, 1.0, n)
    table[rng.random((rounds, n)) < asleep] = np.nan
    table[np.isnan(table).all(axis=1), 0] = 0.5
    return table


def advice(rounds=200, n=4, seed=1, asleep=0.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, rounds).astype(float)
    table = np.where(rng.random((rounds, n)) < np.linspace(0.1, 0.5, n), 1.0 - truth[:, None], truth[:, None])
    table[rng.random((rounds, n)) < asleep] = np.nan
    table[np.isnan(table).all(axis=1), 0] = 1.0
    return table, truth


def portrait(rule):
    return (rule.weights.tolist(), rule.scalars, {k: v.tolist() for k, v in rule.lanes().items()})


@pytest.mark.parametrize("asleep", [0.0, 0.3])
@pytest.mark.parametrize("spec", EXPERT_TWINS)
def test_twins_agree(spec, asleep):
    table = losses(asleep=asleep)
    rule, twin = nr.expert_rule(spec, 5), EXPERT_TWINS[spec](5)
    for row in table:
        told = [None if math.isnan(v) else v for v in row.tolist()]
        assert rule.weights == pytest.approx(twin.weights(), rel=1e-10, abs=1e-12)
        own = rule.learn(row)
        assert own == pytest.approx(twin.learn(told), rel=1e-12)
        if spec == "mlpol":  # only + − × ÷: to the last bit
            assert rule.weights.tolist() == twin.weights()
    assert rule.account().loss == pytest.approx(twin.loss, rel=1e-12)
    assert rule.account().expert_losses == pytest.approx(twin.losses, rel=1e-12)


def test_weighted_majority_agrees_with_its_twin_in_every_count():
    table, truth = advice(asleep=0.2)
    rule, twin = nr.WeightedMajority(4), WeightedMajority(4)
    for row, y in zip(table, truth, strict=True):
        told = [None if math.isnan(v) else v for v in row.tolist()]
        assert rule.predict(row) == twin.predict(told)
        assert bool(rule.learn(row, y)) == twin.learn(told, y)
    assert rule.scalars["loss"] == twin.mistakes > 0
    assert rule.lanes()["penalties"].tolist() == twin.counts


def test_ridge_agrees_with_its_twin():
    rng = np.random.default_rng(3)
    rule, twin = nr.ExpertRidge(3), ExpertRidge(3)
    for _ in range(60):
        truth = rng.normal()
        said = truth + rng.normal(size=3)
        assert rule.predict(said) == pytest.approx(twin.predict(said.tolist()), abs=1e-9)
        rule.learn(said, truth)
        twin.learn(said.tolist(), truth)


@pytest.mark.parametrize("asleep", [0.0, 0.3])
@pytest.mark.parametrize("spec", SPECS)
def test_one_call_is_the_loop_to_the_bit(spec, asleep):
    if spec not in BY_ADVICE:
        table = losses(asleep=asleep)
        whole, loop = nr.expert_rule(spec, 5), nr.expert_rule(spec, 5)
        run = whole.play(table, keep_weights=True)
        weights = []
        own = []
        for row in table:
            weights.append(loop.weights if not np.isnan(row).any() else None)
            own.append(loop.learn(row))
        assert run.losses.tolist() == own and portrait(whole) == portrait(loop)
        assert all(
            w is None or w.tolist() == kept.tolist() for w, kept in zip(weights, run.weights, strict=True)
        )
    table, truth = advice(asleep=asleep)
    whole, loop = nr.expert_rule(spec, 4), nr.expert_rule(spec, 4)
    run = whole.play(table, truth)
    said = []
    for row, y in zip(table, truth, strict=True):
        said.append(loop.predict(row))
        loop.learn(row, y)
    assert run.predictions.tolist() == said and portrait(whole) == portrait(loop)


@pytest.mark.parametrize("n", [1, 3, 8, 21, 1000])
def test_every_kernel_gives_the_same_bits(n):
    best = _core.kernel_names()[-1]
    found = []
    try:
        for name in _core.kernel_names():
            _core.choose_kernels(name)
            rules = [nr.expert_rule(spec, n) for spec in ("hedge", "adahedge", "boa", "rwm")]
            for rule in rules:
                rule.play(losses(60, n))
                rule.play(losses(60, n, asleep=0.5))
            found.append([portrait(rule) for rule in rules])
    finally:
        _core.choose_kernels(best)
    assert "plain" in _core.kernel_names() and all(one == found[0] for one in found)
    with pytest.raises(BadParameter, match="no kernels called mmx"):
        _core.choose_kernels("mmx")


def test_weights_are_exponentials():
    rule = nr.Hedge(200, rate=1.0)
    given = np.linspace(0.0, 750.0, 200)
    rule.learn(given)
    exact = np.exp(-given)
    assert rule.weights == pytest.approx(exact / exact.sum(), rel=3e-13, abs=1e-270)


@pytest.mark.parametrize("spec", SPECS)
def test_predict_changes_nothing(spec):
    table, truth = advice(80)
    asked, quiet = nr.expert_rule(spec, 4), nr.expert_rule(spec, 4)
    for row, y in zip(table, truth, strict=True):
        assert asked.predict(row) == asked.predict(row)
        assert asked.weights.tolist() == asked.weights.tolist() and asked.weights_for(row).sum() is not None
        asked.learn(row, y)
        quiet.learn(row, y)
    assert portrait(asked) == portrait(quiet)


@pytest.mark.parametrize("spec", SPECS)
def test_saved_mid_stream_it_continues_identically(spec, tmp_path):
    table, truth = advice(120, asleep=0.2)
    whole, half = nr.expert_rule(spec, 4), nr.expert_rule(spec, 4)
    whole.play(table, truth)
    half.play(table[:70], truth[:70])
    nr.save(half, tmp_path / "rule")
    loaded = nr.load(tmp_path / "rule")
    assert to_bytes(loaded) == to_bytes(half) and loaded.spec == half.spec
    loaded.play(table[70:], truth[70:])
    assert portrait(loaded) == portrait(whole)
    assert [str(c) for c in nr.certify(loaded)] == [str(c) for c in nr.certify(whole)]


@pytest.mark.parametrize("spec", SPECS)
def test_a_clone_is_independent_and_its_spec_makes_it_again(spec):
    table, truth = advice(40)
    rule = nr.expert_rule(spec, 4)
    rule.play(table, truth)
    before = portrait(rule)
    copy = rule.clone()
    copy.play(table, truth)
    assert portrait(rule) == before != portrait(copy)
    assert nr.learner(rule.spec).parameters == rule.parameters
    assert portrait(pickle.loads(pickle.dumps(rule))) == before
    assert rule.rule == spec and rule.spec.startswith(f"{rule.name}:n=4")


@pytest.mark.parametrize("spec", SPECS)
def test_three_experts_that_say_ten(spec):
    rule = nr.expert_rule(spec, 3)
    assert rule.predict([10, 10, 10]) == pytest.approx(10.0, abs=1e-12)
    assert rule.weights == pytest.approx([1 / 3] * 3) or spec == "ftl"


@pytest.mark.parametrize("spec", [s for s in SPECS if s not in BY_ADVICE])
def test_one_huge_loss_among_many_leaves_everything_finite(spec):
    rounds = 2_000 if spec in ("squint", "fixed-share", "mlprod", "boa") else 100_000
    table = losses(rounds, 4)
    table[rounds // 2, 0] = 1e6
    rule = nr.expert_rule(spec, 4)
    run = rule.play(table)
    assert np.isfinite(rule.weights).all() and np.isfinite(run.losses).all()
    assert rule.weights.sum() == pytest.approx(1.0)
    verdicts = {str(c.verdict) for c in nr.certify(run)}
    assert "broken" not in verdicts
    if spec.startswith(("hedge", "squint", "fixed-share", "mlprod", "rwm")):
        assert verdicts == {"silent"}
        assert "they go from" in nr.certify(run)[0].reason and "1e+06" in nr.certify(run)[0].reason


def test_fixed_share_recovers_from_a_huge_loss_and_hedge_does_not():
    table = np.tile([0.2, 0.4, 0.6], (100_000, 1))
    table[50_000, 0] = 1e6
    share, hedge = nr.FixedShare(3), nr.Hedge(3, rate=0.5)
    share.play(table)
    hedge.play(table)
    assert share.weights[0] > 0.9 and hedge.weights[0] == 0.0


@pytest.mark.parametrize("spec", ["hedge", "hedge:rate=0.5", "adahedge", "mlpol", "ftl"])
def test_ten_million_rounds(spec):
    rule = nr.expert_rule(spec, 2)
    block = np.zeros((1_000_000, 2))
    block[:, 1] = 1.0
    block[::3, 0] = 1.0
    for _ in range(10):
        rule.play(block)
    assert np.isfinite(rule.weights).all() and rule.scalars["rounds"] == 1e7
    assert rule.weights[0] == pytest.approx(1.0) and {c.verdict for c in nr.certify(rule)} == {"holds"}


def test_experts_at_no_weight_at_all_come_back_without_nan():
    rule = nr.Hedge(3, rate=1.0)
    rule.learn([0.0, 1e90, 1e90])
    assert rule.weights.tolist() == [1.0, 0.0, 0.0]
    assert rule.weights_for([math.nan, 5.0, 7.0]).tolist() == [0.0, 0.5, 0.5]  # the best one sleeps
    assert rule.predict([math.nan, 5.0, 7.0]) == 6.0
    rule.learn([math.nan, 0.0, 1.0])
    assert np.isfinite(rule.weights).all()


@pytest.mark.parametrize("spec", SPECS)
def test_one_expert(spec):
    rule = nr.expert_rule(spec, 1)
    table, truth = advice(50, 1)
    run = rule.play(table, truth)
    assert rule.weights[0] == pytest.approx(1.0) or spec == "expert-ridge"
    assert spec == "expert-ridge" or run.predictions.tolist() == table[:, 0].tolist()
    assert {c.verdict for c in nr.certify(run)} <= {"holds", "silent"}
    assert spec == "expert-ridge" or run.regret == 0.0


@pytest.mark.parametrize("spec", [s for s in SPECS if s not in BY_ADVICE])
def test_who_joins_later_is_as_one_who_slept(spec):
    table = losses(100, 3)
    late = table.copy()
    late[:40, 2] = np.nan
    slept, joined = nr.expert_rule(spec, 3), nr.expert_rule(spec, 2)
    joined.play(table[:40, :2])
    joined.join()
    joined.play(table[40:])
    slept.play(late)
    assert joined.n == 3 and joined.scalars["joined"] == 1
    assert joined.account().regrets[2] == pytest.approx(slept.account().regrets[2], abs=2.0)
    if spec in ("hedge:rate=0.7", "rwm", "mlpol", "squint", "eg:rate=0.1"):  # rates that do not know n
        assert joined.weights == pytest.approx(slept.weights, rel=1e-9)
    assert {c.verdict for c in nr.certify(joined)} <= {"holds", "silent"}


def test_ridge_lets_experts_join():
    rng = np.random.default_rng(0)
    rule = nr.ExpertRidge(2)
    for _ in range(5):
        rule.learn(rng.normal(size=2), rng.normal())
    rule.join(2)
    rule.learn(rng.normal(size=4), 1.0)
    assert rule.n == 4 and np.isfinite(rule.weights).all()


def test_late_truths_are_learned_with_the_weights_of_then():
    table, truth = advice(300)
    prompt = nr.Hedge(4, rate=0.1, loss="zero-one")
    prompt.play(table, truth)
    kept = nr.Hedge(4, rate=0.1, loss="zero-one")
    for row, y in zip(table, truth, strict=True):
        kept.learn(kept.promise(row), y)
    assert kept.weights == pytest.approx(prompt.weights, rel=1e-12) and kept.scalars["waited"] == 0
    late, waiting = nr.Hedge(4, rate=0.1, loss="zero-one"), []
    for row, y in zip(table, truth, strict=True):
        waiting.append((late.promise(row), y))
        if len(waiting) > 20:
            late.learn(*waiting.pop(0))
    for promise, y in waiting:
        late.learn(promise, y)
    assert late.weights == pytest.approx(prompt.weights, rel=1e-12)
    assert late.scalars["waited"] == sum(min(t, 20) for t in range(300))
    bound, first_order = nr.certify(late)
    assert bound.verdict == "holds" and bound.observed > prompt.account().regret
    assert bound.bound > nr.certify(prompt)[0].bound and first_order.verdict == "silent"
    assert "no truth came late" in first_order.reason


@pytest.mark.parametrize("spec", SPECS)
def test_every_rule_takes_late_truths(spec):
    table, truth = advice(30)
    rule = nr.expert_rule(spec, 4)
    promises = [rule.promise(row) for row in table]
    for promise, y in zip(promises, truth, strict=True):
        assert math.isfinite(rule.learn(promise, y))
    assert np.isfinite(rule.weights).all() and rule.scalars["waited"] == 29 * 30 / 2


def test_several_series_each_have_their_own_weights():
    table, truth = advice(90)
    keys = [("north", "south", "east")[t % 3] for t in range(90)]
    many = nr.Series(nr.BOA(4))
    said, lost = many.play(keys, table, truth)
    for k, key in enumerate(("north", "south", "east")):
        alone = nr.BOA(4)
        run = alone.play(table[k::3], truth[k::3])
        assert many[key].weights.tolist() == alone.weights.tolist()
        assert said[k::3].tolist() == run.predictions.tolist() and lost[k::3].tolist() == run.losses.tolist()
    assert many.predict("nowhere", [1, 2, 3, 4]) == 2.5 and "nowhere" not in many.rules
    with pytest.raises(BadInput, match="there are 1 keys, 90 rows"):
        many.play(["a"], table, truth)


LOSSES = {
    "square": lambda p, y: (p - y) ** 2,
    "absolute": lambda p, y: abs(p - y),
    "percentage": lambda p, y: abs(p - y) / abs(y),
    "log": lambda p, y: -math.log(p if y == 1 else 1 - p),
    "pinball-0.9": lambda p, y: max((y - p) * 0.9, (p - y) * 0.1),
    "zero-one": lambda p, y: float(p != y),
}


@pytest.mark.parametrize("name", LOSSES)
def test_losses_by_name_are_their_formulas(name):
    rng = np.random.default_rng(5)
    table, truth = rng.random((60, 3)) * 0.9 + 0.05, np.ones(60)
    if name == "zero-one":
        table = table.round()
    named, function = nr.Hedge(3, loss=name, gradient=False), nr.Hedge(3, loss=LOSSES[name])
    losses_only = nr.Hedge(3)
    run = named.play(table, truth)
    priced = np.array(
        [[LOSSES[name](p, y) for p in row] for row, y in zip(table.tolist(), truth, strict=True)]
    )
    assert losses_only.play(priced).account.loss == pytest.approx(run.account.loss, rel=1e-12)
    assert function.play(table, truth).account.loss == pytest.approx(run.account.loss, rel=1e-12)
    assert function.weights == pytest.approx(named.weights, rel=1e-9)
    stepped = nr.Hedge(3, loss=LOSSES[name])
    assert stepped.learn(table[0], truth[0]) >= 0.0


@pytest.mark.parametrize("name", ["square", "absolute", "percentage", "log", "pinball-0.9"])
def test_the_gradient_trick_is_the_slope_of_the_loss(name):
    rng = np.random.default_rng(6)
    said, y, step = rng.random(3) * 0.8 + 0.1, 1.0, 1e-6
    rule = nr.MLPol(3, loss=name)
    p = rule.predict(said)
    slope = (LOSSES[name](p + step, y) - LOSSES[name](p - step, y)) / (2 * step)
    rule.learn(said, y)
    assert rule.lanes()["regret"] == pytest.approx(slope * (p - said), rel=1e-6, abs=1e-12)
    assert rule.gradient and not nr.MLPol(3, loss="zero-one").gradient


def test_zero_one_predictions_are_votes_with_the_ties_that_are_written_down():
    rule = nr.Hedge(4, loss="zero-one")
    assert rule.predict([0, 0, 1, 1]) == 1.0 and rule.predict([-1, 1, -1, 1]) == 1.0
    assert rule.predict([3, 3, 2, 2]) == 2.0 and rule.predict([5, 5, 5, 1]) == 5.0


def test_the_coin_depends_on_seed_and_round_only():
    table, truth = advice(400)
    first, again, other = (nr.RandomizedMajority(4, seed=s) for s in (1, 1, 2))
    said = [rule.play(table, truth).predictions.tolist() for rule in (first, again, other)]
    assert said[0] == said[1] != said[2]
    assert first.scalars["suffered"] == pytest.approx(first.scalars["loss"], abs=40)


@pytest.mark.parametrize(
    ("make", "kind", "sentence"),
    [
        (lambda: nr.Hedge(0), BadParameter, "n is 0"),
        (lambda: nr.Hedge(2.5), BadParameter, "whole number"),
        (lambda: nr.Hedge(3, rate=-1), BadParameter, "rate is -1; it must be a finite number above 0"),
        (lambda: nr.Hedge(3, rate=math.nan), BadParameter, "rate is nan"),
        (lambda: nr.Hedge(3, rate=1, horizon=5), BadParameter, "one of rate, horizon and doubling"),
        (lambda: nr.Hedge(3, loss="cube"), BadParameter, "no loss called 'cube'; write square"),
        (lambda: nr.Hedge(3, loss="pinball-2"), BadParameter, "between 0 and 1"),
        (lambda: nr.Hedge(3, loss="zero-one", gradient=True), BadParameter, "needs a loss with a slope"),
        (lambda: nr.Hedge(3, gradient="perhaps"), BadParameter, "true, false or auto"),
        (lambda: nr.WeightedMajority(3, beta=1.0), BadParameter, "beta is 1.0"),
        (lambda: nr.RandomizedMajority(3, beta=0.7, horizon=9), BadParameter, "beta or horizon"),
        (lambda: nr.RandomizedMajority(3, seed=0.5), BadParameter, "whole number"),
        (lambda: nr.FixedShare(3, share=1.5), BadParameter, "share is 1.5"),
        (lambda: nr.FixedShare(3, horizon=100), BadParameter, "together"),
        (lambda: nr.ExpertRidge(3, penalty=0), BadParameter, "penalty is 0"),
        (lambda: nr.Hedge(3).join(0), BadParameter, "at least one"),
        (lambda: nr.learner("hedge"), BadParameter, "say how many, as in hedge:n=3"),
        (lambda: nr.expert_rule("perceptron", 3), BadCommand, "does not weigh experts"),
        (lambda: nr.expert_rule("hegde", 3), BadCommand, "did you mean hedge"),
        (lambda: nr.Hedge(3).learn([1, 2]), BadInput, "3 experts and 2 numbers"),
        (lambda: nr.Hedge(3).learn([math.nan] * 3), BadInput, "every expert is asleep"),
        (lambda: nr.Hedge(3).predict([math.nan] * 3), BadInput, "every expert is asleep"),
        (lambda: nr.Hedge(3).learn([1, 2, math.inf]), BadInput, "infinite or beyond 1e100"),
        (lambda: nr.Hedge(3).predict([1, 2, math.inf]), BadInput, "something infinite"),
        (lambda: nr.Hedge(3).learn([1, 2, 3], math.nan), BadInput, "the truth is missing"),
        (lambda: nr.Hedge(3).learn([1, 2, 3], "seven"), BadInput, "the truth is 'seven'"),
        (lambda: nr.Hedge(3).learn(["a", "b", "c"]), BadType, "advice and losses are numbers"),
        (lambda: nr.Hedge(3).learn([[1, 2, 3]]), BadType, "goes through play"),
        (lambda: nr.Hedge(3).play([1, 2, 3]), BadType, "a matrix, rounds × experts"),
        (lambda: nr.Hedge(3).play(np.ones((4, 2))), BadInput, "3 experts and 2 columns"),
        (lambda: nr.Hedge(3).play(np.ones((4, 3)), [1, 2]), BadInput, "4 rows of advice and 2 truths"),
        (lambda: nr.WeightedMajority(3).learn([0, 1, 0]), BadType, "needs advice and truth"),
        (lambda: nr.Hedge(2, loss="log").learn([0.5, 1.5], 1), BadInput, "a probability, from 0 to 1"),
        (lambda: nr.Hedge(2, loss="log").learn([0.5, 0.5], 0.3), BadInput, "takes 0 and 1"),
        (lambda: nr.Hedge(2, loss="percentage").learn([0.5, 0.5], 0), BadInput, "a percentage of 0"),
        (lambda: nr.Hedge(2, loss=lambda p, y: "much").learn([1, 2], 1), BadType, "it must give a number"),
        (lambda: to_bytes(nr.Hedge(2, loss=lambda p, y: 0.0)), BadType, "cannot be saved"),
    ],
)
def test_bad_input_is_one_sentence(make, kind, sentence):
    with pytest.raises(kind, match=sentence):
        make()


@pytest.mark.parametrize("spec", [s for s in SPECS if s not in BY_ADVICE])
def test_a_bad_row_changes_nothing_and_is_named(spec):
    table = losses(20, 3)
    table[7, 1] = np.inf
    rule, before = nr.expert_rule(spec, 3), nr.expert_rule(spec, 3)
    before.play(table[:7])
    with pytest.raises(BadInput, match="infinite") as caught:
        rule.play(table)
    assert caught.value.row == 7 and portrait(rule) == portrait(before)


def test_damaged_files_are_refused():
    data = to_bytes(nr.BOA(3))
    with pytest.raises(BadInput):
        from_bytes(data[:-9])
    with pytest.raises(BadInput, match="its checksum is wrong"):
        from_bytes(data.replace(b"boa:n=3", b"boa:n=4"))
    data = data.replace(b"checksum", b"unsummed")  # as in files that have none
    swapped = data.replace(b"boa:n=3", b"boa:n=4")
    with pytest.raises(BadInput, match="does not fit the number of experts"):
        from_bytes(swapped)
    with pytest.raises(BadInput, match=r"no lane|number"):
        from_bytes(data.replace(b"boa:n=3", b"eg:n=33"))


def test_a_truth_that_is_no_number_is_refused_wherever_it_comes():
    plain, priced = nr.Hedge(2), nr.Hedge(2, loss=lambda said, truth: abs(said - truth))
    for learn in (
        lambda: plain.learn([0.0, 1.0], "x"),
        lambda: plain.learn(plain.promise([0.0, 1.0]), "x"),
        lambda: priced.learn([0.0, 1.0], "x"),
    ):
        with pytest.raises(BadInput, match="the truth is 'x'; it must be a number"):
            learn()


@pytest.mark.parametrize(("spec", "losses"), [("fixed-share", [1e20] * 9), ("eg", [1e-160, 0.0, 0.0])])
def test_weights_stay_numbers_at_the_edge_of_the_doubles(spec, losses):
    rule = nr.expert_rule(spec, len(losses))
    rule.learn(losses)
    assert rule.weights == pytest.approx(np.full(len(losses), 1.0 / len(losses)))


def test_a_quantile_keeps_every_digit_in_a_spec():
    rule = nr.expert_rule("boa:loss=pinball-0.1234567", 3)
    assert rule.spec == "boa:n=3,loss=pinball-0.1234567"
