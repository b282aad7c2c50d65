"""Options that say something about data: each is for some formats, and refused for the others."""

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.errors import BadCommand

TABLE = "id,a,label\n1,2,1\n2,3,-1\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.svm").write_text("1 1:1 3:2\n-1 2:1\n", encoding="utf-8")
    (tmp_path / "rows.vw").write_text("1 | a b\n-1 | c\n", encoding="utf-8")
    (tmp_path / "rows.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "rows.jsonl").write_text('{"label": 1, "a": 2}\n{"label": -1, "rare": 3}\n', encoding="utf-8")
    np.savez(tmp_path / "rows.npz", X=np.eye(2), y=np.array([1, -1]))
    assert run(["convert", "rows.svm", "plain.nrb", "-q"]) == 0
    assert run(["convert", "rows.csv", "table.nrb", "-q"]) == 0
    return tmp_path


def test_names_with_commas_stand_in_quotes(files, capsys):
    (files / "prices.csv").write_text('"price, EUR",a,b,label\n1,2,3,1\n2,3,4,0\n', encoding="utf-8")
    assert run(["run", "prices.csv", "-l", "perceptron", "--drop", '"price, EUR", b']) == 0
    assert "1 number (a), 2 columns left out (price, EUR, b); label" in capsys.readouterr().out
    assert run(["run", "prices.csv", "--drop", "price, EUR"]) == 2
    assert "no column 'price'; did you mean 'price, EUR'?" in capsys.readouterr().err
    for nothing in ("", "a,,b"):
        assert run(["run", "prices.csv", "--drop", nothing]) == 2
        assert (
            "--drop names nothing; a column without a name is called by its place" in capsys.readouterr().err
        )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rows.svm", "--drop", "3,4"], "rows.svm: --drop says nothing about libsvm; it is for csv, "),
        (["rows.svm", "--label", "zz"], "rows.svm: --label says nothing about libsvm; "),
        (["rows.svm", "--text", "foo"], "rows.svm: --text says nothing about libsvm; "),
        (["rows.svm", "--no-header"], "rows.svm: --no-header says nothing about libsvm; it is for csv"),
        (["rows.vw", "--drop", "a"], "rows.vw: --drop says nothing about vw; "),
        (["rows.npz", "--drop", "a"], "rows.npz: --drop says nothing about npz; "),
        (["rows.npz", "--bits", "9"], "rows.npz: --bits says nothing about npz; "),
        (["rows.npz", "--encoding", "latin-1"], "rows.npz: --encoding says nothing about npz; "),
        (["rows.jsonl", "--header"], "rows.jsonl: --header says nothing about jsonl; it is for csv"),
        (["rows.jsonl", "--drop", "rari"], "no row has a key 'rari'; did you mean 'rare'? It has label, a, rare"),
        (["rows.csv", "--drop", "ID"], "rows.csv has no column 'ID'; did you mean 'id'?"),
        (["rows.csv", "--numeric", "aa"], "rows.csv has no column 'aa'; did you mean 'a'?"),
        (["plain.nrb", "--bits", "4"], "plain.nrb was made without bits, and the command or the model says bits 4"),
        (["plain.nrb", "--label", "y"], "plain.nrb was made without label, and the command says label y"),
        (["table.nrb", "--drop", "zzz"], "table.nrb was made without a column 'zzz', and the command says --drop zzz"),
        (["table.nrb", "--text", "a"], "table.nrb was made with column 'a' as numeric, and the command or the model says"),
        (["table.nrb", "--encoding", "latin-1"], "table.nrb was made without encoding"),
        (["--drop", "a"], "--drop is for a data file; name the file, or leave --drop out"),
        (["--positive", "3"], "--positive is for a data file; name the file, or leave --positive out"),
    ],
)  # fmt: skip
def test_what_says_nothing_about_the_data_is_refused(files, capsys, arguments, sentence):
    assert run(["run", *arguments, "-l", "perceptron"]) == 2
    err = capsys.readouterr().err
    assert sentence in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["rows.svm", "--bits", "4", "--encoding", "latin-1"],
        ["rows.jsonl", "--drop", "rare", "--bits", "4"],
        ["rows.npz", "--label", "y"],
        ["table.nrb", "--label", "label", "--numeric", "a", "--header"],
    ],
)
def test_what_says_something_is_taken(files, capsys, arguments):
    assert run(["run", *arguments, "-l", "perceptron"]) == 0


