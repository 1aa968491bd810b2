"""Files of other systems through the command line: their numbers, and a clear line for bad ones."""

import gzip
import json
import math
from pathlib import Path

import pytest

from groupwise.evaluator.formats.mapping import long_form
from groupwise.evaluator.reading import source
from tests.cli.conftest import Groupwise, Write
from tests.metrics.test_trec_eval_golden import NAMES, RUNS, with_level
from tests.paths import FIXTURES, ROBUST03, TREC_EVAL
from tests.trec_files import is_printed_as, printed

FORMATS = FIXTURES / "formats"


def scores_of(groupwise: Groupwise, truth: Path, run: Path, names: list[str]) -> dict[str, float]:
    done = groupwise(
        "evaluate", str(truth), str(run), "--profile", "trec", "--format", "json",
        "--no-per-query", "-m", ",".join(names),
    )  # fmt: skip
    assert done.code == 0, done.err
    scores: dict[str, float] = json.loads(done.out)["scores"]
    return scores


@pytest.mark.parametrize("name", RUNS)
def test_the_files_of_trec_give_trec_evals_numbers(groupwise: Groupwise, name: str) -> None:
    expected = printed(ROBUST03 / f"{name}.c.all_trec.txt")
    qrels, run = ROBUST03 / "robust03_qrels.txt.gz", ROBUST03 / f"input.{name}.gz"
    scores = scores_of(groupwise, qrels, run, list(dict.fromkeys(NAMES.values())))
    for measure, metric in NAMES.items():
        if ("all", measure) in expected:
            assert is_printed_as(scores[metric], expected["all", measure]), measure


def test_what_is_below_0_is_not_judged_as_for_trec_eval(groupwise: Groupwise) -> None:
    expected = printed(TREC_EVAL / "out.test.aql")
    names = {measure: with_level(name, 2) for measure, name in NAMES.items()}
    names |= {f"unj_{k}": f"judged@{k}" for k in (5, 10, 20)}
    qrels, run = TREC_EVAL / "qrels.rel_level.gz", TREC_EVAL / "results.test.gz"
    scores = scores_of(groupwise, qrels, run, list(dict.fromkeys(names.values())))
    for measure, metric in names.items():
        value = 1 - scores[metric] if measure.startswith("unj") else scores[metric]
        assert is_printed_as(value, expected["all", measure]), measure


def test_a_large_file_is_streamed_and_a_small_one_read_whole(
    groupwise: Groupwise, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("evaluate", str(FORMATS / "qrels.txt"), str(FORMATS / "run.txt"))
    whole = groupwise(*arguments, "--profile", "trec")
    monkeypatch.setattr(long_form, "LARGE_BYTES", 0)
    monkeypatch.setattr(long_form, "RECORDS_PER_BATCH", 1)
    assert groupwise(*arguments, "--profile", "trec") == whole
    assert whole.code == 0


def test_grouped_lines_are_streamed(monkeypatch: pytest.MonkeyPatch, groupwise: Groupwise) -> None:
    def never(_rows: object) -> None:
        pytest.fail("read whole")

    monkeypatch.setattr(long_form, "LARGE_BYTES", 0)
    monkeypatch.setattr(long_form, "group_all", never)
    done = groupwise(
        "evaluate",
        str(FORMATS / "diversity.qrels"),
        str(FORMATS / "diversity-run.txt"),
        "--subtopics",
    )
    assert done.code == 0, done.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            b"1 0 a 1\n1 0 b\n",
            "bad:2: expected 4 columns (query iteration document relevance), got 3",
        ),
        (b"1 0 a 1\n1 0 b x\n1 0 c 1\n", "bad:2: the relevance 'x' in '1 0 b x' is not a finite"),
        (b"1 0 a 1\n1 0 a 2\n", "bad:2: query '1': the document 'a' has the grade 1 and, here, 2"),
        (b"1 0 a 1\n1 0 \x1b[31m 1 2\n1 0 b 1", "bad:2: expected 4 columns"),
        (b"1 0 a 1\n1 0 \xff 1\n", "bad:2:5: not UTF-8: the byte 0xff"),
        (gzip.compress(b"1 0 a 1\n" * 9000)[:-12], "bad: damaged gzip data: it ends too early"),
    ],
)
def test_a_broken_line_of_qrels_is_named(
    groupwise: Groupwise, tmp_path: Path, content: bytes, said: str
) -> None:
    (tmp_path / "bad").write_bytes(content)
    done = groupwise("evaluate", "bad", str(FORMATS / "run.txt"), "--profile", "trec")
    assert (done.code, done.out) == (3, "")
    (line,) = done.err.splitlines()
    assert line.startswith(f"error: {said}")


