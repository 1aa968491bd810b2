"""Comparing runs from a shell."""

import json
import os
import re
from pathlib import Path

import pytest

from groupwise.evaluator.cli.run_names import name_file, split_name
from groupwise.evaluator.reporting.comparison import COMPARISON_FORMS
from tests.cli.conftest import Groupwise, Write
from tests.cli.shell import spawn
from tests.paths import FIXTURES

RETRIEVERS = FIXTURES / "examples" / "retrievers"
QUERIES = [f"q{number:02}" for number in range(30)]
TRUTH = {query: [["a"], ["b"]][: 1 + number % 2] for number, query in enumerate(QUERIES)}
RUNS = {
    "bm25": {
        query: ["a", "x", "b"] if number % 3 else ["x"] for number, query in enumerate(QUERIES)
    },
    "dense": {query: ["a", "b"] if number % 7 else ["x"] for number, query in enumerate(QUERIES)},
    "none": {query: ["x", "y", "b"] for query in QUERIES},
}


@pytest.fixture
def files(write: Write) -> list[str]:
    """The names of a ground truth and three runs."""
    runs = [write(f"{name}.json", run) for name, run in RUNS.items()]
    return [write("truth.json", TRUTH), *runs]


def test_a_table_of_runs_with_the_test_behind_it(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("compare", *files, "-m", "recall,ndcg", "--baseline", "bm25")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "profile autorag; 30 queries, 30 compared"
    assert any(line.startswith("a bm25 ") and "[" in line for line in lines)
    assert any(line.startswith("b dense ") and "*" in line for line in lines)
    assert "10,000 permutations, seed 0" in done.out
    assert "corrected by Holm over the 2 pairs of each metric with the baseline" in done.out
    assert "differences to bm25: recall" in done.out
    assert "largest gains and losses, dense - bm25: recall" in done.out


def test_the_ground_truth_is_not_a_run(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("compare", files[0], *files)
    assert (done.code, done.out) == (2, "")
    assert "truth.json is the ground truth; it cannot be a run as well" in done.err


def test_a_file_that_holds_ground_truth_and_results_can_be_both(
    groupwise: Groupwise, write: Write
) -> None:
    both, other = (
        write(
            f"{run}.json",
            [
                {"question": query, "gold": groups[0], "docs": RUNS[run][query]}
                for query, groups in TRUTH.items()
            ],
        )
        for run in ("bm25", "dense")
    )
    words = ("compare", both, f"bm25={both}", other, "-m", "recall", "--flat", "any")
    fields = "id=question,ground_truth=gold,results=docs"
    assert groupwise(*words).code == 3
    found = json.loads(groupwise(*words, "--map", fields, "--format", "json").out)
    assert [*found["runs"]] == ["bm25", "dense"]


def test_long_names_of_pairs_are_letters(groupwise: Groupwise, files: list[str]) -> None:
    runs = [f"a run with a long name {n}={path}" for n, path in enumerate(files[1:3])]
    done = groupwise("compare", files[0], *runs, "-m", "recall")
    assert re.search(r"^b - a +[+-]0\.\d{4} ", done.out, re.MULTILINE)
    assert "a run with a long name 1 - a run with a long name 0: " in done.out


def test_json_has_the_shape_of_the_contract(groupwise: Groupwise, files: list[str]) -> None:
    found = json.loads(groupwise("compare", *files, "-m", "recall", "--format", "json").out)
    assert found["schema"] == "groupwise.comparison/1"
    assert (found["profile"], found["baseline"]) == ("autorag", None)
    assert {"queries": 30, "compared": 30}.items() <= found["counts"].items()
    test = {
        key: found["test"][key] for key in ("name", "seed", "correction", "family", "confidence")
    }
    assert test == {
        "name": "randomisation", "seed": 0, "correction": "holm", "family": "pairs of a metric",
        "confidence": 0.95,
    }  # fmt: skip
    assert {"permutations", "exact"} <= found["test"].keys()
    assert list(found["runs"]) == ["bm25", "dense", "none"]
    assert {"mean", "low", "high", "n", "interval"} <= found["runs"]["bm25"]["recall"].keys()
    assert {
        "metric", "a", "b", "difference", "low", "high", "p", "p_corrected", "significant", "wins",
        "ties", "losses", "effect", "detectable",
    } <= found["pairs"][0].keys()  # fmt: skip
    assert not {"slices", "agreement", "p_non_inferior"} & {*found, *found["pairs"][0]}


def test_options_reach_the_comparison(groupwise: Groupwise, files: list[str]) -> None:
    options = (
        "--profile", "coverage", "-k", "1,3", "--test", "sign", "--correction", "bh", "--margin",
        "0.1", "--confidence", "0.9", "--permutations", "50", "--seed", "7", "--baseline", "none",
    )  # fmt: skip
    found = json.loads(
        groupwise("compare", *files, "-m", "recall", *options, "--format", "json").out
    )
    assert (found["profile"], found["baseline"]) == ("coverage", "none")
    assert [*found["metrics"]] == ["recall@1", "recall@3"]
    test = {
        key: found["test"][key] for key in ("name", "correction", "margin", "confidence", "seed")
    }
    assert test == {
        "name": "sign", "correction": "bh", "margin": 0.1, "confidence": 0.9, "seed": 7,
    }  # fmt: skip
    assert {pair["a"] for pair in found["pairs"]} == {"none"}


def test_policies_reach_the_comparison(
    groupwise: Groupwise, write: Write, files: list[str]
) -> None:
    short = write("short.json", {query: ["a"] for query in QUERIES[:20]})
    words = (*files[:2], short, "-m", "recall", "--missing", "skip", "--format", "json")
    counts = json.loads(groupwise("compare", *words).out)["counts"]
    assert counts == {"queries": 30, "compared": 20, "unanswerable": 0, "dropped": 10}
    table = groupwise("compare", *words[:-1], "table").out
    assert "30 queries, 20 compared, 10 not scored in every run and left out of all" in table
    assert "10 queries not scored in every run, left out of all runs; 20 compared" in table


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.jsonl", "bm25"),
        ("bm25.jsonl.gz", "bm25"),
        ("bm25.run.txt", "bm25"),
        ("BM25.JSON", "BM25"),
        ("bm25.v2.jsonl", "bm25.v2"),
        ("input.pircRBa1.gz", "input.pircRBa1"),
        ("folder/", "folder"),
        ("-", "stdin"),
        (".json", ".json"),
    ],
)
def test_a_run_has_the_name_of_its_file(path: str, name: str) -> None:
    assert name_file(path) == name


