"""Markdown for pull requests, CSV for spreadsheets, tables for terminals, endings of files."""

import ast
import csv
import io
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from groupwise.evaluator.cli.streams import fit
from groupwise.evaluator.text import ASCII_FORMS, UNSEEN
from tests.cli.conftest import Groupwise, Write
from tests.paths import ROOT
from tests.reporting.charts.data import COUNT, ground_truth, rank_of, run

GATES = ("--gate", "recall@5 >= 0.9", "--gate", "ndcg >= 0.1")


@pytest.fixture
def files(write: Write) -> list[str]:
    return [write("t.json", ground_truth()), write("r.json", run())]


def test_markdown_begins_with_the_outcome(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("evaluate", *files, "-m", "recall@5,ndcg", *GATES, "--format", "markdown")
    first, _, rest = done.out.partition("\n")
    assert first.startswith("**Failed: 1 of 2 gates.** recall@5 0.")
    assert first.endswith(f"Profile `autorag`; {COUNT} queries, {COUNT} scored.")
    assert rest.startswith("\n| gate | result | details |\n")
    passing = groupwise("evaluate", *files, *GATES[2:], "--format", "markdown")
    assert passing.out.startswith("**Passed: 1 gate.** ")
    assert "missed groups" not in passing.out
    assert groupwise("evaluate", *files, "-m", "mrr", "--format", "markdown").out.startswith("mrr ")


def test_markdown_names_the_missed_groups_of_the_worst_queries(
    groupwise: Groupwise, files: list[str]
) -> None:
    done = groupwise("evaluate", *files, "-m", "ndcg,recall@5", *GATES, "--format", "markdown")
    rows = re.findall(r"^\| (q\d\d) \| .* \| ([^|]*) \|$", done.out, re.MULTILINE)
    assert len(rows) == 5
    for query, cell in rows:
        i = int(query[1:])
        missed = [g for g in range(i % 3 + 1) if not 0 < (rank_of(i, g) or 0) <= 10]
        assert re.findall(r"group (\d)", cell) == [str(g + 1) for g in missed]
    assert "The 5 worst by recall@5, then by query id:" in done.out
    assert done.out.count("<details>") == done.out.count("</details>") == 1
    assert "<summary>The 5 worst by recall@5, then by query id, explained</summary>" in done.out


def test_markdown_unfolds_slices_and_curves(groupwise: Groupwise, files: list[str]) -> None:
    words = ("--by", "type", "--curve", "3", "--format", "markdown")
    done = groupwise("evaluate", *files, "-m", "recall@5", *words)
    assert "<details>\n<summary>By type: 2 slices</summary>\n\n| type |" in done.out
    assert "complete at k = 3</summary>" in done.out
    assert done.out.index("recall") < done.out.index("<details>")


def test_a_query_called_mean_is_not_the_mean(groupwise: Groupwise, write: Write) -> None:
    queries = ["mean", "low", "high", "ceiling", "mean (type=a)", "query", "kind"]
    truth = [
        {"id": query, "ground_truth": [["a"]], "metadata": {"type": query}} for query in queries
    ]
    files = write("t.json", truth), write("r.json", {query: ["a"] for query in queries[:4]})
    words = ("-m", "recall", "--by", "type", "--confidence", "0.9", "--ceilings")
    done = groupwise("evaluate", *files, *words, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    scores = {row["query"]: float(row["recall"]) for row in rows if row["kind"] == "query"}
    assert scores == {query: float(query in queries[:4]) for query in queries}
    whole = [row for row in rows if row["kind"] == "mean" and not row["field"]]
    assert [float(row["recall"]) for row in whole] == [pytest.approx(4 / 7)]
    assert {row["query"] for row in rows if row["kind"] != "query"} == {""}
    assert {row["slice"] for row in rows if row["kind"] == "mean"} == {"", *queries}


def in_terminal(columns: int, *words: str, encoding: str = "utf-8") -> list[str]:
    """Return what a terminal of a width shows; stderr goes there as well."""
    head, tail = pty.openpty()
    hidden = ("NO_COLOR", "FORCE_COLOR")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"COLUMNS": str(columns), "TERM": "xterm", "PYTHONIOENCODING": encoding}
    with subprocess.Popen(
        [sys.executable, "-m", "groupwise", *words], stdout=tail, stderr=tail, env=environment
    ) as process:
        os.close(tail)
        data = b""
        while select.select([head], [], [], 60)[0]:
            try:
                block = os.read(head, 65536)
            except OSError:
                break
            if not block:
                break
            data += block
        process.wait(60)
    os.close(head)
    return data.decode(encoding).replace("\r", "").split("\n")


LONG = ("evaluate", "t.json", "r.json", "-m", "recall@5,ndcg,mrr,map,precision,f1,complete",
        "-k", "1,3,5,10", "--by", "type", "--confidence", "0.95", "--curve", "4", "--explain", "2",
        *GATES, "--bands")  # fmt: skip


@pytest.mark.usefixtures("files")
def test_a_terminal_of_80_columns_is_wide_enough() -> None:
    lines = in_terminal(80, *LONG)
    plain = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
    assert [line for line in plain if cell_len(line) > 80] == []
    assert any("recall@5 >= 0.9" in line for line in plain)
    failed = [line for line in lines if "recall@5 >= 0.9" in line and "0.9000" in line]
    assert "\x1b[1;31mfailed\x1b[0m" in failed[0]


@pytest.mark.usefixtures("files")
def test_a_terminal_without_unicode_shows_ascii() -> None:
    lines = in_terminal(80, *LONG, encoding="ascii")
    plain = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in lines]
    assert not [line for line in plain if "\\u" in line or not line.isascii()]
    assert [line for line in plain if len(line) > 80] == []


