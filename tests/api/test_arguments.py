"""Arguments of the wrong type: a refusal that names them, never an exception of Python's own."""

import gzip
import inspect
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import groupwise
from groupwise import GroupwiseError, OptionError
from groupwise.evaluator.evaluation.arguments import ARGUMENTS

TRUTHS = {"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
QUESTIONS = [{"id": "q1", "query": "which?", "ground_truth": [["a"]]}]
RESULTS = {"q1": ["a", "x"], "q2": ["d"]}
STRANGE: list[Any] = [
    "4G", "", b"x", -1, 0, 1.5, float("nan"), float("inf"), True, [], {}, (), {1}, object(),
    10**400, [1], [None], {"a": 1}, np.zeros(3), np.float64(0.5), int,
]  # fmt: skip
OF_FILES = {"save_baseline", "output", "write_baseline"}
"""They name files that would be written."""


class Call(NamedTuple):
    """A function with what it needs."""

    function: Callable[..., Any]
    data: tuple[Any, ...]
    others: dict[str, Any] = {}  # noqa: RUF012  (never changed)


CALLS = {
    "evaluate": Call(groupwise.evaluate, ("truth.jsonl.gz", "run.jsonl.gz")),
    "evaluate objects": Call(groupwise.evaluate, (TRUTHS, RESULTS)),
    "evaluate a retriever": Call(groupwise.evaluate, (QUESTIONS,), {"retriever": lambda _: ["a"]}),
    "evaluate_stream": Call(groupwise.evaluate_stream, ([],)),
    "Evaluator": Call(groupwise.Evaluator, ("truth.jsonl.gz",)),
    "compare": Call(groupwise.compare, ("truth.jsonl.gz", {"a": RESULTS, "b": RESULTS})),
    "power": Call(groupwise.power, ("truth.jsonl.gz", {"a": "run.jsonl.gz"})),
    "explain": Call(groupwise.explain, ("truth.jsonl.gz", "run.jsonl.gz")),
    "suggest": Call(groupwise.suggest, ("truth.jsonl.gz",), {"run": "run.jsonl.gz"}),
    "validate": Call(groupwise.validate, ("truth.jsonl.gz",)),
    "fix": Call(groupwise.fix, ("truth.jsonl",)),
    "fix_in_place": Call(groupwise.fix_in_place, ("truth.jsonl",)),
    "check_fixture": Call(groupwise.check_fixture, ("fixture.json",)),
    "convert": Call(groupwise.convert, ("truth.jsonl.gz", "other.json")),
    "remap": Call(groupwise.remap, (TRUTHS,), {"old": {"a": "x"}, "new": {"a": "x"}}),
    "read": Call(groupwise.read, ("truth.jsonl.gz",)),
    "inspect": Call(groupwise.inspect, ("truth.jsonl.gz",)),
    "hit_vector": Call(groupwise.hit_vector, ([["a"]], ["a"])),
    "recall": Call(groupwise.metrics.recall, ([["a"]], ["a"])),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arguments")
    truths = [{"id": query, "ground_truth": truth} for query, truth in TRUTHS.items()]
    results = [{"id": query, "results": ids} for query, ids in RESULTS.items()]
    for name, records in (("truth.jsonl", truths), ("run.jsonl", results)):
        text = "".join(f"{json.dumps(record)}\n" for record in records)
        (folder / name).write_text(text)
        (folder / f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    queries = [truth | result for truth, result in zip(truths, results, strict=True)]
    fixture = {"queries": queries, "expected": {"recall": 0.75}}
    (folder / "fixture.json").write_text(json.dumps(fixture))
    return folder


def list_arguments(call: Call) -> dict[str, Any]:
    """The keyword arguments of a function, with their defaults."""
    return {
        argument.name: argument.default
        for argument in inspect.signature(call.function).parameters.values()
        if argument.kind is argument.KEYWORD_ONLY and argument.name not in OF_FILES
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_any_value_is_accepted_or_refused(
    call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for argument in list_arguments(call):
        for value in STRANGE:
            with suppress(GroupwiseError):
                call.function(*call.data, **call.others | {argument: value})


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_defaults_may_be_given(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for argument, default in list_arguments(call).items():
        if default is not inspect.Parameter.empty and argument not in {*call.others, "rel"}:
            call.function(*call.data, **call.others | {argument: default})


def test_every_declared_argument_is_one_of_a_function() -> None:
    taken = {argument for call in CALLS.values() for argument in list_arguments(call)} | OF_FILES
    assert ARGUMENTS.keys() <= taken


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"per_query": "no"}, "per_query='no': expected True or False"),
        ({"missing": []}, "missing=[]: expected 'zero', 'skip' or 'error'"),
        ({"ids": "number"}, "ids='number': expected 'text'"),
        ({"progress": "bar"}, "progress='bar': expected a function"),
        ({"metrics": 5}, "metrics=5: expected names of metrics, such as ['recall@5', 'ndcg']"),
        (
            {"bands": 2, "flat": 1},
            "bands=2: expected True or False\nflat=1: expected 'any' or 'all'",
        ),
    ],
)
def test_refusals_name_the_argument_and_what_it_accepts(given: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError) as error:
        groupwise.evaluate(TRUTHS, RESULTS, **given)
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"max_bytes": "4G"}, "max_bytes='4G': expected a number of bytes, such as 1 << 30"),
        ({"max_bytes": 0}, "max_bytes=0: expected a number of bytes, such as 1 << 30"),
        ({"map": 3}, "map=3: expected a mapping or 'auto'"),
        ({"format": ["csv"]}, "format=['csv']: expected the name of a format"),
        ({"cnf": 2}, "cnf=2: expected True or False"),
        ({"subtopics": None}, "subtopics=None: expected True or False"),
    ],
)
def test_a_file_names_what_it_does_not_accept(given: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError) as error:
        groupwise.File("run.csv", **given)
    assert str(error.value) == said


