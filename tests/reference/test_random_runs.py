"""Certificates of small random runs, of rows of every size: none is broken, and the verifier finds every number again."""

import numpy as np
import pytest

import noregret as nr
from noregret.registry import LEARNERS

SPECS = [
    *(name for name in LEARNERS if nr.learner(name).theorems() and name not in ("winnow", "prank")),
    "winnow:threshold=4",
    "winnow:threshold=7,promotion=1.25",
    "prank:ranks=3",
    "perceptron:bias=true,margin=0.7,rate=0.3",
    "pa1:C=0.02,bias=true",
    "pa2:C=30",
    "sop:covariance=full,ridge=0.01",
    "arow:covariance=full,bias=true",
    "ons:covariance=full,ridge=20",
    "ogd:loss=logistic,step=inverse",
    "ogd:loss=squared,rate=0.01",
    "multiclass-ogd:loss=perceptron,step=inverse",
    "normalized-winnow:rate=3",
    "kernel-perceptron:kernel=linear",
    "kernel-perceptron:kernel=polynomial,degree=3",
    "pa-regression:form=2",
    "ridge:bias=true,ridge=0.001",
]


def rows(rng, kind, rounds, width):
    """Normal numbers; whole ones; columns of different sizes; very large or small ones; many zeros."""
    x = rng.normal(size=(rounds, width))
    sizes = {"columns": rng.integers(-6, 7, size=width), "size": rng.integers(-8, 9)}
    if kind in sizes:
        return x * 10.0 ** sizes[kind]
    if kind == "whole":
        return rng.integers(-3, 4, size=(rounds, width)).astype(float)
    return np.where(rng.random((rounds, width)) < 0.5, 0.0, x) if kind == "zeros" else x


def game(spec, kind, seed):
    rng = np.random.default_rng((seed, len(spec)))
    learner, rounds, width = nr.learner(spec), int(rng.integers(1, 50)), int(rng.integers(1, 7))
    x = (
        (rng.random((rounds, width)) < 0.5).astype(float)
        if learner.zero_one
        else rows(rng, kind, rounds, width)
    )
    score = x @ rng.normal(size=width) / (np.abs(x).max() or 1.0) + rng.choice([0.0, 0.4]) * rng.normal(
        size=rounds
    )
    ranked = np.digitize(score, [-0.5, 0.5]).astype(float)
    if learner.task == "binary":
        return nr.from_arrays(x, np.where(score > 0.0, 1.0, -1.0))
    if spec.startswith("prank"):
        return nr.from_arrays(x, ranked + 1.0)
    return nr.from_arrays(x, ranked if learner.task == "multiclass" else score * 10.0 ** rng.integers(-3, 4))


@pytest.mark.parametrize("kind", ["plain", "whole", "columns", "size", "zeros"])
@pytest.mark.parametrize("spec", SPECS)
def test_random_runs_are_verified(spec, kind, tmp_path):
    for seed in range(2):
        stream = game(spec, kind, seed)
        if seed and spec.startswith("perceptron"):
            stream = nr.Delayed(stream, 3)
        try:
            ledger = nr.play(stream, nr.learner(spec))
        except nr.errors.BadInput:  # the weights left the doubles
            continue
        nr.save_certificate(ledger, tmp_path / "c")
        assert all(one.verdict != "broken" for one in nr.verify_certificate(tmp_path / "c"))
