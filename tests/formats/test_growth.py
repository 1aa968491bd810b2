"""Work that grows with the data, and no faster: parsed values are counted, not seconds."""

import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, check_fixture, convert, evaluate, validate
from groupwise.evaluator.evaluation.ceilings import ideal_rankings
from groupwise.evaluator.reading import editing, scan
from groupwise.evaluator.validation.fix import fix

FEW, MANY = 50, 200


class Counter:
    """Counts how often the scanner passes a value, and ids are hashed."""

    def __init__(self) -> None:
        self.count = 0


@pytest.fixture
def scanned(monkeypatch: pytest.MonkeyPatch) -> Counter:
    counter, end_of_value = Counter(), scan.end_of_value

    def counting(text: str, place: int) -> int:
        counter.count += 1
        return end_of_value(text, place)

    for module in (scan, editing):
        monkeypatch.setattr(module, "end_of_value", counting)
    return counter


def bad(number: int) -> dict[str, Any]:
    return {"id": f"q{number}", "ground_truth": [["a"], []], "results": ["a"]}


def repeated(number: int) -> dict[str, Any]:
    return {"id": f"q{number // 2}", "ground_truth": [["a"]], "results": ["a"]}


def fixable(number: int) -> dict[str, Any]:
    return {"id": f"q{number}", "ground_truth": [["a", "a"]], "results": ["a"]}


def expecting(number: int) -> dict[str, Any]:
    sound = {"id": f"q{number}", "ground_truth": [["a"]], "results": ["a"]}
    return {**sound, "expected": {"recall": 0.5}}


def refuse(path: Path) -> None:
    with pytest.raises(InputError):
        evaluate(path)


def refuse_to_convert(path: Path) -> None:
    with pytest.raises(InputError):
        convert(path, path.with_suffix(".csv"), role="run")


def fix_all(path: Path) -> None:
    assert fix(path, unsafe=True).has_changed


def update(path: Path) -> None:
    check_fixture(path, update=True)


@pytest.mark.parametrize(
    ("record", "work"),
    [
        (bad, refuse),
        (bad, refuse_to_convert),
        (bad, validate),
        (bad, fix_all),
        (repeated, refuse),
        (repeated, validate),
        (fixable, fix_all),
        (expecting, update),
    ],
)
def test_places_of_many_records_are_found_in_one_walk(
    tmp_path: Path, scanned: Counter, record: Any, work: Any
) -> None:
    counts = []
    for size in (FEW, MANY):
        path = tmp_path / f"{size}.json"
        path.write_text(json.dumps([record(number) for number in range(size)]))
        scanned.count = 0
        work(path)
        counts.append(scanned.count)
    assert counts[1] <= 5 * counts[0] + 100


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@pytest.mark.parametrize(
    ("truth", "work"),
    [
        (lambda size: [["a", *([" a"] * size)]], validate),
        (lambda size: [[f" {n}"] for n in range(size)], validate),
        (lambda size: [[f" {n}"] for n in range(size)], fix_all),
        (lambda size: [{f" {n}": 1 for n in range(size)}], fix_all),
    ],
)
def test_places_within_a_record_are_found_in_one_walk(
    tmp_path: Path, scanned: Counter, suffix: str, truth: Any, work: Any
) -> None:
    counts = []
    for size in (FEW, MANY):
        path = tmp_path / f"{size}{suffix}"
        path.write_text(json.dumps({"id": "q", "ground_truth": truth(size)}))
        scanned.count = 0
        work(path)
        counts.append(scanned.count)
    assert counts[1] <= 5 * counts[0] + 100


class CountedId(str):
    """An id that counts how often it is hashed."""

    hashed = 0

    def __hash__(self) -> int:
        CountedId.hashed += 1
        return super().__hash__()


@pytest.mark.parametrize(
    "groups",
    [
        lambda ids: [[document] for document in ids],
        lambda ids: [[a, b] for a, b in zip(ids, [*ids[1:], ids[0]], strict=True)],
        lambda ids: [[ids[0], document] for document in ids[1:]],
    ],
)
def test_ideal_rankings_look_at_each_id_a_few_times(groups: Any) -> None:
    counts = []
    for size in (FEW, MANY):
        truth = groups([CountedId(f"d{number}") for number in range(size)])
        CountedId.hashed = 0
        ideal_rankings(truth)
        counts.append(CountedId.hashed)
    assert counts[1] <= 5 * counts[0]


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_an_unclosed_string_with_many_escaped_quotes_is_passed_once(
    tmp_path: Path, suffix: str
) -> None:
    """On 300,000 escaped quotes, a pattern that goes back takes hours."""
    path = tmp_path / f"unclosed{suffix}"
    path.write_text('{"id": "q1", "ground_truth": [["' + '\\"' * 300_000)
    assert [finding.code for finding in validate(path).findings] == ["IO001"]


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_each_of_many_repeated_keys_is_reported(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"repeated{suffix}"
    members = ", ".join(f'"k{number % 3}": {{"k": 1, "k": 2}}' for number in range(3000))
    path.write_text(f'{{"id": "q1", "ground_truth": [["a"]], "metadata": {{{members}}}}}')
    assert validate(path, select=["IO004"]).by_code == {"IO004": 3000 + 3000 - 3}
