import io
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret.cli import app
from noregret.data import features
from noregret.errors import BadCommand, BadFile, BadInput, BadType, NoregretError

from .rows import listed, rows_of, written

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
feather = pytest.importorskip("pyarrow.feather", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

TABLE = pa.table(
    {
        "x": [1.0, None, math.nan],
        "n": pa.array([1, 2, 3], pa.int8()),
        "c": pa.array(["a", "b", None]).dictionary_encode(),
        "b": [True, False, None],
        "y": [1, 0, None],
        "t": ["Hi ho", "", None],
    }
)
ROWS = [
    ([("x", 1.0), ("n", 1.0), ("c=a", 1.0), ("b", 1.0), ("t=hi", 1.0), ("t=ho", 1.0)], 1.0),
    ([("n", 2.0), ("c=b", 1.0), ("b", 0.0)], -1.0),
    ([("n", 3.0)], None),
]


def told(rows):
    return [(features, None if math.isnan(label) else label) for features, label, _ in rows]


def as_stream(table):
    with io.BytesIO() as sink:
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        return sink.getvalue()


def test_every_kind_of_file(tmp_path):
    parquet.write_table(TABLE, tmp_path / "a.parquet")
    feather.write_feather(TABLE, tmp_path / "a.feather")
    written(tmp_path, as_stream(TABLE), "a.arrow")
    for name in ("a.parquet", "a.feather", "a.arrow"):
        stream = nr.read(tmp_path / name, text="t")
        assert told(listed(stream)) == ROWS
        assert stream.describe().endswith(
            "1 categorical column (c), 3 numbers (x, n, b), 1 text column (t); label 'y'"
        )
        assert stream.settled.kinds["c"] == "categorical"


def test_tables_in_memory():
    assert told(listed(nr.from_table(TABLE, text=["t"]))) == ROWS
    with pytest.raises(BadType, match="a list is not a table"):
        nr.from_table([1, 2])


def test_pandas_and_polars():
    columns = {"x": [0.5, 1.5], "w": ["u", "v"], "y": ["ham", "spam"]}
    expected = [([("x", 0.5), ("w=u", 1.0)], -1.0), ([("x", 1.5), ("w=v", 1.0)], 1.0)]
    for library, make in (("pandas", "DataFrame"), ("polars", "DataFrame")):
        module = pytest.importorskip(library, reason=f"{library} is not installed")
        assert told(listed(nr.from_table(getattr(module, make)(columns), positive="spam"))) == expected


@pytest.mark.parametrize("name", [None, "id"])
def test_the_index_of_pandas_is_left_out_unless_it_is_named(tmp_path, name):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    index = pandas.Index(["u", "v"] if name else [7, 3], name=name)
    frame = pandas.DataFrame({"x": [0.5, 1.5], "y": [1, -1]}, index=index)
    frame.to_parquet(path := tmp_path / "a.parquet")
    called = name or "__index_level_0__"
    for make in (lambda **said: nr.from_table(frame, **said), lambda **said: nr.read(path, **said)):
        stream = make()
        assert told(listed(stream)) == [([("x", 0.5)], 1.0), ([("x", 1.5)], -1.0)]
        assert stream.describe().endswith(f": 1 number (x), 1 column left out ({called}); label 'y'")
        assert stream.settled.kinds[called] == "drop"
        first = told(listed(make(categorical=[called])))[0][0]
        assert first == [("x", 0.5), (f"{called}={index[0]}", 1.0)]
    labels = nr.from_table(frame, label=called, task="multiclass", drop=["y"])
    assert [row for row, _, _ in listed(labels)] == [[("x", 0.5)], [("x", 1.5)]]
    assert labels.settled.label == called


def test_an_index_of_dates_needs_no_word_about_it():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"x": [0.5], "y": [1]}, index=pandas.to_datetime(["2020-01-01"]))
    assert told(listed(nr.from_table(frame))) == [([("x", 0.5)], 1.0)]


def test_columns_that_pandas_calls_by_numbers():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame([[0.5, 2.0, 1], [1.5, 3.0, -1]])
    assert told(listed(nr.from_table(frame, label=2, drop=[0]))) == [
        ([("1", 2.0)], 1.0),
        ([("1", 3.0)], -1.0),
    ]


