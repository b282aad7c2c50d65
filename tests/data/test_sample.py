"""What the first rows tell: whatever they are, numbers stay numbers, and what is wrong is said."""

import io
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import noregret as nr
from noregret.data import csv, source
from noregret.errors import BadFile

from .rows import rows_of, written


def columns_of(path, **options):
    stream = nr.read(path, **options)
    for _ in stream.batches():
        pass
    return stream.columns


@pytest.mark.parametrize(
    "count", [10_000, 100_000]
)  # a header beyond the first block, and beyond what is looked at
def test_a_header_that_is_longer_than_a_block(tmp_path, count):
    header = ",".join(f"a-long-name-{k}" for k in range(count))
    row = ",".join(["1.5"] * count)
    path = written(tmp_path, f"{header},label\n{row},1\n{row},0\n", "wide.csv")
    assert len(columns_of(path).of("numeric")) == count


def test_a_first_row_that_is_longer_than_a_block(tmp_path):
    long = "x" * 3_000_000
    path = written(tmp_path, f'a,b,label\n1,{long},1\n2,"{long}",0\n', "long.csv")
    assert rows_of(path) == [
        ([("a", 1.0), (f"b={long}", 1.0)], 1.0, 1.0),
        ([("a", 2.0), (f"b={long}", 1.0)], -1.0, 1.0),
    ]


def test_a_header_alone_does_not_tell_what_the_columns_of_later_files_are(tmp_path):
    alone = written(tmp_path, "a,label\n", "alone.csv")
    path = written(tmp_path, "a,label\n2,1\n", "rows.csv")
    assert rows_of([alone, path]) == [([("a", 2.0)], 1.0, 1.0)]
    assert rows_of([path, alone]) == [([("a", 2.0)], 1.0, 1.0)]
    other = written(tmp_path, "b,label\n2,1\n", "other.csv")
    with pytest.raises(BadFile, match="its columns are not those of"):
        rows_of([alone, other])


def test_a_quote_that_nobody_closes_makes_no_words_of_numbers(tmp_path):
    path = written(tmp_path, 'a,b,label\n1,"x,1\n2,y,0\n3,z,1\n', "open.csv")
    stream = nr.read(path, on_bad_row="skip")
    rows = [batch.row(r) for batch in stream.batches() for r in range(len(batch))]
    assert rows == [[("a", 2.0), ("b=y", 1.0)], [("a", 3.0), ("b=z", 1.0)]]
    assert stream.skipped == 1 and "line 2, column 3" in stream.faults[0]
    with pytest.raises(BadFile, match="line 1: a quote that opens a cell must be closed"):
        rows_of(written(tmp_path, 'a,"b,label\n1,2,1\n', "header.csv"))


@pytest.mark.parametrize("before", ["", "1,2,1\n"])
def test_a_quote_that_nobody_closes_is_not_searched_to_the_end_of_the_file(tmp_path, monkeypatch, before):
    monkeypatch.setattr(csv, "LONGEST_QUOTE", 1 << 12)
    monkeypatch.setattr(source, "FIRST_BLOCK", 1 << 10)
    monkeypatch.setattr(source, "BLOCK", 1 << 10)
    lines = [f"{k},w{k % 7},{k % 2}\n" for k in range(20_000)]
    path = written(tmp_path, f'a,b,label\n{before}0,"open,1\n' + "".join(lines), "open.csv")
    stream = nr.read(path, on_bad_row="skip", numeric=["a"], categorical=["b"])
    sizes = []
    values = []
    for batch in stream.batches():
        sizes.append(len(batch))
        values += [dict(batch.row(r))["a"] for r in range(len(batch))]
    assert values[bool(before) :] == np.arange(20_000.0).tolist()
    assert stream.skipped == 1 and max(sizes) < 3000


@pytest.mark.parametrize("place", ["header", "first row", "later"])
def test_a_quoted_cell_of_many_lines_has_an_end(tmp_path, monkeypatch, place):
    """Closed, but too far away: rows have begun again by then."""
    monkeypatch.setattr(csv, "LONGEST_QUOTE", 1 << 12)
    monkeypatch.setattr(source, "FIRST_BLOCK", 1 << 10)
    monkeypatch.setattr(source, "BLOCK", 1 << 10)
    cell = '"' + "abc def\n" * 10_000 + '"'
    lines = {"header": f"{cell},label\nx,1\n", "first row": f"a,label\n{cell},1\n"}
    path = written(tmp_path, lines.get(place, f"a,label\nx,1\n{cell},1\n"), "d.csv")
    right = "a quote that opens a cell must be closed, within 16 MiB if there are lines in it"
    token = {"header": "1", "first row": """2, column 1: '"abc def'"""}.get(
        place, """3, column 1: '"abc def'"""
    )
    with pytest.raises(BadFile, match=f"d.csv, line {token}: {right}"):
        rows_of(path)


