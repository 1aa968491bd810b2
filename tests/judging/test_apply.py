"""Verdicts merged into a ground truth: nothing else changes, and a second time nothing at all."""

import gzip
import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groupwise import AppliedSheet, InputError, Sheet, apply_sheet, evaluate, read

LINES = """\
{"id": "q1",  "ground_truth": [["a", "b"], ["c"]]}
{"id":"q2","ground_truth":[["a"]],"metadata":{"x":1}}

{"id": "q3", "answerable": false}
{"id": "q4", "ground_truth": [{"a": 3}, {"alternatives": [{"id": "z", "text": "the  cat"}], \
"weight": 2}], "not_relevant": ["n"]}
"""


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    path = tmp_path / "qa.jsonl"
    path.write_text(LINES)
    return path


def row(query: str, candidate: Any, group: int | None, verdict: str | None, **more: Any) -> Any:
    return {"query": query, "candidate": candidate, "group": group, "verdict": verdict, **more}


def merge(path: Path, *rows: Any) -> AppliedSheet:
    """Merge rows, twice, and check that the second time changes nothing."""
    output = path.with_name(f"new-{path.name}")
    sheet = Sheet.model_validate(rows)
    done = apply_sheet(path, sheet, output)
    content = output.read_bytes()
    again = apply_sheet(output, sheet, output)
    assert output.read_bytes() == content
    assert not again.has_changed
    assert (again.alternatives, again.not_relevant, again.judgements) == (0, 0, 0)
    return done


def refusals(path: Path, *rows: Any) -> list[str]:
    before = path.read_bytes()
    with pytest.raises(InputError) as caught:
        apply_sheet(path, Sheet.model_validate(rows), path)
    assert path.read_bytes() == before
    return [str(problem) for problem in caught.value.problems]


def test_a_yes_becomes_an_alternative_and_a_no_is_not_relevant(truth: Path) -> None:
    done = merge(
        truth,
        row("q1", "x", 1, "yes", judge="ann"),
        row("q1", "y", None, "no", judge="bob"),
        row("q1", "later", 0, None),
    )
    first = json.loads(done.new.splitlines()[0])
    assert first == {
        "id": "q1",
        "ground_truth": [["a", "b"], ["c", "x"]],
        "not_relevant": ["y"],
        "metadata": {
            "judgements": [
                {"candidate": "x", "group": 1, "verdict": "yes", "judge": "ann"},
                {"candidate": "y", "verdict": "no", "judge": "bob"},
            ]
        },
    }
    assert done.new.splitlines()[1:] == LINES.splitlines()[1:]
    assert done.new.startswith('{"id": "q1",  "ground_truth": [["a", "b"], ["c", "x"]], ')
    counts = (done.queries, done.alternatives, done.not_relevant, done.judgements, done.blank)
    assert counts == (1, 1, 1, 2, 1)


def test_every_way_to_write_a_group(truth: Path) -> None:
    done = merge(
        truth,
        row("q2", "w", 0, "yes"),
        row("q4", "k", 0, "yes"),
        row("q4", "m", 1, "yes", text="See the cat sit."),
        row("q4", "o", 1, "yes"),
        row("q4", "no", 0, "no"),
    )
    lines = done.new.splitlines()
    assert '"ground_truth":[["a","w"]],"metadata":{"x":1,"judgements":[' in lines[1]
    fourth = json.loads(lines[4])
    assert fourth["ground_truth"] == [
        {"a": 3, "k": 1},
        {
            "alternatives": [
                {"id": "z", "text": "the  cat"}, {"id": "m", "text": "the  cat"}, "o"
            ],
            "weight": 2,
        },
    ]  # fmt: skip
    assert fourth["not_relevant"] == ["n", "no"]


def test_an_alternative_with_the_same_excerpt_keeps_matching_by_span_possible(
    tmp_path: Path,
) -> None:
    path = tmp_path / "spans.jsonl"
    place = {"document": "d", "start": 4, "end": 11, "text": "the cat", "grade": 2}
    path.write_text(json.dumps({"id": "q", "ground_truth": [[{"id": "c1", **place}]]}))
    done = merge(path, row("q", "c2", 0, "yes", text="see\nthe cat"))
    assert json.loads(done.new)["ground_truth"] == [[{"id": "c1", **place}, {"id": "c2", **place}]]
    result = {"id": "c9", "document": "d", "start": 0, "end": 20}
    run = [{"id": "q", "results": [result]}]
    scores = evaluate(tmp_path / "new-spans.jsonl", run, metrics="recall", matching="span").scores
    assert scores["recall"] == 1


