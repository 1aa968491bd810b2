"""The site, built once, however many processes run the tests, and served on this machine."""

import functools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.browsing import axe, browser, visit
from tests.paths import ROOT

__all__ = ["axe", "browser", "visit"]
LONGEST = 500
"""Seconds to wait for another process that builds the site."""


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site as `make site` does."""
    return subprocess.run(
        [sys.executable, "-m", "docs.website", folder],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONHASHSEED": "random"},
    )  # fmt: skip


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site; the first process that asks for it builds it."""
    for name in ("sphinx", "furo", "myst_nb", "sphinx_copybutton"):
        pytest.importorskip(name, reason=f"{name} is in the extra 'site'")
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    said = shared / "site.txt"
    try:
        (shared / "site-claimed").mkdir()
    except FileExistsError:
        _wait(said)
    else:
        done = build(shared / "site")
        (shared / "site.part").write_text(f"{done.returncode}\n{done.stderr}", "utf-8")
        (shared / "site.part").rename(said)
    code, _, warnings = said.read_text("utf-8").partition("\n")
    if (code, warnings) != ("0", ""):
        pytest.fail(f"make site exits {code}:\n{warnings}")
    return shared / "site"


def _wait(path: Path) -> None:
    for _ in range(LONGEST * 10):
        if path.exists():
            return
        time.sleep(0.1)
    pytest.fail("the site was not built in time")


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and logs nothing."""

    def log_message(self, *_: Any) -> None:
        return


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where a browser finds the site, with a slash at the end."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()
