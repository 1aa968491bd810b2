"""What trec_eval 10 prints: for its own test folder, and for four real runs of TREC 2003."""

import re
from functools import lru_cache

import pytest

from groupwise import Report, evaluate
from groupwise.evaluator.metrics.names import parse
from tests.paths import ROBUST03, TREC_EVAL
from tests.trec_files import (
    Printed,
    Scored,
    is_printed_as,
    judgements,
    printed,
    results,
    run,
    truths,
)

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
NAMES = {
    "map": "map",
    "ndcg": "ndcg",
    "recip_rank": "mrr",
    "Rprec": "r_precision",
    "Rprec_mult_1.00": "r_precision",
    "bpref": "bpref",
    "set_P": "precision",
    "set_recall": "recall",
    "set_F": "f1",
    **{f"P_{k}": f"precision@{k}" for k in CUTOFFS},
    **{f"recall_{k}": f"recall@{k}" for k in CUTOFFS},
    **{f"map_cut_{k}": f"map@{k}" for k in CUTOFFS},
    **{f"ndcg_cut_{k}": f"ndcg@{k}" for k in CUTOFFS},
    **{f"success_{k}": f"hit_rate@{k}" for k in (1, 5, 10)},
}
BIASED = {"rbp": "rbp(p=0.9)", "rbp_resid": "rbp_residual(p=0.9)"}
"""Where all relevant documents are of one level: trec_eval weighs levels, as ndcg does."""
COMPLEMENTS = {f"unj_{k}": f"judged@{k}" for k in (5, 10, 20)}
"""The share of unjudged results is 1 - judged, where a list is as long as the cutoff."""
WITHOUT_COUNTERPART = {
    # facts of the input
    "runid", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "relstring",
    # geometric means
    "gm_map", "gm_bpref",
    # precision at levels of recall, or at multiples of R
    "11pt_avg", "iprec_at_recall", "Rprec_mult",
    # what was left of a set, relative to what could have been found
    "relative_P", "set_relative_P", "set_map",
    # inferred from a sample of judgements
    "infAP",
    # other ways to weigh gain
    "G", "binG", "Rndcg", "ndcg_rel", "utility",
}  # fmt: skip


def family(measure: str) -> str:
    """The name of a measure without its cutoff or level."""
    return re.sub(r"_[0-9.]+$", "", measure)


def with_level(name: str, rel: int) -> str:
    """A metric's name at a level of relevance; ndcg weighs all levels, at any."""
    metric, _, k = name.partition("@")
    leveled = metric if metric == "ndcg" else f"{metric}(rel={rel})"
    return f"{leveled}@{k}" if k else leveled


def differing(report: Report, names: dict[str, str], expected: Printed) -> list[object]:
    """What is printed otherwise than groupwise has it; nothing else may be missing."""
    found: list[object] = []
    for (query, measure), text in expected.items():
        if measure in names:
            label = parse(names[measure], "trec").label
            value = report.scores[label] if query == "all" else report.per_query[query][label]
            if not is_printed_as(value, text):
                found.append((query, measure, value, text))
    return found


def compared(names: dict[str, str], expected: Printed) -> int:
    return sum(measure in names for _, measure in expected)


def of_test_folder(qrels: str, results_name: str, names: dict[str, str]) -> Report:
    judged = truths(judgements(TREC_EVAL / f"{qrels}.gz"))
    ranked = results(run(TREC_EVAL / f"{results_name}.gz"), shuffled=True)
    return evaluate(judged, ranked, profile="trec", metrics=names.values())


@pytest.mark.parametrize(
    ("qrels", "results_name", "out", "values"),
    [
        ("qrels.test", "results.test", "out.test.a", 48),
        ("qrels.test", "results.test", "out.test.aq", 4 * 48),
        ("qrels.test", "results.trunc", "out.test.aqc", 4 * 48),
    ],
)
def test_the_values_of_trec_evals_own_folder_agree(
    qrels: str, results_name: str, out: str, values: int
) -> None:
    expected = printed(TREC_EVAL / out)
    report = of_test_folder(qrels, results_name, NAMES)
    assert differing(report, NAMES, expected) == []
    assert compared(NAMES, expected) == values
    assert report.counts.scored == int(expected["all", "num_q"]) == 3


