"""What comes through a pipe in a format that is read from its end."""

import gc
import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import feather, parquet

import noregret as nr
from noregret.cli.app import run
from noregret.data.spool import Spool, is_pipe
from noregret.errors import BadFile

TABLE = pyarrow.table({"a": [1.0, 2.0, 3.0], "label": [1, -1, 1]})
COMMAND = [sys.executable, "-c", "from noregret.cli import main; main()"]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    parquet.write_table(TABLE, tmp_path / "parquet")
    feather.write_feather(TABLE, tmp_path / "arrow")
    np.savez(tmp_path / "npz.npz", X=np.eye(3), y=np.array([1, -1, 1]))
    (tmp_path / "npz.npz").rename(tmp_path / "npz")
    assert run(["convert", str(tmp_path / "parquet"), str(tmp_path / "rows.nrb"), "-q"]) == 0
    (tmp_path / "rows.nrb").rename(tmp_path / "nrb")
    return tmp_path


def given(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))


def left_behind(files):
    return list((files / "temporary").iterdir())


@pytest.mark.parametrize("format", ["parquet", "arrow", "npz", "nrb"])
@pytest.mark.parametrize("said", [True, False])
def test_every_format_is_read_from_standard_input(files, monkeypatch, format, said):
    given(monkeypatch, (files / format).read_bytes())
    stream = nr.read("-", format=format if said else None)
    assert sum(len(batch) for batch in stream.batches()) == 3 and not stream.replayable
    assert len(left_behind(files)) == 1
    del stream
    assert left_behind(files) == []


def test_a_file_that_is_bad_leaves_nothing_behind(files, monkeypatch):
    given(monkeypatch, (files / "parquet").read_bytes()[:200])
    with pytest.raises(BadFile, match="standard input: it cannot be read as parquet"):
        list(nr.read("-").batches())
    gc.collect()  # the error knew who had been reading
    assert left_behind(files) == []


def test_the_command_leaves_nothing_behind(files):
    environment = os.environ | {"TMPDIR": str(files / "temporary")}
    for data, status in (((files / "parquet").read_bytes(), 0), ((files / "parquet").read_bytes()[:200], 1)):
        told = subprocess.run(
            [*COMMAND, "run", "-", "-l", "perceptron", "--json", "-"],
            input=data, capture_output=True, env=environment, check=False,
        )  # fmt: skip
        assert told.returncode == status and left_behind(files) == []
        assert status or json.loads(told.stdout)["rounds"] == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_named_pipe_is_kept_too(files):
    pipe = files / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes((files / "npz").read_bytes()))
    writer.start()
    assert sum(len(batch) for batch in nr.read(pipe).batches()) == 3
    writer.join()


def test_forecasts_and_test_data_come_through_standard_input(files, monkeypatch, capsys):
    monkeypatch.chdir(files)
    given(monkeypatch, b"a,b,y\n1,2,1\n2,3,2\n")
    assert run(["experts", "-", "--target", "y"]) == 0
    given(monkeypatch, b"a,b,y\n1,2,1\n2,x,2\n")
    assert run(["experts", "-", "--target", "y"]) == 1
    assert "noregret: -, line 3, column 'b': 'x'" in capsys.readouterr().err
    given(monkeypatch, (files / "parquet").read_bytes())
    both = ["-l", "perceptron", "-l", "pa"]
    assert run(["run", "parquet", *both, "--test", "-", "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["test"]["rows"] for one in told["learners"]] == [3, 3]
    assert run(["run", "-", "--test", "-"]) == 2
    assert left_behind(files) == []


def test_a_cache_of_a_pipe_names_no_file(files, monkeypatch):
    given(monkeypatch, (files / "npz").read_bytes())
    assert run(["convert", "-", str(files / "o.nrb"), "-q"]) == 0
    assert b'"sources": []' in (files / "o.nrb").read_bytes()


def test_only_what_is_read_once_is_a_pipe(tmp_path):
    assert is_pipe(Path("-")) and not is_pipe(tmp_path) and not is_pipe(tmp_path / "nothing")
    with pytest.raises(BadFile):
        Spool(tmp_path / "nothing")


def test_a_pipe_is_called_by_its_name_and_not_by_where_it_is_kept(files, monkeypatch, capsys):
    given(monkeypatch, (files / "parquet").read_bytes()[:200])
    assert run(["run", "-", "-l", "perceptron"]) == 1
    assert "noregret: standard input: it cannot be read as parquet" in capsys.readouterr().err
    given(monkeypatch, b"y,e,e\n1,1,1\n")
    assert run(["experts", "-", "--target", "y"]) == 1
    assert "noregret: standard input, line 1: column 'e' stands there twice" in capsys.readouterr().err
    given(monkeypatch, (files / "npz").read_bytes())
    assert run(["run", "-", "-l", "perceptron", "--predictions", "-"]) == 0
    assert '"standard input, row 1"' in capsys.readouterr().out.splitlines()[1]
