"""Every block of Python and of a console on every page runs, and gives what the page shows."""

import ast
import io
import os
import re
import shlex
import shutil
from contextlib import redirect_stdout
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from groupwise import __version__
from groupwise.evaluator.cli.commands import COMMANDS
from tests.cli.shell import type_line
from tests.docs.pages import PAGES, Block, blocks, commands, matches, statements
from tests.paths import FIXTURES, ROOT

TIME = re.compile(r"^(\d+ (?:passed|failed).*) in \d+\.\d+s", re.MULTILINE)
"""The last line of pytest."""
TOLD = ROOT / "docs" / "showcase.md"
"""`make showcase FLAGS=--write` writes it, by a run of its commands."""
RUNNING = [page for page in PAGES if blocks(page, "python", "console") and page != TOLD]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a reader types along: a folder with the fixtures in it."""
    shutil.copytree(FIXTURES, tmp_path / "fixtures")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("page", RUNNING, ids=lambda page: page.relative_to(ROOT).as_posix())
@pytest.mark.usefixtures("folder", "nothing_added")
def test_the_code_of_a_page_runs_and_gives_what_it_shows(page: Path) -> None:
    namespace: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page, "python", "console"):
        if block.language == "python":
            run_python(page, block, namespace)
        else:
            run_console(page, block)


def run_python(page: Path, block: Block, namespace: dict[str, Any]) -> None:
    for statement, shown in statements(block):
        ast.increment_lineno(statement, block.line - 1)
        code = compile(ast.Module([statement], []), os.fspath(page), "exec")
        with redirect_stdout(io.StringIO()) as output:
            exec(code, namespace)  # noqa: S102
        printed = output.getvalue().splitlines()
        if printed and shown:
            assert matches(printed, shown), f"{page}:{statement.lineno}: {printed} != {shown}"


def run_console(page: Path, block: Block) -> None:
    for command, shown in commands(block):
        if not command.startswith(("groupwise ", "pytest ")):
            pytest.fail(f"{page}:{block.line}: only groupwise and pytest are run, not {command!r}")
        printed = TIME.sub(r"\1 in 0.01s", type_line(command, together=True).out).splitlines()
        assert matches(printed, shown), f"{page}:{block.line}: {command}\n" + "\n".join(printed)


def test_every_command_is_in_the_reference_and_on_another_page() -> None:
    assert {"evaluate", "check", "metrics", "demo"} <= set(COMMANDS)
    reference = ROOT / "docs" / "reference" / "cli.md"
    others = "".join(page.read_text("utf-8") for page in PAGES if page != reference)
    for name in COMMANDS:
        assert f"## `groupwise {name}`" in reference.read_text("utf-8")
        assert f"groupwise {name}" in others


def test_this_file_compares_what_is_printed() -> None:
    assert matches(["a", "b", "c"], ["a", "…", "c"])
    assert matches(["a"], ["a", "..."])
    assert not matches(["a", "b"], ["a"])
    assert not matches(["a"], ["b"])
    block = Block("python", "print(1)  # 2\nx = 3  # not printed\nprint(x)\n# 3\n", 1)
    assert [shown for _, shown in statements(block)] == [["2"], [], ["3"]]


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in links(page):
            assert (page.parent / target).exists(), f"{page}: {target}"


TYPED = re.compile(r"^ *(?:- (?:run: )?|run: )?groupwise (\w+)\b([^\n]*)", re.MULTILINE)
SPAN = re.compile(r"`groupwise (\w+) ([^`\n]+)`")
ENDS = {">", ">>", "||", "|", "&&", ";"}


def typed_commands() -> list[tuple[str, str, list[str]]]:
    """The commands of blocks that are not run: page, command and words."""
    found = []
    for page in (page for page in PAGES if page.parent.name != "reference"):
        for block in blocks(page, "text", "yaml"):
            for name, rest in TYPED.findall(block.text.replace("\\\n", " ")):
                line = re.split(r" {2,}(?=[a-z])|  #", rest)[0]
                words = list(takewhile(lambda word: word not in ENDS, shlex.split(line)))
                found.append((page.name, name, words))
    return found


@pytest.mark.parametrize(("page", "name", "words"), typed_commands())
def test_a_command_that_is_shown_but_not_run_exists(page: str, name: str, words: list[str]) -> None:
    assert name in COMMANDS, page
    import_module(f"groupwise.evaluator.cli.{name}")._parser().parse_words(words)


def test_an_option_that_is_named_on_a_page_exists() -> None:
    for page in PAGES:
        if page.parent.name == "decisions":
            continue
        for name, rest in SPAN.findall(page.read_text("utf-8")):
            if name in COMMANDS:
                known = import_module(f"groupwise.evaluator.cli.{name}")._parser()
                flags = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", rest)
                assert [flag for flag in flags if flag not in known._option_string_actions] == []


def test_the_hook_is_of_this_version() -> None:
    page = (ROOT / "docs" / "how-to" / "validate.md").read_text("utf-8")
    assert re.findall(r"rev: v(\S+)", page) == [__version__]


FOLDERS = ("how-to", "explanation", "reference")


def test_every_page_can_be_found_from_the_index_and_the_readme() -> None:
    pages = [page for folder in FOLDERS for page in (ROOT / "docs" / folder).glob("*.md")]
    assert pages
    for start in (ROOT / "docs" / "index.md", ROOT / "README.md"):
        linked = {(start.parent / target).resolve() for target in links(start)}
        assert [page.name for page in pages if page not in linked] == [], start.name


def test_the_index_lists_every_decision_in_order() -> None:
    linked = [target for target in links(ROOT / "docs" / "index.md") if "decisions/" in target]
    pages = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert linked == [f"decisions/{page.name}" for page in pages]


def links(page: Path) -> list[str]:
    """The relative links of a page to other pages, without what stands in code."""
    return [target.partition("#")[0] for target in targets(page) if not target.startswith("#")]


def targets(page: Path) -> list[str]:
    text = page.read_text("utf-8")
    for block in blocks(page, "python", "console", "json", "text", "yaml"):
        text = text.replace(block.text, "")
    found = [part.partition(")")[0] for part in text.split("](")[1:]]
    return [target for target in found if "://" not in target]


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_to_headings_lead_to_one() -> None:
    for page in PAGES:
        for path, mark, anchor in (target.partition("#") for target in targets(page)):
            if mark and (path.endswith(".md") or not path):
                other = page.parent / path if path else page
                assert anchor in anchors(other), f"{page.name}: {path}#{anchor}"
