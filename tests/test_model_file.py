import copy
import json
import os
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load as load_tensors

import noregret as nr
from noregret.data.labels import Labels
from noregret.errors import BadCommand, BadModel, BadType
from noregret.model_file import from_bytes, open_model, to_bytes, write_whole
from noregret.registry import EXPERTS, LEARNERS

GOLDEN = Path(__file__).parent / "golden"


def played(learner, seed):
    stream = nr.inspection_line(300, seed=seed)
    if hasattr(learner, "takes"):
        stream.labels = np.where(stream.labels > 0, learner.takes[0], learner.takes[-1])
    nr.play(stream, learner)
    return learner


def trained(spec):
    return played(nr.learner(spec), seed=1)


SPECS = [
    *(name for name in LEARNERS if name != "winnow"),
    "winnow:threshold=27",
    "perceptron:rate=0.3,bias=true",
]


@pytest.mark.parametrize("spec", SPECS)
def test_load_then_continue_is_bit_identical(spec, tmp_path):
    learner = trained(spec)
    nr.save(learner, tmp_path / "m")
    again = nr.load(tmp_path / "m")
    assert type(again) is type(learner) and to_bytes(again) == to_bytes(learner)
    assert to_bytes(played(again, seed=2)) == to_bytes(played(learner, seed=2))


def test_numbered_features_near_and_far(tmp_path):
    from scipy.sparse import csr_array

    X = csr_array((np.ones(3), np.array([4, 2**31 - 2, 2**20]), np.array([0, 1, 3])), shape=(2, 2**31 - 1))
    learner = nr.Perceptron()
    nr.play(nr.from_arrays(X, [-1, -1]), learner)
    nr.save(learner, tmp_path / "m")
    assert (tmp_path / "m").stat().st_size < 10_000_000
    assert nr.load(tmp_path / "m").weights == learner.weights == {4: -1.0, 2**20: -1.0, 2**31 - 2: -1.0}


def test_an_unused_learner_and_an_unsettled_winnow():
    for spec in ("perceptron", "winnow"):
        again, meta = from_bytes(to_bytes(nr.learner(spec)))
        assert again.spec == spec and again.is_fresh and meta["complete"] is True


def test_metadata_is_one_key_of_canonical_json():
    data = to_bytes(trained("perceptron"), labels=Labels(2.0, 1.0), complete=False)
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    assert list(header["__metadata__"]) == ["noregret"]
    text = header["__metadata__"]["noregret"]
    meta = json.loads(text)
    assert text == json.dumps(meta, sort_keys=True, separators=(",", ":"))
    assert meta["labels"] == {"positive": 2.0, "negative": 1.0} and meta["complete"] is False
    assert load_tensors(data)["names"].dtype == np.uint8


def test_copies_are_independent():
    learner = trained("perceptron")
    for other in (
        learner.clone(),
        copy.copy(learner),
        copy.deepcopy(learner),
        pickle.loads(pickle.dumps(learner)),
    ):
        before = to_bytes(other)
        learner.learn({"new": 1.0}, -1)
        learner.learn({"new": -1.0}, -1)
        assert to_bytes(other) == before
        assert other.learn({"other": 1.0}, -1) in (True, False)


def golden(rules):
    """The files of released versions, of rules over experts or of the others, with what they must say."""
    found = []
    for path in sorted(GOLDEN.glob("*.model")):
        told = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        if (told["spec"].partition(":")[0] in EXPERTS) == rules:
            found.append(pytest.param(path, told, id=path.name))
    return found


@pytest.mark.parametrize(("path", "told"), golden(rules=False))
def test_golden_files_are_read_for_ever(path, told):
    learner = nr.load(path)
    assert learner.spec == told["spec"]
    assert {str(k): v for k, v in learner.weights.items()} == told["weights"]
    assert learner.score(told["example"]) == told["score"]
    learner.learn(told["example"], told["label"])
    # Where the covariance itself was saved, it is factored when it is read: to twelve digits the same.
    whole = "matrix" in load_tensors(path.read_bytes())
    after = pytest.approx(told["score_after"], rel=1e-12) if whole else told["score_after"]
    assert learner.score(told["example"]) == after


def test_golden_files_keep_a_covariance_in_both_forms():
    held = {path.name: set(load_tensors(path.read_bytes())) for path in GOLDEN.glob("*.model")}
    assert {"matrix", "matrix_slots"} <= held["0.1.0-arow.model"]
    for name in ("sop", "scw2", "ridge"):
        assert {"factors", "factor_slots"} <= held[f"0.1.0-{name}.model"]
        assert "matrix" not in held[f"0.1.0-{name}.model"]


@pytest.mark.parametrize(("path", "told"), golden(rules=True))
def test_golden_files_of_expert_rules_are_read_for_ever(path, told):
    """To twelve digits, not to the last: exponentials and logarithms are those of the machine."""
    rule = nr.load(path)
    assert rule.spec == told["spec"] and rule.scalars["rounds"] == 40 and rule.scalars["slept"] == 6
    assert rule.weights == pytest.approx(told["weights"], rel=1e-12)
    assert rule.predict(told["advice"]) == pytest.approx(told["said"], rel=1e-12)
    assert rule.learn(told["advice"], told["truth"]) == pytest.approx(told["suffered"], rel=1e-9)
    assert rule.weights == pytest.approx(told["weights_after"], rel=1e-12)
    assert rule.predict(told["advice"]) == pytest.approx(told["said_after"], rel=1e-12)


def test_there_are_golden_files():
    assert len(golden(rules=False)) >= 4
    named = {param.values[1]["spec"].partition(":")[0] for param in golden(rules=True)}
    assert named == set(EXPERTS)


