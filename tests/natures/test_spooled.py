"""Streams that can be read only once: kept in a temporary file, so that their runs can be certified."""

import numpy as np
import pytest

import noregret as nr
from noregret.natures.spooled import Spooled


class Once:
    """A stream of batches that are gone when they were read."""

    replayable = False

    def __init__(self, stream, size):
        self.left = [
            batch.part(k, min(k + size, len(batch)))
            for batch in stream.batches()
            for k in range(0, len(batch), size)
        ]

    def batches(self):
        while self.left:
            yield self.left.pop(0)


def noisy(rows=500, **more):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(rows, 4)) * (rng.random((rows, 4)) < 0.7)
    return nr.from_arrays(X, np.where(X[:, 0] + rng.normal(size=rows) > 0, 1, -1), **more)


def test_a_stream_that_is_read_once_is_certified_as_if_it_had_been_kept():
    once = nr.certify(nr.play(Once(noisy(), 64), nr.Perceptron(), replay=True))
    assert once == nr.certify(nr.play(noisy(), nr.Perceptron())) and once[1].verdict == "holds"
    silent = nr.certify(nr.play(Once(noisy(), 64), nr.Perceptron()))
    assert {one.verdict for one in silent} == {"silent"} and "were not kept" in silent[0].reason


def test_what_is_kept_is_what_was_read(tmp_path):
    weights = np.linspace(0.5, 2.0, 500)
    stream = noisy(weights=weights, names=["a", "b", "c", "d"])
    spooled = Spooled(Once(stream, 77))
    first, second = list(spooled.batches()), list(spooled.batches())
    assert len(first) == len(second) == 7
    for one, other in zip(first, second, strict=True):
        assert [one.row(r) for r in range(len(one))] == [other.row(r) for r in range(len(other))]
        assert np.array_equal(one.labels, other.labels) and np.array_equal(one.weights, other.weights)


def test_a_run_over_the_first_rounds_reads_no_further():
    stream = Once(noisy(), 50)
    ledger = nr.play(stream, nr.Perceptron(), rounds=120, replay=True)
    left = len(stream.left)
    assert nr.certify(ledger)[1].verdict == "holds" and len(stream.left) == left > 0


def test_beyond_the_limit_the_certificate_says_why_it_is_silent():
    spooled = Spooled(Once(noisy(), 64), limit=1e-6)
    ledger = nr.play(spooled, nr.Perceptron())
    assert ledger.rounds == 500
    reasons = {one.reason for one in nr.certify(ledger)}
    assert len(reasons) == 1 and "take more than 1e-06 GB" in reasons.pop()


def test_a_disk_that_is_full_costs_the_certificate_and_not_the_run(monkeypatch):
    class Full:
        def write(self, _):
            raise OSError(28, "No space left on device")

        def close(self):
            pass

    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_: Full())
    ledger = nr.play(Once(noisy(), 64), nr.Perceptron(), replay=True)
    assert ledger.rounds == 500 and "no space left" in nr.certify(ledger)[0].reason.lower()


@pytest.mark.parametrize("options", [[], ["--shuffle", "3"], ["--lag", "4"]])
def test_a_pipe_is_certified(options, tmp_path, monkeypatch, capsys):
    import io

    from noregret.cli.app import run

    rows = b"".join(b"%d 1:%d 2:%d\n" % (1 if k % 3 else -1, k % 3, 1 + k % 5) for k in range(300))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(rows)))
    assert run(["run", "-", "-l", "perceptron", *options]) == 0
    assert "holds" in capsys.readouterr().out
