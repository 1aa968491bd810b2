"""The form for people."""

import pytest

from groupwise.evaluator.reporting.findings import render_findings as render
from groupwise.schemas.validation import StaleEntry, ValidationReport
from tests.reporting.findings.reports import EMPTY_GROUP, SMALL, finding, report

SHOWN = """\
qa.json:7:21: GT004 query "q1": group 1 is empty
qa.json:9:3: GT007 [*] query "q2": "a" is listed twice

more/qa.jsonl:2: GT010 query "q3": "a" is in groups 0 and 1

ST001 20 queries are too few
… and 1,234 more of GT004

1,235 errors, 2 warnings, 1 note in 3 files
[*] at least 1 fixable with --fix
at least 1 fixable with --unsafe-fixes (with --diff to see how)
groupwise rule GT004 explains a code

the data
  queries                 4, 1 unanswerable
  groups                  5
  with several groups     50.0% of the queries
  distinct ids            6
  shared ids              1 id in several queries; 1 query with an id in several groups
  groups per query        0  ████████████████████ 1
                          1  ████████████████████ 1
                          2  ████████████████████████████████████████ 2
  alternatives per group  1  ████████████████████████████████████████ 4
                          3  ██████████ 1
  ceilings (autorag)      recall@1 0.5000  mrr@1 none
"""


def test_findings_by_file_then_counts_then_the_data() -> None:
    assert render(SMALL, "text") == SHOWN


def test_findings_of_one_file_stand_together() -> None:
    names = ["b.json", "a.json", "b.json"]
    text = render(report(*(finding(file=name, line=1) for name in names)), "text")
    assert [line[:6] for line in text.splitlines()[:4]] == ["b.json", "b.json", "", "a.json"]


def test_files_are_in_the_order_given_and_findings_in_that_of_lines() -> None:
    places = [("b", 9, 1), ("b", None, None), ("a", 3, 7), ("b", 2, 5), ("b", 2, 1), ("c", 1, 1)]
    findings = [finding(file=file, line=line, column=column) for file, line, column in places]
    lines = render(report(*findings, files=("a", "b")), "text").splitlines()
    shown = [line.partition(": ")[0] for line in lines[:8]]
    assert shown == ["a:3:7", "", "b:2:1", "b:2:5", "b:9:1", "b", "", "c:1:1"]


def test_of_each_code_only_the_first_are_shown_over_all_files() -> None:
    many = [finding(file=f"{n % 2}.json", line=n) for n in range(1, 31)]
    found = report(*many, finding("GT007", "twice"), hidden={"GT004": 1204})
    text = render(found, "text")
    assert text.count("GT004 group 1 is empty") == 20
    assert "… and 1,214 more of GT004\n" in text
    assert "GT007 twice" in text
    assert render(found, "text", limit=3).count("GT004 group 1 is empty") == 3


def test_statistics_instead_of_findings() -> None:
    text = render(SMALL, "text", statistics=True)
    assert text.startswith(
        "1,235  GT004  [-] empty-group\n"
        "    1  GT007  [*] repeated-alternative\n"
        "    1  GT010  [ ] shared-alternative\n"
        "    1  ST001  [ ] too-few-queries\n"
        "\n"
        "1,235 errors, 2 warnings, 1 note in 3 files\n"
    )
    assert "group 1 is empty" not in text
    assert "the data" in text


def test_without_findings_there_is_still_the_summary() -> None:
    text = render(ValidationReport(files=("qa.json",)), "text")
    assert text.startswith("no findings in 1 file\n\nthe data\n")
    assert "fix" not in text


def test_fixes_are_counted_exactly_where_nothing_is_left_out() -> None:
    text = render(report(*[EMPTY_GROUP] * 3), "text")
    assert "\n3 fixable with --unsafe-fixes" in text


def test_a_baseline_is_told() -> None:
    stale = (
        StaleEntry(code="GT001", query="q\x1b9", fingerprint="aa", count=2),
        StaleEntry(code="GT002", fingerprint="bb"),
    )
    text = render(report(baselined=3, stale=stale), "text")
    assert 'baseline: GT001 of query "q\\x1b9", 2 times, matches no finding' in text
    assert "baseline: GT002 matches no finding" in text
    assert "3 findings in the baseline" in text
    assert "… and 1 more stale entry\n" in render(report(stale=stale), "text", limit=1)


def test_colours_only_if_asked() -> None:
    text = render(SMALL, "text", colour=True)
    assert "\x1b[1;31mGT004\x1b[0m" in text
    assert "\x1b[33mGT007\x1b[0m" in text
    assert "\x1b" not in SHOWN


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_bars_and_ceilings_fit(width: int) -> None:
    data = SMALL.statistics.model_copy(
        update={
            "groups_per_query": {size: 10**size for size in range(9)},
            "ceilings": {f"metric{number}@10": 0.5 for number in range(9)},
        }
    )
    text = render(ValidationReport(statistics=data), "text", width=width)
    after = text[text.index("groups per query") - 2 :].splitlines()
    assert max(map(len, after)) <= max(width, 53)
    assert "7 to 8" in text
    assert "110,000,000" in text
    assert "metric8@10 0.5000" in text
