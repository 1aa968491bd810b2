"""The ``--map`` that reads a promptfoo result: where its lists of ids are, by the first test."""

import shlex
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from groupwise.evaluator.text import cut, printable

VARIABLES = ("vars", "testCase.vars")
SIDES: Mapping[str, tuple[str, ...]] = {
    "ground_truth": (*VARIABLES, "testCase.metadata"),
    "results": ("response.metadata", "providerResponse.metadata", "response.output"),
}
"""The objects of a row that can have documents of each side."""
QUESTIONS = ("query", "question", "input", "prompt")
HINTS = ("doc", "source", "chunk", "page", "file", "relevant", "gold", "id", "url")
"""Parts of names that a single text has if it is an id."""
ODD = frozenset(",=+*[]'\"\\ .#")
LONGEST_NAME = 60
NAME = "NAME"


def suggest_map(row: Any, wrapper: str, field: Literal["ground_truth", "results"]) -> str:
    """Return the option that reads these ids, and ``--flat`` if they have no groups.

    >>> row = {"vars": {"query": "Who?"}, "response": {"metadata": {"ids": ["a", "b"]}}}
    >>> suggest_map(row, "results[].", "results")
    "--map 'id=results[].vars.query,results=results[].response.metadata.ids'"
    """
    ids, query = list(_list_ids(row, field)), _find_question(row)
    path, value = ids[0] if ids else (f"{SIDES[field][0]}.{NAME}", None)
    paths = {"id": f"{wrapper}{query}" if query else "#"}
    if query and field == "ground_truth":
        paths["query"] = paths["id"]
    paths[field] = wrapper + path
    option = shlex.quote(",".join(f"{name}={way}" for name, way in paths.items()))
    flat = _describe_flat(value) if field == "ground_truth" else ""
    return f"--map {option}{flat}{_describe_choice(row, [way for way, _ in ids], field)}"


def _describe_flat(value: Any) -> str:
    if _is_id(value) or (value and all(isinstance(part, list) for part in value)):
        return ""
    return " and --flat any (any one of them answers the query) or --flat all (all are needed)"


def _describe_choice(row: Any, paths: list[str], field: str) -> str:
    if len(paths) > 1:
        return f"; there are also {', '.join(paths[1:4])}"
    if paths:
        return ""
    names = cut(printable(", ".join(map(str, _object_at(row, SIDES[field][0])))), 80)
    return f", with the name for {NAME}; {SIDES[field][0]} has {names or 'nothing'}"


def _find_question(row: Any) -> str | None:
    way = _choose_variables(row)
    named = (name for name in QUESTIONS if isinstance(_object_at(row, way).get(name), str))
    return next((f"{way}.{name}" for name in named), None)


def _choose_variables(row: Any) -> str:
    """Return where the variables are: some versions have them in the test case only."""
    return VARIABLES["vars" not in row if isinstance(row, dict) else 0]


def _list_ids(row: Any, field: str) -> Iterator[tuple[str, Any]]:
    """Yield the paths to lists of ids, then those to single ids; none with names that are odd."""
    ways = [way for way in SIDES[field] if way not in VARIABLES or way == _choose_variables(row)]
    found = [
        (f"{way}.{name}", value)
        for way in ways
        for name, value in _object_at(row, way).items()
        if name != "context" and not ODD & {*name} and name == printable(name)[:LONGEST_NAME]
    ]
    yield from (part for part in found if _are_ids(part[1]))
    yield from (part for part in found if _is_id(part[1]) and _is_hinted(part[0]))


def _are_ids(value: Any) -> bool:
    if not isinstance(value, list) or not value:
        return False
    return all(_is_id(part) or _are_ids(part) for part in value)


def _is_id(value: Any) -> bool:
    return type(value) is int or (isinstance(value, str) and bool(value.strip()))


def _is_hinted(path: str) -> bool:
    words = path.rpartition(".")[2].lower()
    return any(hint in words for hint in HINTS) and words not in QUESTIONS


def _object_at(row: Any, way: str) -> Mapping[str, Any]:
    for name in way.split("."):
        row = row.get(name) if isinstance(row, dict) else None
    return row if isinstance(row, dict) else {}
