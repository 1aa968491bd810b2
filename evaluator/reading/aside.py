"""Lines that are set aside: few of a block are odd, and many are parsed and checked together."""

from groupwise.evaluator.reading.records import Batch, NumberedLines, Reading

MOST_LINES = 128
"""So many lines are parsed together."""
MOST_BYTES = 1 << 19
"""Longer ones are parsed when there is so much of them."""


class LinesAside:
    """Odd lines of batches, in their order.

    Their problems go into a reading of their own: what ends the reading of the source has its own.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._lines: NumberedLines | None = None
        self._bytes = 0

    @property
    def is_full(self) -> bool:
        """Whether there are enough lines to parse them."""
        count = 0 if self._lines is None else len(self._lines.lines)
        return count >= MOST_LINES or self._bytes >= MOST_BYTES

    def add(self, added: NumberedLines) -> None:
        """Add lines that come after the others."""
        self._bytes += sum(map(len, added.lines))
        if self._lines is None:
            self._lines = added if added.lines else None
        else:
            self._lines.lines.extend(added.lines)
            self._lines.numbers.extend(added.numbers)

    def parse(self) -> Batch | None:
        """Return the records in all lines, which are no longer set aside; None of none."""
        if self._lines is None:
            return None
        (lines, numbers, parse), self._lines, self._bytes = self._lines, None, 0
        batch = parse(lines, numbers, self.reading)
        return batch if batch.values else None
