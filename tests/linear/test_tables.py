"""Tables, whose columns hold values or words, are played as the same rows are when they are laid out."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret import _core
from noregret.errors import BadInput, BadType
from noregret.rounds import Batch

SPECS = [
    "perceptron",
    "perceptron:bias=true,scale=standard",
    "averaged-perceptron",
    "pa1:bias=true",
    "arow",
    "arow:covariance=full",
    "balanced-winnow",
    "ftrl",
    "voted-perceptron",
    "majority",
]


class Once:
    """A stream of batches that are at hand."""

    def __init__(self, *parts):
        self.parts = parts

    def batches(self):
        yield from self.parts


@st.composite
def tables(draw):
    """Draw a table with names or without, perhaps with holes; columns may name a feature that others name too."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    rows, width, most = draw(st.integers(0, 70)), draw(st.integers(0, 9)), draw(st.sampled_from([3, 12, 40]))
    words = rng.random(width) < draw(st.sampled_from([0.0, 0.3, 1.0]))
    values = rng.normal(size=(width, rows)).round(draw(st.sampled_from([0, 9]))).T
    values[:, words] = rng.integers(0, most, size=(rows, int(words.sum())))
    features = np.where(words, -1, rng.integers(0, most, size=width)).astype(np.int32)
    missing = draw(st.sampled_from([0.0, 0.05, 0.5, 1.0]))  # of the cells of some columns
    values[(rng.random(values.shape) < missing) & ~words & (rng.random(width) < 0.5)] = np.nan
    labels = rng.choice([-1.0, 1.0, 1.0, np.nan], size=rows)
    names = [f"f{k}" for k in range(most)] if draw(st.booleans()) else None
    return Batch(values, labels, width=most, names=names, features=features, holes=missing > 0.0)


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 70))
@pytest.mark.parametrize("spec", SPECS)
def test_a_table_is_its_rows(spec, table, cut):
    parts = [table.part(0, min(cut, len(table))), table.part(min(cut, len(table)), len(table))]
    learners = [nr.learner(spec), nr.learner(spec)]
    one = nr.play(Once(*parts), learners[0])
    other = nr.play(Once(*(part.flat() for part in parts)), learners[1])
    assert repr(learners[0].weights) == repr(learners[1].weights)
    assert (one.mistakes, one.updates, one.loss) == (other.mistakes, other.updates, other.loss)


@settings(max_examples=40, deadline=None)
@given(tables())
def test_a_panel_and_classes_take_tables_too(table):
    labels = np.abs(np.nan_to_num(table.labels))
    told = replace(table, labels=labels, classes=["a", "b"])
    for spec, batch in (("auto", table), ("multiclass-perceptron", told)):
        learners = [nr.learner(spec), nr.learner(spec)]
        one, other = (nr.play(Once(b), x) for b, x in zip((batch, batch.flat()), learners, strict=True))
        assert (one.mistakes, one.loss) == (other.mistakes, other.loss)


@settings(max_examples=40, deadline=None)
@given(tables())
def test_rows_of_a_table_one_by_one(table):
    flat = table.flat()
    assert [table.row(r) for r in range(len(table))] == [flat.row(r) for r in range(len(table))]
    for r in range(len(table)):
        assert len(table.row(r)) == np.count_nonzero(~np.isnan(table.values[r]))


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e308])
def test_a_bad_number_is_refused_where_it_stands(bad):
    values = np.ones((2, 30)).T.copy(order="F")
    values[:, 1] = 2.0
    values[17, 0] = bad
    table = Batch(values, np.tile([1.0, -1.0], 15), width=3, features=np.array([0, -1], dtype=np.int32))
    learner = nr.Perceptron(rate=1e10)
    with pytest.raises(BadInput) as refused:
        nr.play(Once(table), learner)
    assert refused.value.row == 17
    before = nr.Perceptron(rate=1e10)
    nr.play(Once(table.part(0, 17)), before)
    assert learner.weights == before.weights


def test_a_bad_number_is_refused_beside_a_hole():
    values = np.ones((30, 3), order="F")
    values[:, 1] = np.nan
    values[17, 2] = np.inf
    features = np.arange(3, dtype=np.int32)
    labels = np.tile([1.0, -1.0], 15)
    with pytest.raises(BadInput, match="feature 2 is inf") as refused:
        nr.play(Once(Batch(values, labels, features=features, holes=True)), nr.Perceptron())
    assert refused.value.row == 17


def test_bits_with_holes():
    rng = np.random.default_rng(5)
    values = np.asfortranarray(rng.integers(0, 2, size=(60, 5)).astype(float))
    values[rng.random(values.shape) < 0.2] = np.nan
    labels = np.where(np.nan_to_num(values[:, 0]) > 0, 1.0, -1.0)
    table = Batch(values, labels, width=5, features=np.arange(5, dtype=np.int32), holes=True)
    learners = nr.learner("winnow"), nr.learner("winnow")
    one, other = (nr.play(Once(b), x) for b, x in zip((table, table.flat()), learners, strict=True))
    assert one.mistakes == other.mistakes > 0
    assert learners[0].weights == learners[1].weights


@pytest.mark.parametrize("cell", [-1.0, 0.5, 3.0, np.nan, np.inf, 2.0**40])
def test_words_that_are_no_features_are_refused(cell):
    values = np.array([[0.0, cell]]).T
    word = np.array([-1], dtype=np.int32)
    with pytest.raises(BadInput, match="column 0 of the table has a feature without a name"):
        _core.Matrix(np.asfortranarray(values), features=word, columns=["a", "b", "c"])


def test_features_of_columns_have_names():
    with pytest.raises(BadInput, match="column 1 of the table has a feature without a name"):
        _core.Matrix(
            np.ones((3, 2), order="F"), features=np.array([0, 2], dtype=np.int32), columns=["a", "b"]
        )


@pytest.mark.parametrize(
    ("values", "features", "sentence"),
    [
        (np.ones((3, 2)), np.zeros(2, np.int32), "the columns of a table must be whole"),
        (np.ones((3, 2), np.float32, order="F"), np.zeros(2, np.int32), "a table holds float64 values"),
        (np.ones((3, 2), order="F"), np.zeros(2), "int32 features"),
        (np.ones(3), np.zeros(3, np.int32), "a table holds float64 values"),
    ],
)
def test_what_is_no_table_is_refused(values, features, sentence):
    with pytest.raises(BadType, match=sentence):
        _core.Matrix(values, features=features)


def test_as_many_features_as_columns():
    with pytest.raises(BadInput, match="there are 2 rows and an array of 3"):
        _core.Matrix(np.ones((4, 2), order="F"), features=np.zeros(3, np.int32))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_order_of_memory_does_not_matter(order, kind):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(203, 7)).astype(kind)
    y = np.where(X[:, 0] > 0.3 * X[:, 1], 1.0, -1.0)
    learners = nr.Perceptron(bias=True), nr.Perceptron(bias=True)
    nr.play(nr.from_arrays(np.array(X, order=order), y), learners[0])
    nr.play(nr.from_arrays(X[:, ::-1][:, ::-1], y), learners[1])
    assert learners[0].weights == learners[1].weights
