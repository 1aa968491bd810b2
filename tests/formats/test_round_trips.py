"""What a format says it carries comes back, for every format with a writer."""

import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import Dataset, File, Fixture, Run, read
from groupwise.evaluator.formats.mapping.judgements import judgements, not_relevant, scored_results
from groupwise.evaluator.formats.registry import Format, list_formats
from groupwise.schemas import Query
from tests.strategies import FEWER

WRITTEN = [one for one in list_formats().values() if one.write]
MODULE_OF_EXTRA = {"parquet": "pyarrow"}
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)
NAMES = TEXT.filter(lambda text: text.strip() and not any(sign.isspace() for sign in text))
AWKWARD = st.sampled_from(
    ["a", "a,b", '"', "'", ";", "=1+1", "#", "é", "Q0", "0", "-1", "nan", "[]"]
)
LINES = st.sampled_from(["one line", "two\nlines", "a\tb", 'say "no"', "semi;colon", "Ω\r\n"])


def ids(one: Format) -> st.SearchStrategy[Any]:
    whole = st.integers(0, 10**6) if "whole_numbers" in one.carries else st.nothing()
    return st.lists(NAMES | AWKWARD, min_size=12, max_size=12, unique=True) | st.lists(
        whole, min_size=12, max_size=12, unique=True
    )


@st.composite
def groups(draw: st.DrawFn, one: Format, pool: list[Any]) -> list[Any]:
    """Groups of the ids, no richer than the format; one group where it has none."""
    several = "groups" in one.carries
    found: list[Any] = []
    for _ in range(draw(st.integers(1, 4 if several else 1))):
        chosen = draw(st.lists(st.sampled_from(pool[:8]), min_size=1, max_size=3, unique=True))
        if "repeats" in one.carries and draw(st.booleans()):
            chosen = [*chosen, chosen[0]]
        group: dict[str, Any] = {"alternatives": [draw(alternative(one, name)) for name in chosen]}
        if "weights" in one.carries:
            group["weight"] = draw(st.sampled_from([1.0, 2.0, 0.1]))
        if "labels" in one.carries:
            group["label"] = draw(st.none() | st.sampled_from(["vital", "hop-1"]) | LINES)
        found.append({name: value for name, value in group.items() if value is not None})
    return found


@st.composite
def alternative(draw: st.DrawFn, one: Format, name: Any) -> Any:
    fields: dict[str, Any] = {"id": name}
    if "grades" in one.carries:
        fields["grade"] = draw(st.sampled_from([1.0, 2.0, 0.5, 3.0]))
    if "text" in one.carries and draw(st.booleans()):
        fields["text"] = draw(LINES)
    return fields


def query_ids(one: Format) -> st.SearchStrategy[list[str]]:
    """Ids of queries; in TREC's formats a line that begins with # is a comment."""
    names = NAMES | AWKWARD
    if one.name.startswith("trec"):
        names = names.filter(lambda name: not name.startswith("#"))
    return st.lists(names, min_size=1, max_size=4, unique=True)


@st.composite
def truths(draw: st.DrawFn, one: Format) -> list[dict[str, Any]]:
    pool = draw(ids(one))
    records = []
    for name in draw(query_ids(one)):
        record: dict[str, Any] = {"id": name, "ground_truth": draw(groups(one, pool))}
        if "unanswerable" in one.carries and draw(st.integers(0, 4)) == 0:
            record["ground_truth"] = []
        if "not_relevant" in one.carries:
            record["not_relevant"] = draw(st.lists(st.sampled_from(pool[8:]), unique=True))
        if "query" in one.carries and draw(st.booleans()):
            record["query"] = draw(LINES)
        if "metadata" in one.carries and draw(st.booleans()):
            record["metadata"] = {"year": 2003}
        records.append(record)
    return records


@st.composite
def runs(draw: st.DrawFn, one: Format) -> list[dict[str, Any]]:
    carried = one.carries
    pool = draw(ids(one))
    records = []
    least = 0 if "empty_results" in carried else 1
    for name in draw(query_ids(one)):
        results = draw(st.lists(st.sampled_from(pool), min_size=least, max_size=6, unique=True))
        record: dict[str, Any] = {"id": name, "results": results}
        if "scores" in carried:
            scores = st.lists(st.floats(-1e9, 1e9), min_size=len(results), max_size=len(results))
            record["scores"] = sorted(draw(scores), reverse=True)
        records.append(record)
    return records


def written_and_read(one: Format, records: list[dict[str, Any]], role: str | None) -> Any:
    """The records as the public function reads them back."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.fspath(Path(folder, f"data{one.suffixes[0] if one.suffixes else ''}"))
        assert one.write is not None
        one.write(records, path)
        return read(File(path, format=one.name), role=role, flat="any")  # type: ignore[call-overload]


def essence(record: dict[str, Any]) -> tuple[Any, ...]:
    """What a record says, however it is written."""
    judged = [one for one in judgements(record) if one.grade]
    return (
        record["id"], judged, set(not_relevant(record)), record.get("query"),
        record.get("metadata") or None, list(scored_results(record)),
    )  # fmt: skip


def needs(one: Format) -> None:
    if one.extra:
        pytest.importorskip(MODULE_OF_EXTRA.get(one.extra, one.extra))


@pytest.mark.parametrize(
    "one", [one for one in WRITTEN if "ground_truth" in one.holds], ids=lambda one: one.name
)
def test_ground_truth_comes_back(one: Format) -> None:
    needs(one)

    @given(truths(one))
    @FEWER
    def comes_back(records: list[dict[str, Any]]) -> None:
        found = written_and_read(one, records, "ground_truth")
        assert isinstance(found, Dataset)
        assert [essence(plain(query)) for query in found] == [essence(one) for one in records]

    comes_back()


@pytest.mark.parametrize(
    "one", [one for one in WRITTEN if "run" in one.holds], ids=lambda one: one.name
)
def test_results_come_back(one: Format) -> None:
    needs(one)

    @given(runs(one))
    @FEWER
    def come_back(records: list[dict[str, Any]]) -> None:
        found = written_and_read(one, records, "run")
        assert isinstance(found, Run)
        for query, record in zip(found, records, strict=True):
            assert (query.id, query.ids()) == (record["id"], record["results"])
            if record.get("scores"):
                assert query.given_scores() == record["scores"]

    come_back()


@pytest.mark.parametrize(
    "one", [one for one in WRITTEN if "both" in one.carries], ids=lambda one: one.name
)
def test_ground_truth_and_results_come_back_together(one: Format) -> None:
    needs(one)

    @given(truths(one), st.data())
    @FEWER
    def come_back(records: list[dict[str, Any]], data: st.DataObject) -> None:
        known = [judged.id for record in records for judged in judgements(record)]
        results = st.lists(st.sampled_from(known), unique=True) if known else st.just([])
        for record in records:
            record["results"] = data.draw(results)
            if "expected" in one.carries:
                record["expected"] = data.draw(st.sampled_from([{}, {"recall": 0.5}]))
        found = written_and_read(one, records, None)
        assert isinstance(found, Fixture)
        assert [essence(plain(query)) for query in found.queries] == [essence(r) for r in records]
        assert [query.expected for query in found.queries] == [
            record.get("expected", {}) for record in records
        ]

    come_back()


def plain(query: Query) -> dict[str, Any]:
    return query.model_dump(mode="json")
