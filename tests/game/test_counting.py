"""Rounds that are counted many at a time, against a count by hand."""

import numpy as np
import pytest

import noregret as nr


@pytest.mark.parametrize("rounds", [1, 127, 129, 3000])
def test_outcomes_of_many_rounds(rounds):
    rng = np.random.default_rng(rounds)
    X = rng.normal(size=(rounds, 3))
    y = np.where(rng.random(rounds) < 0.3, 1.0, -1.0)
    said = []
    ledger = nr.play_all(
        nr.from_arrays(X, y), [nr.Perceptron()], watch=lambda *told: said.append(told[2][0])
    )[0]
    prediction = np.concatenate([one.predictions for one in said])
    score = np.concatenate([one.scores for one in said])
    tally = ledger.tally
    for counted, is_so in (
        (tally.true_negatives, (prediction < 0) & (y < 0)),
        (tally.false_positives, (prediction > 0) & (y < 0)),
        (tally.false_negatives, (prediction < 0) & (y > 0)),
        (tally.true_positives, (prediction > 0) & (y > 0)),
        (tally.mistakes, prediction != y),
        (tally.updates, prediction != y),
    ):
        assert counted == is_so.sum()
    assert tally.loss == np.cumsum(np.maximum(0.0, -y * score))[-1]  # in their order: sum() may know better
