"""Case after case: evaluated in several ways, compared with the oracle, and put to the test."""

import hashlib
import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from groupwise import GroupwiseError
from tests.differential import properties
from tests.differential.cases import draw_case
from tests.differential.ceilings import broken_ceilings
from tests.differential.comparing import compare
from tests.differential.crowded import check_crowded
from tests.differential.data import Case
from tests.differential.expected import expect
from tests.differential.tally import Tally
from tests.differential.ways import WAYS, Way

OTHER_WAYS = 3
RARELY = {"functions": 5, "command line": 20}
"""What is slow is tried with every n-th case."""
EVERY_FOR_PROPERTIES = 20


def run_cases(seeds: Iterator[int], values: int, tally: Tally) -> str:
    """Compare until so many values are compared; return a digest of the reports."""
    digest = hashlib.sha256()
    with tempfile.TemporaryDirectory() as folder:
        while tally.values < values:
            digest.update(run_case(draw_case(next(seeds)), Path(folder), tally))
    return digest.hexdigest()


def run_case(case: Case, folder: Path, tally: Tally) -> bytes:
    """Compare one case in some of the ways that fit it; return its report."""
    tally.cases += 1
    expected = expect(case)
    report = WAYS[0].report(case, folder)
    tally.add(case.seed, WAYS[0].name, compare(case, report, expected))
    for way in ways_for(case, tally):
        try_way(way, case, folder, tally, report, expected)
    check_properties(case, folder, tally, report)
    return json.dumps(report).encode()


def ways_for(case: Case, tally: Tally) -> list[Way]:
    """The ways least tried so far; slow ones rarely."""
    fitting = [way for way in WAYS[1:] if way.fits(case)]
    fitting = [way for way in fitting if case.seed % RARELY.get(way.name, 1) == 0]
    return sorted(fitting, key=lambda way: tally.by_way[way.name])[:OTHER_WAYS]


def try_way(
    way: Way, case: Case, folder: Path, tally: Tally, report: dict[str, Any], expected: Any
) -> None:
    read = way.as_read(case)
    same = read is case
    try:
        found = way.report(replace(case, metrics=read.metrics), folder)
    except GroupwiseError as error:
        tally.note(way.name, f"seed {case.seed}, {way.name}: {error}")
        return
    tally.add(case.seed, way.name, compare(read, found, expected if same else expect(read)))
    if same and "counts" in found:
        tally.check("the same report as from records", differing(found, report), case.seed)


def differing(one: Any, other: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The places in which two reports differ, to the bit."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in {**one, **other}:
            yield from differing(one.get(name), other.get(name), f"{place}/{name}")
    elif json.dumps(one) != json.dumps(other):
        yield place, one, other


def check_properties(case: Case, folder: Path, tally: Tally, report: dict[str, Any]) -> None:
    again = WAYS[0].report(properties.shuffled(case, case.seed), folder)
    what = "order of queries, groups and alternatives changes no bit"
    tally.check(what, differing(again, report), case.seed)
    if case.seed % EVERY_FOR_PROPERTIES == 0:
        what = "ideal rankings of groups that share much"
        tally.check(what, check_crowded(case.seed), case.seed)
        tally.check("ceilings", broken_ceilings(case), case.seed)
        tally.check("perfect is exactly 1", properties.imperfect(case), case.seed)
        if properties.has_all_tokens(case):
            tally.check("budgets are monotone", properties.falling(case), case.seed)
