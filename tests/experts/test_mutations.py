"""Every theorem about experts catches wrong rules: where the right one HOLDS, the wrong one is BROKEN.

The mutants (mutants.py) really play: what is certified is made from the weights that they put down and the losses
that came (audit.py), never from what they noted themselves.
"""

import importlib
import math
import pkgutil
from functools import partial

import numpy as np
import pytest

import noregret as nr
from noregret import experts
from noregret.judging.experts import certify_experts
from noregret.reference import experts as plain
from noregret.reference import regrets
from noregret.registry import EXPERTS

from .audit import audited, audited_ridge, audited_vote
from .mutants import (
    CutsEverybody,
    CutsNobody,
    CutsOnlyOne,
    CutsTheNext,
    CutsTheRight,
    FlippedTarget,
    ForgetsCuts,
    HeavyPenalty,
    LastRoundOnly,
    NextExpert,
    SaysTheMean,
    WeakCut,
    averaged,
    best_only,
    blunt,
    contrary,
    dropped,
    flipped,
    forgetful,
    greedy,
    half_uniform,
    keen,
    lossless_share,
    mirrored,
    shifted,
    stopped,
    strong,
    weak,
)

# ---- streams of losses -----------------------------------------------------------------------------


def late_good(rounds=1200, n=4):
    """Everybody loses at random; after half the rounds one expert is faultless, and the others fail."""
    table = np.random.default_rng(0).integers(0, 2, (rounds, n)).astype(float)
    table[rounds // 2 :] = 1.0
    table[rounds // 2 :, n - 1] = 0.0
    return table


def one_better(rounds=1200, n=4):
    """Losses at random, and one expert has fewer."""
    rng = np.random.default_rng(1)
    table = (rng.random((rounds, n)) < 0.6).astype(float)
    table[:, 1] = rng.random(rounds) < 0.2
    return table


def alternating(rounds=1200):
    """Whoever leads loses next."""
    table = np.zeros((rounds, 2))
    table[0] = [0.5, 0.0]
    table[1::2, 1] = 1.0
    table[2::2, 0] = 1.0
    return table


EVERY = [flipped, dropped, shifted, averaged, stopped, half_uniform, contrary]

# ---- who is caught, and where ----------------------------------------------------------------------
# A rule that finds its own scale (AdaHedge, BOA, MLpol, EG) weighs alike whatever factor the losses have: weak and
# strong lessons change nothing, and its rate is spoilt instead (blunt, keen). Where a bound is measured from the
# regrets of the run (BOA, MLpol), or from its changes of leader, a mutant that only varies more is granted more:
# greedy ones pass on alternating losses, as does MLpol with one rate for all, and they are caught elsewhere or not
# listed. A ridge that forgets to subtract the mean stays within Y²·Σ xᵀA⁻¹x, which has room for it.

FIXED = {
    late_good: [*EVERY, best_only, forgetful, weak, blunt],
    alternating: [strong, keen, greedy],
}
OWN_SCALE = [*EVERY, best_only, blunt]


def of_horizon(n, rounds):
    return n, math.sqrt(8.0 * math.log(n) / rounds)


def of_penalty(n, rounds):
    return n, -math.log(max(0.5, 1.0 - math.sqrt(math.log(n) / rounds)))


GAMES = {
    "hedge": (plain.Hedge, lambda n, _: (n,), FIXED),
    "hedge:rate=0.3": (plain.Hedge, lambda n, _: (n, 0.3), FIXED),
    "hedge:horizon=1200": (plain.Hedge, of_horizon, FIXED),
    "hedge:doubling=true": (
        plain.Doubling,
        lambda n, _: (n,),
        {late_good: FIXED[late_good], alternating: [strong, keen]},
    ),
    "rwm": (plain.Hedge, lambda n, _: (n, math.log(2.0)), FIXED),
    "rwm:horizon=1200": (plain.Hedge, of_penalty, FIXED),
    "fixed-share": (
        plain.FixedShare,
        lambda n, _: (n,),
        {
            late_good: [*EVERY, best_only, forgetful, weak, lossless_share],
            alternating: [strong, greedy, forgetful],
        },
    ),
    "adahedge": (
        plain.AdaHedge,
        lambda n, _: (n,),
        {late_good: [*OWN_SCALE, forgetful], alternating: [greedy, keen]},
    ),
    "eg": (plain.EG, lambda n, _: (n,), {late_good: [*OWN_SCALE, forgetful], alternating: [greedy, keen]}),
    "eg:rate=0.2": (plain.EG, lambda n, _: (n, 0.2), FIXED),
    "squint": (
        regrets.Squint,
        lambda n, _: (n,),
        {late_good: [*OWN_SCALE, forgetful], alternating: [greedy]},
    ),
    "mlprod": (
        regrets.MLProd,
        lambda n, _: (n,),
        {late_good: [*OWN_SCALE, forgetful], alternating: [greedy]},
    ),
    "boa": (regrets.BOA, lambda n, _: (n,), {late_good: [*OWN_SCALE, forgetful, greedy]}),
    "mlpol": (
        regrets.MLPol,
        lambda n, _: (n,),
        {late_good: [*EVERY, best_only, greedy, mirrored], one_better: [forgetful]},
    ),
    "ftl": (
        plain.FollowTheLeader,
        lambda n, _: (n,),
        {late_good: [*EVERY, forgetful], one_better: [best_only]},
    ),
}
CASES = [
    (spec, stream, mutant)
    for spec, (_, _, caught) in GAMES.items()
    for stream, mutants in caught.items()
    for mutant in mutants
]


def certified(spec, stream, mutant=lambda form: form):
    """The certificates of a twin, or of a mutant of it, that poses as the rule of a spec."""
    form, given, _ = GAMES[spec]
    table = stream()
    rounds, n = table.shape
    twin = mutant(form)(*given(n, rounds))
    weights = []
    for row in table.tolist():
        weights.append(twin.weights())
        twin.learn(row)
    rule = nr.expert_rule(spec, n)
    return certify_experts(audited(rule, np.array(weights), table), rule.theorems())


def named(value):
    return getattr(getattr(value, "func", value), "__name__", value)


@pytest.mark.parametrize(
    ("spec", "stream"), [(spec, stream) for spec, game in GAMES.items() for stream in game[2]], ids=named
)
def test_the_right_rule_holds_and_the_audit_finds_its_numbers(spec, stream):
    table = stream()
    native = nr.certify(nr.expert_rule(spec, table.shape[1]).play(table))
    twin = certified(spec, stream)
    assert {c.verdict for c in native + twin} == {"holds"}
    assert [c.observed for c in twin] == pytest.approx([c.observed for c in native], rel=1e-6, abs=1e-6)
    assert [c.bound for c in twin] == pytest.approx([c.bound for c in native], rel=1e-6)


@pytest.mark.parametrize(("spec", "stream", "mutant"), CASES, ids=named)
def test_a_wrong_rule_is_broken(spec, stream, mutant):
    for certificate in certified(spec, stream, mutant):
        assert certificate.verdict == "broken", str(certificate)
        assert all(hypothesis.met for hypothesis in certificate.hypotheses)


# ---- votes and ridge, which need advice ------------------------------------------------------------


def liars(rounds=300):
    """Three of five say the opposite of the truth, one guesses, and one is always right."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, rounds).astype(float)
    advice = np.repeat(1.0 - truth[:, None], 5, axis=1)
    advice[:, 3] = rng.integers(0, 2, rounds)
    advice[:, 4] = truth
    return advice, truth


def linear_truth(rounds=600):
    """Three forecasts at random, and the truth is a combination that no mixture can reach."""
    rng = np.random.default_rng(3)
    advice = rng.normal(size=(rounds, 3))
    return advice, 3.0 * advice[:, 0] - advice[:, 1] + 0.1 * rng.normal(size=rounds)


ADVISED = {
    "wm": (
        liars,
        regrets.WeightedMajority,
        audited_vote,
        [CutsTheRight, CutsNobody, CutsEverybody, CutsTheNext, CutsOnlyOne, WeakCut, ForgetsCuts],
    ),
    "wm:beta=0": (
        liars,
        lambda n: regrets.WeightedMajority(n, 0.0),
        audited_vote,
        [
            partial(mutant, beta=0.0)
            for mutant in (
                CutsTheRight,
                CutsNobody,
                CutsEverybody,
                CutsTheNext,
                CutsOnlyOne,
                WeakCut,
                ForgetsCuts,
            )
        ],
    ),
    "expert-ridge": (
        linear_truth,
        regrets.ExpertRidge,
        audited_ridge,
        [FlippedTarget, SaysTheMean, LastRoundOnly, NextExpert, HeavyPenalty],
    ),
}


def certified_advice(spec, form):
    """The certificates of a twin that is told what the experts say."""
    stream, _, audit, _ = ADVISED[spec]
    advice, truth = stream()
    twin, said = form(advice.shape[1]), []
    for row, y in zip(advice.tolist(), truth.tolist(), strict=True):
        said.append(twin.predict(row))
        twin.learn(row, y)
    rule = nr.expert_rule(spec, advice.shape[1])
    return certify_experts(audit(rule, np.array(said), advice, truth), rule.theorems())


@pytest.mark.parametrize("spec", ADVISED)
def test_the_right_rule_with_advice_holds_and_the_audit_finds_its_numbers(spec):
    stream, form, _, _ = ADVISED[spec]
    advice, truth = stream()
    native = nr.certify(nr.expert_rule(spec, advice.shape[1]).play(advice, truth))
    twin = certified_advice(spec, form)
    assert {c.verdict for c in native + twin} == {"holds"}
    assert [c.observed for c in twin] == pytest.approx([c.observed for c in native], rel=1e-6)
    assert [c.bound for c in twin] == pytest.approx([c.bound for c in native], rel=1e-6)


@pytest.mark.parametrize(
    ("spec", "mutant"), [(s, m) for s, game in ADVISED.items() for m in game[3]], ids=named
)
def test_a_wrong_rule_with_advice_is_broken(spec, mutant):
    for certificate in certified_advice(spec, mutant):
        assert certificate.verdict == "broken", str(certificate)
        assert all(hypothesis.met for hypothesis in certificate.hypotheses)


# ---- nobody is forgotten ---------------------------------------------------------------------------


def theorems_written():
    """The name of every theorem class in noregret.experts."""
    modules = [
        importlib.import_module(f"{experts.__name__}.{m.name}")
        for m in pkgutil.iter_modules(experts.__path__)
    ]
    classes = {kind for module in modules for kind in vars(module).values() if isinstance(kind, type)}
    return {kind.name for kind in classes if hasattr(kind, "certify") and isinstance(kind.name, str)}


def test_every_theorem_of_every_rule_is_tried_with_three_mutants_or_more():
    tried = {}
    for spec, game in (GAMES | ADVISED).items():
        mutants = set().union(*game[2].values()) if spec in GAMES else set(game[3])
        for theorem in nr.expert_rule(spec, 3).theorems():
            tried.setdefault((spec.partition(":")[0], theorem.name), set()).update(mutants)
    assert all(len(mutants) >= 3 for mutants in tried.values())
    for name in EXPERTS:
        theorems = nr.expert_rule(name, 3).theorems()
        assert theorems, f"{name} has no theorem"
        assert {(name, theorem.name) for theorem in theorems} <= set(tried)
    assert theorems_written() == {theorem for _, theorem in tried}
