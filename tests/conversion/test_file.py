"""Batch predictors as model files: what was saved predicts as before, what was damaged is refused."""

import json

import numpy as np
import pytest
from safetensors import numpy as tensors

import noregret as nr
from noregret.cli.app import run
from noregret.conversion.converted import METHOD_NAMES
from noregret.conversion.methods import METHODS
from noregret.errors import BadInput, BadModel, BadType
from noregret.model_file import from_bytes, to_bytes


def rounds(names=None, count=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(count, 4)) * (rng.random((count, 4)) < 0.7)
    y = np.where(X @ [1.0, -2.0, 0.5, 0.1] + 0.4 * rng.normal(size=count) >= 0, 1.0, -1.0)
    return nr.from_arrays(X, y, names=names)


def made(method="average", names=None, spec="perceptron:bias=true"):
    return nr.to_batch(nr.play(rounds(names), nr.learner(spec)), method, test=rounds(names, seed=1))


@pytest.mark.parametrize("names", [None, ["size", "colour=röt", "", "price"]])
@pytest.mark.parametrize("method", METHODS)
def test_what_is_loaded_predicts_as_what_was_saved(method, names, tmp_path):
    before = made(method, names)
    nr.save(before, tmp_path / "m")
    after = nr.load(tmp_path / "m")
    assert (after.learner, after.method, after.bound) == (before.learner, before.method, before.bound)
    assert (after.rows, after.errors, after.spec) == (before.rows, before.errors, before.spec)
    assert after.weights == before.weights
    for batch in rounds(names, seed=2).batches():
        assert np.array_equal(after.predict_batch(batch), before.predict_batch(batch))
    x = {"size": 0.5, "new": 9.0} if names else np.array([0.5, -1.0, 0.0, 2.0])
    assert after.score(x) == before.score(x) and after.predict(x) == before.predict(x)


def test_strict_winnow_and_a_predictor_without_features(tmp_path):
    bits = nr.disjunction(20, 2, 100, 0)
    before = nr.to_batch(nr.play(bits, nr.Winnow(threshold=20)), "last")
    assert before.predictor.strict
    nr.save(before, tmp_path / "m")
    assert np.array_equal(nr.load(tmp_path / "m").predict(bits.matrix), before.predict(bits.matrix))
    empty = nr.to_batch(nr.play(nr.from_arrays(np.zeros((3, 2)), [1, 1, 1]), nr.Perceptron()), "last")
    assert from_bytes(to_bytes(empty))[0].predict({}) == 1.0
    assert tuple(METHODS) == METHOD_NAMES


def edited(change=None, arrays=None):
    """The bytes of a model file whose metadata or tensors were changed."""
    data = to_bytes(made("voted"))
    meta = json.loads(
        json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]["noregret"]
    )
    del meta["checksum"]
    held = tensors.load(data)
    if change is not None:
        change(meta)
    held |= arrays or {}
    held = {key: array for key, array in held.items() if array is not None}
    return tensors.save(held, {"noregret": json.dumps(meta)})


CHANGES = {
    "no description": lambda meta: meta.pop("batch"),
    "a list": lambda meta: meta.update(batch=[1]),
    "an unknown method": lambda meta: meta["batch"].update(method="guess"),
    "a bound that is a word": lambda meta: meta["batch"].update(value="small"),
    "a bound that is no number": lambda meta: meta["batch"].update(value=float("nan")),
    "fewer than no rounds": lambda meta: meta["batch"].update(rounds=-1),
    "mistakes that are true": lambda meta: meta["batch"].update(mistakes=True),
    "no confidence": lambda meta: meta["batch"].pop("delta"),
    "strict that is a number": lambda meta: meta["batch"].update(strict=1),
}
ARRAYS = {
    "no matrix": {"matrix": None},
    "single precision": {"matrix": np.zeros((3, 5), dtype=np.float32)},
    "a flat matrix": {"matrix": np.zeros(5)},
    "too few columns": {"matrix": np.zeros((3, 2))},
    "no hypotheses": {"matrix": np.zeros((0, 5)), "offsets": np.zeros(0), "counts": np.zeros(0)},
    "infinite weights": {"offsets": np.full(3, np.inf)},
    "votes below 0": {"matrix": np.zeros((2, 5)), "offsets": np.zeros(2), "counts": np.array([2.0, -1.0])},
    "no votes": {"matrix": np.zeros((2, 5)), "offsets": np.zeros(2), "counts": np.zeros(2)},
    "a feature twice": {"numbers": np.array([0, 1, 1, 2])},
    "a feature below 0": {"numbers": np.array([0, -1, 1, 2])},
    "features that are not whole": {"numbers": np.array([0.0, 1.0, 2.0, 3.0])},
    "neither names nor numbers": {"numbers": None},
    "names out of order": {
        "numbers": None,
        "names": np.frombuffer(b"abcd", dtype=np.uint8),
        "name_ends": np.array([1, 3, 2, 4]),
    },
    "names that are no text": {
        "numbers": None,
        "names": np.frombuffer(b"a\xffcd", dtype=np.uint8),
        "name_ends": np.array([1, 2, 3, 4]),
    },
}


