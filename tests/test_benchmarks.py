"""Every benchmark says what it does without data, and without doing it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
SCRIPTS = [path for path in sorted(FOLDER.glob("*.py")) if "__main__" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_benchmark_answers_help(script, tmp_path):
    bare = {name: value for name, value in os.environ.items() if name != "NOREGRET_DATA"}
    command = [sys.executable, str(script), "--help"]
    told = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=bare, check=False)
    missing = re.search(r"No module named '(\w+)'", told.stderr)
    if missing:
        pytest.skip(f"{script.name} compares with {missing.group(1)}, which is not installed")
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith("usage: ") and ",}" not in told.stdout and list(tmp_path.iterdir()) == []
