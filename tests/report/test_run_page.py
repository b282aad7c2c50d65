"""The report of a run: what stands in it, and that it can be made of any run."""

import json
import re

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Certificate, Verdict
from noregret.cli.app import run
from noregret.registry import LEARNERS
from noregret.report.figures import potential_chart, scores_chart, tightest
from noregret.report.words import in_words


def charts_of(path):
    text = path.read_text(encoding="utf-8")
    (found,) = re.findall(r"^const charts = (.*);$", text, flags=re.MULTILINE)
    return json.loads(found)


def rows_of(chart):
    data = chart.get("data") or chart["layer"][0]["data"]
    return data["values"]


def test_the_page_of_a_run(tmp_path, capsys):
    page = tmp_path / "run.html"
    assert run(["run", "-l", "perceptron", "-l", "balanced-winnow", "--report", str(page)]) == 0
    assert f"wrote {page}" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    assert f"noregret run -l perceptron -l balanced-winnow --report {page}" in text
    assert "Freund–Schapire: HOLDS" in text and "last-label" in text
    assert not re.search(r'(src|href)="(?!data:)', text.split("<script>")[0])
    mistakes = rows_of(charts_of(page)[0])
    ledger = nr.play(nr.inspection_line(), nr.Perceptron())
    last = [row for row in mistakes if row["learner"] == "perceptron"][-1]
    assert last == {"round": ledger.rounds, "learner": "perceptron", "mistakes": ledger.mistakes}


def test_names_in_the_data_do_not_become_code(tmp_path):
    learner = nr.Perceptron()
    ledger = nr.play(nr.from_rounds([({"</script><b>": 1.0}, -1)]), learner)
    assert "</script><b>" not in learner._repr_html_() and "<b>" not in ledger._repr_html_()
    page = nr.report.run.run_page("a<b", "noregret run", [nr.report.run.Told(learner, ledger, [])], [])
    page.write(tmp_path / "x.html")
    text = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "</script><b>" not in text and "a&lt;b" in text


@pytest.mark.parametrize(("name", "starts"), [("run.svg", b"<svg"), ("run.png", b"\x89PNG")])
def test_pictures_without_a_browser(tmp_path, name, starts, capsys):
    assert run(["run", "--report", str(tmp_path / name), "-q"]) == 0
    assert (tmp_path / name).read_bytes().startswith(starts)


@pytest.mark.parametrize("name", ["run.pdf", "missing/run.html"])
def test_a_report_that_cannot_be_written_is_refused_before_the_run(tmp_path, name, capsys):
    assert run(["run", "--report", str(tmp_path / name)]) == 2
    told = capsys.readouterr()
    assert told.out == "" and told.err.count("\n") == 1


def test_the_page_of_a_duel(tmp_path):
    page = tmp_path / "duel.html"
    assert run(["duel", "halving", "tree", "--class", "thresholds:15", "--report", str(page), "-q"]) == 0
    assert "Halving: HOLDS" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_can_be_drawn(name):
    learner = nr.learner(name)
    X = np.array([[1.0, 0.0], [0.0, 1.0]] * 20)
    y = [1, 2] * 20 if learner.task == "multiclass" or hasattr(learner, "takes") else [1.0, -1.0] * 20
    ledger = nr.play(nr.from_arrays(X, y), learner)
    assert ledger.plot().to_dict()["title"].startswith(ledger.learner)
    assert learner.spec in learner._repr_html_() and ledger.learner in ledger._repr_html_()


def test_an_empty_run_can_be_drawn():
    ledger = nr.play(nr.from_arrays(np.empty((0, 3)), []), nr.Perceptron())
    assert "0 mistakes in 0 rounds" in ledger.plot().to_dict()["title"]


def test_the_potential_is_between_its_bounds():
    learner = nr.Perceptron(rate=0.5)
    ledger = nr.play(nr.separable(10, 0.1, 500, 1), learner)
    novikoff = nr.certify(ledger)[0]
    chart = potential_chart(ledger, novikoff.quantities, 0.5).to_dict()
    by_round: dict = {}
    for row in rows_of(chart):
        by_round.setdefault(row["round"], []).append(row["value"])
    assert len(by_round) > 100
    for most, now, least in by_round.values():
        assert least * (1 - 1e-9) <= now <= most * (1 + 1e-9)


def test_scores_are_counted_once_each():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4))
    ledger = nr.play(nr.from_arrays(X, np.where(X[:, 0] > 0, 1, -1)), nr.Perceptron())
    assert sum(below + above for _, below, above in ledger.scores) == 3000
    assert sum(above for _, _, above in ledger.scores) == ledger.positives
    values = [score for score, _, _ in ledger.scores]
    assert values == sorted(values)
    assert sum(row["rounds"] for row in rows_of(scores_chart(ledger).to_dict())) == 3000


def test_scores_stand_by_their_edge_next_to_zero():
    scores = [0.0, 1.0, -1.0, 1.5, -1.5, 1e300, -1e-300]
    tally = nr.play(nr.from_arrays(np.empty((0, 1)), []), nr.Perceptron()).tally
    for score in scores:
        tally.add(score, 1.0, 1.0, 0.0, False, 1.0, 0.0)
    found = [score for score, _, _ in tally.scores()]
    for told, score in zip(found, sorted(scores), strict=True):
        assert abs(told) <= abs(score) <= abs(told) * (1 + 2**-6)


def certificate(verdict, bound):
    return Certificate("Theorem", "if so, then so", "Somebody 1962", verdict, 3.0, bound)


def test_words_say_the_verdict():
    assert "7 at most: 4 to spare" in in_words(certificate(Verdict.HOLDS, 7.0))[0]
    assert "has a fault" in in_words(certificate(Verdict.BROKEN, 2.0))[0]
    assert "no fault of the learner" in in_words(certificate(Verdict.SILENT, None))[0]
    assert tightest([certificate(Verdict.SILENT, None)]) is None


def test_certificates_and_classes_show_themselves():
    (first, *_) = nr.certify(nr.play(nr.standard_basis(10), nr.Perceptron()))
    assert "HOLDS" in first._repr_html_()
    assert "thresholds:7" in nr.hypothesis_class("thresholds:7")._repr_html_()
