"""Elec2 in order, with online standard scaling: the accuracies that River's benchmarks publish, and ours.

The folder of data files is the environment variable NOREGRET_DATA. Published: logistic regression (SGD
.005) .8221, ALMA .9064, last label .8533. River's logistic regression learns its intercept at a rate of
.01, twice that of its weights, which is what a constant feature of √2 does at theirs; a bias of 1 at the
same rate as the weights, on either side, comes out lower. Then `auto`: its expected mistakes against its
best member and its certificate.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from river.linear_model import LogisticRegression
from river.optim import SGD
from river.preprocessing import StandardScaler
from side_by_side import print_table

import noregret as nr
from noregret.natures.arrays import ArrayStream
from noregret.reference.scaling import Scaling, Standard

RATE = 0.005
PUBLISHED = {
    "alma:alpha=0.9,normalize=false,scale=standard": 0.9064,
    "last-label": 0.8533,
}


def main() -> None:
    """Play, print."""
    argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    ).parse_args()
    stream = load()
    rows = [("learner", "accuracy", "published")]
    rows.append(("logistic regression, a constant feature of √2", f"{logistic(stream):.4f}", "0.8221"))
    biased = nr.play(
        stream, nr.learner(f"ogd:loss=logistic,step=constant,rate={RATE},bias=true,scale=standard")
    )
    river = StandardScaler() | LogisticRegression(optimizer=SGD(RATE), intercept_lr=RATE)
    rows.append(
        (
            "logistic regression, a bias of 1, beside River's",
            f"{1 - biased.mistake_rate:.4f}",
            f"{accuracy_of(river, stream):.4f}",
        )
    )
    for spec, published in PUBLISHED.items():
        ledger = nr.play(stream, nr.learner(spec))
        rows.append((spec, f"{1 - ledger.mistake_rate:.4f}", f"{published:.4f}"))
    print_table(rows)
    panel = nr.learner("auto")
    ledger = nr.play(stream, panel)
    best = panel.standings()[0]
    print(f"\nauto: {ledger.loss:,.1f} mistakes expected, {ledger.mistakes:,} by the vote")
    print(f"best member: {best.mistakes:,.0f}, {best.member}; auto is {ledger.loss / best.mistakes - 1:+.2%}")
    for certificate in nr.certify(ledger):
        print(certificate)


def logistic(stream: ArrayStream) -> float:
    """Scale online and add the constant feature by hand: River's rule, its two rates by one."""
    learner = nr.learner(f"ogd:loss=logistic,step=constant,rate={RATE}")
    scaling: Scaling = Standard()
    right = 0
    for x, y in examples(stream):
        right += learner.predict(dict(scaling.seen(list(x.items()))) | {"constant": math.sqrt(2)}) == y
        scaling = scaling.after(list(x.items()))
        learner.learn(dict(scaling.seen(list(x.items()))) | {"constant": math.sqrt(2)}, y)
    return right / len(stream.labels)


def accuracy_of(model: Any, stream: ArrayStream) -> float:
    """Let one of River's predict and learn, row by row."""
    right = 0
    for x, y in examples(stream):
        right += model.predict_one(x) == (y > 0)
        model.learn_one(x, y > 0)
    return right / len(stream.labels)


def examples(stream: ArrayStream) -> Iterator[tuple[dict[str, float], float]]:
    """Give the rows as dicts."""
    for batch in stream.batches():
        for row, y in zip(batch.values, batch.labels, strict=True):
            yield {f"x{j}": float(value) for j, value in enumerate(row)}, float(y)


def load() -> ArrayStream:
    """Read the file: eight numbers and UP or DOWN."""
    folder = os.environ.get("NOREGRET_DATA")
    if folder is None:
        raise SystemExit("set NOREGRET_DATA to the folder of data files")
    with (Path(folder) / "elec2_8feat.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file) if row]
    body = [row for row in rows if not row[0][:1].isalpha()]
    values = np.array([[float(cell) for cell in row[:-1]] for row in body])
    return nr.from_arrays(values, [1.0 if row[-1].strip(" '\"b") in ("UP", "1") else -1.0 for row in body])


if __name__ == "__main__":
    main()
