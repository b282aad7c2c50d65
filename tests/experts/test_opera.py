"""The figures that opera's authors publish, on their data: three forecasts of the weekly load of France."""

import csv
import math
import os
from pathlib import Path

import numpy as np
import pytest

import noregret as nr


def data_file(name):
    folder = os.environ.get("NOREGRET_DATA")
    path = Path(folder or "") / name
    if folder is None or not path.exists():
        pytest.skip(f"{name} is not here; set NOREGRET_DATA to the folder that has it")
    return path


@pytest.fixture(scope="module")
def load():
    def numbers(name):
        with data_file(name).open(encoding="utf-8") as file:
            return np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]])

    return numbers("opera_experts.csv"), numbers("opera_targets.csv").ravel()


def rmse(losses):
    return math.sqrt(float(np.mean(losses)))


def test_hindsight(load):
    found = {row.name: row for row in nr.in_hindsight(*load)}
    assert round(rmse(found["uniform"].losses), -1) == 1560
    assert round(rmse(found["best expert"].losses), -1) == 1480
    assert round(rmse(found["best convex"].losses), -1) == 1440
    assert found["best linear"].loss < found["best convex"].loss


def test_mlpol(load):
    rule = nr.MLPol(3)
    run = rule.play(*load, keep_weights=True)
    assert round(rmse(run.losses), -1) == 1460
    assert run.weights[-1] == pytest.approx([0.577, 0.423, 0.0], abs=6e-4)
    assert nr.certify(run)[0].verdict == "holds"


def test_boa(load):
    advice, truth = load
    rule = nr.BOA(3)
    rule.play(advice[:100], truth[:100])
    assert rule.weights == pytest.approx([0.76758, 0.15823, 0.07419], abs=5e-6)
    assert nr.certify(rule)[0].verdict == "holds"


@pytest.mark.parametrize("spec", ["mlpol", "boa", "adahedge", "eg"])
def test_no_worse_than_the_best_mixture_by_more_than_the_bound(spec, load):
    run = nr.expert_rule(spec, 3).play(*load)
    (certificate,) = nr.certify(run)
    mixture = nr.in_hindsight(*load)[2]
    assert certificate.verdict == "holds" and run.loss - mixture.loss <= certificate.bound


def test_sixty_five_experts_some_asleep():
    import gzip

    with gzip.open(data_file("opera_regional_experts.csv.gz"), "rt", encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    table = np.array([[float(c) if c not in ("", "NA") else math.nan for c in row] for row in rows if row])
    table = table[:, np.isfinite(table).sum(axis=0) > len(table) / 2]
    truth = np.nanmean(table, axis=1)
    for spec in ("mlpol", "boa", "adahedge", "eg"):
        run = nr.expert_rule(spec, table.shape[1]).play(table, truth)
        assert nr.certify(run)[0].verdict == "holds" and np.isfinite(run.predictions).all()
