"""The candidates for the ideal ranking of a query whose groups share documents.

Gains are whole numbers: the weight of a group times how far a document meets it, exactly.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import lcm
from typing import NamedTuple, TypeAlias

from groupwise.evaluator.hits import FloatArray, Hits

GainByGroup: TypeAlias = dict[int, int]
MOST_COMPARISONS = 1 << 18


class Candidates(NamedTuple):
    """The documents of a query that no other one can replace.

    ``shared`` are those that meet several groups, in order of id, ``own`` holds the gain of the
    best document that meets no other group, by group, and ``unit`` stands for a gain of 1.
    """

    shared: list[GainByGroup]
    own: GainByGroup
    unit: int


def find_candidates(hits: Hits, query: int, gain: FloatArray) -> Candidates:
    """Return the candidates of a query; ``gain`` says how far each alternative meets its group."""
    first, last = hits.groups.query.searchsorted([query, query + 1]).tolist()
    listed = hits.alternatives
    rows = slice(*listed.group.searchsorted([first, last]).tolist())
    weights, weight_unit = as_whole_numbers(hits.groups.weight[first:last].tolist())
    gains, gain_unit = as_whole_numbers(gain[rows].tolist())
    documents: dict[int, GainByGroup] = defaultdict(dict)
    columns = listed.document[rows].tolist(), listed.group[rows].tolist(), gains
    for document, group, met in zip(*columns, strict=True):
        value = weights[group - first] * met
        if value > documents[document].get(group, 0):
            documents[document][group] = value
    return _drop_replaceable(documents, weight_unit * gain_unit)


def as_whole_numbers(values: Sequence[float]) -> tuple[list[int], int]:
    """Return the values times a common factor that makes them whole, and the factor."""
    ratios = {value: value.as_integer_ratio() for value in set(values)}
    unit = lcm(*(below for _, below in ratios.values()))
    whole = {value: above * (unit // below) for value, (above, below) in ratios.items()}
    return [whole[value] for value in values], unit


def _drop_replaceable(documents: Mapping[int, GainByGroup], unit: int) -> Candidates:
    """Return the documents in order of id, without those that another one can replace."""
    ordered = [documents[document] for document in sorted(documents) if documents[document]]
    shared = list({frozenset(g.items()): g for g in ordered if len(g) > 1}.values())
    best = _best_by_group(shared)
    own = _best_by_group(gains for gains in ordered if len(gains) == 1)
    kept = {group: gain for group, gain in own.items() if gain > best.get(group, 0)}
    return Candidates(_drop_dominated(shared), kept, unit)


def _best_by_group(documents: Iterable[GainByGroup]) -> GainByGroup:
    best: GainByGroup = {}
    for group, gain in chain.from_iterable(map(dict.items, documents)):
        if gain > best.get(group, 0):
            best[group] = gain
    return best


def _drop_dominated(shared: list[GainByGroup]) -> list[GainByGroup]:
    """Return the documents that no other one matches in every group.

    One that does is in all groups of the document, so only those of its smallest group are
    compared. So many comparisons as to matter are left out: too many documents are left anyway.
    """
    rivals = index_by_group(shared)
    nearest = [min((rivals[group] for group in gains), key=len) for gains in shared]
    sizes = zip(shared, nearest, strict=True)
    if sum(len(gains) * len(others) for gains, others in sizes) > MOST_COMPARISONS:
        return shared
    return [
        gains
        for number, gains in enumerate(shared)
        if not any(number != other and _matches(shared[other], gains) for other in nearest[number])
    ]


def index_by_group(documents: Sequence[Iterable[int]]) -> dict[int, list[int]]:
    """Return the numbers of the documents that meet each group."""
    index: dict[int, list[int]] = defaultdict(list)
    for number, groups in enumerate(documents):
        for group in groups:
            index[group].append(number)
    return index


def _matches(document: GainByGroup, other: GainByGroup) -> bool:
    return all(document.get(group, 0) >= gain for group, gain in other.items())


def connect(documents: Sequence[Iterable[int]]) -> Iterator[list[int]]:
    """Yield the numbers of the documents, in parts that have no group in common."""
    rivals = index_by_group(documents)
    left = dict.fromkeys(range(len(documents)))
    while left:
        part = [left.popitem()[0]]
        for number in part:
            near = chain.from_iterable(rivals.pop(group, ()) for group in documents[number])
            part += [other for other in near if left.pop(other, number) is None]
        yield sorted(part)
