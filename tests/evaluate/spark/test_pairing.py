"""Sorted rows, cut into batches anywhere, are paired as the local engine pairs them."""

import pickle
import random
from typing import Any
from zlib import crc32

import pyarrow as pa
import pytest

from groupwise import InputError, evaluate
from groupwise.evaluator.evaluation.engines.spark import pairing
from groupwise.evaluator.evaluation.engines.spark.pairing import Pairing, Side, pair_all
from groupwise.evaluator.evaluation.engines.spark.records import WideReader
from groupwise.evaluator.evaluation.part import EvaluationPart, merge_all
from groupwise.evaluator.evaluation.plan import Plan
from groupwise.evaluator.reading.layout import layout_of
from groupwise.evaluator.reading.options import Options
from groupwise.schemas import Query, RunQuery
from tests.evaluate.spark.frames import Tables, draw_plain, draw_rich, seeded

METRICS = ("recall", "ndcg@3", "coverage:ndcg", "trec:map", "first_hit", "trec:bpref")
ROLES: list[tuple[Any, Any]] = [(Query, "ground_truth"), (RunQuery, "run")]


def pair(plan: Plan, tables: Tables, batches: list[pa.RecordBatch]) -> EvaluationPart:
    sides = []
    for number, (table, (model, role)) in enumerate(zip(tables, ROLES, strict=True)):
        layout = layout_of(table.column_names, role, Options(role=role))
        names = {f"{number}{name}": name for name in layout.names}
        name = "ground_truth" if model is Query else "results"
        sides.append(Side(WideReader(name, model, layout), names))
    return pair_all(
        Pairing(EvaluationPart(plan.start(), fingerprints=plan.fingerprints), *sides), batches
    )


def mix(tables: Tables) -> pa.Table:
    """Rows of both tables, sorted by query id, ground truth first."""
    tagged = [
        table.rename_columns([f"{number}{name}" for name in table.column_names])
        .append_column("key", table.column("id"))
        .append_column(pairing.SIDE, pa.array([number] * len(table), pa.int8()))
        for number, table in enumerate(tables)
    ]
    both = pa.concat_tables(tagged, promote_options="default")
    return both.sort_by([("key", "ascending"), (pairing.SIDE, "ascending")])


def cut(table: pa.Table, source: random.Random) -> list[pa.RecordBatch]:
    """The table in batches of a few rows, some of them empty."""
    batches: list[pa.RecordBatch] = []
    start = 0
    while start < len(table):
        size = source.randrange(8)
        batches += table.slice(start, size).combine_chunks().to_batches() or [
            pa.RecordBatch.from_pylist([], table.schema)
        ]
        start += size
    return batches


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("draw", [draw_plain, draw_rich])
def test_any_batches_give_the_bytes_of_one_piece(
    seed: int, draw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = seeded(seed)
    monkeypatch.setattr(pairing, "QUERIES_PER_PIECE", source.choice([1, 2, 256]))
    tables = draw(source)
    plan = Plan(metrics=METRICS, fingerprints=True)
    part = pair(plan, tables, cut(mix(tables), source))
    local = evaluate(*tables, metrics=METRICS, provenance=True)
    assert part.report().to_json() == local.to_json()


def test_parts_of_partitions_merge_in_any_order() -> None:
    source = seeded(7)
    tables = draw_rich(source, 60)
    rows = mix(tables)
    keys = [crc32(key.encode()) % 4 for key in rows.column("key").to_pylist()]
    plan = Plan(metrics=METRICS, per_query=False, fingerprints=True)
    parts = []
    for partition in range(5):  # the last one is empty
        chosen = rows.filter(pa.array([key == partition for key in keys]))
        part = pair(plan, tables, cut(chosen, source))
        parts.append(pickle.loads(pickle.dumps(part)))  # noqa: S301  (written here)
    source.shuffle(parts)
    report = merge_all(EvaluationPart(plan.start(), fingerprints=True), parts).report()
    local = evaluate(*tables, metrics=METRICS, per_query=False, provenance=True)
    assert report.to_json() == local.to_json()


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("size", [1, 2, 100])
def test_a_repeated_query_is_named_across_batches(side: int, size: int) -> None:
    tables = list(draw_plain(seeded(1)))
    tables[side] = pa.concat_tables([tables[side], tables[side].slice(3, 1)])
    mixed = mix((tables[0], tables[1]))
    query = tables[side].column("id")[3].as_py()
    batches = mixed.combine_chunks().to_batches(max_chunksize=size)
    with pytest.raises(InputError, match="repeated") as error:
        pair(Plan(), (tables[0], tables[1]), batches).report()
    (problem,) = error.value.problems
    assert (problem.query, problem.source) == (query, ("ground_truth", "results")[side])


def test_parts_of_other_evaluations_do_not_merge() -> None:
    first, second = (EvaluationPart(Plan(metrics=name).start()) for name in ("recall", "recall@5"))
    with pytest.raises(ValueError, match="set up differently"):
        first.merge(second)
