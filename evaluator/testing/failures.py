"""What a failing test of a fixture shows: expected, got, the difference, and why."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from groupwise.evaluator.errors import GroupwiseError, InputError, Problem
from groupwise.evaluator.evaluation.checked_files import Lines
from groupwise.evaluator.evaluation.explanations import DEFAULT_K
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.reporting.explanation import show_queries
from groupwise.evaluator.reporting.page import Page
from groupwise.evaluator.reporting.pivot import format_score
from groupwise.evaluator.statistics.bounds import parse_bound
from groupwise.evaluator.text import cut, plural, printable, quote
from groupwise.schemas import FixtureCheck, Outcome
from groupwise.schemas.check import describe_expectation
from groupwise.schemas.expectation import NO_WORSE

if TYPE_CHECKING:
    from groupwise.evaluator.evaluation.fixture import FixtureContent
    from groupwise.schemas.explanation import Explanation

WIDTH = 80
HEAD = ("metric", "expected", "got", "difference")
NO_VALUE = "no value"
EXPLAINED = 3
"""How many of the worst queries are explained, where a mean falls short."""


class Failure(NamedTuple):
    """What to show of a test that fails: at length, in a line, and where."""

    text: str
    message: str
    path: str
    line: int | None = None


class EvaluatedFile(Protocol):
    """A fixture with its outcomes."""

    @property
    def place(self) -> str:
        """The path."""

    @property
    def content(self) -> "FixtureContent":
        """The fixture."""

    @property
    def check(self) -> FixtureCheck:
        """The outcomes."""

    @property
    def lines(self) -> Lines:
        """The lines of expectations that are not met."""

    def explain(self, query: str, k: int) -> "Explanation":
        """Return the explanation of a query."""


def describe_broken(error: GroupwiseError, path: str, place: str) -> str:
    """Return why a fixture cannot be checked; its path is shown as ``place``."""
    known = error.problems if isinstance(error, InputError) else [Problem(str(error))]
    count = error.count if isinstance(error, InputError) else 1
    own = (None, "", path)
    named = InputError(
        [each._replace(source=place) if each.source in own else each for each in known], count
    )
    return "\n".join(printable(line.replace("\n", "\\n")) for line in named.lines())


def describe_query(file: EvaluatedFile, failed: Sequence[Outcome]) -> Failure:
    """Return the scores of a query that fall short, and the explanation of the query."""
    page = _start_page(file, failed)
    query = failed[0].query or ""
    _explain(page, file, [query], _choose_cutoff(file, failed))
    return _finish(page, file, failed)


def describe_scores(file: EvaluatedFile, failed: Sequence[Outcome]) -> Failure:
    """Return the means that fall short, the worst queries, and the explanation of some."""
    page = _start_page(file, failed)
    metrics = {outcome.metric for outcome in failed}
    worst = {metric: scores for metric, scores in file.check.worst.items() if metric in metrics}
    for metric, scores in worst.items():
        shown = ", ".join(
            f"{quote(query)} {format_score(score)}" for query, score in scores.items()
        )
        page.line(f"the worst queries by {metric}: {shown}")
    _explain(page, file, _list_worst(worst)[:EXPLAINED], _choose_cutoff(file, failed))
    return _finish(page, file, failed)


def _list_worst(worst: Mapping[str, Mapping[str, float | None]]) -> list[str]:
    """Return the worst queries, without those that cannot be better."""
    pairs = (pair for scores in worst.values() for pair in scores.items())
    return [*dict.fromkeys(query for query, score in pairs if score is None or score < 1)]


def _start_page(file: EvaluatedFile, failed: Sequence[Outcome]) -> Page:
    """Return a page with a table of the expectations that are not met."""
    query = failed[0].query
    subject = "the mean" if query is None else f"query {quote(query)}"
    page = Page(WIDTH)
    page.line(f"{_locate(file, failed)}: {subject}, profile {file.content.head.profile}")
    page.table(HEAD, [*map(_list_cells, failed)])
    return page


def _locate(file: EvaluatedFile, failed: Sequence[Outcome]) -> str:
    line = _find_line(file, failed)
    return f"{file.place}:{line}" if line else file.place


def _find_line(file: EvaluatedFile, failed: Sequence[Outcome]) -> int | None:
    return file.lines.get((failed[0].query, failed[0].metric))


def _list_cells(outcome: Outcome) -> list[str]:
    expected = describe_expectation(outcome.expected, outcome.before)
    found = NO_VALUE if outcome.found is None else repr(outcome.found)
    difference = compute_difference(outcome)
    return [cut(outcome.metric), expected, found, "" if difference is None else f"{difference:+g}"]


def compute_difference(outcome: Outcome) -> float | None:
    """Return how far the score is from what is expected; None where either has no value."""
    target = _find_target(outcome.expected, outcome.before)
    return None if outcome.found is None or target is None else outcome.found - target


def _find_target(expected: Any, before: float | None) -> float | None:
    if expected == NO_WORSE:
        return before
    if isinstance(expected, str):
        return parse_bound(expected).target
    target: float | None = expected["value"] if isinstance(expected, Mapping) else expected
    return target


def _choose_cutoff(file: EvaluatedFile, failed: Iterable[Outcome]) -> int:
    """Return the deepest cutoff of the metrics that fall short; that of most readers if none."""
    profile = file.content.head.profile
    cutoffs = (parse(outcome.metric, profile).k for outcome in failed)
    return max((k for k in cutoffs if isinstance(k, int)), default=DEFAULT_K)


def _explain(page: Page, file: EvaluatedFile, queries: Sequence[str], k: int) -> None:
    """Add the explanation of queries, if there is one."""
    with suppress(GroupwiseError):
        for query in queries:
            explanation = file.explain(query, k)
            only = {query: explanation.queries[query]}
            show_queries(page, explanation.model_copy(update={"queries": only}))


def _finish(page: Page, file: EvaluatedFile, failed: Sequence[Outcome]) -> Failure:
    message = "; ".join(_list_messages(failed))
    text = page.text().rstrip("\n")
    return Failure(text, message, printable(file.place), _find_line(file, failed))


def _list_messages(failed: Sequence[Outcome]) -> Iterator[str]:
    """Yield the first of the expectations that are not met, and how many more there are."""
    first, *others = failed
    yield printable(f"{cut(first.metric)}: {first.comparison}")
    if others:
        yield f"{plural(len(others), 'more expectation')} not met"
