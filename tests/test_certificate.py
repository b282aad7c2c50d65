import json
import math
from fractions import Fraction

import pytest

from noregret.certificate import Certificate, Hypothesis, Theorem, Verdict, conclude, shown
from noregret.linear.perceptron import FreundSchapire, Novikoff
from noregret.linear.winnow_theorems import (
    KivinenWarmuth,
    LittlestoneBookkeeping,
    LittlestoneDisjunction,
    LittlestoneThreshold,
)
from noregret.rounding import above, float_above, root_above

THEOREMS = [
    Novikoff(), FreundSchapire(), LittlestoneDisjunction(), LittlestoneThreshold(), LittlestoneBookkeeping(),
    KivinenWarmuth(balanced=False), KivinenWarmuth(balanced=True),
]  # fmt: skip


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda t: t.name)
def test_theorems_say_what_they_are(theorem):
    assert isinstance(theorem, Theorem)
    assert theorem.name and theorem.about and any(sign in theorem.statement for sign in "≤")
    assert any(year in theorem.source for year in ("1962", "1988", "1989", "1997", "1999"))


def test_verdicts():
    met, unmet = Hypothesis("it rains", True), Hypothesis("it pours", False, "it drizzles")
    holds = conclude(Novikoff(), 3, Fraction(3), [met])
    broken = conclude(Novikoff(), 3, Fraction(3) - Fraction(1, 10**30), [met])
    silent = conclude(Novikoff(), 3, Fraction(99), [met, unmet])
    assert (holds.verdict, broken.verdict, silent.verdict) == (Verdict.HOLDS, Verdict.BROKEN, Verdict.SILENT)
    assert holds.slack == 0.0 and silent.slack is None and silent.bound is None
    assert "this is a bug" in broken.reason and silent.reason == "not met: it pours (it drizzles)"
    assert str(holds) == "Novikoff: HOLDS (3 ≤ 3)"


def test_a_tight_game_is_not_refused_by_rounding():
    third = Fraction(1, 3)
    assert conclude(Novikoff(), 1, third + third + third, []).verdict == "holds"
    assert 3.0 * 0.1 != 0.3  # what floats would have said


def test_outward_rounding():
    assert float_above(Fraction(1, 3)) >= Fraction(1, 3) > math.nextafter(float_above(Fraction(1, 3)), 0)
    assert float_above(Fraction(7)) == 7.0 and float_above(Fraction(10) ** 400) == math.inf
    for number in (Fraction(2), Fraction(10**12 + 1), Fraction(1, 7)):
        assert root_above(number) ** 2 >= number
    assert root_above(Fraction(9, 4)) == Fraction(3, 2) and root_above(Fraction(0)) == 0
    assert above(2.0) > 2.0 and above(-2.0) > -2.0


def test_certificates_are_plain_data():
    certificate = conclude(Novikoff(), 3, Fraction(7, 2), [Hypothesis("a", True)], {"R": 1.0})
    data = json.loads(json.dumps(certificate.as_json()))
    assert (
        data["verdict"] == "holds" and data["observed"] == 3 and data["bound"] == 3.5 and data["slack"] == 0.5
    )
    assert isinstance(certificate, Certificate)


def test_numbers_are_shown_for_people():
    assert [shown(n) for n in (None, 0.0, 1234567.0, 1234.56, 0.123456, math.inf)] == [
        "–", "0", "1,234,567", "1,234.6", "0.1235", "inf",
    ]  # fmt: skip
