"""Names of test items: query ids, made safe for node ids."""

import re
from collections import Counter
from collections.abc import Iterable

from groupwise.evaluator.reporting.sanitise import xml_safe
from groupwise.evaluator.text import cut

LONGEST = 80
"""How much of a query id is shown; equal names are numbered."""
SEPARATOR = re.compile(":(?=:)")
SCORES = "scores"


def name_items(queries: Iterable[str]) -> dict[str, str]:
    r"""Return the name of the item of each query.

    Names that would be equal are numbered in order of the ids, whatever the order of the queries.

    >>> name_items(["q1", "a::b"])
    {'q1': 'query[q1]', 'a::b': 'query[a\\x3a:b]'}
    """
    ids = list(queries)
    names = {query: name_item(query) for query in ids}
    if len({*names.values()}) == len(ids):
        return names
    used: Counter[str] = Counter(names.values())
    seen: Counter[str] = Counter()
    for query in sorted(ids):
        name = names[query]
        seen[name] += 1
        if used[name] > 1 and seen[name] > 1:
            names[query] = _number(name, seen, used)
    return names


def _number(name: str, seen: Counter[str], used: Counter[str]) -> str:
    """Return a name with the next number that makes it one that no other query has."""
    while (numbered := f"{name}-{seen[name]}") in used:
        seen[name] += 1
    return numbered


def name_item(query: str) -> str:
    """Return the name of the item of a query: printable, and without the separator of node ids."""
    shown = SEPARATOR.sub(r"\\x3a", cut(xml_safe(query), LONGEST))
    return f"query[{shown}]"
