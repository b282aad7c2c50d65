import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris, make_blobs
from sklearn.ensemble import StackingClassifier
from sklearn.feature_extraction import FeatureHasher
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import noregret as nr
from noregret.errors import BadInput, BadLabel, BadModel, BadParameter, UnknownName
from noregret.interop.sklearn import OnlineClassifier, OnlineRegressor
from noregret.interop.specs import task_of
from noregret.registry import LEARNERS

CLASSIFIERS = [name for name in LEARNERS if task_of(name) in ("binary", "multiclass")]
REGRESSORS = [name for name in LEARNERS if task_of(name) == "regression"]

NOT_LINEAR = ("kernel-perceptron", "voted-perceptron")

# What scikit-learn expects of SGDClassifier, Perceptron and their kind as well.
EXPECTED = dict.fromkeys(
    ["check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"],
    "learning twice from a row is not learning once from it with importance two",
)
NEEDS_ENVIRONMENT = "check_array_api_input"  # skipped by scikit-learn unless SCIPY_ARRAY_API is set


def failures(estimator):
    results = check_estimator(estimator, expected_failed_checks=EXPECTED, on_fail=None, on_skip=None)
    assert len(results) > 40
    return [
        (result["check_name"], result["status"], result["exception"])
        for result in results
        if result["status"] not in ("passed", "xfail")
        and (result["check_name"], result["status"]) != (NEEDS_ENVIRONMENT, "skipped")
    ]


