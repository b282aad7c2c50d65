"""What is read ahead of a Parquet file, and values that were all different, against pyarrow's reading."""

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import noregret as nr
from noregret import _core
from noregret.data import parquet as paged
from noregret.errors import BadFile

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")


@pytest.fixture(autouse=True)
def no_group_is_too_small(monkeypatch):
    monkeypatch.setattr(paged, "FEW", 0)


def numbers_in(path, most, names=("a",)):
    """Read columns of doubles into matrices, as a stream does, and put these together."""
    wanted = paged.Wanted(list(names), [], None)
    pieces = paged.pieces(path, paged.opened(path), list(names), most, wanted=wanted)
    return np.concatenate([piece.take(wanted)[0][0] for piece in pieces])


def different(rows, kind):
    """Numbers of which each is another: such as nobody can compress, or such as everybody can."""
    return np.random.default_rng(rows).random(rows) if kind == "noise" else np.arange(rows) / 4


@pytest.mark.parametrize("rows", [1, 7, 33, 64, 65, 1000, 20_000, 70_000, 300_000])
@pytest.mark.parametrize("kind", ["noise", "steps"])
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd"])
def test_values_that_were_all_different(tmp_path, rows, kind, compression):
    """A page then points to one after the other, in bits of every number; none of them is missing."""
    path, cells = tmp_path / "t.parquet", different(rows, kind)
    options = {"compression": compression, "dictionary_pagesize_limit": 1 << 24, "data_page_size": 1 << 15}
    pq.write_table(pa.table({"a": cells}), path, **options)
    for most in (rows, 777 if rows < 20_000 else 7777):
        assert numbers_in(path, most)[:, 0].tobytes() == cells.tobytes()


@pytest.mark.parametrize("place", [0, 1, 62, 63, 64, 500, 503, 504, 505, 1000, 1998, 1999])
def test_all_values_but_one_were_different(tmp_path, place):
    path, cells = tmp_path / "t.parquet", different(2000, "noise")
    cells[place] = cells[1500]
    pq.write_table(pa.table({"a": cells}), path)
    for most in (2000, 333):
        assert numbers_in(path, most)[:, 0].tobytes() == cells.tobytes()


def test_places_that_only_look_as_if_they_went_on_behind_the_largest_number(tmp_path):
    """Six bits hold up to 63: the bits of 64, 65 and so on, each added where it goes, are those of 0, 2, 3."""
    path, values = tmp_path / "t.parquet", different(1000, "noise")
    places = [*range(64), 0, *range(2, 9), *range(64, 1000)]
    cells = values[places]
    pq.write_table(pa.table({"a": cells}), path, write_batch_size=72, data_page_size=1)
    assert numbers_in(path, 72)[:, 0].tobytes() == cells.tobytes()


def bytes_read():
    return int(Path("/proc/self/io").read_text().split("rchar: ")[1].split()[0])


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="this system does not count what is read")
@pytest.mark.parametrize("compression", ["none", "snappy"])
def test_of_values_that_were_all_different_only_those_are_read_that_are_wanted(tmp_path, compression):
    path, cells = tmp_path / "t.parquet", different(300_000, "noise")
    options = {"dictionary_pagesize_limit": 1 << 24, "write_batch_size": 1000, "data_page_size": 1 << 14}
    pq.write_table(pa.table({"a": cells}), path, compression=compression, **options)
    wanted = paged.Wanted(["a"], [], None)
    pieces = list(paged.pieces(path, paged.opened(path), ["a"], 10_000))
    assert len(pieces) > 20
    for piece in pieces:
        before = bytes_read()
        piece.take(wanted)
        places = 3 * len(piece)  # at most so many bytes
        assert bytes_read() - before < 8 * len(piece) + places + 2000


