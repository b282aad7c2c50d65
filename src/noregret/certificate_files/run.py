"""The certificate of a run as a file: `nr.save_certificate`, and what `noregret run` writes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from noregret.certificate import Certificate
from noregret.certificate_files.data import described, how_read, stored
from noregret.certificate_files.document import certificate_as_json, write_certificate
from noregret.data.labels import Labels
from noregret.data.reading import Reading
from noregret.data.stream import DataStream
from noregret.errors import BadCommand
from noregret.game.late_rounds import arrive
from noregret.game.loops import has_loop
from noregret.game.play import first, play_batch
from noregret.judging.certify import certify
from noregret.ledger import Ledger
from noregret.panel.panel import Panel
from noregret.parameters import name_of
from noregret.registry import LEARNERS, PANELS
from noregret.rounds import Batch, Stream


def save_certificate(
    ledger: Ledger, path: str | PathLike[str], witness: Any = None, effort: str = "normal"
) -> None:
    """Certify a run and write what its theorems say, for `noregret verify` to check.

    Rows of files are described; any other rounds are kept in the certificate, which then needs no data.

    >>> import tempfile, noregret as nr
    >>> ledger = nr.play(nr.Delayed(nr.standard_basis(100), lag=10), nr.Perceptron())
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     nr.save_certificate(ledger, file.name)
    ...     [one.verdict for one in nr.verify_certificate(file.name)]
    ['holds', 'holds']
    """
    _require_certifiable(ledger)
    stream = ledger.nature if ledger.limit is None else _First(ledger.nature, ledger.limit)
    if isinstance(stream, DataStream):
        play = how_read(stream.format, stream.labels, stream.settled, ledger.skipping or stream.skip)
        data = described(stream, stream.paths, play)
    else:
        play = in_no_file(ledger)
        data = stored(stream, "rounds of a run")
    play |= {"passes": 1, "shuffle": None} | _how_ordered(ledger.nature) | when_told([ledger])
    run = run_as_json(ledger, settled_spec(_settled(ledger)), certify(ledger, witness, effort))
    write_certificate(Path(path), "run", data, play, [run])


def in_no_file(ledger: Ledger) -> dict[str, Any]:
    """Say how rounds are read that the certificate itself has."""
    return how_read("rounds", Labels(task=ledger.task), Reading(), ledger.skipping)


def _how_ordered(nature: Any) -> dict[str, Any]:
    """Say that the order of the rounds was drawn at random, where the stream says so."""
    return {"drawn": True} if getattr(nature, "drawn", False) else {}


def when_told(ledgers: Sequence[Ledger]) -> dict[str, Any]:
    """How late the labels came, and which classes were announced before the first round."""
    start = ledgers[0].start
    return {
        "lag": max(ledger.lag for ledger in ledgers),
        "announced": list(getattr(start, "classes", [])),
    }


def settled_spec(learner: Any) -> str:
    """The spec with what the learner, or a member of a panel, found out only when it met the data."""
    spec: str = learner.spec
    if not isinstance(learner, Panel) or spec == learner.name:
        return spec
    return spec.removesuffix("/".join(learner.specs)) + "/".join(one.spec for one in learner.members)


def _settled(ledger: Ledger) -> Any:
    """The learner of a run, played again until it knows the width of the data: a label tells it that."""
    learner, again = ledger.start.clone(), Ledger(ledger.learner, skipping=True)
    for batch in first(ledger.nature, ledger.limit):
        if not _waits(learner):
            return learner
        play_batch(batch, learner, again, None)
    arrive(learner, again, 0)
    return learner


def _waits(learner: Any) -> bool:
    """Whether a number of the rule is still open, or of the rule of a member."""
    rules = learner.members if isinstance(learner, Panel) else [learner]
    return any(math.isnan(number) for rule in rules for number in getattr(rule, "scalars", {}).values())


def run_as_json(ledger: Ledger, spec: str, certificates: Sequence[Certificate]) -> Mapping[str, Any]:
    """Give a run as a certificate has it."""
    return {
        "learner": spec,
        "rounds": ledger.rounds,
        "mistakes": ledger.mistakes,
        "updates": ledger.updates,
        "certificates": [certificate_as_json(one) for one in certificates],
    }


def _require_certifiable(ledger: Ledger) -> None:
    name = name_of(ledger.learner)
    if name not in LEARNERS and name not in PANELS:
        raise BadCommand(
            f"{ledger.learner} has no place in the certificate of a run; what plays over a finite class has "
            "`noregret duel --certificate`, a rule over experts `noregret experts --certificate`"
        )
    if name in PANELS and ledger.lag:
        raise BadCommand(
            f"{name} has no certificate where labels came late: nothing is known of its members then"
        )
    late_way = not hasattr(ledger.start, "learn_late") or has_loop(ledger.start, "learn_late")
    if ledger.lag and not late_way:
        raise BadCommand(
            f"{ledger.learner} learned late labels by a method of its own, and the theorems are about another"
        )
    if ledger.nature is None or not ledger.fresh or not ledger.complete:
        raise BadCommand(
            "a certificate speaks of a whole run from the beginning, whose rounds can be played again"
        )


@dataclass(frozen=True)
class _First:
    """The first rounds of a stream."""

    stream: Stream
    rounds: int

    def batches(self) -> Iterator[Batch]:
        """Yield them."""
        return first(self.stream, self.rounds)
