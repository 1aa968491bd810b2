"""Files that are plainly something else are refused by name, with what to do."""

import gzip
import io
import json
import pickle
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from groupwise import (
    Evaluator,
    File,
    Format,
    InputError,
    UnknownMetric,
    add_format,
    evaluate,
    read,
    validate,
)
from tests.paths import TREC_EVAL

TRUTH = {"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
RUN = {"q1": ["a", "x"], "q2": ["d"]}
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
LFS_MESSAGE = "this is a Git LFS pointer, not the data; fetch the file (git lfs pull)"


def problem_of(call: Callable[[], object]) -> str:
    """The only problem of a call, in a line."""
    with pytest.raises(InputError) as error:
        call()
    (line,) = str(error.value).splitlines()
    return line


def zipped(*names: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "<x/>")
    return stream.getvalue()


def database(path: Path) -> bytes:
    with sqlite3.connect(path) as connection:
        connection.execute("create table judged (query, document)")
    connection.close()
    return path.read_bytes()


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.csv", "a.qrels", "a.parquet", "a"])
def test_a_pointer_is_refused_in_every_role(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(LFS)
    expected = f"{path}: {LFS_MESSAGE}"
    assert problem_of(lambda: evaluate(path, RUN)) == expected
    assert problem_of(lambda: evaluate(TRUTH, path)) == expected
    assert problem_of(lambda: Evaluator(path)) == expected
    assert problem_of(lambda: read(path, role="corpus")) == expected
    assert problem_of(lambda: read(File(path, format="trec-run"), role="run")) == expected
    assert [finding.message for finding in validate(TRUTH, corpus=path).findings] == [LFS_MESSAGE]


def test_a_pointer_within_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_bytes(b"query-id\tcorpus-id\tscore\nq1\ta\t1\n")
    (tmp_path / "corpus.jsonl").write_bytes(LFS)
    (tmp_path / "queries.jsonl").write_bytes(LFS)
    assert "this is a Git LFS pointer" in problem_of(lambda: read(tmp_path, role="corpus"))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"<!DOCTYPE html>\n<html><head></head></html>", "a web page (HTML), not the data"),
        (b"\n<HTML lang='en'>", "a web page (HTML), not the data"),
        (b"<?xml version='1.0'?><qrels/>", "XML or HTML"),
        (pickle.dumps({"q1": ["a"]}), "a Python pickle, which can run code and is never read"),
        (zipped("[Content_Types].xml", "xl/workbook.xml"), "an Excel workbook (.xlsx)"),
        (zipped("data.json"), "a zip archive; unpack it, and name a file in it"),
        (b"\x28\xb5\x2f\xfd\x04\x00", "a file compressed with Zstandard; decompress it"),
        (b"BZh91AY&SY", "a file compressed with bzip2"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"ARROW1\0\0", "an Arrow (Feather) file; save it as parquet"),
        (b"\x93NUMPY\x01\0", "a NumPy array"),
        (b"x" * 257 + b"ustar\x0000", "a tar archive"),
    ],
)
@pytest.mark.parametrize("name", ["a.jsonl", "a.txt"])
def test_what_no_format_reads_is_named(
    name: str, content: bytes, kind: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for call in (
        lambda: evaluate(path, RUN),
        lambda: evaluate(TRUTH, path),
        lambda: read(path, role="corpus"),
        lambda: evaluate(File(path, format="csv"), RUN),
    ):
        assert problem_of(call).startswith(f"{path}: this is {kind}")
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress(content))
    assert problem_of(lambda: read(packed)).startswith(f"{packed}: this is {kind}")


@pytest.mark.parametrize("query", ["BZhang", "ORC1", "FEA1", "ARROW1", "%PDF", "PK", "7z", "ver"])
def test_words_that_begin_like_other_files_are_words(query: str, tmp_path: Path) -> None:
    path = tmp_path / "a.qrels"
    path.write_text(f"{query} 0 a 1\n")
    assert [found.id for found in read(path, role="ground_truth", flat="any")] == [query]


def test_a_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    database(path)
    assert "this is an SQLite database; save the table" in problem_of(lambda: evaluate(path, RUN))


