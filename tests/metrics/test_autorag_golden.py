"""AutoRAG's own numbers: what it gave, case by case, and what it had stored beside real results."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, Report, evaluate
from tests.comparing import agree
from tests.paths import AUTORAG

SIX = ("precision", "recall", "f1", "mrr", "map", "ndcg")
Golden = dict[str, Any]


def golden() -> Iterator[Golden]:
    with gzip.open(AUTORAG / "golden.jsonl.gz", "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def is_id(one: Any) -> bool:
    if type(one) is int:
        return abs(one) < 2**63
    return isinstance(one, str) and bool(one.strip())


def class_of(case: Golden) -> str:
    """By the contract, read from the case alone: scored, empty or malformed."""
    truth, results = case["retrieval_gt"], case["retrieved_ids"]
    lists = isinstance(truth, list) and isinstance(results, list)
    if not (lists and truth and all(isinstance(group, list) and group for group in truth)):
        return "malformed"
    ids = [one for group in [*truth, results] for one in group]
    if not all(map(is_id, ids)) or len(set(map(type, ids))) != 1:
        return "malformed"
    return "scored" if results else "empty"


CASES = {case["id"]: case for case in golden()}
CLASSES = {name: class_of(case) for name, case in CASES.items()}


def of_class(name: str) -> list[Any]:
    return [pytest.param(case, id=one) for one, case in CASES.items() if CLASSES[one] == name]


def record(case: Golden) -> Golden:
    return {name: case[name] for name in ("id", "retrieval_gt", "retrieved_ids")}


def evaluated(case: Golden) -> Report:
    return evaluate([record(case)], empty_results="skip")


def test_there_are_as_many_cases_of_each_class_as_the_provenance_says() -> None:
    assert Counter(CLASSES.values()) == {"scored": 1407, "empty": 49, "malformed": 44}


def test_the_scored_cases_agree() -> None:
    agreeing = 0
    for param in of_class("scored"):
        (case,) = param.values
        found = evaluated(case).per_query[case["id"]]
        assert {name: agree(found[name], case["expected"][name], within=1e-9) for name in SIX} == (
            dict.fromkeys(SIX, True)
        ), case["id"]
        agreeing += 1
    assert agreeing == 1407


def test_the_cases_with_an_empty_result_are_unscored() -> None:
    for param in of_class("empty"):
        (case,) = param.values
        report = evaluated(case)
        assert case["expected"] == dict.fromkeys(SIX)
        assert dict(report.per_query[case["id"]]) == dict.fromkeys(SIX)
        assert (report.counts.scored, report.counts.empty_results) == (0, 1)
        assert report.scores == dict.fromkeys(SIX)


@pytest.mark.parametrize("case", of_class("malformed"))
def test_a_malformed_case_is_refused_with_its_place_or_unscored(case: Golden) -> None:
    if case["retrieval_gt"] == []:
        counts = evaluated(case).counts
        assert (counts.scored, counts.unanswerable) == (0, 1)
        return
    with pytest.raises(InputError) as error:
        evaluated(case)
    assert repr(case["id"]) in str(error.value)


@pytest.mark.parametrize("case", of_class("malformed"))
def test_a_malformed_case_in_a_file_is_refused_with_its_line(case: Golden, tmp_path: Path) -> None:
    path = tmp_path / "qa.jsonl"
    sound = {"id": "sound", "retrieval_gt": [["a"]], "retrieved_ids": ["a"]}
    path.write_text(f"{json.dumps(sound)}\n{json.dumps(record(case))}\n", "utf-8")
    if case["retrieval_gt"] == []:
        assert evaluate(path).counts.unanswerable == 1
        return
    with pytest.raises(InputError) as error:
        evaluate(path)
    assert repr(case["id"]) in str(error.value)
    assert all(one.line in (2, None) for one in error.value.problems)


@pytest.mark.parametrize(("kind", "scored", "empty"), [(str, 1169, 44), (int, 238, 5)])
def test_all_cases_of_a_kind_of_ids_agree_in_one_file_as_well(
    kind: type, scored: int, empty: int, tmp_path: Path
) -> None:
    cases = [
        case
        for name, case in CASES.items()
        if CLASSES[name] != "malformed" and type(case["retrieval_gt"][0][0]) is kind
    ]
    path = tmp_path / "qa.jsonl"
    path.write_text("".join(json.dumps(record(case)) + "\n" for case in cases), "utf-8")
    report = evaluate(path, empty_results="skip")
    assert (report.counts.scored, report.counts.empty_results) == (scored, empty)
    for case in cases:
        for name in SIX:
            found = report.per_query[case["id"]][name]
            assert agree(found, case["expected"][name], within=1e-9), (case["id"], name)


def real_runs() -> list[Golden]:
    lines = (AUTORAG / "data" / "autorag_real_runs.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_real_results_score_what_autorag_had_stored() -> None:
    runs = real_runs()
    report = evaluate([record(run) for run in runs])
    assert len(runs) == report.counts.scored == 40
    for run in runs:
        found = report.per_query[run["id"]]
        assert set(run["stored_by_autorag"]) == {"precision", "recall", "f1"}
        for name, stored in run["stored_by_autorag"].items():
            assert agree(found[name], stored, within=1e-9), (run["id"], name)
        for name in SIX:
            assert agree(found[name], run["expected"][name], within=1e-9), (run["id"], name)


def test_ids_that_were_split_into_characters_are_refused_as_a_flat_list() -> None:
    lines = (AUTORAG / "data" / "autorag_malformed_char_split.jsonl").read_text("utf-8")
    broken = [json.loads(line) for line in lines.splitlines()]
    records = [{"qid": one["qid"], "retrieval_gt": one["retrieval_gt_raw_1d"]} for one in broken]
    with pytest.raises(InputError) as error:
        evaluate(records, {one["qid"]: ["a"] for one in broken})
    assert [one.query for one in error.value.problems] == [one["qid"] for one in broken]
    assert all("a flat list of ids" in one.message for one in error.value.problems)


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("autorag_qa_data_sample", 10),
        ("autorag_qa_test_data_sample", 2),
        ("autorag_tutorial_1_qa", 5),
        ("autorag_gen_by_autorag_ko", 20),
    ],
)
def test_autorag_files_are_read_as_they_are(name: str, queries: int) -> None:
    path = AUTORAG / "data" / f"{name}.jsonl"
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    perfect = {one["qid"]: [group[0] for group in one["retrieval_gt"]] for one in records}
    report = evaluate(path, perfect, metrics=["recall", "precision"])
    assert report.counts.scored == len(records) == queries
    assert report.scores == {"recall": 1.0, "precision": 1.0}


def test_in_the_field_of_autorag_a_group_is_a_list_and_in_ours_it_may_have_grades() -> None:
    with pytest.raises(InputError, match="retrieval_gt"):
        evaluate([{"id": "q", "retrieval_gt": [{"a": 1}], "retrieved_ids": ["a"]}])
    assert evaluate({"q": [{"a": 1}]}, {"q": ["a"]}).scores["ndcg"] == 1.0


def test_the_files_are_as_they_were_made() -> None:
    sums = (AUTORAG / "SHA256SUMS").read_text("utf-8").splitlines()
    for digest, name in (line.split() for line in sums):
        path = AUTORAG / name
        data = path.read_bytes() if path.exists() else gzip.decompress(_packed(path).read_bytes())
        assert sha256(data).hexdigest() == digest, name
    assert len(sums) == 12


def _packed(path: Path) -> Path:
    return path.with_name(f"{path.name}.gz")
