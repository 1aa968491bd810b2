"""Records are counted together wherever that can be done: findings are those of one by one."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate, fix, validate
from groupwise.evaluator.intake.defects import DefectFinder
from groupwise.evaluator.native.loader import COMPILED
from groupwise.evaluator.reading import jsonl, packing
from groupwise.evaluator.reading.packing import Packer
from groupwise.evaluator.validation.engine import source_check
from groupwise.evaluator.validation.engine.fixing import FixableFindings
from groupwise.evaluator.validation.engine.flat_truths import GroupedFields
from groupwise.evaluator.validation.engine.quick_count import Counted, QuickCount
from groupwise.evaluator.validation.facts import case
from groupwise.evaluator.validation.facts.case import CaseReader
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.facts.outline import outline, outline_all
from groupwise.schemas import FixtureQuery, Query, RunQuery

IDS = st.sampled_from(["a", "b", "c", "A", "é", " ", "", 7, 8, None, 1.5, True, 2**70])
PAIRS = st.sampled_from([["a"], ["a", 1], ["a", 0.5], {"id": "a"}, {"doc": "a"}, {"score": 1}])
FULL = st.sampled_from(
    [{"id": "b", "score": "x"}, {"id": None, "grade": "x"}, {"id": 7, "grade": 0}]
)
RICH_IDS = st.lists(IDS | PAIRS | FULL, max_size=3)
GROUPS = RICH_IDS | st.sampled_from(
    ["a", None, 7, True, {"a": 1}, {"a": "b"}, {"alternatives": "a"}]
)
OBJECTS = st.sampled_from([{"a": 1}, {"a": "b"}, {"a": None, "c": 1}, {"groups": "a"}, {}])
TRUTHS = st.lists(GROUPS, max_size=3) | st.sampled_from([[["a"]], [["a"], []], "a", None]) | OBJECTS
MANY_ERRORS = st.sampled_from([[None] * 25, [{"doc": 1}] * 25, [None] * 15 + [""] * 10])
RESULTS = RICH_IDS | st.sampled_from([["a", "x"], [["a", 1]], "a", None]) | OBJECTS | MANY_ERRORS
QUERIES = st.sampled_from(["q1", "q2", "q3", "é", " ", "", 7, None, 1.5, ["q1"], {"q": 1}])
MORE = {
    "xyz": st.just(1),
    "query": st.sampled_from(["a text", 7]),
    "scores": st.sampled_from([[2, 1], [1], ["x", 1], [None], 7, {"a": 1}]),
    "metadata": st.sampled_from([{"results": ["a"]}, "a"]),
    "not_relevant": st.sampled_from([["z"], [None, "z"], "z", [["z"]], [7]]),
    "answerable": st.sampled_from([True, "no", None]),
}
FIELDS = {"id": QUERIES, "ground_truth": TRUTHS, "results": RESULTS}
USUAL = {"id": "q", "ground_truth": [["a"], ["b"]], "results": ["a", "x"]}


@st.composite
def line(draw: st.DrawFn) -> str:
    """A line with a record: mostly a sound one, or one with one fault."""
    record: dict[str, Any] = {**USUAL, "id": f"q{draw(st.integers(0, 9))}"}
    kind = draw(st.integers(0, 9))
    if kind < len(FIELDS):
        name = [*FIELDS][kind]
        record[name] = draw(FIELDS[name])
    elif kind == 3:
        del record[draw(st.sampled_from([*FIELDS]))]
    elif kind == 4:
        name = draw(st.sampled_from([*MORE]))
        record[name] = draw(MORE[name])
    text = json.dumps(record, ensure_ascii=draw(st.booleans()))
    if kind == 5:
        again = ('"id": "q1"', '"results": ["b"]', '"r\\u0065sults": []', '"x": {"y": 1, "y": 2}')
        return f"{text[:-1]}, {draw(st.sampled_from(again))}}}"
    return draw(st.sampled_from(["", "{", "[]", "7", text[:-1]])) if kind == 6 else text


@contextmanager
def one_by_one() -> Iterator[None]:
    """Take no short way over several records."""
    pack = Packer.pack

    def pack_without_loss(packer: Packer, text: bytes, *, lossy: bool = False) -> Any:
        del lossy
        return pack(packer, text)

    with (
        mock.patch.object(DefectFinder, "find_all", return_value=None),
        mock.patch.object(source_check, "find_usual", return_value=None),
        mock.patch.object(Packer, "pack", pack_without_loss),
        mock.patch.object(packing, "sort_lines", return_value=None),
    ):
        yield


@given(lines=st.lists(line(), min_size=1, max_size=12), size=st.sampled_from([1, 200, 1 << 19]))
def test_findings_are_those_of_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], size: int
) -> None:
    path = tmp_path_factory.mktemp("data") / "data.jsonl"
    path.write_text("\n".join([json.dumps({**USUAL, "id": "first"}), *lines]), encoding="utf-8")
    with (
        mock.patch.object(jsonl, "PACKED_BYTES", size),
        mock.patch.object(jsonl, "BLOCK_BYTES", size),
    ):
        for limit in (0, 1, 3):
            found = validate(path, max_findings=limit).to_json()
            with one_by_one():
                assert validate(path, max_findings=limit).to_json() == found


@given(lines=st.lists(line(), min_size=1, max_size=12), kept=st.sampled_from([0, 1, 3]))
def test_problems_are_those_of_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], kept: int
) -> None:
    path = tmp_path_factory.mktemp("data") / "data.jsonl"
    path.write_text("\n".join([json.dumps({**USUAL, "id": "first"}), *lines]), encoding="utf-8")

    def list_problems() -> str:
        try:
            return evaluate(path).to_json()
        except InputError as error:
            return str(error)

    with mock.patch("groupwise.evaluator.errors.KEPT_PROBLEMS", kept):
        found = list_problems()
        with one_by_one():
            assert list_problems() == found


NAMED = st.sampled_from(["ground_thruth", "resuls", "qid", "xyz", "a1", "Id", "result", ""])


@given(
    lines=st.lists(line() | NAMED.map(lambda name: json.dumps({name: 1, "id": "q"})), max_size=9),
    suffix=st.sampled_from(["", ".jsonl"]),
)
def test_fixes_are_those_of_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], suffix: str
) -> None:
    path = tmp_path_factory.mktemp("data") / f"data{suffix}"
    path.write_text("\n".join([json.dumps({**USUAL, "id": "first"}), *lines]), encoding="utf-8")
    found = fix(path, unsafe=True, write=False)
    with mock.patch.object(FixableFindings, "only_fixable", False), one_by_one():
        assert fix(path, unsafe=True, write=False)[:5] == found[:5]


def test_records_without_anything_to_fix_are_not_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    unknown = (json.dumps({f"a{number}": 1}) for number in range(300))
    shapes = ["{}", "[]", "7", '{"id": "q2", "ground_truth": 1}']
    path.write_text("\n".join([json.dumps({"id": "q", "grond_truth": [["a"]]}), *unknown, *shapes]))
    usual, looked_at = source_check.SourceCheck._check_record, []

    def check_record(check: source_check.SourceCheck, batch: Any, number: int) -> None:
        looked_at.append(number)
        usual(check, batch, number)

    with mock.patch.object(source_check.SourceCheck, "_check_record", check_record):
        fixed = fix(path, unsafe=True, write=False)
    assert fixed.by_code == {"IO008": 1}
    assert {*looked_at} == {0}


@given(
    st.data(),
    st.sampled_from([FixtureQuery, Query, RunQuery]),
    st.sampled_from([None, "any", "all"]),
    st.sampled_from([None, "text"]),
)
def test_defects_and_outlines_of_several_records_are_those_of_each(
    data: st.DataObject, model: Any, flat: str | None, ids: str | None
) -> None:
    names = data.draw(st.sets(st.sampled_from([*FIELDS]), min_size=1).map(sorted))
    count = data.draw(st.integers(1, 4))
    columns = {name: [data.draw(FIELDS[name]) for _ in range(count)] for name in names}
    records = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    together = DefectFinder(model, flat, ids).find_all(columns)
    if together is not None:
        assert together == [DefectFinder(model, flat, ids).find(record) for record in records]
    assert outline_all(columns) == [outline(record) for record in records]


def test_a_fault_in_one_field_is_found_in_all_records_together() -> None:
    columns: dict[str, list[Any]] = {
        "id": ["q1", "q2", "q3"],
        "ground_truth": [[["a"], []], [["b"]], [[None]]],
        "results": [["a"], ["x"], ["y"]],
    }
    first, second, third = DefectFinder(FixtureQuery, None, None).find_all(columns) or []
    assert [defect.type for defect in first or ()] == ["empty_group"]
    assert second is None
    assert [defect.type for defect in third or ()] == ["id_kind"]


@pytest.mark.parametrize("limit", [0, 1, 3])
@pytest.mark.parametrize("truth", ["1", '[["a"]]', "null", '["a"]'])
def test_a_blank_key_has_the_code_of_a_blank_query_id(
    truth: str, limit: int, tmp_path: Path
) -> None:
    path = tmp_path / "data.json"
    path.write_text(f'{{"q": [["a"]], " ": {truth}, "": {truth}}}')
    codes = validate(path, max_findings=limit).by_code
    assert codes["GT002"] == 2
    assert "IO006" not in codes


@pytest.mark.parametrize("limit", [0, 1, 3])
@pytest.mark.parametrize("policies", [{}, {"ids": "text"}])
def test_a_blank_id_of_grade_0_is_counted_beside_missing_groups(
    policies: dict[str, Any], limit: int, tmp_path: Path
) -> None:
    path = tmp_path / "data.jsonl"
    graded = {**USUAL, "id": "q2", "ground_truth": {"a": 1, " ": 0}}
    path.write_text("\n".join(map(json.dumps, [USUAL, graded])))
    codes = validate(path, max_findings=limit, **policies).by_code
    assert (codes["GT002"], codes["GT005"]) == (1, 1)


@pytest.mark.skipif(not COMPILED, reason="the compiled part was not built")
def test_records_that_repeat_keys_are_packed_once_these_are_only_counted(tmp_path: Path) -> None:
    path = tmp_path / "data.jsonl"
    text = '{"id": "q%d", "ground_truth": [["a"]], "results": ["a"], "id": "q%d"}\n'
    path.write_text("".join(text % (number, number) for number in range(300)))
    usual, parsed = jsonl.JsonLines._parse, []

    def parse(lines: jsonl.JsonLines, *given: Any) -> Any:
        parsed.append(given)
        return usual(lines, *given)

    small = mock.patch.object(jsonl, "PACKED_BYTES", 2000)
    with small, mock.patch.object(jsonl.JsonLines, "_parse", parse):
        report = validate(path, max_findings=0)
    assert report.by_code == {"IO004": 300}
    assert len(parsed) == 1  # to find out what the first record is


@given(st.lists(st.lists(st.sampled_from(["a", "b", "é"]), min_size=1, max_size=3), max_size=4))
def test_plain_groups_are_read_as_any_others(truth: list[list[str]]) -> None:
    found = [*CaseReader().read_groups(("ground_truth",), truth)]
    with mock.patch.object(case, "walk", mock.Mock(**{"kind_of_truths.return_value": None})):
        assert [*CaseReader().read_groups(("ground_truth",), truth)] == found


STEPS = st.lists(st.integers(0, 3) | st.sampled_from(["id", "results"]), max_size=3)


@given(st.lists(st.builds(Draft, st.sampled_from(["GT001", "GT002"]), st.text(), STEPS)))
def test_drafts_are_sorted_by_pointer_numbers_before_names(drafts: list[Draft]) -> None:
    def order(draft: Draft) -> Any:
        steps = [(isinstance(step, str), str(step)) for step in draft.pointer]
        return steps, draft.code

    assert source_check.sort_drafts(drafts) == sorted(drafts, key=order)


def take_nothing(_quick: QuickCount, _batch: Any, numbers: Any) -> tuple[Counted, list[int]]:
    """Leave all records to the models."""
    return Counted([], Counter(), 0), [*numbers]


BARE = st.sampled_from(["{}", "[]", "7", '{"id": "q"}', '{"a1": {"b": [1]}}', '{"resuls": "a"}'])
CONTENTS = st.sampled_from([1, "a", None, 1.5, True, [], {}, ["a"], [["a", "a"]], {"a": 1}])
KEYS = st.sampled_from(["q1", "q2", "q 3", "q\t", "id", "results", "é"])
POLICIES = st.fixed_dictionaries(
    {"flat": st.sampled_from([None, "any", "all"]), "ids": st.sampled_from([None, "text"])}
)


@given(
    text=st.lists(line() | BARE, min_size=1, max_size=12).map("\n".join)
    | st.dictionaries(KEYS, CONTENTS, min_size=1).map(json.dumps),
    policies=POLICIES,
    unsafe=st.booleans(),
)
def test_with_policies_findings_and_fixes_are_those_of_the_models(
    tmp_path_factory: pytest.TempPathFactory, text: str, policies: dict[str, Any], unsafe: bool
) -> None:
    path = tmp_path_factory.mktemp("data") / "data"
    path.write_text(text, encoding="utf-8")

    def list_outcomes() -> list[Any]:
        found: list[Any] = []
        for limit in (0, 1, 3):
            with suppress(InputError):
                found.append(validate(path, max_findings=limit, **policies).to_json())
        with suppress(InputError):
            found.append(fix(path, unsafe=unsafe, write=False, **policies)[:5])
        return found

    quick = list_outcomes()
    with mock.patch.object(QuickCount, "take", take_nothing):
        assert list_outcomes() == quick


@pytest.mark.parametrize(
    ("record", "faults"),
    [
        ({}, 1),  # without results, and without an id, which has another code
        ([], 1),
        ({"a1": {"b": [1]}}, 1),
        ({"id": "q", "ground_truth": 1}, 2),  # also without results
    ],
)
@pytest.mark.parametrize("policies", [{"flat": "any"}, {"flat": "all"}, {"ids": "text"}])
def test_with_policies_records_without_ids_are_only_counted(
    record: Any, faults: int, policies: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text("\n".join([json.dumps(USUAL), *[json.dumps(record)] * 300]))
    usual = source_check.SourceCheck._validate
    with mock.patch.object(
        source_check.SourceCheck, "_validate", autospec=True, side_effect=usual
    ) as models:
        report = validate(path, max_findings=7, **policies)
    assert report.by_code["IO008"] == 300 * faults
    assert models.call_count <= 7


def count_models(path: Path, **options: Any) -> int:
    """Return how many records of a file go through the models."""
    usual = source_check.SourceCheck._validate
    with mock.patch.object(
        source_check.SourceCheck, "_validate", autospec=True, side_effect=usual
    ) as models:
        validate(path, max_findings=7, **options)
    return models.call_count


@pytest.mark.parametrize(
    "text",
    [
        "q%d 0 d1 1\n",
        "q%d 0 d1 2\n",
        '{"id": "q%d", "ground_truth": ["a", "b"]}\n',
        '{"id": "q%d", "ground_truth": {"a": 1, "b": 0.5}}\n',
        '{"id": "q%d", "ground_truth": [["a"], []]}\n',
        '{"id": "q%d", "ground_truth": [["a"], ["b"]]}\n',
    ],
)
@pytest.mark.parametrize("policies", [{"flat": "any"}, {"flat": "all"}, {"ids": "text"}])
def test_with_policies_more_records_are_no_more_models(
    text: str, policies: dict[str, Any], tmp_path: Path
) -> None:
    counts = []
    for number in (400, 1200):
        path = tmp_path / f"{number}"
        path.write_text("".join(text % each for each in range(number)))
        counts.append(count_models(path, **policies))
    assert counts[0] == counts[1] <= 7


UNGROUPED = st.sampled_from([
    ["a"], ["a", "b"], ["b", "b"], ["a", "B", "é"], ["a", " "], ["a", 7], [7, 8], [*"hello"],
    {"a": 1}, {"a": 1, "b": 2}, {"a": 0.5}, {"a": 0}, {"a": -1, "b": 1}, {"a": 1, " ": 0},
    {"a b": 1}, {"a": 1001},
    {"groups": 1}, {"alternatives": 1}, {"a": True}, {"a": "b"}, {}, [], [*"abcdefghijkl"],
])  # fmt: skip


@given(
    truths=st.lists(UNGROUPED | TRUTHS, min_size=1, max_size=12),
    name=st.sampled_from(["ground_truth", "retrieval_gt"]),
    more=st.sampled_from([{}, {"results": ["a", "x"]}, {"query": "a text"}, {"not_relevant": []}]),
    is_map=st.booleans(),
    policies=POLICIES,
)
def test_flat_ground_truths_that_are_swept_are_counted_as_by_the_models(
    tmp_path_factory: pytest.TempPathFactory,
    truths: list[Any],
    name: str,
    more: dict[str, Any],
    is_map: bool,
    policies: dict[str, Any],
) -> None:
    path = tmp_path_factory.mktemp("data") / "data"
    records = [{"id": f"q{row}", name: truth, **more} for row, truth in enumerate(truths)]
    by_query = {f"q{row}": truth for row, truth in enumerate(truths)}
    path.write_text(json.dumps(by_query) if is_map else "\n".join(map(json.dumps, records)))

    def list_outcomes() -> list[str]:
        found = []
        for limit in (0, 1, 3):
            with suppress(InputError):
                found.append(validate(path, max_findings=limit, **policies).to_json())
        return found

    swept = list_outcomes()
    with (
        mock.patch.object(source_check, "group_flat", lambda fields, _: GroupedFields(fields, {})),
        mock.patch.object(QuickCount, "take", take_nothing),
    ):
        assert list_outcomes() == swept


@pytest.mark.parametrize("policies", [{"flat": "any"}, {"ids": "text"}])
def test_with_policies_a_blank_key_is_left_to_the_models(
    policies: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "data.json"
    path.write_text('{" ": 1, "": 2}')
    counted = validate(path, max_findings=0, **policies)
    assert counted.by_code == validate(path, **policies).by_code
