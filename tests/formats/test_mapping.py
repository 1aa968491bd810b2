"""Fields of records of any shape: wrappers, numbers, single ids, pairs, questions asked twice."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import File, InputError, Report, evaluate, read, validate
from groupwise.schemas import Query, RunQuery
from tests.formats.reading import BLOCKS, blocks_of
from tests.paths import FIXTURES
from tests.validation.test_fixes import fixed_text

MAPPING = FIXTURES / "formats/mapping"
Fields = dict[str, str]
WEIRS = "Where is the weir?"
MILLER = "Who is the miller?"

READ: list[tuple[str, Fields, dict[str, Any], dict[str, Any]]] = [
    (
        "wrapper.json",
        {"id": "#", "query": "test_cases[].question",
         "ground_truth": "test_cases[].relevant_doc_ids"},
        {"flat": "any"},
        {"1": [["mill-1", "mill-2"]], "2": [["mill-7"]]},
    ),
    (
        "wrapper.json",
        {"id": "test_cases[].question", "ground_truth": "test_cases[].relevant_doc_ids"},
        {"flat": "all"},
        {"Who built the upper mill?": [["mill-1"], ["mill-2"]],
         "When was it rebuilt?": [["mill-7"]]},
    ),
    (
        "wrapper.json",
        {"id": "test_cases[].question", "results": "test_cases[].retrieved"},
        {},
        {"Who built the upper mill?": ["mill-2", "river-9"], "When was it rebuilt?": ["mill-7"]},
    ),
    (
        "nested.json",
        {"query": "data[].paragraphs[].qas[].question", "ground_truth": "data[].paragraphs[].doc"},
        {},
        {"u1": [["mill-1"]], "u2": [["mill-1"]], "l1": [["mill-5"]]},
    ),
    (
        "pairs.jsonl",
        {"id": "question", "ground_truth": "gold.*.0+1"},
        {"flat": "all"},
        {WEIRS: [["5d0c#0"], ["5d0c#3"]], "Who keeps it?": [["77aa#0"]]},
    ),
    (
        "pairs.jsonl",
        {"id": "question", "results": "found.*.0+1"},
        {},
        {WEIRS: ["5d0c#3", "77aa#0"], "Who keeps it?": ["77aa#0"]},
    ),
    (
        "pages.jsonl",
        {"ground_truth": "evidence.*.doc_name+page"},
        {"flat": "any"},
        {"p1": [["MILL_2018#59", "MILL_2018#61"]], "p2": [["WEIR_2020#4"]]},
    ),
    (
        "asked-twice.json",
        {"id": "results[].question", "ground_truth": "results[].expected_source"},
        {},
        {MILLER: [["mill-1"]], WEIRS: [["weir-2"]], f"{MILLER} (2)": [["mill-8"]]},
    ),
    (
        "by-id.json",
        {"query": "question", "ground_truth": "gold_chunk_ids"},
        {"flat": "any"},
        {"q7": [["mill-1"]], "q9": [["mill-4", "mill-5"]]},
    ),
    ("by-id.json", {"results": "contexts"}, {}, {"q7": ["mill-1", "mill-3"], "q9": []}),
    (
        "single.jsonl",
        {"id": "#", "query": "question", "ground_truth": "expected_doc_id"},
        {},
        {"1": [["mill-1"]], "2": [["mill-4"]]},
    ),
    ("single.jsonl", {"id": "#", "results": "top"}, {}, {"1": [7], "2": [9]}),
    ("single.jsonl", {"id": "#", "results": "top"}, {"ids": "text"}, {"1": ["7"], "2": ["9"]}),
]  # fmt: skip


def content(found: Any) -> dict[str, Any]:
    """The groups or the results of each query."""
    return {query.id: _ids(query) for query in found.queries}


def _ids(query: Query | RunQuery) -> Any:
    return query.ground_truth.truth() if isinstance(query, Query) else query.ids()


def scores(report: Report) -> dict[str, float | None]:
    """The only score of each query."""
    return {query: next(iter(found.values())) for query, found in report.per_query.items()}


def write(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


@pytest.mark.parametrize(("name", "fields", "options", "expected"), READ)
def test_a_sample_is_read_as_what_was_written_by_hand(
    name: str, fields: Fields, options: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    found = content(read(File(MAPPING / name, map=fields), **options))
    assert found == expected
    assert list(found) == list(expected)
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress((MAPPING / name).read_bytes()))
    assert content(read(File(packed, map=fields), **options)) == expected


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize(("name", "fields", "options", "expected"), READ)
def test_blocks_do_not_matter(
    name: str, fields: Fields, options: dict[str, Any], expected: dict[str, Any], block: int
) -> None:
    with blocks_of(block):
        assert content(read(File(MAPPING / name, map=fields), **options)) == expected


CASES = [{"q": "A?", "gold": "a", "found": ["x", "a"]}, {"q": "B?", "gold": 7, "found": [7]}]
SHAPES: dict[str, tuple[Any, str]] = {
    "list": (CASES, ""),
    "each of a list": (CASES, "[]."),
    "under a key": ({"n": 1, "tests": CASES, "m": {"tests": []}}, "tests[]."),
    "under two keys": ({"eval": {"x": [], "tests": CASES}, "tests": 1}, "eval.tests[]."),
    "under a key with a dot": ({"eval.tests": CASES}, "eval.tests[]."),
    "by key": ({"tests": {"k1": CASES[0], "k2": CASES[1]}}, "tests[]."),
    "in several lists": ([{"tests": CASES[:1]}, {"tests": CASES[1:]}], "tests[]."),
    "in a list of a list": ({"runs": [{"tests": CASES}]}, "runs.0.tests[]."),
    "nested": ({"d": [{"t": CASES[:1]}, {"t": []}, {"t": CASES[1:]}]}, "d[].t[]."),
    "each value": ({"x": {"t": CASES[:1]}, "y": {"t": CASES[1:]}}, "[].t[]."),
    "lists in a list": ({"d": [CASES[:1], CASES[1:]]}, "d[][]."),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".txt"])
def test_the_same_records_in_every_wrapper(shape: str, suffix: str, tmp_path: Path) -> None:
    document, prefix = SHAPES[shape]
    lines = document if isinstance(document, list) else [document]
    if suffix == ".jsonl" and shape != "each value":
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        prefix = prefix.removeprefix("[].")
    else:
        text, suffix = json.dumps(document), suffix.replace(".jsonl", ".json")
    path = write(tmp_path / f"some{suffix}", text)
    fields = {"id": "#", "ground_truth": f"{prefix}gold", "results": f"{prefix}found"}
    report = evaluate(File(path, map=fields), metrics="recall@1", ids="text")
    assert scores(report) == {"1": 0.0, "2": 1.0}


def test_a_key_is_the_id_unless_the_map_says_otherwise(tmp_path: Path) -> None:
    document = {"q1": {"n": "one", "gold": "a"}, "q2": {"n": "two", "gold": "b"}}
    path = write(tmp_path / "some.json", document)
    assert list(content(read(File(path, map={"ground_truth": "gold"})))) == ["q1", "q2"]
    assert list(content(read(File(path, map={"ground_truth": "gold", "id": "n"})))) == [
        "one",
        "two",
    ]
    wrapped = write(tmp_path / "wrapped.json", {"cases": document})
    assert list(content(read(File(wrapped, map={"ground_truth": "cases[].gold"})))) == ["q1", "q2"]


def test_a_key_and_another_id_are_refused(tmp_path: Path) -> None:
    path = write(
        tmp_path / "some.json", {"q1": {"id": "q1", "g": "a"}, "q2": {"id": "x", "g": "b"}}
    )
    with pytest.raises(InputError, match=r"under the key 'q2' and has the id 'x'; .* --map id=id"):
        read(File(path, map={"ground_truth": "g"}))
    assert list(content(read(File(path, map={"ground_truth": "g", "id": "id"})))) == ["q1", "x"]


def test_a_field_of_the_document_is_the_same_for_all_records(tmp_path: Path) -> None:
    document = {"tests": [{"q": "A"}, {"q": "B"}], "source": "handbook"}
    path = write(tmp_path / "some.json", document)
    fields = {"id": "tests[].q", "ground_truth": "source"}
    assert content(read(File(path, map=fields))) == {"A": [["handbook"]], "B": [["handbook"]]}


def test_one_record_is_a_document(tmp_path: Path) -> None:
    path = write(tmp_path / "some.json", {"question": "A?", "gold": ["a"], "more": {"x": 1}})
    fields = {"id": "question", "ground_truth": "gold"}
    assert content(read(File(path, map=fields), flat="any")) == {"A?": [["a"]]}


def test_lines_in_a_file_named_json(tmp_path: Path) -> None:
    path = write(tmp_path / "some.json", '{"q": "A", "g": "a"}\n{"q": "B", "g": "b"}\n')
    fields = {"id": "q", "ground_truth": "g"}
    assert content(read(File(path, map=fields))) == {"A": [["a"]], "B": [["b"]]}


def test_questions_asked_twice_meet_in_ground_truth_and_results(tmp_path: Path) -> None:
    truth = write(tmp_path / "t.json", {"t": [{"q": "A?", "g": "a"}, {"q": "A?", "g": "b"}]})
    run = write(tmp_path / "r.jsonl", '{"q": "A?", "r": ["a"]}\n{"q": "A?", "r": ["a"]}\n')
    fields = {"id": "t[].q", "query": "t[].q", "ground_truth": "t[].g"}
    first = read(File(truth, map=fields), role="ground_truth")
    second = read(File(run, map={"id": "q", "query": "q", "results": "r"}), role="run")
    assert scores(evaluate(first, second, metrics="recall")) == {"A?": 1.0, "A? (2)": 0.0}


def test_a_question_asked_twice_is_told(tmp_path: Path) -> None:
    record = {"question": "A?", "g": "a", "r": ["a"]}
    path = write(tmp_path / "some.json", [record, record])
    fields = {"id": "question", "ground_truth": "g", "results": "r"}
    report = evaluate(File(path, map=fields), metrics="recall")
    assert [w.partition(": ")[2] for w in report.warnings] == [
        "1 question is asked more than once; each time is a query of its own, such as 'A? (2)'"
    ]


def test_an_id_that_is_no_question_is_not_numbered(tmp_path: Path) -> None:
    path = write(tmp_path / "some.json", [{"key": "k", "g": "a"}, {"key": "k", "g": "b"}])
    with pytest.raises(InputError, match="the query id is repeated"):
        read(File(path, map={"id": "key", "ground_truth": "g"}))


GOLD = {"ground_truth": "t[].g"}
PAIRS = {"ground_truth": "t[].g.*.0+1"}
PARTS = {"ground_truth": "t[].g.*.d+p"}
WANTED = "ground_truth=t[].g: expected an id or a list of ids, got"
REFUSED: list[tuple[Any, Fields, str]] = [
    ({"t": [{"g": None}]}, GOLD, f"1:14: /t/0/g: {WANTED} null"),
    ({"t": [{"g": " "}]}, GOLD, f"1:14: /t/0/g: {WANTED} a blank string"),
    ({"t": [{"g": [["a"], [" "]]}]}, GOLD, "1:23: query '1', /g/1/0: a blank id"),
    ({"t": [{"g": 0.5}]}, GOLD, "1:14: query '1', /g: expected a list of groups, got the number"),
    ({"t": [{"g": True}]}, GOLD, "1:14: query '1', /g: expected a list of groups, got a boolean"),
    ({"t": [{"h": 1}]}, GOLD, "1:8: /t/0: ground_truth=t[].g: no 'g' here; there are h"),
    ({"t": ["x"]}, GOLD, "1:8: /t/0: expected a record, an object with fields, got the string 'x'"),
    ({"t": "x"}, GOLD, "1:7: /t: expected a list of records here"),
    ({"t": None}, GOLD, "1:7: /t: expected a list of records here"),
    ({"u": 1}, GOLD, "1:1: no 't' here; there are u"),
    ({"t": []}, GOLD, "no queries"),
    ([{"t": {"g": 1}}], GOLD, "expected a record, an object with fields"),
    ([{"t": 3}], GOLD, "1:8: /0/t: expected a list of records at t[], got the number 3"),
    (
        {"a.b": [{"g": 1}], "a": {"b": []}}, {"ground_truth": "a.b[].g"},
        "1:21: both 'a.b' and 'a' may lead to the records",
    ),
    ({"t": [{"g": ["u", 0]}]}, GOLD, "ground_truth=t[].g.0+1; if it is two ids"),
    ({"t": [{"g": [["u", 0]]}]}, GOLD, '/t/0/g/0: ground_truth=t[].g: ["u", 0] is a pair'),
    ({"t": [{"g": [["u", 0]]}]}, GOLD, "map it with ground_truth=t[].g.*.0+1"),
    ({"t": [{"g": [[["u"], ["u", 0]]]}]}, GOLD, "map it with ground_truth=t[].g.*.*.0+1"),
    (
        {"t": [{"g": [{"d": "a"}]}]}, PARTS,
        "1:15: /t/0/g/0: ground_truth=t[].g.*.d+p: no 'p' here; there are d",
    ),
    (
        {"t": [{"g": [["u", None]]}]}, PAIRS,
        "expected a part of an id, a non-blank string or a whole number, got null",
    ),
    ({"t": [{"g": [["u", ""]]}]}, PAIRS, "a whole number, got the string ''"),
    ({"t": [{"g": [["u", 1.5]]}]}, PAIRS, "got the number 1.5"),
    (
        {"t": [{"g": [["u", "1#2"]]}]}, PAIRS,
        "1:21: /t/0/g/0/1: ground_truth=t[].g.*.0+1: only the first part of an id may contain '#'",
    ),
    (
        {"t": [{"g": "a"}]}, {**GOLD, "query": "u[].q"},
        "expected records in one place, got ground_truth=t[].g and query=u[].q",
    ),
    ({"t": [{"g": "a"}]}, {"ground_truth": "t[]g"}, "expected '.' or the end behind '[]', got 'g'"),
    ({"t": [{"g": "a"}]}, {"ground_truth": "#"}, "only the id can be the number of the record"),
    (
        {"t": [{"g": "a"}]}, {**GOLD, "query": "t[].a+b"},
        "+ joins the parts of an id, and query is not one",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("document", "fields", "message"), REFUSED)
def test_what_a_map_cannot_take_is_refused_by_its_place(
    document: Any, fields: Fields, message: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "some.json", document)
    with pytest.raises(InputError) as caught:
        read(File(path, map={"id": "#", **fields}), role="ground_truth")
    assert message in str(caught.value)
    assert "text'" not in str(caught.value)


def test_every_record_of_a_wrapper_is_looked_at(tmp_path: Path) -> None:
    path = write(tmp_path / "some.json", '{"t": [\n{"g": "a"},\n{"h": 1},\n{"g": null}\n]}')
    with pytest.raises(InputError) as caught:
        read(File(path, map={"id": "#", **GOLD}))
    assert [(problem.line, problem.column) for problem in caught.value.problems] == [(3, 1), (4, 7)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"t": [{"g": "a"}', "1:18"),
        ('{"t": [{"g": "a"}], "u": }', "1:26: invalid JSON"),
        ('{"t": [{"g": "a"}], "t": []}', "1:21: the key 't' is repeated (first at line 1"),
        ('{"t": [{"g": "a", "g": "b"}]}', "1:19: the key 'g' is repeated"),
        ('{"t": [{"g": "a"}]} {}', "1:21: a second document in one JSON file"),
        ('{"u": {"a": 1, "a": 2}, "t": [{"g": "a"}]}', "1:16: the key 'a' is repeated"),
    ],
)
def test_a_wrapper_that_is_not_sound_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = write(tmp_path / "some.json", text)
    with pytest.raises(InputError) as caught:
        read(File(path, map={"id": "#", **GOLD}))
    assert message in str(caught.value)


def test_a_missing_id_names_the_ways_out(tmp_path: Path) -> None:
    path = write(tmp_path / "some.json", {"t": [{"question": "A?", "n": 7, "g": ["a"]}]})
    with pytest.raises(InputError) as caught:
        read(File(path, map=GOLD))
    assert (
        "1:8: /t/0: no id; say where it is, with --map id=PATH, such as id=t[].question or "
        "id=t[].n, or number the records with --map id=#; the record has question, n, g"
    ) in str(caught.value)


def test_joined_ids_differ_where_their_parts_do(tmp_path: Path) -> None:
    pairs = [["a#b", "c"], ["a", "c"], ["a#c", 1], ["a", 1], ["a", "1 "]]
    path = write(tmp_path / "some.json", [{"g": pairs}])
    found = content(read(File(path, map={"id": "#", "ground_truth": "g.*.0+1"}), flat="all"))
    assert found == {"1": [["a#b#c"], ["a#c"], ["a#c#1"], ["a#1"], ["a#1 "]]}


def test_parts_of_an_id_may_lie_deeper_or_be_many(tmp_path: Path) -> None:
    record = {"gold": [{"doc": "d1", "at": {"pages": [1, 2]}}, {"doc": "d2", "at": {"pages": [5]}}]}
    path = write(tmp_path / "some.json", [record])
    found = read(File(path, map={"id": "#", "ground_truth": "gold.*.doc+at.pages.*"}))
    assert content(found) == {"1": [["d1#1", "d1#2"], ["d2#5"]]}
    with pytest.raises(InputError, match=r"expected a part of an id, .* got a list"):
        read(File(path, map={"id": "#", "ground_truth": "gold.*.doc+at.pages"}))


def test_a_key_that_is_spelled_like_a_path_takes_precedence(tmp_path: Path) -> None:
    record = {"a+b": "x", "a": "1", "b": "2", "c": {"d.e+f": "y"}}
    path = write(tmp_path / "some.json", [record])
    fields = {"id": "#", "ground_truth": "a+b", "results": "c.d.e+f"}
    assert evaluate(File(path, map=fields), metrics="recall").scores == {"recall": 0.0}
    assert content(read(File(path, map=fields), role="run")) == {"1": ["y"]}


def test_findings_point_to_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "some.json", '{"t": [\n{"g": [["a", "a"]], "x": 1}]}')
    report = validate(File(path, map={"id": "#", **GOLD}), select=["GT"])
    repeated = next(finding for finding in report.findings if finding.line)
    assert (repeated.line, repeated.pointer) == (2, "/t/0/g/0/1")


def test_a_large_wrapper_is_streamed(tmp_path: Path) -> None:
    """The records of a wrapper come in many batches, like those of a list."""
    from groupwise.evaluator.formats.opening import records_in  # noqa: PLC0415
    from groupwise.evaluator.reading.options import Options  # noqa: PLC0415
    from groupwise.evaluator.reading.records import Reading  # noqa: PLC0415

    cases = [{"q": f"question {n}", "g": [f"d{n}"] * 5} for n in range(20_000)]
    path = write(tmp_path / "some.json", {"head": 1, "t": cases, "tail": [1]})
    records = records_in(path, Options(fields={"id": "#", **GOLD}))
    sizes = [len(batch.values) for batch in records.batches(Reading())]
    assert sum(sizes) == 20_000
    assert len(sizes) > 4


def test_objects_in_memory_are_mapped_like_files() -> None:
    rows = [{"question": "Who?", "gold": ["a"], "found": ["x", "a"]}]
    fields = {"id": "#", "ground_truth": "gold", "results": "found"}
    for source in ([rows], [rows, rows], [tuple(rows)]):
        files = [File(rows_, map=fields) for rows_ in source]
        report = evaluate(*files, flat="any", metrics="mrr")
        assert scores(report) == {"1": 0.5}
    wrapped = {name: path if path == "#" else f"t[].{path}" for name, path in fields.items()}
    assert scores(evaluate(File({"t": rows}, map=wrapped), flat="any", metrics="mrr")) == {"1": 0.5}
    plain = evaluate(File({"q": [["a"]]}, map=fields), {"q": ["a"]}, metrics="mrr")
    assert scores(plain) == {"q": 1.0}


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("gold", "got a list; if the records are in it, lead there with ground_truth=t[].gold"),
        ("t.gold", "*.gold takes all of its elements, and [].gold makes each a record"),
        ("t[0].gold", "an element of a list is a step, as in gold.0"),
        ("t[].gold[0]", "no 'gold[0]' here; there are gold; an element of a list is a step"),
    ],
)
def test_a_path_that_stops_at_a_list_names_the_way_on(
    path: str, message: str, tmp_path: Path
) -> None:
    file = write(tmp_path / "some.json", {"t": [{"gold": ["a"]}]})
    with pytest.raises(InputError) as caught:
        read(File(file, map={"id": "#", "ground_truth": path}))
    assert message in str(caught.value)


def test_a_folder_has_no_fields(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a folder; a map is for a file"):
        read(File(tmp_path, map={"id": "#", "ground_truth": "gold"}))


def test_pairs_of_id_and_score_are_results(tmp_path: Path) -> None:
    """As everywhere: a score has a fraction, or another one beside it has."""
    path = write(tmp_path / "some.json", [{"r": [["a", 0.9], ["b", 1]], "n": [["a", 3], ["b", 2]]}])
    found = read(File(path, map={"id": "#", "results": "r"}), role="run")
    assert (content(found), found.queries[0].given_scores()) == ({"1": ["a", "b"]}, [0.9, 1.0])
    with pytest.raises(InputError, match=r"is a score, map results=n\.\*\.0,scores=n\.\*\.1; if"):
        read(File(path, map={"id": "#", "results": "n"}), role="run")
    told = read(File(path, map={"id": "#", "results": "n.*.0", "scores": "n.*.1"}), role="run")
    assert (content(told), told.queries[0].given_scores()) == ({"1": ["a", "b"]}, [3.0, 2.0])


def test_a_pair_in_a_group_is_not_made_two_ids(tmp_path: Path) -> None:
    """Neither the advice nor a fix makes its number an alternative."""
    text = '{"id": "q", "ground_truth": [["uuid", 0]]}\n'
    path = write(tmp_path / "some.jsonl", text)
    assert fixed_text(text) == text
    report = validate(path, select=["IO"])
    message = report.findings[0].message
    assert "one id in two parts" in message
    assert "--ids" not in message
    assert "ids='text'" not in message
    fields = {"ground_truth": "ground_truth.*.0+1"}
    assert content(read(File(path, map=fields), flat="any")) == {"q": [["uuid#0"]]}