def test_a_cell_is_missing_among_values_that_are_all_different(tmp_path):
    path, cells = tmp_path / "t.parquet", different(3000, "noise").tolist()
    cells[2222] = None
    pq.write_table(pa.table({"a": cells}), path)
    wanted = paged.Wanted(["a"], [], None)
    found = [piece.take(wanted)[0] for piece in paged.pieces(path, paged.opened(path), ["a"], 500)]
    assert [whole for _, whole in found].count(False) == 1
    told = np.concatenate([rows for rows, _ in found])[:, 0]
    assert [None if np.isnan(cell) else cell for cell in told] == cells
    ahead = [
        piece.take(wanted)[0] for piece in paged.pieces(path, paged.opened(path), ["a"], 500, wanted=wanted)
    ]
    for (rows, whole), (others, same) in zip(found, ahead, strict=True):
        assert whole == same
        assert rows.tobytes() == others.tobytes()


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 100])
def test_what_is_there_of_a_table_is_laid_out(rows):
    rng = np.random.default_rng(rows)
    table = np.asfortranarray(np.column_stack([rng.random(rows), rng.integers(0, 5, rows), rng.random(rows)]))
    table[rng.random(table.shape) < 0.3] = np.nan
    features = np.array([4, -1, 2], dtype=np.int32)
    values, places, starts = _core.present(table, features)
    for r, row in enumerate(table):
        told = [(f, x) if f >= 0 else (int(x), 1.0) for f, x in zip(features, row, strict=True) if x == x]
        part = slice(starts[r], starts[r + 1])
        assert list(zip(places[part].tolist(), values[part].tolist(), strict=True)) == told
    assert len(starts) == rows + 1 and starts[-1] == len(values) == len(places)


def read_by_pyarrow(path):
    try:
        return pq.read_table(path, use_threads=False)["a"].to_numpy().tobytes()
    except (pa.ArrowException, OSError):
        return None


@pytest.mark.parametrize("compression", ["none", "snappy"])
def test_places_with_another_bit_are_what_pyarrow_reads_or_refused(tmp_path, compression):
    path, rng, cells = tmp_path / "t.parquet", random.Random(3), different(3000, "noise")
    pq.write_table(pa.table({"a": cells}), path, compression=compression, write_statistics=False)
    good, told = path.read_bytes(), pq.ParquetFile(path).metadata.row_group(0).column(0)
    first, last = told.data_page_offset, told.dictionary_page_offset + told.total_compressed_size
    same = refused = 0
    for _ in range(150):
        bad = bytearray(good)
        bad[rng.randrange(first + 40, last)] ^= 1 << rng.randrange(8)
        path.write_bytes(bad)
        expected = read_by_pyarrow(path)
        try:
            found = numbers_in(path, 3000)[:, 0].tobytes()
        except BadFile:
            refused += 1
            assert expected is None or compression == "snappy"
            continue
        assert found == expected
        same += 1
    assert same > 20 and refused > 5


def test_a_list_of_values_whose_stretches_are_damaged(tmp_path):
    """What tells how long the next one is: of the first, the second and the last, and their number."""
    path, cells = tmp_path / "t.parquet", different(30_000, "noise")
    pq.write_table(pa.table({"a": cells}), path, dictionary_pagesize_limit=1 << 24)
    good, raw = path.read_bytes(), cells.tobytes()
    block = 1 << 16  # bytes that snappy compresses by themselves
    begins = [good.index(raw[k * block : k * block + 100]) for k in range(4)]
    assert numbers_in(path, 30_000)[:, 0].tobytes() == raw
    for begin in begins:
        for byte in range(begin - 3, begin):
            path.write_bytes(good[:byte] + bytes([good[byte] ^ 0x41]) + good[byte + 1 :])
            with pytest.raises(BadFile, match="damaged|another size"):
                numbers_in(path, 30_000)
    assert good[begins[0] - 6 : begins[0] - 3] == b"\x80\xd3\x0e"  # 240,000 in sevens of bits
    more = good[: begins[0] - 6] + b"\x88" + good[begins[0] - 5 :]
    for bad in (more, more.replace(b"\x80\xa6\x1d", b"\x90\xa6\x1d", 1)):  # so the header says as well
        path.write_bytes(bad)
        with pytest.raises(BadFile, match="damaged"):
            numbers_in(path, 5000)


