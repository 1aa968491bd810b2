"""The build: warnings are errors, and the same sources give the same bytes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.website.conftest import build

BROKEN = {
    "a missing file": ("[x](missing.md)", "nothing is at docs/missing.md"),
    "a missing file elsewhere": ("[x](../missing.py)", "nothing is at missing.py"),
    "a missing anchor": ("[x](other.md#nowhere)", "nowhere"),
    "a missing anchor of the page": ("[x](#nowhere)", "nowhere"),
    "a missing picture": ("![x](missing.png)", "missing.png"),
    "a page that no page lists": ("", "toctree"),
}
INDEX = "# Index\n\n```{toctree}\npage\nother\n```\n"


def run_sphinx(pages: Path, output: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sphinx", "-c", ROOT / "docs" / "website", "-nWq", "--keep-going",
         pages, output],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("text", "message"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_fails_the_build(text: str, message: str, tmp_path: Path) -> None:
    pages = {"index": INDEX, "page": f"# Page\n\n{text}\n", "other": "# Other\n"}
    if not text:
        pages["lost"] = "# Lost\n"
    for name, page in pages.items():
        (tmp_path / f"{name}.md").write_text(page, "utf-8")
    origins = {name: f"docs/{name}.md" for name in pages}
    (tmp_path / "origins.json").write_text(json.dumps(origins), "utf-8")
    done = run_sphinx(tmp_path, tmp_path / "out")
    assert done.returncode != 0
    assert message in done.stderr


@pytest.mark.slow
def test_two_builds_give_the_same_bytes(site: Path, tmp_path: Path) -> None:
    assert build(tmp_path / "again").returncode == 0
    first, second = (
        {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        for folder in (site, tmp_path / "again")
    )
    assert first.keys() == second.keys()
    assert [path for path in first if first[path] != second[path]] == []


def test_no_page_names_the_machine_or_the_day(site: Path) -> None:
    for path in site.rglob("*.html"):
        text = path.read_text("utf-8")
        assert str(ROOT) not in text
        assert str(site) not in text
        assert "Last updated" not in text
