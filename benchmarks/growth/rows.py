"""What is measured: commands on data of n, each of which once took minutes."""

import json
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

Words = list[str]
"""A command line of groupwise."""


class Row(NamedTuple):
    """A command on data of n: what it is, n, and with which exit code it should end."""

    name: str
    what: str
    n: int
    code: int
    write: Callable[[int, Path], Words]


ROWS: dict[str, Row] = {}


def row(
    what: str, n: int, code: int = 0
) -> Callable[[Callable[[int, Path], Words]], Callable[[int, Path], Words]]:
    """Register a function that writes data of n into a folder and returns the command."""

    def register(write: Callable[[int, Path], Words]) -> Callable[[int, Path], Words]:
        name = write.__name__.strip("_").replace("_", "-")
        ROWS[name] = Row(name, what, n, code, write)
        return write

    return register


def _json(path: Path, value: Any) -> str:
    path.write_text(json.dumps(value, indent=1))
    return str(path)


def _lines(path: Path, values: Iterable[Any]) -> str:
    with path.open("w") as file:
        file.writelines(f"{json.dumps(value)}\n" for value in values)
    return str(path)


def _truth(folder: Path, groups: list[Any]) -> str:
    return _json(folder / "truth.json", [{"id": "q", "ground_truth": groups}])


def _one_query(folder: Path, groups: list[Any], results: list[Any], **more: Any) -> str:
    query = {"id": "q", "ground_truth": groups, "results": results}
    return _json(folder / "query.json", [query | more])


# ---- every record is bad ----


def _bad(n: int) -> list[Any]:
    return [{"id": f"q{number}", "ground_truth": [[""]], "results": [1.5]} for number in range(n)]


@row("`evaluate` a JSON list of n records, all of them bad", 20_000, 3)
def _bad_evaluate(n: int, folder: Path) -> Words:
    return ["evaluate", _json(folder / "bad.json", _bad(n))]


@row("`evaluate` n lines of JSON, all of them bad", 20_000, 3)
def _bad_lines(n: int, folder: Path) -> Words:
    return ["evaluate", _lines(folder / "bad.jsonl", _bad(n))]


@row("`convert` a JSON list of n records, all of them bad", 20_000, 3)
def _bad_convert(n: int, folder: Path) -> Words:
    return ["convert", _json(folder / "bad.json", _bad(n)), str(folder / "out.jsonl")]


@row("`validate` a JSON list of n records, all of them bad", 5_000, 1)
def _bad_validate(n: int, folder: Path) -> Words:
    return ["validate", _json(folder / "bad.json", _bad(n))]


# ---- fixes ----


def _fixable(n: int) -> list[Any]:
    return [{"id": f"q{number}", "ground_truth": [["a", "b", "a"]]} for number in range(n)]


@row("`validate --fix` a JSON list of n records, one fix each", 8_000)
def _fix(n: int, folder: Path) -> Words:
    return ["validate", "--fix", _json(folder / "data.json", _fixable(n))]


@row("`validate --diff` of it", 8_000, 1)
def _diff(n: int, folder: Path) -> Words:
    return ["validate", "--diff", _json(folder / "data.json", _fixable(n))]


@row("`validate --fix` a single record with n fixes", 8_000, 1)
def _fix_one(n: int, folder: Path) -> Words:
    groups = [[f"a{number}", f"a{number}"] for number in range(n)]
    return ["validate", "--fix", _truth(folder, groups)]


@row("`check --update` a fixture of n queries", 16_000)
def _update(n: int, folder: Path) -> Words:
    query = {"ground_truth": [["a"]], "results": ["a"], "expected": {"recall": 0.5}}
    queries = [{"id": f"q{number}", **query} for number in range(n)]
    fixture = {"metrics": ["recall"], "queries": queries, "expected": {"recall": 0.5}}
    return ["check", "--update", _json(folder / "fixture.json", fixture)]


# ---- repetition ----


@row("`evaluate` a JSON list of n records with the same query id", 10_000, 3)
def _same_id(n: int, folder: Path) -> Words:
    query = {"id": "q", "ground_truth": [["a"]], "results": ["a"]}
    return ["evaluate", _json(folder / "same.json", [query] * n)]


@row("`validate` a JSON list of n records, each query id twice", 5_000, 1)
def _same_ids(n: int, folder: Path) -> Words:
    queries = [{"id": f"q{number // 2}", "ground_truth": [["a"]]} for number in range(n)]
    return ["validate", _json(folder / "same.json", queries)]


