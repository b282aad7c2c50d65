"""Names come as whatever string object the caller has: the letters decide, and what was remembered never misleads."""

import random
import subprocess
import sys

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadInput, BadType
from noregret.reference.perceptron import Perceptron as Twin

# One of each way in which Python stores a string, and pairs that differ in the last letter only.
ALPHABETS = ["abcdefgh", "éèêëàâäö", "αβγδεζηθ", "😀😁😂😃😄😅😆😇"]


def fresh(name):
    """Give an equal string that is another object."""
    return "".join([name[:1], name[1:]])


def stream(rounds, alphabet, seed):
    rng = random.Random(seed)
    for _ in range(rounds):
        names = {"".join(rng.choices(alphabet, k=rng.randint(1, 5))) for _ in range(rng.randint(0, 12))}
        x = {fresh(name): rng.choice([1.0, -0.5, 2, 0.0, True]) for name in names}
        yield x, rng.choice([-1.0, 1.0])


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_equal_names_are_one_feature_whatever_objects_they_are(alphabet):
    learner, twin = nr.Perceptron(), Twin()
    for x, y in stream(1500, alphabet, 1):
        row = [(name, float(value)) for name, value in x.items()]
        assert learner.score(x) == twin.score(row)
        learner.learn(x, y)
        twin.learn(row, y)
    assert learner.weights == {f: w for f, w in twin.weights.items() if w != 0.0}


def test_far_more_names_than_are_remembered():
    learner, expected = nr.Perceptron(), {}
    names = [f"n{k}" for k in range(30_000)]
    for turn in range(2):
        for k in range(0, len(names), 50):
            x = {fresh(name) if turn else name: 1.0 for name in names[k : k + 50]}
            if learner.learn(x, -1.0 if turn == 0 else 1.0):
                for name in x:
                    expected[name] = expected.get(name, 0.0) + (-1.0 if turn == 0 else 1.0)
    assert learner.weights == {name: weight for name, weight in expected.items() if weight != 0.0}


def test_the_same_keys_in_another_order_or_fewer_or_more():
    learner = nr.Perceptron()
    learner.learn({"a": 1.0, "b": 2.0, "c": 4.0}, -1.0)
    for x, score in [
        ({"a": 1.0, "b": 1.0, "c": 1.0}, -7.0),
        ({"c": 1.0, "b": 1.0, "a": 1.0}, -7.0),
        ({"a": 1.0, "c": 1.0}, -5.0),
        ({"a": 1.0}, -1.0),
        ({"a": 1.0, "b": 1.0, "c": 1.0, "d": 9.0}, -7.0),
        ({"a": 1, "b": 1.0, "c": True}, -7.0),
        ({"a": 1.0, "b": "x", "c": 1.0}, -5.0),
        ({}, 0.0),
    ]:
        assert learner.score(x) == score


def mutate(x, rng):
    """Change a dict a little, or not at all: a value, a key for an equal one, for another one, an order."""
    kind = rng.randrange(7)
    name = rng.choice(list(x)) if x else "a"
    if kind == 0:
        x[name] = rng.choice([0.25, -3.0, 1, True])
    elif kind == 1:
        x[fresh(name)] = x.pop(name, 1.0)
    elif kind == 2:
        x.pop(name, None)
        x["".join(rng.choices("abcdef", k=2))] = 2.0
    elif kind == 3:
        x["".join(rng.choices("abcdef", k=3))] = 0.5
    elif kind == 4:
        x.pop(name, None)


def row_of(x):
    return [(name, float(value)) for name, value in x.items()]


@pytest.mark.parametrize("seed", range(8))
def test_a_dict_that_changes_between_one_call_and_the_next(seed):
    rng = random.Random(seed)
    learner, twin = nr.Perceptron(), Twin()
    x = {"a": 1.0, "b": 2.0}
    for _ in range(1500):
        if rng.random() < 0.1:
            x = {"".join(rng.choices("abcdefgh", k=rng.randint(1, 3))): rng.random() for _ in range(9)}
        if rng.random() < 0.05:  # refused, and its new names with it
            with pytest.raises(BadInput):
                learner.learn({**x, "never": float("inf")}, 1.0)
        assert learner.score(x) == twin.score(row_of(x))
        mutate(x, rng)
        assert learner.score(x) == twin.score(row_of(x))
        if rng.random() < 0.7:
            y = rng.choice([-1.0, 1.0])
            assert learner.learn(x, y) == twin.learn(row_of(x), y)
        mutate(x, rng)
    assert learner.weights == {f: w for f, w in twin.weights.items() if w != 0.0}


