"""One `noregret run` as a child process: its wall time, its peak memory and its certificates."""

from __future__ import annotations

import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

# Files below $NOREGRET_DATA and the options with which each is read. w8a and spambase are sorted by class.
SETS: dict[str, tuple[str, ...]] = {
    "a9a": ("a9a",),
    "w8a": ("w8a", "--shuffle", "0"),
    "ijcnn1": ("ijcnn1.gz",),
    "spambase": ("spambase.libsvm", "--shuffle", "0"),
    "agaricus": ("agaricus.train",),
    "rcv1_small": ("rcv1_small.libsvm",),
    "elec2": ("elec2_8feat.csv", "--label", "class", "--positive", "UP"),
    "sms": ("SMSSpamCollection.tsv", "--label", "1", "--positive", "spam", "--text", "2"),
}
LEARNERS = (
    "perceptron:bias=true",
    "averaged-perceptron",
    "pa",
    "pa1",
    "pa2",
    "alma",
    "romma",
    "ogd",
    "ogd:loss=logistic",
    "adagrad",
    "ftrl",
    "coin",
    "sop:covariance=full",
    "arow:covariance=full",
    "ons:covariance=full",
    "balanced-winnow",
    "normalized-winnow",
    "kernel-perceptron",
    "auto",
)
WIDE = ("w8a", "rcv1_small", "sms")  # not with a full covariance: features² numbers
LOSS_AT_ZERO = {"hinge": 1.0, "logistic": math.log(2.0), "squared-hinge": 0.5}  # of a score of 0
_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes
COUNTS = ("mistakes", "updates", "corrections", "expected mistakes")


class Process(NamedTuple):
    """A finished child process."""

    seconds: float  # of wall time
    cpu: float  # seconds of all its threads
    peak: int  # bytes, the largest resident set
    result: dict[str, Any]  # what --json wrote; empty if the command failed
    error: str  # last line of standard error if it failed


def noregret_run(arguments: Sequence[str]) -> Process:
    """Run `noregret run … --quiet --json FILE` in a fresh process and measure it."""
    with tempfile.TemporaryDirectory() as folder:
        output, errors = Path(folder) / "run.json", Path(folder) / "errors.txt"
        command = [sys.executable, "-m", "noregret", "run", *arguments, "--quiet", "--json", str(output)]
        with errors.open("wb") as stderr:
            began = time.perf_counter()
            child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr)
            _, status, usage = os.wait4(child.pid, 0)  # the only call that returns the usage of one child
            seconds = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        spent = (seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _MAXRSS_UNIT)
        if child.returncode == 0:
            return Process(*spent, json.loads(output.read_text(encoding="utf-8")), "")
        lines = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return Process(*spent, {}, lines[-1] if lines else f"exit {child.returncode}")


def pairs(sets: Sequence[str], learners: Sequence[str]) -> list[tuple[str, str]]:
    """Return every (set, learner) of the benchmark, the full covariances on wide data left out."""
    return [
        (one, spec) for one in sets for spec in learners if not (one in WIDE and "covariance=full" in spec)
    ]


def measured(folder: Path, data: str, spec: str, repeats: int) -> dict[str, Any]:
    """Run a learner on a set with and without certificates, in turn; return medians and certificates."""
    file, *options = SETS[data]
    arguments = [str(folder / file), *options, "-l", spec]
    processes: dict[str, list[Process]] = {"without": [], "with": []}
    for k in range(repeats):
        for kind in ("without", "with")[:: -1 if k % 2 else 1]:
            process = noregret_run([*arguments, *(["--no-certify"] if kind == "without" else [])])
            processes[kind].append(process)
    result = processes["with"][-1].result
    errors = [process.error for many in processes.values() for process in many if process.error]
    learned = result["learners"][0] if result else {}
    labelled = result.get("rounds", 0) - result.get("unlabelled", 0)
    return {
        "set": data,
        "learner": spec,
        **_medians(processes),
        "error": errors[0] if errors else "",
        "labelled": labelled,
        "mistakes": learned.get("mistakes"),
        "loss_name": learned.get("loss_name"),
        "certificates": [
            _kept(one, labelled, learned.get("loss_name", "")) for one in learned.get("certificates", [])
        ],
    }


def _medians(processes: dict[str, list[Process]]) -> dict[str, float]:
    return {
        f"{name}_{kind}": statistics.median(getattr(process, name) for process in many)
        for name in ("seconds", "cpu")
        for kind, many in processes.items()
    }


def _kept(certificate: dict[str, Any], labelled: int, loss_name: str) -> dict[str, Any]:
    keys = ("theorem", "about", "verdict", "observed", "bound", "reason", "note")
    kept = {key: certificate.get(key) for key in keys}
    marked, found = certificate.get("vacuous"), is_vacuous(certificate, labelled, loss_name)
    vacuous = found if marked is None else marked
    return kept | {"vacuous": vacuous, "unmarked": found is True and marked is not True}


def is_vacuous(certificate: dict[str, Any], labelled: int, loss_name: str) -> bool | None:
    """Work out whether a bound is vacuous, whatever the certificate says; None if the JSON is not enough.

    Counts: ⌊bound⌋ ≥ labelled rounds. Losses: bound ≥ the loss of u = 0. Regret of a panel: bound ≥ labelled
    rounds − L*, which is at least the largest possible regret.
    """
    bound, about = certificate.get("bound"), certificate.get("about", "")
    if bound is None:
        return None
    if about in COUNTS:
        return math.floor(bound) >= labelled
    if about in ("squared hinge losses", "squared hinge loss"):
        return bool(bound >= labelled)
    best = certificate.get("quantities", {}).get("L*")
    if about == "regret" and best is not None:
        return bool(bound >= labelled - best)
    if about == "loss" and loss_name in LOSS_AT_ZERO:
        return bool(bound >= LOSS_AT_ZERO[loss_name] * labelled)
    return None
