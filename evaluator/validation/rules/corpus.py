"""CP: rules that compare the ground truth with the corpus; they need ``corpus=``."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.text import cut, plural, quote_id
from groupwise.evaluator.validation.facts.draft import Draft, Place
from groupwise.evaluator.validation.rules.rule import Locator, Rule

if TYPE_CHECKING:
    from groupwise.evaluator.validation.corpus.survey import CorpusSurvey, Twin
    from groupwise.evaluator.validation.facts.case import Case, CaseGroup
    from groupwise.evaluator.validation.facts.session import Session, SourceFacts
    from groupwise.schemas import Finding, Id

UNLISTED_DUPLICATE = "CP005"
TWINS_SHOWN = 3
SUGGESTIONS = 20
"""Ids of the corpus are suggested for at most this many missing ids."""


# CP001 not-in-corpus, CP002 text-changed, CP005 unlisted-duplicate


def suspect_documents(source: "SourceFacts", session: "Session") -> Locator | None:
    """Return a locator if gold documents are missing, have twins, or may have changed."""
    survey = session.survey
    if survey is None or source.is_run:
        return None
    are_numbers = survey.kind is int and survey.ids != "text"
    may_differ = source.tally.judged.may_differ(survey.contents, ids_are_numbers=are_numbers)
    is_suspicious = survey.missing or survey.twins or may_differ
    return partial(locate_documents, survey) if is_suspicious else None


def locate_documents(survey: "CorpusSurvey", case: "Case", _place: Place) -> Iterator[Draft]:
    """Report missing ids, changed texts and unlisted twins of a record, id by id."""
    hashes = case.record.get("hashes")
    judged = hashes if isinstance(hashes, dict) else {}
    for group in case.groups:
        for place, document in enumerate(group.ids):
            for code, found in _compare(survey, document, group, judged):
                message, value = DESCRIBED[code](document, found)
                text, pointer = f"{quote_id(document)} {message}", group.point(place)
                yield Draft(code, text, pointer, group.number, document, value)


def _compare(
    survey: "CorpusSurvey", document: "Id", group: "CaseGroup", judged: dict[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the code of each finding about a gold document, and what it is about."""
    key = survey.key(document)
    if key in survey.missing:
        yield "CP001", None
    elif judged:
        before, now = judged.get(str(document)), survey.contents.get(key)
        if isinstance(before, str) and now is not None and before not in now:
            yield "CP002", now
    twins = _list_unlisted_twins(survey, key, group) if key in survey.twins else []
    if twins:
        yield UNLISTED_DUPLICATE, twins


def _describe_missing(document: "Id", _found: None) -> tuple[str, Any]:
    return "is not in the corpus", document


def _describe_changed(document: "Id", now: Sequence[str]) -> tuple[str, Any]:
    return f"has a different text from the one judged (now {now[0]})", [document, now[0]]


def _describe_twins(document: "Id", twins: "list[Twin]") -> tuple[str, Any]:
    return f"has {_show_twins(twins)}", [document, *sorted(str(twin.id) for twin in twins)]


DESCRIBED: Mapping[str, Callable[["Id", Any], tuple[str, Any]]] = {
    "CP001": _describe_missing,
    "CP002": _describe_changed,
    UNLISTED_DUPLICATE: _describe_twins,
}
"""What returns message and value of a finding, by its code."""


def _list_unlisted_twins(survey: "CorpusSurvey", key: int, group: "CaseGroup") -> "list[Twin]":
    listed = set(map(survey.key, group.ids))
    return [twin for twin in survey.twins[key] if survey.key(twin.id) not in listed]


def _show_twins(twins: "list[Twin]") -> str:
    named = ", ".join(map(_show_twin, twins[:TWINS_SHOWN]))
    more = f" and {len(twins) - TWINS_SHOWN} more" if len(twins) > TWINS_SHOWN else ""
    what = "a twin" if len(twins) == 1 else "twins"
    return f"{what} in the corpus, not listed beside it: {named}{more}"


def _show_twin(twin: "Twin") -> str:
    how = "the same text" if twin.likeness == 1 else f"{twin.likeness:.0%} alike"
    return f"{quote_id(twin.id)} ({how})"


def suggest_ids(findings: "list[Finding]", session: "Session") -> None:
    """Add to the first messages about missing ids which ids of the corpus resemble them."""
    missing = [
        (number, finding.id)
        for number, finding in enumerate(findings)
        if finding.code == "CP001" and finding.id is not None
    ][:SUGGESTIONS]
    if not missing or session.survey is None:
        return
    from groupwise.evaluator.validation.corpus.nearest import find_nearest  # noqa: PLC0415

    near = find_nearest([name for _, name in missing], session.corpus, session.survey.ids)
    for number, name in missing:
        if near.get(name):
            hint = f"did you mean {' or '.join(map(quote_id, near[name]))}?"
            message = f"{findings[number].message}; {hint}"
            findings[number] = findings[number].model_copy(update={"message": message})