def test_words_that_spell_numbers():
    table = pa.table({"x": ["1", "NA", None, " 2.5"], "y": [1, 1, 1, -1]})
    for one in (table, table.set_column(0, "x", table["x"].dictionary_encode())):
        rows = [row for row, _, _ in listed(nr.from_table(one, numeric=["x"]))]
        assert rows == [[("x", 1.0)], [], [], [("x", 2.5)]]
    odd = pa.table({"x": ["1"] * 300 + ["inf"], "y": [1] * 301})
    with pytest.raises(BadFile, match="the table, row 301: 'inf': column 'x' holds finite numbers"):
        listed(nr.from_table(odd, numeric=["x"]))


def test_categories_that_are_numbers_keep_every_digit():
    table = pa.table({"id": [1234567.0, 1234568.0, 0.1234567], "y": [1, 1, -1]})
    rows = [row for row, _, _ in listed(nr.from_table(table, categorical=["id"]))]
    assert rows == [[("id=1234567", 1.0)], [("id=1234568", 1.0)], [("id=0.1234567", 1.0)]]


@pytest.mark.parametrize("rows", [2, 40])
def test_a_list_of_words_that_is_longer_than_the_table(rows):
    polars = pytest.importorskip("polars")
    words = [f"a{k}" for k in range(20)]
    drawn = [words[7 * k % 20] if k % 5 else None for k in range(rows)]
    for kind in (polars.Enum(words), polars.Categorical, polars.String):
        table = polars.DataFrame({"c": polars.Series(drawn, dtype=kind), "y": [k % 2 for k in range(rows)]})
        learner = nr.Perceptron()
        nr.play(nr.from_table(table, label="y"), learner)
        plain = nr.Perceptron()
        for word, y in zip(drawn, table["y"], strict=True):
            plain.learn({} if word is None else {"c": word}, 2 * y - 1)
        assert learner.weights == plain.weights
    labels = polars.DataFrame({"x": [1.0, 2.0], "y": polars.Series(["a3", "a1"], dtype=polars.Enum(words))})
    stream = nr.from_table(labels, label="y", task="multiclass")
    assert [batch.classes for batch in stream.batches()] == [["a3", "a1"]]


@pytest.mark.parametrize("kind", ["memory", "parquet"])
def test_lists_of_words_that_change_from_part_to_part(tmp_path, kind):
    lists = [["a", "b"], ["a", "b"], ["b", "a"], ["a", "b", "c"], ["b", "a"], ["c"]]
    cells = [words[k % len(words)] for words in lists for k in range(5)]
    parts = [pa.array(words).take(pa.array([k % len(words) for k in range(5)])) for words in lists]
    columns = {"c": pa.chunked_array([part.dictionary_encode() for part in parts])}
    columns |= {"d": pa.array(cells).dictionary_encode(), "x": np.arange(30.0), "y": [1, -1] * 15}
    table = pa.table(columns)
    if kind == "memory":
        stream = nr.from_table(table)
    else:
        parquet.write_table(table, tmp_path / "t.parquet", row_group_size=5)
        stream = nr.read(tmp_path / "t.parquet")
    wanted = [[(f"c={word}", 1.0), (f"d={word}", 1.0), ("x", float(k))] for k, word in enumerate(cells)]
    assert [features for features, *_ in listed(stream)] == wanted


def test_categories_of_polars():
    polars = pytest.importorskip("polars", reason="polars is not installed")
    for kind in (polars.Categorical, polars.Enum(["ham", "spam"])):
        words = polars.Series(["ham", None, "spam"], dtype=kind)
        table = polars.DataFrame({"w": words, "y": words})
        expected = [([("w=ham", 1.0)], -1.0), ([], None), ([("w=spam", 1.0)], 1.0)]
        assert told(listed(nr.from_table(table, positive="spam"))) == expected


def test_a_reader_is_used_up_and_not_replayed():
    reader = pa.RecordBatchReader.from_batches(TABLE.schema, TABLE.to_batches())
    stream = nr.from_table(reader, text=["t"])
    assert stream.replayable is False and told(listed(stream)) == ROWS


def test_numbers_alone_are_dense_rows_of_the_same_bits():
    X = np.random.default_rng(5).normal(size=(20_000, 3))
    y = np.where(X[:, 0] > 0, 1, -1)
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": y})
    stream = nr.from_table(table)
    assert all(batch.indices is None for batch in stream.batches())
    one, other = nr.Perceptron(), nr.Perceptron()
    nr.play(stream, one)
    nr.play(nr.from_arrays(X, y, names=["a", "b", "c"]), other)
    assert one.weights == other.weights and len(one.weights) == 3


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1.0, math.nan, 2.0]).dictionary_encode(),
        pa.array([1, None, 2]).dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], pa.int8()), pa.array([1.0, None, 2.0])),
    ],
    ids=str,
)
def test_numbers_in_a_dictionary_may_be_missing(column):
    rows = [features for features, _, _ in listed(nr.from_table(pa.table({"a": column, "y": [1, -1, 1]})))]
    assert rows == [[("a", 1.0)], [], [("a", 2.0)]]


