"""Which groups the chunks of a corpus meet, by text or span: the others are not in the corpus."""

from collections.abc import Iterator, Sequence

from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching.registry import Matching
from groupwise.evaluator.passages.index import WORD_LETTERS, PassageIndex, fold_letters
from groupwise.schemas import Reference
from groupwise.schemas.ids import text_of

SEARCHED = ("span", "text")
"""The matchers that can be asked about a whole corpus; those of users may be slow."""
CHUNKS_AT_ONCE = 4096
CANDIDATES = 100
"""If none of so many chunks that have the most of a text meets it, no other will."""

Group = list[Reference]


def find_met(matching: Matching, groups: Sequence[Group], chunks: Sequence[Reference]) -> set[int]:
    """Return the numbers of the groups that some chunks meet."""
    if matching.name == "span":
        return {*_meet(matching, groups, _choose_by_document(groups, chunks))}
    short = [number for number, group in enumerate(groups) if _is_short(group)]
    found: set[int] = set()
    for start in range(0, len(chunks) if short else 0, CHUNKS_AT_ONCE):
        some = chunks[start : start + CHUNKS_AT_ONCE]
        left = [number for number in short if number not in found]
        found.update(left[at] for at in _meet(matching, [groups[n] for n in left], some))
    return found | _find_long(matching, groups, {*range(len(groups))} - {*short}, chunks)


def _find_long(
    matching: Matching, groups: Sequence[Group], numbers: set[int], chunks: Sequence[Reference]
) -> set[int]:
    """Return those of the numbers whose groups are met, looked for by an index."""
    index = PassageIndex(chunks if numbers else ())
    candidates = {n: [*_find_candidates(groups[n], index, chunks)] for n in sorted(numbers)}
    return {
        n for n, some in candidates.items() if any(True for _ in _meet(matching, [groups[n]], some))
    }


def _meet(
    matching: Matching, groups: Sequence[Group], chunks: Sequence[Reference]
) -> Iterator[int]:
    """Yield the numbers of the groups that are met, if these chunks are the results of a query."""
    if not groups or not chunks:
        return
    matcher = matching.open()
    matcher.add(
        Rows(
            ids=["corpus"],
            truths=[[[each.id for each in group] for group in groups]],
            results=[[chunk.id for chunk in chunks]],
            truth_references=[[*groups]],
            result_references=[[*chunks]],
        )
    )
    yield from {*matcher.batch().group.tolist()}


def _choose_by_document(groups: Sequence[Group], chunks: Sequence[Reference]) -> list[Reference]:
    wanted = {text_of(each.document) for group in groups for each in group if each.document}
    return [chunk for chunk in chunks if chunk.document and text_of(chunk.document) in wanted]


def _is_short(group: Group) -> bool:
    return any(len(fold_letters(each.text or "")) < WORD_LETTERS for each in group)


def _find_candidates(
    group: Group, index: PassageIndex, chunks: Sequence[Reference]
) -> Iterator[Reference]:
    numbers = {
        holding.chunk
        for alternative in group
        for holding in index.find(alternative.text or "")[:CANDIDATES]
    }
    return (chunks[number] for number in sorted(numbers))
