"""The metrics that a call asks for: names, cutoffs, and those that its gates name."""

from argparse import ArgumentTypeError, Namespace
from typing import TYPE_CHECKING

from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.statistics.gates import Gate

if TYPE_CHECKING:
    from groupwise.evaluator.metrics.names import Measure
    from groupwise.schemas import FixtureHead


def split_names(text: str) -> list[str]:
    """Names between commas; a comma within parentheses separates parameters."""
    depth, names = 0, [""]
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth <= 0:
            names.append("")
        else:
            names[-1] += sign
    if not all(map(str.strip, names)):
        raise ArgumentTypeError(f"{text!r} has an empty name; write names such as recall,ndcg@10")
    return [name.strip() for name in names]


def cutoffs(text: str) -> list[int]:
    """Whole numbers from 1 on, between commas."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and int(part[:18]) > 0 for part in parts):
        raise ArgumentTypeError(f"{text!r}; cutoffs are whole numbers from 1 on, such as 1,3,5,10")
    return [int(part[:18]) for part in parts]


def depth(text: str) -> int:
    """One whole number from 1 on."""
    first, *others = cutoffs(text)
    if others:
        raise ArgumentTypeError(f"{text!r}; it is one whole number, such as 20")
    return first


def positive(text: str) -> float:
    """A number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ArgumentTypeError(f"{text!r}; it is a number above 0, such as 4")
    return value


def check_names(words: Namespace) -> None:
    """Names must be known in the profile asked for; a fixture may name any."""
    from groupwise.evaluator.metrics.names import check_profile  # noqa: PLC0415
    from groupwise.evaluator.metrics.registry import PROFILES  # noqa: PLC0415

    if words.profile:
        check_profile(words.profile)
    is_fixture = len(words.files) == 1
    profiles = list(PROFILES) if is_fixture and not words.profile else [words.profile or "autorag"]
    for name in _named(words) or []:
        _check_name(name, profiles)
    for one in words.gate:
        _check_gate(one, profiles)


def _check_name(name: str, profiles: list[str]) -> "Measure":
    """The measure, in the first of the profiles that knows it."""
    from groupwise.evaluator.errors import UnknownMetric  # noqa: PLC0415
    from groupwise.evaluator.metrics.names import parse  # noqa: PLC0415

    first, *others = profiles
    try:
        return parse(name, first)
    except UnknownMetric:
        if not others:
            raise
    return _check_name(name, others)


def _check_gate(one: Gate, profiles: list[str]) -> None:
    if _check_name(one.metric, profiles).metric.kind == "rank":
        raise UsageError(
            f"--gate {one}: {one.metric} is a rank, and ranks have no mean", "evaluate"
        )


def _named(words: Namespace) -> list[str]:
    return [name for names in words.metrics or () for name in names]


def asked_names(words: Namespace, head: "FixtureHead") -> tuple[list[str] | None, tuple[int, ...]]:
    """The names to measure (None: those of the fixture or profile), and cutoffs for bare ones.

    A gate is about the metric as it is written there: cutoffs of the call do not change it.
    """
    from groupwise.evaluator.metrics.registry import SIX  # noqa: PLC0415

    at = tuple(k for some in words.cutoffs or () for k in some)
    if not words.gate:
        return _named(words) or None, at
    names = _named(words) or head.metrics or SIX
    cut = [one for name in names for one in _cut(name, at)]
    return [*cut, *(one.metric for one in words.gate)], ()


def _cut(name: str, at: tuple[int, ...]) -> list[str]:
    return [name] if "@" in name or not at else [f"{name}@{k}" for k in at]
