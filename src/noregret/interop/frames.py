"""pandas and polars in, the same type out, without importing either."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def kind_of(X: Any) -> str:
    """Tell whose data frame X is: "pandas", "polars", or "" when it is none."""
    home = type(X).__module__.partition(".")[0]
    return home if home in ("pandas", "polars") and hasattr(X, "columns") else ""


def column_like(X: Any, values: Any) -> Any:
    """Give one value a row as a series of X's own kind, or as they are when X is no data frame."""
    kind = kind_of(X)
    if not kind:
        return values
    series = import_module(kind).Series
    return series(values, index=X.index) if kind == "pandas" else series(values=values)


def table_like(X: Any, columns: dict[Any, Any]) -> Any:
    """Give several values a row as a data frame of X's own kind; polars wants names that are strings."""
    frame = import_module(kind_of(X)).DataFrame
    if kind_of(X) == "pandas":
        return frame(columns, index=X.index)
    return frame({str(name): values for name, values in columns.items()})


def rows_of(X: Any) -> list[dict[Any, Any]]:
    """List the rows of a data frame as dicts."""
    rows: list[dict[Any, Any]] = X.to_dict("records") if kind_of(X) == "pandas" else X.to_dicts()
    return rows
