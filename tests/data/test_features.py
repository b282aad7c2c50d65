import doctest

from hypothesis import given, settings
from hypothesis import strategies as st

from noregret.data import features
from noregret.reference import hashing


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.one_of(st.text(st.characters(codec="utf-8"), max_size=40), st.integers(0, 2**31 - 2)),
    st.integers(1, 30),
)
def test_the_hash_is_its_twin(feature, bits):
    assert features.hashed(feature, bits) == hashing.hashed(feature, bits) < 2**bits


def test_the_hash_is_fixed_for_ever():
    assert features.HASH_VERSION == 1
    told = ("", "a", "length 8", "longer than eight", 0, 2**31 - 2)
    fixed = [0, 801189134, 477936358, 860010054, 789589450, 302488316]
    assert [features.hashed(feature, 30) for feature in told] == fixed
    assert doctest.testmod(features).failed == 0
