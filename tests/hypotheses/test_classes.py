"""Classes: where they come from, and what is refused."""

import itertools
import math

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadFile, BadInput, BadParameter, BadType, NoregretError, UnknownName
from noregret.hypotheses.classes import LARGEST


def rows(spec):
    return {tuple(row) for row in nr.hypothesis_class(spec).table().tolist()}


def cube(n):
    return [tuple(x >> i & 1 for i in range(n)) for x in range(2**n)]


def test_thresholds_singletons_intervals_all():
    assert rows("thresholds:3") == {(1, 1, 1), (0, 1, 1), (0, 0, 1), (0, 0, 0)}
    assert rows("singletons:3") == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
    assert rows("intervals:3") == {
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
        (0, 0, 1),
        (1, 1, 0),
        (0, 1, 1),
        (1, 1, 1),
    }
    assert rows("all:3") == set(itertools.product((0, 1), repeat=3))


@pytest.mark.parametrize("n", [1, 2, 4])
def test_disjunctions_and_conjunctions(n):
    sets = [s for k in range(n + 1) for s in itertools.combinations(range(n), k)]
    assert rows(f"disjunctions:{n}") == {tuple(int(any(x[i] for i in s)) for x in cube(n)) for s in sets}
    assert rows(f"conjunctions:{n}") == {tuple(int(all(x[i] for i in s)) for x in cube(n)) for s in sets}


@pytest.mark.parametrize("n", [1, 2, 3])
def test_general_disjunctions_and_conjunctions(n):
    literals = [
        [(i, v) for i, v in enumerate(signs) if v is not None]
        for signs in itertools.product((None, 0, 1), repeat=n)
    ]
    assert rows(f"disjunctions:{n},general") == {
        tuple(int(any(x[i] == v for i, v in s)) for x in cube(n)) for s in literals
    }
    assert rows(f"conjunctions:{n},general") == {
        tuple(int(all(x[i] == v for i, v in s)) for x in cube(n)) for s in literals
    }
    assert nr.hypothesis_class(f"disjunctions:{n},general").size == 3**n


def test_parities_and_k_of_n():
    sets = [s for k in range(4) for s in itertools.combinations(range(3), k)]
    assert rows("parities:3") == {tuple(sum(x[i] for i in s) % 2 for x in cube(3)) for s in sets}
    for k in (1, 2, 3):
        expected = {tuple(int(sum(x[i] for i in s) >= k) for x in cube(3)) for s in sets}
        assert rows(f"k-of-n:{k},3") == expected
        assert nr.hypothesis_class(f"k-of-n:{k},3").size == len(expected)


@pytest.mark.parametrize(("n", "w"), [(1, 1), (2, 1), (2, 2), (3, 1)])
def test_halfspaces(n, w):
    weights = list(itertools.product(range(-w, w + 1), repeat=n))
    expected = {
        tuple(int(sum(a * b for a, b in zip(v, x, strict=True)) >= t) for x in cube(n))
        for v in weights
        for t in range(-n * w, n * w + 2)
    }
    assert rows(f"halfspaces:{n},{w}") == expected
    assert nr.hypothesis_class(f"halfspaces:{n},{w}").size == len(expected)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (2, 1), (2, 2), (3, 2)])
def test_decision_lists(n, k):
    rules = list(itertools.product(range(n), (0, 1), (0, 1)))

    def says(rules, default, x):
        return next((bit for i, value, bit in rules if x[i] == value), default)

    expected = {
        tuple(says(chosen, default, x) for x in cube(n))
        for length in range(k + 1)
        for chosen in itertools.product(rules, repeat=length)
        for default in (0, 1)
    }
    assert rows(f"decision-lists:{n},{k}") == expected
    assert nr.hypothesis_class(f"decision-lists:{n},{k}").size == len(expected)


def test_random_repeats_by_its_seed():
    one, two, other = (nr.hypothesis_class(f"random:50,9,{seed}").table() for seed in (3, 3, 4))
    assert one.shape == (50, 9) and (one == two).all() and (one != other).any()


