"""What SECURITY.md promises: data is not run, nothing is fetched, nothing else is written."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

AUDITED = """
import os, sys
from pathlib import Path

FORBIDDEN = {
    "socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request",
    "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.startfile",
    "pickle.find_class", "webbrowser.open", "http.client.connect", "ftplib.connect",
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

def look(event, arguments):
    if event in FORBIDDEN:
        os.write(2, f"forbidden: {event} {arguments!r}\\n".encode())
        os._exit(77)
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
        written.add(str(arguments[0]))

def ran(event, arguments):
    if event in ("exec", "compile") and watching:
        where = getattr(arguments[0], "co_filename", arguments[1] if len(arguments) > 1 else "")
        if not str(where).startswith((sys.prefix, sys.base_prefix, root, "<")):
            os.write(2, f"ran: {event} {where!r}\\n".encode())
            os._exit(78)

written, watching, root = set(), True, sys.argv[1]
sys.addaudithook(look)
sys.addaudithook(ran)
from groupwise.evaluator.cli import run

os.chdir(sys.argv[2])
for path in sys.argv[3:]:
    for words in (
        ["inspect", path], ["validate", path], ["evaluate", path, "-o", "report.json"],
        ["convert", path, "out.jsonl", "--lossy"], ["check", path], ["explain", path],
        ["evaluate", path, "--vectors", path, "-m", "ild@5"],
    ):
        code = run(words)
        assert code in (0, 1, 2, 3), (code, words)
here = os.getcwd()
others = {
    path for path in written
    if not Path(here, path).is_relative_to(here) and not path.startswith("/dev/")
    and "__pycache__" not in path
}
print(sorted(others))
"""
DATA = sorted(
    path
    for folder in ("formats", "invalid", "edge-cases")
    for path in (ROOT / "fixtures" / folder).rglob("*")
    if path.is_file()
)


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.nightly) for n in (1, 2, 3))]
)
def test_no_data_is_run_and_nothing_is_fetched_or_written_elsewhere(
    part: int, tmp_path: Path
) -> None:
    """Python itself reports what is opened, started and connected to."""
    paths = list(map(str, DATA[part::8]))
    done = subprocess.run(
        [sys.executable, "-c", AUDITED, str(ROOT), str(tmp_path), *paths],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_pickle_in_a_matrix_is_not_loaded(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    from groupwise import InputError, evaluate  # noqa: PLC0415

    numpy.save(tmp_path / "v.npy", numpy.array([{"a": 1}], object), allow_pickle=True)
    (tmp_path / "v.ids.txt").write_text("a\n")
    with pytest.raises(InputError, match=r"not a \.npy matrix"):
        evaluate({"q": [["a"]]}, {"q": ["a"]}, metrics=["ild@5"], vectors=tmp_path / "v.npy")
