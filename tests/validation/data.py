"""Data sets in which everything happens: few ids, so that they repeat and differ little."""

from typing import Any

from hypothesis import strategies as st

NEAR = ["a", "b", "c", "d", "A", "B ", "é", "e\u0301", "É", "x\u200by", "doc 1", "dó", "do\u0301"]
BLANK = ["", " "]
NUMBERS = st.sampled_from([1, 2, 3, -1, -2])
TEXTS = st.sampled_from([None, "", "Who?", "who? ", "Why?", "WHY?\u0301"])
QUERY_IDS = st.sampled_from(["q1", "q2", "q3", "Q1", "1", 1, " q4", "", "q\u202e5", None, 1.5])

IDS = st.sampled_from(NEAR)
MOSTLY_SOUND = st.sampled_from([*NEAR, *NEAR, *NEAR, "", " ", 1])
SIGNS = st.lists(st.sampled_from("docabe-1"), min_size=5, max_size=7)


def lists(ids: st.SearchStrategy[Any], least: int = 1) -> st.SearchStrategy[list[Any]]:
    return st.lists(ids, min_size=least, max_size=4)


LARGE = st.integers(19, 23).map(lambda size: [f"n{number}" for number in range(size)])
GRADES = st.sampled_from([0, 1, 1, 2])


def in_full(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    graded = st.builds(lambda document, grade: {"id": document, "grade": grade}, ids, GRADES)
    return st.fixed_dictionaries(
        {"alternatives": st.lists(ids | graded, max_size=3)},
        optional={"weight": st.sampled_from([1, 2, 0.5]), "label": st.just("hop")},
    )


def rich(ids: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    in_short = st.dictionaries(IDS, GRADES, min_size=1, max_size=3)
    return in_full(ids) | in_short


SOUND_TRUTHS = st.lists(lists(IDS), min_size=1, max_size=5)
NUMBER_TRUTHS = st.lists(lists(NUMBERS), min_size=1, max_size=3)
ODD_TRUTHS: st.SearchStrategy[Any] = (
    st.lists(lists(MOSTLY_SOUND, 0) | rich(IDS) | SIGNS | LARGE, max_size=5)
    | st.lists(IDS, min_size=1, max_size=4)
    | st.dictionaries(IDS, GRADES, max_size=3).filter(lambda grades: any(grades.values()))
    | SIGNS
    | SIGNS.map(lambda signs: [[sign] for sign in signs])
    | st.lists(lists(IDS) | IDS | NUMBERS, min_size=1, max_size=3)
    | st.just("doc")
    | st.just([])
)
TRUTHS = SOUND_TRUTHS | SOUND_TRUTHS | NUMBER_TRUTHS | ODD_TRUTHS


def _without_none(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if (name, value) != ("id", None)}


SOME_ID = QUERY_IDS | st.integers(10, 99).map("q{}".format)
QUERIES = st.fixed_dictionaries(
    {"id": SOME_ID, "ground_truth": TRUTHS},
    optional={"query": TEXTS, "answerable": st.booleans()},
).map(_without_none)
UNGROUNDED = st.fixed_dictionaries(
    {"id": SOME_ID}, optional={"query": TEXTS, "answerable": st.booleans()}
).map(_without_none)
DATA_SETS = st.lists(QUERIES | QUERIES | QUERIES | UNGROUNDED, min_size=1, max_size=6)

RANKINGS = (
    st.lists(IDS, max_size=5) | st.lists(NUMBERS, max_size=4) | st.lists(MOSTLY_SOUND, max_size=4)
)
DEEP = st.integers(10, 40).map(lambda size: [f"n{number}" for number in range(size)])


@st.composite
def rankings(draw: st.DrawFn) -> dict[str, Any]:
    """Results, often with scores: as many as there are, mostly, and falling, often."""
    results = draw(RANKINGS | DEEP)
    if draw(st.booleans()):
        return {"results": results}
    scores = draw(st.lists(st.sampled_from([0, 0.5, 1, 2, 3, 4]),
                           min_size=len(results), max_size=len(results)))  # fmt: skip
    scores = sorted(scores, reverse=True) if draw(st.booleans()) else scores
    return {"results": results, "scores": scores + [0] * draw(st.sampled_from([0, 0, 0, 1]))}


RUNS = st.lists(
    st.builds(lambda query, ranking: _without_none({"id": query, **ranking}), SOME_ID, rankings()),
    min_size=1, max_size=6,
)  # fmt: skip
FIXTURES = st.lists(
    st.builds(lambda query, ranking: {**query, **ranking}, QUERIES, rankings()),
    min_size=1, max_size=6,
)  # fmt: skip

PLAIN_QUERIES = st.fixed_dictionaries({"ground_truth": TRUTHS}, optional={"query": TEXTS})
BY_ID = st.dictionaries(st.sampled_from(["q1", "q2", "Q1", " q4", "7"]), PLAIN_QUERIES, min_size=1)
"""Queries by id, as a map has them."""
