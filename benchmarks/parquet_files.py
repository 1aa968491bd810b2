"""Write the files that `benchmarks.parquet` measures, in a process of its own."""

import json
import sys
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

DOCUMENTS, STRIDE = 200_000, 7_919
"""The number of documents, and the distance between those of neighbouring ranks."""
Naming = Callable[[int], object]
NAMINGS: dict[str, Naming] = {
    "chunks": lambda number: f"report-{number // 20:05d}.pdf#chunk-{number % 20}",
    "numbers": lambda number: number,
}


def main(way: str, lines: Path, how: str) -> None:
    """Write a pair of files of both kinds, or a large one of many row groups."""
    records = [json.loads(line) for line in lines.open()]
    if way == "pair":
        if how in NAMINGS:
            _rename(records, NAMINGS[how])
        _write(lines.with_name("truth"), records, ("id", "ground_truth"))
        _write(lines.with_name("run"), records, ("id", "results"))
    else:
        _write_large(lines.with_name("large.parquet"), records, float(how) * 1e9)


def _rename(records: list[dict[str, Any]], naming: Naming) -> None:
    """Rename the documents to fewer names; within a query they stay distinct."""
    numbers = defaultdict[str, int](count().__next__)

    def name(document: str) -> object:
        return naming(numbers[document] * STRIDE % DOCUMENTS)

    for record in records:
        record["results"] = [*map(name, record["results"])]
        record["ground_truth"] = [[*map(name, group)] for group in record["ground_truth"]]


def _write(path: Path, records: list[dict[str, Any]], names: tuple[str, ...]) -> None:
    parts = [{name: record[name] for name in names} for record in records]
    compressed = path.parent / "compressed"
    compressed.mkdir(exist_ok=True)
    parquet.write_table(pa.Table.from_pylist(parts), compressed / f"{path.name}.parquet")
    with path.with_suffix(".jsonl").open("w") as file:
        file.writelines(json.dumps(part, separators=(",", ":")) + "\n" for part in parts)


def _write_large(path: Path, records: list[dict[str, Any]], size: float) -> None:
    """The same records again and again, under other query ids, until the file is that large."""
    table = pa.Table.from_pylist(records)
    with path.open("wb") as file, parquet.ParquetWriter(file, table.schema) as writer:
        for number in count():
            ids = pa.array([f"{record['id']}-{number}" for record in records])
            writer.write_table(table.set_column(0, "id", ids))
            if file.tell() > size:
                break


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
