"""Evidence from ids: those that are equal, and those that nearly are."""

from collections.abc import Iterator
from unicodedata import normalize

from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.evidence import Evidence
from groupwise.evaluator.matching.truths import groups_of
from groupwise.schemas import Id
from groupwise.schemas.ids import text_of


def compare_rows(rows: Rows) -> list[list[Evidence]]:
    """Return the evidence of each query, from ids alone."""
    cases = zip(rows.truths, rows.results, strict=True)
    return [[*compare_ids(groups_of(truth), ranking)] for truth, ranking in cases]


def compare_ids(groups: list[list[Id]], ranking: list[Id]) -> Iterator[Evidence]:
    """Yield which results are an alternative, and which would be but for case, space or form."""
    ranks: dict[str, list[int]] = {}
    for rank, result in enumerate(ranking, 1):
        ranks.setdefault(_simplify(result), []).append(rank)
    for group, alternatives in enumerate(groups):
        for place, alternative in enumerate(alternatives):
            for rank in ranks.get(_simplify(alternative), ()):
                yield _compare(alternative, ranking[rank - 1], (rank, group, place))


def _compare(alternative: Id, result: Id, hit: tuple[int, int, int]) -> Evidence:
    if alternative == result:
        return Evidence(*hit)
    return Evidence(*hit, met=False, how=_find_difference(text_of(alternative), text_of(result)))


def _find_difference(one: str, other: str) -> str:
    """Return what two ids differ by that are equal when simplified."""
    if one.strip() == other.strip():
        return "space"
    return "unicode" if normalize("NFKC", one) == normalize("NFKC", other) else "case"


def _simplify(document: Id) -> str:
    return normalize("NFKC", text_of(document).strip()).casefold()
