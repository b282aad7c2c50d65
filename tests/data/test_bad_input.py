"""Files as they come: cut short, damaged, in other encodings, too long, too wide. A sentence each."""

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.data import features
from noregret.errors import BadCommand, BadFile, BadInput

from .rows import listed, rows_of, written

TEXTS = {
    "libsvm": "1 1:1\n-1 2:1\n",
    "vw": "1 |f a b\n-1 |f c\n",
    "csv": "a,b,y\n1,x,1\n2,z,0\n",
    "arff": "@relation r\n@attribute a real\n@attribute b {x,z}\n@attribute y {0,1}\n@data\n1,x,1\n2,z,0\n",
    "jsonl": '{"a": 1, "b": "x", "y": 1}\n{"a": 2, "b": "z", "y": 0}\n',
}


@pytest.mark.parametrize("format", TEXTS)
def test_line_ends_and_marks_of_other_systems_change_nothing(tmp_path, format):
    text = TEXTS[format].encode()
    plain = rows_of(written(tmp_path, text, "plain"), format=format)
    assert len(plain) == 2
    for name, other in {
        "crlf": text.replace(b"\n", b"\r\n"),
        "mark": b"\xef\xbb\xbf" + text,
        "no end": text.rstrip(b"\n"),
        "blank lines": text + b"\n\n",
        "gzip": gzip.compress(text),
    }.items():
        assert rows_of(written(tmp_path, other, name), format=format) == plain, name
    utf16 = TEXTS[format].encode("utf-16")
    assert rows_of(written(tmp_path, utf16, "utf16"), format=format, encoding="utf-16") == plain
    with pytest.raises(BadFile, match="UTF-16"):
        rows_of(tmp_path / "utf16", format=format)


@pytest.mark.parametrize("format", ["vw", "csv", "arff", "jsonl"])
def test_latin_1_is_refused_by_its_place_unless_it_is_declared(tmp_path, format):
    text = TEXTS[format].replace("z", "été").replace("|f c", "|f été")
    plain = rows_of(written(tmp_path, text, "utf8"), format=format)
    path = written(tmp_path, text.encode("latin-1"), "latin1")
    assert rows_of(path, format=format, encoding="latin-1") == plain
    with pytest.raises(BadInput, match=r"latin1, line \d+, column \d+: '.*': .*UTF-8"):
        rows_of(path, format=format)


@pytest.mark.parametrize("format", TEXTS)
def test_binary_rubbish(tmp_path, format):
    path = written(tmp_path, bytes(range(256)) * 40, "rubbish")
    with pytest.raises(BadInput, match="rubbish"):
        rows_of(path, format=format, label=None if format != "csv" else "y")
    with pytest.raises(BadInput, match="rubbish"):
        rows_of(path)


@pytest.mark.parametrize("format", TEXTS)
def test_a_gzip_that_is_cut_short_or_damaged(tmp_path, format):
    whole = gzip.compress(TEXTS[format].encode() * (1 if format in ("csv", "arff") else 500))
    for name, data in {"cut": whole[:-12], "damaged": whole[:12] + b"\xff\xff\xff" + whole[15:]}.items():
        with pytest.raises(BadFile, match=f"{name}: its compression is damaged or cut short"):
            rows_of(written(tmp_path, data, name), format=format)


def test_truncated_text_is_bad_at_its_last_line(tmp_path):
    path = written(tmp_path, "1 1:1\n-1 2:0.5 3", "cut.svm")
    with pytest.raises(BadFile, match=r"cut.svm, line 2, column 10: '3': a feature is written index:value"):
        rows_of(path)
    learner = nr.Perceptron()
    with pytest.raises(BadFile) as stopped:
        nr.play(nr.read(path), learner)
    assert stopped.value.ledgers[0].rounds == 1  # what came before it was learned


def test_an_index_of_a_million_millions(tmp_path):
    path = written(tmp_path, "1 1000000000000:1\n", "far.svm")
    with pytest.raises(
        BadFile, match="far.svm, line 1, column 3: '1000000000000:1': a feature number is from 0"
    ):
        rows_of(path)


