"""Certificates of data in every format that `noregret run` reads."""

import bz2
import gzip
import json
import lzma

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.data.fingerprint import fingerprint as fast_fingerprint
from noregret.errors import BadCertificate
from noregret.reference.fingerprint import fingerprint
from noregret.reference.rounds import Refused, Round
from noregret.reference.verify import main, verify

from .certified import certified, forge

LEARNERS = ["-l", "perceptron:bias=true", "-l", "pa1"]


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    words = [["red", "blue"], ["a b", "b c", "c"]]
    return [
        (str(rng.choice(words[0])), float(rng.random()), int(rng.integers(2)), str(rng.choice(words[1])))
        for _ in range(60)
    ]


def table(rows, comma=",", label=str):
    lines = [comma.join(["colour", "size", "bought", "note"])]
    lines += [comma.join([c, repr(s), label(b), n]) for c, s, b, n in rows]
    return ("\n".join(lines) + "\n").encode()


def write(folder, rows, kind):
    """The rows as a file of some kind, and the options that reading it needs."""
    label = ["--label", "bought"]
    if kind == "arff":
        head = "@relation r\n@attribute colour {red,blue}\n@attribute size numeric\n@attribute bought {0,1}\n@data\n"
        (folder / "d.arff").write_text(head + "".join(f"{c},{s!r},{b}\n" for c, s, b, _ in rows))
        return folder / "d.arff", label
    if kind == "vw":
        lines = [f"{2 * b - 1} |f size:{s!r} {c} |n {n}\n" for c, s, b, n in rows]
        (folder / "d.vw").write_text("".join(lines))
        return folder / "d.vw", []
    if kind == "jsonl":
        lines = [json.dumps({"colour": c, "size": s, "bought": b, "note": n}) + "\n" for c, s, b, n in rows]
        (folder / "d.jsonl").write_text("".join(lines))
        return folder / "d.jsonl", [*label, "--text", "note"]
    if kind == "npz":
        X = np.array([[s, c == "red"] for c, s, _, _ in rows], dtype=np.float32)
        np.savez(folder / "d.npz", X=X, y=np.array([b for _, _, b, _ in rows]))
        return folder / "d.npz", []
    if kind == "parquet":
        pa = pytest.importorskip(
            "pyarrow", reason="Parquet files are read by pyarrow, which is not installed"
        )
        import pyarrow.parquet as parquet

        columns = dict(
            zip(("colour", "size", "bought"), zip(*[row[:3] for row in rows], strict=True), strict=True)
        )
        parquet.write_table(
            pa.table({name: list(cells) for name, cells in columns.items()}), folder / "d.parquet"
        )
        return folder / "d.parquet", label
    if kind == "tsv":
        (folder / "d.tsv").write_bytes(table(rows, "\t", lambda b: "yes" if b else "no"))
        return folder / "d.tsv", [*label, "--positive", "yes", "--drop", "note"]
    packed = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstd}
    data = packed.get(kind, bytes)(table(rows))
    path = folder / (f"d.csv.{kind}" if kind in packed else "d.csv")
    path.write_bytes(data)
    if kind == "nrb":
        assert run(["convert", str(path), str(folder / "d.nrb"), *label, "-q"]) == 0
        return folder / "d.nrb", []
    return path, label


def zstd(data):
    return pytest.importorskip(
        "zstandard", reason="zstd files need zstandard, which is not installed"
    ).compress(data)


KINDS = ["csv", "tsv", "vw", "arff", "jsonl", "npz", "parquet", "nrb", "gz", "bz2", "xz", "zst"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_format_is_certified_and_verified_with_nothing_but_the_file(kind, rows, tmp_path, capsys):
    path, options = write(tmp_path, rows, kind)
    told = certified(tmp_path, [path], *options, *LEARNERS)
    assert told["data"]["reader"].startswith("noregret.data")
    assert run(["verify", str(tmp_path / "c"), str(path)]) == 0
    assert "rows were read by noregret.data: the readers that the run used" in capsys.readouterr().out
    other, _ = write(tmp_path, [*rows[:7], (*rows[7][:2], 1 - rows[7][2], rows[7][3]), *rows[8:]], kind)
    assert run(["verify", str(tmp_path / "c"), str(other)]) == 1
    assert "this is other data, or it was changed" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--bits", "6"],
        ["--text", "note", "--categorical", "size"],
        ["--text", "note", "--bits", "8", "--drop", "colour", "--passes", "2", "--shuffle", "4"],
        ["--cache"],
        ["--on-bad-row", "skip"],
        ["--encoding", "latin-1"],
    ],
)
def test_how_data_was_read_stands_in_the_certificate(options, rows, tmp_path):
    text = table(rows).replace(b"red", "röt".encode("latin-1" if "--encoding" in options else "utf-8"))
    if "--on-bad-row" in options:
        text = text.replace(b"\nblue,", b"\nblue,x,", 1)
    (tmp_path / "d.csv").write_bytes(text)
    certified(tmp_path, [tmp_path / "d.csv"], "--label", "bought", *options, *LEARNERS)
    assert len(nr.verify_certificate(tmp_path / "c", tmp_path / "d.csv")) == 5
    certified(
        tmp_path, [tmp_path / "d.csv"], "--label", "bought", *options, *LEARNERS
    )  # with --cache: from it
    assert len(nr.verify_certificate(tmp_path / "c", [tmp_path / "d.csv"])) == 5


