"""Near misses by id: documents whose ids nearly are those of a group that is not met.

Only what is certain is said: an id differs in case, white space or Unicode form; it has a prefix
that the other has not (``kb/doc-1``); it names a chunk and the other its document, or another chunk
of the same document, where ids are written as ``document#chunk`` or ``document::chunk``.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from groupwise.schemas import Id
from groupwise.schemas.explanation import NearMiss

MOST = 3
"""At most this many near misses are named for a group."""
CASE, SPACE, UNICODE, PREFIX, PART, CHUNK = (
    "case", "space", "unicode", "prefix", "part", "chunk"
)  # fmt: skip
DIFFERENCES = (
    (SPACE,), (UNICODE,), (CASE,), (CASE, SPACE), (CASE, UNICODE), (SPACE, UNICODE),
    (CASE, SPACE, UNICODE),
)  # fmt: skip
"""The ways in which two spellings of an id may differ, the smallest first."""
FARNESS: dict[tuple[str, ...], int] = {(PREFIX,): 1, (PART,): 1, (CHUNK,): 2}
"""Other spellings of an id are nearer."""
SEPARATOR = "|"
PREFIX_ENDS = ("/", ":")
SHORTEST_NUMBER = 3
"""A shorter number is no id that a prefix could be added to: it may be a page or a chunk."""
SPACES = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f"
"""The white space of ASCII, as ``str.split`` sees it."""


class NearFinder:
    """Looks for near misses among the results of a query that meet no group.

    Most alternatives have none: whether any result can be one is seen in the joined text of all.
    """

    def __init__(self, results: Sequence[Id], find_hits: Callable[[], Collection[int]]) -> None:
        """Look among these results; the ranks of hits are asked for if there are candidates."""
        self._results = results
        self._find_hits = find_hits
        texts = results if _are_texts(results) else [each for each in results if is_text(each)]
        self._text = SEPARATOR.join(["", *texts, ""])  # type: ignore[list-item]
        self._is_spaced = _has_spaces(self._text)
        self._folded = squeeze(self._text) if self._is_spaced else self._text.lower()

    def find(self, alternatives: Iterable[Id]) -> list[NearMiss]:
        """Return the nearest results to the alternatives of a group, the nearest first."""
        texts = [each for each in alternatives if isinstance(each, str)]
        wanted = [each for each in texts if self._may_have(each)]
        found = [near for alternative in wanted for near in self._compare(alternative)]
        found.sort(key=lambda near: (FARNESS.get(near.differs_in, 0), near.rank, near.alternative))
        return found[:MOST]

    def _may_have(self, alternative: str) -> bool:
        """Whether a result may be near to an alternative."""
        form = squeeze(alternative)
        if (form if self._is_spaced else f"{SEPARATOR}{form}{SEPARATOR}") in self._folded:
            return True
        if alternative in self._text:
            return True
        return any(part in self._text for part in list_parts(alternative))

    def _compare(self, alternative: str) -> Iterator[NearMiss]:
        hits, document = self._find_hits(), find_document(alternative)
        for rank, result in enumerate(self._results, 1):
            if rank in hits or not isinstance(result, str):
                continue
            if differences := compare_ids(result, alternative):
                yield build_near(result, rank, alternative, differences)
            elif document is not None and find_document(result) == document:
                yield build_near(result, rank, alternative, (CHUNK,))


def _has_spaces(text: str) -> bool:
    """Whether a text may have white space, or signs that are not ASCII."""
    if not text.isascii():
        return True
    for space in SPACES:  # noqa: SIM110  (a loop is faster than any, and isprintable slower)
        if space in text:
            return True
    return False


def _are_texts(ids: Sequence[Id]) -> bool:
    return not ids or isinstance(ids[0], str)


def is_text(value: object) -> bool:
    """Whether an id is a string."""
    return isinstance(value, str)


def build_near(
    document: Id, rank: int | None, alternative: Id, differences: tuple[str, ...]
) -> NearMiss:
    """Return a near miss by its id."""
    return NearMiss.model_construct(
        id=document, rank=rank, alternative=alternative, differs_in=differences
    )


def squeeze(text: str) -> str:
    """Return the text without case, white space and differences of Unicode forms.

    >>> squeeze(" Doc 1")
    'doc1'
    """
    folded = text.lower() if text.isascii() else _normalise(text, (CASE, UNICODE))
    return "".join(folded.split())


def compare_ids(first: str, second: str) -> tuple[str, ...]:
    """Return what two ids differ in that may be meant for the same document; else nothing.

    >>> compare_ids("kb/doc-1", "doc-1"), compare_ids("doc-1#3", "doc-1")
    (('prefix',), ('part',))
    """
    if spelling := compare_spellings(first, second):
        return spelling
    short, long = sorted((first, second), key=len)
    if short != long and short in list_parts(long):
        return (PREFIX,) if long.endswith(short) else (PART,)
    return ()


def list_parts(text: str) -> list[str]:
    """Return what an id is without its prefixes, or without its chunk.

    >>> list_parts("kb/a/doc-1"), list_parts("doc-1#3"), list_parts("kb/doc-1#3")
    (['a/doc-1', 'doc-1'], ['doc-1'], ['kb/doc-1', 'doc-1#3'])
    """
    document = find_document(text)
    found = [] if document is None else [document.removesuffix("#").removesuffix("::")]
    if "/" not in text and ":" not in text:
        return found
    tails = [text[place + 1 :] for place, sign in enumerate(text) if sign in PREFIX_ENDS]
    return found + [tail for tail in tails if tail.strip("/: ") and not _is_short_number(tail)]


def _is_short_number(text: str) -> bool:
    return text.isdigit() and len(text) < SHORTEST_NUMBER


def compare_spellings(first: str, second: str) -> tuple[str, ...]:
    """Return what two spellings of an id differ in; nothing if they are equal, or other ids.

    >>> compare_spellings("DOC-1 ", "doc-1"), compare_spellings("doc-1", "doc-2")
    (('case', 'space'), ())
    """
    if first == second or squeeze(first) != squeeze(second):
        return ()
    for differences in DIFFERENCES:
        if _normalise(first, differences) == _normalise(second, differences):
            return differences
    return ()


def _normalise(text: str, differences: Collection[str]) -> str:
    """Return the text without these differences."""
    if UNICODE in differences and not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    if CASE in differences:
        text = text.casefold()
    if UNICODE in differences and not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.split()) if SPACE in differences else text


def find_document(chunk: str) -> str | None:
    """Return the document that the id of a chunk names, with the separator; None if it names none.

    >>> find_document("doc-12#3"), find_document("doc-12")
    ('doc-12#', None)
    """
    separator = "#" if "#" in chunk else "::"
    document, _, number = chunk.rpartition(separator)
    if not document.strip() or number.split() != [number]:
        return None
    return document + separator