@pytest.mark.parametrize("score", ["nan", "NaN", "inf", "-inf", "1e999"])
def test_a_score_that_is_no_number_is_named(groupwise: Groupwise, write: Write, score: str) -> None:
    run = write("run.txt", f"301 Q0 a 1 9 t\n301 Q0 b 2 {score} t\n301 Q0 c 3 1 t\n")
    done = groupwise("evaluate", str(FORMATS / "qrels.txt"), run, "--profile", "trec")
    assert done.code == 3
    text = f"301 Q0 b 2 {score} t"
    assert done.err == f"error: run.txt:2: the score {score!r} in {text!r} is not a finite number\n"


def test_a_mark_and_windows_line_ends_are_no_obstacle(groupwise: Groupwise) -> None:
    done = groupwise(
        "evaluate", str(FORMATS / "qrels-windows.txt"), str(FORMATS / "run.txt"),
        "--profile", "trec", "--format", "json",
    )  # fmt: skip
    assert done.code == 0
    assert "byte order mark" in done.err
    assert len(done.err.splitlines()) == 3


def bomb() -> bytes:
    """A gibibyte of zeros from a mebibyte: a thousand times the same piece."""
    return gzip.compress(b'{"id": "' + b"0" * (1 << 20)) + gzip.compress(b"0" * (1 << 20)) * 1023


def test_a_gzip_bomb_is_stopped(groupwise: Groupwise, tmp_path: Path) -> None:
    (tmp_path / "bomb.jsonl.gz").write_bytes(bomb())
    assert (tmp_path / "bomb.jsonl.gz").stat().st_size < 1_100_000
    done = groupwise("evaluate", "bomb.jsonl.gz")
    assert done.code == 3
    (line,) = done.err.splitlines()
    assert line.startswith("error: bomb.jsonl.gz: suspected gzip bomb: ")
    assert line.endswith("; set --max-bytes to allow it")


def test_the_limit_can_be_set(groupwise: Groupwise, tmp_path: Path) -> None:
    data = b"".join(b'{"id": "%d", "ground_truth": [["a"]]}\n' % number for number in range(500))
    (tmp_path / "truth.jsonl.gz").write_bytes(gzip.compress(data))
    (tmp_path / "run.json").write_text('{"1": ["a"]}')
    assert groupwise("evaluate", "truth.jsonl.gz", "run.json", "--max-bytes", "1M").code == 0
    done = groupwise("evaluate", "truth.jsonl.gz", "run.json", "--max-bytes", "10K")
    assert done.code == 3
    assert done.err == (
        "error: truth.jsonl.gz: more than 10,240 bytes when decompressed, which is the limit; "
        "if it is meant to be that large, raise it with --max-bytes\n"
    )
    assert groupwise("evaluate", "truth.jsonl.gz", "run.json", "--max-bytes", "many").code == 2


def test_what_is_meant_to_grow_may(
    groupwise: Groupwise, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "SUSPECT_BYTES", 1000)
    data = b'{"id": "1", "ground_truth": [["a"]], "results": ["a"]}\n' + b"\n" * 300_000
    (tmp_path / "sparse.jsonl.gz").write_bytes(gzip.compress(data))
    assert groupwise("evaluate", "sparse.jsonl.gz").code == 3
    assert groupwise("evaluate", "sparse.jsonl.gz", "--max-bytes", "1M").code == 0


def test_files_in_the_wrong_order_are_told(groupwise: Groupwise) -> None:
    done = groupwise("evaluate", str(FORMATS / "run.txt"), str(FORMATS / "qrels.txt"))
    assert done.code == 3
    assert "expected ground truth, got TREC run (trec-run), which holds results" in done.err


