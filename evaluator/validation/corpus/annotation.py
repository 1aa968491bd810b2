"""Content hashes and the fingerprint of the corpus in the text of a data set.

``validate`` compares them with the current corpus (CP002, CP003). Only members named ``hashes`` and
``corpus`` are added or replaced; all other characters stay.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.formats.opening import open_editable, records_in
from groupwise.evaluator.inspection.refusals import Refused, explain_refusals
from groupwise.evaluator.intake.check import Intake
from groupwise.evaluator.intake.problems import read_head
from groupwise.evaluator.reading.detection import detect_roles
from groupwise.evaluator.reading.editing import Edit, apply_edits, find_records, set_members
from groupwise.evaluator.reading.records import JsonForm, Reading, Records
from groupwise.evaluator.reading.scan import decode_value
from groupwise.evaluator.reading.text_file import MARK, TextFile
from groupwise.evaluator.validation.corpus.survey import CorpusSurvey, survey
from groupwise.evaluator.validation.facts.case import CaseReader
from groupwise.evaluator.validation.facts.hashes import hash_all
from groupwise.evaluator.validation.facts.request import TextIds
from groupwise.schemas import Id, Query
from groupwise.schemas.fixture import RECORDS


def survey_corpus(
    corpus: Any, gold: frozenset[Id] = frozenset(), ids: TextIds = None
) -> CorpusSurvey:
    """Return the survey of a corpus for the ids of a ground truth.

    Raises:
        InputError: The corpus cannot be read, or holds something that is not a document.
    """
    hashes = np.unique(hash_all(gold))
    found = survey(corpus, hashes, next(map(type, gold), None), near=False, ids=ids)
    if found.problem_count:
        raise InputError(found.problems, found.problem_count)
    return found


@dataclass
class Annotation:
    """A data set with the hashes of its documents: the file, and its text after.

    ``missing`` has the gold ids that are not in the corpus, each with a query that lists it.
    """

    survey: CorpusSurvey
    file: TextFile
    new: str = ""
    missing: dict[Id, str] = field(default_factory=dict)

    @property
    def has_changed(self) -> bool:
        """Whether the text is not what it was."""
        return self.new != self.file.text

    def annotate_text(self, form: JsonForm) -> None:
        """Annotate the text."""
        text = self.file.text
        mark = MARK if text.startswith(MARK) else ""
        body = text.removeprefix(MARK)
        self.new = mark + apply_edits(body, self._list_edits(body, form))

    def _list_edits(self, text: str, form: JsonForm) -> Iterator[Edit]:
        has_head = False
        for place in find_records(text, form):
            has_head = has_head or place.query is None
            values: Mapping[str, Any] = {"corpus": self.survey.fingerprints[0]}
            if place.query is not None:
                record = decode_value(text, place.start)
                values = self._choose_members(place.query, record, has_head=has_head)
            yield from set_members(text, place.start, values)

    def _choose_members(
        self, query: str, record: Mapping[str, Any], *, has_head: bool
    ) -> dict[str, Any]:
        """Return the members of a record; where a fixture has a head, that names the corpus."""
        gold = list_gold_ids(record)
        values: dict[str, Any] = {}
        if gold or "hashes" in record:
            hashes = {str(document): self._find_hash(document, query) for document in gold}
            values["hashes"] = {document: known for document, known in hashes.items() if known}
        if not has_head or "corpus" in record:
            values["corpus"] = self.survey.fingerprints[0]
        return values

    def _find_hash(self, document: Id, query: str) -> str | None:
        key = self.survey.key(document)
        if key in self.survey.missing:
            self.missing.setdefault(document, query)
        return self.survey.contents.get(key, (None,))[0]


def annotate(path: str | os.PathLike[str], corpus: Any, *, ids: TextIds = None) -> Annotation:
    """Return the text of a data set with the hashes of its documents; nothing is written.

    Args:
        path: The data set or fixture, in JSON or JSON Lines.
        corpus: The documents that it was judged on, with their texts.
        ids: ``"text"`` compares all ids as strings.

    Raises:
        InputError: The data set or the corpus is invalid, has no place for hashes, or no texts.
    """
    editable = open_editable(path)
    if editable is None:
        name = os.fspath(path)
        raise InputError([Problem(_NO_JSON.format(name=name), name)])
    with explain_refusals([Refused(path)]):
        gold, policy = _read_gold_ids(records_in(editable.file.source), ids)
    found = survey_corpus(corpus, gold, policy)
    if not found.texts:
        message = "the corpus has no texts (text, contents, content, page_content) to hash"
        raise InputError([Problem(message, found.name)])
    annotation = Annotation(found, editable.file)
    annotation.annotate_text(editable.form)
    return annotation


_NO_JSON = (
    "hashes are written into JSON and JSON Lines only; "
    "convert the data set first: groupwise convert {name} OUT.jsonl"
)
_NO_PLACE = (
    "a map of ground truths by query id has no place for hashes; "
    'write records: {"id": …, "ground_truth": …}'
)


def _read_gold_ids(records: Records, ids: TextIds) -> tuple[frozenset[Id], TextIds]:
    """Return the gold ids of a sound data set, and how ids are compared."""
    reading, gold = Reading(), set[Id]()
    model: Any = None
    for batch in records.batches(reading):
        if batch.keys is not None and not all(isinstance(value, dict) for value in batch.values):
            raise InputError([Problem(_NO_PLACE, records.name)])
        for number, record in enumerate(batch.values):
            model = model or RECORDS.get(detect_roles(record) | {"ground_truth"})
            gold.update(list_gold_ids(record, batch.keys[number] if batch.keys else None))
    policies = read_head(reading, records.name).policies
    policies = policies.model_copy(update={"ids": ids or policies.ids})
    problems = Problems()
    for _ in Intake(records, model or Query, policies, problems).rows():
        pass
    problems.raise_if_any()
    return frozenset(map(str, gold) if policies.ids == "text" else gold), policies.ids


def list_gold_ids(record: Any, key: str | None = None) -> list[Id]:
    """Return the ids of a ground truth, each once, in the order listed; also of a flat list."""
    case = CaseReader(flat="any").read(record, key)
    return list(dict.fromkeys(listed.id for listed in case.listed))
