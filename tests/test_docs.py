"""Every code block of the pages in docs is run, in order, in one empty folder for each page.

A line of an `sh` block is a command of noregret; `# exit 1` behind it says how it ends. A `text` block after it
has lines that the commands printed. A `python` block prints the lines that its comments promise.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from noregret.cli.app import run

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def plain(text):
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    printed = ""
    for language, code in re.findall(
        r"```(\w*)\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL
    ):
        if language == "sh":
            printed = commands(code, capsys)
        elif language == "python":
            printed = script(code)
        else:
            assert language == "text", f"a block in {page.name} has no language that can be run"
            for line in code.splitlines():
                assert plain(line).strip() in plain(printed), line


def commands(code, capsys):
    printed = ""
    for line in filter(None, code.splitlines()):
        command, _, promise = line.partition("  # ")
        status = re.search(r"exit (\d)", promise)
        words = shlex.split(command)
        assert words[0] == "noregret", line
        assert run(words[1:]) == int(status.group(1) if status else 0), line
        told = capsys.readouterr()
        printed += told.out + told.err
    return printed


def script(code):
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for line in re.findall(r"^# (\S.*)$", code, flags=re.MULTILINE):
        assert line in told.stdout
    return told.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_somewhere(page):
    for target in re.findall(r"\]\((?!http|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
