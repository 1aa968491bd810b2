"""Everything that writes a file, each with the data it starts from.

The test in `test_writers` reads the source for calls of the functions in `reading/writing.py`: one
that no case reaches makes it fail. A case is a command, or a function of the library; `OUT` is the
file to write.
"""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

Action = Callable[[str], int]
OUT = "OUT"
OLD = b"what was there before\n"
TRUTH = (
    '{"id": "q1", "query": "one", "ground_truth": [["a", "b"], ["c"]], "metadata": {"kind": "x"}}\n'
    '{"id": "q2", "query": "two", "ground_truth": [["c"]], "metadata": {"kind": "y"}}\n'
)
RUN = '{"id": "q1", "results": ["a", "x"]}\n{"id": "q2", "results": ["y", "c"]}\n'
OTHER = '{"id": "q1", "results": ["x", "c"]}\n{"id": "q2", "results": ["c"]}\n'
CORPUS = (
    '{"id": "a", "text": "one text"}\n{"id": "b", "text": "two"}\n{"id": "c", "text": "three"}\n'
)
FIXTURE = json.dumps(
    {
        "queries": [{"id": "q1", "ground_truth": [["a", "b"], ["c"]], "results": ["a", "x"]}],
        "expected": {"recall": 0.1},
    }
)
FAULTY = '{"id": "q1", "ground_truth": [["a", "a"], ["c"]]}\n'
TWICE = '{"id": "q1", "ground_truth": [["", " "], ["a", " a"]]}\n'
SHEET = "query,candidate,group,text,judge,verdict\nq1,x,1,,me,yes\n"
FILES = {
    "truth.jsonl": TRUTH,
    "run.jsonl": RUN,
    "other.jsonl": OTHER,
    "corpus.jsonl": CORPUS,
    "x.groupwise.json": FIXTURE,
    "faulty.jsonl": FAULTY,
    "faulty.json": f"[{FAULTY}]",
    "twice.jsonl": TWICE,
    "sheet.csv": SHEET,
}
"""What every case finds in its folder."""


@dataclass(frozen=True)
class Writer:
    """A case: a command or a call, the file it writes, and how a failure ends.

    Attributes:
        calls: The functions that call the seam, as ``module:function``.
        action: The words of a command, or a function that takes the path to write.
        name: The file that it writes; one that the case starts with is edited in place.
        failed: The exit code if it cannot be written.
        is_folder: It writes a folder of files.
        is_thorough: Every error is tried at every step, with an old file and without.
        leftovers: How many temporary files it may leave behind when it is killed.
    """

    calls: str
    action: tuple[str, ...] | Action
    name: str = "out"
    failed: int = 4
    is_folder: bool = False
    is_thorough: bool = False
    leftovers: int = 1

    @property
    def is_edit(self) -> bool:
        """Whether the file is one of those it reads."""
        return self.name in FILES

    def old_files(self) -> tuple[bool, ...]:
        """Return whether to try it with an old file in its place, or without one, or both."""
        if self.is_folder or self.is_edit:
            return (False,)
        return (False, True) if self.is_thorough else (True,)

    def prepare(self, folder: Path, *, old: bool) -> None:
        """Write the files that it starts from, and perhaps an old one in place of the new."""
        for name, text in FILES.items():
            (folder / name).write_text(text)
        if old and not self.is_edit:
            (folder / self.name).write_bytes(OLD)

    def run(self, target: str | None = None) -> int:
        """Write the file, or another target, in the current folder; return the exit code."""
        path = target or self.name
        if callable(self.action):
            return _call(self.action, path)
        from groupwise.evaluator.cli import run  # noqa: PLC0415  (imported in a child)

        return run(
            [path if word == OUT else word.replace(f"={OUT}", f"={path}") for word in self.action]
        )


def _call(action: Action, path: str) -> int:
    """Call a function of the library as the command line would."""
    from groupwise import OutputError  # noqa: PLC0415

    try:
        return action(path)
    except OutputError as error:
        os.write(2, f"error: {error}\n".encode())
        return 4


