import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

import noregret as nr
from noregret import _core
from noregret.errors import BadFile


def written(tmp_path, text, name="data.vw"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def rows_of(path, **options):
    found = []
    for batch in nr.read(path, **options).batches():
        weights = np.ones(len(batch)) if batch.weights is None else batch.weights
        for r, (y, weight) in enumerate(zip(batch.labels.tolist(), weights.tolist(), strict=True)):
            found.append((batch.row(r), y, weight))
    return found


def test_what_the_format_allows(tmp_path):
    text = (
        "1 |f a:0.5 b\n"
        "-1 2.5 |f:2 a:3 |g c:-1e-3\n"
        "1 1.0 0.25 'tag | x.y:1.5\n"
        "-1 tag|f b:.5 |f  a \r\n"
        "\n"
        "1 'tag |f |g é:2"
    )
    assert rows_of(written(tmp_path, text)) == [
        ([("f^a", 0.5), ("f^b", 1.0)], 1.0, 1.0),
        ([("f^a", 6.0), ("g^c", -0.001)], -1.0, 2.5),
        ([("x.y", 1.5)], 1.0, 1.0),
        ([("f^b", 0.5), ("f^a", 1.0)], -1.0, 1.0),
        ([("g^é", 2.0)], 1.0, 1.0),
    ]


def test_lines_without_a_label_are_predicted_and_not_learned(tmp_path):
    learner = nr.Perceptron()
    ledger = nr.play(nr.read(written(tmp_path, "-1 | a\n| a b\n'tag | b\n-1 | b\n")), learner)
    assert ledger.tally.unlabelled == 2 and ledger.labelled == 2
    assert learner.weights == {"a": -1.0, "b": -1.0}


def test_importance_reaches_learning(tmp_path):
    learner = nr.Perceptron()
    nr.play(nr.read(written(tmp_path, "-1 2.5 | a:2\n")), learner)
    again = nr.Perceptron()
    again.learn({"a": 2.0}, -1, weight=2.5)
    assert learner.weights == again.weights


@pytest.mark.parametrize(
    ("text", "line", "column", "token", "right"),
    [
        ("1 | a\nspam | a\n", 2, 1, "spam", "begins with its label"),
        ("1 -2 | a\n", 1, 3, "-2", "its importance, a number that is 0 or more"),
        ("1 1 x | a\n", 1, 5, "x", "the first prediction, a number"),
        ("1 1 1 1 | a\n", 1, 7, "1", "at most a label"),
        ("1 | a:x\n", 1, 5, "a:x", "the value is a number"),
        ("1 | a:nan\n", 1, 5, "a:nan", "finite"),
        ("1 | a:\n", 1, 5, "a:", "the value is a number"),
        ("1 | :1\n", 1, 5, ":1", "a feature has a name"),
        ("1 |f:x a\n", 1, 4, "f:x", "the scale is a number"),
        ("1 |f:1e300 a:1e300\n", 1, 12, "a:1e300", "finite"),
        ("1 a b\n", 1, 3, "a", "its importance"),
        ("1\n", 1, 1, "1", "behind a bar"),
        (b"1 |f ok \xff:1\n", 1, 9, "\\xff", "UTF-8"),
        (b"1 | ok \xff\n", 1, 8, "\\xff", "UTF-8"),
        (b"1 |\xff:2 ok\n", 1, 4, "\\xff:2", "UTF-8"),
    ],
)
def test_faults_name_line_column_token_and_what_would_be_right(tmp_path, text, line, column, token, right):
    with pytest.raises(BadFile) as caught:
        rows_of(written(tmp_path, text))
    told = str(caught.value)
    assert f"data.vw, line {line}, column {column}: '{token}': " in told and right in told


def test_a_bad_name_is_bad_every_time(tmp_path):
    text = b"1 | \xff\n" * 3 + b"1 | a\n" + b"1 | \xff b\n"
    stream = nr.read(written(tmp_path, text), on_bad_row="skip")
    assert [batch.row(0) for batch in stream.batches()] == [[("a", 1.0)]] and stream.skipped == 4
    assert list(stream.names) == ["a"]


def test_names_get_their_columns_in_the_order_of_the_file(tmp_path, monkeypatch):
    from noregret.data import source

    names = [f"n{k * 7919 % 5003}" for k in range(5000)]
    path = written(tmp_path, "".join(f"1 | {name} shared:{k}\n" for k, name in enumerate(names)))
    monkeypatch.setattr(source, "BLOCK", 512)
    stream = nr.read(path)
    assert [row for row, _, _ in rows_of(path)] == [
        [(n, 1.0), ("shared", float(k))] for k, n in enumerate(names)
    ]
    for _ in stream.batches():
        pass
    assert list(stream.names) == [names[0], "shared", *names[1:]]


def test_too_many_names_are_left_out_and_counted(tmp_path, monkeypatch):
    from noregret.data import text

    monkeypatch.setattr(text, "MOST_NAMES", 2)
    stream = nr.read(written(tmp_path, "1 | a b:2 c:3\n-1 | c d a:4 b\n"))
    rows = [batch.row(r) for batch in stream.batches() for r in range(len(batch))]
    assert rows == [[("a", 1.0), ("b", 2.0)], [("a", 4.0), ("b", 1.0)]] and stream.left_out == 3


def test_hashed_names_are_numbers(tmp_path):
    from noregret.reference.hashing import hashed

    path = written(tmp_path, "1 |f a:2 |g b\n")
    (batch,) = nr.read(path, bits=12).batches()
    assert batch.row(0) == [(hashed("f^a", 12), 2.0), (hashed("g^b", 12), 1.0)] and batch.width == 4096


NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters=" \t\r\n|:\x0b\x0c'"), min_size=1, max_size=12
)
VALUES = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(st.lists(st.tuples(NAMES, VALUES), max_size=6), st.sampled_from([1.0, -1.0, math.nan]))
    )
)
def test_what_is_written_is_read_back_to_the_bit(rows):
    text = "".join(
        ("" if math.isnan(y) else f"{y:g} ") + "| " + " ".join(f"{n}:{v!r}" for n, v in row) + "\n"
        for row, y in rows
    )
    names = _core.Vocabulary(1000)
    parsed = _core.parse_vw(text.encode(), names)
    assert parsed.fault_count == 0 and parsed.settle(names) == 0
    np.testing.assert_array_equal(parsed.labels(), [y for _, y in rows])
    values, indices, starts, _ = parsed.take()
    assert [(names[c], v) for c, v in zip(indices.tolist(), values.tolist(), strict=True)] == [
        pair for row, _ in rows for pair in row
    ]
    assert np.diff(starts).tolist() == [len(row) for row, _ in rows]


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.one_of(st.binary(max_size=200), st.text("1a.:| '\n\t-", max_size=60).map(str.encode)))
def test_any_bytes_give_rows_or_a_fault(data):
    for skip in (False, True):
        names = _core.Vocabulary(1000)
        parsed = _core.parse_vw(data, names, skip)
        assert parsed.settle(names) == 0
        count = len(parsed)
        values, indices, starts, lines = parsed.take()
        assert count == len(starts) - 1 == len(lines) and len(values) == len(indices) == starts[-1]
        assert np.isfinite(values).all() and (indices >= 0).all() and (indices < max(len(names), 1)).all()
        assert min(parsed.fault_count, 5) == len(parsed.faults)


