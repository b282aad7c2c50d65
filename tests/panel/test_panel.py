"""The panel: a vote of learners whose expected loss is certified against the best of them."""

import math
import pickle
import threading
from functools import partial

import numpy as np
import pytest

import noregret as nr
from noregret import _core, checks
from noregret.errors import BadInput, BadLabel, BadModel, BadParameter, BadType, BusyLearner, UnknownName
from noregret.model_file import from_bytes, to_bytes
from noregret.registry import learner
from noregret.rounds import Batch

SPECS = [
    "perceptron",
    "perceptron:rate=0.5,bias=true",
    "perceptron:rate=2,bias=true",
    "balanced-winnow",
    "last-label",
]


def rows(count=500, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, 6))
    y = np.where(X @ np.arange(-2.0, 4.0) + rng.normal(size=count) > 0, 1.0, -1.0)
    y[rng.random(count) < 0.1] = math.nan
    return X, y


def test_it_obeys_the_laws():
    held = checks.check(f"panel:{'/'.join(SPECS)}")
    assert len(held) == len(checks.LAWS) - 1  # it has no twin of its own; its members have


def test_auto_obeys_the_laws():
    assert checks.check("auto", shapes=["sparse", "named"])


def test_members_do_what_they_do_alone():
    X, y = rows()
    panel = nr.Panel(SPECS)
    nr.play(nr.from_arrays(X, y), panel)
    for member, standing in zip(panel.members, panel.rule.account().expert_losses, strict=True):
        alone = learner(member.spec)
        assert nr.play(nr.from_arrays(X, y), alone).mistakes == standing
        assert to_bytes(alone) == to_bytes(member)


def test_the_expected_loss_is_that_of_the_rule_and_both_bounds_hold():
    X, y = rows(2000)
    panel = nr.Panel(SPECS)
    ledger = nr.play(nr.from_arrays(X, y), panel)
    account = panel.account()
    assert ledger.loss == pytest.approx(account.loss)
    assert ledger.mistakes == account.scalars["vote"]
    regret, vote = nr.certify(ledger)
    assert (regret.verdict, vote.verdict) == ("holds", "holds")
    assert regret.observed == account.regret
    assert vote.bound == pytest.approx(2.0 * (account.best_loss + regret.bound), rel=1e-9)


def test_a_vote_that_errs_more_than_half_the_weight_allows_is_caught():
    panel = nr.Panel(SPECS)
    ledger = nr.play(nr.from_arrays(*rows()), panel)
    ledger.account.scalars["vote"] = 2.0 * (ledger.account.loss + 1000.0)
    assert nr.certify(ledger)[1].verdict == "broken"


def test_the_vote_rests_on_the_theorem_of_whatever_rule_there_is():
    ledger = nr.play(nr.from_arrays(*rows()), nr.Panel(SPECS, rule="ftl"))
    own, vote = nr.certify(ledger)
    assert (own.theorem, own.verdict, vote.verdict) == ("Be the leader", "holds", "holds")
    assert vote.bound >= 2.0 * own.observed


def test_importance_counts():
    X, y = rows()
    weights = np.random.default_rng(1).choice([0.0, 0.5, 1.0, 3.0], len(y))
    batch, loop = nr.Panel(SPECS), nr.Panel(SPECS)
    nr.play(nr.from_arrays(X, y, weights), batch)
    for x, label, weight in zip(X, y, weights, strict=True):
        loop.learn(x, None if math.isnan(label) else label, weight)
    assert to_bytes(batch) == to_bytes(loop)


def test_a_row_that_one_member_refuses_changes_nobody():
    X, y = rows(60)
    X = np.abs(np.sign(X))
    X[40, 2] = 7.0  # Winnow takes only 0 and 1
    panel = nr.Panel(["perceptron", "perceptron:rate=2", "winnow:threshold=3", "arow"])
    with pytest.raises(BadInput, match="winnow"):
        nr.play(nr.from_arrays(X, y), panel)
    kept = nr.Panel(["perceptron", "perceptron:rate=2", "winnow:threshold=3", "arow"])
    nr.play(nr.from_arrays(X[:40], y[:40]), kept)
    assert to_bytes(panel) == to_bytes(kept)
    before = to_bytes(panel)
    with pytest.raises(BadInput):
        panel.learn(X[40], 1.0)
    with pytest.raises(BadInput, match="importance"):
        panel.learn(X[0], -panel.members[0].predict(X[0]), 1e308)
    with pytest.raises(BadLabel):
        panel.learn(X[0], 0.0)
    assert to_bytes(panel) == before


def test_too_much_importance_is_refused_in_a_batch_too():
    X, y = rows(20)
    y[:] = 1.0
    weights = np.ones(20)
    weights[7] = 1e200
    panel, kept = nr.Panel(SPECS), nr.Panel(SPECS)
    with pytest.raises(BadInput, match="importance"):
        nr.play(nr.from_arrays(X, y, weights), panel)
    nr.play(nr.from_arrays(X[:7], y[:7]), kept)
    assert to_bytes(panel) == to_bytes(kept)