def by_rows(learner):
    nr.play(nr.from_rounds([({"newer": 1.0}, -1.0)]), learner)


def by_a_matrix(learner):
    nr.play(nr.from_arrays(np.ones((1, 1)), [-1.0], names=["newer"]), learner)


def by_a_copy(learner):
    other = nr.Perceptron()
    other.learn({"newer": 1.0}, -1.0)
    learner.adopt(other)


def by_a_state(learner):
    other = nr.Perceptron()
    other.learn({"newer": 1.0}, -1.0)
    learner.restore(other.state())


def by_a_refusal(learner):
    learner.learn({"newer": 1.0}, -1.0)
    with pytest.raises(BadInput):
        learner.learn({"new": 1e200, "newest": 1e200}, -1.0)


@pytest.mark.parametrize("change", [by_rows, by_a_matrix, by_a_copy, by_a_state, by_a_refusal])
@pytest.mark.parametrize("known", [False, True])
def test_what_is_learned_between_a_prediction_and_its_label(change, known):
    """What was read for the prediction, and the score, are good only while nothing changes."""
    learner = nr.Perceptron()
    if known and change not in (by_a_copy, by_a_state):
        learner.learn({"old": 0.0, "new": 0.0, "newer": 0.0}, -1.0)
    x = {"old": 4.0, "new": 1.0, "newer": 2.0}
    assert learner.score(x) == 0.0
    change(learner)
    assert learner.learn(x, -1.0) is False
    assert learner.score(x) == -2.0
    assert learner.learn(x, 1.0) is True
    assert learner.weights == {"old": 4.0, "new": 1.0, "newer": 1.0}


def test_a_label_that_is_refused_after_a_prediction():
    learner = nr.Perceptron()
    x = {"a": 1e200}
    assert learner.score(x) == 0.0
    with pytest.raises(BadInput):
        learner.learn(x, -1.0)
    learner.learn({"b": 1.0}, -1.0)
    assert learner.score(x) == 0.0
    assert learner.score({"b": 1.0, "a": 1.0}) == -1.0


def test_attributes_that_change_between_a_prediction_and_its_label():
    class Point:
        def __init__(self):
            self.a, self.b = 1.0, 2.0

    learner, point = nr.Perceptron(), Point()
    learner.learn(vars(point), -1.0)
    for value in (1.0, 3.0, 5.0):
        for _ in range(100):  # so that Python takes its short cuts
            point.a = value
        assert learner.score(vars(point)) == -value - 4.0
    point.a = 10.0
    learner.learn(vars(point), 1.0)
    assert learner.weights == {"a": 9.0}


def test_a_new_name_that_another_row_brings_in_meanwhile():
    learner = nr.Perceptron()
    x = {"new": 1.0, "newer": 2.0}
    assert learner.score(x) == 0.0
    learner.learn({"newer": 1.0}, -1.0)
    assert learner.score(x) == -2.0
    learner.learn(x, 1.0)
    assert learner.weights == {"new": 1.0, "newer": 1.0}


def test_a_word_that_becomes_a_number_under_the_same_key():
    learner = nr.Perceptron()
    x = {"a": "red", "b": 1.0}
    assert learner.score(x) == 0.0
    learner.learn(x, -1.0)
    x["a"] = 5.0
    assert learner.score(x) == -1.0
    assert learner.weights == {"a=red": -1.0, "b": -1.0}


def test_names_that_are_gone_are_not_met_again_at_their_old_address():
    learner = nr.Perceptron()
    learner.learn({"x0": 1.0}, -1.0)
    for k in range(2000):  # each name is freed before the next is made, most often where the last one was
        assert learner.score({f"x{k}": 1.0}) == (-1.0 if k == 0 else 0.0)


def test_a_string_of_another_class_is_read_by_its_letters():
    class Name(str):
        __slots__ = ()

        def __hash__(self):
            return 1

    learner = nr.Perceptron()
    learner.learn({"abc": 1.0}, -1.0)
    assert learner.score({Name("abc"): 2.0}) == -2.0
    learner.learn({Name("new"): 1.0}, -1.0)
    assert learner.score({"new": 1.0, Name("abc"): 1.0}) == -2.0


