"""Streams that come in pieces of a chosen size, and streams that are not what they were when they are read again."""

import numpy as np

import noregret as nr


class Pieces:
    """A stream in batches of `size` rows."""

    def __init__(self, stream, size):
        self.stream, self.size = stream, size

    def batches(self):
        for batch in self.stream.batches():
            for begin in range(0, len(batch), self.size):
                yield batch.part(begin, min(begin + self.size, len(batch)))

    def __getattr__(self, name):
        if name == "stream":
            raise AttributeError(name)
        return getattr(self.stream, name)


class Changing:
    """A stream that gives other rounds once it has been read."""

    def __init__(self, first, then):
        self.first, self.then, self.readings = first, then, 0

    def batches(self):
        self.readings += 1
        yield from (self.first if self.readings == 1 else self.then).batches()


def binary(rounds=300, seed=0, noise=1.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 4))
    return nr.from_arrays(X, np.where(X[:, 0] + noise * rng.normal(size=rounds) > 0, 1.0, -1.0))


def several(rounds=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rounds, 4))
    return nr.from_arrays(X, np.argmax(X[:, :3] + 0.5 * rng.normal(size=(rounds, 3)), axis=1))


def numbers(rounds=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1.0, 1.0, size=(rounds, 4))
    return nr.from_arrays(X, X @ [1.0, -2.0, 0.5, 0.0] + 0.1 * rng.normal(size=rounds))


def bits(rounds=300, seed=0):
    return nr.disjunction(20, 2, rounds, seed)


STREAMS = {"binary": binary, "multiclass": several, "regression": numbers}


def stream_for(spec, **options):
    """Rounds that a learner takes."""
    if spec.startswith("winnow"):
        return bits(**options)
    if spec.startswith("prank"):
        return nr.from_arrays(numbers(**options).matrix, 1.0 + np.arange(options.get("rounds", 300)) % 3)
    return STREAMS[nr.learner(spec).task](**options)
