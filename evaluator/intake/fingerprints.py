"""Fingerprints of ground truth and of runs: the content of each record, as bytes that are hashed.

The content is what an evaluation can depend on, in one form for all the ways to write it: ids are
text, texts are in the normal form of ``reading.content``, defaults are left out, a grade of 0 is a
document judged not relevant. The order of groups, of alternatives and of the keys of an object does
not matter, that of results does. Spans of documents count; texts count where the matcher looks at
more than ids: elsewhere, an id stands for its document. What was looked up in a corpus counts as if
it had been given. Reference answers, content hashes and the fingerprint of the corpus are not part
of it.
"""

import json
import math
from collections.abc import Callable, Mapping
from typing import Any

import orjson

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.reading.content import RecordsPrint, normalise_text
from groupwise.evaluator.reading.records import Records
from groupwise.schemas import (
    Alternative,
    Group,
    Id,
    Policies,
    Query,
    Result,
    RunQuery,
)
from groupwise.schemas.ids import text_of
from groupwise.schemas.reference import Reference, reference_of
from groupwise.schemas.result import RankedResults
from groupwise.schemas.values import as_list

Complete = Callable[[Reference], Reference]


class DataPrints:
    """The fingerprints of a source: of its ground truth, of its results, or of both.

    ``texts`` says whether texts count, ``complete`` adds to a document what a corpus has of it.
    ``corpora`` has the fingerprints of the corpora that the ground truth was judged on.
    """

    def __init__(self, *, texts: bool = False, complete: Complete | None = None) -> None:
        self._texts = texts
        self._complete = complete
        self.truths = RecordsPrint()
        self.results = RecordsPrint()
        self.corpora: set[str] = set()

    def read(
        self, records: Records, model: type[Query] | type[RunQuery], policies: Policies
    ) -> None:
        """Add the valid records of a source."""
        intake = Intake(records, model, policies, Problems())
        for model_ in intake.models():
            self._add_model(model_)
        self.add_corpus(intake.reading.head.get("corpus"))

    def merge(self, other: "DataPrints") -> None:
        """Add the records of another part of the source."""
        self.truths.merge(other.truths)
        self.results.merge(other.results)
        self.corpora |= other.corpora

    def add_corpus(self, corpus: object) -> None:
        """Add the fingerprint of a corpus, if this is one."""
        self.corpora |= {corpus} if isinstance(corpus, str) else set()

    def _add_model(self, model: Query | RunQuery) -> None:
        if isinstance(model, Query):
            self.truths.add_records([self._dump_query(model)])
            self.add_corpus(model.corpus)
        if isinstance(model, RankedResults):
            self.results.add_records([self._dump_results(model)])

    def _dump_results(self, model: Any) -> bytes:
        """Return the content of a ranking: ids and scores in order, and what else is known."""
        details: list[Any] = [
            _omit(**self._locate(result), **_measure(result)) or None for result in model.results
        ]
        scores = [*map(float, model.given_scores() or ())] or None
        return _dump(
            [model.id, [*map(text_of, model.ids())], scores, details if any(details) else None]
        )

    def _dump_query(self, query: Query) -> bytes:
        groups = [self._list_group(group) for group in query.ground_truth.groups]
        has_objects = any(isinstance(group[-1], dict) for group in groups if group)
        return _dump(
            {
                "id": query.id,
                "groups": sorted(groups, key=_dump if has_objects else None),
                "not_relevant": sorted({*map(text_of, query.judged_not_relevant())}) or None,
                "query": normalise_text(query.query or "") or None,
                "metadata": _simplify(query.metadata) or None,
            }
        )

    def _list_group(self, group: Group) -> list[Any]:
        """Return the alternatives in one order: ids, then objects, of which one is the head."""
        relevant = [alternative for alternative in group.alternatives if alternative.grade > 0]
        listed = [self._describe(alternative) for alternative in relevant]
        if head := _omit(weight=None if group.weight == 1 else group.weight, label=group.label):
            listed.append(head)
        objects = [content for content in listed if isinstance(content, dict)]
        ids = [content for content in listed if not isinstance(content, dict)]
        return [*sorted(ids), *sorted(objects, key=_dump)]

    def _describe(self, alternative: Alternative) -> Any:
        """Return an alternative as its id, or as an object where more is known."""
        grade = None if alternative.grade == 1 else alternative.grade
        more = _omit(grade=grade, **self._locate(alternative))
        document = text_of(alternative.id)
        return {"id": document, **more} if more else document

    def _locate(self, value: Id | Alternative | Result) -> dict[str, Any]:
        """Return the span, and the text if it counts."""
        found = reference_of(value)
        found = found if self._complete is None else self._complete(found)
        text = normalise_text(found.text) if self._texts and found.text is not None else None
        document = None if found.document is None else text_of(found.document)
        return {"text": text, "document": document, "start": found.start, "end": found.end}


def _measure(result: Id | Result) -> dict[str, Any]:
    if not isinstance(result, Result):
        return {}
    return {"tokens": result.tokens, "vector": result.vector}


def _omit(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _simplify(value: Any) -> Any:
    """Return free data in one form: no nulls in objects, whole numbers without a fraction."""
    value = as_list(value)
    if isinstance(value, Mapping):
        pairs = ((text_of(key), _simplify(content)) for key, content in value.items())
        return {key: content for key, content in pairs if content is not None}
    if isinstance(value, list | tuple):
        return [_simplify(part) for part in value]
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    return value


def _dump(content: Any) -> bytes:
    """Return JSON with sorted keys; what orjson rejects, such as lone surrogates, is escaped."""
    try:
        return orjson.dumps(content, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        return json.dumps(content, sort_keys=True, separators=(",", ":"), default=str).encode()
