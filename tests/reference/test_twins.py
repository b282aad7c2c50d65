"""The native learners, one by one and in batches, against their plain-Python twins: the same to the bit."""

import ast
import copy
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret import reference
from noregret.errors import BadInput
from noregret.registry import LEARNERS
from noregret.rounds import Batch

# Every learner as it is (Winnow needs a threshold for sparse rows), and a few more.
SPECS = [f"{name}:threshold=4" if name == "winnow" else name for name in LEARNERS] + [
    "perceptron:rate=0.3,bias=true",
    "sop:ridge=0.3,covariance=full,bias=true",
    "cw:confidence=0.9,covariance=full",
    "arow:ridge=0.1,covariance=full,bias=true",
    "scw1:confidence=0.9,C=0.2,covariance=full",
    "scw2:confidence=0.6,C=5,covariance=full,bias=true",
    "nherd:C=4,covariance=full",
    "ons:ridge=0.2,limit=2,covariance=full,bias=true",
    "scw2:C=1e200",
    "kernel-perceptron:gamma=0.3,budget=4",
    "kernel-perceptron:kernel=polynomial,degree=3,offset=0.5,budget=0",
    "kernel-perceptron:kernel=linear,budget=5",
    "voted-perceptron:budget=4,bias=true",
    "voted-perceptron:budget=0",
    "perceptron:rate=0.7,margin=1.5",
    "averaged-perceptron:rate=0.3,bias=true",
    "ogd:loss=logistic,step=constant,rate=0.3,bias=true",
    "ogd:loss=squared,step=inverse,rate=0.4",
    "ogd:loss=squared-hinge,rate=0.1",
    "ogd:loss=perceptron,step=constant,rate=2",
    "ogd:l1=0.1,l2=0.3,rate=0.7,bias=true",
    "ogd:loss=perceptron,step=constant,l1=0.3",
    "ogd:step=constant,rate=2,l2=0.49999999999",  # the scale falls fast, and is worked into the weights
    "pa:bias=true",
    "pa1:C=0.1",
    "pa2:C=0.3,bias=true",
    "alma:alpha=0.5,B=1,normalize=false,bias=true",
    "alma:alpha=1,C=0.3",
    "romma:aggressive=true,bias=true",
    "adagrad:loss=logistic,rate=0.3,delta=0.1,bias=true",
    "adagrad:form=averaging,delta=3",
    "ftrl:loss=hinge,alpha=1,l1=0.5,l2=0.1,bias=true",
    "coin:loss=logistic,wealth=3,bias=true",
    "winnow:promotion=1.3,threshold=2.5",
    "balanced-winnow:rate=0.7",
    "normalized-winnow:rate=90",  # weights pass e³⁰⁰ and are scaled anew
    "balanced-winnow:rate=90",
    "widrow-hoff:rate=0.1,bias=true",
    "pa-regression:epsilon=0,C=0.3,bias=true",
    "pa-regression:C=2,form=2",
    "quantile-regression:quantile=0.9,bias=true",
    "ridge:ridge=0.3,bias=true",
    "multiclass-perceptron:rate=0.3,bias=true",
    "multiclass-pa1:C=0.1,bias=true",
    "multiclass-ogd:loss=logistic,step=constant,rate=0.3,bias=true",
    "multiclass-arow:ridge=0.3,bias=true",
    "multiclass-winnow:rate=2,bias=true",
    *(f"perceptron:bias=true,scale={scale}" for scale in ("standard", "max", "rms", "unit")),
    *(f"multiclass-perceptron:bias=true,scale={scale}" for scale in ("standard", "max", "rms", "unit")),
    "multiclass-pa1:C=0.1,scale=standard",
    "multiclass-arow:scale=rms,bias=true",
    "multiclass-ogd:loss=perceptron,step=constant,rate=0.5",
    "multiclass-winnow:scale=max",
    "prank:ranks=3",
    "prank:ranks=64,scale=standard",
    "widrow-hoff:bias=true,scale=standard",
    "pa-regression:scale=unit",
    "quantile-regression:scale=rms,bias=true",
    *(f"ridge:bias=true,scale={scale}" for scale in ("standard", "max", "rms", "unit")),
    "normalized-winnow:scale=standard",
    "balanced-winnow:rate=90,scale=max",
]
WIDTH = 7
FAR = [0, 3, 2**20 - 1, 2**20, 3_000_000, 2**31 - 2]

quiet = settings(deadline=None, derandomize=True, database=None)

