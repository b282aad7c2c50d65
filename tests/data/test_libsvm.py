import bz2
import gzip
import lzma
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret import _core
from noregret.data import source
from noregret.errors import BadFile, BadLabel, BadParameter, UnknownName


def rows_of(path, **options):
    return [
        (b.row(r), y) for b in nr.read(path, **options).batches() for r, y in enumerate(b.labels.tolist())
    ]


def written(tmp_path, text, name="data.svm"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_what_the_format_allows(tmp_path):
    text = "+1 1:1 7:-2.5 # a comment\n\n# only a comment\n-1 qid:4 5:1e-3\t2:.5\r\n1\n-1 3:+1 3:2"
    assert rows_of(written(tmp_path, text)) == [
        ([(1, 1.0), (7, -2.5)], 1.0),
        ([(5, 0.001), (2, 0.5)], -1.0),
        ([], 1.0),
        ([(3, 1.0), (3, 2.0)], -1.0),
    ]


@pytest.mark.parametrize("opener", [gzip.open, bz2.open, lzma.open])
def test_compressed_files_are_recognised_by_content(tmp_path, opener):
    path = tmp_path / "data.bin"
    with opener(path, "wb") as file:
        file.write(b"1 1:2\n0 2:3\n")
    assert rows_of(path) == [([(1, 2.0)], 1.0), ([(2, 3.0)], -1.0)]


def test_a_byte_order_mark_is_passed_over(tmp_path):
    assert rows_of(written(tmp_path, b"\xef\xbb\xbf1 2:3\n")) == [([(2, 3.0)], 1.0)]


def test_several_files_are_one_stream(tmp_path):
    a, b = written(tmp_path, "1 1:1\n", "a"), written(tmp_path, "-1 2:1\n", "b")
    assert [y for _, y in rows_of([b, a])] == [-1.0, 1.0]


def test_blocks_do_not_cut_rows(tmp_path, monkeypatch):
    text = "".join(f"{(-1) ** k} {k}:{k / 7!r} {k + 1}:1\n" for k in range(500))
    path = written(tmp_path, text)
    whole = rows_of(path)
    monkeypatch.setattr(source, "BLOCK", 37)
    assert rows_of(path) == whole and len(whole) == 500


def test_lines_are_counted_across_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "BLOCK", 16)
    path = written(tmp_path, "1 1:1\n" * 20 + "# x\n1 1:oops\n")
    with pytest.raises(BadFile, match=r"data.svm, line 22, column 3: '1:oops'"):
        rows_of(path)


@pytest.mark.parametrize(
    ("text", "line", "column", "token", "right"),
    [
        ("1 1:1\nspam 1:1\n", 2, 1, "spam", "begins with its label"),
        ("1:1 2:1\n", 1, 1, "1:1", "begins with a feature"),
        ("1 2\n", 1, 3, "2", "index:value"),
        ("1 2:\n", 1, 3, "2:", "the value is a number"),
        ("1 :2\n", 1, 3, ":2", "index:value"),
        ("1 2:3:4\n", 1, 3, "2:3:4", "the value is a number"),
        ("1 2:nan\n", 1, 3, "2:nan", "finite"),
        ("1 2:-inf\n", 1, 3, "2:-inf", "finite"),
        ("1 2:1e999\n", 1, 3, "2:1e999", "finite"),
        ("1 -2:1\n", 1, 3, "-2:1", "0 to 2147483646"),
        ("1 2147483647:1\n", 1, 3, "2147483647:1", "0 to 2147483646"),
        ("1 99999999999999999999:1\n", 1, 3, "99999999999999999999:1", "0 to 2147483646"),
        ("nan 1:1\n", 1, 1, "nan", "begins with its label"),
        ("1 1:0x10\n", 1, 3, "1:0x10", "the value is a number"),
        ("1 1:1 2:++3\n", 1, 7, "2:++3", "the value is a number"),
    ],
)
def test_faults_name_line_column_token_and_what_would_be_right(tmp_path, text, line, column, token, right):
    with pytest.raises(BadFile) as caught:
        rows_of(written(tmp_path, text))
    told = str(caught.value)
    assert f"data.svm, line {line}, column {column}: '{token}': " in told and right in told


def test_rows_before_a_fault_are_learned(tmp_path):
    learner = nr.Perceptron()
    with pytest.raises(BadFile, match="line 3") as caught:
        nr.play(nr.read(written(tmp_path, "-1 1:1\n-1 2:1\n-1 3:x\n-1 4:1\n")), learner)
    assert learner.weights == {1: -1.0, 2: -1.0} and caught.value.ledgers[0].rounds == 2


