"""Plain-Python twins of the learners: slow, obvious, and the judge of the fast ones.

They need nothing but the standard library and import nothing of ours, so that a mistake cannot
hide in both. An example is a list of (feature, value) pairs in the order given; a feature that
stands in it twice adds up. Fed the same rounds, twin and learner agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable

from .adaptive import FTRL, Coin, adagrad
from .alma import Alma
from .averaged import AveragedPerceptron
from .baselines import LastLabel, Majority
from .confidence import CW, SCW1, SCW2
from .experts import EG, AdaHedge, Doubling, Experts, FixedShare, FollowTheLeader, Hedge
from .exponential import BalancedWinnow, NormalizedWinnow
from .gradient import OGD, ogd
from .kernel_perceptron import KernelPerceptron
from .least_squares import AROW, NHERD, SOP, OnlineNewton
from .linear import LaneWise, Linear
from .multiclass import Kesler
from .multiclass_rules import ExponentRule, MulticlassLastLabel, MulticlassMajority
from .passive_aggressive import PassiveAggressive, PassiveAggressive1, PassiveAggressive2
from .perceptron import Perceptron
from .ranking import PRank
from .regression import LastValue, Mean, PARegression, QuantileRegression, WidrowHoff
from .regrets import BOA, ExpertRidge, MLPol, MLProd, Squint, WeightedMajority
from .ridge import Ridge
from .romma import Romma
from .selective_perceptron import SelectivePerceptron
from .voted import VotedPerceptron
from .winnow import Winnow


def _over_classes(rule: Callable[..., LaneWise]) -> Callable[..., Linear]:
    return lambda scale="none", **parameters: Kesler(rule(**parameters), scale)


TWINS: dict[str, Callable[..., Linear]] = {
    "perceptron": Perceptron,
    "selective-perceptron": SelectivePerceptron,
    "averaged-perceptron": AveragedPerceptron,
    "voted-perceptron": VotedPerceptron,
    "ogd": ogd,
    "pa": PassiveAggressive,
    "pa1": PassiveAggressive1,
    "pa2": PassiveAggressive2,
    "alma": Alma,
    "romma": Romma,
    "adagrad": adagrad,
    "ftrl": FTRL,
    "coin": Coin,
    "winnow": Winnow,
    "normalized-winnow": NormalizedWinnow,
    "balanced-winnow": BalancedWinnow,
    "sop": SOP,
    "cw": CW,
    "arow": AROW,
    "scw1": SCW1,
    "scw2": SCW2,
    "nherd": NHERD,
    "ons": OnlineNewton,
    "kernel-perceptron": KernelPerceptron,
    "majority": Majority,
    "last-label": LastLabel,
    "widrow-hoff": WidrowHoff,
    "pa-regression": PARegression,
    "quantile-regression": QuantileRegression,
    "ridge": Ridge,
    "prank": PRank,
    "mean": Mean,
    "last-value": LastValue,
    "multiclass-perceptron": _over_classes(Perceptron),
    "multiclass-pa": _over_classes(PassiveAggressive),
    "multiclass-pa1": _over_classes(PassiveAggressive1),
    "multiclass-pa2": _over_classes(PassiveAggressive2),
    "multiclass-arow": _over_classes(AROW),
    "multiclass-ogd": _over_classes(OGD),
    "multiclass-winnow": _over_classes(ExponentRule),
    "multiclass-majority": MulticlassMajority,
    "multiclass-last-label": MulticlassLastLabel,
}

# Rules that learn from a row of losses; Weighted Majority and ridge, which look at advice, stand apart.
EXPERT_TWINS: dict[str, Callable[..., Experts]] = {
    "hedge": Hedge,
    "hedge:doubling=true": Doubling,
    "eg": EG,
    "adahedge": AdaHedge,
    "ftl": FollowTheLeader,
    "fixed-share": FixedShare,
    "squint": Squint,
    "mlprod": MLProd,
    "boa": BOA,
    "mlpol": MLPol,
}

__all__ = ["EXPERT_TWINS", "TWINS", "ExpertRidge", "WeightedMajority"]
