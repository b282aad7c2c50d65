"""What `noregret experts --model` goes on with: a rule, and the experts that its weights belong to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from noregret.cli.forecasts import Forecasts
from noregret.errors import BadCommand
from noregret.experts.losses import Loss
from noregret.model_file import open_model


def load_rule(path: Path, given: list[str] | None) -> tuple[Any, list[str] | None]:
    """Read a rule, and name its experts in its own order, wherever their columns stand now.

    A file that `nr.save` wrote names none: then they are those that are `given`.
    """
    rule, meta = open_model(path)
    saved: list[str] | None = meta.get("experts")
    if saved is None:
        return rule, given
    if given is not None and sorted(given) != sorted(saved):
        raise BadCommand(
            f"{path}: {rule.spec} weighs {', '.join(saved)}, and --experts says {', '.join(given)}; "
            "leave that out"
        )
    return rule, saved


def require_fit(path: Path, rule: Any, data: Forecasts, loss: Loss) -> None:
    """Refuse a rule that weighs another number of experts, or learned with another loss."""
    n = len(data.names)
    if getattr(rule, "n", None) != n:
        told = f"{rule.spec} weighs {getattr(rule, 'n', 'no')} experts"
        raise BadCommand(f"{path}: {told}, and the file has {n}: {', '.join(data.names)}")
    if rule.only_loss is None and rule.loss != loss:
        saved = rule.loss.text
        raise BadCommand(f"{path}: {rule.spec} learned with loss {saved}; add --loss {saved}")
