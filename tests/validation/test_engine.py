"""The engine against a naive linter, and against itself: forms, paths and blocks change nothing."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate, validate
from groupwise.evaluator.reporting.findings import render_findings as render
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.validation import Validation
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.settings.selection import select_rules
from groupwise.schemas import Dataset, Fixture, ValidationReport
from tests.formats.reading import blocks_of, file_of
from tests.naive_linter import Found, groups, lint, query_of
from tests.strategies import FEWER
from tests.validation.data import BY_ID, DATA_SETS, FIXTURES, RUNS

Records = list[dict[str, Any]]


def found(report: ValidationReport) -> "Counter[Found]":
    return Counter((finding.code, finding.query, finding.pointer) for finding in report.findings)


def validated(records: Records, **asked: Any) -> ValidationReport:
    """Records as a JSON list in a file: there they need no id to be records."""
    with file_of(json.dumps(records)) as path:
        return validate(path, **asked)


@given(DATA_SETS, st.sampled_from([1, 2, 10]))
def test_data_sets_as_the_naive_linter_has_them(records: Records, k: int) -> None:
    assert found(validated(records, k=k)) == lint(records, k)


@given(FIXTURES)
def test_fixtures_as_the_naive_linter_has_them(records: Records) -> None:
    assert found(validated(records)) == lint(records)


@given(RUNS)
def test_runs_as_the_naive_linter_has_them(records: Records) -> None:
    assert found(validated(records)) == lint(records)


def codes_and_queries(report: ValidationReport) -> "Counter[tuple[str, str | None]]":
    return Counter((finding.code, finding.query) for finding in report.findings)


@FEWER
@given(BY_ID)
def test_every_form_of_the_same_data_has_the_same_findings(by_id: dict[str, Any]) -> None:
    records = [{"id": query, **content} for query, content in by_id.items()]
    expected = Counter((code, query) for code, query, _ in lint(records).elements())
    bare = {query: content["ground_truth"] for query, content in by_id.items()}
    forms: list[tuple[str, Any]] = [
        (".json", records),
        (".json", {"queries": records}),
        (".json", by_id),
        (".jsonl", "".join(f"{json.dumps(record)}\n" for record in records)),
        (".jsonl", "\r\n".join(json.dumps(record, ensure_ascii=False) for record in records)),
    ]
    for suffix, form in forms:
        text = form if isinstance(form, str) else json.dumps(form, indent=1)
        with file_of(text, suffix) as path:
            in_fixture = set(form) == {"queries"} if isinstance(form, dict) else False
            report = validate(path)
        got = codes_and_queries(report)
        assert got == (with_missing_results(expected, records) if in_fixture else expected), suffix
    assert codes_and_queries(validate(records)) == expected
    assert codes_and_queries(validate(by_id)) == expected
    if not any("query" in content for content in by_id.values()):
        assert codes_and_queries(validate(bare)) == expected


def with_missing_results(
    expected: "Counter[tuple[str, str | None]]", records: Records
) -> "Counter[tuple[str, str | None]]":
    """The queries of a fixture have results; that these have none is a finding each."""
    return expected + Counter([("IO008", query_of(record)) for record in records])


@pytest.mark.parametrize("sign", ["\u200b", "\u3164", "\u2800", "\u034f", "\U000e0100"])
def test_unseen_characters_are_found_in_plain_and_rich_groups_alike(sign: str) -> None:
    """Some of them count as printable."""
    for group in ([f"doc{sign}-1", "a"], {"alternatives": [f"doc{sign}-1", "a"]}):
        assert validate({"q": [group], "r": [["b"]]}).codes == ["GT011"]
    assert validate([{"id": "q", "results": ["a b", f"doc{sign}"]}]).codes == ["GT011"]


def as_tuples(value: Any) -> Any:
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


@FEWER
@given(BY_ID)
def test_tuples_are_as_good_as_lists(by_id: dict[str, Any]) -> None:
    bare = {query: content["ground_truth"] for query, content in by_id.items()}
    with_tuples = {query: as_tuples(truth) for query, truth in bare.items()}
    assert validate(with_tuples).model_dump() == validate(bare).model_dump()


ALL = st.one_of(DATA_SETS, FIXTURES, RUNS)


@FEWER
@given(
    ALL,
    st.sampled_from([0, 1, 3]),
    st.sampled_from([".json", ".jsonl"]),
    st.sampled_from([["ALL"], ["IO", "GT00"], ["GT011", "RN"]]),
    st.sampled_from([None, None, "text", "any"]),
)
def test_findings_beyond_the_limit_are_counted_as_if_they_were_kept(
    records: Records, limit: int, suffix: str, select: list[str], policy: str | None
) -> None:
    """Records of every kind among sound ones, several times: beyond the limit most are alike."""
    sound = [{"id": f"p{n}", "ground_truth": [[f"p{n}"]], "results": ["a"]} for n in range(6)]
    many = [*records, *sound[:3], *records, *sound[3:], *records, *records]
    lines = "\n".join(map(json.dumps, many))
    options: dict[str, Any] = {"select": select}
    options |= {"ids": policy} if policy == "text" else {"flat": policy}
    with file_of(lines if suffix == ".jsonl" else json.dumps(many), suffix) as path:
        few = validate(path, max_findings=limit, **options)
        whole = validate(path, max_findings=10_000, **options)
    assert (few.by_code, few.counts) == (whole.by_code, whole.counts)
    assert few.statistics == whole.statistics
    for code in whole.codes:
        kept, every = ([f for f in report.findings if f.code == code] for report in (few, whole))
        assert len(kept) == min(limit, len(every))
        assert all(finding in every for finding in kept)


@FEWER
@given(ALL, st.sampled_from([".json", ".jsonl"]), st.sampled_from([1, 16, 64, 1000]))
def test_the_size_of_blocks_changes_nothing(records: Records, suffix: str, size: int) -> None:
    lines = "\n".join(map(json.dumps, records))
    with file_of(lines if suffix == ".jsonl" else json.dumps(records), suffix) as path:
        whole = validate(path)
        with blocks_of(size):
            assert validate(path).model_dump() == whole.model_dump()


@FEWER
@given(DATA_SETS | FIXTURES)
def test_the_summary_counts_what_a_person_counts(records: Records) -> None:
    summary = validated(records).statistics
    truths = [groups(record, "") for record in records]
    known = [truth for truth in truths if truth]
    each = [{listed.id for group in truth for listed in group.ids} for truth in truths]
    homes = Counter(document for ids in each for document in ids)
    assert summary.queries == sum(query_of(record) is not None for record in records)
    assert summary.groups_per_query == Counter(map(len, known))
    assert summary.alternatives_per_group == Counter(
        len(group.ids) for truth in known for group in truth
    )
    assert summary.groups == sum(map(len, known))
    assert summary.distinct_ids == len(homes)
    assert summary.ids_in_several_queries == sum(count > 1 for count in homes.values())
    assert summary.queries_with_shared_ids == sum(
        sum(len(group.values) for group in truth) > len(set().union(*(g.values for g in truth)))
        for truth in known
    )
    share = sum(len(truth) > 1 for truth in known) / len(known) if known else None
    assert summary.multi_group_share == pytest.approx(share)


def test_queries_that_nothing_answers_are_counted_and_unsound_ones_are_not() -> None:
    summary = validate(
        [
            {"id": "q1", "ground_truth": [], "answerable": False},
            {"id": "q2", "ground_truth": []},
            {"id": "q3", "answerable": False},
            {"id": "q4", "ground_truth": ["a", "b"]},
            {"id": "q5", "ground_truth": [[]]},
            {"id": "q6", "ground_truth": [["a"]]},
        ]
    ).statistics
    assert (summary.queries, summary.unanswerable) == (6, 3)


def test_an_id_in_one_query_of_each_of_two_files_is_in_several() -> None:
    validation = Validation(Request(), Findings())
    validation.add({"q1": [["a"], ["b"]]})
    validation.add({"q2": [["a"], ["c"]]})
    summary = validation.finish().statistics
    assert (summary.distinct_ids, summary.ids_in_several_queries) == (3, 1)


@FEWER
@given(ALL)
def test_models_are_as_good_as_records(records: Records) -> None:
    """Records that a model accepts have the same findings when given as the model."""
    for model in (Dataset, Fixture):
        try:
            given_as = model.model_validate({"queries": records})
        except ValueError:
            continue
        expected = codes_and_queries(validated(records))
        assert codes_and_queries(validate(given_as)) == expected


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda part: st.lists(part, max_size=4)
    | st.dictionaries(
        st.sampled_from(
            ["id", "qid", "ground_truth", "retrieval_gt", "results", "scores", "alternatives",
             "grade", "weight", "answerable", "query", "hashes", "corpus", "groups", "x", ""]
        ),
        part, max_size=5,
    ),
    max_leaves=20,
)  # fmt: skip


def survives(value: Any, **asked: Any) -> ValidationReport | None:
    """A report whose every form can be written, or an InputError."""
    try:
        report = validate(value, **asked)
    except InputError:
        return None
    for form in ("text", "json", "jsonl", "github", "gitlab", "sarif", "junit"):
        assert isinstance(render(report, form), str)
    return report


@FEWER
@given(JSON, JSON, st.sampled_from([None, "any", "all"]), st.sampled_from([None, "text"]))
def test_any_value_has_a_report_or_is_refused(value: Any, run: Any, flat: Any, ids: Any) -> None:
    if not isinstance(value, str) and not isinstance(run, str):
        survives(value, run=run, flat=flat, ids=ids)
        survives([value], flat=flat, ids=ids, corpus=["a"])
    with file_of(json.dumps(value)) as path:
        survives(path, flat=flat, ids=ids)


@FEWER
@given(st.binary(max_size=60) | JSON.map(lambda value: json.dumps(value).encode()[:-1]), st.data())
def test_any_bytes_have_a_report_or_are_refused(data: bytes, draw: st.DataObject) -> None:
    suffix = draw.draw(st.sampled_from([".json", ".jsonl", ".json.gz", ".tsv", ".txt", ""]))
    with file_of(data, suffix) as path:
        survives(path)
        survives({"q": [["a"]]}, corpus=path)
        survives({"q": [["a"]]}, run=path)


@pytest.mark.parametrize(
    "value",
    [
        {"\ud800": [["a", "a"]]},
        {1.5: [["a"]]},
        {("a",): [["a"]]},
        {None: [["a"]]},
        {"q": [[10**400, "a"]]},
        {"q": [[{1, 2}]]},
        {"q": {"id": 1, "qid": 2, "query_id": 3, "ground_truth": [["a"]]}},
        [{"id": "q", "results": ["a", "b"], "scores": [1, 10**400]}],
        [{"id": "q", "results": {"a": 1, "b": 10**400}}],
    ],
)
def test_what_only_programs_can_pass_is_told_too(value: Any) -> None:
    report = survives(value)
    assert report is not None
    assert report.findings


@FEWER
@given(DATA_SETS, RUNS)
def test_what_has_no_error_can_be_evaluated(records: Records, run: Records) -> None:
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    results = "".join(f"{json.dumps(record)}\n" for record in run)
    with file_of(lines, ".jsonl") as path, file_of(results, ".jsonl") as other:
        # These are errors of meaning: the data can be read, and scores say nothing.
        counts = validate(path, run=other, ignore=["GT011", "GT018", "RN004"]).counts
        if not counts.error and _share_queries(records, run):
            evaluate(path, other)


def _share_queries(records: Records, run: Records) -> bool:
    """Whether a query has both: a run of other queries is warned about, and not evaluated."""
    ids = [{str(record["id"]) for record in side} for side in (records, run)]
    return not ids[0].isdisjoint(ids[1])


@FEWER
@given(FIXTURES)
def test_a_fixture_without_an_error_can_be_evaluated(records: Records) -> None:
    with file_of(json.dumps({"queries": records})) as path:
        counts = validate(path, ignore=["GT011", "GT018", "RN004"]).counts
        if not counts.error:
            evaluate(path)


WORDS = """
import sys
from groupwise import validate
sys.stdout.write(validate(sys.argv[1], run=sys.argv[2]).to_json())
"""


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_the_same_bytes_under_any_seed_of_hashes(suffix: str, tmp_path: Path) -> None:
    near = ["doc", "Doc", "DOC", "doc ", "dóc", "do\u0301c"]
    records = [
        {"id": f"q{n % 7}", "query": f"text {n % 5}",
         "ground_truth": [[near[n % 6], f"x{n % 3}"], [near[(n * 5) % 6]], [f"x{n % 3}", "y"]]}
        for n in range(40)
    ]  # fmt: skip
    run = [{"id": f"q{n}", "results": ["x1", "x1", *near][: n + 1]} for n in range(5, 12)]
    for name, content in (("data", records), ("run", run)):
        text = json.dumps(content) if suffix == ".json" else "\n".join(map(json.dumps, content))
        (tmp_path / f"{name}{suffix}").write_text(text)
    words = [sys.executable, "-c", WORDS, f"data{suffix}", f"run{suffix}"]
    outputs = set()
    for seed in ("0", "1", "4711"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
    codes = {*json.loads(*outputs)["by_code"]}
    assert {"GT001", "GT012", "GT013", "RN001", "RN002", "RN003"} <= codes


def test_grades_by_id_are_looked_at_as_they_were_answered() -> None:
    graded = {"q": {"a ": 2, "b": 1, "c": 0, "d": -1}}
    assert validate(graded).codes == ["GT005"]
    for flat, groups_found in (("any", 1), ("all", 2)):
        report = validate(graded, flat=flat, corpus=["a "])  # type: ignore[arg-type]
        assert found(report) == Counter([("GT011", "q", "/q/a "), ("CP001", "q", "/q/b")])
        assert report.statistics.groups == groups_found


def test_scores_by_id_are_a_ranking() -> None:
    report = validate({"q": [["a"]]}, run={"q": {"x": 0.5, "a": 0.5, "y ": 1}})
    assert found(report) == Counter([("GT011", "q", "/q/y "), ("RN005", None, None)])
    assert "RN004" in validate({"q": [["a"]]}, run={"q": {"x": 0.5}}).codes


@FEWER
@given(ALL, st.lists(st.sampled_from(["ALL", "GT", "GT01", "GT003", "GT007", "RN", "IO"])))
def test_what_is_ignored_is_counted_all_the_same(records: Records, ignore: list[str]) -> None:
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    with file_of(lines, ".jsonl") as path:
        whole, fewer = validate(path), validate(path, ignore=ignore)
    assert fewer.statistics == whole.statistics
    wants = select_rules(ignore=ignore).wants
    # Where GT018 is ignored, GT005 is reported in its place.
    expected, got = (
        [each for each in report.findings if wants(each.code, None) and each.code != "GT005"]
        for report in (whole, fewer)
    )
    assert got == expected
