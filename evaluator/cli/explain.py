"""``groupwise explain``: which groups were missed, where they would have been met, and why."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import CommandParser, parse_count
from groupwise.evaluator.cli.data import (
    add_data_options,
    build_files,
    build_plain,
    check_files,
    list_roles,
    without_threads,
)
from groupwise.evaluator.cli.evaluate import spell_problems
from groupwise.evaluator.cli.guard import DONE
from groupwise.evaluator.cli.output import (
    add_output_options,
    check_output,
    choose_form,
    deliver,
    is_file,
)
from groupwise.evaluator.cli.progress import progress
from groupwise.evaluator.cli.scoring import (
    POLICIES,
    add_matching_options,
    add_policies,
    check_matching,
    choose_matching,
)
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.reporting.explanation import EXPLANATION_FORMS

if TYPE_CHECKING:
    from groupwise.schemas.explanation import Explanation

WORST = 5
"""So many queries are shown to people who ask for none."""
FOR_PEOPLE = ("table", "markdown")
DESCRIPTION = """\
Say which groups of a query are met at which rank, and why the others are not:
beyond the first K results, not retrieved, or not in the corpus; with near
misses, such as an id that differs in case. For the whole run: how many groups
have each reason, the labels and groups missed most, and how many results would
have been enough. FILE is a fixture, or ground truth and a run."""
EXAMPLE = """\
  $ groupwise demo --fixture > first.json
  $ groupwise explain first.json
  $ groupwise explain first.json --query q1 -k 3
  $ groupwise explain first.json --worst 3 --format markdown
"""


def main(arguments: Sequence[str]) -> int:
    """Explain queries, and the run as a whole."""
    words = _parser().parse_words(arguments)
    _check(words)
    without_threads()
    found = _explain(words)
    title = _describe_choice(words, found)
    form = deliver(found, words, EXPLANATION_FORMS, sums=not words.query, title=title)
    if form.name not in FOR_PEOPLE or is_file(words.output):
        for warning in found.warnings:
            streams.note(warning, "warning")
    return DONE


def _parser() -> CommandParser:
    parser = CommandParser("explain", DESCRIPTION, EXAMPLE)
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="FIXTURE, or GROUND_TRUTH RUN")
    add("--query", action="append", metavar="ID", help="explain this query; may be repeated")
    add("--worst", type=parse_count, metavar="N",
        help=f"explain the N worst queries, then by query id (default: {WORST} in a table or "
             "Markdown, all queries in other formats)")  # fmt: skip
    add("--worst-by", metavar="METRIC",
        help="the metric that says which are the worst (default: recall at K)")  # fmt: skip
    add("-k", type=parse_count, default=10, metavar="K",
        help="the number of results that count (default: 10)")  # fmt: skip
    add("--corpus", metavar="FILE",
        help="the documents, to tell what is not in them: JSON, JSON Lines, parquet, TSV, or a "
             "list of ids")  # fmt: skip
    add("--by", action="append", metavar="FIELD",
        help="reasons by a key of the queries' metadata, by groups (their number) or by label; "
             "may be repeated")  # fmt: skip
    parser.add_choice(
        "--profile", PROFILES,
        "whose recall says which are the worst; trec orders results by score (default: autorag)",
    )  # fmt: skip
    add_matching_options(parser)
    add_output_options(parser, EXPLANATION_FORMS)
    parser.add_quiet("progress")
    add_policies(parser)
    add_data_options(parser)
    return parser


def _check(words: Namespace) -> None:
    """Raise a usage error for what is wrong before any file is read."""
    if len(words.files) > 2:
        found = f"got {len(words.files)} files"
        raise UsageError(f"expected one fixture, or ground truth and run; {found}")
    if words.query and words.worst:
        raise UsageError("--query and --worst both choose queries; give one of them")
    check_output(words, EXPLANATION_FORMS, {})
    check_files(words, list_roles(words), words.corpus)
    check_matching(words)


def _explain(words: Namespace) -> "Explanation":
    """Return the explanation, showing progress where a person watches."""
    from groupwise.evaluator.errors import InputError  # noqa: PLC0415
    from groupwise.evaluator.evaluation.explain import explain  # noqa: PLC0415

    truth, *run = build_files(words, words.files, list_roles(words))
    try:
        with progress(quiet=words.quiet) as tell:
            return explain(
                truth, next(iter(run), None), words.k, query=words.query,
                worst=_choose_worst(words), worst_by=words.worst_by,
                corpus=build_plain(words, words.corpus),
                by=words.by, profile=words.profile, matching=choose_matching(words), progress=tell,
                **{name: getattr(words, name) for name in POLICIES},
            )  # fmt: skip
    except InputError as error:
        raise spell_problems(error, words.files) from None


def _describe_choice(words: Namespace, found: "Explanation") -> str:
    """Return which queries are shown, unless they were named, or are all that are scored."""
    shown = len(found.queries)
    if words.query or not shown or shown == found.counts.scored:
        return ""
    worst = "the worst query" if shown == 1 else f"the {shown:,} worst queries"
    return f"{worst} by {words.worst_by or f'recall@{words.k}'}, then by query id"


def _choose_worst(words: Namespace) -> int | None:
    """Return how many of the worst queries to explain; None: all, or those that are named."""
    if words.worst or words.query:
        return words.worst  # type: ignore[no-any-return]
    return WORST if choose_form(words, EXPLANATION_FORMS).name in FOR_PEOPLE else None
