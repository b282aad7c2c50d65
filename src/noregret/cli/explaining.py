"""What `noregret inspect` says beside the weights: why a row got its prediction, what changed since."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from noregret.cli.data_options import DataOptions, task_of
from noregret.cli.output import Output, table
from noregret.cli.testing import require_linear
from noregret.converted import Conversion
from noregret.data.compared import ComparedLabels
from noregret.errors import BadCommand, BadFile
from noregret.linear.learner import flat
from noregret.model_file import open_model
from noregret.rounds import Batch


class Part(NamedTuple):
    """What a feature of a row adds to its score."""

    feature: str
    value: float
    contribution: float


def explain(output: Output, learner: Any, meta: dict[str, Any], path: Path, row: int, top: int) -> None:
    """Take the score of one row apart, feature by feature."""
    if not isinstance(learner, Conversion):
        require_linear(learner)
    if learner.task == "multiclass" or not hasattr(learner, "weights"):
        raise BadCommand(f"--example takes the score of two classes or of a number apart, not {learner.spec}")
    reads = DataOptions()
    labels = ComparedLabels(reads.labels(meta, task_of([learner])))
    stream = reads.open([path], reads.reading(meta), labels, need_label=False)
    batch = _row(stream, row, path)
    score = learner.score(batch.example(0))
    said = labels.write(learner.predict(batch.example(0)))
    parts = sorted(contributions(learner, batch), key=lambda part: -abs(part.contribution))
    output.say(f"{path}, row {row}: {learner.spec} says {said}, with a score of {score:.6g}")
    listed = table("", "feature", "value", "adds")
    for part in parts[:top]:
        listed.add_row(part.feature, f"{part.value:.6g}", f"{part.contribution:+.6g}")
    output.show(listed)
    rest = score - sum(part.contribution for part in parts)
    shown = sum(part.contribution for part in parts[top:])
    if parts[top:]:
        output.say(f"{len(parts) - top:,} more features add {shown:+.6g} together")
    if abs(rest) > 1e-9 * max(abs(score), 1.0):
        output.say(f"what does not depend on a single feature (bias, threshold) adds {rest:+.6g}")
    output.write(
        {"row": row, "prediction": said, "score": score, "parts": [part._asdict() for part in parts]}
    )


def contributions(learner: Any, batch: Batch) -> list[Part]:
    """For each feature of the row, how the score falls when it is left out."""
    entries: dict[Any, float] = {}
    for feature, value in batch.row(0):
        entries[feature] = entries.get(feature, 0.0) + value
    whole = learner.score(batch.example(0))
    return [
        Part(str(feature), value, whole - learner.score(_without(batch, feature)))
        for feature, value in entries.items()
        if value != 0.0
    ]


def _without(batch: Batch, left_out: Any) -> Any:
    """The row with one feature at 0, which is the same as absent."""
    import numpy as np
    from scipy.sparse import csr_array

    kept = [(f, v) for f, v in batch.row(0) if f != left_out]
    if any(isinstance(f, str) for f, _ in batch.row(0)):
        named: dict[str, float] = {}
        for f, v in kept:
            named[str(f)] = named.get(str(f), 0.0) + v
        return named
    columns = np.array([f for f, _ in kept], dtype=np.int64)
    width = max(batch.width, int(columns.max(initial=-1)) + 1, 1)
    values = np.array([v for _, v in kept], dtype=np.float64)
    return csr_array((values, columns, np.array([0, len(kept)])), shape=(1, width))


def _row(stream: Any, row: int, path: Path) -> Batch:
    before = 0
    for batch in stream.batches():
        if before + len(batch) >= row:
            found: Batch = batch.part(row - before - 1, row - before)
            return found
        before += len(batch)
    raise BadFile(f"{path} has {before:,} rows; --row {row} is not among them")


def compare(output: Output, learner: Any, other_path: Path, top: int) -> None:
    """Show the weights that differ most between two models."""
    other, _ = open_model(other_path)
    for one in (learner, other):
        if not hasattr(one, "weights") or isinstance(one.weights, list):
            raise BadCommand(f"--diff compares weights by feature, and {one.spec} has none")
    now, before = flat(learner.weights), flat(other.weights)
    start = learner.initial_weight
    changes = {feature: (before.get(feature, start), now.get(feature, start)) for feature in {*now, *before}}
    moved = {feature: pair for feature, pair in changes.items() if pair[0] != pair[1]}
    largest = sorted(moved.items(), key=lambda item: (-abs(item[1][1] - item[1][0]), str(item[0])))[:top]
    output.say(f"since {other_path} ({other.spec}): {len(moved):,} of {len(changes):,} weights moved")
    listed = table("", "feature", "before", "now", "change")
    for feature, (old, new) in largest:
        listed.add_row(str(feature), f"{old:.6g}", f"{new:.6g}", f"{new - old:+.6g}")
    output.show(listed)
    output.write(
        {
            "learner": learner.spec,
            "before": other.spec,
            "moved": len(moved),
            "changes": [{"feature": f, "before": old, "now": new} for f, (old, new) in largest],
        }
    )
