"""Model files: safetensors with one key of JSON. Never code, and never half a file.

Tensors: ``lane/NAME`` (float64, the bias first), ``names`` (uint8, UTF-8 end to end) with ``name_ends``,
``far`` (features that are large integers); a full covariance U·D·Uᵀ adds ``factors`` (float64, place by
place: the column of U above its diagonal of ones, then D) and ``factor_slots`` (int64, the features of the
places), or, in files of versions that kept the covariance itself, ``matrix`` (float64, its lower triangle
row by row) and ``matrix_slots``; examples that are kept add ``support_starts``, ``_slots``, ``_values``
(sparse rows) and ``_coefficients``; ``rounds_learned`` (int64) is the number of labelled rounds learned,
empty where it is not known; a rule over experts has lanes only, a panel ``member/K`` and ``rule``, a ranker
``base``, model files themselves (uint8), a batch predictor what `conversion.file` lists. The lanes of a
multiclass learner are laid out by feature, then by class, those of its scaling by feature; ``slots`` tells
which features have a row. Metadata: one key, ``noregret``, see `model_header`.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors import numpy as tensors

from noregret import __version__
from noregret.conversion.converted import Conversion
from noregret.conversion.file import KIND, batch_from, batch_state
from noregret.data.labels import Labels
from noregret.data.reading import Reading
from noregret.errors import BadCommand, BadInput, BadModel, BadType, reason
from noregret.experts.rule import ExpertRule
from noregret.linear.learner import LinearLearner
from noregret.linear.multiclass_learner import MulticlassLearner
from noregret.linear.ranking import PairwiseRanker
from noregret.model_header import FORMAT, KEY, canonical, checksum, metadata, require_checksum
from noregret.panel.auto import Auto
from noregret.panel.panel import Panel
from noregret.registry import learner as make_learner
from noregret.whole_file import write_whole

_PLAIN = {"names": np.uint8, "name_ends": np.int64, "far": np.int64}
# Of learners that keep the factors of a covariance, or kept it itself; and of those that keep examples.
_FACTORS = {"factors": np.float64, "factor_slots": np.int64}
_MATRIX = {"matrix": np.float64, "matrix_slots": np.int64}
_SUPPORTS = {
    "support_starts": np.int64,
    "support_slots": np.int64,
    "support_values": np.float64,
    "support_coefficients": np.float64,
}


def save(
    learner: Any,
    path: str | PathLike[str],
    *,
    labels: Labels | None = None,
    reading: Reading | None = None,
    complete: bool = True,
    experts: Sequence[str] | None = None,
) -> None:
    """Write a learner, or what `to_batch` made, to a file, whole or not at all.

    `reading` is how its data was read; `experts` are the names of those that a rule weighs.
    """
    told = to_bytes(learner, labels=labels, reading=reading, complete=complete, experts=experts)
    write_whole(Path(path), told)


def load(path: str | PathLike[str]) -> Any:
    """Read a learner from a file; it goes on exactly where it was. A batch predictor predicts as it did."""
    return open_model(path)[0]


def open_model(path: str | PathLike[str]) -> tuple[Any, dict[str, Any]]:
    """Read a learner and the metadata that was saved beside it."""
    where = Path(path)
    try:
        data = where.read_bytes()
    except OSError as problem:
        raise BadModel(f"{where}: {reason(problem)}") from None
    try:
        return from_bytes(data)
    except BadInput as problem:
        raise BadModel(f"{where}: {problem}") from None


def to_bytes(
    learner: Any,
    *,
    labels: Labels | None = None,
    reading: Reading | None = None,
    complete: bool = True,
    experts: Sequence[str] | None = None,
) -> bytes:
    """Give the bytes of a model file."""
    state, arrays = _described(learner)
    meta = {
        "format": FORMAT,
        "version": __version__,
        "learner": learner.learner if isinstance(learner, Conversion) else learner.spec,
        "features": state["kind"],
        "scalars": {k: None if math.isnan(v) else v for k, v in state["scalars"].items()},
        "labels": None if labels is None else labels.as_json(),
        "reading": None if reading is None else reading.as_json(),
        "complete": complete,
    }
    meta |= {key: state[key] for key in ("classes", "batch") if key in state}
    meta |= {} if experts is None else {"experts": list(experts)}
    return tensors.save(arrays, {KEY: canonical(meta | {"checksum": checksum(meta, arrays)})})


def _described(learner: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give what is told about anything that can be saved, and its tensors."""
    if isinstance(learner, Conversion):
        return batch_state(learner)
    if isinstance(learner, Panel):
        members, rule, vote_loss = learner.parts()
        files = {f"member/{k}": to_bytes(member) for k, member in enumerate(members)}
        return {"kind": "panel", "scalars": {"vote": vote_loss}}, _as_tensors(
            files | {"rule": to_bytes(rule)}
        )
    if isinstance(learner, PairwiseRanker):
        return {"kind": "ranker", "scalars": learner.scalars}, _as_tensors({"base": to_bytes(learner.base)})
    if isinstance(learner, LinearLearner | MulticlassLearner | ExpertRule):
        return _state(learner)
    raise BadType(
        f"a {type(learner).__name__} cannot be saved; what can is a linear or multiclass learner, a ranker, "
        "a panel, a rule over experts, and what to_batch makes of a learner"
    )


