"""Fixtures as pytest items, run by pytest in a fresh folder."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.reporting.junit import check_junit

pytest_plugins = ["pytester"]

QUERY: dict[str, Any] = {
    "id": "refund",
    "ground_truth": [["policy-2"], ["country-9", "country-10"]],
    "results": ["policy-2", "kb-3", "kb-8", "Country-9"],
}
OTHER: dict[str, Any] = {"id": "hours", "ground_truth": [["site-1"]], "results": ["site-1"]}
"""At 3, the first query meets one of two groups, and the second its only one: 0.5 and 1."""
INI = """\
[pytest]
addopts = -p no:timeout -p no:hypothesispytest
"""


@pytest.fixture(autouse=True)
def _plain(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "PYTEST_ADDOPTS", "COLUMNS", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    pytester.makefile(".ini", pytest=INI)


def build_fixture(
    expected: Mapping[str, Any] | None = None, refund: Mapping[str, Any] | None = None, **head: Any
) -> dict[str, Any]:
    queries = [{**QUERY, "expected": refund} if refund else QUERY, OTHER]
    return {"metrics": ["recall@3"], **head, "queries": queries, "expected": expected or {}}


def write(pytester: pytest.Pytester, name: str = "a", **options: Any) -> Path:
    path = pytester.path / f"{name}.groupwise.json"
    path.write_text(json.dumps(build_fixture(**options), indent=2), "utf-8")
    return path


def list_ids(result: pytest.RunResult) -> list[str]:
    return [line for line in result.outlines if "::" in line]


def test_what_is_expected_passes(pytester: pytest.Pytester) -> None:
    write(pytester, expected={"recall@3": 0.75}, refund={"recall@3": 0.5, "first_hit": "<= 1"})
    result = pytester.runpytest("-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["a.groupwise.json::scores PASSED*", "a.groupwise.json::query?refund? PASSED*"]
    )
    result.stdout.fnmatch_lines(["*groupwise scores*", "a.groupwise.json::scores: recall@3 0.7500"])


def test_only_what_has_an_expectation_is_an_item(pytester: pytest.Pytester) -> None:
    write(pytester, "means", expected={"recall@3": 0.75})
    write(pytester, "queries", refund={"recall@3": 0.5})
    result = pytester.runpytest("--collect-only", "-q")
    assert list_ids(result) == [
        "means.groupwise.json::scores",
        "queries.groupwise.json::query[refund]",
    ]


def test_a_failure_shows_numbers_and_the_explanation_and_no_traceback(
    pytester: pytest.Pytester,
) -> None:
    write(pytester, refund={"recall@3": 1.0, "recall": ">= 0.9"})
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "a.groupwise.json:24: query 'refund', profile autorag",
        "metric * expected * got * difference",
        "recall@3 * 1.0 * 0.5 * -0.5",
        "recall * >= 0.9 * 0.5 * -0.4",
        "refund: 1 of 2 groups met in the first 3 results",
        "*group 2 (country-9 or country-10) not retrieved",
        "*near: Country-9 at rank 4, differs from country-9 in case",
        "FAILED a.groupwise.json::query?refund? - recall@3: expected 1.0, found 0.5; 1 more *",
    ])  # fmt: skip
    for word in ("Traceback", "collection.py", "runtest", "Mismatch"):
        result.stdout.no_fnmatch_line(f"*{word}*")


def test_a_mean_that_falls_short_names_and_explains_the_worst_queries(
    pytester: pytest.Pytester,
) -> None:
    write(pytester, expected={"recall@3": ">= 0.8"})
    result = pytester.runpytest("--tb=short")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "*the mean, profile autorag",
        "recall@3 * >= 0.8 * 0.75 * -0.05",
        "the worst queries by recall@3: 'refund' 0.5000, 'hours' 1.0000",
        "refund: 1 of 2 groups met*",
    ])  # fmt: skip
    result.stdout.no_fnmatch_line("hours: *")


def test_an_output_without_unicode_shows_the_lines_in_ascii(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pytest escapes what it cannot encode, the ends of lines as well."""
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("PYTHONUTF8", "0")
    expected = {"recall@3": {"value": 0.9, "tolerance": 0.1}}
    write(pytester, expected=expected)
    result = pytester.runpytest_subprocess("--tb=short")
    result.stdout.fnmatch_lines([
        "recall@3   0.9 +/- 0.1   0.75        -0.15",
        "refund: 1 of 2 groups met*",
    ])  # fmt: skip
    result.stdout.re_match_lines(["^-{30,}$"])


