"""``groupwise fingerprint``: what a data set was judged on, written into it."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser
from groupwise.evaluator.cli.data import STDIN
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.text import printable

if TYPE_CHECKING:
    from groupwise.evaluator.validation.corpus.annotation import Annotation
    from groupwise.evaluator.validation.corpus.survey import CorpusSurvey

DESCRIPTION = """\
Print the fingerprint of a corpus; with a data set, write the content hash of
each of its documents and the fingerprint into the data set. groupwise validate
then says when a text has changed (CP002), or the corpus (CP003)."""
EXAMPLE = """\
  $ printf '{"id": "a", "text": "one"}\\n{"id": "b", "text": "two"}\\n' > corpus.jsonl
  $ printf '{"id": "q1", "ground_truth": [["a", "b"]]}\\n' > qa.jsonl
  $ groupwise fingerprint --corpus corpus.jsonl
  $ groupwise fingerprint qa.jsonl --corpus corpus.jsonl --in-place
  $ groupwise fingerprint qa.jsonl --corpus corpus.jsonl --check
"""


def main(arguments: Sequence[str]) -> int:
    """Print a fingerprint, or write it into a data set."""
    words = _parser().parse_words(arguments)
    _check(words)
    return _annotate(words) if words.dataset else _print_fingerprint(words.corpus)


def _parser() -> CommandParser:
    parser = CommandParser("fingerprint", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("dataset", nargs="?", metavar="DATASET", help="a data set or fixture; JSON or JSON Lines")
    add("--corpus", required=True, metavar="FILE",
        help="JSON Lines, JSON, parquet, TSV, CSV, or a list of ids")  # fmt: skip
    add("-o", "--output", metavar="FILE", help="write to FILE (default: stdout)")
    add("--in-place", action="store_true", help="write into the data set itself")
    add("--check", action="store_true",
        help="write nothing; exit 1 if the data set would change")  # fmt: skip
    parser.add_choice("--ids", ["text"], "compare all ids as strings")
    return parser


def _check(words: Namespace) -> None:
    ways = [bool(words.output), words.in_place, words.check]
    if sum(ways) > 1:
        raise UsageError("expected at most one of --output, --in-place and --check")
    if words.dataset is None and any(ways):
        raise UsageError("--output, --in-place and --check need a DATASET")
    if STDIN in (words.dataset, words.corpus):
        raise UsageError("fingerprint reads files, not standard input")


def _print_fingerprint(corpus: str) -> int:
    from groupwise.evaluator.validation.corpus.annotation import survey_corpus  # noqa: PLC0415

    found = survey_corpus(corpus)
    _warn_of_duplicates(found)
    streams.say(f"{found.fingerprints[0]}\n")
    return DONE


def _warn_of_duplicates(found: "CorpusSurvey") -> None:
    from groupwise.evaluator.errors import Problem  # noqa: PLC0415
    from groupwise.evaluator.validation.rules.corpus import find_duplicates  # noqa: PLC0415

    texts = (
        str(Problem(draft.message, place.file, *place.line_and_column()))
        for draft, place in find_duplicates(found)
    )
    streams.note_first(texts, found.duplicate_count, "repeated id", "warning")


def _annotate(words: Namespace) -> int:
    from groupwise.evaluator.validation.corpus.annotation import annotate  # noqa: PLC0415

    annotation = annotate(words.dataset, words.corpus, ids=words.ids)
    _warn_of_duplicates(annotation.survey)
    changed = annotation.has_changed
    if words.check:
        verdict = "would change" if changed else "is up to date"
        streams.say(f"{printable(words.dataset)} {verdict}\n")
    else:
        _write(words, annotation)
    texts = (
        f"{words.dataset}: query {query!r}: {document!r} is not in the corpus"
        for document, query in annotation.missing.items()
    )
    streams.note_first(texts, len(annotation.missing), "id")
    return FELL_SHORT if annotation.missing or (words.check and changed) else DONE


def _write(words: Namespace, annotation: "Annotation") -> None:
    from groupwise.evaluator.reading.writing import write_data  # noqa: PLC0415

    if words.output:
        write_data(words.output, [annotation.new.encode()])
    elif not words.in_place:
        streams.emit(annotation.new.encode())
    elif annotation.has_changed:
        annotation.file.write(annotation.new)
