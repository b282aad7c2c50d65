"""Second-order rules against linear algebra done by hand, their theorems at their worst, and a full matrix that is refused."""

from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from scipy.sparse import csr_array

import noregret as nr
from noregret import _core
from noregret.certificate import Verdict
from noregret.errors import BadInput, BadModel, BadParameter
from noregret.model_file import from_bytes, to_bytes

FULL = ["sop", "cw", "arow", "scw1", "scw2", "nherd", "ons"]
RNG = np.random.default_rng(3)
X = RNG.normal(size=(60, 5))
Y = np.where(X @ np.array([1.0, -2.0, 0.5, 0.0, 1.0]) + RNG.normal(size=60) > 0, 1.0, -1.0)


def factors(learner):
    """The factors U and D of a covariance U·D·Uᵀ, by place, and the slot of each place."""
    state = learner.state()
    slots = state["factor_slots"]
    lower = np.zeros((len(slots), len(slots)))
    lower[np.tril_indices(len(slots))] = state["factors"]
    return np.triu(lower.T, 1) + np.eye(len(slots)), np.diag(lower).copy(), slots


def covariance(learner):
    """The matrix of a learner over arrays, by feature."""
    u, d, slots = factors(learner)
    order = np.argsort(slots)
    return ((u * d) @ u.T)[np.ix_(order, order)]


def weights(learner, count=5):
    return np.array([learner.weights.get(j, 0.0) for j in range(count)])


def rounds(spec):
    """Play one by one: (w before, Σ before, x, y, w after, Σ after, whether it learned)."""
    learner = nr.learner(spec)
    w, sigma = np.zeros(5), None
    for x, y in zip(X, Y, strict=True):
        moved = learner.learn(x, y)
        if sigma is None:
            sigma = np.eye(5) * (
                1.0 / learner.parameters.get("ridge", 1.0) if learner.name != "arow" else 1.0
            )
        after = covariance(learner) if moved or learner.features_met else sigma
        yield learner, w, sigma, x, y, weights(learner), after, moved
        w, sigma = weights(learner), after


# ---- the rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "ridge"), [("sop", 1.0), ("sop", 0.3), ("arow", 1.0), ("arow", 4.0)])
def test_sop_and_arow_are_least_squares_over_the_rounds_that_taught(name, ridge):
    total, target, taught = ridge * np.eye(5), np.zeros(5), 0
    for _, w, _, x, y, after, sigma, moved in rounds(f"{name}:ridge={ridge},covariance=full"):
        wants = (1.0 if w @ x >= 0 else -1.0) != y if name == "sop" else y * (w @ x) < 1.0
        assert moved == wants
        if moved:
            total, target, taught = total + np.outer(x, x), target + y * x, taught + 1
            assert after == pytest.approx(np.linalg.solve(total, target), rel=1e-9)
            assert sigma == pytest.approx(np.linalg.inv(total) * (ridge if name == "arow" else 1.0), rel=1e-9)
    assert 0 < taught < 60


@pytest.mark.parametrize("confidence", [0.6, 0.9])
def test_cw_makes_the_margin_exactly_what_it_asks(confidence):
    phi, taught = NormalDist().inv_cdf(confidence), 0
    for _, w, sigma, x, y, after, shrunk, moved in rounds(f"cw:confidence={confidence},covariance=full"):
        assert moved == (y * (w @ x) < phi * np.sqrt(x @ sigma @ x))
        if moved:
            taught += 1
            assert y * (after @ x) == pytest.approx(phi * np.sqrt(x @ shrunk @ x), rel=1e-7)
            change = after - w  # along Σx, by α; and Σ⁻¹ grows by αφ/√u
            alpha = y * (change @ x) / (x @ sigma @ x)
            assert change == pytest.approx(alpha * y * sigma @ x, rel=1e-7, abs=1e-12)
            grown = np.linalg.inv(shrunk) - np.linalg.inv(sigma)
            assert grown == pytest.approx(
                alpha * phi / np.sqrt(x @ shrunk @ x) * np.outer(x, x), rel=1e-5, abs=1e-6
            )
    assert 0 < taught < 60


def test_scw1_is_cw_with_a_step_of_at_most_c():
    capped = 0
    for _, w, sigma, x, y, after, _, moved in rounds("scw1:confidence=0.8,C=0.2,covariance=full"):
        if not moved:
            continue
        alpha = y * ((after - w) @ x) / (x @ sigma @ x)
        assert alpha <= 0.2 * (1 + 1e-12)
        capped += alpha == pytest.approx(0.2)
    assert capped > 0