def test_a_long_name_is_not_told_in_full(tmp_path):
    name = "a\n" * 5000
    path = written(tmp_path, f'"{name}",label\ntrue,1\n2,0\n', "d.csv")
    stream = nr.read(path)
    assert [row for batch in stream.batches() for row in batch.row(0)] == [(name.strip(), 1.0)]
    assert len(stream.describe()) < 300 and "\n" not in stream.describe()


@pytest.mark.parametrize("cell", ["1e400", "-1e400", "-nan", "+NaN"])
def test_a_number_that_is_not_finite_makes_no_words_of_its_column(tmp_path, cell):
    path = written(tmp_path, f"a,label\n1,1\n{cell},0\n3,1\n", "beyond.csv")
    with pytest.raises(BadFile, match=r"line 3, column 1: '.*': column 'a' holds finite numbers"):
        rows_of(path)
    assert [row for row, *_ in rows_of(path, on_bad_row="skip")] == [[("a", 1.0)], [("a", 3.0)]]


def test_lines_that_end_with_a_carriage_return_alone(tmp_path):
    path = written(tmp_path, "a,b,label\r1,x,1\r2,y,0\r", "mac.csv")
    with pytest.raises(BadFile, match="line 1: .* alone ends its lines"):
        rows_of(path)


def test_rows_without_a_header_are_not_waited_for(tmp_path):
    stream = nr.read(written(tmp_path, "", "none.csv"), header=False)
    room = bytearray(b"1,2,1\n")
    assert stream.cut(room, len(room)) == len(room)
    assert nr.read(stream.paths).cut(room, len(room)) == 0


@pytest.mark.parametrize("blank", ["", "\n", "\r\n", " , \n", '"",\n'])
def test_a_row_below_the_header_is_not_waited_for_and_a_blank_line_is_none(tmp_path, blank):
    stream = nr.read(written(tmp_path, "", "none.csv"))
    header, row = f"{blank}x,label\n{blank}".encode(), b"1,1\n"
    assert stream.cut(bytearray(header), len(header)) == 0
    assert stream.cut(bytearray(header + row), len(header + row)) == len(header + row)


class Pausing(io.RawIOBase):
    """A pipe whose bytes come in parts, each when the one before was read."""

    def __init__(self, parts):
        self.parts = list(parts)

    def readable(self):
        return True

    def readinto(self, room):
        part = self.parts.pop(0) if self.parts else b""
        room[: len(part)] = part
        return len(part)


@pytest.mark.parametrize(
    ("parts", "options"),
    [
        (["x,label\n\n", "1,1\n2,-1\n3,1\n"], {}),
        (["x,label\r\n\r\n", "1,1\r\n", "2,-1\r\n"], {}),
        (["x,label\n" + "\n" * 2000, "1,1\n2,-1\n"], {}),
        (["\n", '"x\n', '\n1",label\n\n', "1,1\n2,-1\n"], {}),
        (["\ufeff", "\n", "x", ";label\n\n", "1;1\n2;-1\n"], {}),
        (["\n", "1,1\n2,-1\n"], {"header": False, "label": 2}),
        (["x;label\n\n", "1;1\n2;-1\n"], {"encoding": "utf-16-le"}),
    ],
)
def test_a_pipe_that_pauses_behind_a_blank_line_is_read_as_a_file_is(tmp_path, monkeypatch, parts, options):
    sent = [part.encode(options.get("encoding", "utf-8")) for part in parts]
    path = written(tmp_path, b"".join(sent), "file")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=Pausing(sent)))
    rows = rows_of("-", format="csv", **options)
    assert rows == rows_of(path, format="csv", **options)
    assert [row[0][1] for row, *_ in rows[:2]] == [1.0, 2.0]  # numbers, and no words


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('"a;b";c,d;label\n1;2,5;1\n2;3,5;-1\n3;4,5;1\n', ["a;b", "c,d"]),
        ('name,a;b,label\n"Smith, J.",x;y,1\n"Li, K.",u;v,-1\n"Wu, L.",u;y,1\n', ["name", "a;b"]),
    ],
)
def test_the_separator_is_that_of_the_decoded_text(tmp_path, encoding, text, names):
    path = written(tmp_path, text.encode(encoding), "data.csv")
    said = None if encoding.startswith("utf-8") else encoding
    assert list(columns_of(path, encoding=said).kinds) == [*names, "label"]
