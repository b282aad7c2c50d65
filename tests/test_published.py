"""Figures of the literature come out again, and worst cases come out exactly."""

import importlib
import os
import statistics
from pathlib import Path

import pytest

import noregret as nr
from noregret import Verdict

DATA = os.environ.get("NOREGRET_DATA")
ROOT = Path(__file__).parents[1]

with pytest.MonkeyPatch.context() as patch:  # benchmarks are scripts: they find each other by the path
    patch.syspath_prepend(ROOT / "benchmarks")
    published = importlib.import_module("published")

needs_data = pytest.mark.skipif(not DATA, reason="NOREGRET_DATA is not set to the folder of the data")


def _folder_with(file):
    folder = Path(DATA)
    if not (folder / file).exists():
        pytest.skip(f"{folder} has no {file}")
    return folder


@needs_data
@pytest.mark.parametrize("figure", published.FIGURES, ids=lambda figure: figure.name)
def test_the_figure_comes_out(figure):
    _, numbers = published.reproduce(figure, _folder_with(figure.file))
    assert len(numbers) == figure.shuffles
    assert statistics.mean(numbers) == pytest.approx(figure.theirs, abs=figure.tolerance)


@needs_data
def test_winnow_errs_less_often_than_the_perceptron_on_agaricus():
    folder = _folder_with("agaricus.train")
    means = {
        figure.name: statistics.mean(published.reproduce(figure, folder)[1])
        for figure in published.FIGURES
        if figure.file == "agaricus.train"
    }
    assert means["agaricus, Winnow"] < means["agaricus, Perceptron"]


@needs_data
@pytest.mark.parametrize("spec", ["perceptron", "winnow:threshold=127"])
def test_agaricus_is_certified(spec):
    stream = published.load(_folder_with("agaricus.train") / "agaricus.train")
    ledger = nr.play(stream, nr.learner(spec))
    certificates = nr.certify(ledger)
    assert [c.theorem for c in certificates] == [t.name for t in ledger.theorems]
    for certificate in certificates:
        assert certificate.verdict in (Verdict.HOLDS, Verdict.SILENT)
        assert certificate.reason
        assert (certificate.bound is None) == (certificate.verdict is Verdict.SILENT)
    assert Verdict.HOLDS in [c.verdict for c in certificates]


def test_the_standard_basis_reaches_novikoffs_bound():
    ledger = nr.play(nr.standard_basis(1000), nr.Perceptron())
    novikoff = nr.certify(ledger)[0]
    assert ledger.mistakes == 1000
    assert (novikoff.theorem, novikoff.verdict, novikoff.bound) == ("Novikoff", Verdict.HOLDS, 1000.0)


@pytest.mark.parametrize(("spec", "least", "most"), [("winnow", 10, 40), ("perceptron", 1000, 1400)])
def test_an_unknown_literal_of_1024_bits(spec, least, most):
    assert least <= nr.play(nr.unknown_literal(1024), nr.learner(spec)).mistakes <= most
