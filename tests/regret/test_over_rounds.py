"""The regret of a run over its rounds: right against plain sums, whatever the features, in bounded memory."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret.errors import BadInput
from noregret.game.play import first, play_batch
from noregret.game.said import Said
from noregret.natures.order import Passes
from noregret.regret import over_rounds
from noregret.regret.fixed_rule import VALUES, FixedRule, best_fixed, best_fixed_classes
from noregret.regret.over_rounds import regrets
from noregret.regret.sample import sampled
from noregret.rounds import Batch

LOSSES = {
    "pa": lambda s, y: np.maximum(0.0, 1.0 - y * s),
    "ogd:loss=logistic,bias=true": lambda s, y: np.logaddexp(0.0, -y * s),
    "ogd:loss=squared-hinge,rate=0.001": lambda s, y: 0.5 * np.maximum(0.0, 1.0 - y * s) ** 2,
    "ons:bias=true": lambda s, y: np.maximum(0.0, 1.0 - y * np.clip(s, -1, 1)) ** 2,
}


def rows_and_labels(rounds=3000, width=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, width)) * [1, 1, 1, 30, 0.1, 1]
    y = np.where(X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=rounds) > 0, 1.0, -1.0)
    return X, y


def natures(X, y):
    dense = nr.from_arrays(X, y)
    sparse = nr.from_arrays(csr_array(X), y)
    named = nr.from_rounds(
        [({f"f{j}": v for j, v in enumerate(row)}, t) for row, t in zip(X, y, strict=True)]
    )
    return {"dense": dense, "sparse": sparse, "named": named}


def scores_of(stream, learner):
    """What the learner said in every round, by itself."""
    ledger, said = nr.Ledger(learner.spec), []
    for batch in stream.batches():
        told = Said(len(batch))
        play_batch(batch, learner, ledger, told)
        said.append(told.scores)
    return np.concatenate(said)


@pytest.mark.parametrize("kind", ["dense", "sparse", "named"])
@pytest.mark.parametrize("spec", LOSSES)
def test_the_curve_is_the_plain_difference_of_sums(spec, kind):
    X, y = rows_and_labels()
    stream = natures(X, y)[kind]
    ledger = nr.play(stream, nr.learner(spec))
    (regret,) = regrets(ledger)
    loss = LOSSES[spec]
    goal = "logistic" if "logistic" in spec else "squared-hinge" if "pa" not in spec else "hinge"
    rule = best_fixed(sampled(stream, None, VALUES), goal, "bias" in spec).rule
    u = np.array([rule.weights.get(f"f{j}" if kind == "named" else j, 0.0) for j in range(X.shape[1])])
    theirs = X @ u + rule.bias
    own = scores_of(stream, nr.learner(spec))
    more = np.cumsum(loss(own, y) - loss(theirs, y))
    wrong = np.cumsum((np.where(own >= 0, 1, -1) != y).astype(int) - (np.where(theirs >= 0, 1, -1) != y))
    assert [p.round for p in regret.points] == [t for t, _, _ in ledger.curve]
    for point in regret.points:
        assert point.mistakes == wrong[point.round - 1]
        assert point.loss == pytest.approx(more[point.round - 1], rel=1e-9, abs=1e-6)
    assert regret.priced == f"{ledger.loss_name} loss"


@pytest.mark.parametrize("loss", ["hinge", "logistic", "squared-hinge"])
def test_no_rule_with_weights_as_small_loses_less(loss):
    X, y = rows_and_labels(800)
    found = best_fixed(sampled(nr.from_arrays(X, y), None, VALUES), loss, False)
    sizes = np.sqrt((X**2).mean(axis=0))
    u = np.array([found.rule.weights.get(j, 0.0) for j in range(6)])
    price = {
        "hinge": LOSSES["pa"],
        "logistic": LOSSES["ogd:loss=logistic,bias=true"],
        "squared-hinge": LOSSES["ogd:loss=squared-hinge,rate=0.001"],
    }[loss]
    least = price(X @ u, y).sum()
    assert found.every == 1 and found.at_least is not None
    assert found.at_least <= least <= found.at_least * 1.01
    rng = np.random.default_rng(1)
    for _ in range(200):
        v = u * sizes + 0.3 * rng.normal(size=6)
        v *= min(1.0, np.linalg.norm(u * sizes) / np.linalg.norm(v))
        assert price(X @ (v / sizes), y).sum() >= found.at_least


def test_rounds_without_a_label_and_importance_are_counted_as_the_run_counts_them():
    X, y = rows_and_labels(500)
    y[::3] = np.nan
    rng = np.random.default_rng(2)
    weights = rng.integers(1, 5, size=500).astype(float)
    stream = nr.from_arrays(X, y, weights=weights)
    ledger = nr.play(stream, nr.PassiveAggressive1())
    (regret,) = regrets(ledger)
    rule = best_fixed(sampled(stream, None, VALUES), "hinge", False).rule
    u = np.array([rule.weights.get(j, 0.0) for j in range(6)])
    told = ~np.isnan(y)
    theirs = (weights * np.maximum(0.0, 1.0 - y * (X @ u)))[told].sum()
    assert regret.points[-1].loss == pytest.approx(ledger.loss - theirs, rel=1e-9)
    wrong = int((np.where(X @ u >= 0, 1, -1) != y)[told].sum())
    assert regret.points[-1].mistakes == ledger.mistakes - wrong
    assert "as small" not in regret.found  # the proof is about rounds that count once


def test_a_panel_is_compared_with_its_best_member_as_its_theorem_does():
    X, y = rows_and_labels(2000)
    panel = nr.Panel(["perceptron", "pa1:C=0.01", "arow", "last-label"])
    ledger = nr.play(nr.from_arrays(X, y), panel)
    member, fixed = regrets(ledger)
    best = panel.standings()[0]
    assert best.member in member.found and f"{int(best.mistakes):,} mistakes" in member.found
    assert member.points[-1].mistakes == ledger.mistakes - best.mistakes
    assert member.points[-1].loss == pytest.approx(ledger.account.regret, abs=1e-6)
    assert member.priced == "expected mistakes" and fixed.priced is None


def test_numbers_are_compared_with_least_squares():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(1500, 4))
    y = X @ [1.0, -2.0, 0.5, 0.0] + 0.1 * rng.normal(size=1500)
    ledger = nr.play(nr.from_arrays(X, y), nr.WidrowHoff(rate=0.01))
    (regret,) = regrets(ledger)
    least = float(np.linalg.lstsq(X, y, rcond=None)[1][0])
    assert regret.task == "regression" and "mistake" not in regret.found
    assert ledger.loss - 1.01 * least <= regret.points[-1].loss <= ledger.loss - least


def test_only_mistakes_are_compared_where_the_loss_is_least_for_no_weights_at_all():
    X, y = rows_and_labels(300)
    (regret,) = regrets(nr.play(nr.from_arrays(X, y), nr.Perceptron()))
    assert regret.priced is None and "hinge loss is" not in regret.found


@pytest.mark.parametrize("kind", ["late", "partly", "passes", "shuffled", "some"])
def test_any_stream_that_can_be_read_again_is_compared(kind):
    X, y = rows_and_labels(400)
    stream = nr.from_arrays(X, y)
    made = {
        "late": lambda: nr.Delayed(stream, 3),
        "partly": lambda: nr.PartlyLabelled(stream, share=0.3),
        "passes": lambda: Passes(stream, 2, None),
        "shuffled": lambda: Passes(stream, 1, 7),
        "some": lambda: stream,
    }[kind]()
    ledger = nr.play(made, nr.PassiveAggressive1(), 150 if kind == "some" else None)
    (regret,) = regrets(ledger)
    best = best_fixed(sampled(made, ledger.limit, VALUES), "hinge", False).rule
    u = np.array([best.weights.get(j, 0.0) for j in range(6)])
    wrong = 0
    for batch in first(made, ledger.limit):
        told = ~np.isnan(batch.labels)
        wrong += int((np.where(batch.values @ u >= 0, 1, -1) != batch.labels)[told].sum())
    assert regret.points[-1].round == ledger.rounds
    assert regret.points[-1].mistakes == ledger.mistakes - wrong


class Endless:
    """A stream that is made while it is read, and counts how often it was."""

    replayable, width = True, 5

    def __init__(self, batches):
        self.count, self.read = batches, 0

    def batches(self):
        self.read += 1
        for k in range(self.count):
            rng = np.random.default_rng(k)
            X = rng.normal(size=(500, 5))
            yield Batch(X, np.where(X[:, 0] > 0, 1.0, -1.0), width=5)


def test_what_is_kept_does_not_grow_with_the_stream(monkeypatch):
    monkeypatch.setattr(over_rounds, "VALUES", 2000)
    for batches, every in ((1, 2), (10, 16), (40, 64)):
        few = sampled(Endless(batches), None, 2000)
        assert few.every == every and few.rows.nnz + few.rows.shape[0] <= 2000
        assert few.rows.shape[0] == -(-500 * batches // every)
    stream = Endless(40)
    ledger = nr.play(stream, nr.PassiveAggressive())
    (regret,) = regrets(ledger)
    assert stream.read == 2  # the run, in which rows are sampled, and the comparison
    assert len(regret.points) <= 1024 and "th row" in regret.found and "as small" not in regret.found


def test_a_sample_is_evenly_spread():
    X = np.arange(1000.0)[:, None] + 1.0
    few = sampled(nr.from_arrays(X, [1] * 1000), 900, 400)
    assert few.rows.toarray().ravel().tolist() == list(range(1, 901, 8))


def test_a_fixed_rule_has_its_weights_to_the_bit():
    rng = np.random.default_rng(4)
    X = csr_array(rng.normal(size=(50, 20)) * (rng.random((50, 20)) < 0.3))
    u = rng.normal(size=20)
    rule = FixedRule(list(range(20)), u, 0.25)
    (batch,) = nr.from_arrays(X, np.ones(50)).batches()
    assert np.allclose(rule.scores(batch), X @ u + 0.25, rtol=1e-14, atol=1e-15)
    assert (FixedRule([], np.empty(0), 1.5).scores(batch) == 1.5).all()


class Stubborn:
    """A learner of somebody else's."""

    spec = "stubborn"

    def predict(self, x):
        return 1.0

    def learn(self, x, y, weight=1.0):
        return False


