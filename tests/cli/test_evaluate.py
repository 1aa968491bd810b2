import csv
import gzip
import io
import json
from pathlib import Path
from typing import get_args

import pytest

from groupwise import __version__
from groupwise.evaluator.cli.arguments import split_names
from groupwise.evaluator.cli.scoring import POLICIES
from groupwise.evaluator.reporting.forms import REPORT_FORMS
from groupwise.schemas import Policies
from tests.cli.conftest import GROUND_TRUTH, RESULTS, RUNNING, SIX, Groupwise, Write
from tests.cli.shell import names_in

PAIR = ("ground_truth.json", "run.json")


@pytest.fixture
def pair(write: Write) -> tuple[str, str]:
    write(PAIR[0], {"q1": GROUND_TRUTH})
    write(PAIR[1], {"q1": RESULTS})
    return PAIR


def scores(text: str) -> dict[str, float]:
    found: dict[str, float] = json.loads(text)["scores"]
    return found


def test_a_fixture_scores_as_the_semantics_say(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "--format", "json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == {
        "schema": "groupwise.report/1",
        "profile": "autorag",
        "counts": {
            "queries": 1, "scored": 1, "missing": 0, "empty_results": 0, "unanswerable": 0,
            "extra": 0,
        },
        "scores": SIX,
        "per_query": {"q1": SIX},
        "warnings": [],
        "provenance": {
            "groupwise": __version__,
            "inputs": [
                {"role": "ground_truth", "name": fixture, "fingerprint": None},
                {"role": "run", "name": fixture, "fingerprint": None},
            ],
            "policies": {
                "missing": "zero", "extra": "ignore", "empty_results": "zero",
                "unanswerable": "skip", "flat": None, "ids": None, "ties": "score",
                "characters_per_token": None,
            },
            "matching": {"type": "exact"},
        },
    }  # fmt: skip
    assert done.out.count("\n") == 1
    assert list(json.loads(done.out)) == [
        "schema", "profile", "counts", "scores", "per_query", "warnings", "provenance",
    ]  # fmt: skip


def test_ground_truth_and_run(groupwise: Groupwise, pair: tuple[str, str]) -> None:
    assert scores(groupwise("evaluate", *pair, "--format", "json").out) == SIX


@pytest.mark.parametrize("place", [0, 1])
def test_one_of_two_files_may_be_stdin(
    groupwise: Groupwise, pair: tuple[str, str], place: int
) -> None:
    words = list(pair)
    content = Path(words[place]).read_bytes()
    words[place] = "-"
    assert scores(groupwise("evaluate", *words, "--format", "json", stdin=content).out) == SIX


def test_a_fixture_from_stdin_even_with_a_gate(groupwise: Groupwise) -> None:
    content = json.dumps(RUNNING).encode()
    words = ("evaluate", "-", "--format", "json", "--gate", "recall@1 >= 0.5")
    done = groupwise(*words, stdin=content)
    assert done.code == 0
    assert scores(done.out) == {**SIX, "recall@1": 0.5}


def test_gzip_from_a_file_and_from_stdin(groupwise: Groupwise) -> None:
    packed = gzip.compress(json.dumps(RUNNING).encode())
    Path("first.json.gz").write_bytes(packed)
    assert scores(groupwise("evaluate", "first.json.gz", "--format", "json").out) == SIX
    assert scores(groupwise("evaluate", "-", "--format", "json", stdin=packed).out) == SIX


def test_metrics_are_split_at_commas_and_may_be_repeated(
    groupwise: Groupwise, fixture: str
) -> None:
    words = ("-m", "nDCG@3, recall", "-m", "MRR")
    found = scores(groupwise("evaluate", fixture, "--format", "json", *words).out)
    assert found == {"ndcg@3": SIX["ndcg"], "recall": 0.5, "mrr": 0.5}


def test_a_comma_in_parentheses_separates_parameters() -> None:
    assert split_names("rbp(p=0.8,q=1)@5,map") == ["rbp(p=0.8,q=1)@5", "map"]


def test_cutoffs_are_for_metrics_that_name_none(groupwise: Groupwise, fixture: str) -> None:
    words = ("-m", "precision,recall@4", "-k", "1,2")
    found = scores(groupwise("evaluate", fixture, "--format", "json", *words).out)
    assert found == {"precision@1": 1.0, "precision@2": 0.5, "recall@4": 0.5}


