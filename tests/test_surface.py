"""The names that others rely on, and what importing them costs."""

import doctest
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import noregret as nr

EXPORTED = [
    "ALMA", "AROW", "AdaGrad", "AdaHedge", "Agnostic", "AveragedPerceptron", "BOA",
    "BalancedWinnow", "CW", "Certificate", "Coin", "Consistent", "Conversion", "CoverAdversary",
    "Delayed", "EG", "ExpertRidge", "ExpertRun", "FTRL", "FiniteClass", "FixedShare",
    "FollowTheLeader", "Halving", "Hedge", "KernelPerceptron", "LastLabel", "LastValue", "Ledger",
    "MLPol", "MLProd", "Majority", "Mean", "MulticlassAROW", "MulticlassLastLabel",
    "MulticlassMajority", "MulticlassOGD", "MulticlassPA", "MulticlassPA1", "MulticlassPA2",
    "MulticlassPerceptron", "MulticlassWinnow", "NHERD", "NormalizedWinnow", "OGD", "OnlineNewton",
    "PARegression", "PRank", "PairwiseRanker", "Panel", "PartlyLabelled", "PassiveAggressive",
    "PassiveAggressive1", "PassiveAggressive2", "Perceptron", "QuantileRegression", "ROMMA",
    "RandConsistent", "RandomFeatures", "RandomizedMajority", "Ridge", "Round", "SCW1", "SCW2",
    "SOA", "SOP", "SelectivePerceptron", "Series", "Squint", "TreeAdversary", "Verdict",
    "VotedPerceptron", "WeightedMajority", "WidrowHoff", "Winnow", "WorstCase", "best_for_loss", "best_margin",
    "certify", "complemented", "decision_list", "disjunction", "doubling_groups", "expert_rule",
    "from_arrays", "from_points", "from_rounds", "from_table", "halfspace", "hypothesis_class",
    "in_hindsight", "inspection_line", "k_of_n", "learner", "littlestone_dimension", "load",
    "noisy", "play", "play_all", "plot", "queries", "read", "read_points", "realizable", "regret_against",
    "save", "save_certificate", "separable", "shattered_tree", "shuffled", "standard_basis", "to_batch",
    "unknown_literal", "vc_dimension", "verify_certificate",
]  # fmt: skip


def test_exported_names_are_pinned():
    assert nr.__all__ == EXPORTED
    for name in EXPORTED:
        assert getattr(nr, name) is not None


def test_lazy_table_and_type_checkers_agree():
    text = Path(nr.__file__).read_text(encoding="utf-8")
    for name, home in nr._HOMES.items():
        assert f"from noregret.{home} import {name} as {name}" in text


def test_errors_are_at_hand():
    code = "import noregret as nr; assert issubclass(nr.errors.BadInput, nr.errors.NoregretError)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_unknown_attribute_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        _ = nr.frobnicate


def test_functions_are_not_hidden_by_modules():
    code = (
        "import noregret.cli.running, noregret.judging.certify, noregret as nr;"
        "assert callable(nr.certify) and callable(nr.play) and callable(nr.learner) and callable(nr.read)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("statement", ["import noregret", "import noregret; noregret.__version__"])
def test_import_is_light(statement):
    code = f"{statement}; import sys; print([m for m in ('numpy', 'scipy', 'typer', 'rich') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


def test_using_learners_does_not_import_scipy():
    code = "import noregret as nr, sys; nr.Perceptron().learn({'a': 1.0}, -1); print('scipy' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"


def modules():
    return sorted(
        m.name for m in pkgutil.walk_packages(nr.__path__, "noregret.") if not m.name.endswith("_core")
    )


@pytest.mark.parametrize("name", modules())
def test_examples_in_docstrings_run(name):
    failed, _ = doctest.testmod(import_module(name), verbose=False)
    assert failed == 0


def test_version_is_the_same_everywhere():
    from importlib.metadata import version

    assert version("noregret") == nr.__version__
