"""Files that appear whole or not at all."""

import os
import subprocess
import sys

import pytest

from noregret.cli.app import run
from noregret.errors import BadCommand
from noregret.whole_file import require_outputs, require_writable, whole_file, write_whole


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to("far/file")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "far" / "file").read_bytes() == b"new"


@pytest.mark.skipif(os.name != "posix", reason="who may read a file is told otherwise elsewhere")
def test_what_was_private_stays_private(tmp_path):
    before = os.umask(0o022)
    try:
        write_whole(tmp_path / "m", b"old")
        assert (tmp_path / "m").stat().st_mode & 0o777 == 0o644
        (tmp_path / "m").chmod(0o600)
        write_whole(tmp_path / "m", b"new")
    finally:
        os.umask(before)
    assert (tmp_path / "m").stat().st_mode & 0o777 == 0o600


def test_links_in_a_circle_are_one_sentence(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(BadCommand, match="a cannot be written: too many levels"):
        require_writable(tmp_path / "a")


def test_what_a_process_has_open_is_no_place_for_a_file(tmp_path):
    """A link of one's own that leads to the file behind standard output, by way of /dev/stdout."""
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = "import pathlib, sys; from noregret.whole_file import require_writable as r; r(pathlib.Path(sys.argv[1]))"
    with (tmp_path / "behind").open("w", encoding="utf-8") as behind:
        told = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "link")],
            stdout=behind,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert "it is a folder or a device, not a file" in told.stderr


def test_inputs_and_other_outputs_are_not_overwritten(tmp_path):
    (tmp_path / "data").write_bytes(b"")
    (tmp_path / "link").symlink_to("data")
    for outputs in ([tmp_path / "link"], [tmp_path / "new", tmp_path / "new"]):
        with pytest.raises(BadCommand, match="is read or written by this command already"):
            require_outputs(outputs, [tmp_path / "data"])


def test_what_fails_leaves_what_was_there(tmp_path):
    write_whole(tmp_path / "m", b"before")
    with pytest.raises(KeyboardInterrupt), whole_file(tmp_path / "m") as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert (tmp_path / "m").read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_a_link_to_itself_is_no_data_and_one_sentence(tmp_path, capsys):
    (tmp_path / "loop").symlink_to("loop")
    assert run(["run", str(tmp_path / "loop"), "-l", "perceptron", "--save", str(tmp_path / "m")]) == 1
    assert "loop: too many levels of symbolic links" in capsys.readouterr().err
