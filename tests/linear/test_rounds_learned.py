"""The count of learned rounds: every way to teach a learner counts, and no theorem takes a prelude for a start."""

import copy
import json
import pickle

import numpy as np
import pytest
from safetensors import numpy as tensors

import noregret as nr
from noregret.certificate import Verdict
from noregret.errors import BadInput, BadModel
from noregret.hypotheses.advised import Vote
from noregret.interop import river, sklearn
from noregret.model_file import from_bytes, to_bytes
from noregret.registry import LEARNERS

BINARY = [spec for spec in LEARNERS if getattr(nr.learner(spec), "task", "") == "binary"]
ALL = [spec for spec in LEARNERS if hasattr(nr.learner(spec), "rounds_learned")]
ONE = np.array([1.0])


def label_of(learner, k=0):
    """A label that fits, for a multiclass learner one of two classes."""
    taken = getattr(learner, "takes", (-1.0, 1.0))
    return float(taken[-1 if k % 2 else 0])


# ---- a prelude that leaves every weight at its first value -------------------------------------------

PRELUDES = {
    "ridge": ("ridge", [(ONE, 0.0)] * 1000, 3.0),
    "adagrad": ("adagrad:form=averaging", [(ONE, 1.0), (ONE, -1.0)] * 500, 1.0),
    "coin": ("coin", [(ONE, 1.0), (ONE, -1.0)] * 500, 1.0),
    "ftrl": ("ftrl:loss=hinge,alpha=1,l1=3", [(ONE, 1.0)] * 2, 1.0),
    "perceptron": ("perceptron", [(ONE, -1.0), (ONE, 1.0)] * 3, 1.0),
}


@pytest.mark.parametrize("name", PRELUDES)
def test_a_prelude_that_leaves_the_weights_at_zero_is_no_start(name):
    spec, prelude, label = PRELUDES[name]
    learner = nr.learner(spec)
    for x, y in prelude:
        learner.learn(x, y)
    assert not any(learner.weights.values()) and learner.rounds_learned == len(prelude)
    assert not learner.is_fresh
    certificates = nr.certify(nr.play(nr.from_arrays(np.ones((20, 1)), np.full(20, label)), learner))
    assert certificates and {one.verdict for one in certificates} == {Verdict.SILENT}
    assert all("starts with nothing learned" in one.reason for one in certificates)


def test_rounds_that_were_right_and_teach_nothing_count():
    learner = nr.Perceptron()
    learner.learn({"a": 1.0}, 1)
    assert learner.weights == {} and (learner.rounds_learned, learner.is_fresh) == (1, False)


# ---- every way to teach a learner --------------------------------------------------------------------


@pytest.mark.parametrize("spec", ALL)
def test_rounds_one_by_one_and_a_batch_count_alike(spec):
    loop, batch = nr.learner(spec), nr.learner(spec)
    X = np.random.default_rng(0).integers(0, 2, (9, 3)).astype(float)
    y = np.array([label_of(loop, k) for k in range(9)])
    y[4] = np.nan
    weights = np.array([1.0, 0.0, 2.0, 1.0, 1.0, 0.0, 0.5, 1.0, 1.0])
    for x, label, weight in zip(X, y, weights, strict=True):
        loop.learn(x, None if np.isnan(label) else label, weight=weight)
    nr.play(nr.from_arrays(X, y, weights), batch)
    assert loop.rounds_learned == batch.rounds_learned == 6  # neither without a label nor without weight


@pytest.mark.parametrize(
    "spec", ["perceptron", "arow:covariance=full", "perceptron:scale=standard", "winnow"]
)
@pytest.mark.parametrize("names", [None, ["a", "b"]])
def test_long_batches_of_every_kind_count_every_round(spec, names):
    from scipy.sparse import csr_array

    X = (np.random.default_rng(1).random((1000, 2)) < 0.5).astype(float)
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    for rows in (X, csr_array(X)):
        learner = nr.learner(spec)
        nr.play(nr.from_arrays(rows, y, names=names), learner)
        assert learner.rounds_learned == 1000


def test_late_labels_count_when_they_come():
    learner = nr.Perceptron()
    learner.learn_late({"a": 1.0}, -1, 0.0)
    learner.learn_late({"a": 1.0}, None, 0.0)
    learner.learn_late({"a": 1.0}, -1, 0.0, weight=0.0)
    assert learner.rounds_learned == 1
    nr.play(nr.Delayed(nr.standard_basis(10), 4), learner := nr.Perceptron())
    assert learner.rounds_learned == 10


