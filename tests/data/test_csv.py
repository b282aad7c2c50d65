import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret import _core
from noregret.cli.app import run
from noregret.data import source
from noregret.errors import BadCommand, BadFile, NoregretError


def written(tmp_path, text, name="data.csv"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def rows_of(path, **options):
    return [
        (b.row(r), y) for b in nr.read(path, **options).batches() for r, y in enumerate(b.labels.tolist())
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_numbers_categories_and_missing_cells(tmp_path, separator, end):
    lines = ["age,city,label", "30,Bonn,1", ",Ulm,0", "41.5,NA,1", "", "-2,,0"]
    text = end.join(lines).replace(",", separator)
    assert rows_of(written(tmp_path, text), format="csv") == [
        ([("age", 30.0), ("city=Bonn", 1.0)], 1.0),
        ([("city=Ulm", 1.0)], -1.0),
        ([("age", 41.5)], 1.0),
        ([("age", -2.0)], -1.0),
    ]


def test_quotes(tmp_path):
    text = 'label,"a, b",c\n1,"x ""y""\nz",2\n0,"p,q",5" wide\n'
    assert rows_of(written(tmp_path, text)) == [
        ([('a, b=x "y"\nz', 1.0), ("c=2", 1.0)], 1.0),
        ([("a, b=p,q", 1.0), ('c=5" wide', 1.0)], -1.0),
    ]


def test_without_a_header_columns_are_numbered(tmp_path):
    assert rows_of(written(tmp_path, "3,x,1\n4,y,0\n"), label="3") == [
        ([("1", 3.0), ("2=x", 1.0)], 1.0),
        ([("1", 4.0), ("2=y", 1.0)], -1.0),
    ]


def test_words_as_labels_and_text(tmp_path):
    text = "kind\tmessage\nham\tSee you, don't wait; SEE\nspam\tWIN £100 now!\n"
    path = written(tmp_path, text, "sms.tsv")
    assert rows_of(path, label="kind", positive="spam", text=["message"]) == [
        ([(f"message={w}", 1.0) for w in ("see", "you", "don't", "wait", "see")], -1.0),
        ([(f"message={w}", 1.0) for w in ("win", "100", "now")], 1.0),
    ]


def test_words_of_many_alphabets():
    assert _core.words("Ärger über ÉTÉ; Ωmega «Ёлка» x_y 3×4 don’t 東京、") == [
        "ärger", "über", "été", "ωmega", "ёлка", "x", "y", "3", "4", "don’t", "東京"
    ]  # fmt: skip


def test_columns_as_the_user_wants_them(tmp_path):
    path = written(tmp_path, "zip,n,junk,label\n100,1,x,1\n200,2,y,0\n")
    assert rows_of(path, categorical=["zip"], drop=["junk"]) == [
        ([("zip=100", 1.0), ("n", 1.0)], 1.0),
        ([("zip=200", 1.0), ("n", 2.0)], -1.0),
    ]
    with pytest.raises(BadCommand, match="no column 'labell'; did you mean 'label'"):
        rows_of(path, label="labell")


@pytest.mark.parametrize(
    ("text", "place", "token", "right"),
    [
        ("n,label\n1,1\n2,1,3\n", "line 3, column 5", "3", "a row has 2 cells, and this one has 3"),
        ("n,label\n1,1\n2\n", "line 3, column 1", "2", "a row has 2 cells, and this one has 1"),
        ("n,label\n" + "1,1\n" * 1001 + "x,1\n", "line 1003, column 1", "x", "say --categorical n"),
        ("n,label\n" + "1,1\n" * 1001 + "1e999,1\n", "line 1003, column 1", "1e999", "finite numbers"),
        ('a,label\nx,1\n"y,1\n', "line 3, column 1", '"y,1', "must be closed"),
        ('a,label\nx,1\n"y"z,1\n', "line 3, column 1", '"y"z', "behind the quote that closes"),
        (b"a,label\nx,1\n\xff,1\n", "line 3, column 1", "\\xff", "UTF-8"),
        ("a,label\nx,1\ny,2\n", "line 3, column 'label'", "2", "a label is 1 or -1"),
    ],
)
def test_faults_name_line_column_token_and_what_would_be_right(tmp_path, text, place, token, right):
    with pytest.raises(NoregretError) as caught:
        rows_of(written(tmp_path, text))
    told = str(caught.value)
    assert f"data.csv, {place}: '{token}': " in told and right in told


def test_files_of_one_stream_have_the_same_columns(tmp_path):
    a = written(tmp_path, "n,label\n1,1\n", "a.csv")
    b = written(tmp_path, "m,label\n1,1\n", "b.csv")
    assert len(rows_of([a, a])) == 2
    with pytest.raises(
        BadFile, match="b.csv, line 1: its columns are not those of .*a.csv: it has no n; it has m besides"
    ):
        rows_of([a, b])
    c = written(tmp_path, "label\n1\n", "c.csv")
    with pytest.raises(BadFile, match="a.csv: it has no n$"):
        rows_of([a, c])


def test_files_of_one_stream_may_have_their_columns_in_another_order(tmp_path):
    """A row has its features in the order of its own file, whatever came before it."""
    a = written(tmp_path, "n,city,label\n1,Bonn,1\n2,Ulm,0\n", "a.csv")
    b = written(tmp_path, "label;city;n\n0;Bonn;x\n1;Köln;4\n", "b.csv")
    with pytest.raises(BadFile, match="b.csv, line 2, column 8: 'x': column 'n' holds finite numbers"):
        rows_of([a, b])
    stream = nr.read([a, b, a], on_bad_row="skip")
    found = [batch.row(r) for batch in stream.batches() for r in range(len(batch))]
    first = [[("n", 1.0), ("city=Bonn", 1.0)], [("n", 2.0), ("city=Ulm", 1.0)]]
    assert found == [*first, [("city=Köln", 1.0), ("n", 4.0)], *first]
    assert list(stream.names) == ["n", "city=Bonn", "city=Ulm", "city=Köln"]
    alone = written(tmp_path, "1,Bonn,1\n2,Ulm,0\n", "headless.csv")
    with pytest.raises(BadFile, match="it has no n, city, label; it has 1, 2, 3 besides"):
        rows_of([a, alone], label="label")


def test_two_columns_of_one_name(tmp_path):
    with pytest.raises(BadFile, match="two columns have this name"):
        rows_of(written(tmp_path, "n,n,label\n1,2,1\n"), header=True)


def test_latin_1_is_read_when_it_is_said(tmp_path):
    path = written(tmp_path, "city,label\nKöln,1\n".encode("latin-1"))
    assert rows_of(path, encoding="latin-1") == [([("city=Köln", 1.0)], 1.0)]


CELLS = st.text(
    st.characters(codec="utf-8", exclude_categories=["C"]) | st.sampled_from('",\n\r;"'), max_size=8
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8), st.integers(16, 200))
def test_what_is_written_is_read_back(tmp_path_factory, rows, block):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([("a", "b", "label"), *((*row, "1") for row in rows)])
    path = written(tmp_path_factory.mktemp("csv"), text.getvalue())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "BLOCK", block)
        found = rows_of(path, categorical=["a", "b"], header=True, label="label")
    missing = ("", "?", "na", "n/a", "nan", "null", "none")
    expected = []
    for row in rows:
        cells = [(name, cell.strip(" \t\r")) for name, cell in zip("ab", row, strict=True)]
        expected.append([(f"{n}={c}", 1.0) for n, c in cells if c.lower() not in missing])
    assert [row for row, _ in found] == expected


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.one_of(st.binary(max_size=200), st.text('1a,"\n \r', max_size=60).map(str.encode)))
def test_any_bytes_give_rows_or_a_fault(data):
    kinds = [("numeric", "a", 0), ("categorical", "b", -1), ("label", "c", -1)]
    shape = _core.TableShape(kinds, ",")
    assert 0 <= _core.csv_cut(data, len(data), ",") <= len(data)
    for skip in (False, True):
        names = _core.Vocabulary(1000)
        names.add("a")
        parsed = _core.parse_csv(data, shape, names, skip)
        assert parsed.settle(names) == 0
        count = len(parsed)
        values, indices, starts, lines = parsed.take()
        assert count == len(starts) - 1 == len(lines) and len(values) == len(indices) == starts[-1]
        assert np.isfinite(values).all() and (indices >= 0).all() and (indices < len(names)).all()


