"""Text file to model: one pass, ours against Vowpal Wabbit without a cache.

The rows are written once as libsvm text and once as Vowpal Wabbit's; ours reads either, the peer its
own. Ours predicts every row before it learns from it, and so does the peer. Ours parses on every core
and learns on one; the peer does both on one: the goal is about what a user waits for. On a machine
that is busy with other things --cpu shows the seconds of all threads together instead.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from side_by_side import Line, arguments, faster, interleave, repeats, report
from text_rows import Files, written
from vowpalwabbit import Workspace

import noregret as nr

GOAL, STRETCH = faster(6.0), faster(8.0)
SHAPES = {20: 400_000, 76: 200_000, 1000: 15_000}  # rows, by features in each


def main() -> None:
    """Write the files, measure, print."""
    parser = arguments(__doc__, repeats=7, quick_repeats=2)
    parser.add_argument("--cpu", action="store_true", help="count the seconds of all threads of the process")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for per_row, rows in SHAPES.items():
            files = written(Path(folder), rows // 20 if options.quick else rows, per_row)
            size = files.svm.stat().st_size / 1e6
            print(f"\n{files.rows:,} rows × {per_row} features, {size:,.0f} MB, {repeats(options)} repeats")
            _compare(files, options)
            files.svm.unlink()
            files.vw.unlink()


def _compare(files: Files, options: argparse.Namespace) -> None:
    works = {
        "libsvm": lambda: nr.play(nr.read(files.svm), nr.Perceptron()),
        "vw": lambda: nr.play(nr.read(files.vw), nr.Perceptron()),
        "peer": lambda: learn(f"-d {files.vw}"),
    }
    times = interleave(works, repeats(options), time.process_time if options.cpu else time.perf_counter)
    lines = [
        Line("libsvm text, against Vowpal Wabbit on its own", "libsvm", "peer", GOAL),
        Line("the same, the stretch", "libsvm", "peer", STRETCH),
        Line("Vowpal Wabbit's text, names kept, against itself", "vw", "peer", GOAL),
    ]
    report(times, lines, options)


def learn(data: str) -> None:
    """Let the peer learn from a file."""
    Workspace(f"--sgd --loss_function hinge --quiet {data}").finish()


if __name__ == "__main__":
    main()
