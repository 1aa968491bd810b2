import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from groupwise import evaluate
from groupwise.evaluator.reporting.page import Page
from groupwise.evaluator.reporting.sanitise import tidy
from groupwise.evaluator.reporting.terminal import columns_that_fit, render
from groupwise.schemas import Report


def report_of(queries: int, **options: object) -> Report:
    truths = {f"q{n:03}": [["a"]] for n in range(queries)}
    runs = {query: ["x"] * (n % 7) + ["a"] for n, query in enumerate(truths)}
    return evaluate(truths, runs, **options)  # type: ignore[arg-type]


def test_plain_text_has_no_escapes_and_no_blanks_at_line_ends() -> None:
    text = render(report_of(3))
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


def test_colour_is_only_colour() -> None:
    plain, coloured = (render(report_of(3), colour=colour) for colour in (False, True))
    lines = re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines()
    assert [line.rstrip() for line in lines] == plain.splitlines()


@pytest.mark.parametrize("width", [36, 40, 80, 200])
def test_no_table_is_wider_than_asked(width: int) -> None:
    text = render(report_of(5, k=list(range(1, 30))), width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    for k in range(1, 30):
        assert f"@{k} " in text or f"@{k}\n" in text


def test_all_queries_where_they_are_few_else_the_worst() -> None:
    assert "q019" in render(report_of(20))
    text = render(report_of(21, metrics="mrr"))
    assert "the 5 worst by mrr, then by query id" in text
    assert report_of(21, metrics="mrr").worst() == ["q006", "q013", "q020", "q005", "q012"]


def test_the_worst_are_of_those_scored() -> None:
    truths: dict[str, list[list[str]]] = {f"q{n}": [] for n in range(30)}
    report = evaluate({**truths, "z": [["a"]]}, {"z": ["a"]}, metrics="recall")
    assert report.worst() == ["z"]


def test_long_ids_are_shortened_and_wide_ones_measured() -> None:
    name = "漢" * 60
    text = render(evaluate({name: [["a"]]}, {name: ["a"]}), 80)
    assert "…" in text
    assert columns_that_fit(20, ["漢漢漢"], ["recall", "map"]) == 1


def test_ranks_alone_make_a_report() -> None:
    text = render(evaluate({"q": [["a"]]}, {"q": ["x"]}, metrics="first_hit"))
    assert "not found" in text
    assert "metric" not in text


def test_two_id_spaces_are_red() -> None:
    text = render(evaluate({"q": [["a"]]}, {"q": ["b"]}), colour=True)
    assert "\x1b[1;31mwarning: no result of any query" in text


CELLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
HEADS = st.lists(CELLS, min_size=1, max_size=5)


@given(HEADS, st.data(), st.integers(20, 60), CELLS)
def test_tables_of_any_cells_fit_and_colour_is_only_colour(
    head: list[str], data: st.DataObject, width: int, title: str
) -> None:
    row = st.lists(CELLS, min_size=len(head), max_size=len(head))
    rows = data.draw(st.lists(row, max_size=4))
    plain, coloured = Page(width), Page(width, colour=True)
    for page in (plain, coloured):
        page.line("above")
        page.table(head, rows)
        page.line(title, "bold")
    lines = re.sub(r"\x1b\[[0-9;]*m", "", coloured.text()).splitlines()
    assert tidy(lines) == plain.text()
    assert all(cell_len(line) <= width for line in plain.text().splitlines()[:-1])


def test_cells_that_do_not_fit_end_with_an_ellipsis() -> None:
    page = Page(20)
    page.table(["query", "recall"], [["漢字" * 10, "0.5000"], ["a" * 11, "1.0000"]])
    assert page.text().splitlines() == [
        "query         recall",
        "─" * 20,
        "漢字漢字漢…   0.5000",
        "aaaaaaaaaaa   1.0000",
    ]


def test_a_report_does_without_the_consoles_of_rich() -> None:
    script = (
        "import sys; from groupwise import evaluate; "
        "from groupwise.evaluator.reporting.terminal import render; "
        "render(evaluate({'q': [['a']]}, {'q': ['a']}), colour=True); "
        "print('rich.console' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout == b"False\n"
