"""Every row of the table of policies: what happens by default, and what else can be asked for."""

from typing import Any, ClassVar

import pytest

from groupwise import Evaluator, InputError, evaluate

HIT, MISS = ["a"], ["x"]
TRUTH = [["a"]]


def counts(report: Any, *names: str) -> tuple[int, ...]:
    return tuple(getattr(report.counts, name) for name in names)


def problems(**kwargs: Any) -> list[str]:
    with pytest.raises(InputError) as error:
        evaluate(**kwargs)
    return [str(problem) for problem in error.value.problems]


class TestMissing:
    """A query has ground truth and is not in the run."""

    pair: ClassVar[dict[str, Any]] = {
        "ground_truth": {"q1": TRUTH, "q2": TRUTH, "q0": TRUTH},
        "results": {"q1": HIT},
    }

    def test_it_scores_zero_and_is_counted(self) -> None:
        report = evaluate(**self.pair, metrics="recall")
        assert report.scores["recall"] == 1 / 3
        assert report.per_query["q2"]["recall"] == 0.0
        assert counts(report, "queries", "scored", "missing") == (3, 3, 2)
        assert report.warnings == ("2 queries without results, scored 0: 'q0', 'q2'",)

    def test_it_can_be_skipped(self) -> None:
        report = evaluate(**self.pair, metrics="recall", missing="skip")
        assert report.scores["recall"] == 1.0
        assert report.per_query["q2"]["recall"] is None
        assert counts(report, "queries", "scored", "missing") == (3, 1, 2)
        assert report.warnings == ("2 queries without results, not scored: 'q0', 'q2'",)

    def test_it_can_be_an_error(self) -> None:
        assert problems(**self.pair, missing="error") == [
            "query 'q0': no results",
            "query 'q2': no results",
        ]


class TestExtra:
    """A query is in the run and has no ground truth."""

    pair: ClassVar[dict[str, Any]] = {
        "ground_truth": {"q1": TRUTH},
        "results": {"q1": HIT, "q9": HIT, "q8": MISS},
    }

    def test_it_is_ignored_and_counted(self) -> None:
        report = evaluate(**self.pair, metrics="recall")
        assert report.scores["recall"] == 1.0
        assert list(report.per_query) == ["q1"]
        assert counts(report, "queries", "scored", "extra") == (1, 1, 2)
        assert report.warnings == ("2 queries in the results only, ignored: 'q8', 'q9'",)

    def test_it_can_be_an_error(self) -> None:
        assert problems(**self.pair, extra="error") == [
            "query 'q8': no ground truth",
            "query 'q9': no ground truth",
        ]


class TestEmptyResults:
    pair: ClassVar[dict[str, Any]] = {
        "ground_truth": {"q1": TRUTH, "q2": TRUTH},
        "results": {"q1": HIT, "q2": []},
    }

    def test_they_score_zero_and_are_counted(self) -> None:
        report = evaluate(**self.pair)
        assert set(report.scores.values()) == {0.5}
        assert set(report.per_query["q2"].values()) == {0.0}
        assert counts(report, "queries", "scored", "empty_results") == (2, 2, 1)
        assert report.warnings == ()

    def test_they_can_be_skipped_as_autorag_does(self) -> None:
        report = evaluate(**self.pair, empty_results="skip")
        assert set(report.scores.values()) == {1.0}
        assert set(report.per_query["q2"].values()) == {None}
        assert counts(report, "queries", "scored", "empty_results") == (2, 1, 1)
        assert report.warnings == ("1 query with an empty result, not scored",)

    def test_a_missing_query_is_not_an_empty_result(self) -> None:
        report = evaluate({"q1": TRUTH, "q2": TRUTH}, {"q1": HIT}, empty_results="skip")
        assert counts(report, "scored", "missing", "empty_results") == (2, 1, 0)

    def test_returning_nothing_does_not_beat_returning_a_miss(self) -> None:
        nothing = evaluate({"q1": TRUTH, "q2": TRUTH}, {"q1": HIT, "q2": []}).scores
        miss = evaluate({"q1": TRUTH, "q2": TRUTH}, {"q1": HIT, "q2": MISS}).scores
        assert nothing == miss


