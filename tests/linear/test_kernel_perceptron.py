"""The kernel Perceptron by hand: its kernels, its budget, what it keeps, its theorem."""

from fractions import Fraction

import numpy as np
import pytest

import noregret as nr
from noregret import _core
from noregret.certificate import Verdict
from noregret.errors import BadInput, BadModel, BadParameter
from noregret.judged import Judged
from noregret.linear.kernel_theorems import KernelMargins
from noregret.model_file import from_bytes, to_bytes

RNG = np.random.default_rng(4)
X = RNG.normal(size=(120, 3))
Y = np.where((X**2).sum(1) > 2.5, 1.0, -1.0)  # a sphere: no plane separates it

KERNELS = {
    "linear": lambda x, z: x @ z,
    "polynomial,degree=3,offset=0.5": lambda x, z: (x @ z + 0.5) ** 3,
    "gaussian,gamma=0.7": lambda x, z: np.exp(-0.7 * ((x - z) ** 2).sum()),
}


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("budget", [0, 5])
def test_by_hand(kernel, budget):
    between, kept = KERNELS[kernel], []
    learner = nr.learner(f"kernel-perceptron:kernel={kernel},budget={budget}")
    for x, y in zip(X, Y, strict=True):
        score = sum(c * between(x, z) for c, z in kept)
        assert learner.score(x) == pytest.approx(score, rel=1e-9, abs=1e-9)
        wrong = (1.0 if learner.score(x) >= 0 else -1.0) != y
        assert learner.learn(x, y) == wrong
        if wrong:
            kept = [*kept, (y, x)][-budget if budget else 0 :]
    assert learner.scalars["supports"] == len(kept)
    square = sum(c * d * between(x, z) for c, x in kept for d, z in kept)
    assert learner.potential == pytest.approx(square, rel=1e-6, abs=1e-6)
    assert learner.weights == {} and not learner.is_fresh


def test_a_linear_kernel_is_the_perceptron():
    stream = nr.separable(8, 0.05, 500, seed=2)
    ledgers = [
        nr.play(stream, nr.learner(s)) for s in ("perceptron", "kernel-perceptron:kernel=linear,budget=0")
    ]
    assert ledgers[0].mistakes == ledgers[1].mistakes > 0
    assert ledgers[1].potentials[-1][1] == pytest.approx(ledgers[0].potentials[-1][1])


def test_a_sphere_is_learned_by_a_gaussian_and_not_by_a_plane():
    mistakes = {}
    for spec in ("perceptron:bias=true", "kernel-perceptron:gamma=0.5,budget=0"):
        learner = nr.learner(spec)
        for _ in range(30):
            mistakes[spec] = nr.play(nr.from_arrays(X, Y), learner).mistakes
    assert mistakes["kernel-perceptron:gamma=0.5,budget=0"] == 0 < mistakes["perceptron:bias=true"]


def test_importance_is_a_larger_coefficient():
    learner = nr.KernelPerceptron(kernel="linear")
    learner.learn({"a": 2.0}, -1, weight=3.0)
    assert learner.score({"a": 1.0}) == -6.0


def test_it_goes_on_from_its_file():
    learner = nr.KernelPerceptron(budget=9)
    stream = nr.inspection_line(200)
    nr.play(stream, learner)
    again = from_bytes(to_bytes(learner))[0]
    assert to_bytes(again) == to_bytes(learner) and repr(again) == "<kernel-perceptron:budget=9: 9 examples>"
    for one in (learner, again):
        nr.play(nr.inspection_line(100, seed=3), one)
    assert to_bytes(again) == to_bytes(learner)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"support_starts": np.array([0, 2])}, "do not fit their table"),
        ({"support_starts": np.array([0, 3, 2])}, "do not fit their table"),
        ({"support_starts": np.array([1, 1, 2])}, "do not fit their table"),
        ({"support_slots": np.array([0, 7])}, "do not fit its features"),
        ({"support_slots": np.array([-1, 0])}, "do not fit its features"),
        ({"support_values": np.array([1.0, np.inf])}, "not finite"),
        ({"support_coefficients": np.array([1.0, np.nan])}, "not finite"),
    ],
)
def test_damaged_examples_are_refused(changes, sentence):
    learner = nr.KernelPerceptron()
    learner.learn({"a": 1.0}, -1)
    learner.learn({"b": 1.0}, 1)
    learner.learn({"b": 0.0, "a": 0.5}, 1)
    state = learner.state()
    before = to_bytes(learner)
    state |= {"support_starts": np.array([0, 1, 2]), "support_slots": np.array([0, 1])}
    state |= {"support_values": np.ones(2), "support_coefficients": np.ones(2)}
    with pytest.raises(BadModel, match=sentence):
        learner.restore(state | changes)
    assert to_bytes(learner) == before
    learner.restore(state)
    with pytest.raises(BadModel, match="does not hold the examples"):
        learner.restore({k: v for k, v in state.items() if not k.startswith("support")})