# Where the defaults are not made for data that is far from 0, or that nothing separates.
CHECKED = {
    "cw": {"learner": "cw:confidence=0.6"},
    "widrow-hoff": {"learner": "widrow-hoff:rate=0.00002", "passes": 200},
    "quantile-regression": {"learner": "quantile-regression:rate=0.01", "passes": 20},
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_scikit_learns_own_checks_of_classifiers(name):
    assert failures(OnlineClassifier(**CHECKED.get(name, {"learner": name}))) == []


@pytest.mark.parametrize("name", REGRESSORS)
def test_scikit_learns_own_checks_of_regressors(name):
    assert failures(OnlineRegressor(**CHECKED.get(name, {"learner": name}))) == []


def test_scikit_learn_expects_the_same_failures_of_its_own_online_estimator():
    estimator = SGDClassifier()
    results = check_estimator(estimator, expected_failed_checks=EXPECTED, on_fail=None, on_skip=None)
    failed = {result["check_name"] for result in results if result["status"] == "xfail"}
    assert failed == set(EXPECTED)


def test_only_positive_weights_and_baselines_are_excused_a_poor_score():
    excused = {
        name for name in CLASSIFIERS if OnlineClassifier(name).__sklearn_tags__().classifier_tags.poor_score
    }
    baselines = {"majority", "last-label", "multiclass-majority", "multiclass-last-label"} & LEARNERS.keys()
    assert excused == {"winnow", "normalized-winnow"} | baselines


@pytest.fixture
def blobs():
    return make_blobs(400, 6, centers=2, random_state=3)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_two_classes_are_the_learner_itself_to_the_bit(name, blobs):
    X, y = (blobs[0] > 0).astype(float), blobs[1]
    learner = nr.learner(name)
    ledger = nr.play(nr.from_arrays(X, 2 * y - 1), learner)
    estimator = OnlineClassifier(name, fit_intercept=False).fit(X, y)
    assert estimator.predict(X).tolist() == [int(learner.predict(x) > 0) for x in X]
    scores = estimator.decision_function(X)
    said = [learner.score(x) for x in X]
    plain = [one[1] - one[-1] if isinstance(one, dict) else one for one in said]
    assert np.abs(scores - plain).max() <= 5e-324  # a tie may be moved that far
    assert estimator.ledgers_[0].mistakes == ledger.mistakes
    parts = OnlineClassifier(name, fit_intercept=False)
    for begin in range(0, 400, 90):
        parts.partial_fit(X[begin : begin + 90], y[begin : begin + 90], classes=[0, 1])
    assert parts.decision_function(X).tolist() == scores.tolist()
    assert parts.ledgers_[0].mistakes == ledger.mistakes


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("centers", [2, 4])
def test_weights_and_intercept_make_the_decision_function(name, centers):
    X, y = make_blobs(200, 5, centers=centers, random_state=1)
    X = (X > 0).astype(float)
    estimator = OnlineClassifier(name).fit(X, y)
    if name in NOT_LINEAR:
        assert not hasattr(estimator, "coef_")
        return
    scores = X @ estimator.coef_.T + estimator.intercept_
    expected = scores[:, 0] if centers == 2 else scores
    assert np.allclose(estimator.decision_function(X), expected, rtol=1e-12, atol=1e-12)


def test_many_classes_with_names(blobs):
    iris = load_iris(as_frame=True)
    labels = iris.target_names[iris.target]
    model = make_pipeline(StandardScaler(), OnlineClassifier("perceptron", passes=5, shuffle=1))
    assert cross_val_score(model, iris.data, labels).mean() > 0.8
    estimator = OnlineClassifier(passes=3, shuffle=0).fit(iris.data, labels)
    assert estimator.classes_.tolist() == ["setosa", "versicolor", "virginica"]
    assert estimator.feature_names_in_.tolist() == list(iris.data.columns)
    assert estimator.coef_.shape == (3, 4)


def test_partial_fit_through_a_pipeline_of_stateless_steps():
    rows = [{"free": 1, "money": 1}, {"lunch": 1}, {"free": 1}, {"lunch": 1, "tomorrow": 1}]
    y = ["spam", "ham", "spam", "ham"]
    pipeline = make_pipeline(FeatureHasher(64), OnlineClassifier("balanced-winnow:rate=0.5"))
    for _ in range(3):
        pipeline[-1].partial_fit(pipeline[:-1].transform(rows), y, classes=["ham", "spam"])
    assert pipeline.predict([{"money": 1}, {"lunch": 1}]).tolist() == ["spam", "ham"]


def test_a_grid_over_learners_and_their_parameters(blobs):
    X, y = blobs
    grid = {"learner": ["perceptron", "balanced-winnow"], "learner__rate": [0.01, 0.5], "passes": [1, 2]}
    search = GridSearchCV(OnlineClassifier(), grid, cv=3, error_score="raise").fit(X, y)
    assert len(search.cv_results_["params"]) == 8 and search.best_score_ > 0.9
    assert search.best_estimator_.get_params()["learner__rate"] == search.best_params_["learner__rate"]


def test_parameters_of_the_learner_are_parameters_of_the_estimator():
    estimator = OnlineClassifier("perceptron").set_params(learner__rate=0.25)
    assert estimator.learner == "perceptron:rate=0.25"
    assert clone(estimator).get_params() == estimator.get_params()
    with pytest.raises(
        BadParameter, match="perceptron has no parameter speed; its parameters are: rate, bias"
    ):
        estimator.set_params(learner__speed=3)


def test_a_learner_that_was_changed_since_it_was_fitted_begins_anew_or_not_at_all(blobs):
    X, y = blobs
    estimator = OnlineClassifier("ogd:rate=1").partial_fit(X, y, classes=[0, 1])
    estimator.set_params(learner="ogd:rate=1.0,bias=true").partial_fit(X, y)  # the same, written otherwise
    estimator.set_params(learner__rate=0.001)
    with pytest.raises(BadParameter, match=r"was ogd:rate=1,bias=true when .*rate=0.001.* now; fit begins"):
        estimator.partial_fit(X, y)
    assert estimator.fit(X, y).partial_fit(X, y).learners_[0].parameters["rate"] == 0.001
    with pytest.raises(BadParameter, match="fit begins anew"):
        OnlineClassifier().fit(X, y).set_params(fit_intercept=False).partial_fit(X, y)
    with pytest.raises(BadParameter, match="fit begins anew"):
        OnlineRegressor("pa-regression").fit(X, y).set_params(learner="ridge").partial_fit(X, y)
    X, y = make_blobs(60, 2, centers=3, random_state=0)
    several = OnlineClassifier("pa1").fit(X, y)
    assert several.learners_[0].name == "multiclass-pa1"
    assert several.partial_fit(X, y).ledgers_[0].rounds == 120


def test_the_fitted_learner_says_what_it_gives_and_takes(blobs):
    X, y = blobs
    fitted = OnlineClassifier("pa1").fit(X, y).set_params(learner="ogd:loss=logistic")
    assert not hasattr(fitted, "predict_proba") and hasattr(fitted.fit(X, y), "predict_proba")
    winnow = OnlineClassifier("winnow:threshold=2").fit(X, y)
    before = winnow.predict(X).tolist()
    assert winnow.set_params(learner="perceptron").predict(X).tolist() == before


@pytest.mark.parametrize("name", ["perceptron", "balanced-winnow", "auto"])
@pytest.mark.parametrize("centers", [2, 3])
def test_threads_wait_for_each_other(name, centers):
    X, y = make_blobs(2000, 20, centers=centers, random_state=3)
    fitted = OnlineClassifier(name).fit(X, y)
    copies = [fitted, clone(fitted).fit(X, y), deepcopy(fitted), pickle.loads(pickle.dumps(fitted))]
    expected = fitted.predict(X).tolist()
    for estimator in copies:
        with ThreadPoolExecutor(4) as threads:
            said = list(threads.map(lambda _, one=estimator: one.predict(X).tolist(), range(12)))
            scored = list(threads.map(lambda x, one=estimator: one.decision_function([x]).tolist(), X[:50]))
        assert all(one == expected for one in said)
        assert scored == [fitted.decision_function([x]).tolist() for x in X[:50]]


def test_sample_weights_are_importance_weights(blobs):
    X, y = blobs
    weights = np.arange(400) % 3
    learner = nr.Perceptron(bias=True)
    nr.play(nr.from_arrays(X, 2 * y - 1, weights=weights), learner)
    estimator = OnlineClassifier().fit(X, y, sample_weight=weights)
    assert estimator.coef_[0].tolist() == [learner.weights[j] for j in range(6)]
    assert estimator.intercept_[0] == learner.intercept


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.int8, bool])
def test_sparse_of_any_number_is_dense(kind, blobs):
    X, y = np.maximum(np.round(blobs[0]), 0).astype(kind), blobs[1]
    dense = OnlineClassifier().fit(X, y)
    sparse = OnlineClassifier().fit(csr_array(X), y)
    assert dense.coef_.tolist() == sparse.coef_.tolist()
    assert dense.predict(X).tolist() == sparse.predict(csr_array(X)).tolist()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_in_the_same_kind_out(frame, blobs):
    X, y = blobs
    names = [f"c{j}" for j in range(6)]
    data = frame(dict(zip(names, X.T, strict=True)))
    estimator = OnlineClassifier().fit(data, y)
    said = estimator.predict(data)
    assert (
        type(said) is type(data[names[0]])
        and said.to_list() == OnlineClassifier().fit(X, y).predict(X).tolist()
    )
    assert isinstance(estimator.decision_function(data), np.ndarray)
    assert isinstance(estimator.set_params(output="array").predict(data), np.ndarray)
    assert estimator.feature_names_in_.tolist() == names