class TestUnanswerable:
    """A query has no groups at all."""

    pair: ClassVar[dict[str, Any]] = {
        "ground_truth": {"q1": TRUTH, "q2": []},
        "results": {"q1": HIT, "q2": HIT},
    }

    def test_it_is_not_scored_and_counted(self) -> None:
        report = evaluate(**self.pair)
        assert set(report.scores.values()) == {1.0}
        assert set(report.per_query["q2"].values()) == {None}
        assert counts(report, "queries", "scored", "unanswerable") == (2, 1, 1)
        assert report.warnings == ("1 query without ground truth (unanswerable), not scored",)

    def test_it_can_be_an_error(self) -> None:
        assert problems(**self.pair, unanswerable="error") == [
            "query 'q2': no groups: nothing answers this query"
        ]

    def test_it_can_score_0(self) -> None:
        truths, run = self.pair["ground_truth"], self.pair["results"]
        report = evaluate(**self.pair, unanswerable="zero")
        assert set(report.scores.values()) == {0.5}
        assert set(report.per_query["q2"].values()) == {0.0}
        assert counts(report, "queries", "scored", "unanswerable") == (2, 2, 1)
        assert report.warnings == ("1 query without ground truth (unanswerable), scored 0",)
        assert Evaluator(truths, unanswerable="zero").evaluate(run) == report

    @pytest.mark.parametrize(
        ("results", "policies", "expected"),
        [
            ({"q1": HIT}, {}, (2, 1, 1, 0)),
            ({"q1": HIT}, {"missing": "skip"}, (1, 1, 1, 0)),
            ({"q1": HIT, "q2": []}, {}, (2, 1, 0, 1)),
            ({"q1": HIT, "q2": []}, {"empty_results": "skip"}, (1, 1, 0, 1)),
        ],
    )
    def test_scored_0_it_is_a_query_like_any_other(
        self, results: Any, policies: Any, expected: Any
    ) -> None:
        truths = self.pair["ground_truth"]
        report = evaluate(truths, results, unanswerable="zero", **policies)
        assert counts(report, "scored", "unanswerable", "missing", "empty_results") == expected
        assert set(report.scores.values()) == {1 / expected[0]}

    def test_scored_0_it_has_no_part_in_the_warning_of_two_id_spaces(self) -> None:
        truths, run = {"a": [], "b": [["gold"]]}, {"a": ["x"], "b": ["y"]}
        first, *_ = evaluate(truths, run, unanswerable="zero").warnings
        assert "The ground truth has 'gold', the results have 'y'" in first

    @pytest.mark.parametrize("results", [{"q1": HIT}, {"q1": HIT, "q2": []}])
    def test_it_is_unanswerable_before_it_is_missing_or_empty(self, results: Any) -> None:
        report = evaluate(self.pair["ground_truth"], results)
        assert counts(report, "unanswerable", "missing", "empty_results") == (1, 0, 0)

    def test_a_record_says_so_with_answerable(self) -> None:
        report = evaluate([{"id": "q1", "answerable": False}, {"id": "q2", "ground_truth": TRUTH}],
                          {"q1": [], "q2": HIT})  # fmt: skip
        assert counts(report, "scored", "unanswerable") == (1, 1)

    def test_where_nothing_is_scored_there_is_no_mean(self) -> None:
        report = evaluate({"q1": []}, {"q1": HIT}, metrics=["recall", "first_hit"])
        assert report.scores == {"recall": None}
        assert report.ranks["first_hit"].model_dump() == {
            "found": 0,
            "not_found": 0,
            "median": None,
            "worst": None,
        }


