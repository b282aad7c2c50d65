"""Parquet to rows and to a model, against pyarrow's own reading: numbers, with words too, kept in other ways.

Ours reads on all cores and, where it learns, learns on one of them; the peer only reads. The label says
which of the first two columns is larger. Numbers of two digits and whole ones are kept as places in a list
of those that occur; of the last kind one cell in a hundred is missing.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

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
        for kind, (table, compression) in _tables(rows).items():
            path = Path(folder) / f"{kind}.parquet"
            parquet.write_table(table, path, compression=compression)
            print(f"{kind}: {rows:,} rows × {table.num_columns} columns, {path.stat().st_size / 1e6:,.0f} MB")
            works[f"{kind}, read"] = lambda path=path: read(nr.read(path, label="y"))
            works[f"{kind}, read and learned"] = lambda path=path: nr.play(
                nr.read(path, label="y"), nr.Perceptron()
            )
            for threads in (True, False):
                peer = f"{kind}, pyarrow {'on all cores' if threads else 'on one core'}"
                works[peer] = lambda path=path, threads=threads: parquet.read_table(path, use_threads=threads)
            for ours, cores in (
                ("read", "all cores"),
                ("read and learned", "all cores"),
                ("read and learned", "one core"),
            ):
                told, peer = f"{kind}, {ours}", f"{kind}, pyarrow on {cores}"
                lines.append(Line(f"{told}, against reading on {cores}", told, peer, faster(1.0)))
        times = interleave(works, repeats(options), time.process_time if options.cpu else time.perf_counter)
        report(times, lines, options)


def read(stream: Any) -> None:
    """Read all rows, and do nothing with them."""
    for _ in stream.batches():
        pass


def _tables(rows: int) -> dict[str, tuple[arrow.Table, str]]:
    """Make a table of each kind, and say how it is compressed."""
    rng = np.random.default_rng(0)
    numbers = [rng.random(rows) for _ in range(COLUMNS)]
    words = {f"w{j}": rng.choice([f"word{k}" for k in range(50)], rows) for j in range(3)}
    normal = [rng.normal(size=rows) for _ in range(COLUMNS)]
    gone = [rng.random(rows) < 0.01 for _ in range(COLUMNS)]
    missing = [arrow.array(cells, mask=mask) for cells, mask in zip(numbers, gone, strict=True)]
    return {
        "numbers": (_table(numbers, numbers), "snappy"),
        "words too": (_table(numbers, numbers, words), "snappy"),
        "numbers in zstd": (_table(numbers, numbers), "zstd"),
        "float32": (_table([cells.astype(np.float32) for cells in numbers], numbers), "snappy"),
        "two digits": (_table([np.round(100 * cells, 2) for cells in normal], normal), "snappy"),
        "whole numbers": (_table([(1000 * cells).astype(np.int64) for cells in numbers], numbers), "snappy"),
        "some missing": (_table(missing, numbers), "snappy"),
    }


def _table(columns: list[Any], telling: list[Any], words: dict[str, Any] | None = None) -> arrow.Table:
    label = np.where(telling[0] > telling[1], 1, -1)
    return arrow.table({f"x{j}": cells for j, cells in enumerate(columns)} | (words or {}) | {"y": label})


if __name__ == "__main__":
    main()
