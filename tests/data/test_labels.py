import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import noregret as nr
from noregret import _core
from noregret.cli.app import run
from noregret.data.asking import CONVERT, PYTHON, RUN
from noregret.data.labels import Labels, plain
from noregret.errors import BadInput, BadLabel, BadParameter

from .rows import written

WORDS = st.one_of(
    st.text(max_size=8), st.integers(-(2**60), 2**60), st.floats(allow_nan=False, allow_infinity=False)
)


def read_words(labels, words):
    table = list(dict.fromkeys(word for word in words if word is not None))
    codes = np.array([-1 if word is None else table.index(word) for word in words], dtype=np.int64)
    return labels.read_words(codes, table)


def test_one_against_minus_one_or_zero():
    for negative in (-1.0, 0.0):
        labels = Labels()
        found, stop, _ = labels.read(np.array([1.0, negative, math.nan]))
        assert stop is None and found[:2].tolist() == [1.0, -1.0] and math.isnan(found[2])
        assert labels.write(-1.0) == f"{negative:g}" and labels.write(1.0) == "1"


def test_what_no_double_holds_is_a_word():
    assert plain(10**400) == str(10**400) == plain(str(10**400)) and plain(math.inf) == "inf" == plain("inf")
    _, stop, why = read_words(Labels(), [1, 10**400])
    assert stop == 1 and "words" in why
    assert Labels.from_json({"task": "multiclass", "classes": [10**400]}).classes == [str(10**400)]


def test_whole_numbers_that_doubles_do_not_tell_apart():
    assert [plain(one) for one in (2**53, "9007199254740993", -(2**60), 2**53 - 1, 2.0**60)] == [
        "9007199254740992",
        "9007199254740993",
        "-1152921504606846976",
        2**53 - 1,
        2.0**60,
    ]
    for labels in (Labels(task="multiclass"), Labels(positive=3)):
        _, row, why = labels.read(np.array([1.0, 2.0**53]))
        assert row == 1 and "write such labels as words" in why
    assert Labels(task="regression").read(np.array([2.0**60]))[1] is None


def test_minus_one_and_zero_in_one_file_are_refused_where_the_second_kind_begins():
    assert Labels().read(np.array([1.0, 0.0, 1.0, -1.0]))[1:] == (
        3,
        "the negative label is 0 so far; it is -1 or 0, not both in one stream or model",
    )


def test_numbers_are_the_same_label_however_they_are_written():
    assert (
        plain("+1") == plain("1.0") == plain(1) == 1 and plain("1e400") == "1e400" and plain("nan") == "nan"
    )
    found, stop, _ = read_words(Labels(), ["+1", "-1.0", "1"])
    assert stop is None and found.tolist() == [1.0, -1.0, 1.0]


def test_words_need_a_positive_one_and_both_are_offered():
    _, stop, why = read_words(Labels(), ["ham", "spam", "ham"])
    assert stop == 0 and why.endswith("positive='ham' or positive='spam'")
    labels = Labels("spam")
    assert read_words(labels, ["ham", "spam", None])[0][:2].tolist() == [-1.0, 1.0]
    assert labels.describe() == "label spam is positive, ham negative"


def test_a_word_among_numbers_is_found_at_its_row():
    _, stop, why = read_words(Labels(), [1, 0, "maybe"])
    assert stop == 2 and "more than two labels" in why and "positive=1, or another" in why


def test_every_other_value_is_negative():
    labels = Labels("normal.")
    assert read_words(labels, ["smurf.", "normal.", "neptune."])[0].tolist() == [-1.0, 1.0, -1.0]
    assert labels.describe() == "label normal. is positive, every other negative"
    numbers = Labels(2)
    assert numbers.read(np.array([1.0, 2.0, 3.0]))[0].tolist() == [-1.0, 1.0, -1.0]
    assert numbers.describe() == "label 2 is positive, every other negative"


def test_classes_stand_in_the_order_of_their_appearance():
    labels = Labels(task="multiclass")
    assert labels.read(np.array([7.0, 3.0, 7.0, math.nan]))[0][:3].tolist() == [0.0, 1.0, 0.0]
    assert read_words(labels, ["x", "3.0"])[0].tolist() == [2.0, 1.0]
    assert labels.classes == [7, 3, "x"] and [labels.write(k) for k in range(3)] == ["7", "3", "x"]
    again = Labels.from_json(labels.as_json())
    assert again.classes == labels.classes and again.task == "multiclass"
    assert read_words(again, ["x", "new"])[0].tolist() == [2.0, 3.0]


def test_a_regression_takes_finite_numbers():
    labels = Labels(task="regression")
    assert labels.read(np.array([0.25, -3.0]))[0].tolist() == [0.25, -3.0]
    assert labels.read(np.array([0.25, math.inf]))[1:] == (1, "the label of a regression is a finite number")
    assert read_words(labels, ["1.5", "high"])[1] == 1
    assert labels.write(0.1) == "0.1"


