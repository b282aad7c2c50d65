"""The one list of names: specs to learners and back.

A spec is a name, and parameters if they are not the default: ``winnow:promotion=1.5,threshold=200``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from noregret.errors import BadParameter, BadType, UnknownName
from noregret.hypotheses.classes import FiniteClass
from noregret.hypotheses.naming import finite_class
from noregret.natures.adversaries import CoverAdversary, TreeAdversary, WorstCase
from noregret.natures.points import noisy, read_points, realizable
from noregret.parameters import Parameter, name_of, parameters_of, written
from noregret.rounds import Nature, Stream

LEARNERS: dict[str, tuple[str, str]] = {
    "perceptron": ("noregret.linear.perceptron", "Perceptron"),
    "selective-perceptron": ("noregret.linear.selective_perceptron", "SelectivePerceptron"),
    "averaged-perceptron": ("noregret.linear.averaged", "AveragedPerceptron"),
    "voted-perceptron": ("noregret.linear.voted", "VotedPerceptron"),
    "ogd": ("noregret.linear.gradient", "OGD"),
    "pa": ("noregret.linear.passive_aggressive", "PassiveAggressive"),
    "pa1": ("noregret.linear.passive_aggressive", "PassiveAggressive1"),
    "pa2": ("noregret.linear.passive_aggressive", "PassiveAggressive2"),
    "alma": ("noregret.linear.alma", "ALMA"),
    "romma": ("noregret.linear.romma", "ROMMA"),
    "adagrad": ("noregret.linear.adagrad", "AdaGrad"),
    "ftrl": ("noregret.linear.ftrl", "FTRL"),
    "coin": ("noregret.linear.coin", "Coin"),
    "winnow": ("noregret.linear.winnow", "Winnow"),
    "normalized-winnow": ("noregret.linear.winnow", "NormalizedWinnow"),
    "balanced-winnow": ("noregret.linear.winnow", "BalancedWinnow"),
    "sop": ("noregret.linear.least_squares", "SOP"),
    "cw": ("noregret.linear.confidence", "CW"),
    "arow": ("noregret.linear.least_squares", "AROW"),
    "scw1": ("noregret.linear.confidence", "SCW1"),
    "scw2": ("noregret.linear.confidence", "SCW2"),
    "nherd": ("noregret.linear.least_squares", "NHERD"),
    "ons": ("noregret.linear.newton", "OnlineNewton"),
    "kernel-perceptron": ("noregret.linear.kernel_perceptron", "KernelPerceptron"),
    "majority": ("noregret.linear.baselines", "Majority"),
    "last-label": ("noregret.linear.baselines", "LastLabel"),
    "widrow-hoff": ("noregret.linear.regression", "WidrowHoff"),
    "pa-regression": ("noregret.linear.regression", "PARegression"),
    "quantile-regression": ("noregret.linear.regression", "QuantileRegression"),
    "ridge": ("noregret.linear.ridge", "Ridge"),
    "prank": ("noregret.linear.prank", "PRank"),
    "mean": ("noregret.linear.regression", "Mean"),
    "last-value": ("noregret.linear.regression", "LastValue"),
    "multiclass-perceptron": ("noregret.linear.multiclass", "MulticlassPerceptron"),
    "multiclass-pa": ("noregret.linear.multiclass_frames", "MulticlassPA"),
    "multiclass-pa1": ("noregret.linear.multiclass_frames", "MulticlassPA1"),
    "multiclass-pa2": ("noregret.linear.multiclass_frames", "MulticlassPA2"),
    "multiclass-arow": ("noregret.linear.multiclass_frames", "MulticlassAROW"),
    "multiclass-ogd": ("noregret.linear.multiclass_frames", "MulticlassOGD"),
    "multiclass-winnow": ("noregret.linear.multiclass", "MulticlassWinnow"),
    "multiclass-majority": ("noregret.linear.multiclass", "MulticlassMajority"),
    "multiclass-last-label": ("noregret.linear.multiclass", "MulticlassLastLabel"),
}

# Panels of learners: "auto" has its members, "panel:perceptron/last-label" names them.
PANELS: dict[str, tuple[str, str]] = {
    "auto": ("noregret.panel.auto", "Auto"),
    "panel": ("noregret.panel.panel", "Panel"),
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

# Of these, the rules that can weigh the hypotheses of a class.
ADVISED = ("wm", "rwm", "hedge", "adahedge", "squint")

# Learners that play over a finite class of hypotheses, which is given beside the spec.
FINITE_LEARNERS: dict[str, tuple[str, str]] = {
    "consistent": ("noregret.hypotheses.consistent", "Consistent"),
    "randconsistent": ("noregret.hypotheses.consistent", "RandConsistent"),
    "halving": ("noregret.hypotheses.halving", "Halving"),
    "soa": ("noregret.hypotheses.soa", "SOA"),
    "agnostic": ("noregret.hypotheses.agnostic", "Agnostic"),
}

# What a learner over a finite class plays against in a duel.
NATURES: dict[str, str] = {
    "tree": "walks down a shattered tree and answers what was not predicted",
    "cover": "asks the point that divides the class most evenly, again and again, and answers what was not "
    "predicted",
    "worst": "the adversary that the theory has for the learner: for consistent and randconsistent as few "
    "hypotheses as possible go, for halving and soa it is tree, for those that take any labels cover",
    "random": "a hypothesis and points drawn at random",
    "noise": "the same with labels turned over: noise, or noise:share=0.1 for another share than 0.2",
}


def learner_class(name: str) -> Any:
    """Find the class of a learner by its name."""
    known = LEARNERS | PANELS | EXPERTS | FINITE_LEARNERS
    if name not in known:
        raise _unknown("learner", name, known, "`noregret learners` lists them")
    module, attribute = known[name]
    return getattr(import_module(module), attribute)


def learner(spec: str, hypotheses: Any = None) -> Any:
    """Make the learner that a spec describes; one over a finite class needs the class as well.

    >>> learner("perceptron:rate=0.5").spec
    'perceptron:rate=0.5'
    >>> learner("soa", "thresholds:7")
    <soa over thresholds:7: 8 hypotheses left>
    """
    if not isinstance(spec, str):
        raise BadType(f"a spec is a string such as 'perceptron:rate=0.5', not a {type(spec).__name__}")
    if name_of(spec) == "panel":
        return learner_class("panel").of_spec(spec.partition(":")[2])
    kind, given = _read(spec)
    if kind.name in EXPERTS and "n" not in given:
        if hypotheses is not None:
            return advised(spec, hypotheses)
        raise BadParameter(f"in '{spec}': {kind.name} weighs experts; say how many, as in {kind.name}:n=3")
    if kind.name not in FINITE_LEARNERS:
        return kind(**given)
    if hypotheses is None:
        raise BadParameter(
            f"{kind.name} plays over a class of hypotheses; give one, such as thresholds:7 "
            f"(on the command line: noregret duel {kind.name} tree --class thresholds:7)"
        )
    return kind(hypotheses, **given)


def completed(spec: str, **defaults: Any) -> str:
    """Write the spec with these parameters, those that the learner takes and the spec does not have.

    >>> completed("perceptron:rate=0.5", rate=2, bias=True, seed=1)
    'perceptron:rate=0.5,bias=true'
    """
    wanted = [p.name for p in learner_class(name_of(spec)).accepts if p.name in defaults]
    given = _read(spec)[1] if wanted else {}
    told = ",".join(f"{name}={written(defaults[name])}" for name in wanted if name not in given)
    return f"{spec}{',' if ':' in spec else ':'}{told}" if told else spec


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


def advised(spec: str, hypotheses: Any, seed: int = 0) -> Any:
    """Make a rule over experts play over a class, each hypothesis an expert.

    >>> advised("hedge", "thresholds:7")
    <hedge:loss=zero-one over thresholds:7>
    """
    from noregret.hypotheses.advised import Draw, Vote

    made = finite_class(hypotheses)
    name = name_of(spec)
    if name in EXPERTS and name not in ADVISED:
        raise BadParameter(f"{name} does not play over a class; {', '.join(ADVISED)} do")
    rule = expert_rule(spec, made.size, loss="zero-one", seed=seed)
    return Vote(made, rule) if name == "wm" else Draw(made, rule, seed)


def nature(
    spec: str, hypotheses: FiniteClass, rounds: int, seed: int = 0, against: str = "consistent"
) -> Stream | Nature:
    """Make the nature of a duel; a spec that ends in .csv is a file of points and their labels.

    `against` names the learner, of which the adversary `worst` depends.
    """
    if spec.lower().endswith(".csv"):
        return read_points(spec, hypotheses)
    name = name_of(spec)
    if name not in NATURES:
        raise _unknown("nature", name, NATURES, f"there is {', '.join(NATURES)}, or a file that ends in .csv")
    accepts = (Parameter("share", 0.2, "the probability that a label is turned over"),)
    given = parameters_of(spec, accepts if name == "noise" else ())
    if name == "worst" and against not in ("consistent", "randconsistent"):
        name = "tree" if against in ("halving", "soa") else "cover"
    if name == "tree":
        return TreeAdversary(hypotheses)
    if name == "cover":
        return CoverAdversary(hypotheses, rounds)
    if name == "worst":
        return WorstCase(hypotheses, first=against == "consistent")
    return (
        realizable(hypotheses, rounds, seed)
        if name == "random"
        else noisy(hypotheses, rounds, seed=seed, **given)
    )


def sample(kind: Any) -> Any:
    """Make a learner of a kind with its defaults: of two members or experts, or over the smallest class."""
    if kind.name == "panel":
        return learner("panel:perceptron/last-label")
    return learner(f"{kind.name}:n=2" if kind.name in EXPERTS else kind.name, "all:1")


def _read(spec: str) -> tuple[Any, dict[str, Any]]:
    """Take a spec apart: the class, and the parameters given."""
    kind = learner_class(name_of(spec))
    return kind, parameters_of(spec, kind.accepts)


def _unknown(what: str, name: str, known: Iterable[str], otherwise: str) -> UnknownName:
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else otherwise
    return UnknownName(f"there is no {what} called '{name}'; {hint}")
