"""Learners of several classes: by hand, classes that come late, ties, costs, files, ledgers."""

import math

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadInput, BadLabel, BadModel
from noregret.model_file import from_bytes, to_bytes
from noregret.natures.margins import class_basis, separable_classes
from noregret.registry import LEARNERS

MULTICLASS = [name for name in LEARNERS if name.startswith("multiclass-")]
FEATURED = [name for name in MULTICLASS if not name.endswith(("majority", "last-label"))]


def test_the_right_class_moves_towards_x_and_the_best_wrong_one_away():
    learner = nr.MulticlassPerceptron(rate=0.5)
    learner.announce(["c", "a", "b"])
    assert learner.classes == ["a", "b", "c"]
    assert learner.predict({"x": 1.0}) == "a"  # a tie goes to the smallest
    assert learner.learn({"x": 1.0, "y": 2.0}, "c")
    assert learner.weights == {"a": {"x": -0.5, "y": -1.0}, "b": {}, "c": {"x": 0.5, "y": 1.0}}
    assert learner.score({"x": 2.0}) == {"a": -1.0, "b": 0.0, "c": 1.0}
    assert not learner.learn({"x": 1.0}, "c")
    assert learner.learn({"x": 1.0}, "a")  # against c, which led
    assert learner.weights["c"] == {"y": 1.0}


def test_numbers_come_before_words_and_a_tie_goes_to_the_smallest():
    learner = nr.MulticlassPerceptron()
    learner.announce(["10", 10, 9, -1, "b"])
    assert learner.classes == [-1, 9, 10, "10", "b"]
    assert learner.predict({"x": 1.0}) == -1
    assert type(learner.predict({"x": 1.0})) is int


def test_a_class_that_nobody_announced_joins_when_it_is_revealed():
    learner = nr.MulticlassPerceptron()
    assert learner.predict({"x": 1.0}) is None
    assert learner.score({"x": 1.0}) == {}
    assert not learner.learn({"x": 1.0}, "b")  # one class alone teaches nothing
    assert learner.predict({"x": 1.0}) == "b"
    assert not learner.learn({"x": 1.0}, "a")  # known beforehand, it would have been said
    assert learner.learn({"x": 1.0}, "c")
    assert learner.joined == ["b", "a", "c"]
    assert learner.classes == ["a", "b", "c"]


def test_arrays_announce_their_classes_and_text_does_not():
    X, y = np.eye(3), ["w", "v", "w"]
    told, heard = nr.MulticlassPerceptron(), nr.MulticlassPerceptron()
    nr.play(nr.from_arrays(X, y), told)
    assert told.joined == ["v", "w"]
    nr.play(nr.from_rounds(zip(X, y, strict=True)), heard)
    assert heard.joined == ["w", "v"]


def test_what_is_said_is_written_as_the_labels_are():
    said = []
    learner = nr.MulticlassPerceptron()
    learner.announce(["u"])
    stream = nr.from_arrays(np.eye(4), ["w", "v", None, "w"])
    nr.play_all(stream, [learner], watch=lambda _b, _l, heard: said.extend(heard[0].predictions))
    assert said[0] == math.inf  # 'u', which these labels do not list
    assert learner.classes == ["u", "v", "w"]
    numbers = nr.from_arrays(np.eye(4), [7, 3, np.nan, 7])
    said.clear()
    nr.play_all(
        numbers, [nr.MulticlassPerceptron()], watch=lambda _b, _l, heard: said.extend(heard[0].predictions)
    )
    assert said == [3.0, 3.0, 3.0, 3.0]


def test_the_ledger_counts_confusions_and_means_of_shares():
    stream = nr.from_arrays(np.eye(5), ["a", "a", "b", "c", "c"])
    ledger = nr.play(stream, nr.MulticlassLastLabel())
    assert ledger.mistakes == 2
    assert ledger.confusion == {"a": {"a": 2}, "b": {"a": 1}, "c": {"b": 1, "c": 1}}
    assert ledger.recall == pytest.approx((1 + 0 + 0.5) / 3)
    assert ledger.precision == pytest.approx((2 / 3 + 0 + 1) / 3)
    assert (ledger.auc, ledger.rmse, ledger.mae) == (None, None, None)
    assert nr.play(stream, nr.MulticlassMajority()).mistakes == 3


