import io

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.sparse import csr_array

import noregret as nr
from noregret.errors import BadCommand, BadFile, BadLabel

from .rows import listed, rows_of, written


def packed(**parts):
    with io.BytesIO() as file:
        np.savez(file, **parts)
        return file.getvalue()


def csr_parts(matrix):
    return {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr, "shape": matrix.shape}


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(arrays.arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(1, 5)),
                     elements=st.floats(-1e9, 1e9)), st.data())  # fmt: skip
def test_dense_and_sparse_matrices_are_read_as_they_were_written(tmp_path, X, data):
    y = np.array(data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X))))
    dense = rows_of(written(tmp_path, packed(X=X, y=y), "d.npz"))
    assert [[v for _, v in row] for row, _, _ in dense] == X.tolist() and [
        k for _, k, _ in dense
    ] == y.tolist()
    sparse = csr_array(X)
    found = rows_of(written(tmp_path, packed(**csr_parts(sparse), y=y), "s.npz"))
    assert [row for row, _, _ in found] == [
        [(j, v) for j, v in enumerate(row) if v != 0] for row in X.tolist()
    ]


def test_the_file_and_the_arrays_teach_the_same(tmp_path):
    rng = np.random.default_rng(3)
    X, y, weights = rng.normal(size=(200, 5)), rng.choice([-1, 1], 200), rng.random(200)
    one, other = nr.Perceptron(), nr.Perceptron()
    nr.play(nr.read(written(tmp_path, packed(X=X, y=y, weights=weights), "d.npz")), one)
    nr.play(nr.from_arrays(X, y, weights), other)
    assert one.weights == other.weights


def test_words_booleans_and_missing_labels(tmp_path):
    X = np.eye(2)
    path = written(tmp_path, packed(X=X, y=np.array(["ham", "spam"])), "d.npz")
    assert [k for _, k, _ in rows_of(path, positive="spam")] == [-1.0, 1.0]
    assert [k for _, k, _ in rows_of(written(tmp_path, packed(X=X, y=[True, False]), "b.npz"))] == [1.0, -1.0]
    (_, first, _), (_, second, _) = rows_of(written(tmp_path, packed(X=X, y=[1, np.nan]), "m.npz"))
    assert first == 1.0 and np.isnan(second)
    stream = nr.read(path, label="y", task="multiclass")
    assert [k for _, k, _ in listed(stream)] == [0.0, 1.0] and stream.labels.classes == ["ham", "spam"]


def test_a_label_that_is_nan_is_no_class(tmp_path):
    path = written(tmp_path, packed(X=np.eye(5), y=np.array([0, 1, np.nan, 2, np.nan])), "d.npz")
    stream = nr.read(path, task="multiclass")
    labels = [k for _, k, _ in listed(stream)]
    assert stream.labels.classes == [0, 1, 2] and np.isnan(labels).tolist() == [
        False,
        False,
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("parts", "kind", "sentence"),
    [
        ({"X": np.eye(2)}, BadCommand, "has no array 'y' of labels; it has X"),
        ({"X": np.eye(2), "y": [1]}, BadFile, "there are 2 rows, and 'y' has 1"),
        ({"X": np.ones(3), "y": [1, 1, 1]}, BadFile, "X has 1 dimensions"),
        ({"X": np.array([["a"]]), "y": [1]}, BadFile, "'X' holds <U1; it must hold numbers"),
        ({"X": np.array([[None]], dtype=object), "y": [1]}, BadFile, "cannot be read as .npz"),
        ({"Z": np.eye(2), "y": [1, 1]}, BadFile, "it must have X and y, or data, indices, indptr and y"),
        ({"X": np.eye(2), "y": [3, 4]}, BadLabel, "row 1: '3': a label is 1 or -1"),
        (
            {"data": np.ones(2), "indices": [0, 10**12], "indptr": [0, 2], "y": [1]},
            BadFile,
            "from 0 to 2147483646",
        ),
        (
            {"data": np.ones(2), "indices": [0, 1], "indptr": [0, 9], "y": [1]},
            BadFile,
            "indptr does not rise",
        ),
        (
            {"data": np.ones(2), "indices": [0, 1], "indptr": [2, 0], "y": [1]},
            BadFile,
            "indptr does not rise",
        ),
        (
            {"data": np.ones(1), "indices": [0], "indptr": [0, 1], "y": [1], "format": ["csr", "csc"]},
            BadFile,
            "it must be CSR",
        ),
        ({"data": np.ones(1), "indices": [0.5], "indptr": [0, 1], "y": [1]}, BadFile, "not those of a CSR"),
    ],
)
def test_bad_arrays(tmp_path, parts, kind, sentence):
    with pytest.raises(kind, match=sentence):
        rows_of(written(tmp_path, packed(**parts), "d.npz"))


def test_a_file_that_is_cut_short(tmp_path):
    whole = packed(X=np.eye(50), y=np.ones(50))
    for length in (10, 1000, len(whole) - 30):
        with pytest.raises(BadFile, match="d.npz: it cannot be read as .npz"):
            rows_of(written(tmp_path, whole[:length], "d.npz"))


def test_a_file_of_something_else(tmp_path):
    """numpy would take it for a pickle, and say how to open that."""
    with pytest.raises(BadFile, match=r"d.npz: it cannot be read as .npz \(numpy.savez writes such files\)"):
        rows_of(written(tmp_path, b"a,b,label\n1,2,1\n", "d.npz"))


def test_one_array_alone(tmp_path):
    with io.BytesIO() as file:
        np.save(file, np.eye(2))
        path = written(tmp_path, file.getvalue(), "d.npy")
    with pytest.raises(BadFile, match="it has one array without a name; it must have X and y"):
        rows_of(path)