def test_the_values_at_a_level_of_relevance_agree() -> None:
    names = {measure: with_level(name, 2) for measure, name in NAMES.items()}
    expected = printed(TREC_EVAL / "out.test.aql")
    report = of_test_folder("qrels.rel_level", "results.test", names)
    assert differing(report, names, expected) == []
    assert compared(names, expected) == 4 * 48


@pytest.mark.parametrize("out", ["out.test.a", "out.test.aq"])
def test_rank_biased_precision_and_its_residual_agree(out: str) -> None:
    expected = printed(TREC_EVAL / out)
    report = of_test_folder("qrels.test", "results.test", BIASED)
    assert differing(report, BIASED, expected) == []
    assert compared(BIASED, expected) == (2 if out.endswith(".a") else 8)


def test_rank_biased_precision_of_a_missing_query_agrees() -> None:
    expected = printed(TREC_EVAL / "out.test.aqc")
    report = of_test_folder("qrels.test", "results.trunc", BIASED)
    assert differing(report, BIASED, expected) == []
    assert compared(BIASED, expected) == 8


@pytest.mark.parametrize(
    ("qrels", "out"), [("qrels.test", "out.test.aq"), ("qrels.rel_level", "out.test.aql")]
)
def test_what_is_not_judged_is_what_trec_eval_calls_unjudged(qrels: str, out: str) -> None:
    expected = printed(TREC_EVAL / out)
    report = of_test_folder(qrels, "results.test", COMPLEMENTS)
    for (query, measure), text in expected.items():
        if measure in COMPLEMENTS and query != "all":
            judged = report.per_query[query][COMPLEMENTS[measure]]
            assert judged is not None
            assert is_printed_as(1 - judged, text), (query, measure)


@pytest.mark.parametrize("out", ["out.test.a", "out.test.aq", "out.test.aqc", "out.test.aql"])
def test_what_has_no_counterpart_is_listed(out: str) -> None:
    known = {*NAMES, *BIASED, *COMPLEMENTS, "num_q"}
    others = {family(measure) for _, measure in printed(TREC_EVAL / out) if measure not in known}
    assert others <= WITHOUT_COUNTERPART
    assert WITHOUT_COUNTERPART - others <= {"relstring"}


RUNS = ("NLPR03vb10", "pircRBa1", "rutcor03100", "uic0301")


@lru_cache
def robust_run(name: str) -> Scored:
    return run(ROBUST03 / f"input.{name}.gz")


@lru_cache
def robust_report(name: str) -> Report:
    """The lines of each query in another order: only their scores and ids decide."""
    judged = truths(judgements(ROBUST03 / "robust03_qrels.txt.gz"))
    ranked = results(robust_run(name), shuffled=True)
    return evaluate(judged, ranked, profile="trec", metrics={**NAMES, **BIASED}.values())


@pytest.mark.parametrize("name", RUNS)
def test_the_means_of_a_real_run_agree(name: str) -> None:
    expected = printed(ROBUST03 / f"{name}.c.all_trec.txt")
    report = robust_report(name)
    assert differing(report, NAMES, expected) == []
    assert compared(NAMES, expected) == 48
    assert report.counts.scored == int(expected["all", "num_q"]) == 100


@pytest.mark.parametrize("name", ["pircRBa1", "uic0301"])
def test_the_values_of_each_query_of_a_real_run_agree(name: str) -> None:
    expected = printed(ROBUST03 / f"{name}.cq.all_trec.txt.gz")
    assert differing(robust_report(name), NAMES, expected) == []
    assert compared(NAMES, expected) == 101 * 48


def test_nearly_all_scores_of_one_run_are_tied() -> None:
    scores = [[score for _, score in pairs] for pairs in robust_run("rutcor03100").values()]
    tied = sum(one.count(score) > 1 for one in scores for score in one)
    assert tied / sum(map(len, scores)) > 0.999
