import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret.errors import BadInput, BadType
from noregret.examples import entries
from noregret.rounds import Batch, Nature, Stream


def test_entries_reads_like_a_learner():
    assert entries({"size": 3, "colour": "red", "ripe": True}) == [
        ("size", 3.0),
        ("colour=red", 1.0),
        ("ripe", 1.0),
    ]
    assert entries(np.array([0.5, 0.0])) == [(0, 0.5), (1, 0.0)]
    assert entries(csr_array(([2.0], ([0], [7])), shape=(1, 9))) == [(7, 2.0)]
    with pytest.raises(BadType, match="x is a list"):
        entries([1.0])


def test_a_batch_gives_its_rounds_and_its_parts():
    batch = next(nr.from_arrays(np.arange(6.0).reshape(3, 2), [1, -1, None], weights=[1, 2, 3]).batches())
    rounds = list(batch.rounds())
    assert [r.y for r in rounds] == [1.0, -1.0, None]
    assert [r.weight for r in rounds] == [1.0, 2.0, 3.0]
    part = batch.part(1, 3)
    assert len(part) == 2 and part.values[0].tolist() == [2.0, 3.0] and part.where(0) == "row 1"
    assert batch.part(0, 3) is batch


def test_parts_of_sparse_batches_share_memory():
    X = csr_array(np.array([[0, 1.0], [2.0, 0], [0, 3.0]]))
    batch = next(nr.from_arrays(X, [1, 1, -1]).batches())
    part = batch.part(1, 2)
    assert part.row(0) == [(0, 2.0)]
    assert np.shares_memory(part.values, X.data)


def test_dense_and_csr_go_to_the_core_without_a_copy():
    for X in (np.ones((4, 3)), np.ones((4, 3), dtype=np.float32), np.asfortranarray(np.ones((4, 3)))):
        assert np.shares_memory(next(nr.from_arrays(X, [1, 1, -1, -1]).batches()).values, X)
    X = csr_array(np.ones((4, 3)))
    assert np.shares_memory(next(nr.from_arrays(X, [1, 1, -1, -1]).batches()).values, X.data)


def test_protocols_tell_streams_from_natures():
    class Liar:
        def pose(self): ...
        def reveal(self, prediction): ...

    assert isinstance(nr.from_arrays(np.ones((1, 1)), [1]), Stream)
    assert isinstance(Liar(), Nature) and not isinstance(Liar(), Stream)


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        (np.ones((2, 2)), [1], "there are 2 rows and 1 labels"),
        (np.ones(3), [1, 1, 1], "X has 1 dimensions"),
        (np.array([["a"]]), [1], "must hold numbers"),
        (np.ones((1, 1)), [{"spam"}], "labels must be numbers or strings"),
    ],
)
def test_bad_arrays_are_refused(X, y, sentence):
    with pytest.raises(BadInput, match=sentence):
        nr.from_arrays(X, y)


def test_names_must_fit_the_columns():
    with pytest.raises(BadInput, match="2 columns and 1 names"):
        nr.from_arrays(np.ones((1, 2)), [1], names=["a"])


def test_broken_sparse_matrices_do_not_reach_memory():
    batch = Batch(np.ones(2), np.ones(1), np.array([0, 1], dtype=np.int64), np.array([0, 5], dtype=np.int64))
    with pytest.raises(BadInput, match="indptr"):
        batch.matrix()
    falling = Batch(
        np.ones(2), np.ones(2), np.array([0, 1], dtype=np.int64), np.array([0, 2, 1], dtype=np.int64)
    )
    with pytest.raises(BadInput, match="indptr"):
        falling.matrix()
