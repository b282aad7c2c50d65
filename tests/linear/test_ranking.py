"""Elements ordered for a query, and ordered labels."""

import json

import numpy as np
import pytest

import noregret as nr
from noregret import reference
from noregret.cli.app import run
from noregret.errors import BadInput, BadLabel, BadModel, BadParameter
from noregret.examples import entries
from noregret.model_file import from_bytes, to_bytes
from noregret.natures.margins import basis_ranks, separable_ranks
from noregret.natures.queries import Query
from noregret.reference.ranking import PairwiseRanker as TwinRanker
from noregret.rounds import Batch


def queries(count, seed=0, noise=0.0):
    """Four elements a query; the right one has the largest hidden score."""
    rng = np.random.default_rng(seed)
    target = rng.normal(size=6)
    for _ in range(count):
        elements = rng.normal(size=(4, 6))
        yield list(elements), int(np.argmax(elements @ target + noise * rng.normal(size=4)))


def test_a_ranker_learns_by_hand():
    ranker = nr.PairwiseRanker()
    elements = [{"a": 1.0, "b": 1.0}, {"b": 2.0}, {"c": 1.0}]
    assert ranker.rank(elements) == [0, 1, 2]
    assert ranker.learn(elements, right=2) == 2
    assert ranker.base.weights == {"a": -1.0, "b": -1.0, "c": 1.0}  # c − (a + b)
    assert ranker.rank(elements)[0] == 2
    assert ranker.learn(elements, right=2) == 0
    assert (ranker.rounds, ranker.mistakes, ranker.loss) == (2, 1, 2)


def test_mistakes_stay_below_novikoffs_bound_on_differences():
    ranker, rows = nr.PairwiseRanker(), list(queries(3000))
    for elements, right in rows:
        ranker.learn(elements, right)
    target = np.random.default_rng(0).normal(size=6)
    leads = [
        min((e[right] - e[k]) @ target for k in range(4) if k != right)
        for e, right in ((np.array(elements), right) for elements, right in rows)
    ]
    reach = max(np.linalg.norm(a - b) for elements, _ in rows for a in elements for b in elements)
    wide = [lead for lead in leads if lead > 0.05]  # the others make the bound useless
    assert len(wide) > 2800
    assert 0 < ranker.mistakes < (reach * np.linalg.norm(target) / min(wide)) ** 2
    late = sum(ranker.learn(elements, right) for elements, right in queries(500, seed=0))
    assert late < 40


def test_another_base_and_bad_ones():
    ranker = nr.PairwiseRanker(nr.learner("balanced-winnow:rate=0.1"))
    first = sum(ranker.learn(elements, right) for elements, right in queries(300, seed=2))
    later = sum(ranker.learn(elements, right) for elements, right in queries(300, seed=2))
    assert later < first
    for spec in ("perceptron:bias=true", "perceptron:scale=max", "widrow-hoff", "multiclass-pa"):
        with pytest.raises(BadParameter, match="binary learner without bias and scale"):
            nr.PairwiseRanker(nr.learner(spec))


@pytest.mark.parametrize("right", [-1, 2, 0.0, None])
def test_the_right_element_must_be_one_of_them(right):
    ranker = nr.PairwiseRanker()
    with pytest.raises(BadLabel, match="a place from 0 to 1"):
        ranker.learn([{"a": 1.0}, {"b": 1.0}], right)
    assert ranker.rounds == 0


@pytest.mark.parametrize("spec", ["perceptron", "perceptron:rate=0.3", "arow", "balanced-winnow:rate=0.7"])
def test_a_ranker_agrees_with_its_twin_to_the_bit(spec):
    ranker, rows = nr.PairwiseRanker(nr.learner(spec)), list(queries(200, seed=3, noise=0.5))
    twin = TwinRanker(reference.TWINS[ranker.base.name](**ranker.base.parameters))
    for elements, right in rows:
        listed = [list(enumerate(element.tolist())) for element in elements]
        assert ranker.rank(elements) == twin.rank(listed)
        assert ranker.learn(elements, right, weight=0.5) == twin.learn(listed, [right], 0.5)
    assert ranker.base.weights == twin.base.weights
    assert ranker.loss > 0


def test_several_may_be_right_and_the_first_of_them_counts():
    ranker = nr.PairwiseRanker()
    elements = [{"a": 1.0}, {"b": 1.0}, {"c": 1.0}]
    assert ranker.learn(elements, right=[2, 1]) == 1  # b comes before c
    assert ranker.base.weights == {"a": -1.0, "b": 1.0}
    assert ranker.learn(elements, right=[0, 1, 2]) == 0


