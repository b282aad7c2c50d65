"""noregret: online learning you can check.

Learners predict, are told the truth and improve, one example at a time, at native speed; and
every run comes with a certificate: what the theorem promised, what happened, what was to spare.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from noregret import errors as errors

if TYPE_CHECKING:
    from noregret.certificate import Certificate as Certificate
    from noregret.certificate import Verdict as Verdict
    from noregret.certificate_files.run import save_certificate as save_certificate
    from noregret.certificate_files.verification import verify_certificate as verify_certificate
    from noregret.conversion.converted import Conversion as Conversion
    from noregret.conversion.to_batch import to_batch as to_batch
    from noregret.data.arrow import from_table as from_table
    from noregret.data.read import read as read
    from noregret.experts.adahedge import AdaHedge as AdaHedge
    from noregret.experts.boa import BOA as BOA
    from noregret.experts.fixed_share import FixedShare as FixedShare
    from noregret.experts.follow_leader import FollowTheLeader as FollowTheLeader
    from noregret.experts.hedge import EG as EG
    from noregret.experts.hedge import Hedge as Hedge
    from noregret.experts.mlpol import MLPol as MLPol
    from noregret.experts.mlprod import MLProd as MLProd
    from noregret.experts.ridge import ExpertRidge as ExpertRidge
    from noregret.experts.run import ExpertRun as ExpertRun
    from noregret.experts.series import Series as Series
    from noregret.experts.squint import Squint as Squint
    from noregret.experts.weighted_majority import RandomizedMajority as RandomizedMajority
    from noregret.experts.weighted_majority import WeightedMajority as WeightedMajority
    from noregret.game.play import play as play
    from noregret.game.play import play_all as play_all
    from noregret.hindsight.experts import in_hindsight as in_hindsight
    from noregret.hypotheses.agnostic import Agnostic as Agnostic
    from noregret.hypotheses.classes import FiniteClass as FiniteClass
    from noregret.hypotheses.consistent import Consistent as Consistent
    from noregret.hypotheses.consistent import RandConsistent as RandConsistent
    from noregret.hypotheses.dimension import littlestone_dimension as littlestone_dimension
    from noregret.hypotheses.dimension import vc_dimension as vc_dimension
    from noregret.hypotheses.halving import Halving as Halving
    from noregret.hypotheses.naming import hypothesis_class as hypothesis_class
    from noregret.hypotheses.soa import SOA as SOA
    from noregret.hypotheses.tree import shattered_tree as shattered_tree
    from noregret.judging.certify import certify as certify
    from noregret.ledger import Ledger as Ledger
    from noregret.linear.adagrad import AdaGrad as AdaGrad
    from noregret.linear.alma import ALMA as ALMA
    from noregret.linear.averaged import AveragedPerceptron as AveragedPerceptron
    from noregret.linear.baselines import LastLabel as LastLabel
    from noregret.linear.baselines import Majority as Majority
    from noregret.linear.coin import Coin as Coin
    from noregret.linear.confidence import CW as CW
    from noregret.linear.confidence import SCW1 as SCW1
    from noregret.linear.confidence import SCW2 as SCW2
    from noregret.linear.ftrl import FTRL as FTRL
    from noregret.linear.gradient import OGD as OGD
    from noregret.linear.kernel_perceptron import KernelPerceptron as KernelPerceptron
    from noregret.linear.least_squares import AROW as AROW
    from noregret.linear.least_squares import NHERD as NHERD
    from noregret.linear.least_squares import SOP as SOP
    from noregret.linear.multiclass import MulticlassLastLabel as MulticlassLastLabel
    from noregret.linear.multiclass import MulticlassMajority as MulticlassMajority
    from noregret.linear.multiclass import MulticlassPerceptron as MulticlassPerceptron
    from noregret.linear.multiclass import MulticlassWinnow as MulticlassWinnow
    from noregret.linear.multiclass_frames import MulticlassAROW as MulticlassAROW
    from noregret.linear.multiclass_frames import MulticlassOGD as MulticlassOGD
    from noregret.linear.multiclass_frames import MulticlassPA as MulticlassPA
    from noregret.linear.multiclass_frames import MulticlassPA1 as MulticlassPA1
    from noregret.linear.multiclass_frames import MulticlassPA2 as MulticlassPA2
    from noregret.linear.newton import OnlineNewton as OnlineNewton
    from noregret.linear.passive_aggressive import PassiveAggressive as PassiveAggressive
    from noregret.linear.passive_aggressive import PassiveAggressive1 as PassiveAggressive1
    from noregret.linear.passive_aggressive import PassiveAggressive2 as PassiveAggressive2
    from noregret.linear.perceptron import Perceptron as Perceptron
    from noregret.linear.prank import PRank as PRank
    from noregret.linear.ranking import PairwiseRanker as PairwiseRanker
    from noregret.linear.regression import LastValue as LastValue
    from noregret.linear.regression import Mean as Mean
    from noregret.linear.regression import PARegression as PARegression
    from noregret.linear.regression import QuantileRegression as QuantileRegression
    from noregret.linear.regression import WidrowHoff as WidrowHoff
    from noregret.linear.ridge import Ridge as Ridge
    from noregret.linear.romma import ROMMA as ROMMA
    from noregret.linear.selective_perceptron import SelectivePerceptron as SelectivePerceptron
    from noregret.linear.voted import VotedPerceptron as VotedPerceptron
    from noregret.linear.winnow import BalancedWinnow as BalancedWinnow
    from noregret.linear.winnow import NormalizedWinnow as NormalizedWinnow
    from noregret.linear.winnow import Winnow as Winnow
    from noregret.model_file import load as load
    from noregret.model_file import save as save
    from noregret.natures.adversaries import CoverAdversary as CoverAdversary
    from noregret.natures.adversaries import TreeAdversary as TreeAdversary
    from noregret.natures.adversaries import WorstCase as WorstCase
    from noregret.natures.arrays import from_arrays as from_arrays
    from noregret.natures.arrays import shuffled as shuffled
    from noregret.natures.inspection import inspection_line as inspection_line
    from noregret.natures.lateness import Delayed as Delayed
    from noregret.natures.lateness import PartlyLabelled as PartlyLabelled
    from noregret.natures.margins import doubling_groups as doubling_groups
    from noregret.natures.margins import separable as separable
    from noregret.natures.margins import standard_basis as standard_basis
    from noregret.natures.points import from_points as from_points
    from noregret.natures.points import noisy as noisy
    from noregret.natures.points import read_points as read_points
    from noregret.natures.points import realizable as realizable
    from noregret.natures.queries import queries as queries
    from noregret.natures.random_features import RandomFeatures as RandomFeatures
    from noregret.natures.recorded import from_rounds as from_rounds
    from noregret.natures.targets import complemented as complemented
    from noregret.natures.targets import decision_list as decision_list
    from noregret.natures.targets import disjunction as disjunction
    from noregret.natures.targets import halfspace as halfspace
    from noregret.natures.targets import k_of_n as k_of_n
    from noregret.natures.targets import unknown_literal as unknown_literal
    from noregret.panel.panel import Panel as Panel
    from noregret.registry import expert_rule as expert_rule
    from noregret.registry import learner as learner
    from noregret.regret.comparators import best_for_loss as best_for_loss
    from noregret.regret.comparators import best_margin as best_margin
    from noregret.regret.comparators import regret_against as regret_against
    from noregret.report.figures import plot as plot
    from noregret.rounds import Round as Round

__version__ = "0.1.0"

# Where each public name lives. Imported when first used, so that `import noregret` costs little.
_HOMES = {
    "ALMA": "linear.alma",
    "AROW": "linear.least_squares",
    "AdaGrad": "linear.adagrad",
    "AdaHedge": "experts.adahedge",
    "Agnostic": "hypotheses.agnostic",
    "AveragedPerceptron": "linear.averaged",
    "BOA": "experts.boa",
    "BalancedWinnow": "linear.winnow",
    "CW": "linear.confidence",
    "Certificate": "certificate",
    "Coin": "linear.coin",
    "Consistent": "hypotheses.consistent",
    "Conversion": "conversion.converted",
    "CoverAdversary": "natures.adversaries",
    "Delayed": "natures.lateness",
    "EG": "experts.hedge",
    "ExpertRidge": "experts.ridge",
    "ExpertRun": "experts.run",
    "FTRL": "linear.ftrl",
    "FiniteClass": "hypotheses.classes",
    "FixedShare": "experts.fixed_share",
    "FollowTheLeader": "experts.follow_leader",
    "Halving": "hypotheses.halving",
    "Hedge": "experts.hedge",
    "KernelPerceptron": "linear.kernel_perceptron",
    "LastLabel": "linear.baselines",
    "LastValue": "linear.regression",
    "Ledger": "ledger",
    "MLPol": "experts.mlpol",
    "MLProd": "experts.mlprod",
    "Majority": "linear.baselines",
    "Mean": "linear.regression",
    "MulticlassAROW": "linear.multiclass_frames",
    "MulticlassLastLabel": "linear.multiclass",
    "MulticlassMajority": "linear.multiclass",
    "MulticlassOGD": "linear.multiclass_frames",
    "MulticlassPA": "linear.multiclass_frames",
    "MulticlassPA1": "linear.multiclass_frames",
    "MulticlassPA2": "linear.multiclass_frames",
    "MulticlassPerceptron": "linear.multiclass",
    "MulticlassWinnow": "linear.multiclass",
    "NHERD": "linear.least_squares",
    "NormalizedWinnow": "linear.winnow",
    "OGD": "linear.gradient",
    "OnlineNewton": "linear.newton",
    "PARegression": "linear.regression",
    "PRank": "linear.prank",
    "PairwiseRanker": "linear.ranking",
    "Panel": "panel.panel",
    "PartlyLabelled": "natures.lateness",
    "PassiveAggressive": "linear.passive_aggressive",
    "PassiveAggressive1": "linear.passive_aggressive",
    "PassiveAggressive2": "linear.passive_aggressive",
    "Perceptron": "linear.perceptron",
    "QuantileRegression": "linear.regression",
    "ROMMA": "linear.romma",
    "RandConsistent": "hypotheses.consistent",
    "RandomFeatures": "natures.random_features",
    "RandomizedMajority": "experts.weighted_majority",
    "Ridge": "linear.ridge",
    "Round": "rounds",
    "SCW1": "linear.confidence",
    "SCW2": "linear.confidence",
    "SOA": "hypotheses.soa",
    "SOP": "linear.least_squares",
    "SelectivePerceptron": "linear.selective_perceptron",
    "Series": "experts.series",
    "Squint": "experts.squint",
    "TreeAdversary": "natures.adversaries",
    "Verdict": "certificate",
    "VotedPerceptron": "linear.voted",
    "WeightedMajority": "experts.weighted_majority",
    "WidrowHoff": "linear.regression",
    "Winnow": "linear.winnow",
    "WorstCase": "natures.adversaries",
    "best_for_loss": "regret.comparators",
    "best_margin": "regret.comparators",
    "certify": "judging.certify",
    "complemented": "natures.targets",
    "decision_list": "natures.targets",
    "disjunction": "natures.targets",
    "doubling_groups": "natures.margins",
    "expert_rule": "registry",
    "from_arrays": "natures.arrays",
    "from_points": "natures.points",
    "from_rounds": "natures.recorded",
    "from_table": "data.arrow",
    "halfspace": "natures.targets",
    "hypothesis_class": "hypotheses.naming",
    "in_hindsight": "hindsight.experts",
    "inspection_line": "natures.inspection",
    "k_of_n": "natures.targets",
    "learner": "registry",
    "littlestone_dimension": "hypotheses.dimension",
    "load": "model_file",
    "noisy": "natures.points",
    "play": "game.play",
    "play_all": "game.play",
    "plot": "report.figures",
    "queries": "natures.queries",
    "read": "data.read",
    "read_points": "natures.points",
    "realizable": "natures.points",
    "regret_against": "regret.comparators",
    "save": "model_file",
    "save_certificate": "certificate_files.run",
    "separable": "natures.margins",
    "shattered_tree": "hypotheses.tree",
    "shuffled": "natures.arrays",
    "standard_basis": "natures.margins",
    "to_batch": "conversion.to_batch",
    "unknown_literal": "natures.targets",
    "vc_dimension": "hypotheses.dimension",
    "verify_certificate": "certificate_files.verification",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'noregret' has no attribute '{name}'")
    value = getattr(import_module(f"noregret.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return [*__all__, "__version__", "errors"]
