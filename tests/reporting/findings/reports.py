"""Reports made by hand, with findings that are awkward to show."""

from collections import Counter
from typing import Any

from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.schemas.validation import Finding, SeverityCounts, Summary, ValidationReport


def finding(code: str = "GT004", message: str = "group 1 is empty", **more: Any) -> Finding:
    """A finding of a rule."""
    rule = every_rule()[code]
    return Finding(code=code, name=rule.name, severity=rule.severity, message=message, **more)


def report(*findings: Finding, hidden: dict[str, int] | None = None, **more: Any) -> Any:
    """A report of findings, of which more are counted than held."""
    rules = every_rule()
    by_code = Counter(one.code for one in findings) + Counter(hidden or {})
    counts: Counter[str] = Counter()
    for code, count in by_code.items():
        counts[rules[code].severity] += count
    return ValidationReport(
        counts=SeverityCounts(**counts), by_code=dict(by_code), findings=findings, **more
    )


EMPTY_GROUP = finding(
    file="qa.json", line=7, column=21, pointer="/queries/0/ground_truth/1", query="q1", group=1,
    fix="unsafe", fingerprint="4f1a",
)  # fmt: skip
REPEATED = finding(
    "GT007", '"a" is listed twice', file="qa.json", line=9, column=3, query="q2", id="a",
    fix="safe", fingerprint="77c0",
)  # fmt: skip
SHARED = finding("GT010", '"a" is in groups 0 and 1', file="more/qa.jsonl", line=2, query="q3")
NOWHERE = finding("ST001", "20 queries are too few")

SMALL = report(
    EMPTY_GROUP, REPEATED, SHARED, NOWHERE,
    hidden={"GT004": 1234},
    files=("qa.json", "more/qa.jsonl", "clean.json"),
    statistics=Summary(
        queries=4, unanswerable=1, groups=5, groups_per_query={0: 1, 1: 1, 2: 2},
        alternatives_per_group={1: 4, 3: 1}, distinct_ids=6, ids_in_several_queries=1,
        queries_with_shared_ids=1, multi_group_share=0.5,
        ceilings={"recall@1": 0.5, "mrr@1": None},
    ),
)  # fmt: skip
