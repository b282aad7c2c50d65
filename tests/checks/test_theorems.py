"""The mission's own test: every theorem at its worst case and at random."""

import json

import pytest

import noregret as nr
from noregret.certificate import Verdict
from noregret.checks import theorems
from noregret.checks.committee import Committee
from noregret.checks.expert_games import SPECS
from noregret.cli.app import run
from noregret.errors import BadParameter
from noregret.registry import EXPERTS


def test_every_game_ends_as_its_theorem_says(tmp_path, capsys):
    assert run(["theorems", "--verify", "--json", str(tmp_path / "rows.json")]) == 0
    assert "as the theorem says" in capsys.readouterr().out
    rows = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert {"theorem", "source", "game", "observed", "bound", "verdict", "slack"} <= set(rows[0])
    assert all(row["verdict"] == "holds" and row["slack"] >= 0 for row in rows)
    names = {one.theorem for one in theorems.known()}
    for kind in ("worst", "random"):
        assert {row["theorem"] for row in rows if row["game"].startswith(f"{kind}: ")} == names
    assert all(one.statement and one.source and one.learner for one in theorems.known())
    slack = {row["theorem"]: row["slack"] for row in rows if row["game"].startswith("worst")}
    reached = (
        "Consistent",
        "Halving",
        "Halving (experts)",
        "Littlestone (SOA)",
        "Littlestone (lower bound)",
        "Cover",
        "Novikoff",
        "Mohri–Rostamizadeh",
        "Mohri–Rostamizadeh (classes)",
        "Mohri–Rostamizadeh (kernel)",
        "Shalev-Shwartz–Singer (PA-I)",
    )
    assert all(slack[name] == 0 for name in reached)
    assert slack["RandConsistent (exact)"] < 1e-12
    assert slack["Littlestone (disjunctions)"] < 2 and slack["Littlestone (any data)"] < 2
    assert slack["Mohri–Rostamizadeh (updates)"] < 1e-6
    assert max(slack[f"Kivinen–Warmuth ({form}, any data)"] for form in ("normalised", "balanced")) < 1e-3


def test_every_rule_over_experts_is_played():
    assert {spec.partition(":")[0] for spec in SPECS} == set(EXPERTS)


def test_a_wrong_learner_shows_up(monkeypatch):
    class Wrong(nr.Halving):
        def _vote(self, point):
            return not super()._vote(point)

    monkeypatch.setattr(theorems, "learner", lambda spec, H: Wrong("singletons:64"))
    game = theorems.Game(
        "Halving", "worst", "halving", lambda _: nr.WorstCase("singletons:64"), "singletons:64"
    )
    assert theorems._played(game, 0).verdict is Verdict.BROKEN


def test_a_committee_makes_linear_learners_err_every_time():
    ledger = nr.play(Committee("all:6", by="hypothesis"), nr.BalancedWinnow())
    assert ledger.mistakes == ledger.rounds == 6
    assert nr.play(Committee("all:1", by="constant", rounds=50), nr.Perceptron()).mistakes == 50
    with pytest.raises(BadParameter, match="hypothesis or constant"):
        Committee("all:2", by="magic")