def test_rounds_before_any_class_was_known_count_in_the_recall():
    rounds = [({"x": 1.0}, "a"), ({"x": 2.0}, "b"), ({"x": 3.0}, "b"), ({"x": 4.0}, "b")]
    ledger = nr.play(nr.from_rounds(rounds), nr.MulticlassPerceptron())
    assert ledger.confusion == {"b": {"a": 1, "b": 2}} and ledger.mistakes == 2
    assert ledger.recall == pytest.approx((0 + 2 / 3) / 2)
    many = nr.from_rounds([({"x": 1.0}, str(k)) for k in range(300)])
    assert nr.play(many, nr.MulticlassLastLabel()).recall is None


def test_beyond_256_classes_confusions_are_not_counted():
    y = np.arange(300)
    ledger = nr.play(nr.from_arrays(np.ones((300, 1)), y), nr.MulticlassLastLabel())
    assert ledger.mistakes == 299  # 0 was said first, and was right
    assert (ledger.confusion, ledger.precision, ledger.recall) == (None, None, None)


@pytest.mark.parametrize("spec", FEATURED)
def test_they_learn(spec):
    stream = separable_classes(8, 5, 0.05, 3000, seed=1)
    ledger = nr.play(stream, nr.learner(spec))
    late = ledger.curve[-1][1] - ledger.curve[len(ledger.curve) // 2][1]
    assert ledger.mistakes < 500
    assert late < 120


@pytest.mark.parametrize("spec", MULTICLASS)
def test_the_model_file_has_the_classes(spec):
    learner = nr.learner(spec)
    for x, y in [({"a": 1.0}, "z"), ({"b": 2.0}, 3), ({"a": 1.0, "c": 1.0}, "y"), ({"b": 1.0}, "z")]:
        learner.learn(x, y)
    loaded, meta = from_bytes(to_bytes(learner))
    assert meta["classes"] == [3, "y", "z"]
    assert loaded.classes == learner.classes
    assert loaded.weights == learner.weights
    assert loaded.score({"a": 1.0}) == learner.score({"a": 1.0})


def test_a_damaged_list_of_classes_is_refused():
    learner = nr.MulticlassPerceptron()
    learner.announce(["a", "b"])
    learner.learn({"x": 1.0}, "b")
    data = to_bytes(learner).replace(b"checksum", b"unsummed")  # as in files that have none
    for before, after, why in [
        (rb"\"a\",\"b\"", rb"\"a\",\"a\"", "twice"),
        (rb"\"a\",\"b\"", rb"\"a\",12.5", "damaged"),
    ]:
        assert before in data
        with pytest.raises(BadModel, match=why):
            from_bytes(data.replace(before, after))


@pytest.mark.parametrize("spec", MULTICLASS)
def test_labels_that_are_no_classes_are_refused(spec):
    learner = nr.learner(spec)
    for y in (0.5, math.inf, math.nan, object(), [1]):
        with pytest.raises(BadLabel, match="a class"):
            learner.learn({"x": 1.0}, y)
    assert learner.classes == []
    with pytest.raises(BadLabel, match="widrow-hoff"):
        nr.play(nr.from_arrays(np.ones((2, 1)), [0.25, 1.5]), learner)


def test_a_binary_learner_names_those_that_take_classes():
    with pytest.raises(BadLabel, match="multiclass-perceptron"):
        nr.play(nr.from_arrays(np.eye(2), ["a", "b"]), nr.Perceptron())
    with pytest.raises(BadLabel, match="multiclass-perceptron"):
        nr.play(nr.from_arrays(np.eye(2), [1, 3]), nr.Perceptron())
    with pytest.raises(BadLabel, match="multiclass-perceptron"):
        nr.Perceptron().learn({"a": 1.0}, "spam")


def test_too_many_classes_are_refused():
    learner = nr.MulticlassLastLabel()
    with pytest.raises(BadLabel, match="more than 65536 classes"):
        learner.announce(range(70_000))


def test_names_of_features_stay_what_they_were_after_a_refusal():
    learner = nr.MulticlassPerceptron()
    learner.announce([1, 2])
    before = to_bytes(learner)
    with pytest.raises(BadInput, match="finite number"):
        learner.learn({"a": math.nan}, 3)
    assert to_bytes(learner) == before


# ---- costs -------------------------------------------------------------------------------------------


def test_costs_teach_as_much_as_was_paid_too_much():
    learner = nr.MulticlassPerceptron()
    assert not learner.learn({"x": 1.0}, {"a": 1.0, "b": 0.0, "c": 4.0})  # nothing was predicted
    assert learner.classes == ["a", "b", "c"]
    assert learner.learn({"x": 1.0}, {"a": 3.0, "b": 1.0, "c": 1.0})  # 'a' was: 2 too much; b is the cheapest
    assert learner.weights == {"a": {"x": -2.0}, "b": {"x": 2.0}, "c": {}}
    assert not learner.learn({"x": 1.0}, {"a": 3.0, "b": 1.0, "c": 1.0})


class Costly:
    """Predicting 'go' is free, or costs 5 when it rains."""

    def __init__(self, rounds):
        self.left = rounds

    def pose(self):
        self.left -= 1
        self.rain = self.left % 2 == 0
        return {"rain": float(self.rain), "always": 1.0} if self.left >= 0 else None

    def reveal(self, prediction):
        return {"go": 5.0 if self.rain else 0.0, "stay": 1.0}


def test_the_loss_of_a_game_with_costs_is_what_was_paid():
    ledger = nr.play(Costly(100), nr.MulticlassPerceptron())
    assert ledger.rounds == 100
    assert 50 <= ledger.loss < 50 + 30  # staying in the rain costs 1
    assert ledger.confusion is not None


@pytest.mark.parametrize(
    ("costs", "why"),
    [
        ({}, "no class"),
        ({"a": 1.0}, "leave out the class 'b'"),
        ({"a": 1.0, "b": math.nan}, "finite"),
        ({"a": 1.0, "b": "much"}, "must be a number"),
        ({"a": 1.0, "b": 0.0, 0.5: 1.0}, "a class is"),
    ],
)
def test_bad_costs_are_refused(costs, why):
    learner = nr.MulticlassPerceptron()
    learner.announce(["a", "b"])
    before = to_bytes(learner)
    with pytest.raises(BadLabel, match=why):
        learner.learn({"x": 1.0}, costs)
    assert to_bytes(learner) == before


# ---- theorems ----------------------------------------------------------------------------------------


def test_the_basis_reaches_the_bound_exactly():
    for certificate in nr.certify(nr.play(class_basis(500), nr.MulticlassPerceptron())):
        assert certificate.verdict is nr.Verdict.HOLDS
        assert certificate.observed == certificate.bound == 500


def test_a_class_that_was_not_announced_may_cost_a_mistake_each():
    stream = separable_classes(6, 4, 0.1, 800, seed=5)
    told = stream.witness
    rounds = list(zip(stream.matrix, [stream.classes[int(y)] for y in stream.labels], strict=True))
    ledger = nr.play(nr.from_rounds(rounds), nr.MulticlassPerceptron())
    certificate = nr.certify(ledger, told)[0]
    assert certificate.verdict is nr.Verdict.HOLDS
    assert certificate.quantities["K"] == 4


def test_a_witness_by_class_and_feature():
    rounds = [({"bark": 1.0}, "dog"), ({"purr": 1.0}, "cat")] * 3
    ledger = nr.play(nr.from_rounds(rounds), nr.MulticlassPerceptron())
    witness = {"dog": {"bark": 1.0}, "cat": {"purr": 1.0}}
    certificate = nr.certify(ledger, witness)[0]
    assert certificate.bound == 2 * 2 + 2  # R = γ = 1, ‖U‖² = 2, and both classes were news
    with pytest.raises(BadInput, match="2 classes"):
        nr.certify(ledger, np.eye(3))


@pytest.mark.parametrize("step", ["constant", "sqrt", "inverse"])
@pytest.mark.parametrize("loss", ["perceptron", "hinge", "logistic"])
def test_gradient_descent_over_classes_keeps_its_bound(loss, step):
    stream = separable_classes(6, 4, 0.1, 500, seed=2)
    spec = f"multiclass-ogd:loss={loss},step={step},rate=0.3"
    rounds = list(zip(stream.matrix, [stream.classes[int(y)] for y in stream.labels], strict=True))
    for nature in (stream, nr.from_rounds(rounds)):  # classes announced, and not
        ledger = nr.play(nature, nr.learner(spec))
        told = nr.certify(ledger)[0]
        assert (told.theorem, told.verdict) == ("Zinkevich (multiclass)", "holds")
        assert told.observed == ledger.loss


def test_squared_losses_have_no_theorem_over_classes():
    for loss in ("squared", "squared-hinge"):
        assert nr.learner(f"multiclass-ogd:loss={loss}").theorems() == ()


def test_one_class_alone_is_no_round_of_the_descent():
    rounds = [(np.eye(3)[0], "a")] * 5 + [(np.eye(3)[k % 3], "abc"[k % 3]) for k in range(30)]
    ledger = nr.play(nr.from_rounds(rounds), nr.learner("multiclass-ogd:rate=0.5"))
    assert nr.certify(ledger)[0].verdict == "holds"
    assert ledger.start.scalars["rounds"] == 0


def test_a_tie_that_is_a_mistake_starts_the_perceptron_loss():
    learner = nr.learner("multiclass-ogd:loss=perceptron,step=constant")
    learner.announce(["a", "b"])
    assert learner.learn({"x": 1.0}, "b") and learner.predict({"x": 1.0}) == "b"


def test_passive_aggressive_over_classes_is_certified_on_any_data():
    stream = separable_classes(6, 4, 0.1, 400, seed=5)
    stream.labels[::40] = (stream.labels[::40] + 1) % 4
    for spec in ("multiclass-pa", "multiclass-pa1", "multiclass-pa2"):
        told = nr.certify(nr.play(stream, nr.learner(spec)))[0]
        assert told.verdict == "holds" and told.quantities["loss_u"] > 0


# ---- scaling -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", ["standard", "max", "rms", "unit"])
def test_scaling_makes_the_units_of_a_feature_irrelevant(scale):
    stream = separable_classes(8, 5, 0.05, 2000, seed=1)
    units = np.array([1.0, 1e3, 1e-3, 1.0, 10.0, 1e5, 1.0, 1e-2])
    odd = nr.from_arrays(stream.matrix * units, [stream.classes[int(y)] for y in stream.labels])
    plain = nr.play(odd, nr.learner("multiclass-pa1:bias=true")).mistakes
    scaled = nr.play(odd, nr.learner(f"multiclass-pa1:bias=true,scale={scale}"))
    if scale != "unit":  # a row over its length has the same units as before
        assert scaled.mistakes < 0.7 * plain
    told = nr.certify(scaled)[0]
    assert told.verdict == "silent" and f"scale={scale}" in told.reason


def test_the_statistics_are_part_of_the_file_and_rows_without_label_teach_them_nothing():
    learner = nr.learner("multiclass-perceptron:scale=standard")
    for value, y in ((1.0, "a"), (3.0, "a"), (8.0, "b")):
        learner.learn({"x": value}, y)
    lanes = learner.state()["lanes"]
    found = {name: lane[1:].tolist() for name, lane in lanes.items() if name.startswith("scale-")}
    assert found == {"scale-count": [3.0], "scale-mean": [4.0], "scale-squares": [26.0]}
    before = to_bytes(learner)
    learner.learn({"x": 100.0}, None)
    learner.learn({"x": 100.0}, "a", weight=0.0)
    with pytest.raises(BadInput, match="too large to be scaled"):
        learner.learn({"x": 1e200}, "new")
    assert to_bytes(learner) == before
    assert from_bytes(before)[0].score({"x": 2.0}) == learner.score({"x": 2.0})
    learner.learn({"x": 4.0}, {"a": 1.0, "b": 1.0})  # nothing was paid too much, and the row was met
    assert learner.state()["lanes"]["scale-count"][1:].tolist() == [4.0]
