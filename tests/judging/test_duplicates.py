"""Candidates from a corpus, beside the offsets of real corpora in overlapping chunks."""

import csv
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from groupwise import Sheet, apply_sheet, evaluate, suggest
from groupwise.evaluator.judging.duplicates import find_border
from tests.chunking import chunks, corpora, questions

SIZE, OVERLAP = 512, 64
Pair = tuple[str, int | None, Any]
"""Query, group, candidate."""


def cover(chunk: dict[str, Any], document: str, start: int, end: int) -> float:
    """The share of a span that a chunk covers, by its offsets."""
    if chunk["document"] != document:
        return 0.0
    return float(max(0, min(end, chunk["end"]) - max(start, chunk["start"])) / (end - start))


def near(document: str, start: int, end: int) -> list[dict[str, Any]]:
    """The chunks that may cover a span, by their positions."""
    step = SIZE - OVERLAP
    first, last = max(0, (start - SIZE) // step), end // step
    known = chunks(SIZE, OVERLAP)
    names = (f"{document}#{number}" for number in range(first, last + 1))
    return [known[name] for name in names if name in known]


def build_truth(*fields: str) -> list[dict[str, Any]]:
    """A group per reference: the chunk that covers most of it, with the excerpt that answers."""
    found = []
    for number, references in enumerate(questions().values()):
        groups = []
        for document, start, end in references:
            gold = max(near(document, start, end), key=lambda c: cover(c, document, start, end))
            excerpt = {
                "text": corpora()[document][start:end],
                "document": document, "start": start, "end": end,
            }  # fmt: skip
            groups.append([{"id": gold["id"], **{name: excerpt[name] for name in fields}}])
        found.append({"id": f"q{number:03}", "ground_truth": groups})
    return found


@cache
def list_pairs(*, copies: bool) -> set[Pair]:
    """The chunks that cover at least half of an excerpt beside the gold chunk, by offsets alone.

    Args:
        copies: Whether the other places count where a corpus has the same characters.
    """
    pairs: set[Pair] = set()
    truth = build_truth()
    for number, references in enumerate(questions().values()):
        for group, (document, start, end) in enumerate(references):
            gold = truth[number]["ground_truth"][group][0]["id"]
            spans = [(document, start, end)]
            if copies:
                spans = find_copies(corpora()[document][start:end])
            for span in spans:
                held = [c["id"] for c in near(*span) if cover(c, *span) >= 0.5]
                pairs |= {(f"q{number:03}", group, name) for name in held if name != gold}
    return pairs


def find_copies(excerpt: str) -> list[tuple[str, int, int]]:
    return [
        (name, match.start(), match.start() + len(excerpt))
        for name, text in corpora().items()
        for match in re.finditer(re.escape(excerpt), text)
    ]


def proposed(sheet: Sheet) -> set[Pair]:
    return {(row.query, row.group, row.candidate) for row in sheet}


def without_spans() -> list[dict[str, Any]]:
    return [{"id": c["id"], "text": c["text"]} for c in chunks(SIZE, OVERLAP).values()]


def test_the_oracle_finds_the_pairs_that_were_counted_by_hand() -> None:
    """112 of 790 references are covered by half in a second chunk; finance repeats its pages."""
    assert len(list_pairs(copies=False)) == 112
    assert len(list_pairs(copies=True)) > 250


def test_by_spans_exactly_the_chunks_that_overlap_are_proposed() -> None:
    corpus = [*chunks(SIZE, OVERLAP).values()]
    found = proposed(suggest(build_truth("document", "start", "end"), corpus=corpus))
    assert found == list_pairs(copies=False)


def test_by_excerpts_alone_every_pair_is_proposed_and_little_else() -> None:
    found = proposed(suggest(build_truth("text"), corpus=without_spans()))
    assert list_pairs(copies=False) <= found
    assert list_pairs(copies=True) <= found
    assert len(found & list_pairs(copies=True)) / len(found) >= 0.95


@pytest.mark.nightly
def test_with_excerpts_and_spans_neighbours_are_told_from_copies() -> None:
    corpus = [*chunks(SIZE, OVERLAP).values()]
    sheet = suggest(build_truth("text"), corpus=corpus)
    neighbours = Sheet.model_validate([row for row in sheet if row.why.startswith("overlaps ")])
    assert list_pairs(copies=False) <= proposed(neighbours)
    assert len(list_pairs(copies=False)) / len(neighbours) >= 0.95


def test_a_filled_sheet_changes_the_file_once(tmp_path: Path) -> None:
    truth, sheet = tmp_path / "qa.jsonl", tmp_path / "sheet.csv"
    given = build_truth("document", "start", "end")
    truth.write_text("".join(f"{json.dumps(record)}\n" for record in given))
    suggest(truth, corpus=[*chunks(SIZE, OVERLAP).values()]).save(sheet)
    with sheet.open(newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row |= {"verdict": "yes", "judge": "ann"}
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    first = apply_sheet(truth, sheet, truth)
    once = truth.read_bytes()
    second = apply_sheet(truth, sheet, truth)
    assert truth.read_bytes() == once
    assert (first.alternatives, second.alternatives, second.known) == (112, 0, 112)
    run = {query: [candidate] for query, group, candidate in list_pairs(copies=False)}
    assert not len(suggest(truth, corpus=[*chunks(SIZE, OVERLAP).values()]))
    found = evaluate(truth, run, metrics="hit_rate", missing="skip").scores
    assert found["hit_rate"] == 1


def texts_of(sheet: Sheet) -> dict[Any, str]:
    return {row.candidate: row.why for row in sheet}


ANSWER = "The treaty of Utrecht was signed in the spring of 1713 by several states."


def test_an_alternative_without_excerpt_stands_for_its_chunk() -> None:
    """The half holds the answer and the space behind it: 74 of 119 characters."""
    corpus = {
        "a": f"{ANSWER} It ended a long war over the throne of Spain.",
        "same": f"{ANSWER.upper()}\nIt ended a long war, over the throne of  Spain!",
        "more": f"Before. {ANSWER} It ended a long war over the throne of Spain. After.",
        "half": f"Before. {ANSWER}",
        "other": "It ended a long war over something else.",
        "blank": "",
    }
    found = texts_of(suggest({"q": [["a"]]}, corpus=corpus))
    assert found == {
        "same": 'holds all of the text of "a"',
        "more": 'holds all of the text of "a"',
        "half": 'holds 62% of the text of "a"',
    }
    assert len(suggest({"q": [["a"]]}, corpus=corpus, threshold=1)) == 2


def test_another_year_is_another_fact() -> None:
    corpus = {"a": f"x {ANSWER}", "b": f"y {ANSWER.replace('1713', '1714')}", "c": f"z {ANSWER}"}
    truth = [{"id": "q", "ground_truth": [[{"id": "a", "text": ANSWER}]]}]
    assert texts_of(suggest(truth, corpus=corpus)) == {"c": 'holds all of the excerpt of "a"'}


def test_what_is_listed_judged_or_of_another_group() -> None:
    corpus = dict.fromkeys(["a", "b", "c", "d", "e", "f"], ANSWER)
    record: dict[str, Any] = {
        "id": "q",
        "ground_truth": [["a", "b", {"id": "f", "grade": 0}], ["c"]],
        "not_relevant": ["d"],
        "metadata": {"judgements": [{"candidate": "b", "group": 1, "verdict": "no"}]},
    }
    found = proposed(suggest([record], corpus=corpus))
    assert found == {("q", 0, "c"), ("q", 0, "e"), ("q", 1, "a"), ("q", 1, "e")}


def test_numbers_as_ids_and_alternatives_nobody_has(tmp_path: Path) -> None:
    path = tmp_path / "corpus.csv"
    path.write_text(f"id,text\n1,{ANSWER}\n2,{ANSWER}\n")
    sheet = suggest({"q": [[1, 9]]}, corpus=path)
    assert proposed(sheet) == {("q", 0, 2)}
    message = "1 alternative without text or span that the corpus does not have, such as 9"
    assert sheet.warnings == (message,)


def test_a_candidate_of_corpus_and_runs_has_one_row_with_both_reasons() -> None:
    corpus = {"a": ANSWER, "b": ANSWER}
    (row,) = suggest({"q": [["a"]]}, corpus=corpus, run={"r": {"q": ["b", "a"]}})
    assert row.group == 0
    assert row.why.startswith('holds all of the text of "a"; unjudged at rank 1 in r; a yes')


@pytest.mark.parametrize(
    ("first", "second", "length"),
    [("abc", "xxab", 2), ("abc", "abc", 3), ("abc", "", 0), ("", "abc", 0), ("aab", "aaa", 2)],
)
def test_borders(first: str, second: str, length: int) -> None:
    assert find_border(first, second) == length