@pytest.mark.parametrize("cut", [0, 1, 7, 8, 9, 40, 200, -1, -50])
def test_truncated_files_are_refused(cut, tmp_path):
    data = to_bytes(trained("perceptron"))
    (tmp_path / "m").write_bytes(data[:cut])
    with pytest.raises(BadModel, match=r"m: .*(cut short|damaged|not a model)"):
        nr.load(tmp_path / "m")


@pytest.mark.parametrize("spec", ["perceptron:bias=true,scale=standard", "multiclass-perceptron", "boa:n=3"])
def test_a_byte_that_was_changed_is_told_or_means_nothing(spec):
    learner = nr.learner(spec)
    if "boa" in spec:
        learner.learn([0.1, 0.5, 0.9], 0.4)
    else:
        learner.learn({"a": 0.5, "b": "word"}, 1)
    good = to_bytes(learner)
    for place in range(len(good)):
        damaged = bytearray(good)
        damaged[place] ^= 1 << place % 8
        try:
            again, _ = from_bytes(bytes(damaged))
        except BadModel:
            continue
        assert to_bytes(again) == good, place


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_damage_that_no_checksum_tells_is_refused_or_harmless(data):
    good = bytearray(UNCHECKED)
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    try:
        learner, _ = from_bytes(bytes(good))
    except BadModel:
        return
    assert np.isfinite(list(learner.weights.values())).all()


# A key of another name: what follows is as in files that have no checksum.
UNCHECKED = to_bytes(trained("winnow:threshold=27")).replace(b"checksum", b"unsummed")


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=300))
def test_foreign_bytes_are_refused(data):
    with pytest.raises(BadModel):
        from_bytes(data)


def rewritten(change):
    """Bytes of a model file with changed metadata."""
    data = to_bytes(trained("perceptron"))
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    meta = json.loads(header["__metadata__"]["noregret"])
    del meta["checksum"]
    change(meta)
    header["__metadata__"]["noregret"] = json.dumps(meta)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[8 + length :]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda m: m.update(format=99, version="9.9"), "written by noregret 9.9, which is newer"),
        (lambda m: m.update(learner="wizard"), "its learner is not known here"),
        (lambda m: m.update(learner="balanced-winnow"), "does not hold"),
        (lambda m: m.update(features="smell"), "unknown kind"),
        (lambda m: m.update(features="index"), "names features and says that it numbers them"),
        (lambda m: m.update(scalars={}), "does not hold the number potential"),
        (lambda m: m.update(scalars={"potential": "x"}), "damaged"),
        (lambda m: m.update(scalars={"potential": 10**400}), "damaged"),
        (lambda m: m.update(scalars={"potential": float("inf")}), "damaged"),
        (lambda m: m.update(features="\ud800"), "damaged"),
        (lambda m: m.pop("learner"), "damaged"),
        (lambda m: m.pop("version"), "damaged"),
        (lambda m: m.pop("complete"), "damaged"),
        (lambda m: m.update(checksum="0"), "its checksum is wrong"),
    ],
)
def test_edited_metadata(change, sentence):
    with pytest.raises(BadModel, match=sentence):
        from_bytes(rewritten(change))


def test_a_safetensors_file_of_others_is_refused(tmp_path):
    from safetensors.numpy import save_file

    save_file({"weight": np.ones(3)}, tmp_path / "other.safetensors")
    with pytest.raises(BadModel, match="not a model file of noregret"):
        nr.load(tmp_path / "other.safetensors")


def test_missing_files_and_bad_objects(tmp_path):
    with pytest.raises(BadModel, match="no such file"):
        nr.load(tmp_path / "nothing")
    with pytest.raises(BadType, match="a dict cannot be saved"):
        nr.save({}, tmp_path / "m")
    with pytest.raises(BadCommand, match="cannot be written"):
        nr.save(nr.Perceptron(), tmp_path / "no" / "folder")


def test_a_file_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    target = tmp_path / "m"
    write_whole(target, b"before")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(BadCommand, match="no space left"):
        write_whole(target, b"after")
    assert target.read_bytes() == b"before" and [p.name for p in tmp_path.iterdir()] == ["m"]


def test_labels_are_saved_beside_the_learner(tmp_path):
    nr.save(trained("perceptron"), tmp_path / "m", labels=Labels(3.0, 4.0))
    _, meta = open_model(tmp_path / "m")
    assert Labels.from_json(meta["labels"]).write(-1.0) == "4"


def with_header(data, **changes):
    """Write other things into the header of a model file, whose checksum is left out, as an old one's is."""
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + size])
    told = json.loads(header["__metadata__"]["noregret"]) | changes
    told.pop("checksum", None)
    header["__metadata__"]["noregret"] = json.dumps(told)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data[8 + size :]


@pytest.mark.parametrize("spec", ["auto", "panel:perceptron/pa"])
def test_a_learner_that_keeps_no_such_tensors_is_refused(spec):
    data = to_bytes(trained("winnow:threshold=27"))
    assert from_bytes(with_header(data))[0].spec == "winnow:threshold=27"
    with pytest.raises(BadModel, match="its learner does not fit its tensors"):
        from_bytes(with_header(data, learner=spec))


@pytest.mark.parametrize("number", [None, -5.0])
@pytest.mark.parametrize("count", ["posed", "kept", "rounds"])
def test_a_rule_has_played_a_number_of_rounds(count, number):
    rule = nr.Hedge(2)
    rule.learn([0.0, 1.0])
    data = to_bytes(rule)
    scalars = {"posed": 0.0, "kept": 0.0} | dict(rule.scalars)
    assert from_bytes(with_header(data, scalars=scalars))[0].scalars["rounds"] == 1
    with pytest.raises(BadModel, match="a number of rounds that is none"):
        from_bytes(with_header(data, scalars=scalars | {count: number}))