def test_a_run_can_be_named(groupwise: Groupwise, write: Write, files: list[str]) -> None:
    assert split_name("dense=a=b.json") == ("dense", "a=b.json")
    odd = write("a=b.json", RUNS["bm25"])
    assert split_name(odd) == ("a=b", "a=b.json")
    words = (files[0], "first=dense.json", odd, "-m", "recall", "--format", "json")
    assert [*json.loads(groupwise("compare", *words).out)["runs"]] == ["a=b", "first"]


def test_one_run_may_come_from_stdin(groupwise: Groupwise, files: list[str]) -> None:
    words = ("compare", files[0], "dense=-", "bm25.json", "-m", "recall", "--format", "json")
    done = groupwise(*words, stdin=json.dumps(RUNS["dense"]).encode())
    named = groupwise(*words[:2], "dense.json", *words[3:])
    assert json.loads(done.out)["pairs"] == json.loads(named.out)["pairs"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["truth.json"], "expected ground truth and two runs or more; got truth.json"),
        (["truth.json", "bm25.json"], "groupwise evaluate scores a single run"),
        (["truth.json", "bm25.json", "other/bm25.json"], "two runs are called 'bm25'"),
        (["truth.json", "x=bm25.json", "x=dense.json"], "two runs are called 'x'"),
        (["truth.json", "=bm25.json", "dense.json"], "expected NAME=FILE, such as dense=run.jsonl"),
        (["truth.json", "a=-", "b=-"], "only one of the files can be - (stdin)"),
        (["-m", "recal"], "did you mean 'recall'?"),
        (["-m", "first_hit"], "first_hit is a rank: ranks have no mean to compare"),
        (["--baseline", "desne"], "--baseline: no run is called 'desne'; did you mean 'dense'?"),
        (["--confidence", "2"], "--confidence: expected a number above 0.5 and below 1"),
        (["--confidence", "high"], "--confidence: expected a number, such as 0.95, got 'high'"),
        (["--permutations", "0"], "--permutations: expected a whole number from 1"),
        (["--seed", "-1"], "--seed: expected a whole number from 0"),
        (["--seed", "9" * 30], "--seed: expected a whole number"),
        (["--margin", "0"], "--margin: expected a number above 0"),
        (["--test", "anova"], "--test: invalid value 'anova'; choose from randomisation"),
        (["--correction", "tukey", "--test", "sign"], "it goes without --test 'sign'"),
        (
            ["--format", "pdf"],
            "no format 'pdf'; choose from table, markdown, latex, json, csv, html",
        ),
        (["-o", "bm25.json"], "would overwrite the input"),
        (["-o", "x.foo"], "no format has the suffix '.foo'"),
        (["--ties", "report"], "invalid value 'report'"),
    ],
)
@pytest.mark.usefixtures("files")
def test_usage_errors(groupwise: Groupwise, words: list[str], message: str) -> None:
    given = [] if words[0] == "truth.json" else ["truth.json", "bm25.json", "dense.json"]
    done = groupwise("compare", *given, *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.jsonl", "", "empty.jsonl: the file is empty"),
        ("none.json", {}, "the run has no queries"),
        ("other.json", {"z": ["a"]}, "no query of the run is in the ground truth"),
        ("broken.json", "{", "broken.json"),
        ("truth2.json", TRUTH, "are ground truth and run swapped?"),
    ],
)
def test_a_run_that_cannot_be_compared(
    groupwise: Groupwise, write: Write, files: list[str], name: str, content: object, message: str
) -> None:
    done = groupwise("compare", files[0], files[1], write(name, content))
    assert (done.code, done.out) == (3, "")
    assert message in done.err