def test_a_table_without_a_header_and_other_column_names(rows, tmp_path):
    (tmp_path / "d.csv").write_bytes(table(rows).split(b"\n", 1)[1])
    certified(tmp_path, [tmp_path / "d.csv"], "--no-header", "--label", "3", "--text", "4", *LEARNERS)
    assert nr.verify_certificate(tmp_path / "c", tmp_path / "d.csv")
    (tmp_path / "d.csv").write_bytes(table(rows))
    with pytest.raises(BadCertificate, match="not verified"):
        nr.verify_certificate(tmp_path / "c", tmp_path / "d.csv")


def test_several_files_and_patterns_are_one_stream_in_their_order(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for k in range(3):
        (tmp_path / f"d{k}.svm").write_text(
            "".join(f"{1 - 2 * (r % 2)} {1 + (r + k) % 3}:1\n" for r in range(9))
        )
    told = certified(tmp_path, ["d?.svm"], *LEARNERS)
    assert told["data"]["names"] == ["d0.svm", "d1.svm", "d2.svm"]
    assert told["data"]["reader"].startswith("noregret.reference")
    assert main(["c", "d?.svm"]) == main(["c", "d0.svm", "d1.svm", "d2.svm"]) == 0
    assert main(["c", "d1.svm", "d0.svm", "d2.svm"]) == main(["c", "x*.svm"]) == 1
    assert "no such file" in capsys.readouterr().err


def test_libsvm_that_the_standard_library_cannot_unpack_is_lent_a_reader(rows, tmp_path):
    text = "".join(f"{2 * b - 1} 1:{s!r} {2 if c == 'red' else 3}:1\n" for c, s, b, _ in rows)
    (tmp_path / "d.svm.zst").write_bytes(zstd(text.encode()))
    certified(tmp_path, [tmp_path / "d.svm.zst"], *LEARNERS)
    assert nr.verify_certificate(tmp_path / "c", tmp_path / "d.svm.zst")
    (tmp_path / "d.svm").write_text(text)
    assert verify(tmp_path / "c", [tmp_path / "d.svm"])  # the same rows, and no reader needed


def test_the_plain_verifier_alone_says_what_it_does_not_read(rows, tmp_path, capsys):
    path, options = write(tmp_path, rows, "csv")
    told = certified(tmp_path, [path], *options, *LEARNERS)
    assert main([str(tmp_path / "c"), str(path)]) == 1
    assert "the data was read as csv, and by itself this verifier reads libsvm" in capsys.readouterr().err
    told["play"]["reading"]["label"] = "nothing"
    forge(tmp_path / "f", told)
    assert run(["verify", str(tmp_path / "f"), str(path)]) == 1
    assert "has no column 'nothing'" in capsys.readouterr().err
    told["play"]["reading"] = {"bits": None, "encoding": None, "kinds": 3}
    forge(tmp_path / "f", told)
    assert run(["verify", str(tmp_path / "f"), str(path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_standard_input_has_no_certificate(tmp_path, capsys):
    assert run(["run", "-", "-l", "perceptron", "--certificate", str(tmp_path / "c")]) == 2
    assert "cannot be read a second time" in capsys.readouterr().err


def test_fingerprints_of_classes_and_numbers_agree(tmp_path):
    (tmp_path / "d.csv").write_text("y,x\ncat,1\n,2\n7,3\ndog,4\ncat,5\n")
    plain = [Round(y, 1.0, ["x"], [v]) for y, v in (("cat", 1), (None, 2), (7, 3), ("dog", 4), ("cat", 5))]
    assert fast_fingerprint(nr.read(tmp_path / "d.csv", task="multiclass"))[0] == fingerprint(plain)
    (tmp_path / "d.svm").write_text("0.5 1:1\n-3 2:1\n")
    plain = [Round(0.5, 1.0, [1], [1.0]), Round(-3.0, 1.0, [2], [1.0])]
    assert fast_fingerprint(nr.read(tmp_path / "d.svm", task="regression"))[0] == fingerprint(plain)


def test_a_label_that_is_no_number_refuses_a_binary_learner(tmp_path):
    with pytest.raises(Refused, match="refuses the data"):
        forged(tmp_path, "cat")


def forged(folder, label):
    """A certificate whose stored rounds have a label that no binary learner takes."""
    nr.save_certificate(nr.play(nr.from_arrays([[1.0]], [1]), nr.Perceptron()), folder / "c")
    told = json.loads((folder / "c").read_text())
    told["data"]["stored"]["rows"][0][0] = label
    told["data"]["fingerprint"] = fingerprint([Round(label, 1.0, [0], [1.0])])
    forge(folder / "c", told)
    return verify(folder / "c")
