"""The one list of names: specs to learners and back.

A spec is a name, and parameters if they are not the default: ``winnow:promotion=1.5,threshold=200``.
"""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import Any

from noregret.errors import BadParameter, UnknownName
from noregret.parameters import Parameter

LEARNERS: dict[str, tuple[str, str]] = {
    "perceptron": ("noregret.linear.perceptron", "Perceptron"),
    "winnow": ("noregret.linear.winnow", "Winnow"),
    "normalized-winnow": ("noregret.linear.winnow", "NormalizedWinnow"),
    "balanced-winnow": ("noregret.linear.winnow", "BalancedWinnow"),
    "majority": ("noregret.linear.baselines", "Majority"),
    "last-label": ("noregret.linear.baselines", "LastLabel"),
}

# Rules over experts: they need to know how many, as in "hedge:n=3" or expert_rule("hedge", 3).
EXPERTS: dict[str, tuple[str, str]] = {
    "wm": ("noregret.experts.weighted_majority", "WeightedMajority"),
    "rwm": ("noregret.experts.weighted_majority", "RandomizedMajority"),
    "hedge": ("noregret.experts.hedge", "Hedge"),
    "adahedge": ("noregret.experts.adahedge", "AdaHedge"),
    "squint": ("noregret.experts.squint", "Squint"),
    "fixed-share": ("noregret.experts.fixed_share", "FixedShare"),
    "mlprod": ("noregret.experts.mlprod", "MLProd"),
    "boa": ("noregret.experts.boa", "BOA"),
    "mlpol": ("noregret.experts.mlpol", "MLPol"),
    "eg": ("noregret.experts.hedge", "EG"),
    "expert-ridge": ("noregret.experts.ridge", "ExpertRidge"),
    "ftl": ("noregret.experts.follow_leader", "FollowTheLeader"),
}


def learner_class(name: str) -> Any:
    """Find the class of a learner by its name."""
    homes = LEARNERS | EXPERTS
    if name not in homes:
        near = difflib.get_close_matches(name, homes, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "`noregret learners` lists them"
        raise UnknownName(f"there is no learner called '{name}'; {hint}")
    module, attribute = homes[name]
    return getattr(import_module(module), attribute)


def learner(spec: str) -> Any:
    """Make the learner that a spec describes.

    >>> learner("perceptron:rate=0.5").spec
    'perceptron:rate=0.5'
    """
    kind, given = _read(spec)
    if kind.name in EXPERTS and "n" not in given:
        raise BadParameter(f"in '{spec}': {kind.name} weighs experts; say how many, as in {kind.name}:n=3")
    return kind(**given)


def expert_rule(spec: str, n: int, **defaults: Any) -> Any:
    """Make the rule over n experts that a spec describes; the spec has the last word over the defaults.

    >>> expert_rule("hedge:rate=0.5", 3).spec
    'hedge:n=3,rate=0.5'
    """
    kind, given = _read(spec)
    if kind.name not in EXPERTS:
        raise UnknownName(f"{kind.name} does not weigh experts; {', '.join(EXPERTS)} do")
    known = {parameter.name for parameter in kind.accepts}
    return kind(**{"n": n} | {k: v for k, v in defaults.items() if k in known} | given)


def _read(spec: str) -> tuple[Any, dict[str, Any]]:
    """Take a spec apart: the class, and the parameters given."""
    name, _, text = spec.strip().partition(":")
    kind = learner_class(name.strip())
    known = {parameter.name: parameter for parameter in kind.accepts}
    given: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key not in known:
            raise BadParameter(f"in '{spec}': {_expected(name, known, part)}")
        if key in given:
            raise BadParameter(f"in '{spec}': {key} is given twice")
        given[key] = _value(spec, known[key], value)
    return kind, given


def _expected(name: str, known: dict[str, Parameter], part: str) -> str:
    if not known:
        return f"{name} has no parameters, and was given '{part}'"
    return f"'{part}' is not a parameter of {name}; write " + " or ".join(f"{key}=…" for key in known)


def _value(spec: str, parameter: Parameter, text: str) -> float | bool | str | None:
    if isinstance(parameter.default, str):
        return text
    if isinstance(parameter.default, bool):
        if text.lower() in ("true", "yes", "1", "false", "no", "0"):
            return text.lower() in ("true", "yes", "1")
        raise BadParameter(f"in '{spec}': {parameter.name} is '{text}'; it must be true or false")
    if parameter.default is None and text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise BadParameter(f"in '{spec}': {parameter.name} is '{text}'; it must be a number") from None
