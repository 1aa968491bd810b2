"""The second reading of a source, which finds the records that a suspicion is about."""

from collections.abc import Sequence

from groupwise.evaluator.reading.records import Reading, Records
from groupwise.evaluator.validation.engine.findings import Findings
from groupwise.evaluator.validation.engine.source_check import as_data
from groupwise.evaluator.validation.facts.case import CaseReader
from groupwise.evaluator.validation.facts.draft import Place
from groupwise.evaluator.validation.rules.rule import Locator


def relocate(
    records: Records, main: str, locators: Sequence[Locator], findings: Findings, reader: CaseReader
) -> None:
    """Ask the locators about every record of a source; without locators it is not read."""
    for batch in records.batches(Reading()) if locators else ():
        for number, value in enumerate(batch.values):
            key = None if batch.keys is None else batch.keys[number]
            case = reader.read(as_data(value), key, main)
            place = Place(records.name, case.query, batch, number)
            for locate in locators:
                for draft in locate(case, place):
                    findings.add(draft, place)