@pytest.mark.parametrize("right", [np.int64(1), np.array(1), np.array([1]), (1,), {1}, np.array([0, 1])[1:]])
def test_places_come_as_numpy_gives_them(right):
    ranker = nr.PairwiseRanker()
    assert ranker.learn([{"a": 1.0}, {"b": 1.0}], right) == 1
    assert ranker.base.weights == {"a": -1.0, "b": 1.0}


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf, "heavy"])
@pytest.mark.parametrize("right", [0, 1])
def test_a_weight_is_checked_whether_there_was_a_mistake_or_not(right, weight):
    ranker = nr.PairwiseRanker()
    with pytest.raises(BadInput, match="the importance weight is .* a finite number, 0 or more"):
        ranker.learn([{"a": 1.0}, {"b": 1.0}], right, weight=weight)
    assert ranker.rounds == 0 and ranker.base.weights == {}


def test_a_query_without_any_label_has_no_right_element():
    query = Query(7, [{"a": 1.0}, {"b": 1.0}], [np.nan, np.nan])
    with pytest.raises(BadLabel, match="no element of query 7 has a label"):
        _ = query.right
    query.labels[0] = -2.0
    assert query.right == [0]


@pytest.mark.parametrize("right", [[], [0, 5], [0.5]])
def test_places_that_are_none_are_refused(right):
    with pytest.raises(BadLabel, match="a place from 0 to 1"):
        nr.PairwiseRanker().learn([{"a": 1.0}, {"b": 1.0}], right)


def test_a_ranker_is_saved_loaded_and_goes_on(tmp_path):
    ranker, rows = nr.PairwiseRanker(nr.learner("arow:ridge=0.5")), list(queries(60, seed=4))
    for elements, right in rows[:30]:
        ranker.learn(elements, right)
    nr.save(ranker, tmp_path / "m")
    again, copy = nr.load(tmp_path / "m"), ranker.clone()
    assert again.spec == ranker.spec == "pairwise-ranker:arow:ridge=0.5"
    for elements, right in rows[30:]:
        assert ranker.learn(elements, right) == again.learn(elements, right) == copy.learn(elements, right)
    assert to_bytes(again) == to_bytes(ranker) == to_bytes(copy)
    assert again.scalars == {"rounds": 60, "mistakes": ranker.mistakes, "loss": ranker.loss}


def test_a_ranker_can_be_inspected_and_says_where_it_is_used(tmp_path, capsys):
    ranker, model = nr.PairwiseRanker(), str(tmp_path / "m")
    ranker.learn([{"title": 1.0}, {"body": 1.0}], right=1)
    nr.save(ranker, model)
    assert run(["inspect", model]) == 0
    out = capsys.readouterr().out
    assert "pairwise-ranker:perceptron" in out and "title" in out and "mistakes 1" in out
    assert run(["predict", model, str(tmp_path / "d.svm")]) == 2
    assert "orders the elements of queries" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("pairwise-ranker:perceptron", "pairwise-ranker:percektron"),
        ("rounds", "reunds"),
        (r"\"ranker\"", r"\"panel\" "),
        ('"base"', '"bose"'),
    ],
)
def test_a_damaged_ranker_is_refused(before, after):
    data = to_bytes(nr.PairwiseRanker())
    assert before.encode() in data
    with pytest.raises(BadModel):
        from_bytes(data.replace(before.encode(), after.encode(), 1))


def test_queries_of_a_file_are_rows_with_the_same_qid(tmp_path):
    path = tmp_path / "answers.svm"
    path.write_text("2 qid:1 1:0.5\n0 qid:1 2:1 # no\n2 qid:1 3:1\n1 qid:7 1:3\n0 qid:7 4:1\n")
    found = list(nr.queries(path))
    assert [(one.number, one.labels, one.right) for one in found] == [
        (1, [2.0, 0.0, 2.0], [0, 2]),
        (7, [1.0, 0.0], [0]),
    ]
    ranker = nr.PairwiseRanker()
    assert [ranker.learn(one.elements, one.right) for one in found * 2] == [0, 0, 0, 0]
    assert [entries(x) for x in found[1].elements] == [[(1, 3.0)], [(4, 1.0)]]


def test_a_query_may_lie_across_two_batches():
    rng = np.random.default_rng(0)
    whole = Batch(rng.normal(size=(7, 2)), np.arange(7.0), groups=np.array([3, 3, 3, 5, 5, 3, 3]))

    class Parts:
        def batches(self):
            yield from (whole.part(0, 2), whole.part(2, 4), whole.part(4, 7))

    assert [(one.number, one.labels) for one in nr.queries(Parts())] == [
        (3, [0.0, 1.0, 2.0]),
        (5, [3.0, 4.0]),
        (3, [5.0, 6.0]),
    ]


