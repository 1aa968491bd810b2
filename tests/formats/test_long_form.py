"""What several lines say of one thing, and what some lines leave out: the same in all formats."""

import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import File, InputError, convert, evaluate, read
from groupwise.evaluator.reading.options import Role


def write(folder: Path, text: str, name: str = "data.csv") -> Path:
    (folder / name).write_text(text)
    return folder / name


def problems_of(path: Path, **options: Any) -> list[tuple[int | None, str]]:
    with pytest.raises(InputError) as caught:
        read(path, **options)
    return [(problem.line, problem.message) for problem in caught.value.problems]


def truth_of(path: Path | File, **options: Any) -> dict[str, Any]:
    """Groups of ids and grades, and what is judged not relevant, of the only query."""
    (query,) = read(path, role="ground_truth", **options)
    groups = [[(a.id, a.grade) for a in g.alternatives] for g in query.ground_truth.groups]
    return {"groups": groups, "not_relevant": query.judged_not_relevant()}


# --- runs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("column", "blank"), [("score", "q,1,b,"), ("rank", "q,,b,0.5")])
def test_a_score_or_rank_that_some_results_lack_is_named_with_its_line(
    column: str, blank: str, tmp_path: Path
) -> None:
    path = write(tmp_path, f"query_id,rank,id,score\nq,1,a,0.9\n{blank}\nq,3,c,0.1\n")
    message = f"no {column} for 'b'; either all results of a query have one or none"
    assert problems_of(path, role="run") == [(3, message)]


@pytest.mark.parametrize(
    ("text", "results", "scores"),
    [
        ("query_id,rank,id,score\nq,2,a,\nq,1,b,\n", ["b", "a"], None),
        ("query_id,rank,id,score\nq,,a,0.1\nq,,b,0.2\n", ["b", "a"], [0.2, 0.1]),
        ("query_id,rank,id,score\nq,,a,\nq,,b,\n", ["a", "b"], None),
        ("query_id,rank,id,score\nq,,,\n", [], None),
    ],
)
def test_a_column_that_is_blank_throughout_a_query_says_nothing(
    text: str, results: list[str], scores: list[float] | None, tmp_path: Path
) -> None:
    (query,) = read(write(tmp_path, text), role="run")
    assert (query.ids(), query.given_scores()) == (results, scores)


def test_one_query_may_have_scores_and_another_none(tmp_path: Path) -> None:
    path = write(tmp_path, "query_id,id,score\nq,a,0.5\nr,a,\nr,b,\n")
    assert [query.given_scores() for query in read(path, role="run")] == [[0.5], None]


RESULTS = [{"id": "a", "score": 0.9}, {"id": "b"}]


@pytest.mark.parametrize("results", [RESULTS, [{"id": "a", "score": 0.9}, "b"]])
def test_results_in_full_have_all_a_score_or_none(results: list[Any], tmp_path: Path) -> None:
    match = "expected a score for each result or for none, got 1 for 2"
    with pytest.raises(InputError, match=match):
        evaluate({"q": [["a"]]}, {"q": results}, metrics="recall")
    path = write(tmp_path, json.dumps({"id": "q", "results": results}), "run.jsonl")
    with pytest.raises(InputError, match=match):
        read(path, role="run")


def test_results_in_full_in_parquet_have_all_a_score_or_none(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"id": ["q"], "results": [RESULTS]}), tmp_path / "run.parquet")
    with pytest.raises(InputError, match="expected a score for each result or for none"):
        read(tmp_path / "run.parquet", role="run")


@pytest.mark.parametrize(
    "record",
    [
        {"question": "?", "ctxs": [{"id": "a", "score": "1"}, {"id": "b"}]},
        {
            "query": "?",
            "question_type": "x",
            "retrieval_list": [{"text": "a", "score": 1}, {"text": "b", "score": None}],
        },
    ],
)
def test_results_of_published_data_have_all_a_score_or_none(record: Any, tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps([record]), "run.json")
    with pytest.raises(InputError, match="no score, but other results have one"):
        read(path, role="run")


# --- ground truth ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "first", "second"), [("weight", "2", "3"), ("label", "vital", "okay")]
)
def test_a_group_of_two_weights_or_labels_is_named_with_both_lines(
    column: str, first: str, second: str, tmp_path: Path
) -> None:
    text = f"query_id,group,id,{column}\nq,g,a,{first}\nq,g,b,\nq,g,c,{second}\n"
    message = f"group 'g' has the {column} '{first}' in line 2 and '{second}' here; give one"
    assert problems_of(write(tmp_path, text)) == [(4, message)]


def test_a_weight_counts_for_its_group_in_whichever_line_it_is(tmp_path: Path) -> None:
    text = "query_id,group,id,weight,label\nq,1,a,,\nq,1,b,2,vital\nq,2,c,,\nq,1,d,2.0,\n"
    (query,) = read(write(tmp_path, text), role="ground_truth")
    assert [(g.weight, g.label) for g in query.ground_truth.groups] == [(2, "vital"), (1, None)]


def test_a_query_of_two_texts_is_named(tmp_path: Path) -> None:
    text = "query_id,query,group,id\nq,Who?,1,a\nq,When?,2,b\n"
    message = "query 'q' has the query 'Who?' in line 2 and 'When?' here; give one"
    assert problems_of(write(tmp_path, text)) == [(3, message)]