@pytest.mark.parametrize("format", ["libsvm", "vw"])
def test_a_line_of_a_hundred_megabytes(tmp_path, format):
    pair = b" 7:0.5" * 1000
    path = tmp_path / "long"
    with path.open("wb") as file:
        file.write(b"1" if format == "libsvm" else b"1 |")
        for _ in range(100_000_000 // len(pair)):
            file.write(pair)
        file.write(b"\n-1 3:1\n" if format == "libsvm" else b"\n-1 | 3\n")
    sizes = [size for batch in nr.read(path, format=format).batches() for size in np.diff(batch.starts)]
    assert sizes == [100_000_000 // len(pair) * 1000, 1]


def test_a_label_column_that_is_not_there(tmp_path):
    path = written(tmp_path, "spam,words\n1,2\n", "t.csv")
    with pytest.raises(
        BadCommand, match=r"t.csv has no column 'spma'; did you mean 'spam'\? It has spam, words"
    ):
        rows_of(path, label="spma")
    asked = "--label NAME, in Python label=NAME; there is spam, words"
    with pytest.raises(BadCommand, match=f"t.csv: say which column is the label: {asked}"):
        rows_of(path)


@pytest.mark.parametrize("format", ["vw", "csv", "arff", "jsonl"])
def test_names_beyond_the_most_are_left_out_and_counted(tmp_path, format, monkeypatch):
    from noregret.data import text as texts

    monkeypatch.setattr(features, "MOST_NAMES", 10)
    monkeypatch.setattr(texts, "MOST_NAMES", 10)
    header = {"csv": "w,y\n", "arff": "@relation r\n@attribute w string\n@attribute y {0,1}\n@data\n"}.get(
        format, ""
    )
    line = {"vw": "1 |f w{}\n", "jsonl": '{{"w": "w{}", "y": 1}}\n'}.get(format, "w{},1\n")
    text = header + "".join(line.format(k) for k in range(25))
    path = written(tmp_path, text, "many")
    stream = nr.read(path, format=format)
    rows = listed(stream)
    assert len(rows) == 25 and sum(len(row) for row, _, _ in rows) == 10 and stream.left_out == 15
    hashed = nr.read(path, format=format, bits=16)
    assert sum(len(row) for row, _, _ in listed(hashed)) == 25 and hashed.left_out == 0


def test_a_file_that_shrinks_while_it_is_read(tmp_path):
    path = written(tmp_path, "1 1:1\n" * 8_000_000, "shrinking.svm")
    with pytest.raises(
        BadFile, match="shrinking.svm: it had 48,000,000 bytes when it was opened and ended after"
    ):
        for count, _ in enumerate(nr.read(path).batches()):
            if count == 0:
                os.truncate(path, 100)


def test_standard_input_and_pipes(tmp_path, monkeypatch):
    class Standard:
        buffer = io.BufferedReader(io.BytesIO(gzip.compress(TEXTS["jsonl"].encode())))

    plain = rows_of(written(tmp_path, TEXTS["jsonl"], "plain.jsonl"))
    monkeypatch.setattr("sys.stdin", Standard)
    stream = nr.read("-")
    assert stream.format == "jsonl" and listed(stream) == plain and not stream.replayable
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_text, args=(TEXTS["csv"],), daemon=True).start()
    assert rows_of(pipe) == plain


class Fed:
    """A command whose standard input stays open, and that is told to stop."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from noregret.cli import main; main()", *map(str, arguments)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def tell(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=60)  # its standard input is still open
        told = self.process.stdout.read().decode(), self.process.stderr.read().decode()
        for one in (self.process.stdin, self.process.stdout, self.process.stderr):
            one.close()
        return self.process.returncode, *told


def test_rows_of_a_pipe_are_answered_as_they_come_and_it_can_be_stopped(tmp_path):
    model = tmp_path / "a.model"
    assert (
        run(
            [
                "run",
                str(written(tmp_path, "1 | a b\n-1 | c\n", "a.vw")),
                "-l",
                "perceptron",
                "--save",
                str(model),
                "-q",
            ]
        )
        == 0
    )
    asked = Fed("predict", model, "-", "--format", "vw")
    for row, answer in (("1 | a\n", b"1\n"), ("-1 | c\n", b"-1\n"), ("| b\n| c\n", b"1\n")):
        asked.tell(row)
        assert asked.process.stdout.readline() == answer  # nobody waits for more rows
    code, rest, errors = asked.stop()
    assert code == 130 and rest == "-1\n" and "Fatal" not in errors and "Traceback" not in errors


def test_a_run_over_a_pipe_that_is_stopped_keeps_what_it_learned(tmp_path):
    model = tmp_path / "b.model"
    learning = Fed("run", "-", "--format", "vw", "-l", "perceptron", "--save", model, "--progress-every", "1")
    learning.tell("1 | a\n-1 | b\n" * 5)
    assert b"10 rows" in learning.process.stderr.readline()
    code, _, errors = learning.stop()
    assert code == 130 and "what was learned so far was kept" in errors
    assert nr.load(model).weights == {"b": -1.0}


def test_patterns_and_several_files_are_one_stream(tmp_path, monkeypatch):
    for day in (2, 1, 3):
        written(tmp_path, json.dumps({"day": day, "y": 1}) + "\n", f"day-{day}.jsonl")
    days = [row[0][1] for row, _, _ in rows_of(str(tmp_path / "day-*.jsonl"))]
    assert days == [1.0, 2.0, 3.0]
    monkeypatch.chdir(tmp_path)
    assert [row[0][1] for row, _, _ in rows_of(["day-3.jsonl", "day-[12].jsonl"])] == [3.0, 1.0, 2.0]
    with pytest.raises(BadFile, match=r"night-\*: no file matches this pattern"):
        rows_of("night-*")


def test_skipped_rows_are_counted_and_the_first_few_listed(tmp_path):
    stream = nr.read(written(tmp_path, "1 1:1\n" + "x\n" * 9 + "-1 1:1\n", "d.svm"), on_bad_row="skip")
    assert [y for _, y, _ in listed(stream)] == [1.0, -1.0]
    assert stream.skipped == 9 and [fault.split(": ")[0] for fault in stream.faults] == [
        f"{tmp_path / 'd.svm'}, line {line}, column 1" for line in range(2, 7)
    ]