# Nothing so small that a step of a second-order rule leaves the doubles: that is refused, see `extreme`.
ordinary = st.sampled_from([-2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 3.0]) | st.floats(-10.0, 10.0).map(
    lambda value: value if abs(value) > 1e-9 else 0.0
)
extreme = st.sampled_from([0.0, 1.0, -1.0, 5e-324, 1e150, -1e154, 1e160, 1e200, -1e308, 1.7e308])
importances = st.sampled_from([1.0, 1.0, 1.0, 0.0, 0.5, 2.0, 3.7])
extreme_importances = st.sampled_from([1.0, 0.0, 1e-300, 1e10, 1000.0, 1023.9, 1e300, 1.7e308])
several = st.sampled_from([(3.0,), (2.0, 1.0), (5.0, 1.0, 3.0), (4.0, 2.0, 0.0, -1.0, 7.0, None)])
ranks = st.sampled_from([(1.0,), (3.0, 1.0), (1.0, 2.0, 3.0, None)])
classes = st.sampled_from([(1.0,), (-1.0,), (-1.0, 1.0), (-1.0, 1.0, None)])


@st.composite
def streams(draw, spec, values=ordinary, weights=importances, features=range(WIDTH), distinct=False):
    """Rounds of (row, label, importance): ties, zeros, repeats, any order, one class, no round at all."""
    binary = spec.startswith("winnow")
    row = st.lists(
        st.tuples(st.sampled_from(list(features)), st.sampled_from([0.0, 1.0]) if binary else values),
        max_size=6,
        unique_by=(lambda pair: pair[0]) if binary or distinct else None,
    )
    few = several if spec.startswith("multiclass") else ranks if spec.startswith("prank") else classes
    labels = st.sampled_from(draw(few))
    return draw(st.lists(st.tuples(row, labels, weights), max_size=25))


def other(spec):
    """A label besides 1."""
    return 2.0 if spec.startswith("prank") else -1.0


def sparse(rounds, names=None):
    rows = [row for row, _, _ in rounds]
    return Batch(
        values=np.array([value for row in rows for _, value in row], dtype=np.float64),
        labels=np.array([math.nan if y is None else y for _, y, _ in rounds], dtype=np.float64),
        indices=np.array([feature for row in rows for feature, _ in row], dtype=np.int64),
        starts=np.cumsum([0, *map(len, rows)], dtype=np.int64),
        width=WIDTH if names else -1,
        weights=np.array([weight for _, _, weight in rounds], dtype=np.float64),
        names=names,
    )


def dense(rounds, dtype):
    whole = sparse(rounds)
    values = np.zeros((len(rounds), WIDTH), dtype=dtype)
    for r, (row, _, _) in enumerate(rounds):
        for feature, value in row:
            values[r, feature] = value
    return Batch(values, whole.labels, width=WIDTH, weights=whole.weights)


class Once:
    def __init__(self, batch):
        self.batch = batch

    def batches(self):
        yield self.batch


def by_batch(learner, batch):
    said = []

    def watch(_batch, _ledgers, heard):
        said.extend(np.array([heard[0].predictions, heard[0].scores]).T.tolist())

    ledger = nr.play_all(Once(batch), [learner], watch=watch, skip=True)[0]
    return said, ledger.updates, ledger.skipped


def by_rounds(learner, examples, batch):
    """Predict, then learn; a row that is refused says nothing and teaches nothing."""
    said, updates, refused = [], 0, 0
    for x, now in zip(examples, batch.rounds(), strict=True):
        try:
            pair = [batch.place(learner.predict(x)), top(learner.score(x))]
            updates += learner.learn(x, now.y, weight=now.weight)
        except ValueError:
            pair = [math.nan, math.nan]
            refused += 1
        said.append(pair)
    return said, updates, refused


def top(score):
    """The score of a prediction: with several classes, the largest."""
    return max(score.values(), default=0.0) if isinstance(score, dict) else score


def agree(spec, batch):
    """Play three ways and compare; give how many rows were refused."""
    whole, loop = nr.learner(spec), nr.learner(spec)
    twin = reference.TWINS[loop.name](**loop.parameters)
    rows = range(len(batch))
    a = by_batch(whole, batch)
    b = by_rounds(loop, map(batch.example, rows), batch)
    c = by_rounds(twin, map(batch.row, rows), batch)
    assert repr(a) == repr(b) == repr(c)  # the repr of a double tells its bits, and NaN is NaN
    assert whole.weights == loop.weights == twin.weights
    assert whole.intercept == loop.intercept == twin.intercept
    assert whole.scalars == loop.scalars == twin.scalars
    assert whole.potential == loop.potential == twin.potential
    assert whole.initial_weight == twin.initial_weight
    assert (
        factors(whole)
        == factors(loop)
        == [
            number
            for column, variance in zip(
                getattr(twin, "columns", []), getattr(twin, "variances", []), strict=True
            )
            for number in (*column, variance)
        ]
    )
    return a[2]