SAID_OF_FILES = {"format", "fields", "map", "subtopics", "cnf", "max_bytes", "max_record_bytes"}


def test_how_a_file_is_read_is_said_of_files_alone() -> None:
    functions = {name: getattr(groupwise, name) for name in groupwise.__all__}
    said = {
        name: SAID_OF_FILES & inspect.signature(function).parameters.keys()
        for name, function in functions.items()
        if inspect.isfunction(function) or name == "Evaluator"
    }
    assert {name for name, given in said.items() if given} == set()
    assert SAID_OF_FILES - {"fields"} <= inspect.signature(groupwise.File).parameters.keys()


@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"evaluate_stream", "hit_vector", "recall"}))
def test_arguments_about_files_are_answered_with_what_replaces_them(name: str) -> None:
    call = CALLS[name]
    with pytest.raises(OptionError, match=r"format= is said of the file: File\(path, format="):
        call.function(*call.data, **call.others, format="csv")


@pytest.mark.parametrize("value", [True, False, 1, 0, np.True_])
def test_truth_values_of_all_kinds_are_flags(value: Any) -> None:
    report = groupwise.evaluate(TRUTHS, RESULTS, per_query=value)
    assert bool(report.per_query) == bool(value)


def test_long_values_are_shortened() -> None:
    with pytest.raises(OptionError) as error:
        groupwise.evaluate(TRUTHS, RESULTS, ties="x" * 10_000)  # type: ignore[arg-type]
    assert len(str(error.value)) < 200


def test_one_gate_of_a_validation_needs_no_list() -> None:
    alone = groupwise.validate(TRUTHS, gates="recall@1 >= 0.9", k=1)
    assert alone == groupwise.validate(TRUTHS, gates=["recall@1 >= 0.9"], k=1)
    assert alone.codes


def test_an_unknown_rule_is_a_refusal() -> None:
    with pytest.raises(OptionError, match=r"no rule 'GT999'"):
        groupwise.validate(TRUTHS, select=["GT999"])
