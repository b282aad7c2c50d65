import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret.errors import BadInput, BadParameter, BadType
from noregret.natures.order import Passes, in_memory

MADE = {
    "disjunction": lambda seed: nr.disjunction(30, 3, 400, seed),
    "k of n": lambda seed: nr.k_of_n(2, 5, 30, 400, seed),
    "halfspace": lambda seed: nr.halfspace(30, 4, 5, 400, seed),
    "decision list": lambda seed: nr.decision_list(30, 4, 400, seed),
    "unknown literal": lambda seed: nr.unknown_literal(10, seed=seed),
    "separable": lambda seed: nr.separable(10, 0.2, 400, seed),
    "inspection line": lambda seed: nr.inspection_line(400, seed=seed),
}


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_a_seed_repeats_and_another_differs(make):
    a, b, c = make(3), make(3), make(4)
    assert np.array_equal(a.matrix, b.matrix) and np.array_equal(a.labels, b.labels, equal_nan=True)
    assert not np.array_equal(a.matrix, c.matrix)


@pytest.mark.parametrize("make", MADE.values(), ids=MADE)
def test_both_classes_occur(make):
    labels = make(0).labels
    assert {-1.0, 1.0} <= set(labels[~np.isnan(labels)].tolist())


def test_disjunction_is_one():
    stream = nr.disjunction(50, 3, 1000)
    assert np.array_equal(stream.labels > 0, stream.matrix @ stream.witness > 0)
    assert 0.4 < np.mean(stream.labels > 0) < 0.6


def test_thresholds_are_scaled_to_one():
    for stream in (nr.k_of_n(3, 7, 40, 1000), nr.halfspace(40, 5, 4, 1000)):
        worth = stream.matrix @ stream.witness
        assert np.array_equal(stream.labels > 0, worth >= 1 - 1e-12)


def test_decision_list_takes_the_first_feature_present():
    stream = nr.decision_list(12, 4, 500)
    order = np.argsort(-np.abs(stream.witness))[:4]
    for x, y in zip(stream.matrix, stream.labels, strict=True):
        hits = [k for k, feature in enumerate(order) if x[feature]]
        assert y == ((1.0 if hits[0] % 2 == 0 else -1.0) if hits else -1.0)


def test_unknown_literal_plays_forty_rounds_a_feature():
    stream = nr.unknown_literal(25)
    assert len(stream) == 1000 and stream.witness.sum() == 1


def test_separable_keeps_its_margin_and_its_ball():
    stream = nr.separable(8, 0.3, 2000)
    assert np.linalg.norm(stream.matrix, axis=1).max() <= 1 + 1e-12
    assert np.min(stream.labels * (stream.matrix @ stream.witness)) >= 0.3 - 1e-12


def test_inspection_line_has_names_drift_and_missing_labels():
    stream = nr.inspection_line(20_000, labelled=0.3)
    assert "skin=mouldy" in stream.names and 0.28 < 1 - np.mean(np.isnan(stream.labels)) < 0.32
    assert (stream.matrix.sum(axis=1) == 8).all()
    sugar = stream.names.index("sugar=high")
    early, late = slice(0, 4000), slice(16_000, 20_000)
    share = [np.nanmean(stream.labels[part][stream.matrix[part, sugar] == 1] > 0) for part in (early, late)]
    assert share[1] > share[0] + 0.02  # buyers mind sugar more at the end


@pytest.mark.parametrize(
    "make",
    [
        lambda: nr.disjunction(3, 5, 10),
        lambda: nr.disjunction(0, 1, 10),
        lambda: nr.k_of_n(5, 3, 10, 10),
        lambda: nr.separable(5, 0.0, 10),
        lambda: nr.separable(1, 0.5, 10),
        lambda: nr.standard_basis(0),
        lambda: nr.inspection_line(-1),
        lambda: nr.inspection_line(10, labelled=1.5),
        lambda: nr.unknown_literal(4, rounds=-1),
    ],
)
def test_bad_sizes(make):
    with pytest.raises(BadParameter):
        make()


def test_passes_repeat_and_shuffles_are_seeded():
    X, y = np.arange(20.0).reshape(10, 2), np.tile([1.0, -1.0], 5)
    stream = nr.from_arrays(X, y)
    twice = [row for b in Passes(stream, 2).batches() for row in b.values.tolist()]
    assert twice == X.tolist() * 2
    mixed = [row for b in Passes(stream, 2, seed=1).batches() for row in b.values.tolist()]
    again = [row for b in Passes(stream, 2, seed=1).batches() for row in b.values.tolist()]
    assert mixed == again and sorted(mixed[:10]) == X.tolist() and mixed[:10] != mixed[10:]


