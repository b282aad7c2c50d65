import itertools

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadFile, BadParameter, UnknownName
from noregret.registry import NATURES, nature


def rounds_of(stream):
    (batch,) = stream.batches()
    return [(batch.row(r)[0][0], label) for r, label in enumerate(batch.labels.tolist())]


def explained(H, rounds):
    table = H.table()
    return any(all(row[x] == y for x, y in rounds) for row in table)


@pytest.mark.parametrize("answers", list(itertools.product((0.0, 1.0), repeat=3)))
def test_the_tree_answers_what_was_not_predicted_and_stays_realizable(answers):
    H = nr.hypothesis_class("thresholds:7")
    tree, rounds = nr.TreeAdversary(H), []
    for prediction in answers:
        x = tree.pose()
        label = tree.reveal(prediction)
        assert label == 1 - prediction
        rounds.append((x, label))
    assert tree.pose() is None and explained(H, rounds)


def test_cover_makes_every_deterministic_learner_err_every_time():
    class LastLabel:
        spec, said = "last", 1.0

        def predict(self, x):
            return self.said

        def learn(self, x, y, weight=1.0):
            self.said = y
            return True

    ledger = nr.play(nr.CoverAdversary(rounds=10_000), LastLabel())
    assert ledger.mistakes == ledger.rounds == 10_000


def test_the_worst_case_takes_one_singleton_at_a_time():
    worst, rounds = nr.WorstCase("singletons:5"), []
    while (x := worst.pose()) is not None:
        rounds.append((x, worst.reveal(0.0)))
    assert rounds == [(0, 0.0), (1, 0.0), (2, 0.0), (3, 0.0)]


@pytest.mark.parametrize("spec", ["thresholds:15", "disjunctions:4", "random:40,8,2", "singletons:1"])
def test_the_worst_case_stays_realizable(spec):
    H = nr.hypothesis_class(spec)
    worst, rounds = nr.WorstCase(H), []
    while (x := worst.pose()) is not None:
        rounds.append((x, worst.reveal(0.5)))
    assert explained(H, rounds) and len(rounds) <= H.size - 1


def test_a_drawn_nature_is_realizable_and_repeats():
    H = nr.hypothesis_class("disjunctions:5")
    rounds = rounds_of(nr.realizable(H, 200, 7))
    assert explained(H, rounds) and len(rounds) == 200
    assert rounds == rounds_of(nr.realizable(H, 200, 7)) != rounds_of(nr.realizable(H, 200, 8))


def test_noise_turns_over_its_share():
    H = nr.hypothesis_class("thresholds:31")
    clean, noise = rounds_of(nr.realizable(H, 5000, 3)), rounds_of(nr.noisy(H, 5000, 0.2, 3))
    assert [x for x, _ in clean] == [x for x, _ in noise]
    turned = np.mean([a != b for (_, a), (_, b) in zip(clean, noise, strict=True)])
    assert abs(turned - 0.2) < 0.02


def test_a_file_is_replayed(tmp_path):
    path = tmp_path / "rounds.csv"
    path.write_text("point,label\n3,0\n5,1\n4,1\n", encoding="utf-8")
    H = nr.hypothesis_class("thresholds:7")
    assert rounds_of(nr.read_points(path, H)) == [(3, 0.0), (5, 1.0), (4, 1.0)]
    ledger = nr.play(nature(str(path), H, 100), nr.Halving(H))
    assert ledger.rounds == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3,0\n9,1\n", "line 2, column 1: there is no point 9; thresholds:7 has 7"),
        ("3,0\n2\n", "line 2: '2' is not a round"),
        ("3,0\n2,x\n", "line 2, column 2: 'x' is not a label; write 0 or 1"),
        ("3,x\n2,1\n", "line 1, column 2: 'x' is not a label; write 0 or 1"),
        ("x,1\n2,1\n", "line 1, column 1: there is no point called 'x'"),
        ("9,label\n2,1\n", "line 1, column 1: there is no point 9"),
        ("3;0\n2;1\n", "line 1: the cells stand between semicolons; write commas"),
        ("3,0\nx,1\n", "line 2, column 1: there is no point called 'x'"),
    ],
)
def test_bad_files_of_rounds(tmp_path, text, sentence):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=sentence):
        nr.read_points(path, "thresholds:7")


@pytest.mark.parametrize("name", NATURES)
def test_every_name_makes_a_nature(name):
    H = nr.hypothesis_class("singletons:6")
    learner = nr.Agnostic(H, rounds=50)
    assert 1 <= nr.play(nature(name, H, 50, 1), learner).rounds <= 50


def test_noise_takes_its_share_from_the_spec():
    H = nr.hypothesis_class("thresholds:31")
    assert rounds_of(nature("noise:share=0", H, 50, 3)) == rounds_of(nr.realizable(H, 50, 3))


@pytest.mark.parametrize(
    ("spec", "kind", "sentence"),
    [
        ("tee", UnknownName, "no nature called 'tee'; did you mean tree"),
        ("zzz", UnknownName, "there is tree, cover, worst, random, noise, or a file that ends in .csv"),
        ("tree:depth=3", BadParameter, "tree has no parameters"),
        ("noise:share=2", BadParameter, "share is 2.0; it must be between 0 and 1"),
        ("noise:0.1", BadParameter, "write share="),
    ],
)
def test_bad_natures(spec, kind, sentence):
    with pytest.raises(kind, match=sentence):
        nature(spec, nr.hypothesis_class("all:2"), 10)


def test_counts_must_make_sense():
    with pytest.raises(BadParameter, match="rounds is -1"):
        nr.realizable("all:2", -1)
    with pytest.raises(BadParameter, match="rounds is -1"):
        nr.CoverAdversary(rounds=-1)
    with pytest.raises(BadParameter, match="levels is 0"):
        nr.doubling_groups(0)


@pytest.mark.parametrize("levels", [1, 3, 8])
def test_winnow_errs_as_often_as_its_bound_allows(levels):
    ledger = nr.play(nr.doubling_groups(levels), nr.Winnow(threshold=1.99))
    assert ledger.mistakes == ledger.rounds == 2**levels - 1
    first = nr.certify(ledger)[0]
    assert first.verdict == "holds" and first.bound - first.observed < 2 + 2**levels / 100


def test_randconsistent_meets_a_nature_that_does_not_ask_who_goes():
    H = nr.FiniteClass([[1, 0], [1, 1], [0, 0], [1, 0]])
    asked = nature("worst", H, 10, against="randconsistent")
    assert (asked.pose(), asked.reveal(0.5)) == (0, 1.0)  # one goes, and it is not the first
    asked = nature("worst", H, 10, against="consistent")
    assert (asked.pose(), asked.reveal(0.5)) == (0, 0.0)  # three go, the first among them


def test_cover_asks_where_the_class_is_divided():
    H = nr.FiniteClass([[0, 0, 1], [0, 1, 0], [0, 1, 0], [0, 0, 0]])
    assert nr.CoverAdversary(H).pose() == 1
    assert nr.CoverAdversary(H, point=2).pose() == 2
    with pytest.raises(BadParameter, match="agree at every point; Cover's adversary needs two that differ"):
        nr.CoverAdversary(nr.FiniteClass([[0, 1]]))
