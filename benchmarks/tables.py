"""CSV to model, against pandas.read_csv alone: the 41 mixed columns of KDD Cup 1999, ten per cent.

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

import pandas
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

        def ours() -> None:
            nr.play(nr.read(table, label="42", positive="normal."), nr.Perceptron())

        works = {"ours": ours, "pandas": lambda: pandas.read_csv(table, header=None)}
        times = interleave(works, repeats(options), time.process_time if options.cpu else time.perf_counter)
        line = Line("CSV read and learned, against pandas.read_csv alone", "ours", "pandas", faster(1.0))
        report(times, [line], options)


if __name__ == "__main__":
    main()
