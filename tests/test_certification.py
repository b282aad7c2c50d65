"""Certificates of runs at the edges: nothing in them, or numbers too large or too small to square."""

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Verdict
from noregret.errors import BadInput
from noregret.registry import LEARNERS

LINEAR = [spec for spec in LEARNERS if hasattr(nr.learner(spec), "task") and nr.learner(spec).theorems()]
ANY_SIZE = [spec for spec in LINEAR if spec != "prank" and not nr.learner(spec).zero_one]
FULL = [
    "sop:covariance=full",
    "arow:covariance=full",
    "ons:covariance=full",
    "kernel-perceptron:kernel=linear",
]


def rows(task, size):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    score = X @ [1.0, 2.0, -1.0] + 0.5 * rng.normal(size=40)
    if task == "multiclass":
        return nr.from_arrays(size * X, np.digitize(score, [-1.0, 1.0]))
    return nr.from_arrays(size * X, size * score if task == "regression" else np.where(score > 0, 1.0, -1.0))


@pytest.mark.parametrize(
    "size", [1e-300, 1e-170, 1e-101, 1e-80, 1e-55, 1e-40, 1e40, 1e55, 1e80, 1e100, 1e150]
)
@pytest.mark.parametrize("spec", [*ANY_SIZE, *FULL])
def test_no_size_of_numbers_breaks_a_theorem_or_the_certificate(spec, size):
    learner = nr.learner(spec)
    try:
        ledger = nr.play(rows(learner.task, size), learner)
    except BadInput as refused:
        ledger = refused.ledgers[0]  # an overflow: what was learned before it counts
    told = nr.certify(ledger)
    assert told and all(one.verdict is not Verdict.BROKEN for one in told)
    if not 1e-51 < size < 1e51 and ledger.labelled:
        assert all("squared without loss" in one.reason for one in told)


@pytest.mark.parametrize("spec", [*LINEAR, *FULL])
def test_a_run_without_labels_or_without_rounds_is_certified(spec):
    for stream in (nr.from_arrays(np.eye(3), [None] * 3), nr.from_arrays(np.empty((0, 3)), [])):
        told = nr.certify(nr.play(stream, nr.learner(spec)))
        assert told and all(one.verdict is not Verdict.BROKEN and one.observed == 0 for one in told)


@pytest.mark.parametrize("scale", [1e-170, 1e160])
def test_a_witness_that_cannot_be_squared_is_refused(scale):
    with pytest.raises(BadInput, match="witness"):
        nr.certify(nr.play(rows("binary", 1.0), nr.Perceptron()), witness=scale * np.array([1.0, 2.0, -1.0]))


def test_the_plain_verifier_is_silent_about_them_too(tmp_path):
    from noregret.certificate_files.verification import verify
    from noregret.cli import app

    (tmp_path / "d.svm").write_text("-1 1:1e80\n1 2:1e80\n-1 1:2e80\n")
    asked = [
        "run",
        str(tmp_path / "d.svm"),
        "-l",
        "perceptron",
        "-l",
        "pa1",
        "--certificate",
        str(tmp_path / "c"),
        "-q",
    ]
    assert app.run(asked) == 0
    assert {one.verdict for one in verify(tmp_path / "c", [tmp_path / "d.svm"])} == {"silent"}


def test_rows_without_features_have_a_bias_for_witness():
    ledger = nr.play(nr.from_rounds([({}, -1)] * 3), nr.Perceptron(bias=True))
    assert next(c for c in nr.certify(ledger) if c.theorem == "Novikoff").witness == {None: -1.0}
    assert nr.best_margin(ledger).weights == {None: -1.0}


@pytest.mark.parametrize(
    "spec", ["arow:covariance=full,ridge=1e200", "perceptron:rate=1e-200", "alma:B=1e160", "alma:C=1e-160"]
)
def test_numbers_whose_squares_are_none_break_nothing(spec):
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, (8, 3)).astype(float)
    ledger = nr.play(nr.from_arrays(X, np.where(X[:, 0] > 0, 1, -1)), nr.learner(spec))
    assert all(c.verdict is not Verdict.BROKEN for c in nr.certify(ledger))


def test_a_witness_of_another_size_is_refused():
    ledger = nr.play(nr.from_arrays(np.eye(3), [-1, -1, -1]), nr.Perceptron(bias=True))
    with pytest.raises(BadInput, match="the witness has 5 numbers, and there are 3 features and the bias"):
        nr.certify(ledger, witness=[1, 2, 3, 4, 5])
    with pytest.raises(BadInput, match="the largest number of the witness is 1e\\+200"):
        nr.certify(ledger, witness={0: 1.0, None: 1e200})
