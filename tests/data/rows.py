"""What the tests of formats share: a stream as plain lists."""

import noregret as nr


def rows_of(path, **options):
    """The rows as (features, label, weight)."""
    return listed(nr.read(path, **options))


def listed(stream):
    found = []
    for batch in stream.batches():
        weights = [1.0] * len(batch) if batch.weights is None else batch.weights.tolist()
        labels = batch.labels.tolist()
        found += [(batch.row(r), labels[r], weights[r]) for r in range(len(batch))]
    return found


def written(tmp_path, text, name):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