def test_a_format_can_be_insisted_on(groupwise: Groupwise, write: Write) -> None:
    truth, run = write("t.csv", "query,id\nq,a\n"), write("r.csv", "query,id\nq,a\n")
    done = groupwise("evaluate", truth, run, "--flat", "any")
    assert done.code == 3
    assert "expected results, got CSV or TSV (csv)" in done.err
    assert groupwise("evaluate", truth, run, "--from", "csv-run", "--flat", "any").code == 0
    both = ("--from", "csv", "--from", "csv-run")
    assert groupwise("evaluate", truth, run, *both, "--flat", "any").code == 0


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["cvs"], "no format 'cvs'; did you mean 'csv'"),
        (["zzzzzz"], "no format 'zzzzzz'; choose from jsonl, json, "),
        (["csv", "trec-qrels"], "--from csv and --from trec-qrels for one file"),
    ],
)
def test_a_format_that_is_not_there(groupwise: Groupwise, names: list[str], said: str) -> None:
    words = [word for name in names for word in ("--from", name)]
    done = groupwise("evaluate", str(FORMATS / "long.csv"), str(FORMATS / "run.tsv"), *words)
    assert done.code == 2
    assert said in done.err


def test_the_question_of_all_or_any_is_asked_but_for_trec(groupwise: Groupwise) -> None:
    files = (str(FORMATS / "beir"), str(FORMATS / "beir-run.txt"))
    done = groupwise("evaluate", *files)
    assert done.code == 3
    assert "Say --flat all (one group per id) or --flat any (one group)" in done.err
    for words in (["--flat", "any"], ["--flat", "all"], ["--profile", "trec"]):
        assert groupwise("evaluate", *files, *words).code == 0


def test_records_of_any_shape(groupwise: Groupwise) -> None:
    log = str(FORMATS / "langsmith.jsonl")
    ways = "ground_truth=outputs.doc_ids,results=outputs.documents.*.metadata.id"
    done = groupwise("evaluate", log, "--map", ways, "--flat", "all", "--format", "json")
    assert done.code == 0, done.err
    # 5a: a of a and b is found; 5b has an empty result.
    assert json.loads(done.out)["scores"]["recall"] == 0.25
    pair = groupwise("evaluate", log, log, "--map", ways, "--flat", "all", "--format", "json")
    assert json.loads(pair.out)["scores"] == json.loads(done.out)["scores"]


@pytest.mark.parametrize(
    ("ways", "code", "said"),
    [
        ("query", 2, "expected FIELD=PATH, such as query=inputs.question, got 'query'"),
        ("qeury=a", 2, "no field 'qeury'; did you mean 'query'?"),
        ("ground_truth=outputs.docs", 3, "1:57: /outputs: ground_truth=outputs.docs: no 'docs'"),
        ("ground_truth=outputs.hops.x", 3, "no 'x' here; there is a list"),
        ("ground_truth=outputs.hops,id=inputs.question.x", 3, "here; there is the string 'Who?'"),
    ],
)  # fmt: skip
def test_a_way_that_leads_nowhere_is_told(
    groupwise: Groupwise, ways: str, code: int, said: str
) -> None:
    log = str(FORMATS / "langsmith.jsonl")
    done = groupwise("evaluate", log, str(FORMATS / "scores.json"), "--map", ways, "--flat", "all")
    assert done.code == code
    assert said in done.err


def test_records_without_an_id_are_told(groupwise: Groupwise, write: Write) -> None:
    write("log.jsonl", '{"question": "?", "docs": ["a"]}\n')
    done = groupwise("evaluate", "log.jsonl", "--map", "ground_truth=docs,results=docs")
    assert done.code == 3
    assert "log.jsonl:1:1: no id; say where it is, with --map id=PATH" in done.err


@pytest.mark.parametrize("content", ["hello\nworld\n", "1 2 3\n", "\x1b[31mred", "a\tb\n1\t2\n"])
def test_what_is_no_format_is_told(groupwise: Groupwise, write: Write, content: str) -> None:
    write("some.txt", content)
    done = groupwise("evaluate", "some.txt", "some.txt")
    advice = ["try:", "  groupwise inspect some.txt"] if "\t" in content else []
    assert done.code == 3
    assert done.err.splitlines()[1:] == advice
    assert "some.txt: unknown format: the file begins with '" in done.err


