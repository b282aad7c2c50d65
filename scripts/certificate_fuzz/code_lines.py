"""The lines of code that games of learners are put together from."""

from __future__ import annotations

STREAMS = {
    "dense": "nr.from_arrays({X}, {y}, {weights})",
    "float32": "nr.from_arrays(np.clip({X}, -1e38, 1e38).astype(np.float32), {y}, {weights})",
    "sparse": "nr.from_arrays(csr_array({X}), {y}, {weights})",
    "repeated features": "nr.from_arrays(repeated({X}), {y}, {weights})",
    "names": "nr.from_arrays({X}, {y}, {weights}, names=[f'f{{j}}' for j in range({X}.shape[1])])",
    "dicts": "nr.from_rounds(rounds({X}, {y}, {weights}))",
}
HELPERS = {
    "sparse": ["from scipy.sparse import csr_array"],
    "repeated features": [
        "from scipy.sparse import csr_array",
        "def repeated(X):  # every cell twice, half of it each time; zeros are stored",
        "    T, d = X.shape",
        "    columns = np.repeat(np.tile(np.arange(d), T), 2)",
        "    cells = np.repeat(X.ravel() / 2, 2), columns, np.arange(T + 1) * 2 * d",
        "    return csr_array(cells, shape=X.shape)",
    ],
    "dicts": [
        "def rounds(X, y, weights):",
        "    rows = [{f'f{j}': v for j, v in enumerate(row) if v} for row in X.tolist()]",
        "    return list(zip(rows, y, [1.0] * len(y) if weights is None else weights.tolist()))",
    ],
}
CARRIED = {
    "": [],
    "saved and loaded": ["nr.save(learner, model)", "learner = nr.load(model)"],
    "cloned": ["learner = learner.clone()"],
    "pickled": ["import pickle", "learner = pickle.loads(pickle.dumps(learner))"],
}
SUBCLASSES = {
    "": [],
    "a subclass": [
        "class Same(type(learner)):",
        "    pass",
        "learner = Same(**learner.parameters)",
    ],
    "a subclass with a learn of its own": [
        "class Same(type(learner)):",
        "    def learn(self, x, y, weight=1.0):",
        "        return super().learn(x, y, weight)",
        "learner = Same(**learner.parameters)",
    ],
}
AFTER = {
    "": [],
    "it learns on": ["nr.play(nr.from_arrays(X[::-1].copy(), y[::-1]), learner)"],
    "rows doubled": ["X *= 2.0"],
    "labels reversed": ["stream.labels[:] = stream.labels[::-1].copy()"],
}
