"""duel, dimension and theorems as a person meets them."""

import json
import math
import xml.etree.ElementTree as ET

import pytest

from noregret.cli.app import run
from noregret.hypotheses.naming import FAMILIES, INFINITE


def told(capsys):
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_soa_against_the_tree(capsys):
    assert run(["duel", "soa", "tree", "--class", "thresholds:1023"]) == 0
    out, err = told(capsys)
    lines = out.splitlines()
    assert lines[0].split() == ["round", "x", "vote", "ŷ", "y", "left", "Ldim", "left"]
    assert lines[1].split() == ["1", "511", "512", ":", "512", "1", "0", "✗", "512", "9"]
    assert lines[10].split() == ["10", "1022", "1", ":", "1", "1", "0", "✗", "1", "0"]
    assert "10 mistakes in 10 rounds" in out and "holds" in out and err == ""


@pytest.mark.parametrize(
    ("learner", "nature", "spec", "mistakes"),
    [
        ("soa", "tree", "thresholds:1023", 10),
        ("halving", "tree", "thresholds:1023", 10),
        ("consistent", "worst", "singletons:64", 63),
        ("soa", "worst", "all:3", 3),
        ("halving", "worst", "all:3", 3),
    ],
)
def test_json(learner, nature, spec, mistakes, capsys):
    assert run(["duel", learner, nature, "--class", spec, "--json", "-"]) == 0
    result = json.loads(told(capsys)[0])
    assert (result["learner"], result["nature"], result["mistakes"]) == (learner, nature, mistakes)
    assert result["rounds"] == len(result["history"]) and result["expected_mistakes"] is None
    assert [c["verdict"] for c in result["certificates"]] == ["holds"]


def test_randomised_learners_show_both_numbers(capsys):
    assert (
        run(["duel", "randconsistent", "worst", "--class", "singletons:64", "--seed", "4", "--json", "-"])
        == 0
    )
    result = json.loads(told(capsys)[0])
    assert result["expected_mistakes"] == pytest.approx(sum(1 / k for k in range(2, 65)))
    assert result["mistakes"] == int(result["mistakes"]) and result["learner"] == "randconsistent:seed=4"
    assert run(["duel", "randconsistent", "worst", "--class", "singletons:64"]) == 0
    assert "expected" in told(capsys)[0]


def test_a_worst_case_that_was_cut_short_says_so(capsys):
    assert run(["duel", "consistent", "worst", "--class", "singletons:120"]) == 0
    assert "stopped at --rounds 100; the worst case takes up to 119" in told(capsys)[0]
    assert run(["duel", "consistent", "worst", "--class", "singletons:120", "--rounds", "119"]) == 0
    out, _ = told(capsys)
    assert "119 mistakes in 119 rounds" in out and "stopped" not in out


def test_long_duels_show_the_first_and_the_last_rounds(capsys):
    assert run(["duel", "agnostic", "noise", "--class", "thresholds:7", "--rounds", "120"]) == 0
    out, _ = told(capsys)
    assert "80 more" in out and out.count("p = ") == 40 and "regret: " in out


def test_cover_needs_no_class(capsys):
    assert run(["duel", "agnostic", "cover", "--rounds", "50", "--json", "-"]) == 0
    assert json.loads(told(capsys)[0])["class"] == "all:1"


@pytest.mark.parametrize(
    ("spec", "mistakes", "regret"),
    [("wm", 10_000, None), ("hedge", None, 2), ("hedge:horizon=10000", None, 0.5)],
)
def test_cover_against_a_vote_and_against_a_distribution(spec, mistakes, regret, capsys):
    """The vote errs every time; the expected regret of exponential weights is below √(2T ln 2)."""
    assert run(["duel", spec, "cover", "--rounds", "10000", "--json", "-"]) == 0
    result = json.loads(told(capsys)[0])
    assert {c["verdict"] for c in result["certificates"]} == {"holds"}
    if mistakes:
        assert result["mistakes"] == mistakes
    else:
        ones = sum(row["label"] for row in result["history"])
        best = min(ones, 10_000 - ones)
        assert result["expected_mistakes"] - best <= math.sqrt(regret * 10_000 * math.log(2))
        assert result["expected_mistakes"] - best <= math.sqrt(2 * 10_000 * math.log(2))


