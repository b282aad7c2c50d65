"""Every route from the data to the learner gives the same weights, to the bit."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret.cli import app
from noregret.data import source


@pytest.fixture
def rows():
    rng = np.random.default_rng(5)
    made = []
    for _ in range(700):
        features = rng.choice(400, rng.integers(0, 30), replace=False).tolist()
        made.append(
            ([(f, round(rng.normal(), int(rng.integers(0, 17)))) for f in features], rng.choice([-1.0, 1.0]))
        )
    return made


def learned(stream, spec):
    learner = nr.learner(spec)
    ledger = nr.play(stream, learner)
    return {int(k): v for k, v in learner.weights.items()}, ledger.mistakes, ledger.loss


@pytest.mark.parametrize("spec", ["perceptron:bias=true", "balanced-winnow:rate=0.01"])
def test_every_route_gives_the_same_weights(tmp_path, monkeypatch, rows, spec):
    monkeypatch.setattr(source, "BLOCK", 3000)
    svm, vw = tmp_path / "rows.svm", tmp_path / "rows.vw"
    svm.write_text("".join(f"{y:g} " + " ".join(f"{i}:{v!r}" for i, v in x) + "\n" for x, y in rows))
    vw.write_text("".join(f"{y:g} | " + " ".join(f"{i}:{v!r}" for i, v in x) + "\n" for x, y in rows))
    for path in (svm, vw):
        assert app.run(["convert", str(path), str(path.with_suffix(path.suffix + ".nrb")), "--quiet"]) == 0
    flat = [pair for x, _ in rows for pair in x]
    matrix = csr_array(
        ([v for _, v in flat], [i for i, _ in flat], np.cumsum([0, *(len(x) for x, _ in rows)])),
        shape=(len(rows), 400),
    )
    labels = [y for _, y in rows]
    expected = learned(nr.from_arrays(matrix, labels), spec)
    assert expected[1] > 100
    for path in (svm, vw, f"{svm}.nrb", f"{vw}.nrb"):
        assert learned(nr.read(path), spec) == expected
    for kind in (int, str):
        one = nr.learner(spec)
        for x, y in rows:
            if kind is str:
                one.learn({str(i): v for i, v in x}, y)
            else:
                one.learn(
                    csr_array(([v for _, v in x], ([0] * len(x), [i for i, _ in x])), shape=(1, 400)), y
                )
        assert {int(k): v for k, v in one.weights.items()} == expected[0]
