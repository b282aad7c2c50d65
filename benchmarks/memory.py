"""Memory does not grow with the file: a long file against one a tenth as long, each in a fresh process.

The files are made of the same block of rows again and again and deleted afterwards.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from side_by_side import arguments, print_table
from text_rows import written

_RUN = """
import resource, sys, time
import noregret as nr
began = time.perf_counter()
ledger = nr.play(nr.read(sys.argv[1]), nr.Perceptron())
seconds = time.perf_counter() - began
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, seconds, ledger.rounds)
"""


def main() -> None:
    """Write the files, run each, print."""
    parser = arguments(__doc__, repeats=1, quick_repeats=1)
    parser.add_argument(
        "--gigabytes", type=float, default=4.0, metavar="G", help="of the long file (default: 4)"
    )
    options = parser.parse_args()
    long = 40_000_000 if options.quick else int(options.gigabytes * 1e9)
    rows = [("file", "peak memory", "time", "time per GB")]
    peaks = []
    with tempfile.TemporaryDirectory() as folder:
        block = written(Path(folder), 5000, 76).svm.read_bytes()
        for size in (long // 10, long):
            path = Path(folder) / "rows.svm"
            with path.open("wb") as file:
                for _ in range(max(1, size // len(block))):
                    file.write(block)
            told = subprocess.run(
                [sys.executable, "-c", _RUN, path], capture_output=True, text=True, check=True
            )
            peak, seconds, _ = told.stdout.split()
            peaks.append(int(peak))
            gigabytes = path.stat().st_size / 1e9
            per = f"{float(seconds) / gigabytes:.3g} s"
            rows.append((f"{gigabytes * 1000:,.0f} MB", f"{peak} MB", f"{float(seconds):.3g} s", per))
            path.unlink()
    print_table(rows)
    more = peaks[1] - peaks[0]
    verdict = "too short" if options.quick else "met" if more <= 100 else "MISSED"
    print(f"\nthe long file takes {more} MB more; the goal is at most 100 MB: {verdict}")


if __name__ == "__main__":
    main()
