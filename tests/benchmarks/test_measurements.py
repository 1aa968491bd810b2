"""The benchmarks still find what they measure; how fast it is, no test says."""

from pathlib import Path

import pytest

from benchmarks import remap
from benchmarks.comparison import once as comparison
from benchmarks.growth.once import run
from benchmarks.growth.rows import ROWS
from benchmarks.once import WAYS
from benchmarks.workloads import Workload, write_array, write_jsonl

PEERS = {"trec-pytrec_eval": "pytrec_eval", "trec-ir_measures": "ir_measures"}
APART = ("trec", "pair", "evaluate-twice", "validate-twice")
"""The last two start a process that ends with this one; the promises measure them elsewhere."""
JSON_WAYS = [way for way in WAYS if not way.startswith(APART)]
TREC_WAYS = [way for way in WAYS if way.startswith("trec")]


@pytest.mark.parametrize("way", JSON_WAYS)
def test_a_measurement_of_json_runs(way: str, tmp_path: Path) -> None:
    lines = write_jsonl(Workload(3, 5), tmp_path)
    WAYS[way](write_array(lines) if way == "whole" else lines)()


def test_the_measurement_of_a_pair_runs(tmp_path: Path) -> None:
    (tmp_path / "truth.jsonl").write_text('{"id": "q", "ground_truth": [["a"]]}\n')
    (tmp_path / "run.jsonl").write_text('{"id": "q", "results": ["a"]}\n')
    WAYS["pair"](tmp_path / "run.jsonl")()


@pytest.mark.parametrize("way", TREC_WAYS)
def test_a_measurement_of_trec_files_runs(way: str, tmp_path: Path) -> None:
    if way in PEERS:
        pytest.importorskip(PEERS[way], reason="the peer is in the extra 'peers'")
    (tmp_path / "t.qrels").write_text("q 0 a 1\n")
    (tmp_path / "t.run").write_text("q Q0 a 1 0.5 tag\n")
    WAYS[way](tmp_path / "t.run")()


@pytest.mark.parametrize("name", ROWS)
def test_a_measurement_of_growth_ends_as_it_should(name: str) -> None:
    assert run(ROWS[name], 60)[1] == ROWS[name].code


@pytest.mark.parametrize("way", [way for way in comparison.WAYS if "ranx" not in way])
def test_a_measurement_of_a_comparison_runs(way: str) -> None:
    if way.endswith("-t"):
        pytest.importorskip("scipy", reason="needs scipy")
    assert comparison.WAYS[way](comparison.TINY)()


def test_the_measurement_of_a_remapping_runs(tmp_path: Path) -> None:
    remap.write_files(tmp_path, 60, 5)
    assert len((tmp_path / "new.jsonl").read_text().splitlines()) >= 60
    assert remap.measure(tmp_path)["exact"] == 5
