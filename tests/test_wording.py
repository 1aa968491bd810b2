"""Numbers and their nouns: one function writes both, so that nothing says "1 findings"."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from groupwise import check_fixture, evaluate
from groupwise.evaluator.text import plural
from tests.paths import ROOT

NOUNS = (
    "alternatives|calls|columns|documents|entries|expectations|files|findings|fixtures|groups|hits|"
    "ids|lines|metrics|problems|queries|ranks|records|results|rows|scores|texts|vectors|warnings"
)
COUNTED = re.compile(rf" (?:more |other )?(?:{NOUNS})\b")
ALWAYS_SEVERAL = {
    "len(words.files)",  # more than two
    "len(sets)", "len(groups)",  # a query with one group is no case of these rules
    "len(shape.names)",
    "size",  # more alternatives than a limit
    "k",  # a single result has words of its own
    "names.count(name)",  # a column that is there twice
    "least",  # four columns or more
}  # fmt: skip
SOURCES = sorted([*(ROOT / "evaluator").rglob("*.py"), *(ROOT / "schemas").rglob("*.py")])


def counts_in(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, number and noun wherever a text puts a noun in the plural behind a value."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in (found for found in ast.walk(tree) if isinstance(found, ast.JoinedStr)):
        for value, text in pairwise(node.values):
            said = text.value if isinstance(text, ast.Constant) else ""
            match = COUNTED.match(said) if isinstance(said, str) else None
            if isinstance(value, ast.FormattedValue) and match:
                yield node.lineno, ast.unparse(value.value), match[0]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_noun_behind_a_number_comes_from_the_function(path: Path) -> None:
    found = [
        (line, number, noun)
        for line, number, noun in counts_in(path)
        if not number.isupper() and number not in ALWAYS_SEVERAL
    ]
    assert found == []


def test_the_rule_finds_what_it_forbids(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text('f"fixed {done} findings"\nf"{plural(done, noun)}"\nf"{LIMIT} files"\n')
    assert [*counts_in(source)] == [(1, "done", " findings"), (3, "LIMIT", " files")]


def test_one_of_a_kind(tmp_path: Path) -> None:
    assert plural(1, "finding") == "1 finding"
    assert plural(0, "finding") == "0 findings"
    assert plural(1, "query", "queries") == "1 query"
    fixture = tmp_path / "f.json"
    query = '{"id": "q", "ground_truth": [["a"]], "results": ["a"]}'
    fixture.write_text(f'{{"queries": [{query}], "expected": {{"recall": 1.0}}}}')
    assert str(check_fixture(fixture)).endswith(": 1 expectation met")
    assert repr(evaluate([[["a"]]], [["a"]], metrics="recall").per_query) == (
        "PerQuery(1 query: recall)"
    )