def test_one_line_per_failure_points_to_the_expectation(pytester: pytest.Pytester) -> None:
    write(pytester, refund={"recall@3": 1.0})
    result = pytester.runpytest("--tb=line")
    result.stdout.fnmatch_lines(["a.groupwise.json:24: recall@3: expected 1.0, found 0.5"])


EXPECTATIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "within": ({"recall@3": {"value": 0.6, "tolerance": 0.1}}, {}),
    "beyond-fails": ({"recall@3": {"value": 0.7, "tolerance": 0.1}}, {}),
    "tolerance-of-all": ({"recall@3": 0.6}, {"tolerance": 0.1}),
    "no-worse": ({"recall@3": "no_worse"}, {}),
    "rank": ({"first_hit": "<= 1", "completion_rank": None}, {}),
    "rank-fails": ({"first_hit": "< 1"}, {}),
    "profile": ({"ndcg@3": 0.6131471927654584}, {"profile": "coverage"}),
    "matching": ({"recall": 1.0}, {"matching": {"type": "normalised", "case": "fold"}}),
    "policy": ({"recall@3": 0.5}, {"policies": {"missing": "error", "ids": "text"}}),
}
"""At 3, coverage:ndcg gains 1 of 1 + 1 / log2(3)."""


def test_expectations_policies_and_matching_are_those_of_check(pytester: pytest.Pytester) -> None:
    for name, (expected, head) in EXPECTATIONS.items():
        write(pytester, name, refund=expected, **head)
    result = pytester.runpytest("-rA")
    found = {
        name: word
        for word, name in re.findall(
            r"^(PASSED|FAILED|ERROR) (.+?)\.groupwise", result.stdout.str(), re.MULTILINE
        )
    }
    assert found == {n: "FAILED" if n.endswith("fails") else "PASSED" for n in EXPECTATIONS}


def test_one_query_runs_alone(pytester: pytest.Pytester) -> None:
    write(pytester, expected={"recall@3": 0.1}, refund={"recall@3": 0.5})
    result = pytester.runpytest("a.groupwise.json::query[refund]")
    result.assert_outcomes(passed=1)
    pytester.runpytest("-k", "refund").assert_outcomes(passed=1, deselected=1)
    pytester.runpytest("-m", "not groupwise").assert_outcomes(deselected=2)
    pytester.runpytest("-m", "groupwise", "--strict-markers").assert_outcomes(passed=1, failed=1)


def test_the_last_failures_run_again(pytester: pytest.Pytester) -> None:
    write(pytester, expected={"recall@3": 0.1}, refund={"recall@3": 0.5})
    pytester.runpytest().assert_outcomes(passed=1, failed=1)
    result = pytester.runpytest("--lf", "-v")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["a.groupwise.json::scores FAILED*"])


HOSTILE = [
    "a::b", "::", ":::", "a[b]c", "]", "[", "line\nbreak", "\x1b[31mred\x1b[0m", "tab\t",
    "\u202ereversed", "<script>alert(1)</script>", "'\"onmouseover=", "=cmd()", "::error::x",
    "##[group]", "[bold]x[/bold]", "x" * 500, "x" * 500 + "y", "\\x0a", "\n.", "한국어", "a b",
    "-k", "%s %d", "{0}", "\ufffe", "\x85a", "..", "/etc/passwd", "*", "?",
]  # fmt: skip


def write_hostile(pytester: pytest.Pytester, expected: float = 1.0) -> None:
    queries = [
        {"id": name, "ground_truth": [["a"]], "results": ["a"], "expected": {"recall": expected}}
        for name in HOSTILE
    ]
    path = pytester.path / "hostile.groupwise.json"
    path.write_text(json.dumps({"queries": queries}), "utf-8")


