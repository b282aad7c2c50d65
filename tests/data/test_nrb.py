import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret import _core
from noregret.cli import app
from noregret.data.cache import CacheStream, cached
from noregret.errors import BadCommand, BadFile

VALUES = [
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.just(1.0),
    st.integers(-3000, 3000).map(lambda n: n / 10),
    st.integers(-(10**6), 10**6).map(lambda n: n / 1000),
    st.sampled_from([0.0, -0.0, 0.1, 1e-320]),
]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_a_block_gives_back_every_bit(data):
    values = data.draw(st.sampled_from(VALUES))
    largest = data.draw(st.sampled_from([10, 65535, 65536, 2**31 - 2]))
    rows = data.draw(st.lists(st.lists(st.tuples(st.integers(0, largest), values), max_size=6), max_size=6))
    flat = [pair for row in rows for pair in row]
    labels = np.array([1.0, -1.0, np.nan][:3] * 2)[: len(rows)]
    weights = data.draw(st.sampled_from([None, np.arange(len(rows)) / 3]))
    matrix = _core.Matrix(
        np.array([v for _, v in flat], dtype=np.float64),
        np.array([i for i, _ in flat], dtype=np.int64),
        np.cumsum([0, *map(len, rows)], dtype=np.int64),
    )
    groups = data.draw(st.sampled_from([None, np.arange(len(rows)) - 1]))
    block = _core.decode_nrb(_core.encode_nrb(matrix, labels, weights, groups))
    kept = block.groups()
    assert (kept is None) == (groups is None or not rows) and (
        kept is None or kept.tolist() == groups.tolist()
    )
    np.testing.assert_array_equal(block.labels(), labels)
    again = block.weights()
    assert (again is None) == (weights is None or not rows) and (
        again is None or again.tolist() == weights.tolist()
    )
    read, indices, starts, _ = block.take()
    assert read.tobytes() == np.array([v for _, v in flat], dtype=np.float64).tobytes()
    assert indices.tolist() == [i for i, _ in flat] and np.diff(starts).tolist() == [len(row) for row in rows]


def converted(tmp_path, text, name="data.vw", *options):
    path, out = tmp_path / name, tmp_path / "data.nrb"
    path.write_text(text)
    assert app.run(["convert", str(path), str(out), *options]) == 0
    return path, out


def test_rows_names_weights_and_labels_are_kept(tmp_path):
    path, out = converted(tmp_path, "1 2 |f a:0.5 b\n0 |f b:3\n|g c\n")
    text, binary = nr.read(path), nr.read(out)
    for a, b in zip(text.batches(), binary.batches(), strict=True):
        assert [a.row(r) for r in range(len(a))] == [b.row(r) for r in range(len(b))]
        np.testing.assert_array_equal(a.labels, b.labels)
        np.testing.assert_array_equal(a.weights, b.weights)
    assert binary.labels.describe() == text.labels.describe() == "label 1 is positive, 0 negative"


def test_queries_are_kept(tmp_path):
    text = "1 qid:4 1:1\n0 qid:4 2:0.5\n2 3:1\n0 qid:9000000000 1:2\n"
    _, out = converted(tmp_path, text, "data.svm", "--task", "regression")
    (batch,) = nr.read(out, task="regression").batches()
    assert batch.groups.tolist() == [4, 4, -1, 9_000_000_000]
    out.unlink()
    _, out = converted(tmp_path, "1 qid:1 1:1\n0 qid:1 2:1\n", "data.svm", "--task", "regression")
    assert [(one.number, one.right) for one in nr.queries(out)] == [(1, [0])]


@pytest.mark.parametrize("most", [1, 7, 40, 10_000])
def test_blocks_of_text_are_put_together(tmp_path, monkeypatch, most):
    """Rows with weights and rows without, with queries and without, do not fit into one block."""
    monkeypatch.setattr("noregret.data.source.BLOCK", 64)
    monkeypatch.setattr("noregret.data.nrb.VALUES", most)
    for name, lines in {
        "data.vw": [
            f"{-1 if k % 3 else 1}{' 2' if k % 50 == 7 else ''} | n{k % 40} m:{k}.5" for k in range(200)
        ],
        "data.svm": [f"{-1 if k % 3 else 1}{' qid:5' if k % 50 > 40 else ''} {k % 7}:2" for k in range(200)],
    }.items():
        path, out = converted(tmp_path, "\n".join(lines) + "\n", name)
        streams = [list(nr.read(one).batches()) for one in (path, out)]
        rows = [[b.row(r) for b in found for r in range(len(b))] for found in streams]
        told = [
            [
                (y, 1.0 if b.weights is None else b.weights[r], -1 if b.groups is None else b.groups[r])
                for b in found
                for r, y in enumerate(b.labels.tolist())
            ]
            for found in streams
        ]
        assert rows[0] == rows[1] and told[0] == told[1] and len(rows[1]) == 200
        assert len(streams[1]) == 200 if most == 1 else len(streams[1]) < 100
        assert len(streams[1]) < len(streams[0]) or most < 10_000
        ledgers = [nr.play(nr.read(one), nr.AROW()) for one in (path, out)]
        assert ledgers[0].loss == ledgers[1].loss


