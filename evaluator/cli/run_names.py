"""Names of runs on the command line: ``NAME=FILE``, or the name of the file without its endings."""

import os
from collections.abc import Sequence
from pathlib import Path, PurePath

from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.text import quote

STDIN = "-"
COMPRESSED = (".gz", ".bz2", ".xz", ".zst")
ENDINGS = (
    ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".parquet", ".trec", ".run", ".res",
    ".results", ".out", ".dat", ".yaml", ".yml",
)  # fmt: skip
"""The endings that say what a file is; others, such as .v2, belong to its name."""


def name_runs(words: Sequence[str]) -> dict[str, str]:
    """Return the path of each run by its name.

    Raises:
        UsageError: Two runs have the same name, or one has a name without a file.
    """
    runs: dict[str, str] = {}
    for name, path in map(split_name, words):
        if name in runs:
            message = f"two runs are called {quote(name)}: {runs[name]} and {path}"
            raise UsageError(f"{message}; name them, such as first={runs[name]} second={path}")
        runs[name] = path
    return runs


def refuse_truth(truth: str, words: Sequence[str]) -> None:
    """Raise a usage error if the ground truth is among the runs, as ``*.jsonl`` puts it there.

    A file that holds ground truth and results can be both, if the run is given a name.
    """
    for path in words:
        if path != STDIN and os.path.realpath(path) == os.path.realpath(truth):
            hint = f"if it holds results as well, name the run, such as old={path}"
            raise UsageError(f"{path} is the ground truth; it cannot be a run as well ({hint})")


def split_name(word: str) -> tuple[str, str]:
    """Return the name and the path of a run; an existing path is a path, whatever it contains.

    >>> split_name("dense=runs/3.jsonl.gz"), split_name("runs/bm25.v2.jsonl.gz"), split_name("-")
    (('dense', 'runs/3.jsonl.gz'), ('bm25.v2', 'runs/bm25.v2.jsonl.gz'), ('stdin', '-'))
    """
    name, sign, path = word.partition("=")
    if not sign or _exists(word):
        return name_file(word), word
    if not name.strip() or not path:
        raise UsageError(f"expected NAME=FILE, such as dense=run.jsonl, got {quote(word)}")
    return name, path


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def name_file(path: str) -> str:
    """Return the name of a file without the endings that say what it is."""
    if path == STDIN:
        return "stdin"
    name = PurePath(path).name or path
    while (suffix := PurePath(name).suffix.lower()) in (*COMPRESSED, *ENDINGS):
        name = name[: -len(suffix)]
    return name
