"""The sample on which witnesses are searched for: repeatable, within its limits, uniform."""

import numpy as np
import pytest

import noregret as nr
from noregret import _core
from noregret.sample import Sample, joined, select

from .streams import Pieces, binary


def sampled(stream, rows=1 << 17, values=2_000_000):
    sample = Sample(_core.FeatureColumns(), rows, values)
    for batch in stream.batches():
        sample.add(batch)
    return sample


def numbered(rounds, width=1):
    """Rows that hold their own number, so that a sample tells which they were."""
    X = np.repeat(np.arange(1.0, rounds + 1.0)[:, None], width, axis=1)
    return nr.from_arrays(X, np.where(np.arange(rounds) % 3 == 0, 1.0, -1.0))


def test_a_short_stream_is_its_own_sample():
    sample = sampled(binary(50))
    assert sample.is_everything and sample.share == 1.0 and sample.rounds == 50
    assert sample.numbers.tolist() == list(range(50))
    assert sample.labels.tolist() == binary(50).labels.tolist()
    values, columns, starts = sample.cells
    assert values.reshape(50, 4).tolist() == binary(50).matrix.tolist()
    assert columns.reshape(50, 4).tolist() == [[0, 1, 2, 3]] * 50 and starts.tolist() == list(
        range(0, 201, 4)
    )


@pytest.mark.parametrize("size", [1, 7, 1000, 10_000])
def test_the_same_rows_are_drawn_however_they_come(size):
    once, again = sampled(numbered(5000), rows=300), sampled(Pieces(numbered(5000), size), rows=300)
    assert once.numbers.tolist() == again.numbers.tolist()
    assert once.cells[0].tolist() == again.cells[0].tolist() == (once.numbers + 1.0).tolist()
    assert once.labels.tolist() == [1.0 if k % 3 == 0 else -1.0 for k in once.numbers.tolist()]


@pytest.mark.parametrize(("rows", "values"), [(100, 10**6), (10**6, 300), (1, 10**6), (10**6, 2)])
def test_its_limits_are_kept(rows, values):
    sample = sampled(numbered(4000, width=3), rows, values)
    assert len(sample.labels) <= rows and len(sample.cells[0]) <= values
    assert sample.rounds == 4000 and not sample.is_everything
    if min(rows, values) >= 100:  # a threshold is halved only when there are too many
        assert len(sample.labels) > 0.3 * min(rows, values / 3)


def test_every_row_is_as_likely_as_any_other():
    """Tenths of the stream, and rows by their number modulo small numbers, have their share."""
    sample = sampled(numbered(100_000), rows=20_000)
    drawn, share = sample.numbers, sample.share
    assert 0.09 < share <= 0.2
    for count in (10, 2, 3, 7, 64):
        for part in (drawn * count // 100_000, drawn % count):
            found = np.bincount(part, minlength=count)
            expected = len(drawn) / count
            assert np.abs(found - expected).max() < 5.0 * np.sqrt(expected)


def test_rows_without_a_label_are_not_drawn():
    stream = nr.from_arrays(np.arange(1.0, 11.0)[:, None], [1, None, -1, None, None, 1, 1, -1, None, 1])
    sample = sampled(stream)
    assert sample.rounds == 6 and sample.numbers.tolist() == [0, 1, 2, 3, 4, 5]
    assert sample.cells[0].tolist() == [1.0, 3.0, 6.0, 7.0, 8.0, 10.0]


@pytest.mark.parametrize("words", [True, False])
def test_classes_are_found_again_by_what_they_mean(words):
    meaning = ["cow", "cat", "dog"] if words else [5, 2, 9]
    labels = [meaning[k] for k in (0, 1, 2, 1, 0)]
    sample = sampled(nr.from_arrays(np.ones((5, 1)), labels))
    assert sample.places(sorted(meaning)).tolist() == [sorted(meaning).index(one) for one in labels]
    assert sample.places(meaning[:1]).tolist() == [0, -1, -1, -1, 0]


def test_rows_are_chosen_and_put_together():
    cells = (np.array([1.0, 2.0, 3.0]), np.array([0, 2, 1], dtype=np.int32), np.array([0, 2, 2, 3]))
    some = select(cells, np.array([True, False, True]))
    assert [part.tolist() for part in some] == [[1.0, 2.0, 3.0], [0, 2, 1], [0, 2, 3]]
    both = joined([cells, some])
    assert both[2].tolist() == [0, 2, 2, 3, 5, 6] and both[1].tolist() == [0, 2, 1, 0, 2, 1]
    assert [part.tolist() for part in joined([])] == [[], [], [0]]