def test_rows_without_features_do_not_wait_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr("noregret.data.source.BLOCK", 64)
    monkeypatch.setattr("noregret.data.nrb.VALUES", 50)
    _, out = converted(tmp_path, "1 |\n-1 |\n" * 300)
    lengths = [len(batch) for batch in nr.read(out).batches()]
    assert sum(lengths) == 600 and max(lengths) <= 50


def test_every_byte_is_guarded(tmp_path):
    _, out = converted(tmp_path, "1 |f a:0.5 b\n-1 |f b:3\n")
    whole = out.read_bytes()
    for at in range(len(whole)):
        out.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        try:
            rows = [b.row(r) for b in nr.read(out, format="nrb").batches() for r in range(len(b))]
        except (BadFile, BadCommand) as problem:
            assert "data.nrb" in str(problem)
        else:  # bytes of a head that nobody reads
            assert rows == [[("f^a", 0.5), ("f^b", 1.0)], [("f^b", 3.0)]]
    for size in range(len(whole)):
        out.write_bytes(whole[:size])
        with pytest.raises(BadFile, match="cut short|not an .nrb file"):
            list(nr.read(out, format="nrb").batches())


def test_a_stale_file_is_refused(tmp_path):
    path, out = converted(tmp_path, "1 1:1\n", "data.svm")
    path.write_text("1 1:1\n1 2:1\n")
    with pytest.raises(BadFile, match="has changed since this was made of it"):
        nr.read(out)
    path.unlink()
    assert len(list(nr.read(out).batches())) == 1


def test_a_file_for_other_labels_is_refused(tmp_path):
    _, out = converted(tmp_path, "2 1:1\n1 2:1\n", "data.svm", "--positive", "2")
    assert [y for b in nr.read(out).batches() for y in b.labels.tolist()] == [1.0, -1.0]
    with pytest.raises(BadCommand, match="other labels"):
        nr.read(out, positive=1)


def test_a_file_that_shrinks_while_it_is_read(tmp_path, monkeypatch):
    from noregret.data import nrb

    monkeypatch.setattr(nrb, "VALUES", 10)
    _, out = converted(tmp_path, "1 1:1 2:1\n" * 1000, "data.svm")
    batches = nr.read(out).batches()
    next(batches)
    os.truncate(out, 2000)
    with pytest.raises(BadFile, match="cut short"):
        list(batches)


def test_bad_data_leaves_no_file(tmp_path, capsys):
    path = tmp_path / "data.svm"
    path.write_text("1 1:1\n1 x\n")
    assert app.run(["convert", str(path), str(tmp_path / "out.nrb")]) == 1
    assert [p.name for p in tmp_path.iterdir()] == ["data.svm"] and "line 2" in capsys.readouterr().err
    assert app.run(["convert", str(path)]) == 2 and app.run(["convert", str(path), "x.bin"]) == 2
    assert "x.bin ends in neither .nrb nor .svm; give the data and then" in capsys.readouterr().err


def test_the_cache_is_written_used_and_written_again(tmp_path, capsys):
    path = tmp_path / "data.svm"
    path.write_text("-1 1:1\n1 2:0.5\n" * 50)

    def run(*options):
        assert app.run(["run", str(path), "-l", "perceptron", "--cache", *options]) == 0
        return capsys.readouterr().out

    first, second = run(), run()
    assert "cached in" in first and (tmp_path / "data.svm.nrb").exists() and "read from the cache" in second
    told = [
        next(line for line in out.splitlines() if line.startswith("perceptron")) for out in (first, second)
    ]
    assert told[0].split()[:7] == told[1].split()[:7]
    assert "cached in" in run("--bits", "10") and "read from the cache" in run("--bits", "10")
    path.write_text("-1 1:1\n1 2:0.5\n" * 60)
    assert "cached in" in run("--bits", "10")
    assert app.run(["run", str(path), "--progress-every", "50", "--quiet"]) == 0
    assert "120 rows, " in capsys.readouterr().err


