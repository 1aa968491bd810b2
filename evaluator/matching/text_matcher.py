"""Texts: a result meets an alternative whose text it contains, or enough of it.

Chunks may be cut anew and get other ids: what they say stays the same.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Annotated, Any, Literal, NamedTuple

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.evidence import Evidence
from groupwise.evaluator.matching.matcher import Hit
from groupwise.evaluator.matching.notes import MatchNotes
from groupwise.evaluator.matching.query_matcher import (
    ReferenceMatcher,
    alternatives_of,
    results_of,
)
from groupwise.evaluator.passages.text_search import (
    BREAK,
    JoinedTexts,
    TextForm,
    cut_shingles,
    is_unspaced,
    locate,
)
from groupwise.evaluator.plugins.parameters import Between
from groupwise.evaluator.text import quote_id
from groupwise.schemas.reference import Reference

NEEDED = 'matching by text needs the text of each, as in {"id": "c7", "text": "…"}'
NO_RAPIDFUZZ = "method=fuzzy needs rapidfuzz: pip install 'groupwise[text]'"
LEAST_SHINGLES = 6
"""A text with fewer must be contained: some words in common say too little."""

Share = Annotated[float, Between(0, 1)]
Size = Annotated[int, Between(1, 50)]


class Likeness(NamedTuple):
    """How a text is like another one: the method that was tried last, and the share in common."""

    how: str
    overlap: float
    met: bool


CONTAINED = Likeness("contained", 1.0, met=True)


class TextMatcher(ReferenceMatcher):
    """A result meets an alternative whose text it contains, or enough shingles of it.

    Texts are compared in a normal form: ``unicode``, ``case``, ``space`` (``one``: a run of white
    space is one space; ``ignore``: there is none) and ``punctuation``. ``method=contain`` looks for
    the whole text only. ``method=shingles`` also accepts results that have at least ``threshold``
    of the distinct runs of ``words`` words of the text; scripts without spaces have runs of
    ``characters`` characters. ``method=fuzzy`` also accepts results with a part whose similarity
    (rapidfuzz) is at least ``ratio``, and looks at those alone that share a shingle. With
    ``whole_words`` a text is not found within a word.
    """

    compares = ("text",)

    def __init__(  # noqa: PLR0913  (options, all by keyword)
        self,
        depth: int | None = None,
        budgets: Sequence[int] = (),
        *,
        method: Literal["contain", "shingles", "fuzzy"] = "shingles",
        threshold: Share = 0.5,
        ratio: Share = 0.9,
        words: Size = 3,
        characters: Size = 4,
        whole_words: bool = True,
        case: Literal["fold", "keep"] = "fold",
        unicode: Literal["NFKC", "NFC", "keep"] = "NFKC",
        punctuation: Literal["keep", "ignore"] = "keep",
        space: Literal["one", "ignore"] = "one",
    ) -> None:
        """Look at the first ``depth`` results; None: all.

        Raises:
            ValueError: rapidfuzz is needed, and not installed.
        """
        super().__init__(depth, budgets)
        self.notes = MatchNotes()
        self.form = TextForm(case, unicode, punctuation, space)
        self.whole_words = whole_words and space == "one"
        self.threshold = threshold
        self.ratio = ratio
        self.sizes = words, characters
        self.method = method
        self._fuzz = _load_rapidfuzz() if method == "fuzzy" else None

    def match(self, groups: list[list[Reference]], results: list[Reference]) -> Iterator[Hit]:
        """Yield the hits of a query."""
        texts = self._join(results)
        for group, place, wanted in self._list_wanted(groups):
            for number, likeness in self._compare(wanted, texts, len(results)):
                if likeness.met:
                    yield number + 1, group, place

    def explain(
        self, groups: list[list[Reference]], results: list[Reference]
    ) -> Iterator[Evidence]:
        """Yield which results have a text or some of it, how much, and where."""
        texts = self._join(results)
        for group, place, wanted in self._list_wanted(groups):
            for number, likeness in self._compare(wanted, texts, len(results), near=True):
                how, overlap, met = likeness
                where = self._locate(how, wanted, results[number].text or "")
                yield Evidence(number + 1, group, place, met, how, overlap, *where)

    def document_of(self, alternative: Reference) -> Hashable:
        """Return the text: alternatives with the same one are the same document."""
        return alternative.id if alternative.text is None else ("text", alternative.text)

    def _join(self, results: list[Reference]) -> JoinedTexts:
        return JoinedTexts.join([result.text or "" for result in results], self.form)

    def _list_wanted(self, groups: list[list[Reference]]) -> Iterator[tuple[int, int, str]]:
        """Yield group, place and normal form of each alternative that has a text."""
        for group, alternatives in enumerate(groups):
            for place, alternative in enumerate(alternatives):
                if alternative.text is not None:
                    yield group, place, self._normalise(alternative)

    def _normalise(self, alternative: Reference) -> str:
        normal = self.form.apply((alternative.text or "").replace(BREAK, " "))
        if not normal:
            message = f"nothing is left of the text of the alternative {quote_id(alternative.id)}"
            raise InputError([Problem(f"{message}: it is blank, or punctuation that is ignored")])
        return normal

    def _compare(
        self, wanted: str, texts: JoinedTexts, count: int, *, near: bool = False
    ) -> Iterator[tuple[int, Likeness]]:
        """Yield the numbers of texts that have a text or some of it; ``near``: or any of it."""
        containing = {*self._find_containing(wanted, texts)}
        yield from ((number, CONTAINED) for number in sorted(containing))
        if self._fuzz is not None:
            self.notes.counts["pairs"] += count
            self.notes.counts["compared fuzzily"] += 0
        if (self.method != "contain" or near) and len(containing) < count:
            yield from self._compare_shingles(wanted, texts, containing, near=near)

    def _find_containing(self, wanted: str, texts: JoinedTexts) -> Iterator[int]:
        if is_unspaced(wanted):
            return texts.unspaced.find(wanted.replace(" ", ""))
        return texts.find(wanted, whole_words=self.whole_words)

    def _compare_shingles(
        self, wanted: str, texts: JoinedTexts, known: set[int], *, near: bool
    ) -> Iterator[tuple[int, Likeness]]:
        """Yield other texts that share a shingle; only these are compared fuzzily."""
        shingles = cut_shingles(wanted, *self.sizes)
        size, least = len(shingles.runs), self._find_least(len(shingles.runs))
        wants_any = near or self._fuzz is not None
        if least > size and not wants_any:
            return
        for number, count in sorted(
            shingles.count_in(texts, least=1 if wants_any else least).items()
        ):
            if number not in known:
                likeness = Likeness("shingles", count / size, met=count >= least)
                yield number, self._compare_fuzzily(wanted, texts, number, likeness)

    def _find_least(self, size: int) -> int:
        """Return how many of so many shingles are enough; more than there are if none are."""
        if size < LEAST_SHINGLES or self.method == "contain":
            return size + 1
        return bisect_left(range(1, size + 1), self.threshold, key=lambda count: count / size) + 1

    def _compare_fuzzily(
        self, wanted: str, texts: JoinedTexts, number: int, likeness: Likeness
    ) -> Likeness:
        """Return how alike a text is that has not enough shingles, if that is asked for."""
        if self._fuzz is None or likeness.met:
            return likeness
        self.notes.counts["compared fuzzily"] += 1
        text = texts.part(number)
        # A text shorter than what is wanted would be found within it.
        compare = self._fuzz.partial_ratio if len(text) > len(wanted) else self._fuzz.ratio
        ratio = compare(wanted, text) / 100
        return Likeness("fuzzy", ratio, met=True) if ratio >= self.ratio else likeness

    def _locate(self, how: str, wanted: str, text: str) -> tuple[int, int] | tuple[None, None]:
        """Return where a text has what is wanted, or its first and last shingle in common."""
        if how == "contained":
            form, runs = self.form, [wanted]
        else:
            form, runs = (
                replace(self.form, punctuation="ignore"),
                cut_shingles(wanted, *self.sizes).runs,
            )
        if is_unspaced(wanted):
            form, runs = replace(form, space="ignore"), [run.replace(" ", "") for run in runs]
        normal = form.apply_joined(text)
        found = [
            (at, at + len(run)) for run in map(str.strip, runs) if (at := normal.find(run)) >= 0
        ]
        if not found:
            return None, None
        start, end = min(found)[0], max(end for _, end in found)
        return locate(text, form, start, end - start) or (None, None)

    @staticmethod
    def find_problems(rows: Rows) -> Iterator[Problem]:
        """Yield the first alternative or result of each query that has no text."""
        for row, query in enumerate(rows.ids):
            listed = chain.from_iterable(alternatives_of(rows, row))
            lacking = [("alternative", one.id) for one in listed if not (one.text or "").strip()]
            lacking += [("result", one.id) for one in results_of(rows, row) if one.text is None]
            for noun, document in lacking[:1]:
                message = f"the {noun} {quote_id(document)} has no text; {NEEDED}"
                yield Problem(message, query=query, alike=f"{noun} without text")


def _load_rapidfuzz() -> Any:
    """Return the functions of rapidfuzz.

    Raises:
        ValueError: It is not installed.
    """
    try:
        from rapidfuzz import fuzz  # noqa: PLC0415
    except ImportError:
        raise ValueError(NO_RAPIDFUZZ) from None
    return fuzz
