"""ST: rules that ask whether the data can answer what is asked of them; they need ``gates=``."""

from groupwise.evaluator.validation.rules.registry import Rule

MARGIN = 0.05
"""How closely a gate's metric should be known, at 95 %."""

RULES = (
    Rule(
        "ST001", "too-few-queries", "warning",
        what=f"There are too few queries to know a gate's metric within {MARGIN:g} at 95 %; it is "
             "said how many the target needs.",
        why="With few queries, luck decides whether the gate holds. A score between 0 and 1 with "
            "mean t varies by t(1-t) at most, so n queries give 1.96·sqrt(t(1-t)/n).",
        example='--gate "recall@5 >= 0.8" on 20 queries (known to ±0.18 only)',
        instead="246 queries, or a gate on the difference to a baseline run",
    ),
    Rule(
        "ST002", "unreachable-gate", "error",
        what="The gate is above what an ideal ranking scores on these data.",
        why="No retriever can pass it: AutoRAG's MRR of two groups is 0.75 at most, recall@1 of "
            "two groups 0.5.",
        example='--gate "mrr >= 0.9" on queries of two groups',
        instead='--gate "coverage:mrr >= 0.9"',
    ),
)  # fmt: skip
