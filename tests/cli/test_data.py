"""Data through the command line: what is said once is remembered by the model."""

import json
import os
import subprocess
import sys

import pytest

from noregret.cli.app import run

MAILS = "kind,length,words,folder\nspam,3.5,free money now,in\nham,1.0,see you soon,in\nspam,2.5,money money,out\n"
MAILS += "ham,0.5,soon my dear,in\nspam,4,free free,in\nham,1,you and me,\n"


@pytest.fixture
def mails(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mails.csv").write_text(MAILS, encoding="utf-8")
    return tmp_path


def result_of(capsys, *arguments):
    assert run([*arguments, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


READ = ["mails.csv", "--label", "kind", "--positive", "spam", "--text", "words"]


def test_a_run_says_what_it_read(mails, capsys):
    assert run(["run", *READ]) == 0
    out = capsys.readouterr().out
    assert "mails.csv: 6 rounds; label spam is positive, ham negative" in out
    assert (
        "read as csv: 1 categorical column (folder), 1 number (length), 1 text column (words); label 'kind'"
        in out
    )


def test_predict_needs_none_of_it_said_again(mails, capsys):
    assert run(["run", *READ, "--passes", "5", "--save", "m", "-q"]) == 0
    assert run(["predict", "m", "mails.csv"]) == 0
    out, err = capsys.readouterr()
    assert out.split() == ["spam", "ham"] * 3 and "6 rows, 0 unlike their label" in err
    lines = [line.partition(",")[2] for line in MAILS.splitlines()]
    (mails / "unlabelled.csv").write_text("\n".join(lines), encoding="utf-8")
    assert run(["predict", "m", "unlabelled.csv"]) == 0
    out, err = capsys.readouterr()
    assert out.split() == ["spam", "ham"] * 3 and "6 rows, none with a label" in err
    again = result_of(capsys, "run", "mails.csv", "--model", "m", "--test", "mails.csv")
    assert again["labels"] == {"positive": "spam", "negative": "ham"}
    assert again["learners"][0]["mistakes"] == 0 and again["learners"][0]["test"]["rows"] == 6


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "mails.csv", "--model", "m", "--label", "folder"], "learned with label kind, and the command says label folder"),
        (["run", "mails.csv", "--model", "m", "--positive", "ham"], "learned with spam as the positive label, and the command says --positive ham"),
        (["predict", "m", "mails.csv", "--bits", "9"], None),
        (["predict", "m", "mails.csv", "--drop", "words"], "learned with column 'words' as text, and the command says --drop words"),
    ],
)  # fmt: skip
def test_a_conflict_with_the_model_is_a_bad_command(mails, capsys, arguments, sentence):
    assert run(["run", *READ, "--save", "m", "-q"]) == 0
    capsys.readouterr()
    assert run(arguments) in ((2,) if sentence else (1, 2))
    assert (sentence or "noregret: ") in capsys.readouterr().err


def test_the_same_rows_through_other_formats_teach_the_same(mails, capsys):
    import csv

    cells = list(csv.DictReader(MAILS.splitlines()))
    objects = [{**row, "length": float(row["length"]), "folder": row["folder"] or None} for row in cells]
    (mails / "mails.jsonl").write_text("".join(json.dumps(row) + "\n" for row in objects), encoding="utf-8")
    one = result_of(capsys, "run", *READ, "-l", "perceptron", "--save", "one", "--no-certify")
    other = result_of(
        capsys, "run", "mails.jsonl", *READ[1:], "-l", "perceptron", "--save", "other", "--no-certify"
    )
    assert one["learners"][0]["mistakes"] == other["learners"][0]["mistakes"]
    weights = [result_of(capsys, "inspect", model)["weights"] for model in ("one", "other")]
    assert weights[0] == weights[1]


