"""The judging pass: pieces, late labels, several learners, rows that are refused, sources that change, long streams."""

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Verdict
from noregret.judging import certify as judging
from noregret.judging.certify import certify_all
from noregret.registry import LEARNERS

from .streams import Changing, Pieces, binary, bits, numbers, several, stream_for

SPECS = [
    *(name for name in LEARNERS if nr.learner(name).theorems() and name not in ("winnow", "prank")),
    "winnow:threshold=20",
    "prank:ranks=3",
    "perceptron:bias=true,margin=0.5",
    "sop:covariance=full",
    "arow:covariance=full,bias=true",
    "ons:covariance=full",
    "ogd:step=inverse,loss=logistic",
    "ftrl:bias=true",
    "adagrad:form=averaging,delta=9",
    "kernel-perceptron:kernel=linear",
    "multiclass-ogd:loss=logistic",
    "pa-regression:form=2",
]


# Nothing separates the rows, gradients pass 1, or the covariance is no matrix.
SILENT = ("romma", "coin", "sop", "arow", "ons", "multiclass-winnow", "prank:ranks=3")


def close(one, other):
    """The same certificates, but for the order in which sums are added up."""
    assert [c.theorem for c in one] == [c.theorem for c in other]
    for a, b in zip(one, other, strict=True):
        assert (a.verdict, a.hypotheses) == (b.verdict, b.hypotheses), a.theorem
        assert a.observed == pytest.approx(b.observed, rel=1e-12)
        assert (a.bound is None) == (b.bound is None) and (
            a.bound is None or a.bound == pytest.approx(b.bound, rel=1e-6)
        )
        assert a.quantities.keys() == b.quantities.keys()


# ---- pieces, and late labels -------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_how_rows_come_changes_nothing(spec, monkeypatch):
    stream = stream_for(spec)
    whole = nr.certify(nr.play(stream, nr.learner(spec)))
    assert whole and all(one.verdict is not Verdict.BROKEN for one in whole)
    assert any(one.verdict is Verdict.HOLDS for one in whole) != (spec in SILENT)
    for size in (1, 7, 10_000):
        close(nr.certify(nr.play(Pieces(stream, size), nr.learner(spec))), whole)
    monkeypatch.setattr(judging, "PIECE", 11)
    close(nr.certify(nr.play(stream, nr.learner(spec))), whole)


@pytest.mark.parametrize("size", [1, 3, 5, 6, 50, 10_000])
@pytest.mark.parametrize("lag", [1, 5, 40, 299, 400])
def test_late_labels_in_pieces_of_any_size(size, lag, monkeypatch):
    """Pieces of fewer rows than the lag, as many, and more."""
    whole = nr.play(nr.Delayed(binary(), lag), nr.Perceptron(bias=True))
    cut = nr.play(Pieces(nr.Delayed(binary(), lag), size), nr.Perceptron(bias=True))
    assert (cut.mistakes, cut.lag, cut.overtaken) == (whole.mistakes, whole.lag, whole.overtaken)
    close(nr.certify(cut), nr.certify(whole))
    assert [one.verdict for one in nr.certify(whole)] == ["silent", "holds"]
    monkeypatch.setattr(judging, "PIECE", 4)
    close(nr.certify(cut), nr.certify(whole))


def test_late_rounds_are_judged_by_what_was_said_then():
    """Of margins, norms and mistakes none is lost while labels are on their way, and none counts twice."""
    stream = nr.separable(5, 0.1, 200, 0)
    late, anything = nr.certify(
        nr.play(Pieces(nr.Delayed(stream, 9), 4), nr.Perceptron()), witness=stream.witness
    )
    margins = stream.labels * (stream.matrix @ stream.witness)
    assert late.quantities["gamma"] == pytest.approx(margins.min())
    assert late.quantities["R"] == pytest.approx(np.linalg.norm(stream.matrix, axis=1).max())
    short = np.maximum(0.0, anything.quantities["gamma"] - margins).sum()
    assert anything.quantities["L"] == pytest.approx(short / anything.quantities["gamma"], abs=1e-9)


# ---- several learners --------------------------------------------------------------------------------


@pytest.mark.parametrize("task", ["binary", "multiclass", "regression", "bits"])
def test_several_learners_in_one_pass_are_what_each_is_alone(task):
    specs = {
        "binary": [
            spec for spec in SPECS if nr.learner(spec).task == "binary" and not spec.startswith("winnow")
        ],
        "multiclass": [spec for spec in SPECS if nr.learner(spec).task == "multiclass"],
        "regression": [s for s in SPECS if nr.learner(s).task == "regression" and not s.startswith("prank")],
        "bits": ["winnow:threshold=20", "winnow:threshold=20,promotion=1.5", "perceptron", "balanced-winnow"],
    }[task]
    stream = {"binary": binary, "multiclass": several, "regression": numbers, "bits": bits}[task]
    together = certify_all(nr.play_all(stream(), [nr.learner(spec) for spec in specs]))
    for spec, found in zip(specs, together, strict=True):
        alone = nr.certify(nr.play(stream(), nr.learner(spec)))
        # They share what is found for one: the same columns in another order, the same directions.
        assert [one.theorem for one in found] == [one.theorem for one in alone]
        for a, b in zip(found, alone, strict=True):
            assert (a.verdict, a.observed) == (b.verdict, b.observed), (spec, a.theorem)
            assert (a.bound, b.bound) == (None, None) or a.bound == pytest.approx(b.bound, rel=1e-6), spec


