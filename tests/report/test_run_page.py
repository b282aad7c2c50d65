"""The report of a run: what stands in it, and that it can be made of any run."""

import io
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
    assert "Mohri–Rostamizadeh: HOLDS" in text and "last-label" in text
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
        by_round.setdefault(row["round"], []).append(row["potential"])
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
    assert "7 at most: 4 to spare" in in_words(certificate(Verdict.HOLDS, 7.0))[0][0]
    assert "has a fault" in in_words(certificate(Verdict.BROKEN, 2.0))[0][0]
    assert "no fault of the learner" in in_words(certificate(Verdict.SILENT, None))[0][0]
    assert tightest([certificate(Verdict.SILENT, None)]) is None


def test_certificates_and_classes_show_themselves():
    (first, *_) = nr.certify(nr.play(nr.standard_basis(10), nr.Perceptron()))
    assert "HOLDS" in first._repr_html_()
    assert "thresholds:7" in nr.hypothesis_class("thresholds:7")._repr_html_()


def encodings(chart):
    """Those of a chart, whether it has layers or not."""
    return [part["encoding"] for part in chart.get("layer", [chart])]


def test_axes_end_with_the_last_round(tmp_path):
    page = tmp_path / "run.html"
    assert run(["run", "-l", "pa1", "--report", str(page), "-q"]) == 0
    by_round = [
        encoding["x"]
        for chart in charts_of(page)
        for encoding in encodings(chart)
        if encoding.get("x", {}).get("field") == "round"
    ]
    assert len(by_round) == 3 and all(x["scale"] == {"nice": False} for x in by_round)


def test_the_page_tells_why_there_is_no_regret(tmp_path, monkeypatch):
    page = tmp_path / "pipe.html"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"+1 1:1\n-1 2:1\n" * 30)))
    assert run(["run", "-", "-l", "pa1", "--no-certify", "--report", str(page), "-q"]) == 0
    text = page.read_text(encoding="utf-8")
    assert "There is no curve of its regret: its rows could be read only once" in text
    assert "Regret in" not in text and len(charts_of(page)) == 3