def test_unions_and_products():
    assert rows("singletons:4+thresholds:4") == rows("singletons:4") | rows("thresholds:4")
    assert nr.hypothesis_class("singletons:4+thresholds:4").size == 8  # the last singleton is a threshold
    both = nr.hypothesis_class("thresholds:2*all:2")
    assert rows("thresholds:2*all:2") == {a + b for a in rows("thresholds:2") for b in rows("all:2")}
    assert both.points == 4 and both.point_name(2) == "all:2/0"
    assert rows("all:1*all:1+thresholds:2") == rows("all:2")


def test_points_are_found_by_number_by_name_and_as_a_feature():
    H = nr.FiniteClass([[0, 1, 1]], point_names=["a", "b", "c"])
    assert (
        H.point(2)
        == H.point(np.int64(2))
        == H.point("c")
        == H.point({"c": 1.0})
        == H.point(np.array([0.0, 0, 1]))
        == 2
    )
    assert nr.hypothesis_class("disjunctions:3").point("101") == 5
    assert nr.hypothesis_class("thresholds:3").point("2") == 2


@pytest.mark.parametrize(
    "x", [3, -1, "d", "3", {"a": 1.0, "b": 1.0}, {"a": 2.0}, {}, np.zeros(3), 1.5, None, True]
)
def test_a_point_outside_the_domain_is_refused(x):
    H = nr.FiniteClass([[0, 1, 1]], point_names=["a", "b", "c"], name="abc")
    with pytest.raises(BadInput, match=r"no point|a point of abc is|x is a"):
        H.point(x)


def test_a_predicate_makes_a_class():
    H = nr.FiniteClass.from_predicate(lambda c, x: x >= c, range(4), range(3), name="steps")
    assert {tuple(row) for row in H.table().tolist()} == rows("thresholds:3")
    assert (
        H.point_name(1) == "1" and H.hypothesis_name(2) == "2" and "steps: 4 hypotheses, 3 points" in repr(H)
    )
    with pytest.raises(BadInput, match="is 2; a cell is 0 or 1"):
        nr.FiniteClass.from_predicate(lambda c, x: c, range(3), range(3))


@pytest.mark.parametrize(
    ("table", "kind", "sentence"),
    [
        ([[0, 1], [2, 1]], BadInput, "row 1, column 0 of the table is 2; a cell is 0 or 1"),
        ([[0, 0.5]], BadInput, "row 0, column 1 of the table is 0.5"),
        ([[0, np.nan]], BadInput, "row 0, column 1 of the table is nan"),
        ([[0, 1], [1]], BadInput, "different lengths"),
        ([], BadInput, "no hypotheses"),
        (np.zeros((0, 3)), BadInput, "no hypotheses"),
        (np.zeros((3, 0)), BadInput, "no points"),
        ([0, 1], BadType, "1 dimensions"),
        ([["a", "b"]], BadType, "must be 0 or 1"),
    ],
)
def test_bad_tables(table, kind, sentence):
    with pytest.raises(kind, match=sentence):
        nr.FiniteClass(table)
    with pytest.raises(kind):
        nr.littlestone_dimension(table)


def test_one_hypothesis_has_dimension_0():
    assert nr.littlestone_dimension([[0, 1, 0]]) == nr.vc_dimension([[0, 1, 0]]) == 0


@pytest.mark.parametrize(
    ("spec", "kind", "sentence"),
    [
        ("threshold:3", UnknownName, "did you mean thresholds"),
        ("zzz", UnknownName, "there is thresholds:n, singletons:d"),
        ("thresholds", BadParameter, "write thresholds:n with whole numbers"),
        ("thresholds:x", BadParameter, "whole numbers"),
        ("thresholds:-3", BadParameter, "whole numbers"),
        ("thresholds:3,4", BadParameter, "whole numbers"),
        ("thresholds:0", BadParameter, "at least 1"),
        ("thresholds:3,general", BadParameter, "whole numbers"),
        ("disjunctions:general", BadParameter, "write disjunctions:n or n,general"),
        ("k-of-n:4,3", BadParameter, "k of n needs k ≤ n"),
        ("random:5,5", BadParameter, "write random:h,x,seed"),
        ("thresholds:3+thresholds:4", BadParameter, "a union needs the same points"),
        ("thresholds:[0,1]+all:2", BadParameter, "infinitely many"),
    ],
)
def test_bad_specs(spec, kind, sentence):
    with pytest.raises(kind, match=sentence):
        nr.hypothesis_class(spec)


