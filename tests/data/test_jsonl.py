import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret.cli.app import run
from noregret.errors import BadCommand, BadFile, BadLabel

from .rows import listed, rows_of, written

NAMES = st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=6).filter(
    lambda n: n != "y"
)
CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(blacklist_categories=("Cs",)), max_size=6),
)


def features(row):
    found = []
    for name, cell in row.items():
        if isinstance(cell, str):
            found.append((f"{name}={cell}", 1.0))
        elif cell is not None:
            found.append((name, float(cell)))
    return found


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    st.lists(st.tuples(st.dictionaries(NAMES, CELLS, max_size=5), st.sampled_from([0, 1, None])), min_size=1)
)
def test_what_is_written_is_read(tmp_path, rows):
    text = "".join(json.dumps({**row, "y": y}) + "\n" for row, y in rows)
    found = rows_of(written(tmp_path, text, "d.jsonl"), label="y")
    assert [row for row, _, _ in found] == [features(row) for row, _ in rows]
    told = [None if label != label else int(label > 0) for _, label, _ in found]
    assert told == [y for _, y in rows]


def test_nested_objects_and_kinds(tmp_path):
    path = written(
        tmp_path,
        '{"label": true, "a": {"b": 2, "c": {"d": "x"}}, "n": "3.5", "k": 7, "t": "Hi, hi you"}',
        "d",
    )
    assert rows_of(path, numeric=["n"], categorical=["k"], text=["t"], drop=["a.b"]) == [
        ([("a.c.d=x", 1.0), ("n", 3.5), ("k=7", 1.0), ("t=hi", 1.0), ("t=hi", 1.0), ("t=you", 1.0)], 1.0, 1.0)
    ]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("{", r"d, line 2, column 2: '': a line is one JSON object \(expecting property name"),
        (
            '{"y": 1, "a" 2}',
            r"d, line 2, column 14: '2}': a line is one JSON object \(expecting ':' delimiter\)",
        ),
        ("[1]", r"d, line 2, column 1: '\[1\]': a line is one JSON object"),
        (
            '{"y": 1, "a": [1, 2]}',
            r"d, line 2, column 15: '\[1, 2\]}': 'a': a list has no name for each value; use an object",
        ),
        ('{"y": 1, "a": 1e999}', "d, line 2, column 15: '1e999': 'a' must be a finite number"),
        ('{"y": 1, "a": {"b": -1e+400 }}', r"d, line 2, column 21: '-1e\+400': 'a.b' must be a finite"),
        ('{"y": 1, "a": NaN}', "d, line 2, column 15: 'NaN': 'a' must be a finite number"),
        ('{"a": 1, "y": -Infinity}', "d, line 2, column 15: '-Infinity': 'y' is the label: a finite number"),
        (
            '{"y": 1, "ä": "\\ud83d\\ude00 \\ud800"}',
            r"d, line 2, column 29: '\\ud800': half of a surrogate pair",
        ),
        (
            '{"y": 1, "a": ' + "9" * 5000 + "}",
            "d, line 2, column 15: '" + "9" * 60 + "…': the number is too long",
        ),
        (
            '{"y": 1, "a": ' + "[" * 100_000,
            r"d, line 2, column 47: '\[\[\[\[\[.*': objects are nested more than 32 deep",
        ),
        (
            '{"y": 1, "a": ' + '{"a":' * 40 + "1" + "}" * 41,
            """d, line 2, column 175: '{"a":{"a":{"a":{"a":': objects are nested more than 32 deep""",
        ),
        (
            '{"y": 1, "a": {"b": 1, "c": 2, "b": 1}}',
            """d, line 2, column 32: '"b"': the key is there twice""",
        ),
        ('{"y": 1, "a": 1, "\\u0061": 2}', """d, line 2, column 18: '"\\\\u0061"': the key is there twice"""),
        (
            '{"y": 1, "a.b": 1, "a": {"b": 2}}',
            "d, line 2, column 17: '1': two values are called 'a.b', one of them inside an object",
        ),
        ('{"a": {"b": 2}, "y": 1, "a.b": 1}', "d, line 2, column 13: '2': two values are called 'a.b'"),
        ('{"y": 3}', "d, line 2, key 'y': '3': a label is 1 or -1"),
    ],
)
def test_bad_lines(tmp_path, line, sentence):
    path = written(tmp_path, '{"y": 1}\n' + line + '\n{"y": 0}\n', "d")
    with pytest.raises((BadFile, BadLabel), match=sentence):
        rows_of(path, format="jsonl")
    stream = nr.read(path, format="jsonl", on_bad_row="skip")
    assert [label for _, label, _ in listed(stream)] == [1.0, -1.0]
    assert stream.skipped == 1 and len(stream.faults) == 1