def test_words_without_a_positive_one_are_refused_with_an_offer(mails, capsys):
    assert run(["run", "mails.csv", "--label", "kind"]) == 1
    assert "mails.csv, line 2, column 'kind': 'spam': " in (err := capsys.readouterr().err)
    assert "--positive spam or --positive ham" in err and err.count("\n") == 1


def test_skipped_rows_are_counted_and_shown(mails, capsys):
    (mails / "mails.csv").write_text(MAILS + "spam,long,x,in\n", encoding="utf-8")
    assert run(["run", *READ, "--numeric", "length", "--on-bad-row", "skip", "--no-certify"]) == 0
    out = capsys.readouterr().out
    assert "skipped: 1 bad row\n" in out and "mails.csv, line 8, column 6: 'long': " in out


def test_columns_may_be_listed_with_commas(mails, capsys):
    assert run(["run", *READ, "--drop", "length,folder", "--no-certify"]) == 0
    assert "1 text column (words), 2 columns left out (length, folder)" in capsys.readouterr().out


def test_names_can_be_hashed_and_the_model_remembers_that(mails, capsys):
    assert run(["run", *READ, "--bits", "12", "--passes", "5", "--save", "m", "-q"]) == 0
    assert run(["predict", "m", "mails.csv"]) == 0
    assert capsys.readouterr().out.split() == ["spam", "ham"] * 3


def test_standard_input(mails):
    told = subprocess.run(
        [sys.executable, "-c", "from noregret.cli import main; main()", "run", "-", *READ[1:], "--json", "-"],
        input=MAILS, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(told.stdout)["rounds"] == 6
    assert run(["run", "-", "--passes", "2", "--format", "csv", "--label", "kind"]) == 2


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can stop being root")
@pytest.mark.parametrize(
    "arguments",
    [["run", "locked.csv"], ["run", "--test", "locked.csv", "mails.csv", *READ[1:]], ["experts", "locked.csv", "--target", "y"],
     ["predict", "locked.csv", "mails.csv"], ["inspect", "locked.csv"], ["dimension", "locked.csv"],
     ["duel", "halving", "tree", "--class", "locked.csv"], ["run", "locked.csv", "--format", "npz"]],
)  # fmt: skip
def test_a_file_that_must_not_be_read_is_bad_data(mails, arguments, capfd):
    (mails / "locked.csv").write_text("0,1\n1,0\n", encoding="utf-8")
    (mails / "locked.csv").chmod(0o000)
    mails.chmod(0o755)
    run(arguments)  # everything is imported while that is still allowed
    capfd.readouterr()
    os.seteuid(65534)
    try:
        status = run(arguments)
    finally:
        os.seteuid(0)
    assert status == 1 and "locked.csv: permission denied" in capfd.readouterr().err


def test_a_reader_that_goes_away_takes_nothing_with_it(mails):
    process = subprocess.Popen(
        [sys.executable, "-c", "from noregret.cli import main; main()", "run", *READ, "--save", "m", "--json", "j"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    process.stdout.close()
    assert process.wait(timeout=60) == 0 and process.stderr.read() == b""
    process.stderr.close()
    assert json.loads((mails / "j").read_text(encoding="utf-8"))["rounds"] == 6 and (mails / "m").exists()


def test_a_rule_for_another_number_of_experts_is_a_bad_command(tmp_path, capsys):
    (tmp_path / "f.csv").write_text("a,b,y\n1,2,1\n", encoding="utf-8")
    assert run(["experts", str(tmp_path / "f.csv"), "--target", "y", "-r", "hedge:n=5"]) == 2
    assert "weighs 5 experts, and the file has 2; leave n out" in capsys.readouterr().err


def test_a_name_stays_in_its_line(mails, capsys):
    (mails / "odd.csv").write_text('label,x\n1,"a\nb"\n-1,c\\nd\n', encoding="utf-8")
    assert run(["convert", "odd.csv", "odd.svm", "-q"]) == 0
    assert (mails / "odd.svm.names").read_text(encoding="utf-8") == "x=a\\nb\nx=c\\\\nd\n"