def test_names_of_a_row_that_was_refused_are_not_remembered():
    learner = nr.Perceptron()
    learner.learn({"a": 1.0}, -1.0)
    with pytest.raises(BadInput):
        learner.learn({"fresh": float("nan")}, 1.0)
    learner.learn({"b": 1.0}, -1.0)
    assert learner.score({fresh("fresh"): 1.0}) == 0.0
    assert learner.score({"b": 1.0}) == -1.0


def test_keys_are_let_go_with_their_learner():
    name = "".join(["a name that ", "nobody else has"])
    before = sys.getrefcount(name)
    learner = nr.Perceptron()
    learner.learn({name: 1.0}, -1.0)
    learner.predict({name: 1.0})
    del learner
    assert sys.getrefcount(name) == before


def test_keys_are_let_go_when_others_come():
    """Whether the next example has all of them, some or none, in whichever order."""
    names = ["".join(["a name like ", str(k)]) for k in range(8)]
    before = [sys.getrefcount(name) for name in names]
    learner, rng = nr.Perceptron(), random.Random(5)
    for _ in range(500):
        few = names[: rng.choice([0, 1, 2, 5, 8])] if rng.random() < 0.7 else rng.sample(names, 3)
        x = dict.fromkeys([*few, *(f"other{rng.randrange(99)}" for _ in range(rng.choice([0, 1, 6])))], 1.0)
        learner.predict(x)
        if rng.random() < 0.5:
            learner.learn(x, rng.choice([-1.0, 1.0]))
    del x, few
    learner.predict({"unlike them": 1.0})
    assert [sys.getrefcount(name) for name in names] == before


@pytest.mark.parametrize("letter", ["a", "é", "😀"])
def test_names_of_every_length(letter):
    """Short names, long ones, and pairs that differ only in length, in the first letter or in the last."""
    names = [letter * k for k in range(40)]
    names += ["\0" * k for k in range(1, 20)] + ["a" + "\0" * k for k in range(1, 20)]
    names += ["b" + letter * k for k in range(40)] + [letter * k + "b" for k in range(1, 40)]
    expected = {name: -float(k + 1) for k, name in enumerate(names)}
    learner = nr.Perceptron()
    learner.learn({name: -weight for name, weight in expected.items()}, -1.0)
    assert learner.weights == expected
    for name, weight in expected.items():
        assert learner.score({fresh(name): 1.0}) == weight
        assert learner.score({fresh(name) + "\0c": 1.0}) == 0.0


def test_so_many_names_that_some_have_the_same_hash():
    """Of 300,000 names about ten pairs share 32 bits, whatever the key of this process is."""
    learner = nr.Perceptron()
    count = 300_000
    learner.learn({f"n{k}": float(k + 1) for k in range(count)}, -1.0)
    assert learner.score({f"n{k}": 1.0 for k in range(count)}) == -count * (count + 1) / 2
    assert learner.weights == {f"n{k}": -float(k + 1) for k in range(count)}


def test_names_of_rows_that_were_refused_leave_their_places():
    """They get slots before the step fails, and are taken back, whichever names stood beside them."""
    learner, expected = nr.Perceptron(), {}
    rng = random.Random(3)
    for k in range(400):
        bad = {f"{'long ' * (j % 4)}bad{rng.randrange(10**6)}": 1e200 for j in range(rng.randrange(60))}
        with pytest.raises(BadInput):
            learner.learn({**bad, f"bad{k}": 1e200}, -1.0)
        good = {f"{'long ' * (j % 4)}good{rng.randrange(3000)}": 1.0 for j in range(rng.randrange(60))}
        y = -1.0 if learner.score(good) >= 0 else 1.0
        assert learner.learn(good, y)
        for name in good:
            expected[name] = expected.get(name, 0.0) + y
        assert learner.score(bad) == 0.0
    assert learner.weights == {name: weight for name, weight in expected.items() if weight != 0.0}
    assert learner.clone().weights == learner.weights


def test_an_array_after_a_dict_that_was_only_predicted():
    learner = nr.Perceptron()
    assert learner.predict({f"n{k}": 1.0 for k in range(50)}) == 1.0
    learner.learn(np.array([1.0, 2.0]), -1.0)
    assert learner.weights == {0: -1.0, 1: -2.0}


