"""Options of the commands that score runs: metrics, matching, policies."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from groupwise.evaluator.cli.arguments import (
    CommandParser,
    argument,
    parse_cutoffs,
    parse_positive,
    parse_setting,
    split_names,
)
from groupwise.evaluator.cli.data import build_plain, usage_errors
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
EXPECTED_CORPORA = "expected one file for all runs, or RUN=FILE for each run that needs one"
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


def add_corpus_option(parser: CommandParser) -> None:
    """Add the option for the corpus in which ids are looked up."""
    parser.add_argument("--corpus", metavar="FILE",
        help="look up ids in these chunks, for matchers and metrics of texts or spans: JSON, JSON "
             "Lines, parquet, CSV with id and text, or id, document, start and end")  # fmt: skip


def add_corpora_option(parser: CommandParser) -> None:
    """Add the option for the corpora of several runs."""
    parser.add_argument("--corpus", action="append", default=[], metavar="[RUN=]FILE",
        help="look up ids in these chunks, for matchers and metrics of texts or spans; with the "
             "name of a run, those of this run only; may be repeated")  # fmt: skip


def choose_corpora(words: Namespace, runs: Mapping[str, str]) -> str | dict[str, str] | None:
    """Return the corpus of all runs, or that of each run by its name.

    Raises:
        UsageError: There are several for all runs, or for one.
    """
    pairs = [_split_run(word, runs) for word in words.corpus]
    names = [name for name, _ in pairs]
    if len({*names}) < len(names) or (None in names and len(names) > 1):
        raise UsageError(f"--corpus: {EXPECTED_CORPORA}; got {' '.join(words.corpus)}")
    common = dict(pairs).get(None)
    return common or {name: path for name, path in pairs if name is not None} or None


def _split_run(word: str, runs: Mapping[str, str]) -> tuple[str | None, str]:
    """Return the run that a corpus belongs to, or None, and the file."""
    name, sign, path = word.partition("=")
    return (name, path) if sign and name in runs and not Path(word).exists() else (None, word)


def build_corpora(words: Namespace, runs: Mapping[str, str]) -> Any:
    """Return the corpora as files, as ``choose_corpora`` returns their paths."""
    found = choose_corpora(words, runs)
    if isinstance(found, dict):
        return {name: build_plain(words, path) for name, path in found.items()}
    return build_plain(words, found)


def list_corpora(words: Namespace, runs: Mapping[str, str]) -> list[str | None]:
    """Return the files of all corpora."""
    found = choose_corpora(words, runs)
    return [*found.values()] if isinstance(found, dict) else [found]


def gather_inputs(words: Namespace, runs: Mapping[str, str]) -> Namespace:
    """Return the words with the corpora of all runs among the files that are read."""
    corpora = [path for path in list_corpora(words, runs) if path]
    return Namespace(**vars(words) | {"files": [*words.files, *corpora], "corpus": None})


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
    """Return the arguments of the library that these options stand for."""
    return {
        "metrics": words.metrics,
        "profile": words.profile,
        "k": words.cutoffs,
        "matching": choose_matching(words),
        "vectors": build_plain(words, words.vectors),
        "characters_per_token": words.characters_per_token,
        "provenance": words.provenance,
        **{name: getattr(words, name) for name in POLICIES},
    }


@argument
def parse_number(text: str) -> float:
    """Return a number."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"expected a number, such as 0.95, got {text!r}") from None
