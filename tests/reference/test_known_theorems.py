"""The verifier knows every theorem that noregret has, and asks for every one that a learner has."""

import pkgutil
from importlib import import_module

import pytest

import noregret as nr
from noregret.checks.expert_games import SPECS as RULES
from noregret.checks.theorems import known
from noregret.panel.auto import MEMBERS
from noregret.reference import class_theorems, finite_theorems, linear_theorems, panel_theorems
from noregret.reference.checking import parsed
from noregret.reference.expected import _ALWAYS, late_theorems_of, theorems_of
from noregret.reference.panel_runs import AUTO
from noregret.reference.run_checks import TWINS, task_of
from noregret.registry import EXPERTS, FINITE_LEARNERS, LEARNERS, expert_rule, learner

# Theorems that speak of no run of one learner, so that no certificate has them.
WITHOUT_A_RUN = {
    "VC ≤ Ldim ≤ log₂|H|": "it compares three numbers of a class",
    "Littlestone (lower bound)": "it says that every learner errs at least so often",
    "Cover": "it says that every deterministic learner errs every time",
}
VERIFIERS = {
    "linear": {**linear_theorems.THEOREMS, **class_theorems.THEOREMS},
    "experts": panel_theorems.RULES,
    "hypotheses": finite_theorems.THEOREMS,
    "panel": panel_theorems.THEOREMS,
}


def theorems_in(part):
    """The names of the classes of a subpackage that are theorems."""
    package = import_module(f"noregret.{part}")
    for module in pkgutil.iter_modules(package.__path__):
        for one in vars(import_module(f"noregret.{part}.{module.name}")).values():
            name = getattr(one, "name", None)  # of Theorem itself a property, of a frame for several empty
            if isinstance(one, type) and hasattr(one, "certify") and isinstance(name, str) and name:
                yield name


@pytest.mark.parametrize("part", VERIFIERS)
def test_every_theorem_of_the_package_has_a_verifier(part):
    found = set(theorems_in(part))
    assert found and found <= set(VERIFIERS[part]), found - set(VERIFIERS[part])


def test_every_theorem_that_is_listed_has_a_verifier_or_a_reason():
    names = {one.theorem for one in known()}
    checked = {name for theorems in VERIFIERS.values() for name in theorems}
    assert names - checked == set(WITHOUT_A_RUN)
    assert checked >= {f"Kivinen–Warmuth ({form})" for form in ("balanced", "normalised")}


SPECS = [
    "perceptron:margin=2",
    "ogd:l1=0.1",
    "adagrad:form=averaging",
    "wm:n=3,beta=0.2",
    "wm:n=3,beta=0",
    "rwm:n=3,horizon=9",
    "hedge:n=3,rate=1",
    "hedge:n=3,horizon=9",
    "hedge:n=3,doubling=true",
]


def test_the_theorems_that_are_expected_are_those_of_the_learners():
    named = [*LEARNERS, *FINITE_LEARNERS, *EXPERTS]
    assert set(_ALWAYS) <= set(named)
    for spec in [*SPECS, *(f"{name}:n=3" if name in EXPERTS else name for name in named)]:
        made = learner(spec, "all:1" if spec in FINITE_LEARNERS else None)
        assert theorems_of(*parsed(spec)) == tuple(one.name for one in made.theorems()), spec
        if spec.partition(":")[0] in LEARNERS:
            late = tuple(one.name for one in made.late_theorems())
            assert late_theorems_of(*parsed(spec)) == late, spec


def test_every_learner_of_a_run_has_a_twin_and_auto_has_its_members():
    assert set(TWINS) == set(LEARNERS)
    assert AUTO == MEMBERS
    for name, twin in TWINS.items():
        made = twin(threshold=5) if name == "winnow" else twin()
        assert task_of(made) == learner(name).task, name


def test_the_rules_whose_theorems_bound_the_regret_are_known():
    found = {one.name for spec in RULES for one in expert_rule(spec, 3).theorems() if one.about == "regret"}
    assert found == set(panel_theorems.REGRET)


def test_a_panel_has_the_theorems_of_its_rule_and_one_of_its_own():
    for rule in (
        "adahedge",
        "squint",
        "hedge:rate=0.5",
        "boa",
        "mlpol",
        "mlprod",
        "ftl",
        "fixed-share",
        "eg",
    ):
        told = [one.name for one in nr.Panel(["perceptron", "majority"], rule).theorems()]
        assert told == [*theorems_of(*parsed(rule)), "Half the weight"], rule
