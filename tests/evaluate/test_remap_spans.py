"""The questions of chunking_evaluation moved from chunks of 512/64 to 800/100 characters."""

from functools import cache
from itertools import combinations
from typing import Any

import pytest

from groupwise import Dataset, evaluate, remap
from groupwise.schemas.remap import Remapped
from tests.chunking import chunks, corpora, questions

Chunk = dict[str, Any]
OLD, NEW = (512, 64), (800, 100)
Pairs = set[tuple[str, int | None, Any, Any]]
COUNTS = [60, pytest.param(472, marks=pytest.mark.nightly)]


@cache
def truth(count: int) -> dict[str, list[list[str]]]:
    """A group per span: the old chunks that hold it, or a group for each chunk with a part."""
    by_id = chunks(*OLD)
    found: dict[str, list[list[str]]] = {}
    for question, references in [*questions().items()][:count]:
        groups = found[question] = []
        for document, start, end in references:
            there = [chunk for chunk in by_id.values() if chunk["document"] == document]
            whole = [one["id"] for one in there if one["start"] <= start and end <= one["end"]]
            parts = [[one["id"]] for one in there if one["start"] < end and start < one["end"]]
            groups += [whole] if whole else parts
    return found


@cache
def oracle(old: str) -> frozenset[str]:
    """The new chunks that have every letter of an old one, else the fewest that have them all."""
    chunk = chunks(*OLD)[old]
    text = corpora()[chunk["document"]]
    wanted = {at for at in range(chunk["start"], chunk["end"]) if not text[at].isspace()}
    near = [
        (new["id"], wanted & {*range(new["start"], new["end"])})
        for new in chunks(*NEW).values()
        if new["document"] == chunk["document"]
        and new["start"] < chunk["end"]
        and chunk["start"] < new["end"]
    ]
    whole = frozenset(name for name, held in near if held == wanted)
    if whole:
        return whole
    return next(
        frozenset(name for name, _ in some)
        for size in (2, 3)
        for some in combinations(near, size)
        if set.union(*(held for _, held in some)) == wanted
    )


def texts_of(size: int, overlap: int) -> list[Chunk]:
    return [{"id": one["id"], "text": one["text"]} for one in chunks(size, overlap).values()]


def list_pairs(report: Remapped, *outcomes: str) -> Pairs:
    return {
        (each.query, each.group, each.from_, new)
        for each in report.alternatives
        if each.outcome in outcomes
        for new in each.to
    }


def expected_pairs(count: int) -> Pairs:
    return {
        (question, number, old, new)
        for question, groups in truth(count).items()
        for number, group in enumerate(groups)
        for old in group
        for new in oracle(old)
    }


def by_place(count: int, split: Any, **options: Any) -> Remapped:
    old, new = [*chunks(*OLD).values()], [*chunks(*NEW).values()]
    return remap(truth(count), old=old, new=new, split=split, **options)


@cache
def retrieve(shift: int = 0) -> dict[str, list[Chunk]]:
    """An oracle that never saw the moved truth: the new chunks that touch a gold chunk.

    Args:
        shift: Look so many characters farther on, as a retriever does that is wrong.
    """
    new = chunks(*NEW).values()
    touching = {
        old["id"]: [
            chunk
            for chunk in new
            if chunk["document"] == old["document"]
            and chunk["start"] < old["end"] + shift
            and old["start"] + shift < chunk["end"]
        ]
        for name in {name for groups in truth(472).values() for group in groups for name in group}
        for old in [chunks(*OLD)[name]]
    }
    found = {
        question: {one["id"]: one for group in groups for name in group for one in touching[name]}
        for question, groups in truth(472).items()
    }
    return {question: [*by_id.values()] for question, by_id in found.items()}


def test_by_place_every_alternative_is_moved_as_the_oracle_says() -> None:
    report = by_place(472, "span")
    assert len(report.alternatives) == report.counts.exact > 900
    assert list_pairs(report, "exact") == expected_pairs(472)
    assert {each.by for each in report.alternatives} == {"span"}


def test_a_retriever_that_finds_all_scores_1_on_the_moved_truth() -> None:
    moved = by_place(472, "span").ground_truth
    assert len(moved) == 472
    for threshold in (0.5, 1.0):
        matching = {"type": "span", "together": True, "threshold": threshold}
        report = evaluate(moved, retrieve(), metrics=["recall", "complete"], matching=matching)
        assert report.scores == {"recall": 1.0, "complete": 1.0}
        wrong = evaluate(moved, retrieve(5000), metrics=["recall"], matching=matching)
        assert (wrong.scores["recall"] or 0) < 0.2


def test_as_groups_it_scores_1_by_id() -> None:
    report = by_place(472, "groups", lossy=True)
    assert report.counts.ambiguous < 10
    run = {question: [one["id"] for one in found] for question, found in retrieve().items()}
    scores = evaluate(report.ground_truth, run, metrics=["recall", "complete"]).scores
    assert scores == {"recall": 1.0, "complete": 1.0}
    weights = [
        sum(group.weight for group in query.ground_truth.groups) for query in report.ground_truth
    ]
    assert weights == pytest.approx([len(groups) for groups in truth(472).values()])


@pytest.mark.parametrize("count", COUNTS)
def test_by_text_alone(count: int) -> None:
    report = remap(truth(count), old=texts_of(*OLD), new=texts_of(*NEW), split="groups")
    expected, moved = expected_pairs(count), list_pairs(report, "exact", "partial")
    assert len(moved & expected) / len(moved) >= 0.99
    assert len(moved & expected) / len(expected) >= 0.9
    ambiguous = [each for each in report.alternatives if each.outcome == "ambiguous"]
    assert report.counts.lost == 0
    assert all(each.reason and each.to for each in ambiguous)


def test_the_same_chunks_are_the_identity() -> None:
    for old in ([*chunks(*OLD).values()], texts_of(*OLD)):
        report = remap(truth(472), old=old, new=old)
        assert report.ground_truth == Dataset.model_validate(truth(472))
        assert report.counts.exact == len(report.alternatives)


def test_an_excerpt_is_rarely_split() -> None:
    """Alternatives that carry the answer itself, not the whole chunk, as places or as texts."""
    for fields in (("document", "start", "end"), ("text",)):
        excerpts = {
            question: [
                [{name: value for name, value in known.items() if name in ("id", *fields)}]
                for document, start, end in references
                for known in [{
                    "id": f"{document}#0", "document": document, "start": start, "end": end,
                    "text": corpora()[document][start:end],
                }]
            ]
            for question, references in [*questions().items()][:100]
        }  # fmt: skip
        report = remap(excerpts, old=[*chunks(*OLD).values()], new=[*chunks(*NEW).values()])
        assert report.counts.lost == 0
        assert report.counts.exact > 0.75 * len(report.alternatives)