def test_a_reader_gives_its_rows_once():
    stream = nr.from_table(TABLE.to_reader(), text=["t"])
    assert len(listed(stream)) == 3
    with pytest.raises(BadInput, match="a reader gives its rows once"):
        listed(stream)


def test_infinity_is_refused_at_its_row():
    with pytest.raises(BadInput, match="the table, row 2: feature 'x' is inf"):
        nr.play(nr.from_table(pa.table({"x": [1.0, math.inf], "y": [1, 1]})), nr.Perceptron())


@pytest.mark.parametrize(
    ("columns", "options", "kind", "sentence"),
    [
        (
            {"x": [[1], [2]], "y": [1, 0]},
            {},
            BadFile,
            "column 'x' holds list<.*>, which is neither a number nor a word; .* drop=..x..",
        ),
        (
            {"x": [1, 2], "z": [1, 0]},
            {"label": "y"},
            BadCommand,
            "has no column 'y'; .*it has x, z|did you mean",
        ),
        ({"x": [1, 2], "z": [1, 0]}, {}, BadCommand, "say which column is the label"),
        ({"x": [1, 2], "y": ["a", "b"]}, {}, BadInput, "row 1: 'a': .*positive='a' or positive='b'"),
    ],
)
def test_bad_tables(columns, options, kind, sentence):
    with pytest.raises(kind, match=sentence):
        listed(nr.from_table(pa.table(columns), **options))


def test_damaged_files(tmp_path):
    parquet.write_table(TABLE, tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    for name, data in (
        ("cut.parquet", whole[:-20]),
        ("a.arrow", as_stream(TABLE)[:150]),
        ("b.arrow", b"ARROW1\0\0x"),
    ):
        with pytest.raises(BadFile, match=f"{name}: it cannot be read as"):
            rows_of(written(tmp_path, data, name))


CELLS = st.none() | st.floats(allow_infinity=False, allow_nan=False)
WORDS = st.none() | st.text(st.characters(blacklist_categories=("Cs",)), max_size=5)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(st.tuples(CELLS, WORDS, st.sampled_from([0, 1])), min_size=1, max_size=10))
def test_what_is_written_is_read(tmp_path, rows):
    numbers, words, labels = zip(*rows, strict=True)
    table = pa.table(
        {
            "n": pa.array(numbers, pa.float64()),
            "w": pa.array(words, pa.string()),
            "y": pa.array(labels, pa.int8()),
        }
    )
    parquet.write_table(table, tmp_path / "h.parquet")
    expected = [
        ([("n", n)] * (n is not None) + [(f"w={w}", 1.0)] * (w is not None), 2.0 * y - 1) for n, w, y in rows
    ]
    assert told(rows_of(tmp_path / "h.parquet")) == expected


def stored(tmp_path, name, columns):
    parquet.write_table(pa.table(columns), tmp_path / name)
    return tmp_path / name


def test_columns_of_several_files_are_what_they_were_in_the_first(tmp_path):
    first = stored(tmp_path, "1.parquet", {"n": [1, 2], "w": ["a", "b"], "y": [1, 0]})
    other = stored(tmp_path, "2.parquet", {"y": [1, 0], "w": [5, 6], "n": pa.nulls(2), "z": [0.5, 1.5]})
    stream = nr.read([first, other])
    assert [row for row, *_ in listed(stream)] == [
        [("n", 1.0), ("w=a", 1.0)],
        [("n", 2.0), ("w=b", 1.0)],
        [("w=5", 1.0), ("z", 0.5)],
        [("w=6", 1.0), ("z", 1.5)],
    ]
    assert dict(stream.columns.kinds) == {"n": "numeric", "w": "categorical", "y": "label", "z": "numeric"}


