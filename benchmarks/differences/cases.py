"""The edge cases, by what they are about; the sentences are about definitions, not about values."""

from collections.abc import Mapping, Sequence

from benchmarks.differences.model import Case, Group, Id, Query


def _one(
    groups: Sequence[Group],
    results: Sequence[Id] | Mapping[Id, float],
    not_relevant: Sequence[Id] = (),
) -> dict[str, Query]:
    return {"q1": Query(groups, results, not_relevant)}


def _beside_a_perfect_one(query: Query) -> dict[str, Query]:
    return {"q1": Query([["a"]], ["a", "x"]), "q2": query}


ORDER = [
    Case(
        "Tied scores",
        "mrr",
        _one([["a"]], {"a": 0.5, "b": 0.5}),
        "trec_eval breaks ties by id, descending, and so do pytrec_eval, ir_measures and `trec`; "
        "the others keep the input order.",
    ),
    Case(
        "Tied scores, in reverse order",
        "mrr",
        _one([["a"]], {"b": 0.5, "a": 0.5}),
        "The same data as in the previous case, but ranx and torchmetrics give a different "
        "value; by trec_eval's definition, the order of lines does not matter.",
    ),
    Case(
        "Tied scores, with a cutoff",
        "mrr@10",
        _one([["a"]], {"b": 0.5, "a": 0.5}),
        "ir_measures computes RR with trec_eval's code but RR@10 with another provider's, which "
        "breaks ties by id ascending, so a cutoff beyond the end changes the value; trec_eval "
        "has no reciprocal rank at a cutoff, and `trec` applies the cutoff to trec_eval's order.",
    ),
    Case(
        "Tied scores at rank 1",
        "ndcg@1",
        _one([["a"]], {"a": 0.5, "b": 0.5}),
        "scikit-learn and torchmetrics average nDCG over all orders of tied results (McSherry & "
        "Najork 2008), which gives an expected value rather than the value of an order; "
        "trec_eval uses one order.",
    ),
    Case(
        "Twenty tied scores",
        "mrr",
        _one([["d00"]], {f"d{number:02}": 0.5 for number in range(20)}),
        "ranx and torchmetrics use an unstable sort, so a tied result lands neither at its input "
        "position nor where its id would put it; by trec_eval's definition it comes last.",
    ),
    Case(
        "Scores that differ by 1e-8",
        "ndcg@1",
        _one([["a"]], {"a": 1 + 1e-8, "b": 1.0}),
        "pytrec_eval and torchmetrics store scores in single precision, where these two are "
        "equal, and ir_measures calls pytrec_eval; trec_eval 10 uses doubles, as the others do.",
    ),
    Case(
        "Scores below 0",
        "mrr",
        _one([["a"]], {"a": -1.0, "b": -2.0}),
        "torchmetrics treats a document with a score of 0 or less as not retrieved, so "
        "log-probabilities score 0; everywhere else scores only determine the order.",
    ),
    Case(
        "Results not sorted by score",
        "mrr",
        _one([["a"]], {"b": 0.1, "a": 0.9}),
        "Tools that take a run with scores sort by them; AutoRAG takes lists of ids, best first, "
        "and `coverage` and `autorag` keep the input order too, with or without scores.",
    ),
]

REPEATS = [
    Case(
        "One result three times (G3)",
        "ndcg",
        _one([["a"]], ["a", "a", "a"]),
        "AutoRAG, and therefore `autorag`, credits each repeat and exceeds 1, the bound that "
        "normalisation is meant to ensure; a dict of scores holds an id only once, and "
        "ir_measures builds such a dict.",
    ),
    Case(
        "A repeat before the first hit",
        "mrr",
        _one([["b"]], ["a", "a", "b"]),
        "ir_measures removes the repeat, so `b` moves up to rank 2; in the list as returned, a "
        "reader reaches it at rank 3, which is what groupwise reports.",
    ),
    Case(
        "A repeat of a hit",
        "map",
        _one([["a"]], ["a", "x", "a"]),
        "ir_measures keeps the last score of `a`, so `a` loses its first position; AutoRAG "
        "counts a second hit at a worse rank; by definition a document is relevant once, and "
        "`trec` and `coverage` count its first occurrence.",
    ),
]

DEFINITIONS = [
    Case(
        "Two results, k = 10",
        "precision@10",
        _one([["a"], ["b"]], ["a", "b"]),
        "trec_eval divides by k, as P@k is defined; AutoRAG, `autorag` and `coverage` divide by "
        "the number of results returned, so a short, clean context is not penalised.",
    ),
    Case(
        "The denominator of AP@k",
        "map@3",
        _one([["a"], ["b"], ["c"], ["d"]], ["a", "x", "b", "y"]),
        "trec_eval divides by all relevant documents; torchmetrics by the hits in the top k, so "
        "finding less can score more; AutoRAG averages one average precision per group.",
    ),
    Case(
        "The gain of a grade",
        "ndcg",
        _one([{"a": 3}, {"b": 2}, {"c": 1}], ["c", "b", "a"]),
        "The gain is the grade in trec_eval and, by default, in all flat evaluators, and 2^grade "
        "- 1 in `autorag`; in `coverage` a grade distinguishes alternatives of one group, so "
        "each of these groups is met in full by its only alternative, and weights make one group "
        "count more than another.",
    ),
    Case(
        "More relevant documents than k",
        "ndcg@2",
        _one([["a"], ["b"], ["c"], ["d"]], ["a", "b", "x"]),
        "All of them cut the ideal ranking at k, so a full top k scores 1.",
    ),
    Case(
        "Fewer results than relevant documents (G4)",
        "ndcg@10",
        _one([["a"], ["b"], ["c"]], ["a"]),
        "By trec_eval's definition the ideal contains all judged documents; AutoRAG's is as long "
        "as the result; scikit-learn and torchmetrics cannot omit a document from the ranking, "
        "so the two that were not retrieved still gain, at ranks 2 and 3.",
    ),
]

