"""A part of an evaluation: some of its queries, scored anywhere, to be merged with the others.

A partial says what was found; a part adds what must be known of the sources to write the report:
what reading them warned of, and their fingerprints.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from groupwise.evaluator.evaluation.partial import Partial, Setup
from groupwise.evaluator.evaluation.provenance import list_objects
from groupwise.evaluator.intake.check import Intake, describe_folded
from groupwise.evaluator.intake.fingerprints import DataPrints
from groupwise.evaluator.reading.records import Records
from groupwise.schemas import Input, Query, Report, RunQuery

NAMES = {Query: "ground_truth", RunQuery: "results"}
"""What the sources of objects are called in messages."""


class EvaluationPart:
    """What was found for some queries of an evaluation.

    Parts can be pickled, and merge in any order: the report of all of them has the bytes of an
    evaluation in one piece. All records of a query must be in the same part.
    """

    def __init__(self, partial: Partial, *, fingerprints: bool = False) -> None:
        self.partial = partial
        self.folded: list[int] = []
        self.warnings: list[str] = []
        texts = partial.setup.matching.needs_references
        self.prints = DataPrints(texts=texts) if fingerprints else None

    def start_again(self) -> "EvaluationPart":
        """Return a part of the same evaluation that holds no queries."""
        return EvaluationPart(Partial(self.partial.setup), fingerprints=self.prints is not None)

    def note_reading(self, intake: Intake) -> None:
        """Take over what reading a source to its end has warned of."""
        taken = intake.taken()
        self.folded += taken.folded
        self.warnings += taken.warnings

    def add_prints(self, records: Records, model: type[Query] | type[RunQuery]) -> None:
        """Add records to the fingerprints, if these are asked for."""
        if self.prints is not None:
            self.prints.read(records, model, self.partial.setup.policies)

    def merge(self, other: "EvaluationPart") -> "EvaluationPart":
        """Add the queries of another part; return this one.

        Raises:
            ValueError: The other part belongs to another evaluation.
        """
        if describe_setup(self.partial.setup) == describe_setup(other.partial.setup):
            other.partial.setup = self.partial.setup  # its metrics may be copies of these
        self.partial.merge(other.partial)
        self.folded += other.folded
        self.warnings += other.warnings
        if self.prints is not None and other.prints is not None:
            self.prints.merge(other.prints)
        return self

    def report(self) -> Report:
        """Return the report on all queries so far.

        Raises:
            InputError: The input is invalid; all problems are listed.
        """
        return self.partial.report([*self._list_warnings()], [*self._list_inputs()])

    def _list_warnings(self) -> Iterator[str]:
        yield from sorted(set(self.warnings))
        if self.folded:
            yield describe_folded(NAMES[Query], self.folded)

    def _list_inputs(self) -> Iterator[Input]:
        found = self.prints
        prints = (None, None) if found is None else (str(found.truths), str(found.results))
        for given, fingerprint in zip(list_objects(), prints, strict=True):
            yield Input.model_construct(role=given.role, name=None, fingerprint=fingerprint)
        for corpus in sorted(found.corpora) if found else ():
            yield Input.model_construct(role="corpus", name=None, fingerprint=corpus)


def describe_setup(setup: Setup) -> Setup:
    """Return a setup to compare with others: metrics by their labels, which say all but the code.

    Copies of a metric of your own, from other processes, are not equal.
    """
    labels: tuple[Any, ...] = tuple(measure.label for measure in setup.measures)
    return setup.replace(measures=labels)


def merge_all(first: EvaluationPart, others: Iterable[EvaluationPart]) -> EvaluationPart:
    """Return the first part, with the queries of all others."""
    for other in others:
        first.merge(other)
    return first