def test_a_shorter_dict_after_a_longer_one_with_new_names():
    learner = nr.Perceptron()
    a, b, c = ({"a": 1.0}, {"a": 1.0, "b": 2.0}, {"a": 1.0, "b": 2.0, "c": 4.0})
    assert learner.score(c) == 0.0
    learner.learn(a, -1.0)
    assert learner.score(c) == -1.0
    learner.learn(b, 1.0)
    assert learner.score(c) == 4.0
    assert learner.weights == {"b": 2.0}


def test_a_dict_of_another_class_and_a_value_that_cannot_be_read():
    class Row(dict):
        def items(self):
            raise AssertionError

        keys = values = __iter__ = items

    learner = nr.Perceptron()
    with pytest.raises(BadType, match="feature 'c' is a list"):
        learner.learn({"a": 1.0, "b": 2.0, "c": [], "d": 1.0}, -1.0)
    with pytest.raises(BadType, match="the key of a feature must be a string, not a int"):
        learner.learn({"a": 1.0, "c": [], 1: 1.0}, -1.0)
    assert learner.weights == {}
    learner.learn(Row(a=1.0, b=2.0), -1.0)
    assert learner.score(Row(b=1.0, a=1.0)) == -3.0
    assert learner.weights == {"a": -1.0, "b": -2.0}


GUARDED = """
import ctypes, mmap
import numpy as np, noregret as nr
from scipy.sparse import csr_array

memory = mmap.mmap(-1, 2 * mmap.PAGESIZE)
start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(start + mmap.PAGESIZE), mmap.PAGESIZE, 0) == 0
indices = np.frombuffer((ctypes.c_char * mmap.PAGESIZE).from_address(start), dtype=np.int32)[-4:]
indices[:] = 0
X = csr_array((np.ones(4), indices, np.array([0, 1, 2, 3, 4, 4, 4], np.int32)), shape=(6, 1))
X.indices = indices
learner = nr.Perceptron()
learner.learn({"z": 1.0}, -1)  # so that column 'a' is not slot 0
print(nr.play(nr.from_arrays(X, [1, -1, 1, -1, 1, -1], names=["a"]), learner).rounds)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is guarded the way of Linux")
def test_nothing_is_read_behind_the_last_row():
    told = subprocess.run([sys.executable, "-c", GUARDED], capture_output=True, text=True, check=False)
    assert (told.returncode, told.stdout) == (0, "6\n"), told.stderr


def test_a_number_that_changes_its_dict_when_it_is_read():
    """Numbers of other classes may run any code; the row is what the dict was before."""

    class Odd(int):
        def __float__(self):
            x.clear()
            x.update({f"other{k}": 1.0 for k in range(1000)})
            return 2.0

    learner = nr.Perceptron()
    x = {"a": 1.0, "b": Odd(7), "c": 3.0}
    learner.learn(x, -1.0)
    assert learner.weights == {"a": -1.0, "b": -2.0, "c": -3.0}


REPEATING = [
    "perceptron",
    "pa",
    "arow",
    "ogd:loss=logistic",
    "balanced-winnow",
    "romma",
    "ons",
    "multiclass-pa",
]
REPEATING += ["pa:scale=standard,bias=true", "kernel-perceptron"]


@pytest.mark.parametrize("spec", REPEATING)
def test_rows_of_text_that_repeat_a_name_are_the_same_one_by_one(spec, tmp_path):
    rng = random.Random(9)
    cells = [
        [f"w{rng.randrange(9)}:{rng.random():.3f}" for _ in range(rng.randint(1, 9))] for _ in range(300)
    ]
    path = tmp_path / "rows.vw"
    path.write_text("".join(f"{rng.choice([1, -1])} | {' '.join(row)}\n" for row in cells))
    stream = nr.read(path, task="multiclass" if "multiclass" in spec else "binary")
    whole, alone = nr.learner(spec), nr.learner(spec)
    nr.play(stream, whole)
    for now in (now for batch in stream.batches() for now in batch.rounds()):
        assert alone.predict(now.x) == alone.predict(now.x)
        alone.learn(now.x, now.y)
    assert alone.state()["scalars"] == whole.state()["scalars"]
    assert alone.clone().weights == whole.weights
    assert sum(now.x["w1"] for batch in stream.batches() for now in batch.rounds() if "w1" in now.x) > 0


def test_a_number_that_no_double_holds():
    for read in (nr.Perceptron().score, lambda x: nr.play(nr.from_rounds([(x, 1)]), nr.Perceptron())):
        with pytest.raises(BadInput, match="feature 'a' is too large; a value must be a finite number"):
            read({"a": 10**400})