@given(st.lists(st.one_of(st.none(), WORDS), max_size=20))
def test_a_class_is_written_as_it_was_read(words):
    labels = Labels(task="multiclass")
    found, stop, _ = read_words(labels, words)
    assert stop is None
    for word, place in zip(words, found.tolist(), strict=True):
        assert math.isnan(place) if word is None else labels.classes[int(place)] == plain(word)


@pytest.mark.parametrize("positive", ["nan", "-inf", math.nan])
def test_a_positive_label_that_is_no_label(positive):
    with pytest.raises(BadParameter, match="must be a finite number or a word"):
        Labels(positive)


def test_positive_and_several_classes_do_not_go_together():
    with pytest.raises(BadParameter, match="is for two classes"):
        Labels("a", task="multiclass")


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"positive": []},
        {"classes": "ab"},
        {"classes": [None]},
        {"task": "clustering"},
        {"negative": True},
    ],
)
def test_damaged_labels_of_a_model_are_refused(data):
    with pytest.raises(BadLabel):
        Labels.from_json(data)


def test_a_pair_is_kept():
    labels = Labels("spam", "ham")
    assert labels.describe() == "label spam is positive, which no row had, ham negative"
    again = Labels.from_json(labels.as_json())
    assert again.describe() == "label spam is positive, ham negative"


ASKED = {
    PYTHON: ("positive=", 'task="multiclass"', 'task="regression"'),
    RUN: ("--positive ", "multiclass-perceptron", "ridge:bias=true"),
    CONVERT: ("--positive ", "--task multiclass", "--task regression"),
}


@pytest.mark.parametrize(("asker", "words"), ASKED.items(), ids=["python", "run", "convert"])
def test_what_is_missing_is_named_in_the_words_of_who_asks(asker, words):
    positive, classes, numbers = words
    prices = Labels(asker=asker).read(np.array([1.0, 2.5, 3.5]))[2]
    assert "more than two" in prices and "pair" not in prices
    assert all(word in prices for word in (f"{positive}VALUE", classes, numbers))
    pair = Labels(asker=asker).read(np.array([2.0, 1.0]))[2]
    assert "for other pairs" in pair and f"{positive}VALUE" in pair and classes in pair
    animals = read_words(Labels(asker=asker), ["cat", "dog", "owl"])[2]
    assert "more than two" in animals and classes in animals and " or positive" not in animals
    others = set(ASKED[PYTHON] + ASKED[RUN] + ASKED[CONVERT]) - set(words)
    assert not any(word in " ".join((prices, pair, animals)) for word in others if not word.endswith("="))


def test_a_positive_label_that_no_row_has_is_told(tmp_path):
    path = written(tmp_path, "kind,n\nham,1\nspam,2\n", "mails.csv")
    with pytest.warns(UserWarning, match="no row has the label 'spma', which was named as the positive one"):
        nr.play(nr.read(path, label="kind", positive="spma"), nr.Perceptron())
    nr.play(nr.read(path, label="kind", positive="spam"), nr.Perceptron())


def test_the_commands_say_it_their_way(tmp_path, capsys):
    path = str(written(tmp_path, "price,n\n1.5,1\n2.5,2\n3,1\n", "houses.csv"))
    assert run(["convert", path, str(tmp_path / "h.nrb"), "--label", "price"]) == 1
    assert "say --task regression" in capsys.readouterr().err
    assert run(["run", path, "--label", "price", "-l", "perceptron"]) == 1
    assert "take --learner ridge:bias=true or its kin" in capsys.readouterr().err
    assert run(["run", path, "--label", "price", "--positive", "7", "-l", "perceptron"]) == 0
    out = capsys.readouterr()
    assert "label 7 is positive, which no row had" in out.out and "Warning" not in out.err


def test_codes_are_found_and_looked_up():
    codes = np.array([0, 2, -1, 2, 2, 0, 1])
    assert _core.used_codes(codes, 4) == [True, True, True, True, False]
    assert _core.used_codes(codes[:0], 2) == [False, False, False]
    assert _core.at_places(np.array([5.0, 6.0, 7.0, 8.0]), codes).tolist() == [5, 7, 8, 7, 7, 5, 6]
    for bad in (3, -2, 2**40):
        with pytest.raises(BadInput, match="there is a place beside a list of 3"):
            _core.used_codes(np.array([0, bad]), 3)
    with pytest.raises(BadInput, match="behind the end"):
        _core.at_places(np.array([5.0]), np.array([0, 1]))
    with pytest.raises(BadInput, match="behind the end"):
        _core.at_places(np.array([]), np.array([-1]))


@pytest.mark.parametrize("listed", [1, 7, 62, 63, 64, 65, 200])
def test_which_of_many_codes_there_are(listed):
    rng = np.random.default_rng(listed)
    for count in (1, 7, 8, 9, 70):
        codes = rng.integers(-1, listed, count)
        met = set(codes.tolist())
        assert _core.used_codes(codes, listed) == [place in met for place in range(-1, listed)]
        for at in range(count):
            wrong = codes.copy()
            wrong[at] = listed
            with pytest.raises(BadInput, match="there is a place beside"):
                _core.used_codes(wrong, listed)
            with pytest.raises(BadInput, match="behind the end"):
                _core.at_places(np.zeros(listed + 1), wrong + 1)