def test_those_that_take_any_labels_have_cover_for_their_worst(capsys):
    assert run(["duel", "wm", "worst", "--class", "all:2", "--rounds", "7", "--json", "-"]) == 0
    result = json.loads(told(capsys)[0])
    assert result["mistakes"] == 7 and {row["x"] for row in result["history"]} == {"0"}


def test_the_vote_of_weights_is_shown_and_not_that_of_hypotheses_nobody_asks(capsys):
    assert run(["duel", "wm:beta=0.25", "cover", "--rounds", "4"]) == 0
    out, _ = told(capsys)
    rows = [line.split() for line in out.splitlines()[1:5]]
    assert [row[2:5] for row in rows] == [
        ["0.500", ":", "0.500"],
        ["0.800", ":", "0.200"],
        ["0.500", ":", "0.500"],
        ["0.800", ":", "0.200"],
    ]
    assert rows[2][-2:] == ["0", "–"] and "-1" not in out


@pytest.mark.parametrize("command", ["duel", "dimension"])
def test_help_has_an_example_and_says_which_classes_there_are(command, capsys):
    assert run([command, "--help"]) == 0
    out, _ = told(capsys)
    assert f"noregret {command} " in out.partition("Examples:")[2]
    words = " ".join(out.replace("│", " ").split())
    if command == "duel":
        assert "noregret dimension -h" in words
    else:
        assert all(f" {name}:" in words for name in FAMILIES) and all(name in words for name in INFINITE)


def test_a_file_of_rounds_and_a_file_of_a_class(tmp_path, capsys):
    (tmp_path / "class.csv").write_text("a,b,c\n0,0,1\n0,1,1\n1,1,1\n", encoding="utf-8")
    (tmp_path / "rounds.csv").write_text("b,1\na,0\n", encoding="utf-8")
    arguments = [
        "duel",
        "halving",
        str(tmp_path / "rounds.csv"),
        "--class",
        str(tmp_path / "class.csv"),
        "--json",
        "-",
    ]
    assert run(arguments) == 0
    assert [row["x"] for row in json.loads(told(capsys)[0])["history"]] == ["b", "a"]


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["duel", "soa", "tree"], 2, "needs a class of hypotheses: --class thresholds:1023"),
        (["duel", "soa", "tee", "--class", "all:2"], 2, "did you mean tree"),
        (["duel", "perceptron", "tree", "--class", "all:2"], 2, "perceptron does not play over a class"),
        (["duel", "so", "tree", "--class", "all:2"], 2, "did you mean sop or soa"),
        (["duel", "boa", "tree", "--class", "all:2"], 2, "boa does not play over a class; wm, rwm, hedge"),
        (["duel", "soa", "tree", "--class", "thresholds:[0,1]"], 2, "infinitely many hypotheses"),
        (["duel", "soa", "tree", "--class", "disjunctions:20"], 2, "1,099,511,627,776 cells"),
        (
            ["duel", "halving", "noise:share=0.5", "--class", "thresholds:7"],
            1,
            "no hypothesis of thresholds:7 explains",
        ),
        (["duel", "soa", "tree", "--class", "none.csv"], 1, "no such file"),
        (["dimension", "threshold:3"], 2, "did you mean thresholds"),
        (["dimension", "rectangles:3"], 2, "'rectangles'; there is thresholds:n, singletons:d"),
        (["dimension", "all:3", "--tree", "tree.png"], 2, "should end in .svg or .txt"),
        (["dimension", "thresholds:[0,1]", "--tree", "tree.svg"], 2, "cannot be listed"),
    ],
)
def test_errors_are_one_sentence(arguments, status, sentence, capsys):
    assert run(arguments) == status
    _, err = told(capsys)
    assert sentence in err and err.count("\n") == 1 and "Traceback" not in err


def test_dimension(capsys):
    assert run(["dimension", "disjunctions:8,general"]) == 0
    out, err = told(capsys)
    assert "6,561 hypotheses, 256 points" in out and "12.68" in out and err == ""
    assert run(["dimension", "disjunctions:8,general", "--json", "-"]) == 0
    result = json.loads(told(capsys)[0])
    assert {k: result[k] for k in ("class", "hypotheses", "points", "vc", "littlestone")} == {
        "class": "disjunctions:8,general", "hypotheses": 6561, "points": 256, "vc": 8, "littlestone": 9,
    }  # fmt: skip
    assert result["log2_size"] == pytest.approx(12.68, abs=0.01) and result["complete"] is True


