"""Time and memory of ``groupwise remap`` by text alone: ``python -m benchmarks.remap``.

The acceptance: 1,000 alternatives in 100,000 chunks, in under 60 s and 1 GB.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

VOCABULARY, DOCUMENT = 30_000, 35_000
OLD, NEW = (512, 64), (800, 100)


def write_documents(chunks: int) -> Iterator[str]:
    """Yield texts that are cut into so many new chunks; words are as frequent as Zipf says."""
    chance = random.Random(15)
    letters = "etaoinshrdlucmfwypvbgkjqxz"
    words = ["".join(chance.choices(letters, k=chance.randint(2, 11))) for _ in range(VOCABULARY)]
    weights = [*accumulate(1 / rank for rank in range(1, VOCABULARY + 1))]
    step = NEW[0] - NEW[1]
    while chunks > 0:
        size = min(DOCUMENT, chunks * step + NEW[1])
        text = " ".join(chance.choices(words, cum_weights=weights, k=size // 4))[:size]
        yield text
        chunks -= len(range(0, max(1, len(text) - NEW[1]), step))


def cut(text: str, size: int, overlap: int) -> list[str]:
    """Return the chunks of a text."""
    starts = range(0, max(1, len(text) - overlap), size - overlap)
    return [text[start : start + size] for start in starts]


def write_files(folder: Path, chunks: int, alternatives: int) -> None:
    """Write a ground truth and the two corpora."""
    chance = random.Random(16)
    old: list[str] = []
    with (folder / "old.jsonl").open("w") as before, (folder / "new.jsonl").open("w") as after:
        for number, text in enumerate(write_documents(chunks)):
            for file, name, cutting in ((before, "c", OLD), (after, "n", NEW)):
                for place, piece in enumerate(cut(text, *cutting)):
                    record = {"id": f"{name}{number}#{place}", "text": piece}
                    file.write(json.dumps(record) + "\n")
                    old += [str(record["id"])] if name == "c" else []
    with (folder / "truth.jsonl").open("w") as file:
        for number, chunk in enumerate(chance.sample(old, min(alternatives, len(old)))):
            file.write(json.dumps({"id": f"q{number}", "ground_truth": [[chunk]]}) + "\n")


def measure(folder: Path) -> dict[str, float]:
    """Return seconds, memory and outcomes of a remapping."""
    words = [
        "remap",
        "truth.jsonl",
        "--old",
        "old.jsonl",
        "--new",
        "new.jsonl",
        "-o",
        "moved.jsonl",
    ]
    words += ["--split", "groups", "--lossy", "--report", "report.json", "--format", "json"]
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "groupwise", *words],
        cwd=folder, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    counts = json.loads((folder / "report.json").read_text())["counts"]
    return {"seconds": round(seconds, 1), "megabytes": kilobytes // 1024, **counts}


def main() -> None:
    """Write the data, measure, and print the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--alternatives", type=int, default=1_000)
    words = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        write_files(Path(name), words.chunks, words.alternatives)
        print(json.dumps(measure(Path(name))))


if __name__ == "__main__":
    main()
