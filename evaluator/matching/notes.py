"""What a matcher noticed: counts for the report, with an example each where one helps."""

from collections import Counter
from collections.abc import Iterator

from groupwise.evaluator.text import quote


class MatchNotes:
    """Counts by name; an example is that of the first query by id, whatever the order of input."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.examples: dict[str, tuple[str, str]] = {}

    def count(self, name: str, query: str, example: str) -> None:
        """Count something about a query that the report warns of."""
        self.counts[name] += 1
        self._keep(name, (query, example))

    def merge(self, other: "MatchNotes") -> None:
        """Add what was noticed about other queries."""
        self.counts.update(other.counts)
        for name, example in other.examples.items():
            self._keep(name, example)

    def _keep(self, name: str, example: tuple[str, str]) -> None:
        self.examples[name] = min(example, self.examples.get(name, example))

    def warnings(self) -> Iterator[str]:
        """Yield a warning for each count that has an example."""
        for name, (query, example) in sorted(self.examples.items()):
            yield f"{name}: {self.counts[name]:,}, such as {example} (query {quote(query)})"