def _save_report(path: str) -> int:
    from groupwise import evaluate  # noqa: PLC0415

    evaluate("truth.jsonl", "run.jsonl").save(path, "json")
    return 0


def _save_page(path: str) -> int:
    from groupwise import evaluate  # noqa: PLC0415

    evaluate("truth.jsonl", "run.jsonl").to_html(path)
    return 0


def _save_sheet(path: str) -> int:
    from groupwise import suggest  # noqa: PLC0415

    suggest("truth.jsonl", run={"run": "run.jsonl"}).save(path)
    return 0


def _save_plot(path: str) -> int:
    from groupwise import evaluate  # noqa: PLC0415

    evaluate("truth.jsonl", "run.jsonl", metrics=["recall@5"]).plot("distribution").save(path)
    return 0


def _convert_in_parts(path: str) -> int:
    from groupwise import convert  # noqa: PLC0415
    from tests.jobs import refuse_whole_files, small_parts  # noqa: PLC0415

    with small_parts(100), refuse_whole_files():
        convert("truth.jsonl", path, to="jsonl", jobs=2)
    return 0


def _update_in_pytest(_path: str) -> int:
    import pytest  # noqa: PLC0415

    words = ["--groupwise-update", "-q", "-p", "no:cacheprovider", "x.groupwise.json"]
    return int(pytest.main(words))


def _install_completion(path: str) -> int:
    from groupwise.evaluator.cli.shell_files import ShellFiles  # noqa: PLC0415

    list(ShellFiles(Path(path)).install("complete\n"))
    return 0


def _evaluate(*words: str) -> tuple[str, ...]:
    return ("evaluate", "truth.jsonl", "run.jsonl", "-q", *words)


def _convert(calls: str, name: str, form: str) -> Writer:
    """Return a conversion; the form is named, since a folder by itself stands for BEIR's."""
    return Writer(calls, ("convert", "-q", "truth.jsonl", OUT, "--lossy", "--to", form), name)