def mixed(rows, missing=None):
    """A table of numbers, words and labels, with one word missing perhaps."""
    rng = np.random.default_rng(5)
    words = rng.choice(["red", "green", "blue"], rows).astype(object)
    if missing is not None:
        words[missing] = None
    few = rng.integers(0, 9, rows) / 8
    label = rng.choice([-1, 1], rows)
    return pa.table({"a": rng.random(rows), "w": words.tolist(), "b": few, "y": label, "c": rng.random(rows)})


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("missing", [None, 17, 7777])
@pytest.mark.parametrize("compression", ["snappy", "zstd", "zstd by pyarrow"])
def test_a_file_is_learned_from_like_the_table_in_it(tmp_path, monkeypatch, threads, missing, compression):
    monkeypatch.setattr(os, "cpu_count", lambda: threads)
    monkeypatch.setattr(paged, "CODECS", paged._codecs(compression == "zstd" and _core.has_zstd()))
    path, table = tmp_path / "t.parquet", mixed(9000, missing)
    how = {"row_group_size": 2500, "data_page_size": 2000, "compression": compression.split()[0]}
    pq.write_table(table, path, **how)
    streams = nr.read(path, label="y"), nr.from_table(table, label="y")
    learners = nr.Perceptron(), nr.Perceptron()
    ledgers = [nr.play(stream, learner) for stream, learner in zip(streams, learners, strict=True)]
    assert ledgers[0].rounds == 9000 and ledgers[0].mistakes == ledgers[1].mistakes
    assert learners[0].weights == learners[1].weights


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("missing", [0.01, 0.9])
@pytest.mark.parametrize("bits", [None, 10])
def test_missing_numbers_are_left_out_as_in_rows(tmp_path, monkeypatch, threads, missing, bits):
    """The same rows as dicts, one by one; a column that is missing for long, and one that always is."""
    monkeypatch.setattr(os, "cpu_count", lambda: threads)
    rng = np.random.default_rng(7)
    cells = {f"x{j}": rng.normal(size=3000).round(j % 3) for j in range(5)}
    table = {name: [None if rng.random() < missing else x for x in told] for name, told in cells.items()}
    table |= {"late": [None] * 2000 + [1.5] * 1000, "never": pa.nulls(3000, pa.float64())}
    table |= {"w": rng.choice(["p", "q"], 3000).tolist(), "y": np.where(cells["x0"] > 0.2, 1, -1)}
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(table), path, row_group_size=1100, data_page_size=2000)
    stream, learner = nr.read(path, label="y", bits=bits), nr.learner("pa1:bias=true")
    ledger, twin, mistakes = nr.play(stream, learner), nr.learner("pa1:bias=true"), 0
    for batch in nr.read(path, label="y", bits=bits).batches():
        for now in batch.rounds():
            mistakes += twin.predict(now.x) != now.y
            twin.learn(now.x, now.y)
    assert ledger.mistakes == mistakes > 0
    assert repr(learner.weights) == repr(twin.weights)
    if bits is None:
        assert "late" in learner.weights and "never" not in learner.weights
        rows = [{k: x for k, x in row.items() if x is not None} for row in pa.table(table).to_pylist()]
        own = nr.learner("pa1:bias=true")
        for row in rows:
            y = row.pop("y")
            own.learn(row, y)
        assert {k: repr(x) for k, x in own.weights.items()} == {
            k: repr(x) for k, x in learner.weights.items()
        }


