"""Each sample of fixtures/formats is recognised, and read as what was written down by hand."""

import json
from typing import Any

import pytest

from groupwise import File, Fixture, read, validate
from groupwise.evaluator.formats.opening import detect_records
from groupwise.evaluator.formats.registry import REGISTRY
from groupwise.evaluator.reading.options import Options, Role
from groupwise.schemas import Query, RunQuery
from tests.paths import FIXTURES

FORMATS = FIXTURES / "formats"
SAMPLES = json.loads((FORMATS / "expected.json").read_text("utf-8"))
CORPORA = [sample for sample in SAMPLES if "documents" in sample]
QUERIES = [sample for sample in SAMPLES if "queries" in sample]
PUBLISHED = "published"
"""The module that reads published data sets, whose samples are in test_rag_datasets."""


def named(sample: dict[str, Any]) -> str:
    return f"{sample['file']}-{sample['format']}-{'-'.join(sample.get('options', {}))}"


def truth(query: Query) -> dict[str, Any]:
    groups = query.ground_truth.groups
    meeting = [[one for one in group.alternatives if one.grade > 0] for group in groups]
    found = {
        "query": query.query,
        "groups": [[[one.id, one.grade] for one in group] for group in meeting],
        "weights": [group.weight for group in groups],
        "labels": [group.label for group in groups],
        "texts": [one.text for group in meeting for one in group],
        "not_relevant": query.judged_not_relevant(),
    }
    plain: dict[str, set[Any]] = {
        "weights": {1},
        "labels": {None},
        "texts": {None},
        "not_relevant": set(),
    }
    return {
        name: value
        for name, value in found.items()
        if value is not None and not (name in plain and {*value} <= plain[name])
    }


def ranking(query: RunQuery) -> dict[str, Any]:
    scores = query.given_scores()
    return {"results": query.ids(), **({} if scores is None else {"scores": scores})}


@pytest.mark.parametrize("sample", CORPORA, ids=named)
def test_a_corpus_is_read_as_what_it_means(sample: dict[str, Any]) -> None:
    corpus = read(FORMATS / sample["file"], role="corpus")
    assert [document.model_dump() for document in corpus] == sample["documents"]
    assert len(corpus) == len(sample["documents"])


def file_of(sample: dict[str, Any], options: dict[str, Any]) -> File:
    """The file of a sample; what is said of it leaves the options."""
    said = {"format": "format", "fields": "map", "subtopics": "subtopics"}
    how = {said[name]: options.pop(name) for name in said.keys() & options.keys()}
    return File(FORMATS / sample["file"], **how)


@pytest.mark.parametrize("sample", QUERIES, ids=named)
def test_a_sample_is_read_as_what_it_means(sample: dict[str, Any]) -> None:
    options = dict(sample.get("options", {}))
    content: Any = read(file_of(sample, options), **options)
    assert not isinstance(content, Fixture)
    found = {
        one.id: truth(one) if isinstance(one, Query) else ranking(one) for one in content.queries
    }
    assert found == sample["queries"]
    assert list(found) == list(sample["queries"])


@pytest.mark.parametrize("sample", QUERIES, ids=named)
def test_a_sample_is_validated_as_what_it_means(sample: dict[str, Any]) -> None:
    """Validation detects what reading detects: no finding is about the text or its shape."""
    options = dict(sample.get("options", {}))
    path, is_run = file_of(sample, options), options.pop("role", None) == "run"
    report = validate({}, run=path, **options) if is_run else validate(path, **options)
    unsound = {code for code in report.by_code if code.startswith("IO")} - {"IO003"}
    assert is_run or not unsound
    truths = [query for query in sample["queries"].values() if "groups" in query]
    assert is_run or report.statistics.queries == len(truths)


@pytest.mark.parametrize("sample", [one for one in SAMPLES if one["format"]], ids=named)
def test_a_sample_is_recognised(sample: dict[str, Any]) -> None:
    known = sample.get("options", {}).get("format")
    role: Role | None = "corpus" if "documents" in sample else None
    _, found = detect_records(FORMATS / sample["file"], Options(format=known, role=role))
    assert found is not None or sample["format"] in ("json", "jsonl")
    assert found is None or found.name == sample["format"]


def test_every_format_has_a_sample() -> None:
    built_in = REGISTRY.built_in.values()
    homes = {one.name: one.read.__module__.rpartition(".")[2] for one in built_in}
    declared = {name for name, home in homes.items() if home != PUBLISHED}
    assert declared <= {sample["format"] for sample in SAMPLES}
    assert {"jsonl", "trec-qrels", "trec-run", "beir", "csv"} <= declared


def test_every_file_here_is_used() -> None:
    tops = {sample["file"].partition("/")[0] for sample in SAMPLES}
    known = {"README.md", "expected.json"}
    assert tops <= {path.name for path in FORMATS.iterdir()}
    readme = (FORMATS / "README.md").read_text("utf-8")
    for path in FORMATS.iterdir():
        told = path.name in known or path.name in readme or (path / "README.md").exists()
        assert told, path.name
