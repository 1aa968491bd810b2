"""Evidence sets, an OR of ANDs, as groups, an AND of ORs.

With one set, or with one document in each, both mean the same. Otherwise groups can say when
everything is found, but not how much of it.
"""

from collections.abc import Iterable

from groupwise.evaluator.formats.mapping.mapped_records import Unfit
from groupwise.schemas import Id

MOST_GROUPS = 512
REJECTED = (
    "{sets} evidence sets, one of them of {largest} documents: any one set answers the query, but "
    "only if all its documents are found (an OR of ANDs); groups say that of each group one "
    "document is found (an AND of ORs). --cnf rewrites the first as the second: whether all is "
    "found (complete) stays the same, fractions such as recall do not"
)
EXPANDED = (
    "evidence sets were expanded to groups (--cnf): full coverage (complete) is kept, fractions "
    "such as recall, precision or ndcg are not"
)

Groups = list[list[Id]]


def reduce_sets(sets: Iterable[Iterable[Id]]) -> Groups:
    """Return each set once, and none that contains another: the smaller one is enough."""
    unique = {frozenset(ids): list(dict.fromkeys(ids)) for ids in map(list, sets)}
    return [ids for key, ids in unique.items() if not any(other < key for other in unique)]


def is_exact(sets: Groups) -> bool:
    """Whether these sets are groups without any loss."""
    return len(sets) == 1 or all(len(ids) == 1 for ids in sets)


def expand_to_groups(sets: Groups, *, expand: bool) -> Groups:
    """Return the groups that are all met if and only if a set is found completely.

    Args:
        sets: The evidence sets, none of which contains another.
        expand: Whether to expand sets although fractions change.

    Raises:
        Unfit: Fractions would change and ``expand`` is False, or there are too many groups.
    """
    if not is_exact(sets) and not expand:
        raise Unfit(REJECTED.format(sets=len(sets), largest=max(map(len, sets))))
    groups: Groups = [[]]
    for ids in sets:
        groups = _intersect(groups, ids)
    return groups


def _intersect(groups: Groups, ids: list[Id]) -> Groups:
    """Return the smallest groups that contain one of the old groups and a document of the set.

    An old group that has such a document stays. Any other one takes each of them in turn, unless
    the result contains a group that stays.
    """
    stay = [group for group in groups if not set(group).isdisjoint(ids)]
    found = list(stay)
    for group in groups:
        if set(group).isdisjoint(ids):
            grown = ([*group, document] for document in ids)
            found += [more for more in grown if not any(set(more).issuperset(s) for s in stay)]
        if len(found) > MOST_GROUPS:
            raise Unfit(f"these evidence sets expand to more than {MOST_GROUPS} groups")
    return found