def test_a_map_of_bare_groups_and_an_indented_list(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text('{\n  "q1": [["a"], ["c"]],\n  "q2": [["a"]]\n}\n')
    done = merge(path, row("q1", "x", 1, "yes"))
    assert done.new == (
        '{\n  "q1": {"ground_truth": [["a"], ["c", "x"]], "metadata": {"judgements": '
        '[{"candidate": "x", "group": 1, "verdict": "yes"}]}},\n  "q2": [["a"]]\n}\n'
    )
    path = tmp_path / "list.json"
    path.write_text(json.dumps([{"id": 1, "ground_truth": [[1, 2]], "metadata": None}], indent=2))
    done = merge(path, row("1", 3, 0, "yes"), row("1", "4", None, "no"))
    (record,) = json.loads(done.new)
    assert record["ground_truth"] == [[1, 2, 3]]
    assert record["not_relevant"] == [4]
    assert "        2,\n        3\n" in done.new


def test_compressed_marked_and_fixture_files_stay_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "qa.jsonl.gz"
    path.write_bytes(gzip.compress(b'\xef\xbb\xbf{"id": "q", "ground_truth": [["a"]]}\r\n'))
    apply_sheet(path, Sheet.model_validate([row("q", "b", None, "yes")]), path)
    text = gzip.decompress(path.read_bytes())
    assert text.startswith(b'\xef\xbb\xbf{"id": "q", "ground_truth": [["a", "b"]], "metadata"')
    assert text.endswith(b"}\r\n")
    fixture = tmp_path / "fixture.json"
    content = {"queries": [{"id": "q", "ground_truth": [["a"]], "results": ["b"]}]}
    fixture.write_text(json.dumps(content))
    done = merge(fixture, row("q", "b", 0, "yes"))
    assert json.loads(done.new)["queries"][0]["ground_truth"] == [["a", "b"]]


def test_two_judges_who_agree_are_both_kept(truth: Path) -> None:
    done = merge(truth, row("q1", "x", 0, "yes", judge="a"), row("q1", "x", 0, "yes", judge="b"))
    assert json.loads(done.new.splitlines()[0])["ground_truth"][0] == ["a", "b", "x"]
    assert done.judgements == 2


def test_a_no_for_one_group_leaves_the_alternative_of_another(truth: Path) -> None:
    done = merge(truth, row("q1", "x", 0, "yes"), row("q1", "x", 1, "no"), row("q1", "c", 0, "no"))
    first = json.loads(done.new.splitlines()[0])
    assert first["ground_truth"] == [["a", "b", "x"], ["c"]]
    assert "not_relevant" not in first
    assert len(first["metadata"]["judgements"]) == 3


CONFLICTS: list[tuple[list[Any], list[str]]] = [
    ([row("q1", "x", 0, "yes", judge="ann"), row("q1", "x", 0, "no", judge="bob")],
     ["sheet:2: query 'q1': \"x\": no (bob), but line 1 says yes (ann); agree on one verdict"]),
    ([row("q1", "x", 0, "yes"), row("q1", "x", None, "no")], ["line 1 says yes"]),
    ([row("q1", "x", 0, "yes"), row("q1", "x", 0, "yes")], ["the row repeats line 1"]),
    ([row("q1", "a", 0, "no")], ['"a": no, but it is an alternative of group 0']),
    ([row("q1", "c", None, "no")], ['"c": no, but it is an alternative of group 1']),
    ([row("q4", "n", 0, "yes")], ['"n": yes, but the ground truth lists it as not relevant']),
    ([row("q1", "x", 2, "yes")], ['there is no group 2; the query has 2 groups (0: "a", "b"']),
    ([row("q1", "x", None, "yes")], ['which group does "x" belong to?', "fill in its group"]),
    ([row("q3", "x", None, "yes")], ["the query has 0 groups; write a group"]),
    ([row("q3", "x", 0, "no")], ["there is no group 0"]),
    ([row("q9", "x", 0, "yes")], ["no such query in the ground truth"]),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "expected"), CONFLICTS)
def test_conflicts_are_refused_with_their_places(
    truth: Path, rows: list[Any], expected: list[str]
) -> None:
    found = "\n".join(refusals(truth, *rows))
    assert all(text in found for text in expected), found


def test_a_later_sheet_cannot_contradict_an_earlier_one(truth: Path) -> None:
    apply_sheet(
        truth, Sheet.model_validate([row("q1", "x", 0, "yes"), row("q1", "x", 1, "no")]), truth
    )
    assert "alternative of group 0" in refusals(truth, row("q1", "x", 0, "no"))[0]
    later = refusals(truth, row("q1", "x", 1, "yes", judge="bob"))[0]
    assert '"x": yes (bob), but metadata.judgements says no' in later


