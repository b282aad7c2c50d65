"""Files for the benchmarks: the same rows as libsvm text and as Vowpal Wabbit's."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from zipf_rows import FEATURES, PER_ROW, labels, zipf_rows

_VALUES = [f"{k / 1000:.3f}" for k in range(1000)]
_CHUNK = 5000


class Files(NamedTuple):
    """Where the rows are, and how many."""

    svm: Path
    vw: Path
    rows: int
    per_row: int


def written(folder: Path, rows: int, per_row: int) -> Files:
    """Write rows of so many features each, with values of three decimals.

    Seventy-six features are those of `zipf_rows`; for other lengths features are drawn the same way,
    with replacement.
    """
    files = Files(folder / f"{per_row}.svm", folder / f"{per_row}.vw", rows, per_row)
    with files.svm.open("w") as svm, files.vw.open("w") as vw:
        for begin in range(0, rows, _CHUNK):
            indices, values, signs = _drawn(min(_CHUNK, rows - begin), per_row, seed=begin)
            for r, sign in enumerate(signs):
                pairs = zip(indices[r].tolist(), values[r].tolist(), strict=True)
                text = " ".join([f"{i}:{_VALUES[v]}" for i, v in pairs])
                svm.write(f"{sign} {text}\n")
                vw.write(f"{sign} | {text}\n")
    return files


def _drawn(rows: int, per_row: int, seed: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    rng = np.random.default_rng(seed + 1)
    values = rng.integers(1, 1000, (rows, per_row))
    if per_row == PER_ROW:
        X = zipf_rows(rows, seed=seed)
        return X.indices.reshape(rows, per_row), values, labels(X, 0.1).astype(int).tolist()
    names = np.random.default_rng(0).permutation(FEATURES)
    indices = names[np.minimum(rng.zipf(1.2, (rows, per_row)) - 1, FEATURES - 1)]
    signs = np.where((indices % 7 < 3).mean(axis=1) > 3 / 7, 1, -1)
    return indices, values, signs.tolist()
