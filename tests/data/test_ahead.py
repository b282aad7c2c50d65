"""Threads that read ahead end with the process, and do not end it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from noregret.data import ahead
from noregret.data.ahead import in_order

LEFT = "import noregret as nr, sys; batches = nr.read(sys.argv[1]).batches(); next(batches)"
REFUSED = """
import noregret as nr, sys
from noregret.errors import BadInput
try: nr.play(nr.read(sys.argv[1]), nr.Winnow(threshold=1))
except BadInput as problem: kept = problem
"""


@pytest.mark.parametrize("script", [LEFT, REFUSED], ids=["a stream is left", "a row is refused"])
def test_who_stops_in_the_middle_of_a_file(script: str, tmp_path: Path) -> None:
    file = tmp_path / "large.svm"
    file.write_text("1 1:1 2:0.5 3:0.25 4:0.125\n" * 400_000)
    for _ in range(4):  # without an end put to the threads, about every second time went wrong
        ended = subprocess.run([sys.executable, "-c", script, str(file)], capture_output=True, text=True)
        assert (ended.returncode, ended.stderr) == (0, "")


FORKED = """
import os, sys, noregret as nr
from noregret.errors import BadInput
batches = iter(nr.read(sys.argv[1]).batches())
rows = len(next(batches))
child = os.fork()
if child == 0:
    try:
        next(batches)
    except BadInput as refused:
        os._exit(7 if "begun in another process" in str(refused) else 8)
    os._exit(9)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print(rows + sum(map(len, batches)))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_process_that_was_forked_leaves_the_stream_to_the_other(tmp_path: Path) -> None:
    path = tmp_path / "long.svm"
    path.write_text("1 1:1.5 2:-1\n-1 2:1 3:0.25\n" * 200_000)
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore::DeprecationWarning",
            "-c",
            FORKED,
            str(path),
        ],  # of forks, from 3.12 on
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "400000\n", "")


def test_a_thread_that_cannot_be_started_is_one_error(monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(RuntimeError, match="can't start"):
        next(in_order(lambda _: None, lambda item: item, threads=2))
    ahead._dismiss_all()
