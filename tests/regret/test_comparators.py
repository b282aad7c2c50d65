"""The best fixed u in hindsight: worked cases, gaps that are honest, and curves."""

import numpy as np
import pytest
from scipy.optimize import linprog

import noregret as nr
from noregret.errors import BadInput, BadParameter, UnknownName


def noisy_run(learner=None, rounds=150):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rounds, 3))
    y = np.where(X @ [1.0, -2.0, 0.5] + 0.5 * rng.normal(size=rounds) >= 0, 1.0, -1.0)
    return (
        nr.play(nr.from_arrays(X, y), learner or nr.Perceptron(bias=True)),
        np.hstack([X, np.ones((rounds, 1))]),
        y,
    )


@pytest.mark.parametrize("loss", ["hinge", "squared-hinge", "logistic"])
@pytest.mark.parametrize("penalty", [0.1, 1.0, 30.0])
def test_no_other_u_has_less_penalised_loss(loss, penalty):
    ledger, X, y = noisy_run()
    best = nr.best_for_loss(ledger, loss, penalty)
    assert 0.0 <= best.value - best.best <= 2e-3 * best.value
    u = np.array([best.weights[key] for key in (0, 1, 2, None)])
    rng = np.random.default_rng(1)
    for scale in (1e-3, 1e-2, 0.1, 1.0):
        other = u + scale * rng.normal(size=4)
        margins = y * (X @ other)
        each = {
            "hinge": np.maximum(0, 1 - margins),
            "squared-hinge": 0.5 * np.maximum(0, 1 - margins) ** 2,
            "logistic": np.log1p(np.exp(-margins)),
        }[loss]
        assert each.sum() + 0.5 * penalty * other @ other >= best.best


@pytest.mark.parametrize("seed", range(4))
def test_the_largest_margins_meet_their_bounds(seed):
    ledger = nr.play(nr.separable(4, 0.05, 300, seed), nr.Perceptron())
    for norm in ("l2", "l1"):
        best = nr.best_margin(ledger, norm)
        assert best.value > 0 and best.gap <= 1e-9
        assert best.value <= best.best + 1e-15


def test_the_l1_margin_is_that_of_a_plain_linear_program():
    stream = nr.separable(3, 0.1, 60, 2)
    ledger = nr.play(stream, nr.Perceptron())
    Z = stream.labels[:, None] * np.asarray(stream.matrix)
    table = np.hstack([-Z, Z, np.ones((60, 1))])
    told = linprog(
        [0] * 6 + [-1], table, np.zeros(60), [[1] * 6 + [0]], [1], [(0, None)] * 6 + [(None, None)]
    )
    assert nr.best_margin(ledger, "l1").value == pytest.approx(-told.fun)


def test_where_nothing_separates_the_margin_is_proved_to_be_nothing():
    ledger = nr.play(nr.from_arrays([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]], [1, 1, 1]), nr.Perceptron())
    best = nr.best_margin(ledger)
    assert best.best <= 1e-9 and best.value <= 0.0


def test_certificates_state_the_gap_and_the_verifier_finds_it(tmp_path):
    ledger = nr.play(nr.separable(4, 0.1, 200, 0), nr.Perceptron())
    for effort, most in (("normal", 1e-3), ("thorough", 1e-9)):
        novikoff = nr.certify(ledger, effort=effort)[0]
        assert 0.0 <= novikoff.quantities["gap"] <= most and novikoff.dual
        margin = novikoff.quantities["gamma"] / novikoff.quantities["norm_u"]
        assert margin <= novikoff.quantities["margin_at_most"] <= margin + novikoff.quantities["gap"] + 1e-12
        nr.save_certificate(ledger, tmp_path / "c", effort=effort)
        assert nr.verify_certificate(tmp_path / "c")[0].verdict == "holds"


def test_the_regret_curve_ends_at_the_difference_of_the_losses():
    ledger, X, y = noisy_run()
    best = nr.best_for_loss(ledger, "logistic")
    curve = nr.regret_against(ledger, best, "logistic")
    learner, own = nr.Perceptron(bias=True), 0.0
    for x, label in zip(X[:, :3], y, strict=True):
        own += float(np.logaddexp(0.0, -label * learner.score(x)))
        learner.learn(x, label)
    assert len(curve) == len(y)
    assert curve[-1] == pytest.approx(own - best.losses("logistic").sum())


def test_a_tuned_u_makes_freund_and_schapires_bound_smaller_than_the_final_weights_do():
    ledger, _, _ = noisy_run()
    found = next(c for c in nr.certify(ledger) if c.theorem == "Freund–Schapire")
    final = next(c for c in nr.certify(ledger, witness=_final(ledger)) if c.theorem == "Freund–Schapire")
    assert found.bound < 0.9 * final.bound


