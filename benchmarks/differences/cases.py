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
        "Equal scores",
        "mrr",
        _one([["a"]], {"a": 0.5, "b": 0.5}),
        "trec_eval orders equal scores by id, descending, and so do pytrec_eval, ir_measures and "
        "`trec`; the others follow the order in which results were given.",
    ),
    Case(
        "Equal scores, given the other way round",
        "mrr",
        _one([["a"]], {"b": 0.5, "a": 0.5}),
        "The same data as in the case before, and for ranx and torchmetrics another value; by "
        "trec_eval's definition a value does not depend on the order of lines.",
    ),
    Case(
        "Equal scores, with a cutoff",
        "mrr@10",
        _one([["a"]], {"b": 0.5, "a": 0.5}),
        "ir_measures computes RR with trec_eval's code and RR@10 with another provider's, which "
        "orders equal scores by id ascending, so that a cutoff beyond the end changes the value; "
        "trec_eval has no reciprocal rank at a cutoff, and `trec` is its order, cut.",
    ),
    Case(
        "Equal scores at rank 1",
        "ndcg@1",
        _one([["a"]], {"a": 0.5, "b": 0.5}),
        "scikit-learn and torchmetrics average nDCG over the orders of equal scores (McSherry & "
        "Najork 2008), which is the expected value and no order at all; trec_eval takes one order.",
    ),
    Case(
        "Twenty equal scores",
        "mrr",
        _one([["d00"]], {f"d{number:02}": 0.5 for number in range(20)}),
        "ranx and torchmetrics sort without stability, so that the place of a tied result is "
        "neither the given one nor that of its id; by trec_eval's definition it is the last.",
    ),
    Case(
        "Scores that differ by 1e-8",
        "ndcg@1",
        _one([["a"]], {"a": 1 + 1e-8, "b": 1.0}),
        "pytrec_eval and torchmetrics hold scores in single precision, where these two are equal, "
        "and ir_measures asks pytrec_eval; trec_eval 10 holds doubles, as the others do.",
    ),
    Case(
        "Scores below 0",
        "mrr",
        _one([["a"]], {"a": -1.0, "b": -2.0}),
        "torchmetrics takes a score of 0 or less for a document that was not retrieved, so that "
        "log-probabilities score 0; for all others a score is good for an order and nothing else.",
    ),
    Case(
        "Results that are not in order of their scores",
        "mrr",
        _one([["a"]], {"b": 0.1, "a": 0.9}),
        "Whoever takes a run with scores orders it by them; AutoRAG takes lists of ids, best "
        "first, and `coverage` and `autorag` keep the given order too, scores or not.",
    ),
]

REPEATS = [
    Case(
        "One result three times (G3)",
        "ndcg",
        _one([["a"]], ["a", "a", "a"]),
        "AutoRAG, and so `autorag`, pays for each repeat and passes 1, the bound that normalising "
        "is for; a dict of scores holds an id once, and ir_measures makes such a dict.",
    ),
    Case(
        "A repeat before the first hit",
        "mrr",
        _one([["b"]], ["a", "a", "b"]),
        "ir_measures closes the gap that the repeat leaves, and `b` moves up to rank 2; a reader "
        "of the list that was returned meets it at rank 3, which is what groupwise says.",
    ),
    Case(
        "A repeat of a hit",
        "map",
        _one([["a"]], ["a", "x", "a"]),
        "ir_measures keeps the last of the scores of `a`, and loses its first place; AutoRAG "
        "counts a second hit at a worse rank; by definition a document is relevant once, and "
        "`trec` and `coverage` count it where it is first seen.",
    ),
]

DEFINITIONS = [
    Case(
        "Two results, k = 10",
        "precision@10",
        _one([["a"], ["b"]], ["a", "b"]),
        "trec_eval divides by k, as the definition of P@k says; AutoRAG, `autorag` and `coverage` "
        "divide by the results there are, so that a short and clean context is not punished.",
    ),
    Case(
        "What AP@k is divided by",
        "map@3",
        _one([["a"], ["b"], ["c"], ["d"]], ["a", "x", "b", "y"]),
        "trec_eval divides by all relevant documents; torchmetrics by the hits in the top k, so "
        "that finding less can score more; AutoRAG averages one average precision per group.",
    ),
    Case(
        "The gain of a grade",
        "ndcg",
        _one([{"a": 3}, {"b": 2}, {"c": 1}], ["c", "b", "a"]),
        "The gain is the grade in trec_eval and all flat peers by default, 2^grade - 1 in "
        "`autorag`; in `coverage` a grade tells alternatives of one group apart, each of these "
        "groups is met in full by its only alternative, and what makes one group count more is "
        "its weight.",
    ),
    Case(
        "More relevant documents than k",
        "ndcg@2",
        _one([["a"], ["b"], ["c"], ["d"]], ["a", "b", "x"]),
        "All of them cut the ideal ranking at k, so that a full top k scores 1.",
    ),
    Case(
        "Fewer results than relevant documents (G4)",
        "ndcg@10",
        _one([["a"], ["b"], ["c"]], ["a"]),
        "By trec_eval's definition the ideal holds all judged documents; AutoRAG's is as long as "
        "the result, and scikit-learn and torchmetrics cannot leave a document out of the ranking, "
        "so that the two that were not retrieved still gain, at ranks 2 and 3.",
    ),
]

