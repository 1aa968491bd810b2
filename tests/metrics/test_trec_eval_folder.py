"""trec_eval's own test folder, its files read as published: accepted, refused by name, equal."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from groupwise import File, Report, evaluate
from groupwise.evaluator.formats.opening import detect_records
from groupwise.evaluator.reading.options import Options
from tests.metrics.test_trec_eval_golden import BIASED, CUTOFFS, NAMES, differing, with_level
from tests.paths import TREC_EVAL
from tests.trec_files import Printed, printed

LEVEL_2 = {measure: with_level(name, 2) for measure, name in NAMES.items()}
BY_JUDGE = {"map_avgjg": "map_ia", **{f"P_avgjg_{k}": f"p_ia@{k}" for k in CUTOFFS}}
PARAMETERS = {
    **{f"P_{k}": f"precision@{k}" for k in (3, 5, 7)},
    **{f"recall_{k}": f"recall@{k}" for k in (20, 2000)},
    **{f"ndcg_cut_{k}": f"ndcg@{k}" for k in (10, 20, 23)},
    **{f"success_{k}": f"hit_rate@{k}" for k in (2, 5, 20)},
    "ndcg_1=3,2=9,4=4.5": "ndcg",  # all relevant documents have the level 1: its gain cancels out
}
AT_100 = {
    **{m: n for m, n in NAMES.items() if m.rpartition("_")[2] in {"5", "10", "15", "20", "30"}},
    "map": "map@100",
    "recip_rank": "mrr@100",
    "bpref": "bpref@100",
    "set_recall": "recall@100",
    "P_100": "precision@100",
    **{f"recall_{k}": "recall@100" for k in (100, 200, 500, 1000)},
    **{f"map_cut_{k}": "map@100" for k in (100, 200, 500, 1000)},
    "ndcg_cut_100": "ndcg@100",
}
"""The measures of ``-M100`` that a cutoff gives: those that do not look deeper than 100."""

COMMANDS: list[tuple[str, str, str, dict[str, str], dict[str, Any], int]] = [
    # output, judgements, run, counterparts, options, numbers compared
    ("out.test", "qrels.test", "results.test", NAMES, {}, 13),
    ("out.test", "qrels.test.with-comments", "results.test", NAMES, {}, 13),
    ("out.comment.test", "qrels.comment.test", "results.comment.test", NAMES,
     {"unanswerable": "zero"}, 13),
    ("out.test.a", "qrels.test", "results.test", NAMES | BIASED, {}, 50),
    ("out.test.aq", "qrels.test", "results.test", NAMES | BIASED, {}, 200),
    ("out.test.aqc", "qrels.test", "results.trunc", NAMES | BIASED, {}, 200),
    ("out.test.aqcM", "qrels.test", "results.trunc", AT_100, {}, 4 * 36),
    ("out.test.aql", "qrels.rel_level", "results.test", LEVEL_2, {}, 192),
    ("out.test.meas_params", "qrels.test", "results.test", PARAMETERS, {}, 48),
    ("out.test.qrels_jg", "qrels.123", "results.test", BY_JUDGE,
     {"profile": "coverage", "subtopics": True}, 40),
    ("out.test.qrels_jg", "qrels.comments.123", "results.test", BY_JUDGE,
     {"profile": "coverage", "subtopics": True}, 40),
]  # fmt: skip


def of_files(qrels: str, run: str | Path, names: dict[str, str], **options: Any) -> Report:
    path = TREC_EVAL / f"{run}.gz" if isinstance(run, str) else run
    chosen = {"profile": "trec", **options}
    truth = File(TREC_EVAL / f"{qrels}.gz", subtopics=chosen.pop("subtopics", False))
    return evaluate(truth, path, metrics=names.values(), **chosen)


def in_trec(names: dict[str, str], options: dict[str, Any]) -> dict[str, str]:
    """The metrics by trec_eval's names, each in its profile."""
    profile = options.get("profile", "trec")
    return {measure: f"{profile}:{name}" for measure, name in names.items()}


def count_compared(names: dict[str, str], expected: Printed) -> int:
    return sum(measure in names for _, measure in expected)


@pytest.mark.parametrize(("out", "qrels", "run", "names", "options", "numbers"), COMMANDS)
def test_every_published_number_with_a_counterpart_is_equal(
    out: str,
    qrels: str,
    run: str,
    names: dict[str, str],
    options: dict[str, Any],
    numbers: int,
) -> None:
    expected = printed(TREC_EVAL / out)
    report = of_files(qrels, run, names, **options)
    assert differing(report, in_trec(names, options), expected) == []
    assert count_compared(names, expected) == numbers
    if ("all", "num_q") in expected:
        assert report.counts.scored == int(expected["all", "num_q"])


def test_a_run_cut_at_100_has_all_numbers_of_that_option(tmp_path: Path) -> None:
    """``-M100``: the first 100 results by score and id, and no others."""
    lines = gzip.decompress((TREC_EVAL / "results.trunc.gz").read_bytes()).decode().splitlines()
    kept: dict[str, list[list[str]]] = {}
    for line in lines:
        cells = line.split()
        kept.setdefault(cells[0], []).append(cells)
    run = tmp_path / "cut.run"
    best = [
        sorted(rows, key=lambda cells: (float(cells[4]), cells[2]), reverse=True)[:100]
        for rows in kept.values()
    ]
    run.write_text("".join(f"{' '.join(cells)}\n" for rows in best for cells in rows))
    expected = printed(TREC_EVAL / "out.test.aqcM")
    names = NAMES | BIASED
    report = of_files("qrels.test", run, names)
    assert differing(report, in_trec(names, {}), expected) == []
    assert count_compared(names, expected) == 200


def test_the_query_without_relevant_documents_counts_only_if_it_is_asked_for() -> None:
    names = {"map": "map"}
    asked = of_files("qrels.comment.test", "results.comment.test", names, unanswerable="zero")
    assert f"{asked.scores['map']:.4f}" == "0.2689"
    assert (asked.counts.queries, asked.counts.scored, asked.counts.unanswerable) == (31, 31, 1)
    left = of_files("qrels.comment.test", "results.comment.test", names)
    assert (left.counts.queries, left.counts.scored, left.counts.unanswerable) == (31, 30, 1)
    assert left.scores["map"] == pytest.approx((asked.scores["map"] or 0) * 31 / 30)


@pytest.mark.parametrize(
    ("name", "role", "form"),
    [
        ("qrels-302.test", "ground_truth", "trec-qrels"),
        ("qrels.123", "ground_truth", "trec-qrels"),
        ("qrels.comment.test", "ground_truth", "trec-qrels"),
        ("qrels.comments.123", "ground_truth", "trec-qrels"),
        ("qrels.rel_level", "ground_truth", "trec-qrels"),
        ("qrels.test", "ground_truth", "trec-qrels"),
        ("qrels.test.with-comments", "ground_truth", "trec-qrels"),
        ("prefs.results.test", "run", "trec-run"),
        ("results-302.test", "run", "trec-run"),
        ("results.comment.test", "run", "trec-run"),
        ("results.test", "run", "trec-run"),
        ("results.trunc", "run", "trec-run"),
    ],
)
def test_every_qrels_and_every_run_is_detected(name: str, role: Any, form: str) -> None:
    _, known = detect_records(TREC_EVAL / f"{name}.gz", Options(role=role))
    assert known is not None
    assert known.name == form
