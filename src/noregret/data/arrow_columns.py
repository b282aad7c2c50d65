"""What the columns of an Arrow schema are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from noregret.data.arrow_cells import is_word, pyarrow
from noregret.data.columns import Columns, plan
from noregret.data.reading import Reading
from noregret.errors import BadFile


def columns_of(
    path: Path, schema: Any, before: Columns | None, reading: Reading, need_label: bool, said: Reading
) -> Columns:
    """Tell what the columns of a file are; those that files `before` it had are what they were there."""
    try:
        names = schema.names
    except UnicodeDecodeError:
        raise BadFile(f"{path}: the name of a column is not UTF-8") from None
    if len(set(names)) < len(names):
        raise BadFile(f"{path}: two columns have the same name")
    reading = _without_index(reading, schema)
    if before is not None:
        reading = _as_before(before, reading, frozenset(names))
    numeric = [_require_cells(path, column, reading) for column in schema]
    return plan(str(path), names, numeric, reading, need_label=need_label, said=said)


def _without_index(reading: Reading, schema: Any) -> Reading:
    """Leave out what pandas says is its index, a row's number or name, unless the reading names it."""
    try:
        listed = (schema.pandas_metadata or {}).get("index_columns", [])
    except (ValueError, AttributeError):  # written by somebody else
        listed = []
    index = [name for name in listed if isinstance(name, str) and name != reading.label]
    return replace(reading, kinds=dict.fromkeys(index, "drop") | dict(reading.kinds))


def _as_before(before: Columns, reading: Reading, names: frozenset[str]) -> Reading:
    """Add what is known of the columns that are there again."""
    label = reading.label or before.label
    known: Mapping[str, str] = {
        name: kind for name, kind in before.kinds.items() if name in names and name != label
    }
    return replace(reading, label=label, kinds={**known, **reading.kinds})


def _require_cells(path: Path, column: Any, reading: Reading) -> bool:
    """Tell whether a column holds numbers; what is neither number nor word can only be left out."""
    types, name = pyarrow().types, column.name
    held = column.type.value_type if types.is_dictionary(column.type) else column.type
    told = "label" if name == reading.label else reading.kinds.get(name)
    leave_it = f"leave it out: --drop {name}, in Python drop=['{name}']"
    if told == "label":
        leave_it = "a label is one of the two"
    number = _is_number(types, held)
    if number or is_word(types, held) or told == "drop":
        return number
    if not types.is_null(held):
        raise BadFile(
            f"{path}: column '{name}' holds {column.type}, which is neither a number nor a word; {leave_it}"
        )
    if told is None:
        right = f"say what it is, --numeric {name} or --categorical {name}"
        raise BadFile(
            f"{path}: column '{name}' has no cell, and nothing tells what it holds; {right}, or {leave_it}"
        )
    return number


def _is_number(types: Any, kind: Any) -> bool:
    return any(
        test(kind) for test in (types.is_integer, types.is_floating, types.is_boolean, types.is_decimal)
    )
