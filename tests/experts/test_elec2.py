"""Elec2: the last label, always the same one, and three linear learners as experts."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

import noregret as nr


@pytest.fixture(scope="module")
def advice():
    folder = os.environ.get("NOREGRET_DATA")
    path = Path(folder or "") / "elec2_8feat.csv"
    if folder is None or not path.exists():
        pytest.skip("elec2_8feat.csv is not here; set NOREGRET_DATA to the folder that has it")
    with path.open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row]
    if not _is_number(rows[0][0]):
        rows = rows[1:]
    features = np.array([[float(cell) for cell in row[:8]] for row in rows])
    positive = sorted({row[8] for row in rows})[-1]
    labels = np.array([1.0 if row[8] == positive else -1.0 for row in rows])
    said = [np.concatenate([[1.0], labels[:-1]]), np.ones(len(labels))]
    for learner in (nr.Perceptron(bias=True), nr.NormalizedWinnow(rate=0.1), nr.BalancedWinnow(rate=0.1)):
        heard = []
        for row, label in zip(features, labels, strict=True):
            heard.append(learner.predict(row))
            learner.learn(row, label)
        said.append(np.array(heard))
    return np.column_stack(said) / 2 + 0.5, labels / 2 + 0.5


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    "spec", ["hedge", "hedge:rate=0.02", "adahedge", "squint", "mlprod", "rwm", "wm", "fixed-share"]
)
def test_within_its_certificate_of_the_best(spec, advice):
    table, truth = advice
    rule = nr.expert_rule(spec, table.shape[1], loss="zero-one")
    run = rule.play(table, truth)
    certificates = nr.certify(run)
    assert certificates and {c.verdict for c in certificates} == {"holds"}
    best = min(np.sum(table != truth[:, None], axis=0))
    assert run.account.best_loss == best and run.account.rounds == len(truth) == 45312
    assert run.account.loss - best <= max(c.bound for c in certificates)
