"""Options of the commands that score runs: metrics, matching, policies."""

from argparse import Namespace
from typing import Any

from groupwise.evaluator.cli.arguments import (
    CommandParser,
    argument,
    parse_cutoffs,
    parse_positive,
    parse_setting,
    split_names,
)
from groupwise.evaluator.cli.data import data_options, usage_errors
from groupwise.evaluator.cli.usage import UsageError
from groupwise.evaluator.metrics.profiles import PROFILES

DEFINITIONS = (
    "whose definitions the metrics have: AutoRAG's, trec_eval's, or those in which each group "
    "counts once and a perfect ranking scores 1"
)
POLICIES = {
    "missing": (("zero", "skip", "error"), "a query without results (default: zero)"),
    "extra": (("ignore", "error"), "a query in the results only (default: ignore)"),
    "empty_results": (("zero", "skip"), "an empty result (default: zero; AutoRAG: skip)"),
    "unanswerable": (
        ("skip", "zero", "error"),
        "a query without groups (default: skip; trec_eval: zero)",
    ),
    "flat": (("any", "all"), "a flat list of ids: one group, or one group per id"),
    "ids": (("text",), "compare all ids as strings, including whole numbers"),
    "ties": (
        ("score", "input", "report"),
        "how the trec profile orders scored results; report adds the bounds of ties",
    ),
}
ORDERS = ("score", "input")
"""What ties may be where bounds of ties are not reported."""


def add_metric_options(parser: CommandParser) -> None:
    """Add the options that choose metrics."""
    add = parser.add_argument
    add("-m", "--metrics", action="extend", type=split_names, metavar="NAMES",
        help="such as recall,ndcg@10; may be repeated (default: the profile's six)")  # fmt: skip
    add("-k", "--cutoffs", action="extend", type=parse_cutoffs, metavar="K",
        help="cutoffs for the metrics that name none, such as 1,3,5,10")  # fmt: skip
    parser.add_choice("--profile", PROFILES, f"{DEFINITIONS} (default: autorag)")


def add_matching_options(parser: CommandParser) -> None:
    """Add the options that choose a matcher."""
    add = parser.add_argument
    add("--match", metavar="NAME",
        help="how results meet groups: exact (default), normalised, span, text")  # fmt: skip
    add("--match-option", action="merge", type=parse_setting, metavar="NAME=VALUE",
        help="an option of the matcher; may be repeated")  # fmt: skip


def add_content_options(parser: CommandParser) -> None:
    """Add the options for metrics that need more of a document than its id."""
    add = parser.add_argument
    add("--vectors", metavar="FILE",
        help="for ild and novelty_ndcg: NAME.npy with NAME.ids.txt, or JSON Lines")  # fmt: skip
    add("--characters-per-token", type=parse_positive, metavar="N",
        help="estimate tokens from texts, for budgets such as recall@2000t")  # fmt: skip


def add_provenance_option(parser: CommandParser) -> None:
    """Add the option that asks for fingerprints."""
    parser.add_argument("--provenance", action="store_true",
        help="report the fingerprints of the inputs; they take another pass")  # fmt: skip


def add_policies(parser: CommandParser, *, bounds_of_ties: bool = False) -> None:
    """Add an option for each policy; the bounds of ties where the command reports them."""
    for name, (choices, explanation) in POLICIES.items():
        flag = f"--{name.replace('_', '-')}"
        if name == "ties" and not bounds_of_ties:
            parser.add_choice(flag, ORDERS, explanation.partition("; report")[0])
        else:
            parser.add_choice(flag, choices, explanation)


def check_matching(words: Namespace) -> None:
    """Raise a usage error if there is no such matcher, or it does not take an option."""
    if words.match_option and not words.match:
        raise UsageError("--match-option goes with --match")
    if words.match:
        from groupwise.evaluator.matching import Matching  # noqa: PLC0415

        with usage_errors("--match"):
            Matching.parse(choose_matching(words))


def choose_matching(words: Namespace) -> dict[str, str] | None:
    """Return the matcher that the command line asks for, with its options."""
    return {**(words.match_option or {}), "type": words.match} if words.match else None


def choose_scoring(words: Namespace) -> dict[str, Any]:
    """Return the arguments of the library that these options and those of data stand for."""
    return {
        "metrics": words.metrics,
        "profile": words.profile,
        "k": words.cutoffs,
        "matching": choose_matching(words),
        "vectors": words.vectors,
        "characters_per_token": words.characters_per_token,
        "provenance": words.provenance,
        **data_options(words),
        **{name: getattr(words, name) for name in POLICIES},
    }


@argument
def parse_number(text: str) -> float:
    """Return a number."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"expected a number, such as 0.95, got {text!r}") from None
