"""Queries find their results in any order, in batches of any size, with any of them missing."""

import random
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.intake.join import Join
from groupwise.evaluator.intake.rows import Rows


def cut(rows: Rows, source: random.Random) -> Iterator[Rows]:
    """Yield the rows in batches, some of which are empty."""
    start = 0
    while start < len(rows):
        end = start + source.randrange(5)
        yield rows.part(start, min(end, len(rows)))
        start = end


@given(
    st.integers(0, 12), st.sampled_from(["same", "last moved", "any"]),
    st.randoms(use_true_random=False), st.booleans(),
)  # fmt: skip
def test_pairs(count: int, order: str, source: random.Random, lacks_some: bool) -> None:
    queries = [f"q{number}" for number in range(count)]
    found = [query for query in queries if not lacks_some or source.random() < 0.7]
    found += ["extra"] * (lacks_some and source.random() < 0.5)
    if order == "any":
        source.shuffle(found)
    elif order == "last moved" and found:
        found.insert(source.randrange(len(found)), found.pop())
    join = Join(
        cut(Rows(queries, [[[query]] for query in queries]), source),
        cut(Rows(found, results=[[f"of {query}"] for query in found]), source),
    )
    pairs = [
        (query, rows.truths[row], rows.results[row])
        for rows in join.rows()
        for row, query in enumerate(rows.ids)
    ]
    both = [query for query in found if query != "extra"]
    assert sorted(pairs) == sorted((query, [[query]], [f"of {query}"]) for query in both)
    assert join.missing.ids == [query for query in queries if query not in found]
    assert [*join.extra] == ["extra"] * ("extra" in found)
