"""Every benchmark says what it does without data, and without doing it."""

import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"
SCRIPTS = [path for path in sorted(FOLDER.glob("*.py")) if "__main__" in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_a_benchmark_answers_help(script, tmp_path, monkeypatch, capsys):
    """In this process: the libraries to compare with are imported once, and not by each of them."""
    monkeypatch.delenv("NOREGRET_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(FOLDER)
    monkeypatch.setattr(sys, "argv", [str(script), "--help"])
    try:
        with pytest.raises(SystemExit) as left:
            runpy.run_path(str(script), run_name="__main__")
    except ModuleNotFoundError as missing:
        pytest.skip(f"{script.name} compares with {missing.name}, which is not installed")
    told = capsys.readouterr().out
    assert left.value.code == 0
    assert told.startswith("usage: ") and ",}" not in told and list(tmp_path.iterdir()) == []
