"""One pass over six files, mistakes counted: `auto`, which has nothing to tune, against tuned peers.

The peers are Vowpal Wabbit, River's logistic regression behind its standard scaler on dense dicts, and
scikit-learn's SGDClassifier, each at its best of five settings: predict, then learn. `auto` may err as often
as the best of them and 5% more, or 2√best more where that is larger. The members of `auto` were chosen with
these six files and Elec2 in view, so the table shows that one panel is enough for all of them; it does not
show how it would fare on a seventh. The folder of data files is the environment variable NOREGRET_DATA.
All of it takes some minutes, most of them River's; peers that are not installed are passed over, aloud.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from side_by_side import print_table

import noregret as nr
from noregret.natures.arrays import ArrayStream

FILES = {
    "a9a": "a9a",
    "w8a": "w8a",
    "ijcnn1": "ijcnn1.gz",
    "rcv1_small": "rcv1_small.libsvm",
    "agaricus": "agaricus.train",
    "spambase": "spambase.libsvm",
}
SHUFFLED = {"w8a": 7}  # sorted by class: played in a random order, drawn with this seed
RATES = (0.001, 0.01, 0.05, 0.2, 1.0)
VW = ("-l 0.05", "-l 0.2", "-l 0.5", "-l 2", "--loss_function hinge -l 0.5")


def main() -> None:
    """Play every file, print the table."""
    options = _options()
    rows = [
        ("file", "rows", "peer", "its mistakes", "auto, expected", "its vote", "best member", "allowed", "")
    ]
    for name in options.files or FILES:
        stream = load(name)
        peers = dict(_peers(stream))
        peer = min(peers, key=lambda one: peers[one])
        print(name, *(f"{one} {mistakes:,}" for one, mistakes in peers.items()), sep="; ", flush=True)
        panel = nr.learner("auto")
        ledger = nr.play(stream, panel)
        allowed = peers[peer] + max(0.05 * peers[peer], 2.0 * math.sqrt(peers[peer]))
        verdict = "met" if ledger.loss <= allowed else "MISSED"
        best = panel.standings()[0]
        counts = (
            f"{peers[peer]:,}",
            f"{ledger.loss:,.1f}",
            f"{ledger.mistakes:,}",
            f"{best.mistakes:,.0f} {best.member}",
        )
        rows.append((name, f"{ledger.rounds:,}", peer, *counts, f"{allowed:,.0f}", verdict))
    print_table(rows)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "files",
        nargs="*",
        choices=[*FILES, []],  # none at all is one of the choices
        metavar="FILE",
        help=f"some of {', '.join(FILES)} (default: all)",
    )
    return parser.parse_args()


def load(name: str) -> ArrayStream:
    """Read a file of the data folder whole."""
    folder = os.environ.get("NOREGRET_DATA")
    if folder is None:
        raise SystemExit("set NOREGRET_DATA to the folder of data files")
    batches = list(nr.read([Path(folder) / FILES[name]]).batches())
    from scipy.sparse import csr_array, vstack

    width = 1 + max(int(batch.indices.max()) for batch in batches)
    parts = [csr_array((b.values, b.indices, b.starts), shape=(len(b), width)) for b in batches]
    stream = nr.from_arrays(vstack(parts, format="csr"), np.concatenate([b.labels for b in batches]))
    return nr.shuffled(stream, SHUFFLED[name]) if name in SHUFFLED else stream


def _peers(stream: ArrayStream) -> Iterator[tuple[str, int]]:
    tried: list[Callable[[ArrayStream], Iterator[tuple[str, int]]]] = [_sklearn, _vowpal_wabbit, _river]
    for peer in tried:
        try:
            yield from peer(stream)
        except ImportError as missing:
            print(f"passed over: {missing}")


def _rows(stream: ArrayStream) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float64], float]]:
    X = stream.matrix
    for r, y in enumerate(stream.labels.tolist()):
        span = slice(int(X.indptr[r]), int(X.indptr[r + 1]))
        yield X.indices[span], X.data[span], y


def _sklearn(stream: ArrayStream) -> Iterator[tuple[str, int]]:
    """Ten rows at a time: predict them, then learn them; a row at a time takes ten times as long."""
    from sklearn.linear_model import SGDClassifier

    X, y = stream.matrix, stream.labels
    for rate in RATES:
        model = SGDClassifier(loss="log_loss", learning_rate="constant", eta0=rate, alpha=1e-7, shuffle=False)
        mistakes = 0
        for begin in range(0, len(y), 10):
            part, told = X[begin : begin + 10], y[begin : begin + 10]
            said = model.predict(part) if begin else np.ones(len(told))
            mistakes += int(np.sum(said != told))
            model.partial_fit(part, told, classes=[-1.0, 1.0])
        yield f"scikit-learn, η {rate:g}", mistakes


def _vowpal_wabbit(stream: ArrayStream) -> Iterator[tuple[str, int]]:
    from vowpalwabbit import Workspace

    for setting in VW:
        loss = "" if "loss_function" in setting else "--loss_function logistic"
        model = Workspace(f"--quiet {loss} {setting}")
        mistakes = 0
        for slots, values, y in _rows(stream):
            features = " ".join(f"{s}:{v:.9g}" for s, v in zip(slots.tolist(), values.tolist(), strict=True))
            example = model.parse(f"{y:g} | {features}")
            mistakes += (1.0 if model.predict(example) >= 0.0 else -1.0) != y
            model.learn(example)
            model.finish_example(example)
        model.finish()
        yield f"Vowpal Wabbit {setting}", mistakes


def _river(stream: ArrayStream) -> Iterator[tuple[str, int]]:
    """Five models behind one scaler, which sees a row as it would before each of them alone.

    A feature that is 0 in every row is left out: its scaled value is 0 throughout.
    """
    from river import linear_model, optim, preprocessing

    scaler: Any = preprocessing.StandardScaler()
    models: list[Any] = [linear_model.LogisticRegression(optim.SGD(rate)) for rate in RATES]
    mistakes = [0] * len(models)
    absent = dict.fromkeys(np.unique(stream.matrix.indices).tolist(), 0.0)
    for slots, values, y in _rows(stream):
        x = absent | dict(zip(slots.tolist(), values.tolist(), strict=True))
        seen = scaler.transform_one(x)
        scaler.learn_one(x)
        taken = scaler.transform_one(x)
        for k, model in enumerate(models):
            mistakes[k] += model.predict_one(seen) is not (y > 0)
            model.learn_one(taken, y > 0)
    yield from ((f"River, η {rate:g}", count) for rate, count in zip(RATES, mistakes, strict=True))


if __name__ == "__main__":
    main()
