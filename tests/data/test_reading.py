import pytest

import noregret as nr
from noregret.data.columns import plan
from noregret.data.reading import Reading, kinds_of
from noregret.errors import BadCommand, BadFile, BadModel, BadParameter, BadType

from .rows import rows_of, written


def test_a_model_remembers_and_needs_nothing_said_again():
    before = Reading("y", {"a": "text", "b": "numeric"}, bits=18)
    assert Reading().after(before) == before
    assert Reading("y", {"a": "text"}, bits=18).after(before) == before
    assert Reading(kinds={"c": "drop"}).after(before).kinds == {**before.kinds, "c": "drop"}


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (Reading("z"), "learned with label y, and the command says label z"),
        (Reading(bits=12), "learned with bits 18, and the command says bits 12"),
        (Reading(kinds={"a": "drop"}), "learned with column 'a' as text, and the command says --drop a"),
    ],
)
def test_a_conflict_with_the_model_is_an_error(said, sentence):
    with pytest.raises(BadCommand, match=sentence):
        said.after(Reading("y", {"a": "text"}, bits=18))


def test_json_and_back():
    reading = Reading("y", {"a": "text"}, 18, True, "latin-1")
    assert Reading.from_json(reading.as_json()) == reading


@pytest.mark.parametrize(
    "data",
    [None, {"label": 3}, {"kinds": []}, {"kinds": {"a": "poem"}}, {"bits": "x"}, {"bits": 99}, {"header": 1},
     {"encoding": "klingon"}, {"more": 1}],
)  # fmt: skip
def test_damaged_json_is_refused(data):
    with pytest.raises(BadModel, match="how its data was read is damaged"):
        Reading.from_json(data)


def test_what_contradicts_itself_is_refused():
    for make in (
        lambda: Reading("y", {"y": "drop"}),
        lambda: kinds_of(numeric=["a"], drop=["a"]),
        lambda: Reading(bits=0),
        lambda: Reading(encoding="klingon"),
        lambda: Reading(encoding="hex"),
        lambda: Reading(encoding="rot13"),
        lambda: Reading(encoding="undefined"),
    ):
        with pytest.raises(BadParameter):
            make()


def test_columns_are_what_was_said_else_what_they_look_like():
    columns = plan("t.csv", ["y", "n", "c", "t"], [True, True, False, False], Reading(kinds={"t": "text"}))
    assert columns.kinds == {"y": "label", "n": "numeric", "c": "categorical", "t": "text"}
    assert columns.describe() == "1 categorical column (c), 1 number (n), 1 text column (t); label 'y'"
    assert columns.settle(Reading()) == Reading("y", {"n": "numeric", "c": "categorical", "t": "text"})


def test_the_nearest_name_is_offered():
    for reading in (
        Reading("lable"),
        Reading("Label"),
        Reading("label", {"n": "drop"}),
        Reading("label", {"m": "text"}),
    ):
        if reading.label == "label" and "n" in reading.kinds:
            continue
        with pytest.raises(BadCommand, match="t.csv has no column '.*'; (did you mean 'label'\\?|it has) "):
            plan("t.csv", ["label", "n"], [True, True], reading)


def test_without_a_label_one_is_asked_for():
    with pytest.raises(
        BadCommand, match="t.csv: say which column is the label: --label NAME, .*; there is a, b"
    ):
        plan("t.csv", ["a", "b"], [True, True], Reading())
    assert plan("t.csv", ["a", "b"], [True, True], Reading(), need_label=False).label is None


def test_columns_without_names_are_called_by_their_numbers(tmp_path):
    path = written(tmp_path, "1,2,1\n3,4,0\n", "data.csv")
    assert rows_of(path, label=3, drop=[1]) == [([("2", 2.0)], 1.0, 1.0), ([("2", 4.0)], -1.0, 1.0)]


@pytest.mark.parametrize("path", [3, None, b"data.csv", [3]])
def test_what_names_no_file(path):
    with pytest.raises(BadType, match="files are named by a string, a Path or a list of those, not "):
        nr.read(path)


@pytest.mark.parametrize(("name", "right"), [("a" * 5000, "too long"), ("a\0b", "no file has a name")])
def test_names_that_no_file_has(name, right):
    with pytest.raises(BadFile, match=right):
        nr.read(name)
