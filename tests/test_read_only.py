"""Parameters are fixed at construction: the core has copies, and would never see a new value."""

import copy
import pickle

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadParameter, ReadOnly
from noregret.hypotheses.advised import Draw, Vote
from noregret.interop.sklearn import OnlineClassifier
from noregret.linear.ranking import PairwiseRanker
from noregret.parameters import Parameter, ReadOnlyParameters
from noregret.registry import EXPERTS, FINITE_LEARNERS, LEARNERS

MORE = {
    "winnow:threshold=3": lambda: nr.Winnow(threshold=3),
    "auto": nr.learner("auto").clone,
    "panel": lambda: nr.Panel(["perceptron", "pa:bias=true"], "hedge:rate=0.5"),
    "ranker": PairwiseRanker,
    "features": lambda: nr.RandomFeatures(dimension=2, width=4, seed=1),
    "vote": lambda: Vote("all:1", nr.WeightedMajority(2)),
    "draw": lambda: Draw("all:1", nr.Hedge(2, loss="zero-one")),
}


def made(name):
    if name in MORE:
        return MORE[name]()
    if name in EXPERTS:
        return nr.expert_rule(name, 3)
    return nr.learner(name, "thresholds:7") if name in FINITE_LEARNERS else nr.learner(name)


def names_of(one):
    """Everything that was chosen when it was made."""
    chosen = {parameter.name for kind in type(one).__mro__ for parameter in vars(kind).get("accepts", ())}
    return sorted(
        {*chosen, *(name for kind in type(one).__mro__ for name in vars(kind).get("read_only", ()))}
    )


@pytest.mark.parametrize("name", [*LEARNERS, *EXPERTS, *FINITE_LEARNERS, *MORE])
def test_no_parameter_can_be_set_or_deleted(name):
    one = made(name)
    before = repr(one), getattr(one, "spec", None), repr(getattr(one, "parameters", None))
    assert isinstance(one, ReadOnlyParameters) and names_of(one)
    for parameter in names_of(one):
        for change in (lambda p=parameter: setattr(one, p, 0.125), lambda p=parameter: delattr(one, p)):
            with pytest.raises(ReadOnly) as refused:
                change()
            kind = type(one).__name__
            sentence = f"{parameter} of {kind} is fixed at construction; make a new {kind}"
            assert str(refused.value).startswith(sentence)
            assert isinstance(refused.value, BadParameter) and isinstance(refused.value, AttributeError)
    assert before == (repr(one), getattr(one, "spec", None), repr(getattr(one, "parameters", None)))


@pytest.mark.parametrize("name", [*LEARNERS, *EXPERTS, *FINITE_LEARNERS, *MORE])
def test_copies_are_as_fixed_as_what_they_were_made_of(name):
    one = made(name)
    copies = [copy.deepcopy(one), pickle.loads(pickle.dumps(one))]
    copies += [one.clone()] if hasattr(one, "clone") else []
    parameter = names_of(one)[0]
    for other in copies:
        assert repr(getattr(other, "parameters", None)) == repr(getattr(one, "parameters", None))
        with pytest.raises(ReadOnly):
            setattr(other, parameter, 0.125)


def test_a_certificate_speaks_of_the_rate_that_was_used():
    """It was written for the new rate, and the run was that of the old one."""
    learner = nr.OGD(step="constant", rate=100.0)
    with pytest.raises(ReadOnly):
        learner.rate = 1e-3
    untouched, stream = nr.OGD(step="constant", rate=100.0), nr.separable(3, 0.1, 50)
    assert learner.spec == untouched.spec == "ogd:step=constant,rate=100"
    assert nr.certify(nr.play(stream, learner)) == nr.certify(nr.play(stream, untouched))


def test_what_is_no_parameter_is_free():
    learner = nr.Perceptron()
    learner.note = "mine"
    learner.note = "yours"
    del learner.note
    assert not hasattr(learner, "note")


