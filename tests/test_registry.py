import pytest

import noregret as nr
from noregret.errors import BadParameter, BadType, UnknownName
from noregret.registry import LEARNERS


@pytest.mark.parametrize("name", LEARNERS)
def test_every_name_makes_its_learner_and_its_spec_makes_it_again(name):
    learner = nr.learner(name)
    assert learner.name == name and learner.spec == name and learner.is_fresh
    assert nr.learner(learner.spec).parameters == learner.parameters
    assert learner.summary and type(learner).__doc__


@pytest.mark.parametrize(
    ("spec", "parameters"),
    [
        ("winnow:promotion=1.5,threshold=200", {"promotion": 1.5, "threshold": 200.0}),
        (
            " perceptron : rate = 0.25 , bias = yes ",
            {"rate": 0.25, "bias": True, "margin": 0.0, "scale": "none"},
        ),
        ("perceptron:", {"rate": 1.0, "bias": False, "margin": 0.0, "scale": "none"}),
        ("winnow:threshold=none", {"promotion": 2.0, "threshold": None}),
        ("balanced-winnow:rate=1e-3", {"rate": 0.001, "scale": "none"}),
    ],
)
def test_specs(spec, parameters):
    learner = nr.learner(spec)
    assert learner.parameters == parameters
    assert nr.learner(learner.spec).spec == learner.spec


@pytest.mark.parametrize(
    ("spec", "kind", "sentence"),
    [
        ("percepton", UnknownName, "did you mean perceptron"),
        ("zzz", UnknownName, "`noregret learners` lists them"),
        ("", UnknownName, "no learner called ''"),
        (
            "perceptron:rat=1",
            BadParameter,
            "'rat=1' is not a parameter of perceptron; write rate=… or bias=…",
        ),
        ("perceptron:rate", BadParameter, "'rate' is not a parameter"),
        ("perceptron:rate=fast", BadParameter, "rate is 'fast'; it must be a number"),
        ("perceptron:bias=maybe", BadParameter, "it must be true or false"),
        ("perceptron:rate=1,rate=2", BadParameter, "given twice"),
        ("perceptron:rate=nan", BadParameter, "rate is nan"),
        ("majority:x=1", BadParameter, "majority has no parameters"),
        ("winnow:promotion=1", BadParameter, "above 1"),
    ],
)
def test_bad_specs(spec, kind, sentence):
    with pytest.raises(kind, match=sentence):
        nr.learner(spec)


def test_a_spec_is_a_string():
    with pytest.raises(BadType, match="a spec is a string such as 'perceptron:rate=0.5', not a int"):
        nr.learner(5)