QUERIES = [
    Case(
        "A query that the run does not have",
        "mrr",
        _beside_a_perfect_one(Query([["b"]], None)),
        "pytrec_eval (as trec_eval without `-c`) leaves the query out of the mean, and AutoRAG, "
        "which is given an empty list, does too; ranx refuses; ir_measures and groupwise count 0, "
        "for a system that returns nothing has not found anything.",
    ),
    Case(
        "A query with an empty result",
        "mrr",
        _beside_a_perfect_one(Query([["b"]], [])),
        "For pytrec_eval an empty result is not a missing query and counts 0; AutoRAG drops it, so "
        "that returning nothing beats returning a miss.",
    ),
    Case(
        "A query without a relevant document",
        "ndcg",
        _beside_a_perfect_one(Query([], ["x", "y"], not_relevant=["x"])),
        "nDCG is 0/0 here: the flat peers call it 0 and average it in, which no system can do "
        "anything about; AutoRAG leaves it out, groupwise leaves it out and counts it as "
        "unanswerable.",
    ),
    Case(
        "A query without any judgement",
        "mrr",
        _beside_a_perfect_one(Query([], ["x", "y"])),
        "There is nothing to measure: ranx refuses, torchmetrics, to which it looks like a query "
        "without a relevant document, counts 0, the others leave it out, and groupwise says so in "
        "its report.",
    ),
]

TYPES = [
    Case(
        "Whole numbers as ids",
        "mrr",
        _one([[1]], [2, 1]),
        "ranx, pytrec_eval and ir_measures want strings; torchmetrics sees no ids.",
    ),
    Case(
        "A grade of 0.5",
        "ndcg",
        _one([{"a": 0.5}, {"b": 1.0}], ["a", "b"]),
        "ranx makes it 0 without a word; pytrec_eval and ir_measures refuse it; with a linear gain "
        "of 0.5 the value is that of scikit-learn, torchmetrics and `trec`.",
    ),
    Case(
        "A grade of -1",
        "ndcg",
        _one([{"a": 1, "n": -1}], ["n", "a"]),
        "For trec_eval a negative grade gains nothing, as a grade of 0; torchmetrics subtracts it; "
        "scikit-learn and groupwise refuse it, and `not_relevant` is the place to say it here.",
    ),
]

GROUPS = [
    Case(
        "A perfect ranking of two groups, mrr (G1)",
        "mrr",
        _one([["a", "b"], ["c"]], ["a", "c"]),
        "AutoRAG averages over groups, and no query with two disjoint groups can reach 1; "
        "`coverage` divides by what the ideal ranking reaches; flat, only the first hit matters.",
    ),
    Case(
        "A perfect ranking of two groups, recall (G1)",
        "recall",
        _one([["a", "b"], ["c"]], ["a", "c"]),
        "Flat evaluators ask for `b` as well; subtopic recall (Zhai, Cohen & Lafferty 2003) is 1 "
        "when every group is met.",
    ),
    Case(
        "Two alternatives of one group",
        "recall",
        _one([["a", "b"], ["c"]], ["a", "b"]),
        "Half of the evidence is missing, and flat evaluators give the value of the case before.",
    ),
    Case(
        "A further correct alternative (G2)",
        "map",
        _one([["a", "b"], ["c"]], ["a", "c", "x", "b"]),
        "Without `b` at the end AutoRAG gives 0.75: it divides by the hits found and so punishes a "
        "correct extra; by the definition of `coverage` it neither adds nor takes.",
    ),
    Case(
        "One of two alternatives, at rank 1 (G5)",
        "ndcg",
        _one([["t9", "t10"]], ["t9", "x", "y", "z"]),
        "AutoRAG and the flat evaluators ask for both alternatives; the one group is met at rank "
        "1, so that no ranking is better, and `coverage` says 1.",
    ),
    Case(
        "One document that meets both groups (G6)",
        "ndcg",
        _one([["a", "b"], ["a", "c"]], ["a", "x"]),
        "`a` alone is enough, and `coverage` and ndeval pay for both groups; AutoRAG lists four "
        "alternatives in its ideal, flat evaluators three documents.",
    ),
    Case(
        "Groups as subtopics",
        "alpha_ndcg@5",
        _one([["a", "b"], ["c"]], ["a", "c"]),
        "The one measure here for which a flat peer knows groups: ir_measures hands it to ndeval; "
        "alpha-nDCG (Clarke et al. 2008) still pays a little for `b`, so that `a, c` is below 1.",
    ),
]

SECTIONS: dict[str, list[Case]] = {
    "Order": ORDER,
    "Repeats": REPEATS,
    "Definitions": DEFINITIONS,
    "Queries that are not as they should be": QUERIES,
    "Types": TYPES,
    "Groups": GROUPS,
}