def test_options_may_stand_between_files(groupwise: Groupwise, pair: tuple[str, str]) -> None:
    done = groupwise("evaluate", pair[0], "-m", "recall", pair[1], "--format", "json")
    assert scores(done.out) == {"recall": 0.5}


def test_policies_are_those_of_the_schema() -> None:
    for name, (choices, _) in POLICIES.items():
        annotation = Policies.model_fields[name].annotation
        literals = [one for part in (annotation, *get_args(annotation)) for one in get_args(part)]
        assert set(choices) == {one for one in literals if isinstance(one, str)}
    assert [*POLICIES, "characters_per_token"] == list(Policies.model_fields)


def test_policies_are_heeded(groupwise: Groupwise, write: Write) -> None:
    write("g.json", {"q1": [["a"]], "q2": [["b"]], "q3": []})
    write("r.json", {"q1": ["a"], "q9": ["x"]})
    words = ("evaluate", "g.json", "r.json", "-m", "recall", "--format", "json")
    assert scores(groupwise(*words).out) == {"recall": 0.5}
    assert scores(groupwise(*words, "--missing", "skip").out) == {"recall": 1.0}
    for refused in ("--missing", "--extra", "--unanswerable"):
        assert groupwise(*words, refused, "error").code == 3


def test_flat_and_ids_and_empty_results(groupwise: Groupwise, write: Write) -> None:
    write("g.json", {"q1": ["1", "2"], "q2": ["3"]})
    write("r.json", {"q1": [1], "q2": []})
    words = ("evaluate", "g.json", "r.json", "-m", "recall", "--ids", "text", "--format", "json")
    assert groupwise(*words).code == 3
    assert scores(groupwise(*words, "--flat", "any").out) == {"recall": 0.5}
    assert scores(groupwise(*words, "--flat", "all").out) == {"recall": 0.25}
    skipped = groupwise(*words, "--flat", "all", "--empty-results", "skip")
    assert scores(skipped.out) == {"recall": 0.5}


def test_no_per_query(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "--no-per-query", "--format", "json")
    assert json.loads(done.out)["per_query"] == {}
    assert "q1" not in groupwise("evaluate", fixture, "--no-per-query").out


def test_json_lines(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "-m", "recall", "--format", "jsonl")
    query, summary = map(json.loads, done.out.splitlines())
    assert query == {"query": "q1", "scores": {"recall": 0.5}}
    assert summary["schema"] == "groupwise.report/1"
    assert summary["scores"] == {"recall": 0.5}
    assert "per_query" not in summary


def test_csv(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "-m", "recall,map,first_hit", "--format", "csv")
    assert list(csv.reader(io.StringIO(done.out))) == [
        ["kind", "query", "recall", "map", "first_hit"],
        ["query", "q1", "0.5", "0.41666666666666663", "1"],
        ["mean", "", "0.5", "0.41666666666666663", ""],
    ]


def test_markdown_pivots_by_cutoff(groupwise: Groupwise, fixture: str) -> None:
    done = groupwise("evaluate", fixture, "-m", "precision,ndcg,map@3", "-k", "1,3",
                     "--format", "markdown")  # fmt: skip
    assert "| metric | @1 | @3 |" in done.out
    assert "| precision | 1.0000 | 0.6667 |" in done.out
    assert "| ndcg | 1.0000 | 0.7039 |" in done.out
    assert "| map | – | 0.4167 |" in done.out  # noqa: RUF001
    assert "Profile `autorag`; 1 query, 1 scored." in done.out


def test_the_table_shows_means_profile_counts_and_queries(
    groupwise: Groupwise, fixture: str
) -> None:
    done = groupwise("evaluate", fixture)
    lines = [line.split() for line in done.out.splitlines()]
    assert ["profile", "autorag"] in lines
    assert ["map", "0.4167"] in lines
    assert ["q1", "0.5000", "0.5000", "0.5000", "0.5000", "0.4167", "0.7039"] in lines
    assert "1 query, 1 scored" in done.out
    assert "\x1b" not in done.out


