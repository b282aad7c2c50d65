"""Tables of forecasts: rows whose truth is still to come, and files as `run` reads them."""

import bz2
import csv
import gzip
import json
import lzma

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run

RNG = np.random.default_rng(7)
TRUTH = 10 + np.cumsum(RNG.normal(size=40))
SAID = TRUTH[:, None] + RNG.normal(size=(40, 3)) * [1.0, 2.0, 3.0]
UNTOLD = [3, 4, 17, 38, 39]


def table(path, untold=(), header="load,a,b,c", row="{1},{2}", series=None):
    lines = [header]
    for k in range(len(TRUTH)):
        truth = "" if k in untold else repr(float(TRUTH[k]))
        said = ",".join(repr(float(x)) for x in SAID[k])
        lines.append(row.format(k, truth, said, "" if series is None else series[k]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def result_of(capsys, *arguments):
    assert run(["experts", *arguments, "--target", "load", "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_row_without_its_truth_is_predicted_and_not_learned(tmp_path, capsys):
    path, out = table(tmp_path / "f.csv", UNTOLD), tmp_path / "p.csv"
    weights = tmp_path / "w.csv"
    written = ["--predictions", str(out), "--weights", str(weights)]
    assert run(["experts", path, "--target", "load", "-r", "boa", *written]) == 0
    assert "f.csv: 40 rows, 5 without the truth, 3 experts" in capsys.readouterr().out
    rule, said, shares = nr.BOA(3), [], []
    for k, row in enumerate(SAID):
        said.append(rule.predict(row))
        shares.append(rule.weights_for(row).tolist())
        if k not in UNTOLD:
            rule.learn(row, TRUTH[k])
    rows = read(out)[1:]
    assert [float(row[2]) for row in rows] == pytest.approx(said, rel=1e-12)
    assert [k for k, row in enumerate(rows) if row[1] == ""] == UNTOLD
    assert [[float(w) for w in row[2:]] for row in read(weights)[1:]] == pytest.approx(
        np.array(shares), rel=1e-9
    )
    result = result_of(capsys, path, "-r", "boa")
    assert (result["rows"], result["unlabelled"]) == (35, 5)
    assert result["rules"][0]["loss"] == pytest.approx(
        sum((said[k] - TRUTH[k]) ** 2 for k in range(40) if k not in UNTOLD), rel=1e-9
    )


def test_a_saved_rule_forecasts(tmp_path, capsys):
    model, out = str(tmp_path / "m"), tmp_path / "p.csv"
    path = table(tmp_path / "f.csv")
    assert run(["experts", path, "--target", "load", "-r", "boa", "--save", model, "-q"]) == 0
    new = tmp_path / "new.csv"
    new.write_text("load,a,b,c\n,1,2,3\n?,4,5,6\n", encoding="utf-8")
    assert run(["experts", str(new), "--target", "load", "--model", model, "--predictions", str(out)]) == 0
    assert "no row has its truth: every rule predicts, and none learns" in capsys.readouterr().out
    rule = nr.load(model)
    assert read(out)[1:] == [
        ["1", "", repr(rule.predict([1, 2, 3]))],
        ["2", "", repr(rule.predict([4, 5, 6]))],
    ]
    result = result_of(capsys, str(new), "--model", model)
    assert result["rows"] == 0 and result["unlabelled"] == 2 and result["hindsight"] == []
    assert result["rules"][0]["loss"] is None and result["rules"][0]["weights"] == rule.weights.tolist()
    assert (
        run(["experts", str(new), "--target", "load", "--model", model, "--report", str(tmp_path / "r.html")])
        == 2
    )
    assert "there is nothing to report" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "header", "row"),
    [
        ("f.csv", ",load,a,b,c", "{0},{1},{2}"),
        ("f.csv", "load,a,b,c,", "{1},{2},"),
        ("f.csv", "load,a,b,c,", "{1},{2}"),
        ("f.csv", "load|a|b|c", "{1},{2}"),
        ("f.tsv", "load,a,b,c", "{1},{2}"),
        ("f.csv", "\n\nload,a,b,c", "{1},{2}\n"),
    ],
)
def test_the_verifier_reads_what_was_played(tmp_path, capsys, name, header, row):
    path = tmp_path / name
    table(path, UNTOLD, header, row)
    other = "|" if "|" in header else "\t" if name == "f.tsv" else ","
    path.write_text(path.read_text(encoding="utf-8").replace(",", other), encoding="utf-8")
    certificate = tmp_path / "c.json"
    told = [
        "experts",
        str(path),
        "--target",
        "load",
        "-r",
        "boa",
        "-r",
        "mlpol",
        "--certificate",
        str(certificate),
    ]
    assert run(told) == 0
    assert "40 rows, 5 without the truth, 3 experts" in capsys.readouterr().out
    assert json.loads(certificate.read_text(encoding="utf-8"))["play"]["experts"] == ["a", "b", "c"]
    assert run(["verify", str(certificate), str(path)]) == 0


def test_a_mark_in_front_does_not_hide_that_the_first_name_is_quoted(tmp_path, capsys):
    path, certificate = tmp_path / "f.csv", tmp_path / "c.json"
    path.write_text('"a;b";load;c;at,in\n1;1;2;Oslo,N\n2;3;2;Rome,I\n3;2;2;Bonn,D\n', encoding="utf-8-sig")
    assert result_of(capsys, str(path), "-r", "boa", "--certificate", str(certificate))["rows"] == 3
    assert json.loads(certificate.read_text(encoding="utf-8"))["play"]["experts"] == ["a;b", "c"]
    assert run(["verify", str(certificate), str(path)]) == 0


def test_series_of_which_one_knows_no_truth(tmp_path, capsys):
    path, certificate = tmp_path / "f.csv", tmp_path / "c.json"
    keys = ["x" if k % 2 else "z" if k in (38, 4) else "y" for k in range(40)]
    table(path, UNTOLD, "load,a,b,c,key", "{1},{2},{3}", keys)
    told = [
        "experts",
        str(path),
        "--target",
        "load",
        "--series",
        "key",
        "-r",
        "boa",
        "--certificate",
        str(certificate),
    ]
    assert run([*told, "--predictions", str(tmp_path / "p.csv")]) == 0
    assert all(row[2] for row in read(tmp_path / "p.csv"))
    assert run(["verify", str(certificate), str(path)]) == 0


@pytest.mark.parametrize(
    ("ending", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress), ("zst", None)]
)
def test_compressed_tables(tmp_path, capsys, ending, pack):
    if pack is None:
        pack = pytest.importorskip(
            "zstandard", reason="zstd files need zstandard, which is not here"
        ).compress
    plain = table(tmp_path / "f.csv")
    packed = tmp_path / f"f.csv.{ending}"
    packed.write_bytes(pack((tmp_path / "f.csv").read_bytes()))
    first, second = (result_of(capsys, one, "-r", "boa") for one in (plain, str(packed)))
    assert first["rules"] == second["rules"] and first["rows"] == 40
    packed.write_bytes(packed.read_bytes()[:60])
    assert run(["experts", str(packed), "--target", "load"]) == 1
    assert "f.csv" in capsys.readouterr().err


def test_what_is_missing_to_run_is_missing_here(tmp_path, capsys):
    path = tmp_path / "f.csv"
    path.write_text("load,a,b\n1,?,2\n2,n/a,2\n3,1,NA\n", encoding="utf-8")
    result = result_of(capsys, str(path), "-r", "boa")
    assert result["rows"] == 3 and result["experts"] == ["a", "b"]


def test_experts_whose_names_have_commas(tmp_path, capsys):
    path = tmp_path / "f.csv"
    path.write_text('load,"a, new",b,c\n1,1,2,3\n2,2,3,4\n', encoding="utf-8")
    assert result_of(capsys, str(path), "-r", "boa", "--experts", '"a, new",c')["experts"] == ["a, new", "c"]
