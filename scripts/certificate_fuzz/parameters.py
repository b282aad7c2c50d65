"""Names of learners, as `noregret learners` lists them, and random parameters for them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import noregret as nr

Generator = np.random.Generator
PANELS = ("auto", "panel")


@dataclass(frozen=True)
class Kind:
    """A learner, a rule over experts, a panel, or a learner over a finite class."""

    name: str
    parameters: tuple[str, ...]
    theorems: tuple[str, ...]
    family: str  # learner, rule, panel or finite


def kinds() -> list[Kind]:
    """Ask the command line for all of them."""
    listed = subprocess.run(
        [sys.executable, "-m", "noregret", "learners", "--json", "-"],
        check=True,
        capture_output=True,
    ).stdout
    found = []
    for one in json.loads(listed):
        parameters = tuple(parameter["name"] for parameter in one["parameters"])
        theorems = tuple(theorem["theorem"] for theorem in one["theorems"])
        found.append(Kind(one["learner"], parameters, theorems, _family(one["learner"], parameters)))
    return found


def _family(name: str, parameters: tuple[str, ...]) -> str:
    if name in PANELS:
        return "panel"
    if "n" in parameters:
        return "rule"
    try:
        nr.learner(name)
    except ValueError:  # it asks for a class of hypotheses
        return "finite"
    return "learner"


def log_uniform(rng: Generator, low: float, high: float) -> float:
    """Draw a number whose logarithm is uniform, with four digits so that a spec stays short."""
    return float(f"{10.0 ** rng.uniform(np.log10(low), np.log10(high)):.4g}")


def _size(rng: Generator, _: int) -> float:
    """Draw a rate or a ridge: mostly moderate, sometimes extreme."""
    if rng.random() < 0.9:
        return log_uniform(rng, 1e-3, 1e3)
    return log_uniform(rng, 1e-12, 1e12)


def _share(low: float, high: float) -> Callable[[Generator, int], float]:
    return lambda rng, _: round(float(rng.uniform(low, high)), 4)


def _choice(*values: Any) -> Callable[[Generator, int], Any]:
    return lambda rng, _: values[int(rng.integers(len(values)))]


def _mostly_zero(rng: Generator, rounds: int) -> float:
    return 0.0 if rng.random() < 0.5 else _size(rng, rounds)


def _horizon(rng: Generator, rounds: int) -> float:
    return float(rounds if rng.random() < 0.7 else rng.integers(1, 400))


# By the name of the parameter; a parameter that is not here keeps its default.
DRAWS: dict[str, Callable[[Generator, int], Any]] = {
    "rate": _size,
    "ridge": _size,
    "C": _size,
    "B": lambda rng, rounds: None if rng.random() < 0.5 else _size(rng, rounds),
    "alpha": _share(0.05, 1.0),
    "delta": _size,
    "wealth": _size,
    "limit": _size,
    "smoothing": _size,
    "penalty": _size,
    "gamma": _size,
    "margin": _mostly_zero,
    "epsilon": _mostly_zero,
    "l1": _mostly_zero,
    "l2": _mostly_zero,
    "offset": _mostly_zero,
    "bias": _choice(False, True, True),
    "scale": _choice("none", "none", "none", "none", "none", "none", "standard", "max", "rms", "unit"),
    "loss": _choice("perceptron", "hinge", "squared-hinge", "logistic", "squared"),
    "step": _choice("constant", "sqrt", "inverse"),
    "covariance": _choice("full", "full", "diagonal"),
    "aggressive": _choice(False, True),
    "normalize": _choice(False, True),
    "confidence": _share(0.51, 0.99),
    "quantile": _share(0.02, 0.98),
    "promotion": lambda rng, _: round(float(1.0 + 10.0 ** rng.uniform(-1.5, 1.0)), 4),
    "threshold": lambda rng, _: None if rng.random() < 0.5 else round(float(10.0 ** rng.uniform(0, 2)), 3),
    "kernel": _choice("linear", "polynomial", "gaussian"),
    "degree": lambda rng, _: int(rng.integers(1, 5)),
    "budget": lambda rng, _: int(rng.choice([0, 1, 3, 20, 1000])),
    "ranks": lambda rng, _: int(rng.integers(2, 7)),
    "seed": lambda rng, _: int(rng.integers(100)),
    "beta": _share(0.0, 0.99),
    "horizon": _horizon,
    "switches": lambda rng, _: float(rng.integers(1, 5)),
    "share": _share(0.001, 0.999),
    "doubling": _choice(False, True),
    "gradient": _choice("auto", "true", "false"),
    "rounds": _horizon,
}
FORMS = {"adagrad": ("descent", "averaging"), "pa-regression": (1, 2)}
RULE_LOSSES = ("square", "absolute", "percentage", "log", "pinball-0.3", "zero-one")
SMALL_RATES = ("normalized-winnow", "balanced-winnow", "multiclass-winnow")  # below 2ρ/r², as theorems ask
RATES = ("rate", "horizon", "doubling", "beta")  # of a rule over experts, of which it takes one


def spec(rng: Generator, kind: Kind, rounds: int) -> str:
    """Draw a spec of this kind that its class accepts; n, and the class of a finite learner, are left out."""
    for _ in range(10):
        drawn = _drawn(rng, kind, rounds)
        given = [f"{name}={_written(value)}" for name, value in drawn.items() if value is not None]
        made = f"{kind.name}:{','.join(given)}" if given else kind.name
        try:
            _made(kind, made)
        except ValueError:  # out of range, or two that do not go together
            continue
        return made
    return kind.name


def _drawn(rng: Generator, kind: Kind, rounds: int) -> dict[str, Any]:
    names = [name for name in kind.parameters if rng.random() < 0.5]
    if kind.family == "rule":
        rates = [name for name in RATES if name in names]
        names = [name for name in names if name not in rates] + rates[: int(rng.random() < 0.8)]
        if "switches" in kind.parameters:  # with a horizon, or not at all
            names = [name for name in names if name not in ("horizon", "switches")]
            names += ["horizon", "switches"] if rng.random() < 0.3 else []
    drawn = {name: DRAWS[name](rng, rounds) for name in names if name in DRAWS}
    if kind.family == "rule" and "loss" in drawn:
        drawn["loss"] = RULE_LOSSES[int(rng.integers(len(RULE_LOSSES)))]
    if kind.name == "ftrl" and "beta" in drawn:
        drawn["beta"] = _mostly_zero(rng, rounds)
    if kind.name == "ftrl" and "alpha" in drawn:
        drawn["alpha"] = _size(rng, rounds)
    if "form" in names:
        drawn["form"] = FORMS[kind.name][int(rng.integers(2))]
    if "covariance" in kind.parameters and rng.random() < 0.7:  # theorems speak of full ones
        drawn["covariance"] = "full"
    if kind.name in SMALL_RATES and "rate" in drawn:
        drawn["rate"] = log_uniform(rng, 1e-4, 2.0)
    if "scale" in drawn and rng.random() < 0.5:
        del drawn["scale"]
    return drawn


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _made(kind: Kind, text: str) -> Any:
    if kind.family == "rule":
        return nr.expert_rule(text, 2)
    return nr.learner(text, "all:1") if kind.family == "finite" else nr.learner(text)
