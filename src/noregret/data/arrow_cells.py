"""The cells of a column of Arrow, as numbers or as words."""

from __future__ import annotations

from typing import Any

import numpy as np

from noregret.errors import MissingExtra
from noregret.parameters import written


def pyarrow() -> Any:
    """Import pyarrow, or say how to get it."""
    try:
        import pyarrow
        import pyarrow.ipc
    except ImportError:
        raise MissingExtra("Parquet and Arrow need pyarrow: pip install 'noregret[parquet]'") from None
    return pyarrow


def is_word(types: Any, kind: Any) -> bool:
    """Whether the cells of a column are strings."""
    tests = [types.is_string, types.is_large_string, getattr(types, "is_string_view", types.is_string)]
    return any(test(kind) for test in tests)


def in_words(cell: Any) -> str:
    """Write a cell as text; a missing one is empty."""
    if isinstance(cell, str):
        return cell
    if cell is None or cell != cell:
        return ""
    return written(cell) if isinstance(cell, float) else str(cell)


def numbers_of(column: Any) -> Any:
    """Give a column as numbers; what stands in place of a missing one does not matter."""
    arrow = pyarrow()
    if arrow.types.is_boolean(column.type) or arrow.types.is_decimal(column.type):
        column = column.cast(arrow.float64())
    if column.null_count:
        column = column.fill_null(0)
    numbers = column.to_numpy(zero_copy_only=False)
    return numbers if numbers.dtype.char in "dflqib" else numbers.astype(np.float64)


def missing_in(column: Any) -> Any:
    """Where a cell is missing, null or NaN; None when none is."""
    if not column.null_count and not pyarrow().types.is_floating(column.type):
        return None
    missing = column.is_null(nan_is_null=True)
    return missing.to_numpy(zero_copy_only=False) if missing.true_count else None


def encoded(column: Any) -> tuple[Any, list[Any]]:
    """Give the place of each cell in the list of different cells, −1 for a missing one; and the list."""
    arrow = pyarrow()
    coded = column if arrow.types.is_dictionary(column.type) else column.dictionary_encode()
    listed, places = coded.dictionary, coded.indices
    if len(listed) > len(column):  # a part of a table has few of its words
        few = places.dictionary_encode()
        listed, places = [listed[place] for place in few.dictionary.to_pylist()], few.indices
    there = places if not places.null_count else places.cast(arrow.int64()).fill_null(-1)
    codes = there.to_numpy(zero_copy_only=False).astype(np.int64)  # polars counts without a sign
    told = words_of(listed)
    missing = [place for place, word in enumerate(told) if word is None or word != word]
    if missing:
        codes = np.where(np.isin(codes, missing), -1, codes)
        told = [0 if word is None or word != word else word for word in told]
    return codes, told


def words_of(words: Any) -> list[Any]:
    """Give the words of a list of Arrow's, or of its cells; a truth is 0 or 1."""
    told = [cell.as_py() for cell in words] if isinstance(words, list) else words.to_pylist()
    return [int(word) if isinstance(word, bool) else word for word in told]