def test_an_impatient_person_gets_everything_but_the_report(tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("noregret.report.run.progress_chart", interrupted)
    made = {name: tmp_path / name for name in ("r.html", "m", "o.json")}
    command = ["run", "-l", "perceptron", "--report", str(made["r.html"]), "--save", str(made["m"])]
    assert run([*command, "--json", str(made["o.json"])]) == 0
    assert "the report was not written" in capsys.readouterr().err
    assert not made["r.html"].exists() and made["m"].exists() and made["o.json"].exists()


def test_numbers_have_losses_and_no_mistakes(tmp_path):
    rows = ["a,price", *(f"{k % 7},{2 * (k % 7) + 1}" for k in range(60))]
    (tmp_path / "p.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    page = tmp_path / "p.html"
    told = ["run", str(tmp_path / "p.csv"), "--label", "price", "-l", "widrow-hoff:rate=0.01", "-q"]
    assert run([*told, "--report", str(page)]) == 0
    text = page.read_text(encoding="utf-8").split("<script>")[0]
    assert "Loss so far" in text and "Regret in squared loss" in text and "mistake" not in text.lower()
    assert "raises the number" in json.dumps(charts_of(page))


def test_plot_has_the_regret_below_the_mistakes():
    chart = nr.play(nr.separable(4, 0.1, 300), nr.PassiveAggressive1()).plot().to_dict()
    titles = [part.get("title") for part in chart["vconcat"]]
    assert titles == [None, "Regret in mistakes", "Regret in hinge loss"]


def test_bars_of_scores_have_round_edges_and_one_at_zero():
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, size=(2000, 4)).astype(float)
    ledger = nr.play(nr.from_arrays(X, np.where(X[:, 0] > 0, 1, -1)), nr.Perceptron())
    bars = rows_of(scores_chart(ledger).to_dict())
    assert all(bar["to"] <= 1e-12 or bar["from"] >= -1e-12 for bar in bars)
    widths = {round(bar["to"] - bar["from"], 9) for bar in bars}
    assert len(widths) == 1 and widths.pop() in (1.0, 2.0, 5.0)


EVIL = "</script><b onclick=x>"


@pytest.mark.parametrize(
    "shown",
    [
        nr.Perceptron(),
        nr.MulticlassPerceptron(),
        nr.Panel(["perceptron", "last-label"]),
        nr.BOA(3),
        nr.Halving("thresholds:7"),
        nr.hypothesis_class("thresholds:7"),
        nr.hypothesis_class("thresholds:[0,1]"),
        nr.BOA(3).play(np.eye(3), [0, 1, 2]),
    ],
    ids=lambda one: type(one).__name__,
)
def test_everything_shows_itself_in_a_notebook(shown):
    told = shown._repr_html_()
    assert told.startswith("<div><strong>") and told.endswith("</table></div>")


def test_names_are_escaped_in_notebooks():
    many = nr.MulticlassPerceptron()
    for kind in (EVIL, "other"):
        many.learn({EVIL: 1.0}, kind)
    table = nr.FiniteClass([[0, 1], [1, 1]], name=EVIL, hypothesis_names=[EVIL, "h"], point_names=[EVIL, "x"])
    named = nr.Halving(table)
    broken = Certificate(EVIL, EVIL, EVIL, Verdict.HOLDS, 1.0, 2.0)
    ledger = nr.Ledger(EVIL, loss_name=EVIL)
    for one in (many, table, named, broken, ledger):
        assert EVIL not in one._repr_html_()
    assert "&lt;b onclick" in many._repr_html_() and "&lt;b onclick" in broken._repr_html_()


def test_labels_that_are_words_keep_their_words(tmp_path, capsys):
    data, page = tmp_path / "mail.csv", tmp_path / "page.html"
    rows = ["ham,1,1", "spam,2,0", "ham,0,1"]
    data.write_text("label,free,lunch\n" + "\n".join(rows) + "\n", encoding="utf-8")
    arguments = ["run", str(data), "--positive", "spam", "-l", "perceptron", "-l", "auto"]
    assert run([*arguments, "--report", str(page)]) == 0
    assert "always ham" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8").split("<script>")[0] + json.dumps(charts_of(page))
    for told in ("always ham", "label ham", "label spam", "for spam", "for ham", "the learner said spam"):
        assert told in text
    assert not re.search(r"(always|label|for|said) [+−-]1", text)


def test_several_negatives_are_what_is_not_positive(tmp_path, capsys):
    data = tmp_path / "mail.csv"
    data.write_text("label,a\nham,1\nnews,2\nspam,1\n", encoding="utf-8")
    assert run(["run", str(data), "--positive", "spam", "-l", "perceptron"]) == 0
    assert "always not spam" in capsys.readouterr().out


def test_weights_of_classes_say_that_they_are_by_class_and_feature(tmp_path, capsys):
    data, page, model = tmp_path / "m.svm", tmp_path / "page.html", tmp_path / "m.model"
    data.write_text("3 1:1\n6 2:1\n7 3:1\n" * 5, encoding="utf-8")
    learner = ["-l", "multiclass-perceptron"]
    assert run(["run", str(data), *learner, "--report", str(page), "--save", str(model)]) == 0
    assert "by class and feature" in page.read_text(encoding="utf-8")
    assert charts_of(page)[-1]["encoding"]["y"]["title"] == "class, feature"
    assert run(["inspect", str(model)]) == 0
    assert "class, feature" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["r.svg", "r.png", "r.html"])
def test_names_that_no_picture_can_hold(tmp_path, name, capsys):
    odd = ["a\x01b", "a\x0bb", "a\ufffeb", "a\u2028b", "😀"]
    rows = [dict.fromkeys(odd, k % 3) | {"c": 1, "y": 1 if k % 3 else -1} for k in range(9)]
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = [
        "run",
        str(tmp_path / "d.jsonl"),
        "--label",
        "y",
        "-l",
        "perceptron",
        "--report",
        str(tmp_path / name),
    ]
    assert run(told) == 0, capsys.readouterr().err
    assert (tmp_path / name).stat().st_size > 1000


def test_the_page_of_a_run_that_was_told_no_label(tmp_path):
    (tmp_path / "d.svm").write_text("1 0:1\n-1 1:1\n" * 10)
    page = tmp_path / "r.html"
    assert (
        run(["run", str(tmp_path / "d.svm"), "-l", "perceptron", "--labelled", "0", "--report", str(page)])
        == 0
    )
    assert page.exists()
