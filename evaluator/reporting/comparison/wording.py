"""What a comparison says besides its numbers: letters of runs, captions, numbers for people."""

from collections.abc import Iterator, Sequence
from string import ascii_letters

from groupwise.evaluator.evaluation.pair_verdicts import format_p
from groupwise.evaluator.reporting.pivot import format_score
from groupwise.evaluator.statistics.corrections import CORRECTIONS
from groupwise.evaluator.statistics.paired import TESTS
from groupwise.evaluator.statistics.permutation import EXACT_UP_TO
from groupwise.evaluator.text import plural
from groupwise.schemas.comparison import Comparison, Pair, RunScore

__all__ = ["format_p", "format_score"]

NOTHING = "–"  # noqa: RUF001
LEGEND = "letters: significantly better than the runs with these letters"
BEST = "*"
DEFAULT = next(iter(TESTS))


def name_letters(runs: Sequence[str]) -> dict[str, str]:
    """Return a letter for each run, or a number where there are more runs than letters.

    >>> name_letters(["bm25", "dense"])
    {'bm25': 'a', 'dense': 'b'}
    """
    if len(runs) <= len(ascii_letters):
        return dict(zip(runs, ascii_letters, strict=False))
    return {run: str(number) for number, run in enumerate(runs, 1)}


def join_letters(runs: Sequence[str], letters: dict[str, str]) -> str:
    """Return the letters of some runs; numbers are separated."""
    found = [letters[run] for run in runs]
    return ("" if all(map(str.isalpha, found)) else ",").join(found)


def format_interval(score: RunScore | Pair, sign: str = "") -> str:
    """Return an interval with three decimals, with signs if asked for; nothing if there is none.

    >>> format_interval(RunScore(mean=0.5, low=0.25, high=0.75, n=9, interval="bca"))
    '[0.250, 0.750]'
    """
    if score.low is None or score.high is None:
        return ""
    return f"[{score.low:{sign}.3f}, {score.high:{sign}.3f}]"


def format_difference(value: float | None) -> str:
    """Return a difference with its sign and four decimals.

    >>> format_difference(0.03), format_difference(-1e-9), format_difference(0.0)
    ('+0.0300', '-0.0000', '0.0000')
    """
    if value is None:
        return NOTHING
    return f"{value:+.4f}" if value else "0.0000"


def format_relative(value: float | None) -> str:
    """Return a relative difference in percent."""
    return NOTHING if value is None else f"{value:+.1%}" if value else "0.0%"


def format_effect(value: float | None) -> str:
    """Return an effect size with two decimals."""
    return NOTHING if value is None else f"{value:+.2f}"


def format_outcomes(pair: Pair) -> str:
    """Return wins, ties and losses of b."""
    return f"{pair.wins}/{pair.ties}/{pair.losses}"


def name_pair(pair: Pair) -> str:
    """Return a pair as the difference that it is.

    >>> from groupwise.schemas.comparison import Pair
    >>> name_pair(Pair.model_construct(a="bm25", b="dense"))
    'dense - bm25'
    """
    return f"{pair.b} - {pair.a}"


def describe_counts(comparison: Comparison) -> str:
    """Return how many queries are compared, and why others are not."""
    counts = comparison.counts
    parts = [plural(counts.queries, "query", "queries"), f"{counts.compared:,} compared"]
    if counts.dropped:
        parts.append(f"{counts.dropped:,} not scored in every run and left out of all")
    if counts.unanswerable:
        parts.append(f"{counts.unanswerable:,} unanswerable")
    return ", ".join(parts)


def describe_test(comparison: Comparison) -> str:
    """Return which test, how many permutations, and which correction over which family."""
    test = comparison.test
    level = f"significant: p <= {round(1 - test.confidence, 12):g}"
    parts = [_name_test(comparison), _describe_correction(comparison), level]
    return "; ".join([*parts, *_describe_margin(comparison)])


def _name_test(comparison: Comparison) -> str:
    """Return the test and how often it drew; one that draws nothing, with all of its details."""
    test, known = comparison.test, TESTS.get(comparison.test.name)
    if known is None or not known.draws:
        return test.details or test.name
    if test.exact or test.permutations is None:
        return f"{known.title}, two-sided, exact"
    drawn = f"{plural(test.permutations, known.draws)}, seed {test.seed}"
    rest = f" (exact where at most {EXACT_UP_TO} queries differ)" if test.name == DEFAULT else ""
    return f"{known.title}, two-sided, {drawn}{rest}"


def _describe_correction(comparison: Comparison) -> str:
    pairs = next(iter(comparison.metrics.values())).pairs
    if pairs == 1:
        return "one pair of each metric, so nothing to correct"
    whose = " with the baseline" if comparison.baseline is not None else ""
    return f"{_name_correction(comparison)} the {pairs:,} pairs of each metric{whose}"


def _name_correction(comparison: Comparison) -> str:
    method = comparison.test.correction
    if method == "none":
        return "not corrected for"
    if method == "tukey":
        return "randomised Tukey HSD over"
    return f"corrected by {CORRECTIONS[method].title} over"


def _describe_margin(comparison: Comparison) -> Iterator[str]:
    if comparison.test.margin is not None:
        margin = f"{comparison.test.margin:g}"
        yield f"non-inferiority with a margin of {margin}: one-sided, not corrected"


def describe_intervals(comparison: Comparison) -> str:
    """Return which intervals the means and differences have."""
    slices = [part.runs for found in comparison.slices.values() for part in found.values()]
    runs = [scores for part in (comparison.runs, *slices) for scores in part.values()]
    kinds = {score.interval for scores in runs for score in scores.values()}
    names = [words for kind, words in INTERVALS.items() if kind in kinds]
    confidence = f"{round(comparison.test.confidence * 100, 10):g} %"
    if not names:
        return "no intervals: fewer than 2 queries have a value, or all values are equal"
    shown = " and ".join(names)
    return f"intervals: {confidence}, {shown}; differences: paired BCa; none of them corrected"


INTERVALS = {
    "wilson": "Wilson for values of 0 and 1",
    "bca": "BCa bootstrap",
}


def describe_share(significant: int, pairs: int) -> str:
    """Return how many pairs a metric tells apart."""
    return f"{significant:,} of {pairs:,}"
