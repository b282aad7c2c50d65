"""`noregret learners`: every learner with its parameters and its theorems."""

from __future__ import annotations

import inspect
from typing import Annotated, Any

import typer

from noregret.cli.options import Json


def learners(
    name: Annotated[str | None, typer.Argument(help="Show one learner in full.", show_default=False)] = None,
    json: Json = None,
) -> None:
    """List the learners; with a NAME, everything about one of them."""
    from noregret.cli.output import Output, table
    from noregret.parameters import written
    from noregret.registry import EXPERTS, FINITE_LEARNERS, LEARNERS, PANELS, learner_class

    output = Output(json, quiet=False)
    names = [name] if name else [*LEARNERS, *PANELS, *EXPERTS, *FINITE_LEARNERS]
    classes = [learner_class(one) for one in names]
    if name:
        _show_one(output, classes[0])
    else:
        columns = ("parameters", "rule", "theorems")
        listed = table("", "learner", *columns, words=columns)
        for kind in classes:
            parameters = ", ".join(f"{p.name}={written(p.default)}" for p in kind.accepts)
            listed.add_row(
                kind.name,
                parameters or "–",
                kind.summary,
                ", ".join(t.name for t in _theorems(kind)) or "none",
            )
        output.show(listed)
        output.say("\nA spec is a name with parameters: perceptron:rate=0.5,bias=true")
        output.say("A panel has the specs of its members: panel:rule=squint/perceptron/arow:ridge=10")
        output.say("Rules with a parameter n weigh experts: noregret experts FILE --target COL --rule boa")
        output.say(
            f"Over a class of hypotheses: {', '.join(FINITE_LEARNERS)}; noregret duel soa tree --class all:3"
        )
    output.write([_as_json(kind) for kind in classes])


def _theorems(kind: Any) -> tuple[Any, ...]:
    from noregret.registry import sample

    return tuple(sample(kind).theorems())


def _show_one(output: Any, kind: Any) -> None:
    from noregret.parameters import written

    output.say(f"{kind.name}: {kind.summary}\n")
    output.say(inspect.cleandoc(kind.__doc__ or "").split(">>>")[0].rstrip())
    for parameter in kind.accepts:
        output.say(f"\n{parameter.name}={written(parameter.default)}\n    {parameter.meaning}")
    for theorem in _theorems(kind):
        output.say(f"\n{theorem.name}\n    {theorem.statement}\n    {theorem.source}")
    if not _theorems(kind):
        output.say("\nNo theorem is known for it here.")


def _as_json(kind: Any) -> dict[str, Any]:
    return {
        "learner": kind.name,
        "rule": kind.summary,
        "parameters": [{"name": p.name, "default": p.default, "meaning": p.meaning} for p in kind.accepts],
        "theorems": [
            {"theorem": t.name, "statement": t.statement, "source": t.source} for t in _theorems(kind)
        ],
    }
