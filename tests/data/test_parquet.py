"""Parquet files a page at a time, against pyarrow's reading of them."""

import inspect
import random
import re
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret import _core
from noregret.cli.app import run
from noregret.data import parquet as paged
from noregret.errors import BadCommand, BadFile, BadInput

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

KINDS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double"]
KINDS += ["string", "large_string"]
# A file's ways of keeping its cells that the core reads itself.
CODECS = ["none", "snappy", "zstd", "gzip", "brotli"]


@pytest.fixture(autouse=True)
def no_group_is_too_small(monkeypatch):
    monkeypatch.setattr(paged, "FEW", 0)


def column(kind, rows, missing, different, rng):
    """Draw the cells of a column: as many different ones as told, and some missing."""
    if kind in ("string", "large_string"):
        words = [rng.choice(["", "a", "ä", "word", "x" * 50]) + str(k) for k in range(different)]
        cells = [rng.choice(words) for _ in range(rows)]
    elif kind == "bool":
        cells = [rng.random() < 0.5 for _ in range(rows)]
    else:
        most = 100 if "8" in kind else 30_000
        numbers = [rng.randrange(0 if kind.startswith("u") else -most, most) for _ in range(different)]
        cells = [rng.choice(numbers) for _ in range(rows)]
        cells = [cell / 7 for cell in cells] if kind in ("float", "double") else cells
    gone = [rng.random() < missing for _ in range(rows)]
    return pa.array([None if out else cell for cell, out in zip(cells, gone, strict=True)], kind_of(kind))


def kind_of(kind):
    return {"float": pa.float32(), "double": pa.float64(), "bool": pa.bool_()}.get(kind) or getattr(
        pa, kind
    )()


@st.composite
def tables(draw):
    """Draw a table, and options of its writer."""
    rng = random.Random(draw(st.integers(0, 999)))
    rows = draw(st.integers(1, 700))
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=6))
    columns = [
        column(
            kind, rows, draw(st.sampled_from([0, 0, 0.01, 0.5, 1])), draw(st.sampled_from([1, 3, 500])), rng
        )
        for kind in kinds
    ]
    fields = [
        pa.field(f"c{j}", cells.type, nullable=cells.null_count > 0 or draw(st.booleans()))
        for j, cells in enumerate(columns)
    ]
    options = {
        "compression": draw(st.sampled_from(CODECS)),
        "data_page_version": draw(st.sampled_from(["1.0", "2.0"])),
        "use_dictionary": draw(st.booleans()),
        "data_page_size": draw(st.sampled_from([1, 200, 1 << 20])),
        "dictionary_pagesize_limit": draw(st.sampled_from([20, 1 << 20])),
        "write_batch_size": draw(st.sampled_from([1, 7, 100])),
        "row_group_size": draw(st.sampled_from([1, 64, 333, 1000])),
        "store_schema": draw(st.booleans()),
    }
    return pa.table(columns, schema=pa.schema(fields)), options, draw(st.sampled_from([1, 10, 64, 100_000]))


def read(path, names=None, most=1000):
    """Read a file as the core does; which pieces are its own."""
    file = paged.opened(path)
    names = file.schema_arrow.names if names is None else names
    pieces = list(paged.pieces(path, file, names, most))
    return [pa.record_batch(piece) for piece in pieces], [type(piece) for piece in pieces]