@pytest.mark.parametrize("prefix", ["", "f", "space"])
def test_short_names_have_the_columns_of_long_ones(prefix):
    names = [
        "7",
        "07",
        "0",
        "00",
        "12345",
        "1048575",
        "1048576",
        "9999999",
        "12345678",
        "a",
        "7a",
        "é",
        "longer-name",
    ]
    row = " ".join(f"{name}:0.5" for name in names)
    text = f"1 |{prefix} {row}\n".encode()
    called = [f"{prefix}^{name}" if prefix else name for name in names]
    vocabulary = _core.Vocabulary(100)
    for _ in range(2):  # new, and known
        parsed = _core.parse_vw(text, vocabulary)
        assert parsed.settle(vocabulary) == 0
        assert [vocabulary[int(column)] for column in parsed.take()[1]] == called
    hashed = _core.parse_vw(text, None, bits=20)
    assert hashed.take()[1].tolist() == [_core.hash_name(name, 20) for name in called]


def test_names_in_any_order_and_more_than_once_teach_what_numbers_teach(tmp_path):
    rng = np.random.default_rng(3)
    rows, y = rng.integers(0, 12, (300, 6)), rng.choice([-1.0, 1.0], 300)
    lines = [
        f"{sign:.0f} |{''.join(f' {k}:0.{k + 1}' for k in row)}\n" for sign, row in zip(y, rows, strict=True)
    ]
    named, numbered = nr.Perceptron(), nr.Perceptron()
    said = nr.play(nr.read(written(tmp_path, "".join(lines))), named)
    values = np.array([float(f"0.{k + 1}") for k in rows.ravel()])
    X = csr_matrix((values, rows.ravel().astype(np.int32), np.arange(0, 1801, 6, dtype=np.int32)), (300, 12))
    assert nr.play(nr.from_arrays(X, y), numbered).mistakes == said.mistakes > 0
    assert {str(k): weight for k, weight in numbered.weights.items()} == named.weights
