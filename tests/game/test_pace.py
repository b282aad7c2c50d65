"""A batch is played in parts that take a moment each, and nothing but its length changes by that."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import numpy as np
import pytest

import noregret as nr
from noregret.errors import BadInput, Stopped
from noregret.game import pace
from noregret.rounds import Batch


def _batch(rounds: int, consumed: int = 0) -> Batch:
    return Batch(np.ones((rounds, 1)), np.ones(rounds), width=1, consumed=consumed)


def _parts(batches: list[Batch], seconds: float, monkeypatch: pytest.MonkeyPatch) -> Iterator[Batch]:
    """Play as somebody who takes so long for a round."""
    now = 0.0
    monkeypatch.setattr(pace.time, "perf_counter", lambda: now)
    for part in pace.paced(iter(batches)):
        yield part
        now += seconds * len(part)


def test_the_slow_are_given_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [len(part) for part in _parts([_batch(3000), _batch(500)], 0.001, monkeypatch)]
    assert sizes[:3] == [pace.FIRST, 200, 200]
    assert sum(sizes) == 3500


def test_the_slowest_are_given_one_round_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [len(part) for part in _parts([_batch(pace.FIRST + 3)], 10.0, monkeypatch)]
    assert sizes == [pace.FIRST, 1, 1, 1]


def test_the_fast_are_given_whole_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    batches = [_batch(100_000), _batch(0), _batch(50_000)]
    sizes = [len(part) for part in _parts(batches, 1e-7, monkeypatch)]
    assert sizes == [pace.FIRST, 100_000 - pace.FIRST, 50_000]


def test_what_was_read_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = list(_parts([_batch(2500, consumed=999), _batch(700, consumed=1001)], 0.001, monkeypatch))
    assert sum(part.consumed for part in parts) == 2000
    assert all(part.consumed > 0 for part in parts)


def test_ctrl_c_waits_for_a_part_and_not_for_the_batch() -> None:
    stream = nr.from_arrays(np.eye(5000)[:, :50], -np.ones(5000))
    learner = nr.Perceptron()
    with pytest.raises(Stopped) as stopped:
        nr.play_all(stream, [learner], watch=lambda *_: os.kill(os.getpid(), signal.SIGINT))
    assert stopped.value.ledgers[0].rounds == pace.FIRST


def test_a_bad_row_is_called_by_its_number_in_the_stream() -> None:
    rounds = [({"a": 1.0 if k != 2500 else float("nan")}, -1) for k in range(3000)]
    with pytest.raises(BadInput, match="row 2500: feature 'a' is nan"):
        nr.play(nr.from_rounds(rounds), nr.Perceptron())