class TestIds:
    def test_whole_numbers_are_ids(self) -> None:
        assert evaluate([[[1, 2], [3]]], [[3, 1]], metrics="recall").scores["recall"] == 1.0

    def test_as_text_all_of_them_are_strings(self) -> None:
        report = evaluate([[[1, "2"], ["3"]]], [["1", 3]], metrics="recall", ids="text")
        assert report.scores["recall"] == 1.0

    @pytest.mark.parametrize(
        ("truths", "results", "place"),
        [
            ([[["a"], [1]]], [["a"]], "query '0'"),
            ([[["a"]]], [["a", 1]], "query '0'"),
            ([[["a"]]], [[1]], "the string 'a' (ground_truth, query '0')"),
            ([[["a"]], [[1]]], [["a"], [1]], "the number 1 (ground_truth, query '1')"),
            ([[["a"]], [["b"]]], [["a"], [2]], "the number 2 (results, query '1')"),
        ],
    )
    def test_both_kinds_are_an_error_that_names_one_of_each(
        self, truths: Any, results: Any, place: str
    ) -> None:
        found = problems(ground_truth=truths, results=results)
        assert "ids of both kinds" in found[0]
        assert place in found[0]
        assert "ids='text'" in found[0]

    @pytest.mark.parametrize("one", ["", " ", None, True, 0.5, 1.0, 2**63, -(2**63), 2**64 + 1, []])
    @pytest.mark.parametrize("ids", [None, "text"])
    def test_what_is_no_id_is_an_error_whatever_is_asked_for(self, one: Any, ids: Any) -> None:
        for truth, results in (([["a", one]], ["a"]), ([["a"]], ["a", one])):
            found = problems(ground_truth={"q1": truth}, results={"q1": results}, ids=ids)
            assert "query 'q1', /" in found[0]


class TestFlat:
    """A flat list of ids is ambiguous: must all be found, or any one?"""

    def test_it_is_an_error_that_asks(self) -> None:
        (found,) = problems(ground_truth={"q1": ["a", "b"]}, results={"q1": HIT})
        assert "flat='all'" in found
        assert "flat='any'" in found
        assert "query 'q1'" in found

    @pytest.mark.parametrize(("flat", "recall"), [("any", 1.0), ("all", 0.5)])
    def test_it_can_be_any_or_all(self, flat: Any, recall: float) -> None:
        report = evaluate({"q1": ["a", "b"]}, {"q1": HIT}, metrics="recall", flat=flat)
        assert report.scores["recall"] == recall

    def test_groups_stay_groups_whatever_is_asked_for(self) -> None:
        report = evaluate({"q1": [["a", "b"]]}, {"q1": HIT}, metrics="recall", flat="all")
        assert report.scores["recall"] == 1.0

    @pytest.mark.parametrize("truth", [["a", ["b"]], [["a"], "b"], "ab", "a"])
    @pytest.mark.parametrize("flat", [None, "any", "all"])
    def test_a_string_among_groups_is_never_split(self, truth: Any, flat: Any) -> None:
        assert problems(ground_truth={"q1": truth}, results={"q1": HIT}, flat=flat)


class TestNoCommonId:
    """Ground truth and run share no id at all: two id spaces."""

    def test_it_is_a_warning_with_an_example_of_each(self) -> None:
        report = evaluate({"q1": [["doc-1"]]}, {"q1": ["uuid-9"]})
        (warning,) = report.warnings
        assert "two id spaces" in warning
        assert "'doc-1'" in warning
        assert "'uuid-9'" in warning

    def test_one_hit_is_enough_to_be_silent(self) -> None:
        report = evaluate({"q1": TRUTH, "q2": TRUTH}, {"q1": MISS, "q2": HIT})
        assert report.warnings == ()

    def test_without_any_result_there_is_nothing_to_compare(self) -> None:
        assert evaluate({"q1": TRUTH}, {"q1": []}).warnings == ()


def test_a_repeated_result_is_a_warning() -> None:
    report = evaluate({"q1": TRUTH, "q2": TRUTH}, {"q1": ["a", "x", "a"], "q2": ["a", "x", "x"]})
    (warning,) = report.warnings
    assert warning.startswith("1 query repeats a relevant result")


@pytest.mark.parametrize(
    ("policy", "value"),
    [
        ("missing", "ignore"),
        ("extra", "skip"),
        ("empty_results", "error"),
        ("unanswerable", "ignore"),
        ("flat", "both"),
        ("ids", "number"),
        ("ties", "id"),
    ],
)
def test_a_policy_that_there_is_not_is_answered_with_those_there_are(
    policy: str, value: str
) -> None:
    (found,) = problems(ground_truth=[TRUTH], results=[HIT], **{policy: value})
    assert found.startswith(f"{policy}={value!r}: expected ")


