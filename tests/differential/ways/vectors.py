"""The places where vectors can be given."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from groupwise import Report, evaluate
from tests.differential import writing
from tests.differential.data import Case, Id
from tests.differential.ways.files import lines


def from_results(case: Case, _: Path) -> Report:
    """Each result carries its vector; relevant documents that are not retrieved have none."""
    run = writing.run_records(case)
    for record in run:
        record["results"] = _rows(case, record["results"], record.pop("scores", None))
    options = writing.options_of(replace(case, vectors=None))
    return evaluate(writing.truth_records(case), run, **options)


def _rows(case: Case, results: list[Any], scores: list[float] | None) -> list[dict[str, Any]]:
    rows = [one if isinstance(one, dict) else {"id": one} for one in results]
    if scores:
        rows = [{**row, "score": score} for row, score in zip(rows, scores, strict=True)]
    return [{**row, **_vector_of(case, row["id"])} for row in rows]


def _vector_of(case: Case, one: Id) -> dict[str, Any]:
    by_text = {str(key): vector for key, vector in (case.vectors or {}).items()}
    return {"vector": list(by_text[str(one)])} if str(one) in by_text else {}


def needing_results_only(case: Case) -> Case:
    return case.asking(metric for metric in case.metrics if metric.name != "novelty_ndcg")


def from_lines(case: Case, folder: Path) -> Report:
    path = folder / "vectors.jsonl"
    rows = [{"id": one, "vector": list(vector)} for one, vector in (case.vectors or {}).items()]
    path.write_text(lines(rows), encoding="utf-8")
    return _evaluate(case, path)


def from_matrix(case: Case, folder: Path) -> Report:
    vectors = case.vectors or {}
    np.save(folder / "vectors.npy", np.array(list(vectors.values()), np.float64))
    (folder / "vectors.ids.txt").write_text("".join(f"{one}\n" for one in vectors))
    return _evaluate(case, folder / "vectors.npy")


def _evaluate(case: Case, vectors: Path) -> Report:
    options = {**writing.options_of(case), "vectors": vectors}
    return evaluate(writing.truth_records(case), writing.run_records(case), **options)
