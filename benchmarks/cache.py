"""Binary cache to model: one pass over an .nrb file, against Vowpal Wabbit with -c."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from side_by_side import Line, arguments, faster, interleave, repeats, report
from text import learn
from text_rows import written

import noregret as nr
from noregret.cli import app

GOAL, STRETCH = faster(7.0), faster(10.0)


def main() -> None:
    """Write the files and both caches, measure, print."""
    parser = arguments(__doc__, repeats=11, quick_repeats=2)
    parser.add_argument("--cpu", action="store_true", help="count the seconds of all threads of the process")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = written(Path(folder), 10_000 if options.quick else 200_000, 76)
        ours, peers = files.svm.with_suffix(".nrb"), Path(folder) / "peer.cache"
        app.run(["convert", str(files.svm), str(ours), "--quiet"])
        cached = f"-d {files.vw} -c --cache_file {peers}"
        learn(cached)
        sizes = " and ".join(f"{path.stat().st_size / 1e6:,.0f} MB" for path in (ours, peers))
        print(f"{files.rows:,} rows × {files.per_row} features, {sizes}, {repeats(options)} repeats")
        works = {
            "ours": lambda: nr.play(nr.read(ours), nr.Perceptron()),
            "peer": lambda: learn(cached),
        }
        times = interleave(works, repeats(options), time.process_time if options.cpu else time.perf_counter)
        lines = [
            Line("cache to model, against Vowpal Wabbit's", "ours", "peer", GOAL),
            Line("the same, the stretch", "ours", "peer", STRETCH),
        ]
        report(times, lines, options)


if __name__ == "__main__":
    main()
