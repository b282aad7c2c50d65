"""What `--certificate` writes, for each of the commands that have it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from noregret.certificate import Certificate
from noregret.certificate_files.data import described, how_read, stored
from noregret.certificate_files.document import certificate_as_json, write_certificate
from noregret.certificate_files.readers import PLAIN
from noregret.certificate_files.run import in_no_file, run_as_json, settled_spec, when_told
from noregret.data.fingerprint import Fingerprint, table_fingerprint
from noregret.data.source import STDIN
from noregret.errors import BadCommand, BadInput
from noregret.experts.rule import ExpertRule
from noregret.ledger import Ledger
from noregret.rounds import Floats

if TYPE_CHECKING:
    from noregret.cli.aggregation import Aggregation
    from noregret.cli.running import Run
    from noregret.hypotheses.classes import FiniteClass

# How near to the truth a prediction is a hit, for the size of the advice; the verifier takes more.
HIT = 2.0**-34


def require_certifiable(
    certificate: Path | None, paths: Sequence[Path], model: Path | None, certify: bool
) -> None:
    """Refuse what no certificate can be written for, before the run and not after it."""
    if certificate is None:
        return
    if model is not None:
        raise BadCommand("--certificate speaks of a run from the beginning; it does not go with --model")
    if not certify:
        raise BadCommand("--certificate writes what the theorems say; it does not go with --no-certify")
    for path in paths:
        if path == STDIN or (path.exists() and not path.is_file()):
            raise BadCommand(f"{path} cannot be read a second time, which --certificate needs; give a file")


def where_written(certificate: Path, *data: Path) -> str:
    """Say where a certificate is, and the command that checks it."""
    command = ["noregret", "verify", str(certificate), *map(str, data)]
    return f"wrote {certificate}; check it with: {shlex.join(command)}"


def certify_run(
    run: Run,
    path: Path,
    ledgers: list[Ledger],
    certificates: list[list[Certificate]],
    seen: Fingerprint | None = None,
) -> None:
    """Write the certificate of `noregret run`."""
    if not all(ledger.complete for ledger in ledgers):
        raise BadInput(
            f"{path} was not written: the run was stopped, and a certificate speaks of a whole one"
        )
    if run.paths:
        files = run.reads.open(run.paths, run.reading, run.labels)  # themselves, not a cache of them
        skip = run.reads.on_bad_row == "skip"
        play = how_read(files.format, run.labels, run.stream.settled, skip)
        data = described(run.stream, files.paths, play, seen)
    else:
        play, data = in_no_file(ledgers[0]), stored(run.stream, run.title)
    play |= {"passes": run.passes, "shuffle": run.shuffle} | when_told(ledgers)
    runs = [
        run_as_json(ledger, settled_spec(learner), many)
        for learner, ledger, many in zip(run.learners, ledgers, certificates, strict=True)
    ]
    write_certificate(path, "run", data, play, runs)


def certify_aggregation(run: Aggregation, path: Path) -> None:
    """Write the certificate of `noregret experts`."""
    data = run.data
    play = {
        "target": run.target,
        "experts": data.names,
        "series": run.series,
        "loss": run.priced.name,
        "on_bad_row": run.on_bad_row,
    }
    runs = []
    for one, many in zip(run.played, run.certificates, strict=True):
        share = len(many) // len(one.accounts)
        for k, account in enumerate(one.accounts):
            key = None if one.keys is None else one.keys[k]
            own = np.array([key is None or key == series for series in data.series or data.axis])
            runs.append(
                {
                    "learner": one.rules[k].spec,
                    "series": key,
                    "rounds": account.rounds,
                    **_hits(one.rules[k], data.advice[own], data.truth[own], one.predictions[own]),
                    "certificates": [certificate_as_json(c) for c in many[k * share : (k + 1) * share]],
                }
            )
    mark = table_fingerprint(data.truth, data.advice, data.series)
    told = {
        "names": [run.path.name],
        "rounds": len(data.truth),
        "fingerprint": mark,
        "reader": PLAIN,
        "stored": None,
    }
    write_certificate(path, "experts", told, play, runs)


def _hits(rule: ExpertRule, advice: Floats, truth: Floats, said: Floats) -> dict[str, Any]:
    """The rounds in which a prediction fell on the kink of the loss, but for rounding, and on which side.

    Whoever adds the weights up in another way falls on the other side, and takes the other slope.
    """
    if not rule.gradient or rule.loss.name not in ("absolute", "percentage", "pinball"):
        return {}
    size = np.fmax(np.abs(truth), np.fmax.reduce(np.abs(advice), axis=1))
    at = np.flatnonzero(np.abs(said - truth) <= HIT * size)
    sides = np.sign(said - truth)[at]
    return {"hits": {"rounds": at.tolist(), "sides": sides.tolist()}} if len(at) else {}


def certify_duel(
    path: Path,
    player: Any,
    nature: str,
    made: FiniteClass,
    seed: int,
    ledger: Ledger,
    certificates: list[Certificate],
) -> None:
    """Write the certificate of `noregret duel`; it carries the rounds, and a class that has no formula."""
    from noregret.reference.classes import rebuilt

    play: dict[str, Any] = {"class": made.name, "nature": nature, "seed": seed, "format": "points"}
    if not rebuilt(made.name):
        play["table"] = {"points": made.points, "rows": [_hexadecimal(row) for row in made.table()]}
    run = {
        "learner": player.spec,
        "rounds": ledger.rounds,
        "mistakes": ledger.mistakes,
        "certificates": [certificate_as_json(c) for c in certificates],
    }
    write_certificate(path, "duel", stored(ledger.nature, nature), play, [run])


def _hexadecimal(row: Any) -> str:
    """A row of 0 and 1 as a number of base 16, the first point in its lowest bit."""
    return f"{int(''.join(map(str, row[::-1].tolist())), 2):x}"