def test_scw2_minimises_the_price_of_what_is_missing():
    """The step α, and the u that goes with it, satisfy the conditions of the squared price: missing = α/2C."""
    phi, c, taught = NormalDist().inv_cdf(0.8), 0.3, 0
    for _, w, sigma, x, y, after, shrunk, moved in rounds("scw2:confidence=0.8,C=0.3,covariance=full"):
        if not moved:
            continue
        taught += 1
        alpha = y * ((after - w) @ x) / (x @ sigma @ x)
        missing = phi * np.sqrt(x @ shrunk @ x) - y * (after @ x)
        assert missing == pytest.approx(alpha / (2 * c), rel=1e-6)
    assert taught > 5


@pytest.mark.parametrize("name", ["scw1", "scw2"])
@pytest.mark.parametrize("form", ["full", "diagonal"])
def test_soft_with_a_huge_price_is_hard(name, form):
    hard = nr.CW(confidence=0.8, covariance=form)
    soft = nr.learner(f"{name}:confidence=0.8,C=1e9,covariance={form}")
    for learner in (hard, soft):
        nr.play(nr.from_arrays(X, Y), learner)
    assert weights(soft) == pytest.approx(weights(hard), rel=1e-5)


def test_nherd_by_hand():
    for _, w, sigma, x, y, after, shrunk, moved in rounds("nherd:C=2,covariance=full"):
        assert moved == (y * (w @ x) < 1.0)
        if moved:
            v, gamma = x @ sigma @ x, 0.5
            step = sigma @ x
            assert after == pytest.approx(w + (y - w @ x) / (v + gamma) * step, rel=1e-9)
            assert shrunk == pytest.approx(
                sigma - (v + 2 * gamma) / (v + gamma) ** 2 * np.outer(step, step), abs=1e-9
            )


@pytest.mark.parametrize("limit", [0.5, 1.0, 3.0])
def test_the_newton_step_by_hand(limit):
    sigma = 1.0 / (2 * (1 + limit) * max(1 + limit, 2 * limit))
    learner = nr.OnlineNewton(ridge=0.2, limit=limit, covariance="full")
    w, matrix, projected = np.zeros(5), 0.2 * np.eye(5), 0
    for x, y in zip(3 * X, Y, strict=True):
        score, z = w @ x, np.clip(w @ x, -limit, limit)
        assert learner.score(x) == pytest.approx(score, rel=1e-7, abs=1e-9)
        assert learner.loss_of(score, y) == max(0.0, 1 - y * z) ** 2
        if y * z < 1:
            across = np.linalg.solve(matrix, x)
            w = w - (score - z) / (x @ across) * across
            assert w @ x == pytest.approx(z)
            projected += score != z
            g = -2 * y * (1 - y * z) * x
            matrix = matrix + sigma * np.outer(g, g)
            w = w - np.linalg.solve(matrix, g)
        assert learner.learn(x, y) == (y * z < 1)
    assert weights(learner) == pytest.approx(w, rel=1e-6)
    assert projected > 0


@pytest.mark.parametrize("limit", [0.5, 1.0, 1.5, 4.0])
def test_the_curvature_of_the_squared_hinge_is_enough(limit):
    """F(b) ≥ f(a) + f'(a)(b − a) + ½σ(f'(a)(b − a))² for all scores within ±C."""
    sigma = 1.0 / (2 * (1 + limit) * max(1 + limit, 2 * limit))
    a, b = np.meshgrid(np.linspace(-limit, limit, 301), np.linspace(-limit, limit, 301))
    loss, slope = np.maximum(0, 1 - a) ** 2, -2 * np.maximum(0, 1 - a)
    lower = loss + slope * (b - a) + sigma / 2 * (slope * (b - a)) ** 2
    assert (np.maximum(0, 1 - b) ** 2 >= lower - 1e-12).all()


@pytest.mark.parametrize("name", [n for n in FULL if n != "nherd"])
def test_diagonal_and_full_agree_where_features_come_one_by_one(name):
    rows = np.kron(np.ones((4, 1)), np.eye(5)) * RNG.normal(size=(20, 1))
    labels = RNG.choice([-1.0, 1.0], 20)
    learners = [nr.learner(f"{name}:covariance={form}") for form in ("full", "diagonal")]
    for learner in learners:
        nr.play(nr.from_arrays(rows, labels), learner)
    assert weights(learners[0]) == pytest.approx(weights(learners[1]), rel=1e-9)


