"""Repeats in a list are fixed together: the same text as one by one, with less work."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import fix
from tests.formats.reading import file_of
from tests.strategies import FEWER

Record = dict[str, Any]
IDS = ["d1", "d2", "é-1", "日本", 'say "x"', "back\\slash", "a/b", "tëst"]
RANKING = st.lists(st.sampled_from(IDS), min_size=1, max_size=12)
"""Repeats at the beginning, in the middle, at the end, all over."""
GROUP = st.sampled_from([IDS[:1], IDS[1:3], IDS[3:6], IDS[6:]]).flatmap(
    lambda ids: st.tuples(st.permutations(ids), st.lists(st.sampled_from(ids), max_size=3)).map(
        lambda parts: [*parts[0], *parts[1]]
    )
)
"""Groups that have all ids in common, or none."""
STYLES: dict[str, dict[str, Any]] = {
    "compact": {"separators": (",", ":")},
    "spaced": {"separators": (" , ", " :\t"), "ensure_ascii": False},
    "usual": {},
    "indented": {"indent": 2, "ensure_ascii": False},
}


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    """Return records that break no other rule with a fix."""
    found = []
    for number in range(draw(st.integers(1, 4))):
        record: Record = {"id": f"q{number}", "ground_truth": draw(st.lists(GROUP, min_size=1))}
        record["results"] = draw(RANKING)
        if draw(st.booleans()):
            record["scores"] = [1 / rank for rank in range(1, len(record["results"]) + 1)]
        found.append(record)
    return found


def fix_naively(record: Record, counts: Counter[str]) -> Record:
    """By hand: what a list has had before goes, and the score of a result with it."""
    groups, ranking = record["ground_truth"], record["results"]
    kept_groups = [
        group
        for place, group in enumerate(groups)
        if {*group} not in [{*other} for other in groups[:place]]
    ]
    kept = [place for place, id_ in enumerate(ranking) if id_ not in ranking[:place]]
    counts["GT008"] += len(groups) - len(kept_groups)
    counts["GT007"] += sum(len(group) - len({*group}) for group in kept_groups)
    counts["RN001"] += len(ranking) - len(kept)
    new = {**record, "ground_truth": [[*dict.fromkeys(group)] for group in kept_groups]}
    for name in ("results", "scores"):
        if name in record:
            new[name] = [record[name][place] for place in kept]
    return new


@FEWER
@given(records(), st.sampled_from([*STYLES]), st.booleans())
def test_what_is_left_is_what_a_naive_loop_leaves(
    given_records: list[Record], style: str, is_list: bool
) -> None:
    spelled = STYLES[style]
    lines = "\n".join(json.dumps(record, **spelled) for record in given_records)
    is_list = is_list or style == "indented"
    text, suffix = (json.dumps(given_records, **spelled), ".json") if is_list else (lines, ".jsonl")
    counts: Counter[str] = Counter()
    expected = [fix_naively(record, counts) for record in given_records]
    with file_of(text, suffix) as path:
        fixed = fix(path, unsafe=True, write=False)
    new = fixed.new
    found = json.loads(new) if is_list else [json.loads(line) for line in new.splitlines()]
    assert found == expected
    assert fixed.by_code == +counts


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        # Of a repeat with odd characters these are removed first, then the repeat.
        (["a1 ", "a1 ", "x1", "x1"], ["a1", "x1"], {"GT011": 2, "RN001": 2}),
        (["x1", "x1", "a1 ", "a1"], ["x1", "a1"], {"GT011": 1, "RN001": 2}),
        (["x1", "", "x1", "x1", ""], ["x1"], {"GT002": 2, "RN001": 2}),
        ([1, 2, 1, 1], [1, 2], {"RN001": 2}),
    ],
)
def test_repeats_among_other_changes(
    old: list[Any], new: list[Any], counts: dict[str, int], tmp_path: Path
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"id": "q1", "results": old}))
    fixed = fix(path, unsafe=True, write=False)
    assert json.loads(fixed.new)["results"] == new
    assert fixed.by_code == counts