def test_made_again_is_refused_as_well():
    with pytest.raises(ReadOnly):
        nr.Perceptron(rate=2.0).__init__(rate=3.0)


def test_another_learner_is_adopted_only_with_the_same_parameters():
    """The core would be that of the other one, and the parameters those of this one."""
    learner = nr.OGD(rate=1.0)
    others = [
        nr.OGD(rate=2.0),
        nr.OGD(loss="logistic"),
        nr.OGD(bias=True),
        nr.OGD(scale="max"),
        nr.Perceptron(),
    ]
    for other in others:
        with pytest.raises(BadParameter, match="only one of its own kind with the same parameters"):
            learner.adopt(other)
    with pytest.raises(BadParameter, match="same parameters"):
        nr.MulticlassPerceptron(rate=1.0).adopt(nr.MulticlassPerceptron(rate=2.0))
    for rule, other in (
        (nr.Hedge(2), nr.Hedge(2, rate=1.0)),
        (nr.Hedge(2), nr.Hedge(3)),
        (nr.Hedge(2), nr.BOA(2)),
    ):
        with pytest.raises(BadParameter, match="same parameters"):
            rule.adopt(other)
    taught = nr.OGD(rate=1.0)
    taught.learn({"a": 1.0}, -1)
    learner.adopt(taught)
    assert learner.weights == taught.weights != {}
    settled = nr.Winnow()
    settled.learn(np.ones(3), 1)
    fresh = nr.Winnow()
    fresh.adopt(settled)
    assert fresh.threshold == 3.0


# ---- classes of users --------------------------------------------------------------------------------


class Halved(nr.Perceptron):
    """Has a parameter of its own, one that follows from another, and a default in the class."""

    accepts = (*nr.Perceptron.accepts, Parameter("depth", 2.0, "of mine"), Parameter("kind", "a", "of mine"))
    kind = "a"

    def __init__(self, rate=1.0, bias=False, margin=0.0, depth=2.0, kind="a"):
        self.depth = depth
        self.seen = 0
        if kind != "a":
            self.kind = kind
        super().__init__(rate=rate / 2.0, bias=bias, margin=margin)

    @property
    def double(self):
        return 2.0 * self.rate

    def learn(self, x, y, weight=1.0):
        self.seen += 1
        return super().learn(x, y, weight)


def test_subclasses_of_users_keep_working():
    learner = Halved(rate=4.0, depth=3.0, kind="b")
    assert (learner.rate, learner.double, learner.depth, learner.kind) == (2.0, 4.0, 3.0, "b")
    learner.learn({"a": 1.0}, -1)
    assert learner.seen == 1 and learner.spec == "perceptron:rate=2,depth=3,kind=b"
    for name in ("rate", "depth", "kind"):
        with pytest.raises(ReadOnly, match=f"{name} of Halved"):
            setattr(learner, name, 9.0)
    plain = Halved()
    assert plain.kind == "a"
    plain.kind = "b"  # for the first time
    with pytest.raises(ReadOnly):
        plain.kind = "a"


def test_a_property_with_a_setter_of_its_own_is_left_alone():
    class Mine(ReadOnlyParameters):
        accepts = (Parameter("pace", 1.0, ""),)

        @property
        def pace(self):
            return self._pace

        @pace.setter
        def pace(self, value):
            self._pace = value

    mine = Mine()
    mine.pace = 1
    mine.pace = 2
    assert mine.pace == 2


def test_estimators_of_scikit_learn_keep_their_parameters_open():
    model = OnlineClassifier("perceptron").set_params(learner="pa", passes=2)
    assert (model.learner, model.passes) == ("pa", 2)
    assert model.set_params(learner="perceptron", learner__rate=0.5).learner == "perceptron:rate=0.5"


def test_the_meaning_of_a_parameter_is_its_help():
    assert nr.OGD.rate.__doc__ == next(one.meaning for one in nr.OGD.accepts if one.name == "rate")