def test_costs_count_even_where_every_class_costs_the_same():
    learner = nr.MulticlassPerceptron()
    learner.announce(["a", "b"])
    assert learner.is_fresh
    learner.learn({"x": 1.0}, {"a": 0.0, "b": 1.0})
    learner.learn({"x": 1.0}, {"a": 1.0, "b": 1.0})
    learner.learn({"x": 1.0}, "a")
    learner.learn({"x": 1.0}, "a", weight=0.0)
    assert learner.rounds_learned == 3


def test_refused_rounds_do_not_count_and_those_before_them_do():
    learner, multiclass = nr.Perceptron(), nr.MulticlassPerceptron()
    for x, y, weight in (({"a": np.nan}, 1, 1.0), ({"a": 1.0}, 3, 1.0), ({"a": 1.0}, 1, -1.0)):
        with pytest.raises(BadInput):
            learner.learn(x, y, weight=weight)
    with pytest.raises(BadInput):
        learner.learn({"a": 1e200}, -1, weight=1e200)
    with pytest.raises(BadInput):
        multiclass.learn({"a": np.nan}, "x")
    assert learner.is_fresh and multiclass.is_fresh
    with pytest.raises(BadInput):
        nr.play(nr.from_arrays([[1.0], [1.0], [np.nan], [1.0]], [1, 1, 1, 1]), learner := nr.Perceptron())
    assert learner.rounds_learned == 2


# ---- panels ------------------------------------------------------------------------------------------


def test_members_of_a_panel_count_alone_and_side_by_side():
    panel = nr.Panel(["perceptron", "perceptron:rate=2", "pa", "last-label"])
    assert panel.is_fresh and panel.rounds_learned == 0
    nr.play(nr.separable(3, 0.1, 50), panel)
    panel.learn(np.ones(3), 1)
    panel.learn(np.ones(3), 1, weight=0.0)
    assert [member.rounds_learned for member in panel.members] == [51] * 4
    assert panel.rounds_learned == 52 and not panel.is_fresh  # the rate of its rule knows of every round
    with pytest.raises(BadInput):
        panel.learn(np.full(3, 1e200), -1, weight=1e100)
    assert [member.rounds_learned for member in panel.members] == [51] * 4
    assert [member.rounds_learned for member in panel.clone().members] == [51] * 4
    again = from_bytes(to_bytes(panel))[0]
    assert [member.rounds_learned for member in again.members] == [51] * 4


def test_a_group_that_is_taken_back_counts_nothing():
    group = nr.Panel(["perceptron", "perceptron:rate=2", "winnow:threshold=1"])
    for _ in range(3):
        with pytest.raises(BadInput):  # the third refuses what the first two have rehearsed
            group.learn({"a": 0.5}, 1)
    assert [member.rounds_learned for member in group.members] == [0, 0, 0]


def test_a_panel_of_taught_members_is_not_fresh():
    taught, beside = nr.Perceptron(), nr.Perceptron(rate=2.0)
    for one in (taught, beside):
        one.learn({"a": 1.0}, 1)
    for members in ([taught, "last-label"], [taught, beside]):
        panel = nr.Panel(members)
        assert panel.rounds_learned == 0 and not panel.is_fresh
        assert panel.members[0].rounds_learned == 1


# ---- copies, files, other libraries ------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["perceptron", "multiclass-perceptron", "ridge"])
def test_copies_carry_the_count(spec):
    learner = nr.learner(spec)
    for _ in range(5):
        learner.learn({"a": 1.0}, 1)
    other = nr.learner(spec)
    other.adopt(learner)
    restored = nr.learner(spec)
    restored.restore(learner.state())
    copies = [
        learner.clone(),
        copy.copy(learner),
        copy.deepcopy(learner),
        pickle.loads(pickle.dumps(learner)),
    ]
    for one in (*copies, other, restored, from_bytes(to_bytes(learner))[0]):
        assert one.rounds_learned == 5
        one.learn({"a": 1.0}, 1)
        assert one.rounds_learned == 6
    assert learner.rounds_learned == 5


