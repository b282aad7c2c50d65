"""`noregret inspect`: look into a saved learner."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from noregret.cli.options import Json, Quiet


def inspect(
    model: Annotated[
        Path, typer.Argument(help="A model file that `noregret run --save` wrote.", readable=False)
    ],
    top: Annotated[int, typer.Option("--top", min=1, help="Show so many weights.")] = 20,
    example: Annotated[
        Path | None,
        typer.Option("--example", help="Say why a row of this file gets its prediction.", show_default=False),
    ] = None,
    row: Annotated[int, typer.Option("--row", min=1, help="Which row of --example.")] = 1,
    diff: Annotated[
        Path | None,
        typer.Option(
            "--diff", help="Show what changed since this other model file was saved.", show_default=False
        ),
    ] = None,
    json: Json = None,
    quiet: Quiet = False,
) -> None:
    """Show what a saved learner has learned: its largest weights by name, and its running numbers.

    Examples:

      noregret inspect mail.model

      noregret inspect mail.model --example new.svm --row 3

      noregret inspect mail.model --diff yesterday.model
    """
    from noregret.cli.explaining import compare, explain
    from noregret.cli.output import Output
    from noregret.conversion.converted import Conversion
    from noregret.errors import BadCommand
    from noregret.experts.rule import ExpertRule
    from noregret.model_file import open_model
    from noregret.panel.panel import Panel

    output = Output(json, quiet, inputs=[model, example, diff])
    learner, meta = open_model(model)
    if example is not None and diff is not None:
        raise BadCommand("--example and --diff ask for two things; give one of them")
    if example is not None:
        explain(output, learner, meta, example, row, top)
        return
    if diff is not None:
        compare(output, learner, diff, top)
        return
    if isinstance(learner, Conversion):
        _inspect_batch(output, learner, meta, top)
        return
    if isinstance(learner, ExpertRule):
        _inspect_rule(output, learner, meta, top)
        return
    if isinstance(learner, Panel):
        _inspect_panel(output, learner, meta, top)
        return
    _inspect_learner(output, learner, meta, top)


def _inspect_learner(output: Any, learner: Any, meta: dict[str, Any], top: int) -> None:
    """Show a learner over features: its largest weights, and its running numbers."""
    from noregret.certificate import counted, shown
    from noregret.cli.cells import dim
    from noregret.cli.explaining import biases, is_vote
    from noregret.cli.output import table
    from noregret.linear.learner import flat

    weights, start = flat(learner.weights), learner.initial_weight
    if is_vote(learner):
        weights = {}  # those of a voted Perceptron are of its last voter alone
    largest = sorted(weights.items(), key=lambda pair: (-abs(pair[1] - start), str(pair[0])))[:top]
    output.say(
        f"{learner.spec}, saved by noregret {meta['version']}"
        + ("" if meta["complete"] else ", from a run that was stopped")
    )
    if is_vote(learner):
        kept = counted(learner.scalars["supports"], "example")
        output.say(f"it predicts by a vote of {kept} that it keeps: there are no weights to show")
    else:
        have = "has" if len(weights) == 1 else "have"
        output.say(f"{counted(len(weights), 'feature')} {have} a weight other than {shown(start)}")
        of_classes = getattr(learner, "task", "") == "multiclass"
        listed = table("", "class, feature" if of_classes else "feature", "weight")
        for feature, weight in largest:
            listed.add_row(str(feature), f"{weight:.6g}")
        for name, bias in biases(learner).items():
            listed.add_row(dim(name), f"{bias:.6g}")
        output.show(listed)
    output.say("running numbers: " + ", ".join(f"{k} {shown(v)}" for k, v in learner.scalars.items()))
    output.write(
        {
            "learner": learner.spec,
            "version": meta["version"],
            "complete": meta["complete"],
            "features": len(weights),
            "intercept": learner.intercept,
            "scalars": learner.scalars,
            "weights": [{"feature": feature, "weight": weight} for feature, weight in largest],
        }
    )


def _inspect_batch(output: Any, made: Any, meta: dict[str, Any], top: int) -> None:
    """Show what --to-batch made: what is promised, and the largest weights of a single hypothesis."""
    from noregret.certificate import counted
    from noregret.cli.output import share, table

    start, bound = made.initial_weight, made.bound
    weights = sorted(made.weights.items(), key=lambda pair: (-abs(pair[1] - start), str(pair[0])))[:top]
    many = made.predictor.hypotheses
    votes = counted(many, "hypothesis", "hypotheses")
    output.say(f"{made.spec}, saved by noregret {meta['version']}: {votes}; it learns no more")
    output.say(f"{bound.heading} {share(bound.value)} with confidence {share(1.0 - bound.delta)}")
    output.say(f"({bound.statement})")
    listed = table("", "feature", "weight")
    for feature, weight in weights:
        listed.add_row(str(feature), f"{weight:.6g}")
    output.show(listed)
    told = [{"feature": feature, "weight": weight} for feature, weight in weights]
    output.write(made.as_json() | {"version": meta["version"], "weights": told})


def _inspect_panel(output: Any, panel: Any, meta: dict[str, Any], top: int) -> None:
    """Show a panel: the members with the largest weights, and its certificates as it stands."""
    from noregret.cli.output import certificates_table, share, table
    from noregret.cli.panels import panel_as_json
    from noregret.judging.experts import certify_experts

    account = panel.account()
    certificates = certify_experts(account, panel.theorems())
    output.say(f"{panel.spec}, saved by noregret {meta['version']}, after {account.rounds:,} rounds")
    listed = table("", "member", "weight", "mistakes")
    for one in sorted(panel.standings(), key=lambda one: -one.weight)[:top]:
        listed.add_row(one.member, share(one.weight), f"{one.mistakes:,.0f}")
    output.show(listed)
    output.show(certificates_table([(panel.name, c) for c in certificates]))
    output.write(
        {
            "learner": panel.spec,
            "version": meta["version"],
            "complete": meta["complete"],
            "rounds": account.rounds,
        }
        | panel_as_json(panel)
        | {"certificates": [c.as_json() for c in certificates]}
    )


def _inspect_rule(output: Any, rule: Any, meta: dict[str, Any], top: int) -> None:
    """Show a rule over experts: the largest weights, and its certificates as it stands."""
    from noregret.certificate import shown
    from noregret.cli.output import certificates_table, table
    from noregret.judging.certify import certify

    weights = rule.weights.tolist()
    names = meta.get("experts") or [str(i) for i in range(rule.n)]
    account, certificates = rule.account(), certify(rule)
    largest = sorted(range(rule.n), key=lambda i: (-abs(weights[i]), i))[:top]
    output.say(f"{rule.spec}, saved by noregret {meta['version']}, after {account.rounds:,} rounds")
    listed = table("", "expert", "weight", "regret")
    for i in largest:
        listed.add_row(names[i], f"{weights[i]:.6g}", shown(float(account.regrets[i])))
    output.show(listed)
    output.show(certificates_table([(rule.rule, c) for c in certificates]))
    output.write(
        {
            "learner": rule.spec,
            "version": meta["version"],
            "complete": meta["complete"],
            "rounds": account.rounds,
            "scalars": dict(rule.scalars),
            "weights": [{"expert": i, "name": names[i], "weight": weights[i]} for i in largest],
            "certificates": [c.as_json() for c in certificates],
        }
    )
