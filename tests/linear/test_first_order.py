"""The first-order rules by hand, their parameters, and what their theorems need."""

import math

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadParameter

X = {"a": 3.0, "b": 4.0}  # of length 5


def taught(learner, *rounds):
    for x, y in rounds:
        learner.learn(x, y)
    return learner


# ---- rules ---------------------------------------------------------------------------------------


def test_a_perceptron_with_a_margin_learns_from_what_it_got_right():
    learner = nr.Perceptron(margin=30.0)
    assert learner.learn(X, 1) and learner.score(X) == 25.0
    assert learner.learn(X, 1) and learner.score(X) == 50.0
    assert not learner.learn(X, 1)


@pytest.mark.parametrize(
    ("loss", "first", "value"),
    [
        ("perceptron", 1.0, 0.0),
        ("hinge", 1.0, 1.0),
        ("squared-hinge", 1.0, 0.5),
        ("logistic", 0.5, math.log(2.0)),
        ("squared", 1.0, 0.5),
    ],
)
@pytest.mark.parametrize("step", ["constant", "sqrt", "inverse"])
def test_gradient_descent(loss, first, value, step):
    learner = nr.OGD(loss=loss, step=step, rate=0.1)
    assert learner.loss_name == loss and learner.loss_of(0.0, -1.0) == pytest.approx(value)
    learner.learn({"a": 1.0}, -1)
    assert learner.weights == {"a": pytest.approx(-0.1 * first)}
    learner.learn({"b": 1.0}, -1)
    pace = {"constant": 1.0, "sqrt": math.sqrt(0.5), "inverse": 0.5}[step]
    assert learner.weights["b"] == pytest.approx(-0.1 * first * pace)


def test_gradient_descent_with_both_penalties_by_hand():
    learner = taught(nr.OGD(step="constant", rate=0.5, l1=0.1, l2=0.2), ({"a": 1.0}, -1), ({"b": 1.0}, -1))
    a = -(0.5 - 0.5 * 0.1)  # one step, shrunk once
    a = a * (1 - 0.5 * 0.2) + 0.5 * 0.1  # and once more, without a step
    assert learner.weights == {"a": pytest.approx(a), "b": pytest.approx(-0.45)}
    assert learner.score({"a": 2.0, "b": 1.0}) == pytest.approx(2 * a - 0.45)
    for _ in range(40):
        learner.learn({"c": 1.0}, -1)
    assert set(learner.weights) == {"c"}  # the others have reached 0 exactly


def test_the_scale_is_worked_into_the_weights_before_it_is_too_small():
    learner = nr.OGD(step="constant", l2=0.5)
    for _ in range(250):
        learner.learn({"a": 1.0}, -1)
    assert 2.0**-100 <= learner.scalars["scale"] <= 1.0
    assert learner.weights["a"] == pytest.approx(-1.0, abs=0.5)


def test_passive_aggressive_steps():
    for learner, tau in ((nr.PassiveAggressive(), 0.04), (nr.PassiveAggressive1(C=0.01), 0.01), (nr.PassiveAggressive2(C=0.02), 0.02)):  # fmt: skip
        taught(learner, (X, -1))
        assert learner.weights == {"a": pytest.approx(-3 * tau), "b": pytest.approx(-4 * tau)}
    heavy = nr.PassiveAggressive1(C=0.01)
    heavy.learn(X, -1, weight=3.0)
    assert heavy.weights["a"] == pytest.approx(-0.09)


def test_a_passive_aggressive_round_is_right_by_a_margin_of_1():
    learner = taught(nr.PassiveAggressive(), (X, -1), ({"b": 1.0, "c": 2.0}, 1))
    assert learner.score({"b": 1.0, "c": 2.0}) == pytest.approx(1.0)


def test_alma_stays_in_the_unit_ball_and_normalises():
    learner = nr.ALMA(C=3.0)
    learner.learn(X, -1)
    assert learner.weights == {"a": pytest.approx(-0.6), "b": pytest.approx(-0.8)}
    assert learner.potential == pytest.approx(1.0)
    raw = taught(nr.ALMA(C=0.1, normalize=False), (X, -1))
    assert raw.weights == {"a": pytest.approx(-0.3), "b": pytest.approx(-0.4)}
    margin = (1 - 0.9) * math.sqrt(8.0) / 0.9 / math.sqrt(2.0)  # at the second correction
    assert raw.learn({"a": -1.01 * margin / 0.3}, 1) is False
    assert raw.learn({"a": -0.99 * margin / 0.3}, 1) is True
    far = taught(nr.ALMA(normalize=False), *[({"a": 1e8, str(k): 1e8}, 1 - 2 * (k % 2)) for k in range(60)])
    assert far.scalars["scale"] >= 2.0**-100 and far.potential == pytest.approx(1.0)