@pytest.mark.usefixtures("nothing_added")
def test_a_format_of_a_users_own_may_read_what_no_other_does(tmp_path: Path) -> None:
    path = tmp_path / "a.page"
    path.write_text("<html>q1</html>")

    def parse(_stream: Any) -> Iterator[dict[str, Any]]:
        yield {"id": "q1", "ground_truth": [["a"]]}

    add_format(Format("page", parse=parse, suffixes=(".page",)))
    assert evaluate(path, {"q1": ["a"]}, metrics="recall").scores == {"recall": 1.0}
    assert [query.id for query in read(File(path, format="page"), role="ground_truth")] == ["q1"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.jsonl", '{"id": "a", "text": "one"}\n{"id": "b", "text": "two"}\n'),
        ("c.jsonl", '{"_id": "a", "title": "t", "text": "one"}\n'),
        ("c.json", '[{"doc_id": "a", "contents": "one", "metadata": {"n": 1}}]'),
        ("c.csv", "id,text\na,one\n"),
        ("c.tsv", "id\ttitle\ttext\na\tA\tone\n"),
    ],
)
def test_a_corpus_is_no_ground_truth(name: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content)
    advice = "give them as corpus=…, beside the ground truth"
    assert problem_of(lambda: evaluate(path, RUN)) == (
        f"{path}: these are documents (a corpus), not ground truth; {advice}"
    )
    assert problem_of(lambda: evaluate(TRUTH, path)) == (
        f"{path}: these are documents (a corpus), not results; {advice}"
    )
    assert len(read(path, role="corpus").documents) >= 1


def test_a_corpus_in_parquet_is_no_ground_truth(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="the extra parquet is missing")
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is missing")
    path = tmp_path / "c.parquet"
    parquet.write_table(arrow.table({"doc_id": ["a"], "contents": ["one"]}), path)
    assert "these are documents (a corpus)" in problem_of(lambda: evaluate(path, RUN))


def test_records_with_a_field_of_another_kind_are_no_corpus(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "q1", "text": "why?", "relevant": ["a"]}\n')
    with pytest.raises(InputError) as error:
        evaluate(path, RUN)
    assert "documents" not in str(error.value)


def spelled(folder: Path, form: str) -> tuple[Any, Any]:
    """The same ground truth and run, as objects or in files."""
    records: list[list[dict[str, Any]]] = [
        [{"id": q, "ground_truth": groups} for q, groups in TRUTH.items()],
        [{"id": q, "results": ids} for q, ids in RUN.items()],
    ]
    if form in ("objects", "records"):
        return (TRUTH, RUN) if form == "objects" else (records[0], records[1])
    paths = folder / f"gt.{form}", folder / f"run.{form}"
    mappings: tuple[Any, Any] = TRUTH, RUN
    for path, mapping, listed in zip(paths, mappings, records, strict=True):
        lines = "".join(f"{json.dumps(record)}\n" for record in listed)
        path.write_text(lines if form == "jsonl" else json.dumps(mapping))
    return paths


@pytest.mark.parametrize("flat", [None, "any"])
@pytest.mark.parametrize("form", ["objects", "records", "json", "jsonl"])
def test_swapped_sources_are_recognised(form: str, flat: Any, tmp_path: Path) -> None:
    truth, run = spelled(tmp_path, form)
    assert evaluate(truth, run, metrics="recall", flat=flat).scores == {"recall": 0.75}
    names = (run, truth) if form.startswith("json") else ("ground_truth", "results")
    assert problem_of(lambda: evaluate(run, truth, flat=flat)) == (
        f"{names[0]}: expected ground truth, got results; "
        f"{names[1]}: expected results, got ground truth; are ground truth and run swapped?"
    )
    report = validate(run, run=truth, flat=flat)
    assert not report.ok
    assert report.notes[-1].endswith("are ground truth and run swapped?")
    assert validate(truth, run=run).notes == ()


@pytest.mark.parametrize("form", ["records", "jsonl"])
def test_what_an_evaluator_is_given_is_recognised(form: str, tmp_path: Path) -> None:
    truth, run = spelled(tmp_path, form)
    assert "expected ground truth, got results" in problem_of(lambda: Evaluator(run))
    evaluator = Evaluator(truth, metrics="recall")
    assert "expected results, got ground truth" in problem_of(lambda: evaluator.evaluate(truth))
    assert evaluator.evaluate(run).scores == {"recall": 0.75}


def test_other_errors_stay_what_they_are() -> None:
    assert "an empty group" in problem_of(lambda: evaluate({"q1": [["a"], []]}, {"q1": ["a"]}))
    assert "null is not an id" in problem_of(lambda: evaluate({"q1": [["a"]]}, {"q1": [None]}))