def test_saved_loaded_copied_and_pickled():
    panel = nr.Panel(SPECS, rule="hedge:rate=0.3")
    nr.play(nr.from_arrays(*rows()), panel)
    data = to_bytes(panel)
    for again in (from_bytes(data)[0], panel.clone(), pickle.loads(pickle.dumps(panel))):
        assert again.spec == panel.spec
        assert to_bytes(again) == data
        nr.play(nr.from_arrays(*rows(seed=5)), again)
    assert to_bytes(panel) == data
    assert to_bytes(learner(panel.spec)) == to_bytes(nr.Panel(SPECS, rule="hedge:rate=0.3"))


def test_auto_is_read_with_the_members_it_was_saved_with():
    from noregret.panel.auto import Auto

    panel = Auto.of_parts(
        [learner(spec) for spec in SPECS], nr.expert_rule("adahedge", 5, loss="zero-one"), 0.0
    )
    again = from_bytes(to_bytes(panel))[0]
    assert again.spec == "auto"
    assert again.specs == SPECS


def test_a_damaged_file_is_refused():
    from safetensors import numpy as tensors

    data = to_bytes(nr.Panel(SPECS))
    for cut in (9, 100, len(data) // 2, len(data) - 1):
        with pytest.raises(BadModel):
            from_bytes(data[:cut])
    arrays = tensors.load(data)
    header = int.from_bytes(data[:8], "little")
    import json

    told = json.loads(json.loads(data[8 : 8 + header])["__metadata__"]["noregret"])
    del told["checksum"]
    meta = {"noregret": json.dumps(told)}
    for key, value in {
        "member/0": arrays["rule"],
        "rule": arrays["member/0"],
        "member/1": arrays["member/2"],
    }.items():
        with pytest.raises(BadModel):
            from_bytes(tensors.save(arrays | {key: value}, meta))
    del arrays["member/1"]
    with pytest.raises(BadModel):
        from_bytes(tensors.save(arrays, meta))


class Contrary:
    """A learner that owes nothing to noregret."""

    spec = "contrary"

    def predict(self, x):
        return -1.0

    def learn(self, x, y, weight=1.0):
        return False


def test_any_learner_may_sit_on_a_panel():
    X, y = rows()
    panel = nr.Panel([*SPECS, Contrary()])
    ledger = nr.play(nr.from_arrays(X, y), panel)
    alone = nr.Panel(SPECS)
    nr.play(nr.from_arrays(X, y), alone)
    assert ledger.rounds == len(y)
    assert [to_bytes(m) for m in panel.members[:-1]] == [to_bytes(m) for m in alone.members]
    with pytest.raises(BadType):
        to_bytes(panel)


@pytest.mark.parametrize(
    ("members", "rule", "error", "sentence"),
    [
        ([], "adahedge", BadParameter, "at least one"),
        (["perceptorn"], "adahedge", UnknownName, "did you mean perceptron"),
        (["perceptron", "perceptron"], "adahedge", BadParameter, "twice"),
        (["perceptron", "pa1:C=0"], "adahedge", BadParameter, "above 0"),
        (["perceptron:rate=nan"], "adahedge", BadParameter, "finite"),
        ("perceptron", "adahedge", BadType, "list"),
        ([3], "adahedge", BadType, "cannot sit"),
        (["perceptron"], "wm", BadParameter, "does not learn from losses"),
        (["perceptron"], "adahegde", UnknownName, "did you mean adahedge"),
        (["perceptron"], "perceptron", UnknownName, "does not weigh experts"),
        (["perceptron"], nr.AdaHedge(2), BadParameter, "1 members and its rule 2"),
    ],
)
def test_bad_panels(members, rule, error, sentence):
    with pytest.raises(error, match=sentence):
        nr.Panel(members, rule=rule)


def test_members_for_another_task_are_refused():
    class Many(Contrary):
        task = "multiclass"

    with pytest.raises(BadParameter, match="is for multiclass"):
        nr.Panel(["perceptron", Many()])


def test_specs():
    assert learner("panel: perceptron / last-label").spec == "panel:perceptron/last-label"
    assert learner("panel:rule=hedge/perceptron/last-label").rule.name == "hedge"
    with pytest.raises(BadParameter, match="at least one"):
        learner("panel:")


class Own:
    """A member of somebody's own, which cannot say beforehand what it will refuse."""

    def __init__(self, spec, refuses=()):
        self.spec, self.refuses, self.seen = spec, refuses, []

    def predict(self, x):
        return 1.0

    def learn(self, x, y, weight=1.0):
        if len(self.seen) in self.refuses:
            raise BadInput(f"{self.spec} does not take this row")
        self.seen.append(y)
        return True


def test_a_row_that_a_member_of_somebodys_own_refuses_changes_nothing():
    members = [nr.Perceptron(), Own("first"), Own("second", refuses=(2,)), Own("third"), nr.AROW()]
    panel = nr.Panel(members)
    rows = [({"a": 1.0}, -1), ({"b": 1.0}, -1), ({"a": 2.0, "c": 1.0}, -1)]
    for x, y in rows[:2]:
        panel.learn(x, y)
    before = panel.clone()
    with pytest.raises(BadInput, match="second does not take this row"):
        panel.learn(*rows[2])
    seen = [member.seen for member in panel.members[1:4]]
    assert seen == [[-1.0, -1.0]] * 3
    assert panel.members[0].weights == before.members[0].weights
    assert panel.members[4].weights == before.members[4].weights
    assert panel.rule.scalars == before.rule.scalars and panel.vote_loss == before.vote_loss


def test_members_that_rehearse_are_asked_first():
    panel = nr.Panel([Own("own"), nr.Winnow(threshold=1.0)])
    with pytest.raises(BadInput):
        panel.learn({"a": 0.5}, 1)
    assert panel.members[0].seen == [] and panel.is_fresh


@pytest.mark.parametrize("other", ["pa1", "perceptron:rate=2"])
def test_a_panel_teaches_copies(other):
    mine, own, rule = nr.Perceptron(), Own("own"), nr.AdaHedge(3, loss="zero-one")
    panel = nr.Panel([mine, other, own], rule)
    panel.learn(np.ones(2), -1)
    panel.members[0].learn(np.ones(2), -1)
    assert mine.weights == {} and own.seen == [] and rule.scalars["rounds"] == 0
    assert panel.members[0].weights == {0: -1.0, 1: -1.0} and panel.members[2].seen == [-1.0]


def test_a_block_that_a_member_refuses_as_a_whole_teaches_nobody():
    panel = nr.Panel(["perceptron", "winnow"])  # whose default needs the number of features
    before = to_bytes(panel)
    with pytest.raises(BadParameter, match="threshold"):
        nr.play(nr.from_rounds([({"a": 1.0}, -1), ({"b": 1.0}, -1)]), panel)
    assert to_bytes(panel) == before


def test_copies_beside_a_thread_that_plays_are_refused_or_whole():
    X, y = rows(4000)
    panel, torn, refused = nr.Panel(["ogd:rate=1", "ogd:rate=2", "averaged-perceptron"]), [], []
    done = threading.Event()

    def teach():
        for k in range(60):
            try:
                panel.play_matrix(Batch(X, y).matrix(), y, None, _core.Tally(), None, None)
            except BusyLearner:
                refused.append(k)
        done.set()

    thread = threading.Thread(target=teach)
    thread.start()
    while not done.is_set():
        for copy in (
            panel.clone,
            lambda: from_bytes(to_bytes(panel))[0],
            lambda: pickle.loads(pickle.dumps(panel)),
        ):
            try:
                members, rule, _ = copy().parts()
            except BusyLearner:
                continue
            if members[0].scalars["rounds"] != rule.scalars["rounds"]:
                torn.append(rule.scalars["rounds"])
    thread.join()
    assert not torn and len(refused) < 60


def test_the_area_under_the_curve_tells_scores_apart_that_are_nearly_1():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(1500, 4))
    y = np.where(X @ [2.0, -1.0, 0.5, 0.2] + 0.5 * rng.normal(size=1500) > 0, 1.0, -1.0)
    scores = []
    (ledger,) = nr.play_all(
        nr.from_arrays(X, y), [nr.learner("auto")], watch=lambda _, __, said: scores.append(said[0].scores)
    )
    told = np.concatenate(scores)
    above = np.sign(told[y > 0][:, None] - told[y < 0][None, :])
    assert ledger.auc == pytest.approx(np.mean((above + 1.0) / 2.0), abs=2e-3)