def test_hostile_ids_become_names_that_select_one_item_each(pytester: pytest.Pytester) -> None:
    write_hostile(pytester)
    names = list_ids(pytester.runpytest("--collect-only", "-q"))
    assert len(names) == len({*names}) == len(HOSTILE)
    for name in names:
        assert name.isprintable(), name
        assert name.count("::") == 1, name
        assert len(name) < 130
    pytester.runpytest(*names).assert_outcomes(passed=len(HOSTILE))
    pytester.runpytest(names[0]).assert_outcomes(passed=1)


def test_hostile_ids_appear_as_text_in_failures_and_in_junit(pytester: pytest.Pytester) -> None:
    write_hostile(pytester, expected=0.0)
    result = pytester.runpytest("--junitxml=junit.xml", "-rA")
    result.assert_outcomes(failed=len(HOSTILE))
    for line in result.outlines:
        assert line.replace("\ufffe", "").isprintable(), line
        assert not line.lstrip().startswith("::"), line
        assert "##[" not in line
    assert len(read_junit(pytester).findall(".//testcase")) == len(HOSTILE)


def test_names_do_not_depend_on_the_order_of_the_queries(pytester: pytest.Pytester) -> None:
    found = []
    for ids in (HOSTILE, HOSTILE[::-1]):
        queries = [
            {"id": name, "ground_truth": [["a"]], "results": ["a"], "expected": {"recall": 1}}
            for name in ids
        ]
        path = pytester.path / "order.groupwise.json"
        path.write_text(json.dumps({"queries": queries}), "utf-8")
        found.append(sorted(list_ids(pytester.runpytest("--collect-only", "-q"))))
    assert found[0] == found[1]


BROKEN = {
    "empty-id": json.dumps({"queries": [{**OTHER, "id": ""}], "expected": {"recall": 1}}),
    "blank-id": json.dumps({"queries": [{**OTHER, "id": "\n"}], "expected": {"recall": 1}}),
    "cut": '{"queries": [{"id": "q"',
    "png": "\x89PNG\r\n\x1a\n\x00\x00",
    "empty": "",
    "list": "[1, 2]",
    "repeated": json.dumps({"queries": [OTHER, OTHER], "expected": {"recall": 1}}),
    "metric": json.dumps({"queries": [OTHER], "expected": {"recal": 1}}),
    "profile": json.dumps({"queries": [OTHER], "expected": {"recall": 1}, "profile": "x"}),
    "rank": json.dumps({"queries": [OTHER], "expected": {"first_hit": 1}}),
    "bound": json.dumps({"queries": [OTHER], "expected": {"recall": ">> 1"}}),
    "field": json.dumps({"queries": [OTHER], "expectd": {"recall": 1}}),
    "no-queries": json.dumps({"queries": [], "expected": {"recall": 1}}),
    "matcher": json.dumps({"queries": [OTHER], "expected": {"recall": 1}, "matching": "x"}),
}


def test_a_broken_fixture_is_one_error_and_the_others_run(pytester: pytest.Pytester) -> None:
    write(pytester, "z", expected={"recall@3": 0.75}, refund={"recall@3": 0.5})
    for name, text in BROKEN.items():
        (pytester.path / f"{name}.groupwise.json").write_text(text, "latin-1")
    result = pytester.runpytest()
    result.assert_outcomes(passed=2, errors=len(BROKEN))
    for name in sorted(BROKEN):
        result.stdout.fnmatch_lines([
            f"*ERROR at setup of scores in {name}.groupwise.json*",
            f"{name}.groupwise.json*: *",
        ])  # fmt: skip
    for word in ("Traceback", "During handling", "_pytest", f"{pytester.path}/"):
        result.stdout.no_fnmatch_line(f"*{word}*")


def test_a_fixture_that_expects_nothing_is_skipped(pytester: pytest.Pytester) -> None:
    write(pytester)
    result = pytester.runpytest("-rs")
    result.assert_outcomes(skipped=1)
    result.stdout.fnmatch_lines(["SKIPPED * nothing is expected; pytest --groupwise-update *"])


