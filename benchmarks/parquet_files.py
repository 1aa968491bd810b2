"""Write the files that `benchmarks.parquet` measures, in a process of its own."""

import json
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet


def main(way: str, lines: Path, *size: str) -> None:
    """Write a pair of files of both kinds, or a large one of many row groups."""
    records = [json.loads(line) for line in lines.open()]
    if way == "pair":
        _write(lines.with_name("truth"), records, ("id", "ground_truth"))
        _write(lines.with_name("run"), records, ("id", "results"))
    else:
        _write_large(lines.with_name("large.parquet"), records, float(size[0]) * 1e9)


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
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
