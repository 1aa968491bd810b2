"""Data for Spark: random queries with all they can hold, and partitions of unequal size."""

import random
from typing import Any

import pyarrow as pa

ALTERNATIVE = pa.struct([("id", pa.string()), ("grade", pa.float64())])
GROUP = pa.struct(
    [("alternatives", pa.list_(ALTERNATIVE)), ("weight", pa.float64()), ("label", pa.string())]
)
RESULT = pa.struct([("id", pa.string()), ("score", pa.float64()), ("tokens", pa.int64())])
METADATA = pa.struct([("kind", pa.string()), ("hops", pa.int64())])
TRUTHS = pa.schema(
    [
        ("id", pa.string()),
        ("ground_truth", pa.list_(GROUP)),
        ("not_relevant", pa.list_(pa.string())),
        ("query", pa.string()),
        ("metadata", METADATA),
    ]
)
RUN = pa.schema([("id", pa.string()), ("results", pa.list_(RESULT))])
PLAIN_TRUTHS = pa.schema([("id", pa.string()), ("ground_truth", pa.list_(pa.list_(pa.string())))])
PLAIN_RUN = pa.schema(
    [
        ("id", pa.string()),
        ("results", pa.list_(pa.string())),
        ("scores", pa.list_(pa.float64())),
    ]
)
Tables = tuple[pa.Table, pa.Table]
DOCUMENTS = [f"dö{number}" if number % 5 == 0 else f"d{number}" for number in range(25)]


def seeded(seed: int) -> random.Random:
    """A source of random numbers."""
    return random.Random(seed)  # noqa: S311


def choose_ids(source: random.Random, queries: int) -> tuple[list[str], list[str]]:
    """Ids of ground truth and of a run: most are in both, some are missing, some extra."""
    ids = [f"q{number}" for number in range(queries)] + ["ä query", "Q1", "q 2"]
    truths = [query for query in ids if source.random() < 0.85]
    rankings = [query for query in ids if source.random() < 0.85]
    source.shuffle(rankings)
    return truths or ["q0"], rankings or ["q0"]


def draw_group(source: random.Random) -> dict[str, Any]:
    chosen = source.sample(DOCUMENTS, source.randrange(1, 4))
    alternatives = [{"id": one, "grade": source.choice([1.0, 2.0, 3.0])} for one in chosen]
    label = source.choice(["vital", "other", None])
    return {"alternatives": alternatives, "weight": source.choice([1.0, 2.5]), "label": label}


def draw_rich(source: random.Random, queries: int = 30) -> Tables:
    """Ground truth with weights, labels, grades and metadata; results with scores and tokens."""
    truths, rankings = choose_ids(source, queries)
    rows = [
        {
            "id": query,
            "ground_truth": [draw_group(source) for _ in range(source.randrange(4))],
            "not_relevant": source.sample(["n1", "n2", "n3"], source.randrange(3)),
            "query": f"What is {query}?",
            "metadata": {"kind": source.choice(["x", "y"]), "hops": source.choice([1, 2, None])},
        }
        for query in truths
    ]
    results = [
        {
            "id": query,
            "results": [
                {"id": one, "score": source.choice([0.1, 0.5, 0.9]), "tokens": 40}
                for one in source.sample([*DOCUMENTS, "n1", "n2"], source.randrange(12))
            ],
        }
        for query in rankings
    ]
    return pa.Table.from_pylist(rows, TRUTHS), pa.Table.from_pylist(results, RUN)


def draw_plain(source: random.Random, queries: int = 30) -> Tables:
    """Lists of ids, and scores that are often equal."""
    truths, rankings = choose_ids(source, queries)
    rows = [
        {
            "id": query,
            "ground_truth": [
                source.sample(DOCUMENTS, source.randrange(1, 4)) for _ in range(source.randrange(4))
            ],
        }
        for query in truths
    ]
    results = []
    for query in rankings:
        ids = source.sample(DOCUMENTS, source.randrange(12))
        scores = sorted((source.choice([0.1, 0.5, 0.9]) for _ in ids), reverse=True)
        results.append({"id": query, "results": ids, "scores": scores})
    return pa.Table.from_pylist(rows, PLAIN_TRUTHS), pa.Table.from_pylist(results, PLAIN_RUN)


def spread(spark: Any, table: pa.Table, partitions: int) -> Any:
    """A DataFrame of so many partitions: one is empty, one has half of the rows."""
    rows = table.to_pylist()
    half = len(rows) // 2
    others = [rows[half + each :: partitions - 2] for each in range(partitions - 2)]
    parts = [rows[:half], [], *others]
    spread_out = spark.sparkContext.parallelize(range(partitions), partitions)
    schema = spark.createDataFrame(table.slice(0, 1)).schema
    frame = spark.createDataFrame(spread_out.flatMap(lambda part: parts[part]), schema)
    sizes = frame.rdd.mapPartitions(lambda rows: [sum(1 for _ in rows)]).collect()
    assert sizes == [*map(len, parts)]
    return frame
