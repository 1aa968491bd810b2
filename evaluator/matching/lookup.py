"""Ids that are looked up in a corpus: what a chunk says, and where in its document it is.

Most runs and many ground truths have ids alone, while the corpus has the chunks. Matchers of texts
and spans get what is missing from there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from typing import Any

from groupwise.evaluator.errors import InputError, Problem, Problems
from groupwise.evaluator.intake.documents import (
    AS_CORPUS,
    DocumentBatch,
    Documents,
    open_corpus,
)
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.corpus_ids import describe_other_kind
from groupwise.evaluator.matching.notes import MatchNotes
from groupwise.evaluator.matching.query_matcher import alternatives_of, results_of
from groupwise.evaluator.matching.registry import Matching
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Id, Reference
from groupwise.schemas.result import estimate_tokens

Parts = frozenset[str]
"""What of a chunk is looked up: its ``text``, its ``span``, or both."""
WITH_SPANS = AS_CORPUS._replace(texts=True)
LOOKED_UP = "results looked up"
ABSENT = "results not in the corpus"
NOT_IN_CORPUS = (
    "the alternative {id} has no {parts}, and is not in the corpus {corpus}; if that was chunked "
    "anew, groupwise remap moves the ground truth to it"
)


class Chunks:
    """A corpus, which is read when an id is looked up for the first time, and kept.

    Of each chunk only the parts that are asked for are kept.
    """

    def __init__(self, given: Any) -> None:
        """Open the corpus: whatever ``open_corpus`` takes.

        Raises:
            InputError: It is none of these, or a file that cannot be read.
        """
        self.given = given
        self.documents = open_corpus(given, options=WITH_SPANS)
        self._tables: dict[tuple[Parts, str | None], ChunkTable] = {}

    @property
    def count(self) -> int | None:
        """The number of chunks; None if none was looked up."""
        return next((len(table) for table in self._tables.values()), None)

    def table(self, parts: Parts, ids: str | None) -> "ChunkTable":
        """Return the chunks by id; with ``ids="text"`` all ids are strings.

        Raises:
            InputError: The corpus cannot be read, has no chunks, or different ones with one id.
        """
        key = parts, ids
        if key not in self._tables:
            self._tables[key] = ChunkTable(self.documents, parts, ids)
        return self._tables[key]


class ChunkTable:
    """The chunks of a corpus by id, as far as they are needed."""

    def __init__(self, documents: Documents, parts: Parts, ids: str | None) -> None:
        self.name = documents.name
        self._parts = parts
        self._by_id: dict[Id, Reference] = {}
        self._names: dict[Id | None, Id | None] = {}
        self._is_typed = True
        problems = Problems()
        for batch in documents.batches(problems, ids, spans=True):
            self._add(batch, problems)
        problems.raise_if_any()
        if not self._by_id:
            raise InputError([Problem("no documents", self.name)])

    def __len__(self) -> int:
        return len(self._by_id)

    def _add(self, batch: DocumentBatch, problems: Problems) -> None:
        self._is_typed = self._is_typed and batch.typed
        for number, reference in enumerate(map(self._cut, batch.references)):
            if self._by_id.setdefault(reference.id, reference) != reference:
                line, column = batch.place(number)
                message = f"the id {quote_id(reference.id)} has several contents; expected one"
                problems.add(
                    Problem(message, self.name, line or None, column or None, alike="repeated id")
                )

    def _cut(self, chunk: Reference) -> Reference:
        """Return a chunk without the parts that are not needed; documents share their names."""
        id_, text, document, start, end = chunk
        if "span" not in self._parts:
            return Reference(id_, text)
        document = self._names.setdefault(document, document)
        return Reference(id_, text if "text" in self._parts else None, document, start, end)

    def check_kind(self, example: Id) -> None:
        """Raise an InputError if ids of the corpus are numbers, and this is a string, or reversed.

        Ids from text without kinds, such as a table, may be either.
        """
        if not self._is_typed:
            return
        for document in self._by_id:
            if isinstance(document, str) != isinstance(example, str):
                raise InputError([Problem(describe_other_kind(document, type(example)), self.name)])

    def find(self, document: Id) -> Reference | None:
        """Return the chunk with this id; None if there is none."""
        found = self._by_id.get(document)
        if found is None and not self._is_typed and not isinstance(document, str):
            found = self._by_id.get(str(document))
            found = None if found is None else found._replace(id=document)
        return found

    def find_all(self, documents: Sequence[Id]) -> list[Reference | None]:
        """Return the chunks with these ids."""
        if self._is_typed:
            return [*map(self._by_id.get, documents)]
        return [*map(self.find, documents)]

    def list_chunks(self) -> list[Reference]:
        """Return all chunks."""
        return [*self._by_id.values()]

    def example(self) -> Id:
        """Return an id, the same whatever the order of the corpus."""
        return min(self._by_id, key=str)


class Lookup:
    """Completes alternatives and results that have ids alone; counts those it does not find."""

    def __init__(
        self,
        chunks: Chunks,
        parts: Parts,
        ids: str | None = None,
        characters_per_token: float | None = None,
    ) -> None:
        """Look up these parts.

        Args:
            chunks: The corpus.
            parts: What of each chunk is needed.
            ids: ``"text"`` compares all ids as strings.
            characters_per_token: If given, tokens are estimated from the texts.
        """
        self._characters_per_token = characters_per_token
        self.notes = MatchNotes()
        self.corpus = chunks.given
        self._open = partial(chunks.table, parts, ids)
        self._parts = parts
        self._is_checked = False

    @cached_property
    def _table(self) -> ChunkTable:
        return self._open()

    def fill(self, rows: Rows) -> Rows:
        """Return the rows with what the corpus knows of their alternatives and results."""
        count = range(len(rows))
        self._check_kinds(rows)
        truths = [
            [[*map(self.complete, group)] for group in alternatives_of(rows, row)] for row in count
        ]
        results = [self._fill_results(rows, row) for row in count] if rows.results else []
        filled = replace(rows, truth_references=[*truths], result_references=[*results])
        return filled if self._characters_per_token is None else self._estimate_tokens(filled)

    def _estimate_tokens(self, rows: Rows) -> Rows:
        """Return the rows with tokens for the results whose texts are known."""
        given = rows.tokens or [None] * len(rows)
        found = [self._count_tokens(results or []) for results in rows.result_references]
        return replace(rows, tokens=[own or new for own, new in zip(given, found, strict=False)])

    def _count_tokens(self, results: list[Reference]) -> list[int] | None:
        texts = [result.text for result in results if result.text is not None]
        if self._characters_per_token is None or len(texts) < len(results):
            return None
        return [estimate_tokens(text, self._characters_per_token) for text in texts]

    def _check_kinds(self, rows: Rows) -> None:
        if not self._is_checked:
            self._is_checked = True
            for example in _list_examples(rows):
                self._table.check_kind(example)

    def _fill_results(self, rows: Rows, row: int) -> list[Reference]:
        given = rows.result_references[row] if rows.result_references else None
        if given is not None:
            found: list[Reference | None] = [*map(self.complete, given)]
        else:
            given = results_of(rows, row)
            found = self._table.find_all(rows.results[row])
        self._count(rows.ids[row], given)
        return [one or bare for one, bare in zip(found, given, strict=True)]

    def _count(self, query: str, given: list[Reference]) -> None:
        bare = [reference for reference in given if self._is_bare(reference)]
        self.notes.counts[LOOKED_UP] += len(bare)
        for reference in bare:
            if self._table.find(reference.id) is None:
                self.notes.count(ABSENT, query, quote_id(reference.id))

    def _is_bare(self, reference: Reference) -> bool:
        """Whether a reference has none of the parts that are needed."""
        has_text = "text" in self._parts and reference.text is not None
        return not has_text and not ("span" in self._parts and None not in reference[2:])

    def complete(self, reference: Reference) -> Reference:
        """Return a reference with what it lacks; what it has stays."""
        found = self._table.find(reference.id)
        if found is None:
            return reference
        text = found.text if reference.text is None else reference.text
        is_placed = None not in reference[2:] or None in found[2:]
        return Reference(reference.id, text, *(reference if is_placed else found)[2:])

    def take_notes(self) -> MatchNotes:
        """Return what was counted since the last call."""
        notes, self.notes = self.notes, MatchNotes()
        return notes

    def find_problems(self, rows: Rows, matching: Matching) -> Iterator[Problem]:
        """Yield what filled rows lack that the matcher cannot do without.

        A result that is not in the corpus meets nothing, which is counted. An alternative that is
        not in it could never be met, which would be a wrong score.
        """
        known = []
        for row, query in enumerate(rows.ids):
            listed = (each for group in alternatives_of(rows, row) for each in group)
            absent = [each for each in listed if self._is_absent(each)]
            if absent:
                yield self._describe_absent(absent[0], query)
            else:
                known.append(row)
        rows = rows.only(known)
        found: list[list[Reference] | None] = [
            [each for each in results_of(rows, row) if not self._is_absent(each)]
            for row in range(len(rows))
        ]
        yield from matching.find_problems(replace(rows, result_references=found))

    def _describe_absent(self, alternative: Reference, query: str) -> Problem:
        message = NOT_IN_CORPUS.format(
            id=quote_id(alternative.id),
            parts=" or ".join(sorted(self._parts)),
            corpus=self._table.name,
        )
        return Problem(message, query=query, alike="alternative not in the corpus")

    def _is_absent(self, reference: Reference) -> bool:
        return self._is_bare(reference) and self._table.find(reference.id) is None

    def describe_disjoint(self, notes: MatchNotes | None) -> Problem | None:
        """Return the problem that no result was found in the corpus, if that is so."""
        absent = notes.counts[ABSENT] if notes else 0
        if notes is None or not absent or absent < notes.counts[LOOKED_UP]:
            return None
        gold, found = quote_id(self._table.example()), notes.examples[ABSENT][1]
        message = "none of the results is in the corpus: are these two id spaces?"
        return Problem(
            f"{message} The corpus has {gold}, the results have {found}", self._table.name
        )


def _list_examples(rows: Rows) -> Iterator[Id]:
    """Yield an id of the ground truth, and one of the results."""
    count = range(len(rows))
    truths = (group[0].id for row in count for group in alternatives_of(rows, row) if group)
    results = (ranking[0] for ranking in rows.results if len(ranking))
    yield from islice(truths, 1)
    yield from islice(results, 1)
