"""Extensions that break their contract: one error that names them, and never a wrong number."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groupwise import (
    Draft,
    ExtensionError,
    Form,
    Format,
    Hits,
    InputError,
    QueryMatcher,
    Rule,
    add_form,
    add_format,
    add_matcher,
    add_rule,
    convert,
    evaluate,
    metric,
    read,
    validate,
)
from groupwise.evaluator.evaluation.single import match_query
from groupwise.evaluator.metrics.autorag import recall
from groupwise.evaluator.plugins.own import extension_in, name_in_errors
from groupwise.evaluator.reporting.forms import render
from groupwise.evaluator.validation.facts.draft import Place

pytestmark = pytest.mark.usefixtures("nothing_added")
TRUTH = {"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
RUN = {"q1": ["a", "x", "b"], "q2": ["x", "d"]}


def fail(*_given: Any) -> Any:
    raise KeyError("lost")


def noted(extension: str) -> Any:
    """The error of ``fail``, with a note that names the extension."""
    return pytest.raises(KeyError, check=lambda error: extension_in(error) == extension)


def test_errors_about_the_data_are_not_those_of_an_extension() -> None:
    with pytest.raises(InputError) as caught, name_in_errors("format", "mine"):
        raise InputError([])
    assert extension_in(caught.value) is None


# Metrics


def score(function: Callable[[Hits], Any], *others: str, k: int | None = None) -> Any:
    function.__name__ = "mine"
    metric(function)
    return evaluate(TRUTH, RUN, metrics=["mine", *others], k=k).scores


@pytest.mark.parametrize(
    "value",
    [None, 1.0, [1.0], [1.0] * 3, [[1.0], [2.0]], [[1.0], [1.0, 2.0]], ["a", "b"], [1, None],
     [1j, 2j], {"q1": 1, "q2": 2}, [10**400, 1]],
    ids=repr,
)  # fmt: skip
def test_a_metric_returns_one_number_per_query(value: Any) -> None:
    with pytest.raises(ExtensionError, match="the metric 'mine' must return one number per query"):
        score(lambda _hits: value)


def test_a_metric_that_raises_is_named() -> None:
    with noted("metric 'mine'"):
        score(lambda hits: fail(hits.rank))


def change_rank(hits: Hits) -> Any:
    hits.rank[:] = 1


def change_weight(hits: Hits) -> Any:
    hits.groups.weight[:] = 7


def change_whole_ranking(hits: Hits) -> Any:
    assert hits.uncut is not None
    hits.uncut.rank[:] = 1


@pytest.mark.parametrize("change", [change_rank, change_weight, change_whole_ranking])
def test_a_metric_cannot_change_what_is_given(change: Callable[[Hits], Any]) -> None:
    with pytest.raises(ValueError, match="read-only"):
        score(change, "recall", k=2)


def change_computed(hits: Hits) -> Any:
    hits.results.grade[:] = 0
    hits.first_rank[:] = 9
    return hits.length


def change_other_metric(hits: Hits) -> Any:
    values = recall(hits)
    values *= 2
    return values


@pytest.mark.parametrize("change", [change_computed, change_other_metric])
def test_a_metric_changes_no_other(change: Callable[[Hits], Any]) -> None:
    expected = evaluate(TRUTH, RUN).scores
    found = score(change, *expected)
    del found["mine"]
    assert found == expected


def test_a_declaration_is_checked() -> None:
    with pytest.raises(ExtensionError, match="expected a function as a metric, got 'recall'"):
        metric("recall")  # type: ignore[call-overload]
    with pytest.raises(ExtensionError, match="'score' or 'rank' as its kind, got 'sum'"):
        metric(kind="sum")(change_rank)  # type: ignore[call-overload]
    with pytest.raises(ExtensionError, match="a number as its highest value, got '1'"):
        metric(highest="1")(change_rank)  # type: ignore[call-overload]


# Matchers


def match(hits: Any) -> Any:
    class Mine(QueryMatcher):
        def match(self, groups: Any, results: Any) -> Any:
            found = hits(groups, results) if callable(hits) else hits
            groups.clear()
            results.clear()
            return found

    add_matcher("mine", Mine)
    return evaluate(TRUTH, RUN, metrics=["recall", "ndcg", "map"], matching="mine").scores


@pytest.mark.parametrize(
    ("hits", "said"),
    [
        ([(0, 0, 0)], r"the hit \(0, 0, 0\): expected a rank from 1 to 3"),
        ([(4, 0, 0)], r"the hit \(4, 0, 0\): expected a rank from 1 to 3"),
        ([(-1, 0, 0)], r"the hit \(-1, 0, 0\): expected a rank from 1 to 3"),
        ([(1, 2, 0)], r"the hit \(1, 2, 0\): expected a group from 0 to 1"),
        ([(1, -1, 0)], r"the hit \(1, -1, 0\): expected a group from 0 to 1"),
        ([(1, 0, 2)], r"the hit \(1, 0, 2\): expected an alternative from 0 to 1"),
        ([(1, 0, -1)], r"the hit \(1, 0, -1\): expected an alternative from 0 to 1"),
        ([(1, 0)], r"expected a hit as \(rank, group, alternative\), got \(1, 0\)"),
        ([(1.5, 0, 0)], r"expected a hit as \(rank, group, alternative\), got \(1.5, 0, 0\)"),
        ([1], r"expected a hit as \(rank, group, alternative\), got 1"),
        (None, r"expected hits as \(rank, group, alternative\), got None"),
    ],
)
def test_a_hit_is_one_of_the_results_and_alternatives(hits: Any, said: str) -> None:
    with pytest.raises(ExtensionError, match=f"^the matcher 'mine': {said}"):
        match(hits)


def test_hits_may_be_repeated_in_any_order_and_be_numbers_of_numpy() -> None:
    expected = match([(1, 0, 0), (2, 0, 0)])
    assert match([(2, 0, 0), (1, 0, 0), (2, 0, 0)]) == expected
    assert match([*np.array([[1, 0, 0], [2, 0, 0]])]) == expected


def test_a_matcher_that_raises_is_named() -> None:
    with noted("matcher 'mine'"):
        match(fail)


def test_the_documents_judged_not_relevant_are_matched_with_the_same_care() -> None:
    class Mine(QueryMatcher):
        def match(self, groups: Any, results: Any) -> Any:
            return [(9, 0, 0)] if groups[0][0].id == "x" else []

    add_matcher("mine", Mine)
    record = {"id": "q", "ground_truth": [["a"]], "not_relevant": ["x"]}
    with pytest.raises(ExtensionError, match=r"^the matcher 'mine': .* a rank from 1 to 1"):
        evaluate([record], {"q": ["a"]}, matching="mine")


class Batches:
    """A matcher that returns what it is told to."""

    def __init__(self, batch: Any) -> None:
        self.batch = lambda: batch

    def add(self, rows: Any) -> None: ...


@pytest.mark.parametrize(
    ("opened", "said"),
    [
        (None, "expected an object with add and batch, got None"),
        (Batches(None), "batch must return Hits, got None"),
        (Batches(match_query([["a"]], ["a"])), "expected the hits of 2 queries, got 1"),
    ],
)
def test_a_matcher_returns_the_hits_of_its_queries(opened: Any, said: str) -> None:
    add_matcher("mine", lambda _depth, _budgets: opened)
    with pytest.raises(ExtensionError, match=f"^the matcher 'mine': {said}"):
        evaluate(TRUTH, RUN, matching="mine")


@pytest.mark.parametrize("name", ["", "two words", "a|b", 3])
def test_names_can_be_typed(name: Any) -> None:
    with pytest.raises(ExtensionError, match="expected a name of letters, digits, - and _"):
        add_matcher(name, QueryMatcher)
    with pytest.raises(ExtensionError, match="the matcher 'mine': expected a class or function"):
        add_matcher("mine", 3)  # type: ignore[arg-type]


# Forms


@pytest.mark.parametrize(
    ("given", "binary", "said"),
    [
        (None, False, "must return text, got NoneType"),
        (b"", False, "must return text, got bytes"),
        ("", True, "must return bytes, got str"),
    ],
)
def test_a_form_returns_text(given: Any, binary: bool, said: str) -> None:
    add_form(Form("mine", lambda _report: given, is_binary=binary))
    with pytest.raises(ExtensionError, match=f"^the form 'mine' {said}"):
        render(evaluate(TRUTH, RUN), "mine")


def test_a_form_that_raises_is_named() -> None:
    add_form(Form("mine", fail))
    with noted("form 'mine'"):
        render(evaluate(TRUTH, RUN), "mine")
    add_form(Form("mine", lambda _report: "\ud800"))
    with pytest.raises(UnicodeEncodeError) as caught:
        render(evaluate(TRUTH, RUN), "mine")
    assert extension_in(caught.value) == "form 'mine'"


def test_what_is_no_form_is_refused() -> None:
    with pytest.raises(ExtensionError, match="expected a Form, got 'mine'"):
        add_form("mine")  # type: ignore[arg-type]
    with pytest.raises(ExtensionError, match="the form 'mine': expected a function, got 3"):
        Form("mine", 3)  # type: ignore[arg-type]
    with pytest.raises(ExtensionError, match="expected a suffix that begins with a dot, got 'x'"):
        Form("mine", str, suffixes="x")
    kinds = "of: expected 'report', 'comparison', .* or 'inspection', got 'runs'"
    with pytest.raises(ValueError, match=kinds):
        add_form(Form("mine", str), of="runs")  # type: ignore[arg-type]


# Rules


def find(**hooks: Any) -> list[str]:
    add_rule(Rule("MY001", "mine", "warning", "Something.", **hooks))
    return [finding.code for finding in validate(TRUTH, select=["MY"]).findings]


def report(*_given: Any) -> Iterator[Draft]:
    yield Draft("MY001", "something")


@pytest.mark.parametrize(
    ("hook", "given", "said"),
    [
        ("check", None, "expected an iterable of Draft, got None"),
        ("check", Draft("MY001", "x"), "expected an iterable of Draft, got Draft"),
        ("check", ["x"], "expected a Draft, got 'x'"),
        ("check", [("MY001", "x")], r"expected a Draft, got \('MY001', 'x'\)"),
        ("check", [Draft("XX999", "x")], "expected its own code, got 'XX999'"),
        ("check", [Draft("GT001", "x")], "expected its own code, got 'GT001'"),
        ("check", [Draft("MY001", None)], "expected text as message, got None"),  # type: ignore[arg-type]
        ("check", [Draft("MY001", "x", "id")], "expected a tuple of steps as pointer, got 'id'"),
        ("check_source", None, "expected an iterable of Draft, got None"),
        ("check_session", ["x"], "expected a Draft and its Place, got 'x'"),
        ("check_session", [(Draft("XX999", "x"), Place("f"))], "expected its own code"),
        ("suspect", 3, "expected a function or None, got 3"),
        ("suspect", lambda _case, _place: None, "expected an iterable of Draft, got None"),
    ],
)
def test_a_rule_reports_drafts(hook: str, given: Any, said: str) -> None:
    with pytest.raises(ExtensionError, match=f"^the rule 'MY001': {said}"):
        find(**{hook: lambda *_: given})


@pytest.mark.parametrize("hook", ["check", "check_source", "check_session", "suspect", "revise"])
def test_a_rule_that_raises_is_named(hook: str) -> None:
    with noted("rule 'MY001'"):
        find(**{hook: fail})


def test_rules_that_share_a_check_are_asked_once() -> None:
    add_rule(Rule("MY002", "other", "warning", "Something else.", check=report))
    assert find(check=report) == ["MY001", "MY001"]


def test_what_is_no_rule_is_refused() -> None:
    with pytest.raises(ExtensionError, match="expected a Rule, got 'MY001'"):
        add_rule("MY001")  # type: ignore[arg-type]
    with pytest.raises(ExtensionError, match="error, warning, info as its severity, got 'fatal'"):
        add_rule(Rule("MY001", "mine", "fatal", "Something."))  # type: ignore[arg-type]
    with pytest.raises(ExtensionError, match="the rule 'MY001': expected a function as check"):
        find(check=3)


# Formats


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "truth.mine"
    path.write_text("one\ntwo\n", "utf-8")
    return path


def add_mine(parse: Any, **more: Any) -> None:
    add_format(Format("mine", parse=parse, suffixes=".mine", **more))  # type: ignore[arg-type]


def test_a_parser_may_return_a_list(file: Path) -> None:
    add_mine(lambda _stream: [{"id": "q1", "ground_truth": [["a"]]}])
    assert evaluate(file, {"q1": ["a"]}, metrics="recall").scores == {"recall": 1.0}


def test_a_parser_that_yields_nothing_is_named(file: Path) -> None:
    add_mine(lambda _stream: None)
    with pytest.raises(ExtensionError, match=r"^the format 'mine': expected a parser that yields"):
        read(file)


@pytest.mark.parametrize("junk", ["x", 3, None])
def test_what_is_no_record_is_a_problem_of_the_file(file: Path, junk: Any) -> None:
    add_mine(lambda _stream: iter([{"id": "q1", "ground_truth": [["a"]]}, junk]))
    with pytest.raises(InputError, match=r"truth\.mine:2:1: expected a record with id"):
        read(file)


def test_a_line_that_cannot_be_parsed_is_named(file: Path) -> None:
    def parse(stream: Any) -> Iterator[Any]:
        for line in stream:
            yield {"id": line.decode().strip(), "ground_truth": [["a"]]}
            raise ValueError("expected one line")

    add_mine(parse)
    with pytest.raises(InputError, match=r"truth\.mine:2: expected one line"):
        read(file)


def test_a_format_that_raises_is_named(file: Path, tmp_path: Path) -> None:
    add_mine(fail)
    with noted("format 'mine'"):
        read(file)
    add_mine(lambda _stream: [], recognises=fail)
    with noted("format 'mine'"):
        read(file)
    source = tmp_path / "truth.jsonl"
    source.write_text('{"id": "q1", "ground_truth": [["a"]]}\n', "utf-8")
    add_mine(lambda _stream: [], recognises=lambda _sample: False, write=fail)
    with noted("format 'mine'"):
        convert(source, tmp_path / "new.mine")
    assert not (tmp_path / "new.mine").exists()


def test_a_writer_that_writes_nothing_is_named(tmp_path: Path) -> None:
    source = tmp_path / "truth.jsonl"
    source.write_text('{"id": "q1", "ground_truth": [["a"]]}\n', "utf-8")
    add_mine(lambda _stream: [], write=lambda _records, _path: None)
    with pytest.raises(ExtensionError, match="the format 'mine': its writer returned without"):
        convert(source, tmp_path / "new.mine")


def test_what_is_no_format_is_refused(file: Path) -> None:
    with pytest.raises(ExtensionError, match="expected a Format, got 'mine'"):
        add_format("mine")  # type: ignore[arg-type]
    with pytest.raises(ExtensionError, match="expected a suffix that begins with a dot, got 'x'"):
        Format("mine", parse=fail, suffixes=("x",))
    with pytest.raises(ExtensionError, match="as holds, got 'run'"):
        Format("mine", parse=fail, holds="run")  # type: ignore[arg-type]
    add_format(Format("mine", read=lambda _source, _options: None, suffixes=(".mine",)))  # type: ignore[arg-type, return-value]
    with pytest.raises(ExtensionError, match="the format 'mine': expected Records from read"):
        read(file)
