"""Labels that come late, or not at all."""

import json

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadCommand, BadInput, BadLabel, BadParameter
from noregret.judging.whole_run import whole_run
from noregret.natures.lateness import late_basis
from noregret.registry import LEARNERS
from noregret.regret.over_rounds import regrets


def noisy_stream(rounds=400, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 5))
    return nr.from_arrays(X, np.where(X[:, 0] + rng.normal(size=rounds) > 0, 1, -1))


def test_a_lag_of_nothing_changes_nothing():
    late, prompt = nr.Perceptron(), nr.Perceptron()
    a, b = nr.play(nr.Delayed(noisy_stream(), 0), late), nr.play(noisy_stream(), prompt)
    assert (a.curve, a.potentials, late.weights) == (b.curve, b.potentials, prompt.weights)
    assert [c.theorem for c in nr.certify(a)] == ["Novikoff", "Freund–Schapire", "Mohri–Rostamizadeh"]


@pytest.mark.parametrize("lag", [1, 3, 50, 1000])
def test_late_labels_by_hand(lag):
    """Predictions use the mistakes whose labels have come; a label teaches by what was said then."""
    stream, learner = noisy_stream(), nr.Perceptron()
    w, said = np.zeros(5), []
    for t, x in enumerate(stream.matrix):
        said.append(1.0 if sum(a * b for a, b in zip(w, x, strict=True)) >= 0 else -1.0)
        if t >= lag and said[t - lag] != stream.labels[t - lag]:
            w = w + stream.labels[t - lag] * stream.matrix[t - lag]
    for t in range(max(len(said) - lag, 0), len(said)):
        if said[t] != stream.labels[t]:
            w = w + stream.labels[t] * stream.matrix[t]
    ledger = nr.play(nr.Delayed(stream, lag), learner)
    assert ledger.rounds == len(said) and ledger.lag == lag
    assert ledger.mistakes == ledger.updates == int(np.sum(np.array(said) != stream.labels))
    assert [learner.weights[k] for k in range(5)] == w.tolist()


@pytest.mark.parametrize(("size", "lag"), [(1, 1), (7, 3), (40, 10)])
def test_the_worst_case_makes_the_inequality_an_equality(size, lag):
    ledger = nr.play(late_basis(size, lag), nr.Perceptron())
    assert ledger.mistakes == size * (lag + 1)
    assert ledger.mistakes**2 == size * (ledger.mistakes + 2 * ledger.overtaken)
    separable, anything = nr.certify(ledger)
    assert (separable.theorem, separable.verdict) == ("Late labels", "holds")
    assert separable.bound == (1 + 2 * lag) * size
    assert (anything.theorem, anything.verdict) == ("Late labels (any data)", "holds")
    assert ledger.mistakes <= anything.bound <= separable.bound


def test_theorems_for_prompt_labels_do_not_speak_of_late_ones():
    ledger = nr.play(nr.Delayed(noisy_stream(), 5), nr.BalancedWinnow())
    assert nr.certify(ledger) == []


@pytest.mark.parametrize("name", [n for n in LEARNERS if n != "winnow"])
def test_every_learner_plays_late(name):
    learner = nr.learner(name)
    if learner.task != "binary":
        return
    ledger = nr.play(nr.Delayed(noisy_stream(), 7), learner)
    assert ledger.rounds == 400 and not ledger.waiting


def test_a_bad_row_leaves_the_labels_on_their_way_learned():
    stream = noisy_stream(20)
    stream.matrix[10, 2] = np.nan
    learner, before = nr.Perceptron(), nr.Perceptron()
    with pytest.raises(BadInput, match="row 10"):
        nr.play(nr.Delayed(stream, 4), learner)
    nr.play(nr.Delayed(nr.from_arrays(stream.matrix[:10], stream.labels[:10]), 4), before)
    assert learner.weights == before.weights


def test_partly_labelled_repeats_and_hides():
    some = nr.PartlyLabelled(noisy_stream(), 0.3, seed=5)
    first, again = nr.play(some, nr.Perceptron()), nr.play(some, nr.Perceptron())
    assert first.rounds == 400 and 80 < first.labelled < 160
    assert first.curve == again.curve
    assert nr.play(nr.PartlyLabelled(noisy_stream(), 0.0), nr.Perceptron()).labelled == 0
    assert nr.play(nr.PartlyLabelled(noisy_stream(), 1.0), nr.Perceptron()).labelled == 400
    assert all(c.verdict == "holds" for c in nr.certify(first) if c.theorem == "Freund–Schapire")


