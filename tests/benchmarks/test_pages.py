"""The page and its charts are written from stored results: numbers by hand, the same bytes."""

from pathlib import Path
from typing import Any

import pytest

from benchmarks.acceptance.promise import Promise
from benchmarks.axes import AXES
from benchmarks.curves import LIMIT
from benchmarks.machine import Setting
from benchmarks.pages import build_page, read_stores
from benchmarks.plots import build_time, draw_growth
from benchmarks.render import list_pages, write_pages
from benchmarks.starts import BARE, FIRST_NAME, LIBRARIES
from benchmarks.store import RESULTS, Store
from tests.reporting.charts.data import SVG, parse

ROOT = Path(__file__).parents[2]
HERE: Setting = {"machine": "a machine", "versions": "Python 3"}
ELSEWHERE: Setting = {"machine": "another machine", "versions": "Python 3"}

OBJECTS = {
    "10 x 10": {
        "groupwise": [[0, 0, 0.5, 0.5, 50], [0, 0, 1.0, 1.0, 60]],
        "pytrec": [[1.0, 1.0, 2.0, 2.0, 70], [2.0, 2.0, 6.0, 6.0, 80]],
    }
}
"""pytrec_eval takes 6 times as long in the first round and 8 times in the second."""
FILES = {
    "10 x 10": {
        "JSONL": [[3.0, 3.0, 50]],
        "JSON array": [[4.0, 4.0, 50]],
        "whole": [[4.0, 4.0, 500]],
        "lines": [[2.0, 2.0, 20]],
        "duplicate keys": [[0.2, 0.2, 20]],
    }
}
STARTS = {
    "starts": {
        BARE: [[0.010, 0.010, 9]],
        LIBRARIES: [[0.200, 0.200, 40]],
        FIRST_NAME: [[0.300, 0.310, 45]],
    },
    "one query of 10 results": [[0.000100, 0.000110, 40]],
}
GROWTH: dict[str, Any] = {
    LIMIT: 60.0,
    "queries 1000": {
        "groupwise": [[0, 0, 0.01, 0.01, 50]],
        "autorag": [[0, 0, 10.0, 10.0, 60]],
    },
    "queries 10000": {"groupwise": [[0, 0, 0.1, 0.1, 55]]},
    "queries 1000, file": {"JSONL": [[0.02, 0.02, 50]], "lines": [[0.01, 0.01, 20]]},
}


def store(points: dict[str, Any], setting: Setting = HERE) -> Store:
    made = Store(Path("nowhere"), setting, 2)
    made.points = points
    return made


def test_ratios_are_those_of_neighbours_in_a_round() -> None:
    page = build_page({"objects": store(OBJECTS)})
    assert "| pytrec_eval | 2.0 | 5.0 | **7.0 (6.0-8.0)** | 7.0 (6.0-8.0) | 80 |" in page


def test_files_stand_beside_both_ways_of_parsing() -> None:
    page = build_page({"files": store(FILES)})
    assert "| 10 x 10, JSONL | 0.75 (0.75-0.75) | 1.50 (1.50-1.50) | 50 | 500 |" in page
    assert "| 10 x 10 | 0.05 (0.05-0.05) | 0.10 (0.10-0.10) |" in page


def test_starts_stand_beside_bare_python_and_the_libraries() -> None:
    page = build_page({"starts": store(STARTS)})
    cells = "290 (290-290) | 300 (300-300) | 1.50 (1.50-1.50) | 45"
    assert f"| {FIRST_NAME} | {cells} |" in page
    assert "| one query of 10 results | 100 (100-100) | 110 (110-110) |" in page


def test_a_million_queries_are_told_per_query() -> None:
    points = {"workload": [1_000_000, 100], "file": [4_100_000_000], "evaluate, 2 jobs": [9, 5, 70]}
    page = build_page({"scale": store(points)})
    assert "1,000,000 x 100, 4.1 GB" in page
    assert "| evaluate, 2 jobs | 5.0 | 9.0 | 5.0 | 70 |" in page


def test_promises_are_told_with_their_bounds() -> None:
    rows = [[*Promise("files", 0.8, 0.7, 0.95, 0.9)], [*Promise("jobs", 0, 0, 0, 1, note="none")]]
    page = build_page({"acceptance": store({"files": rows})})
    assert "| files | 0.8 (0.7-0.95) | ≤ 0.9 | kept |" in page
    assert "| jobs | none | ≤ 1 | skipped |" in page


def test_an_engine_that_was_left_out_is_shown_as_such() -> None:
    page = build_page({"growth": store(GROWTH)})
    assert "| queries, of 10 results each | 1,000 | 10,000 |" in page
    assert "| groupwise | 10 | 100 |" in page
    assert "| AutoRAG's functions | 10,000 | - |" in page
    assert "more than 60\nseconds of it" in page
    assert "| groupwise | 2,000 (2.0) |" in page


def test_a_section_measured_elsewhere_says_so() -> None:
    stores = {"objects": store(OBJECTS), "files": store(FILES, ELSEWHERE)}
    page = build_page(stores)
    assert "Machine: a machine." in page
    assert "## From a file\n\nMeasured apart from the rest: another machine; Python 3." in page
    assert "apart" not in build_page({"objects": store(OBJECTS), "files": store(FILES)})


def test_charts_are_drawn_for_what_was_measured() -> None:
    charts = draw_growth(store(GROWTH))
    assert [*charts] == ["growth-queries", "growth-memory", "growth-files"]
    assert charts == draw_growth(store(GROWTH))


@pytest.mark.parametrize("name", ["growth-queries", "growth-memory", "growth-files"])
def test_a_chart_has_a_name_a_description_and_both_schemes_of_colour(name: str) -> None:
    text = draw_growth(store(GROWTH))[name]
    root = parse(text)
    assert [child.tag for child in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert "groupwise" in (root[1].text or "")
    assert "prefers-color-scheme:dark" in text
    assert ".gw-line-series-1{" in text


def test_time_in_proportion_is_a_straight_line_at_half_a_right_angle() -> None:
    (line, *_) = build_time(store(GROWTH), AXES["queries"]).marks
    assert getattr(line, "points", None) == [(1_000, 0.01), (10_000, 0.1)]


def test_pages_are_written_and_rendered_again_from_the_same_results(tmp_path: Path) -> None:
    results = tmp_path / "results"
    for name, points in {"objects": OBJECTS, "growth": GROWTH}.items():
        kept = Store.open(results / f"{name}.json", HERE, 2, resume=False)
        for key, point in points.items():
            kept.keep(key, lambda point=point: point)
    write_pages(results, tmp_path / "docs")
    for path, content in list_pages(results, tmp_path / "docs").items():
        assert path.read_text("utf-8") == content
    assert [*read_stores(results)] == ["objects", "growth"]


def test_the_page_in_the_documentation_is_that_of_the_results() -> None:
    assert read_stores(RESULTS)
    for path, content in list_pages(RESULTS, ROOT / "docs").items():
        assert path.read_text("utf-8") == content, "run `make bench FLAGS=--render`"
