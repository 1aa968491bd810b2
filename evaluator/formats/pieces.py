"""Files that are the pieces of their records, one after the other, and nothing else."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from groupwise.evaluator.reading.options import Record
from groupwise.evaluator.reading.writing import write_data


@dataclass(frozen=True)
class PieceWriter:
    """The ``write`` of a format whose files can be written in parts: ``spell`` is one record."""

    spell: Callable[[Record], bytes]

    def __call__(self, records: Iterable[Record], path: str) -> None:
        """Write the records to a file, whole or not at all."""
        write_data(path, map(self.spell, records))
