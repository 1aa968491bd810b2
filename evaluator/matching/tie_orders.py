"""Tie-breaking orders: those among all orders of tied results that bound the metrics of ``trec``.

A document counts at its first place only, so a repeat fills a place like an unjudged result. Every
metric is best (the residual of RBP: lowest) where relevant documents come first, best grade first.
It is worst where all else comes first; then relevant documents follow, each with its repeats before
the next one. Where none is repeated, they follow by ascending grade. Repeats make it depend on the
metric which one comes first: those of a level of relevance stand latest if the most repeated come
first, and for graded gains all arrangements are tried, if they are not too many.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice, product
from math import fsum, lgamma, log
from typing import NamedTuple

from groupwise.evaluator.hits import Hits
from groupwise.schemas import Id

MOST_ORDERS = 720
MOST_RESULTS = 1 << 20
"""Limits of what is tried for a query: orders, and results in all of them."""


class Judged(NamedTuple):
    """A judged document: its places in a ranking, and its grade; 0: not relevant."""

    places: list[int]
    grade: float


class Block(NamedTuple):
    """Tied results: the documents that are new in the block, and the places of all others."""

    documents: list[Judged]
    fillers: list[int]

    @property
    def relevant(self) -> list[Judged]:
        """The relevant documents, by ascending grade; the most repeated first."""
        found = [document for document in self.documents if document.grade > 0]
        return sorted(found, key=lambda document: (document.grade, -len(document.places)))

    @property
    def repeats(self) -> bool:
        """Whether a judged document is in it twice."""
        return any(len(document.places) > 1 for document in self.documents)

    @property
    def freedom(self) -> float:
        """The logarithm of how many orders of the relevant documents differ for graded gains."""
        kinds = Counter(map(kind_of, self.relevant))
        return lgamma(kinds.total() + 1) - fsum(lgamma(count + 1) for count in kinds.values())


def kind_of(document: Judged) -> tuple[int, float]:
    """Return what distinguishes a document from others: its number of places, its grade."""
    return len(document.places), document.grade


def judge(hits: Hits, rankings: Sequence[list[Id]]) -> list[list[Judged]]:
    """Return the judged documents of each query, with all their places."""
    unwanted: list[set[Id]] = [set() for _ in rankings]
    for query, rank in zip(hits.unwanted.query.tolist(), hits.unwanted.rank.tolist(), strict=True):
        unwanted[query].add(rankings[query][rank - 1])
    cases = zip(_find_relevant(hits), unwanted, rankings, strict=True)
    return [[*relevant, *_locate(ids, ranking)] for relevant, ids, ranking in cases]


def _find_relevant(hits: Hits) -> list[Iterable[Judged]]:
    """Return the relevant documents of each query; a result is its best one."""
    best: dict[tuple[int, int], tuple[float, int]] = {}
    columns = hits.query.tolist(), hits.rank.tolist(), hits.grade.tolist(), hits.document.tolist()
    for query, rank, grade, document in zip(*columns, strict=True):
        if grade >= best.get((query, rank), (0.0, 0))[0]:
            best[query, rank] = grade, document
    found: list[dict[int, Judged]] = [{} for _ in range(hits.queries)]
    for (query, rank), (grade, document) in sorted(best.items()):
        found[query].setdefault(document, Judged([], grade)).places.append(rank - 1)
    return [documents.values() for documents in found]


def _locate(ids: set[Id], ranking: list[Id]) -> Iterable[Judged]:
    """Return where documents that are judged not relevant stand."""
    found = {document: Judged([], 0.0) for document in ids}
    for place, document in enumerate(ranking if ids else ()):
        if document in found:
            found[document].places.append(place)
    return found.values()


def find_blocks(scores: Sequence[float], judged: Iterable[Judged]) -> list[list[int] | Block]:
    """Return the results, which are in order of their scores, in parts; tied ones are blocks."""
    first = {document.places[0]: document for document in judged}
    places = iter(range(len(scores)))
    parts = [list(islice(places, len([*tied]))) for _, tied in groupby(scores)]
    return [part if len(part) == 1 else _build_block(part, first) for part in parts]


def _build_block(part: list[int], first: dict[int, Judged]) -> Block:
    within = range(part[0], part[-1] + 1)
    documents = [
        Judged([place for place in first[start].places if place in within], first[start].grade)
        for start in part
        if start in first
    ]
    known = {*chain.from_iterable(document.places for document in documents)}
    return Block(documents, [place for place in part if place not in known])


def tie_orders(scores: Sequence[float], judged: Iterable[Judged]) -> Iterator[list[int]]:
    """Yield the orders that are to be tried, as places of the results: the best, then the worst."""
    parts = find_blocks(scores, judged)
    blocks = [part for part in parts if isinstance(part, Block)]
    most = max(8, min(MOST_ORDERS, MOST_RESULTS // len(scores)))
    for ways in islice(_choose_orders(blocks), most):
        orders = iter(ways)
        yield [*chain.from_iterable(next(orders) if isinstance(p, Block) else p for p in parts)]


def _choose_orders(blocks: list[Block]) -> Iterator[Iterable[list[int]]]:
    """Yield an order for each block."""
    yield map(_best_order, blocks)
    yield [_worst_order(block, block.relevant) for block in blocks]
    if not any(block.repeats for block in blocks):
        return
    yield [[*block.fillers, *_most_repeated_first(block.documents)] for block in blocks]
    for level in sorted({document.grade for block in blocks for document in block.relevant}):
        yield [_worst_order(block, _raise(block.relevant, level)) for block in blocks]
    if fsum(block.freedom for block in blocks) < log(MOST_ORDERS + 0.5):
        for chosen in product(*(_arrange(block.relevant) for block in blocks)):
            yield [_worst_order(*pair) for pair in zip(blocks, chosen, strict=True)]


def _best_order(block: Block) -> list[int]:
    """Return the documents, best grade first, then their repeats and all else."""
    documents = sorted(block.documents, key=lambda document: -document.grade)
    repeats = [place for document in documents for place in document.places[1:]]
    return [*(document.places[0] for document in documents), *repeats, *block.fillers]


def _worst_order(block: Block, relevant: Iterable[Judged]) -> list[int]:
    """Return all else, then documents judged not relevant, then the relevant ones."""
    against = [document for document in block.documents if not document.grade]
    return [*block.fillers, *_most_repeated_first(against), *_places(relevant)]


def _most_repeated_first(documents: Iterable[Judged]) -> list[int]:
    return _places(sorted(documents, key=lambda document: -len(document.places)))


def _places(documents: Iterable[Judged]) -> list[int]:
    return [*chain.from_iterable(document.places for document in documents)]


def _raise(documents: list[Judged], level: float) -> list[Judged]:
    """Return those below a grade, then those from it on, the most repeated first."""
    return sorted(documents, key=lambda document: (document.grade >= level, -len(document.places)))


def _arrange(documents: list[Judged]) -> Iterator[list[Judged]]:
    """Yield the documents in all orders in which their kinds differ."""
    if not documents:
        yield []
    for kind in {*map(kind_of, documents)}:
        rest = [*documents]
        chosen = rest.pop([*map(kind_of, rest)].index(kind))
        for others in _arrange(rest):
            yield [chosen, *others]