def _as_tensors(files: dict[str, bytes]) -> dict[str, Any]:
    return {key: np.frombuffer(file, dtype=np.uint8) for key, file in files.items()}


def _state(learner: LinearLearner | MulticlassLearner | ExpertRule) -> tuple[dict[str, Any], dict[str, Any]]:
    state = learner.state()
    arrays = {f"lane/{name}": lane for name, lane in state["lanes"].items()}
    return state, arrays | {key: state[key] for key in _plain(state, state)}


def from_bytes(data: bytes) -> tuple[Any, dict[str, Any]]:
    """Read what to_bytes wrote. Nothing in it is believed before it is checked."""
    meta = metadata(data)
    try:
        arrays = tensors.load(data)
    except (SafetensorError, ValueError, KeyError, TypeError) as problem:
        raise BadModel(f"it is damaged ({problem})") from None
    require_checksum(meta, arrays)
    if meta["features"] in ("panel", "ranker"):
        return (_panel if meta["features"] == "panel" else _ranker)(meta, arrays), meta
    if meta["features"] == KIND:
        return batch_from(meta, arrays), meta
    lanes = {key.removeprefix("lane/"): lane for key, lane in arrays.items() if key.startswith("lane/")}
    described = {"kind": meta["features"]} | ({"classes": meta["classes"]} if "classes" in meta else {})
    plain = _plain(described, arrays)
    expected = plain | {f"lane/{name}": np.float64 for name in lanes}
    for key, kind in expected.items():
        if key not in arrays or arrays[key].dtype != kind or arrays[key].ndim != 1:
            raise BadModel(f"it is damaged: {key} is missing or not what it should be")
    state = {
        **described,
        "scalars": {k: math.nan if v is None else float(v) for k, v in meta["scalars"].items()},
        "lanes": lanes,
        **{key: arrays[key] for key in plain},
    }
    try:
        learner = make_learner(meta["learner"])
    except BadCommand as problem:
        raise BadModel(f"its learner is not known here ({problem})") from None
    if ("classes" in meta) != isinstance(learner, MulticlassLearner):
        raise BadModel("its list of classes does not fit its learner")
    if not hasattr(learner, "restore"):
        raise BadModel("its learner does not fit its tensors")
    learner.restore(state)
    if len(meta.get("experts", [])) not in (0, getattr(learner, "n", 0)):
        raise BadModel("its list of experts does not fit its rule")
    return learner, meta


def _panel(meta: dict[str, Any], arrays: dict[str, Any]) -> Panel:
    """Put a panel together from its members and its rule."""
    keys = [f"member/{k}" for k in range(len(arrays) - 1)] + ["rule"]
    if (
        any(key not in arrays or arrays[key].dtype != np.uint8 for key in keys)
        or "vote" not in meta["scalars"]
    ):
        raise BadModel("it is damaged: a member of the panel, its rule or its count is missing")
    *members, rule = [_part(arrays[key].tobytes()) for key in keys]
    kind = Auto if meta["learner"] == Auto.name else Panel
    try:
        made = kind.of_parts(members, rule, float(meta["scalars"]["vote"]))
    except (BadCommand, BadType, TypeError) as problem:
        raise BadModel(f"its panel does not fit together ({problem})") from None
    if made.spec != meta["learner"]:
        raise BadModel("the members of its panel are not those that it names")
    return made


def _ranker(meta: dict[str, Any], arrays: dict[str, Any]) -> PairwiseRanker:
    """Put a ranker together from its base and what it counted."""
    if set(arrays) != {"base"} or arrays["base"].dtype != np.uint8:
        raise BadModel("it is damaged: the base of the ranker is missing")
    try:
        made = PairwiseRanker.of_parts(_part(arrays["base"].tobytes()), meta["scalars"])
    except (BadCommand, KeyError, TypeError, OverflowError) as problem:
        raise BadModel(f"its ranker does not fit together ({problem})") from None
    if made.spec != meta["learner"]:
        raise BadModel("the base of its ranker is not the one that it names")
    return made


def _part(data: bytes) -> Any:
    """Read a learner inside another; nothing that holds others is taken, so that no file goes on for ever."""
    if metadata(data)["features"] in ("panel", "ranker", KIND):
        raise BadModel("it has a panel, a ranker or what learns no more inside another")
    return from_bytes(data)[0]


def _plain(state: dict[str, Any], held: Container[str]) -> dict[str, Any]:
    """The tensors besides the lanes: features (not of a rule over experts), a matrix, examples, a count."""
    if state["kind"] == "experts":
        return {}
    matrix = (_FACTORS if "factors" in held else {}) | (_MATRIX if "matrix" in held else {})
    supports = _SUPPORTS if "support_starts" in held else {}
    rounds = {"rounds_learned": np.int64} if "rounds_learned" in held else {}  # not in the first files
    return _PLAIN | matrix | supports | rounds | ({"slots": np.int64} if "classes" in state else {})
