"""CP: rules that compare the ground truth with the corpus; they need ``corpus=``."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from groupwise.evaluator.text import cut, quote_id
from groupwise.evaluator.validation.facts.draft import Draft, Placed
from groupwise.evaluator.validation.rules.rule import Locator, Rule

if TYPE_CHECKING:
    from groupwise.evaluator.validation.corpus.survey import CorpusSurvey, Twin
    from groupwise.evaluator.validation.facts.case import Case, CaseGroup, Listed
    from groupwise.evaluator.validation.facts.draft import Place
    from groupwise.evaluator.validation.facts.source import Session, SourceFacts
    from groupwise.schemas import Finding

UNLISTED_DUPLICATE = "CP005"
TWINS_SHOWN = 3
SUGGESTIONS = 20
"""Ids of the corpus are suggested for at most this many missing ids."""


# CP001 not-in-corpus, CP002 text-changed, CP005 unlisted-duplicate


@dataclass(frozen=True)
class BesideCorpus:
    """Reports what the corpus says about the ids of a record."""

    survey: "CorpusSurvey"

    def __call__(self, case: "Case", _place: "Place") -> Iterator[Draft]:
        """Report missing ids, changed texts and unlisted twins, id by id."""
        hashes = case.record.get("hashes")
        judged = hashes if isinstance(hashes, dict) else {}
        for group in case.groups:
            for listed in group.listed:
                yield from self._check(listed, group, judged.get(str(listed.id)))

    def _check(self, listed: "Listed", group: "CaseGroup", judged: Any) -> Iterator[Draft]:
        key = self.survey.key(listed.id)
        now = self.survey.contents.get(key)
        if key in self.survey.missing:
            message = f"{quote_id(listed.id)} is not in the corpus"
            yield _draft("CP001", message, listed, group, listed.id)
        elif isinstance(judged, str) and now is not None and judged != now:
            message = f"{quote_id(listed.id)} has another text than the one judged (now {now})"
            yield _draft("CP002", message, listed, group, [listed.id, now])
        if key in self.survey.twins:
            yield from self._check_twins(listed, group)

    def _check_twins(self, listed: "Listed", group: "CaseGroup") -> Iterator[Draft]:
        """Report the twins of a document that its group does not list, in one finding."""
        beside = set(map(self.survey.key, group.ids))
        twins = self.survey.twins[self.survey.key(listed.id)]
        unlisted = [twin for twin in twins if self.survey.key(twin.id) not in beside]
        if unlisted:
            shown = _show_twins(unlisted)
            message = f"{quote_id(listed.id)} has {shown} in the corpus, not listed beside it"
            value = [listed.id, *sorted(str(twin.id) for twin in unlisted)]
            yield _draft(UNLISTED_DUPLICATE, message, listed, group, value)


def compare_documents(source: "SourceFacts", session: "Session") -> Locator | None:
    """Return a locator if gold documents are missing, have twins, or may have changed."""
    survey = session.survey
    if survey is None or source.is_run:
        return None
    are_numbers = survey.kind is int and survey.ids != "text"
    may_differ = source.tally.judgements.may_differ(survey.contents, ids_are_numbers=are_numbers)
    return BesideCorpus(survey) if survey.missing or survey.twins or may_differ else None


def _draft(code: str, message: str, listed: "Listed", group: "CaseGroup", value: Any) -> Draft:
    return Draft(code, message, listed.pointer, group.number, listed.id, value)


def _show_twins(twins: "list[Twin]") -> str:
    named = ", ".join(map(_show_twin, twins[:TWINS_SHOWN]))
    more = f" and {len(twins) - TWINS_SHOWN} more" if len(twins) > TWINS_SHOWN else ""
    return f"{'a twin' if len(twins) == 1 else 'twins'}, {named}{more},"


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


@dataclass
class OtherCorpus:
    """Reports records that were judged on another corpus, once per fingerprint."""

    survey: "CorpusSurvey"
    reported: set[str] = field(default_factory=set)

    def __call__(self, case: "Case", _place: "Place") -> Iterator[Draft]:
        """Report the first record with each fingerprint."""
        judged_on: Any = case.record.get("corpus")
        if is_other_corpus(judged_on, self.survey) and judged_on not in self.reported:
            self.reported.add(judged_on)
            yield draft_other_corpus(judged_on, self.survey)


def is_other_corpus(judged_on: Any, survey: "CorpusSurvey") -> bool:
    """Whether this is the fingerprint of another corpus."""
    return isinstance(judged_on, str) and judged_on != survey.fingerprint


def draft_other_corpus(judged_on: str, survey: "CorpusSurvey") -> Draft:
    """Return the finding for a fingerprint that a record or the head of a fixture names."""
    message = (
        f"judged on the corpus {cut(judged_on)}; this one is {survey.fingerprint} "
        f"({survey.documents:,} documents)"
    )
    return Draft("CP003", message, ("corpus",), value=judged_on)


def compare_fingerprints(source: "SourceFacts", session: "Session") -> Locator | None:
    """Return a locator if any record names the fingerprint of another corpus."""
    survey = session.survey
    if survey is None or source.is_run:
        return None
    is_other = any(is_other_corpus(name, survey) for name in source.tally.judgements.corpora)
    return OtherCorpus(survey) if is_other else None


def check_heads(session: "Session") -> Iterator[Placed]:
    """Report fixtures whose head names the fingerprint of another corpus."""
    survey = session.survey
    for source in session.sources if survey else ():
        judged_on: Any = source.head.get("corpus")
        if survey and is_other_corpus(judged_on, survey):
            line, column = source.head_places.get("corpus", (None, None))
            draft = draft_other_corpus(judged_on, survey)
            yield Placed(draft, source.name, line, column, "/corpus")


# CP004 duplicate-corpus-id


def check_duplicates(session: "Session") -> Iterator[Placed]:
    """Report the ids that the corpus has twice; those beyond the ones named are counted."""
    return iter(()) if session.survey is None else find_duplicates(session.survey)


def find_duplicates(survey: "CorpusSurvey") -> Iterator[Placed]:
    """Yield a finding for each id that the corpus has twice."""
    for number, duplicate in enumerate(survey.duplicates, 1):
        is_last = number == len(survey.duplicates)
        more = max(0, survey.duplicate_count - len(survey.duplicates)) if is_last else 0
        value = f"the id {quote_id(duplicate.id)} is repeated in the corpus"
        first = f" (first at line {duplicate.first[0]})" if duplicate.first[0] else ""
        draft = Draft("CP004", f"{value}{first}", value=value, fixable=False)
        line, column = duplicate.again
        yield Placed(draft, survey.name, line or None, column or None, more=more)


RULES = (
    Rule(
        "CP001", "not-in-corpus", "error",
        what="An id of the ground truth is not in the corpus; the message suggests similar ids "
             "that are.",
        why="No retriever can return it, so this alternative can never be found.",
        example='"doc-1O" in the ground truth, "doc-10" in the corpus',
        instead='"doc-10" in both',
        compare=compare_documents, revise=suggest_ids,
    ),
    Rule(
        "CP002", "text-changed", "error",
        what="The corpus has the id with another text than the one that was judged: its content "
             "hash differs from the one that `groupwise fingerprint` wrote.",
        why="After the corpus is chunked anew, old ids point to other passages, and all scores are "
            "noise.",
        example='"hashes": {"chunk-7": "0f1c…"} and a corpus whose chunk-7 has another text',
        instead="judge again, then run groupwise fingerprint",
        compare=compare_documents,
    ),
    Rule(
        "CP003", "other-corpus", "warning",
        what="The fingerprint of the corpus is not the one in the data set.",
        why="The data set was judged on another version of the corpus; scores on the two are not "
            "comparable.",
        example='"corpus": "gw1:1200:9be3…" and a corpus of 1,300 documents',
        instead="check the new documents, then run groupwise fingerprint",
        compare=compare_fingerprints, check_session=check_heads,
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
        what="The corpus holds a document with the same, or nearly the same, text as one of the "
             "ground truth, which is not listed as an alternative beside it.",
        why="A retriever that returns the twin is right, but scored as wrong.",
        example='[["a"]], while documents a and b have the same text',
        instead='[["a", "b"]]',
        compare=compare_documents,
    ),
)  # fmt: skip