@pytest.mark.parametrize("make", [
    lambda: nr.Delayed(noisy_stream(), -1), lambda: nr.Delayed(noisy_stream(), 1.5),
    lambda: nr.PartlyLabelled(noisy_stream(), 1.5), lambda: nr.PartlyLabelled(noisy_stream(), float("nan")),
    lambda: nr.SelectivePerceptron(smoothing=0), lambda: nr.SelectivePerceptron(budget=-1),
    lambda: nr.SelectivePerceptron(budget=1.5), lambda: nr.SelectivePerceptron(seed=float("nan")),
])  # fmt: skip
def test_bad_parameters_are_refused(make):
    with pytest.raises(BadParameter):
        make()


def test_it_asks_when_unsure_and_within_its_budget():
    stream = nr.inspection_line(5000, labelled=1.0)
    few, many = nr.SelectivePerceptron(smoothing=0.1), nr.SelectivePerceptron(smoothing=10)
    nr.play(stream, few), nr.play(stream, many)
    assert few.asked < many.asked < 5000
    poor = nr.SelectivePerceptron(smoothing=10, budget=100)
    assert nr.play(stream, poor).updates <= poor.asked == 100


def test_asks_says_beforehand_what_learn_will_do():
    stream, learner = nr.inspection_line(300, labelled=1.0), nr.SelectivePerceptron(smoothing=0.5)
    for batch in stream.batches():
        for now in batch.rounds():
            asked, wanted = learner.asked, learner.asks(now.x)
            learner.learn(now.x, now.y)
            assert learner.asked == asked + wanted


@pytest.mark.parametrize("wrap", [lambda s: nr.Delayed(s, 0), lambda s: nr.PartlyLabelled(s, 1.0)])
def test_what_a_stream_offers_is_offered_through_it(wrap):
    stream = nr.from_arrays(np.eye(3), ["b", "c", "a"], names=["x", "y", "z"])
    stream.witness = {"x": 1.0}
    for name in ("announced", "classes", "names", "width", "witness", "drawn"):
        assert getattr(wrap(stream), name) == getattr(stream, name)
    plain, wrapped = nr.MulticlassPerceptron(), nr.MulticlassPerceptron()
    a, b = nr.play(stream, plain), nr.play(wrap(stream), wrapped)
    assert (wrapped.classes, wrapped.weights, b.confusion) == (plain.classes, plain.weights, a.confusion)
    assert not hasattr(wrap(nr.from_rounds([])), "announced")


def test_delays_add_up():
    once, twice = nr.Perceptron(), nr.Perceptron()
    nr.play(nr.Delayed(noisy_stream(), np.int64(5)), once)
    ledger = nr.play(nr.Delayed(nr.Delayed(noisy_stream(), 3), 2), twice)
    assert ledger.lag == 5 and once.weights == twice.weights


def bad_label_at(row, rounds=100):
    stream = noisy_stream(rounds)
    labels = stream.labels.copy()
    labels[row] = 7.0
    return nr.from_arrays(stream.matrix, labels)


@pytest.mark.parametrize("row", [0, 30, 97, 99])
def test_a_late_label_that_is_bad_stops_at_its_row(row):
    learner, other, before = nr.Perceptron(), nr.PassiveAggressive(), nr.Perceptron()
    with pytest.raises(BadLabel, match=f"^row {row}: the label is 7") as caught:
        nr.play_all(nr.Delayed(bad_label_at(row), 5), [learner, other])
    nr.play(nr.Delayed(bad_label_at(row), 5), before, rounds=row)
    assert learner.weights == before.weights
    assert [ledger.rounds for ledger in caught.value.ledgers] == [row, row]
    assert not any(ledger.complete for ledger in caught.value.ledgers)


@pytest.mark.parametrize("row", [30, 99])
def test_a_late_label_that_is_bad_is_passed_over(row):
    stream = nr.Delayed(bad_label_at(row), 5)
    learner, by_hand, waiting = nr.Perceptron(), nr.Perceptron(), []
    (ledger,) = nr.play_all(stream, [learner], skip=True)
    for x, y in [*zip(stream.source.matrix, stream.source.labels, strict=True), *[(None, None)] * 5]:
        waiting.append((x, y, None if x is None else by_hand.score(x)))
        if len(waiting) > 5:
            x, y, then = waiting.pop(0)
            if y in (-1, 1):
                by_hand.learn_late(x, y, then)
    assert (ledger.rounds, ledger.skipped) == (99, 1) and learner.weights == by_hand.weights
    assert nr.certify(ledger)[0].hypotheses[0].met
    assert len(whole_run(ledger, 10**6).labels) == 99