def test_swapped_files_of_trec_are_recognised(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2 t\n")
    found = problem_of(lambda: evaluate(tmp_path / "run", tmp_path / "qrels", profile="trec"))
    assert found.endswith("which holds results; are the files swapped?")


NDEVAL = "q1 1 a 1\nq1 2 a 0\nq1 2 b 1\nq2 1 c 1\n"


def test_judgements_by_subtopic_ask_for_that_option(tmp_path: Path) -> None:
    qrels = tmp_path / "nd.qrels"
    qrels.write_text(NDEVAL)
    run = {"q1": ["a"], "q2": ["c"]}
    with pytest.raises(InputError) as error:
        evaluate(qrels, run, profile="trec")
    (problem,) = error.value.problems
    assert problem.line == 2
    assert "say File(…, subtopics=True), which makes it the group" in problem.message
    assert evaluate(File(qrels, subtopics=True), run, metrics="recall").scores == {"recall": 0.75}
    qrels.write_text(NDEVAL.replace("q1 2 a 0\n", ""))
    first = problem_of(lambda: evaluate(qrels, run))
    hint = "; or File(…, subtopics=True), if the second column is the subtopic or the judge"
    assert hint in first
    assert all(finding.message.endswith(hint) for finding in validate(qrels).findings)


def test_judgements_without_groups_name_the_profile_that_needs_none(tmp_path: Path) -> None:
    qrels = tmp_path / "a.qrels"
    qrels.write_text("q1 0 a 1\nq1 0 b 1\n")
    found = problem_of(lambda: evaluate(qrels, {"q1": ["a"]}))
    assert "Say flat='all' (one group per id) or flat='any'" in found
    assert found.endswith("; or say profile='trec', where groups do not matter")
    assert evaluate(qrels, {"q1": ["a"]}, profile="trec", metrics="recall").scores["recall"] == 0.5
    assert "profile=" not in problem_of(lambda: read(qrels))


@pytest.mark.parametrize(
    ("name", "profile", "hint"),
    [
        ("alpha_ndcg", "autorag", "it is in the profile coverage: 'coverage:alpha_ndcg'"),
        ("alpha_ndcg(alpha=0.3)@5", "trec", "coverage: 'coverage:alpha_ndcg(alpha=0.3)@5'"),
        ("autorag:bpref", "coverage", "it is in the profile trec: 'trec:bpref'"),
        ("alpha_ndgc", "coverage", "did you mean 'alpha_ndcg'?"),
    ],
)
def test_a_metric_of_another_profile_is_named_with_it(name: str, profile: str, hint: str) -> None:
    with pytest.raises(UnknownMetric) as error:
        evaluate(TRUTH, RUN, metrics=name, profile=profile)
    assert str(error.value).endswith(hint)


@pytest.mark.parametrize(
    ("name", "content", "given", "found"),
    [
        ("a.json", json.dumps(TRUTH), "csv", "JSON"),
        ("a.json", json.dumps(TRUTH), "trec-qrels", "JSON"),
        ("a.json", json.dumps(TRUTH), "parquet", "JSON"),
        ("a.qrels", "q1 0 a 1\n", "json", "TREC qrels (trec-qrels)"),
        ("a.csv", "query_id,id\nq1,a\n", "jsonl", "CSV or TSV (csv)"),
        ("a.csv", "query_id,id\nq1,a\n", "parquet", "CSV or TSV (csv)"),
        ("a.parquet", "PAR1....PAR1", "csv", "parquet"),
        ("a.parquet", "PAR1....PAR1", "trec-qrels", "parquet"),
        ("a.parquet", "PAR1....PAR1", "json", "parquet"),
    ],
)
def test_a_format_that_a_file_plainly_does_not_have_is_refused(
    name: str, content: str, given: str, found: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    line = problem_of(lambda: evaluate(File(path, format=given), RUN))
    assert line.startswith(f"{path}: this is {found}, not ")
    assert line.endswith(f"({given}); leave out format={given!r}")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("prefs.test", "these are preference judgements of trec_eval (-R prefs)"),
        ("prefs.comment.test", "these are preference judgements of trec_eval (-R prefs)"),
        ("zscores_file", "these are z-scores of trec_eval"),
        ("prefs.rank20", "this is a TREC run without its first column, the query"),
    ],
)
@pytest.mark.parametrize("named", [None, "trec-qrels"])
def test_other_files_of_trec_eval_are_named(name: str, kind: str, named: Any) -> None:
    path = TREC_EVAL / f"{name}.gz"
    found = problem_of(lambda: evaluate(File(path, format=named), RUN, profile="trec"))
    assert found.startswith(f"{path}: {kind}")


def test_the_output_of_trec_eval_is_named() -> None:
    path = TREC_EVAL / "out.test.aq"
    assert "this is the output of trec_eval" in problem_of(lambda: evaluate(path, RUN))
