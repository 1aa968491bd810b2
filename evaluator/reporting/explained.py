"""Explanations in words: what tables and Markdown say about a query, a group, a near miss."""

import string
from collections.abc import Iterator, Mapping, Sequence
from math import floor
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.text import plural, printable, shorten
from groupwise.schemas.explanation import (
    Explanation,
    GroupExplanation,
    NearMiss,
    QueryExplanation,
    Reasons,
)

if TYPE_CHECKING:
    from groupwise.schemas.comparison import ChangedGroup

LETTERS = string.ascii_uppercase + string.ascii_lowercase
MANY, SEVERAL, NO_HIT = "#", "+", "."
"""Signs in a hit vector: a group without a letter, several groups, no hit."""
SHOWN_ALTERNATIVES, SHOWN_AGAIN = 3, 3
MAIN_OPTIONS = ("method", "threshold")
LONGEST_ID = 60
SHORTEST_TEXT, LONGEST_REASON = 20, 200
REASON_WORDS = {
    "met": "met",
    "beyond_k": "beyond k",
    "not_retrieved": "not retrieved",
    "not_in_corpus": "not in the corpus",
}
DIFFERENCE_WORDS = {
    "case": "case",
    "space": "white space",
    "unicode": "Unicode form",
    "prefix": "a prefix",
}
NEAR_WORDS = {
    "chunk": "another chunk of the same document among the results",
    "overlap": "a result that overlaps an alternative, but not enough",
    "part": "the id of a chunk where a result or the corpus names its document, or the reverse",
    "text": "an alternative whose text in the corpus has changed",
}
NONE = "–"  # noqa: RUF001


def letter_of(group: int) -> str:
    """Return the letter of a group; the 53rd and all further ones share a sign."""
    return LETTERS[group] if group < len(LETTERS) else MANY


def groups_by_rank(query: QueryExplanation) -> dict[int, list[int]]:
    """Return the groups that each hit meets."""
    found: dict[int, list[int]] = {}
    for group in query.groups:
        for rank in (group.rank, *group.again):
            if rank is not None:
                found.setdefault(rank, []).append(group.group)
    return found


def show_text(text: str, limit: int) -> str:
    r"""Return the text of a query on one line.

    >>> show_text("How long\n  do refunds take?", 40)
    'How long do refunds take?'
    """
    return shorten(" ".join(text.split()), max(limit, SHORTEST_TEXT))


def describe_failure(reason: str) -> str:
    """Return why a live retriever returned nothing."""
    return f"the retriever failed: {show_text(reason, LONGEST_REASON)}"


def describe_query(query: QueryExplanation, explanation: Explanation) -> str:
    """Return how many groups of a query are met, in trec also how many relevant documents."""
    found = _describe_groups(query, explanation.k)
    if explanation.profile == "trec" and query.groups:
        relevant = {one for group in query.groups for one in group.alternatives}
        retrieved = {
            query.results[rank - 1] for rank in groups_by_rank(query) if rank <= explanation.k
        }
        found += f"; {len(retrieved):,} of {plural(len(relevant), 'relevant document')}"
    return found


def _describe_groups(query: QueryExplanation, k: int) -> str:
    """Return how many groups of a query are met.

    >>> _describe_groups(QueryExplanation(hit_vector=(), complete=None, groups=()), 10)
    'no groups: nothing answers this query'
    """
    if not query.groups:
        return "no groups: nothing answers this query"
    met, groups = sum(group.met for group in query.groups), plural(len(query.groups), "group")
    found = f"{met:,} of {groups} met in {_count_results(k)}"
    if not query.hit_vector:
        found = f"no results, {met:,} of {groups} met"
    elif len(query.hit_vector) < k:
        found = f"{met:,} of {groups} met, {plural(len(query.hit_vector), 'result')}"
    return f"{found}; not scored" if query.complete is None else found


def describe_group(group: GroupExplanation, results: Sequence[str | int]) -> str:
    """Return where a group is met, or why it is not; groups are counted from 1."""
    name = name_group(group)
    if group.met:
        return f"{name} met at rank {group.rank:,} by {show_id(group.by)}{_again(group, results)}"
    name += f" ({list_alternatives(group.alternatives)})"
    if group.reason == "beyond_k":
        return f"{name} beyond k: at rank {group.rank:,} by {show_id(group.by)}"
    return f"{name} {REASON_WORDS[group.reason or 'not_retrieved']}"


def name_group(group: "GroupExplanation | ChangedGroup") -> str:
    """Return the number of a group, counted from 1, and its label."""
    label = f" [{shorten(group.label, LONGEST_ID)}]" if group.label else ""
    return f"group {group.group + 1}{label}"


