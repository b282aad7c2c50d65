"""Files for the benchmarks: the same rows as libsvm text and as Vowpal Wabbit's."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from zipf_rows import labels, zipf_rows

_VALUES = [f"{k / 1000:.3f}" for k in range(1000)]


class Files(NamedTuple):
    """Where the rows are, and how many."""

    svm: Path
    vw: Path
    rows: int
    per_row: int


def written(folder: Path, rows: int, per_row: int) -> Files:
    """Write rows of so many features each, those of `zipf_rows`, with values of three decimals."""
    files = Files(folder / f"{per_row}.svm", folder / f"{per_row}.vw", rows, per_row)
    X = zipf_rows(rows, per_row)
    signs = labels(X, 0.1).astype(int)
    values = np.random.default_rng(1).integers(1, 1000, X.nnz)
    with files.svm.open("w") as svm, files.vw.open("w") as vw:
        for r, sign in enumerate(signs.tolist()):
            row = slice(r * per_row, (r + 1) * per_row)
            pairs = zip(X.indices[row].tolist(), values[row].tolist(), strict=True)
            text = " ".join([f"{i}:{_VALUES[v]}" for i, v in pairs])
            svm.write(f"{sign} {text}\n")
            vw.write(f"{sign} | {text}\n")
    return files
