"""``--by``, ``--confidence``, ``--ceilings`` and ``--bands``: alone, together, and fed nonsense."""

import csv
import json
from typing import Any

import pytest

from tests.cli.conftest import Groupwise, Write

HOSTILE = "=1+1|\x1b[31m::error::\u202e"
"""A value that is a formula, a cell border, an escape, a command of a runner, a change of order."""


def records(count: int = 12) -> list[dict[str, Any]]:
    """Queries of two types, of which those with an even number find what they look for."""
    return [
        {
            "id": f"q{number}",
            "ground_truth": [[f"a{number}"]],
            "results": [f"a{number}" if number % 2 == 0 else "x", "y"],
            "metadata": {"type": "bridge" if number < 10 else HOSTILE, "hops": number % 3},
        }
        for number in range(count)
    ]


@pytest.fixture
def fixture(write: Write) -> str:
    return write("fixture.json", {"queries": records()})


def test_a_table_of_slices_marks_those_of_few_queries(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "-m", "recall@1", "--by", "type", "--by", "hops", "-q")
    assert done.code == 0
    assert "by type\ntype" in done.out
    assert [line.split() for line in done.out.splitlines() if line.startswith("bridge")] == [
        ["bridge", "10", "0.5000"]
    ]
    assert [line.split() for line in done.out.splitlines() if line[:2] in ("0 ", "1 ", "2 ")] == [
        [number, "4", "(few)", "0.5000"] for number in "012"
    ]
    assert "warning: by hops: 3 slices have fewer than 10 scored queries" in done.out


@pytest.mark.parametrize("form", ["table", "markdown", "csv", "json", "jsonl", "latex", "junit",
                                  "github"])  # fmt: skip
def test_every_form_shows_values_of_data_defused(
    groupwise: Groupwise, fixture: str, form: str
) -> None:
    words = ["--by", "type", "--confidence", "0.9", "--ceilings", "-m", "recall@1,precision@2"]
    done = groupwise("evaluate", fixture, *words, "--format", form)
    assert done.code == 0
    for sign in ("\x1b[31m", "\u202e", "\n::error::"):
        assert sign not in done.out
    if form == "markdown":
        assert "=1+1\\|" in done.out


def test_json_has_everything_in_the_shapes_of_the_contract(
    groupwise: Groupwise, fixture: str
) -> None:
    words = ["--by", "hops", "--confidence", "0.95", "--ceilings", "--no-per-query"]
    done = groupwise(
        "evaluate", fixture, "-m", "hit_rate@1,precision@2", *words, "--format", "json"
    )
    report = json.loads(done.out)
    assert report["confidence"] == {"level": 0.95, "seed": 0, "resamples": 10000}
    interval = report["intervals"]["hit_rate@1"]
    # Wilson, 6 of 12 at 95 %, z = 1.96: (0.5 + z²/24 ± z·√(0.25/12 + z²/576)) / (1 + z²/12)
    ends = pytest.approx([0.2538, 0.7462], abs=1e-4)
    assert [interval["low"], interval["high"]] == ends
    assert interval["interval"] == "wilson"
    assert report["ceilings"] == {"hit_rate@1": 1.0, "precision@2": 0.5}
    assert report["per_query"] == {}
    assert list(report["slices"]["hops"]) == ["0", "1", "2"]
    part = report["slices"]["hops"]["0"]
    assert part["counts"]["scored"] == 4
    assert part["scores"] == {"hit_rate@1": 0.5, "precision@2": 0.25}
    assert part["ceilings"]["precision@2"] == 0.5
    assert part["intervals"]["hit_rate@1"]["interval"] == "wilson"


def test_csv_has_rows_for_ends_ceilings_and_slices(groupwise: Groupwise, fixture: str) -> None:
    words = ["--by", "hops", "--confidence", "0.95", "--ceilings", "--format", "csv"]
    done = groupwise("evaluate", fixture, "-m", "precision@2", *words)
    head, *rows = csv.reader(done.out.splitlines())
    assert head == ["kind", "query", "field", "slice", "precision@2"]
    values = {(kind, of): value for kind, _, _, of, value in rows}
    assert list(values)[-16:] == [
        (kind, of) for of in ("", "0", "1", "2") for kind in ("mean", "low", "high", "ceiling")
    ]
    assert {field for _, _, field, of, _ in rows if of} == {"hops"}
    assert (values["mean", ""], values["ceiling", ""], values["mean", "0"]) == (
        "0.25",
        "0.5",
        "0.25",
    )


def test_a_ceiling_of_1_is_shown_if_asked_for_and_others_with_gates(
    groupwise: Groupwise, fixture: str
) -> None:
    def columns(*words: str) -> list[str]:
        out = groupwise("evaluate", fixture, "-m", "recall@1", "-q", *words).out
        return next(line.split() for line in out.splitlines() if line.startswith("metric"))

    assert columns("--ceilings") == ["metric", "mean", "ceiling"]
    assert columns("--gate", "recall@1 >= 0.4") == ["metric", "@1"]
    assert columns("--gate", "precision@2 >= 0.2") == ["metric", "mean", "ceiling"]


def test_the_words_of_bands_come_with_their_source(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "--profile", "trec", "-m", "mrr", "--bands", "-q")
    assert [line.split() for line in done.out.splitlines() if line.startswith("mrr")] == [
        ["mrr", "0.5000", "acceptable"]
    ]
    assert "bands are advice: Retrieval Evaluation Metrics" in done.out
    page = groupwise("metrics", "mrr", "--profile", "trec").out
    assert "excellent from 0.9, good from 0.75, acceptable from 0.5, poor below; advice" in page
    assert "https://machingclee.github.io/" in page
    assert "bands       none: no published source" in groupwise("metrics", "precision").out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--by", "typ"], 3, "no query has the field 'typ' to slice by; did you mean 'type'?"),
        (["--by", "label"], 3, "to slice by"),
        (["--confidence", "95"], 2, "for 95 %, write 0.95"),
        (["--confidence", "nan"], 2, "expected a number between 0 and 1"),
        (["--confidence", "1"], 2, "expected a number between 0 and 1"),
        (["--confidence"], 2, "expected one argument"),
        (["--by", ""], 2, "an argument is empty"),
    ],
)
def test_nonsense_is_explained(
    groupwise: Groupwise, fixture: str, words: list[str], code: int, message: str
) -> None:
    done = groupwise("evaluate", fixture, *words)
    assert done.code == code
    assert message in done.err


def test_metadata_of_a_table_is_kept(groupwise: Groupwise, write: Write) -> None:
    rows = ["id,ground_truth,results,metadata"]
    for record in records(4):
        cells = (json.dumps(record[name]).replace('"', '""') for name in
                 ("ground_truth", "results", "metadata"))  # fmt: skip
        rows.append(f"{record['id']}," + ",".join(f'"{cell}"' for cell in cells))
    path = write("table.csv", "\n".join(rows) + "\n")
    fields = "id=id,ground_truth=ground_truth,results=results,metadata=metadata"
    words = ["-m", "recall", "--by", "hops", "--map", fields, "--format", "json"]
    report = json.loads(groupwise("evaluate", path, *words).out)
    assert list(report["slices"]["hops"]) == ["0", "1", "2"]
