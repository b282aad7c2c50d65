"""The lists of words that columns of Arrow point to, as features."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from noregret.data.arrow_cells import in_words, words_of
from noregret.data.columns import Columns


class Told(NamedTuple):
    """What the columns of a table hold: a feature in `names`, or words, which are −1.

    Of a column of words `tables` has its name, its place and the feature of each word of its list.
    """

    names: list[str]
    features: Any
    tables: list[tuple[str, int, Any]]


class Listed:
    """The columns of a file, and what was made of the lists of words before: they rarely change."""

    def __init__(self, columns: Columns) -> None:
        """Nothing was met yet."""
        self.columns = columns
        self._last: tuple[list[Any], Told] | None = None

    def features(self, lists: list[Any]) -> Told | None:
        """Tell what columns hold whose words are in these lists; None when they are in none."""
        if any(words is None for words in lists):
            return None
        last = self._last  # another thread may change it
        if last is not None and all(_equal(a, b) for a, b in zip(lists, last[0], strict=True)):
            return last[1]
        told = self._features(iter(lists))
        self._last = None if told is None else (lists, told)
        return told

    def _features(self, lists: Iterator[Any]) -> Told | None:
        names: dict[str, int] = {}
        features: list[int] = []
        tables: list[tuple[str, int, Any]] = []
        for name, kind in self.columns.kinds.items():
            if kind == "numeric":
                features.append(names.setdefault(name, len(names)))
            elif kind == "categorical":
                words = words_of(next(lists))
                if any(word is None or word != word for word in words):
                    return None
                tables.append((name, len(features), features_of(name, words, names).astype(np.float64)))
                features.append(-1)
        return Told(list(names), np.array(features, dtype=np.int32), tables)


def _equal(one: Any, other: Any) -> bool:
    """Whether two lists have the same words; one out of pages and one of Arrow's are not compared."""
    return type(one) is type(other) and bool(one.equals(other))


def features_of(name: str, told: list[Any], names: dict[str, int]) -> Any:
    """Give the feature of each word of a column, by its place among the names."""
    spelt = [f"{name}={in_words(word)}" for word in told]
    return np.array([names.setdefault(word, len(names)) for word in spelt], dtype=np.int32)
