"""Near misses of matchers that compare more than ids: from the evidence that a matcher gives."""

from collections.abc import Iterator

from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.evidence import Evidence
from groupwise.evaluator.matching.own import OwnMatcher
from groupwise.evaluator.matching.query_matcher import QueryMatcher
from groupwise.evaluator.matching.registry import Matching
from groupwise.evaluator.matching.truths import groups_of
from groupwise.schemas.explanation import NearMiss

DIFFERENCES = ("case", "space", "unicode")
"""How ids differ that are nearly equal; any other evidence is an overlap."""
MOST = 3


def find_near_evidence(
    matching: Matching, rows: Rows, missed: dict[int, set[int]]
) -> Iterator[tuple[int, int, list[NearMiss]]]:
    """Yield row, group and near misses of the groups that no result meets, the nearest first.

    Args:
        matching: The matching.
        rows: Queries with their results.
        missed: The groups of each row that no result meets, counted from 0 in each.
    """
    if not missed or not _tells_near(matching):
        return
    threshold = matching.to_dict().get("threshold")
    numbers = [*missed]
    found = matching.find_evidence(rows.only(numbers))
    for row, evidence in zip(numbers, found, strict=True):
        for group in sorted(missed[row]):
            near = [each for each in evidence if each.group == group and not each.met]
            near.sort(key=lambda each: (-each.overlap, each.rank, each.alternative))
            built = [_build_near(each, rows, row, threshold) for each in near[:MOST]]
            if built:
                yield row, group, built


def _tells_near(matching: Matching) -> bool:
    """Whether a matcher says more than which results are hits."""
    matcher = matching.open()
    if not isinstance(matcher, OwnMatcher):
        return True
    own = matcher.matcher
    if isinstance(own, QueryMatcher):
        return type(own).explain is not QueryMatcher.explain
    return hasattr(own, "evidence")


def _build_near(evidence: Evidence, rows: Rows, row: int, threshold: float | None) -> NearMiss:
    group = groups_of(rows.truths[row])[evidence.group]
    is_spelling = evidence.how in DIFFERENCES
    return NearMiss.model_construct(
        id=rows.results[row][evidence.rank - 1],
        rank=evidence.rank,
        alternative=group[evidence.alternative],
        differs_in=(evidence.how,) if is_spelling else ("overlap",),
        overlap=None if is_spelling else evidence.overlap,
        threshold=None if is_spelling else threshold,
    )
