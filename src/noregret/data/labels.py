"""Labels in a file to numbers that learners take, and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from noregret import _core
from noregret.data.asking import PYTHON, Asker
from noregret.errors import BadLabel, BadParameter
from noregret.parameters import written
from noregret.rounds import Floats

Value: TypeAlias = int | float | str  # a label as the file means it
Read: TypeAlias = tuple[Floats, int | None, str]  # labels; the first row that has none to give, and why
TASKS = ("binary", "multiclass", "regression")
EXACT = 2**53  # below it every whole number is a double
NEAR = 1000  # rows on either side, which tell whether labels are a pair
_VAGUE = "from 2^53 on, a number is not told apart from its neighbours; write such labels as words"


class Labels:
    """How a file writes its labels.

    Binary: 1 is positive; −1 or 0 is negative, and a file uses one of the two. Any other pair needs
    `positive`: that value is +1, every other is −1. Multiclass: any values; `classes` lists them in
    the order in which they appeared, and a label is its place there. Regression: finite numbers.
    A number is the same label however it is written: 1, +1 and 1.0. NaN is no label.
    """

    def __init__(
        self,
        positive: Value | None = None,
        negative: Value | None = None,
        task: str = "binary",
        classes: Sequence[Value] = (),
        asker: Asker = PYTHON,
    ) -> None:
        """Begin with what is known; `negative` and `classes` are found in the data."""
        self.asker = asker
        if task not in TASKS:
            raise BadParameter(f"the task is '{task}'; it is one of {', '.join(TASKS)}")
        if positive is not None and task != "binary":
            raise BadParameter(f"a positive label is for two classes; this learner's task is {task}")
        self.task = task
        if not isinstance(positive, str | Real | None):
            raise BadParameter(f"the positive label is {positive!r}; it must be a finite number or a word")
        self.positive = None if positive is None else plain(positive)
        if str(self.positive).lower().lstrip("+-") in ("nan", "inf", "infinity"):
            raise BadParameter(f"the positive label is {positive}; it must be a finite number or a word")
        self.negative = None if negative is None else plain(negative)
        self.several = False  # more than one value counted as negative
        self.booleans = False  # 1 and 0 are written true and false
        self.met = False  # some row had the positive label that was asked for
        self.classes: list[Value] = [plain(value) for value in classes]
        self._places = {value: place for place, value in enumerate(self.classes)}

    def read(self, raw: Floats) -> Read:
        """Map labels that are numbers; where one cannot be, give its row and say why."""
        if self.task == "regression":
            return _finite(raw)
        if self.task == "binary" and self.positive is None:
            return self._pair(raw)
        vague = np.flatnonzero(np.abs(raw) >= EXACT)
        if len(vague):
            return raw, int(vague[0]), _VAGUE
        told = ~np.isnan(raw)
        if self.task == "binary":
            return self._against(raw, told)
        values, first, place = np.unique(raw[told], return_index=True, return_inverse=True)
        order = np.argsort(first)
        codes = np.full(len(raw), -1, dtype=np.int64)
        codes[told] = np.argsort(order)[place]
        return self.read_words(codes, values[order].tolist())

    def _against(self, raw: Floats, told: NDArray[np.bool_]) -> Read:
        """One number is positive, every other negative."""
        positive = self.positive if not isinstance(self.positive, str) else math.nan
        others = raw[told & (raw != positive)]
        self.met = self.met or len(others) < int(told.sum())
        if len(others):
            odd = others[others != others[0]]
            self._others([plain(float(value)) for value in (others[0], *odd[:1])])
        return np.where(told, np.where(raw == positive, 1.0, -1.0), np.nan), None, ""

    def boolean(self, label: bool) -> Value:
        """Take a label that is true or false: 1 or 0, unless words are wanted."""
        if self.task == "multiclass" or isinstance(self.positive, str):
            return "true" if label else "false"
        self.booleans = True
        return int(label)

    def read_words(self, codes: NDArray[Any], words: Sequence[Value]) -> Read:
        """Map labels that are words: row r has words[codes[r]], or no label where that is −1."""
        values = [plain(word) for word in words]
        # A word may be that of a row that was left out: nothing is known of it.
        codes = np.ascontiguousarray(codes, dtype=np.int64)
        untold, *used = _core.used_codes(codes, len(words))
        met = [value for value, is_met in zip(values, used, strict=True) if is_met]
        if self.task == "multiclass":
            self.join(met)
            meaning = [float(self._places.get(value, math.nan)) for value in values]
        elif self.task == "binary" and self.positive is not None:
            self._others([value for value in met if value != self.positive])
            self.met = self.met or self.positive in met
            meaning = [1.0 if value == self.positive else -1.0 for value in values]
        else:
            meaning = [math.nan if isinstance(value, str) else float(value) for value in values]
        table = np.array([*meaning, math.nan])
        found: Floats = _core.at_places(table, codes)
        if not any(is_met and math.isnan(means) for means, is_met in zip(meaning, used, strict=True)):
            usual = self.negative == -1 and not untold and {-1, 1}.issuperset(met)
            known = self.positive is not None or self.task == "multiclass"
            return (found, None, "") if known or usual else self.read(found)
        wrong = np.flatnonzero(np.isnan(found) & (codes >= 0))
        row = int(wrong[0])
        _, earlier, why = self.read(found[:row])
        return (found, row, self._odd_word(values)) if earlier is None else (found, earlier, why)

    def join(self, classes: Sequence[Value]) -> None:
        """Add classes that are not there yet."""
        for value in classes:
            self._class(value)

    def _class(self, value: Value) -> int:
        """The place of a class; one that is new joins at the end."""
        if value not in self._places:
            self._places[value] = len(self.classes)
            self.classes.append(value)
        return self._places[value]

    def _others(self, others: list[Value]) -> None:
        """Remember what stands for the negative class."""
        if self.negative is None and others:
            self.negative = others[0]
        self.several = self.several or any(value != self.negative for value in others)

    def _odd_word(self, values: Sequence[Value]) -> str:
        """Say what to do about a label that is a word, with the words that there are."""
        if self.task == "regression":
            return "the label of a regression is a finite number"
        return self.asker.odd_word(list(dict.fromkeys(values)))

    def _pair(self, raw: Floats) -> Read:
        if self.negative == -1 and bool((np.abs(raw) == 1.0).all()):
            return raw, None, ""  # nearly always
        odd = np.flatnonzero((raw != 1.0) & (raw != -1.0) & (raw != 0.0) & ~np.isnan(raw))
        mixed = self._mixed(raw)
        stop = int(odd[0]) if len(odd) else None
        if mixed is not None and (stop is None or mixed < stop):
            return raw, mixed, self._one_negative()
        if stop is not None:
            near = raw[max(stop - NEAR, 0) : stop + NEAR]
            return raw, stop, self.asker.not_a_pair(len(np.unique(near[~np.isnan(near)])) > 2)
        return np.where(np.isnan(raw), np.nan, np.where(raw == 1.0, 1.0, -1.0)), None, ""

    def _one_negative(self) -> str:
        """Say what is wrong with the other negative label; the first may be that of a model's data."""
        return f"the negative label is {self.negative} so far; it is -1 or 0, not both in one stream or model"

    def _mixed(self, raw: Floats) -> int | None:
        """Find the first row that uses the other negative than the file did so far."""
        negative = raw[(raw == -1.0) | (raw == 0.0)]
        if self.negative is None and len(negative):
            self.negative = plain(float(negative[0]))
        if self.negative is None:
            return None
        other = np.flatnonzero(raw == (0.0 if self.negative == -1 else -1.0))
        return int(other[0]) if len(other) else None

    def write(self, prediction: float) -> str:
        """Write a prediction the way the file writes labels."""
        if self.task == "regression":
            return repr(float(prediction))
        if self.task == "multiclass":
            return written(self.classes[int(prediction)])
        positive: Value = 1 if self.positive is None else self.positive
        negative: Value = -1 if self.negative is None else self.negative
        found = positive if prediction > 0 else negative
        truths = self.booleans and self.negative != -1  # a file that has both has more of the numbers
        return ("true" if found == 1 else "false") if truths else written(found)

    @property
    def sides(self) -> tuple[str, str] | None:
        """What people call −1 and +1; where several values are negative, they are what is not positive."""
        if self.task != "binary":
            return None
        negative, positive = self.write(-1.0), self.write(1.0)
        if self.several:
            return f"not {positive}", positive
        return negative, "+1" if (negative, positive) == ("-1", "1") else positive

    def describe(self) -> str:
        """Say the mapping in a line."""
        if self.task == "regression":
            return "labels are numbers"
        if self.task == "multiclass":
            some = ", ".join(written(value) for value in self.classes[:8])
            return f"{len(self.classes):,} classes: {some}{', …' if len(self.classes) > 8 else ''}"
        negative = "every other" if self.several else self.write(-1.0)
        never = ", which no row had" if self.positive is not None and not self.met else ""
        return f"label {self.write(1.0)} is positive{never}, {negative} negative"

    @property
    def unmet(self) -> str | None:
        """Say that the positive label was not among those that were met, if so."""
        if self.positive is None or self.met or self.negative is None:
            return None
        return (
            f"no row has the label {self.positive!r}, which was named as the positive one; "
            f"every label is negative, the first is {self.negative!r}"
        )

    def as_json(self) -> dict[str, Any]:
        """Give it as plain data, for the model file."""
        if self.task == "binary":
            pair = {"positive": self.positive, "negative": self.negative}
            marks = {"booleans": self.booleans, "several": self.several}
            return pair | {mark: True for mark, is_so in marks.items() if is_so}
        return {"task": self.task, "classes": self.classes}

    @staticmethod
    def from_json(data: Any, asker: Asker = PYTHON) -> Labels:
        """Read what as_json wrote."""
        if not isinstance(data, dict):
            raise BadLabel("the labels of the model are damaged")
        pair = [data.get("positive"), data.get("negative")]
        task, classes = data.get("task", "binary"), data.get("classes", [])
        listed = isinstance(classes, list) and all(map(_is_value, classes))
        if task not in TASKS or not listed or not all(v is None or _is_value(v) for v in pair):
            raise BadLabel("the labels of the model are neither numbers nor words")
        labels = Labels(pair[0], pair[1], task, classes, asker)
        labels.booleans = data.get("booleans") is True
        labels.several = data.get("several") is True
        labels.met = True  # by whoever wrote it
        return labels


@lru_cache(maxsize=1 << 12, typed=True)  # a file has the same labels all the time; 1 and 1.0 are two
def plain(value: Value) -> Value:
    """Give a label its one form: a whole number, else a finite number, else the word.

    A whole number from 2^53 on is a word: as a number it would be the same as its neighbours.
    """
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            return value
        if not math.isfinite(number) or (abs(number) >= EXACT and value.lstrip("+-").isdigit()):
            return value
        value = number
    elif isinstance(value, int) and abs(value) >= EXACT:
        return str(value)
    number = float(value)
    if not math.isfinite(number):
        return str(value)
    return int(number) if number.is_integer() and abs(number) < EXACT else number


def _finite(raw: Floats) -> Read:
    wrong = np.flatnonzero(np.isinf(raw))
    return (
        (raw, int(wrong[0]), "the label of a regression is a finite number")
        if len(wrong)
        else (raw, None, "")
    )


def _is_value(value: Any) -> bool:
    return isinstance(value, int | float | str) and not isinstance(value, bool)