def test_plugins_of_others_are_left_alone_without_scores(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("""\
class Touchy:
    def __getattr__(self, name):
        if "propert" in name:
            raise RuntimeError(name)
        raise AttributeError(name)

def pytest_configure(config):
    config.pluginmanager.register(Touchy())
""")
    pytester.makepyfile(test_a="def test_a():\n    pass\n")
    result = pytester.runpytest()
    assert result.ret == pytest.ExitCode.OK


def test_the_patterns_of_files_can_be_set(pytester: pytest.Pytester) -> None:
    write(pytester, expected={"recall@3": 0.75})
    folder = pytester.mkdir("cases")
    (pytester.path / "a.groupwise.json").rename(folder / "a.json")
    (pytester.path / "b.gw.json").write_text((folder / "a.json").read_text("utf-8"), "utf-8")
    assert pytester.runpytest().ret == pytest.ExitCode.NO_TESTS_COLLECTED
    for patterns, passed in (("*.gw.json", 1), ("cases/*.json", 1), ("*.gw.json cases/*.json", 2)):
        pytester.makefile(".ini", pytest=f"{INI}groupwise_files = {patterns}\n")
        pytester.runpytest().assert_outcomes(passed=passed)


def test_without_the_plugin_nothing_is_collected(pytester: pytest.Pytester) -> None:
    write(pytester, expected={"recall@3": 0.1})
    assert pytester.runpytest("-p", "no:groupwise").ret == pytest.ExitCode.NO_TESTS_COLLECTED


def read_junit(pytester: pytest.Pytester) -> ET.Element:
    """The document that pytest wrote, checked as our own is."""
    text = (pytester.path / "junit.xml").read_text("utf-8")
    return check_junit(
        text.replace(
            '<?xml version="1.0" encoding="utf-8"?>', '<?xml version="1.0" encoding="UTF-8"?>\n'
        )
    )


def test_with_two_workers_junit_has_the_scores_and_is_valid(pytester: pytest.Pytester) -> None:
    write(pytester, expected={"recall@3": 0.75}, refund={"recall@3": 1.0})
    (pytester.path / "broken.groupwise.json").write_text("{", "utf-8")
    result = pytester.runpytest_subprocess("--junitxml=junit.xml", "-n", "2")
    result.assert_outcomes(passed=1, failed=1, errors=1)
    result.stdout.fnmatch_lines([
        "refund: 1 of 2 groups met in the first 3 results",
        "a.groupwise.json::scores: recall@3 0.7500",
        "FAILED a.groupwise.json::query?refund? - recall@3: expected 1.0, found 0.5",
    ])  # fmt: skip
    root = read_junit(pytester)
    (property_,) = root.iter("property")
    assert property_.attrib == {"name": "a.groupwise.json::scores recall@3", "value": "0.75"}
    (failure,) = root.iter("failure")
    assert failure.get("message") == "recall@3: expected 1.0, found 0.5"
    assert "country-9 or country-10" in (failure.text or "")
    (error,) = root.iter("error")
    assert "broken.groupwise.json" in (error.get("message") or "")


SPACED = """\
{"metrics": ["recall@3"],
 "queries": [
   {"id": "refund", "ground_truth": [["a"], ["b"]],   "results": ["a"],
    "expected": {"recall@3":   1.0}},
   {"id": "other", "ground_truth": [["a"], ["b"]], "results": ["a"],
    "expected": {"recall@3": 0.7, "recall": ">= 0.9"}}],
 "expected": {"recall@3": {"value": 0.1, "tolerance": 0.01}}
}
"""


def test_an_update_rewrites_numbers_and_nothing_else(pytester: pytest.Pytester) -> None:
    path = pytester.path / "a.groupwise.json"
    path.write_text(SPACED, "utf-8")
    same = write(pytester, "same", expected={"recall@3": 0.75})
    before = same.stat()
    result = pytester.runpytest("--groupwise-update")
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines([
        "*groupwise updates*",
        "--- a.groupwise.json",
        '-    "expected": {"recall@3":   1.0}},',
        '+    "expected": {"recall@3":   0.5}},',
        "same.groupwise.json: nothing to update",
    ])  # fmt: skip
    result.stdout.fnmatch_lines(["FAILED *query?other? - recall: expected >= 0.9, found 0.5"])
    expected = (
        SPACED.replace("  1.0}", "  0.5}")
        .replace("0.7, ", "0.5, ")
        .replace('"value": 0.1', '"value": 0.5')
    )
    assert path.read_text("utf-8") == expected
    assert (same.stat().st_mtime_ns, same.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    pytester.runpytest().assert_outcomes(passed=3, failed=1)


def test_an_update_names_the_worst_queries_of_the_bounds_that_are_not_met(
    pytester: pytest.Pytester,
) -> None:
    write(pytester, expected={"recall@3": 0.1, "mrr": "> 1"})
    result = pytester.runpytest("--groupwise-update")
    result.stdout.fnmatch_lines(["the worst queries by mrr: *"])
    result.stdout.no_fnmatch_line("the worst queries by recall@3: *")


def test_an_update_of_a_selected_query_leaves_the_others(pytester: pytest.Pytester) -> None:
    path = pytester.path / "a.groupwise.json"
    path.write_text(SPACED, "utf-8")
    pytester.runpytest("--groupwise-update", "-k", "refund").assert_outcomes(passed=1, deselected=2)
    assert path.read_text("utf-8") == SPACED.replace("  1.0}", "  0.5}")


def test_an_update_adds_expectations_where_there_are_none(pytester: pytest.Pytester) -> None:
    path = write(pytester)
    pytester.runpytest("--groupwise-update", "-n", "0").assert_outcomes(passed=1)
    assert json.loads(path.read_text("utf-8"))["expected"] == {"recall@3": 0.75}
    pytester.runpytest().assert_outcomes(passed=1)


def test_an_update_by_several_processes_is_refused(pytester: pytest.Pytester) -> None:
    path = write(pytester, expected={"recall@3": 0.1})
    before = path.read_bytes()
    result = pytester.runpytest("--groupwise-update", "-n", "2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --groupwise-update writes files, *: add -n 0"])
    assert path.read_bytes() == before


def test_a_file_that_changes_meanwhile_is_not_overwritten(pytester: pytest.Pytester) -> None:
    path = write(pytester, expected={"recall@3": 0.1})
    pytester.makepyfile(test_z=f"def test_z():\n    open({str(path)!r}, 'a').write('  ')\n")
    result = pytester.runpytest("--groupwise-update")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["error: a.groupwise.json: * changed*"])
    assert '"recall@3": 0.1' in path.read_text("utf-8")


