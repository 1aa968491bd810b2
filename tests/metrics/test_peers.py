"""Other evaluators, run beside groupwise on the same random cases; skipped where not installed.

ir_measures computes ERR with gdeval, a Perl script that prints five decimals and takes grades up
to 4, and RBP with packages that are seldom there; for RBP trec_eval's own values stand elsewhere.
"""

import random
import shutil
from typing import Any

import pytest

from groupwise import Report, evaluate
from tests.trec_files import Judgements, truths

SOURCE = random.Random(7)  # noqa: S311  (cases, no secrets)
DOCUMENTS = [f"d{number}" for number in range(40)]
Run = dict[str, dict[str, float]]


def cases(count: int) -> tuple[Judgements, Run]:
    """Graded judgements and a run with distinct scores for each query."""
    judged, run = {}, {}
    for number in range(count):
        some = SOURCE.sample(DOCUMENTS, SOURCE.randint(2, 20))
        grades = [SOURCE.choice([1, 2, 4]), *(SOURCE.randint(0, 4) for _ in some[1:])]
        judged[f"{number}"] = dict(zip(some, grades, strict=True))
        found = SOURCE.sample(DOCUMENTS, SOURCE.randint(1, 30))
        run[f"{number}"] = {one: float(100 - place) for place, one in enumerate(found)}
    return judged, run


JUDGED, RUN = cases(60)


def evaluated(metrics: list[str], judged: Judgements = JUDGED, run: Run = RUN) -> Report:
    records = [
        {"id": query, "results": list(found), "scores": list(found.values())}
        for query, found in run.items()
    ]
    return evaluate(truths(judged), records, profile="trec", metrics=metrics)


def by_ir_measures(measures: list[Any]) -> dict[tuple[str, str], float]:
    ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    return {
        (one.query_id, str(one.measure)): one.value
        for one in ir_measures.iter_calc(measures, JUDGED, RUN)
    }


def test_judged_is_that_of_ir_measures() -> None:
    ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    names = {f"Judged@{k}": f"judged@{k}" for k in (1, 5, 10, 100)}
    expected = by_ir_measures([ir_measures.parse_measure(name) for name in names])
    report = evaluated(list(names.values()))
    assert len(expected) == 60 * len(names)
    for (query, name), value in expected.items():
        assert report.per_query[query][names[name]] == pytest.approx(value, abs=1e-12)


@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval needs Perl")
def test_err_and_exponential_ndcg_are_those_of_gdeval() -> None:
    ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    names = {"ERR@5": "err@5", "ERR@20": "err@20"}
    names |= {f"nDCG(dcg='exp-log2')@{k}": f"ndcg(gain=exponential)@{k}" for k in (5, 20)}
    expected = by_ir_measures([ir_measures.parse_measure(name) for name in names])
    report = evaluated(list(names.values()))
    assert len(expected) == 60 * len(names)
    for (query, name), value in expected.items():
        found = report.per_query[query][names[name]]
        assert found == pytest.approx(value, abs=0.5e-5 + 1e-12), (query, name)


def test_the_measures_of_trec_eval_are_those_of_pytrec_eval() -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    names = {"map": "map", "ndcg": "ndcg", "Rprec": "r_precision", "bpref": "bpref"}
    names |= {"recip_rank": "mrr", "P_5": "precision@5", "ndcg_cut_10": "ndcg@10"}
    evaluator = pytrec_eval.RelevanceEvaluator(JUDGED, {"map", "ndcg", "Rprec", "bpref",
                                                        "recip_rank", "P", "ndcg_cut"})  # fmt: skip
    report = evaluated(list(names.values()))
    for query, values in evaluator.evaluate(RUN).items():
        for measure, name in names.items():
            found = report.per_query[query][name]
            assert found == pytest.approx(values[measure], abs=1e-9), (query, measure)


@pytest.mark.parametrize("level", [2, 3, 4])
def test_a_level_of_relevance_is_that_of_pytrec_eval(level: int) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    names = {
        "map": f"map(rel={level})",
        "Rprec": f"r_precision(rel={level})",
        "bpref": f"bpref(rel={level})",
        "recip_rank": f"mrr(rel={level})",
        "set_F": f"f1(rel={level})",
    }
    evaluator = pytrec_eval.RelevanceEvaluator(JUDGED, set(names), relevance_level=level)
    report = evaluated(list(names.values()))
    found = {query: list(report.per_query[query].values()) for query in JUDGED}
    for query, values in evaluator.evaluate(RUN).items():
        expected = [values[measure] for measure in names]
        assert found[query] == pytest.approx(expected, abs=1e-9), query


def grouped_cases(count: int) -> list[tuple[list[list[str]], list[str]]]:
    """Groups that share no document, and a ranking of at most 20."""
    found = []
    for _ in range(count):
        documents = SOURCE.sample(DOCUMENTS, len(DOCUMENTS))
        sizes = [SOURCE.randint(1, 4) for _ in range(SOURCE.randint(1, 5))]
        groups = [documents[sum(sizes[:place]) :][:size] for place, size in enumerate(sizes)]
        found.append((groups, SOURCE.sample(DOCUMENTS, SOURCE.randint(1, 20))))
    return found


@pytest.mark.parametrize("alpha", [0.25, 0.5, 0.9])
def test_the_measures_of_ndeval_are_those_of_pyndeval(alpha: float) -> None:
    pyndeval = pytest.importorskip("pyndeval", reason="pyndeval is not installed")
    names = {f"ERR-IA@{k}": f"err_ia(alpha={alpha})@{k}" for k in (5, 10, 20)}
    names |= {f"alpha-nDCG@{k}": f"alpha_ndcg(alpha={alpha})@{k}" for k in (5, 10, 20)}
    names |= {f"nERR-IA@{k}": f"nerr_ia(alpha={alpha})@{k}" for k in (5, 10, 20)}
    names |= {"NRBP": f"nrbp(alpha={alpha})", "nNRBP": f"nnrbp(alpha={alpha})", "MAP-IA": "map_ia"}
    for groups, ranking in grouped_cases(40):
        qrels = [
            pyndeval.SubtopicQrel("q", str(number), one, 1)
            for number, group in enumerate(groups)
            for one in group
        ]
        run = [
            pyndeval.ScoredDoc("q", one, float(100 - place)) for place, one in enumerate(ranking)
        ]
        expected = pyndeval.ndeval(qrels, run, measures=list(names), alpha=alpha)["q"]
        report = evaluate({"q": groups}, {"q": ranking}, profile="coverage", metrics=names.values())
        found = dict(zip(names, report.per_query["q"].values(), strict=True))
        for measure, value in expected.items():
            assert found[measure] == pytest.approx(value, abs=1e-6), (measure, groups, ranking)