def test_what_is_left_out_may_be_anything(tmp_path):
    text = '{"y": 1, "tags": [1, {"a": []}], "o": {"p": [2], "q": 3}, "n": 5}\n{"y": 0, "n": 6}\n'
    path = written(tmp_path, text, "d.jsonl")
    assert [row for row, _, _ in rows_of(path, drop=["tags", "o"])] == [[("n", 5.0)], [("n", 6.0)]]
    assert rows_of(path, drop=["tags", "o.p"])[0][0] == [("o.q", 3.0), ("n", 5.0)]


def test_a_list_of_words_is_a_set_of_them(tmp_path):
    path = written(tmp_path, '{"y": 1, "tags": ["b", "a", "b"], "ids": [7, 8.5]}\n', "d.jsonl")
    assert rows_of(path, categorical=["ids"]) == [
        ([("tags=b", 1.0), ("tags=a", 1.0), ("ids=7", 1.0), ("ids=8.5", 1.0)], 1.0, 1.0)
    ]
    assert rows_of(path, text=["tags"], drop=["ids"])[0][0] == [
        ("tags=b", 1.0),
        ("tags=a", 1.0),
        ("tags=b", 1.0),
    ]
    with pytest.raises(
        BadFile, match="'ids': a list has no name for each value; use an object, or say --drop ids"
    ):
        rows_of(path)
    with pytest.raises(BadFile, match=r"column 18: '\[\"b\", .*': 'tags' is the label: a finite number, a"):
        rows_of(path, label="tags", drop=["ids"])
    with pytest.raises(BadFile, match="'tags' must be a finite number"):
        rows_of(path, numeric=["tags"], drop=["ids"])


def test_what_was_guessed_is_said(tmp_path):
    text = '{"y": 1, "price": "0.942", "part": "3,5", "n": 2, "city": "Ulm"}\n'
    stream = nr.read(written(tmp_path, text, "d.jsonl"), drop=["n"])
    listed(stream)
    told = stream.describe()
    assert told.startswith(
        "jsonl: 3 categorical columns (price, part, city), 1 column left out (n); label 'y'; "
    )
    assert "; price: numbers in quotes are taken as words; --numeric takes them as numbers" in told
    assert "; part: what looks like numbers with ',' is taken as words" in told and "city:" not in told


def test_a_truth_among_numbers_is_one_of_them(tmp_path):
    text = '{"y": 1, "a": 1}\n{"y": -1, "a": 2}\n{"y": true, "a": 1}\n'
    stream = nr.read(written(tmp_path, text, "d.jsonl"), label="y")
    list(stream.batches())
    assert stream.labels.describe() == "label 1 is positive, -1 negative"


@pytest.mark.parametrize("said", [[], ["--positive", "true"], ["-l", "multiclass-perceptron"]])
def test_booleans_come_back_as_they_were_written(tmp_path, monkeypatch, capsys, said):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, '{"y": true, "a": 1}\n{"y": false, "b": 1}\n' * 5, "d.jsonl")
    learner = [] if "-l" in said else ["-l", "perceptron"]
    assert run(["run", "d.jsonl", *learner, *said, "--save", "m"]) == 0
    assert "label true is positive, false negative" in capsys.readouterr().out or "-l" in said
    assert run(["predict", "m", "d.jsonl"]) == 0
    assert capsys.readouterr().out.split() == ["true", "false"] * 5
    if "-l" not in said:
        assert run(["run", "d.jsonl", "--model", "m", "--positive", "true"]) == 0


def test_the_label_that_is_not_there(tmp_path):
    path = written(tmp_path, '{"spam": 1, "b": 2}\n', "d.jsonl")
    with pytest.raises(BadCommand, match="line 1: there is no 'Spam'; did you mean 'spam'"):
        rows_of(path, label="Spam")
    with pytest.raises(BadCommand, match="line 1: say which key is the label: --label NAME"):
        rows_of(path)
    assert run(["run", str(path)]) == run(["run", str(path), "--label", "Spam"]) == 2  # as in a CSV file
    assert run(["run", str(path), "--on-bad-row", "skip"]) == 1
