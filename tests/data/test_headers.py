"""Tables as other programs write them: columns without a name, numbers written for people."""

import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.errors import BadCommand, BadFile

from .rows import rows_of, written

BODY = [("0.5", "x", "1"), ("0.25", "y", "0"), ("2", "x", "1")]
ROWS = [
    ([("a", float(a)), (f"cat={cat}", 1.0)], 1.0 if bought == "1" else -1.0, 1.0) for a, cat, bought in BODY
]


def lines(header, row):
    return "\n".join([header, *(row(k, *cells) for k, cells in enumerate(BODY))]) + "\n"


@pytest.mark.parametrize(
    ("header", "row", "said"),
    [
        (",a,cat,bought", "{0},{1},{2},{3}", "column 1 has no name and numbers the rows"),
        ("a,cat,bought,", "{1},{2},{3},", "column 4 has no name and no cell"),
        ("a,cat,bought,", "{1},{2},{3}", ""),
    ],
)
def test_columns_without_a_name_that_say_nothing(tmp_path, header, row, said):
    path = written(tmp_path, lines(header, lambda k, *cells: row.format(k, *cells)), "d.csv")
    assert rows_of(path, label="bought") == ROWS
    stream = nr.read(path, label="bought")
    list(stream.batches())
    assert said in stream.describe() and stream.settled.header


def test_the_numbers_of_rows_need_not_be_in_order(tmp_path):
    text = lines(",a,cat,bought", lambda k, *cells: ",".join([str((7 * k + 5) % 11), *cells]))
    assert rows_of(written(tmp_path, text, "d.csv"), label="bought") == ROWS
    kept = rows_of(written(tmp_path, text, "d.csv"), label="bought", numeric=["1"])
    assert [features[0] for features, _, _ in kept] == [("1", 5.0), ("1", 1.0), ("1", 8.0)]
    words = lines(",a,cat,bought", lambda k, *cells: ",".join(["tom", *cells]))
    assert rows_of(written(tmp_path, words, "d.csv"), label="bought")[0][0][0] == ("1=tom", 1.0)


def test_a_model_reads_the_table_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, lines(",a,cat,bought", lambda k, *cells: ",".join([str(k), *cells])), "d.csv")
    written(tmp_path, lines("a,cat,bought", lambda k, *cells: ",".join(cells)), "e.csv")
    assert run(["run", "d.csv", "--label", "bought", "-l", "perceptron", "--save", "m"]) == 0
    assert "1 column left out (1); label 'bought'; column 1 has no name and" in capsys.readouterr().out
    for name in ("d.csv", "e.csv"):
        assert run(["predict", "m", name]) == 0
        assert "3 rows, " in capsys.readouterr().err


def test_names_that_stand_twice_are_no_row(tmp_path):
    with pytest.raises(BadFile, match="line 1: 'a': two columns have this name"):
        rows_of(written(tmp_path, "a,a,label\n1,2,1\n", "d.csv"))


def test_where_the_label_stands_the_names_stand(tmp_path):
    path = written(tmp_path, "2019,2020,sold\n3,4,1\n5,6,0\n", "d.csv")
    assert rows_of(path, label="sold")[0][0] == [("2019", 3.0), ("2020", 4.0)]
    assert rows_of(written(tmp_path, "3,x,1\n4,y,0\n", "e.csv"), label="3")[0][0] == [
        ("1", 3.0),
        ("2=x", 1.0),
    ]


def test_a_header_in_latin_1(tmp_path):
    path = written(tmp_path, "a,Gekündigt\n1,0\n".encode("latin-1"), "d.csv")
    with pytest.raises(
        BadFile, match=r"line 1, column 6: '\\xfc': text must be UTF-8; .* --encoding latin-1"
    ):
        rows_of(path, label="Gekündigt")
    assert rows_of(path, label="Gekündigt", encoding="latin-1") == [([("a", 1.0)], -1.0, 1.0)]


def test_two_columns_that_may_be_the_label(tmp_path):
    with pytest.raises(BadCommand, match="say which column is the label: .*; y and label would do"):
        rows_of(written(tmp_path, "x;y;label\n1;2;1\n", "d.csv"))


FOR_PEOPLE = (
    "sum;part;all;id;label\n15,61;3 %;1,234.5;a;1\n2;4%;12;7,5;0\n-0,5;10.5 %;1,000,000;b;1\n;NA;-3;c;0\n"
)


def test_numbers_for_people_are_words_and_that_is_said(tmp_path):
    path = written(tmp_path, FOR_PEOPLE, "d.csv")
    stream = nr.read(path)
    list(stream.batches())
    told = stream.describe()
    assert told.startswith("csv: 4 categorical columns (sum, part, all, id); label 'label'; sum, all: what ")
    assert "looks like numbers with ',' is taken as words" in told
    assert "; part: what looks like numbers with '%' is taken as words" in told and " id:" not in told
    said = nr.read(path, categorical=["sum", "part", "all"])
    list(said.batches())
    assert said.describe().endswith("label 'label'")


def test_who_says_numeric_is_not_told_to_say_categorical(tmp_path):
    path = written(tmp_path, FOR_PEOPLE, "d.csv")
    with pytest.raises(BadFile, match=r"'15,61': column 'sum' holds finite numbers, written 1234\.5$"):
        rows_of(path, numeric=["sum"])


def test_a_run_without_labels_or_without_rows_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "a,label\n1,\n2,\n", "unlabelled.csv")
    assert run(["run", "unlabelled.csv", "-l", "perceptron"]) == 0
    assert "no row has a label: nothing was learned" in capsys.readouterr().out
    written(tmp_path, "a,label\n1,1,1\n2\n", "bad.csv")
    assert run(["run", "bad.csv", "-l", "perceptron", "--on-bad-row", "skip"]) == 1
    assert (
        "not a single row to learn from; bad.csv, line 2, column 5: '1': a row has" in capsys.readouterr().err
    )


def test_an_infinite_number_is_a_bad_number_and_no_word(tmp_path):
    path = written(tmp_path, "a,b,label\n1,2,1\n3,-inf,0\n", "i.csv")
    with pytest.raises(
        BadFile, match="line 3, column 3: '-inf': column 'b' holds finite numbers; if it holds"
    ):
        rows_of(path)
    path = written(tmp_path, "load,a,b\n1,inf,1\n2,2,1\n", "e.csv")
    assert run(["experts", str(path), "--target", "load"]) == 1
