"""`noregret experts` as a person meets it."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

import noregret as nr
from noregret.cli.app import run


@pytest.fixture
def forecasts(tmp_path):
    rng = np.random.default_rng(0)
    truth = 100 + np.cumsum(rng.normal(size=150))
    said = truth[:, None] + rng.normal(size=(150, 3)) * [1.0, 2.0, 4.0]
    path = tmp_path / "f.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["date", "load", "gam", "ar", "gbm", "remark"])
        for t in range(150):
            writer.writerow([f"day {t}", truth[t], *said[t], "fine"])
    return path, said, truth


def told(capsys):
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_the_table_has_rules_hindsight_and_certificates(forecasts, capsys):
    assert run(["experts", str(forecasts[0]), "--target", "load", "--switches", "2"]) == 0
    out, err = told(capsys)
    assert err == "" and "150 rows, 3 experts, loss square" in out and "left out" in out and "remark" in out
    words = ["mlpol", "boa", "adahedge", "eg", "uniform", "best expert", "best convex", "best linear"]
    words += ["best sequence (2 switches)", "RMSE", "MAPE", "holds", "Wintenberger"]
    words += ["over best expert", "regret bound"]
    for word in words:
        assert word in out
    marks = {line.split()[0]: line.split()[-1] for line in out.splitlines() if line}
    assert marks["uniform"] == "baseline" and marks["best"] == "hindsight"


def test_json_is_json_and_its_numbers_are_those_of_the_library(forecasts, capsys):
    path, said, truth = forecasts
    assert (
        run(
            [
                "experts",
                str(path),
                "--target",
                "load",
                "--rule",
                "boa",
                "--rule",
                "hedge:rate=0.1",
                "--json",
                "-",
            ]
        )
        == 0
    )
    result = json.loads(told(capsys)[0])
    assert {"rows", "rules", "hindsight"} <= set(result) and result["rows"] == 150
    assert result["experts"] == ["gam", "ar", "gbm"]
    keys = {"rule", "loss", "rmse", "mape", "regret", "weights", "certificates"}
    assert all(keys <= set(one) for one in result["rules"])
    boa = next(one for one in result["rules"] if one["rule"] == "boa")
    rule = nr.BOA(3)
    whole = rule.play(said, truth)
    assert boa["loss"] == pytest.approx(whole.loss, rel=1e-12) and boa["weights"] == rule.weights.tolist()
    assert boa["rmse"] == pytest.approx(np.sqrt(whole.losses.mean()))
    assert boa["certificates"][0]["verdict"] == "holds"
    hedge = next(one for one in result["rules"] if one["rule"] == "hedge:rate=0.1")
    assert {c["verdict"] for c in hedge["certificates"]} == {"silent"}
    assert [row["name"] for row in result["hindsight"]] == [
        "uniform",
        "best expert",
        "best convex",
        "best linear",
    ]
    assert all({"name", "loss", "rmse"} <= set(row) for row in result["hindsight"])
    assert boa["regret"] == pytest.approx(whole.loss - result["hindsight"][1]["loss"])


def test_predictions_weights_and_report(forecasts, tmp_path, capsys):
    path, said, truth = forecasts
    out = {name: tmp_path / name for name in ("p.csv", "w.csv", "r.html")}
    command = ["experts", str(path), "--target", "load", "-r", "mlpol", "-r", "hedge"]
    command += [
        "--predictions",
        str(out["p.csv"]),
        "--weights",
        str(out["w.csv"]),
        "--report",
        str(out["r.html"]),
    ]
    assert run(command) == 0
    rule = nr.MLPol(3)
    whole = rule.play(said, truth, keep_weights=True)
    with out["p.csv"].open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["mlpol"]) for row in rows] == whole.predictions.tolist()
    assert rows[3]["row"] == "day 3" and float(rows[3]["load"]) == truth[3]
    with out["w.csv"].open(encoding="utf-8") as file:
        weights = [row for row in csv.DictReader(file) if row["rule"] == "mlpol"]
    assert [[float(row[n]) for n in ("gam", "ar", "gbm")] for row in weights] == whole.weights.tolist()
    page = out["r.html"].read_text(encoding="utf-8")
    assert page.count('class="chart"') >= 6 and "How much each expert counted" in page and "its bound" in page
    assert "silent about this run" in page  # hedge
    fetched = re.findall(r"<(?:script|link)[^>]+(?:src|href)=['\"]?([^'\" >]*)", page)
    assert all(address.startswith("data:") for address in fetched)


def test_names_in_the_data_never_become_code_in_the_report(tmp_path):
    path, page = tmp_path / "f.csv", tmp_path / "r.html"
    evil = "</script><script>alert(1)</script>"
    path.write_text(f"y,{evil},b\n1,1,2\n2,2,2\n", encoding="utf-8")
    assert run(["experts", str(path), "--target", "y", "--report", str(page), "-q"]) == 0
    assert evil not in page.read_text(encoding="utf-8")


def test_saved_mid_stream_it_continues_identically(forecasts, tmp_path, capsys):
    lines = forecasts[0].read_text(encoding="utf-8").splitlines(keepends=True)
    first, second = tmp_path / "1.csv", tmp_path / "2.csv"
    first.write_text("".join(lines[:81]), encoding="utf-8")
    second.write_text("".join(lines[:1] + lines[81:]), encoding="utf-8")
    model, whole = tmp_path / "m", tmp_path / "whole"
    common = ["--target", "load", "-q"]
    assert run(["experts", str(first), *common, "-r", "boa", "--save", str(model)]) == 0
    assert run(["experts", str(second), *common, "--model", str(model), "--save", str(model)]) == 0
    assert run(["experts", str(forecasts[0]), *common, "-r", "boa", "--save", str(whole)]) == 0
    assert model.read_bytes() == whole.read_bytes()
    second.write_text("load,one\n1,2\n", encoding="utf-8")
    assert run(["experts", str(second), *common, "--model", str(model)]) == 2
    assert "2.csv has no column" in told(capsys)[1]
    nr.save(nr.load(model), model)  # without the names of the experts
    assert run(["experts", str(second), *common, "--model", str(model)]) == 2
    assert "weighs 3 experts, and the file has 1: one" in told(capsys)[1]


def test_a_saved_rule_knows_its_experts_wherever_their_columns_stand(tmp_path, capsys):
    tables = {"one": "y,good,bad\n", "other": "y,new,bad,good\n", "foreign": "y,c,d\n"}
    rows = {"one": "{y},{y},9\n", "other": "{y},5,9,{y}\n", "foreign": "{y},9,{y}\n"}
    for name, header in tables.items():
        text = header + "".join(rows[name].format(y=y) for y in (1, 3, 1))
        (tmp_path / name).with_suffix(".csv").write_text(text, encoding="utf-8")
    one, other, foreign = (str(tmp_path / f"{name}.csv") for name in tables)
    model, common = str(tmp_path / "m"), ["--target", "y", "--json", "-"]
    assert run(["experts", one, *common, "-r", "boa", "--save", model]) == 0
    told(capsys)
    losses = set()
    for path, more in ((one, []), (other, []), (other, ["--experts", "bad,good"])):
        assert run(["experts", path, *common, "--model", model, *more]) == 0
        result = json.loads(told(capsys)[0])
        assert result["experts"] == ["good", "bad"]
        losses.add(result["rules"][0]["loss"])
    assert len(losses) == 1
    assert run(["experts", foreign, *common, "--model", model]) == 2
    assert "foreign.csv has no column 'good'; it has y, c, d" in told(capsys)[1]
    assert run(["experts", foreign, *common, "--model", model, "--experts", "c,d"]) == 2
    assert "boa:n=2 weighs good, bad, and --experts says c, d; leave that out" in told(capsys)[1]
    assert run(["inspect", model, "--json", "-"]) == 0
    assert [one["name"] for one in json.loads(told(capsys)[0])["weights"]] == ["good", "bad"]


def test_a_rule_for_each_series_is_not_saved_and_that_is_said_before_the_work(forecasts, capsys, tmp_path):
    command = [
        "experts",
        str(forecasts[0]),
        "--target",
        "load",
        "--series",
        "day",
        "--save",
        str(tmp_path / "m"),
    ]
    assert run(command) == 2
    out, err = told(capsys)
    assert out == "" and "a rule for each series cannot be saved in one file" in err


def test_several_series_sleepers_and_chosen_experts(tmp_path, capsys):
    path = tmp_path / "f.csv"
    rows = ["region;truth;a;b;c"]
    rows += [f"{'ns'[t % 2]};{t};{t + 1};{'' if t % 3 else t};{-t}" for t in range(60)]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    command = [
        "experts",
        str(path),
        "--target",
        "truth",
        "--series",
        "region",
        "--experts",
        "a,b",
        "--json",
        "-",
    ]
    assert run([*command, "-r", "mlpol"]) == 0
    result = json.loads(told(capsys)[0])
    assert set(result["rules"][0]["weights"]) == {"n", "s"} and result["experts"] == ["a", "b"]
    assert [row["name"] for row in result["hindsight"]] == ["uniform", "best expert"]
    assert run([*command, "-r", "mlpol", "--save", str(tmp_path / "m")]) == 2


def test_labels_are_counted_by_error_rate(tmp_path, capsys):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 200)
    said = np.where(rng.random((200, 3)) < [0.1, 0.3, 0.5], 1 - y[:, None], y[:, None])
    path = tmp_path / "f.csv"
    text = "\n".join(",".join(map(str, [a, *b])) for a, b in zip(y, said.tolist(), strict=True))
    path.write_text("y,a,b,c\n" + text + "\n", encoding="utf-8")
    assert run(["experts", str(path), "--target", "y", "--loss", "zero-one"]) == 0
    out, _ = told(capsys)
    assert "error rate" in out and "rwm" in out and "holds" in out and "RMSE" not in out
    assert run(["experts", str(path), "--target", "y", "--loss", "log", "--json", "-"]) == 0
    assert json.loads(told(capsys)[0])["loss"] == "log"


def test_parquet(forecasts, tmp_path, capsys):
    arrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow, which is not installed")
    import pyarrow.parquet as parquet

    path, said, truth = forecasts
    columns = {"load": truth, "gam": said[:, 0], "ar": said[:, 1], "gbm": said[:, 2]}
    parquet.write_table(arrow.table(columns), tmp_path / "f.parquet")
    results = []
    for file in (path, tmp_path / "f.parquet"):
        assert run(["experts", str(file), "--target", "load", "--json", "-"]) == 0
        results.append(json.loads(told(capsys)[0]))
    assert results[0]["rules"] == results[1]["rules"]
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and then nothing")
    assert run(["experts", str(tmp_path / "bad.parquet"), "--target", "load"]) == 1
    assert "cannot be read as Parquet" in told(capsys)[1]


@pytest.mark.parametrize(
    ("text", "extra", "status", "sentence"),
    [
        ("", [], 1, "it is empty"),
        ("y,a\n", [], 1, "it is empty; there must be a line of names and at least one row"),
        ("y,a\n1,2\n3,four\n", [], 1, "f.csv, line 3, column 'a': 'four': it must be a finite number"),
        ("y,a\n1,2\n3,inf\n", [], 1, "f.csv, line 3, column 'a': 'inf': it must be a finite number"),
        ("y,a\n,2\n?,4\n", [], 1, "f.csv: no row has its truth in 'y', and a rule learns from that; --model"),
        ("y,a\n1,2\n2,1_000\n", [], 1, "f.csv, line 3, column 'a': '1_000': it must be a finite number"),
        ("y,a\n1,2\nx,4\n", [], 1, "f.csv, line 3, column 'y': 'x': it must be"),
        ("y,a,b\n1,2,3\n1,,\n", [], 1, "f.csv, line 3: every expert is asleep"),
        ("y,a\n1,2\n1,2,3\n", [], 1, "f.csv, line 3: the row must have 2 cells as in the header, not 3"),
        ("y,a,a\n1,2,3\n", [], 1, "column 'a' stands there twice"),
        ("z,a\n1,2\n", [], 2, "has no column 'y'; it has z, a"),
        ("y,a\n1,red\n", [], 2, "has no expert"),
        ("y,a\n1,2\n", ["--experts", "b"], 2, "has no column 'b'"),
        ("y,a\n1,2\n", ["--experts", "a,y"], 2, "names 'y', which is used already"),
        ("y,a\n1,2\n", ["--rule", "hedge:rate=-1"], 2, "rate is -1.0; it must be a finite number above 0"),
        ("y,a\n1,2\n", ["--rule", "perceptron"], 2, "does not weigh experts"),
        ("y,a\n1,2\n", ["--loss", "cube"], 2, "no loss called 'cube'"),
        ("y,a\n1,2\n", ["--on-bad-row", "hide"], 2, "must be stop or skip"),
        ("y,a\n2,0.5\n", ["--loss", "log"], 1, "with --loss log the truth is 0 or 1"),
        ("y,a\n1,1.5\n", ["--loss", "log"], 1, "a probability, from 0 to 1"),
        ("y,a\n0,1.5\n", ["--loss", "percentage"], 1, "a percentage of 0 is not defined"),
        ("y,a\n1,2\n", ["--save", "/nowhere/at/all"], 2, "there is no folder"),
    ],
)
def test_bad_input_is_one_sentence_that_names_the_place(text, extra, status, sentence, tmp_path, capsys):
    path = tmp_path / "f.csv"
    path.write_text(text, encoding="utf-8")
    assert run(["experts", str(path), "--target", "y", *extra]) == status
    out, err = told(capsys)
    assert sentence in err and err.count("\n") == 1 and "Traceback" not in out + err


def test_other_files(tmp_path, capsys):
    assert run(["experts", str(tmp_path / "none.csv"), "--target", "y"]) == 1
    assert "no such file" in told(capsys)[1]
    assert run(["experts", str(tmp_path), "--target", "y"]) == 1
    assert "this is a folder" in told(capsys)[1]
    for text, sentence in (
        (b"\xff\xfe\x00y,a\n1,2\n", "b: it is UTF-16; save it as UTF-8"),
        ("y,ä\n1,2\n".encode("latin-1"), "b, line 1, column 3: '\\xe4': text must be UTF-8; save it so"),
        (b'y,a\n1,2\n3,"' + b"4" * 200_000, "b, line 3: it cannot be read as CSV text (field larger than"),
    ):
        (tmp_path / "b").write_bytes(text)
        assert run(["experts", str(tmp_path / "b"), "--target", "y"]) == 1
        assert sentence in told(capsys)[1]


def test_votes_may_be_truths(tmp_path, monkeypatch, capsys):
    """As they are in Parquet."""
    monkeypatch.chdir(tmp_path)
    for name, true, false in (("words.csv", "True", "false"), ("numbers.csv", "1", "0")):
        rows = [(true, false, true), (false, false, true), (true, true, ""), (false, false, false)]
        Path(name).write_text("y,a,b\n" + "".join(",".join(row) + "\n" for row in rows))
        asked = ["--target", "y", "--loss", "zero-one", "--rule", "hedge", "--certificate", "c"]
        assert run(["experts", name, *asked, "--json", f"{name}.json", "-q"]) == 0
        assert run(["verify", "c", name, "-q"]) == 0
    words, numbers = (json.loads(Path(f"{name}.csv.json").read_text()) for name in ("words", "numbers"))
    assert words["rules"] == numbers["rules"] and words["rows"] == 4


def test_bad_rows_can_be_skipped_and_are_counted(tmp_path, capsys):
    path = tmp_path / "f.csv"
    path.write_text("y,a,b\n1,1,2\nx,1,1\n1,,\n2,oops,1\n1,2\n2,2,1\n", encoding="utf-8")
    assert run(["experts", str(path), "--target", "y", "--on-bad-row", "skip"]) == 0
    out, _ = told(capsys)
    assert "2 rows, 2 experts" in out and "skipped: 4 bad rows" in out
    path.write_text("y,a\nx,1\n", encoding="utf-8")
    assert run(["experts", str(path), "--target", "y", "--on-bad-row", "skip"]) == 1
    assert "no row is left" in told(capsys)[1]


def test_one_expert(tmp_path, capsys):
    path = tmp_path / "f.csv"
    path.write_text("y,a\n1,1.5\n2,2.5\n", encoding="utf-8")
    assert run(["experts", str(path), "--target", "y", "--json", "-"]) == 0
    assert all(one["weights"] == [1.0] for one in json.loads(told(capsys)[0])["rules"])


def test_other_commands_know_what_a_rule_over_experts_is(forecasts, tmp_path, capsys):
    model = str(tmp_path / "m")
    assert run(["experts", str(forecasts[0]), "--target", "load", "-r", "boa", "--save", model, "-q"]) == 0
    assert run(["inspect", model]) == 0
    out, _ = told(capsys)
    assert "boa:n=3, saved by noregret" in out and "after 150 rounds" in out and "Wintenberger" in out
    assert run(["inspect", model, "--json", "-"]) == 0
    assert json.loads(told(capsys)[0])["rounds"] == 150
    for command in (["run", "--model", model], ["run", "-l", "hedge:n=3"], ["predict", model, model]):
        assert run(command) == 2
        option = "--rule hedge" if "-l" in command else f"--model {model}"
        assert f"weighs experts; use `noregret experts FILE --target COL {option}`" in told(capsys)[1]
    assert run(["learners"]) == 0 and "fixed-share" in told(capsys)[0]
    assert run(["learners", "mlpol"]) == 0
    out, _ = told(capsys)
    assert "Polynomial potential" in out and "gradient=auto" in out
