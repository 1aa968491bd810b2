"""What the rules of results say of one record."""

from collections.abc import Iterator
from itertools import pairwise

from groupwise.evaluator.validation.engine.case import Case, Draft
from groupwise.schemas import FIELD_NAMES, Id
from groupwise.schemas.shape import shortened


def run_checks(case: Case) -> Iterator[Draft]:
    """All findings within one record, but those of the schema."""
    yield from repeated_results(case)
    yield from rising_scores(case)


def repeated_results(case: Case) -> Iterator[Draft]:
    """RN001."""
    first: dict[Id, int] = {}
    for rank, one in enumerate(case.results, 1):
        if one.id in first:
            message = (
                f"the result {shortened(repr(one.id))} at rank {rank} is repeated "
                f"(first at rank {first[one.id]})"
            )
            yield Draft("RN001", message, one.pointer, id=one.id, value=one.id)
        first.setdefault(one.id, rank)


def rising_scores(case: Case) -> Iterator[Draft]:
    """RN005, where scores contradict ranks; the first place of a record."""
    for rank, (before, after) in enumerate(pairwise(case.scores), 2):
        if after > before:
            message = (
                f"the score at rank {rank} ({_shown(after)}) is higher than the one before it "
                f"({_shown(before)}); results are listed best first"
            )
            yield Draft("RN005", message, _way_to_score(case, rank), value=[before, after])
            return


def _way_to_score(case: Case, rank: int) -> tuple[str | int, ...]:
    """Scores stand in a list of their own, or within the results."""
    name = next((name for name in FIELD_NAMES["scores"] if case.record.get(name) is not None), None)
    if name is not None:
        return name, rank - 1
    way = case.results[rank - 1].pointer if rank <= len(case.results) else ()
    return (*way[:-1], "score")


def _shown(score: float) -> str:
    return f"{score:g}" if isinstance(score, float) else shortened(str(score), 20)