def test_romma_keeps_to_its_two_conditions():
    rng = np.random.default_rng(0)
    for aggressive in (False, True):
        learner, before = nr.ROMMA(aggressive=aggressive), np.zeros(5)
        for _ in range(200):
            x = rng.normal(size=5)
            y = 1.0 if x[0] + 0.3 * x[1] >= 0 else -1.0
            if learner.learn(x, y):
                w = np.array([learner.weights.get(k, 0.0) for k in range(5)])
                assert y * (w @ x) >= 1.0 - 1e-6
                assert w @ before >= before @ before * (1 - 1e-6) and w @ w >= before @ before * (1 - 1e-9)
                before = w
        assert learner.potential == pytest.approx(before @ before)


def test_adagrad_by_hand():
    for form in ("descent", "averaging"):
        learner = taught(nr.AdaGrad(form=form, rate=2.0, delta=3.0), ({"a": 4.0}, -1))
        assert learner.weights == {"a": pytest.approx(-2.0 * 4.0 / 7.0)}
        learner.learn({"a": 3.0}, 1)
        second = 2.0 * 3.0 / 8.0 - 2.0 * 4.0 / 7.0 if form == "descent" else -2.0 * 1.0 / 8.0
        assert learner.weights["a"] == pytest.approx(second)


def test_ftrl_weights_are_0_until_there_is_reason_for_more():
    learner = taught(nr.FTRL(loss="hinge", alpha=1.0, l1=2.5), ({"a": 1.0, "b": 3.0}, -1))
    assert learner.weights == {"b": pytest.approx(-0.5 / 4.0)}
    learner.learn({"a": 2.0}, -1)
    assert learner.weights["a"] == pytest.approx(-0.5 / (1.0 + math.sqrt(5.0)))


def test_without_penalties_ftrl_is_adagrad():
    rng = np.random.default_rng(1)
    ours, theirs = nr.FTRL(loss="hinge", alpha=0.3), nr.AdaGrad(rate=0.3)
    for _ in range(200):
        x, y = rng.normal(size=4), rng.choice([-1.0, 1.0])
        assert ours.learn(x, y) == theirs.learn(x, y)
    assert ours.weights == pytest.approx(theirs.weights)


def test_a_coin_bets_a_part_of_its_wealth():
    learner = taught(nr.Coin(), ({"a": 1.0}, 1), ({"a": 1.0}, 1))
    wealth = 1.0 + 0.25
    assert learner.weights == {"a": pytest.approx(2.0 / 6.0 * wealth)}
    cut = taught(nr.Coin(), ({"a": 1000.0}, 1))
    assert cut.weights == {"a": 0.25}


def test_a_coin_never_goes_broke():
    learner = nr.Coin()
    for k in range(500):
        learner.learn({"a": 1.0}, -1.0 if learner.score({"a": 1.0}) >= 0 else 1.0)
        assert learner.state()["lanes"]["wealth"][1] > 0, k


def test_the_average_is_of_the_weights_after_each_round():
    rng = np.random.default_rng(2)
    averaged, plain, total = nr.AveragedPerceptron(), nr.Perceptron(), np.zeros(4)
    for _ in range(100):
        x, y = rng.normal(size=4), rng.choice([-1.0, 1.0])
        assert averaged.learn(x, y) == plain.learn(x, y)
        total += [plain.weights.get(k, 0.0) for k in range(4)]
    assert [averaged.weights[k] for k in range(4)] == pytest.approx((total / 100).tolist())


# ---- parameters ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf, "fast"])
@pytest.mark.parametrize(
    ("kind", "name"),
    [(nr.OGD, "rate"), (nr.AdaGrad, "rate"), (nr.AdaGrad, "delta"), (nr.PassiveAggressive1, "C"), (nr.PassiveAggressive2, "C"),
     (nr.ALMA, "C"), (nr.ALMA, "alpha"), (nr.FTRL, "alpha"), (nr.FTRL, "beta"), (nr.Coin, "wealth"), (nr.AveragedPerceptron, "rate")],
)  # fmt: skip
def test_numbers_that_must_be_above_0(kind, name, bad):
    with pytest.raises(BadParameter, match=f"{name} is"):
        kind(**{name: bad})


@pytest.mark.parametrize("bad", [-1, math.nan, math.inf, "much", None])
@pytest.mark.parametrize(
    ("kind", "name"),
    [(nr.OGD, "l1"), (nr.OGD, "l2"), (nr.FTRL, "l1"), (nr.FTRL, "l2"), (nr.Perceptron, "margin")],
)
def test_numbers_that_must_not_be_negative(kind, name, bad):
    with pytest.raises(BadParameter, match=f"{name} is .* it must be a finite number, 0 or more"):
        kind(**{name: bad})


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("ogd:loss=hing", "loss is 'hing'; did you mean hinge"),
        (
            "ogd:loss=zero-one",
            "loss is 'zero-one'; it must be perceptron, hinge, squared-hinge, logistic or squared",
        ),
        ("ogd:step=squrt", "did you mean sqrt"),
        ("adagrad:form=average", "did you mean averaging"),
        ("ogd:rate=2,l2=0.5", "their product must be below 1"),
        ("alma:alpha=1.1", "alpha is 1.1"),
    ],
)
def test_words_and_combinations(spec, sentence):
    with pytest.raises(BadParameter, match=sentence):
        nr.learner(spec)


