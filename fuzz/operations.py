"""What is done with each file: read, evaluate, explain, validate, convert, fix, inspect.

Each ends in a value or a GroupwiseError.
"""

import math
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import groupwise
from groupwise import File, convert, evaluate, explain, fix, fix_in_place, inspect, read, validate
from groupwise.evaluator.formats.registry import list_formats

Operation = Callable[[Random, Path], object]
TRUTH = {"q1": [["d1", "d2"], ["a"]], "q2": [["b"]], "1": [["c"]]}
RESULTS = {"q1": ["d1", "x"], "q2": [], "1": ["c", "a"]}
CORPUS = {"d1": "a text", "d2": "a text of a document", "a": "another one"}
ROLES: tuple[Any, ...] = (None, None, "ground_truth", "run", "corpus")
METRICS = (
    None, None, None, ["recall@10", "coverage:ndcg@5", "trec:map"], ["coverage:alpha_ndcg", "map"],
    ["trec:ndcg@10", "trec:bpref"], ["recall@100t", "coverage:mrr"], ["coverage:err_ia@20"],
)  # fmt: skip
FORMATS = sorted(list_formats())
POLICIES: tuple[dict[str, Any], ...] = ({"flat": "any"}, {"flat": "all"}, {"ids": "text"})
TARGETS = ("out.json", "out.jsonl", "out.csv", "out.tsv", "out.parquet", "out.run", "out.qrels")


def _options(draw: Random) -> dict[str, Any]:
    """Policies: none, most of the time."""
    options: dict[str, Any] = {}
    if draw.random() < 0.3:
        options["flat"] = draw.choice(("any", "all"))
    if draw.random() < 0.2:
        options["ids"] = "text"
    return options


def _file(draw: Random, path: Path) -> Any:
    """Return a file and how it is read: as it is, most of the time."""
    said: dict[str, Any] = {}
    if draw.random() < 0.05:
        said["format"] = draw.choice(FORMATS)
    if draw.random() < 0.05:
        said["map"] = "auto"
    if draw.random() < 0.05:
        said["cnf"] = True
    if draw.random() < 0.05:
        said["subtopics"] = True
    if draw.random() < 0.02:
        said["max_record_bytes"] = draw.choice((1, 100, 10_000))
    return File(path, **said) if said else path


def _read(draw: Random, path: Path) -> object:
    return read(_file(draw, path), role=draw.choice(ROLES), **_options(draw))


def _evaluate(draw: Random, path: Path) -> object:
    options = _options(draw) | {"metrics": draw.choice(METRICS)}
    if draw.random() < 0.1:
        options["vectors"] = path
        options["metrics"] = ["ild@5"]
    if draw.random() < 0.2:
        options["ties"] = draw.choice(("score", "input", "report"))
    if draw.random() < 0.1:
        options["matching"] = draw.choice(("normalised", "text", "span"))
    file, run = _file(draw, path), _file(draw, path)
    pairs = ((file,), (file,), (file, run), (TRUTH, run), (file, RESULTS))
    report = evaluate(*draw.choice(pairs), **options)
    assert all(value is None or math.isfinite(value) for value in report.scores.values())
    return str(report)


def _explain(draw: Random, path: Path) -> object:
    options = _options(draw)
    if draw.random() < 0.3:
        options["corpus"] = draw.choice((CORPUS, _file(draw, path)))
    if draw.random() < 0.2:
        options["profile"] = "trec"
    if draw.random() < 0.2:
        options["matching"] = draw.choice(("normalised", "text", "span"))
    if draw.random() < 0.2:
        options["by"] = "label"
    file, run = _file(draw, path), _file(draw, path)
    pairs = ((file,), (file,), (file, run), (TRUTH, run), (file, RESULTS))
    found = explain(*draw.choice(pairs), **options)
    return [found.render(form) for form in ("table", "json", "csv", "markdown")]


def _validate(draw: Random, path: Path) -> object:
    options = _options(draw)
    if draw.random() < 0.3:
        options["corpus"] = draw.choice((CORPUS, _file(draw, path)))
    if draw.random() < 0.3:
        options["run"] = draw.choice((RESULTS, _file(draw, path)))
    return str(validate(TRUTH if draw.random() < 0.1 else _file(draw, path), **options))


def _validate_with(options: dict[str, Any], _draw: Random, path: Path) -> object:
    """Validate a file with certain options, not with drawn ones."""
    return str(validate(path, **options))


def _convert(draw: Random, path: Path) -> object:
    options = _options(draw) | {"lossy": draw.random() < 0.7}
    if draw.random() < 0.3:
        options["role"] = draw.choice(("ground_truth", "run"))
    if draw.random() < 0.2:
        options["to"] = draw.choice(FORMATS)
    return convert(_file(draw, path), path.parent / "target" / draw.choice(TARGETS), **options)


def _fix(draw: Random, path: Path) -> object:
    kept = _options(draw)
    if draw.random() < 0.5:
        return fix_in_place(path, unsafe=draw.random() < 0.7, **kept)
    return fix(path, unsafe=draw.random() < 0.7, write=draw.random() < 0.5, **kept)


def _inspect(draw: Random, path: Path) -> object:
    found = inspect(_file(draw, path), path if draw.random() < 0.2 else None)
    return found.to_json()


OPERATIONS: dict[str, Operation] = {
    "read": _read,
    "evaluate": _evaluate,
    "explain": _explain,
    "validate": _validate,
    "convert": _convert,
    "fix": _fix,
    "inspect": _inspect,
}
WITH_POLICIES: dict[str, Operation] = {
    f"validate:{name}={value}": partial(_validate_with, options)
    for options in POLICIES
    for name, value in options.items()
}
"""Validation with one policy each."""


def operate(name: str, draw: Random, path: Path) -> bool:
    """Do something with a file; return whether it gave a value.

    Raises:
        Exception: Anything but a GroupwiseError, which is a failure.
    """
    target = path.parent / "target"
    target.mkdir(exist_ok=True)
    try:
        OPERATIONS[name](draw, path)
    except groupwise.GroupwiseError as error:
        str(error).encode("utf-8", "backslashreplace")
        return False
    finally:
        shutil.rmtree(target)
    return True
