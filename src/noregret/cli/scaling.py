"""`--scale KIND`: the same scaling for every learner of a run that does not name its own."""

from __future__ import annotations

from collections.abc import Sequence

from noregret.errors import BadCommand
from noregret.linear.learner import SCALES
from noregret.parameters import name_of, one_of
from noregret.registry import PANELS, completed, learner_class


def scaled_specs(specs: Sequence[str], scale: str | None) -> list[str]:
    """Give each spec the scale, unless it has one or is a baseline; refuse what takes none."""
    if scale is None:
        return list(specs)
    one_of("--scale", scale, SCALES)
    if not specs:
        raise BadCommand("a model keeps the scaling that it was learned with; leave --scale out")
    return [_scaled(spec, scale) for spec in specs]


def _scaled(spec: str, scale: str) -> str:
    name = name_of(spec)
    if name in PANELS:
        raise BadCommand(
            f"--scale is for single learners: {name} weighs members that scale rows against members that do "
            "not; leave it out, or name members, as in panel:arow:scale=max/arow"
        )
    accepts = learner_class(name).accepts
    if not accepts:  # a baseline: it looks at no feature
        return spec
    if all(parameter.name != "scale" for parameter in accepts):
        raise BadCommand(
            f"--scale is for learners that take a scale, and {name} takes none; leave --scale out and write "
            f"scale={scale} in the specs of the others"
        )
    return completed(spec, scale=scale)
