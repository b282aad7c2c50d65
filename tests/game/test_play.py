import signal
import sys
import threading
from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret.errors import BadCommand, BadInput, BadLabel, BusyLearner


def stream(rows=500, width=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (rows, width)).astype(float)
    y = np.where(X @ np.arange(1.0, width + 1) >= 0, 1.0, -1.0)
    return X, y


class Slow:
    """A learner without a native path: everything goes round by round."""

    def __init__(self, inner):
        self.inner = inner

    def __getattr__(self, name):
        if name in ("play_matrix", "score_matrix"):
            raise AttributeError(name)
        return getattr(self.inner, name)


@pytest.mark.parametrize(
    "spec", ["perceptron", "perceptron:bias=true,rate=0.3", "balanced-winnow", "normalized-winnow"]
)
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_batch_and_loop_agree_to_the_bit(spec, form):
    X, y = stream()
    y[::7] = np.nan
    weights = np.random.default_rng(1).random(len(y)) + 0.5
    fast, slow = nr.learner(spec), nr.learner(spec)
    a = nr.play(nr.from_arrays(form(X), y, weights), fast)
    b = nr.play(nr.from_arrays(form(X), y, weights), Slow(slow))
    assert fast.weights == slow.weights and fast.scalars == slow.scalars
    assert (a.rounds, a.mistakes, a.updates, a.loss, a.auc) == (
        b.rounds,
        b.mistakes,
        b.updates,
        b.loss,
        b.auc,
    )
    assert a.curve == b.curve and a.potentials == b.potentials


def test_curve_is_bounded_and_ends_at_the_last_round():
    X, y = stream(5000)
    ledger = nr.play(nr.from_arrays(X, y), nr.Perceptron())
    assert len(ledger.curve) <= 1024
    assert ledger.curve[-1] == (ledger.rounds, ledger.mistakes, ledger.loss)
    assert [t for t, _, _ in ledger.curve] == sorted({t for t, _, _ in ledger.curve})
    short = nr.play(nr.from_arrays(X[:10], y[:10]), nr.Perceptron())
    assert [t for t, _, _ in short.curve] == list(range(1, 11))


def test_rounds_limits_the_game():
    X, y = stream()
    ledger = nr.play(nr.from_arrays(X, y), nr.Perceptron(), rounds=123)
    assert ledger.rounds == 123
    assert nr.certify(ledger)[1].verdict == "holds"
    assert nr.play(nr.from_arrays(X, y), nr.Perceptron(), rounds=0).rounds == 0


def test_empty_streams_and_one_class_are_fine():
    empty = nr.play(nr.from_arrays(np.empty((0, 3)), []), nr.Perceptron())
    assert (empty.rounds, empty.mistake_rate, empty.precision, empty.recall, empty.auc, empty.curve) == (
        0, 0.0, None, None, None, [],
    )  # fmt: skip
    one = nr.play(nr.from_arrays(np.ones((5, 2)), np.ones(5)), nr.Perceptron())
    assert one.mistakes == 0 and one.auc is None and one.recall == 1.0
    assert {c.verdict for c in nr.certify(one)} == {nr.Verdict.HOLDS}


def test_unlabelled_rounds_teach_nothing():
    X, _ = stream(50)
    learner = nr.Perceptron()
    ledger = nr.play(nr.from_arrays(X, np.full(50, np.nan)), learner)
    assert ledger.rounds == 50 and ledger.labelled == 0 and learner.weights == {}


def test_a_bad_row_stops_and_keeps_what_was_learned():
    X, y = stream(20)
    X[7, 2] = np.inf
    for spec in ("perceptron", "balanced-winnow"):
        learner, before = nr.learner(spec), nr.learner(spec)
        nr.play(nr.from_arrays(X[:7], y[:7]), before)
        with pytest.raises(
            BadInput, match=r"row 7: feature 2 is inf; a value must be a finite number"
        ) as caught:
            nr.play(nr.from_arrays(X, y), learner)
        assert learner.weights == before.weights
        assert caught.value.ledgers[0].rounds == 7 and not caught.value.ledgers[0].complete