def test_importance_is_repetition_for_least_squares():
    for name in ("sop", "arow"):
        once, often = (nr.learner(f"{name}:covariance=full") for _ in range(2))
        once.learn(X[0], -1.0, weight=3.0)
        total = np.eye(5) + 3 * np.outer(X[0], X[0])
        assert weights(once) == pytest.approx(np.linalg.solve(total, -3 * X[0]), rel=1e-9)
        assert often.learn(X[0], -1.0, weight=0.0) is False


# ---- the matrix --------------------------------------------------------------------------------------


def test_the_matrix_is_as_wide_as_what_was_met():
    learner = nr.AROW(covariance="full", bias=True)
    row = csr_array(
        (np.array([1.0, 0.0, 2.0]), np.array([7, 900_000, 2_000_000_000]), np.array([0, 3])),
        shape=(1, 2**31 - 1),
    )
    learner.learn(row, -1)
    state = learner.state()
    assert state["factor_slots"].tolist() == [7, 2**20, -1] and len(state["factors"]) == 6
    assert learner.features_met == 3 and nr.AROW(covariance="full").features_met == 0
    again = from_bytes(to_bytes(learner))[0]
    assert to_bytes(again) == to_bytes(learner)
    assert again.intercept == learner.intercept != 0.0


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("name", FULL)
def test_a_matrix_that_would_not_fit_is_refused_and_nothing_changes(name, named):
    learner = nr.learner(f"{name}:covariance=full")
    few = {"a": 1.0} if named else np.ones(3)
    learner.learn(few, -1)
    before = to_bytes(learner)
    many = {f"f{k}": 1.0 for k in range(30_000)} if named else np.ones(30_000)
    count = "30001" if named else "30000"
    with pytest.raises(
        BadInput, match=rf"full covariance of {count} features would take 3\.6 GB.*covariance=diagonal"
    ):
        learner.learn(many, 1 if name != "sop" or not named else -1)
    assert to_bytes(learner) == before


def test_a_batch_that_would_not_fit_is_refused_at_its_row():
    learner = nr.AROW(covariance="full")
    rows = csr_array(
        (np.ones(30_001), np.r_[0, np.arange(30_000)], np.array([0, 1, 30_001])), shape=(2, 30_000)
    )
    with pytest.raises(BadInput, match=r"3\.6 GB"):
        nr.play(nr.from_arrays(rows, [-1.0, 1.0]), learner)
    assert learner.weights == {0: pytest.approx(-0.5)}


def damaged(**changes):
    learner = nr.AROW(covariance="full")
    learner.learn({"a": 1.0, "b": 2.0}, -1)
    return learner, learner.state() | changes


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"factors": np.ones(2)}, "does not fit"),
        ({"factors": np.array([1.0, np.nan, 1.0])}, "not finite"),
        ({"factors": np.array([1.0, 0.5, 0.0])}, "a variance in it is not above 0"),
        ({"factors": np.array([-1.0, 0.5, 1.0])}, "a variance in it is not above 0"),
        ({"factor_slots": np.array([0, 0])}, "does not fit"),
        ({"factor_slots": np.array([0, 2])}, "does not fit"),
        ({"factor_slots": np.array([-2, 0])}, "does not fit"),
        ({"matrix": np.ones(3), "matrix_slots": np.array([0, 1])}, "does not hold the matrix"),
    ],
)
def test_damaged_factors_are_refused(changes, sentence):
    learner, state = damaged(**changes)
    before = to_bytes(learner)
    with pytest.raises(BadModel, match=sentence):
        learner.restore(state)
    assert to_bytes(learner) == before


def test_factors_must_be_there_and_only_where_they_belong():
    learner, state = damaged()
    del state["factors"]
    with pytest.raises(BadModel, match="does not hold the matrix"):
        learner.restore(state)
    plain = nr.Perceptron()
    slots = np.zeros(1, dtype=np.int64)
    for extra in (
        {"factors": np.ones(1), "factor_slots": slots},
        {"matrix": np.ones(1), "matrix_slots": slots},
    ):
        with pytest.raises(BadModel, match="does not hold the matrix"):
            plain.restore(plain.state() | extra)


def with_matrix(learner, matrix):
    """The state of a learner as versions wrote it that kept the covariance itself."""
    state = learner.state()
    order = state.pop("factor_slots")
    del state["factors"]
    return state | {"matrix": matrix[np.tril_indices(len(order))], "matrix_slots": order}


