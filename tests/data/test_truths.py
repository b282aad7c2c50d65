"""true and false: 1 and 0 in every format, so that a model of one reads the others."""

import json

import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.errors import BadFile

from .rows import rows_of, written

ROWS = [(True, 30, 1), (False, 41, 0), (None, 25, 1), (True, 19, 0)]


def text_of(true, false, separator=","):
    said = {True: true, False: false, None: ""}
    lines = [("smoker", "age", "y"), *((said[smoker], age, y) for smoker, age, y in ROWS)]
    return "".join(separator.join(map(str, line)) + "\n" for line in lines)


EXPECTED = [
    ([*([] if smoker is None else [("smoker", float(smoker))]), ("age", float(age))], 2.0 * y - 1, 1.0)
    for smoker, age, y in ROWS
]


@pytest.mark.parametrize(
    "words", [("True", "False"), ("true", "false"), ("TRUE", "FALSE"), (" tRuE", '"false"')]
)
@pytest.mark.parametrize(("name", "separator"), [("d.csv", ","), ("d.tsv", "\t")])
def test_truths_in_text_are_numbers(tmp_path, words, name, separator):
    if separator == "\t":  # where a quote is a character like any other
        words = tuple(word.strip('"') for word in words)
    path = written(tmp_path, text_of(*words, separator), name)
    assert rows_of(path) == EXPECTED
    stream = nr.read(path)
    list(stream.batches())
    assert stream.settled.kinds == {"smoker": "numeric", "age": "numeric"}
    assert stream.describe() == (
        "csv: 2 numbers (smoker, age); label 'y'; "
        "smoker: true is 1 and false is 0 (--categorical takes them as words)"
    )


def test_every_format_has_the_same_features(tmp_path):
    pandas = pytest.importorskip("pandas")
    lines = [json.dumps({"smoker": smoker, "age": age, "y": y}) for smoker, age, y in ROWS]
    assert rows_of(written(tmp_path, "\n".join(lines) + "\n", "d.jsonl")) == EXPECTED
    frame = pandas.DataFrame(ROWS, columns=["smoker", "age", "y"]).astype({"smoker": "boolean"})
    frame.to_parquet(tmp_path / "d.parquet")
    assert rows_of(tmp_path / "d.parquet") == EXPECTED
    path = written(tmp_path, text_of("true", "false"), "d.csv")
    assert run(["convert", str(path), str(tmp_path / "d.nrb"), "-q"]) == 0
    assert rows_of(tmp_path / "d.nrb") == EXPECTED


def test_a_model_of_one_format_answers_another(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    written(tmp_path, text_of("True", "False"), "d.csv")
    lines = [json.dumps({"smoker": smoker, "age": age, "y": y}) for smoker, age, y in ROWS]
    written(tmp_path, "\n".join(lines) + "\n", "d.jsonl")
    assert run(["run", "d.csv", "-l", "perceptron", "--save", "m", "--certificate", "c"]) == 0
    assert "smoker: true is 1 and false is 0" in capsys.readouterr().out
    assert run(["verify", "c", "d.csv"]) == 0
    capsys.readouterr()
    answers = []
    for name in ("d.csv", "d.jsonl"):
        assert run(["predict", "m", name, "--scores"]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1] and answers[0].count("\n") == 4


def test_words_where_they_are_wanted(tmp_path):
    path = written(tmp_path, text_of("True", "False"), "d.csv")
    assert rows_of(path, categorical=["smoker"])[0][0][0] == ("smoker=True", 1.0)
    labels = written(tmp_path, "a,y\n1,True\n2,False\n", "l.csv")
    assert [y for _, y, _ in rows_of(labels, positive="True")] == [1.0, -1.0]
    with pytest.raises(ValueError, match="--positive True|positive='True'"):
        rows_of(labels)


def test_a_truth_among_numbers_is_one_wherever_it_stands(tmp_path):
    near = written(tmp_path, "a,y\n2,1\ntrue,0\n", "near.csv")
    assert [row for row, _, _ in rows_of(near)] == [[("a", 2.0)], [("a", 1.0)]]
    far = written(tmp_path, "a,y\n" + "2,1\n" * 1500 + "False,0\n", "far.csv")
    assert rows_of(far)[-1][0] == [("a", 0.0)]
    odd = written(tmp_path, "a,y\n" + "true,1\n" * 1500 + "truer,0\n", "odd.csv")
    with pytest.raises(BadFile, match="line 1502, column 1: 'truer': column 'a' holds finite numbers"):
        rows_of(odd)
    mixed = written(tmp_path, "a,y\ntrue,1\nmaybe,0\n", "mixed.csv")
    assert [row for row, _, _ in rows_of(mixed)] == [[("a=true", 1.0)], [("a=maybe", 1.0)]]
