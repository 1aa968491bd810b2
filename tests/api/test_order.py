"""One rule for the order of results, in every form: what comes in an order keeps it.

Scores by id have no order: they are sorted by score, then id, both descending.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from groupwise import Run, evaluate

Pairs = list[tuple[str, Any]]
Form = Callable[[Pairs, Path], Any]


def lists(pairs: Pairs) -> dict[str, Any]:
    return {"results": [one for one, _ in pairs], "scores": [score for _, score in pairs]}


def as_lists(pairs: Pairs, _folder: Path) -> Any:
    return {"q": lists(pairs)}


def as_records(pairs: Pairs, _folder: Path) -> Any:
    return [{"id": "q", **lists(pairs)}]


def as_results(pairs: Pairs, _folder: Path) -> Any:
    return {"q": [{"id": one, "score": score} for one, score in pairs]}


def as_run(pairs: Pairs, _folder: Path) -> Any:
    return Run.model_validate({"q": lists(pairs)})


def as_json(pairs: Pairs, folder: Path) -> Any:
    return write(folder / "run.json", json.dumps({"q": lists(pairs)}))


def as_json_lines(pairs: Pairs, folder: Path) -> Any:
    return write(folder / "run.jsonl", json.dumps({"id": "q", **lists(pairs)}))


def as_json_results(pairs: Pairs, folder: Path) -> Any:
    results = [{"id": one, "score": score, "text": "…"} for one, score in pairs]
    return write(folder / "run.jsonl", json.dumps({"id": "q", "results": results}))


def as_table(pairs: Pairs, _folder: Path) -> Any:
    return pa.Table.from_pylist([{"id": "q", **lists(pairs)}])


def as_parquet(pairs: Pairs, folder: Path) -> Any:
    pq.write_table(as_table(pairs, folder), folder / "run.parquet")
    return folder / "run.parquet"


def as_trec(pairs: Pairs, folder: Path) -> Any:
    lines = (f"q Q0 {one} {rank} {score} t\n" for rank, (one, score) in enumerate(pairs, 1))
    return write(folder / "run.trec", "".join(lines))


def as_csv(pairs: Pairs, folder: Path) -> Any:
    lines = "".join(f"q,{one},{score}\n" for one, score in pairs)
    return write(folder / "run.csv", f"query_id,id,score\n{lines}")


def by_id(pairs: Pairs, _folder: Path) -> Any:
    return {"q": dict(pairs)}


def by_id_in_numpy(pairs: Pairs, _folder: Path) -> Any:
    return {"q": {one: np.array([score])[0] for one, score in pairs}}


def by_id_in_results(pairs: Pairs, _folder: Path) -> Any:
    return [{"id": "q", "results": dict(pairs)}]


def by_id_in_json(pairs: Pairs, folder: Path) -> Any:
    """As ranx and pytrec_eval write runs."""
    return write(folder / "run.json", json.dumps({"q": dict(pairs)}))


def by_id_in_json_lines(pairs: Pairs, folder: Path) -> Any:
    return write(folder / "run.jsonl", json.dumps({"id": "q", "results": dict(pairs)}))


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


ORDERED: list[Form] = [
    as_lists, as_records, as_results, as_run, as_json, as_json_lines, as_json_results, as_table,
    as_parquet, as_trec, as_csv,
]  # fmt: skip
BY_ID: list[Form] = [
    by_id, by_id_in_numpy, by_id_in_results, by_id_in_json, by_id_in_json_lines,
]  # fmt: skip
TIED: Pairs = [("b", 1.0), ("c", 1.0), ("a", 1.0)]


def ranks(run: Any, profile: str, **options: Any) -> list[int]:
    """The rank of each result."""
    names = [f"first_hit(label={one})" for one in "abc"]
    truth = {"q": [{"alternatives": [one], "label": one} for one in "abc"]}
    report = evaluate(truth, run, profile=profile, metrics=names, **options)
    return [int(value) for value in report.per_query["q"].values() if value is not None]


@pytest.mark.parametrize("profile", ["autorag", "coverage"])
@pytest.mark.parametrize("form", ORDERED)
def test_equal_scores_keep_an_order_that_there_is(form: Form, profile: str, tmp_path: Path) -> None:
    assert ranks(form(TIED, tmp_path), profile) == [3, 1, 2]


@pytest.mark.parametrize("profile", ["autorag", "coverage"])
@pytest.mark.parametrize("form", BY_ID)
def test_equal_scores_by_id_go_by_id(form: Form, profile: str, tmp_path: Path) -> None:
    assert ranks(form(TIED, tmp_path), profile) == [3, 2, 1]


@pytest.mark.parametrize("form", [*ORDERED, *BY_ID])
def test_in_trec_all_go_by_score_then_id(form: Form, tmp_path: Path) -> None:
    run = form(TIED, tmp_path)
    assert ranks(run, "trec") == [3, 2, 1]
    assert ranks(run, "trec", ties="input") == ([3, 1, 2] if form in ORDERED else [3, 2, 1])


ABOVE = 2**53
AS_DOUBLES: list[tuple[Pairs, list[int]]] = [
    ([("b", ABOVE), ("a", ABOVE + 1), ("c", ABOVE - 1)], [2, 1, 3]),
    ([("b", -ABOVE), ("a", 1 - ABOVE), ("c", -ABOVE - 1)], [1, 3, 2]),
    ([("b", 2**60 + 1), ("a", 2**60 + 2), ("c", 2.0**60)], [3, 2, 1]),
]
"""Scores, and the ranks of a, b and c: equal doubles go by id, descending."""


@pytest.mark.parametrize(("pairs", "expected"), AS_DOUBLES)
@pytest.mark.parametrize("form", [*ORDERED, *BY_ID])
def test_large_whole_numbers_are_compared_as_doubles(
    form: Form, pairs: Pairs, expected: list[int], tmp_path: Path
) -> None:
    if form in (as_table, as_parquet) and float in {type(score) for _, score in pairs}:
        pairs = [(one, float(score)) for one, score in pairs]
    assert ranks(form(pairs, tmp_path), "trec") == expected
    if form in BY_ID:
        assert ranks(form(pairs, tmp_path), "autorag") == expected


@pytest.mark.parametrize("key", [np.int64(7), np.uint8(7), np.str_("7"), 7])
def test_query_ids_of_numpy_are_those_of_python(key: Any) -> None:
    for truth in ({key: [["a"]]}, [{"id": key, "ground_truth": [["a"]]}]):
        for run in ({"7": ["a"]}, {key: ["a"]}, [{"id": key, "results": ["a"]}]):
            report = evaluate(truth, run, metrics="recall")
            assert dict(report.per_query) == {"7": {"recall": 1.0}}
