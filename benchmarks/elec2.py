"""Elec2 in order, with online standard scaling: the accuracies that River's benchmarks publish, and ours.

The folder of data files is the environment variable NOREGRET_DATA. Published: logistic regression (SGD
.005) .8221, ALMA .9064, last label .8533. Then `auto`: its expected mistakes against its best member and
its certificate.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
from side_by_side import print_table

import noregret as nr
from noregret.natures.arrays import ArrayStream

PUBLISHED = {
    "ogd:loss=logistic,step=constant,rate=0.005,bias=true,scale=standard": 0.8221,
    "alma:alpha=0.9,normalize=false,scale=standard": 0.9064,
    "last-label": 0.8533,
}


def main() -> None:
    """Play, print."""
    stream = load()
    rows = [("learner", "accuracy", "published")]
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