def _again(group: GroupExplanation, results: Sequence[str | int]) -> str:
    if not group.again:
        return ""
    shown = [
        f"{rank:,} by {show_id(results[rank - 1])}" if rank <= len(results) else f"{rank:,}"
        for rank in group.again[:SHOWN_AGAIN]
    ]
    more = len(group.again) - SHOWN_AGAIN
    return f" (again at {', '.join(shown)}{f' and {more:,} more' if more > 0 else ''})"


def list_alternatives(alternatives: Sequence[str | int]) -> str:
    """Return the alternatives of a group, as far as there is room."""
    shown = " or ".join(map(show_id, alternatives[:SHOWN_ALTERNATIVES]))
    more = len(alternatives) - SHOWN_ALTERNATIVES
    return f"{shown} or {more:,} more" if more > 0 else shown


def show_id(document: str | int | None) -> str:
    """Return an id as it is read by people; white space at its ends is shown by quotes."""
    text = shorten(str(document), LONGEST_ID)
    return text if text == text.strip() and text else repr(text)


def describe_near(near: NearMiss) -> str:
    """Return a near miss in words."""
    place = "in the corpus" if near.rank is None else f"at rank {near.rank:,}"
    if near.overlap is not None:
        limit = "" if near.threshold is None else f" < {near.threshold:g}"
        return f"{show_id(near.id)} {place}, overlap {_round_down(near.overlap)}{limit}"
    if near.differs_in == ("chunk",):
        return f"{show_id(near.id)} {place}, another chunk than {show_id(near.alternative)}"
    if near.differs_in == ("part",):
        is_chunk = len(str(near.id)) > len(str(near.alternative))
        kind = "a chunk of" if is_chunk else "the document of"
        return f"{show_id(near.id)} {place}, {kind} {show_id(near.alternative)}"
    if near.differs_in == ("text",):
        return f"{show_id(near.id)} {place}, its text has changed"
    kinds = " and ".join(DIFFERENCE_WORDS.get(kind, printable(kind)) for kind in near.differs_in)
    return f"{show_id(near.id)} {place}, differs from {show_id(near.alternative)} in {kinds}"


def _round_down(share: float) -> str:
    """Return a share that is not shown as reaching a threshold that it does not reach.

    >>> _round_down(0.31), _round_down(0.499999)
    ('0.31', '0.4999')
    """
    return f"{floor(share * 10_000) / 10_000:g}"


def describe_extent(explanation: Explanation) -> str:
    """Return what is explained, and how: queries, groups, results, profile, matcher, corpus.

    >>> matching = {"type": "span", "threshold": 0.5}
    >>> describe_extent(
    ...     Explanation(k=5, queries={}, reasons=Reasons(), depth_for={}, matching=matching)
    ... )
    '0 queries, 0 groups; the first 5 results count; profile autorag; matching span (threshold 0.5)'
    """
    counts, groups = explanation.counts, explanation.reasons.groups
    queries = plural(counts.queries, "query", "queries")
    unscored = counts.queries - counts.scored
    queries += f" ({unscored:,} not scored)" if unscored else ""
    k = explanation.k
    count = "the first result counts" if k == 1 else f"the first {k:,} results count"
    parts = [f"{queries}, {plural(groups, 'group')}", count, f"profile {explanation.profile}"]
    return "; ".join([*parts, *_describe_sources(explanation)])


def _describe_sources(explanation: Explanation) -> Iterator[str]:
    """Yield the matcher, unless it is exact, and the corpus, if there is one."""
    if explanation.matching:
        yield describe_matching(explanation.matching)
    if explanation.corpus is not None:
        name, count = explanation.corpus.name, explanation.corpus.documents
        documents = "" if count is None else f" ({plural(count, 'document')})"
        yield f"corpus{f' {show_id(name)}' if name else ''}{documents}"


def describe_matching(matching: Mapping[str, Any]) -> str:
    """Return the name of a matcher, its main options, and the others that were chosen.

    >>> describe_matching({"type": "text", "threshold": 0.5, "method": "fuzzy", "case": "fold"})
    'matching text (threshold 0.5, method fuzzy)'
    """
    name, default = str(matching.get("type")), _find_defaults(matching)
    options = [
        f"{option} {show_value(value)}"
        for option, value in matching.items()
        if option in MAIN_OPTIONS or value != default.get(option)
    ]
    listed = f" ({', '.join(map(printable, options))})" if options else ""
    return f"matching {shorten(name, LONGEST_ID)}{listed}"