def test_all_conflicts_are_listed_at_once(truth: Path) -> None:
    rows = [row("q1", "a", 0, "no"), row("q9", "x", 0, "yes"), row("q1", "z", 7, "yes")]
    assert len(refusals(truth, *rows)) == 3


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"id": "q1", "ground_truth": ["a", "b"]}', "a flat list of ids"),
        ('{"id": "q1", "ground_truth": {"a": 3}}', "a flat list of ids"),
        ('{"id": "q1", "ground_truth": [["a"]], "metadata": {"judgements": 3}}', "rename it"),
        ('{"id": "q1", "results": ["a"]}', "expected ground truth, got results"),
        ('{"id": "q1", "ground_truth": [["a"], []]}', "an empty group"),
        ('{"id": "q1", "id": "q1", "ground_truth": [["a"]]}', "repeated"),
        ("q1 0 a 1\n", "convert the ground truth first: groupwise convert"),
    ],
)
def test_what_cannot_be_edited_is_refused(tmp_path: Path, content: str, expected: str) -> None:
    path = tmp_path / "truth"
    path.write_text(content + "\n")
    assert expected in "\n".join(refusals(path, row("q1", "x", 0, "yes")))


def test_what_is_no_list_is_refused_in_words_of_json(tmp_path: Path) -> None:
    path = tmp_path / "qa.jsonl"
    path.write_text('{"id": "q", "ground_truth": [["a"]], "not_relevant": null}')
    (message,) = refusals(path, row("q", "b", 0, "no"))
    assert message.endswith("/not_relevant: not_relevant should be a list")


def test_ids_that_are_numbers_need_numbers(tmp_path: Path) -> None:
    path = tmp_path / "qa.jsonl"
    path.write_text('{"id": "q1", "ground_truth": [[1]]}\n')
    assert "expected a whole number" in refusals(path, row("q1", "x", 0, "yes"))[0]
    assert "expected a whole number" in refusals(path, row("q1", str(2**63), 0, "yes"))[0]


NAMES = st.sampled_from(["a", "b", "c", "x", "y", '"', "=1", "é\n", "\u202e"])
ROWS = st.builds(
    row,
    st.sampled_from(["q1", "q2"]),
    NAMES,
    st.sampled_from([None, 0, 1]),
    st.sampled_from(["yes", "no", None]),
    judge=st.sampled_from([None, "ann", "bob"]),
    text=st.sampled_from([None, "the cat"]),
)
GROUPS = st.lists(
    st.one_of(
        st.lists(NAMES, min_size=1, unique=True),
        st.dictionaries(NAMES, st.sampled_from([1, 2]), min_size=1),
        st.lists(NAMES, min_size=1, unique=True).map(lambda ids: {"alternatives": ids}),
    ),
    min_size=1,
    max_size=3,
)


@settings(max_examples=60)
@given(GROUPS, st.lists(ROWS, max_size=6), st.sampled_from([None, 1, 3]), st.randoms())
def test_a_merge_adds_what_was_said_and_nothing_else(
    groups: list[Any], rows: list[Any], indent: int | None, chance: random.Random
) -> None:
    """Whatever is merged: old ids stay in place, new ones are those of the verdicts."""
    content = [{"id": "q1", "ground_truth": groups}, {"id": "q2", "ground_truth": [["a"]]}]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "qa.json"
        path.write_text(json.dumps(content, indent=indent))
        before = read(path, role="ground_truth")
        try:
            done = apply_sheet(path, Sheet.model_validate(rows), path)
        except InputError:
            assert json.loads(path.read_text()) == content
            return
        after, written = read(path, role="ground_truth"), path.read_bytes()
        shuffled = chance.sample(rows, len(rows))
        other = Path(folder) / "other.json"
        other.write_text(json.dumps(content, indent=indent))
        apply_sheet(other, Sheet.model_validate(shuffled), other)
        assert other.read_bytes() == written
        assert not apply_sheet(path, Sheet.model_validate(rows), path).has_changed
        assert path.read_bytes() == written
    added = 0
    for old, new in zip(before, after, strict=True):
        said = {r["candidate"] for r in rows if r["query"] == new.id and r["verdict"]}
        assert {*new.not_relevant} <= said
        for one, other_group in zip(old.ground_truth.groups, new.ground_truth.groups, strict=True):
            ids = [each.id for each in other_group.alternatives]
            assert ids[: len(one.alternatives)] == [each.id for each in one.alternatives]
            assert {*ids[len(one.alternatives) :]} <= said
            added += len(ids) - len(one.alternatives)
    assert done.alternatives == added