def test_shuffling_text_does_not_invent_a_width(tmp_path):
    (tmp_path / "a.svm").write_text("1 3:1\n-1 5:1 2:1\n", encoding="utf-8")
    kept = in_memory(nr.read(tmp_path / "a.svm"))
    assert kept.width == -1 and [b.width for b in nr.shuffled(kept, 0).batches()] == [-1]


def test_from_rounds_takes_dicts_and_arrays_but_not_both():
    named = nr.from_rounds([({"a": 1.0, "colour": "red"}, -1), ({"b": 2.0, "a": 1.0}, 1), ({}, None)])
    learner = nr.Perceptron()
    ledger = nr.play(named, learner)
    by_hand = nr.Perceptron()
    for x, y in [({"a": 1.0, "colour": "red"}, -1), ({"b": 2.0, "a": 1.0}, 1)]:
        by_hand.learn(x, y)
    assert learner.weights == by_hand.weights and ledger.labelled == 2
    arrays = nr.from_rounds([(np.array([1.0, 0.0]), 1), (np.array([0.0, 1.0]), -1)])
    assert nr.play(arrays, nr.Winnow()).rounds == 2  # the width is known
    with pytest.raises(BadInput, match="keep to one kind"):
        nr.play(nr.from_rounds([({"a": 1.0}, 1), (np.ones(2), 1)]), nr.Perceptron())
    assert nr.play(nr.from_rounds([]), nr.Perceptron()).rounds == 0


def test_dicts_do_not_tell_the_number_of_features():
    with pytest.raises(BadParameter, match="winnow needs threshold"):
        nr.play(nr.from_rounds([({"a": 1.0}, 1)]), nr.Winnow())


def test_names_of_columns_are_distinct():
    with pytest.raises(BadInput, match="two columns have the same name"):
        nr.from_arrays(np.ones((1, 2)), [1], names=["a", "a"])


def test_matrices_that_cannot_be_read_as_they_are():
    X, y = np.eye(2), [1, -1]
    for bad, sentence in (
        (np.ma.masked_equal(X, 1.0), "X is masked in places"),
        (csr_array(np.ones(2)), "X has 1 dimensions"),
        (csr_array(X.astype(complex)), "X holds complex128; it must hold numbers"),
    ):
        with pytest.raises(BadType, match=sentence):
            nr.from_arrays(bad, y)
    with pytest.raises(BadType, match="y is masked in places"):
        nr.from_arrays(X, np.ma.masked_equal(y, 1))
    with pytest.raises(BadType, match="weights is masked in places"):
        nr.from_arrays(X, y, np.ma.masked_equal([1.0, 2.0], 1.0))
    assert len(nr.from_arrays(np.ma.array(X), np.ma.array(y))) == 2  # nothing is masked


@pytest.mark.parametrize("kind", ["string", "str", "object", "Int64"])
def test_labels_of_pandas_that_nobody_told(kind):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    told = [1, None, 2] if kind == "Int64" else ["u", None, "v"]
    labels = nr.from_arrays(np.eye(3), pandas.Series(told, dtype=kind)).labels
    assert np.isnan(labels).tolist() == [False, True, False]


@pytest.mark.parametrize("kind", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_integers_are_converted_a_piece_at_a_time(kind, monkeypatch):
    monkeypatch.setattr("noregret.natures.arrays.CELLS", 40)
    whole = np.random.default_rng(0).integers(0, 3, (50, 7)).astype(np.int8)
    labels = np.where(whole.sum(axis=1) > 6, 1, -1)
    batches = list(nr.from_arrays(kind(whole), labels).batches())
    assert len(batches) >= 5 and all(one.values.size <= 80 for one in batches)
    weights = []
    for matrix in (kind(whole), kind(whole.astype(np.float64))):
        learner = nr.Perceptron()
        nr.play(nr.from_arrays(matrix, labels), learner)
        weights.append(learner.weights)
    assert weights[0] == weights[1]


def test_floats_are_read_where_they_lie():
    whole = csr_array(np.eye(5, dtype=np.float32))
    batch = next(iter(nr.from_arrays(whole, [1, 1, 1, -1, -1]).batches()))
    assert np.shares_memory(batch.values, whole.data) and np.shares_memory(batch.indices, whole.indices)


def test_named_columns_of_which_no_row_had_any_stay_named(tmp_path):
    (tmp_path / "d.vw").write_text("1 |\n-1 |\n1 |\n")
    learner = nr.Perceptron(bias=True)
    nr.play(nr.shuffled(in_memory(nr.read(tmp_path / "d.vw")), 1), learner)
    assert learner.learn({"a": 1.0}, -1)