def test_a_quote_that_nobody_closes_takes_one_line_with_it(tmp_path):
    lines = [f"x{k % 7},{k},{k % 2}" for k in range(5000)]
    for place, stray in ((10, '"oops,1,1'), (2000, 'x1,"2,1'), (4999, 'x,3,"1')):
        broken = [*lines[:place], stray, *lines[place:]]
        path = written(tmp_path, "a,b,label\n" + "\n".join(broken) + "\n", f"{place}.csv")
        stream = nr.read(path, label="label", on_bad_row="skip")
        assert sum(len(batch) for batch in stream.batches()) == 5000 and stream.skipped == 1
        assert f"line {place + 2}, column" in str(stream.faults[0]) and "must be closed" in str(
            stream.faults[0]
        )
        with pytest.raises(BadFile, match=rf"line {place + 2}, column .* must be closed"):
            list(nr.read(path, label="label").batches())


def test_columns_in_another_order_are_the_same_data_to_every_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "n,city,label\n1,Bonn,1\n2,Ulm,0\n", "a.csv")
    written(tmp_path, "label,n,city\n0,3,Bonn\n1,4,Ulm\n", "b.csv")
    play = ["-l", "perceptron", "--save", "m", "--certificate", "c", "--cache", "--passes", "2", "-q"]
    assert run(["run", "a.csv", "b.csv", *play]) == run(["verify", "c", "a.csv", "b.csv", "-q"]) == 0
    assert run(["convert", "a.csv", "b.csv", "ab.nrb", "-q"]) == 0
    said = []
    for data in (["a.csv", "b.csv"], ["ab.nrb"]):
        capsys.readouterr()
        assert run(["predict", "m", *data, "--scores"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] and said[0].count("\n") == 4
