"""Several processes report the same bytes as one: findings, places, caps, counts, summary."""

import gzip
import json
import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, OptionError, WorkerLost, validate
from groupwise.evaluator.evaluation.engines import processes
from groupwise.evaluator.validation.engine import parts
from groupwise.evaluator.validation.facts import judged_content, shapes
from groupwise.evaluator.validation.facts.case import Case
from groupwise.evaluator.validation.facts.draft import Draft
from groupwise.evaluator.validation.facts.request import Request
from groupwise.evaluator.validation.rules.registry import add_rule
from groupwise.evaluator.validation.rules.rule import Rule
from tests.jobs import pretend_processes, refuse_whole, small_parts, start_by
from tests.strategies import FEWER
from tests.validation.data import DATA_SETS, FIXTURES, RUNS

ENGINE = "groupwise.evaluator.evaluation.engines.processes"
Records = list[dict[str, Any]]

BAD_LINES = ["", "   ", '{"id": "bad"', '{"id": "k", "id": "k2"}', "7", "null", "[]", "\u00a0"]
LINES = st.sampled_from(BAD_LINES)
"""What stands between records in files that people write."""


def outcome(*data: Any, **options: Any) -> Any:
    """All of a report, or the text of all problems."""
    try:
        return validate(*data, **options).model_dump()
    except InputError as error:
        return [error.count, *map(str, error.problems)]


def write_lines(path: Path, records: Records) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


PLAIN: Records = [
    {"id": f"q{number}", "ground_truth": [[f"a{number}", f"b{number}"], [f"c{number % 7}"]]}
    for number in range(200)
]


@FEWER
@given(
    records=DATA_SETS | FIXTURES | RUNS,
    odd=st.lists(st.tuples(st.integers(0, 30), LINES), max_size=4),
    size=st.sampled_from([1, 100, 400]),
    end=st.sampled_from(["\n", "\r\n"]),
    start=st.sampled_from(["", "\ufeff"]),
    limit=st.sampled_from([1, 3, 1000]),
    options=st.sampled_from(
        [{}, {}, {"ids": "text"}, {"flat": "any"}, {"select": ["GT", "IO004"]}]
    ),
)
def test_any_cut_reports_the_same(
    records: Records,
    odd: list[tuple[int, str]],
    size: int,
    end: str,
    start: str,
    limit: int,
    options: dict[str, Any],
) -> None:
    """The records several times: ids, texts and findings are repeated in other parts."""
    lines = [json.dumps(record) for record in [*records, *PLAIN[:3], *records, *records]]
    for place, line in odd:
        lines.insert(place, line)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "qa.jsonl")
        path.write_bytes((start + end.join(lines) + end).encode())
        expected = outcome(path, max_findings=limit, **options)
        with pretend_processes(ENGINE, size) as used:
            assert outcome(path, max_findings=limit, jobs=3, **options) == expected
    assert used.tasks > 1


