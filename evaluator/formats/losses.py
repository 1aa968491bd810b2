"""What data holds and what a format can carry: the difference is lost when it is written."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from groupwise.evaluator.formats.mapping.judgements import judgements
from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.reading.options import Record
from groupwise.schemas.shape import shortened

WORDS: Mapping[str, str] = {
    "groups": "which alternatives belong together in a group",
    "grades": "grades",
    "weights": "weights of groups",
    "labels": "labels of groups",
    "not_relevant": "what is judged not relevant",
    "unanswerable": "queries that nothing answers",
    "query": "the text of queries",
    "metadata": "metadata of queries",
    "scores": "scores",
    "text": "the text of documents",
    "spans": "the places of passages in documents",
    "whole_numbers": "that ids are whole numbers (they become text; --ids text asks for that)",
    "tokens": "the tokens of results",
    "vectors": "the vectors of results",
    "empty_results": "queries with an empty result",
    "repeats": "alternatives that a group repeats",
    "answers": "reference answers (generation_gt)",
    "both": "ground truth and results in one file",
    "expected": "expected scores of queries",
    "expectations": "what a fixture says besides its queries, such as the scores it expects",
    "results": "results",
    "ground_truth": "ground truth",
}


@dataclass
class Held:
    """What some records hold: of each thing, how many queries have it and the id of the first."""

    queries: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    examples: dict[str, str] = field(default_factory=dict)

    def note(self, record: Record) -> None:
        """Take note of what a record holds."""
        self.queries += 1
        for one in {*_of_truth(record), *_of_results(record), *_of_query(record)}:
            self.counts[one] = self.counts.get(one, 0) + 1
            self.examples.setdefault(one, str(record["id"]))

    def lost_in(self, target: Format, roles: Iterable[str]) -> list[str]:
        """What a format cannot carry of it, in words."""
        carried = target.carried(roles)
        lost = [one for one in WORDS if one in self._present() and one not in carried]
        return [self._told(one) for one in lost]

    def _present(self) -> set[str]:
        """Groups are a matter of all queries: one each, or one per id each, is flat."""
        flat = not {"several_groups", "several_alternatives"} <= self.counts.keys()
        return set(self.counts) - ({"groups"} if flat else set())

    def _told(self, one: str) -> str:
        count = self.counts[one]
        queries = "1 query" if count == 1 else f"{count:,} queries"
        return f"{WORDS[one]}: {queries}, such as {shortened(repr(self.examples[one]))}"


def held_in(records: Iterable[Record]) -> Held:
    """What records hold."""
    held = Held()
    for record in records:
        held.note(record)
    return held


def _of_truth(record: Record) -> Iterator[str]:
    if "ground_truth" not in record:
        return
    judged = list(judgements(record))
    relevant = [one for one in judged if one.grade]
    if not relevant:
        yield "unanswerable"
    if len(relevant) < len(judged) or record.get("not_relevant"):
        yield "not_relevant"
    yield from _of_groups(relevant)
    if any(one.grade != 1 for one in relevant):
        yield "grades"
    if any(one.weight != 1 for one in judged):
        yield "weights"
    if any(one.label is not None for one in judged):
        yield "labels"
    yield from _of_documents([one for group in record["ground_truth"] for one in _in_full(group)])


def _of_groups(relevant: list[Any]) -> Iterator[str]:
    groups = {one.group for one in relevant}
    ids = {one.id for one in relevant}
    pairs = {(one.group, one.id) for one in relevant}
    if len(pairs) < len(relevant):
        yield "repeats"
    shared = len(ids) < len(pairs)
    if len(groups) > 1:
        yield "groups"
        yield "several_groups"
    if len(groups) < len(pairs) or shared:
        yield "several_alternatives"


def _in_full(group: Any) -> Iterator[Mapping[str, Any]]:
    alternatives = group["alternatives"] if isinstance(group, Mapping) else group
    return (one if isinstance(one, Mapping) else {"id": one} for one in alternatives)


def _of_documents(documents: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for one in documents:
        if isinstance(one["id"], int):
            yield "whole_numbers"
        if "text" in one:
            yield "text"
        if one.keys() & {"document", "start", "end"}:
            yield "spans"
        if "tokens" in one:
            yield "tokens"
        if "vector" in one:
            yield "vectors"
        if "score" in one:
            yield "scores"


def _of_listed(results: Sequence[Any]) -> Iterator[str]:
    """What results hold, most of which are bare ids."""
    kinds = {*map(type, results)}
    if kinds <= {str}:
        return
    if int in kinds:
        yield "whole_numbers"
    yield from _of_documents(one for one in results if isinstance(one, Mapping))


def _of_results(record: Record) -> Iterator[str]:
    if "results" not in record:
        return
    yield from _of_listed(record["results"])
    if not record["results"]:
        yield "empty_results"
    if record.get("scores"):
        yield "scores"


def _of_query(record: Record) -> Iterator[str]:
    if record.get("query"):
        yield "query"
    if record.get("metadata"):
        yield "metadata"
    if record.get("generation_gt"):
        yield "answers"
    if record.get("expected"):
        yield "expected"
