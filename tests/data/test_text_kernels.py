"""The loops that read name:value many at a time: Python's float for every token, whatever the instructions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noregret import _core

PLAIN = st.one_of(
    st.from_regex(r"-?[0-9]{0,9}(\.[0-9]{0,9})?", fullmatch=True),
    st.from_regex(r"-?0\.[-.0-9]{0,9}", fullmatch=True),
)
ODD = st.text(alphabet="0123456789.-+e:x", min_size=0, max_size=10)
NUMBER = st.one_of(
    st.integers(0, 10**9).map(str), st.sampled_from(["007", "0", "00", "12345678", "123456789"])
)


@pytest.fixture(params=_core.kernel_names(), scope="module")
def kernels(request):
    best = _core.kernel_names()[-1]
    _core.choose_kernels(request.param)
    yield request.param
    _core.choose_kernels(best)


def value_of(text):
    """What the format allows of what Python reads."""
    if text.strip() != text or "_" in text:
        return None
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


@given(
    features=st.lists(st.tuples(NUMBER, st.one_of(PLAIN, ODD)), min_size=1, max_size=12),
    rows=st.integers(1, 3),
)
def test_libsvm_reads_what_python_reads(kernels, features, rows):
    tokens = [f"{name}:{value}" for name, value in features]
    values = [value_of(value) for _, value in features]
    line = " ".join(tokens)
    parsed = _core.parse_libsvm(b"+1 1:1 2:2\n" + f"-1 {line}\n".encode() * rows)
    if None in values:
        (fault,) = parsed.faults
        bad = tokens[values.index(None)]
        assert fault.line == 1 and fault.token.decode() == bad and len(parsed) == 1
        return
    found, indices, starts, _ = parsed.take()
    assert len(starts) == rows + 2 and not parsed.faults
    assert found[2:].tobytes() == np.array(values * rows).tobytes()  # the sign of 0 too
    assert indices[2:].tolist() == [int(name) for name, _ in features] * rows


NAMES = st.text(alphabet="0123456789aé^_-.", min_size=1, max_size=10)


@given(
    features=st.lists(st.tuples(st.one_of(NUMBER, NAMES), PLAIN), min_size=1, max_size=12),
    space=st.sampled_from(["", "s"]),
)
def test_vowpal_wabbit_reads_what_python_reads(kernels, features, space):
    good = [(name, value_of(value)) for name, value in features if value_of(value) is not None]
    line = " ".join(f"{name}:{value}" for name, value in features if value_of(value) is not None)
    vocabulary = _core.Vocabulary(1000)
    for _ in range(2):  # with names that are new, and with names that are known
        parsed = _core.parse_vw(f"1 |{space} a:1\n-1 |{space} {line}\n".encode(), vocabulary)
        assert not parsed.faults and parsed.settle(vocabulary) == 0
        found, indices, _, _ = parsed.take()
        assert found[1:].tobytes() == np.array([value for _, value in good], dtype=float).tobytes()
        prefix = f"{space}^" if space else ""
        assert [vocabulary[int(k)] for k in indices[1:]] == [prefix + name for name, _ in good]


@pytest.mark.parametrize("length", [15, 16, 17, 16_383, 16_384, 16_385, 40_000])
def test_tokens_of_any_length_may_stand_across_a_stretch(kernels, length):
    name, digits = "n" * length, "0" * length
    rows = b"1 | a:1 b:2\n" + f"1 | {name}:0.5 b:{digits}7 c\n".encode() + b"-1 | b:0.25\n"
    vocabulary = _core.Vocabulary(1000)
    parsed = _core.parse_vw(rows, vocabulary)
    parsed.settle(vocabulary)
    values, indices, starts, _ = parsed.take()
    assert [vocabulary[int(k)] for k in indices] == ["a", "b", name, "b", "c", "b"]
    assert values.tolist() == [1, 2, 0.5, 7, 1, 0.25] and starts.tolist() == [0, 2, 5, 6]