@pytest.mark.parametrize("column", ["n", "w", "y"])
@pytest.mark.parametrize("cells", [pa.array([0, 1], pa.timestamp("s")), pa.array([[1], [2]])])
def test_a_later_file_with_other_types(tmp_path, column, cells):
    columns = {"n": [1, 2], "w": ["a", "b"], "y": [1, 0]}
    first = stored(tmp_path, "1.parquet", columns)
    other = stored(tmp_path, "2.parquet", columns | {column: cells})
    with pytest.raises(BadFile, match=f"2.parquet: column '{column}' holds .*neither a number nor a word"):
        rows_of([first, other])


def test_a_column_without_a_cell_or_a_type(tmp_path):
    table = pa.table({"x": pa.nulls(2), "y": [1, 0]})
    with pytest.raises(BadFile, match="column 'x' has no cell.*--numeric x or --categorical x.*--drop x"):
        listed(nr.from_table(table))
    for kind in ("numeric", "categorical", "text", "drop"):
        assert listed(nr.from_table(table, **{kind: ["x"]})) == [([], 1.0, 1.0), ([], -1.0, 1.0)]


def test_text_that_is_numbers():
    table = pa.table({"x": [1.5, None, math.nan], "n": [7, 8, None], "y": [1, 0, 1]})
    rows = [row for row, *_ in listed(nr.from_table(table, text=["x", "n"]))]
    assert rows == [[("x=1", 1.0), ("x=5", 1.0), ("n=7", 1.0)], [("n=8", 1.0)], []]


def test_places_that_point_anywhere_are_refused(tmp_path):
    """Every byte of a file in turn: rows or a refusal, and never a crash."""
    whole = as_stream(pa.table({"c": pa.array(["a", "b"]).dictionary_encode(), "t": ["x", "y"], "y": [1, 0]}))
    for at in range(0, len(whole), 3):
        damaged = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        try:
            rows_of(written(tmp_path, damaged, "damaged.arrow"))
        except NoregretError as problem:
            assert "damaged.arrow" in str(problem)


def test_a_word_among_numbers_is_one_bad_row(tmp_path, capsys):
    columns = {"a": ["1", "x", "3", "inf", "5"], "b": ["1", "2", "y", "z", "5"], "y": [1, 0, 1, 0, 1]}
    path = stored(tmp_path, "words.parquet", columns)
    with pytest.raises(BadFile, match="words.parquet, row 2: 'x': column 'a' holds finite numbers"):
        rows_of(path, numeric=["a", "b"])
    stream = nr.read(path, numeric=["a", "b"], on_bad_row="skip")
    (batch,) = stream.batches()
    assert [batch.row(r) for r in range(2)] == [[("a", 1.0), ("b", 1.0)], [("a", 5.0), ("b", 5.0)]]
    assert batch.labels.tolist() == [1.0, 1.0] and batch.where(1) == f"{path}, row 5"
    assert stream.skipped == 3
    assert [fault.split(", ")[1].split(":")[0] for fault in stream.faults] == ["row 2", "row 3", "row 4"]
    assert "row 4: 'inf': column 'a'" in stream.faults[2]
    model = str(tmp_path / "m.model")
    options = ["--on-bad-row", "skip", "-q"]
    assert app.run(["run", str(path), "-l", "perceptron", "--numeric", "a,b", "--save", model, *options]) == 0
    assert app.run(["predict", model, str(path), *options]) == 0
    assert capsys.readouterr().out.splitlines() == ["1", "?", "?", "?", "1"]


def test_the_rows_before_a_word_among_numbers_are_played():
    table = pa.table({"a": ["1", "2", "x"], "y": [1, 0, 1]})
    batches = nr.from_table(table, numeric=["a"]).batches()
    assert len(next(batches)) == 2
    with pytest.raises(BadFile, match="row 3: 'x'"):
        next(batches)


def test_words_of_a_table_beyond_the_most_names_are_left_out_and_counted(monkeypatch):
    monkeypatch.setattr(features, "MOST_NAMES", 3)  # x, w=a, w=b
    table = pa.table(
        {
            "x": [1.0, 2.0, 3.0, 4.0, 5.0],
            "w": pa.array(["a", "b", "c", "a", "d"]).dictionary_encode(),
            "y": [1, -1, 1, -1, 1],
        }
    )
    stream = nr.from_table(table, label="y")
    rows = [row for batch in stream.batches() for row in map(batch.row, range(len(batch)))]
    assert [len(row) for row in rows] == [2, 2, 1, 2, 1]
    assert rows[3] == [("x", 4.0), ("w=a", 1.0)]
    assert stream.left_out == 2
    assert nr.play(stream, nr.Perceptron()).rounds == 5