def test_a_folder_a_missing_file_and_a_fixture(
    groupwise: Groupwise, files: list[str], fixture: str
) -> None:
    assert groupwise("compare", *files[:2], ".").code == 3
    missing = groupwise("compare", *files[:2], "x=nothing.json")
    assert (missing.code, missing.err) == (3, "error: nothing.json: no such file\n")
    done = groupwise("compare", fixture, *files[1:3])
    assert (done.code, done.out) == (3, "")
    assert (
        "first.json: expected ground truth, got a fixture, which holds results as well" in done.err
    )


def test_evaluate_points_to_compare(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("evaluate", *files[:3])
    assert done.code == 2
    assert "got 3 files; groupwise compare takes several runs" in done.err


def test_slices(groupwise: Groupwise, write: Write, files: list[str]) -> None:
    records = [
        {"id": query, "ground_truth": groups, "metadata": {"hops": 10 if n < 25 else 2}}
        for n, (query, groups) in enumerate(TRUTH.items())
    ]
    truth = write("records.jsonl", "".join(f"{json.dumps(record)}\n" for record in records))
    done = groupwise("compare", truth, *files[1:], "-m", "recall", "--by", "hops")
    assert "hops = 2 (5 queries)" in done.out
    assert "5 queries: fewer than 10 are too few to say anything" in done.out
    assert done.out.index("hops = 2 ") < done.out.index("hops = 10 (25 queries)")
    unknown = groupwise("compare", truth, *files[1:], "--by", "hop")
    assert unknown.code in (2, 3)
    assert "hops" in unknown.err


def test_thirty_runs(groupwise: Groupwise, write: Write) -> None:
    truth = write("truth.json", TRUTH)
    runs = [write(f"run{n:02}.json", RUNS["dense"] if n else RUNS["none"]) for n in range(30)]
    done = groupwise("compare", truth, *runs, "-m", "recall", "--permutations", "99")
    assert done.code == 0
    assert "D run29" in done.out
    assert "405 more pairs of runs and metrics; json and csv have all of them" in done.out
    assert "over the 435 pairs of each metric" in done.out


HOSTILE = "a\x1b[31m|&_${}\n::error::x"


@pytest.mark.parametrize("form", COMPARISON_FORMS.built_in)
def test_names_of_runs_are_sanitised(groupwise: Groupwise, files: list[str], form: str) -> None:
    truth, first, *_ = files
    words = (f"{HOSTILE}={first}", "=HYPERLINK(1)=dense.json".removeprefix("="), truth)
    done = groupwise("compare", truth, *words[:2], "-m", "recall", "--format", form)
    assert done.code == 0
    assert "\x1b" not in done.out
    assert not any(line.startswith("::") for line in done.out.splitlines())


def test_warnings_name_the_run_and_go_to_stderr(
    groupwise: Groupwise, write: Write, files: list[str]
) -> None:
    short = write("short.json", {query: ["a"] for query in QUERIES[:20]})
    done = groupwise("compare", *files[:2], short, "-m", "recall", "--format", "csv")
    assert done.err.startswith("warning: short: 10 queries")
    assert "warning: short: 10 queries" in groupwise("compare", *files[:2], short).out


def test_quiet_leaves_the_table_of_runs(groupwise: Groupwise, files: list[str]) -> None:
    done = groupwise("compare", *files, "-m", "recall", "-q")
    assert "a bm25" in done.out
    assert "test: " in done.out
    assert "differences" not in done.out.replace("differences: paired BCa", "").replace(
        "signs of the differences", ""
    )


def test_a_file_is_written_whole(groupwise: Groupwise, files: list[str]) -> None:
    for suffix, start in {
        "tex": "% \\usepackage",
        "md": "Best by recall",
        "csv": "kind,",
        "txt": "profile",
    }.items():
        done = groupwise("compare", *files, "-m", "recall", "-o", f"out.{suffix}")
        assert (done.code, done.out) == (0, "")
        assert Path(f"out.{suffix}").read_text("utf-8").startswith(start)


def test_real_runs(groupwise: Groupwise) -> None:
    runs = [os.fspath(RETRIEVERS / f"{name}.jsonl") for name in ("bm25", "tfidf", "trigrams")]
    truth = os.fspath(RETRIEVERS / "ground_truth.jsonl")
    done = groupwise("compare", truth, *runs, "-m", "recall@5,ndcg@5", "--format", "json")
    found = json.loads(done.out)
    alone = json.loads(
        groupwise("evaluate", truth, runs[0], "-m", "recall@5,ndcg@5", "--format", "json").out
    )
    means = {metric: score["mean"] for metric, score in found["runs"]["bm25"].items()}
    assert means == alone["scores"]


def test_another_seed_gives_other_numbers(groupwise: Groupwise) -> None:
    truth = os.fspath(RETRIEVERS / "ground_truth.jsonl")
    runs = [os.fspath(RETRIEVERS / f"{name}.jsonl") for name in ("bm25", "fusion")]
    words = ("compare", truth, *runs, "-m", "ndcg@5", "--permutations", "999", "--format", "json")
    found = [json.loads(groupwise(*words, "--seed", seed).out)["pairs"] for seed in "001"]
    assert found[0] == found[1]
    assert found[0][0]["p"] != found[2][0]["p"]
    assert abs(found[0][0]["p"] - found[2][0]["p"]) < 0.05


def test_a_closed_pipe_and_a_process_of_its_own(files: list[str]) -> None:
    done = spawn("compare", *files, "-m", "recall", "--format", "markdown")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Best by recall: **dense** (0.8333), significantly better than ")


def test_groups_that_one_run_misses_are_beside_the_largest_changes(
    groupwise: Groupwise, files: list[str]
) -> None:
    words = ("compare", *files[:3], "-m", "recall@2,mrr")
    lines = groupwise(*words).out.splitlines()
    title = lines.index("largest gains and losses, dense - bm25: recall@2")
    details = lines[lines.index("q03:", title) :]
    assert details[1] == "  group 1 (a): bm25 not retrieved, dense at rank 1"
    assert details[2] == "  group 2 (b): bm25 not retrieved, dense at rank 2"
    every = groupwise(*words, "--explain", "30").out.splitlines()
    assert "  group 2 (b): bm25 at rank 3 (beyond k), dense at rank 2" in every
    assert not any("dense - bm25: mrr" in line for line in lines[title:])


def test_all_pairs_and_metrics_are_explained_if_asked_for(
    groupwise: Groupwise, files: list[str]
) -> None:
    words = ("compare", *files, "-m", "recall,mrr")
    shown = groupwise(*words, "--explain", "1").out.splitlines()
    titles = [line for line in shown if line.startswith("largest gains and losses")]
    pairs = ("dense - bm25", "none - bm25", "none - dense")
    assert titles == [
        f"largest gains and losses, {pair}: {metric}"
        for metric in ("recall", "mrr")
        for pair in pairs
    ]
    assert "largest gains" not in groupwise(*words, "--explain", "0").out
    for count in (0, 2):
        found = json.loads(groupwise(*words, "--explain", str(count), "--format", "json").out)
        for pair in found["pairs"]:
            assert len(pair["largest_losses"]) == min(count, pair["losses"])


def test_groups_in_json_and_markdown(groupwise: Groupwise, files: list[str]) -> None:
    words = ("compare", *files[:3], "-m", "recall@2", "--explain", "1")
    (pair,) = json.loads(groupwise(*words, "--format", "json").out)["pairs"]
    missed = {"met": False, "rank": None, "reason": "not_retrieved"}
    met = {"met": True, "rank": 1, "reason": None}
    groups = [
        {"group": 0, "label": None, "alternatives": ["a"], "a": missed, "b": met},
        {"group": 1, "label": None, "alternatives": ["b"], "a": missed, "b": met | {"rank": 2}},
    ]
    change = {"query": "q03", "a": 0.0, "b": 1.0, "difference": 1.0, "text": None}
    assert pair["largest_gains"] == [change | {"groups": groups}]
    shown = groupwise(*words, "--format", "markdown").out
    cell = (
        "group 1 (a): bm25 not retrieved, dense at rank 1<br>"
        "group 2 (b): bm25 not retrieved, dense at rank 2"
    )
    assert f"| q03 | 0.0000 | 1.0000 | +1.0000 | {cell} |" in shown.splitlines()


def test_ids_and_labels_in_explanations_are_shown_as_text(
    groupwise: Groupwise, write: Write
) -> None:
    hostile = "\x1b[31m|<b>\u202e\n::error::[x](y)"
    group = {"alternatives": [hostile, "x" * 500], "label": hostile}
    record = {"id": hostile, "query": f"Why {hostile}?", "ground_truth": [group]}
    truth = write("truth.json", [record])
    data = {"one<i>|": ["x"], "two\u202e": [hostile]}
    runs = [f"{name}={write(f'{name[0]}.json', {hostile: ids})}" for name, ids in data.items()]
    for form in ("table", "markdown"):
        done = groupwise("compare", truth, *runs, "-m", "recall", "--format", form)
        assert done.code == 0
        assert "not retrieved, two" in done.out
        assert "Why " in done.out
        assert not re.search("[\x1b\u202e]", done.out)
        assert max(map(len, done.out.splitlines())) < 500
        assert not any(line.startswith("::error") for line in done.out.splitlines())
        assert form == "table" or not re.search("<[bi]>", done.out)


@pytest.mark.parametrize("command", ["compare", "power"])
def test_a_corpus_for_each_run_goes_with_an_output(
    command: str, groupwise: Groupwise, write: Write, tmp_path: Path
) -> None:
    truth = write("truth.json", {"q": [[{"id": "a", "document": "d", "start": 0, "end": 10}]]})
    files = [truth, write("one.json", {"q": ["c1"]}), write("two.json", {"q": ["c2"]})]
    chunk = {"document": "d", "start": 0, "end": 20}
    corpora = [write(f"chunks-{name}.json", [{"id": name, **chunk}]) for name in ("c1", "c2")]
    words = ["--match", "span", "-m", "recall"]
    words += [word for run, path in zip(("one", "two"), corpora, strict=True)
              for word in ("--corpus", f"{run}={path}")]  # fmt: skip
    output = tmp_path / "found.json"
    done = groupwise(command, *files, *words, "-o", str(output))
    assert (done.code, output.exists()) == (0, True), done.err
    before = Path(corpora[0]).read_bytes()
    done = groupwise(command, *files, *words, "-o", corpora[0])
    assert done.code == 2
    assert "would overwrite the input" in done.err
    assert Path(corpora[0]).read_bytes() == before