@pytest.mark.parametrize("name", [*FULL, "ridge"])
def test_a_state_with_the_whole_matrix_goes_on_as_the_factors_do(name):
    learner = nr.learner(name if name == "ridge" else f"{name}:covariance=full")
    nr.play(nr.from_arrays(X[:40], Y[:40]), learner)
    u, d, _ = factors(learner)
    old = learner.clone()
    old.restore(with_matrix(learner, (u * d) @ u.T))
    assert covariance(old) == pytest.approx(covariance(learner), rel=1e-12)
    assert old.weights == learner.weights
    for each in (old, learner):
        nr.play(nr.from_arrays(X[40:], Y[40:]), each)
    assert weights(old) == pytest.approx(weights(learner), rel=1e-9)
    assert covariance(old) == pytest.approx(covariance(learner), rel=1e-9)


def test_a_matrix_that_has_lost_its_digits_is_repaired():
    learner = nr.AROW(covariance="full")
    learner.learn(X[0, :3], 1.0)
    lost = np.array([[1.0, 1.0, 0.3], [1.0, 1.0 - 1e-13, 0.3], [0.3, 0.3, 0.5]])  # not positive definite
    assert np.linalg.eigvalsh(lost).min() < 0.0
    before = learner.weights
    learner.restore(with_matrix(learner, lost))
    assert learner.weights == before
    assert covariance(learner) == pytest.approx(lost, abs=1e-12)
    assert (learner.variances > 0.0).all()
    learner.restore(with_matrix(learner, -np.eye(3)))
    assert (learner.variances > 0.0).all() and learner.learn(X[1, :3], 1.0) in (True, False)


# ---- digits ------------------------------------------------------------------------------------------


def table(kind, rounds=3000, seed=1):
    """A handful of columns of revenue or of 1e8, beside rates; numbers and labels, linear in all but for noise."""
    rng = np.random.default_rng(seed)
    large = (
        np.exp(rng.normal(18, 1, (rounds, 3))) if kind == "revenue" else 1e8 * rng.normal(size=(rounds, 3))
    )
    x = np.hstack([large, 0.01 * rng.normal(size=(rounds, 3))])
    signal = (x - x.mean(0)) / x.std(0) @ np.array([1.0, -0.5, 0.5, 1.0, -1.0, 0.5])
    numbers = signal / signal.std() + 0.7 * rng.normal(size=rounds)
    return x, numbers, np.where(numbers > 0, 1.0, -1.0)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("kind", ["revenue", "1e8"])
@pytest.mark.parametrize("spec", ["ridge", "ridge:bias=true", "ridge:ridge=1e-4,bias=true"])
def test_ridge_keeps_its_digits_where_columns_differ_in_size(spec, kind, seed):
    x, numbers, _ = table(kind, seed=seed)
    ledger = nr.play(nr.from_arrays(x, numbers), nr.learner(spec))
    assert (ledger.loss / ledger.rounds) ** 0.5 < 0.9 * numbers.std()
    assert [one.verdict for one in nr.certify(ledger)] == [Verdict.HOLDS]


@pytest.mark.parametrize("kind", ["revenue", "1e8"])
@pytest.mark.parametrize("name", ["sop", "arow", "ons"])
def test_bounds_hold_where_columns_differ_in_size(name, kind, tmp_path):
    x, _, labels = table(kind)
    ledger = nr.play(nr.from_arrays(x, labels), nr.learner(f"{name}:covariance=full,bias=true"))
    (certificate,) = nr.certify(ledger)
    assert certificate.verdict is Verdict.HOLDS
    assert ledger.mistakes < 0.35 * ledger.rounds
    nr.save_certificate(ledger, tmp_path / "c")
    assert [one.verdict for one in nr.verify_certificate(tmp_path / "c")] == ["holds"]


@pytest.mark.parametrize("kind", ["revenue", "1e8"])
@pytest.mark.parametrize("name", ["cw", "scw1", "scw2", "nherd"])
def test_no_row_is_refused_where_columns_differ_in_size(name, kind):
    x, _, labels = table(kind)
    learner = nr.learner(f"{name}:covariance=full,bias=true")
    ledger = nr.play(nr.from_arrays(x, labels), learner)
    assert ledger.rounds == 3000 and ledger.mistakes < 0.45 * ledger.rounds
    assert np.isfinite(weights(learner, 6)).all() and (learner.variances > 0.0).all()


