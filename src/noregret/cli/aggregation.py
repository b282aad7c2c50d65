"""What `noregret experts` does: play every rule, compare with hindsight, certify, show, write."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from noregret.certificate import Certificate, counted, shown
from noregret.cli.cells import dim
from noregret.cli.certificates import certify_aggregation, require_certifiable, where_written
from noregret.cli.data_options import listed
from noregret.cli.expert_model import load_rule, require_fit
from noregret.cli.forecasts import read_forecasts
from noregret.cli.measures import mean_percentage, numbers, root_mean_square
from noregret.cli.output import Output, certificates_table, coloured, share, table
from noregret.cli.reporting import command, require_report
from noregret.cli.standing import remark, standing, whose
from noregret.cli.tables import write_predictions, write_weights
from noregret.errors import BadCommand, BadFile
from noregret.experts.losses import parse_loss
from noregret.experts.played import Played, play_rule
from noregret.hindsight.experts import Hindsight, in_hindsight, regret_curve
from noregret.judging.experts import certify_experts
from noregret.model_file import save
from noregret.registry import expert_rule
from noregret.rounds import Floats

RULES = ("mlpol", "boa", "adahedge", "eg")
BY_LABEL = ("wm", "rwm", "hedge", "adahedge", "squint")


@dataclass
class Aggregation:
    """One call of the command."""

    path: Path
    target: str
    experts: str | None
    specs: list[str]
    loss: str
    gradient: bool | str
    time: str | None
    series: str | None
    switches: int
    model: Path | None
    predictions: Path | None
    weights: Path | None
    report: Path | None
    save: Path | None
    certificate: Path | None
    on_bad_row: str
    json: str | None
    quiet: bool

    def go(self) -> None:
        """Do all of it."""
        outputs = [self.report, self.save, self.certificate]
        inputs = [self.path, None if self.model == self.save else self.model]
        self.output = Output(self.json, self.quiet, outputs, inputs, rows=[self.predictions, self.weights])
        require_certifiable(self.certificate, [self.path], self.model, certify=True)
        require_report(self.report)
        if self.save is not None and self.series is not None:
            raise BadCommand(
                "a rule for each series cannot be saved in one file; leave out --series or --save"
            )
        self.priced = parse_loss(self.loss)
        experts = None if self.experts is None else listed("experts", [self.experts])
        self.loaded: Any = None
        if self.model is not None:
            self.loaded, experts = load_rule(self.model, experts)
        columns = (self.target, experts, self.time, self.series)
        self.whole = read_forecasts(self.path, *columns, self.priced, self.on_bad_row)
        told = self.whole.told
        self.data = self.whole.where(told)
        self._require_truth()
        rules = self._rules()
        keep = self.weights is not None or self.report is not None
        advice, truth, series = self.whole.advice, self.whole.truth, self.whole.series
        played = [play_rule(rule, advice, truth, series, keep_weights=keep) for rule in rules]
        self.said = [self._as_priced(one) for one in played]
        self.said.sort(key=lambda one: float(np.nansum(one.losses)))
        self.played = [one.where(told) for one in self.said]
        self.hindsight, self.certificates = self._compared()
        self._show()
        self._write()

    def _require_truth(self) -> None:
        """Refuse a table without a single truth, where something has to be learned from it."""
        if self.data.told.any():
            return
        if self.model is None:
            raise BadFile(
                f"{self.path}: no row has its truth in '{self.target}', and a rule learns from that; "
                "--model goes on with one that has learned"
            )
        if self.report is not None:
            raise BadCommand("no row has its truth: there is nothing to report; leave out --report")

    def _compared(self) -> tuple[list[Hindsight], list[list[Certificate]]]:
        """What hindsight would have done, and what the theorems say: of the rows with their truth."""
        advice, truth = self.data.advice, self.data.truth
        if not len(truth):
            return [], [[] for _ in self.played]
        hindsight = in_hindsight(advice, truth, self.loss, self.switches)
        return hindsight, [
            [c for account in one.accounts for c in certify_experts(account, one.rules[0].theorems())]
            for one in self.played
        ]

    def _as_priced(self, one: Played) -> Played:
        """Price what a rule said as everybody's is: some learn with a loss of their own."""
        losses = self.priced.of(one.predictions, self.whole.truth)
        return replace(one, losses=np.where(self.whole.told, losses, np.nan))

    def _rules(self) -> list[Any]:
        n = len(self.data.names)
        made = []
        if self.model is not None:
            require_fit(self.model, self.loaded, self.data, self.priced)
            made.append(self.loaded)
        fitting = BY_LABEL if self.priced.name == "zero-one" else RULES
        specs = self.specs or ([] if made else fitting)
        made += [expert_rule(spec, n, loss=self.loss, gradient=self.gradient) for spec in specs]
        if other := [rule for rule in made if rule.n != n]:
            raise BadCommand(
                f"{other[0].spec} weighs {other[0].n} experts, and the file has {n}; leave n out"
            )
        if self.priced.name == "zero-one" and (other := [r for r in made if r.loss.name != "zero-one"]):
            raise BadCommand(
                f"{other[0].spec} says numbers, and --loss zero-one counts labels; use --loss square"
            )
        return made

    # ---- what is shown -------------------------------------------------------------------------

    def _show(self) -> None:
        data = self.data
        say = self.output.say
        untold = len(self.whole.truth) - len(data.truth)
        rows = counted(len(self.whole.truth), "row") + (f", {untold:,} without the truth" if untold else "")
        say(f"{self.path.name}: {rows}, {counted(len(data.names), 'expert')}, loss {self.loss}")
        self.output.skipped(data.skipped)
        if data.left_out:
            say(f"left out, not numeric or not named: {', '.join(data.left_out)}")
        if not len(data.truth):
            say("no row has its truth: every rule predicts, and none learns")
            return
        self.output.show(self._summary(), spare=["MAPE"])
        for note in [remark(one, self.priced) for one in self.played]:
            if note:
                say(f"* {note}")
        pairs = zip(self.played, self.certificates, strict=True)
        told = [named for one, many in pairs for named in zip(whose(one, many), many, strict=True)]
        if self.switches and not self.hindsight[-1].name.startswith("best sequence"):
            say(f"--switches {self.switches}: every such sequence of experts sleeps in some row")
        if told:
            say()
            self.output.show(certificates_table(told))

    def _summary(self) -> Any:
        errors = ("error rate",) if self.priced.name == "zero-one" else ("RMSE", "MAPE")
        made = table("", "rule", "mean loss", *errors, "over best expert", "regret bound", "verdict")
        for one, certificates in zip(self.played, self.certificates, strict=True):
            told, other = standing(one, certificates), remark(one, self.priced)
            bound = "–" if told is None or other else shown(told.bound)
            verdict = "–" if told is None else coloured(told.verdict, told.vacuous)
            cells = self._errors(one.losses, one.predictions)
            mean = shown(float(one.losses.mean()))
            made.add_row(
                f"{one.name} *" if other else one.name, mean, *cells, shown(self._regret(one)), bound, verdict
            )
        for row in self.hindsight:
            cells = self._errors(row.losses, row.predictions)
            mark = "baseline" if row.name == "uniform" else "hindsight"
            made.add_row(dim(row.told_name), shown(row.mean), *cells, "", "", dim(mark))
        return made

    def _errors(self, losses: Floats, said: Floats | None) -> tuple[str, ...]:
        if self.priced.name == "zero-one":
            return (share(float(np.nanmean(losses))),)
        if said is None:
            return ("–", "–")
        mape = mean_percentage(said, self.data.truth)
        return shown(root_mean_square(said, self.data.truth)), "–" if mape is None else share(mape)

    def _regret(self, one: Played) -> float:
        """Of what was said, against the best expert where it was awake; with labels of Σp·ℓ, as certified.

        With the gradient trick the certified regret is another: that of losses made linear at the prediction.
        """
        best = self.hindsight[1]
        if self.priced.name == "zero-one" and best.weights is not None:
            expert = np.argmax(best.weights)
            return float(sum((account.regrets - one.start.regrets)[expert] for account in one.accounts))
        return float(regret_curve(one.losses, best)[-1])

    # ---- what is written -----------------------------------------------------------------------

    def _write(self) -> None:
        if self.predictions is not None:
            write_predictions(self.predictions, self.whole, self.target, self.said)
        if self.weights is not None:
            write_weights(self.weights, self.whole, self.said)
        if self.report is not None:
            from noregret.report.experts import Told, experts_page

            told = [Told(*one) for one in zip(self.played, self.certificates, strict=True)]
            names = (self.data.names, self.data.axis, self.loss)
            experts_page(self.path.name, command(), *names, told, self.hindsight).write(self.report)
            self.output.say(f"wrote {self.report}")
        if self.save is not None:
            self._save(self.save)
        self.output.write(self._as_json())
        if self.certificate is not None:
            certify_aggregation(self, self.certificate)
            self.output.say(where_written(self.certificate, self.path))

    def _save(self, path: Path) -> None:
        best = self.played[0]
        save(best.rules[0], path, experts=self.data.names)
        why = ", which had the least loss," if len(self.played) > 1 else ""
        self.output.say(f"saved {best.name}{why} to {path}")

    def _as_json(self) -> dict[str, Any]:
        pairs = zip(self.played, self.certificates, strict=True)
        return {
            "data": str(self.path),
            "rows": len(self.data.truth),
            "unlabelled": len(self.whole.truth) - len(self.data.truth),
            "skipped": self.data.skipped,
            "loss": self.loss,
            "experts": self.data.names,
            "rules": [self._rule_as_json(one, certificates) for one, certificates in pairs],
            "hindsight": [self._hindsight_as_json(row) for row in self.hindsight],
        }

    def _rule_as_json(self, one: Played, certificates: list[Certificate]) -> dict[str, Any]:
        told = numbers(self.priced, one.losses, one.predictions, self.data.truth)
        weights = [rule.weights.tolist() for rule in one.rules]
        return {
            "rule": one.name,
            **told,
            "regret": self._regret(one) if self.hindsight else None,
            "weights": weights[0] if one.keys is None else dict(zip(one.keys, weights, strict=True)),
            "certificates": [c.as_json() for c in certificates],
        }

    def _hindsight_as_json(self, row: Hindsight) -> dict[str, Any]:
        told = numbers(self.priced, row.losses, row.predictions, self.data.truth)
        weights = None if row.weights is None else row.weights.tolist()
        return {"name": row.name, **told, "weights": weights}
