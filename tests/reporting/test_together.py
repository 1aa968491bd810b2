"""Views, frames, flat names and loading agree, whatever was asked of an evaluation."""

import math
from pathlib import Path
from typing import Any

import pytest

from groupwise import Hits, Report, evaluate, metric
from tests.reporting.test_notebook import Checker

TRUTH: list[dict[str, Any]] = [
    {"id": "q1", "ground_truth": [["a", "b"], ["c"]], "metadata": {"type": "x"}},
    {"id": "q2", "ground_truth": [{"alternatives": [{"id": "d", "grade": 3}, "e"], "weight": 2,
                                   "label": "hop"}, ["f"]], "metadata": {"type": "y"}},
    {"id": "q3", "ground_truth": [], "answerable": False, "metadata": {"type": "y"}},
    {"id": "q4", "ground_truth": [["g"]], "metadata": {}},
    {"id": "q5", "ground_truth": [["h"]], "metadata": {"type": "x"}},
]  # fmt: skip


def rank(*ids: str, scores: tuple[float, ...] = ()) -> list[dict[str, Any]]:
    found = scores or tuple(float(len(ids) - place) for place in range(len(ids)))
    return [
        {"id": id_, "score": score, "tokens": 100} for id_, score in zip(ids, found, strict=True)
    ]


RUN = {
    "q1": rank("a", "x", "c", scores=(1.0, 1.0, 1.0)),
    "q2": rank("A ", "d", "f"),
    "q3": rank("x"),
    "q4": [],
    "q9": rank("z"),
}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {"metrics": ["recall"]},
    "ranks": {"metrics": ["first_hit", "completion_rank", "recall@2"]},
    "only ranks": {"metrics": ["first_hit"]},
    "slices": {"metrics": ["recall@1", "ndcg@3"], "by": ["type", "label"], "confidence": 0.9},
    "gates": {"metrics": ["recall@3", "f1@3"], "gates": ["recall@3 >= 0.9", "type=x: f1@3 >= 0"],
              "by": "type"},
    "curve and ceilings": {"metrics": ["recall@1"], "curve": 5, "ceilings": True, "bands": True},
    "ties": {"metrics": ["mrr", "ndcg@2"], "ties": "report", "profile": "trec"},
    "tokens": {"metrics": ["recall@200t", "recall@1"]},
    "normalised": {"metrics": ["recall"], "matching": "normalised"},
    "skipped": {"metrics": ["recall", "complete@2"], "missing": "skip", "empty_results": "skip"},
    "zeros": {"metrics": ["recall", "map"], "missing": "zero", "unanswerable": "skip"},
    "coverage": {"metrics": ["alpha_ndcg@3", "recall@2"], "profile": "coverage"},
    "own": {"metrics": ["depth", "recall@1"], "by": "type"},
}  # fmt: skip


def add_own_metric() -> None:
    @metric
    def depth(hits: Hits) -> Any:
        """Return the number of results."""
        return hits.length * 1.0


@pytest.fixture(params=OPTIONS)
def report(request: pytest.FixtureRequest, nothing_added: None) -> Report:
    add_own_metric()
    return evaluate(TRUTH, RUN, **OPTIONS[request.param])


def test_a_report_is_the_same_after_saving(report: Report, tmp_path: Path) -> None:
    report.save(tmp_path / "report.json")
    loaded = Report.load(tmp_path / "report.json")
    assert loaded == report
    assert loaded.flat() == report.flat()
    assert loaded._repr_html_() == report._repr_html_()
    assert loaded.to_arrow() == report.to_arrow()


def test_means_are_those_of_the_frame(report: Report) -> None:
    columns = report.to_arrow().to_pydict()
    assert columns.pop("query") == list(report)
    assert set(columns) == {*report.scores, *report.ranks}
    flat = report.flat()
    for name, values in columns.items():
        known = [value for value in values if value is not None]
        if name in report.scores:
            mean = math.fsum(known) / len(known) if known else None
            assert mean == pytest.approx(report.scores[name])
            assert flat.get(name.replace("@", "_at_")) == report.scores[name]
        else:
            assert all(type(value) is int for value in known)
            assert flat[f"{name}__found"] == len(known)


def test_the_view_is_small_and_clean(report: Report) -> None:
    html = str(report._repr_html_())
    text = "|".join(Checker(html).texts)
    assert len(html) < 15_000
    assert f"{report.counts.queries} queries" in text
    for name in report.scores:
        assert name.partition("@")[0] in text
    assert text.count("✗ failed") == sum(not gate.passed for gate in report.gates)