def _final(ledger):
    learner = ledger.start.clone()
    nr.play(ledger.nature, learner)
    return np.array([*(learner.weights[j] for j in range(3)), learner.intercept])


def test_what_hindsight_cannot_do_is_said(monkeypatch):
    ledger, _, _ = noisy_run()
    with pytest.raises(UnknownName, match="there is hinge"):
        nr.best_for_loss(ledger, "square")
    with pytest.raises(UnknownName, match="there is l2"):
        nr.best_margin(ledger, "l3")
    with pytest.raises(BadParameter, match="penalty is 0"):
        nr.best_for_loss(ledger, penalty=0)
    with pytest.raises(BadInput, match="has kept none"):
        nr.best_for_loss(nr.Ledger("perceptron"))
    monkeypatch.setattr("noregret.hindsight.programs.VALUES", 10)
    thorough = nr.certify(ledger, effort="thorough")
    assert all("only simple witnesses" in certificate.note for certificate in thorough)
    with pytest.raises(BadInput, match="at most"):
        nr.best_margin(ledger)


@pytest.mark.parametrize("spec", ["perceptron", "winnow:threshold=30", "balanced-winnow:rate=0.1"])
def test_how_far_hindsight_looks_does_not_depend_on_the_clock(spec, monkeypatch):
    ledger = nr.play(nr.disjunction(30, 2, 200, 1), nr.learner(spec))
    ticks = iter(range(0, 10**12, 10**6))  # a machine on which everything takes a million seconds
    before = nr.certify(ledger)
    for clock in ("time.perf_counter", "time.monotonic", "time.time"):
        monkeypatch.setattr(clock, lambda: float(next(ticks)))
    after = nr.certify(ledger)
    assert after == before and [one.witness for one in after] == [one.witness for one in before]
    assert any(one.verdict == "holds" for one in after) and not any(one.note for one in after)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("perceptron", "the search for the largest margin ended at its limit of steps"),
        ("balanced-winnow:rate=0.1", "the search for the largest margin ended at its limit of steps"),
        ("winnow:promotion=1.25,threshold=10", "the search for a target with δ = 0.75 ended at its limit"),
    ],
)
def test_a_limit_that_was_met_is_said_and_travels(spec, sentence, monkeypatch, tmp_path):
    monkeypatch.setattr("noregret.hindsight.programs.WORK", 0)
    monkeypatch.setattr("noregret.hindsight.programs.FEWEST", 1)
    monkeypatch.setattr("noregret.hindsight.margins.WORK", 1)
    ledger = nr.play(nr.k_of_n(2, 4, 30, 200, 0), nr.learner(spec))
    assert any(sentence in one.note for one in nr.certify(ledger, effort="thorough"))
    nr.save_certificate(ledger, tmp_path / "c", effort="thorough")
    assert sentence in (tmp_path / "c").read_text()
    assert nr.verify_certificate(tmp_path / "c")
    if spec.startswith("balanced"):
        with pytest.raises(BadInput, match="within the steps that are allowed"):
            nr.best_margin(ledger, "l1")


def test_data_that_are_too_large_to_search_say_so(monkeypatch):
    monkeypatch.setattr("noregret.judging.programs.CLASS_VALUES", 5)
    monkeypatch.setattr("noregret.hindsight.programs.VALUES", 5)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    notes = {
        "perceptron": (np.sign(X[:, 0]), "only simple witnesses are tried"),
        "winnow:promotion=1.25": (np.where(X[:, 0] > 0, 1, -1), "only simple witnesses are tried"),
        "multiclass-perceptron": (np.argmax(X, axis=1), "only the final weights are tried"),
    }
    for spec, (y, sentence) in notes.items():
        rows = (X > 0).astype(float) if spec.startswith("winnow") else X
        told = nr.certify(nr.play(nr.from_arrays(rows, y), nr.learner(spec)), effort="thorough")
        assert any(sentence in one.note for one in told), spec


@pytest.mark.parametrize(
    ("learner", "task"), [(nr.MulticlassPerceptron, "multiclass"), (nr.WidrowHoff, "regression")]
)
def test_margins_are_of_two_classes(learner, task):
    ledger = nr.play(nr.from_arrays(np.eye(3), [1, 2, 3]), learner())
    pair, _, _ = noisy_run(rounds=3)
    best = nr.best_for_loss(pair)
    asked = [nr.best_for_loss, nr.best_margin, lambda run: nr.regret_against(run, best)]
    for ask in asked:
        with pytest.raises(BadInput, match=f"margins are of labels -1 and .*, and the task of .* is {task}"):
            ask(ledger)


def test_a_run_that_cannot_be_played_again_says_so():
    ledger, _, _ = noisy_run()
    best = nr.best_for_loss(ledger)
    ledger.nature = None
    with pytest.raises(BadInput, match="this run has kept none"):
        nr.regret_against(ledger, best)
