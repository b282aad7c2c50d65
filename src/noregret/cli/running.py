"""What `noregret run` does, step by step; what it then says is in run_output.py."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from noregret.certificate import Certificate, telling
from noregret.cli import signals, summary
from noregret.cli.baselines import Baselines
from noregret.cli.certificates import certify_run, require_certifiable, where_written
from noregret.cli.converting import converted_runs
from noregret.cli.data_options import DataOptions, task_of
from noregret.cli.late import Late
from noregret.cli.output import STDOUT, Output
from noregret.cli.panels import panels, require_no_panel, require_panel
from noregret.cli.predictions import PredictionFile
from noregret.cli.progress import JudgingProgress, RunProgress
from noregret.cli.reporting import require_report, write_report
from noregret.cli.run_output import run_as_json, show_run
from noregret.cli.scaling import scaled_specs
from noregret.cli.testing import Tested, count_errors, require_linear, require_no_rule
from noregret.conversion.iterates import require_fixed_weights
from noregret.conversion.methods import require_method
from noregret.data.asking import RUN
from noregret.data.cache import cached
from noregret.data.fingerprint import Fingerprint
from noregret.data.labels import Labels
from noregret.data.read import open_data
from noregret.data.source import STDIN
from noregret.data.spool import Spool, is_pipe
from noregret.errors import BadCommand, BadFile, BadInput, BadLabel, BadType
from noregret.game.play import play_all
from noregret.game.said import Said
from noregret.judging.certify import certify_all, not_judged
from noregret.ledger import Ledger
from noregret.model_file import open_model, save
from noregret.natures.inspection import inspection_line
from noregret.natures.lateness import Delayed, PartlyLabelled
from noregret.natures.order import Passes
from noregret.natures.spooled import LIMIT, Spooled
from noregret.registry import learner as make_learner
from noregret.rounds import Batch


@dataclass
class Run:
    """One call of `noregret run`."""

    paths: list[Path] = field(default_factory=list)
    specs: list[str] = field(default_factory=list)
    model: Path | None = None
    scale: str | None = None
    reads: DataOptions = field(default_factory=DataOptions)
    passes: int = 1
    shuffle: int | None = None
    lag: int = 0
    labelled: float | None = None
    test: Path | None = None
    predictions: Path | None = None
    save: Path | None = None
    save_best: Path | None = None
    all_members: bool = False
    certificate: Path | None = None
    to_batch: str | None = None
    certify: bool = True
    thorough: bool = False
    spool_limit: float = LIMIT
    all_theorems: bool = False
    report: Path | None = None
    cache: bool = False
    every: int | None = None
    json: str | None = None
    quiet: bool = False

    def go(self) -> None:
        """Play, certify, report; raise afterwards what stopped the run, if anything did."""
        inputs = [*self.paths, self.test, None if self.model == self.save else self.model]
        outputs = [self.save, self.save_best, self.certificate, self.report]
        self.output = Output(self.json, self.quiet, outputs, inputs, rows=[self.predictions])
        if not self.paths:
            self.reads.require_nothing(self.cache)
        require_certifiable(self.certificate, self.paths, self.model, self.certify)
        if self.to_batch is not None:
            require_method(self.to_batch)
        require_report(self.report)
        self.learners, meta = self._learners()
        self._require_learners()
        self.comparisons: Any = None
        self.seen: Fingerprint | None = None
        self.labels = self.reads.labels(meta, task_of(self.learners))
        self._require_binary()
        if self.to_batch is not None:
            self._require_fixed_weights()
        self.reading = self.reads.reading(meta)
        if self.test == STDIN and STDIN in self.paths:
            raise BadCommand("standard input (-) can be read only once; give a file to --test")
        self.source = self._source()
        if self.test is not None:
            self.tests = Spool(self.test) if is_pipe(self.test) else None  # every learner reads it
            self.test_stream()  # a file that is not there is said before the run
        self.baselines = Baselines(self.labels)
        self.written = None
        if self.predictions is not None:
            self.written = PredictionFile(self.predictions, [one.spec for one in self.learners], self.labels)
        began = time.perf_counter()
        ledgers, stopped = self._play()
        self.seconds = time.perf_counter() - began
        if ledgers and not (isinstance(stopped, BadLabel) and self._keeps_nothing()):
            stopped = self._report(ledgers) or stopped
        if stopped is None and self.written is not None:
            stopped = self.written.problem
        if isinstance(stopped, KeyboardInterrupt):
            signals.tell("what was learned so far was kept")
        if stopped is not None:
            raise stopped

    def _keeps_nothing(self) -> bool:
        """Whether nobody asked for what was learned up to a label that is not for these learners."""
        return not any((self.save, self.save_best, self.predictions, self.report, self.json))

    def _require_binary(self) -> None:
        """Refuse what is for two classes, where the learners are for something else."""
        if self.labels.task == "binary":
            return
        told = f"and {self.learners[0].spec} is for {self.labels.task}"
        if not self.paths:
            raise BadCommand(f"the built-in stream has two classes, {told}; give a file")
        if self.to_batch is not None:
            raise BadCommand(f"--to-batch is for two classes, {told}")

    def _require_fixed_weights(self) -> None:
        """Refuse --to-batch for learners of which no fixed predictor can be made."""
        try:
            for learner in self.learners:
                require_fixed_weights(learner)
        except BadType as problem:
            raise BadCommand(f"--to-batch: {problem}") from None

    def _learners(self) -> tuple[list[Any], dict[str, Any]]:
        specs = self.specs or ([] if self.model else ["auto"])
        for spec in specs:
            require_no_rule(spec)
        learners = [require_linear(make_learner(spec)) for spec in scaled_specs(specs, self.scale)]
        if self.model is not None:
            loaded, meta = open_model(self.model)
            learners.insert(0, require_linear(loaded, self.model))
            return learners, meta
        return learners, {}

    def _require_learners(self) -> None:
        if self.lag and self.to_batch is not None:
            raise BadCommand("--to-batch needs every label before the next round; it does not go with --lag")
        if self.labelled is not None and self.certificate is not None:
            raise BadCommand(
                "--certificate is checked with every label of the data; it does not go with --labelled"
            )
        if self.lag and self.certificate is not None:
            require_no_panel(self.learners, "--certificate with --lag")
        if self.to_batch is not None:
            require_no_panel(self.learners, "--to-batch")
        if self.save_best is not None:
            require_panel(self.learners, self.lag)

    def _source(self) -> Any:
        if not self.paths:
            stream: Any = inspection_line()
            self.total: int | None
            self.title, self.total, self.unit = (
                "the inspection line (built in)",
                len(stream) * self.passes,
                "rows",
            )
        else:
            stream = self.reads.open(self.paths, self.reading, self.labels)
            if self.passes > 1 and self.shuffle is None and not stream.replayable:
                raise BadCommand("what comes through a pipe is read once; for several passes give a file")
            if self.cache:
                stream = cached(stream)
            self.title = ", ".join(path.name if path != STDIN else "standard input" for path in self.paths)
            self.total, self.unit = stream.size * self.passes or None, "bytes"
        self.stream = stream
        once = self.certify and not getattr(stream, "replayable", True)
        return self._told(Spooled(stream, self.spool_limit) if once else stream)

    def _told(self, stream: Any) -> Any:
        """The rounds in the order, and with the labels, that were asked for."""
        if self.passes > 1 or self.shuffle is not None:
            stream = Passes(stream, self.passes, self.shuffle)
        if self.labelled is not None:
            stream = PartlyLabelled(stream, self.labelled)
        return Delayed(stream, self.lag) if self.lag else stream

    def _play(self) -> tuple[list[Ledger], BaseException | None]:
        """Play to the end or to whatever stops it; the ledgers are there in both cases."""
        stopped: BaseException | None = None
        late = Late(self.lag)
        with RunProgress(self.total, self.unit, self.quiet, self.every) as progress:

            def watch(batch: Batch, ledgers: Sequence[Ledger], said: Sequence[Said]) -> None:
                if self.written is not None and self.predictions == STDOUT:
                    self.written.batch(batch, said)  # whoever reads it does not wait for labels
                for settled in late.add(batch, said):
                    self._settled(*settled)
                progress.batch(batch, ledgers)

            try:
                ledgers = play_all(
                    self.source,
                    self.learners,
                    watch=watch,
                    skip=self.reads.on_bad_row == "skip",
                    scores=self.written is not None,
                    sampling=self.certify,
                )
            except (BadInput, KeyboardInterrupt) as problem:
                ledgers, stopped = getattr(problem, "ledgers", []), problem
            except BaseException:
                if self.written is not None:
                    self.written.discard()
                raise
        for settled in late.rest():
            self._settled(*settled)
        if not any(ledger.rounds for ledger in ledgers):
            if self.written is not None:
                self.written.discard()
            if stopped is None:
                bad = "".join(f"; {one}" for one in getattr(self.stream, "faults", [])[:1])
                raise BadFile(f"there is not a single row to learn from{bad}")
            return [], stopped
        if self.written is not None:
            self.written.close()
        return ledgers, stopped

    def _settled(self, batch: Batch, said: Sequence[Said]) -> None:
        """Count and write rounds of which it is known who played them."""
        self.baselines.batch(batch, played=~np.isnan(said[0].predictions))
        if self.written is not None and self.predictions != STDOUT:
            self.written.batch(batch, said)

    def _report(self, ledgers: list[Ledger]) -> BaseException | None:
        """Tell and write what there is; give what went wrong with the test file, if anything did."""
        if self.save is not None and self.to_batch is None:
            self._save(ledgers)
        if self.save_best is not None:
            self._save_best(self.save_best, all(ledger.complete for ledger in ledgers))
        certificates = self._certify(ledgers)
        tested, untested = self._tests()
        shown = self._shown(certificates)
        show_run(self, ledgers, shown, tested)
        if self.report is not None:
            runs = list(zip(self.learners, ledgers, shown, certificates, strict=True))
            write_report(self.output, self.report, self.title, runs, self.baselines, self.comparisons)
        converted = [] if self.to_batch is None else converted_runs(self, self.to_batch, ledgers)
        told = run_as_json(self, ledgers, shown, tested)
        self.output.write(told | ({"to_batch": converted} if converted else {}))
        if self.certificate is not None:
            certify_run(self, self.certificate, ledgers, certificates, self.seen)
            self.output.say(where_written(self.certificate, *self.paths))
        return untested

    def _certify(self, ledgers: list[Ledger]) -> list[list[Certificate]]:
        """Certify all runs in one pass, unless the user does not want to wait."""
        if not self.certify:
            return [[] for _ in ledgers]
        effort = "thorough" if self.thorough else "normal"
        if signals.is_ending():
            return [not_judged(ledger, "the process was asked to end") for ledger in ledgers]
        observers = self._observers(ledgers)
        try:
            with JudgingProgress(self.total, self.unit, self.quiet) as progress:
                return certify_all(ledgers, effort=effort, observers=observers, progress=progress.batch)
        except KeyboardInterrupt:
            self.comparisons = self.seen = None  # they have not seen every row
            signals.tell("the run was not judged; what was learned was kept")
            return [not_judged(ledger, "judging was stopped") for ledger in ledgers]

    def _observers(self, ledgers: list[Ledger]) -> list[Any]:
        """What else looks at the rows of the judging pass: the comparators of the report, the fingerprint."""
        observers: list[Any] = []
        if self.report is not None:
            from noregret.regret.over_rounds import Comparisons

            self.comparisons = Comparisons(ledgers)
            observers += self.comparisons.observers
        if self.certificate is not None and self.source is self.stream:
            self.seen = Fingerprint()
            observers.append(self.seen)
        return observers

    def _shown(self, certificates: list[list[Certificate]]) -> list[list[Certificate]]:
        """Of theorems that contain one another the one that says most, unless all are asked for."""
        return certificates if self.all_theorems else [telling(many) for many in certificates]

    def test_stream(self) -> Any:
        """The test file, with the labels of the data; what was said is about the data, and it may differ."""
        labels = Labels.from_json(self.labels.as_json(), RUN)
        reading = getattr(self.stream, "settled", self.reading)
        path = self.tests.path if self.tests else self.test or Path()
        format, on_bad_row = self.reads.format, self.reads.on_bad_row
        return open_data(path, reading, labels, format=format, on_bad_row=on_bad_row)

    def _tests(self) -> tuple[list[Tested], BaseException | None]:
        """Predict the test file; the run counts without it too."""
        if self.test is None:
            return [], None
        try:
            return [count_errors(learner, self.test_stream()) for learner in self.learners], None
        except (BadInput, BadCommand, KeyboardInterrupt) as problem:
            self.test = None
            return [], problem

    def _save(self, ledgers: list[Ledger]) -> None:
        best, why = summary.best(ledgers)
        reading = getattr(self.stream, "settled", None)
        complete = ledgers[best].complete
        save(self.learners[best], self.save or "", labels=self.labels, reading=reading, complete=complete)
        if len(ledgers) > 1:
            self.output.say(f"saved {self.learners[best].spec}, which had {why}, to {self.save}")
        else:
            self.output.say(f"saved {self.learners[best].spec} to {self.save}")

    def _save_best(self, path: Path, complete: bool) -> None:
        best = panels(self.learners)[0].best()
        reading = getattr(self.stream, "settled", None)
        save(best, path, labels=self.labels, reading=reading, complete=complete)
        self.output.say(f"saved {best.spec}, the best member, to {path}")