def test_a_folder_that_is_no_data_set(groupwise: Groupwise, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    done = groupwise("evaluate", "folder")
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    assert "this is a folder, not a file" in done.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("query_id,group,id\nq1,1\n", "bad.csv:2: expected 3 cells, as in the first line, got 2"),
        ("query_id,group,id,grade\nq1,1,a,much\n", "bad.csv:2: the grade 'much' is not a finite"),
        ("query_id,group,id\nq1,,a\n", "bad.csv:2: no group for 'a'"),
        ("query_id,group,id\n,1,a\n", "bad.csv:2: no query id in"),
        (
            'query_id,group,id\nq1,1,"a\n',
            "bad.csv:2:1: not CSV from here on: unexpected end",
        ),
        ("query_id,group,id\nq1,1,\udcff\n", "bad.csv:2:6: not UTF-8: the byte 0xed"),
    ],
)
def test_a_broken_line_of_a_table_is_named(
    groupwise: Groupwise, write: Write, content: str, said: str
) -> None:
    done = groupwise("evaluate", write("bad.csv", content), write("run.json", '{"q1": ["a"]}'))
    assert done.code == 3
    assert done.err.splitlines()[0].startswith(f"error: {said}")


def test_a_table_without_the_columns_it_needs(groupwise: Groupwise, write: Write) -> None:
    write("odd.csv", "a,b\n1,2\n")
    done = groupwise("evaluate", "odd.csv", "odd.csv", "--from", "csv", "--from", "csv-run")
    assert done.code == 3
    assert (
        "odd.csv:1: no column query_id (query_id, query-id, q_id, qid, topic, query) and no id"
        in (done.err)
    )


def test_the_same_numbers_from_dicts_of_ranx(groupwise: Groupwise, write: Write) -> None:
    qrels = {"q1": {"a": 3, "b": 1, "c": 0}}
    run = {"q1": {"b": 0.2, "x": 0.9, "a": 0.5}}
    done = groupwise(
        "evaluate", write("qrels.json", qrels), write("run.json", run),
        "--profile", "trec", "-m", "ndcg,map", "--format", "json",
    )  # fmt: skip
    scores = json.loads(done.out)["scores"]
    # x, a, b: gains 0, 3, 1 against the ideal 3, 1.
    ideal = 3 + 1 / math.log2(3)
    assert scores["ndcg"] == pytest.approx((3 / math.log2(3) + 1 / 2) / ideal, abs=1e-12)
    assert scores["map"] == pytest.approx((1 / 2 + 2 / 3) / 2, abs=1e-12)


@pytest.mark.parametrize(
    ("file", "words", "queries", "groups"),
    [
        ("qrels.txt", ["--flat", "any"], "3, 1 unanswerable", "2"),
        ("qrels.txt", ["--flat", "all"], "3, 1 unanswerable", "4"),
        ("diversity.qrels", ["--subtopics"], "2", "4"),
        ("langsmith.jsonl", ["--map", "ground_truth=outputs.hops"], "2", "3"),
    ],
)
def test_validate_reads_them_too(
    groupwise: Groupwise, file: str, words: list[str], queries: str, groups: str
) -> None:
    done = groupwise("validate", str(FORMATS / file), *words)
    assert done.err == ""
    found = dict(line.strip().split("  ", 1) for line in done.out.splitlines() if "  " in line)
    assert found["queries"].strip() == queries
    assert found["groups"].strip() == groups


def test_validate_takes_a_run_of_another_format(groupwise: Groupwise) -> None:
    done = groupwise(
        "validate", str(FORMATS / "diversity.qrels"), "--subtopics",
        "--run", str(FORMATS / "diversity-run.txt"),
    )  # fmt: skip
    assert (done.code, done.out.splitlines()[0]) == (0, "no findings in 2 files")


OWN_FORMAT = """\
from groupwise import Format, add_format

def parse(stream):
    for line in stream:
        query, *ids = line.decode().split()
        yield {"id": query, "ground_truth": [ids]}

def write(records, path):
    with open(path, "w") as file:
        for record in records:
            ids = [one for group in record["ground_truth"] for one in group]
            file.write(" ".join([record["id"], *ids]) + "\\n")

add_format(Format("words", parse=parse, write=write, suffixes=(".words",)))
"""


@pytest.mark.usefixtures("nothing_added")
def test_a_format_comes_from_a_plugin(groupwise: Groupwise, write: Write) -> None:
    write("words.py", OWN_FORMAT)
    write("qa.words", "q1 a b\nq2 c\n")
    done = groupwise("convert", "qa.words", "qa.jsonl", "--plugin", "words.py")
    assert (done.code, done.out) == (0, "qa.jsonl: 2 queries, jsonl\n")
    write("mine.txt", "q1 a b\n")
    done = groupwise("convert", "mine.txt", "new.words", "--from", "words", "--plugin", "words.py")
    assert (done.code, Path("new.words").read_text()) == (0, "q1 a b\n")