@FEWER
@given(records=DATA_SETS, run=RUNS, size=st.sampled_from([1, 200]))
def test_data_sets_beside_a_run_report_the_same(records: Records, run: Records, size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first = write_lines(Path(folder, "a.jsonl"), [*PLAIN[:5], *records])
        second = write_lines(Path(folder, "b.jsonl"), [*records, *PLAIN[3:9]])
        results = write_lines(Path(folder, "run.jsonl"), run * 3)
        expected = outcome(first, second, run=results)
        with pretend_processes(ENGINE, size) as used:
            assert outcome(first, second, run=results, jobs=2) == expected
    assert used.tasks > 1


def report_of_parts(path: Path, size: int = 500, **options: Any) -> Any:
    """The report of parts that were taken: reading the whole is no way out."""
    with pretend_processes(ENGINE, size) as used, refuse_whole():
        report = validate(path, jobs=3, **options)
    assert used.tasks > 1
    return report.model_dump()


FINDINGS: list[tuple[str, Any]] = [
    ("GT004", {"id": "bad", "ground_truth": [["x"], []]}),
    ("GT001", PLAIN[0]),
    ("GT005", {"id": "flat", "ground_truth": ["a", "b"]}),
    ("GT012", {"id": "case", "ground_truth": [["A1"]]}),
    ("IO001", '{"id": "bad"'),
    ("IO004", '{"id": "q", "id": "k", "ground_truth": [["x"]]}'),
    ("IO008", "7"),
]


@pytest.mark.parametrize("place", [2, 90, 200])
@pytest.mark.parametrize(("code", "bad"), FINDINGS, ids=[code for code, _ in FINDINGS])
def test_a_finding_in_any_part_has_its_line(
    code: str, bad: Any, place: int, tmp_path: Path
) -> None:
    lines = [json.dumps(record) for record in PLAIN]
    lines.insert(place, bad if isinstance(bad, str) else json.dumps(bad))
    path = tmp_path / "qa.jsonl"
    path.write_text("\n".join(lines))
    report = report_of_parts(path)
    assert (code, place + 1) in {(each["code"], each["line"]) for each in report["findings"]}
    assert report == validate(path).model_dump()


def test_findings_after_packed_rankings_have_their_lines(tmp_path: Path) -> None:
    rankings = [f"d{number}" for number in range(60)]
    records = [{**record, "results": rankings} for record in PLAIN]
    records[150] = {**records[150], "results": ["d1", "d1"]}
    path = write_lines(tmp_path / "both.jsonl", records)
    report = report_of_parts(path, 20_000)
    assert [each["line"] for each in report["findings"] if each["code"] == "RN001"] == [151]
    assert report == validate(path).model_dump()


@pytest.mark.parametrize("limit", [1, 30, 31, 61, 1000])
def test_the_cap_is_reached_in_any_part(limit: int, tmp_path: Path) -> None:
    records = [
        {**record, "ground_truth": [["x"], []]} if number % 3 == 0 else record
        for number, record in enumerate(PLAIN)
    ]
    path = write_lines(tmp_path / "qa.jsonl", records)
    report = report_of_parts(path, max_findings=limit)
    lines = [each["line"] for each in report["findings"] if each["code"] == "GT004"]
    assert lines == list(range(1, 201, 3))[:limit]
    assert report["by_code"]["GT004"] == 67
    assert report == validate(path, max_findings=limit).model_dump()


def test_texts_and_ids_are_repeated_in_other_parts(tmp_path: Path) -> None:
    records = [{**record, "query": f"Question {n % 150}?"} for n, record in enumerate(PLAIN)]
    path = write_lines(tmp_path / "qa.jsonl", [*records, *records[10:12]])
    report = report_of_parts(path)
    assert report["by_code"]["GT001"] == 2
    assert report["by_code"]["GT013"] == 52
    assert report["statistics"]["ids_in_several_queries"] == 7 + 4
    assert report == validate(path).model_dump()


def test_numbers_among_strings_are_found_in_any_part(tmp_path: Path) -> None:
    odd = {"id": "odd", "ground_truth": [[7]]}
    path = write_lines(tmp_path / "qa.jsonl", [*PLAIN[:80], odd, *PLAIN[80:], odd])
    report = report_of_parts(path)
    assert [each["line"] for each in report["findings"] if each["code"] == "IO006"] == [81, 202]
    assert report == validate(path).model_dump()


def test_numbers_in_a_second_file_are_told_once(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", PLAIN)
    numbers = [{"id": f"n{n}", "ground_truth": [[n]]} for n in range(100)]
    second = write_lines(tmp_path / "b.jsonl", [PLAIN[0], *numbers])
    expected = outcome(first, second)
    with pretend_processes(ENGINE, 300) as used:
        assert outcome(first, second, jobs=2) == expected
    assert used.tasks


def test_a_new_baseline_has_the_findings_of_all_parts(tmp_path: Path) -> None:
    bad = [{**record, "ground_truth": [["x"], []]} for record in PLAIN]
    path = write_lines(tmp_path / "qa.jsonl", [*bad, *bad[:9]])
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    validate(path, write_baseline=one)
    report_of_parts(path, write_baseline=other)
    assert other.read_bytes() == one.read_bytes()


@pytest.mark.parametrize("module", [shapes, judged_content])
def test_what_depends_on_the_order_of_all_is_counted_in_one_process(
    module: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shapes, "MOST_SHAPES", 20)
    monkeypatch.setattr(judged_content, "MOST_CORPORA", 20)
    records = [
        {**record, "ground_truth": [[f"{a}" for a in range(1 + n % 50)], ["x"] * (1 + n % 3)]}
        if module is shapes
        else {**record, "corpus": f"print-{n % 30}"}
        for n, record in enumerate(PLAIN)
    ]
    path = write_lines(tmp_path / "qa.jsonl", records)
    expected = outcome(path)
    with pretend_processes(ENGINE, 500) as used:
        assert outcome(path, jobs=2) == expected
    assert used.tasks


def test_what_cannot_be_cut_is_read_in_one_process(tmp_path: Path) -> None:
    packed, document = tmp_path / "qa.jsonl.gz", tmp_path / "qa.json"
    lines = write_lines(tmp_path / "qa.jsonl", PLAIN)
    packed.write_bytes(gzip.compress(lines.read_bytes()))
    document.write_text(json.dumps(PLAIN))
    with pretend_processes(ENGINE, 100) as used:
        for data in (packed, document, PLAIN, {"q": [["a"]]}):
            assert outcome(data, jobs=2) == outcome(data)
        corpus = {f"a{n}": "text" for n in range(200)}
        assert outcome(lines, corpus=corpus, jobs=2) == outcome(lines, corpus=corpus)
        known = tmp_path / "known.json"
        validate(lines, write_baseline=known)
        assert outcome(lines, baseline=known, jobs=2) == outcome(lines, baseline=known)
    assert not used.tasks


@pytest.mark.usefixtures("nothing_added")
def test_rules_of_your_own_see_all_records_in_order(tmp_path: Path) -> None:
    seen: list[str] = []

    def check(case: Case, _request: Request) -> Iterator[Draft]:
        """Report how many records came before."""
        seen.append(str(case.query))
        yield Draft("XX001", f"{len(seen)} so far")

    add_rule(Rule("XX001", "counted", "info", what="A record is counted.", check=check))
    path = write_lines(tmp_path / "qa.jsonl", PLAIN)
    with pretend_processes(ENGINE, 500) as used:
        report = validate(path, jobs=2)
    assert not used.tasks
    assert report.by_code["XX001"] == len(seen) == len(PLAIN)


@pytest.fixture(params=["fork", "spawn"])
def started(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Start real processes, in either way, for parts of a few hundred bytes."""
    start_by(request.param, monkeypatch)
    with small_parts(4000) as used:
        yield request.param
    assert used.parts > 1


@pytest.mark.usefixtures("started")
def test_real_processes_report_the_same(tmp_path: Path) -> None:
    bad = {"id": "bad", "ground_truth": [["x"], []]}
    clean = write_lines(tmp_path / "clean.jsonl", [*PLAIN[:150], bad])
    repeated = write_lines(tmp_path / "repeated.jsonl", [*PLAIN, PLAIN[3]])
    run = write_lines(
        tmp_path / "run.jsonl", [{"id": f"q{n}", "results": ["a1"]} for n in range(99)]
    )
    for files, options in (([clean], {}), ([repeated], {}), ([clean, repeated], {"run": run})):
        expected = outcome(*files, **options)
        assert outcome(*files, jobs=2, **options) == expected


def test_processes_that_hash_otherwise_are_trusted_only_alone(
    started: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    clean = write_lines(tmp_path / "clean.jsonl", PLAIN)
    repeated = write_lines(tmp_path / "repeated.jsonl", [*PLAIN, PLAIN[3]])
    with refuse_whole():
        assert validate(clean, jobs=2).model_dump() == validate(clean).model_dump()
        for files in ([repeated], [clean, clean]):
            if started == "spawn":
                with pytest.raises(processes.NeedsWhole):
                    validate(*files, jobs=2)
            else:
                assert validate(*files, jobs=2).model_dump() == validate(*files).model_dump()


def test_a_killed_process_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "qa.jsonl", PLAIN)
    caller, work = os.getpid(), parts.PartWork.__call__

    def die(*given: Any) -> Any:
        if os.getpid() != caller:
            os.kill(os.getpid(), signal.SIGKILL)
        return work(*given)

    start_by("fork", monkeypatch)
    monkeypatch.setattr(parts.PartWork, "__call__", die)
    with small_parts(4000), pytest.raises(WorkerLost, match="SIGKILL"):
        validate(path, jobs=2)


def test_a_bug_in_a_part_is_not_hidden(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "qa.jsonl", PLAIN)

    def fail(*_: Any) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(parts.PartWork, "__call__", fail)
    with pretend_processes(ENGINE, 500), pytest.raises(ZeroDivisionError):
        validate(path, jobs=2)


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "qa.jsonl", PLAIN)
    with pretend_processes(ENGINE, 4000) as used:

        def touch(_records: int) -> None:
            if used.tasks == 1:
                os.utime(path, ns=(1, 1))

        with pytest.raises(InputError, match="the file changed while it was read"):
            validate(path, jobs=2, progress=touch)


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_counts_all_records_of_all_files(jobs: int, tmp_path: Path) -> None:
    first = write_lines(tmp_path / "a.jsonl", PLAIN)
    second = write_lines(tmp_path / "b.jsonl", PLAIN[:50])
    seen: list[int] = []
    with pretend_processes(ENGINE, 500) as used:
        validate(first, second, jobs=jobs, progress=seen.append, select=["GT004"])
    assert (used.tasks > 1) is (jobs > 1)
    assert seen == sorted(seen)
    assert seen[-1] == 250


def test_a_second_reading_counts_again(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "qa.jsonl", [*PLAIN, PLAIN[0]])
    seen: list[int] = []
    validate(path, progress=seen.append)
    assert seen == [201, 201]


@pytest.mark.parametrize("jobs", [0, -1, 1.5, "2", None, True, 257])
def test_jobs_are_a_number_from_1_on(jobs: Any) -> None:
    with pytest.raises(OptionError, match="jobs: expected a whole number from 1 to 256"):
        validate({"q": [["a"]]}, jobs=jobs)
