"""Time and peak memory of certificates on a long file of libsvm text: the --large part of certificates.py."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from certificate_runs import Process, noregret_run
from numpy.typing import NDArray
from side_by_side import print_table

FEATURES = 31
DIGITS = 7  # of each value: one before the point and six behind it
SIZES, QUICK_SIZES = (600_000, 3_000_000), (20_000, 40_000)  # rows: 220 MB and 1.1 GB
CHUNK = 20_000  # rows that are generated at a time
MEGABYTE = 2**20


class Task(NamedTuple):
    """Learners, what else is written in the run with certificates, and the goal for the ratio of times."""

    title: str
    learners: tuple[str, ...]
    outputs: tuple[str, ...]
    times: float


TASKS = (
    Task("one Perceptron", ("perceptron",), (), 3.0),
    Task(
        "three learners, --certificate, --report",
        ("perceptron", "pa1", "ogd"),
        ("--certificate", "--report"),
        4.0,
    ),
)


def large(*, quick: bool) -> None:
    """Write each file, run every task on it without and with certificates, print times and memory."""
    rows = [
        (
            "file",
            "work",
            "without",
            "with",
            "ratio",
            "goal",
            "",
            "peak without",
            "more",
            "goal",
            "",
            "verdicts",
        )
    ]
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "rows.svm"
        for size in QUICK_SIZES if quick else SIZES:
            # In a process of its own: the peak of a child counts what its parent held when it started.
            writer = multiprocessing.get_context("spawn").Process(target=write_rows, args=(data, size))
            writer.start()
            writer.join()
            if writer.exitcode:
                raise SystemExit("the rows could not be written")
            for task in TASKS:
                rows.append((f"{data.stat().st_size / 1e6:,.0f} MB", *_line(task, data, quick)))
            data.unlink()
    print_table(rows)


def _line(task: Task, data: Path, quick: bool) -> tuple[str, ...]:
    """Run a task without and with certificates; return the cells of its row."""
    learners = [part for spec in task.learners for part in ("-l", spec)]
    outputs = [
        part for option in task.outputs for part in (option, str(data.with_suffix(f".{option[2:]}.html")))
    ]
    noregret_run([str(data), *learners[:2], "--no-certify"])  # so that both read the file from memory
    without = _succeeded(noregret_run([str(data), *learners, "--no-certify"]))
    with_ = _succeeded(noregret_run([str(data), *learners, *outputs]))
    ratio, more = with_.seconds / without.seconds, with_.peak - without.peak
    allowed = 64 * MEGABYTE + 100 * FEATURES * len(task.learners)
    return (
        task.title,
        f"{without.seconds:.2f} s",
        f"{with_.seconds:.2f} s",
        f"{ratio:.2f}×",
        f"≤ {task.times:g}×",
        _verdict(ratio <= task.times, quick),
        f"{without.peak / MEGABYTE:,.0f} MB",
        f"{more / MEGABYTE:,.0f} MB",
        f"≤ {allowed / MEGABYTE:.0f} MB",
        _verdict(more <= allowed, quick),
        _verdicts(with_),
    )


def _verdicts(process: Process) -> str:
    """Count the verdicts: a run whose certificates are silent has no work to measure."""
    found = [one["verdict"] for run in process.result["learners"] for one in run["certificates"]]
    return ", ".join(f"{found.count(verdict)} {verdict}" for verdict in sorted(set(found)))


def _succeeded(process: Process) -> Process:
    if process.error:
        raise SystemExit(f"noregret run failed: {process.error}")
    return process


def _verdict(met: bool, quick: bool) -> str:
    return "too short" if quick else "met" if met else "MISSED"


def write_rows(path: Path, rows: int) -> None:
    """Write dense rows of 31 values in (−10, 10) as libsvm text; labels are linear, one in ten flipped."""
    rng = np.random.default_rng(0)
    target = rng.standard_normal(FEATURES)
    with path.open("wb") as file:
        for begin in range(0, rows, CHUNK):
            count = min(CHUNK, rows - begin)
            millionths = np.clip(rng.standard_normal((count, FEATURES)) * 1e6, -9.9e6, 9.9e6).astype(np.int64)
            positive = (millionths @ target > 0) ^ (rng.random(count) < 0.1)
            file.write(text_of(millionths, positive))


def text_of(millionths: NDArray[np.int64], positive: Sequence[bool] | NDArray[np.bool_]) -> bytes:
    """Lay numbers out as libsvm text: fixed places for all characters, unused places dropped at the end."""
    count, features = millionths.shape
    width = len(" 31:-") + DIGITS + 1  # a point after the first digit
    cells = np.empty((count, features, width), dtype=np.uint8)
    used = np.ones((count, features, width), dtype=bool)
    for feature in range(features):
        cells[:, feature, :4] = np.frombuffer(f" {feature + 1:>2}:".encode(), dtype=np.uint8)
        used[:, feature, 1] = feature + 1 >= 10
    cells[:, :, 4] = ord("-")
    used[:, :, 4] = millionths < 0
    rest = np.abs(millionths)
    for place in (*range(width - 1, 6, -1), 5):
        rest, digit = np.divmod(rest, 10)
        cells[:, :, place] = digit + ord("0")
    cells[:, :, 6] = ord(".")
    labels = np.tile(np.frombuffer(b"-1", dtype=np.uint8), (count, 1))
    signs = np.stack([~np.asarray(positive), np.ones(count, dtype=bool)], axis=1)
    ends = np.full((count, 1), ord("\n"), dtype=np.uint8)
    text = np.concatenate([labels, cells.reshape(count, -1), ends], axis=1)
    return text[np.concatenate([signs, used.reshape(count, -1), ends > 0], axis=1)].tobytes()