# ---- theorems ------------------------------------------------------------------------------------


def verdict(spec, X, y, **options):
    return nr.certify(nr.play(nr.from_arrays(X, y, **options), nr.learner(spec)))[0]


@pytest.mark.parametrize("spec", ["pa", "pa1", "romma"])
def test_bounds_that_the_standard_basis_reaches(spec):
    told = nr.certify(nr.play(nr.standard_basis(300), nr.learner(spec)))[0]
    assert (told.verdict, told.observed, told.bound) == (nr.Verdict.HOLDS, 300, 300.0)


@pytest.mark.parametrize(
    "spec", ["perceptron:margin=0.5", "averaged-perceptron", "voted-perceptron:budget=9"]
)
def test_updates_on_the_standard_basis(spec):
    told = nr.certify(nr.play(nr.standard_basis(300), nr.learner(spec)))[0]
    assert told.verdict == "holds" and told.observed == 300
    assert 300.0 <= told.bound <= 301.0


def test_a_perceptron_that_asks_meets_its_bound_exactly_on_the_standard_basis():
    """Every score is 0, so it asks each time; b = R²/2 is the best, and gives the Perceptron's own bound."""
    told = nr.certify(nr.play(nr.standard_basis(300), nr.SelectivePerceptron(smoothing=0.5)))[0]
    assert told.verdict == "holds" and told.observed == 300 and told.bound == 300
    (worse,) = nr.certify(nr.play(nr.standard_basis(300), nr.SelectivePerceptron(smoothing=2.0)))
    assert 300 < worse.bound <= 300 * 25 / 16  # of the u that reaches 1, or of a better one


def test_what_it_asked_about_tells_its_mistakes_in_the_mean():
    stream = nr.inspection_line(400, labelled=1.0)
    runs = [nr.play(stream, nr.SelectivePerceptron(smoothing=0.5, seed=seed)) for seed in range(60)]
    weighed = np.array([nr.certify(run)[0].observed for run in runs])
    mistakes = np.array([run.mistakes for run in runs])
    apart = weighed - mistakes
    assert abs(apart.mean()) <= 4.0 * apart.std() / math.sqrt(len(runs)) < 0.2 * mistakes.mean()


NOISY = ["selective-perceptron", "selective-perceptron:smoothing=0.2,budget=50,bias=true", "pa", "pa1:C=0.1", "pa2:C=0.1", "ogd", "ogd:loss=logistic,step=constant,rate=0.05", "ogd:loss=squared,step=inverse,rate=0.1",
         "ogd:loss=squared-hinge,rate=0.02", "ogd:loss=perceptron", "adagrad", "adagrad:loss=logistic", "adagrad:form=averaging,delta=9",
         "ftrl", "ftrl:loss=squared,l2=0.3", "ftrl:loss=hinge,alpha=1,l1=0.5,bias=true", "coin", "coin:loss=logistic", "alma", "alma:normalize=false,alpha=0.5", "averaged-perceptron", "voted-perceptron:budget=20,bias=true", "perceptron:margin=1"]  # fmt: skip


@pytest.mark.parametrize("spec", NOISY)
@pytest.mark.parametrize("seed", range(3))
def test_any_data_is_certified(spec, seed):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(600, 6))
    y = np.where(X @ rng.normal(size=6) + 0.5 * rng.normal(size=600) > 0, 1.0, -1.0)
    told = verdict(spec, X, y)
    assert told.verdict == "holds" and 0 < told.bound < math.inf
    if told.about == "loss":
        assert told.observed == pytest.approx(nr.play(nr.from_arrays(X, y), nr.learner(spec)).loss)


def test_when_they_are_silent():
    X, y = np.array([[2.0, 0.0], [0.0, 0.0]]), np.array([-1.0, -1.0])
    assert "no row is all 0 (1 are)" in verdict("pa", X, y).reason
    assert "no |g| passes 1 (the largest is 2)" in verdict("coin", X, y).reason
    assert "no |g| passes δ" in verdict("adagrad:form=averaging", X, y).reason
    assert "some u separates" in verdict("romma", X, y).reason
    for spec in (
        "selective-perceptron",
        "pa",
        "pa1",
        "pa2",
        "ogd",
        "adagrad",
        "ftrl",
        "coin",
        "alma",
        "romma",
        "averaged-perceptron",
    ):
        assert "importance" in verdict(spec, X, y, weights=[1, 2]).reason
    assert nr.OGD(l1=0.1).theorems() == nr.OGD(l2=0.1).theorems() == ()
