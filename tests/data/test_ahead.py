"""Threads that read ahead end with the process, and do not end it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

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
