"""Every code block of the pages in docs is run, in order, in one empty folder for each page.

A line of an `sh` block is a command of noregret; `# exit 1` behind it says how it ends. A `text` block after it
has lines that the commands printed. A `python` block prints the lines that its comments promise.
"""

import json
import re
import shlex
from pathlib import Path

import pytest

from noregret.cli.app import run

DOCS = Path(__file__).parent.parent / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def plain(text):
    return re.sub(r"\s+", " ", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_block_of_a_page_runs(page, tmp_path, monkeypatch, capsys):
    text = page.read_text(encoding="utf-8")
    for library in ("sklearn", "river", "pandas", "polars"):
        if re.search(rf"^(from|import) {library}\b", text, flags=re.MULTILINE):
            pytest.importorskip(library, reason=f"{page.name} shows {library}, which is not installed")
    monkeypatch.chdir(tmp_path)
    printed = ""
    for language, code in re.findall(r"```(\w*)\n(.*?)```", text, flags=re.DOTALL):
        if language == "sh":
            printed = commands(code, capsys)
        elif language == "python":
            printed = script(code, capsys)
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


def script(code, capsys):
    """Run a block with nothing but what it imports; in this process, which has imported much of it before."""
    exec(compile(code, "a block", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    for line in re.findall(r"^# (\S.*)$", code, flags=re.MULTILINE):
        assert line in printed
    return printed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_somewhere(page):
    for target in re.findall(r"\]\((?!http|#)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def listed(capsys):
    """Every learner that the command line lists."""
    assert run(["learners", "--json", "-"]) == 0
    return [one["learner"] for one in json.loads(capsys.readouterr().out)]


def test_every_learner_has_its_place_on_a_page(capsys):
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    text = text.replace("`-pa", "`multiclass-pa")  # `multiclass-pa`, `-pa1`, `-pa2`
    assert [name for name in listed(capsys) if f"`{name}`" not in text and f"`{name}:" not in text] == []


def test_every_page_is_in_the_index():
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if f"({page.name})" not in index and page.name != "README.md"] == []


def test_the_counts_of_the_readme_are_those_of_the_command(capsys):
    text = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    counts = re.search(
        r"(\d+) linear and a kernel one for two classes, (\d+) for several, (\d+) for numbers, "
        r"(\d+) rules over experts, (\d+) over finite classes, (\d+) baselines, (\d+) panels",
        text,
    )
    assert sum(map(int, counts.groups())) + 1 == len(listed(capsys))  # and the kernel one


def test_the_picture_in_the_readme_was_made_by_the_command_beside_it():
    text = plain((DOCS.parent / "README.md").read_text(encoding="utf-8"))
    script = (DOCS.parent / "scripts" / "screenshots").read_text(encoding="utf-8")
    command = re.search(r'"spambase": "(.+)"', script).group(1)
    assert f"`noregret {command} --report spambase.html`" in text
