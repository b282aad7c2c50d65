"""Elements ordered for a query, and ordered labels."""

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadInput, BadLabel, BadParameter


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
    for spec in ("perceptron:bias=true", "widrow-hoff"):
        with pytest.raises(BadParameter, match="binary learner without bias"):
            nr.PairwiseRanker(nr.learner(spec))


@pytest.mark.parametrize("right", [-1, 2, 0.0, None])
def test_the_right_element_must_be_one_of_them(right):
    ranker = nr.PairwiseRanker()
    with pytest.raises(BadLabel, match="a place from 0 to 1"):
        ranker.learn([{"a": 1.0}, {"b": 1.0}], right)
    assert ranker.rounds == 0


def test_prank_by_hand():
    learner = nr.PRank(3)
    assert learner.predict({"a": 1.0}) == 3  # 0 is not below any threshold
    assert learner.learn({"a": 1.0}, 1) == 2
    assert (learner.weights, learner.thresholds) == ({"a": -2.0}, [1.0, 1.0])
    assert learner.predict({"a": 1.0}) == 1
    assert learner.learn({"a": 1.0}, 2) == 1  # above the first threshold, below the second
    assert (learner.weights, learner.thresholds) == ({"a": -1.0}, [0.0, 1.0])
    assert learner.learn({"a": 1.0}, 2) == 1
    assert learner.predict({"a": 1.0}) == 2


def test_prank_stays_below_its_bound_and_keeps_its_thresholds_in_order():
    rng = np.random.default_rng(1)
    target, cuts = rng.normal(size=4), np.array([-1.0, -0.2, 0.6])
    learner, radius, margin = nr.PRank(4), 0.0, np.inf
    for _ in range(4000):
        x = rng.normal(size=4)
        gaps = x @ target - cuts
        if np.abs(gaps).min() < 0.1:
            continue
        learner.learn(x, int(np.sum(gaps > 0)) + 1)
        assert learner.thresholds == sorted(learner.thresholds)
        radius, margin = max(radius, x @ x), min(margin, np.abs(gaps).min())
    length = target @ target + cuts @ cuts
    assert 0 < learner.loss <= 3 * (radius + 1) * length / margin**2


def test_prank_refuses_before_anything_changes():
    learner = nr.PRank(3)
    for x, y, kind in [
        ({"a": 1.0}, 0, BadLabel),
        ({"a": 1.0}, 4, BadLabel),
        ({"a": 1.0}, 1.5, BadLabel),
        ({"a": np.nan}, 1, BadInput),
    ]:
        with pytest.raises(kind):
            learner.learn(x, y)
    assert (learner.rounds, learner.weights, learner.thresholds) == (0, {}, [0.0, 0.0])
    with pytest.raises(BadParameter, match="2 or more"):
        nr.PRank(1)
