"""Record batches as they lie in memory, against what pyarrow and numpy make of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noregret import _core
from noregret.errors import BadFile, BadInput, BadType

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

TAKEN = ["float64", "float32", "int64", "int32", "int8", "uint8"]


@st.composite
def batches(draw):
    """Draw columns of numbers, cut out of longer ones."""
    rows, begin = draw(st.integers(0, 300)), draw(st.integers(0, 5))
    kinds = draw(st.one_of(st.lists(st.sampled_from(TAKEN), max_size=19), st.just(["float64"] * 17)))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    columns = [(100 * rng.normal(size=begin + rows + 3)).astype(kind) for kind in kinds]
    names = [f"c{j}" for j in range(len(columns))]
    whole = pa.record_batch([pa.array(column) for column in columns], names=names)
    wanted = draw(st.permutations(range(len(columns))))
    cut = [columns[j][begin : begin + rows].astype(float) for j in wanted]
    return whole.slice(begin, rows), [names[j] for j in wanted], cut


@settings(max_examples=150, deadline=None)
@given(batches())
def test_rows_are_the_columns_side_by_side(drawn):
    batch, names, columns = drawn
    if not names:
        return
    rows, whole = _core.arrow_numbers(*batch.__arrow_c_array__(), names)
    assert whole and rows.tobytes() == np.column_stack(columns).tobytes()


@st.composite
def batches_with_words(draw):
    """Draw columns of numbers and of words, cut out of longer ones."""
    rows, begin = draw(st.integers(1, 300)), draw(st.integers(0, 5))
    kinds = draw(st.lists(st.sampled_from([*TAKEN, "words"]), min_size=1, max_size=19))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    places = draw(st.sampled_from([pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32()]))
    columns, asked, cells = [], [], []
    for kind in kinds:
        numbers = 100 * rng.random(size=begin + rows + 3)
        if kind == "words":
            codes, table = numbers.astype(np.int32) % 7, rng.integers(0, 1000, 7).astype(float)
            words = pa.array([f"w{k}" for k in range(7)])
            columns.append(pa.DictionaryArray.from_arrays(pa.array(codes, places), words))
            asked.append(table)
            cells.append(table[codes[begin : begin + rows]])
        else:
            columns.append(pa.array(numbers.astype(kind)))
            asked.append(None)
            cells.append(numbers.astype(kind)[begin : begin + rows].astype(float))
    batch = pa.record_batch(columns, names=[f"c{j}" for j in range(len(kinds))])
    return batch.slice(begin, rows), asked, np.column_stack(cells)


@settings(max_examples=150, deadline=None)
@given(batches_with_words())
def test_words_go_where_there_is_room_between_numbers(drawn):
    batch, asked, cells = drawn
    lent = batch.__arrow_c_array__()
    names = batch.schema.names
    numbers = [None if table is not None else name for name, table in zip(names, asked, strict=True)]
    found, whole = _core.arrow_numbers(*lent, numbers)
    assert whole
    for k, table in enumerate(asked):
        assert table is None or _core.arrow_words(*lent, names[k], table, found[:, k])
    assert found.flags.f_contiguous or found.shape[0] == 1 or found.strides[0] == 8
    assert found.tobytes() == cells.tobytes()


@pytest.mark.parametrize(
    "words",
    [
        pa.array(["a", "b"]),
        pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", "b"])),  # places of eight bytes
    ],
)
def test_words_that_are_not_taken_as_they_lie(words):
    batch = pa.record_batch([words], names=["w"])
    table = np.zeros(2)
    assert _core.arrow_words(*batch.__arrow_c_array__(), "w", table, np.empty(2)) is None
    assert _core.arrow_words(*batch.__arrow_c_array__(), "v", table, np.empty(2)) is None


@pytest.mark.parametrize("begin", [0, 3, 11])
def test_missing_numbers_and_words_are_nan(begin):
    rng = np.random.default_rng(begin)
    gone, places = rng.random((2, 40)) < 0.3, rng.integers(0, 3, 40)
    numbers = pa.array(np.arange(40), mask=gone[0])
    words = pa.DictionaryArray.from_arrays(pa.array(places, mask=gone[1], type=pa.int8()), list("abc"))
    batch = pa.record_batch([numbers, words], names=["x", "w"]).slice(begin, 25)
    lent, table = batch.__arrow_c_array__(), np.array([7.0, 8.0, 9.0])
    rows, whole = _core.arrow_numbers(*lent, ["x", None])
    assert not whole
    assert _core.arrow_words(*lent, "w", table, rows[:, 1]) is False
    cut = slice(begin, begin + 25)
    assert np.array_equal(rows[:, 0], np.where(gone[0], np.nan, np.arange(40))[cut], equal_nan=True)
    assert np.array_equal(rows[:, 1], np.where(gone[1], np.nan, table[places])[cut], equal_nan=True)


def test_a_word_that_is_not_in_the_list():
    words = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int32()), pa.array(["a", "b"]))
    batch = pa.record_batch([words], names=["w"])
    with pytest.raises(BadFile, match="a cell points behind its list of words"):
        _core.arrow_words(*batch.__arrow_c_array__(), "w", np.zeros(1), np.empty(3))
    with pytest.raises(BadInput, match="there are 3 rows"):
        _core.arrow_words(*batch.__arrow_c_array__(), "w", np.zeros(2), np.empty(2))


@pytest.mark.parametrize("at", [0, 7, 126, 128, 130])
@pytest.mark.parametrize("width", [1, 8, 9])
def test_a_missing_cell_is_seen_wherever_it_is(at, width):
    for column in range(width):
        cells = np.ones((131, width))
        cells[at, column] = np.nan
        batch = pa.record_batch(
            [pa.array(cells[:, j]) for j in range(width)], names=list("abcdefghi")[:width]
        )
        rows, whole = _core.arrow_numbers(*batch.__arrow_c_array__(), batch.schema.names)
        assert not whole and np.array_equal(rows, cells, equal_nan=True)


@pytest.mark.parametrize(
    "column",
    [
        pa.array([True, False]),
        pa.array(["1", "2"]),
        pa.array([1, 2], pa.uint64()),
        pa.array([1, 2]).dictionary_encode(),
    ],
    ids=str,
)
def test_other_columns_are_left_to_pyarrow(column):
    lent = pa.record_batch([column], names=["a"]).__arrow_c_array__
    assert _core.arrow_numbers(*lent(), ["a"]) is None
    assert _core.arrow_places(*lent(), "a") is None
    assert _core.arrow_numbers(*lent(), ["b"]) is None


@given(st.lists(st.sampled_from([1.0, -1.0, 0.0, 2.5, 7.0]), max_size=60), st.sampled_from(TAKEN))
def test_places_are_in_the_order_of_their_coming(cells, kind):
    require_places(np.array(cells).astype(kind))


@pytest.mark.parametrize("kind", TAKEN)
@pytest.mark.parametrize("others", [0, 1, 5])
def test_places_of_long_columns_in_which_others_are_rare(kind, others):
    rng = np.random.default_rng(others)
    cells = rng.choice([1.0, 0.0], 700)
    cells[rng.integers(0, 700, others)] = 7.0
    require_places(cells.astype(kind))


def require_places(cells):
    places, values = _core.arrow_places(
        *pa.record_batch([pa.array(cells)], names=["y"]).__arrow_c_array__(), "y"
    )
    assert values == list(dict.fromkeys(cells.tolist()))
    assert [values[place] for place in places] == cells.tolist()
    assert all(type(value) is type(cell) for value, cell in zip(values, cells.tolist(), strict=False))


def test_many_values_and_nan_are_no_list():
    for cells in (np.arange(17), np.array([1.0, np.nan])):
        assert (
            _core.arrow_places(*pa.record_batch([pa.array(cells)], names=["y"]).__arrow_c_array__(), "y")
            is None
        )


def test_what_is_no_record_batch_is_refused():
    with pytest.raises(BadType, match="not a record batch"):
        _core.arrow_numbers(*pa.array([1.0]).__arrow_c_array__(), ["a"])
    schema, array = pa.record_batch([pa.array([1.0])], names=["a"]).__arrow_c_array__()
    with pytest.raises(ValueError, match="name"):
        _core.arrow_numbers(array, schema, ["a"])
