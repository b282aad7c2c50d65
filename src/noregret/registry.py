"""The one list of names: specs to learners and back.

A spec is a name, and parameters if they are not the default: ``winnow:promotion=1.5,threshold=200``.
"""

from __future__ import annotations

import difflib
from importlib import import_module
from typing import Any

from noregret.errors import BadParameter, UnknownName
from noregret.linear.learner import Parameter

LEARNERS: dict[str, tuple[str, str]] = {
    "perceptron": ("noregret.linear.perceptron", "Perceptron"),
    "winnow": ("noregret.linear.winnow", "Winnow"),
    "normalized-winnow": ("noregret.linear.winnow", "NormalizedWinnow"),
    "balanced-winnow": ("noregret.linear.winnow", "BalancedWinnow"),
    "majority": ("noregret.linear.baselines", "Majority"),
    "last-label": ("noregret.linear.baselines", "LastLabel"),
}


def learner_class(name: str) -> Any:
    """Find the class of a learner by its name."""
    if name not in LEARNERS:
        near = difflib.get_close_matches(name, LEARNERS, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "`noregret learners` lists them"
        raise UnknownName(f"there is no learner called '{name}'; {hint}")
    module, attribute = LEARNERS[name]
    return getattr(import_module(module), attribute)


def learner(spec: str) -> Any:
    """Make the learner that a spec describes.

    >>> learner("perceptron:rate=0.5").spec
    'perceptron:rate=0.5'
    """
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
    return kind(**given)


def _expected(name: str, known: dict[str, Parameter], part: str) -> str:
    if not known:
        return f"{name} has no parameters, and was given '{part}'"
    return f"'{part}' is not a parameter of {name}; write " + " or ".join(f"{key}=…" for key in known)


def _value(spec: str, parameter: Parameter, text: str) -> float | bool | None:
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
