"""The fuzz of certificates runs, and what it is there to find it finds and makes small."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import noregret as nr

SCRIPTS = Path(__file__).parents[1] / "scripts"


@pytest.fixture
def fuzz(monkeypatch):
    """The modules of the fuzz."""
    monkeypatch.syspath_prepend(SCRIPTS)
    from certificate_fuzz import games, learner_games, risk_games, rule_games

    return {"games": games, "learner": learner_games, "risk": risk_games, "rule": rule_games}


@pytest.fixture
def game(fuzz):
    """A plain game of twelve rounds."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((12, 3))
    made = fuzz["learner"].LearnerGame
    return made("ogd:rate=2.0", X, np.sign(X[:, 0]).tolist(), weights=np.ones(12), form="names", lag=0)


def test_it_runs_and_counts_theorems():
    command = [sys.executable, SCRIPTS / "fuzz_certificates", "--only", "rule", "--certificates", "200"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "theorems that never held" in done.stdout and "failures: 0 of 0 kinds" in done.stdout


def test_a_name_that_is_not_there_is_refused():
    command = [sys.executable, SCRIPTS / "fuzz_certificates", "--only", "nobody"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 2 and "noregret learners" in done.stderr


def test_a_broken_certificate_is_found_and_its_game_made_small(fuzz, game, monkeypatch):
    certify = nr.certify

    def broken_from_three_rounds_on(ledger, witness=None):
        found = certify(ledger, witness)
        if ledger.rounds < 3:
            return found
        return [replace(one, verdict=nr.Verdict.BROKEN) for one in found]

    monkeypatch.setattr(nr, "certify", broken_from_three_rounds_on)
    assert [problem.key for problem in game.play().problems] == [("BROKEN", "Zinkevich")]
    small = fuzz["games"].smallest(game, ("BROKEN", "Zinkevich"))
    assert len(small.y) == 3 and small.X.shape[1] == 1 and small.spec == "ogd"
    assert small.circumstances() == "plain"


def test_the_printed_code_plays_the_same_game(game, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    game = replace(game, verified=True, carried="saved and loaded")
    told = [str(one) for one in game.play().certificates]
    exec(game.code(), {})
    assert capsys.readouterr().out.splitlines() == told


def test_an_exception_that_is_not_the_librarys_is_a_problem(game, monkeypatch):
    def fails(ledger, witness=None):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(nr, "certify", fails)
    assert [problem.what for problem in game.play().problems] == ["exception ZeroDivisionError"]


def test_a_bound_that_holds_by_rounding_only_is_found(fuzz, monkeypatch):
    game = fuzz["rule"].RuleGame("hedge", np.array([[0.0, 1.0], [1.0, 0.0]] * 4), exact=True)
    assert game.play().problems == []
    certify = nr.certify
    monkeypatch.setattr(
        nr, "certify", lambda run: [replace(one, bound=one.observed / 2) for one in certify(run)]
    )
    assert "HOLDS though exceeded in fractions" in {problem.what for problem in game.play().problems}


@pytest.mark.parametrize(
    ("exceeded", "fails"), [(0, False), (60, False), (75, False), (150, True), (1000, True)]
)
def test_counts_beyond_chance_are_failures(fuzz, exceeded, fails):
    tally, claim = fuzz["risk"].Tally(), fuzz["risk"].Claim
    for k in range(1000):
        tally.add(claim("fresh", "voted", k < exceeded, 0.05, ""), "here")
    assert (tally.chance < fuzz["risk"].CHANCE) == fails


def test_chances_of_counts(fuzz):
    tally, claim = fuzz["risk"].Tally(), fuzz["risk"].Claim
    for exceeded in (True, True, False):
        tally.add(claim("fresh", "voted", exceeded, 0.5, ""), "here")
    assert tally.chance == pytest.approx(0.5)
    tally.add(claim("fresh", "voted", True, 0.25, ""), "here")
    assert 0.2 < tally.chance < 1.0