def test_ranks_are_counted(groupwise: Groupwise, write: Write) -> None:
    write("g.json", {"q1": [["a"]], "q2": [["a"]], "q3": [["a"]]})
    write("r.json", {"q1": ["a"], "q2": ["x", "y", "a"], "q3": ["x"]})
    done = groupwise("evaluate", "g.json", "r.json", "-m", "first_hit")
    assert ["first_hit", "2", "3", "1"] in [line.split() for line in done.out.splitlines()]


def test_of_many_queries_the_worst_are_shown(groupwise: Groupwise, write: Write) -> None:
    write("g.json", {f"q{n:02}": [["a"]] for n in range(30)})
    write("r.json", {f"q{n:02}": ["x"] * n + ["a"] for n in range(30)})
    done = groupwise("evaluate", "g.json", "r.json", "-m", "mrr")
    assert "the 5 worst by mrr" in done.out
    shown = [line.split()[0] for line in done.out.splitlines() if line.startswith("q")]
    assert shown == ["query", "q29", "q28", "q27", "q26", "q25"]


@pytest.mark.parametrize(
    ("name", "start"), [("r.json", '{"schema"'), ("r.csv", "kind,query,"), ("r.md", "precision"),
                        ("r.jsonl", '{"query"'), ("r.txt", "profile autorag")]
)  # fmt: skip
def test_the_ending_of_the_output_says_its_form(
    groupwise: Groupwise, fixture: str, name: str, start: str
) -> None:
    done = groupwise("evaluate", fixture, "-o", name)
    assert (done.code, done.out) == (0, "")
    assert Path(name).read_text(encoding="utf-8").startswith(start)
    assert names_in() == sorted([fixture, name])


def test_a_dash_as_output_is_stdout(groupwise: Groupwise, fixture: str) -> None:
    assert scores(groupwise("evaluate", fixture, "--format", "json", "-o", "-").out) == SIX


def test_the_output_may_not_be_the_input(groupwise: Groupwise, fixture: str) -> None:
    before = Path(fixture).read_bytes()
    done = groupwise("evaluate", fixture, "-o", f"./{fixture}")
    assert done.code == 2
    assert "would overwrite the input" in done.err
    assert Path(fixture).read_bytes() == before


def test_warnings_go_to_stderr_where_the_form_is_for_programs(
    groupwise: Groupwise, write: Write
) -> None:
    write("g.json", {"q1": [["a"]]})
    write("r.json", {"q1": ["b"]})
    table = groupwise("evaluate", "g.json", "r.json")
    assert (table.err, table.out.count("two id spaces")) == ("", 1)
    for form in set(REPORT_FORMS.built_in) - {"table"}:
        output = ["-o", "out"] if form == "parquet" else []
        done = groupwise("evaluate", "g.json", "r.json", "--format", form, *output)
        assert (done.code, done.err.count("two id spaces")) == (0, 1)


def test_nothing_scored_is_no_success(groupwise: Groupwise, write: Write) -> None:
    write("g.json", {"q1": []})
    write("r.json", {"q1": ["a"]})
    done = groupwise("evaluate", "g.json", "r.json")
    assert done.code == 3
    assert "no query could be scored" in done.err


def test_messages_name_options_as_they_are_typed(groupwise: Groupwise, write: Write) -> None:
    write("g.json", {"q1": ["1", "2"]})
    write("r.json", {"q1": [1]})
    assert (
        "Say --flat all (one group per id) or --flat any"
        in groupwise("evaluate", "g.json", "r.json").err
    )
    assert "--ids text" in groupwise("evaluate", "g.json", "r.json", "--flat", "any").err


def test_a_ground_truth_alone_gets_a_hint(groupwise: Groupwise, write: Write) -> None:
    done = groupwise("evaluate", write("g.json", {"q1": [["a"]], "q2": [["b"]]}))
    assert done.code == 3
    assert done.err.count("if this is ground truth, pass the run as a second file") == 1


def test_a_run_of_other_queries_cannot_be_evaluated(groupwise: Groupwise, write: Write) -> None:
    truth = write("truth.json", {"q1": [["a"]]})
    done = groupwise("evaluate", truth, write("run.json", {"Q1": ["a"]}))
    assert done.code == 3
    assert "they differ by case: 'q1' and 'Q1'" in done.err
    done = groupwise("evaluate", truth, write("none.json", {}))
    assert done.code == 3
    assert done.out == ""
