"""From the chunks of one corpus to those of another that hold the same text."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, partial

from groupwise.evaluator.errors import Problems
from groupwise.evaluator.passages.by_span import SpanIndex, place_of, trim
from groupwise.evaluator.passages.by_text import Stand, TextFinder
from groupwise.evaluator.passages.chunks import describe_repeated
from groupwise.evaluator.passages.index import FORM, WORD_LETTERS, PassageIndex, fold_letters
from groupwise.evaluator.passages.landing import Landing
from groupwise.evaluator.passages.layout import Layout
from groupwise.evaluator.passages.text_search import locate
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Id
from groupwise.schemas.ids import text_of
from groupwise.schemas.reference import Reference

DIGITS = re.compile(r"(\d+)")
NOTHING = Landing((), 0.0)
TOO_SHORT = (
    "its text is in no new chunk; texts of fewer than "
    f"{WORD_LETTERS} letters are looked for as whole words only"
)


class ChunkMover:
    """Finds the new chunks that hold what an old chunk, or a part of it, says."""

    def __init__(self, chunks: Sequence[Reference]) -> None:
        """Prepare for these new chunks, in any order."""
        self.chunks = sorted(chunks, key=_order)
        self.numbers = {chunk.id: number for number, chunk in enumerate(self.chunks)}
        self._spans = SpanIndex(self.chunks)
        self._same: set[Id] = set()
        self._all_old: list[Reference] = []
        self._old: dict[Id, Reference] = {}
        self.has_other_kind = False
        self._known: dict[tuple[bool, Reference], Landing] = {}

    @cached_property
    def _texts(self) -> TextFinder:
        return TextFinder(PassageIndex(self.chunks))

    def note_old(
        self, chunks: Iterable[Reference], wanted: Mapping[str, Id], name: str = "the old corpus"
    ) -> None:
        """Note the old chunks: those that are wanted, by their ids as text, and those not changed.

        A chunk without text and place says nothing that could be compared.

        Raises:
            InputError: Several chunks have an id that is wanted.
        """
        problems = Problems()
        self._all_old = [*chunks]
        for chunk in self._all_old:
            number = self.numbers.get(chunk.id)
            says_something = chunk.text is not None or place_of(chunk) is not None
            if number is not None and says_something and self.chunks[number] == chunk:
                self._same.add(chunk.id)
            if (given := wanted.get(text_of(chunk.id))) is not None:
                if self._old.setdefault(given, chunk) != chunk:
                    problems.add(describe_repeated(chunk.id, name))
                self.has_other_kind |= type(given) is not type(chunk.id)
        problems.raise_if_any()

    def has_old(self, given: Id) -> bool:
        """Whether the old corpus has a chunk."""
        return given in self._old

    def move(self, alternative: Reference) -> Landing:
        """Return where an alternative lands, by its own text or span, else by that of its chunk.

        A chunk that has not changed stays. Others that have not changed are not added to it: who
        judged the old corpus could have listed them.
        """
        old = self._old.get(alternative.id)
        is_same = old is not None and old.id in self._same
        passage = _find_passage(alternative, old)
        if passage is None:
            return NOTHING._replace(reason=self._explain_nothing(alternative, old))
        key = is_same, passage._replace(id=alternative.id if is_same else 0)
        if key not in self._known:
            keep = self._keep(passage, old) if old is not None and is_same else None
            self._known[key] = keep or self._find(passage, old)
        return self._known[key]

    def _keep(self, passage: Reference, old: Reference) -> Landing:
        """Return the landing of a passage whose chunk has not changed: it, and new ones."""
        own = self.numbers[old.id]
        alone = Landing((own,), 1.0, "id", largest=own, place=trim(passage))
        if len(self._same) == len(self.chunks):
            return alone
        found = self._find(passage, old)
        if found.coverage < 1 or found.is_split or found.reason:
            return alone
        more = [number for number in found.chunks if self.chunks[number].id not in self._same]
        return alone._replace(chunks=(own, *more))

    def _find(self, passage: Reference, old: Reference | None) -> Landing:
        """Return where a passage lands: by its place, by text in its document, or anywhere."""
        landings = [found for found in [self._spans.find(passage)] if found is not None]
        text = passage.text
        if text is not None and not any(found.is_found for found in landings):
            among = self._texts.index.of_document(passage.document)
            stood = partial(self._find_stand, passage, old)
            found = self._texts.find(text, "document", among, stood) if among else None
            landings += [found] if found else []
            if found is None or not found.is_found:
                found = self._texts.find(text, "corpus", stood=stood)
                landings += [found] if found else []
        best = max(landings, key=lambda found: (found.is_found, found.coverage), default=NOTHING)
        return best if best.is_found else self._give_up(passage, best)

    def _find_stand(self, passage: Reference, old: Reference | None) -> Stand | None:
        """Return where a passage stood in the old corpus, if its chunk is there."""
        if old is None or old.text is None or passage.text is None:
            return None
        place, within = self._old_places.get(old.id), _find_within(passage.text, old.text)
        return None if place is None or within < 0 else Stand(old.document, place + within)

    @cached_property
    def _old_places(self) -> dict[Id, int]:
        """Where each old chunk begins in its document; empty if their order is not known."""
        chunks = sorted(self._all_old, key=_order)
        layout = Layout(chunks, (fold_letters(chunk.text or "") for chunk in chunks))
        if not layout.is_known:
            return {}
        return {chunk.id: layout.within(number) for number, chunk in enumerate(chunks)}

    def _give_up(self, passage: Reference, best: Landing) -> Landing:
        if best.chunks:
            nearest = quote_id(self.chunks[best.largest].id)
            share = f"the new chunks hold {best.coverage:.0%} of it at most, the nearest is"
            return Landing((), best.coverage, reason=f"{share} {nearest}")
        if passage.text is None:
            return NOTHING._replace(reason="no new chunk is at its place, and its text is unknown")
        if not fold_letters(passage.text):
            return NOTHING._replace(reason="its text has no letters or digits to look for")
        if len(fold_letters(passage.text)) < WORD_LETTERS:
            return NOTHING._replace(reason=TOO_SHORT)
        return NOTHING._replace(reason="its text is in no new chunk")

    def _explain_nothing(self, alternative: Reference, old: Reference | None) -> str:
        if old is not None:
            return "its old chunk has neither text nor document, start and end"
        hint = ", but in the new one" if alternative.id in self.numbers else ""
        return f"it is not in the old corpus{hint}"


def _find_within(text: str, around: str) -> int:
    return fold_letters(around).find(fold_letters(text))


def _order(chunk: Reference) -> tuple[bool, str, int, list[tuple[int, str]]]:
    """Return the key that sorts chunks by place, then by id with numbers as numbers."""
    document = "" if chunk.document is None else text_of(chunk.document)
    parts = DIGITS.split(text_of(chunk.id))
    spelled = [(int(part[:18]) if at % 2 else 0, part) for at, part in enumerate(parts)]
    return chunk.document is None, document, chunk.start or 0, spelled


def _find_passage(alternative: Reference, old: Reference | None) -> Reference | None:
    """Return what to look for: the excerpt that an alternative carries, or its chunk."""
    if place_of(alternative) is not None:
        return _with_text(alternative, old)
    if alternative.text is not None:
        return _with_place(alternative, old)
    if old is None or (old.text is None and place_of(old) is None):
        return None
    return old


def _with_text(excerpt: Reference, old: Reference | None) -> Reference:
    """Return an excerpt with its text, if its chunk has it."""
    if excerpt.text is not None or old is None or old.text is None:
        return excerpt
    place, around = place_of(excerpt), place_of(old)
    if place is None or around is None or place.document != around.document:
        return excerpt
    is_within = around.start <= place.start and place.end <= around.end
    if not is_within or len(old.text) != around.end - around.start:
        return excerpt
    text = old.text[place.start - around.start : place.end - around.start]
    return excerpt._replace(text=text)


def _with_place(excerpt: Reference, old: Reference | None) -> Reference:
    """Return an excerpt with its place, if its chunk has one and holds it once."""
    if old is None or old.document is None:
        return excerpt
    known = excerpt._replace(document=old.document)
    place, text = place_of(old), old.text or ""
    letters, held = fold_letters(excerpt.text or ""), fold_letters(text)
    if place is None or len(text) != place.end - place.start or held.count(letters) != 1:
        return known
    found = locate(text, FORM, held.index(letters), len(letters)) if letters else None
    if found is None:
        return known
    start, end = found
    return Reference(
        excerpt.id, text[start:end], old.document, place.start + start, place.start + end
    )
