"""The 41 mixed columns of KDD Cup 1999, ten per cent: CSV to model, against pandas.read_csv alone, and the
same table as Parquet to rows and to a model, against pyarrow's reading alone.

Needs kddcup.data_10_percent.gz in the folder that NOREGRET_DATA names.
"""

from __future__ import annotations

import gzip
import os
import shutil
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pandas
import pyarrow as arrow
from parquet import read
from pyarrow import parquet
from side_by_side import Line, arguments, faster, interleave, repeats, report

import noregret as nr


def main() -> None:
    """Unzip the table, measure, print."""
    parser = arguments(__doc__, repeats=7, quick_repeats=2)
    parser.add_argument("--cpu", action="store_true", help="count the seconds of all threads of the process")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "kddcup.csv"
        source = Path(os.environ.get("NOREGRET_DATA", ".")) / "kddcup.data_10_percent.gz"
        if not source.exists():
            raise SystemExit(f"{source} is not there; set NOREGRET_DATA to the folder that holds it")
        with gzip.open(source, "rb") as zipped, table.open("wb") as plain:
            if options.quick:
                plain.writelines(islice(zipped, 20_000))
            else:
                shutil.copyfileobj(zipped, plain)
        print(f"{table.stat().st_size / 1e6:,.0f} MB, {repeats(options)} repeats")

        pages = table.with_suffix(".parquet")
        frame = pandas.read_csv(table, header=None).rename(columns=lambda place: str(place + 1))
        parquet.write_table(arrow.Table.from_pandas(frame), pages)

        def stream(path: Path) -> Any:
            return nr.read(path, label="42", positive="normal.")

        def learned(path: Path) -> None:
            nr.play(stream(path), nr.Perceptron())

        works = {
            "CSV": lambda: learned(table),
            "pandas": lambda: pandas.read_csv(table, header=None),
            "rows": lambda: read(stream(pages)),
            "Parquet": lambda: learned(pages),
            "all": lambda: parquet.read_table(pages),
            "one": lambda: parquet.read_table(pages, use_threads=False),
        }
        times = interleave(works, repeats(options), time.process_time if options.cpu else time.perf_counter)
        told = "Parquet read and learned, against pyarrow's reading"
        lines = [
            Line("CSV read and learned, against pandas.read_csv alone", "CSV", "pandas", faster(1.0)),
            Line("Parquet only read, against pyarrow's reading on all cores", "rows", "all", faster(1.0)),
            Line(f"{told} on all cores", "Parquet", "all", faster(1.0)),
            Line(f"{told} on one core", "Parquet", "one", faster(1.0)),
        ]
        report(times, lines, options)


if __name__ == "__main__":
    main()
