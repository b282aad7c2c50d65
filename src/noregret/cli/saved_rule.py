"""A saved rule that goes on: the rule itself, and the columns whose advice it weighs."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from noregret.cli.data_options import listed
from noregret.errors import BadCommand
from noregret.experts.losses import Loss
from noregret.model_file import open_model


class SavedRule(NamedTuple):
    """A rule out of a file; the names of its experts are known if it learned from a table."""

    path: Path
    rule: Any
    experts: list[str] | None

    def require_fit(self, names: list[str], loss: Loss) -> None:
        """Refuse a table of other experts, and another loss than the rule's own."""
        n = getattr(self.rule, "n", None)
        if n != len(names):
            told = f"{self.rule.spec} weighs {n or 'no'} experts"
            raise BadCommand(f"{self.path}: {told}, and the file has {len(names)}: {', '.join(names)}")
        if self.rule.only_loss is None and self.rule.loss != loss:
            saved = self.rule.loss.text
            raise BadCommand(f"{self.path}: {self.rule.spec} learned with loss {saved}; add --loss {saved}")


def open_rule(path: Path | None) -> SavedRule | None:
    """Read the rule that goes on, if any does."""
    if path is None:
        return None
    rule, meta = open_model(path)
    return SavedRule(path, rule, meta.get("experts"))


def chosen_experts(given: str | None, saved: SavedRule | None) -> list[str] | None:
    """The columns to read: those given, else those that a saved rule weighs, in its order, wherever they are.

    Other names than the saved ones take their places one by one; the same names in another order would be
    a slip that nobody sees.
    """
    names = None if given is None else listed("experts", [given])
    known = None if saved is None else saved.experts
    if names is None or saved is None or known is None:
        return names or known
    if names != known and sorted(names) == sorted(known):
        raise BadCommand(f"{saved.path} weighs {', '.join(known)}, in this order; leave out --experts")
    return names
