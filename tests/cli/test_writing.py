import gzip
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from groupwise.evaluator.errors import InputError, OutputError, Problem
from groupwise.evaluator.reading.writing import write_data, write_whole
from tests.cli.shell import names_in


def mode(path: str) -> int:
    return stat.S_IMODE(Path(path).stat().st_mode)


@pytest.mark.parametrize(("umask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0, 0o666)])
def test_a_new_file_has_the_mode_of_the_umask(umask: int, expected: int) -> None:
    before = os.umask(umask)
    try:
        write_whole("new", b"1")
    finally:
        os.umask(before)
    assert (mode("new"), Path("new").read_bytes()) == (expected, b"1")


def test_an_old_file_keeps_its_mode() -> None:
    Path("old").write_bytes(b"0")
    Path("old").chmod(0o751)
    write_whole("old", b"1")
    assert (mode("old"), Path("old").read_bytes()) == (0o751, b"1")


def test_links_are_followed_also_to_files_that_are_not_there_yet() -> None:
    Path("link").symlink_to("target")
    write_whole("link", b"1")
    assert Path("link").is_symlink()
    assert Path("target").read_bytes() == b"1"


@pytest.mark.parametrize("step", ["fsync", "replace", "unlucky"])
def test_whatever_happens_the_old_file_is_whole(monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    Path("old").write_bytes(b"0")
    monkeypatch.setattr(os, "fsync", fail if step == "fsync" else interrupt)
    if step == "replace":
        monkeypatch.setattr(os, "fsync", lambda _: None)
        monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(KeyboardInterrupt if step == "unlucky" else OutputError):
        write_whole("old", b"1")
    assert names_in() == ["old"]
    assert Path("old").read_bytes() == b"0"


def test_pieces_are_written_as_they_come() -> None:
    piece = b"0123456789abcdef" * (1 << 16)

    def pieces() -> Iterator[bytes]:
        yield piece
        yield piece
        (fresh,) = Path().glob(".groupwise-*")
        sizes.append(fresh.stat().st_size)

    sizes: list[int] = []
    write_data("new", pieces())
    assert Path("new").read_bytes() == 2 * piece
    assert sizes[0] >= len(piece)


def test_the_same_data_in_other_pieces_is_compressed_to_the_same_bytes() -> None:
    write_data("1.gz", [b"one", b"two" * 100_000])
    write_data("2.gz", [b"o", b"netwo", *[b"two"] * 99_999])
    assert Path("1.gz").read_bytes() == Path("2.gz").read_bytes()
    assert gzip.decompress(Path("1.gz").read_bytes()) == b"one" + b"two" * 100_000


@pytest.mark.parametrize("name", ["old", "old.gz"])
def test_pieces_that_end_with_an_error_leave_the_old_file(name: str) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"1"
        raise InputError([Problem("no more")])

    Path(name).write_bytes(b"0")
    with pytest.raises(InputError, match="no more"):
        write_data(name, pieces())
    assert names_in() == [name]
    assert Path(name).read_bytes() == b"0"


def test_a_name_that_is_taken_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", bytes)
    taken = Path(f".groupwise-{'00' * 8}.tmp")
    taken.write_bytes(b"of another")
    with pytest.raises(OutputError):
        write_whole("new", b"1")
    assert taken.read_bytes() == b"of another"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere/x", "nowhere/x: there is no folder 'nowhere'"),
        (".", ".: this is a folder, not a file"),
        ("file/x", "file/x: 'file' is not a folder"),
        ("/dev/full", "/dev/full: cannot be written: No space left on device"),
    ],
)
def test_messages_say_what_is_wrong(path: str, message: str) -> None:
    Path("file").write_bytes(b"")
    with pytest.raises(OutputError) as caught:
        write_whole(path, b"1")
    assert str(caught.value) == message


def test_devices_are_written_to_not_replaced() -> None:
    write_whole("/dev/null", b"1")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_names_as_long_as_the_system_allows() -> None:
    name = "x" * 255
    write_whole(name, b"1")
    assert names_in() == [name]