def test_values_are_looked_at_even_when_nothing_is_kept():
    learner = nr.KernelPerceptron()
    with pytest.raises(BadInput, match="feature 'a' is nan"):
        learner.predict({"a": float("nan")})
    with pytest.raises(BadInput, match="overflows"):
        learner.learn({"a": 1e200}, -1)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("kernel=sigmoid", "kernel is 'sigmoid'; it must be linear, polynomial or gaussian"),
        ("gamma=0", "gamma is 0.0"),
        ("degree=1.5", "degree is 1.5; it must be a whole number, 1 or more"),
        ("degree=101", "at most 100"),
        ("offset=-1", "offset is -1.0; it must be a finite number, 0 or more"),
        ("budget=-1", "budget is -1.0; it must be a whole number, 0 or more"),
        ("budget=nan", "budget is nan"),
    ],
)
def test_bad_parameters_are_refused(spec, sentence):
    with pytest.raises(BadParameter, match=sentence):
        nr.learner(f"kernel-perceptron:{spec}")


# ---- the theorem -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["linear", "polynomial,offset=0"])
def test_the_standard_basis_reaches_the_bound(kernel):
    ledger = nr.play(nr.standard_basis(50), nr.learner(f"kernel-perceptron:kernel={kernel}"))
    for certificate in nr.certify(ledger):
        assert certificate.verdict is Verdict.HOLDS
        assert certificate.observed == 50 and certificate.bound == pytest.approx(50)


def test_the_theorem_holds_where_only_the_kernel_separates():
    found = nr.certify(nr.play(nr.from_arrays(X, Y), nr.KernelPerceptron(gamma=0.5, budget=0)))
    assert {one.verdict for one in found} == {Verdict.HOLDS}
    assert found[0].bound < 1e6 and min(one.bound for one in found[1:]) <= found[0].bound * 1.04


def test_the_theorem_is_silent_when_mistakes_were_let_go_or_nothing_separates():
    for certificate in nr.certify(nr.play(nr.from_arrays(X, Y), nr.KernelPerceptron(budget=5))):
        assert certificate.verdict is Verdict.SILENT and "the budget is 5" in certificate.reason
    linear = nr.certify(nr.play(nr.from_arrays(X, Y), nr.KernelPerceptron(kernel="linear", budget=0)))
    assert linear[0].verdict is Verdict.SILENT and "the best f tried is wrong in" in linear[0].reason
    assert [one.verdict for one in linear[1:]] == [Verdict.HOLDS] * 2  # they hold on any data
    for certificate in nr.certify(nr.play(nr.from_arrays(np.empty((0, 2)), []), nr.KernelPerceptron())):
        assert certificate.verdict is Verdict.HOLDS and certificate.bound == 0.0


@pytest.mark.parametrize("rounds", [30, 3001])
def test_a_run_without_a_mistake_promises_nothing_that_it_did_not_prove(rounds):
    """One positive row again and again: with few rows a function of them is found, with many there is none."""
    found = nr.certify(nr.play(nr.from_arrays(np.ones((rounds, 1)), np.ones(rounds)), nr.KernelPerceptron()))
    if rounds < 1000:
        assert found[0].verdict is Verdict.HOLDS and found[0].bound == pytest.approx(1.0)
    else:
        assert found[0].verdict is Verdict.SILENT and "no example was kept" in found[0].reason
        assert [(one.bound, one.vacuous) for one in found[1:]] == [(rounds, True)] * 2


def test_a_sum_of_fractions_that_rounds_to_a_whole_number_is_not_exact():
    """The functions have coefficients that are no whole numbers, over examples that are."""
    rng = np.random.default_rng(0)
    x, coefficients = np.array([[1.0], [1.0], [1.0], [2.0], [-3.0]]), [0.1, 0.2, 0.3, 0.7, 1.1, -0.4]
    (batch,) = nr.from_arrays(x, np.ones(5)).batches()
    run = Judged(
        nr.Ledger("kernel-perceptron"), None, nr.KernelPerceptron("linear", budget=0).parameters, False
    )
    sums = KernelMargins(run)
    sums.examples = _core.FeatureColumns().lay(batch.matrix(), np.ones(5, dtype=np.uint8))
    for _ in range(300):
        a = rng.choice(coefficients, 5)
        low, high, _ = sums.scores(sums.examples, a[None, :])
        for r in range(5):
            exact = sum(Fraction(float(c)) * int(z) * int(x[r, 0]) for c, z in zip(a, x[:, 0], strict=True))
            assert Fraction(float(low[0, r])) <= exact <= Fraction(float(high[0, r]))
