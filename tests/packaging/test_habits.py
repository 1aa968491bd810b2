"""What contributors meet: the list of targets, the templates, and the questions of a review."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from groupwise.evaluator.cli.commands import COMMANDS
from tests.paths import ROOT

yaml = pytest.importorskip("yaml")

TEMPLATES = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
FORMS = [path for path in TEMPLATES if path.name != "config.yml"]
MAKE_SETS = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS", "MAKEOVERRIDES"}
QUESTIONS = ["Numbers", "Growth", "Words", "Doors", "Docs"]


def make(*words: str) -> str:
    """What make prints when it is called by hand, also if make runs these tests."""
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    environment = {name: value for name, value in os.environ.items() if name not in MAKE_SETS}
    done = subprocess.run(
        ["make", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_make_help_lists_every_target_of_the_makefile() -> None:
    text = (ROOT / "Makefile").read_text("utf-8")
    targets = re.findall(r"^\.PHONY: (.+)$", text, re.MULTILINE)[0].split()
    listed = dict(line.split(maxsplit=1) for line in make("help").splitlines())
    assert sorted(listed) == sorted(targets)
    assert all(listed.values())


def test_make_alone_shows_the_demo() -> None:
    assert "groupwise demo" in make("--dry-run")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/how-to/review-a-change.md"])
def test_targets_that_pages_name_exist(page: str) -> None:
    targets = {line.split()[0] for line in make("help").splitlines()}
    named = re.findall(
        r"(?:^|`)make ([a-z][a-z-]*)", (ROOT / page).read_text("utf-8"), re.MULTILINE
    )
    assert named
    assert set(named) <= targets


def fields(path: Path) -> dict[str, Any]:
    form = yaml.safe_load(path.read_text("utf-8"))
    assert form["name"]
    assert form["description"]
    return {field["id"]: field for field in form["body"] if field["type"] != "markdown"}


def test_there_are_forms_and_no_blank_issues() -> None:
    assert len(FORMS) >= 3
    config = yaml.safe_load((TEMPLATES[0].parent / "config.yml").read_text("utf-8"))
    assert config["blank_issues_enabled"] is False


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_asks_for_the_version_and_a_minimal_fixture(path: Path) -> None:
    asked = fields(path)
    assert "groupwise --version" in asked["version"]["attributes"]["description"]
    assert asked["fixture"]["attributes"]["render"] == "json"
    for name in ("version", "fixture"):
        assert asked[name]["validations"]["required"] is True


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_commands_that_a_form_names_exist(path: Path) -> None:
    named = re.findall(r"`groupwise (\w+)", path.read_text("utf-8"))
    assert set(named) <= set(COMMANDS)


def test_the_page_and_the_template_ask_the_same_five_questions() -> None:
    page = (ROOT / "docs" / "how-to" / "review-a-change.md").read_text("utf-8")
    template = (ROOT / ".github" / "PULL_REQUEST_TEMPLATE.md").read_text("utf-8")
    assert re.findall(r"^## \d\. (\w+):", page, re.MULTILINE) == QUESTIONS
    assert re.findall(r"^- \[ \] \*\*(\w+)\*\*", template, re.MULTILINE) == QUESTIONS
