"""Rows laid out over columns that are numbered as their features first occur."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret import _core
from noregret.errors import BadInput


def laid(stream, columns=None, wanted=None):
    """The rows of a stream by feature, and the columns."""
    columns = _core.FeatureColumns() if columns is None else columns
    rows = []
    for batch in stream.batches():
        mask = np.ones(len(batch), dtype=np.uint8) if wanted is None else wanted
        values, places, starts = columns.lay(batch.matrix(), mask)
        names = columns.features
        assert values.dtype == np.float64 and starts[0] == 0 and starts[-1] == len(values) == len(places)
        for begin, end in pairwise(starts.tolist()):
            row = list(zip([names[k] for k in places[begin:end]], values[begin:end].tolist(), strict=True))
            assert len(dict(row)) == len(row) and all(value != 0.0 for _, value in row)
            rows.append(dict(row))
    return rows, columns


def test_columns_are_numbered_as_features_occur():
    rows, columns = laid(nr.from_arrays([[0.0, 0.0, 7.0], [5.0, 0.0, 1.0]], [1, -1]))
    assert rows == [{2: 7.0}, {0: 5.0, 2: 1.0}]
    assert columns.features == [2, 0] and len(columns) == 2
    assert [columns.add(feature) for feature in (0, 1, 2)] == [1, 2, 0]
    again, _ = laid(nr.from_arrays([[1.0, 2.0, 3.0]], [1]), columns)
    assert again == [{0: 1.0, 1: 2.0, 2: 3.0}] and columns.features == [2, 0, 1]


def test_repeats_add_up_and_zeros_are_dropped(tmp_path):
    X = csr_array((3, 6))
    X.indptr, X.indices = np.array([0, 4, 6, 9]), np.array([3, 1, 3, 5, 2, 2, 4, 0, 4])
    X.data = np.array([1.0, 0.0, 2.5, -1.0, 3.0, -3.0, 1.0, 2.0, 1e-3])
    rows, columns = laid(nr.from_arrays(X, [1, 1, 1]))
    assert rows == [{3: 3.5, 5: -1.0}, {}, {4: 1.001, 0: 2.0}]
    assert columns.features == [3, 5, 2, 4, 0]  # a sum of 0 has met its feature
    (tmp_path / "d.svm").write_text("1 7:1 9:2 7:0.5\n-1 9:0\n")
    assert laid(nr.read(tmp_path / "d.svm"))[0] == [{7: 1.5, 9: 2.0}, {}]
    (tmp_path / "d.vw").write_text("1 |n a:1 b a:2 |n a:0.5\n-1 |m c\n")
    found, columns = laid(nr.read(tmp_path / "d.vw"))
    assert [sorted(row.values()) for row in found] == [[1.0, 3.5], [1.0]] and len(columns) == 3


def test_names_and_numbers_are_not_mixed():
    named, columns = laid(nr.from_rounds([({"a": 1.0, "b": 0.0}, 1), ({"c": 2.0, "a": 3.0}, -1)]))
    assert named == [{"a": 1.0}, {"c": 2.0, "a": 3.0}] and columns.features == ["a", "c"]
    with pytest.raises(BadInput, match="keep to one kind"):
        laid(nr.from_arrays([[1.0]], [1]), columns)
    assert columns.add("c") == 1 and columns.add("new") == 2
    with pytest.raises(BadInput, match="keep to one kind"):
        columns.add(3)


def test_a_name_keeps_its_column_from_batch_to_batch():
    columns = _core.FeatureColumns()
    first, _ = laid(nr.from_arrays([[1.0, 2.0]], [1], names=["x", "y"]), columns)
    second, _ = laid(nr.from_arrays([[3.0, 4.0, 5.0]], [1], names=["y", "z", "x"]), columns)
    assert first == [{"x": 1.0, "y": 2.0}] and second == [{"y": 3.0, "z": 4.0, "x": 5.0}]
    assert columns.features == ["x", "y", "z"]


@pytest.mark.parametrize("far", [2**20 - 1, 2**20, 2**31 - 2])
def test_large_numbers_are_features_as_well(far, tmp_path):
    (tmp_path / "d.svm").write_text(f"1 0:1 {far}:2\n-1 {far}:3 5:1\n1 {far}:1 {far}:1\n")
    rows, columns = laid(nr.read(tmp_path / "d.svm"))
    assert rows == [{0: 1.0, far: 2.0}, {far: 3.0, 5: 1.0}, {far: 2.0}]
    assert columns.features == [0, far, 5] and columns.add(far) == 1
    with pytest.raises(BadInput):
        columns.add(2**31 - 1)


def test_tables_with_holes_and_words(tmp_path):
    (tmp_path / "d.csv").write_text("y,a,b,colour\n1,1.5,,red\n0,,2,blue\n1,0,,\n0,3,4,red\n")
    rows, _ = laid(nr.read(tmp_path / "d.csv", label="y"))
    assert rows == [
        {"a": 1.5, "colour=red": 1.0},
        {"b": 2.0, "colour=blue": 1.0},
        {},
        {"a": 3.0, "b": 4.0, "colour=red": 1.0},
    ]


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.int8, bool])
@pytest.mark.parametrize("sparse", [True, False])
def test_numbers_of_any_kind_are_doubles_afterwards(kind, sparse):
    X = np.array([[1, 0, 3], [0, 0, 0], [0, 5, 1]]).astype(kind)
    rows, _ = laid(nr.from_arrays(csr_array(X) if sparse else X, [1, 1, -1]))
    assert rows == [{j: float(v) for j, v in enumerate(row) if v} for row in X.tolist()]


def test_only_the_wanted_rows_are_laid_out():
    stream = nr.from_arrays(np.diag([1.0, 2.0, 3.0]), [1, 1, 1])
    rows, columns = laid(stream, wanted=np.array([0, 1, 1], dtype=np.uint8))
    assert rows == [{1: 2.0}, {2: 3.0}] and columns.features == [1, 2]


def test_a_row_that_no_learner_takes_is_laid_out_empty():
    X = np.array([[1.0, 2.0], [np.nan, 3.0], [1.0, np.inf], [4.0, 0.0]])
    assert laid(nr.from_arrays(X, [1, 1, 1, 1]))[0] == [{0: 1.0, 1: 2.0}, {}, {}, {0: 4.0}]


def test_many_rows_with_repeats_are_what_a_dict_makes_of_them():
    rng = np.random.default_rng(0)
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, 9, 400))])
    X = csr_array((400, 12))
    X.indptr, X.indices = starts, rng.integers(0, 12, starts[-1])
    X.data = rng.integers(-2, 3, starts[-1]).astype(float)
    columns = _core.FeatureColumns()
    for begin in (0, 150, 151):  # the stamps of one block mean nothing in another
        rows, _ = laid(nr.from_arrays(X[begin:] if begin else X, np.ones(400 - begin)), columns)
        for r, row in enumerate(rows, start=begin):
            expected = {}
            for k in range(starts[r], starts[r + 1]):
                expected[int(X.indices[k])] = expected.get(int(X.indices[k]), 0.0) + float(X.data[k])
            assert row == {feature: value for feature, value in expected.items() if value != 0.0}
