"""The CP rules: what a case looks like beside the corpus."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from groupwise.evaluator.validation.corpus.survey import CorpusSurvey, Twin
from groupwise.evaluator.validation.engine.case import Case, CaseGroup, Draft, Listed
from groupwise.evaluator.validation.engine.findings import Place
from groupwise.evaluator.validation.engine.hashes import hash_of
from groupwise.evaluator.validation.rules.truth_rules import (
    MANY_ALTERNATIVES,
    SHARE_OF_CORPUS,
    SMALLEST_CORPUS,
)
from groupwise.schemas.shape import quote_id, shortened

TWINS_SHOWN = 3


@dataclass
class BesideCorpus:
    """CP001, CP002, CP003, CP005, and GT014 where the corpus is known."""

    survey: CorpusSurvey
    told: set[str] = field(default_factory=set)

    def __call__(self, case: Case, _place: Place) -> Iterator[Draft]:
        """Tell what the corpus says of a record; of another corpus once."""
        yield from corpus_checks(case, self.survey)
        yield from self._large_groups(case)
        judged_on = case.record.get("corpus")
        other = other_corpus(judged_on, self.survey)
        if other is not None and judged_on not in self.told:
            self.told.add(str(judged_on))
            yield other

    def _large_groups(self, case: Case) -> Iterator[Draft]:
        for group in case.groups:
            share = group_share(group, self.survey)
            if share and share > SHARE_OF_CORPUS and len(set(group.ids)) <= MANY_ALTERNATIVES:
                message = f"group {group.number} lists {share:.0%} of the corpus"
                yield Draft("GT014", message, group.pointer, group.number, value=len(group.ids))


def corpus_checks(case: Case, survey: CorpusSurvey) -> Iterator[Draft]:
    """All that the corpus says of one record: CP001, CP002 and CP005."""
    hashes = case.record.get("hashes")
    judged = hashes if isinstance(hashes, dict) else {}
    if not (judged or survey.missing or survey.twins):
        return
    for group in case.groups:
        for listed in group.listed:
            yield from _checked(listed, group, judged, survey)


def _checked(
    listed: Listed, group: CaseGroup, judged: dict[str, Any], survey: CorpusSurvey
) -> Iterator[Draft]:
    key = survey.key(listed.id)
    if key in survey.missing:
        yield _drafted("CP001", f"{quote_id(listed.id)} is not in the corpus", listed, group)
    elif judged and _differs(judged.get(str(listed.id)), survey.contents.get(key)):
        now = survey.contents[key]
        message = f"{quote_id(listed.id)} has another text than the one judged (now {now})"
        yield _drafted("CP002", message, listed, group, [listed.id, now])
    if key in survey.twins:
        yield from _unlisted(listed, group, survey)


def _drafted(code: str, message: str, listed: Listed, group: CaseGroup, value: Any = None) -> Draft:
    value = listed.id if value is None else value
    return Draft(code, message, listed.pointer, group.number, listed.id, value)


def _differs(judged: Any, now: str | None) -> bool:
    return isinstance(judged, str) and now is not None and judged != now


def _unlisted(listed: Listed, group: CaseGroup, survey: CorpusSurvey) -> Iterator[Draft]:
    """The twins of a document that its group does not list, in one finding."""
    beside = set(map(survey.key, group.ids))
    twins = [one for one in survey.twins[survey.key(listed.id)] if hash_of(one.id) not in beside]
    if twins:
        message = f"{quote_id(listed.id)} has {_shown(twins)} in the corpus, not listed beside it"
        value = [listed.id, *sorted(str(one.id) for one in twins)]
        yield _drafted("CP005", message, listed, group, value)


def _shown(twins: list[Twin]) -> str:
    named = ", ".join(_named(one) for one in twins[:TWINS_SHOWN])
    more = f" and {len(twins) - TWINS_SHOWN} more" if len(twins) > TWINS_SHOWN else ""
    return f"{'a twin' if len(twins) == 1 else 'twins'}, {named}{more},"


def _named(twin: Twin) -> str:
    how = "the same text" if twin.likeness == 1 else f"{twin.likeness:.0%} alike"
    return f"{quote_id(twin.id)} ({how})"


def other_corpus(judged_on: Any, survey: CorpusSurvey) -> Draft | None:
    """CP003 for the fingerprint that a record or the head of a fixture names; None if it is this.

    It is one finding for all records that name the same fingerprint.
    """
    if not isinstance(judged_on, str) or judged_on == survey.fingerprint:
        return None
    message = (
        f"judged on the corpus {shortened(judged_on)}; this one is {survey.fingerprint} "
        f"({survey.documents:,} documents)"
    )
    return Draft("CP003", message, ("corpus",), value=judged_on)


def group_share(group: CaseGroup, survey: CorpusSurvey) -> float | None:
    """The share of the corpus that a group lists; None where the corpus is too small to say."""
    if survey.documents < SMALLEST_CORPUS:
        return None
    return len(set(group.ids)) / survey.documents