def test_python_says_the_same(files):
    for path, options in (
        ("rows.svm", {"drop": ["3"]}),
        ("rows.npz", {"text": "a"}),
        ("plain.nrb", {"bits": 4}),
    ):
        with pytest.raises(BadCommand):
            nr.read(path, **options)
    with pytest.raises(BadCommand, match="no row has a key 'b'"):
        list(nr.read("rows.jsonl", drop="b").batches())


def test_names_are_not_hashed_for_a_model_that_kept_them(files, capsys):
    assert run(["run", "rows.svm", "-l", "perceptron", "--save", "m", "-q"]) == 0
    assert run(["predict", "m", "rows.svm", "--bits", "4"]) == 2
    assert "the model was learned without bits, and the command says bits 4" in capsys.readouterr().err


def test_a_column_that_was_dropped_may_be_absent_afterwards(files, capsys):
    (files / "fewer.csv").write_text("a,label\n2,1\n3,-1\n", encoding="utf-8")
    learn = ["run", "rows.csv", "--drop", "id", "-l", "perceptron", "-q"]
    assert run([*learn, "--save", "m", "--test", "fewer.csv"]) == 0
    assert run(["predict", "m", "fewer.csv"]) == 0
    assert run(["inspect", "m", "--example", "fewer.csv", "-q"]) == 0
    assert run(["predict", "m", "fewer.csv", "--drop", "id"]) == 2  # the user speaks of it
    (files / "none.csv").write_text("id,label\n2,1\n", encoding="utf-8")
    assert run(["predict", "m", "none.csv"]) == 1  # of which the user does not speak
    assert "none.csv has no column 'a'" in capsys.readouterr().err


def predicted(capsys, *command):
    assert run(["predict", *command]) == 0
    out, err = capsys.readouterr()
    return out.split(), err


def test_labels_that_do_not_fit_the_model_are_unknown_to_predict(files, capsys):
    assert run(["run", "rows.svm", "-l", "perceptron", "--save", "m", "-q"]) == 0
    (files / "new.svm").write_text("0 1:1 3:2\n0 2:1\n-1 2:1\n7 2:1\n", encoding="utf-8")
    told, err = predicted(capsys, "m", "new.svm")
    assert told == ["1", "-1", "-1", "-1"]
    assert "4 rows, 0 unlike their label" in err
    assert err.count("labels that do not fit the model count as unknown: 3\n") == 1
    assert (
        run(["run", "rows.svm", "--model", "m", "--test", "new.svm", "-q"]) == 1
    )  # a test counts every label


@pytest.mark.parametrize("learner", ["perceptron", "widrow-hoff"])
def test_words_do_not_fit_numbers(files, capsys, learner):
    assert run(["run", "rows.csv", "-l", learner, "--save", "m", "-q"]) == 0
    (files / "words.csv").write_text("id,a,label\n1,2,?\n1,2,none yet\n1,2,inf\n1,2,1\n", encoding="utf-8")
    told, err = predicted(capsys, "m", "words.csv")
    assert len(told) == 4 and "count as unknown: 2\n" in err


def test_a_class_that_the_data_lacks_is_predicted_by_name(files, capsys):
    (files / "ab.csv").write_text("label,x\n" + "a,1\nb,-1\n" * 3, encoding="utf-8")
    (files / "b.csv").write_text("label,x\nb,-1\nb,1\n", encoding="utf-8")
    assert run(["run", "ab.csv", "-l", "multiclass-perceptron", "--save", "m", "-q"]) == 0
    assert run(["convert", "b.csv", "b.nrb", "--task", "multiclass", "-q"]) == 0
    for data in ("b.csv", "b.nrb"):
        told, err = predicted(capsys, "m", data)
        assert told == ["b", "a"] and "1 unlike" in err
