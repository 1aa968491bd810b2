"""The data of four retrievers that comes with the package, written into a folder of the user."""

import os
from pathlib import Path

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.output import check_folder
from groupwise.evaluator.cli.usage import UsageError

FILES = (
    "ground_truth.jsonl", "bm25.jsonl", "fusion.jsonl", "tfidf.jsonl", "trigrams.jsonl",
    "README.md", "LICENSE",
)  # fmt: skip
WRITTEN = """\
{folder}: ground truth of 250 questions, and what four retrievers found for them

Now type:
  $ cd {quoted}
  $ groupwise compare ground_truth.jsonl bm25.jsonl fusion.jsonl tfidf.jsonl \\
      trigrams.jsonl --profile coverage -m recall@5,ndcg@10
  $ groupwise power ground_truth.jsonl bm25.jsonl fusion.jsonl --profile coverage
  $ groupwise evaluate ground_truth.jsonl bm25.jsonl --profile coverage --by corpus
  $ groupwise evaluate ground_truth.jsonl bm25.jsonl --gates rag
"""


def write_retrievers(folder: str) -> None:
    """Write the files into a folder, which is made if need be, and say what to do with them.

    Raises:
        UsageError: The folder cannot be made, or has a file of such a name and other content.
    """
    from groupwise.evaluator.reading.writing import write_data  # noqa: PLC0415

    contents = {name: (find_data() / name).read_bytes() for name in FILES}
    target = _prepare(folder, contents)
    for name, content in contents.items():
        write_data(target / name, [content])
    streams.say(_describe(folder))


def _describe(folder: str) -> str:
    import shlex  # noqa: PLC0415

    from groupwise.evaluator.text import printable  # noqa: PLC0415

    return WRITTEN.format(folder=printable(folder), quoted=printable(shlex.quote(folder)))


def _prepare(folder: str, contents: dict[str, bytes]) -> Path:
    """Return the folder, after a look at what would be overwritten."""
    target, shown = Path(folder), f"--retrievers {folder}"
    check_folder(os.fspath(target), shown)
    try:
        target.mkdir(exist_ok=True)
        others = [name for name in contents if _differs(target / name, contents[name])]
    except OSError as error:
        raise UsageError(f"{shown}: {error.strerror or error}") from None
    if others:
        raise UsageError(f"{shown}: the folder has another {others[0]}; choose a new folder")
    return target


def _differs(path: Path, content: bytes) -> bool:
    return path.exists() and (not path.is_file() or path.read_bytes() != content)


def find_data() -> Path:
    """Return the folder of the data: in the package, or beside it in a checkout without links."""
    import groupwise  # noqa: PLC0415

    package = Path(groupwise.__file__).parent
    folder = package / "examples"
    return folder if folder.is_dir() else package.parent / "fixtures" / "examples" / "retrievers"
