"""Files: a reader per registered format, and whatever else is done with a file."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from fuzz.mutations.mutate import mutate_content
from fuzz.mutations.pieces import SUFFIXES
from fuzz.mutations.seeds import TABLE, Seed, load_seeds
from fuzz.operations import OPERATIONS, ROLES, WITH_POLICIES
from fuzz.targets.target import Room, Target, draw_from
from groupwise import (
    Comparison,
    Explanation,
    File,
    GroupwiseError,
    PowerAnalysis,
    Remapped,
    Report,
    check_fixture,
    read,
    read_baseline,
)
from groupwise.evaluator.evaluation.checked_records import open_checked
from groupwise.evaluator.formats.opening import recognise_format
from groupwise.evaluator.formats.registry import Format, list_formats
from groupwise.evaluator.intake.vectors import load_vectors
from groupwise.evaluator.judging.apply import apply_sheet
from groupwise.evaluator.judging.sheet_reader import read_sheet
from groupwise.evaluator.reading.detection import take_sample
from groupwise.evaluator.reading.foreign import describe_foreign
from groupwise.evaluator.reading.options import Options
from groupwise.evaluator.reading.source import MemorySource, Source
from groupwise.evaluator.validation.settings.baseline import Baseline
from groupwise.schemas import Policies

SAVED = (Report, Comparison, Explanation, PowerAnalysis, Remapped)
SHEET = (
    b"query,candidate,group,text,judge,verdict\nq1,d1,1,a text,me,relevant\nq1,x,,,,not relevant\n"
)
KNOWN = (
    b'{"schema": "groupwise.baseline/1", "entries": '
    b'[{"code": "GT004", "query": "q1", "fingerprint": "0a", "count": 2}]}'
)
TRUTH = (
    b'{"id": "q1", "ground_truth": [["d1", "d2"], ["a"]]}\n{"id": "q2", "ground_truth": [["b"]]}\n'
)
RESULTS = b'{"id": "q1", "results": ["d1", "x"]}\n{"id": "q2", "results": []}\n'
IDS = b"d1\na\nb\nc\n"
OF_FILES = {"format", "cnf", "subtopics"}
"""Options that are said of a file."""
SHORT = 1_500


def list_targets(room: Room) -> Iterator[Target]:
    """Yield a target per format, and one for each other way that takes a file."""
    for known in list_formats().values():
        seeds = partial(_seeds_of, known.name)
        yield Target(f"read:{known.name}", _reader(room, known), seeds, mutate_content)
    yield Target("detect", partial(_detect, room), _all_seeds, mutate_content)
    for name, operation in {**OPERATIONS, **WITH_POLICIES}.items():
        yield Target(name, partial(_operate, room, operation), _all_seeds, mutate_content)
    yield Target("check", _on_file(room, check_fixture), _all_seeds, mutate_content)
    yield Target("sheet", partial(_apply_sheet, room), lambda: [SHEET, TRUTH], mutate_content)
    yield Target("known-findings", _on_file(room, Baseline.read), lambda: [KNOWN], mutate_content)
    yield Target("saved", partial(_load_saved, room), lambda: _saved(room), mutate_content)
    yield Target("vectors", partial(_load_vectors, room), _vector_seeds, mutate_content)


@cache
def _seeds() -> list[Seed]:
    return [seed._replace(data=_shorten(seed.data)) for seed in load_seeds()]


def _shorten(data: bytes) -> bytes:
    """Return the first lines: short inputs are tried more often."""
    is_text = not data.startswith((TABLE, b"\x93NUMPY"))
    end = data.rfind(b"\n", 0, SHORT) + 1 if is_text and len(data) > SHORT else len(data)
    return data[:end] or data


def is_of_files(target: Target) -> bool:
    """Whether a target takes a file."""
    return target.mutate is mutate_content


def _all_seeds() -> list[bytes]:
    return [seed.data for seed in _seeds() if not seed.inside]


@cache
def _seeds_by_format() -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for seed in _seeds():
        if seed.inside:
            found.setdefault("beir", []).append(seed.data)
        elif name := _recognise(seed):
            found.setdefault(name, []).append(seed.data)
    return found


def _recognise(seed: Seed) -> str | None:
    """Return the format of a seed; parquet is opened by its path, so it is not asked."""
    if seed.data.startswith(TABLE):
        return "parquet"
    for role in (None, "corpus"):
        try:
            source = MemorySource(seed.name, seed.data)
            known = recognise_format(source, take_sample(source), Options(role=role))
        except GroupwiseError:
            continue
        if known is not None:
            return known.name
    return None


def _seeds_of(name: str) -> list[bytes]:
    """Return files of the format, and some of others: they are refused elsewhere."""
    others = [seeds[0] for seeds in _seeds_by_format().values()]
    return [*_seeds_by_format().get(name, []) * 20, *others]


def _reader(room: Room, known: Format) -> Callable[[bytes], object]:
    """Return what reads a file, or a folder, as this format."""
    suffix = known.suffixes[0] if known.suffixes else ".json"
    folder = {seed.inside: seed for seed in _seeds() if seed.inside} if known.name == "beir" else {}

    def call(data: bytes) -> object:
        draw = draw_from(data)
        path = room.put(f"file{suffix}", data)
        if folder and draw.random() < 0.9:
            path = _put_folder(room, draw.choice(list(folder.values())), data)
        options = _options(draw, known)
        if options["role"] == "corpus" or draw.random() < 0.1:
            how = {name: options.pop(name) for name in OF_FILES & options.keys()}
            return read(File(path, **how), **options)
        return _read_plainly(path, options)

    return call


def _read_plainly(path: Path, options: dict[str, Any]) -> object:
    """Read as `read` does, but do not inspect what is refused."""
    policies = Policies(flat=options.pop("flat", None), ids=options.pop("ids", None))
    return len(list(open_checked(path, Options(**options, texts=True), policies).models()))


def _put_folder(room: Room, seed: Seed, data: bytes) -> Path:
    base = room.clear("folder")
    for name, content in (*seed.beside, (seed.inside, data)):
        room.put(f"folder/{name}", content)
    return base


def _options(draw: Random, known: Format) -> dict[str, Any]:
    options: dict[str, Any] = {"format": known.name, "role": draw.choice(sorted(known.holds))}
    if draw.random() < 0.5:
        options |= {"flat": draw.choice(("any", "all")), "ids": "text"}
    if draw.random() < 0.2:
        options |= {"cnf": draw.random() < 0.5, "subtopics": draw.random() < 0.5}
    return options


def _name(draw: Random, data: bytes) -> str:
    if data.startswith(TABLE) and draw.random() < 0.9:
        return "file.parquet"
    return f"file{draw.choice(SUFFIXES)}"


def _on_file(room: Room, call: Callable[[Path], object]) -> Callable[[bytes], object]:
    return lambda data: call(room.put(_name(draw_from(data), data), data))


def _operate(room: Room, operation: Callable[[Random, Path], object], data: bytes) -> object:
    draw = draw_from(data)
    room.clear("work/target")
    return operation(draw, room.put(f"work/{_name(draw, data)}", data))


def _detect(room: Room, data: bytes) -> object:
    draw = draw_from(data)
    source = Source(room.put(_name(draw, data), data))
    sample = take_sample(source)
    describe_foreign(sample.start)
    role = draw.choice(ROLES)
    return recognise_format(source, sample, Options(role=role))


def _apply_sheet(room: Room, data: bytes) -> object:
    truth = room.put("truth.jsonl", TRUTH)
    sheet = room.put(draw_from(data).choice(("sheet.csv", "sheet.jsonl")), data)
    read_sheet(sheet)
    return apply_sheet(truth, sheet, room.folder / "merged.jsonl")


def _load_saved(room: Room, data: bytes) -> object:
    draw = draw_from(data)
    path = room.put(f"saved{draw.choice(('.json', '.json', '.json.gz'))}", data)
    if draw.random() < 0.3:
        return read_baseline(path)
    return draw.choice(SAVED).load(path)


def _saved(room: Room) -> list[bytes]:
    """Return one result of each kind, saved."""
    from fuzz.targets.saved import save_each  # noqa: PLC0415  (evaluates)

    return save_each(room.put("truth.jsonl", TRUTH), room.put("run.jsonl", RESULTS))


def _load_vectors(room: Room, data: bytes) -> object:
    draw = draw_from(data)
    if not data.startswith(b"\x93NUMPY") and draw.random() < 0.8:
        return load_vectors(room.put("vectors.jsonl", data)).unit(["d1", "a"])
    room.put("vectors.ids.txt", data[-9:] if draw.random() < 0.1 else IDS)
    return load_vectors(room.put("vectors.npy", data)).unit(["d1", "a", "b"])


def _vector_seeds() -> list[bytes]:
    lines = b'{"id": "d1", "vector": [0.5, 1]}\n{"id": "a", "vector": [1e-300, -1]}\n'
    return [seed.data for seed in _seeds() if seed.suffix == ".npy"] + [lines] * 3