def test_least_squares_is_exact_where_columns_differ_in_size():
    """Against fractions: the weights that a covariance without digits gives are far away."""
    x, numbers, _ = table("revenue", rounds=120)
    learner = nr.Ridge(ridge=1e-4)
    nr.play(nr.from_arrays(x, numbers), learner)
    rows = [[Fraction(v) for v in row] for row in x.tolist()]
    total = [
        [sum(r[i] * r[j] for r in rows) + (Fraction(1e-4) if i == j else 0) for j in range(6)]
        for i in range(6)
    ]
    system = [
        [*line, sum(r[i] * Fraction(y) for r, y in zip(rows, numbers.tolist(), strict=True))]
        for i, line in enumerate(total)
    ]
    for i in range(6):
        system[i] = [v / system[i][i] for v in system[i]]
        for k in range(6):
            if k != i:
                system[k] = [a - system[k][i] * b for a, b in zip(system[k], system[i], strict=True)]
    exact = np.array([float(line[-1]) for line in system])
    assert weights(learner, 6) == pytest.approx(exact, rel=1e-6)


@pytest.mark.parametrize("ridge", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("count", [1, 7, 12, 33])
def test_the_log_determinant_is_that_of_the_rows(count, ridge):
    rng = np.random.default_rng(count)
    x = rng.normal(size=(80, count)) * np.exp(rng.normal(size=count))
    y = rng.choice([-1.0, 1.0], 80)
    learner = nr.Ridge(ridge=ridge)
    assert learner.log_determinant == 0.0
    nr.play(nr.from_arrays(x, y), learner)
    assert learner.features_met == count
    whole = np.linalg.slogdet(np.eye(count) + x.T @ x / ridge)[1]
    assert learner.log_determinant == pytest.approx(whole, rel=1e-10)
    arow = nr.AROW(ridge=ridge, covariance="full")
    taught = []
    for row, label in zip(x, y, strict=True):
        taught += [row] if arow.learn(row, label) else []
    some = np.array(taught)
    assert arow.log_determinant == pytest.approx(
        np.linalg.slogdet(np.eye(count) + some.T @ some / ridge)[1], rel=1e-10
    )


def test_the_log_determinant_of_a_diagonal():
    learner = nr.AROW(ridge=0.5)
    learner.learn({"a": 2.0, "b": 1.0, "c": 0.0}, -1)
    assert learner.log_determinant == pytest.approx(np.log(9.0) + np.log(3.0), rel=1e-12)
    assert learner.features_met == 2


@pytest.mark.parametrize("kind", ["revenue", "1e8"])
@pytest.mark.parametrize("ridge", [1e-4, 1.0])
def test_the_determinant_of_a_bound_is_above_the_true_one_and_near_it(kind, ridge):
    """The learner's own factors keep the small eigenvalues, which those of the products lose."""
    x, numbers, _ = table(kind, rounds=200)
    scaled = [[Fraction(v) for v in row] for row in x.tolist()]
    matrix = [
        [sum(r[i] * r[j] for r in scaled) / Fraction(ridge) + (i == j) for j in range(6)] for i in range(6)
    ]
    true = 0.0
    for k in range(6):
        true += float(np.log(float(matrix[k][k])))
        for i in range(k + 1, 6):
            share = matrix[i][k] / matrix[k][k]
            matrix[i] = [a - share * b for a, b in zip(matrix[i], matrix[k], strict=True)]
    learner = nr.Ridge(ridge=ridge)
    nr.play(nr.from_arrays(x, numbers), learner)
    assert learner.log_determinant == pytest.approx(true, rel=1e-9)


@pytest.mark.parametrize("name", FULL)
def test_contradictions_without_end_leave_a_variance(name):
    learner = nr.learner(f"{name}:covariance=full")
    for t in range(3000):
        learner.learn(np.array([1e8, 0.01, 3.0 + t % 3]), 1.0 if t // 2 % 2 else -1.0)
    assert np.isfinite(weights(learner, 3)).all()
    assert (learner.variances > 1e-110).all()


@pytest.mark.parametrize("bad", [1e153, 1.5e154, 1e200])
@pytest.mark.parametrize("name", [*FULL, "ridge"])
def test_a_row_that_overflows_changes_nothing(name, bad):
    learner = nr.learner(name if name == "ridge" else f"{name}:covariance=full")
    nr.play(nr.from_arrays(X, Y), learner)
    before = to_bytes(learner)
    met = learner.features_met
    row = np.array([1.0, bad, 0.0, bad, 1.0, 0.5, bad])
    try:
        learner.learn(row, -learner.predict(row) if name != "ridge" else bad)
    except BadInput:
        assert to_bytes(learner) == before and learner.features_met == met
    else:
        assert np.isfinite(learner.state()["factors"]).all() and (learner.variances > 0.0).all()


@pytest.mark.parametrize("label", [1e160, -1e200])
def test_a_number_that_takes_the_weights_out_of_the_doubles_changes_nothing(label):
    learner = nr.Ridge()
    nr.play(nr.from_arrays(X, Y), learner)
    before = to_bytes(learner)
    with pytest.raises(BadInput, match="its values are too large for a full covariance"):
        learner.learn(np.array([1.0, 0.5, 2.0, -1.0, 1.0, 3.0]), label)
    assert to_bytes(learner) == before and learner.features_met == 5
    assert learner.learn(X[0], 1e140)  # the weights are checked, and kept


@pytest.mark.parametrize("name", [*FULL, "ridge"])
def test_every_instruction_set_gives_the_same_bits(name):
    rng = np.random.default_rng(8)
    x = rng.normal(size=(200, 29)) * np.exp(3 * rng.normal(size=29))
    x[:, 20:] *= rng.random((200, 9)) < 0.3
    y = np.where(x @ rng.normal(size=29) + 5 * rng.normal(size=200) > 0, 1.0, -1.0)
    told = []
    best = _core.kernel_names()[-1]
    for kernels in _core.kernel_names():
        _core.choose_kernels(kernels)
        try:
            learner = nr.learner(f"{name}:bias=true" + ("" if name == "ridge" else ",covariance=full"))
            nr.play(nr.from_arrays(x, y), learner)
            nr.play(nr.from_arrays(csr_array(x), y), learner)
            told.append(to_bytes(learner))
        finally:
            _core.choose_kernels(best)
    assert len(set(told)) == 1


# ---- parameters --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("sop:ridge=0", "ridge is 0.0; it must be"),
        ("arow:ridge=-1", "ridge is -1.0; it must be a finite number above 0"),
        ("arow:ridge=nan", "ridge is nan"),
        ("nherd:C=0", "C is 0.0"),
        ("scw1:C=inf", "C is inf"),
        ("scw2:confidence=1", "confidence is 1.0; it must be a finite number between 0.5 and 1"),
        ("cw:confidence=0.5", "confidence is 0.5"),
        ("cw:covariance=half", "covariance is 'half'; it must be diagonal or full"),
        ("ons:limit=0", "limit is 0.0"),
        ("ons:bias=maybe", "bias is 'maybe'"),
    ],
)
def test_bad_parameters_are_refused(spec, sentence):
    with pytest.raises(BadParameter, match=sentence):
        nr.learner(spec)