@pytest.mark.parametrize("name", [*CHANGES, *ARRAYS])
def test_damaged_files_are_refused_with_a_sentence(name):
    with pytest.raises(BadModel, match="it is damaged|is not a model file"):
        from_bytes(edited(CHANGES.get(name), ARRAYS.get(name)))


def test_every_cut_and_many_flips_are_refused_or_harmless():
    data = to_bytes(made("voted", ["a", "b", "c", "d"]))
    for cut in range(0, len(data), 97):
        with pytest.raises(BadModel):
            from_bytes(data[:cut])
    rng = np.random.default_rng(0)
    for place in rng.integers(0, len(data), 400).tolist():
        changed = bytearray(data)
        changed[place] ^= 1 << int(rng.integers(8))
        try:
            from_bytes(bytes(changed))[0].predict({"a": 1.0})
        except BadInput as problem:
            assert str(problem)


def test_a_predictor_alone_is_not_saved(tmp_path):
    with pytest.raises(BadType, match="a BatchPredictor cannot be saved"):
        nr.save(made().predictor, tmp_path / "m")


# ---- on the command line -----------------------------------------------------------------------


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    for name in ("train.csv", "test.csv"):
        lines = ["label,size,colour"]
        for _ in range(80):
            size, colour = rng.random(), rng.choice(["red", "blue"])
            lines.append(f"{'spam' if size > 0.5 else 'ham'},{size!r},{colour}")
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path


def test_run_saves_what_it_made_and_predict_uses_it(table, capsys):
    told = ["run", "train.csv", "--positive", "spam", "-l", "perceptron:bias=true", "--test", "test.csv"]
    assert run([*told, "--to-batch", "voted", "--save", "m", "--json", "r.json"]) == 0
    assert "saved the voted of perceptron:bias=true to m" in capsys.readouterr().out
    observed = json.loads((table / "r.json").read_text())["to_batch"][0]["observed"]
    assert run(["predict", "m", "test.csv", "-o", "said.txt", "--scores", "--json", "p.json"]) == 0
    found = json.loads((table / "p.json").read_text())
    assert found["error_rate"] == observed and found["learner"] == "voted of perceptron:bias=true"
    said = [line.split() for line in (table / "said.txt").read_text().splitlines()]
    assert {word for word, _ in said} == {"spam", "ham"} and all(-1 <= float(score) <= 1 for _, score in said)


def test_of_several_the_best_is_saved_and_inspect_shows_it(table, capsys):
    told = ["run", "train.csv", "--positive", "spam", "-l", "last-label", "-l", "pa1:bias=true"]
    assert run([*told, "--to-batch", "average", "--save", "m"]) == 0
    assert "saved the average of pa1:bias=true, which had the fewest mistakes" in capsys.readouterr().out
    assert run(["inspect", "m", "--json", "i.json"]) == 0
    shown = capsys.readouterr().out
    assert "average of pa1:bias=true" in shown and "size" in shown and "1 hypothesis" in shown
    assert json.loads((table / "i.json").read_text())["method"] == "average"
    assert run(["inspect", "m", "--example", "test.csv"]) == 0
    assert "average of pa1:bias=true says" in capsys.readouterr().out
    assert run(["inspect", "m", "--diff", "m"]) == 0


def test_a_fixed_predictor_learns_no_more(table, capsys):
    nr.save(made(), "m")
    assert run(["run", "train.csv", "--positive", "spam", "--model", "m"]) == 2
    assert (
        "average of perceptron:bias=true learns no more; use it with `noregret predict`"
        in capsys.readouterr().err
    )