def test_all_problems_are_told_at_once_and_capped_with_a_count() -> None:
    """Ids of as many lengths are problems of as many kinds."""
    truths = {f"q{number:03}": [[2.0**63 + 2048 * number]] for number in range(500)}
    with pytest.raises(InputError) as error:
        evaluate(truths, {})
    assert error.value.count == 500
    assert len(str(error.value).splitlines()) == 21
    assert str(error.value).endswith("… and 480 more problems")
    assert len(error.value.problems) == 500


def test_the_same_problem_in_many_places_is_one_line() -> None:
    truths = {f"q{number:02}": ["a", f"b{number}"] for number in range(20)}
    with pytest.raises(InputError) as error:
        evaluate({**truths, "q20": [["a"], []]}, {"q20": ["a"]})
    first, second = str(error.value).splitlines()
    assert first.startswith("ground_truth: query 'q00': a flat list of ids")
    assert first.endswith("(… and 19 more like it: queries 'q01', 'q02', 'q03', 'q04', 'q05', …)")
    assert second.startswith("ground_truth: query 'q20', /1: an empty group")
    assert [problem.query for problem in error.value.problems] == [f"q{n:02}" for n in range(21)]


def test_places_are_told_by_what_differs(tmp_path: Any) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"q1": [["a"], []], "q2": [["a"], []], "q3": [["a"], []]}')
    with pytest.raises(InputError, match=r"2 more like it: queries 'q2', 'q3'\)"):
        evaluate(path, {"q1": []})
    with pytest.raises(InputError, match=r"1 more like it: place '/2'\)"):
        evaluate({"q1": [["a"], [], []]}, {"q1": []})


def test_beyond_a_thousand_problems_reading_stops() -> None:
    with pytest.raises(InputError) as error:
        evaluate({f"q{number:04}": [[None]] for number in range(1500)}, {})
    assert (len(error.value.problems), error.value.count) == (1000, 1001)
    folded, rest = str(error.value).splitlines()
    assert "(… and 999 more like it: queries 'q0001', " in folded
    assert rest == "… more than 1,000 problems; reading stopped there"


@pytest.mark.parametrize("queries", [{}, []])
def test_no_queries_at_all_is_an_error(queries: Any) -> None:
    assert problems(ground_truth=queries, results={"q1": HIT}) == ["no queries in the ground truth"]


def test_the_policies_of_a_fixture_hold_unless_the_caller_says_otherwise(tmp_path: Any) -> None:
    path = tmp_path / "fixture.json"
    path.write_text(
        '{"queries": [{"id": "q1", "ground_truth": ["a", "b"], "results": []}], '
        '"policies": {"flat": "all", "empty_results": "skip"}}'
    )
    assert evaluate(path).counts.scored == 0
    assert evaluate(path, empty_results="zero").counts.scored == 1
    assert evaluate(path, flat="any").counts.empty_results == 1


SPACES = "are these two id spaces?"


@pytest.mark.parametrize("names", ["recall@1", ["recall@1", "trec:ndcg@2"], "trec:mrr@1"])
@pytest.mark.parametrize(
    ("results", "warned"), [(["x", "y", "a"], False), (["x", "y", "z"], True), ([], False)]
)
def test_ids_beyond_the_cutoff_are_not_of_another_space(
    names: Any, results: list[str], warned: bool
) -> None:
    report = evaluate({"q": [["b", "a"]]}, {"q": results}, metrics=names)
    assert (SPACES in " ".join(report.warnings)) == warned


def test_ids_beyond_a_budget_are_not_of_another_space() -> None:
    results = [{"id": "x", "tokens": 9}, {"id": "a", "tokens": 9}]
    assert evaluate({"q": [["a"]]}, {"q": results}, metrics="recall@10t").warnings == ()


@pytest.mark.parametrize("groups", [[["b"], ["a"]], [["a"], ["b"]], [["b", "a"]]])
def test_the_warning_does_not_depend_on_the_order_of_groups(groups: list[list[str]]) -> None:
    (warning,) = evaluate({"q": groups}, {"q": ["x"]}, metrics="recall").warnings
    assert "The ground truth has 'a', the results have 'x'" in warning