def test_a_bad_row_can_be_skipped_and_is_counted():
    X, y = stream(20)
    X[7, 2] = np.nan
    X[11, 0] = np.inf
    learner, other = nr.Perceptron(), nr.Perceptron()
    ledger = nr.play_all(nr.from_arrays(X, y), [learner], skip=True)[0]
    good = np.isfinite(X).all(axis=1)
    nr.play(nr.from_arrays(X[good], y[good]), other)
    assert ledger.skipped == 2 and ledger.rounds == 18 and learner.weights == other.weights
    assert nr.certify(ledger)[1].verdict == "holds"


def test_all_learners_stop_at_the_same_row():
    X = np.ones((9, 2))
    X[5, 1] = 0.5
    learners = [nr.learner("winnow"), nr.learner("perceptron")]
    with pytest.raises(BadInput, match="row 5: feature 1 is 0.5; winnow takes only 0 and 1") as caught:
        nr.play_all(nr.from_arrays(X, -np.ones(9)), learners)
    assert [ledger.rounds for ledger in caught.value.ledgers] == [5, 5]


@pytest.mark.parametrize("label", [0.0, 2.0, 0.5, np.inf])
def test_labels_must_be_plus_or_minus_one(label):
    X, y = stream(5)
    y[3] = label
    with pytest.raises(BadLabel, match="row 3: the label is .*; this learner takes -1 and \\+1"):
        nr.play(nr.from_arrays(X, y), nr.Perceptron())


@pytest.mark.parametrize("weight", [-1.0, np.nan, np.inf])
def test_importance_must_be_finite_and_not_negative(weight):
    X, y = stream(5)
    with pytest.raises(BadInput, match="the importance weight is"):
        nr.play(nr.from_arrays(X, y, weights=[1, 1, weight, 1, 1]), nr.Perceptron())


def test_an_adaptive_nature_is_asked_round_by_round_and_recorded():
    class Contrary:
        """Answers the opposite of the prediction, five times."""

        def __init__(self):
            self.left = 5

        def pose(self):
            self.left -= 1
            return {f"f{self.left}": 1.0} if self.left >= 0 else None

        def reveal(self, prediction):
            return -prediction

    ledger = nr.play(Contrary(), nr.Perceptron())
    assert ledger.mistakes == ledger.rounds == 5
    assert nr.certify(ledger)[0].bound == 5.0  # five unit vectors, all −1: the record was replayed
    with pytest.raises(BadCommand, match="one learner at a time"):
        nr.play_all(Contrary(), [nr.Perceptron(), nr.Perceptron()])


class Twice:
    """Two batches; before the second one somebody may press Ctrl-C."""

    def __init__(self, interrupts=False):
        self.interrupts = interrupts

    def batches(self):
        X, y = stream(10)
        yield from nr.from_arrays(X, y).batches()
        if self.interrupts:
            signal.raise_signal(signal.SIGINT)
        yield from nr.from_arrays(X, y).batches()
        raise AssertionError("it went on")


class Interrupting:
    """A learner during whose fifth round in the second batch somebody presses Ctrl-C."""

    spec, rounds = "interrupting", 0

    def predict(self, x):
        return 1.0

    def learn(self, x, y, weight=1.0):
        self.rounds += 1
        if self.rounds == 15:
            signal.raise_signal(signal.SIGINT)
        return False


def test_interrupt_waits_for_the_end_of_a_batch():
    with pytest.raises(KeyboardInterrupt) as caught:
        nr.play_all(Twice(), [Interrupting(), nr.BalancedWinnow()])
    assert [ledger.rounds for ledger in caught.value.ledgers] == [20, 20]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_interrupt_does_not_wait_for_data():
    with pytest.raises(KeyboardInterrupt) as caught:
        nr.play_all(Twice(interrupts=True), [nr.Perceptron(), nr.BalancedWinnow()])
    assert [ledger.rounds for ledger in caught.value.ledgers] == [10, 10]


class Terminating(Interrupting):
    """A learner during whose fifteenth round somebody sends SIGTERM."""

    def learn(self, x, y, weight=1.0):
        self.rounds += 1
        if self.rounds == 15:
            signal.raise_signal(signal.SIGTERM)
        return False


def test_a_handler_of_somebody_else_waits_for_the_end_of_a_batch_too():
    heard, learner = [], Terminating()
    before = signal.signal(signal.SIGTERM, lambda *_: heard.append(learner.rounds))
    try:
        with pytest.raises(AssertionError, match="it went on"):  # since the handler lets it
            nr.play_all(Twice(), [learner])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [20]


