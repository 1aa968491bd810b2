"""``groupwise fingerprint``: what a data set was judged on, written into it."""

import gzip
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.guard import DONE, FELL_SHORT
from groupwise.evaluator.cli.usage import Usage, add_choice, parser_of
from groupwise.evaluator.text import printable

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from groupwise.evaluator.errors import InputError
    from groupwise.evaluator.reading.records import Reading, Records
    from groupwise.evaluator.validation.corpus.survey import CorpusSurvey

GZIP, MARK = b"\x1f\x8b", "\ufeff"
SHOWN = 20
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


class Content(NamedTuple):
    """The text of a file, and how it was packed."""

    text: str
    marked: bool
    zipped: bool


def main(arguments: Sequence[str]) -> int:
    """Print a fingerprint, or write it into a data set."""
    words = _parser().parse_intermixed_args(arguments)
    _check(words)
    if words.dataset is None:
        streams.say(f"{_fingerprint(words.corpus)}\n")
        return DONE
    return _annotate(words)


def _parser() -> "ArgumentParser":
    parser = parser_of("fingerprint", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("dataset", nargs="?", metavar="DATASET", help="a data set or fixture; JSON or JSON Lines")
    add("--corpus", required=True, metavar="FILE",
        help="JSON Lines, JSON, parquet, TSV, CSV, or a list of ids")  # fmt: skip
    add("-o", "--output", metavar="FILE", help="write there; without it to standard output")
    add("--in-place", action="store_true", help="write into the data set itself")
    add("--check", action="store_true",
        help="write nothing; exit 1 if the data set would change")  # fmt: skip
    add_choice(parser, "--ids", ["text"], "compare all ids as strings")
    return parser


def _check(words: Namespace) -> None:
    ways = [bool(words.output), words.in_place, words.check]
    if sum(ways) > 1:
        raise Usage("one of --output, --in-place and --check", "fingerprint")
    if words.dataset is None and any(ways):
        raise Usage("without a data set the fingerprint is printed", "fingerprint")
    if "-" in (words.dataset, words.corpus):
        raise Usage("fingerprint reads files, not standard input", "fingerprint")


def _fingerprint(corpus: str) -> str:
    import numpy as np  # noqa: PLC0415

    from groupwise.evaluator.validation.corpus.survey import survey  # noqa: PLC0415

    return _sound(survey(corpus, np.zeros(0, np.int64), None, near=False)).fingerprint


def _sound(found: "CorpusSurvey") -> "CorpusSurvey":
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415

    if found.problem_count:
        raise InputError(found.problems, found.problem_count)
    for problem in found.duplicate_problems()[:SHOWN]:
        streams.note(str(problem), "warning")
    if found.duplicate_count > SHOWN:
        streams.note(f"… and {found.duplicate_count - SHOWN:,} more repeated ids", "warning")
    return found


def _annotate(words: Namespace) -> int:
    from groupwise.evaluator.cli.annotating import Annotation  # noqa: PLC0415
    from groupwise.evaluator.formats.opening import records_in  # noqa: PLC0415

    records = records_in(words.dataset)
    if records.editable is None:
        raise _no_json(words.dataset)
    annotation = Annotation(_surveyed(words, records))
    content = _read(words.dataset)
    new = annotation.text(content.text, lines=records.editable == "jsonl")
    changed = new != content.text
    _write(words, content, new, changed=changed)
    for number, (one, query) in enumerate(annotation.missing.items()):
        if number < SHOWN:
            streams.note(f"{words.dataset}: query {query!r}: {one!r} is not in the corpus", "error")
    if len(annotation.missing) > SHOWN:
        streams.note(f"… and {len(annotation.missing) - SHOWN:,} more ids", "error")
    return FELL_SHORT if annotation.missing or (words.check and changed) else DONE


def _surveyed(words: Namespace, records: "Records") -> "CorpusSurvey":
    """The corpus beside the gold ids of a data set that is sound."""
    import numpy as np  # noqa: PLC0415

    from groupwise.evaluator.errors import InputError, Problem  # noqa: PLC0415
    from groupwise.evaluator.validation.corpus.survey import survey  # noqa: PLC0415
    from groupwise.evaluator.validation.engine.hashes import hashes_of  # noqa: PLC0415

    policy = _checked(records, words.ids)
    ids = {str(one) if policy == "text" else one for one in _gold_ids(records)}
    gold = np.unique(hashes_of(ids))
    kind = next(map(type, ids), None)
    found = _sound(survey(words.corpus, gold, kind, near=False, ids=policy))
    if not found.texts:
        message = "the corpus has no texts (text, contents, content, page_content) to hash"
        raise InputError([Problem(message, words.corpus)])
    return found


def _checked(records: "Records", ids: Any) -> Any:
    """Refuse what is unsound; how ids are compared is returned."""
    from groupwise.evaluator.errors import Problems  # noqa: PLC0415
    from groupwise.evaluator.intake.checking import Intake  # noqa: PLC0415
    from groupwise.evaluator.intake.kinds import Kinds  # noqa: PLC0415
    from groupwise.evaluator.intake.problems import read_head  # noqa: PLC0415
    from groupwise.evaluator.reading.records import Reading  # noqa: PLC0415
    from groupwise.schemas import FixtureQuery, Query  # noqa: PLC0415

    reading, problems = Reading(), Problems()
    has_results = _has_results(records, reading)
    policies = read_head(reading, records.name).policies
    policies = policies.model_copy(update={"ids": ids or policies.ids})
    model = FixtureQuery if has_results else Query
    for _ in Intake(records, model, policies, problems, Kinds(problems)).rows():
        pass
    problems.raise_if_any()
    return policies.ids


def _has_results(records: "Records", reading: "Reading") -> bool:
    """Whether the first record does; a map that has no place for hashes is refused."""
    from groupwise.evaluator.reading.detection import detect_roles  # noqa: PLC0415

    first: Any = None
    for batch in records.batches(reading):
        first = first or next(iter(batch.values), None)
        if batch.keys is not None and not all(isinstance(one, dict) for one in batch.values):
            raise _no_place(records.name)
    return "run" in detect_roles(first)


def _no_json(name: str) -> "InputError":
    from groupwise.evaluator.errors import InputError, Problem  # noqa: PLC0415

    message = (
        "hashes are written into JSON and JSON Lines only; "
        f"groupwise convert {name} OUT.jsonl makes it one"
    )
    return InputError([Problem(message, name)])


def _no_place(name: str) -> "InputError":
    from groupwise.evaluator.errors import InputError, Problem  # noqa: PLC0415

    message = (
        "a map of ground truths by query id has no place for hashes; "
        'write records: {"id": …, "ground_truth": …}'
    )
    return InputError([Problem(message, name)])


def _gold_ids(records: "Records") -> Iterator[Any]:
    from groupwise.evaluator.cli.annotating import gold_ids  # noqa: PLC0415
    from groupwise.evaluator.reading.records import Reading  # noqa: PLC0415

    for batch in records.batches(Reading()):
        for number, value in enumerate(batch.values):
            yield from gold_ids(value, batch.keys[number] if batch.keys else None)


def _read(path: str) -> Content:
    raw = Path(path).read_bytes()
    zipped = raw.startswith(GZIP)
    text = (gzip.decompress(raw) if zipped else raw).decode()
    return Content(text.removeprefix(MARK), text.startswith(MARK), zipped)


def _write(words: Namespace, content: Content, new: str, *, changed: bool) -> None:
    from groupwise.evaluator.reading.writing import write_whole  # noqa: PLC0415

    data = f"{MARK if content.marked else ''}{new}".encode()
    if words.check:
        verdict = "would change" if changed else "is up to date"
        streams.say(f"{printable(words.dataset)} {verdict}\n")
    elif words.output or words.in_place:
        target = words.output or words.dataset
        zipped = content.zipped if words.in_place else target.endswith(".gz")
        if changed or not words.in_place:
            write_whole(target, gzip.compress(data, mtime=0) if zipped else data)
    else:
        streams.emit(data)
