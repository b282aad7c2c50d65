"""The experts of the agnostic learner, many at a time.

An expert is a set of at most d rounds in which it contradicts SOA. What it says next depends on its
version space, on how many of its rounds are behind it, and on whether the round that comes is one
of them. So experts are counted instead of listed: a row for each version space, a column for each
number of contradictions, and in it the logarithm of the summed weights of the pasts that lead there.
Each past is continued by F(n, m) = Σ C(n, j), j ≤ m, experts when n rounds are left and m contradictions.
"""

from __future__ import annotations

import copy
import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noregret import _core
from noregret.errors import BadParameter
from noregret.hypotheses.classes import FiniteClass
from noregret.hypotheses.pickled import labels_of, space_of
from noregret.hypotheses.soa import optimal_label
from noregret.rounds import Floats

MOST_CELLS = 1 << 32  # version spaces × hypotheses: half a gigabyte of bits, kept twice


def expert_count(rounds: int, depth: int) -> int:
    """E = Σ C(T, i), i ≤ d."""
    return sum(math.comb(rounds, i) for i in range(depth + 1))


class _Moves(NamedTuple):
    """For one point and every version space: what SOA says, and where either answer leads."""

    votes: NDArray[np.bool_]
    agree: NDArray[np.int64]
    contradict: NDArray[np.int64]


class StandardExperts:
    """All experts of a class for T rounds, with their weights."""

    def __init__(self, hypotheses: FiniteClass, rounds: int) -> None:
        """Start with one version space, the whole class, and all experts in it."""
        self.hypotheses = hypotheses
        self.left = rounds
        self._search = _core.Search(hypotheses.core)
        every = _core.VersionSpace(hypotheses.core)
        self.depth = self._search.littlestone(every, None, None)[0]
        self._spaces = [every]
        self._places = {every.key(): 0}
        self._moves: dict[tuple[int, int], tuple[bool, int, int]] = {}
        self._weights = np.full((1, self.depth + 1), -np.inf)
        self._weights[0, 0] = 0.0

    @property
    def spaces(self) -> int:
        """How many version spaces there are now."""
        return int(np.count_nonzero(np.isfinite(self._weights).any(axis=1)))

    def chance(self, point: int) -> float:
        """The share of the weight that says 1."""
        moves = self._moves_at(point)
        agreeing, contradicting = self._masses()
        top = max(float(agreeing.max()), float(contradicting.max()))
        for_vote, against = np.exp(agreeing - top).sum(axis=1), np.exp(contradicting - top).sum(axis=1)
        one = float(np.where(moves.votes, for_vote, against).sum())
        zero = float(np.where(moves.votes, against, for_vote).sum())
        return one / (one + zero)

    def learn(self, point: int, label: int, rate: float) -> None:
        """Take weight from the experts that erred and move all to their new version spaces."""
        moves = self._moves_at(point)
        wrong = (moves.votes != bool(label))[:, None]
        kept = self._weights - np.where(wrong, rate, 0.0)
        turned = self._weights[:, :-1] - np.where(wrong, 0.0, rate)
        fresh = np.full((len(self._spaces), self.depth + 1), -np.inf)
        np.logaddexp.at(fresh, moves.agree, kept)
        np.logaddexp.at(fresh[:, 1:], moves.contradict, turned)
        self._weights = fresh - fresh.max()
        self.left -= 1

    def clone(self) -> StandardExperts:
        """Copy the weights; the version spaces themselves never change."""
        twin = copy.copy(self)
        twin._search = _core.Search(self.hypotheses.core)
        twin._spaces, twin._places, twin._moves = list(self._spaces), dict(self._places), dict(self._moves)
        twin._weights = self._weights.copy()
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """Let pickle carry it, the version spaces as labels."""
        spaces = [labels_of(space, self.hypotheses.points) for space in self._spaces]
        return self.__dict__ | {"_search": None, "_spaces": spaces}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Become what was pickled."""
        self.__dict__.update(state)
        self._search = _core.Search(self.hypotheses.core)
        self._spaces = [space_of(self.hypotheses.core, labels) for labels in state["_spaces"]]

    def _masses(self) -> tuple[Floats, Floats]:
        """The logarithms of the weights of those who agree with SOA in this round, and of the others."""
        counts = [expert_count(self.left - 1, self.depth - used) for used in range(self.depth + 1)]
        futures = np.array([math.log(count) for count in counts])
        contradicting = np.full_like(self._weights, -np.inf)
        contradicting[:, :-1] = self._weights[:, :-1] + futures[1:]
        return self._weights + futures, contradicting

    def _moves_at(self, point: int) -> _Moves:
        """Look up or work out the moves of every version space that has weight."""
        alive = np.isfinite(self._weights).any(axis=1)
        count = len(alive)
        moves = _Moves(np.zeros(count, bool), np.zeros(count, np.int64), np.zeros(count, np.int64))
        for place in np.flatnonzero(alive).tolist():
            found = self._moves.get((place, point)) or self._find(place, point)
            moves.votes[place], moves.agree[place], moves.contradict[place] = found
        grown = len(self._spaces) - count
        if grown:  # version spaces met for the first time have no weight yet
            self._weights = np.vstack([self._weights, np.full((grown, self.depth + 1), -np.inf)])
            moves = _Moves(*(np.concatenate([one, np.zeros(grown, one.dtype)]) for one in moves))
        return moves

    def _find(self, place: int, point: int) -> tuple[bool, int, int]:
        vote = optimal_label(self._search, self._spaces[place], point)
        found = (vote, self._place(place, point, vote), self._place(place, point, not vote))
        self._moves[place, point] = found
        return found

    def _place(self, place: int, point: int, label: bool) -> int:
        """The number of a version space; equal ones have the same."""
        part = copy.copy(self._spaces[place])
        part.restrict(point, label)
        key = part.key()
        if key not in self._places:
            if len(self._spaces) * self.hypotheses.size >= MOST_CELLS:
                raise BadParameter(
                    f"the experts have {len(self._spaces):,} version spaces of {self.hypotheses.size:,} "
                    f"hypotheses, which is all that fits; play fewer rounds or a smaller class"
                )
            self._places[key] = len(self._spaces)
            self._spaces.append(part)
        return self._places[key]