def test_the_command_line_tells_labels_late_or_not_at_all(tmp_path):
    from noregret.certificate_files.verification import verify
    from noregret.cli.app import run

    path, told, certificate = tmp_path / "d.svm", tmp_path / "o.json", tmp_path / "c.json"
    stream = nr.separable(5, 0.1, 300, 3)
    rows = [" ".join(f"{j + 1}:{v!r}" for j, v in enumerate(x)) for x in stream.matrix.tolist()]
    path.write_text("".join(f"{int(y)} {row}\n" for y, row in zip(stream.labels, rows, strict=True)))
    common = ["run", str(path), "-l", "perceptron", "-q"]
    assert run([*common, "--lag", "7", "--json", str(told), "--certificate", str(certificate)]) == 0
    late = nr.play(nr.Delayed(nr.read(path), 7), nr.Perceptron())
    (found,) = json.loads(told.read_text())["learners"]
    assert found["mistakes"] == late.mistakes > nr.play(nr.read(path), nr.Perceptron()).mistakes
    assert [one.theorem for one in verify(certificate, [path])] == [
        "Late labels",
        "Late labels (any data)",
    ]
    assert run([*common, "--labelled", "0.5", "--json", str(told)]) == 0
    (found,) = json.loads(told.read_text())["learners"]
    assert found["mistakes"] == nr.play(nr.PartlyLabelled(nr.read(path), 0.5), nr.Perceptron()).mistakes
    assert run([*common, "--labelled", "0.5", "--certificate", str(certificate)]) == 2
    assert run([*common, "--lag", "1", "--to-batch", "last"]) == 2


def test_nothing_is_told_of_the_members_of_a_panel_whose_labels_came_late(tmp_path, capsys):
    from noregret.cli.app import run

    told, page = tmp_path / "o.json", tmp_path / "page.html"
    spec = "panel:perceptron/last-label"
    assert run(["run", "-l", spec, "--lag", "50", "--json", str(told), "--report", str(page)]) == 0
    out = capsys.readouterr().out
    assert "panel: labels came late" in out and "nothing is certified" in out and "drawn by weight" not in out
    assert "labels came late" in page.read_text("utf-8").lower()
    ledger = nr.play(nr.Delayed(nr.inspection_line(), 50), nr.learner(spec))
    (found,) = json.loads(told.read_text())["learners"]
    assert found["expected_mistakes"] == found["loss"] == ledger.loss and found["best_mistakes"] is None
    assert [one["mistakes"] for one in found["members"]] == [None, None]
    assert [one.against for one in regrets(ledger)] == ["one fixed rule"]
    assert run(["run", "-l", spec, "--lag", "50", "--save-best", str(tmp_path / "best.model")]) == 2
    assert "--lag leaves unknown" in capsys.readouterr().err


def test_a_learner_says_why_no_theorem_speaks_of_it(tmp_path, capsys):
    from noregret.cli.app import run

    learners = ["-l", "cw", "-l", "pa", "-l", "voted-perceptron", "-l", "perceptron"]
    assert run(["run", *learners]) == 0
    out = capsys.readouterr().out
    assert "cw: no theorem is known for it" in out and "pa: " not in out
    assert run(["run", *learners, "--lag", "5"]) == 0
    out = capsys.readouterr().out
    assert "cw: no theorem is known for it" in out and "\nperceptron: " not in out
    assert "pa: its theorem is for labels that come at once" in out
    assert "voted-perceptron: its theorems are for labels that come at once" in out
    assert run(["run", *learners, "--lag", "5", "--no-certify"]) == 0
    assert "theorem" not in capsys.readouterr().out
    assert run(["run", "-l", "auto", "--no-certify"]) == 0
    assert "certified" not in capsys.readouterr().out
    certificate = tmp_path / "c.json"
    assert run(["run", "-l", "pa1", "--lag", "5", "--certificate", str(certificate)]) == 0
    assert run(["verify", str(certificate)]) == 0
    assert "found again; it claims no theorem." in capsys.readouterr().out


def test_a_learner_with_a_learn_of_its_own_has_no_late_theorem(tmp_path):
    """It learns late labels as if the rounds were now: its updates are not those that the theorem counts."""

    class Own(nr.Perceptron):
        def learn(self, x, y, weight=1.0):
            return super().learn(x, y, weight)

    ledger = nr.play(nr.Delayed(nr.from_arrays([[1.0], [1.0]], [-1, -1]), 5), Own())
    assert ledger.updates == 1 and nr.certify(ledger) == []
    with pytest.raises(BadCommand, match="by a method of its own"):
        nr.save_certificate(ledger, tmp_path / "c")