DELIVER = "evaluator/cli/output.py:deliver"
EDIT = "evaluator/reading/text_file.py:write"
FIX = "evaluator/validation/engine/line_fixing.py:fix"
MOVE = ("remap", "truth.jsonl", "--old", "corpus.jsonl", "--new", "corpus.jsonl", "-q")
FINGERPRINT = ("fingerprint", "truth.jsonl", "--corpus", "corpus.jsonl")
MERGE = ("suggest", "truth.jsonl", "--apply", "sheet.csv", "-q", "-o")
JSON = "evaluator/formats/groupwise_json.py"
PIECES = "evaluator/formats/pieces.py:__call__"
WRITERS = {
    "evaluate -o": Writer(DELIVER, _evaluate("-o", OUT, "--format", "json"), is_thorough=True),
    "evaluate -o parquet": Writer(DELIVER, _evaluate("-o", OUT), "out.parquet"),
    "evaluate -o html": Writer(DELIVER, _evaluate("-o", OUT), "out.html"),
    "evaluate -o gz": Writer(DELIVER, _evaluate("-o", OUT, "--format", "jsonl"), "out.jsonl.gz"),
    "evaluate --save-baseline": Writer(
        "evaluator/evaluation/baseline.py:save_baseline", _evaluate("--save-baseline", OUT)
    ),
    "evaluate --plot": Writer(
        "evaluator/reporting/charts/plots.py:save_plot",
        _evaluate("-m", "recall@5", "--plot", f"distribution={OUT}"), "out.svg",
    ),
    "compare -o": Writer(
        DELIVER, ("compare", "truth.jsonl", "run.jsonl", "other.jsonl", "-q", "-o", OUT), "out.csv"
    ),
    "explain -o": Writer(
        DELIVER, ("explain", "truth.jsonl", "run.jsonl", "-q", "-o", OUT), "out.md"
    ),
    "validate -o": Writer(DELIVER, ("validate", "truth.jsonl", "-q", "-o", OUT), "out.sarif"),
    "validate --write-baseline": Writer(
        "evaluator/validation/settings/baseline.py:save_baseline",
        ("validate", "faulty.jsonl", "-q", "--write-baseline", OUT),
    ),
    "validate --fix": Writer(
        FIX, ("validate", "faulty.jsonl", "-q", "--unsafe-fixes"), "faulty.jsonl", is_thorough=True
    ),
    "validate --fix, in two rounds": Writer(
        FIX, ("validate", "twice.jsonl", "-q", "--unsafe-fixes"), "twice.jsonl", leftovers=2
    ),
    "validate --fix of JSON": Writer(
        EDIT, ("validate", "faulty.json", "-q", "--unsafe-fixes"), "faulty.json"
    ),
    "check --update": Writer(EDIT, ("check", "--update", "x.groupwise.json"), "x.groupwise.json"),
    "pytest --groupwise-update": Writer(EDIT, _update_in_pytest, "x.groupwise.json", failed=1),
    "fingerprint --in-place": Writer(
        EDIT, (*FINGERPRINT, "--in-place"), "truth.jsonl"
    ),
    "fingerprint -o": Writer(
        "evaluator/cli/fingerprint.py:_write",
        (*FINGERPRINT, "-o", OUT), "out.jsonl",
    ),
    "convert to JSON": _convert(f"{JSON}:_write_document", "out.json", "json"),
    "convert to JSON Lines": _convert(PIECES, "out.jsonl", "jsonl"),
    "convert to JSON Lines, gzipped": _convert(PIECES, "out.jsonl.gz", "jsonl"),
    "convert with jobs": Writer(
        "evaluator/evaluation/engines/conversion.py:write", _convert_in_parts, "out.jsonl"
    ),
    "convert to CSV": _convert("evaluator/formats/csv.py:_write", "out.csv", "csv"),
    "convert to parquet": _convert(
        "evaluator/formats/parquet_writer.py:write_table", "out.parquet", "parquet"
    ),
    "convert to TREC": _convert(PIECES, "out.qrels", "trec-qrels"),
    "convert to BEIR's qrels": _convert(
        "evaluator/formats/beir.py:_write_qrels", "out.tsv", "beir-qrels"
    ),
    "convert to a BEIR folder": Writer(
        "evaluator/formats/beir.py:_write_folder",
        ("convert", "-q", "truth.jsonl", OUT, "--lossy", "--to", "beir"), is_folder=True,
    ),
    "remap -o": Writer(PIECES, (*MOVE, "-o", OUT), "out.jsonl"),
    "remap --report": Writer(
        "evaluator/reporting/forms.py:write_as", (*MOVE, "--report", OUT), "out.json"
    ),
    "suggest -o": Writer(
        DELIVER, ("suggest", "truth.jsonl", "--run", "run.jsonl", "-q", "-o", OUT), "out.csv"
    ),
    "suggest --apply": Writer(
        "evaluator/judging/apply.py:_write", (*MERGE, OUT), "out.jsonl"
    ),
    "suggest --apply, in place": Writer(EDIT, (*MERGE, "truth.jsonl"), "truth.jsonl"),
    "demo --retrievers": Writer(
        "evaluator/cli/retrievers.py:write_retrievers", ("demo", "--retrievers", OUT),
        is_folder=True,
    ),
    "Report.save": Writer("evaluator/reporting/forms.py:write_as", _save_report),
    "Report.to_html": Writer(
        "evaluator/reporting/forms.py:write_text", _save_page, "out.html"
    ),
    "Sheet.save": Writer("evaluator/reporting/sheet.py:write_sheet", _save_sheet, "out.csv"),
    "completion --install": Writer("evaluator/cli/shell_files.py:_write", _install_completion),
    "Plot.save": Writer("evaluator/reporting/charts/plots.py:save_plot", _save_plot, "out.svg"),
}  # fmt: skip
"""By name; the names of the calls are checked by `test_writers`."""