# CP003 other-corpus


def suspect_other_corpus(source: "SourceFacts", session: "Session") -> Locator | None:
    """Return a locator if any record names the fingerprint of another corpus."""
    survey = session.survey
    if survey is None or source.is_run or source.tally.judged.corpora <= {*survey.fingerprints}:
        return None
    return partial(locate_other_corpus, survey, set())


def locate_other_corpus(
    survey: "CorpusSurvey", reported: set[str], case: "Case", _place: Place
) -> Iterator[Draft]:
    """Report a record that was judged on another corpus, the first for each fingerprint."""
    for draft in check_judged_on(survey, case.record):
        if draft.value not in reported:
            reported.add(draft.value)
            yield draft


def check_judged_on(survey: "CorpusSurvey | None", values: Mapping[str, Any]) -> Iterator[Draft]:
    """Report a record, or the head of a fixture, that names the fingerprint of another corpus."""
    judged_on = values.get("corpus")
    if survey and isinstance(judged_on, str) and judged_on not in survey.fingerprints:
        message = (
            f"judged on the corpus {cut(judged_on)}; this one is {survey.find_like(judged_on)} "
            f"({plural(survey.documents, 'document')})"
        )
        yield Draft("CP003", message, ("corpus",), value=judged_on)


def check_heads(session: "Session") -> Iterator[tuple[Draft, Place]]:
    """Report fixtures whose head names the fingerprint of another corpus."""
    for source in session.sources:
        place = Place(source.name, known=source.head_places.get("corpus", (0, 0)))
        yield from ((draft, place) for draft in check_judged_on(session.survey, source.head))


# CP004 duplicate-corpus-id


def check_duplicates(session: "Session") -> Iterable[tuple[Draft, Place]]:
    """Report the ids that the corpus has twice."""
    return find_duplicates(session.survey) if session.survey else ()


def find_duplicates(survey: "CorpusSurvey") -> Iterator[tuple[Draft, Place]]:
    """Yield a finding for each id that the corpus has twice; the last counts the unnamed ones."""
    unnamed = survey.duplicate_count - len(survey.duplicates)
    for number, duplicate in enumerate(survey.duplicates, 1):
        value = f"the id {quote_id(duplicate.id)} is repeated in the corpus"
        first = f" (first at line {duplicate.first[0]})" if duplicate.first[0] else ""
        more = unnamed if number == len(survey.duplicates) else 0
        draft = Draft("CP004", f"{value}{first}", value=value, fixable=False, more=more)
        yield draft, Place(survey.name, known=duplicate.again)


RULES = (
    Rule(
        "CP001", "not-in-corpus", "error",
        what="An id of the ground truth is not in the corpus; the message suggests similar ids "
             "that are.",
        why="No retriever can return it, so this alternative can never be found.",
        example='"doc-1O" in the ground truth, "doc-10" in the corpus',
        instead='"doc-10" in both',
        suspect=suspect_documents, revise=suggest_ids,
    ),
    Rule(
        "CP002", "text-changed", "error",
        what="The text of a document is not the one that was judged: its content hash differs from "
             "the one that `groupwise fingerprint` wrote.",
        why="After re-chunking, old ids point to other passages, and all scores are noise.",
        example='"hashes": {"chunk-7": "0f1c…"} and a corpus whose chunk-7 has another text',
        instead="judge again, then run groupwise fingerprint",
        suspect=suspect_documents,
    ),
    Rule(
        "CP003", "other-corpus", "warning",
        what="The fingerprint of the corpus is not the one in the data set.",
        why="The data set was judged on another version of the corpus; scores on the two versions "
            "are not comparable.",
        example='"corpus": "gw2:1200:9be3…" and a corpus of 1,300 documents',
        instead="check the new documents, then run groupwise fingerprint",
        suspect=suspect_other_corpus, check_session=check_heads,
    ),
    Rule(
        "CP004", "duplicate-corpus-id", "error",
        what="Two documents of the corpus have the same id.",
        why="Nothing says which of the two the ground truth means.",
        example='{"id": "a", "text": "one"}\n{"id": "a", "text": "two"}',
        instead='{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}',
        check_session=check_duplicates,
    ),
    Rule(
        UNLISTED_DUPLICATE, "unlisted-duplicate", "warning",
        what="A document of the corpus has the same text as a gold document, or nearly the same, "
             "but is not listed beside it as an alternative.",
        why="A retriever that returns the twin is right, but is scored as wrong.",
        example='[["a"]], while documents a and b have the same text',
        instead='[["a", "b"]]',
        suspect=suspect_documents,
    ),
)  # fmt: skip