def test_a_series_keeps_the_index_of_its_frame(blobs):
    X, y = blobs
    data = pd.DataFrame(X, index=range(1000, 1400)).add_prefix("c")
    assert OnlineClassifier().fit(data, y).predict(data).index.tolist() == list(range(1000, 1400))


def test_other_estimators_build_on_it(blobs):
    X, y = blobs
    calibrated = CalibratedClassifierCV(OnlineClassifier(), cv=3).fit(X, y)
    assert calibrated.predict_proba(X).shape == (400, 2)
    members = [("a", OnlineClassifier()), ("b", OnlineClassifier("balanced-winnow"))]
    stacked = StackingClassifier(members, OnlineClassifier()).fit(pd.DataFrame(X).add_prefix("c"), y)
    assert stacked.score(pd.DataFrame(X).add_prefix("c"), y) > 0.9


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_pickles_hold_model_files_and_go_on_to_the_bit(name, tmp_path):
    X, y = make_blobs(300, 4, centers=3, random_state=2)
    data = pd.DataFrame(X).add_prefix("c")
    estimator = OnlineClassifier(name).fit(data, y)
    state = estimator._members.__getstate__()
    assert nr.__version__.encode() in state["models"][0] and set(state) == {"spec", "models"}
    joblib.dump(estimator, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(estimator)), joblib.load(tmp_path / "model.joblib")):
        assert copy.decision_function(data).tolist() == estimator.decision_function(data).tolist()
        assert copy.learners_[0].weights == estimator.learners_[0].weights
        copy.partial_fit(data, y)
    estimator.partial_fit(data, y)
    assert copy.decision_function(data).tolist() == estimator.decision_function(data).tolist()


def test_a_damaged_pickle_is_refused_as_a_damaged_model(blobs):
    members = OnlineClassifier().fit(*blobs)._members
    state = members.__getstate__()
    state["models"][0] = state["models"][0][:50]
    with pytest.raises(BadModel):
        members.__setstate__(state)