@pytest.mark.parametrize("text", ["1 1:1\n", "1 qid:3 1:1\n0 2:1\n"])
def test_rows_without_a_query_are_named(tmp_path, text):
    path = tmp_path / "answers.svm"
    path.write_text(text)
    with pytest.raises(BadInput, match=f"line {text.count(chr(10))}: the row names no query"):
        list(nr.queries(path))


# ---- PRank -------------------------------------------------------------------------------------------


def test_prank_by_hand():
    learner = nr.PRank(3)
    assert learner.predict({"a": 1.0}) == 3  # 0 is not below any threshold
    assert learner.learn({"a": 1.0}, 1)
    assert (learner.weights, learner.thresholds) == ({"a": -2.0}, [1.0, 1.0])
    assert learner.predict({"a": 1.0}) == 1
    assert learner.learn({"a": 1.0}, 2)  # above the first threshold, below the second
    assert (learner.weights, learner.thresholds) == ({"a": -1.0}, [0.0, 1.0])
    assert learner.learn({"a": 1.0}, 2)
    assert learner.predict({"a": 1.0}) == 2
    assert not learner.learn({"a": 1.0}, 2)


def test_thresholds_alone_may_move():
    learner = nr.PRank(3)
    assert learner.learn({"a": 1.0}, 2)  # the one below and the one above pull equally
    assert (learner.weights, learner.thresholds) == ({}, [-1.0, 1.0])


def test_a_large_importance_does_not_make_thresholds_overtake_each_other():
    learner, twin = nr.PRank(4), reference.PRank(4)
    rng = np.random.default_rng(3)
    for _ in range(500):
        x, y, weight = float(rng.normal()), int(rng.integers(1, 5)), float(rng.choice([0.3, 1.0, 7.0]))
        learner.learn({"a": x}, y, weight=weight)
        twin.learn([("a", x)], y, weight)
        assert learner.thresholds == sorted(learner.thresholds) == list(twin.thresholds)
    assert learner.weights == dict(twin.weights)


def test_prank_stays_below_its_bound_and_keeps_its_thresholds_in_order():
    stream = separable_ranks(4, 4, 0.03, 3000, seed=1)
    learner = nr.PRank(4)
    ledger = nr.play(stream, learner)
    told = nr.certify(ledger)[0]
    assert (told.theorem, told.verdict) == ("Crammer–Singer (ranks)", "holds")
    assert 0 < told.observed == ledger.loss < told.bound
    assert learner.thresholds == sorted(learner.thresholds)
    assert ledger.mae == ledger.loss / 3000


def test_ranks_that_nothing_keeps_apart_leave_the_theorem_silent():
    rng = np.random.default_rng(2)
    ledger = nr.play(nr.from_arrays(rng.normal(size=(300, 2)), rng.integers(1, 4, 300)), nr.PRank(3))
    assert "keeps the ranks apart" in nr.certify(ledger)[0].reason


def test_the_basis_is_wrong_in_every_round_at_half_the_bound():
    told = nr.certify(nr.play(basis_ranks(50), nr.PRank(2)))[0]
    assert told.observed == 50
    assert told.bound == pytest.approx(100, rel=1e-6)


def test_prank_refuses_before_anything_changes():
    learner = nr.PRank(3)
    learner.learn({"a": 1.0}, 1)
    before = to_bytes(learner)
    for x, y, kind in [
        ({"a": 1.0}, 0, BadLabel),
        ({"a": 1.0}, 4, BadLabel),
        ({"b": 1.0}, 1.5, BadLabel),
        ({"a": np.nan}, 1, BadInput),
        ({"a": 1e200}, 3, BadInput),
    ]:
        with pytest.raises(kind):
            learner.learn(x, y)
    assert to_bytes(learner) == before
    with pytest.raises(BadParameter, match="2 or more"):
        nr.PRank(1)
    with pytest.raises(BadParameter, match="64 at most"):
        nr.PRank(65)


def test_prank_on_the_command_line(tmp_path, capsys):
    stream = separable_ranks(4, 5, 0.02, 400, seed=1)
    rows = zip(stream.labels, stream.matrix.round(4), strict=True)
    path, model = tmp_path / "stars.svm", str(tmp_path / "m")
    path.write_text("".join(f"{y:g} {' '.join(f'{k}:{v}' for k, v in enumerate(x))}\n" for y, x in rows))
    assert run(["run", str(path), "-l", "prank", "--save", model, "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)["learners"][0]
    assert told["mae"] < 0.5 and told["loss_name"] == "rank"
    assert run(["predict", model, str(path)]) == 0
    assert set(capsys.readouterr().out.split()) <= {"1.0", "2.0", "3.0", "4.0", "5.0"}
    assert run(["run", str(path), "-l", "prank:ranks=3"]) == 1
    assert "it is a whole number from 1 to 3" in capsys.readouterr().err
