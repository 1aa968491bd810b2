"""One source of the version: ``groupwise/__init__.py``. What else names it is held to it here."""

import datetime as dt
import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from typing import Any

import pytest

from groupwise import __version__
from tests.paths import FIXTURES, ROOT

yaml = pytest.importorskip("yaml")
jsonschema = pytest.importorskip("jsonschema")

HEADING = re.compile(r"^## \[(\d+)\.(\d+)\.(\d+)\] - (\S+)$", re.MULTILINE)
SECTIONS = [
    "Changed scores", "Added", "Changed", "Deprecated", "Performance",
    "Fixed", "Removed", "Security",
]  # fmt: skip
"""The headings below a version, in this order."""


def read_changelog() -> str:
    """The sections of versions, without what is not released."""
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return re.sub(r"^## \[Unreleased\]\n.*?(?=^## )", "", text, flags=re.DOTALL | re.MULTILINE)


def test_the_build_takes_the_version_from_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" not in project["project"]
    assert project["project"]["dynamic"] == ["version"]
    source = ROOT / project["tool"]["hatch"]["version"]["path"]
    assert source.read_text("utf-8").count(f'__version__ = "{__version__}"') == 1


def test_what_is_installed_and_what_is_printed_have_that_version() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "groupwise", "--version"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert printed.stdout == f"groupwise {__version__}\n"
    assert metadata.version("groupwise") == __version__


def test_the_newest_section_of_the_changelog_is_that_version() -> None:
    versions = [tuple(map(int, found[:3])) for found in HEADING.findall(read_changelog())]
    assert versions == sorted(set(versions), reverse=True)
    assert ".".join(map(str, versions[0])) == __version__
    assert len(versions) == len(re.findall(r"^## ", read_changelog(), re.MULTILINE))


def test_a_version_is_unreleased_or_has_its_day() -> None:
    days = [found[3] for found in HEADING.findall(read_changelog())]
    released = [dt.date.fromisoformat(day) for day in days if day != "unreleased"]
    assert released == sorted(released, reverse=True)


def test_the_citation_has_the_day_of_the_release() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    newest = HEADING.findall(read_changelog())[0][3]
    assert str(cited.get("date-released", "unreleased")) == newest


def test_the_sections_of_a_version_are_known_and_in_order() -> None:
    for section in re.split(r"^## ", read_changelog(), flags=re.MULTILINE)[1:]:
        found = re.findall(r"^### (.+)$", section, re.MULTILINE)
        assert found == sorted(set(found), key=SECTIONS.index), section[:20]
        assert "Changed scores" not in found or found[0] == "Changed scores"


def read_citation() -> dict[str, Any]:
    # The base loader leaves 1.2.0 and dates as they are written.
    loaded: dict[str, Any] = yaml.load((ROOT / "CITATION.cff").read_text("utf-8"), yaml.BaseLoader)
    return loaded


def citation_problems(citation: dict[str, Any]) -> list[str]:
    path = FIXTURES / "schemas" / "citation-file-format-1.2.0.schema.json"
    checker = jsonschema.Draft7Validator(json.loads(path.read_bytes()))
    return [error.message for error in checker.iter_errors(citation)]


def test_the_citation_is_valid_and_of_this_version() -> None:
    citation = read_citation()
    assert citation_problems(citation) == []
    assert citation["version"] == __version__
    assert citation["authors"] == [{"name": "The groupwise developers"}]


@pytest.mark.parametrize("wrong", [{"authors": []}, {"licence": "MIT"}, {"cff-version": "9"}])
def test_a_wrong_citation_is_found(wrong: dict[str, Any]) -> None:
    assert citation_problems({**read_citation(), **wrong})


def test_pages_name_the_tag_of_this_version() -> None:
    text = "".join(page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.md"))
    assert {*re.findall(r"(?:\brev: v|groupwise@v)(\d[\w.]*)", text)} == {__version__}
