import zipfile
from pathlib import Path

import pytest

import noregret as nr
from noregret.cli.app import run
from noregret.data.recognise import recognise
from noregret.errors import BadFile


@pytest.mark.parametrize(
    ("head", "format"),
    [
        (b"1 3:0.5 7:1\n", "libsvm"),
        (b"# made by hand\n-1 qid:3 3:0.5\n", "libsvm"),
        (b"\xef\xbb\xbf+1 1:2\r\n", "libsvm"),
        (b"1 |f a b:2\n", "vw"),
        (b"|f a b:2\n", "vw"),
        (b"1 0.5 'tag|f a b:2\n", "vw"),
        (b"a,b,y\n1,2,0\n", "csv"),
        (b"ham\thello\n", "csv"),
        (b"a;b\n1;2\n", "csv"),
        (b"% weather\n@RELATION weather\n", "arff"),
        (b'{"a": 1}\n', "jsonl"),
        (b"PAR1....", "parquet"),
        (b"ARROW1\0\0", "arrow"),
        (b"\xff\xff\xff\xff\x10", "arrow"),
        (b"PK\x03\x04....X.npy", "npz"),
        (b"", "libsvm"),
    ],
)
def test_by_content(head, format):
    assert recognise(Path("data"), head) == format


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a.csv", "csv"),
        ("a.TSV.gz", "csv"),
        ("a.vw.zst", "vw"),
        ("a.feather", "arrow"),
        ("a.b.jsonl.xz", "jsonl"),
    ],
)
def test_by_ending(name, format):
    assert recognise(Path(name), b"1\n") == format


def test_content_that_cannot_be_text_comes_before_the_ending():
    assert recognise(Path("a.csv"), b"PAR1....") == "parquet"


def test_binary_rubbish():
    with pytest.raises(BadFile, match="data: this is binary data of no format that noregret knows"):
        recognise(Path("data"), bytes(range(256)))


@pytest.mark.parametrize(
    ("name", "inside", "sentence"),
    [
        (
            "book.xlsx",
            {"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"},
            "workbook of Excel",
        ),
        ("book.ods", {"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, "workbook of Excel"),
        ("data.zip", {"data.csv": "a,label\n1,1\n"}, "a zip archive; unpack it"),
    ],
)
def test_workbooks_and_archives(tmp_path, capsys, name, inside, sentence):
    with zipfile.ZipFile(tmp_path / name, "w") as archive:
        for member, text in inside.items():
            archive.writestr(member, text)
    for command in (["run"], ["experts", "--target", "label"]):
        assert run([*command, str(tmp_path / name)]) == 1
        assert f"{name}: this is a" in (told := capsys.readouterr().err) and sentence in told


def test_an_old_workbook():
    with pytest.raises(BadFile, match="book.csv: this is a workbook of Excel"):
        recognise(Path("book.csv"), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0")


def test_the_files_of_one_stream_have_one_format(tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.jsonl.gz"
    first.write_text("a,label\n2,-1\n", encoding="utf-8")
    second.write_text("a,label\n3,1\n", encoding="utf-8")
    with pytest.raises(BadFile, match=r"b\.jsonl\.gz: by its name this is jsonl, and .*a\.csv is csv; "):
        nr.read([first, second])
    third = tmp_path / "c.data"
    third.write_text("a,label\n3,1\n", encoding="utf-8")
    for rest, said in ((second, "csv"), (third, None)):
        batches = nr.read([first, rest], format=said).batches()
        assert sum(len(batch) for batch in batches) == 2