QUERIES = [
    Case(
        "A query missing from the run",
        "mrr",
        _beside_a_perfect_one(Query([["b"]], None)),
        "pytrec_eval (like trec_eval without `-c`) drops the query from the mean, and so does "
        "AutoRAG, which is given an empty list; ranx raises an error; ir_measures and groupwise "
        "count 0, because a system that returns nothing has found nothing.",
    ),
    Case(
        "A query with an empty result",
        "mrr",
        _beside_a_perfect_one(Query([["b"]], [])),
        "pytrec_eval does not treat an empty result as a missing query and counts 0; AutoRAG "
        "drops it, so returning nothing beats returning a miss.",
    ),
    Case(
        "A query without a relevant document",
        "ndcg",
        _beside_a_perfect_one(Query([], ["x", "y"], not_relevant=["x"])),
        "nDCG is 0/0 here: the flat evaluators define it as 0 and include it in the mean, which "
        "no system can influence; AutoRAG skips the query; groupwise skips it and counts it as "
        "unanswerable.",
    ),
    Case(
        "A query without any judgement",
        "mrr",
        _beside_a_perfect_one(Query([], ["x", "y"])),
        "There is nothing to measure: ranx raises an error; torchmetrics cannot tell it from a "
        "query without a relevant document and counts 0; the others skip it, and groupwise "
        "reports that it did.",
    ),
]

TYPES = [
    Case(
        "Integers as ids",
        "mrr",
        _one([[1]], [2, 1]),
        "ranx, pytrec_eval and ir_measures require strings; torchmetrics does not use ids.",
    ),
    Case(
        "A grade of 0.5",
        "ndcg",
        _one([{"a": 0.5}, {"b": 1.0}], ["a", "b"]),
        "ranx silently converts it to 0; pytrec_eval and ir_measures reject it; with a linear "
        "gain of 0.5, scikit-learn, torchmetrics and `trec` agree.",
    ),
    Case(
        "A grade of -1",
        "ndcg",
        _one([{"a": 1, "n": -1}], ["n", "a"]),
        "In trec_eval a negative grade gains nothing, like a grade of 0; torchmetrics subtracts "
        "it; scikit-learn and groupwise reject it (in groupwise, use `not_relevant`).",
    ),
]

GROUPS = [
    Case(
        "A perfect ranking of two groups, mrr (G1)",
        "mrr",
        _one([["a", "b"], ["c"]], ["a", "c"]),
        "AutoRAG averages over groups, so no query with two disjoint groups can reach 1; "
        "`coverage` divides by the score of the ideal ranking; in a flat evaluation only the "
        "first hit matters.",
    ),
    Case(
        "A perfect ranking of two groups, recall (G1)",
        "recall",
        _one([["a", "b"], ["c"]], ["a", "c"]),
        "Flat evaluators also expect `b`; subtopic recall (Zhai, Cohen & Lafferty 2003) is 1 "
        "when every group is met.",
    ),
    Case(
        "Two alternatives of one group",
        "recall",
        _one([["a", "b"], ["c"]], ["a", "b"]),
        "Half of the evidence is missing, yet flat evaluators give the same value as in the "
        "previous case.",
    ),
    Case(
        "A further correct alternative (G2)",
        "map",
        _one([["a", "b"], ["c"]], ["a", "c", "x", "b"]),
        "Without `b` at the end, AutoRAG gives 0.75: it divides by the hits found and so "
        "penalises a correct extra result; in `coverage` it makes no difference.",
    ),
    Case(
        "One of two alternatives, at rank 1 (G5)",
        "ndcg",
        _one([["t9", "t10"]], ["t9", "x", "y", "z"]),
        "AutoRAG and the flat evaluators expect both alternatives; the only group is met at rank "
        "1, so no ranking is better, and `coverage` gives 1.",
    ),
    Case(
        "One document that meets both groups (G6)",
        "ndcg",
        _one([["a", "b"], ["a", "c"]], ["a", "x"]),
        "`a` alone is enough, and `coverage` and ndeval credit both groups; AutoRAG's ideal "
        "lists four alternatives, that of flat evaluators three documents.",
    ),
    Case(
        "Groups as subtopics",
        "alpha_ndcg@5",
        _one([["a", "b"], ["c"]], ["a", "c"]),
        "The only measure here for which a flat evaluator supports groups: ir_measures passes it "
        "to ndeval; alpha-nDCG (Clarke et al. 2008) still gives some credit for `b`, so `a, c` "
        "scores below 1.",
    ),
]

SECTIONS: dict[str, list[Case]] = {
    "Order": ORDER,
    "Repeats": REPEATS,
    "Definitions": DEFINITIONS,
    "Problematic queries": QUERIES,
    "Types": TYPES,
    "Groups": GROUPS,
}