def test_the_scores_of_a_panel_are_those_of_its_vote():
    panel = nr.Panel(["perceptron", "arow", "last-label"])
    ledger = nr.play(nr.inspection_line(500), panel)
    scores = [score for score, *_ in ledger.scores]
    assert scores == sorted(scores) and -1.0 <= scores[0] < scores[-1] <= 1.0
    assert sum(negative + positive for _, negative, positive in ledger.scores) == ledger.labelled


def test_predictions_are_told_whether_scores_are_wanted_or_not():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 4))
    stream = nr.from_arrays(X, np.where(X[:, 0] > 0, 1.0, -1.0))
    told = []
    for scores in (True, False):
        panel = nr.Panel([nr.Perceptron(), nr.learner("pa")])
        kept = []
        watch = partial(lambda kept, *seen: kept.append(np.array(seen[2][0].predictions)), kept)
        nr.play_all(stream, [panel], watch=watch, scores=scores)
        told.append(np.concatenate(kept))
    assert set(told[0]) == {-1.0, 1.0}
    assert np.array_equal(*told)


def test_a_certificate_says_that_it_speaks_of_earlier_rounds_too():
    panel = learner("panel:perceptron/pa")
    first = nr.play(nr.inspection_line(300, seed=1), panel)
    assert {one.note for one in nr.certify(first)} == {""}
    again = nr.play(nr.inspection_line(200, seed=2), panel)
    earlier = f"with {first.labelled} rounds that it had played before"
    assert {one.note for one in nr.certify(again)} == {earlier}
