"""Losses of a conversion: what the data has and the format of the target cannot carry."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.judgements import (
    Judgement,
    alternatives_of,
    has_bare_ids,
    judgements,
)
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.reading.options import ROLE_NAMES, Record, Role
from groupwise.evaluator.text import plural, quote

DESCRIPTIONS: Mapping[str, str] = {
    "groups": "which alternatives belong together in a group",
    "grades": "grades",
    "weights": "weights of groups",
    "labels": "labels of groups",
    "not_relevant": "what is judged not relevant",
    "unanswerable": "unanswerable queries",
    "query": "the text of queries",
    "metadata": "metadata of queries",
    "scores": "scores",
    "text": "the text of documents",
    "spans": "the places of passages in documents",
    "whole_numbers": "that ids are whole numbers (they become text; --ids text does so)",
    "tokens": "the tokens of results",
    "vectors": "the vectors of results",
    "empty_results": "queries with an empty result",
    "repeats": "alternatives that a group repeats",
    "answers": "reference answers (generation_gt)",
    "both": "ground truth and results in one file",
    "expected": "expected scores of queries",
    "expectations": "the head of a fixture, such as the scores it expects",
}
QUERY_FEATURES = {
    "query": "query", "metadata": "metadata", "generation_gt": "answers", "expected": "expected"
}  # fmt: skip
DOCUMENT_FEATURES = {
    "text": "text", "document": "spans", "start": "spans", "end": "spans", "tokens": "tokens",
    "vector": "vectors", "score": "scores",
}  # fmt: skip
"""The feature that each field stands for."""


def keep_roles(
    roles: frozenset[Role], target: Format, source: str
) -> tuple[frozenset[Role], list[str]]:
    """Return the roles that a format takes, and descriptions of the others.

    Raises:
        InputError: It takes none of them.
    """
    kept = roles & target.holds
    if not kept:
        what = " and ".join(ROLE_NAMES[role] for role in roles)
        raise InputError([Problem(f"{target.title} ({target.name}) cannot hold {what}", source)])
    if len(kept) == 2 and "both" not in target.carries:
        kept = frozenset({"ground_truth"})
    return kept, [ROLE_NAMES[role] for role in sorted(roles - kept)]


@dataclass
class Features:
    """The features of records: how many queries have each, and the id of the first."""

    queries: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)

    def add(self, record: Record) -> None:
        """Count the features of a record."""
        self.queries += 1
        for feature in {*_of_truth(record), *_of_results(record), *_of_query(record)}:
            self.counts[feature] = self.counts.get(feature, 0) + 1
            self.examples.setdefault(feature, str(record["id"]))

    def merge(self, later: "Features") -> None:
        """Add the features of the records that follow."""
        self.queries += later.queries
        for feature, count in later.counts.items():
            self.counts[feature] = self.counts.get(feature, 0) + count
            self.examples.setdefault(feature, later.examples[feature])

    def find_losses(self, target: Format) -> list[str]:
        """Return what a format cannot carry, described."""
        lost = self._present() - target.carries
        return [self._describe(feature) for feature in DESCRIPTIONS if feature in lost]

    def _present(self) -> set[str]:
        """Return the features of all queries; one group each, or one per id each, is flat."""
        is_flat = not {"several_groups", "several_alternatives"} <= self.counts.keys()
        return set(self.counts) - ({"groups"} if is_flat else set())

    def _describe(self, feature: str) -> str:
        queries = plural(self.counts[feature], "query", "queries")
        example = quote(self.examples[feature])
        return f"{DESCRIPTIONS[feature]}: {queries}, such as {example}"


def count_features(records: Iterable[Record]) -> Features:
    """Return the features of all records."""
    features = Features()
    for record in records:
        features.add(record)
    return features


def _of_truth(record: Record) -> Iterator[str]:
    if "ground_truth" not in record:
        return
    if has_bare_ids(record):
        yield from _of_bare_groups(record)
        return
    judged = list(judgements(record))
    relevant = [judgement for judgement in judged if judgement.grade]
    if not relevant:
        yield "unanswerable"
    if len(relevant) < len(judged) or record.get("not_relevant"):
        yield "not_relevant"
    yield from _of_groups(relevant)
    if any(judgement.grade != 1 for judgement in relevant):
        yield "grades"
    if any(judgement.weight != 1 for judgement in judged):
        yield "weights"
    if any(judgement.label is not None for judgement in judged):
        yield "labels"
    for group in record["ground_truth"]:
        is_list = type(group) is list
        yield from _of_listed(group) if is_list else _of_documents(alternatives_of(group))


def _of_bare_groups(record: Record) -> Iterator[str]:
    """Yield the features of groups that are lists of ids."""
    groups: list[list[Any]] = [group for group in record["ground_truth"] if group]
    if not groups:
        yield "unanswerable"
    if record.get("not_relevant"):
        yield "not_relevant"
    listed, pairs = sum(map(len, groups)), sum(len({*group}) for group in groups)
    yield from _of_sizes(listed, len(groups), len({*chain.from_iterable(groups)}), pairs)
    if int in {*map(type, chain.from_iterable(groups))}:
        yield "whole_numbers"


def _of_groups(relevant: list[Judgement]) -> Iterator[str]:
    groups = {judgement.group for judgement in relevant}
    ids = {judgement.id for judgement in relevant}
    pairs = {(judgement.group, judgement.id) for judgement in relevant}
    yield from _of_sizes(len(relevant), len(groups), len(ids), len(pairs))


def _of_sizes(listed: int, groups: int, ids: int, pairs: int) -> Iterator[str]:
    """Yield the features of alternatives, by their number and that of groups, ids and both."""
    if pairs < listed:
        yield "repeats"
    if groups > 1:
        yield "groups"
        yield "several_groups"
    if groups < pairs or ids < pairs:
        yield "several_alternatives"


def _of_documents(documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for document in documents:
        if isinstance(document["id"], int):
            yield "whole_numbers"
        yield from (feature for name, feature in DOCUMENT_FEATURES.items() if name in document)


def _of_results(record: Record) -> Iterator[str]:
    if "results" not in record:
        return
    yield from _of_listed(record["results"])
    if not record["results"]:
        yield "empty_results"
    if record.get("scores"):
        yield "scores"


def _of_listed(documents: Sequence[Any]) -> Iterator[str]:
    """Yield the features of results or alternatives, most of which are bare ids."""
    kinds = {*map(type, documents)}
    if kinds <= {str}:
        return
    if int in kinds:
        yield "whole_numbers"
    yield from _of_documents(each for each in documents if isinstance(each, Mapping))


def _of_query(record: Record) -> Iterator[str]:
    return (feature for name, feature in QUERY_FEATURES.items() if record.get(name))
