"""Runs and judgements in long form are gathered in Spark, and read as tables are."""

import random
from typing import Any

import pyarrow as pa
import pytest

import groupwise
from groupwise.spark import evaluate
from tests.evaluate.spark.frames import seeded

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::ResourceWarning"),
]
METRICS = ["recall@3", "ndcg@5", "map", "trec:map", "trec:judged@5", "coverage:ndcg"]
Rows = list[dict[str, Any]]


def draw_results(source: random.Random, ids: list[Any]) -> Rows:
    rows = []
    for query in [*range(12), "extra"]:
        found = source.sample(ids, source.randrange(1, 9))
        rows += [
            {"query_id": f"q{query}", "doc_id": one, "score": source.choice([0.5, 2.0, 3.25])}
            for one in found
        ]
    return rows


def draw_judgements(source: random.Random, ids: list[Any]) -> Rows:
    rows: Rows = []
    for query in [*range(12), "missing"]:
        for one in source.sample(ids, source.randrange(1, 9)):
            group, grade = source.choice(["g1", "g2"]), source.choice([0, 1, 2])
            rows.append({"qid": f"q{query}", "docno": one, "group": group, "grade": grade})
    return rows


def check(spark: Any, truths: Rows, run: Rows, in_order: Rows | None = None) -> groupwise.Report:
    """The report of Spark on shuffled rows; it has the bytes of the local one on rows in order."""
    given = [[*truths], [*run]]
    for rows in given:
        seeded(1).shuffle(rows)
    frames = [spark.createDataFrame(pa.Table.from_pylist(rows)).repartition(4) for rows in given]
    options: Any = {"metrics": METRICS, "per_query": True, "provenance": True}
    report, scores = evaluate(*frames, **options)
    tables = [pa.Table.from_pylist(rows) for rows in (truths, in_order or run)]
    assert report.to_json() == groupwise.evaluate(*tables, **options).to_json()
    assert scores.count() == report.counts.queries
    return report


@pytest.mark.parametrize("ids", [[f"d{n}" for n in range(12)], [*range(12)]], ids=["text", "int"])
def test_ties_are_broken_by_id_descending(spark: Any, ids: list[Any]) -> None:
    source = seeded(3)
    truths, run = draw_judgements(source, ids), draw_results(source, ids)
    in_order = sorted(run, key=lambda row: (row["score"], str(row["doc_id"])), reverse=True)
    report = check(spark, truths, run, in_order)
    assert (report.counts.missing, report.counts.extra) == (1, 1)


def test_a_rank_comes_before_the_score(spark: Any) -> None:
    source = seeded(4)
    ids = [f"d{n}" for n in range(12)]
    run = draw_results(source, ids)
    ranked = [{**row, "rank": number} for number, row in enumerate(run)]
    check(spark, draw_judgements(source, ids), ranked)


def test_grades_without_groups_are_flat(spark: Any) -> None:
    source = seeded(5)
    ids = [f"d{n}" for n in range(12)]
    truths = [
        {"query-id": row["qid"], "corpus-id": row["docno"], "score": row["grade"]}
        for row in draw_judgements(source, ids)
    ]
    run = draw_results(source, ids)
    frames = [spark.createDataFrame(pa.Table.from_pylist(rows)) for rows in (truths, run)]
    report, _ = evaluate(*frames, profile="trec", metrics="ndcg@5")
    tables = [pa.Table.from_pylist(rows) for rows in (truths, run)]
    local = groupwise.evaluate(*tables, profile="trec", metrics="ndcg@5", per_query=False)
    assert report.to_json() == local.to_json()
    with pytest.raises(groupwise.InputError, match="flat"):
        evaluate(*frames, metrics="ndcg@5")


def test_a_blank_id_is_a_query_without_results(spark: Any) -> None:
    truths = [{"query_id": "a", "doc_id": "x", "grade": 1}]
    run = spark.createDataFrame([("a", None, None)], "query_id string, doc_id string, score double")
    report, _ = evaluate(
        spark.createDataFrame(pa.Table.from_pylist(truths)), run, profile="trec", metrics="recall"
    )
    assert (report.counts.empty_results, report.scores["recall"]) == (1, 0.0)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"score": None}, "query 'b': no score for 'x'"),
        ({"score": float("nan")}, "query 'b': the score 'nan' is not a finite number"),
        ({"doc_id": None}, "query 'b': no id beside the score"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_by_its_query(
    spark: Any, cells: dict[str, Any], message: str
) -> None:
    truths = pa.table({"id": ["a", "b"], "ground_truth": [[["x"]], [["y"]]]})
    rows = [
        {"query_id": query, "doc_id": one, "score": 1.0} for query in "ab" for one in ("x", "y")
    ]
    rows[2] |= cells
    run = pa.Table.from_pylist(rows)
    with pytest.raises(groupwise.InputError) as error:
        evaluate(*map(spark.createDataFrame, (truths, run)))
    assert message in str(error.value)
    assert [problem.line for problem in error.value.problems] == [None]


def test_contradictions_are_named_by_their_query(spark: Any) -> None:
    rows = [
        {"query_id": "a", "doc_id": one, "group": "g", "weight": weight}
        for one, weight in (("x", 1.0), ("y", 2.0))
    ]
    run = pa.table({"id": ["a"], "results": [["x"]]})
    with pytest.raises(groupwise.InputError) as error:
        evaluate(*map(spark.createDataFrame, (pa.Table.from_pylist(rows), run)))
    expected = "query 'a': group 'g' has the weight '1.0' and '2.0'; give one"
    assert str(error.value) == f"ground_truth: {expected}"
