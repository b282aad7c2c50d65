"""Files as other people publish them; the folder is named by NOREGRET_DATA."""

import os
from itertools import islice
from pathlib import Path

import pytest

import noregret as nr
from noregret.errors import BadCommand, BadLabel

FOLDER = Path(os.environ.get("NOREGRET_DATA", "/nowhere"))
pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="NOREGRET_DATA names no folder")


def played(stream, rounds=None):
    learner = nr.Perceptron()
    return nr.play(stream, learner, rounds), learner


def test_messages_as_text():
    path = FOLDER / "SMSSpamCollection.tsv"
    with pytest.raises(BadLabel, match="line 1, column '1': 'ham': .*positive='ham' or positive='spam'"):
        played(nr.read(path, label="1", text="2"))
    ledger, learner = played(nr.read(path, label="1", text="2", positive="spam"))
    assert ledger.rounds == 5574 and ledger.positives == 747 and ledger.mistakes < 600
    assert learner.weights["2=txt"] > 0 > learner.weights["2=me"]


def test_numbers_with_a_header_and_labels_that_are_words():
    stream = nr.read(FOLDER / "elec2_8feat.csv", positive="UP")
    ledger, learner = played(stream)
    assert ledger.rounds == 45_312 and sorted(learner.weights) == sorted(stream.columns.of("numeric"))


def test_the_label_is_asked_for():
    with pytest.raises(BadCommand, match="say which column is the label"):
        played(nr.read(FOLDER / "phishing.csv.gz"))
    assert played(nr.read(FOLDER / "phishing.csv.gz", label="is_phishing"))[0].rounds == 1250
    with pytest.raises(BadLabel, match="positive=VALUE"):
        played(nr.read(FOLDER / "Skin_NonSkin.txt.gz", label="skin"))


def test_the_same_news_in_two_formats():
    one, words = played(nr.read(FOLDER / "vw_rcv1_small.dat"))
    other, numbers = played(nr.read(FOLDER / "rcv1_small.libsvm"))
    assert (one.rounds, one.mistakes) == (other.rounds, other.mistakes)
    assert words.weights == {f"f^{index}": weight for index, weight in numbers.weights.items()}


def test_mixed_columns_through_csv_and_parquet_give_the_same_bits(tmp_path):
    csv = pytest.importorskip("pyarrow.csv", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    path = FOLDER / "kddcup.data_10_percent.gz"
    names = [str(k) for k in range(1, 43)]
    table = csv.read_csv(path, read_options=csv.ReadOptions(column_names=names)).slice(0, 60_000)
    parquet.write_table(table, tmp_path / "kdd.parquet")
    stream = nr.read(path, label="42", positive="normal.")
    one, by_csv = played(stream, 60_000)
    other, by_parquet = played(nr.read(tmp_path / "kdd.parquet", label="42", positive="normal."))
    assert (one.rounds, one.mistakes) == (other.rounds, other.mistakes) == (60_000, other.mistakes)
    assert by_csv.weights == by_parquet.weights
    assert stream.columns.describe() == "3 categorical columns (2, 3, 4), 38 numbers; label '42'"


def test_classes_in_the_order_of_the_file():
    stream = nr.read(FOLDER / "letter.scale.gz", task="multiclass")
    first = next(iter(stream.batches()))
    raw = [float(line.split()[0]) for line in islice(lines(FOLDER / "letter.scale.gz"), len(first))]
    assert [first.classes[int(k)] for k in first.labels] == raw and len(stream.labels.classes) == 26


def lines(path):
    import gzip

    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from file
