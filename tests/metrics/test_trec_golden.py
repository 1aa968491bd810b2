"""What pytrec_eval gave, case by case, on graded judgements and scored runs, tied ones included."""

import random
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from groupwise import Report, evaluate
from tests.comparing import agree
from tests.paths import NDEVAL, ROBUST03, STATISTICS, TREC, TREC_EVAL
from tests.trec_files import golden, lines_of, truths

CUTOFFS = (5, 10, 20, 100)
NAMES = {
    "map": "map",
    "ndcg": "ndcg",
    "recip_rank": "mrr",
    "Rprec": "r_precision",
    "bpref": "bpref",
    "set_F": "f1",
    **{f"P_{k}": f"precision@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"recall@{k}" for k in CUTOFFS},
    **{f"map_cut_{k}": f"map@{k}" for k in CUTOFFS},
    **{f"ndcg_cut_{k}": f"ndcg@{k}" for k in CUTOFFS},
    **{f"success_{k}": f"hit_rate@{k}" for k in (1, 5, 10)},
}
COUNTED = {"num_ret", "num_rel"}
"""Facts of the input, not measures."""
CASES = {case["id"]: case for case in golden(TREC)}


def results(case: dict[str, Any], source: random.Random) -> dict[str, Any]:
    """The run of a case, its results in any order: the scores give the right one."""
    pairs = source.sample(list(case["run"].items()), len(case["run"]))
    documents, scores = zip(*pairs, strict=True)
    return {"id": case["id"], "results": list(documents), "scores": list(scores)}


@pytest.fixture(scope="module")
def report() -> Report:
    source = random.Random(1)  # noqa: S311  (an order, no secret)
    judged = truths({name: case["qrels"] for name, case in CASES.items()})
    runs = [results(case, source) for case in CASES.values()]
    return evaluate(judged, runs, profile="trec", metrics=NAMES.values())


def test_the_cases_are_as_many_as_the_provenance_says() -> None:
    assert len(CASES) == 1200
    assert Counter(case["tied"] for case in CASES.values()) == {False: 912, True: 288}
    for case in CASES.values():
        assert set(case["expected"]) == {*NAMES, *COUNTED}


@pytest.mark.parametrize("measure", NAMES)
def test_a_measure_agrees_in_all_cases(measure: str, report: Report) -> None:
    differing = [
        (name, report.per_query[name][NAMES[measure]], case["expected"][measure])
        for name, case in CASES.items()
        if not agree(report.per_query[name][NAMES[measure]], case["expected"][measure], within=1e-9)
    ]
    assert differing == []
    assert report.counts.scored == 1200


def test_ties_matter_in_these_cases() -> None:
    case = next(case for case in CASES.values() if case["tied"])
    judged = truths({"q": case["qrels"]})
    pairs = sorted(case["run"].items(), key=lambda pair: (-pair[1], pair[0]))
    ascending = {"q": {"results": [one for one, _ in pairs], "scores": [s for _, s in pairs]}}
    by_score = evaluate(judged, ascending, profile="trec", metrics="ndcg")
    as_given = evaluate(judged, ascending, profile="trec", metrics="ndcg", ties="input")
    assert agree(by_score.scores["ndcg"], case["expected"]["ndcg"], within=1e-9)
    assert by_score.scores != as_given.scores


@pytest.mark.parametrize(
    "folder", [TREC, TREC_EVAL, ROBUST03, NDEVAL, STATISTICS], ids=lambda folder: folder.name
)
def test_the_values_are_as_they_were_made(folder: Path) -> None:
    listed = dict(line.split()[::-1] for line in lines_of(folder / "SHA256SUMS"))
    assert listed
    for name, expected in listed.items():
        packed = folder / f"{name}.gz"
        path = packed if packed.exists() else folder / name
        content = "".join(lines_of(path)).encode("latin-1")
        assert sha256(content).hexdigest() == expected, name
