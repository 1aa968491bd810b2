"""``--worst N``: which queries are shown, in which order, and what is said about it."""

import pytest

from groupwise import evaluate
from tests.cli.conftest import Groupwise, Write

TRUTHS = {name: [["a"], ["b"]] for name in ("q1", "q2", "q10", "q3", "none")}
RUN = {"q1": ["a", "b"], "q2": ["a"], "q10": ["a"], "q3": [], "none": ["a", "b"]}
"""By recall, by hand: q3 has 0, q10 and q2 have 1/2, the others 1."""


@pytest.fixture
def files(write: Write) -> list[str]:
    return [write("truth.json", TRUTHS), write("run.json", RUN)]


def listed(text: str) -> list[str]:
    """The queries in the table of queries."""
    rows = text.partition("\nquery ")[2].splitlines()[2:]
    return [row.split()[0] for row in rows if row]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (1, ["q3"]),
        (2, ["q3", "q10"]),
        (3, ["q3", "q10", "q2"]),
        (9, ["q3", "q10", "q2", "none", "q1"]),
    ],
)
def test_the_lowest_come_first_and_ties_by_query_id(
    groupwise: Groupwise, files: list[str], count: int, expected: list[str]
) -> None:
    done = groupwise("evaluate", *files, "-m", "recall", "--worst", str(count))
    head = "the worst" if count == 1 else f"the {len(expected)} worst"
    assert f"\n{head} by recall, then by query id\n" in done.out
    assert listed(done.out) == expected
    assert evaluate(TRUTHS, RUN, metrics="recall").worst(count) == expected


def test_the_first_metric_decides(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("evaluate", *files, "-m", "hit_rate,recall", "--worst", "2")
    assert "the 2 worst by hit_rate, then by query id" in done.out
    assert listed(done.out) == ["q3", "none"]


def test_of_a_rank_the_largest_is_the_worst_and_none_is_worse(
    groupwise: Groupwise, files: list[str]
) -> None:
    done = groupwise("evaluate", *files, "-m", "completion_rank", "--worst", "4")
    assert "the 4 worst by completion_rank, then by query id" in done.out
    assert listed(done.out) == ["q10", "q2", "q3", "none"]


def test_a_report_is_asked_for_any_metric_in_any_spelling() -> None:
    report = evaluate(TRUTHS, RUN, metrics=["hit_rate", "recall@1"])
    assert report.worst(2, "Recall@1") == ["q3", "none"]
    with pytest.raises(KeyError, match="no score 'ndcg'"):
        report.worst(2, "ndcg")
    assert evaluate(TRUTHS, RUN, per_query=False).worst() == []


def test_queries_without_a_score_are_not_the_worst() -> None:
    report = evaluate({**TRUTHS, "open": []}, RUN, metrics="recall")
    assert report.worst(9) == ["q3", "q10", "q2", "none", "q1"]


def test_markdown_has_a_table_of_them(groupwise: Groupwise, files: list[str]) -> None:
    words = ["evaluate", *files, "-m", "recall", "--format", "markdown"]
    done = groupwise(*words, "--worst", "2")
    plain = groupwise(*words).out
    assert done.out.startswith(plain)
    shown = done.out.removeprefix(plain).strip().splitlines()
    assert shown[:4] == [
        "The 2 worst by recall, then by query id:",
        "",
        "| query | recall | missed groups |",
        "| --- | ---: | --- |",
    ]
    assert [line.split(" | ")[:2] for line in shown[4:6]] == [
        ["| q3", "0.0000"],
        ["| q10", "0.5000"],
    ]
    assert shown[7:9] == [
        "<details>", "<summary>The 2 worst by recall, then by query id, explained</summary>",
    ]  # fmt: skip


@pytest.mark.parametrize("form", ["json", "jsonl", "csv"])
def test_data_for_programs_holds_every_query(
    groupwise: Groupwise, files: list[str], form: str
) -> None:
    done = groupwise("evaluate", *files, "--worst", "2", "--format", form)
    able = "table, markdown, html, github, junit"
    expected = f"error: --format {form} has no place for --worst; use one of {able}\n"
    assert (done.code, done.err.startswith(expected)) == (2, True)


@pytest.mark.parametrize("words", [["0"], ["-1"], ["x"], ["2", "--no-per-query"]])
def test_what_cannot_be_shown_is_a_usage_error(
    groupwise: Groupwise, files: list[str], words: list[str]
) -> None:
    done = groupwise("evaluate", *files, "--worst", *words)
    assert (done.code, "--worst" in done.err) == (2, True)


def test_the_worst_are_shown_when_quiet(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("evaluate", *files, "-m", "recall", "-q", "--worst", "1")
    assert listed(done.out) == ["q3"]


def test_a_label_does_not_break_the_table(groupwise: Groupwise, files: list[str]) -> None:
    words = ["-m", "recall(label=a|b)", "--worst", "2", "--format", "markdown"]
    done = groupwise("evaluate", *files, *words)
    assert "| recall(label=a\\|b) |" in done.out
