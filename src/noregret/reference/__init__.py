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
from .gradient import ogd
from .least_squares import AROW, NHERD, SOP, OnlineNewton
from .linear import Linear
from .passive_aggressive import PassiveAggressive, PassiveAggressive1, PassiveAggressive2
from .perceptron import Perceptron
from .regrets import BOA, ExpertRidge, MLPol, MLProd, Squint, WeightedMajority
from .romma import Romma
from .selective_perceptron import SelectivePerceptron
from .winnow import Winnow

TWINS: dict[str, Callable[..., Linear]] = {
    "perceptron": Perceptron,
    "averaged-perceptron": AveragedPerceptron,
    "ogd": ogd,
    "pa": PassiveAggressive,
    "pa1": PassiveAggressive1,
    "pa2": PassiveAggressive2,
    "alma": Alma,
    "romma": Romma,
    "adagrad": adagrad,
    "ftrl": FTRL,
    "coin": Coin,
    "selective-perceptron": SelectivePerceptron,
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
    "majority": Majority,
    "last-label": LastLabel,
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
