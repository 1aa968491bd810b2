"""Passages by their text: the chunks that hold it, or share it."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

from groupwise.evaluator.hits.arrays import BoolArray, np
from groupwise.evaluator.hits.spans import Span
from groupwise.evaluator.passages.index import Holding, PassageIndex, find_shortest, fold_letters
from groupwise.evaluator.passages.landing import Landing
from groupwise.evaluator.passages.layout import FAR, Layout
from groupwise.evaluator.text import quote_id
from groupwise.schemas import Id
from groupwise.schemas.ids import text_of
from groupwise.schemas.reference import Reference
from groupwise.schemas.remap import By

PIECE = 0.05
"""A chunk shares a text if it adds at least so much of it, or any end of the chunk is in it."""
ALIKE = 0.9
"""A chunk is as good as another one if it holds at least so much of what that holds."""
NEAR, FARTHER = 4, 10
"""A text stands where it stood if that is at most four times its length away, and any other place
is ten times as far."""
SHOWN = 5


class Stand(NamedTuple):
    """Where a text stood in the old corpus: its document, and the letters before it."""

    document: Id | None
    place: int


class Site(NamedTuple):
    """A place of a text: the chunks that share it, or one and others that hold the same part."""

    chosen: list[Holding]
    equals: list[Holding]
    coverage: float

    @property
    def is_split(self) -> bool:
        """Whether several chunks share the text."""
        return len(self.chosen) > 1


class TextFinder:
    """Finds the chunks that hold a text, or share it."""

    def __init__(self, index: PassageIndex) -> None:
        self.index = index

    @cached_property
    def _layout(self) -> Layout:
        numbers = range(len(self.index.chunks))
        return Layout(self.index.chunks, map(self.index.letters_of, numbers))

    def find(
        self,
        text: str,
        by: By,
        among: AbstractSet[int] | None = None,
        stood: Callable[[], Stand | None] = lambda: None,
    ) -> Landing | None:
        """Return the chunks that hold a text, or share it; None: there are none.

        It is not clear which chunks are meant if the text is in several places, unless one of them
        is where it stood before.

        Args:
            text: The text.
            by: How it is looked for, for the report.
            among: The numbers of the chunks to look at; None: all.
            stood: Returns where the text stood in the old corpus, if that is known.
        """
        parts = self.index.find(text, among)
        if not parts:
            return None
        size = len(fold_letters(text))
        sites = self._list_sites(parts, size)
        best = sites[0]
        if best.coverage < ALIKE and not self._layout.is_ordered:
            best, *others = _choose_any(self.index, parts, size)
        else:
            others = [site for site in sites[1:] if not self._may_overlap(best, site)]
        rivals = [site for site in others if site.coverage >= ALIKE * best.coverage]
        same = [site for site in sites if site not in (best, *others)]
        if rivals and (nearest := self._choose_nearest([best, *rivals], stood(), size)):
            best, same, rivals = nearest, [], []
        return self._land(best, same, rivals, by)

    def _choose_nearest(self, sites: list[Site], stood: Stand | None, size: int) -> Site | None:
        """Return the place where a text stood before, if it is far nearer than the others."""
        if stood is None or not self._layout.is_known:
            return None
        distances = sorted((self._measure(site, stood), rank) for rank, site in enumerate(sites))
        (first, rank), (second, _) = distances[:2]
        return sites[rank] if first <= NEAR * size and second >= FARTHER * first else None

    def _measure(self, site: Site, stood: Stand) -> int:
        part = site.chosen[0]
        if self.index.chunks[part.chunk].document != stood.document:
            return FAR
        return abs(self._layout.within(part.chunk) + part.shift - stood.place)

    def _list_sites(self, parts: Sequence[Holding], size: int) -> list[Site]:
        """Return the places where a text is, that with most of it first."""
        starts = self._layout.starts
        placed = sorted((starts[part.chunk] + part.shift, part) for part in parts)
        clusters: list[list[Holding]] = []
        last = None
        for place, part in placed:
            if last is None or place - last > size:
                clusters.append([])
            clusters[-1].append(part)
            last = place
        sites = [_assemble(self.index, cluster, size) for cluster in clusters]
        return sorted(
            sites, key=lambda site: (-site.coverage, len(site.chosen), site.chosen[0].chunk)
        )

    def _may_overlap(self, first: Site, second: Site) -> bool:
        """Whether two chunks that hold the same are likely to overlap, where ids have no order."""
        if self._layout.is_ordered or len(first.chosen) > 1 or len(second.chosen) > 1:
            return False
        is_equal = first.chosen[0].parts == second.chosen[0].parts
        return is_equal and _do_overlap(self.index, first.chosen[0], second.chosen[0])

    def _land(self, best: Site, same: list[Site], rivals: list[Site], by: By) -> Landing:
        """Return the chunks of the best place, or those of all places that are as good."""
        held = [*best.chosen, *best.equals]
        if not best.is_split:
            held += [site.chosen[0] for site in same if site.coverage == best.coverage]
        landing = _land(self.index, held, best.coverage, by, is_split=best.is_split)
        if not rivals:
            return landing
        sites = [best, *rivals]
        numbers = dict.fromkeys(part.chunk for site in sites for part in site.chosen)
        doubt = _describe_places(self.index, sites)
        return landing._replace(chunks=(*numbers,), is_split=False, place=None, reason=doubt)


def _land(
    index: PassageIndex, chosen: list[Holding], coverage: float, by: By, *, is_split: bool
) -> Landing:
    ordered = sorted(chosen, key=_order) if is_split else chosen
    numbers = tuple(holding.chunk for holding in ordered)
    largest = max(chosen, key=lambda holding: (holding.coverage, -holding.chunk)).chunk
    place = _find_place(index, ordered[0], ordered[-1])
    return Landing(numbers, coverage, by, is_split, largest, place)


def _order(holding: Holding) -> tuple[int, int]:
    return -holding.shift, holding.chunk


def _find_place(index: PassageIndex, first: Holding, last: Holding) -> Span | None:
    """Return where in a document a text is that begins in one chunk and ends in another."""
    chunks = [index.chunks[first.chunk], index.chunks[last.chunk]]
    starts = [*map(_find_start, chunks)]
    if starts[0] is None or starts[1] is None or chunks[0].document is None:
        return None
    begin, end = index.locate(first), index.locate(last)
    if begin is None or end is None or chunks[0].document != chunks[1].document:
        return None
    place = Span(text_of(chunks[0].document), starts[0] + begin[0], starts[1] + end[1])
    return place if place.start < place.end else None


def _find_start(chunk: Reference) -> int | None:
    """Return where a chunk begins, if its place is as long as its text."""
    size = None if chunk.text is None else len(chunk.text)
    has_place = chunk.start is not None and chunk.end is not None
    return chunk.start if has_place and size == (chunk.end or 0) - (chunk.start or 0) else None


def _choose_any(index: PassageIndex, parts: Sequence[Holding], size: int) -> list[Site]:
    """Return the chunks that share a text, wherever they stand, then those that also could."""
    sites: list[Site] = []
    rest = [*parts]
    while rest and (not sites or sites[-1].coverage >= ALIKE * sites[0].coverage):
        sites.append(_assemble(index, rest, size))
        used = [*sites[-1].chosen, *sites[-1].equals]
        rest = [part for part in rest if not any(_is_near(index, part, one) for one in used)]
    return sites


def _is_near(index: PassageIndex, part: Holding, other: Holding) -> bool:
    return part == other or _do_overlap(index, part, other)


def _assemble(index: PassageIndex, parts: Sequence[Holding], size: int) -> Site:
    """Return the fewest chunks that share a text, the one with most of it first."""
    parts = sorted(parts, key=lambda part: (-part.coverage, part.chunk))
    document = index.chunks[parts[0].chunk].document
    rest = [part for part in parts if index.chunks[part.chunk].document == document]
    missing = np.ones(size, bool)
    chosen: list[Holding] = []
    while rest:
        gains = [_count(missing, part) for part in rest]
        best = int(np.argmax(gains))
        part, gain = rest.pop(best), gains[best]
        if chosen and (
            gain < find_shortest(size) or not (gain >= PIECE * size or _has_end(index, part))
        ):
            break
        chosen.append(part)
        for start, end in part.parts:
            missing[start:end] = False
    alike = [part for part in parts if part.parts == chosen[0].parts and part not in chosen]
    coverage = 1 - int(missing.sum()) / size
    return Site(chosen, alike if len(chosen) == 1 else [], coverage)


def _count(missing: BoolArray, part: Holding) -> int:
    return sum(int(missing[start:end].sum()) for start, end in part.parts)


def _has_end(index: PassageIndex, part: Holding) -> bool:
    """Whether the first or the last letters of a chunk are in the text."""
    size = len(index.letters_of(part.chunk))
    return any(start == 0 or end == size for start, end in part.places)


def _do_overlap(index: PassageIndex, first: Holding, second: Holding) -> bool:
    """Whether the end of one chunk is the beginning of the other, and not most of either."""
    documents = [index.chunks[holding.chunk].document for holding in (first, second)]
    if documents[0] != documents[1]:
        return False
    texts = [index.letters_of(holding.chunk) for holding in (first, second)]
    shifts = first.shift, second.shift
    start = max(-first.shift, -second.shift)
    end = min(len(text) - shift for text, shift in zip(texts, shifts, strict=True))
    shared = [text[start + shift : end + shift] for text, shift in zip(texts, shifts, strict=True)]
    return shared[0] == shared[1] and 2 * (end - start) < min(map(len, texts))


def _describe_places(index: PassageIndex, sites: list[Site]) -> str:
    names = [_describe_site(index, site) for site in sites[:SHOWN]]
    more = f" and {len(sites) - SHOWN} more" if len(sites) > SHOWN else ""
    return f"its text is in {len(sites)} places: {', '.join(names)}{more}"


def _describe_site(index: PassageIndex, site: Site) -> str:
    parts = sorted(site.chosen, key=_order)
    return " with ".join(quote_id(index.chunks[holding.chunk].id) for holding in parts)
