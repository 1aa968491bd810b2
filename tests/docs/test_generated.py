"""The generated pages are current, and the JSON Schemas take what groupwise takes."""

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pydantic
import pytest

import groupwise
from groupwise import evaluate, inspect, power
from groupwise.evaluator.reporting.findings import render_findings as render
from groupwise.evaluator.validation.settings.baseline import Key, render_baseline
from groupwise.schemas.validation import StaleEntry
from tests.paths import FIXTURES
from tests.reporting.findings.reports import EMPTY_GROUP, NOWHERE, SMALL, report

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "fixtures" / "examples"
INVALID = ROOT / "fixtures" / "invalid"

STALE = StaleEntry(code="GT001", fingerprint="aa")
BEYOND_SCHEMAS = {
    "duplicate",
    "lone-surrogate",
    "mixed-kinds",
    "number-out-of-range",
    "scored-twice",
    "scores-of-other-length",
    "too-deep",
}
"""Problems that a JSON Schema has no words for, by how the names of the files begin."""


@pytest.mark.skipif(
    tuple(map(int, pydantic.VERSION.split(".")[:2])) < (2, 11),
    reason="pydantic before 2.11 orders the members of schemas in another way",
)
def test_generated_pages_are_current() -> None:
    done = subprocess.run(
        [sys.executable, DOCS / "generate.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"run `make docs`\n{done.stdout}{done.stderr}"


@cache
def build_validator(kind: str) -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((DOCS / "reference" / "schemas" / f"{kind}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def problems(kind: str, value: Any) -> list[str]:
    return [error.message for error in build_validator(kind).iter_errors(value)]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.json")), ids=lambda path: path.name)
def test_examples_are_valid_fixtures(path: Path) -> None:
    assert problems("fixture", json.loads(path.read_bytes())) == []


@pytest.mark.parametrize(
    ("kind", "path"),
    [("dataset", path) for path in sorted(EXAMPLES.rglob("ground_truth.jsonl"))]
    + [("run", path) for path in sorted(EXAMPLES.rglob("run.jsonl"))],
    ids=lambda value: value if isinstance(value, str) else f"{value.parent.name}/{value.name}",
)
def test_lines_of_examples_are_valid_records(kind: str, path: Path) -> None:
    for line in path.read_text("utf-8").splitlines()[:20]:
        assert problems(kind, json.loads(line)) == []


def malformed_files() -> list[Path]:
    paths = sorted(set(INVALID.glob("*.json")) - {INVALID / "expected.json"})
    return [path for path in paths if _has_words_for(path)]


def _has_words_for(path: Path) -> bool:
    def refuse(literal: str) -> None:
        raise ValueError(literal)

    try:
        json.loads(path.read_bytes().decode("utf-8"), parse_constant=refuse)
    except (ValueError, RecursionError):
        return False
    return not any(path.name.startswith(beginning) for beginning in BEYOND_SCHEMAS)


@pytest.mark.parametrize("path", malformed_files(), ids=lambda path: path.name)
def test_what_is_refused_is_invalid(path: Path) -> None:
    assert problems("fixture", json.loads(path.read_bytes()))


GROUPS = [
    ["a", "b"],
    {"c": 3, "d": 0},
    {"alternatives": ["e", {"id": "f", "grade": 2}], "weight": 2},
]
WELL_FORMED = [
    ("dataset", {"id": "q1", "ground_truth": GROUPS}),
    ("dataset", [{"qid": 1, "retrieval_gt": [[1, 2], [3]], "generation_gt": ["an answer"]}]),
    ("dataset", {"q1": GROUPS, "q2": {"ground_truth": [["a"]], "query": "text"}, "q3": []}),
    ("dataset", {"queries": [{"id": "q1", "answerable": False}]}),
    ("dataset", {"id": [["a"]]}),
    ("run", {"id": "q1", "results": ["a", {"id": "b", "text": "t", "tokens": 3}]}),
    ("run", {"q1": ["a"], "q2": {"results": ["a"], "scores": [0.5]}, "q3": []}),
    ("run", [{"query_id": "q1", "retrieved_ids": [1, 2], "retrieve_scores": [0.5, 0.4]}]),
    ("run", {"q1": {"a": 0.9, "b": 0.4}, "q2": ["a"], "q3": {"results": {"a": 1}}}),
    ("run", {"id": "q1", "results": {"a": 0.9, "b": 0.4}}),
    ("fixture", [{"id": "q1", "ground_truth": [["a"]], "results": ["a"]}]),
    ("fixture", {"queries": [{"id": 1, "ground_truth": [["a"]], "results": []}], "policies": {}}),
    (
        "fixture",
        {
            "queries": [{"id": "q1", "ground_truth": ["a", "b"], "results": ["a"]}],
            "policies": {"flat": "any"},
        },
    ),
    (
        "fixture",
        {
            "queries": [{"id": "q1", "ground_truth": {"a": 2, "b": 0, "c": -1}, "results": ["a"]}],
            "policies": {"flat": "all"},
        },
    ),
]
MALFORMED = [
    ("dataset", {"id": "q1", "ground_truth": ["a", "b"]}),
    ("dataset", {"id": "q1", "ground_truth": "ab"}),
    ("dataset", {"q1": ["a"]}),
    ("dataset", {"id": "q1", "ground_truth": [[]]}),
    ("dataset", {"id": "q1", "ground_truth": [[" "]]}),
    ("dataset", {"id": "q1", "ground_truth": [{"a": 0}]}),
    ("dataset", {"id": "q1", "ground_truth": [["a"]], "ground_thruth": []}),
    ("dataset", {"id": "q1", "ground_truth": [["a"]], "retrieval_gt": [["a"]]}),
    ("dataset", {"id": "q1", "ground_truth": [{"alternatives": ["a"], "wieght": 2}]}),
    ("dataset", {"id": "q1", "retrieval_gt": [{"a": 1}]}),
    ("dataset", {"id": "q1"}),
    ("dataset", {"id": "q1", "ground_truth": {"a": 3, "b": 1}}),
    ("run", {"id": "q1", "results": {"a": "best"}}),
    ("run", {"id": "q1", "results": "a"}),
    ("run", {"id": "q1", "results": [None]}),
    ("run", {"id": "q1", "results": [2**63]}),
    ("run", {"id": "q1", "results": ["a"], "ground_truth": [["a"]]}),
    ("fixture", {"queries": [{"id": "q1", "ground_truth": ["a", "b"], "results": ["a"]}]}),
    ("fixture", {"queries": [{"id": "q1", "ground_truth": {"a": 1}, "results": ["a"]}]}),
    ("fixture", {"queries": [], "profile": "autorag"}),
    ("fixture", {"queries": [{"id": "q1", "ground_truth": [["a"]]}]}),
]


@pytest.mark.parametrize(("kind", "value"), WELL_FORMED)
def test_schemas_take_every_shape(kind: str, value: Any) -> None:
    assert problems(kind, value) == []


@pytest.mark.parametrize(("kind", "value"), MALFORMED)
def test_schemas_refuse(kind: str, value: Any) -> None:
    assert problems(kind, value)


@pytest.mark.parametrize(("kind", "value"), WELL_FORMED)
def test_groupwise_takes_the_same(kind: str, value: Any, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(value), "utf-8")
    queries = {"q1", "q2", "q3", "1", "7", "id"}
    if kind == "fixture":
        assert evaluate(path).counts.queries
    elif kind == "run":
        truth = {query: [["a"]] for query in queries}
        assert evaluate(truth, path, ids="text").counts.scored
    else:
        run = {query: ["a"] for query in queries}
        assert evaluate(path, run, ids="text").counts.queries


def test_reports_are_valid() -> None:
    report = evaluate({"q1": [["a"]], "q2": []}, {"q1": ["a"]}, metrics=["recall", "first_hit"])
    assert problems("report", report.to_dict()) == []


def test_power_analyses_are_valid() -> None:
    folder = FIXTURES / "examples" / "retrievers"
    runs = {name: folder / f"{name}.jsonl" for name in ("bm25", "fusion")}
    for analysis in (power(folder / "ground_truth.jsonl", runs), power(sd=0.3), power()):
        assert problems("power", json.loads(analysis.to_json())) == []
    assert problems("power", {"schema": "groupwise.power/2"})


def test_inspections_are_valid() -> None:
    for name in ("golden/flat-lists.json", "golden/answers-only.json", "qrels.txt", "corpus.csv"):
        assert problems("inspection", inspect(FIXTURES / "formats" / name).to_dict()) == []
    assert problems("inspection", {"schema": "groupwise.inspection/2"})


def test_findings_and_baselines_are_valid() -> None:
    found = report(EMPTY_GROUP, NOWHERE, baselined=1, stale=(STALE,))
    assert problems("findings", json.loads(found.to_json())) == []
    assert problems("findings", json.loads(render(SMALL, "json"))) == []
    assert problems("findings", {"schema": "groupwise.findings/1", "findings": []})
    known = {
        Key(finding.code, finding.query, finding.fingerprint): 1
        for finding in (EMPTY_GROUP, NOWHERE)
    }
    assert problems("baseline", json.loads(render_baseline(known))) == []
    assert problems("baseline", {"schema": "groupwise.baseline/2", "entries": []})


def test_baselines_of_scores_and_gates_are_valid(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    truths, run = {"q1": [["a"]], "q2": [["b"]], "q3": []}, {"q1": ["a"], "q2": ["x"]}
    gates = ["recall >= 0.9", "lower(recall) > 0", "groups=7: recall > 0"]
    found = evaluate(truths, run, metrics=["recall", "first_hit"], gates=gates, provenance=True)
    assert problems("report", json.loads(found.to_json())) == []
    found.save_baseline(path)
    content = json.loads(path.read_text("utf-8"))
    assert problems("scores", content) == []
    assert problems("scores", {**content, "schema": "groupwise.scores/2"})
    assert problems("scores", {**content, "scores": {"recall": "1"}})


def test_the_page_of_names_has_every_constructor() -> None:
    page = (DOCS / "reference" / "api.md").read_text("utf-8")
    sections = {part.partition("`")[0]: part for part in page.split("\n### `")[1:]}
    for name in groupwise.__all__:
        public = getattr(groupwise, name)
        if not isinstance(public, type) or issubclass(public, Exception):
            continue
        for method in {*dir(public)} - {*dir(pydantic.BaseModel)}:
            if method.startswith("from_"):
                assert f"#### `{name}.{method}`" in sections[name]
        is_protocol = getattr(public, "_is_protocol", False)
        if not issubclass(public, pydantic.BaseModel) and not is_protocol:
            assert f"```py\n{name}(" in sections[name]
    assert "### `passage_id`" in page
    assert "Dataset.from_pandas(" in sections["Dataset"]
    assert "Run.from_langchain(" in sections["Run"]
