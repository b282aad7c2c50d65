import math

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret.errors import BadCommand, BadFile

from .rows import listed, rows_of, written

HEADER = """% a comment
@RELATION 'a b'
@attribute 'le ngth' real
@attribute colour {red, 'dark blue', "x,y"}
@attribute note string
@attribute class {no, yes}
@data
"""


def test_dense_and_sparse_rows(tmp_path):
    rows = (
        "1.5, red, 'it\\'s, new', yes\n?, 'dark blue', ?, no, {2.5}\n{0 3, 1 \"x,y\", 3 yes}\n\n% end\n{}\n"
    )
    stream = nr.read(written(tmp_path, HEADER + rows, "d.arff"), positive="yes", text=["note"])
    assert listed(stream) == [
        ([("le ngth", 1.5), ("colour=red", 1.0), ("note=it's", 1.0), ("note=new", 1.0)], 1.0, 1.0),
        ([("colour=dark blue", 1.0)], -1.0, 2.5),
        ([("le ngth", 3.0), ("colour=x,y", 1.0)], 1.0, 1.0),
        ([("le ngth", 0.0), ("colour=red", 1.0)], -1.0, 1.0),
    ]
    assert (
        stream.describe()
        == "arff: 1 categorical column (colour), 1 number (le ngth), 1 text column (note); label 'class'"
    )


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("1, red, x", "line 8: the row has 3 values, and there are 4 attributes"),
        ("one, red, x, yes", "line 8, column 1: 'one': 'le ngth' must be a finite number"),
        ("1, green, x, yes", "line 8, column 3: 'green': 'colour' is one of red, dark blue, x,y"),
        ("1, 'red, x, yes", "line 8, column 3: ''red, x, yes': values stand between commas"),
        ("{0 1", "line 8, column 1: '{0 1': a sparse row ends with }"),
        ("{7 1}", "line 8, column 2: '7 1': a sparse value is INDEX VALUE, the index from 0 to 3"),
        ("{0 1, 1 red, 0 2}", "line 8, column 13: '0 2': each index stands in a sparse row once"),
        ("{99999999999999 1}", "a sparse value is INDEX VALUE"),
        ("1, red, x, yes, {-1}", "behind a row stands its weight"),
    ],
)
def test_bad_rows(tmp_path, row, sentence):
    path = written(tmp_path, HEADER + row + "\n1, red, x, no\n", "d.arff")
    with pytest.raises(BadFile, match=sentence.replace("{", r"\{").replace("}", r"\}")):
        rows_of(path, positive="yes")
    with pytest.warns(UserWarning, match="no row has the label 'yes', .*; every label is negative"):
        assert [label for _, label, _ in rows_of(path, positive="yes", on_bad_row="skip")] == [-1.0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("@relation x\n@attribute a real\n", "there is no @data line"),
        ("@relation x\n@data\n1\n", "line 2: there is no @attribute before @data"),
        ("@relation x\n@attribute a poem\n@data\n", "line 2, column 14: 'poem': a type is numeric, string"),
        ("@relation x\nattribute a real\n@data\n", "line 2, column 1: 'attribute a real': the header has"),
        ("@relation x\n@attribute a {b, c\n@data\n", "line 2, column 14: '{b, c': the values of a nominal"),
        (
            "@relation x\n@attribute a real\n@attribute a real\n@data\n1,2\n",
            "attribute 'a' is declared twice",
        ),
    ],
)
def test_bad_headers(tmp_path, text, sentence):
    with pytest.raises(BadFile, match=sentence.replace("{", r"\{")):
        rows_of(written(tmp_path, text, "d.arff"))


def test_the_label_is_class_or_the_last_or_what_was_said(tmp_path):
    text = "@relation x\n@attribute a real\n@attribute b {0,1}\n@data\n1,0\n0,1\n"
    path = written(tmp_path, text, "d.arff")
    assert [label for _, label, _ in rows_of(path)] == [-1.0, 1.0]
    assert [label for _, label, _ in rows_of(path, label="a")] == [1.0, -1.0]
    with pytest.raises(BadCommand, match="has no column 'bb'; did you mean 'b'"):
        rows_of(path, label="bb")


WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=6)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def quoted(word):
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.data())
def test_what_is_written_is_read(tmp_path, data):
    values = data.draw(st.lists(WORDS, min_size=1, max_size=4, unique=True))
    cell = st.tuples(st.none() | NUMBERS, st.none() | st.sampled_from(values), st.sampled_from([0, 1]))
    rows = data.draw(st.lists(cell, min_size=1, max_size=8))
    text = (
        "@relation r\n@attribute n numeric\n@attribute w {"
        + ",".join(map(quoted, values))
        + "}\n@attribute class {0,1}\n@data\n"
    )
    for n, w, y in rows:
        text += f"{'?' if n is None else repr(n)},{'?' if w is None else quoted(w)},{y}\n"
    found = rows_of(written(tmp_path, text, "d.arff"))
    for (n, w, y), (features, label, _) in zip(rows, found, strict=True):
        expected = [("n", n)] * (n is not None) + [(f"w={w}", 1.0)] * (w is not None)
        assert features == expected and label == 2 * y - 1
        assert all(
            math.copysign(1, a[1]) == math.copysign(1, b[1]) for a, b in zip(features, expected, strict=True)
        )


@pytest.mark.parametrize("kind", ["numeric % in metres", "real [0, 10]", "Integer\t[1,5]"])
def test_numbers_stay_numbers_with_a_range_or_a_comment(tmp_path, kind):
    text = f"@relation r\n@attribute x {kind}\n@attribute y {{0, 1}}\n@data\n2,1\n"
    assert rows_of(written(tmp_path, text, "d.arff")) == [([("x", 2.0)], 1.0, 1.0)]


def test_sparse_rows_with_braces_and_tabs(tmp_path):
    rows = "{0\t3, 2 'a } b', 3  yes}, {2}\n{2 \"}\"}\n"
    assert rows_of(written(tmp_path, HEADER + rows, "d.arff"), positive="yes") == [
        ([("le ngth", 3.0), ("colour=red", 1.0), ("note=a } b", 1.0)], 1.0, 2.0),
        ([("le ngth", 0.0), ("colour=red", 1.0), ("note=}", 1.0)], -1.0, 1.0),
    ]
    with pytest.raises(BadFile, match="line 8, column 1: .*a sparse row ends with }"):
        rows_of(written(tmp_path, HEADER + "{2 '}\n", "d.arff"), positive="yes")