def older(data):
    """The file of a version that did not keep the count."""
    held = tensors.load(data)
    del held["rounds_learned"]
    length = int.from_bytes(data[:8], "little")
    meta = json.loads(json.loads(data[8 : 8 + length])["__metadata__"]["noregret"])
    del meta["checksum"]
    return tensors.save(held, {"noregret": json.dumps(meta)})


@pytest.mark.parametrize("spec", ALL)
def test_an_older_file_is_fresh_only_if_every_number_is_the_first(spec):
    learner = nr.learner(spec)
    again = from_bytes(older(to_bytes(learner)))[0]
    assert again.is_fresh and again.rounds_learned == 0
    learner.learn(ONE, label_of(learner))
    learner.learn(ONE, label_of(learner, 1))
    again = from_bytes(older(to_bytes(learner)))[0]
    assert not again.is_fresh and again.rounds_learned is None
    again.learn(ONE, label_of(learner))
    assert again.rounds_learned is None and from_bytes(to_bytes(again))[0].rounds_learned is None
    assert again.clone().rounds_learned is None and not again.clone().is_fresh


def test_numbers_other_than_weights_tell_that_an_older_file_has_learned():
    """Numbers that a prelude moved while it left every weight and every name as it was."""
    for spec in ("coin", "adagrad:form=averaging", "ftrl:l1=3"):
        learner = nr.learner(spec)
        for label in (1.0, -1.0):
            learner.learn(ONE, label)
        state = learner.state() | {"kind": "none"}
        del state["rounds_learned"]
        learner = nr.learner(spec)
        learner.restore(state)
        assert not learner.is_fresh, spec
    state = nr.Coin().state()
    del state["rounds_learned"]
    learner = nr.Coin()
    learner.restore(state)
    assert learner.is_fresh
    for name in state["scalars"]:
        learner.restore(state | {"scalars": state["scalars"] | {name: 0.5}})
        assert not learner.is_fresh


@pytest.mark.parametrize("rounds", [[-1], [1, 2]])
def test_a_count_that_is_none_is_refused(rounds):
    state = nr.Perceptron().state() | {"rounds_learned": np.array(rounds)}
    with pytest.raises(BadModel, match="its number of learned rounds"):
        nr.Perceptron().restore(state)


def test_finite_learners_and_rules_over_experts_count_too():
    learner = nr.Halving("thresholds:7")
    assert learner.is_fresh and learner.rounds_learned == 0
    learner.learn(3, 1)
    assert not learner.is_fresh and learner.rounds_learned == 1 == learner.clone().rounds_learned
    narrowed = nr.Halving("thresholds:7")
    narrowed.space.restrict(3, True)
    assert not narrowed.is_fresh
    rule = nr.Hedge(2)
    assert rule.is_fresh
    rule.learn([0.0, 1.0])
    assert rule.rounds_learned == 1 and not rule.is_fresh and rule.clone().rounds_learned == 1
    used = nr.WeightedMajority(2)
    used.learn([0.0, 1.0], 0.0)
    assert not Vote("all:1", used).is_fresh and Vote("all:1", nr.WeightedMajority(2)).is_fresh


def test_adapters_of_other_libraries_count():
    X, y = np.ones((4, 1)), np.array([-1, 1, -1, 1])
    model = sklearn.OnlineClassifier("perceptron", fit_intercept=False).fit(X, y)
    assert [one.rounds_learned for one in model.learners_] == [4]
    model.partial_fit(X, y)
    assert [one.rounds_learned for one in model.learners_] == [8]
    again = pickle.loads(pickle.dumps(model))
    assert [one.rounds_learned for one in again.learners_] == [8] and not again.ledgers_[0].fresh
    online = river.OnlineClassifier("perceptron")
    online.learn_one({"a": 1.0}, True)
    online.learn_one({"a": 1.0}, False)
    assert [one.rounds_learned for one in online.learners] == [2]


def test_a_learner_of_ones_own_that_has_weights_is_not_fresh():
    class Own:
        spec = "own"

        def __init__(self):
            self.weights = {}

        def predict(self, x):
            return 1.0

        def learn(self, x, y, weight=1.0):
            self.weights[0] = 1.0
            return True

    learner = Own()
    stream = nr.from_arrays([[1.0]], [1])
    assert nr.play(stream, learner).fresh
    assert not nr.play(stream, learner).fresh
    learner.weights = {"a": {0: 0.0}}
    assert nr.play(stream, learner).fresh
