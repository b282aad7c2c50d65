"""The notebooks under docs run, and print what they were committed with."""

import re
import sys
from pathlib import Path

import pytest

import noregret as nr
from noregret.errors import MissingExtra

NOTEBOOKS = sorted((Path(__file__).parent.parent / "docs" / "notebooks").glob("*.ipynb"))


def printed(notebook):
    """What each cell of code printed and showed as text; pictures and tables are left to the eye.

    Bounds come from a numerical search and may move in their last digits: decimals are left out.
    """
    return [
        re.sub(r"\.\d+", "", "".join(map(text_of, cell.outputs)))
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def text_of(output):
    if output.output_type == "stream":
        return output.text if output.name == "stdout" else ""
    return "" if "text/html" in output.data else output.data["text/plain"]


def test_there_are_two():
    assert [path.name for path in NOTEBOOKS] == ["spam_stream.ipynb", "theory_tour.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
@pytest.mark.filterwarnings("default")  # of the machinery of notebooks, which is not ours
def test_a_notebook_prints_what_it_was_committed_with(path, tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
    client = pytest.importorskip("nbclient", reason="nbclient is not installed")
    committed = nbformat.read(path, as_version=4)
    again = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": str(tmp_path)}}
    client.NotebookClient(again, coalesce_streams=True, resources=place).execute()
    assert any(printed(committed))
    assert printed(again) == printed(committed)


def test_a_picture_without_the_extra_says_what_to_install(monkeypatch):
    ledger = nr.play(nr.standard_basis(3), nr.Perceptron())
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtra, match=re.escape("pip install 'noregret[report]'")):
        nr.plot(ledger)
