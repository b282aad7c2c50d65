"""What commands show of a panel: its members, the best first."""

from __future__ import annotations

from typing import Any

from noregret.certificate import shown
from noregret.cli.output import Output, share, table
from noregret.errors import BadCommand
from noregret.ledger import Ledger
from noregret.panel.panel import LATE, Panel

FEW = 5  # members that are shown, and the baselines among them
BASELINES = ("majority", "last-label")


def panels(learners: list[Any]) -> list[Panel]:
    """Pick the panels."""
    return [one for one in learners if isinstance(one, Panel)]


def require_panel(learners: list[Any], lag: int) -> None:
    """Refuse --save-best where nobody is known to be the best."""
    if not panels(learners):
        raise BadCommand("--save-best saves the best member of a panel; for a learner by itself use --save")
    if lag:
        raise BadCommand(
            "--save-best needs the mistakes of each member, which --lag leaves unknown; use --save"
        )


def require_no_panel(learners: list[Any], option: str) -> None:
    """Refuse what is done for one learner by itself."""
    if panels(learners):
        raise BadCommand(
            f"{option} is for one learner and not for a panel; name one, as in --learner perceptron"
        )


def show_members(output: Output, panel: Panel, ledger: Ledger, everyone: bool, certified: bool) -> None:
    """List the best members and the baselines, or everyone; where labels came late, say why nobody is."""
    output.say()
    if ledger.lag:
        output.say(f"{panel.name}: {LATE}")
        return
    standings = panel.standings()
    account = panel.account()
    rounds = max(account.rounds, 1)
    told = ", which is what is certified" if certified else ""
    output.say(
        f"{panel.name}: {shown(round(account.loss, 1))} mistakes expected when a member is drawn by weight"
        f"{told}; {shown(panel.vote_loss)} by the vote; "
        f"{shown(account.best_loss)} by the best member"
    )
    listed = table("", "member", "mistakes", "rate", "weight")
    for k, one in enumerate(standings):
        if everyone or k < FEW or one.member in BASELINES:
            listed.add_row(one.member, shown(one.mistakes), share(one.mistakes / rounds), share(one.weight))
    output.show(listed)
    left = len(standings) - listed.row_count
    if left:
        output.say(f"and {left} more: --all-members lists them")


def panel_as_json(panel: Any, late: Ledger | None = None) -> dict[str, Any]:
    """Give what is special about a panel as plain data; nothing for another learner.

    Of a run whose labels came late there is what was lost then, and nothing about each member's mistakes.
    """
    if not isinstance(panel, Panel):
        return {}
    if late is not None:
        unknown = [{"member": one, "mistakes": None, "weight": w} for one, w in panel.weights.items()]
        return {"expected_mistakes": late.loss, "best_mistakes": None, "members": unknown}
    account = panel.account()
    members = [
        {"member": one.member, "mistakes": one.mistakes, "weight": one.weight} for one in panel.standings()
    ]
    return {"expected_mistakes": account.loss, "best_mistakes": account.best_loss, "members": members}