def _find_defaults(matching: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options of a matcher that nobody chose; type and counts are none."""
    from groupwise.evaluator.matching import Matching  # noqa: PLC0415  (rarely needed)

    unchosen = {name: matching.get(name) for name in ("type", "counts")}
    try:
        return {**Matching.parse(str(matching.get("type"))).to_dict(), **unchosen}
    except InputError:  # one's own, in a report of another process
        return unchosen


def show_value(value: Any) -> str:
    """Return the value of an option of a matcher, as it is written on the command line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else shorten(str(value), LONGEST_ID)


def list_reasons(reasons: Reasons) -> Iterator[tuple[str, str, str]]:
    """Yield each reason that occurs, and met in any case, with the groups and their share."""
    for name, count in dict(reasons).items():
        if count or name == "met":
            yield REASON_WORDS[name], f"{count:,}", show_share(count, reasons.groups)


def summarise_reasons(explanation: Explanation) -> str:
    """Return the number of groups of each reason in a line.

    >>> reasons = Reasons(met=3, not_retrieved=1)
    >>> summarise_reasons(Explanation(k=5, queries={}, reasons=reasons, depth_for={}))
    '3 of 4 groups met in the first 5 results, 1 not retrieved'
    """
    reasons, k = explanation.reasons, explanation.k
    _, *others = [f"{count} {word}" for word, count, _ in list_reasons(reasons)]
    met = f"{reasons.met:,} of {plural(reasons.groups, 'group')} met in {_count_results(k)}"
    return ", ".join([met, *others])


def _count_results(k: int) -> str:
    return "the first result" if k == 1 else f"the first {k:,} results"


def show_share(part: int, whole: int) -> str:
    """Return a share in per cent.

    >>> show_share(1, 3)
    '33.3 %'
    """
    return f"{100 * part / whole:.1f} %" if whole else NONE


def list_depths(depths: dict[str, int | None]) -> tuple[list[str], list[str]]:
    """Return the shares, and the results that each needs."""
    shares = [f"{float(share) * 100:g} %" for share in depths]
    return shares, [NONE if depth is None else f"{depth:,}" for depth in depths.values()]


DEPTH_HEAD, DEPTH_ROW = "share of the groups", "results that meet it"
DEPTH_NOTE = f"{NONE}: not even all results of the run"


def list_near(explanation: Explanation) -> Iterator[str]:
    """Yield a line about the missed groups that have a near miss of each kind."""
    for kind, count in explanation.near.items():
        groups = "1 missed group has" if count == 1 else f"{count:,} missed groups have"
        if kind in NEAR_WORDS:
            yield f"{groups} {NEAR_WORDS[kind]}"
        elif kind in DIFFERENCE_WORDS:
            word = DIFFERENCE_WORDS[kind]
            yield f"{groups} an id that differs from one retrieved, or in the corpus, in {word}"


def list_reason_columns(explanation: Explanation) -> list[str]:
    """Return the headings of ``count_cells``: reasons, without the corpus if it lacks nothing."""
    return ["groups", *(REASON_WORDS[name] for name in _list_shown(explanation))]


def _list_shown(explanation: Explanation) -> list[str]:
    lacking = explanation.reasons.not_in_corpus
    return [name for name in REASON_WORDS if name != "not_in_corpus" or lacking]


def count_cells(reasons: Reasons, explanation: Explanation) -> list[str]:
    """Return the groups, the share that is met, and the number of each other reason."""
    _, *others = _list_shown(explanation)
    counts = [f"{getattr(reasons, name):,}" for name in others]
    return [f"{reasons.groups:,}", show_share(reasons.met, reasons.groups), *counts]


def list_labels(explanation: Explanation) -> Iterator[list[str]]:
    """Yield a row per label."""
    for label, reasons in explanation.labels.items():
        yield [shorten(label, LONGEST_ID), *count_cells(reasons, explanation)]


def list_missed(explanation: Explanation) -> Iterator[list[str]]:
    """Yield a row per group that several queries miss."""
    for group in explanation.missed_groups:
        yield [list_alternatives(group.alternatives), f"{group.missed:,} of {group.queries:,}"]


MISSED_HEAD = ("group", "missed by queries")


def list_slices(explanation: Explanation, field: str) -> Iterator[list[str]]:
    """Yield a row per slice of a field."""
    for name, found in explanation.slices[field].items():
        depths = list_depths(found.depth_for)[1]
        cells = count_cells(found.reasons, explanation)
        yield [shorten(name, LONGEST_ID), f"{found.queries:,}", *cells, depths[1]]


def name_slices(explanation: Explanation, field: str) -> str:
    """Return the name of a field of queries, which labels of groups cannot be taken for.

    >>> reasons = Reasons(met=1)
    >>> found = Explanation(k=5, queries={}, reasons=reasons, depth_for={}, labels={"hop": reasons})
    >>> name_slices(found, "label"), name_slices(found, "type")
    ('label of the query', 'type')
    """
    return "label of the query" if field == "label" and explanation.labels else field


def list_slice_columns(explanation: Explanation) -> list[str]:
    """Return the headings of slices."""
    return ["queries", *list_reason_columns(explanation), "k for 90 %"]
