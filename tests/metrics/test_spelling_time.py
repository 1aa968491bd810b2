"""Texts that look like names of metrics are refused in linear time."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from groupwise.evaluator.errors import InputError, UnknownMetric
from groupwise.evaluator.metrics.names import parse
from groupwise.evaluator.statistics.gates import parse_gate
from groupwise.schemas.scores import split_label

SIZE = 50_000
"""A quadratic pattern takes half a minute for so many blanks, a cubic one days."""
TEXTS = {
    "blanks after the name": f"recall{' ' * SIZE}!",
    "blanks around a colon": f"x{' ' * SIZE}:{' ' * SIZE}!",
    "blanks after the parameters": f"recall(){' ' * SIZE}!",
    "blanks around the cutoff": f"recall@{' ' * SIZE}5{' ' * SIZE}5",
    "blanks before a parenthesis": f"a{' ' * SIZE}(",
    "letters": f"{'a' * SIZE}!",
    "parentheses": f"recall{'(' * SIZE}",
    "a comparison that is torn": f"recall>{' ' * SIZE}=",
    "comparisons": ">" * SIZE,
}
READERS: dict[str, Callable[[str], object]] = {
    "metric": parse, "gate": parse_gate, "label": split_label,
}  # fmt: skip


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("reader", READERS)
def test_a_long_text_is_refused_at_once(reader: str, text: str) -> None:
    with stopped_after(20), suppress(InputError, UnknownMetric):
        READERS[reader](text)


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """Fail if it takes longer; a pattern that is being matched heeds signals, but no threads."""

    def stop(*_: object) -> None:
        pytest.fail(f"it takes more than {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (" Coverage : nDCG ( ) @ 5 ", "coverage:ndcg@5"),
        ("recall @5", "recall@5"),
        ("recall\t@\n5\n", "recall@5"),
        ("trec:rbp( p = 0.8 )@3", "trec:rbp(p=0.8)@3"),
    ],
)
def test_blanks_are_allowed_as_before(text: str, label: str) -> None:
    assert parse(text).label == label
