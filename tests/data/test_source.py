import bz2
import gzip
import lzma
import os
import sys
import threading
import time
from pathlib import Path

import pytest
import zstandard

import noregret as nr
from noregret.data import source
from noregret.data.ahead import in_order
from noregret.errors import BadFile, BadParameter, MissingExtra

LINES = b"".join(b"%d %d:1\n" % ((-1) ** k, k) for k in range(2000))


def rows_of(path):
    return [b.row(r)[0][0] for b in nr.read(path, format="libsvm").batches() for r in range(len(b))]


@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_compression_is_recognised_by_content(tmp_path, monkeypatch, compress):
    path = tmp_path / "data"
    path.write_bytes(compress(LINES))
    monkeypatch.setattr(source, "BLOCK", 1000)
    assert rows_of(path) == list(range(2000))


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
def test_damaged_compression_is_a_sentence(tmp_path, compress):
    whole = compress(os.urandom(20_000).hex().encode())
    path = tmp_path / "data"
    path.write_bytes(whole[:2000] + bytes(200) + whole[2200:])
    with pytest.raises(BadFile, match="damaged or cut short|a line begins with its label"):
        rows_of(path)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress, zstandard.compress])
@pytest.mark.parametrize("kept", [0.05, 0.5, 0.999])
def test_a_compressed_file_that_was_cut_is_refused(tmp_path, compress, kept):
    whole = compress(LINES)
    path = tmp_path / "data"
    path.write_bytes(whole[: int(kept * len(whole))])
    with pytest.raises(BadFile, match="damaged or cut short"):
        rows_of(path)


def test_a_row_that_a_cut_makes_is_not_learned(tmp_path):
    packer = zstandard.ZstdCompressor().compressobj()
    packed = packer.compress(b"1 1:1\n-1 1:3 2:12") + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    (tmp_path / "data.zst").write_bytes(packed)  # 2:12345 it was to be
    learner = nr.Perceptron()
    with pytest.raises(BadFile, match="cut short"):
        nr.play(nr.read(tmp_path / "data.zst", format="libsvm"), learner)
    assert learner.weights == {}


def test_zstd_in_several_parts_of_any_length(tmp_path):
    parts = [LINES[k : k + 1777] for k in range(0, len(LINES), 1777)]
    path = tmp_path / "data"
    path.write_bytes(b"".join(map(zstandard.compress, [b"", *parts])))
    assert rows_of(path) == list(range(2000))
    path.write_bytes(zstandard.compress(b"1 1:1\n" * 3_000_000))  # a few bytes for many lines
    assert sum(len(batch) for batch in nr.read(path, format="libsvm").batches()) == 3_000_000


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    path = tmp_path / "data.zst"
    path.write_bytes(zstandard.compress(LINES))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtra, match=r"pip install 'noregret\[zstd\]'"):
        rows_of(path)


def test_a_file_that_shrinks_is_an_error(tmp_path, monkeypatch):
    path = tmp_path / "data.svm"
    path.write_bytes(LINES)
    monkeypatch.setattr(source, "BLOCK", 1000)
    with source.closing(source.Source(path)) as opened:
        room = bytearray()
        opened.fill(room).text.release()
        os.truncate(path, 3000)
        with pytest.raises(BadFile, match="it had 17,890 bytes .* somebody cut it short"):
            while (block := opened.fill(room)) is not None:
                block.text.release()


def test_lines_longer_than_a_block(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "BLOCK", 100)
    path = tmp_path / "data.svm"
    path.write_bytes(b"1 " + b" ".join(b"%d:1" % k for k in range(3000)) + b"\n-1 7:1\n")
    batches = list(nr.read(path).batches())
    assert [len(b.row(r)) for b in batches for r in range(len(b))] == [3000, 1]


def test_utf_16_is_named_and_read_when_it_is_said(tmp_path):
    path = tmp_path / "data.svm"
    path.write_bytes("1 2:3\n".encode("utf-16"))
    with pytest.raises(BadFile, match="--encoding utf-16"):
        list(nr.read(path, format="libsvm").batches())
    (batch,) = nr.read(path, format="libsvm", encoding="utf-16").batches()
    assert batch.row(0) == [(2, 3.0)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "idna"])
def test_text_that_is_not_what_was_said_is_a_sentence(tmp_path, encoding):
    (tmp_path / "d.svm").write_bytes(b"1 1:1 # \xe4\n-1 2:1\n")
    with pytest.raises(BadFile, match=f"d.svm: it is not {encoding} text"):
        list(nr.read(tmp_path / "d.svm", encoding=encoding).batches())


def test_standard_input_may_be_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BadFile, match="there is no standard input to read from"):
        nr.read("-")


def test_a_pattern_that_is_none_is_a_bad_parameter(tmp_path, monkeypatch):
    def refuse(self, pattern):
        raise ValueError("two stars")

    monkeypatch.setattr(Path, "glob", refuse)  # from Python 3.13 on any pattern will do
    with pytest.raises(BadParameter, match="h\\*\\*.svm: this is no pattern \\(two stars\\)"):
        nr.read(tmp_path / "h**.svm")


def numbers(count):
    left = iter(range(count))
    return lambda room: next(left, None)


@pytest.mark.parametrize("lend", [False, True])
def test_work_is_done_side_by_side_and_given_in_order(lend):
    def work(number):
        time.sleep((number * 7 % 5) / 1000)
        return number

    assert list(in_order(numbers(100), work, threads=4, lend=lend)) == list(range(100))


def test_a_thread_that_is_lent_works_alone_if_need_be():
    workers = []
    results = in_order(numbers(5), lambda n: workers.append(threading.get_ident()) or n, threads=1, lend=True)
    assert list(results) == list(range(5))
    assert set(workers) == {threading.get_ident()}


def test_a_thread_that_is_not_lent_hands_out_what_is_done_while_the_next_item_is_waited_for():
    more = threading.Event()

    left, told = iter([1, 2, None]), []

    def slow(room):
        number = next(left)
        if number == 2:
            told.append(more.wait(5))  # False: nobody had 1 while 2 was waited for
        return number

    results = in_order(slow, lambda n: time.sleep(0.1) or n, threads=2)
    assert next(results) == 1
    more.set()
    assert list(results) == [2]
    assert told == [True]


@pytest.mark.parametrize("lend", [False, True])
def test_what_is_raised_is_raised_at_its_place(lend):
    def work(number):
        if number == 5:
            raise ValueError("five")
        return number

    found = []
    with pytest.raises(ValueError, match="five"):
        for number in in_order(numbers(100), work, threads=3, lend=lend):
            found.append(number)
    assert found == [0, 1, 2, 3, 4]


def test_little_is_done_ahead_and_closing_ends_the_threads():
    done = []
    before = threading.active_count()
    results = in_order(numbers(1000), lambda n: done.append(n) or n, threads=2)
    assert next(results) == 0
    time.sleep(0.1)
    assert len(done) <= 2 * 2 + 1
    results.close()
    assert threading.active_count() == before


def test_a_file_is_closed_by_the_process_that_opened_it(tmp_path, monkeypatch):
    path = tmp_path / "a.svm"
    path.write_bytes(LINES)
    opened = source.Source(path)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(os, "getpid", lambda: 0)
        opened.close()
    assert not opened._file.closed
    assert source._FORKED.pop() == (opened._text, opened._file)
    opened.close()
    assert opened._file.closed
