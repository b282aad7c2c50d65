import copy
import gc
import pickle
import random

import numpy as np
import pandas as pd
import polars as pl
import pytest
from river import compose, datasets, evaluate, metrics, preprocessing
from river.checks import yield_checks

import noregret as nr
from noregret.errors import BadInput, BadLabel, BadParameter, BadType
from noregret.interop.river import OnlineClassifier, OnlineRegressor
from noregret.interop.specs import task_of
from noregret.model_file import to_bytes
from noregret.registry import LEARNERS

FRAME = pd.DataFrame({"a": [1.0, 2.0]})

# Dicts do not tell how many features there are, so Winnow's threshold must be given; and the data is raw.
CHECKED = {
    "winnow": "winnow:threshold=4",
    "cw": "cw:confidence=0.6",
    "widrow-hoff": "widrow-hoff:rate=0.0000000000001",
}
SPECS = {name: CHECKED.get(name, name) for name in LEARNERS}
CLASSIFIERS = [spec for name, spec in SPECS.items() if task_of(name) in ("binary", "multiclass")]
REGRESSORS = [spec for name, spec in SPECS.items() if task_of(name) == "regression"]


def run_checks(model):
    random.seed(7)  # the checks shuffle and drop features with it
    gc.freeze()  # they collect garbage often, and need not look through every module each time
    names = []
    try:
        for check in yield_checks(model):
            check(model.clone())
            names.append(check.__name__)
    finally:
        gc.unfreeze()
    assert "check_learn_many_matches_learn_one" in names
    assert model._unit_test_skips() == set() and len(names) > 25


@pytest.mark.parametrize("spec", CLASSIFIERS)
def test_rivers_own_checks_of_classifiers(spec):
    run_checks(OnlineClassifier(spec))


def test_rivers_own_checks_of_a_classifier_with_two_classes():
    run_checks(OnlineClassifier(classes=(False, True)))


@pytest.mark.parametrize("spec", REGRESSORS)
def test_rivers_own_checks_of_regressors(spec):
    run_checks(OnlineRegressor(spec))


def test_true_and_false_are_the_learner_itself_to_the_bit():
    model, learner = OnlineClassifier("perceptron:rate=0.5"), nr.Perceptron(rate=0.5)
    for x, y in datasets.Phishing().take(300):
        x = dict(sorted(x.items()))
        assert model.predict_one(x) in (None, learner.predict(x) > 0)
        model.learn_one(x, y, w=2.0)
        learner.learn(x, 1 if y else -1, weight=2.0)
    assert model.learners[0].weights == learner.weights


def test_in_place_of_a_river_model():
    model = preprocessing.StandardScaler() | OnlineClassifier("perceptron")
    metric = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    assert metric.get() > 0.8


def test_classes_join_when_they_are_first_met():
    for spec in ("perceptron", "winnow:threshold=1"):  # with a multiclass form, and against the rest
        model = OnlineClassifier(spec)
        assert model.predict_one({"a": 1}) is None and model.learners == []
        for label in ("red", "green", 3, "red", "green", 3):
            model.learn_one({str(label): 1.0}, label)
        assert [model.predict_one({label: 1.0}) for label in ("red", "green", "3")] == ["red", "green", 3]


def test_named_classes_are_there_from_the_start():
    model = OnlineClassifier(classes=[-1, 1])
    assert model.predict_one({"a": 1}) == 1 and len(model.learners) == 1
    with pytest.raises(BadLabel, match="the label is 'x'; this model tells -1 from 1"):
        model.learn_one({"a": 1}, "x")
    three = OnlineClassifier(classes=["a", "b", "c"])
    three.learn_one({"z": 1.0}, "d")  # one more is no harm
    assert three.predict_one({"z": 1.0}) == "d"