def same(batches, table):
    """Whether these are the cells of the table, whatever their types are called."""
    for field in table.schema:
        cells = [cell for batch in batches for cell in batch.column(field.name).to_pylist()]
        told = table.column(field.name).to_pylist()
        assert cells == told, field


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables())
def test_the_cells_are_those_that_pyarrow_reads(tmp_path, drawn):
    table, options, most = drawn
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, **options)
    batches, kinds = read(path, most=most)
    assert all(kind is paged.PagedRows for kind in kinds)
    assert all(0 < batch.num_rows <= most for batch in batches)
    for batch in batches:
        batch.validate(full=True)
    same(batches, pq.read_table(path))


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables(), st.booleans())
def test_numbers_are_read_into_a_matrix_and_can_be_read_again(tmp_path, drawn, odd):
    table, options, most = drawn
    if odd:
        cells = np.linspace(0.0, 1.0, table.num_rows)
        cells[table.num_rows // 2] = np.nan
        table = table.append_column("odd", pa.array(cells))
    path = tmp_path / "t.parquet"
    pq.write_table(table, path, **options)
    file = paged.opened(path)
    for piece in paged.pieces(path, file, table.schema.names, most):
        for name in table.schema.names:
            found = [piece.take(paged.Wanted([name, None, name], [], name)) for _ in range(2)]
            cells = pa.record_batch(piece).column(name)
            number = cells.type in (pa.uint8(), pa.int32(), pa.int64(), pa.float32(), pa.float64())
            if not number:
                assert found == [None, None]
                continue
            told = cells.to_numpy(zero_copy_only=False).astype(np.float64)
            for (rows, whole), others in found:
                assert whole == (not cells.is_null(nan_is_null=True).true_count)
                assert str(pa.record_batch(others).column(name)) == str(cells)  # NaN is not equal to itself
                assert rows.shape == (len(piece), 3) and rows.strides[0] == 8
                assert rows[:, 0].tobytes() == rows[:, 2].tobytes()
                assert np.array_equal(rows[:, 0], told, equal_nan=True)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("different", [2, 5, 300, 3000])
@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "int32"])
def test_short_runs_of_places_between_repeats(tmp_path, kind, different, seed):
    path, rng = tmp_path / "t.parquet", np.random.default_rng(seed)
    told = rng.integers(-1000, 1000, different).astype(kind) / np.array(3 if kind[0] == "f" else 1, kind)
    if kind[0] == "f" and seed % 2:
        told[-1] = np.nan  # in the list of all pieces, and in the cells of few
    lengths = rng.choice([1, 3, 8, 9, 16, 17, 40, 70], 400)
    parts = [np.repeat(rng.choice(told), n) if rng.random() < 0.4 else rng.choice(told, n) for n in lengths]
    cells = np.concatenate(parts).astype(kind)
    pq.write_table(pa.table({"a": pa.array(cells, from_pandas=False)}), path)
    most = 1 + len(cells) // int(rng.integers(1, 30))
    begin = 0
    for piece in paged.pieces(path, paged.opened(path), ["a"], most):
        (rows, whole), _ = piece.take(paged.Wanted(["a"], [], None))
        expected = cells[begin : begin + len(piece)].astype(np.float64)
        assert rows[:, 0].tobytes() == expected.tobytes() and whole == (not np.isnan(expected).any())
        begin += len(piece)
    assert begin == len(cells)


@pytest.mark.parametrize("nullable", [True, False])
@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("odd", [np.nan, -np.nan, None, np.inf])
def test_a_missing_cell_is_met_late_in_a_file(tmp_path, nullable, dictionary, odd):
    rng = np.random.default_rng(1)
    cells = [float(cell) for cell in rng.normal(size=400)]
    cells[333] = odd if nullable or odd is not None else np.nan
    schema = pa.schema(
        [
            pa.field("x", pa.float64(), nullable=nullable),
            pa.field("w", pa.string()),
            pa.field("y", pa.int64()),
        ]
    )
    words, labels = rng.choice(["a", "b"], 400).tolist(), rng.choice([-1, 1], 400).tolist()
    table = pa.table([cells, words, labels], schema=schema)
    pq.write_table(table, tmp_path / "t.parquet", row_group_size=100, use_dictionary=dictionary)
    streams = nr.read(tmp_path / "t.parquet", label="y"), nr.from_table(table, label="y")
    rows = [
        [row for batch in stream.batches() for row in map(batch.row, range(len(batch)))] for stream in streams
    ]
    assert rows[0] == rows[1] and len(rows[0]) == 400
    assert len(rows[0][333]) == (2 if odd == np.inf else 1)


def test_pages_that_end_in_the_same_rows_are_cut_there(tmp_path):
    table = pa.table({"a": np.arange(1000.0), "b": np.arange(1000)})
    options = {"use_dictionary": False, "write_batch_size": 100, "data_page_size": 1}
    pq.write_table(table, tmp_path / "t.parquet", **options)
    batches, _ = read(tmp_path / "t.parquet", most=350)
    assert [batch.num_rows for batch in batches] == [100] * 10


def test_pages_are_cut_where_those_of_most_columns_end(tmp_path):
    path, words = tmp_path / "t.parquet", [f"{k:0100}" for k in range(5000)]
    table = pa.table({"w": words, "a": np.arange(5000.0), "b": np.arange(5000)})
    pq.write_table(table, path, use_dictionary=False, write_batch_size=100, data_page_size=4000)
    batches, _ = read(path, most=1200)
    same(batches, table)
    assert [batch.num_rows for batch in batches] == [500] * 10  # 4000 bytes of a and of b
    assert read(path, names=["w"], most=1200)[0][0].num_rows == 300


