from pathlib import Path

import pytest

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
        (b"PK\x03\x04", "npz"),
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