def test_certificates_of_the_last_fit(blobs):
    X, y = blobs
    estimator = OnlineClassifier(passes=3, shuffle=5).fit(X, y)
    names = {certificate.theorem: certificate.verdict.value for certificate in estimator.certify()}
    assert names["Freund–Schapire"] == "holds" and "Novikoff" in names
    X, y = make_blobs(100, 3, centers=3, random_state=0)
    several = OnlineClassifier("balanced-winnow").fit(X, y).certify()
    assert list(several) == [0, 1, 2] and all(certificates for certificates in several.values())


@pytest.mark.parametrize(
    "lost",
    [
        lambda X, y: OnlineClassifier().partial_fit(X, y, classes=[0, 1]),
        lambda X, y: OnlineClassifier().fit(X, y).partial_fit(X, y),
        lambda X, y: pickle.loads(pickle.dumps(OnlineClassifier().fit(X, y))),
        lambda X, y: OnlineRegressor().partial_fit(X, y),
    ],
)
def test_rounds_that_were_not_kept_are_not_certified(lost, blobs):
    certificates = lost(*blobs).certify()
    assert {certificate.verdict.value for certificate in certificates} == {"silent"}
    assert all("its rounds were not kept" in certificate.reason for certificate in certificates)


def test_bad_input_is_refused_in_a_sentence(blobs):
    X, y = blobs
    with pytest.raises(BadLabel, match="y has one class, spam; a classifier needs at least two classes"):
        OnlineClassifier().fit(X, ["spam"] * 400)
    with pytest.raises(BadInput, match="classes must be given in the first call of partial_fit"):
        OnlineClassifier().partial_fit(X, y)
    estimator = OnlineClassifier().partial_fit(X, y, classes=[0, 1])
    with pytest.raises(BadLabel, match="the label 7 is none of the classes of the first call"):
        estimator.partial_fit(X, np.full(400, 7))
    with pytest.raises(BadInput, match="classes are not those of the first call"):
        estimator.partial_fit(X, y, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="Complex data not supported"):
        OnlineClassifier().fit(csr_array(X.astype(complex)), y)
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        OnlineClassifier().fit(X, y, sample_weight=-np.ones(400))
    with pytest.raises(BadInput, match="winnow takes only 0 and 1"):
        OnlineClassifier("winnow", binarize=None).fit(X, y)


@pytest.mark.parametrize(
    ("parameters", "kind", "sentence"),
    [
        ({"learner": "perzeptron"}, UnknownName, "did you mean perceptron"),
        ({"learner": "hedge:n=3"}, UnknownName, "hedge does not learn from features"),
        ({"learner": "perceptron:rate=-1"}, BadParameter, "rate is -1"),
        ({"shuffle": -1}, BadParameter, "shuffle is -1; it must be a whole number, 0 or more"),
        ({"passes": 0}, BadParameter, "passes is 0; it must be a whole number, 1 or more"),
        ({"output": "frame"}, BadParameter, "output is 'frame'; it must be 'same' or 'array'"),
    ],
)
def test_bad_parameters_are_refused_when_they_are_used(parameters, kind, sentence, blobs):
    with pytest.raises(kind, match=sentence):
        OnlineClassifier(**parameters).fit(*blobs)


def test_the_spec_has_the_last_word_over_the_bias(blobs):
    assert OnlineClassifier("perceptron:bias=false").fit(*blobs).learners_[0].bias is False
    assert (
        OnlineClassifier("perceptron:rate=2").fit(*blobs).learners_[0].spec == "perceptron:rate=2,bias=true"
    )
    assert OnlineClassifier(fit_intercept=False).fit(*blobs).learners_[0].spec == "perceptron"


def test_what_divides_by_something_of_x_has_no_weights_to_show():
    X = np.random.default_rng(0).normal(size=(20, 3))
    fitted = OnlineRegressor("ridge").fit(X, X @ [1.0, 2.0, 3.0] + 5.0)
    for wanted in ("coef_", "intercept_"):
        with pytest.raises(AttributeError, match=f"{wanted}: this learner divides"):
            getattr(fitted, wanted)


def test_passes_may_come_from_a_range_of_numpy(blobs):
    grid = GridSearchCV(OnlineClassifier(), {"passes": np.arange(1, 3)}, cv=2, error_score="raise")
    assert grid.fit(*blobs).best_params_["passes"] in (1, 2)
