"""numpy's .npz: X and y, or the parts of a scipy CSR matrix (data, indices, indptr, shape) and y."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from noregret.data.reading import nearest
from noregret.data.stream import DataStream
from noregret.errors import BadCommand, BadFile
from noregret.rounds import Batch

ROWS = 1 << 16
_SPARSE = ("data", "indices", "indptr")
_USUAL = ("y", "label", "labels", "target")


class NpzStream(DataStream):
    """Arrays in a file. The label is the array that --label names, or y; `weights` may stand beside it."""

    format = "npz"
    takes = frozenset(("label",))

    def file(self, path: Path) -> Iterator[Batch]:
        """Yield the rows of one file."""
        arrays = _arrays(path)
        values, indices, starts, width = _matrix(path, arrays)
        rows = len(values) if starts is None else len(starts) - 1
        codes, words = self._labels(path, arrays, rows)
        weights = arrays.get("weights")
        if weights is not None:
            weights = _floats(path, "weights", weights).ravel()
            _require_rows(path, "weights", weights, rows)
        for begin in range(0, rows, ROWS):
            end = min(begin + ROWS, rows)
            batch = Batch(
                values if starts is not None else values[begin:end],
                np.empty(end - begin),
                indices,
                None if starts is None else starts[begin : end + 1],
                width,
                None if weights is None else weights[begin:end],
                where=partial(_where, path, begin),
                consumed=path.stat().st_size * (end - begin) // rows,
            )
            yield from self.labelled(batch, codes[begin:end], words)

    def _labels(self, path: Path, arrays: dict[str, Any], rows: int) -> tuple[Any, list[Any]]:
        name = self.reading.label or next((key for key in _USUAL if key in arrays), "y")
        if name not in arrays:
            if self.need_label:
                raise BadCommand(f"{path} has no array '{name}' of labels; {nearest(name, list(arrays))}")
            return np.full(rows, -1), []
        found = arrays[name].ravel()
        _require_rows(path, name, found, rows)
        if found.dtype.kind == "b":
            found = found.astype(np.int64)
        if found.dtype.kind not in "iufU":
            raise BadFile(f"{path}: '{name}' holds {found.dtype}; labels are numbers or words")
        told = ~np.isnan(found) if found.dtype.kind == "f" else np.ones(rows, dtype=bool)
        codes = np.full(rows, -1)
        words, codes[told] = np.unique(found[told], return_inverse=True)
        return codes, words.tolist()


def _arrays(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            _require_arrays(path, file.read(6))
            file.seek(0)
            found = np.load(file, allow_pickle=False)
            return {"one array without a name": found} if isinstance(found, np.ndarray) else dict(found)
    except PermissionError:
        raise BadFile(f"{path}: permission denied") from None
    except (
        OSError,
        ValueError,
        KeyError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,  # what zipfile raises for a compression that it does not know
    ) as wrong:
        raise BadFile(f"{path}: it cannot be read as .npz ({wrong})") from None


def _require_arrays(path: Path, start: bytes) -> None:
    """Refuse what numpy would take for a pickle, and say how to open unsafely."""
    if start and not start.startswith((b"PK", b"\x93NUMPY")):
        raise BadFile(f"{path}: it cannot be read as .npz (numpy.savez writes such files)")


def _matrix(path: Path, arrays: dict[str, Any]) -> tuple[Any, Any, Any, int]:
    """Give values, indices, starts and width; a dense matrix has no indices."""
    if "X" in arrays:
        X = arrays["X"]
        if X.ndim != 2:
            raise BadFile(f"{path}: X has {X.ndim} dimensions; it must have two, a row for each example")
        return _floats(path, "X", X), None, None, X.shape[1]
    if not all(part in arrays for part in _SPARSE):
        raise BadFile(
            f"{path}: it has {', '.join(arrays)}; it must have X and y, or data, indices, indptr and y"
        )
    if "format" in arrays and arrays["format"].tolist() not in (b"csr", "csr"):
        raise BadFile(f"{path}: the sparse matrix is {arrays['format'].tolist()!r}; it must be CSR")
    indices, starts = arrays["indices"], arrays["indptr"]
    if indices.dtype.kind not in "iu" or starts.dtype.kind not in "iu" or starts.ndim != 1 or not len(starts):
        raise BadFile(f"{path}: indices and indptr are not those of a CSR matrix")
    shape = arrays.get("shape")
    width = int(shape[1]) if shape is not None and shape.shape == (2,) and shape.dtype.kind in "iu" else -1
    if len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) <= 2**31 - 2:
        raise BadFile(f"{path}: a feature number is from 0 to 2147483646")
    values = _floats(path, "data", arrays["data"])
    if (
        starts[0] != 0
        or np.any(np.diff(starts.astype(np.int64)) < 0)
        or starts[-1] > min(len(indices), len(values))
    ):
        raise BadFile(f"{path}: indptr does not rise from 0 to the number of values")
    return values, indices.astype(np.int64), starts.astype(np.int64), width


def _floats(path: Path, name: str, values: Any) -> Any:
    if values.dtype.kind not in "iufb":
        raise BadFile(f"{path}: '{name}' holds {values.dtype}; it must hold numbers")
    return values if values.dtype in (np.float64, np.float32) else values.astype(np.float64)


def _require_rows(path: Path, name: str, found: Any, rows: int) -> None:
    if len(found) != rows:
        raise BadFile(f"{path}: there are {rows:,} rows, and '{name}' has {len(found):,}")


def _where(path: Path, begin: int, row: int) -> str:
    return f"{path}, row {begin + row + 1}"
