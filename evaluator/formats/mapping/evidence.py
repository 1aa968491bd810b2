"""Evidence sets, an OR of ANDs, as groups, an AND of ORs.

With one set, or with one document in each, both say the same. Else groups can say when everything
is found, but not how much of it.
"""

from collections.abc import Iterable

from groupwise.evaluator.formats.mapping.records import Unfit
from groupwise.schemas import Id

MOST_GROUPS = 512
REFUSED = (
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


def distinct_sets(sets: Iterable[Iterable[Id]]) -> Groups:
    """Each set once, and none that holds another: where the smaller is found, that is enough."""
    unique = {frozenset(one): list(dict.fromkeys(one)) for one in map(list, sets)}
    return [ids for one, ids in unique.items() if not any(other < one for other in unique)]


def is_exact(sets: Groups) -> bool:
    """Whether these sets are groups without any loss."""
    return len(sets) == 1 or all(len(one) == 1 for one in sets)


def groups_of(sets: Groups, *, expand: bool) -> Groups:
    """The groups that are all met if and only if a set is found whole.

    Raises:
        Unfit: Fractions would change and that was not asked for, or there are too many groups.
    """
    if not is_exact(sets) and not expand:
        raise Unfit(REFUSED.format(sets=len(sets), largest=max(map(len, sets))))
    groups: Groups = [[]]
    for one in sets:
        groups = _hitting(groups, one)
    return groups


def _hitting(groups: Groups, one: list[Id]) -> Groups:
    """The smallest groups that hold one of the old ones and a document of this set.

    An old group that has such a document stays as it is. Any other one takes each of them in turn,
    unless what comes out holds a group that stays.
    """
    stay = [group for group in groups if not set(group).isdisjoint(one)]
    found = list(stay)
    for group in groups:
        if set(group).isdisjoint(one):
            grown = ([*group, document] for document in one)
            found += [more for more in grown if not any(set(more).issuperset(s) for s in stay)]
        if len(found) > MOST_GROUPS:
            raise Unfit(f"these evidence sets expand to more than {MOST_GROUPS} groups")
    return found