def factors(learner):
    """Those of a full covariance, place by place; none of a learner without one."""
    return learner.state().get("factors", np.empty(0)).tolist()


@pytest.mark.parametrize("spec", SPECS)
@settings(quiet, max_examples=12)
@given(st.data())
def test_sparse_rows(spec, data):
    assert agree(spec, sparse(data.draw(streams(spec)))) == 0


@pytest.mark.parametrize("spec", SPECS)
@settings(quiet, max_examples=6)
@given(st.data())
def test_dense_rows(spec, data):
    rounds = data.draw(streams(spec, distinct=True))
    for dtype in (np.float64, np.float32):
        assert agree(spec, dense(rounds, dtype)) == 0


@pytest.mark.parametrize("spec", SPECS)
@settings(quiet, max_examples=10)
@given(st.data())
def test_named_rows(spec, data):
    names = ["ä", "b", "c d", "", "e=1", "0", "7"]
    assert agree(spec, sparse(data.draw(streams(spec, distinct=True)), names)) == 0


@pytest.mark.parametrize("spec", SPECS)
@settings(quiet, max_examples=3)
@given(st.data())
def test_features_that_are_large_numbers(spec, data):
    assert agree(spec, sparse(data.draw(streams(spec, features=FAR)))) == 0


@pytest.mark.parametrize("spec", SPECS)
@settings(quiet, max_examples=12)
@given(st.data())
def test_rows_that_overflow_are_refused_by_both(spec, data):
    agree(spec, sparse(data.draw(streams(spec, extreme, extreme_importances))))


@pytest.mark.parametrize("spec", ["perceptron", "winnow:threshold=4", "balanced-winnow", "majority"])
def test_some_rows_do_overflow(spec):
    rounds = [([(0, 1.0 if "winnow:" in spec else 1e308)], y, 1.7e308) for y in (-1.0, -1.0, 1.0, 1.0, 1.0)]
    assert agree(spec, sparse(rounds)) > 0


@pytest.mark.parametrize("spec", SPECS)
def test_a_long_run(spec):
    rng = np.random.default_rng(7)
    bits = rng.random((800, WIDTH)) < 0.4
    X = bits.astype(float) if spec.startswith("winnow") else bits * rng.normal(size=bits.shape)
    y = np.where(X @ np.arange(-3.0, 4.0) + rng.normal(size=len(X)) > 0, 1.0, other(spec))
    assert agree(spec, Batch(X, y, width=WIDTH)) == 0


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "full" in spec or spec.startswith("ridge")])
def test_factors_of_many_features(spec):
    """More than a block of them, of very different sizes; sparse rows bring new ones until late."""
    rng = np.random.default_rng(11)
    X = rng.normal(size=(150, 27)) * np.exp(4.0 * rng.normal(size=27)) * (rng.random((150, 27)) < 0.3)
    y = np.where(X @ (rng.normal(size=27) / X.std(0)) + rng.normal(size=150) > 0, 1.0, -1.0)
    assert agree(spec, Batch(X, y, width=27)) == 0
    rows = [[(int(f), float(x[f])) for f in rng.permutation(np.flatnonzero(x))] for x in X]
    assert agree(spec, sparse([(row, label, 1.0) for row, label in zip(rows, y.tolist(), strict=True)])) == 0


@pytest.mark.parametrize("name", ["normalized-winnow", "balanced-winnow"])
def test_weights_that_grow_large_are_scaled_anew(name):
    rounds = [([(0, -5.0), (1, 4.0)], 1.0, 1.0), ([(0, -1.0), (1, 1.0), (2, 9.0)], -1.0, 1.0)] * 3
    learner = nr.learner(f"{name}:rate=90")
    assert agree(learner.spec, sparse(rounds)) == 0
    by_batch(learner, sparse(rounds))
    assert learner.scalars["center"] > 300


def test_a_weight_that_falls_does_not_push_the_others_down():
    fall = ([(0, 1000.0)], -1.0, 1.0)
    lesson = ([(1, 1.0), (2, -1.0)], -1.0, 1.0)
    learner = nr.learner("normalized-winnow:rate=1")
    assert agree(learner.spec, sparse([fall, lesson])) == 0
    by_batch(learner, sparse([fall, lesson]))
    assert learner.scalars["center"] == 0
    assert learner.predict(sparse([lesson]).example(0)) == -1


