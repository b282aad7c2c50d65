"""Parquet to model, against pyarrow's own reading of the file: a table of numbers, and one with words."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as arrow
from pyarrow import parquet
from side_by_side import Line, arguments, faster, interleave, repeats, report

import noregret as nr

COLUMNS = 28


def main() -> None:
    """Write the tables, measure, print."""
    parser = arguments(__doc__, repeats=7, quick_repeats=2)
    parser.add_argument("--cpu", action="store_true", help="count the seconds of all threads of the process")
    parser.add_argument("--rows", type=int, default=500_000, metavar="N", help="how many (default: 500000)")
    options = parser.parse_args()
    rows = 20_000 if options.quick else max(options.rows, 1)
    works, lines = {}, []
    with tempfile.TemporaryDirectory() as folder:
        for kind, table in _tables(rows).items():
            path = Path(folder) / f"{kind}.parquet"
            parquet.write_table(table, path)
            print(f"{kind}: {rows:,} rows × {table.num_columns} columns, {path.stat().st_size / 1e6:,.0f} MB")
            works[kind] = lambda path=path: nr.play(nr.read(path, label="y"), nr.Perceptron())
            for threads in (True, False):
                peer = f"{kind}, pyarrow {'on all cores' if threads else 'on one core'}"
                works[peer] = lambda path=path, threads=threads: parquet.read_table(path, use_threads=threads)
                lines.append(Line(f"read and learned, against reading: {peer}", kind, peer, faster(1.0)))
        times = interleave(works, repeats(options), time.process_time if options.cpu else time.perf_counter)
        report(times, lines, options)


def _tables(rows: int) -> dict[str, arrow.Table]:
    rng = np.random.default_rng(0)
    numbers = {f"x{j}": rng.random(rows) for j in range(COLUMNS)}
    y = {"y": np.where(numbers["x0"] > numbers["x1"], 1, -1)}
    words = {f"w{j}": rng.choice([f"word{k}" for k in range(50)], rows) for j in range(3)}
    return {"numbers": arrow.table(numbers | y), "words too": arrow.table(numbers | words | y)}


if __name__ == "__main__":
    main()