@pytest.mark.parametrize("group", ["", "group,"])
def test_a_blank_grade_is_named(group: str, tmp_path: Path) -> None:
    cell = "1," if group else ""
    path = write(tmp_path, f"query_id,{group}id,grade\nq,{cell}a,2\nq,{cell}b,\n")
    message = "no grade for 'b'; 0 means not relevant, below 0 not judged"
    assert problems_of(path, role="ground_truth", flat="any") == [(3, message)]


@pytest.mark.parametrize(
    ("role", "text", "message"),
    [
        ("ground_truth", "query_id,group,id,grade\nq,1,a,1\nq,2,,2\n", "no id beside the group"),
        ("ground_truth", "query_id,group,id,grade\nq,1,a,1\nq,,,\n", "no id"),
        ("ground_truth", "query_id,id,grade\nq,a,1\nq,,2\n", "no id beside the grade"),
        ("run", "query_id,rank,id,score\nq,1,a,1\nq,2,,0.5\n", "no id beside the rank"),
        ("run", "query_id,id,score\nq,a,1\nq,,0.5\n", "no id beside the score"),
    ],
)
def test_a_line_without_an_id_is_named(role: Role, text: str, message: str, tmp_path: Path) -> None:
    only = "; only the one line of a query without documents has none"
    assert problems_of(write(tmp_path, text), role=role, flat="any") == [(3, message + only)]


NOT_JUDGED: dict[str, tuple[str, dict[str, Any]]] = {
    "data.csv": ("query_id,group,id,grade\nq,1,a,1\nq,1,b,-1\nq,2,c,-2\nq,,d,0\n", {}),
    "flat.csv": ("query_id,id,grade\nq,a,1\nq,b,-1\nq,c,-2\nq,d,0\n", {"flat": "any"}),
    "data.qrels": ("q 0 a 1\nq 0 b -1\nq 0 c -2\nq 0 d 0\n", {"flat": "any"}),
    "diversity.qrels": ("q 1 a 1\nq 1 b -1\nq 2 c -2\nq 1 d 0\n", {}),
    "data.tsv": (
        "query-id\tcorpus-id\tscore\nq\ta\t1\nq\tb\t-1\nq\tc\t-2\nq\td\t0\n",
        {"flat": "any"},
    ),
    "data.json": ('{"q": {"a": 1, "b": -1, "c": -2, "d": 0}}', {"flat": "any"}),
}


@pytest.mark.parametrize("name", NOT_JUDGED)
def test_a_judgement_below_0_means_not_judged_in_every_format(name: str, tmp_path: Path) -> None:
    text, options = NOT_JUDGED[name]
    path = write(tmp_path, text, name)
    found = truth_of(File(path, subtopics=name == "diversity.qrels"), **options)
    judged = [[(id_, grade) for id_, grade in group if grade] for group in found["groups"]]
    assert {"groups": judged, "not_relevant": [*found["not_relevant"]]} == {
        "groups": [[("a", 1)]],
        "not_relevant": ["d"],
    }


@pytest.mark.parametrize(
    "groups", [[{"a": 1, "b": -1}], [["a", {"id": "b", "grade": -1}]]], ids=["short", "full"]
)
def test_a_grade_below_0_in_a_group_that_is_written_out_is_an_error(groups: Any) -> None:
    with pytest.raises(InputError, match="grade should be greater than or equal to 0"):
        evaluate({"q": groups}, {"q": ["a"]}, metrics="recall")


def test_a_document_may_be_relevant_in_one_group_and_not_in_another(tmp_path: Path) -> None:
    table = "query_id,group,id,grade\nq,1,a,1\nq,2,a,0\nq,2,b,1\n"
    qrels = "q 1 a 1\nq 2 a 0\nq 2 b 1\n"
    expected = {"groups": [[("a", 1)], [("b", 1)]], "not_relevant": []}
    found = (
        truth_of(write(tmp_path, table)),
        truth_of(File(write(tmp_path, qrels, "d.qrels"), subtopics=True)),
    )
    assert [{**one, "not_relevant": [*one["not_relevant"]]} for one in found] == [expected] * 2


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("data.csv", "query_id,id,grade\nq,a,1\nq,a,2\n"),
        ("data.qrels", "q 0 a 1\nq 0 a 2\n"),
        ("data.tsv", "query-id\tcorpus-id\tscore\nq\ta\t1\nq\ta\t2\n"),
    ],
)
def test_two_grades_of_a_document_are_named(name: str, text: str, tmp_path: Path) -> None:
    ((line, message),) = problems_of(write(tmp_path, text, name), flat="any")
    assert line == len(text.splitlines())
    assert "the document 'a' has the grade 1 and, here, 2; give one" in message


def test_what_convert_writes_is_read_again(tmp_path: Path) -> None:
    """A weight in some groups only, a label, and a query without documents."""
    groups = [{"alternatives": ["a", "b"], "weight": 2, "label": "vital"}, ["c"]]
    records = [{"id": "q", "ground_truth": groups}, {"id": "r", "answerable": False}]
    path = write(tmp_path, "\n".join(map(json.dumps, records)), "data.jsonl")
    convert(path, tmp_path / "data.csv")
    assert [query.ground_truth for query in read(tmp_path / "data.csv", role="ground_truth")] == [
        query.ground_truth for query in read(path, role="ground_truth")
    ]
