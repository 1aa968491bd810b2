"""The second reading of a source: looks for suspicious records, and reports them with places.

Where all that is suspicious is query ids, records with others are not looked at.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from groupwise.evaluator.intake.seen_ids import Suspects
from groupwise.evaluator.reading.records import Batch
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.facts.case import Case
from groupwise.evaluator.validation.facts.draft import Place
from groupwise.evaluator.validation.rules.rule import Locator, QueryLocator

ReadCase: TypeAlias = Callable[[Batch, int], tuple[Case, Place]]


class RecordSearch:
    """Asks locators about the records of a source.

    Args:
        locators: What reports suspicious records.
        findings: Where the findings go.
        file: The name of the source.
        read_case: Returns the case of a record of a batch, and its place.
    """

    def __init__(
        self, locators: Sequence[Locator], findings: Findings, file: str, read_case: ReadCase
    ) -> None:
        self._locators = locators
        self._findings = findings
        self._file = file
        self._read_case = read_case
        self._by_query = [each for each in locators if isinstance(each, QueryLocator)]
        queries = chain.from_iterable(each.queries for each in self._by_query)
        is_alone = len(locators) == len(self._by_query) == 1 and not self._by_query[0].code
        self._sparing = self._by_query[0] if is_alone else None
        self._suspects = Suspects({*queries}) if len(self._by_query) == len(locators) else None

    def look_at(self, batch: Batch) -> None:
        """Report what is wrong with the records of a batch."""
        found = self._suspects.find(batch) if self._suspects else None
        if found is None:
            self._report(batch, range(len(batch.values)))
            return
        rest = iter(found if self._sparing is None else self._drop_spared(batch, found))
        for row, query in rest:
            if self._can_count():
                self._count([query, *(other for _, other in rest)])
            else:
                self._report(batch, [row])

    def _drop_spared(self, batch: Batch, found: list[tuple[int, str]]) -> list[tuple[int, str]]:
        """Return the records about which the only locator may report something."""
        assert self._sparing is not None  # noqa: S101  (asked before)
        spares, values = self._sparing.spares, batch.values
        return [(row, query) for row, query in found if not spares(values[row])]

    def _can_count(self) -> bool:
        """Whether findings are only counted, and query ids are enough for that."""
        findings = self._findings
        return findings.can_skip and all(
            locator.code and findings.is_full(locator.code, self._file)
            for locator in self._by_query
        )

    def _count(self, queries: list[str]) -> None:
        for locator in self._by_query:
            concerned = (query for query in queries if hash(query) in locator.queries)
            if times := sum(map(locator.count, concerned)):
                self._findings.count(Counter({locator.code: times}), self._file)

    def _report(self, batch: Batch, numbers: Iterable[int]) -> None:
        """Ask each locator about records, unless it says that it is not concerned."""
        for number in numbers:
            case, place = self._read_case(batch, number)
            for locate in self._locators:
                if not isinstance(locate, QueryLocator) or hash(case.query) in locate.queries:
                    for draft in locate(case, place):
                        self._findings.add(draft, place)