def test_a_place_behind_the_list_of_values_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": [0.0, 1.0, 2.0, 0.0, 1.0, 2.0, 0.0, 1.0]}), path, compression="none")
    good = path.read_bytes()
    assert good.count(b"\x24\x49") == 1  # eight places, two bits each
    path.write_bytes(good.replace(b"\x24\x49", b"\x24\xff"))
    with pytest.raises(BadFile, match="a page points behind its list of values"):
        read(path)


def long_columns(rows, rng):
    """Draw columns whose pages are long: as they are, in bits of all lengths, or nearly empty."""
    noise = rng.integers(0, 256, 8 * rows, dtype=np.uint8)
    for begin in range(0, len(noise), 5000):  # runs of noise, and what stood before, of all lengths
        length, back = rng.integers(1, 3000), rng.integers(1, 4000)
        to = slice(begin, begin + length)
        noise[to] = np.resize(noise[max(begin - back, 0) : begin] if begin else noise[:1], len(noise[to]))
    whole = np.abs(noise.view(np.int64))
    return {"noise": rng.random(rows), "mixed": whole, "even": np.zeros(rows), "steps": np.arange(rows)}


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_pages_that_are_longer_than_what_is_looked_at_at_a_time(tmp_path, version):
    path, table = tmp_path / "t.parquet", pa.table(long_columns(20_000, np.random.default_rng(1)))
    pq.write_table(table, path, use_dictionary=False, data_page_version=version, data_page_size=1 << 20)
    batches, kinds = read(path, most=7000)
    assert all(kind is paged.PagedRows for kind in kinds)
    same(batches, table)