def test_a_query_that_is_not_scored_has_no_value(pytester: pytest.Pytester) -> None:
    fixture = build_fixture()
    fixture["queries"].append(
        {
            "id": "none",
            "ground_truth": [],
            "answerable": False,
            "results": ["a"],
            "expected": {"recall": ">= 0.5"},
        }
    )
    (pytester.path / "a.groupwise.json").write_text(json.dumps(fixture), "utf-8")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["recall * >= 0.5 * no value", "none: no groups: nothing answers this query*"]
    )


def test_the_plugin_imports_nothing_of_ours_without_a_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "def test_it():\n"
        "    ours = {name for name in sys.modules if name.startswith('groupwise')}\n"
        "    assert ours == {'groupwise', 'groupwise.pytest_plugin'}, ours\n"
        "    assert not {'numpy', 'pydantic', 'orjson', 'rich'} & {*sys.modules}\n",
        "utf-8",
    )
    plain = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:hypothesispytest",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run([*plain, "."], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout


def test_a_fixture_in_another_folder_is_named_as_seen_from_here(pytester: pytest.Pytester) -> None:
    path = write(pytester, refund={"recall@3": 1})
    folder = pytester.mkdir("sub")
    path.rename(folder / path.name)
    result = pytester.runpytest()
    result.stdout.fnmatch_lines(["sub/a.groupwise.json:24: query 'refund'*"])
    pytester.makeconftest("import os\nos.chdir('/')\n")
    result = pytester.runpytest_inprocess()
    result.stdout.fnmatch_lines(["sub/a.groupwise.json:24: query 'refund'*"])


def test_the_name_of_a_file_is_text(pytester: pytest.Pytester) -> None:
    write(pytester, "a\x1b[31mb", expected={"recall@3": 0.1}, refund={"recall@3": 0.5})
    result = pytester.runpytest("--tb=line", "-q", "--no-summary")
    result.assert_outcomes(passed=1, failed=1)
    shown = [line for line in result.outlines if "recall@3" in line]
    assert shown
    assert all(line.isprintable() for line in shown)