def test_it_says_why_there_is_no_comparison():
    X, y = rows_and_labels(30)
    once = nr.from_arrays(X, y)
    once.replayable = False
    refused = nr.play_all(
        nr.from_arrays([[1.0], [0.5], [1.0]], [1, 1, -1]), [nr.Winnow(threshold=1)], skip=True
    )[0]
    told = {
        "read only once": nr.play(once, nr.Perceptron()),
        "passed over": refused,
        "had a label": nr.play(nr.from_arrays(X, np.full(30, np.nan)), nr.Perceptron()),
        "kind of learner": nr.play(nr.from_arrays(X, y), Stubborn()),
        "no fixed rule of least": nr.play(nr.from_arrays(X, np.where(y > 0, 2.0, 1.0)), nr.learner("prank")),
    }
    for words, ledger in told.items():
        with pytest.raises(BadInput, match=words):
            regrets(ledger)


def test_data_that_changed_are_not_compared():
    X, y = rows_and_labels(30)
    ledger = nr.play(nr.from_arrays(X, y), nr.Perceptron())
    ledger.nature = nr.from_arrays(X[:20], y[:20])
    with pytest.raises(BadInput, match="not what it was"):
        regrets(ledger)
    several = nr.play(nr.from_arrays(X, [0, 1] * 15), nr.MulticlassPerceptron())
    several.nature = nr.from_arrays(X, [0, 2] * 15)
    with pytest.raises(BadInput, match="there was no class 2"):
        regrets(several)


