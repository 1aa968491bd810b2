"""Matchers by name: their options, a matcher of one's own, and hits built without arrays."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import ExtensionError, InputError
from groupwise.evaluator.hits import Hits
from groupwise.evaluator.intake.rows import Rows
from groupwise.evaluator.matching import (
    EXACT,
    Hit,
    HitsBuilder,
    Matching,
    Orders,
    QueryMatcher,
    add_matcher,
    registry,
)
from groupwise.evaluator.matching.own import OwnMatcher
from groupwise.evaluator.plugins.parameters import Between
from groupwise.schemas import Reference, RichTruth


class IgnoringCase(QueryMatcher):
    """Matches ids in any case."""

    def document_of(self, alternative: Reference) -> str:
        return str(alternative.id).lower()

    def match(self, groups: list[list[Reference]], results: list[Reference]) -> Iterator[Hit]:
        ranks: dict[str, list[int]] = {}
        for rank, result in enumerate(results, 1):
            ranks.setdefault(str(result.id).lower(), []).append(rank)
        for group, alternatives in enumerate(groups):
            for place, alternative in enumerate(alternatives):
                for rank in ranks.get(str(alternative.id).lower(), ()):
                    yield rank, group, place


class Configurable(IgnoringCase):
    """Has an option of every kind."""

    def __init__(
        self,
        depth: int | None = None,
        budgets: Sequence[int] = (),
        *,
        threshold: Annotated[float, Between(0, 1)] = 0.5,
        unit: Literal["characters", "words"] = "words",
        together: bool = False,
        least: int = 1,
    ) -> None:
        super().__init__(depth, budgets)
        self.given = threshold, unit, together, least


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.MATCHERS, "_added", {})
    add_matcher("ignoring-case", IgnoringCase)
    add_matcher("configurable", Configurable)


def matched(matching: Matching, rows: Rows, depth: int | None = None) -> Hits:
    matcher = matching.open(depth, [10])
    matcher.add(rows)
    assert len(matcher) == len(rows)
    return matcher.batch()


def columns(hits: Hits) -> list[Any]:
    parts = (hits, hits.groups, hits.alternatives, hits.unwanted)
    return [
        value.tolist() if hasattr(value, "tolist") else value
        for part in parts
        for name, value in vars(part).items()
        if (hasattr(value, "tolist") and name != "again") or name == "labels"
    ] + [
        hits.results.is_new.tolist(),
        {budget: column.tolist() for budget, column in hits.fitting.items()},
    ]


def rows_of(*truths: Any, results: list[Any], **others: Any) -> Rows:
    return Rows([str(number) for number in range(len(truths))], list(truths), results, **others)


def test_a_matcher_of_ones_own_meets_groups_in_its_own_way() -> None:
    rows = rows_of([["A", "b"], ["c"]], [["X"]], results=[["a", "x", "C", "a"], ["y", "x"]])
    hits = matched(Matching.parse("ignoring-case"), rows)
    assert hits.rank.tolist() == [1, 4, 3, 2]
    assert hits.group.tolist() == [0, 0, 1, 2]
    assert hits.vector() == [1, 0, 1, 1]
    assert hits.repeating_queries == 1


def test_alternatives_that_are_one_document_are_told_by_the_matcher() -> None:
    rows = rows_of([["A"], ["a", "b"]], results=[["a", "B"]])
    documents = matched(Matching.parse("ignoring-case"), rows).alternatives.document
    assert documents.tolist() == [0, 0, 1]


def test_two_alternatives_of_a_group_met_by_one_result_are_one_hit_of_the_better_grade() -> None:
    truth = RichTruth([["a", "A"]], [1.0], [1.0, 3.0], [None])
    hits = matched(Matching.parse("ignoring-case"), rows_of(truth, results=[["a"]]))
    assert hits.rank.tolist() == [1]
    assert hits.grade.tolist() == [3.0]


def test_results_judged_not_relevant_are_found_by_the_matcher_too() -> None:
    rows = rows_of(
        [["a"]], [["b"]],
        results=[["X", "A", "x", "z"], ["y"]], not_relevant=[["x", "X", "A", "w"], []],
    )  # fmt: skip
    unwanted = matched(Matching.parse("ignoring-case"), rows).unwanted
    assert unwanted.query.tolist() == [0]
    assert unwanted.rank.tolist() == [1]
    assert unwanted.count.tolist() == [2, 0]


IDS = st.sampled_from("abcdef")
GROUPS = st.lists(st.lists(IDS, min_size=1, max_size=4), max_size=4)


@st.composite
def rich_truths(draw: st.DrawFn) -> RichTruth:
    groups: list[Any] = draw(GROUPS)
    listed = sum(map(len, groups))
    weights = draw(st.lists(st.floats(0.5, 4), min_size=len(groups), max_size=len(groups)))
    grades = draw(st.lists(st.sampled_from([1.0, 2.0]), min_size=listed, max_size=listed))
    labels = draw(st.lists(st.sampled_from("xy"), min_size=len(groups), max_size=len(groups)))
    return RichTruth(groups, weights, grades, list(labels))


QUERIES = st.tuples(
    GROUPS | rich_truths(),
    st.lists(st.tuples(IDS, st.integers(1, 9)), max_size=8),
    st.lists(IDS, max_size=3),
)


@given(st.lists(QUERIES, min_size=1, max_size=5), st.none() | st.integers(1, 9))
def test_one_query_at_a_time_gives_the_hits_of_the_exact_matcher(
    queries: list[Any], depth: int | None
) -> None:
    truths, rankings, unwanted = (list(column) for column in zip(*queries, strict=True))
    rows = rows_of(
        *truths,
        results=[[document for document, _ in ranking] for ranking in rankings],
        tokens=[[tokens for _, tokens in ranking] for ranking in rankings],
        not_relevant=unwanted,
    )
    found = columns(matched(Matching.parse("ignoring-case"), rows, depth))
    assert found == columns(matched(EXACT, rows, depth))


def test_hits_are_built_from_ranks_groups_and_alternatives() -> None:
    builder = HitsBuilder()
    builder.add([["a", "b"], ["c"]], 3, [(3, 1, 0), (1, 0, 1)])
    builder.add([["a"]], 2, [])
    assert len(builder) == 2
    hits = builder.build()
    assert len(builder) == 0
    assert hits.first_rank.tolist() == [1, 3, 0]
    assert hits.length.tolist() == [3, 2]
    assert hits.groups.query.tolist() == [0, 0, 1]


@pytest.mark.parametrize("value", [None, "exact", {"type": "exact"}, EXACT])
def test_exact_is_the_default(value: Any) -> None:
    assert Matching.parse(value) == EXACT
    assert EXACT.to_dict() == {"type": "exact"}
    assert not EXACT.needs_references


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, (0.5, "words", False, 1)),
        ({"threshold": 1}, (1.0, "words", False, 1)),
        ({"threshold": "0.25", "together": "true"}, (0.25, "words", True, 1)),
        ({"unit": "characters", "together": True, "least": "3"}, (0.5, "characters", True, 3)),
    ],
)
def test_options_are_those_of_the_signature(options: dict[str, Any], expected: Any) -> None:
    matching = Matching.parse({"type": "configurable", **options})
    for same in (matching, Matching.parse(matching.to_dict())):
        opened = same.open()
        assert isinstance(opened, OwnMatcher)
        assert isinstance(opened.matcher, Configurable)
        assert opened.matcher.given == expected
    assert hash(matching) == hash(Matching.parse({"type": "configurable", **options}))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("exakt", "no matcher 'exakt'; did you mean 'exact'?"),
        ("span(threshold=0.3)", "pass options separately: --match-option NAME=VALUE, or "),
        ("span:threshold=0.3", "or matching={'type': 'span', NAME: VALUE}"),
        ("?", ", ignoring-case, configurable"),
        ({"type": "exact", "x": 1}, "the matcher exact has no option 'x'; it has no options"),
        ({"type": "configurable", "treshold": 1}, "did you mean 'threshold'?"),
        ({"type": "configurable", "threshold": 2}, "expected a number from 0 to 1, got 2"),
        ({"type": "configurable", "threshold": "x"}, "expected a number from 0 to 1, got 'x'"),
        ({"type": "configurable", "threshold": 10**400}, "expected a number from 0 to 1, got 1000"),
        ({"type": "configurable", "unit": "bytes"}, "expected characters or words, got 'bytes'"),
        ({"type": "configurable", "together": 1}, "expected true or false, got 1"),
        ({"type": "configurable", "least": 1.5}, "expected a whole number, got 1.5"),
        ({"threshold": 1}, "expected the name of a matcher (exact, "),
        (3, "or a mapping such as {'type': 'exact'}; got 3"),
    ],
)
def test_what_is_no_matching_is_refused(value: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Matching.parse(value)
    assert message in str(caught.value)


def test_the_name_of_a_built_in_matcher_is_refused_and_ones_own_is_replaced() -> None:
    with pytest.raises(ExtensionError, match="there is a built-in matcher 'exact'"):
        add_matcher("exact", IgnoringCase)
    add_matcher("ignoring-case", Configurable)
    assert registry.MATCHERS.list_known() == {
        **registry.MATCHERS.built_in,
        "ignoring-case": Configurable,
        "configurable": Configurable,
    }


class ByText(QueryMatcher):
    """Matches equal texts."""

    needs_references = True

    def match(self, groups: list[list[Reference]], results: list[Reference]) -> Iterator[Hit]:
        for rank, result in enumerate(results, 1):
            for group, alternatives in enumerate(groups):
                for place, alternative in enumerate(alternatives):
                    if alternative.text is not None and alternative.text == result.text:
                        yield rank, group, place


def test_a_matcher_that_needs_references_gets_them() -> None:
    add_matcher("by-text", ByText)
    matching = Matching.parse("by-text")
    assert matching.needs_references
    references: Any = [[Reference("y", "no"), Reference("z", "yes")]]
    rows = rows_of(
        [["a", "b"]],
        results=[["y", "z"]],
        truth_references=[[[Reference("a", "yes"), Reference("b")]]],
        result_references=references,
    )
    assert matched(matching, rows).vector() == [0, 1]


def test_bounds_of_ties_are_those_of_the_matcher() -> None:
    """Which of the tied results is relevant is for the matcher to say."""
    rows = rows_of([["A"]], results=[["a", "z"]], scores=[[1.0, 1.0]], not_relevant=[["Z"]])
    orders = Orders(Matching.parse("ignoring-case"), {"score"}, None, [], "report")
    orders.add(rows)
    (batch,) = orders.batches()
    assert batch.tied is not None
    assert batch.tied.rank.tolist() == [1, 2]
    assert batch.owners == [0, 0]