@pytest.mark.parametrize("spec", CLASSIFIERS)
def test_a_batch_is_its_rows_even_when_classes_join_in_it(spec):
    one, many = OnlineClassifier(spec), OnlineClassifier(spec)
    rows = list(datasets.ImageSegments().take(150))
    for x, y in rows:
        one.learn_one(x, y)
    many.learn_many(pd.DataFrame([x for x, _ in rows]), pd.Series([y for _, y in rows]))
    assert [m.weights for m in one.learners] == [m.weights for m in many.learners]
    assert [m.scalars for m in one.learners] == [m.scalars for m in many.learners]
    assert one._seen == many._seen


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_in_the_same_kind_out(frame):
    data, y = frame({"b": [1.0, 0.0, 1.0], "a": [0.0, 1.0, 1.0]}), ["x", "y", "x"]
    model = OnlineClassifier()
    assert type(model.predict_many(data)) is type(data["a"])
    model.learn_many(data, y)
    said = model.predict_many(data)
    assert type(said) is type(data["a"]) and said.to_list() == [model.predict_one(x) for x in rows(data)]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_with_text_are_read_row_by_row(frame):
    data = frame({"colour": ["red", "green"], "size": [1.0, 2.0]})
    model = OnlineClassifier()
    model.learn_many(data, [True, False], w=[1.0, 2.0])
    assert "colour=green" in model.learners[0].weights
    assert model.predict_many(data).to_list() == [model.predict_one(x) for x in rows(data)]


def rows(data):
    return data.to_dicts() if isinstance(data, pl.DataFrame) else data.to_dict("records")


def test_keys_that_are_not_strings_are_named():
    model = OnlineClassifier()
    model.learn_one({0: 1.0, 1: 2.0}, False)
    assert model.learners[0].weights == {"0": -1.0, "1": -2.0}


def test_copies_and_pickles_go_on_to_the_bit():
    rows = list(datasets.Phishing().take(100))
    model = OnlineClassifier("balanced-winnow")
    for x, y in rows[:50]:
        model.learn_one(x, y)
    copies = [copy.deepcopy(model), pickle.loads(pickle.dumps(model)), model.clone(include_attributes=True)]
    for x, y in rows[50:]:
        for each in [model, *copies]:
            each.learn_one(x, y)
    assert all(each.learners[0].weights == model.learners[0].weights for each in copies)
    assert model.clone().learners == []


def test_what_cannot_be_is_refused_in_a_sentence():
    with pytest.raises(BadType, match="X is a ndarray; it must be a data frame of pandas or polars"):
        OnlineClassifier(classes=["a", "b"]).learn_many(np.eye(2), ["a", "b"])
    with pytest.raises(
        BadParameter, match="perceptron is a learner for binary; this takes one for regression"
    ):
        OnlineRegressor("perceptron")


@pytest.mark.parametrize("spec", ["arow:scale=max", "romma", "arow:covariance=full", "multiclass-pa"])
def test_a_row_that_is_refused_stops_every_class_there_and_leaves_none(spec):
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, np.nan, 1.0], "b": [1.0, 0.0, -1.0, 2.0, 1.0, 1.0]})
    labels = list("uvwuxz")
    batch, loop = OnlineClassifier(spec), OnlineClassifier(spec)
    for k in range(2):
        with pytest.raises(ValueError, match="row 4: feature 'a' is nan"):
            batch.learn_many(X, labels)
        for r in range(4):
            loop.learn_one(X.iloc[r].to_dict(), labels[r])
        with pytest.raises(ValueError, match="feature 'a' is nan"):
            loop.learn_one(X.iloc[4].to_dict(), "x")
        assert batch._seen == loop._seen == ["u", "v", "w"]
        assert [to_bytes(one) for one in batch.learners] == [to_bytes(one) for one in loop.learners], k
    loop.learn_one({"c": 1.0}, "y")
    assert loop._seen == ["u", "v", "w", "y"] and loop.predict_one({"c": 1.0}) == "y"


@pytest.mark.parametrize("spec", ["arow:covariance=full", "multiclass-pa"])
def test_a_first_row_that_is_refused_leaves_nothing(spec):
    model = OnlineClassifier(spec)
    with pytest.raises(ValueError, match="nan"):
        model.learn_many(pd.DataFrame({"a": [np.nan, 1.0]}), ["u", "v"])
    with pytest.raises(ValueError, match="nan"):
        model.learn_one({"a": float("nan")}, True)
    assert model.predict_one({"a": 1.0}) is None
    model.learn_many(pd.DataFrame({"a": [1.0, -1.0]}), ["u", "v"])
    assert model.predict_one({"a": 1.0}) in ("u", "v")


