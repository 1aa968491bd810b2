"""Numbers that JSON cannot carry are refused in every field, whatever holds them."""

import json
from pathlib import Path
from typing import Any

import pytest

from groupwise import InputError, evaluate

FIELDS: dict[str, Any] = {
    "/scores/0": {"scores": ["?"]},
    "/results/0": {"results": ["?"]},
    "/results/0/score": {"results": [{"id": "a", "score": "?"}]},
    "/results/0/tokens": {"results": [{"id": "a", "tokens": "?"}]},
    "/results/0/start": {"results": [{"id": "a", "start": "?"}]},
    "/results/0/vector/0": {"results": [{"id": "a", "vector": ["?"]}]},
    "/results/0/document": {"results": [{"id": "a", "document": "?"}]},
    "/ground_truth/0/0": {"ground_truth": [["?"]]},
    "/ground_truth/0/0/grade": {"ground_truth": [[{"id": "a", "grade": "?"}]]},
    "/ground_truth/0/weight": {"ground_truth": [{"alternatives": ["a"], "weight": "?"}]},
    "/expected/recall": {"expected": {"recall": "?"}},
    "/metadata": {"metadata": {"year": ["?"]}},
    "/generation_gt": {"generation_gt": ["?"]},
    "/id": {"id": "?"},
}
DOUBLES = {"/scores/0", "/results/0/score", "/results/0/vector/0", "/expected/recall"}


@pytest.mark.parametrize("pointer", FIELDS)
@pytest.mark.parametrize("number", ["1e999", "-1e999", str(2**70)])
def test_a_number_out_of_range_is_refused(pointer: str, number: str, tmp_path: Path) -> None:
    if number == str(2**70) and pointer in DOUBLES:
        return
    sound = {"id": "q", "ground_truth": [["a"]], "results": ["a"]}
    text = json.dumps({**sound, **FIELDS[pointer]}).replace('"?"', number)
    path = tmp_path / "data.jsonl"
    path.write_text(text)
    for data in (path, [json.loads(text)]):
        with pytest.raises(InputError) as caught:
            evaluate(data)
        places = [problem.pointer for problem in caught.value.problems]
        assert {place.rstrip("/") for place in places if place} == {pointer}