def test_an_interrupt_that_is_ignored_stays_so():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with pytest.raises(AssertionError, match="it went on"):
            nr.play_all(Twice(interrupts=True), [nr.Perceptron()])
    finally:
        signal.signal(signal.SIGINT, before)


def test_two_threads_are_refused_not_torn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200_000, 50))
    y = rng.choice([-1.0, 1.0], len(X))
    learner = nr.Perceptron()
    refused = []

    def poke():
        while worker.is_alive():
            try:
                learner.score(X[0])
            except BusyLearner:
                refused.append(True)

    worker = threading.Thread(target=nr.play, args=(nr.from_arrays(X, y), learner))
    worker.start()
    poke()
    worker.join()
    alone = nr.Perceptron()
    nr.play(nr.from_arrays(X, y), alone)
    assert learner.weights == alone.weights
    assert refused, "the other thread never met the busy learner"


class Meddler:
    """A row whose reading gives another thread, or anybody, the chance to use the learner."""

    def __init__(self, learner):
        self.learner = learner

    def tocsr(self):
        self.learner.learn(np.ones(3), +1)
        return csr_array(np.ones((1, 3)))


@pytest.mark.parametrize("spec", ["perceptron:scale=rms", "multiclass-perceptron"])
def test_a_learner_reads_one_example_at_a_time(spec):
    learner = nr.learner(spec)
    for ask in (learner.predict, learner.score, partial(learner.learn, y=1)):
        with pytest.raises(BusyLearner):
            ask(Meddler(learner))
    assert learner.learn(np.ones(3), +1) is not None  # and it can be used again
    assert learner.clone().weights == learner.weights


@pytest.mark.parametrize("where", ["value", "label"])
def test_a_number_that_empties_the_dict_while_it_is_read(where):
    class Vandal:
        def __float__(self):
            x.clear()
            return -1.0

    x = {f"f{k}": float(k) + 0.5 for k in range(50)}
    if where == "value":
        x["vandal"] = Vandal()
    learner = nr.Perceptron()
    learner.learn(x, -1 if where == "value" else Vandal())
    assert not x
    if where == "value":  # what it was when it was given
        assert learner.weights["f49"] == -49.5 and learner.weights["vandal"] == 1.0


def test_whole_numbers_and_booleans_are_values_too():
    whole, broken = nr.Perceptron(), nr.Perceptron()
    for k in range(3):
        whole.learn({"a": k, "b": True, "c": 2**60}, +1 if k % 2 else -1)
        broken.learn({"a": float(k), "b": 1.0, "c": float(2**60)}, +1 if k % 2 else -1)
    assert whole.weights == broken.weights
    with pytest.raises(BadInput):
        whole.learn({"a": 10**400}, +1)


def test_a_batch_that_was_learned_is_not_called_busy_because_of_what_another_thread_does_next():
    """Who is told that a learner is busy plays the batch again: it must not have been learned by then."""

    class Busy(nr.learner("multiclass-perceptron").__class__):
        asked = 0

        @property
        def joined(self):
            Busy.asked += 1
            if Busy.asked == 1:
                raise BusyLearner("another thread is using this learner")
            return super().joined

    ledger = nr.play(nr.from_arrays(np.eye(3), [0, 1, 2]), Busy())
    assert (ledger.rounds, Busy.asked, list(ledger.classes)) == (3, 2, [0, 1, 2])


class LosesIt(Twice):
    """Ctrl-C comes while something is destroyed, and Python drops what that raises."""

    def batches(self):
        class Last:
            def __del__(self):
                signal.raise_signal(signal.SIGINT)

        for batch in super().batches():
            yield batch
            Last()


def test_an_interrupt_that_python_drops_is_not_lost(monkeypatch):
    dropped = []
    monkeypatch.setattr(sys, "unraisablehook", lambda told: dropped.append(told.exc_type))
    with pytest.raises(KeyboardInterrupt) as caught:
        nr.play_all(LosesIt(), [nr.Perceptron()])
    assert dropped == [KeyboardInterrupt]
    assert [ledger.rounds for ledger in caught.value.ledgers] == [10]
