import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noregret as nr
from noregret.errors import BadParameter
from noregret.hypotheses.drawing import tree_as_svg, tree_as_text
from noregret.hypotheses.tree import ShatteredTree
from noregret.reference import finite


@settings(max_examples=400, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 8))
def test_the_tree_is_a_witness(seed, rows, points):
    table = np.random.default_rng(seed).integers(0, 2, (rows, points)).tolist()
    tree = nr.shattered_tree(table)
    assert tree.depth == nr.littlestone_dimension(table)
    assert finite.shatters(table, tree.points)


@pytest.mark.parametrize(
    "spec",
    ["thresholds:255", "disjunctions:6", "disjunctions:5,general", "random:200,30,4", "halfspaces:4,1"],
)
def test_trees_of_named_classes(spec):
    tree = nr.shattered_tree(spec)
    assert tree.depth == nr.littlestone_dimension(spec) == tree.depth
    assert finite.shatters(tree.hypotheses.table().tolist(), tree.points)


def test_the_verifier_refuses_what_is_no_witness():
    table = [[0, 0], [0, 1], [1, 1]]
    assert finite.shatters(table, [0]) and finite.shatters(table, ())
    assert not finite.shatters(table, [0, 0, 1])  # the same point twice
    assert not finite.shatters(table, [0, 1])  # not a full tree
    assert not finite.shatters([[0, 1]], [0])


def test_leaves_agree_with_their_paths():
    tree = nr.shattered_tree("thresholds:7")
    assert list(tree.leaves()) == [7, 6, 5, 4, 3, 2, 1, 0]


def test_a_tree_of_one_hypothesis_is_a_leaf():
    tree = nr.shattered_tree([[0, 1, 0]])
    assert tree.depth == 0 and tree.points == () and tree.point(1) is None
    assert list(tree.leaves()) == [0]
    assert "depth 0" in tree_as_text(tree)
    assert ET.fromstring(tree_as_svg(tree)).tag.endswith("svg")


def test_text_names_every_node():
    H = nr.FiniteClass(
        [[0, 0], [0, 1], [1, 1], [1, 0]], point_names=["salt", "pepper"], hypothesis_names=list("abcd")
    )
    text = tree_as_text(nr.shattered_tree(H))
    assert text.count("x = ") == 3 and all(f"→ {name}\n" in text for name in "abcd")


@pytest.mark.parametrize(("n", "circles"), [(7, 7), (1023, 255)])
def test_a_picture_has_a_circle_for_each_point_that_fits(n, circles):
    svg = tree_as_svg(nr.shattered_tree(f"thresholds:{n}"))
    assert ET.fromstring(svg) is not None
    assert svg.count("<circle") == circles
    assert ("its first 7 levels" in svg) == (n == 1023)


def test_names_in_a_picture_are_escaped():
    H = nr.FiniteClass([[0], [1]], point_names=["<b>&"], hypothesis_names=["<i>", "&"])
    svg = tree_as_svg(nr.shattered_tree(H))
    assert "<b>" not in svg and "<i>" not in svg and "&lt;b&gt;&amp;" in svg
    assert re.search("<svg", svg)


def test_an_infinite_class_has_no_tree_to_show():
    with pytest.raises(BadParameter, match="infinitely many hypotheses"):
        nr.shattered_tree("thresholds:[0,1]")


def test_a_given_tree_is_walked():
    H = nr.hypothesis_class("thresholds:3")
    shallow = ShatteredTree(H, (1,))
    ledger = nr.play(nr.TreeAdversary(H, shallow), nr.Halving(H))
    assert ledger.rounds == ledger.mistakes == 1
