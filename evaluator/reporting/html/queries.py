"""The queries of a page, the worst first: some in full, the rest in a compact table."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groupwise.evaluator.reporting.explained import (
    NO_HIT,
    REASON_WORDS,
    SEVERAL,
    describe_group,
    describe_near,
    describe_query,
    groups_by_rank,
    letter_of,
    list_alternatives,
    show_id,
)
from groupwise.evaluator.reporting.pivot import format_rank, format_score, list_labels
from groupwise.evaluator.text import shorten
from groupwise.schemas import Report
from groupwise.schemas.explanation import Explanation, GroupExplanation, QueryExplanation
from groupwise.schemas.ids import Id

COLOURS = 7
"""The colours of groups; the eighth group has the first one again, and another letter."""
ALL_IN_FULL, WORST_IN_FULL = 300, 100
"""Up to so many queries all are shown in full; of more, so many of the worst."""
SHOWN_CELLS, SHOWN_RESULTS, SHOWN_SCORES = 50, 50, 6
LONGEST_NAME, LONGEST_MISSED, LONGEST_ROW = 200, 80, 60


class Chip(NamedTuple):
    """A sign for one or several groups, or for no hit, with its colour."""

    sign: str
    colour: int | None = None


class FirstHit(NamedTuple):
    """The rank at which a group is first met, if it is, and the name of a missed group."""

    chip: Chip
    rank: str
    missed: str


class Result(NamedTuple):
    """A result in a ranking, with the groups that it meets, and its text."""

    rank: int
    chips: list[Chip]
    id: str
    text: str


class Text(NamedTuple):
    """An alternative with its text."""

    id: str
    text: str


class Group(NamedTuple):
    """A group in words: what it lists, where it is met, or why it is not."""

    chip: Chip
    met: bool
    text: str
    near: list[str]
    alternatives: list[Text]


class Detail(NamedTuple):
    """What a query unfolds into."""

    about: str
    groups: list[Group]
    ranking: list[Result]
    more: int


class Row(NamedTuple):
    """A query in full; without a detail only its scores are known."""

    id: str
    scores: list[str]
    text: str = ""
    state: str = "unknown"
    vector: Sequence[Chip] = ()
    beyond: Sequence[Chip] = ()
    more: bool = False
    spoken: str = ""
    first_hits: Sequence[FirstHit] = ()
    met: str = ""
    share: float = 0.0
    detail: Detail | None = None


class Line(NamedTuple):
    """A query in the compact table: its hit vector as letters, and what it misses."""

    id: str
    scores: list[str]
    text: str = ""
    state: str = "unknown"
    vector: str = ""
    missed: str = ""


def count_in_full(queries: int, asked: int | None) -> int:
    """Return how many queries are shown in full.

    >>> count_in_full(250, None), count_in_full(10_000, None), count_in_full(10_000, 5)
    (250, 100, 5)
    """
    if asked is not None:
        return min(asked, queries)
    return queries if queries <= ALL_IN_FULL else WORST_IN_FULL


def order_queries(report: Report) -> list[str]:
    """Return the ids of all queries: the worst by the first metric first, not scored ones last."""
    scored = report.worst(len(report.per_query))
    known = {*scored}
    return [*scored, *(query for query in report.per_query if query not in known)]


def build_rows(report: Report, queries: Sequence[str]) -> Iterator[Row]:
    """Yield a row per query that is shown in full."""
    for name, scores, found in _find_all(report, queries, LONGEST_NAME):
        if found is None:
            yield Row(name, scores)
        else:
            yield _build_row(name, scores, found, report.explanation)


def build_lines(report: Report, queries: Sequence[str]) -> Iterator[Line]:
    """Yield a line per query of the compact table."""
    for name, scores, found in _find_all(report, queries, LONGEST_ROW):
        if found is None:
            yield Line(name, scores)
        else:
            yield _build_line(name, scores, found, report.explanation.k)


def _find_all(
    report: Report, queries: Sequence[str], longest: int
) -> Iterator[tuple[str, list[str], QueryExplanation | None]]:
    """Yield the name of each query, its scores, and its explanation, if there is one."""
    for query in queries:
        yield (
            shorten(query, longest),
            _format_scores(report, query),
            _find_explained(report, query),
        )


def _format_scores(report: Report, query: str) -> list[str]:
    """Return the first scores and ranks of a query."""
    values = report.per_query[query]
    labels = list_labels(report)[:SHOWN_SCORES]
    return [
        format_rank(values[label]) if label in report.ranks else format_score(values[label])
        for label in labels
    ]


def _find_explained(report: Report, query: str) -> QueryExplanation | None:
    explanation: Explanation | None = report.explanation
    if explanation is None or query not in explanation.queries:
        return None
    return explanation.queries[query]


def _build_row(
    name: str, scores: list[str], found: QueryExplanation, explanation: Explanation
) -> Row:
    k, last, met = explanation.k, _find_last(found, explanation.k), groups_by_rank(found)
    cells = [_draw(met.get(rank, ())) for rank in range(1, min(last, SHOWN_CELLS) + 1)]
    count = sum(group.met for group in found.groups)
    return Row(
        name, scores, _find_text(found, LONGEST_NAME), _find_state(found), cells[:k], cells[k:],
        last > SHOWN_CELLS, _speak(found), [*map(_find_first_hit, found.groups)],
        f"{count} of {len(found.groups)}", count / max(1, len(found.groups)),
        _build_detail(found, explanation),
    )  # fmt: skip


def _build_line(name: str, scores: list[str], found: QueryExplanation, k: int) -> Line:
    last, met = _find_last(found, k), groups_by_rank(found)
    shown = min(last, SHOWN_CELLS)
    signs = [NO_HIT] * shown
    for rank, groups in met.items():
        if rank <= shown:
            signs[rank - 1] = _draw(groups).sign
    if shown > k:
        signs.insert(k, "|")
    vector = f"{''.join(signs)}{'…' if last > shown else ''}"
    missed = ", ".join(_name_missed(group) for group in found.groups if not group.met)
    return Line(name, scores, _find_text(found, LONGEST_ROW), _find_state(found), vector, missed)


def _find_last(found: QueryExplanation, k: int) -> int:
    """Return the last rank of a hit vector that is worth showing: of the last hit, or k."""
    ranks = [rank for group in found.groups for rank in (group.rank, *group.again) if rank]
    return min(len(found.hit_vector), max([k, *ranks]))


def _find_text(found: QueryExplanation, longest: int) -> str:
    return shorten(" ".join((found.query or "").split()), longest)


def _find_state(found: QueryExplanation) -> str:
    """Return what the filter of the page knows of a query: its reasons, or that it is complete."""
    if found.complete is None:
        return "unscored"
    reasons = sorted({group.reason for group in found.groups if group.reason})
    return " ".join(reasons) or "complete"


def _draw(groups: Sequence[int]) -> Chip:
    """Return the cell of a result in a hit vector."""
    if not groups:
        return Chip(NO_HIT)
    sign = letter_of(groups[0]) if len(groups) == 1 else SEVERAL
    return Chip(sign, groups[0] % COLOURS)


def _chip(group: int) -> Chip:
    return Chip(letter_of(group), group % COLOURS)


def _speak(found: QueryExplanation) -> str:
    """Return the hit vector in words."""
    ranks = {group.group: group for group in found.groups}
    spoken = [f"{letter_of(n)} {_speak_group(group)}" for n, group in ranks.items()]
    return "; ".join(spoken) or "no groups"


def _speak_group(group: GroupExplanation) -> str:
    if group.rank is None:
        return "at no rank"
    again = f", again at {', '.join(map(str, group.again[:3]))}" if group.again else ""
    return f"at rank {group.rank}{again}"


def _find_first_hit(group: GroupExplanation) -> FirstHit:
    rank = "–" if group.rank is None else f"{group.rank:,}"  # noqa: RUF001
    if group.met:
        return FirstHit(_chip(group.group), rank, "")
    reason = REASON_WORDS[group.reason or "not_retrieved"]
    return FirstHit(_chip(group.group), rank, f"{_name_group(group, LONGEST_MISSED)} ({reason})")


def _name_group(group: GroupExplanation, longest: int) -> str:
    """Return the label of a group, or its alternatives."""
    return shorten(group.label or list_alternatives(group.alternatives), longest)


def _name_missed(group: GroupExplanation) -> str:
    """Return the letter and the name of a missed group, for a compact table."""
    return f"{letter_of(group.group)} {_name_group(group, LONGEST_ROW // 2)}"


def _build_detail(found: QueryExplanation, explanation: Explanation) -> Detail:
    met = groups_by_rank(found)
    ranking = [
        Result(
            rank, [_chip(group) for group in met.get(rank, ())], show_id(result),
            found.texts.get(str(result), ""),
        )
        for rank, result in _list_results(found)
    ]  # fmt: skip
    groups = [_build_group(group, found) for group in found.groups]
    more = len(found.hit_vector) - len(ranking)
    return Detail(describe_query(found, explanation), groups, ranking, more)


def _list_results(found: QueryExplanation) -> Iterator[tuple[int, Id]]:
    """Yield the first results with their ranks, then those that meet a group too late."""
    shown = found.results[:SHOWN_RESULTS]
    yield from enumerate(shown, 1)
    late = {group.rank: group.by for group in found.groups if (group.rank or 0) > len(shown)}
    yield from sorted((rank, by) for rank, by in late.items() if rank and by is not None)


def _build_group(group: GroupExplanation, found: QueryExplanation) -> Group:
    near = list(map(describe_near, group.near))
    texts = [
        Text(show_id(each), found.gold_texts.get(str(each), "")) for each in group.alternatives
    ]
    text = describe_group(group, found.results)
    return Group(_chip(group.group), group.met, text, near, texts)
