"""Which alternatives of missed groups are in the corpus, in one reading of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.intake.documents import DocumentBatch, open_corpus
from groupwise.evaluator.matching.near_misses import (
    build_near,
    compare_ids,
    list_parts,
    squeeze,
)
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Id
from groupwise.schemas.explanation import NearMiss

TEXT = "text"
Key = Callable[[Id], Id]
DISJOINT = (
    "the corpus has neither the results nor the alternatives of missed groups: are these two id "
    "spaces? The corpus has {}, the results have {}"
)
KINDS = {str: "a string", int: "a whole number"}


def describe_other_kind(document: Id, kind: type) -> str:
    """Return the message about an id of a corpus that is of another kind than those of the data."""
    return (
        f"the id {quote_id(document)} is {KINDS[type(document)]}, while those of the ground truth "
        f"are each {KINDS[kind]}; use one kind, or ids='text' to compare all as strings"
    )


class CorpusIds:
    """The ids among those looked for that a corpus has, and other spellings of those it lacks.

    Ids from text without kinds, such as a list or a table, are compared as text. ``documents``
    counts all that the corpus has.
    """

    def __init__(
        self,
        wanted: Iterable[Id],
        corpus: Any,
        retrieved: Iterable[Id] = (),
        *,
        as_text: bool = False,
        key: Key | None = None,
    ) -> None:
        """Read the corpus once.

        Args:
            wanted: The ids to look for.
            corpus: The documents.
            retrieved: Some results; a corpus that has none of all these ids is another one.
            as_text: Whether all ids are compared as strings.
            key: What the matcher makes of an id; None: the id itself.

        Raises:
            InputError: It cannot be read, has no documents, ids of another kind, or only others.
        """
        self._key = key
        self._wanted = {*wanted} if key is None else {*map(key, wanted)}
        self._retrieved = {*retrieved} if key is None else {*map(key, retrieved)}
        self._is_known = not self._retrieved
        self._as_text = as_text
        self._found: set[Id] = set()
        self._forms: dict[str, list[str]] = {}
        self._parts: dict[str, list[str]] = {}
        for text in sorted(each for each in self._wanted if isinstance(each, str)):
            self._forms.setdefault(squeeze(text), []).append(text)
            for part in list_parts(text):
                self._parts.setdefault(part, []).append(text)
        self._near: dict[Id, list[str]] = {}
        self._texts: dict[Id, str] = {}
        self.documents = 0
        self._read(corpus)

    def _read(self, corpus: Any) -> None:
        documents = open_corpus(corpus)
        problems, example = Problems(), list[Id]()
        for batch in documents.batches(problems):
            self.documents += len(batch.ids)
            self._refuse_other_kind(batch, documents.name)
            ids = self._convert(batch)
            self._is_known = self._is_known or not self._retrieved.isdisjoint(ids)
            example = example if self._is_known else [min([*example, *batch.ids], key=str)]
            self._note(ids)
            self._keep_texts(ids, batch.texts or ())
        problems.raise_if_any()
        if not self.documents:
            raise InputError([Problem("no documents", documents.name)])
        if not self._is_known and not self._found and not self._near:
            shown = map(quote_id, (*example, min(self._retrieved, key=str)))
            raise InputError([Problem(DISJOINT.format(*shown), documents.name)])

    def _refuse_other_kind(self, batch: DocumentBatch, name: str) -> None:
        if self._as_text or not batch.typed or not self._wanted or self._key is not None:
            return
        gold = type(next(iter(self._wanted)))
        for number, document in enumerate(batch.ids):
            if type(document) is not gold:
                line, column = batch.place(number)
                message = describe_other_kind(document, gold)
                raise InputError([Problem(message, name, line or None, column or None)])

    def _convert(self, batch: DocumentBatch) -> list[Id]:
        """Return ids of the kind that is looked for."""
        if self._key is not None:
            return [*map(self._key, batch.ids)]
        if self._as_text:
            return [*map(str, batch.ids)]
        known = self._wanted | self._retrieved
        if not batch.typed and any(isinstance(each, int) for each in known):
            spelled = {str(each): each for each in known}
            return [spelled.get(str(document), document) for document in batch.ids]
        return batch.ids

    def _note(self, documents: list[Id]) -> None:
        self._found |= self._wanted.intersection(documents)
        for document in documents:
            if isinstance(document, str):
                for wanted in self._find_wanted(document):
                    self._near.setdefault(wanted, []).append(document)

    def _find_wanted(self, document: str) -> Iterator[str]:
        """Yield the ids looked for that a document may be meant with."""
        forms = self._forms.get(squeeze(document), ())
        yield from (wanted for wanted in forms if wanted != document)
        yield from self._parts.get(document, ())
        yield from (part for part in list_parts(document) if part in self._wanted)

    def _keep_texts(self, ids: list[Id], texts: Sequence[str | None]) -> None:
        for document, text in zip(ids, texts, strict=False):
            if text and document in self._wanted:
                self._texts[document] = text

    def find_changed(self, gold: Iterable[tuple[Id, str]]) -> Iterator[NearMiss]:
        """Yield the alternatives whose text in the corpus does not hold the text they had."""
        for alternative, text in gold:
            found = self._texts.get(alternative if self._key is None else self._key(alternative))
            if found is not None and squeeze(text) not in squeeze(found):
                yield build_near(alternative, None, alternative, (TEXT,))

    def has_any(self, alternatives: Iterable[Id]) -> bool:
        """Whether the corpus has any of these alternatives."""
        if self._key is not None:
            alternatives = map(self._key, alternatives)
        return not self._found.isdisjoint(alternatives)

    def find_near(self, alternatives: Iterable[Id]) -> Iterator[NearMiss]:
        """Yield documents of the corpus whose ids are near to these alternatives."""
        for alternative in alternatives if self._key is None else ():
            for document in sorted({*self._near.get(alternative, ())}):
                differences = compare_ids(document, str(alternative))
                if differences:
                    yield build_near(document, None, alternative, differences)
