"""What `noregret inspect` says beside the weights: why a row got its prediction, what changed since."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

from noregret.certificate import counted
from noregret.cli.data_options import DataOptions, task_of
from noregret.cli.output import Output, table
from noregret.cli.testing import require_linear
from noregret.conversion.converted import Conversion
from noregret.data.compared import ComparedLabels
from noregret.errors import BadCommand, BadFile, BadInput
from noregret.linear.learner import flat
from noregret.linear.regression import WidrowHoff
from noregret.linear.ridge import Ridge
from noregret.model_file import open_model
from noregret.panel.panel import Panel
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
    _require_parts(learner)
    reads = DataOptions()
    labels = ComparedLabels(reads.labels(meta, task_of([learner])))
    stream = reads.open([path], reads.reading(meta), labels, need_label=False)
    batch = _row(stream, row, path)
    try:
        score = learner.score(batch.example(0))
        said = labels.write(learner.predict(batch.example(0)))
        parts, rest = contributions(learner, batch)
    except BadInput as bad:
        bad.where = batch.located(0)
        raise
    parts.sort(key=lambda part: -abs(part.contribution))
    output.say(f"{path}, row {row}: {learner.spec} says {said}, with a score of {score:.6g}")
    listed = table("", "feature", "value", "adds")
    for part in parts[:top]:
        listed.add_row(part.feature, f"{part.value:.6g}", f"{part.contribution:+.6g}")
    output.show(listed)
    shown = sum(part.contribution for part in parts[top:])
    if parts[top:]:
        more = len(parts) - top
        output.say(f"{more:,} more {'feature adds' if more == 1 else 'features add'} {shown:+.6g} together")
    if rest:
        output.say(f"what does not depend on a single feature (bias, threshold) adds {rest:+.6g}")
    told = {"row": row, "prediction": said, "score": score, "rest": rest}
    output.write(told | {"parts": [part._asdict() for part in parts]})


def _require_parts(learner: Any) -> None:
    """Refuse a learner whose score is no sum over the features of a row."""
    if learner.task == "multiclass" or not hasattr(learner, "weights") or isinstance(learner, Panel):
        raise BadCommand(f"--example takes the score of two classes or of a number apart, not {learner.spec}")
    if is_vote(learner):
        raise BadCommand(f"{learner.spec} predicts by a vote, which is no sum over features: no --example")


def is_vote(learner: Any) -> bool:
    """Whether several rules, or examples, decide together, so that no weights by feature make the score."""
    voters = learner.predictor.hypotheses if isinstance(learner, Conversion) else 1
    return voters > 1 or bool(getattr(learner, "keeps_examples", False))


def contributions(learner: Any, batch: Batch) -> tuple[list[Part], float]:
    """For each feature of the row its weight times its value as the rule sees it; and the bias, by itself.

    Both are what a row scores that has this feature alone, or none. A value alone in a row that is divided by
    its length would be 1 or −1, and counts for its share of the length.
    """
    entries: dict[Any, float] = {}
    for feature, value in batch.row(0):
        entries[feature] = entries.get(feature, 0.0) + value
    rule, factor = _sum_of_parts(learner, batch)
    nothing = rule.score(_only(batch, None))
    by_length = getattr(learner, "scale", "none") == "unit"
    length = math.hypot(*entries.values())
    parts = []
    for feature, value in entries.items():
        if value != 0.0 or getattr(learner, "counts_zeros", False):
            alone = rule.score(_only(batch, feature)) - nothing
            parts.append(
                Part(str(feature), value, factor * alone * (abs(value) / length if by_length else 1.0))
            )
    return parts, factor * nothing


def _sum_of_parts(learner: Any, batch: Batch) -> tuple[Any, float]:
    """A rule whose score is ⟨w, x⟩, and what the score of the learner is of that: ridge shrinks it."""
    if not isinstance(learner, Ridge):
        return learner, 1.0
    state = {key: value for key, value in learner.state().items() if not key.startswith("factor")}
    plain = WidrowHoff(bias=learner.bias, scale=learner.scale)
    plain.restore(state)
    whole = plain.score(batch.example(0))
    return plain, learner.score(batch.example(0)) / whole if whole else 1.0


def _only(batch: Batch, kept: Any) -> Any:
    """The row with one feature alone; with None, the empty row."""
    import numpy as np
    from scipy.sparse import csr_array

    alone = [(f, v) for f, v in batch.row(0) if f == kept]
    if batch.names is not None:
        return {str(f): sum(v for _, v in alone) for f, _ in alone}
    columns = np.array([f for f, _ in alone], dtype=np.int64)
    values = np.array([v for _, v in alone], dtype=np.float64)
    width = batch.width if batch.width >= 0 else 2**31 - 1
    return csr_array((values, columns, np.array([0, len(alone)])), shape=(1, width))


def _row(stream: Any, row: int, path: Path) -> Batch:
    before = 0
    for batch in stream.batches():
        if before + len(batch) >= row:
            found: Batch = batch.part(row - before - 1, row - before)
            return found
        before += len(batch)
    raise BadFile(f"{path} has {before:,} rows; --row {row} is not among them")


def biases(learner: Any) -> dict[str, float]:
    """The bias, or that of each class, as a line of a table is headed; none where there is none."""
    if not getattr(learner, "has_bias", False):  # what --to-batch made has none of its own
        return {}
    if isinstance(learner.intercept, dict):
        return {f"(bias of {one})": bias for one, bias in learner.intercept.items()}
    return {"(bias)": learner.intercept}


def compare(output: Output, learner: Any, other_path: Path, top: int) -> None:
    """Show the weights that differ most between two models."""
    other, _ = open_model(other_path)
    for one in (learner, other):
        if not hasattr(one, "initial_weight"):  # panels and rules over experts weigh others
            raise BadCommand(f"--diff compares weights by feature, and {one.spec} has none")
        if is_vote(one):
            raise BadCommand(f"{one.spec} predicts by a vote, which is no sum over features: no --diff")
    now, before = (flat(one.weights) | biases(one) for one in (learner, other))
    start = learner.initial_weight
    changes = {feature: (before.get(feature, start), now.get(feature, start)) for feature in {*now, *before}}
    moved = {feature: pair for feature, pair in changes.items() if pair[0] != pair[1]}
    largest = sorted(moved.items(), key=lambda item: (-abs(item[1][1] - item[1][0]), str(item[0])))[:top]
    output.say(
        f"since {other_path} ({other.spec}): {len(moved):,} of {counted(len(changes), 'weight')} moved"
    )
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