def _repeated_keys(n: int, folder: Path) -> str:
    keys = ", ".join(f'"k{number}": 1, "k{number}": 2' for number in range(n // 2))
    record = f'{{"id": "q", "ground_truth": [["a"]], "results": ["a"], "metadata": {{{keys}}}}}'
    path = folder / "keys.json"
    path.write_text(f"[{record}]")
    return str(path)


@row("`evaluate` one record with n repeated keys", 20_000, 3)
def _keys_evaluate(n: int, folder: Path) -> Words:
    return ["evaluate", _repeated_keys(n, folder)]


@row("`validate` one record with n repeated keys", 20_000, 1)
def _keys_validate(n: int, folder: Path) -> Words:
    return ["validate", _repeated_keys(n, folder)]


@row("`validate` a corpus of n nearly equal texts (CP005)", 1_000, 1)
def _equal_texts(n: int, folder: Path) -> Words:
    text = " ".join(f"word{number}" for number in range(60))
    corpus = [{"id": f"d{number}", "text": f"{text} and number {number}"} for number in range(n)]
    truth = [{"id": f"q{number}", "ground_truth": [[f"d{number}"]]} for number in range(n)]
    files = _lines(folder / "truth.jsonl", truth), _lines(folder / "corpus.jsonl", corpus)
    return ["validate", files[0], "--corpus", files[1]]


# ---- text that is hard to recognise ----


def _odd_line(n: int, path: Path) -> str:
    path.write_text(f"q1 Q0 d1 1 {'1' * n}x t\n")
    return str(path)


@row("detect the format of `q1 Q0 d1 1 111…1x t`, n digits", 250_000, 3)
def _digits(n: int, folder: Path) -> Words:
    truth = _truth(folder, [["a"]])
    return ["evaluate", truth, _odd_line(n, folder / "unknown")]


@row("read it as a TREC run", 250_000, 3)
def _digits_run(n: int, folder: Path) -> Words:
    return ["evaluate", _truth(folder, [["a"]]), _odd_line(n, folder / "r.run")]


def _unclosed(n: int, path: Path) -> str:
    quoted = '\\"' * n
    path.write_text(f'[{{"id": "{quoted}')
    return str(path)


@row('`evaluate` a string of n `\\"` that is not closed', 250_000, 3)
def _open_string(n: int, folder: Path) -> Words:
    return ["evaluate", _unclosed(n, folder / "open.json")]


@row("`validate` it", 250_000, 1)
def _open_string_validate(n: int, folder: Path) -> Words:
    return ["validate", _unclosed(n, folder / "open.json")]


@row('`--gate "recall>` + n blanks + `="`', 1_000_000, 2)
def _gate(n: int, folder: Path) -> Words:
    file = _one_query(folder, [["a"]], ["a"])
    return ["evaluate", file, "--gate", f"recall>{' ' * n}="]


@row('`-m "recall` + n blanks + `!"`', 1_000_000, 2)
def _metric(n: int, folder: Path) -> Words:
    return ["evaluate", _one_query(folder, [["a"]], ["a"]), "-m", f"recall{' ' * n}!"]


# ---- ideals ----


def _ring(n: int) -> list[list[str]]:
    return [[f"d{number}", f"d{(number + 1) % n}"] for number in range(n)]


@row("`coverage:ndcg@10`, n groups overlapping in a ring", 2_000)
def _ring_at_10(n: int, folder: Path) -> Words:
    return ["evaluate", _one_query(folder, _ring(n), ["d0", "d3"]), "-m", "coverage:ndcg@10"]


@row("`coverage:alpha_ndcg@10`, the same", 2_000)
def _ring_alpha(n: int, folder: Path) -> Words:
    return ["evaluate", _one_query(folder, _ring(n), ["d0", "d3"]), "-m", "coverage:alpha_ndcg@10"]


@row("`coverage:ndcg@10`, one group of n graded alternatives, one of them shared", 20_000)
def _graded(n: int, folder: Path) -> Words:
    grades = {f"d{number}": 1 + number % 3 for number in range(n)}
    file = _one_query(folder, [grades, {"d0": 1, "x": 2}], ["d1", "x"])
    return ["evaluate", file, "-m", "coverage:ndcg@10"]


@row("`err_ia@k`, k is n", 250_000_000_000)
def _deep_cutoff(n: int, folder: Path) -> Words:
    return [
        "evaluate",
        _one_query(folder, [["a"], ["b"]], ["a", "b"]),
        "-m",
        f"coverage:err_ia@{n}",
    ]


# ---- one large query ----


@row("`validate` one query of n groups", 20_000, 1)
def _groups(n: int, folder: Path) -> Words:
    return ["validate", _truth(folder, [[f"d{number}"] for number in range(n)])]


@row("`validate` one query of n groups, each overlapping the next", 10_000, 1)
def _overlapping(n: int, folder: Path) -> Words:
    listed = [f"d{number}" for number in range(n + 1)]
    return ["validate", _truth(folder, [list(pair) for pair in pairwise(listed)])]


@row("`validate` one query of nested groups, with n ids in all", 40_000, 1)
def _nested(n: int, folder: Path) -> Words:
    count = int((2 * n) ** 0.5)
    listed = [f"d{number}" for number in range(count)]
    return ["validate", _truth(folder, [listed[: size + 1] for size in range(count)])]


@row("`validate` one query with a group of n alternatives", 20_000, 1)
def _alternatives(n: int, folder: Path) -> Words:
    return ["validate", _truth(folder, [[f"d{number}" for number in range(n)]])]


@row("`evaluate` n alternatives and n hits", 16_000)
def _hits(n: int, folder: Path) -> Words:
    listed = [f"d{number}" for number in range(n)]
    return ["evaluate", _one_query(folder, [listed], listed[::-1])]


@row("`evaluate` n groups and n hits", 10_000)
def _group_hits(n: int, folder: Path) -> Words:
    listed = [f"d{number}" for number in range(n)]
    return ["evaluate", _one_query(folder, [[id_] for id_ in listed], listed[::-1])]


@row("`evaluate` one id listed twice, and n hits", 10_000)
def _twice(n: int, folder: Path) -> Words:
    listed = [f"d{number}" for number in range(n)]
    return ["evaluate", _one_query(folder, [listed, ["d0"]], listed)]


@row("`evaluate` one id retrieved n times", 200_000)
def _repeats(n: int, folder: Path) -> Words:
    return ["evaluate", _one_query(folder, [["a"], ["b"]], ["a"] * n)]


@row("`bpref` with n retrieved documents that are judged not relevant", 16_000)
def _not_relevant(n: int, folder: Path) -> Words:
    listed = [f"d{number}" for number in range(n)]
    file = _one_query(folder, [["a"], ["b"]], [*listed, "a", "b"], not_relevant=listed)
    return ["evaluate", file, "--profile", "trec", "-m", "bpref"]