def test_learners_with_and_without_theorems_and_panels_are_certified_together():
    learners = [
        nr.Perceptron(),
        nr.learner("cw"),
        nr.Panel(["perceptron", "majority"]),
        nr.learner("pa:scale=rms"),
    ]
    found = certify_all(nr.play_all(binary(), learners))
    assert [len(one) for one in found] == [3, 0, 2, 1]
    assert {one.verdict for one in found[3]} == {Verdict.SILENT} and found[0][1].verdict is Verdict.HOLDS


def test_observers_see_every_row_once():
    class Count:
        rows = 0

        def add(self, batch):
            self.rows += len(batch)

    seen, batches = Count(), []
    certify_all(
        [nr.play(Pieces(binary(100), 30), nr.Perceptron())], observers=[seen], progress=batches.append
    )
    assert seen.rows == 100 == sum(map(len, batches)) and len(batches) == 4


# ---- rows that are refused ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["perceptron", "pa1", "ogd", "kernel-perceptron:kernel=linear", "arow:covariance=full"]
)
@pytest.mark.parametrize("lag", [0, 6])
def test_rows_that_were_skipped_are_not_judged(spec, lag):
    clean = binary(200)
    rows, labels = (
        np.insert(clean.matrix, [50, 50, 120], 1.0, axis=0),
        np.insert(clean.labels, [50, 50, 120], 1.0),
    )
    rows[50, 2], rows[51, 1], labels[122] = np.nan, np.inf, 7.0
    late = (lambda stream: nr.Delayed(stream, lag)) if lag else (lambda stream: stream)
    (dirty,) = nr.play_all(late(nr.from_arrays(rows, labels)), [nr.learner(spec)], skip=True)
    assert dirty.skipped == 3 and dirty.rounds == 200
    expected = nr.certify(nr.play(late(clean), nr.learner(spec)))
    found = nr.certify(dirty)
    assert [one.verdict for one in found] == [one.verdict for one in expected] and (lag or found)
    for a, b in zip(found, expected, strict=True):
        assert a.observed == b.observed and "gap" not in a.quantities  # whose proof would number other rows
        assert (a.bound is None) == (b.bound is None)
    given = clean.matrix[0]
    for a, b in zip(
        nr.certify(dirty, given), nr.certify(nr.play(late(clean), nr.learner(spec)), given), strict=True
    ):
        assert (a.bound, a.quantities) == (b.bound, b.quantities)


def test_the_certificate_of_a_run_with_skipped_rows_is_verified(tmp_path):
    text = "".join(
        f"{'1' if x > 0 else '-1'} 1:{x!r} 2:{z!r}\n"
        for x, z in np.random.default_rng(0).normal(size=(60, 2)).tolist()
    )
    (tmp_path / "d.svm").write_text("1 1:x\n" + text + "-1 1:nan\n")
    from noregret.cli.app import run

    for spec in ("perceptron", "kernel-perceptron:kernel=linear,budget=0"):
        told = [
            "run",
            str(tmp_path / "d.svm"),
            "-l",
            spec,
            "--on-bad-row",
            "skip",
            "-q",
            "--certificate",
            str(tmp_path / "c"),
        ]
        assert run(told) == 0 and run(["verify", str(tmp_path / "c"), str(tmp_path / "d.svm")]) == 0


def test_a_run_that_ended_at_a_bad_row_is_judged_up_to_there():
    X, y = binary(100).matrix.copy(), binary(100).labels
    X[70, 0] = np.nan
    with pytest.raises(nr.errors.BadInput) as caught:
        nr.play_all(nr.from_arrays(X, y), [nr.Perceptron(), nr.learner("pa")])
    whole = [nr.certify(nr.play(binary(100), nr.learner(spec), rounds=70)) for spec in ("perceptron", "pa")]
    for ledger, expected in zip(caught.value.ledgers, whole, strict=True):
        close(nr.certify(ledger), expected)


# ---- sources that change -----------------------------------------------------------------------------


def other_label(X, y):
    y[17] = -y[17]


def other_value(X, y):
    X[17] = -2.0 * X[17]


def one_row_less(X, y):
    return X[:-1], y[:-1]


def one_row_more(X, y):
    return np.vstack([X, X[:1]]), np.append(y, -y[0])