@pytest.mark.parametrize("spec", ["perceptron", "multiclass-pa"])
def test_true_and_false_stay_both_when_a_row_is_refused(spec):
    model = OnlineClassifier(spec)
    with pytest.raises(ValueError, match="row 1"):
        model.learn_many(pd.DataFrame({"a": [1.0, np.nan]}), [False, True])
    model.learn_many(pd.DataFrame({"a": [-1.0, -2.0]}), [True, True])
    assert model._seen == [False, True] and model.predict_one({"a": -9.0}) is True


@pytest.mark.parametrize("label", [None, float("nan"), np.float64("nan"), pd.NA])
def test_no_label_is_no_class(label):
    model = OnlineClassifier()
    for learn in (lambda: model.learn_one({"a": 1.0}, label), lambda: model.learn_many(FRAME, ["u", label])):
        with pytest.raises(BadLabel, match="which is no class"):
            learn()
    assert model._seen == [] and model.predict_one({"a": 1.0}) is None


@pytest.mark.parametrize("model", [OnlineClassifier(), OnlineRegressor()])
@pytest.mark.parametrize("frame", [pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": ["u", "v"]})])
def test_every_row_needs_its_label(model, frame):
    for labels in ([1], [1, 2, 3]):
        with pytest.raises(ValueError, match=f"there are 2 rows and {len(labels)} labels"):
            model.learn_many(frame, labels)
    with pytest.raises(ValueError, match="there are 2 rows and 1 importance weights"):
        model.learn_many(frame, [1, 2], [1.0])


def test_it_is_the_last_step_of_a_union_of_features():
    model = compose.Select("age_of_domain", "ip_in_url") | OnlineClassifier()
    for x, y in datasets.Phishing().take(50):
        model.learn_one(x, y)
    assert model["OnlineClassifier"].learners[0].weights.keys() <= {"age_of_domain", "ip_in_url"}


def test_a_learner_without_probabilities_says_so():
    model = OnlineClassifier("perceptron")
    model.learn_one({"a": 1.0}, True)
    with pytest.raises(
        NotImplementedError, match="perceptron has no probabilities; learners with the logistic"
    ):
        model.predict_proba_one({"a": 1.0})
    with pytest.raises(NotImplementedError, match="perceptron has no probabilities"):
        model.predict_proba_many(pd.DataFrame({"a": [1.0]}))


@pytest.mark.parametrize("target", [None, np.nan, pd.NA, np.inf, "much"])
@pytest.mark.parametrize("frame", [pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": ["u", "v"]})])
def test_a_target_that_is_missing_is_refused_however_it_comes(target, frame):
    model = OnlineRegressor()
    targets = pd.Series([1.0, target], dtype=object)
    for learn in (lambda: model.learn_one({"a": 1.0}, target), lambda: model.learn_many(frame, targets)):
        with pytest.raises(BadLabel, match=r"the target is .*; it must be a finite number \(leave rows"):
            learn()
    assert model.predict_one({"a": 1.0}) == 0.0


@pytest.mark.parametrize("spec", ["perceptron", "pa1", "ogd:loss=logistic"])
def test_no_class_that_is_named_is_none_that_is_known(spec):
    model, frame = OnlineClassifier(spec, classes=[]), pd.DataFrame({"a": [1.0]})
    assert model.predict_one({"a": 1.0}) is None and model.predict_many(frame).tolist() == [None]
    model.learn_one({"a": 1.0}, "u")
    model.learn_one({"a": -1.0}, "v")
    assert [model.predict_one({"a": a}) for a in (1.0, -1.0)] == ["u", "v"]


@pytest.mark.parametrize("spec", ["perceptron", "winnow:threshold=2"])
@pytest.mark.parametrize("nothing", [None, [1.0], np.nan])
def test_a_feature_without_a_value_is_refused(spec, nothing):
    model = OnlineClassifier(spec)
    with pytest.raises(BadInput, match="feature 'a'"):
        model.learn_one({"a": nothing}, True)
    with pytest.raises(BadInput, match="feature 'a'"):
        model.learn_many(pd.DataFrame({"a": [nothing]}), [True])


def test_features_with_one_name_are_refused():
    model = OnlineClassifier()
    with pytest.raises(BadInput, match="two keys are '1' when they are written as text"):
        model.learn_one({0: 1.0, 1: 1.0, "1": 2.0}, True)
    for values in ([1.0, 2.0], [1.0, "u"]):
        with pytest.raises(BadInput, match="two columns have the same name"):
            model.learn_many(pd.DataFrame([values], columns=[1, "1"]), [True])
