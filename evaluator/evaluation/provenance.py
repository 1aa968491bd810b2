"""Where a report comes from: the names of its inputs and, on request, their fingerprints."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from groupwise.evaluator.reading.file import path_of
from groupwise.evaluator.reading.records import Records
from groupwise.evaluator.reading.source import Source
from groupwise.schemas import Input
from groupwise.schemas.fixture import RecordModel

if TYPE_CHECKING:
    from groupwise.evaluator.intake.fingerprints import DataPrints
    from groupwise.evaluator.matching.lookup import Lookup
    from groupwise.schemas import Policies

ORDER: tuple[Literal["ground_truth", "run", "corpus"], ...] = ("ground_truth", "run", "corpus")


@dataclass
class Origin:
    """An input: its records, and how they are read.

    ``name`` is the base name of a file; None for objects. ``texts`` says whether the matcher looks
    at more than ids, and ``lookup`` is where ids are looked up. ``corpus`` is what a fixture in
    memory says of the corpus it was judged on; a file is read for it. ``prints`` are the
    fingerprints, if they are known without reading the records.
    """

    name: str | None
    records: Records
    model: RecordModel
    policies: "Policies"
    texts: bool = False
    corpus: str | None = None
    lookup: "Lookup | None" = None
    prints: "DataPrints | None" = None

    @cached_property
    def _prints(self) -> "DataPrints":
        if self.prints is not None:
            return self.prints
        from groupwise.evaluator.intake.fingerprints import DataPrints  # noqa: PLC0415  (rarely needed)

        complete = self.lookup.complete if self.lookup else None
        prints = DataPrints(texts=self.texts, complete=complete)
        prints.add_corpus(self.corpus)
        prints.read(self.records, self.model, self.policies)
        return prints

    def inputs(self, *, fingerprints: bool) -> "Iterator[Input]":
        """Yield the input in each of its roles, and the corpora that it names."""
        build = Input.model_construct
        if self.model.has_truth:
            found = str(self._prints.truths) if fingerprints else None
            yield build(role="ground_truth", name=self.name, fingerprint=found)
            if self.lookup is not None:
                name = name_input(self.lookup.corpus)
                yield build(role="corpus", name=name, fingerprint=None)
        if self.model.has_results:
            found = str(self._prints.results) if fingerprints else None
            yield build(role="run", name=self.name, fingerprint=found)
        for corpus in sorted(self._prints.corpora) if fingerprints else ():
            yield build(role="corpus", name=None, fingerprint=corpus)


def list_inputs(origins: Sequence[Origin], *, fingerprints: bool) -> "tuple[Input, ...]":
    """Return the inputs of a report: ground truth, run, corpora.

    Fingerprints are None unless asked for: they take another pass over the records.
    """
    found = [given for origin in origins for given in origin.inputs(fingerprints=fingerprints)]
    return tuple(sorted(found, key=lambda given: ORDER.index(given.role)))


def list_objects() -> "tuple[Input, ...]":
    """Return the inputs of an evaluation of objects, which have no names."""
    build = Input.model_construct
    return tuple(build(role=role, name=None, fingerprint=None) for role in ORDER[:2])


def name_input(value: Any) -> str | None:
    """Return the base name of a file or folder; None for objects.

    >>> name_input("data/qa.jsonl"), name_input("beir/"), name_input("-"), name_input({})
    ('qa.jsonl', 'beir', '<stdin>', None)
    """
    path = path_of(value)
    path = path.path if isinstance(path, Source) else path
    if not isinstance(path, str | os.PathLike):
        return None
    name = os.fspath(path)
    return "<stdin>" if name == "-" else os.path.basename(os.path.normpath(name))  # noqa: PTH119
