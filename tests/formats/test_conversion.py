"""Records that are written as they were read are the same as those that went through the models."""

import json
import tempfile
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import strategies as st

from groupwise import InputError, convert

WORDS = st.sampled_from(["a", "b", "c d", "é", "10", "Q0"])
WHOLE = st.integers(-3, 3)
QUERIES = st.lists(
    st.sampled_from(["q1", "q2", 3, "4", "ü"]), min_size=1, max_size=5, unique_by=str
)
ABOUT = {
    "query": st.none() | WORDS,
    "metadata": st.none() | st.dictionaries(WORDS, WHOLE | st.lists(WORDS), max_size=2),
    "generation_gt": st.none() | WORDS | st.lists(WORDS),
    "corpus": WORDS,
    "hashes": st.dictionaries(WORDS, WORDS, max_size=2),
}
SCORES = st.integers(-9, 9) | st.floats(-9, 9)


@st.composite
def files(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Records of a data set, a run or both, mostly plain; all have the same fields or nearly."""
    ids = draw(st.sampled_from([WORDS, WHOLE]))
    has_truth, has_results = draw(st.sampled_from([(1, 0), (0, 1), (1, 1)]))
    scored, named = draw(st.booleans()), draw(st.sets(st.sampled_from(sorted(ABOUT))))
    records: list[dict[str, Any]] = []
    for query in draw(QUERIES):
        record: dict[str, Any] = {draw(st.sampled_from(["id", "qid"])): query}
        if has_truth:
            record |= {name: draw(ABOUT[name]) for name in named}
            record["ground_truth"] = draw(st.lists(groups(ids), max_size=3))
            record |= draw(st.sampled_from([{}, {}, {}, {"not_relevant": []}]))
        if has_results:
            record["results"] = draw(st.lists(ids, max_size=4, unique=True))
            if scored:
                record["scores"] = [draw(SCORES) for _ in record["results"]]
        records.append(record)
    return records


def groups(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    plain = st.lists(ids, min_size=1, max_size=3)
    graded = ids.map(lambda one: [{"id": one, "grade": 2}])
    return st.one_of(plain, plain, plain, graded)


def converted(records: Any, **options: Any) -> Any:
    """The bytes of the data as JSON Lines, or what is said of it."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.json"), Path(folder, "out.jsonl")
        source.write_bytes(orjson.dumps(records))
        try:
            convert(source, target, **options)
        except InputError as error:
            return [(one.message, one.query, one.pointer) for one in error.problems]
        return target.read_bytes()


@pytest.mark.parametrize("results", [{"a": 1, "b": 3.5}, {"b": 2, "a": 2}, {}])
def test_scores_by_id_are_put_in_order(results: dict[str, float]) -> None:
    order = sorted(results, key=lambda one: (results[one], one), reverse=True)
    found = json.loads(converted({"q1": results, "q2": {"a": 1}}, role="run").splitlines()[0])
    assert found.get("results") == order
    assert found.get("scores", []) == [results[one] for one in order]


def test_a_problem_in_the_last_record_is_told_before_anything_is_written() -> None:
    records = [{"id": str(number), "results": ["a"]} for number in range(3000)]
    assert converted([*records, {"id": "x", "results": [""]}]) == [
        ("a blank id; an id is a non-blank string or a whole number below 2^63", "x", "/results/0")
    ]


def test_a_query_that_is_repeated_far_apart_is_told() -> None:
    records = [{"id": str(number % 2999), "results": ["a"] * 9} for number in range(3000)]
    ((message, query, _),) = converted(records)
    assert (message.startswith("the query id is repeated"), query) == (True, "0")
