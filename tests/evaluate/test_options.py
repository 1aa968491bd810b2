"""What the command line takes, from Python: formats, fields, limits, matching."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import Evaluator, File, Fixture, InputError, UnknownMetric, evaluate

QRELS = "q1 0 a 1\nq1 1 b 1\nq2 0 c 1\n"
RUN = "q1 Q0 a 1 0.9 run\nq2 Q0 x 1 0.5 run\n"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    truth, run = tmp_path / "truth.txt", tmp_path / "run.txt"
    truth.write_text(QRELS)
    run.write_text(RUN)
    return truth, run


def recall(*sources: Any, **options: Any) -> float | None:
    scores = evaluate(*sources, metrics="recall", profile="coverage", **options).scores
    if len(sources) == 2:
        evaluator = Evaluator(sources[0], metrics="recall", profile="coverage", **options)
        assert evaluator.evaluate(sources[1]).scores == scores
    return scores["recall"]


def test_subtopics_are_groups(pair: tuple[Path, Path]) -> None:
    truth, run = pair
    assert recall(File(truth, subtopics=True), run) == 0.25
    assert recall(*pair, flat="any") == 0.5


def test_each_file_has_a_format_of_its_own(pair: tuple[Path, Path]) -> None:
    truth, run = pair
    assert recall(File(truth, format="trec-qrels"), run, flat="any") == 0.5
    assert recall(File(truth, "trec-qrels"), File(run, "trec-run"), flat="any") == 0.5
    with pytest.raises(InputError, match="no format 'qrels'; did you mean 'trec-qrels'"):
        recall(File(truth, "qrels"), run)
    with pytest.raises(InputError, match="are the files swapped"):
        recall(File(truth, "trec-run"), run)


def test_ground_truth_and_run_differ_in_all_that_is_said_of_them(tmp_path: Path) -> None:
    truth, run = tmp_path / "truth.csv", tmp_path / "run.txt"
    truth.write_text("question,gold\nq1,a;b\nq2,c\n")
    run.write_text(RUN)
    gold = File(truth, map={"id": "question", "ground_truth": "gold[;]"}, max_record_bytes=1 << 20)
    found = File(run, format="trec-run", max_bytes=1000)
    assert recall(gold, found, flat="all") == 0.25
    report = evaluate(gold, found, flat="all", metrics="recall", provenance=True)
    names = [given.name for given in report.provenance.inputs] if report.provenance else []
    assert names == ["truth.csv", "run.txt"]


def test_fields_may_lie_anywhere(tmp_path: Path) -> None:
    record = {"key": 7, "in": {"gold": [["a"], ["b"]]}, "out": ["a"]}
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(record) + "\n")
    fields = {"id": "key", "ground_truth": "in.gold", "results": "out"}
    assert recall(File(path, map=fields)) == 0.5
    with pytest.raises(InputError, match="no field 'gold'"):
        recall(File(path, map={"gold": "in.gold"}))


def test_compressed_data_has_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "fixture.json.gz"
    path.write_bytes(gzip.compress(b'[{"id": 1, "ground_truth": [["a"]], "results": ["a"]}]'))
    assert recall(File(path, max_bytes=1000)) == 1.0
    with pytest.raises(InputError, match="more than 10 bytes when decompressed"):
        recall(File(path, max_bytes=10))


@pytest.mark.parametrize("matching", [None, "exact", {"type": "exact"}])
def test_exact_matching_is_the_default(matching: Any) -> None:
    assert recall({"q": [["a"]]}, {"q": ["a"]}, matching=matching) == 1.0


def test_a_matching_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="no matcher 'exakt'; did you mean 'exact'"):
        recall({"q": [["a"]]}, {"q": ["a"]}, matching="exakt")
    with pytest.raises(InputError, match="has no option 'threshold'"):
        recall({"q": [["a"]]}, {"q": ["a"]}, matching={"type": "exact", "threshold": 1})


def test_a_fixture_may_say_how_to_match() -> None:
    query = {"id": "q", "ground_truth": [["a"]], "results": ["a"]}
    for matching in ("exact", {"type": "exact"}, None):
        fixture = Fixture.model_validate({"queries": [query], "matching": matching})
        assert recall(fixture) == 1.0
    wrong = Fixture.model_validate({"queries": [query], "matching": "exakt"})
    with pytest.raises(InputError, match="no matcher 'exakt'"):
        recall(wrong)
    assert recall(wrong, matching="exact") == 1.0


def test_metrics_that_no_profile_has_are_refused_before_a_fixture_is_read() -> None:
    with pytest.raises(UnknownMetric, match="no metric 'recal' in the profile autorag"):
        evaluate("there/is/no/such.json", metrics="recal")


def test_a_metric_of_another_profile_than_that_of_the_fixture_is_a_problem_of_the_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "fixture.json"
    path.write_text('{"profile": "trec", "queries": [{"id": 1, "ground_truth": [["a"]],'
                    '"results": ["a"]}]}')  # fmt: skip
    with pytest.raises(InputError, match="no metric 'alpha_ndcg' in the profile trec"):
        evaluate(path, metrics="alpha_ndcg")