def other_order(X, y):
    return X[::-1].copy(), y[::-1].copy()


def bad_value(X, y):
    X[5, 1] = np.nan


def bad_label(X, y):
    y[5] = 7.0


CHANGES = [other_label, other_value, one_row_less, one_row_more, other_order, bad_value, bad_label]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    "spec", ["perceptron", "pa1", "ogd", "sop:covariance=full", "kernel-perceptron:kernel=linear"]
)
def test_a_source_that_changed_is_silent_with_the_reason(change, spec):
    before = binary(120)
    X, y = before.matrix.copy(), before.labels.copy()
    X, y = change(X, y) or (X, y)
    ledger = nr.play(Changing(before, nr.from_arrays(X, y)), nr.learner(spec))
    found = nr.certify(ledger)
    assert found and {one.verdict for one in found} == {Verdict.SILENT}
    for one in found:
        assert "the run can be played again" in one.reason and one.bound is None
        assert any(word in one.reason for word in ("not what it was", "row 5"))


def test_new_classes_and_other_features_are_noticed():
    first = nr.from_arrays(several(60).matrix, several(60).labels)
    other = several(60)
    other.labels[59] = 8.0
    ledger = nr.play(Changing(Pieces(first, 60), Pieces(other, 60)), nr.MulticlassPerceptron())
    assert {one.verdict for one in nr.certify(ledger)} == {Verdict.SILENT}
    named = nr.from_arrays(binary(60).matrix, binary(60).labels, names=list("abcd"))
    (found, *_) = nr.certify(nr.play(Changing(binary(60), named), nr.Perceptron()))
    assert found.verdict is Verdict.SILENT


def test_of_two_learners_the_change_may_be_seen_by_one_only():
    """A label that the majority never looks at closely: silent for whoever it matters to."""
    stream = binary(120)
    y = stream.labels.copy()
    y[17] = -y[17]
    source = Changing(stream, nr.from_arrays(stream.matrix, y))
    ledgers = nr.play_all(source, [nr.Perceptron(), nr.learner("pa1")])
    for found in certify_all(ledgers):
        assert {one.verdict for one in found} == {Verdict.SILENT}


# ---- long streams ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def long_run():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200_000, 3))
    stream = nr.from_arrays(
        X, np.where(X[:, 0] + 0.5 * X[:, 1] + 0.3 * rng.normal(size=200_000) > 0, 1.0, -1.0)
    )
    return stream, nr.play_all(stream, [nr.Perceptron(), nr.learner("pa2"), nr.learner("ogd")])


def test_a_stream_longer_than_the_sample_is_certified_and_says_so(long_run):
    stream, ledgers = long_run
    for found in certify_all(ledgers):
        assert all(one.verdict is not Verdict.BROKEN for one in found)
        assert any(one.verdict is Verdict.HOLDS and not one.vacuous for one in found)
        for one in found:
            assert "of 200,000 rounds" in one.note and one.note.startswith("witnesses were searched for on ")
    novikoff, schapire, hinges = nr.certify(ledgers[0])
    assert novikoff.verdict is Verdict.SILENT and hinges.bound < schapire.bound < 200_000
    u, gamma = np.array([hinges.witness.get(j, 0.0) for j in range(3)]), hinges.quantities["gamma"]
    short = np.maximum(
        0.0, gamma - stream.labels * (stream.matrix @ u)
    ).sum()  # over all rows, not the sample
    assert hinges.quantities["L"] == pytest.approx(short / gamma, rel=1e-9)


def test_a_thorough_search_looks_at_all_rows(long_run):
    _, ledgers = long_run
    normal, thorough = nr.certify(ledgers[0])[2], nr.certify(ledgers[0], effort="thorough")[2]
    assert "of 200,000 rounds" not in thorough.note
    assert thorough.bound <= normal.bound * 1.001


def test_an_effort_that_is_none_is_refused():
    with pytest.raises(nr.errors.BadInput, match="effort is 'lazy'; it must be normal or thorough"):
        nr.certify(nr.play(binary(10), nr.Perceptron()), effort="lazy")


def test_witnesses_that_cannot_be_measured_prove_nothing():
    """Products of the largest numbers that are allowed leave the doubles when they are squared."""
    ledger = nr.play(nr.from_arrays([[1e50, 0.0], [0.0, 1e50]], [-1.0, -1.0]), nr.Perceptron())
    for one in nr.certify(ledger, witness={0: -1e50, 1: -1e50}):
        assert one.verdict is Verdict.SILENT and "some witness can be measured" in one.reason


@pytest.mark.parametrize("spec", ["multiclass-pa:bias=true", "multiclass-perceptron", "perceptron:bias=true"])
def test_a_run_without_any_label_is_silent(spec):
    ledger = nr.play(nr.from_arrays([[-1.0], [2.0]], [None, None]), nr.learner(spec))
    assert {one.verdict for one in nr.certify(ledger)} <= {"silent", "holds"}
