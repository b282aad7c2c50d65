"""A subclass that changes predict, score or learn is played by what it says, not by the loop it inherits."""

import numpy as np
import pytest

import noregret as nr
from noregret.game.loops import has_loop
from noregret.registry import LEARNERS


class Deaf(nr.Perceptron):
    """Learns nothing."""

    def learn(self, x, y, weight=1.0):
        return False


class Contrary(nr.Perceptron):
    """Says the opposite."""

    def predict(self, x):
        return -super().predict(x)


class Doubled(nr.MulticlassPerceptron):
    """Counts its scores twice, which changes no prediction."""

    def score(self, x):
        return {one: 2.0 * score for one, score in super().score(x).items()}


def test_learners_of_ours_have_their_loops():
    for name in LEARNERS:
        learner = nr.learner(name)
        assert has_loop(learner, "play_matrix") == hasattr(learner, "play_matrix")
        assert has_loop(learner, "rehearse") == hasattr(learner, "rehearse")
    assert has_loop(nr.Panel(["perceptron", "arow"]), "play_matrix")
    assert not any(has_loop(kind(), "play_matrix") for kind in (Deaf, Contrary, Doubled))


def test_who_learns_nothing_breaks_the_bound():
    X = np.tile(np.eye(4), (10, 1))
    ledger = nr.play(nr.from_arrays(X, -np.ones(40)), Deaf())
    assert ledger.mistakes == 40 and ledger.updates == 0
    assert nr.certify(ledger)[0].verdict == "broken"


def test_who_learns_nothing_learns_nothing_late():
    learner = Deaf()
    assert nr.play(nr.Delayed(nr.standard_basis(9), 2), learner).mistakes == 9 and not learner.weights


def test_what_is_said_counts():
    assert nr.play(nr.standard_basis(9), Contrary()).mistakes == 0
    stream = nr.from_arrays(np.eye(3), ["a", "b", "c"])
    plain, doubled = nr.play(stream, nr.MulticlassPerceptron()), nr.play(stream, Doubled())
    assert doubled.mistakes == plain.mistakes


def test_members_of_a_panel_and_panels():
    class Stubborn(nr.Panel):
        def predict(self, x):
            return 1.0

    X = np.tile(np.eye(4), (10, 1))
    stream = nr.from_arrays(X, -np.ones(40))
    deaf = [Deaf(), Deaf(rate=2.0)]
    panel = nr.Panel(deaf)
    assert nr.play(stream, panel).mistakes == 40 and not any(one.weights for one in panel.members)
    assert nr.play(stream, Stubborn(["perceptron", "last-label"])).mistakes == 40
    assert nr.play(stream, nr.Panel(["perceptron", "last-label"])).mistakes < 40


def test_a_wrapper_is_played_by_its_own_methods():
    class Wrapper:
        def __init__(self, learner):
            self._learner = learner

        def __getattr__(self, name):
            return getattr(self._learner, name)

        def learn(self, x, y, weight=1.0):
            return False

    inner = nr.Perceptron()
    assert nr.play(nr.standard_basis(9), Wrapper(inner)).mistakes == 9 and not inner.weights


@pytest.mark.parametrize("kind", [Deaf, Contrary])
def test_a_batch_is_the_rounds_one_by_one(kind):
    stream = nr.separable(5, 0.1, 200, seed=3)
    learner, mistakes = kind(), 0
    for x, y in zip(stream.matrix, stream.labels, strict=True):
        mistakes += learner.predict(x) != y
        learner.learn(x, y)
    played = kind()
    assert nr.play(stream, played).mistakes == mistakes and played.weights == learner.weights