@pytest.mark.parametrize(
    ("spec", "number"),
    [
        ("disjunctions:17", f"{2**34:,} cells"),
        ("thresholds:1000000000", "1,000,000,001 hypotheses"),
        ("singletons:999999999999999999", "999,999,999,999,999,999 hypotheses"),
        ("all:64", r"2\^64"),
        ("all:99999999", r"2\^99999999"),
        ("parities:30", "1,073,741,824 hypotheses"),
        ("halfspaces:9,9", "512 points"),
        ("decision-lists:30,9", "cells"),
        ("intervals:1000000", "500,000,500,001 hypotheses"),
        ("random:9999999999,9999999999,0", "9,999,999,999 hypotheses"),
        ("thresholds:9999*thresholds:9999", "100,000,000 hypotheses"),
    ],
)
def test_what_would_not_fit_is_refused_with_the_number(spec, number):
    with pytest.raises(BadParameter, match=number):
        nr.hypothesis_class(spec)


def test_the_limit_is_half_a_gigabyte_of_bits():
    assert LARGEST / 8 == 2**29 and math.log2(LARGEST) == 32


@pytest.mark.parametrize(
    "text",
    ["0,0\n0,1\n1,1\n", "left,right\n0,0\n0,1\n1,1\n", "name,left,right\na,0,0\nb,0,1\nc,1,1\n", "a,0,0\nb,0,1\n\nc,1,1", "\ufeff0, 0\r\n0, 1\r\n1, 1\r\n"],
)  # fmt: skip
def test_a_file(tmp_path, text):
    path = tmp_path / "steps.csv"
    path.write_text(text, encoding="utf-8", newline="")
    H = nr.hypothesis_class(path)
    assert H.table().tolist() == [[0, 0], [0, 1], [1, 1]]
    assert H.name == str(path)
    assert H.point_name(1) == ("right" if "right" in text else "1")
    assert H.hypothesis_name(2) == ("c" if "c,1" in text else "h2")
    assert nr.littlestone_dimension(str(path)) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("0,1\n0,1,1\n", "line 2: 3 cells, and the first line has 2"),
        ("0,1\n0,2\n", "line 2, column 2: '2' is not a label; a cell is 0 or 1"),
        ("0,2\n0,1\n", "line 1, column 2: '2'"),
        ("p,q\n0,x\n", "line 2, column 2: 'x'"),
        ("x,0\n0,1\n", "line 1, column 1: 'x'"),
        ("0,x,1\n0,1,1\n", "line 1, column 2: 'x'"),
        ("0;1\n1;1\n", "line 1: the cells stand between semicolons; write commas"),
        ("0\t1\n1\t1\n", "line 1: the cells stand between tabs; write commas"),
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("p,q\n", "no hypotheses"),
        ("0,1\n0,\n", "line 2, column 2: ''"),
        ("p,p\n0,1\n", "two points have the same name"),
    ],
)
def test_bad_files(tmp_path, text, sentence):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(NoregretError, match=sentence):
        nr.hypothesis_class(path)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(BadFile, match="no such file"):
        nr.hypothesis_class(tmp_path / "none.csv")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadFile, match="not UTF-8"):
        nr.hypothesis_class(tmp_path / "binary.csv")


def test_names_must_fit():
    with pytest.raises(BadInput, match="2 points and 1 names"):
        nr.FiniteClass([[0, 1]], point_names=["a"])
    with pytest.raises(BadInput, match="1 hypotheses and 2 names"):
        nr.FiniteClass([[0, 1]], hypothesis_names=["a", "b"])
