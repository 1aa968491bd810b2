"""``groupwise explain`` as a person uses it: words, forms, refusals, hostile data."""

import csv
import io
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from groupwise import explain
from tests.cli.conftest import RUNNING, Groupwise, Write
from tests.cli.shell import spawn
from tests.evaluate.test_explain import CONTRACT, RUN, TRUTH

SCHEMA = Path(__file__).parents[2] / "docs/reference/schemas/explanation.schema.json"
FIRST, SECOND = (
    "group 1 met at rank 1 by test-1 (again at 3 by test-2)",
    "group 2 (test-3) not retrieved",
)
HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "line\nfeed",
    "\u202eevil",
    "=HYPERLINK(1)",
    "a|b",
    "<script>",
    "[x](http://e)",
    "##[group]x",
    "::error::x",
    "x" * 300,
]


@pytest.fixture
def files(write: Write) -> list[str]:
    return [write("truth.json", TRUTH), write("run.json", RUN)]


def errors_of(content: Any) -> list[str]:
    """What the published schema says about an explanation."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SCHEMA.read_bytes())
    jsonschema.Draft202012Validator.check_schema(schema)
    found = jsonschema.Draft202012Validator(schema).iter_errors(content)
    return [error.message for error in found]


def test_the_running_example_in_words(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("explain", *files)
    assert done.code == 0
    lines = [line.strip() for line in done.out.splitlines()]
    assert "A.A." in lines
    assert f"A  {FIRST}" in lines
    assert f"B  {SECOND}" in lines
    assert done.err == ""


def test_a_fixture_may_be_the_only_file(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("explain", fixture, "--format", "json")
    assert json.loads(done.out) == CONTRACT


@pytest.mark.parametrize("words", [(), ("--query", "q1"), ("-k", "1"), ("--worst", "1")])
def test_the_json_form_is_valid(
    groupwise: Groupwise, files: list[str], words: tuple[str, ...]
) -> None:
    done = groupwise("explain", *files, *words, "--format", "json")
    assert errors_of(json.loads(done.out)) == []
    if words != ("-k", "1"):
        assert json.loads(done.out) == CONTRACT


def test_all_that_an_explanation_can_have_is_valid(groupwise: Groupwise, write: Write) -> None:
    groups = [{"alternatives": ["a#1"], "label": "hop-1"}, ["Gone"], ["far"]]
    record = {"ground_truth": groups, "metadata": {"type": "x"}}
    truth: list[dict[str, Any]] = [{"id": f"q{n}", **record} for n in range(3)]
    truth.append({"id": "u", "answerable": False})
    run = {"q0": ["a#2", "x", "far"], "q1": ["A#1"], "u": ["x"], "more": ["y"]}
    corpus = write("corpus.txt", "a#1\ngone\nfar\n")
    words = ["--corpus", corpus, "--by", "type", "-k", "2", "--profile", "coverage"]
    data = [write("truth.json", truth), write("run.json", run)]
    found = json.loads(groupwise("explain", *data, *words, "--format", "json").out)
    assert errors_of(found) == []
    assert set(found) == {
        "schema", "profile", "k", "queries", "reasons", "depth_for", "near", "labels",
        "missed_groups", "slices", "counts", "corpus", "warnings",
    }  # fmt: skip
    assert found["near"] == {"case": 4, "chunk": 1}
    assert found["queries"]["u"] == {"hit_vector": [0], "complete": None, "groups": []}
    shown = groupwise("explain", *data, *words).out
    assert "group 2 (Gone) not in the corpus" in shown
    assert "near: gone in the corpus, differs from Gone in case" in shown
    assert "group 3 (far) beyond k: at rank 3 by far" in shown
    assert "near: a#2 at rank 1, another chunk than a#1" in shown
    assert "..|A…" not in shown


def test_reports_carry_explanations_that_are_valid(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "--explain", "1", "--format", "json")
    found = json.loads(done.out)["explanation"]
    assert errors_of(found) == []
    assert found["queries"]["q1"].pop("results") == ["test-1", "pred-1", "test-2", "pred-3"]
    assert found == CONTRACT


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_reports_show_explanations(groupwise: Groupwise, fixture: str, form: str) -> None:
    done = groupwise("evaluate", fixture, "--explain", "1", "-m", "recall@3", "--format", form)
    assert FIRST in done.out
    assert "explained" in done.out


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_forms_without_a_place_for_explanations_are_refused(
    groupwise: Groupwise, fixture: str, form: str
) -> None:
    words = ("--format", form, "-o", f"out.{form}")
    done = groupwise("evaluate", fixture, "--explain", "1", *words)
    assert done.code == 2
    assert f"--format {form} has no place for --explain" in done.err


def test_explaining_needs_the_scores_of_queries(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "--explain", "1", "--no-per-query")
    assert done.code == 2
    assert "--no-per-query" in done.err


def test_a_csv_file_has_a_row_per_group(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("explain", *files, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert [(row["query"], row["group"], row["met"], row["reason"]) for row in rows] == [
        ("q1", "0", "true", ""), ("q1", "1", "false", "not_retrieved")
    ]  # fmt: skip
    assert rows[0]["alternatives"] == "test-1 | test-2"


def test_a_query_is_shown_without_the_sums(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("explain", *files, "--query", "q1")
    assert FIRST in done.out
    assert "reason" not in done.out


def test_people_see_five_queries_and_programs_all(groupwise: Groupwise, write: Write) -> None:
    truth = {f"q{n}": [["a"]] for n in range(9)}
    run = {f"q{n}": ["a"] if n else ["x"] for n in range(9)}
    data = [write("truth.json", truth), write("run.json", run)]
    shown = groupwise("explain", *data).out
    assert shown.count("1 of 1 group met") + shown.count("0 of 1 group met") == 5
    assert "q0: 0 of 1 group met" in shown
    assert len(json.loads(groupwise("explain", *data, "--format", "json").out)["queries"]) == 9
    three = groupwise("explain", *data, "--worst", "3", "--format", "json").out
    assert list(json.loads(three)["queries"]) == ["q0", "q1", "q2"]


def test_groups_have_a_letter_and_a_colour(
    groupwise: Groupwise, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = write("truth.json", {"q": [["a"], ["b"], ["a", "c"]]})
    data = [truth, write("run.json", {"q": ["b", "x", "a", "c"]})]
    assert "\n  B.+C\n" in groupwise("explain", *data).out
    assert "\n     3  AC  a\n" in groupwise("explain", *data).out
    assert "\n  B.|+C\n" in groupwise("explain", *data, "-k", "2").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    painted = groupwise("explain", *data).out
    assert "\x1b[33mB\x1b[0m" in painted
    assert "\x1b[32mA\x1b[0m\x1b[34mC\x1b[0m" in painted


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-k", "0"], "expected a whole number from 1 on"),
        (["-k", "x"], "expected a whole number from 1 on"),
        (["--worst", "0"], "expected a whole number from 1 on"),
        (["--query", "q1", "--worst", "1"], "--query and --worst both choose queries"),
        (["--profile", "nope"], "nope"),
        (["--format", "latex"], "no format 'latex'"),
        (["--match", "nope"], "--match"),
        (["--match-option", "a=b"], "--match-option goes with --match"),
        (["--by"], "--by"),
        (["third.json"], "got 3 files"),
    ],
)
def test_usage_errors(
    groupwise: Groupwise, files: list[str], words: list[str], message: str
) -> None:
    done = groupwise("explain", *files, *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--query", "q2"], "no query 'q2'; the ground truth has 'q1'"),
        (["--query", "Q1"], "no query 'Q1'; did you mean 'q1'?"),
        (["--worst", "1", "--worst-by", "recal"], "did you mean 'recall'"),
        (["--corpus", "nope.jsonl"], "nope.jsonl: no such file"),
        (["--by", "type"], "no query has the field 'type'"),
    ],
)
def test_data_that_does_not_fit(
    groupwise: Groupwise, files: list[str], words: list[str], message: str
) -> None:
    done = groupwise("explain", *files, *words)
    assert done.out == ""
    assert done.code in (2, 3)
    assert message in done.err


def test_missing_files_and_runs(groupwise: Groupwise, files: list[str]) -> None:
    assert "no such file" in groupwise("explain", files[0], "nope.json").err
    done = groupwise("explain", files[0])
    assert done.code == 3
    assert "pass the run as a second file" in done.err


@pytest.mark.parametrize("form", ["table", "markdown", "json", "csv"])
def test_hostile_ids_are_shown_as_text(groupwise: Groupwise, write: Write, form: str) -> None:
    truth = [
        {
            "id": f"{number}{name}",
            "ground_truth": [{"alternatives": [name], "label": name}, [f"{name}?"]],
            "metadata": {name: name},
        }
        for number, name in enumerate(HOSTILE)
    ]
    run = {record["id"]: [*HOSTILE, "y"] for record in truth}
    data = [write("truth.json", truth), write("run.json", run)]
    by = [word for name in HOSTILE[:2] for word in ("--by", name)]
    done = groupwise("explain", *data, "--format", form, "-k", "3", "--worst", "20", *by)
    assert done.code == 0
    for sign in ("\x1b", "\u202e", "##["):
        assert sign not in done.out
    assert not any(line.lstrip().startswith("::") for line in done.out.splitlines())
    if form == "csv":
        cells = [cell for row in csv.reader(io.StringIO(done.out)) for cell in row]
        assert not any(cell.startswith("=") for cell in cells)
    if form == "markdown":
        assert "<script>" not in done.out.replace("\\<", "")
        assert "a|b" not in done.out


def test_output_is_the_same_for_the_library_and_the_shell(
    groupwise: Groupwise, files: list[str]
) -> None:
    for form in ("table", "json", "csv", "markdown"):
        shown = groupwise("explain", *files, "--format", form).out
        assert explain(TRUTH, RUN).render(form) == shown
        groupwise("explain", *files, "--format", form, "-o", "out")
        assert Path("out").read_text("utf-8") == shown


def test_stdin_is_a_file_like_others(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("explain", "-", "--format", "json", stdin=json.dumps(RUNNING).encode())
    assert json.loads(done.out) == CONTRACT


def test_trec_counts_relevant_documents(groupwise: Groupwise, write: Write) -> None:
    data = [write("truth.json", {"q": ["a", "b", "c"]}), write("run.json", {"q": ["b", "x", "a"]})]
    done = groupwise("explain", *data, "--profile", "trec", "-k", "2")
    assert "q: 1 of 1 group met in the first 2 results; 1 of 3 relevant documents" in done.out
    each = groupwise("explain", *data, "--profile", "trec", "-k", "2", "--flat", "all")
    assert "group 3 (c) not retrieved" in each.out


@pytest.mark.nightly
@pytest.mark.parametrize("form", ["table", "json"])
def test_explaining_costs_at_most_three_evaluations(write: Write, form: str) -> None:
    chance = random.Random(3)  # noqa: S311
    truth, run = [], []
    for number in range(10_000):
        results = [f"doc-{chance.randrange(10**6)}" for _ in range(100)]
        found, lost = results[int(chance.random() ** 3 * 100)], f"doc-{chance.randrange(10**6)}"
        truth.append(json.dumps({"id": f"q{number}", "ground_truth": [[found], [lost]]}))
        run.append(json.dumps({"id": f"q{number}", "results": results}))
    files = write("truth.jsonl", "\n".join(truth)), write("run.jsonl", "\n".join(run))
    costs: dict[str, list[float]] = {"evaluate": [], "explain": []}
    for _ in range(3):
        for name, times in costs.items():
            times.append(measure(name, *files, "--format", form))
    assert min(costs["explain"]) <= 3 * min(costs["evaluate"])


def measure(*words: str) -> float:
    """The processor time of a command."""
    before = os.times()
    assert spawn(*words).code == 0
    after = os.times()
    user = after.children_user - before.children_user
    return user + after.children_system - before.children_system


def test_the_head_names_matcher_options_and_corpus(groupwise: Groupwise, write: Write) -> None:
    truth = write("truth.json", {"q1": [["DOC-1"], ["doc-2"]]})
    run, corpus = write("run.json", {"q1": ["doc-1", "x"]}), write("all ids.txt", "doc-1\nx\ny\n")
    words = ("--match", "normalised", "--match-option", "case=fold", "--corpus", corpus)
    done = groupwise("explain", truth, run, *words, "-k", "3")
    head, *_ = done.out.splitlines()
    assert head.startswith("1 query, 2 groups; the first 3 results count; profile autorag; ")
    assert "; matching normalised (" in head
    assert "case fold" in head
    assert head.endswith("; corpus all ids.txt (3 documents)")
    found = json.loads(groupwise("explain", truth, run, *words, "--format", "json").out)
    assert errors_of(found) == []
    assert (found["matching"]["type"], found["matching"]["case"]) == ("normalised", "fold")
    assert found["corpus"] == {"name": "all ids.txt", "documents": 3}
    marked = groupwise("explain", truth, run, *words, "--format", "markdown").out
    assert "matching normalised (" in marked
    assert "corpus all ids.txt (3 documents)" in marked


def test_objects_have_no_name() -> None:
    found = explain(TRUTH, RUN, corpus=["test-3"])
    assert found.to_dict()["corpus"] == {"name": None, "documents": 1}
    assert "; corpus (1 document)" in str(found)


@pytest.mark.parametrize("form", ["table", "markdown", "json"])
def test_the_text_of_a_query_is_shown(groupwise: Groupwise, write: Write, form: str) -> None:
    text = "Who\n  is \x1b[31m|<b>?" + " and why" * 90
    records = [{"id": "q1", "query": text, "ground_truth": [["a"]]}, {"id": "q2", "results": []}]
    truth = write("truth.json", [records[0], {"id": "q2", "ground_truth": [["a"]]}])
    run = write("run.json", {"q1": ["b"], "q2": ["a"]})
    out = groupwise("explain", truth, run, "--format", form).out
    report = groupwise("evaluate", truth, run, "--explain", "2", "--format", form).out
    if form == "json":
        found = json.loads(out)
        assert errors_of(found) == []
        assert [query.get("query") for query in found["queries"].values()] == [text, None]
        assert "query" not in found["queries"]["q2"]
        assert json.loads(report)["explanation"]["queries"]["q1"]["query"] == text
        return
    for shown in (out, report):
        (line,) = [line for line in shown.splitlines() if "and why and" in line]
        assert line.strip("> ").startswith("Who is ")
        assert line.endswith("…")
        assert "\x1b" not in line
        assert form == "table" or "<b>" not in line


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_reports_by_field_have_the_reasons_of_each_slice(
    groupwise: Groupwise, write: Write, form: str
) -> None:
    kinds = {"q1": "x", "q2": "y", "q3": "y"}
    truth = [
        {"id": name, "ground_truth": [["a"], ["b"]], "metadata": {"type": kind}}
        for name, kind in kinds.items()
    ]
    run = {"q1": ["a", "b"], "q2": ["a", "z", "b"], "q3": ["b"]}
    files = write("truth.json", truth), write("run.json", run)
    words = ("evaluate", *files, "-m", "recall@2", "--by", "type", "--explain", "1")
    done = groupwise(*words, "--format", form)
    cells = [[cell.strip(" |") for cell in line.split("  ")] for line in done.out.splitlines()]
    rows = [" ".join(filter(None, row)).replace(" | ", " ") for row in cells]
    assert any(
        row.startswith("4 of 6 groups met in the first 2 results, 1 beyond k") for row in rows
    )
    assert "x 1 2 100.0 % 0 0 2" in rows
    assert "y 2 4 50.0 % 1 1 –" in rows  # noqa: RUF001
    found = json.loads(groupwise(*words, "--format", "json").out)["explanation"]["slices"]["type"]
    assert found["y"]["reasons"] == {
        "met": 2, "beyond_k": 1, "not_retrieved": 1, "not_in_corpus": 0
    }  # fmt: skip


def lines_of(out: str) -> list[str]:
    return [line.strip() for line in out.splitlines()]


def test_near_misses_of_spans_and_texts(groupwise: Groupwise, write: Write) -> None:
    gold = {"id": "g", "document": "d", "start": 0, "end": 100}
    truth = write("spans.json", [{"id": "q", "ground_truth": [[gold]]}])
    chunk = {"id": "c", "document": "d", "start": 69, "end": 300}
    run = write("chunks.json", [{"id": "q", "results": [chunk]}])
    shown = lines_of(groupwise("explain", truth, run, "--match", "span").out)
    assert "near: c at rank 1, overlap 0.31 < 0.5" in shown
    assert "1 missed group has a result that overlaps an alternative, but not enough" in shown
    assert "warning: no result of any query meets its ground truth (matching: span)" in shown

    text = "one two three four five six seven eight nine ten"
    truth = write("texts.json", [{"id": "q", "ground_truth": [[{"id": "g", "text": text}]]}])
    other = {"id": "c", "text": "zero one two three four five, and then something else"}
    run = write("passages.json", [{"id": "q", "results": [{"id": "x", "text": "no"}, other]}])
    words = ("--match", "text", "--match-option", "punctuation=ignore")
    shown = lines_of(groupwise("explain", truth, run, *words).out)
    assert "near: c at rank 2, overlap 0.375 < 0.5" in shown  # 3 of 8 shingles of three words
    assert "punctuation ignore)" in shown[0]


def test_texts_are_compared_with_the_corpus(groupwise: Groupwise, write: Write) -> None:
    gold = [
        [{"id": "a", "text": "Refunds take  ten days"}],
        [{"id": "b", "text": "same"}],
        ["kb/C"],
    ]
    truth = write("truth.json", [{"id": "q", "ground_truth": gold}])
    texts = {"a": "refunds take five days", "b": "It is the SAME.", "x": "", "C": "c"}
    corpus = write("corpus.json", [{"id": name, "text": text} for name, text in texts.items()])
    run = write("run.json", {"q": ["x"]})
    shown = lines_of(groupwise("explain", truth, run, "--corpus", corpus).out)
    group = shown.index("A  group 1 (a) not retrieved")
    assert shown[group:] == [
        "A  group 1 (a) not retrieved",
        "near: a in the corpus, its text has changed",
        "B  group 2 (b) not retrieved",
        "C  group 3 (kb/C) not in the corpus",
        "near: C in the corpus, differs from kb/C in a prefix",
    ]
    assert "1 missed group has an alternative whose text in the corpus has changed" in shown


def test_chunks_and_their_documents(groupwise: Groupwise, write: Write) -> None:
    truth = write("truth.json", {"q1": [["doc-1"]], "q2": [["doc-2#7"]], "q3": [["doc-3"]]})
    run = write("run.json", {"q1": ["x", "doc-1#3"], "q2": ["doc-2"], "q3": ["y"]})
    corpus = write("corpus.txt", "doc-3#1\ndoc-3#2\ndoc-3#3\ndoc-3#4\ndoc-1\ndoc-2#7\n")
    shown = lines_of(groupwise("explain", truth, run, "--corpus", corpus).out)
    near = [line for line in shown if line.startswith("near: ")]
    assert near == [
        "near: doc-1#3 at rank 2, a chunk of doc-1",
        "near: doc-2 at rank 1, the document of doc-2#7",
        *(f"near: doc-3#{n} in the corpus, a chunk of doc-3" for n in (1, 2, 3)),
    ]


def test_a_corpus_of_other_ids_is_refused(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("explain", *files, "--corpus", files[0])
    assert (done.code, done.out) == (3, "")
    assert "expected a text, got a list" in done.err


def test_a_corpus_that_has_neither_results_nor_alternatives_is_refused(
    groupwise: Groupwise, files: list[str], write: Write
) -> None:
    done = groupwise("explain", *files, "--corpus", write("other.txt", "z1\nother-1\nother-2\n"))
    assert (done.code, done.out) == (3, "")
    assert "other.txt: the corpus has neither the results nor the alternatives" in done.err
    assert 'The corpus has "other-1", the results have "test-1"' in done.err
    for name in ("test-1", "test-3", "TEST-3", "kb/test-3"):
        corpus = write("corpus.txt", f"other-1\n{name}\n")
        assert groupwise("explain", *files, "--corpus", corpus).code == 0


@pytest.mark.parametrize(
    ("asked", "meant"),
    [("Q-01", "'q-01'"), ("q-1", "'q-01'"), ("q-0011", "'q-11'"), ("x", "the ground truth has")],
)
def test_unknown_queries_are_suggested(
    groupwise: Groupwise, write: Write, asked: str, meant: str
) -> None:
    names = [f"q-{number:02}" for number in range(1, 30)]
    truth = write("truth.json", {name: [["a"]] for name in names})
    done = groupwise("explain", truth, write("run.json", {"q-01": ["a"]}), "--query", asked)
    assert done.code == 3
    assert f"no query '{asked}'; " in done.err
    assert meant in done.err


def test_many_groups_are_counted(groupwise: Groupwise, write: Write) -> None:
    truth = write("truth.json", {"q": [[f"d{number}"] for number in range(40)]})
    run = write("run.json", {"q": [f"d{number}" for number in range(39, 25, -1)]})
    shown = lines_of(groupwise("explain", truth, run).out)
    assert "d  group 30 (d29) beyond k: at rank 11 by d29" in shown
    assert shown[-1] == "10 more groups, 10 of them met (--format json)"
    marked = lines_of(groupwise("explain", truth, run, "--format", "markdown").out)
    assert marked[-1] == "- 10 more groups, 10 of them met (--format json)"


def test_terminals_without_unicode_lose_no_letter(write: Write) -> None:
    truth = write("truth.json", {"q": [["a"], ["b"]]})
    run = write("run.json", {"q": [*"vwxyz", "b", *"uts", "a", *"rqp"]})
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = spawn("explain", truth, run, "-k", "5", env=ascii_only)
    assert "  .....|B...A (3 more)" in done.out.splitlines()
    assert done.out.isascii()


def test_the_choice_of_queries_is_said(groupwise: Groupwise, write: Write) -> None:
    truth = write("truth.json", {f"q{n}": [["a"]] for n in range(7)})
    run = write("run.json", {f"q{n}": ["x"] * (n % 2) + ["a"] for n in range(7)})
    title = "the 5 worst queries by recall@10, then by query id"
    assert title in groupwise("explain", truth, run).out.splitlines()
    words = ("--worst", "1", "--worst-by", "mrr", "--format", "markdown")
    shown = groupwise("explain", truth, run, *words).out.splitlines()
    assert "The worst query by mrr, then by query id:" in shown
    for choice in (("--worst", "7"), ("--query", "q1")):
        assert "worst" not in groupwise("explain", truth, run, *choice).out


def test_a_query_that_is_its_own_id_is_shown_once(groupwise: Groupwise, write: Write) -> None:
    text = "How long do refunds take?"
    truth = write("truth.json", [{"id": text, "query": text, "ground_truth": [["a"]]}])
    run = write("run.json", {text: ["a"]})
    for form in ("table", "markdown"):
        assert groupwise("explain", truth, run, "--format", form).out.count("refunds") == 1