@pytest.mark.parametrize("width", range(1, 18))
def test_places_of_every_width(tmp_path, width):
    rng = np.random.default_rng(width)
    few = rng.integers(-(2**40), 2**40, 2 ** (width - 1) + 1)
    told = np.concatenate([rng.permutation(few), rng.choice(few, 3001)])
    path = tmp_path / "t.parquet"
    for cells in (told, told / 8, told.astype(np.int32), (told / 8).astype(np.float32)):
        pq.write_table(pa.table({"a": cells}), path, dictionary_pagesize_limit=1 << 24)
        for most in (len(cells), 777):
            assert (numbers_in(path, most)[:, 0] == cells.astype(np.float64)).all()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_what_came_before_damage_is_given(tmp_path, monkeypatch, threads):
    monkeypatch.setattr(os, "cpu_count", lambda: threads)
    path, table = tmp_path / "t.parquet", mixed(400_000)
    pq.write_table(table, path, data_page_size=100_000, use_dictionary=["w", "y"])
    cells = table["a"].to_numpy().tobytes()
    good = path.read_bytes()
    at = good.index(cells[2_000_000:2_000_100])  # row 250,000
    tag = good.rindex(b"\xf4\xff\xff", 0, at)
    path.write_bytes(good[:tag] + b"\xfe" + good[tag + 1 :])
    rows = 0
    with pytest.raises(BadFile, match="a compressed page is damaged"):
        for batch in nr.read(path, label="y").batches():
            rows += len(batch)
    assert 200_000 < rows <= 250_000


def tasks():
    return len(list(Path("/proc/self/task").iterdir()))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system does not list its threads")
def test_threads_end_with_whoever_reads(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    path = tmp_path / "t.parquet"
    pq.write_table(mixed(400_000), path, use_dictionary=["w", "y"], data_page_size=100_000)
    before = tasks()
    batches = nr.read(path, label="y").batches()
    next(batches)
    assert tasks() >= before + 3
    batches.close()
    assert tasks() == before


FORKED = """
import os, sys, noregret as nr
batches = nr.read(sys.argv[1], label="y").batches()
rows = len(next(batches))
child = os.fork()
if child == 0:
    try:
        next(batches)
    except nr.errors.BadInput as problem:
        print(problem, flush=True)
    del batches
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print(rows + sum(len(batch) for batch in batches))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_process_that_was_forked_leaves_the_file_to_the_other(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(mixed(400_000), path, use_dictionary=["w", "y"], data_page_size=100_000)
    command = [sys.executable, "-W", "ignore", "-c", FORKED, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "this stream was begun in another process; read it anew in this one",
        "400000",
    ]


def told_by(table):
    """List the features of each row of a table of numbers and words, by what Python sees of its cells."""
    rows = []
    for row in table.drop_columns("y").to_pylist():
        there = {name: cell for name, cell in row.items() if cell is not None and cell == cell}
        rows.append([(f"{k}={v}", 1.0) if isinstance(v, str) else (k, float(v)) for k, v in there.items()])
    return rows


@pytest.mark.parametrize("numbers_only", [True, False])
@pytest.mark.parametrize("dictionary", [True, False])
def test_rows_with_missing_cells_are_what_the_table_says(tmp_path, numbers_only, dictionary):
    rng, rows = np.random.default_rng(11), 5000

    def hide(cells):
        return pa.array(cells, mask=rng.random(rows) < 0.05)

    columns = {
        "a": hide(rng.random(rows)),
        "few": hide(rng.integers(0, 9, rows) / 8),
        "w": hide(rng.choice(["red", "green"], rows)),
        "whole": hide(rng.integers(-9, 9, rows)),
        "short": hide(rng.random(rows).astype(np.float32)),
        "nan": np.where(rng.random(rows) < 0.05, np.nan, rng.random(rows)),
        "true": hide(rng.random(rows) < 0.5),
        "gone": pa.array([None] * 100 + [1.5] * (rows - 100)),
        "y": rng.choice([-1, 1], rows),
    }
    table = pa.table({name: cells for name, cells in columns.items() if name != "w" or not numbers_only})
    pq.write_table(table, tmp_path / "t.parquet", use_dictionary=dictionary, data_page_size=3000)
    for stream in (nr.read(tmp_path / "t.parquet", label="y"), nr.from_table(table, label="y")):
        found = [batch.row(r) for batch in stream.batches() for r in range(len(batch))]
        assert found == told_by(table)