# ---- theorems ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "bound"), [("sop", 100.05), ("arow", 100.05), ("ons", 100.2)])
def test_the_standard_basis_all_but_reaches_the_bound(name, bound):
    ledger = nr.play(nr.standard_basis(100), nr.learner(f"{name}:ridge=1000,covariance=full"))
    (certificate,) = nr.certify(ledger)
    assert certificate.verdict is Verdict.HOLDS
    assert certificate.observed == pytest.approx(100)
    assert 100 <= certificate.bound <= bound


@pytest.mark.parametrize("name", ["sop", "arow", "ons"])
def test_theorems_are_silent_about_the_diagonal(name):
    (certificate,) = nr.certify(nr.play(nr.standard_basis(20), nr.learner(name)))
    assert certificate.verdict is Verdict.SILENT
    assert certificate.reason == "not met: the covariance is full (it is diagonal)"


@pytest.mark.parametrize("name", ["sop", "arow", "ons"])
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_theorems_hold_on_any_data_and_grow_slowly(name, noise):
    stream = nr.separable(10, 0.1, 1500, seed=5)
    wrong = np.random.default_rng(1).random(1500) < noise
    labels = np.where(wrong, -stream.labels, stream.labels)
    ledger = nr.play(nr.from_arrays(stream.matrix, labels), nr.learner(f"{name}:covariance=full,bias=true"))
    (certificate,) = nr.certify(ledger)
    assert certificate.verdict is Verdict.HOLDS
    assert certificate.bound < 1500


@pytest.mark.parametrize("name", ["cw", "scw1", "scw2", "nherd"])
def test_those_without_a_theorem_say_so(name):
    assert nr.learner(f"{name}:covariance=full").theorems() == ()