def test_bad_rows_can_be_skipped(tmp_path):
    text = "-1 1:1\nx 2:1\n-1 3:x\n5 1:1\n-1 4:1\n0 5:1\n"
    stream = nr.read(written(tmp_path, text), on_bad_row="skip")
    learner = nr.Perceptron()
    ledger = nr.play(stream, learner)
    assert learner.weights == {1: -1.0, 4: -1.0} and ledger.rounds == 2 and stream.skipped == 4
    assert [fault.split(": ")[0].split(", ")[1] for fault in stream.faults] == [
        "line 2",
        "line 3",
        "line 4",
        "line 6",
    ]
    assert nr.certify(ledger)[0].verdict == "holds"


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_an_empty_file_is_an_error(tmp_path, text):
    with pytest.raises(BadFile, match="not a single row"):
        rows_of(written(tmp_path, text))


def test_damaged_compression(tmp_path):
    whole = gzip.compress(b"1 1:1\n" * 10_000)
    with pytest.raises(BadFile, match="damaged or cut short"):
        rows_of(written(tmp_path, whole[: len(whole) // 2]))
    with pytest.raises(BadFile, match="damaged or cut short"):
        rows_of(written(tmp_path, whole[:20] + bytes(20) + whole[40:]))


def test_binary_rubbish_is_a_sentence(tmp_path):
    with pytest.raises(BadFile, match=r"line 1, column 1: '\\xff\\x00"):
        rows_of(written(tmp_path, b"\xff\x00\x01\x02"))


def test_a_line_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "BLOCK", 100)
    monkeypatch.setattr(source, "LONGEST_LINE", 1000)
    with pytest.raises(BadFile, match="longer than 1,000 bytes"):
        rows_of(written(tmp_path, "1 " + "1:1 " * 500))


def test_where_to_read_from(tmp_path):
    with pytest.raises(BadFile, match="no such file"):
        nr.read(tmp_path / "nothing")
    with pytest.raises(BadFile, match="this is a folder"):
        nr.read(tmp_path)
    with pytest.raises(UnknownName, match="no format called 'xml'"):
        nr.read(written(tmp_path, ""), format="xml")
    with pytest.raises(BadParameter, match="it must be stop or skip"):
        nr.read(written(tmp_path, ""), on_bad_row="weep")
    with pytest.raises(BadParameter, match="no file"):
        nr.read([])


def test_labels(tmp_path):
    assert [y for _, y in rows_of(written(tmp_path, "1\n0\n1\n"))] == [1.0, -1.0, 1.0]
    assert [y for _, y in rows_of(written(tmp_path, "2\n1\n2\n"), positive=2)] == [1.0, -1.0, 1.0]
    with pytest.raises(BadLabel, match="line 2, column 1: '3': a label is 1 or -1 .* positive=VALUE"):
        rows_of(written(tmp_path, "1\n3\n"))
    with pytest.raises(BadLabel, match="line 3, column 1: '0': the negative label is -1 so far"):
        rows_of(written(tmp_path, "1\n-1\n0\n"))


def as_text(rows):
    return "".join(f"{y:g} " + " ".join(f"{i}:{v!r}" for i, v in row) + "\n" for row, y in rows).encode()


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(
            st.lists(
                st.tuples(st.integers(0, 2**31 - 2), st.floats(allow_nan=False, allow_infinity=False)),
                max_size=5,
            ),
            st.sampled_from([1.0, -1.0]),
        ),
        max_size=8,
    )
)
def test_what_is_written_is_read_back_to_the_bit(rows):
    parsed = _core.parse_libsvm(as_text(rows))
    assert parsed.fault_count == 0
    labels = parsed.labels()
    values, indices, starts, lines = parsed.take()
    assert labels.tolist() == [y for _, y in rows]
    assert list(zip(indices.tolist(), values.tolist(), strict=True)) == [
        pair for row, _ in rows for pair in row
    ]
    assert np.diff(starts).tolist() == [len(row) for row, _ in rows] and lines.tolist() == list(
        range(len(rows))
    )


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.text(alphabet="0123456789.eE+-_ xinfa", min_size=1, max_size=24).filter(lambda t: " " not in t))
def test_numbers_are_read_as_python_reads_them(token):
    parsed = _core.parse_libsvm(f"1 1:{token}\n".encode())
    try:
        number = float(token)
    except ValueError:
        assert parsed.fault_count == 1
        return
    plain = "_" not in token  # the one thing that Python takes and files do not use
    assert (not parsed.fault_count) == (plain and math.isfinite(number))
    if not parsed.fault_count:
        assert parsed.take()[0].tolist() == [number]


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.binary(max_size=200))
def test_any_bytes_give_rows_or_a_fault(data):
    for skip in (False, True):
        parsed = _core.parse_libsvm(data, skip)
        labels = parsed.labels()
        values, indices, starts, lines = parsed.take()
        assert len(labels) == len(starts) - 1 == len(lines) and len(values) == len(indices) == starts[-1]
        assert np.isfinite(values).all() and np.isfinite(labels).all() and (indices >= 0).all()
        assert min(parsed.fault_count, 5) == len(parsed.faults)
        if skip:
            assert parsed.line_count == len(data.split(b"\n")) - data.endswith(b"\n") - (not data)