def find_signs(path: Path) -> set[str]:
    """Return the signs beyond ASCII in the strings of a module that are no docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    prose = {
        id(node.value) for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }  # fmt: skip
    texts = [
        node.value for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose
    ]  # fmt: skip
    return {
        sign for text in texts for sign in text if not sign.isascii() and not UNSEEN.match(sign)
    }


FACES = [
    path
    for folder in ("cli", "reporting", "evaluation", "statistics", "validation")
    for path in sorted((ROOT / "evaluator" / folder).rglob("*.py"))
    if not {"charts", "html", "notebook"} & {*path.parts} and path.name != "sanitise.py"
]


def test_every_sign_has_an_ascii_form() -> None:
    signs = {sign for path in FACES for sign in find_signs(path)}
    assert {sign for sign in signs if ord(sign) not in ASCII_FORMS} == set()


def test_lines_are_wrapped_at_words() -> None:
    assert fit("a short line", 20) == "a short line"
    assert fit("  one two three four", 10) == "  one two\n    three\n    four"
    assert fit("x" * 30, 10) == "x" * 30
    assert fit("\x1b[33mone two\x1b[0m three", 7) == "\x1b[33mone two\x1b[0m\n  three"
    assert fit("漢字 漢字", 8) == "漢字\n  漢字"


COMMANDS = {
    "evaluate": ("t.json", "r.json"), "compare": ("t.json", "r.json", "s.json"),
    "power": ("t.json", "r.json"), "validate": ("t.json",), "explain": ("t.json", "r.json"),
    "check": ("f.json",), "inspect": ("t.json",),
}  # fmt: skip


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", ["report.xyz", "report.xyz.gz", "report.docx", "report.svg"])
@pytest.mark.parametrize("command", COMMANDS)
def test_an_ending_that_no_form_has_is_refused(
    groupwise: Groupwise, command: str, name: str
) -> None:
    done = groupwise(command, *COMMANDS[command], "-o", name)
    suffix = "." + name.removesuffix(".gz").partition(".")[2]
    assert done.code == 2
    assert f"-o {name}: no format has the suffix '{suffix}'; choose one with --format: " in done.err
    assert "(.txt)" in done.err
    assert not Path(name).exists()
