"""Slips that are easy to make get one sentence that says what would be right."""

import numpy as np
import pyarrow as pa
import pytest

import noregret as nr
from noregret.errors import BadInput, BadLabel, BadParameter, BadType

STREAM = nr.standard_basis(5)


@pytest.mark.parametrize(
    ("nature", "sentence"),
    [
        ([({"a": 1}, 1)], "a list is not a stream of rounds; nr.from_rounds makes one"),
        ("mail.svm", "nr.read makes one of a file"),
        (np.eye(2), r"nr.from_arrays\(X, y\) makes one"),
        ((np.eye(2), [1, -1]), r"nr.from_arrays\(X, y\) makes one"),
        (pa.table({"a": [1]}), "nr.from_table makes one of a table"),
        (None, "a NoneType is not a stream"),
    ],
)
def test_what_is_no_stream(nature, sentence):
    with pytest.raises(BadType, match=sentence):
        nr.play(nature, nr.Perceptron())


@pytest.mark.parametrize(
    ("learner", "sentence"),
    [
        ("perceptron", r"'perceptron' is a string; nr.learner\('perceptron'\) makes a learner"),
        (nr.Perceptron, r"Perceptron is a class; .* Perceptron\(\)"),
        (nr.Hedge(3), r"Hedge is a rule over experts .* nr.Panel\(learners, rule=…\)"),
        (None, "a NoneType is not a learner; one has spec, predict and learn"),
    ],
)
def test_what_is_no_learner(learner, sentence):
    with pytest.raises(BadType, match=sentence):
        nr.play(STREAM, learner)
    with pytest.raises(BadType, match="play_all takes a list of learners, not a Perceptron"):
        nr.play_all(STREAM, nr.Perceptron())


@pytest.mark.parametrize("rounds", [-1, 2.5, "a", True])
def test_a_number_of_rounds_is_whole(rounds):
    with pytest.raises(BadParameter, match=f"rounds is {rounds!r}; it must be a whole number, 0 or more"):
        nr.play(STREAM, nr.Perceptron(), rounds)
    assert nr.play(STREAM, nr.Perceptron(), np.int64(2)).rounds == 2


@pytest.mark.parametrize("member", ["hedge:n=2", nr.Hedge(2)])
def test_a_rule_over_experts_is_no_member(member):
    with pytest.raises(
        BadType, match=r"hedge:n=2 is a rule over experts.* nr.Panel\(members, rule='hedge'\)"
    ):
        nr.Panel([member])


def test_a_panel_takes_numbers():
    panel = nr.Panel(["perceptron", "last-label"])
    for weight in (None, "x", 10**400, -1):
        with pytest.raises(BadInput, match="the importance of this row is .*; it must be a number"):
            panel.learn({"a": 1}, 1, weight=weight)
    for label in (np.array([1]), np.array([1, -1]), "1", [1], 2):
        with pytest.raises(BadLabel, match="a panel takes -1 and"):
            panel.learn({"a": 1}, label)
    assert panel.is_fresh


@pytest.mark.parametrize("given", [nr.Perceptron(), nr.Panel(["perceptron"]), [1], None])
def test_certify_takes_a_ledger(given):
    with pytest.raises(BadType, match="certify takes the ledger that nr.play gives, not a "):
        nr.certify(given)


@pytest.mark.parametrize("witness", ["abc", {0: "x"}, {0: None}, {0: 10**400}, [[1], [2, 3]]])
def test_a_witness_holds_numbers(witness):
    with pytest.raises(BadType, match="the witness must hold numbers: a dict by feature, or an array"):
        nr.certify(nr.play(STREAM, nr.Perceptron()), witness=witness)


@pytest.mark.parametrize(
    ("witness", "sentence"),
    [
        (3, "of several classes is a dict by class"),
        ("abc", "of several classes is a dict by class"),
        ({1: "x"}, "must hold numbers"),
    ],
)
def test_a_witness_of_several_classes(witness, sentence):
    ledger = nr.play(nr.from_arrays(np.eye(3), [1, 2, 3]), nr.MulticlassPerceptron())
    with pytest.raises(BadType, match=sentence):
        nr.certify(ledger, witness=witness)
