"""The sums that a rule keeps, against the same in fractions: what rounding took is shown, and it is enough."""

from fractions import Fraction

import numpy as np
import pytest

import noregret as nr
from noregret.certificate import Verdict
from noregret.registry import EXPERTS

SCALES = {
    "unit": lambda rng, shape: rng.random(shape),
    "far from zero": lambda rng, shape: 1e8 + rng.random(shape),
    "of both signs": lambda rng, shape: 1e8 * rng.normal(size=shape),
    "of every size": lambda rng, shape: 10.0 ** rng.uniform(-12, 8, shape),
    "all but alike": lambda rng, shape: 1.0 + 1e-15 * rng.integers(0, 3, shape),
    "tiny": lambda rng, shape: 1e-300 * rng.random(shape),
}
COUNTS = ("wm",)  # of zeros and ones, which are exact
RULES = [name for name in EXPERTS if name not in (*COUNTS, "expert-ridge")]


def exact(weights, losses):
    """Σp·ℓ of every round, for the weights as they were played, made to add up to 1 without rounding."""
    found = []
    for row, priced in zip(weights.tolist(), losses.tolist(), strict=True):
        parts = [Fraction(w) for w in row]
        total = sum(parts)
        found.append(sum(w * Fraction(loss) for w, loss in zip(parts, priced, strict=True)) / total)
    return found


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", RULES)
def test_losses_and_squares_are_off_by_less_than_is_shown(name, scale):
    rng = np.random.default_rng(len(name))
    losses = SCALES[scale](rng, (120, 3))
    rule = nr.expert_rule(name, 3)
    run = rule.play(losses, keep_weights=True)
    account, own = run.account, exact(run.weights, losses)
    totals = [sum(map(Fraction, column)) for column in losses.T.tolist()]
    room = Fraction(account.rounding)
    for kept, total in zip(account.expert_losses.tolist(), totals, strict=True):
        assert abs(Fraction(account.loss) - sum(own)) + abs(Fraction(kept) - total) <= room
    if "square" in account.lanes and name != "boa":  # which starts at 2⁻²⁰
        most = account.squares_above(account.lanes["square"])
        for column, bound in zip(losses.T.tolist(), most.tolist(), strict=True):
            squares = sum((a - Fraction(loss)) ** 2 for a, loss in zip(own, column, strict=True))
            assert squares <= Fraction(bound)


PARTS = {
    "Cesa-Bianchi–Lugosi": lambda q: np.log(q["N"]) / q["eta"] + q["T"] * q["eta"] / 8,
    "Freund–Schapire 1997": lambda q: (q["eta"] * q["L*"] + np.log(q["N"])) / -np.expm1(-q["eta"]),
    "Anytime Hedge": lambda q: np.sqrt(q["T"] * np.log(q["N"])),
    "Randomised Majority": lambda q: (2 - q["beta"]) * q["L*"] + np.log(q["N"]) / (1 - q["beta"]),
    "de Rooij et al.": lambda q: 2 * np.sqrt(q["V"] * np.log(q["N"])) + q["S"] * (4 / 3 * np.log(q["N"]) + 2),
    "Gaillard–Stoltz–van Erven": lambda q: (
        q["C"] / np.sqrt(np.log(q["N"])) * np.sqrt(1 + q["V"]) + 2 * q["C"]
    ),
}


@pytest.mark.parametrize(
    "spec",
    [
        "hedge",
        "hedge:rate=0.5",
        "hedge:rate=20",
        "hedge:doubling=true",
        "rwm",
        "adahedge",
        "mlprod",
        *EXPERTS,
    ],
)
def test_every_certificate_shows_what_was_added_to_its_bound(spec):
    """It was added and not shown: nobody could tell a bound from its rounding."""
    rng = np.random.default_rng(1)
    rule = (
        nr.expert_rule(spec, 3, loss="zero-one")
        if spec.startswith(("rwm", "wm"))
        else nr.expert_rule(spec, 3)
    )
    if spec == "expert-ridge" or spec == "wm":
        rule.play((rng.random((50, 3)) < 0.5) * 1.0, (rng.random(50) < 0.5) * 1.0)
    else:
        rule.play(rng.random((50, 3)))
    for certificate in nr.certify(rule):
        assert certificate.verdict is not Verdict.BROKEN
        if spec == "wm":
            assert "rounding" not in certificate.quantities
            continue
        added = certificate.quantities["rounding"]
        assert 0.0 < added <= 1e-8 * abs(certificate.bound)
        if certificate.theorem in PARTS:
            value = PARTS[certificate.theorem](certificate.quantities)
            assert value + added == pytest.approx(certificate.bound, rel=1e-13)
            assert value < certificate.bound


def test_the_loss_of_the_best_counts_as_often_as_it_stands_in_the_bound():
    """With η = 50 its rounding counts fifty times; it was added once."""
    rule = nr.Hedge(2, rate=50.0)
    rule.play(np.random.default_rng(0).random((1000, 2)))
    account = rule.account()
    small = next(one for one in nr.certify(rule) if one.theorem == "Freund–Schapire 1997")
    assert small.quantities["rounding"] >= 50.0 * account.rounding


def test_a_vote_shows_its_rounding_too():
    panel = nr.Panel(["perceptron", "last-label"])
    certificates = nr.certify(nr.play(nr.separable(3, 0.1, 100), panel))
    assert len(certificates) == 2 and all(one.quantities["rounding"] > 0.0 for one in certificates)
    rule, vote = certificates
    q = vote.quantities
    assert q["R"] == rule.bound and 2 * (q["L*"] + q["R"]) + q["rounding"] == pytest.approx(
        vote.bound, rel=1e-15
    )
