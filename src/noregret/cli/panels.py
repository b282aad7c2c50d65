"""What commands show of a panel: its members, the best first."""

from __future__ import annotations

from typing import Any

from noregret.certificate import shown
from noregret.cli.output import Output, share, table
from noregret.errors import BadCommand
from noregret.panel.panel import Panel

FEW = 5  # members that are shown, and the baselines among them
BASELINES = ("majority", "last-label")


def panels(learners: list[Any]) -> list[Panel]:
    """Pick the panels."""
    return [one for one in learners if isinstance(one, Panel)]


def require_no_panel(learners: list[Any], option: str) -> None:
    """Refuse what is done for one learner by itself."""
    if panels(learners):
        raise BadCommand(
            f"{option} is for one learner and not for a panel; name one, as in --learner perceptron"
        )


def show_members(output: Output, panel: Panel, everyone: bool) -> None:
    """List the best members and the baselines, or everyone."""
    standings = panel.standings()
    account = panel.account()
    rounds = max(account.rounds, 1)
    output.say()
    output.say(
        f"{panel.name}: {shown(round(account.loss, 1))} mistakes expected when a member is drawn by weight, "
        f"which is what is certified; {shown(panel.vote_loss)} by the vote; "
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


def panel_as_json(panel: Any) -> dict[str, Any]:
    """Give what is special about a panel as plain data; nothing for another learner."""
    if not isinstance(panel, Panel):
        return {}
    account = panel.account()
    members = [
        {"member": one.member, "mistakes": one.mistakes, "weight": one.weight} for one in panel.standings()
    ]
    return {"expected_mistakes": account.loss, "best_mistakes": account.best_loss, "members": members}
