"""What `noregret experts` does: play every rule, compare with hindsight, certify, show, write."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noregret.certificate import Certificate, Verdict, counted, shown
from noregret.certification import certify_experts
from noregret.cli.cells import dim
from noregret.cli.certificates import certify_aggregation, require_certifiable, where_written
from noregret.cli.forecasts import Forecasts, read_forecasts
from noregret.cli.output import Output, certificates_table, coloured, share, table
from noregret.cli.reporting import command, require_report
from noregret.cli.tables import write_predictions, write_weights
from noregret.errors import BadCommand
from noregret.experts.losses import Loss, parse_loss
from noregret.experts.played import Played, play_rule
from noregret.hindsight.experts import Hindsight, in_hindsight
from noregret.model_file import open_model, save
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
        self.priced = parse_loss(self.loss)
        columns = (self.target, self.experts, self.time, self.series)
        self.data = read_forecasts(self.path, *columns, self.priced, self.on_bad_row)
        rules = self._rules()
        keep = self.weights is not None or self.report is not None
        self.played = [
            play_rule(rule, self.data.advice, self.data.truth, self.data.series, keep_weights=keep)
            for rule in rules
        ]
        self.played.sort(key=lambda one: float(one.losses.sum()))
        self.hindsight = in_hindsight(
            self.data.advice, self.data.truth, self.loss, min(self.switches, len(self.data.truth))
        )
        self.certificates = [
            [c for account in one.accounts for c in certify_experts(account, one.rules[0].theorems())]
            for one in self.played
        ]
        self._show()
        self._write()

    def _rules(self) -> list[Any]:
        n = len(self.data.names)
        made = []
        if self.model is not None:
            loaded, _ = open_model(self.model)
            if getattr(loaded, "n", None) != n:
                told = f"{loaded.spec} weighs {getattr(loaded, 'n', 'no')} experts"
                raise BadCommand(f"{self.model}: {told}, and the file has {n}: {', '.join(self.data.names)}")
            made.append(loaded)
        fitting = BY_LABEL if self.priced.name == "zero-one" else RULES
        specs = self.specs or ([] if made else fitting)
        made += [expert_rule(spec, n, loss=self.loss, gradient=self.gradient) for spec in specs]
        if other := [rule for rule in made if rule.n != n]:
            raise BadCommand(
                f"{other[0].spec} weighs {other[0].n} experts, and the file has {n}; leave n out"
            )
        return made

    # ---- what is shown -------------------------------------------------------------------------

    def _show(self) -> None:
        data = self.data
        say = self.output.say
        counts = f"{counted(len(data.truth), 'row')}, {counted(len(data.names), 'expert')}"
        say(f"{self.path.name}: {counts}, loss {self.loss}")
        if data.skipped:
            say(f"skipped: {counted(data.skipped, 'bad row')}")
        if data.left_out:
            say(f"left out, not numeric or not named: {', '.join(data.left_out)}")
        self.output.show(self._summary(), spare=["MAPE"])
        told = [(one.name, c) for one, many in zip(self.played, self.certificates, strict=True) for c in many]
        if told:
            say()
            self.output.show(certificates_table(told))

    def _summary(self) -> Any:
        errors = ("error rate",) if self.priced.name == "zero-one" else ("RMSE", "MAPE")
        made = table("", "rule", "mean loss", *errors, "over best expert", "regret bound", "verdict")
        rounds = len(self.data.truth)
        for one, certificates in zip(self.played, self.certificates, strict=True):
            chosen = _leading(certificates)
            bound = "–" if chosen is None else shown(_on_regret(chosen))
            verdict = "–" if chosen is None else coloured(chosen.verdict)
            cells = self._errors(one.losses, one.predictions)
            mean = shown(float(one.losses.mean()))
            made.add_row(one.name, mean, *cells, shown(self._regret(one)), bound, verdict)
        for row in self.hindsight:
            cells = self._errors(row.losses, row.predictions)
            mark = "baseline" if row.name == "uniform" else "hindsight"
            made.add_row(dim(row.name), shown(row.loss / rounds), *cells, "", "", dim(mark))
        return made

    def _errors(self, losses: Floats, said: Floats | None) -> tuple[str, ...]:
        if self.priced.name == "zero-one":
            return (share(float(losses.mean())),)
        if said is None:
            return ("–", "–")
        mape = mean_percentage(said, self.data.truth)
        return shown(root_mean_square(said, self.data.truth)), "–" if mape is None else share(mape)

    def _regret(self, one: Played) -> float:
        """Of what was said, against the best expert; with labels of Σp·ℓ, which is what is certified.

        With the gradient trick the certified regret is another: that of losses made linear at the prediction.
        """
        if self.priced.name == "zero-one":
            return sum(rule.account().regret for rule in one.rules)
        return float(one.losses.sum()) - self.hindsight[1].loss

    # ---- what is written -----------------------------------------------------------------------

    def _write(self) -> None:
        if self.predictions is not None:
            write_predictions(self.predictions, self.data, self.target, self.played)
        if self.weights is not None:
            write_weights(self.weights, self.data, self.played)
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
        if self.series is not None:
            raise BadCommand(
                "a rule for each series cannot be saved in one file; leave out --series or --save"
            )
        best = self.played[0]
        save(best.rules[0], path)
        self.output.say(f"saved {best.name}" + (", which had the least loss" if len(self.played) > 1 else ""))

    def _as_json(self) -> dict[str, Any]:
        pairs = zip(self.played, self.certificates, strict=True)
        return {
            "data": str(self.path),
            "rows": len(self.data.truth),
            "skipped": self.data.skipped,
            "loss": self.loss,
            "experts": self.data.names,
            "rules": [self._rule_as_json(one, certificates) for one, certificates in pairs],
            "hindsight": [self._hindsight_as_json(row) for row in self.hindsight],
        }

    def _rule_as_json(self, one: Played, certificates: list[Certificate]) -> dict[str, Any]:
        told = _numbers(self.priced, one.losses, one.predictions, self.data)
        weights = [rule.weights.tolist() for rule in one.rules]
        return {
            "rule": one.name,
            **told,
            "regret": self._regret(one),
            "weights": weights[0] if one.keys is None else dict(zip(one.keys, weights, strict=True)),
            "certificates": [c.as_json() for c in certificates],
        }

    def _hindsight_as_json(self, row: Hindsight) -> dict[str, Any]:
        told = _numbers(self.priced, row.losses, row.predictions, self.data)
        weights = None if row.weights is None else row.weights.tolist()
        return {"name": row.name, **told, "weights": weights}


def _numbers(loss: Loss, losses: Floats, said: Floats | None, data: Forecasts) -> dict[str, float | None]:
    labels = loss.name == "zero-one"
    return {
        "loss": float(losses.sum()),
        "rmse": None if labels or said is None else root_mean_square(said, data.truth),
        "mape": None if labels or said is None else mean_percentage(said, data.truth),
        "error_rate": float(losses.mean()) if labels else None,
    }


def _leading(certificates: list[Certificate]) -> Certificate | None:
    """The certificate for the summary: broken first, then the least bound on the regret."""
    broken = [c for c in certificates if c.verdict is Verdict.BROKEN]

    def size(certificate: Certificate) -> float:
        bound = _on_regret(certificate)
        return math.inf if bound is None else bound

    return min(broken or certificates, key=size, default=None)


def _on_regret(certificate: Certificate) -> float | None:
    """A bound on a loss is a bound on the regret, less what the best expert lost."""
    if certificate.bound is None or certificate.about == "regret":
        return certificate.bound
    return certificate.bound - certificate.quantities["L*"]


def root_mean_square(said: Floats, truth: Floats) -> float:
    """The root of the mean squared error, over the rows where something was said."""
    return math.sqrt(float(np.nanmean((said - truth) ** 2)))


def mean_percentage(said: Floats, truth: Floats) -> float | None:
    """The mean of |error|/|truth|; None when a truth is 0."""
    return None if (truth == 0.0).any() else float(np.nanmean(np.abs(said - truth) / np.abs(truth)))
