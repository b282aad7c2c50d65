"""Dimensions against the definitions, worked out plainly."""

import math
import signal
import threading
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret.errors import BadParameter
from noregret.hypotheses.dimension import log2_size
from noregret.reference import finite


def plain_littlestone(rows):
    """The definition again, on columns as bit sets and each version space once: quick enough for thousands."""
    width = len(rows[0])
    columns = [sum(row[x] << k for k, row in enumerate(rows)) for x in range(width)]

    @cache
    def depth(space):
        best = -1 if space == 0 else 0
        for column in columns:
            one, zero = space & column, space & ~column
            if one and zero:
                best = max(best, 1 + min(depth(one), depth(zero)))
        return best

    return depth((1 << len(rows)) - 1)


def tables(most_rows, most_points):
    return st.integers(1, most_points).flatmap(
        lambda width: st.lists(
            st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=1, max_size=most_rows
        )
    )


@settings(max_examples=700, deadline=None)
@given(tables(16, 4))
def test_small_classes_have_the_dimensions_of_the_twin(rows):
    assert nr.littlestone_dimension(rows) == finite.littlestone(rows) == plain_littlestone(rows)
    assert nr.vc_dimension(rows) == finite.vc(rows)


@settings(max_examples=700, deadline=None)
@given(tables(64, 8))
def test_classes_of_eight_points_have_the_dimension_of_the_definition(rows):
    depth = nr.littlestone_dimension(rows)
    assert depth == plain_littlestone(rows)
    assert nr.vc_dimension(rows) <= depth <= math.log2(len({tuple(row) for row in rows}))


@pytest.mark.parametrize("seed", range(400))
def test_drawn_classes_up_to_256_by_8(seed):
    rng = np.random.default_rng(seed)
    share = rng.random()
    rows = (rng.random((int(rng.integers(1, 257)), int(rng.integers(1, 9)))) < share).astype(int).tolist()
    assert nr.littlestone_dimension(rows) == plain_littlestone(rows)


@pytest.mark.parametrize("seed", range(12))
def test_drawn_classes_that_fill_more_than_a_word(seed):
    rng = np.random.default_rng(seed)
    rows = (rng.random((int(rng.integers(65, 140)), 14)) < rng.random()).astype(int).tolist()
    assert nr.littlestone_dimension(rows) == plain_littlestone(rows)
    assert nr.vc_dimension(rows) == finite.vc(rows)


@pytest.mark.parametrize(
    ("spec", "vc", "littlestone"),
    [
        ("thresholds:4095", 1, 12),
        ("singletons:4096", 1, 1),
        ("disjunctions:12", 12, 12),
        ("all:12", 12, 12),
        ("parities:10", 10, 10),
        ("disjunctions:8,general", 8, 9),
        ("conjunctions:7", 7, 7),
        ("singletons:1", 0, 0),
        ("halfspaces:4,2", 5, 9),
        ("decision-lists:4,4", 5, 9),
        ("intervals:60", 2, 10),
        ("thresholds:[0,1]", 1, math.inf),
        ("intervals:[0,1]", 2, math.inf),
        ("singletons:[0,1]", 1, 1),
    ],
)
def test_known_classes(spec, vc, littlestone):
    assert nr.littlestone_dimension(spec) == littlestone
    assert nr.vc_dimension(spec) == vc
    assert vc <= littlestone <= log2_size(spec)


@pytest.mark.parametrize("n", range(2, 9))
def test_general_disjunctions_of_n_have_dimension_n_plus_1(n):
    assert nr.littlestone_dimension(f"disjunctions:{n},general") == n + 1


@pytest.mark.parametrize("n", [*range(1, 20), 31, 32, 63, 64, 65, 1000])
def test_thresholds_have_the_logarithm(n):
    assert nr.littlestone_dimension(f"thresholds:{n}") == int(math.log2(n + 1))


@pytest.mark.parametrize(
    ("left", "right"), [("thresholds:7", "singletons:5"), ("all:3", "parities:3"), ("intervals:6", "all:2")]
)
def test_the_dimension_of_a_product_is_the_sum(left, right):
    both = nr.littlestone_dimension(f"{left}*{right}")
    assert both == nr.littlestone_dimension(left) + nr.littlestone_dimension(right)


@settings(max_examples=150, deadline=None)
@given(tables(20, 5), st.data())
def test_known_inequalities(rows, data):
    depth = nr.littlestone_dimension(rows)
    part = data.draw(st.lists(st.sampled_from(rows), min_size=1))
    assert nr.littlestone_dimension(part) <= depth  # fewer hypotheses
    one = data.draw(st.lists(st.integers(0, 1), min_size=len(rows[0]), max_size=len(rows[0])))
    assert depth <= nr.littlestone_dimension([*rows, one]) <= depth + 1  # one more costs one at most
    assert nr.littlestone_dimension([[1 - cell for cell in row] for row in rows]) == depth
    assert nr.littlestone_dimension(rows + rows) == depth


def test_random_classes_are_worked_out():
    for seed in range(5):
        assert nr.littlestone_dimension(f"random:256,64,{seed}") in (7, 8)
    assert nr.littlestone_dimension("random:1000,200,0") == 9


@pytest.mark.parametrize("limit", [0, 1, 10, 100, 1000, 100_000])
def test_a_limit_gives_bounds_that_are_true(limit):
    low, high = nr.littlestone_dimension("halfspaces:5,1", limit=limit)
    assert 1 <= low <= 8 <= high <= 9
    low, high = nr.vc_dimension("halfspaces:5,1", limit=limit)
    assert 1 <= low <= 6 <= high <= 9


def test_a_limit_that_is_not_met_gives_the_value_twice():
    assert nr.littlestone_dimension("halfspaces:5,1", limit=10**9) == (8, 8)
    assert nr.vc_dimension("halfspaces:5,1", limit=10**9) == (6, 6)
    assert nr.littlestone_dimension("thresholds:[0,1]", limit=5) == (math.inf, math.inf)
    with pytest.raises(BadParameter, match="limit is -1"):
        nr.littlestone_dimension("all:2", limit=-1)


@pytest.mark.parametrize("measure", [nr.littlestone_dimension, nr.vc_dimension])
def test_progress_is_told_and_may_stop_the_search(measure):
    told = []

    class Enough(Exception):
        pass

    def progress(lower, upper, visited):
        told.append((lower, upper, visited))
        if len(told) == 3:
            raise Enough

    with pytest.raises(Enough):
        measure("random:200,60,1" if measure is nr.vc_dimension else "halfspaces:5,2", None, progress)
    assert len(told) == 3
    assert all(lower <= upper for lower, upper, _ in told)
    assert told[0][2] < told[1][2] < told[2][2]


def test_ctrl_c_stops_a_search():
    timer = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        nr.vc_dimension("random:2000,300,0")
    timer.join()


def test_threads_may_share_a_class():
    H = nr.hypothesis_class("random:4000,40,0")
    found = []
    threads = [threading.Thread(target=lambda: found.append(nr.littlestone_dimension(H))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1