def test_a_cache_is_not_deceived_by_a_time_that_was_put_back(tmp_path):
    path = tmp_path / "data.svm"
    path.write_text("1 1:1\n")

    def read():
        return [batch.row(0) for batch in cached(nr.read(path)).batches()]

    assert read() == read() == [[(1, 1.0)]] and isinstance(cached(nr.read(path)), CacheStream)
    status = path.stat()
    path.write_text("1 2:1\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert read() == read() == [[(2, 1.0)]]


def test_rows_of_a_cache_are_told_by_the_data(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text("1 1:1\n-1 2:1\n")
    Path("b.svm").write_text("1 1:2\n")
    asked = ["--cache", "--passes", "2", "-l", "perceptron", "--predictions", "-"]
    for data, first, second in (
        (["a.svm"], "a.svm, line 1", "a.svm, row 1 of its cache"),
        (["a.svm", "b.svm"], "a.svm, line 1", "a.svm and 1 more file, row 1 of their cache"),
    ):
        for begins in (first, second):
            assert app.run(["run", *data, *asked]) == 0
            told = [line.rpartition(",0.0,")[2].strip('"') for line in capsys.readouterr().out.splitlines()]
            assert begins in told[1] and second in "".join(told)


def test_a_file_of_copied_data_is_still_good(tmp_path):
    path, out = converted(tmp_path, "1 1:1\n", "data.svm")
    status = path.stat()
    path.chmod(0o600)
    path.rename(tmp_path / "moved")
    (tmp_path / "moved").rename(path)
    assert path.stat().st_ctime_ns != status.st_ctime_ns and len(list(nr.read(out).batches())) == 1


def test_what_is_written_while_it_is_read_makes_the_cache_stale(tmp_path):
    path = tmp_path / "data.svm"
    path.write_text("1 1:1\n")
    batches = cached(nr.read(path)).batches()
    next(batches)
    with path.open("a") as more:
        more.write("1 2:1\n")
    assert list(batches) == []
    assert len([row for batch in cached(nr.read(path)).batches() for row in range(len(batch))]) == 2


def test_a_cache_that_is_being_written_tells_what_was_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr("noregret.data.text.MOST_NAMES", 2)
    path = tmp_path / "data.csv"
    path.write_text("w,y\n" + "".join(f"w{k},1\n" for k in range(5)) + "w1,what\n")
    stream = cached(nr.read(path, on_bad_row="skip"))
    assert sum(map(len, stream.batches())) == 5
    assert (stream.left_out, stream.skipped) == (3, 1)


def test_what_a_cache_tells(tmp_path, capsys):
    path = tmp_path / "data.svm"
    path.write_text("-1 1:1\nbad\n1 2:0.5\n" * 2)
    skipping = ["run", str(path), "-l", "perceptron", "--cache", "--on-bad-row", "skip"]
    assert app.run(skipping[:-2]) == 1
    assert "cache" not in capsys.readouterr().out  # it stopped at a bad row, and there is none
    assert app.run(skipping) == 0 and "skipped: 2 bad rows" in capsys.readouterr().out
    assert app.run(skipping) == 0
    again = capsys.readouterr().out
    assert "read from the cache" in again and "skipped: 2 bad rows" in again
    cache = tmp_path / "data.svm.nrb"
    text = bytearray(cache.read_bytes())
    text[40] ^= 0xFF
    cache.write_bytes(text)
    assert app.run(skipping) == 1
    assert (
        "data.svm.nrb: a block of it is damaged: its checksum is wrong; delete it" in capsys.readouterr().err
    )
    cache.unlink()
    assert app.run(skipping) == 0 and "cached in" in capsys.readouterr().out


def test_queries_are_written_to_libsvm_text(tmp_path):
    text = "+1 qid:3 1:0.5\n-1 1:2.0\n+1 qid:4 1:3.0\n"
    (tmp_path / "data.svm").write_text(text)
    assert app.run(["convert", str(tmp_path / "data.svm"), str(tmp_path / "again.svm"), "-q"]) == 0
    assert (tmp_path / "again.svm").read_text() == text


def test_a_table_with_words_goes_into_a_file_as_it_is(tmp_path):
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    rng = np.random.default_rng(4)
    words = rng.choice(["red", "green", "blue"], 300)
    table = pa.table({"w": words, "x": rng.normal(size=300), "y": rng.choice([-1, 1], 300)})
    data, out = tmp_path / "t.parquet", tmp_path / "t.nrb"
    pq.write_table(table, data)
    assert app.run(["convert", str(data), str(out), "--label", "y", "--quiet"]) == 0
    learners = nr.Perceptron(), nr.Perceptron()
    nr.play(nr.read(data, label="y"), learners[0])
    nr.play(nr.read(out), learners[1])
    assert list(learners[0].weights.items()) == list(learners[1].weights.items())
    assert set(learners[0].weights) == {"w=red", "x"}  # the others are 0 again
    assert app.run(["convert", str(data), str(tmp_path / "t.svm"), "--label", "y", "--quiet"]) == 0
    again = ["--cache", "--passes", "2", "--quiet"]
    assert app.run(["run", str(data), "--label", "y", "-l", "perceptron", *again]) == 0