def test_damage_in_a_long_page_is_refused_or_read_and_nothing_else(tmp_path):
    path, rng = tmp_path / "t.parquet", random.Random(0)
    table = pa.table(long_columns(5000, np.random.default_rng(2)))
    pq.write_table(table, path, use_dictionary=False)
    good = path.read_bytes()
    refused = 0
    for _ in range(200):
        bad = bytearray(good)
        for _ in range(rng.randrange(1, 30)):
            bad[rng.randrange(4, len(good) * 9 // 10)] = rng.randrange(256)
        path.write_bytes(bad)
        try:
            batches, _ = read(path)
            assert sum(batch.num_rows for batch in batches) == 5000
        except BadFile:
            refused += 1
    assert 0 < refused < 200


def test_only_the_columns_that_are_asked_for_are_read(tmp_path):
    path = tmp_path / "t.parquet"
    table = pa.table({"a": np.arange(100.0), "b": np.arange(100) % 7, "y": np.arange(100) % 2})
    pq.write_table(table, path, compression="none", use_dictionary=False)
    chunk = pq.ParquetFile(path).metadata.row_group(0).column(1)
    bytes = bytearray(path.read_bytes())
    end = chunk.data_page_offset + chunk.total_compressed_size
    bytes[chunk.data_page_offset : end] = b"\xff" * (end - chunk.data_page_offset)
    path.write_bytes(bytes)
    learner = nr.Perceptron()
    nr.play(nr.read(path, label="y", drop=["b"]), learner)
    assert learner.weights.keys() == {"a"}
    with pytest.raises(
        BadFile, match=r"t\.parquet: it cannot be read as parquet \(what the file says of itself is damaged\)"
    ):
        nr.play(nr.read(path, label="y"), nr.Perceptron())


@pytest.mark.parametrize(
    ("cells", "options"),
    [
        (pa.array([Decimal("1.5"), Decimal("2.5")] * 50), {}),
        (pa.array(np.arange(100)), {"use_dictionary": False, "column_encoding": "DELTA_BINARY_PACKED"}),
        (pa.array(np.arange(100.0)), {"use_dictionary": False, "column_encoding": "BYTE_STREAM_SPLIT"}),
        (pa.array(np.arange(100.0)), {"compression": "lz4"}),
        (pa.array(np.arange(100).astype(np.float16)), {}),
        (pa.array(list("ab") * 50), {"use_dictionary": False, "column_encoding": "DELTA_BYTE_ARRAY"}),
    ],
)
def test_what_is_rarer_is_left_to_pyarrow(tmp_path, cells, options):
    table = pa.table({"a": cells})
    pq.write_table(table, tmp_path / "t.parquet", **options)
    batches, kinds = read(tmp_path / "t.parquet")
    assert paged.PagedRows not in kinds
    same(batches, table)


def test_lists_beside_what_is_wanted_are_left_to_pyarrow(tmp_path):
    table = pa.table({"l": [[1, 2], [3]], "a": [1.0, 2.0], "y": [0, 1]})
    pq.write_table(table, tmp_path / "t.parquet")
    learner = nr.Perceptron()
    nr.play(nr.read(tmp_path / "t.parquet", label="y", drop=["l"]), learner)
    assert learner.weights.keys() == {"a"}


@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_page_of_many_pieces_is_read_on_from_its_middle(tmp_path, dictionary, version):
    rng = random.Random(1)
    kinds = {"string": 9000, "double": 50, "bool": 2}
    table = pa.table({kind: column(kind, 20_000, 0.3, different, rng) for kind, different in kinds.items()})
    options = {"use_dictionary": dictionary, "data_page_version": version, "data_page_size": 1 << 24}
    pq.write_table(table, tmp_path / "t.parquet", **options)
    batches, _ = read(tmp_path / "t.parquet", most=999)
    assert len(batches) > 20
    same(batches, table)


@pytest.mark.parametrize("required", [True, False])
def test_levels_as_they_were_told_once_matter_where_cells_may_be_missing(tmp_path, required):
    """Java's writer says so of columns whose cells are all there."""
    schema = pa.schema([pa.field("a", pa.float64(), nullable=not required)])
    path = tmp_path / "t.parquet"
    table = pa.table([np.arange(20.0)], schema=schema)
    pq.write_table(table, path, compression="none", use_dictionary=False)
    in_runs, packed = b"\x15\x28\x15\x00\x15\x06\x15\x06", b"\x15\x28\x15\x00\x15\x08\x15\x08"
    assert path.read_bytes().count(in_runs) == 1
    path.write_bytes(path.read_bytes().replace(in_runs, packed))
    if required:
        same(read(path)[0], table)
    else:
        with pytest.raises(BadFile, match="in a way that is no longer used"):
            read(path)


class Point(pa.ExtensionType):
    """Two numbers under one name."""

    def __init__(self):
        fields = [pa.field("x", pa.float64(), nullable=False), pa.field("y", pa.float64(), nullable=False)]
        super().__init__(pa.struct(fields), "noregret.point")

    def __arrow_ext_serialize__(self):
        return b""

    @classmethod
    def __arrow_ext_deserialize__(cls, storage, serialized):
        return cls()


def test_a_column_that_holds_two_does_not_shift_the_others(tmp_path):
    pa.register_extension_type(Point())
    try:
        storage = pa.array([{"x": float(k), "y": 0.5} for k in range(4)], Point().storage_type)
        cells = {"p": pa.ExtensionArray.from_storage(Point(), storage), "a": [100.0, 200.0, 300.0, 400.0]}
        pq.write_table(pa.table(cells | {"y": [0, 1, 0, 1]}), tmp_path / "t.parquet")
        (batch,) = nr.read(tmp_path / "t.parquet", label="y", drop=["p"]).batches()
    finally:
        pa.unregister_extension_type("noregret.point")
    assert batch.values.ravel().tolist() == [100, 200, 300, 400]


def names_of(stream):
    """List the names of the features of all rows."""
    return sorted({name for batch in stream.batches() for name in batch.names})


@pytest.mark.parametrize("kind", ["text", "categorical"])
@pytest.mark.parametrize(
    "cells", [pa.array([True, False] * 3), pa.array([True, False] * 3).dictionary_encode()]
)
def test_truths_are_the_same_words_from_a_file_and_from_a_table(tmp_path, kind, cells):
    table = pa.table({"b": cells, "y": [0, 1] * 3})
    pq.write_table(table, tmp_path / "t.parquet")
    told = names_of(nr.from_table(table, label="y", **{kind: ["b"]}))
    assert told == (["b=false", "b=true"] if kind == "text" else ["b=0", "b=1"])
    assert names_of(nr.read(tmp_path / "t.parquet", label="y", **{kind: ["b"]})) == told


def test_a_file_without_rows_tells_nothing_of_its_columns(tmp_path):
    pq.write_table(pa.table({"a": pa.array([], pa.string())}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"a": [1.5, 2.5], "y": [0, 1]}), tmp_path / "2.parquet")
    stream = nr.read([tmp_path / "1.parquet", tmp_path / "2.parquet"], label="y")
    assert names_of(stream) == ["a"]
    with pytest.raises(BadFile, match="not a single row"):
        list(nr.read(tmp_path / "1.parquet", label="y").batches())


def test_a_name_with_a_nul(tmp_path):
    pq.write_table(pa.table({"a\0b": ["p", "q"], "y": [0, 1]}), tmp_path / "t.parquet")
    assert names_of(nr.read(tmp_path / "t.parquet", label="y")) == ["a\0b=p", "a\0b=q"]


def test_groups_that_pyarrow_reads_between_others(tmp_path):
    """The second and the fourth group tell of an encoding that the core does not know; the rows keep their order."""
    path = tmp_path / "t.parquet"
    schema = pa.schema([("a", pa.float64())])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for k in range(5):
            writer.write_table(pa.table({"a": np.arange(10.0) + 10 * k}))
    # In the footer a list of two encodings stands before the name of the column; 5 is that of differences, kept as 10.
    parts = re.split(rb"(?<=\x19\x25)(..)(?=\x19\x18\x01a)", path.read_bytes(), flags=re.DOTALL)
    assert len(parts) >= 11  # older writers have them behind each group as well
    parts[-8] = parts[-4] = b"\x0a\x06"
    path.write_bytes(b"".join(parts))
    batches, kinds = read(path)
    assert [kind is paged.PagedRows for kind in kinds] == [True, False, True, False, True]
    assert [cell for batch in batches for cell in batch.column(0).to_pylist()] == list(range(50))


def test_many_small_groups_are_left_to_pyarrow_which_puts_them_together(tmp_path, monkeypatch):
    monkeypatch.undo()
    path, table = tmp_path / "t.parquet", pa.table({"a": np.arange(2000.0)})
    pq.write_table(table, path, row_group_size=20)
    batches, kinds = read(path)
    assert [batch.num_rows for batch in batches] == [1000, 1000]
    assert paged.PagedRows not in kinds
    same(batches, table)
    pq.write_table(table, path)  # one group is as small as it is
    assert set(read(path)[1]) == {paged.PagedRows}


def test_a_file_without_features(tmp_path):
    pq.write_table(pa.table({"a": [1.0, 2.0, 3.0], "y": [0, 1, 1]}), tmp_path / "t.parquet")
    ledger = nr.play(nr.read(tmp_path / "t.parquet", label="y", drop=["a"]), nr.Perceptron())
    assert ledger.rounds == 3


def test_a_damaged_file_is_refused_or_read_and_nothing_else(tmp_path):
    rng = random.Random(0)
    kinds = ["double", "int32", "bool", "string"]
    table = pa.table({f"c{j}": column(kind, 200, 0.1, 40, rng) for j, kind in enumerate(kinds)})
    path = tmp_path / "t.parquet"
    for version in ("1.0", "2.0"):
        for compression in CODECS:
            pq.write_table(
                table, path, compression=compression, data_page_version=version, data_page_size=300
            )
            whole = path.read_bytes()
            refused = 0
            for _ in range(60):
                damaged = bytearray(whole)
                for _ in range(rng.choice([1, 1, 4])):
                    damaged[rng.randrange(4, len(whole))] = rng.randrange(256)
                path.write_bytes(damaged)
                try:
                    list(nr.read(path, label="c2").batches())
                except (BadFile, BadCommand):
                    refused += 1
            assert refused > 10


@pytest.mark.parametrize("dictionary", [True, False])
def test_words_that_are_not_utf_8_are_refused(tmp_path, dictionary, capsys):
    words = pa.array([b"a", b"\xff\xfe", b"a"]).view(pa.string())
    table = pa.table({"w": words, "y": [0, 1, 0]})
    pq.write_table(table, tmp_path / "t.parquet", use_dictionary=dictionary)
    assert run(["run", str(tmp_path / "t.parquet"), "--label", "y", "-l", "perceptron"]) == 1
    told = capsys.readouterr().err
    assert "t.parquet: it cannot be read as parquet ('utf-8' codec can't decode byte 0xff" in told
    assert "Traceback" not in told


def test_a_file_that_shrinks_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    table = pa.table({"a": np.random.default_rng(0).random(50_000)})
    pq.write_table(table, path, use_dictionary=False, data_page_size=10_000)
    file = paged.opened(path)
    pieces = paged.pieces(path, file, ["a"], 1000)
    pa.record_batch(next(pieces))
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(BadFile, match="the file ends in"):
        for piece in pieces:
            pa.record_batch(piece)


BLOCK = 1 << 16  # bytes that snappy compresses by themselves


def written(path, numbers, **options):
    """Write a column into one page; newer versions of pyarrow cut pages, unless told otherwise."""
    table = pa.table({"a": numbers})
    options |= {"use_dictionary": False, "write_batch_size": len(numbers), "data_page_size": 1 << 24}
    if "max_rows_per_page" in inspect.signature(pq.write_table).parameters:
        options["max_rows_per_page"] = len(numbers)
    pq.write_table(table, path, **options)
    return table


def numbers_in(path, rows):
    [piece] = list(paged.pieces(path, paged.opened(path), ["a"], rows))
    (numbers, whole), _ = piece.take(paged.Wanted(["a"], [], None))
    assert whole
    return numbers.tobytes()


@pytest.mark.parametrize("rows", [8191, 8192, 8193, 16_384 + 7, 8192 + 32, 40_000, 300_000])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_pages_that_nobody_could_compress(tmp_path, rows, version):
    """Their blocks are fetched all at once: up to three, and more than the system takes at once."""
    path = tmp_path / "t.parquet"
    numbers = np.random.default_rng(rows).random(rows)
    table = written(path, numbers, data_page_version=version)
    for most in (rows, 5000):
        batches, _ = read(path, most=most)
        same(batches, table)
    assert numbers_in(path, 4 * rows) == numbers.tobytes()


def with_a_repeat(numbers, at):
    """Let six bytes stand there that stood 4,000 bytes before."""
    raw = bytearray(numbers.tobytes())
    raw[at : at + 6] = raw[at - 4000 : at - 3994]
    return np.frombuffer(bytes(raw))


def test_a_page_that_only_has_the_size_of_one_that_nobody_could_compress(tmp_path):
    """Two pieces and six bytes that stood there before take as much room as a block in one piece."""
    path = tmp_path / "t.parquet"
    numbers = with_a_repeat(np.random.default_rng(7).random(30_000), at=BLOCK + 20_000)
    table = written(path, numbers)
    raw, file = numbers.tobytes(), path.read_bytes()
    tag = file.index(b"\xf4\xff\xff", file.index(raw[:1000]) + 1000)  # of the second block
    block = file[tag + 3 : tag + 3 + BLOCK]
    at = block.index(raw[BLOCK + 20_000 - 50 : BLOCK + 20_000]) + 50
    pieces = [b"\xf4" + (len(one) - 1).to_bytes(2, "little") + one for one in (block[:at], block[at + 6 :])]
    repeat = b"\x16" + (4000).to_bytes(2, "little")  # six bytes, from so far back
    other = pieces[0] + repeat + pieces[1]
    assert len(other) == 3 + BLOCK
    path.write_bytes(file[:tag] + other + file[tag + 3 + BLOCK :])
    assert pq.read_table(path).equals(table)
    assert numbers_in(path, 120_000) == raw
    for told in (b"\xf4\xff\xfe", b"\xf4\xfe\xff", b"\xf0\xff\xff", b"\x00\xff\xff", b"\xfe\xff\xff"):
        path.write_bytes(file[:tag] + told + file[tag + 3 :])
        with pytest.raises(BadFile, match="a compressed page is damaged"):
            numbers_in(path, 120_000)


def repeated(back, count):
    """Tell in snappy's words that what stood so far back comes again, as shortly as can be."""
    if 4 <= count <= 11 and back < 1 << 11:
        return bytes([1 | (count - 4) << 2 | back >> 8 << 5, back & 255])
    return bytes([2 | (count - 1) << 2]) + back.to_bytes(2, "little")


def short_pieces(rng, levels, size):
    """Make up so many bytes that snappy tells in as many and three: levels, short pieces with repeats between them, and a long one."""
    told, plain = bytearray(), bytearray()

    def piece(some):
        told.extend(
            bytes([len(some) - 1 << 2])
            if len(some) <= 60
            else b"\xf4" + (len(some) - 1).to_bytes(2, "little")
        )
        told.extend(some)
        plain.extend(some)

    def made_up(count):
        return rng.integers(0, 64, count, dtype=np.uint8).tobytes()  # such numbers are never NaN

    piece(levels)
    while len(plain) < size // 4:
        piece(made_up(rng.choice([1, 2, 3, 4, 5, 30, 70], p=[0.3, 0.3, 0.2, 0.14, 0.02, 0.02, 0.02])))
        for _ in range(rng.choice([0, 1, 2], p=[0.05, 0.9, 0.05])):
            back = min(len(plain), int(rng.choice([1, 7, 8, 9, 15, 16, 300, 3000])))
            count = int(rng.choice([1, 4, 6, 11, 12, 16, 17, 64]))
            told.extend(repeated(back, count))
            plain.extend((plain[-back:] * count)[:count])
    while len(told) < len(plain):
        piece(made_up(1))
    piece(made_up(size - len(plain)))
    return told, plain


@pytest.mark.parametrize("seed", range(20))
def test_short_pieces_with_repeats_between_them(tmp_path, seed):
    path = tmp_path / "t.parquet"
    rows, rng = 4000, np.random.default_rng(seed)
    numbers = rng.random(rows)
    written(path, numbers)
    file = path.read_bytes()
    levels = b"\x03\0\0\0\xc0\x3e\1"  # all the 4000 cells are there
    at = file.index(b"\x87\xfa\1\xf4\6\x7d" + levels + numbers.tobytes()) + 3  # 32,007 bytes, in one piece
    told, plain = short_pieces(rng, levels, 8 * rows + len(levels))
    assert len(told) == len(plain) + 3
    path.write_bytes(file[:at] + told + file[at + len(told) :])
    assert pq.read_table(path)["a"].to_numpy().tobytes() == plain[len(levels) :] == numbers_in(path, rows)
    for _ in range(20):
        damaged = bytearray(told)
        damaged[int(rng.integers(len(levels) + 1, 8000))] = int(rng.integers(256))
        path.write_bytes(file[:at] + damaged + file[at + len(told) :])
        try:
            expected = pq.read_table(path)["a"].to_numpy()
        except OSError:
            with pytest.raises(BadFile, match="a compressed page is damaged"):
                numbers_in(path, rows)
        else:
            assert not np.isnan(expected).any()
            assert numbers_in(path, rows) == expected.tobytes()


def test_a_page_is_wanted_by_several_pieces_after_the_file_is_gone(tmp_path):
    path = tmp_path / "t.parquet"
    table = pa.table({"a": np.arange(5000.0)})
    pq.write_table(table, path, use_dictionary=False)
    batches, _ = read(path, most=300)
    path.unlink()
    same(batches, table)


def test_a_codec_that_writes_another_size_is_refused(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": np.arange(100.0)}), path, compression="zstd", use_dictionary=False)
    pages = _core.Pages(str(path), {6: lambda packed, to: len(to) - 1})
    with pytest.raises(BadFile, match="another size than it says"):
        pages.group(0, [(0, _core.CellKind.eight, True)], 100).next().read()


def test_a_codec_that_nobody_knows_and_a_column_of_another_kind(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": np.arange(100.0)}), path)
    kinds = _core.CellKind
    assert _core.Pages(str(path), {6: None}).group(0, [(0, kinds.eight, True)], 100) is None
    pages = _core.Pages(str(path), {1: "snappy"})
    assert pages.group(0, [(0, kinds.eight, True)], 100) is not None
    for asked in [
        (0, kinds.four, True),
        (0, kinds.word, True),
        (0, kinds.truth, True),
        (1, kinds.eight, True),
    ]:
        assert pages.group(0, [asked], 100) is None


@pytest.mark.parametrize(
    ("bytes", "sentence"),
    [
        (None, "it cannot be opened"),
        (b"", "it does not end as such a file does"),
        (b"PAR1\0\0\0\0\0\0\0\0", "it does not end as such a file does"),
        (b"PAR1\x09\0\0\0PAR1", "what the file says of itself is longer than the file"),
        (b"PAR1\x49\x1c\x02\0\0\0PAR1", "what the file says of itself is cut short"),
        (b"PAR1\x45\x02\x02\0\0\0PAR1", "what the file says of itself is damaged"),
    ],
)
def test_what_is_no_such_file(tmp_path, bytes, sentence):
    path = tmp_path / "t.parquet"
    if bytes is not None:
        path.write_bytes(bytes)
    with pytest.raises(BadFile, match=sentence):
        _core.Pages(str(path), {})


def columns_of(path, kinds):
    """Read all rows of a file whose pages are not compressed."""
    told = [(place, kind, True) for place, kind in enumerate(kinds)]
    return _core.Pages(str(path), {0: None}).group(0, told, 1000).next().read()


def test_columns_as_they_were_read(tmp_path):
    path, kinds = tmp_path / "t.parquet", _core.CellKind
    words = pa.array(["a", "b", None, "a", "ä"])
    table = pa.table({"w": words, "n": [3, 4, 4, 3, 3], "gone": pa.array([1, None, 1, 1, 1])})
    pq.write_table(table, path, compression="none")
    found = columns_of(path, [kinds.word, kinds.eight, kinds.eight])
    assert len(found) == 5 and found.words(1) is None
    told = found.words(0)
    assert len(told) == 3 and told.to_pylist() == ["a", "b", "ä"]
    again = columns_of(path, [kinds.word, kinds.eight, kinds.eight]).words(0)
    assert told.equals(told) and told.equals(again)
    places, listed = found.places(0, "?")
    assert places.tolist() == [0, 1, -1, 0, 2] and listed.equals(told)
    places, numbers = found.places(1, "l")
    assert places.tolist() == [0, 1, 1, 0, 0] and numbers == [3, 4]
    assert found.places(2, "l") is None and found.places(1, "?") is None
    to = np.zeros(5)
    assert found.put_words(0, np.array([7.0, 8.0, 9.0]), to) is False
    assert np.array_equal(to, [7, 8, np.nan, 7, 9], equal_nan=True)
    with pytest.raises(BadFile, match="a cell points behind its list of words"):
        found.put_words(0, np.array([7.0, 8.0]), to)
    with pytest.raises(BadInput, match="there are 5 rows"):
        found.put_words(0, np.array([7.0, 8.0, 9.0]), np.zeros(4))
    with pytest.raises(BadInput, match="a column of numbers has no words"):
        found.put_words(1, np.array([7.0]), to)
    with pytest.raises(IndexError):
        found.words(3)
    found.in_arrow()
    with pytest.raises(BadInput, match="these cells were given away"):
        found.in_arrow()


def test_lists_of_words_that_are_others(tmp_path):
    lists = []
    for cells in (["a", "b"], ["ab", ""], ["a"], ["b", "a"]):
        path = tmp_path / f"{len(lists)}.parquet"
        pq.write_table(pa.table({"w": cells}), path, compression="none")
        lists.append(columns_of(path, [_core.CellKind.word]).words(0))
    assert [[a.equals(b) for a in lists] for b in lists] == [[a is b for a in lists] for b in lists]


def test_a_list_of_words_that_is_longer_than_what_is_read_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr("noregret.data.arrow._batch_size", lambda columns: 100)
    path, cells = tmp_path / "t.parquet", [f"word{k % 300}" for k in range(900)]
    labels = [k % 250 for k in range(900)]
    table = pa.table({"w": cells, "x": np.arange(900.0), "y": [f"class{k}" for k in labels]})
    pq.write_table(table, path, data_page_size=1, write_batch_size=100)
    stream = nr.read(path, label="y", task="multiclass")
    batches = list(stream.batches())
    assert len(batches) > 8
    rows = [
        (batch.row(r), batch.classes[int(batch.labels[r])]) for batch in batches for r in range(len(batch))
    ]
    assert rows == [
        ([(f"w={cell}", 1.0), ("x", float(k))], f"class{labels[k]}") for k, cell in enumerate(cells)
    ]


def test_lists_of_words_out_of_pages_and_of_arrow_in_one_file(tmp_path, monkeypatch):
    """Where a list is longer than what is read at once, Arrow is asked, from then on."""
    monkeypatch.setattr("noregret.data.arrow._batch_size", lambda columns: 100)
    path, rows = tmp_path / "t.parquet", 500
    lists = [[f"a{k % 5}" for k in range(rows)], [f"b{k}" for k in range(rows)]]
    lists = [lists[0], lists[1], lists[0], lists[0]]
    tables = [
        pa.table({"x": np.arange(float(rows)), "w": words, "y": [1, -1] * (rows // 2)}) for words in lists
    ]
    options = {"data_page_size": 1, "write_batch_size": 100}
    with pq.ParquetWriter(path, tables[0].schema, **options) as writer:
        for table in tables:
            writer.write_table(table)
    batches = list(nr.read(path, label="y").batches())
    found = [dict(batch.row(r)) for batch in batches for r in range(len(batch))]
    assert found == [{"x": float(k), f"w={word}": 1.0} for words in lists for k, word in enumerate(words)]