def test_a_small_sum_under_a_huge_threshold_cannot_hide_an_overflow():
    assert (
        agree("winnow:threshold=1e300", sparse([([(0, 1.0)], 1.0, 1.0), ([(0, 1.0)], 1.0, 1023.9999)])) == 1
    )


def test_a_named_feature_given_twice_adds_up_in_a_dict_as_well():
    batch = sparse([([(1, 1.0), (0, 2.0), (1, 3.0)], 1.0, 1.0)], list("abcdefg"))
    assert batch.example(0) == {"b": 4.0, "a": 2.0}


def test_every_learner_has_a_twin():
    assert set(reference.TWINS) == set(LEARNERS)


# ---- the twins alone -------------------------------------------------------------------------------


def taught(spec):
    learner = nr.learner(spec)
    twin = reference.TWINS[learner.name](**learner.parameters)
    twin.learn([(1, 1.0), (0, 0.0)], other(spec))
    twin.learn([(1, 1.0), (2, 1.0)], 1)
    return twin


BAD = [
    ([(0, math.nan)], 1, 1.0),
    ([(0, 1.0), (1, math.inf)], -1, 1.0),
    ([(0, -math.inf)], -1, 1.0),
    ([(-1, 1.0)], 1, 1.0),
    ([(2**31 - 1, 1.0)], 1, 1.0),
    ([("a", 1.0)], 1, 1.0),
    ([(1, 1.0), ("a", 1.0)], 1, 1.0),
    ([(1.0, 1.0)], 1, 1.0),
    ([(1, 1.0)], 0, 1.0),
    ([(1, 1.0)], 2, 1.0),
    ([(1, 1.0)], math.nan, 1.0),
    ([(1, 1.0)], 1, -1.0),
    ([(1, 1.0)], 1, math.nan),
    ([(1, 1.0)], 1, math.inf),
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize(("x", "y", "weight"), BAD)
def test_twins_refuse_bad_input_before_anything_changes(spec, x, y, weight):
    twin = taught(spec)
    before = copy.deepcopy(inside(twin))
    if nr.learner(spec).task != "binary" and y in (0, 2):
        y = 0.5 if nr.learner(spec).task == "multiclass" else math.inf  # 0 and 2 are fine there
    with pytest.raises(ValueError, match=r".") as refusal:
        twin.learn(x, y, weight)
    assert type(refusal.value) is ValueError
    assert inside(twin) == before


def inside(twin):
    """All that a twin holds; with several classes it holds a twin of its own."""
    held = vars(twin)
    return held | {"rule": vars(held["rule"])} if "rule" in held else held


@pytest.mark.parametrize("x", [[(0, 0.5)], [(0, -1.0)], [(0, 2.0)], [(3, 1.0), (3, 1.0)]])
def test_threshold_winnow_takes_only_bits_and_a_feature_once(x):
    native, twin = nr.Winnow(threshold=2), reference.TWINS["winnow"](threshold=2)
    with pytest.raises(BadInput):
        native.predict(sparse([(x, 1.0, 1.0)]).example(0))
    with pytest.raises(ValueError, match="only 0 and 1"):
        twin.predict(x)


def test_threshold_winnow_does_not_mind_a_zero_given_twice():
    assert agree("winnow:threshold=2", sparse([([(3, 0.0), (3, 1.0), (3, 0.0)], 1.0, 1.0)] * 3)) == 0


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("perceptron", {"rate": 0.0}),
        ("perceptron", {"rate": math.inf}),
        ("sop", {"ridge": 0.0}),
        ("arow", {"ridge": math.nan}),
        ("nherd", {"C": -1.0}),
        ("scw1", {"C": 0.0}),
        ("cw", {"confidence": 0.5}),
        ("ons", {"limit": math.inf}),
        ("winnow", {"threshold": 0.5}),
        ("winnow", {"threshold": None}),
        ("winnow", {"threshold": 4.0, "promotion": 1.0}),
        ("normalized-winnow", {"rate": -1.0}),
        ("balanced-winnow", {"rate": math.nan}),
    ],
)
def test_twins_refuse_bad_parameters(name, parameters):
    with pytest.raises(ValueError, match="it must be a finite number"):
        reference.TWINS[name](**parameters)


def test_twins_import_only_the_standard_library():
    for path in Path(reference.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules = [name.name for name in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                modules = [node.module]
            else:
                continue
            assert all(module.split(".")[0] in sys.stdlib_module_names for module in modules), path
