"""What tests of certificates share: streams as files, runs certified, files tampered with."""

import json

import numpy as np

import noregret as nr
from noregret.cli.app import run
from noregret.reference.verify import seal


def svm(stream):
    """A stream as libsvm text, with all digits."""
    lines = []
    for batch in stream.batches():
        for r, label in enumerate(batch.labels.tolist()):
            cells = [f"{feature}:{value!r}" for feature, value in batch.row(r) if value != 0.0]
            told = batch.classes[int(label)] if batch.classes is not None else label
            lines.append(" ".join([f"{told!r}" if told != int(told) else f"{told:g}", *cells]))
    return "\n".join(lines) + "\n"


def noisy(scale=1.0):
    """Rows within ±1 that no u separates."""
    rng = np.random.default_rng(5)
    X = scale * rng.uniform(-1, 1, size=(200, 5))
    return nr.from_arrays(X, np.where(X @ rng.normal(size=5) + 0.3 * rng.normal(size=200) > 0, 1.0, -1.0))


def certified(folder, data, *options):
    """Run with a certificate; give what it says."""
    assert run(["run", *map(str, data), *options, "--certificate", str(folder / "c"), "-q"]) == 0
    return json.loads((folder / "c").read_text())


def forge(path, told):
    """Write a certificate with a seal that fits, as a forger would."""
    path.write_text(json.dumps(told | {"seal": seal(told)}))
