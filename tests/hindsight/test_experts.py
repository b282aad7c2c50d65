from itertools import pairwise, product

import numpy as np
import pytest
from scipy.optimize import linprog

import noregret as nr
from noregret.errors import BadInput, BadParameter, BadType
from noregret.hindsight.experts import best_sequence, least_sequences, regret_curve


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("switches", [0, 1, 2, 4])
def test_the_best_sequence_is_the_best_of_all_of_them(seed, switches):
    table = np.random.default_rng(seed).random((6, 3))
    every = [
        sum(table[t, i] for t, i in enumerate(path))
        for path in product(range(3), repeat=6)
        if sum(a != b for a, b in pairwise(path)) <= switches
    ]
    found = best_sequence(table, switches)
    assert found.loss == pytest.approx(min(every))
    assert least_sequences(table, switches)[-1] == pytest.approx(min(every))
    assert least_sequences(table, switches)[0] == pytest.approx(table.sum(axis=0).min())


def test_a_sequence_never_follows_who_sleeps():
    table = np.array([[0.0, 1.0], [np.nan, 1.0], [0.0, 1.0]])
    assert best_sequence(table, 2).loss == 1.0 and best_sequence(table, 0).loss == 3.0
    assert best_sequence(table, 200).name == f"best sequence ({len(table) - 1} switches)"
    with pytest.raises(BadParameter, match="switches is -1"):
        best_sequence(table, -1)


@pytest.mark.parametrize("loss", ["square", "absolute", "percentage", "pinball-0.8"])
def test_best_mixture_and_combination_against_a_grid(loss):
    rng = np.random.default_rng(2)
    truth = rng.random(80) + 1.0
    said = truth[:, None] + rng.normal(size=(80, 2)) * [0.3, 0.4] + [0.1, -0.2]
    found = {row.name: row for row in nr.in_hindsight(said, truth, loss)}
    priced = nr.Hedge(2, loss=loss).loss
    grid = min(float(priced.of(said @ [w, 1 - w], truth).sum()) for w in np.linspace(0, 1, 2001))
    assert found["best convex"].loss <= grid * 1.001
    assert (
        found["best convex"].weights.sum() == pytest.approx(1.0) and found["best convex"].weights.min() >= 0
    )
    assert found["best linear"].loss <= found["best convex"].loss * (1 + 1e-9)
    assert found["best expert"].loss == pytest.approx(priced.of(said, truth[:, None]).sum(axis=0).min())
    assert found["uniform"].loss == pytest.approx(priced.of(said.mean(axis=1), truth).sum())


def test_log_loss_has_its_mixture_too():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 200).astype(float)
    said = np.clip(truth[:, None] * 0.4 + 0.3 + rng.normal(size=(200, 2)) * 0.2, 0.02, 0.98)
    found = {row.name: row for row in nr.in_hindsight(said, truth, "log")}
    assert found["best convex"].loss <= min(found["best expert"].loss, found["uniform"].loss)


def test_labels_are_voted_on_and_sleepers_are_left_out():
    found = nr.in_hindsight([[1, 0, np.nan], [0, 0, 1], [1, 1, 1]], [1, 0, 1], "zero-one", switches=1)
    assert [row.name for row in found] == ["uniform", "best expert", "best sequence (1 switch)"]
    assert found[0].predictions.tolist() == [1.0, 0.0, 1.0] and found[1].loss == 0.0


def test_the_best_of_those_who_slept_is_the_best_while_awake():
    said = [[1.0, np.nan, np.nan], [np.nan, 2.0, np.nan], [3.0, np.nan, np.nan], [4.0, 5.0, np.nan]]
    best = nr.in_hindsight(said, [0.0, 1.0, 3.0, 4.0], switches=1)[-1]
    assert best.name == "best expert"  # a sequence with one switch would sleep
    assert best.told_name == "best expert (awake in 3 of 4)" and best.awake == 3
    assert best.loss == 1.0 and best.mean == 1 / 3 and np.isnan(best.losses[1])
    assert regret_curve(np.ones(4), best).tolist() == [0.0, 0.0, 1.0, 2.0]


def test_regret_as_a_curve():
    said, truth = np.array([[1.0, 3.0], [2.0, 2.0]]), np.array([1.0, 2.0])
    run = nr.Hedge(2, gradient=False).play(said, truth)
    best = nr.in_hindsight(said, truth)[1]
    assert regret_curve(run.losses, best).tolist() == [1.0, 1.0]


def test_bad_input():
    with pytest.raises(BadInput, match="there are 1 rows of advice and 2 truths"):
        nr.in_hindsight([[1, 2]], [1, 2])


def test_what_is_no_table_of_numbers_is_refused():
    for advice, truth in (
        ([["a", "b"]], [1.0]),
        ([[1.0, 2.0]], ["a"]),
        ([1.0, 2.0], [1.0]),
        ([[1.0]], [1.0, 2.0]),
    ):
        with pytest.raises((BadInput, BadType)):
            nr.in_hindsight(advice, truth)


@pytest.mark.parametrize("loss", ["absolute", "pinball-0.9", "percentage"])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e5])
def test_the_best_linear_combination_is_that_of_the_linear_program(loss, size):
    """Its other form, with what is above and below the truth as variables, for losses with a corner."""
    rng = np.random.default_rng(1)
    x, y = size * rng.normal(1.0, 1.0, (25, 3)), size * rng.normal(2.0, 3.0, 25)
    x[:, 2] = x[:, 1]  # two experts that say the same
    below = {"absolute": np.ones(25), "pinball-0.9": np.full(25, 0.9), "percentage": size / np.abs(y)}[loss]
    above = np.full(25, 0.1) if loss == "pinball-0.9" else below
    program = linprog(
        np.concatenate([np.zeros(3), below, above]),
        A_eq=np.hstack([x / size, np.eye(25), -np.eye(25)]),
        b_eq=y / size,
        bounds=[(None, None)] * 3 + [(0.0, None)] * 50,
    )
    found = {one.name: one for one in nr.in_hindsight(x, y, loss)}["best linear"]
    assert found.loss == pytest.approx(program.fun * (1.0 if loss == "percentage" else size), rel=1e-9)
