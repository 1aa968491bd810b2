"""What follows from the numbers of a pair of runs, in words."""

from collections.abc import Iterator

from groupwise.evaluator.evaluation.comparison_settings import Settings
from groupwise.evaluator.statistics.intervals import FEW
from groupwise.evaluator.text import plural
from groupwise.schemas.comparison import Pair


def describe_pair(pair: Pair, queries: int, settings: Settings) -> str:
    """Return the verdict on a pair; "no difference" is never one.

    Args:
        pair: The numbers.
        queries: How many queries the pair is compared on.
        settings: The level, and the margin if there is one.
    """
    return "; ".join([_describe_difference(pair, queries), *_describe_margin(pair, settings)])


def _describe_difference(pair: Pair, queries: int) -> str:
    if pair.difference is None or not queries:
        return "no query is scored in both runs"
    if pair.significant:
        better, worse = (pair.b, pair.a) if pair.difference > 0 else (pair.a, pair.b)
        few = f", on {plural(queries, 'query', 'queries')} only" if queries < FEW else ""
        return f"{better} is better than {worse}{few}"
    if pair.ties == queries:
        return "the same on every query"
    return _describe_doubt(pair, queries, pair.difference)


def _describe_doubt(pair: Pair, queries: int, difference: float) -> str:
    """Return why a difference that is not significant tells nothing."""
    if queries < FEW:
        return f"not enough queries to tell: you have {plural(queries, 'query', 'queries')}"
    if pair.detectable is not None and abs(difference) < pair.detectable:
        could, have = _spell_apart(pair.detectable, abs(difference))
        return f"not enough queries to tell: you could see {could}, you have {have}"
    return f"cannot tell: this could be chance (p = {format_p(pair.p_corrected)})"


def _spell_apart(could: float, have: float) -> tuple[str, str]:
    """Return two numbers with as few digits as tell them apart, two at least.

    >>> _spell_apart(0.05, 0.0213), _spell_apart(0.0501, 0.0499)
    (('0.05', '0.021'), ('0.0501', '0.0499'))
    """
    texts = f"{could:.2g}", f"{have:.2g}"
    for digits in range(3, 18):
        if texts[0] != texts[1]:
            break
        texts = f"{could:.{digits}g}", f"{have:.{digits}g}"
    return texts


def _describe_margin(pair: Pair, settings: Settings) -> Iterator[str]:
    if pair.non_inferior is None:
        return
    margin = f"{settings.margin:g}"
    if pair.non_inferior:
        yield f"{pair.b} is not worse than {pair.a} by {margin} or more"
    else:
        yield f"{pair.b} could be worse than {pair.a} by {margin} or more"


def format_p(p: float | None) -> str:
    """Return a p-value for people.

    >>> format_p(0.0123), format_p(0.00002), format_p(1.0)
    ('0.012', '<0.001', '1')
    """
    if p is None:
        return "–"  # noqa: RUF001
    return "<0.001" if p < 0.001 else f"{p:.3f}".rstrip("0").rstrip(".") if p == 1 else f"{p:.3f}"