def test_an_infinite_class_says_so(capsys):
    assert run(["dimension", "thresholds:[0,1]", "--json", "-"]) == 0
    result = json.loads(told(capsys)[0])
    assert result["vc"] == 1 and result["littlestone"] == "infinite" and result["hypotheses"] is None
    assert run(["dimension", "thresholds:[0,1]"]) == 0
    assert told(capsys)[0].count("infinite") == 3


def test_a_limit_gives_bounds(capsys):
    assert run(["dimension", "random:200,60,1", "--limit", "500"]) == 0
    assert "between" in told(capsys)[0]
    assert run(["dimension", "random:200,60,1", "--limit", "500", "--json", "-"]) == 0
    result = json.loads(told(capsys)[0])
    assert result["complete"] is False and result["vc"]["lower"] < result["vc"]["upper"]


def test_no_vc_dimension_is_said_to_be_above_that_of_littlestone(capsys):
    assert run(["dimension", "disjunctions:8,general", "--limit", "5", "--json", "-"]) == 0
    result = json.loads(told(capsys)[0])
    assert result["vc"]["upper"] <= result["littlestone"]["upper"]


@pytest.mark.parametrize("name", ["tree.svg", "tree.txt"])
def test_a_tree_is_written(tmp_path, name, capsys):
    assert run(["dimension", "thresholds:7", "--tree", str(tmp_path / name)]) == 0
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert "depth 3" in text and "depth 3" in told(capsys)[0]
    if name.endswith("svg"):
        picture = ET.fromstring(text)
        assert picture.tag.endswith("svg") and picture[1].tag.endswith("rect")


@pytest.mark.parametrize(("name", "drawn"), [("tree.svg", True), ("tree.txt", False)])
def test_a_tree_that_is_drawn_in_part_says_so(tmp_path, name, drawn, capsys):
    assert run(["dimension", "thresholds:255", "--tree", str(tmp_path / name)]) == 0
    assert ("its first 7 levels" in told(capsys)[0]) is drawn


def test_theorems(capsys):
    assert run(["theorems"]) == 0
    out, _ = told(capsys)
    assert all(word in out for word in ("Novikoff 1962", "M ≤ Ldim(H)", "Kivinen", "Cover 1965", "agnostic"))
    assert run(["theorems", "--json", "-"]) == 0
    assert {"theorem", "statement", "source", "learner"} == set(json.loads(told(capsys)[0])[0])


def test_learners_lists_those_over_classes(capsys):
    assert run(["learners", "--json", "-"]) == 0
    names = {one["learner"] for one in json.loads(told(capsys)[0])}
    assert {"consistent", "randconsistent", "halving", "soa", "agnostic"} <= names
    assert run(["learners", "soa"]) == 0
    assert "Littlestone (SOA)" in told(capsys)[0]


def test_run_says_what_a_learner_over_a_class_needs(capsys):
    assert run(["run", "--learner", "soa"]) == 2
    assert "soa plays over a class of hypotheses" in told(capsys)[1]


@pytest.mark.parametrize("text", ["", "point,label\n", "\n\n"])
def test_a_file_without_a_round_is_refused(tmp_path, capsys, text):
    (tmp_path / "rounds.csv").write_text(text, encoding="utf-8")
    assert run(["duel", "soa", str(tmp_path / "rounds.csv"), "--class", "thresholds:3"]) == 1
    assert "rounds.csv: there is not a single round in it" in capsys.readouterr().err


def test_one_hypothesis_and_one_point_are_said_so(tmp_path, capsys):
    (tmp_path / "one.csv").write_text("1\n")
    assert run(["dimension", str(tmp_path / "one.csv")]) == 0
    assert "one.csv: 1 hypothesis, 1 point\n" in capsys.readouterr().out
    assert run(["duel", "halving", "random", "--class", str(tmp_path / "one.csv"), "--rounds", "2"]) == 0
    assert "one.csv, 1 hypothesis: 0 mistakes in 2 rounds" in capsys.readouterr().out.replace("\n", " ")