def test_huge_values_are_compared_too():
    X, y = rows_and_labels(200)
    (regret,) = regrets(nr.play(nr.from_arrays(X * 1e150, y), nr.Perceptron()))
    assert regret.points[-1].mistakes > 0


@pytest.mark.parametrize("names", [(0, 1, 2), ("low", "middle", "high")], ids=["numbers", "names"])
def test_several_classes_are_compared_with_a_fixed_rule_for_each(names):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(900, 4))
    kinds = np.digitize(X[:, 0] + 0.3 * rng.normal(size=900), [-0.5, 0.5])
    rounds = [({f"f{j}": v for j, v in enumerate(row)}, names[k]) for row, k in zip(X, kinds, strict=True)]
    stream = nr.from_rounds(rounds)
    learner = nr.MulticlassPerceptron(bias=True)
    ledger = nr.play(stream, learner)
    (regret,) = regrets(ledger)
    rule = best_fixed_classes(sampled(stream, None, VALUES, ledger.classes), ledger.classes, True).rule
    scores = np.column_stack(
        [X @ [one.weights.get(f"f{j}", 0.0) for j in range(4)] + one.bias for one in rule.rules]
    )
    said = [rule.classes[k] for k in scores.argmax(axis=1)]
    wrong = sum(a != names[k] for a, k in zip(said, kinds, strict=True))
    assert regret.points[-1].mistakes == ledger.mistakes - wrong
    assert wrong < ledger.mistakes and regret.priced is None and f"makes {wrong} mistakes" in regret.found
    assert [chart["title"] for chart in ledger.plot().to_dict()["vconcat"][1:]] == ["Regret in mistakes"]


@pytest.mark.parametrize("learner", ["halving", "agnostic:rounds=200"])
def test_a_learner_over_a_class_is_compared_with_its_best_hypothesis(learner):
    rng = np.random.default_rng(6)
    points = rng.integers(0, 15, size=200)
    labels = ((points >= 6) ^ (rng.random(200) < (0.2 if "agnostic" in learner else 0.0))).astype(int)
    table = nr.hypothesis_class("thresholds:15")
    ledger = nr.play(nr.from_points(table, points, labels), nr.learner(learner, table))
    (regret,) = regrets(ledger)
    mistakes = [
        sum(table.says(h, int(x)) != y for x, y in zip(points, labels, strict=True)) for h in range(16)
    ]
    assert regret.points[-1].mistakes == ledger.mistakes - min(mistakes)
    assert table.hypothesis_name(int(np.argmin(mistakes))) in regret.found
    if "agnostic" in learner:
        assert regret.priced == "expected mistakes"
        assert regret.points[-1].loss == pytest.approx(ledger.loss - min(mistakes))
