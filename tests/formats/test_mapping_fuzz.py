"""Any document, any map: records with our fields, or an InputError, and nothing else."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from groupwise import File, InputError, read
from groupwise.evaluator.formats.mapping.fields import check_field, parse_map
from tests.formats.reading import blocks_of, file_of

NAMES = st.sampled_from(["a", "b", "id", "question", "a.b", "a+b", "0", "[]", "", "é", "#"])
SCALARS = st.one_of(
    st.text(max_size=3), st.integers(-3, 2**70), st.floats(allow_nan=False, allow_infinity=False),
    st.none(), st.booleans(), st.sampled_from(["['a' 'b']", "[1, 2", "{'a': 1}", "a;b"]),
)  # fmt: skip
DOCUMENTS = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=25,
)
STEPS = st.sampled_from(["a", "b", "id", "question", "*", "0", "1", "a[]", "[]", "b[]"])
ENDS = st.sampled_from(["", "", "", "+b", "+0", "+a.b", "[;]", "[,]", "[]", ".", "[0]", "+"])
PATHS = st.builds(
    lambda steps, end: ".".join(steps) + end, st.lists(STEPS, min_size=1, max_size=4), ENDS
)
MAPS = st.fixed_dictionaries(
    {"ground_truth": PATHS},
    optional={
        "id": PATHS | st.just("#"), "query": PATHS, "results": PATHS, "scores": PATHS,
        "not_relevant": PATHS, "metadata": PATHS, "answerable": PATHS,
    },
)  # fmt: skip
ROLES = st.sampled_from([None, "ground_truth", "run", "corpus"])


def outcome(text: str, suffix: str, block: int, fields: dict[str, str], role: Any) -> Any:
    """What a file is read as, or its problems; their order depends on the size of blocks."""
    with file_of(text, suffix) as path, blocks_of(block):
        try:
            return read(File(path, map=fields), role=role, flat="any").model_dump()
        except InputError as error:
            assert error.problems  # noqa: PT017  (a problem that says nothing is none)
            return sorted(str(problem).replace(str(path), "") for problem in error.problems)


@given(DOCUMENTS, MAPS, ROLES, st.sampled_from([".json", ".jsonl", ".csv"]), st.integers(0, 40))
def test_any_document_and_any_map(
    document: Any, fields: dict[str, str], role: Any, suffix: str, cut: int
) -> None:
    said = fields, role
    text = json.dumps(document)
    found = outcome(text, suffix, 1 << 18, *said)
    assert outcome(text, suffix, 7, *said) == found
    outcome(text[:cut], suffix, 7, *said)


@given(st.lists(st.lists(SCALARS.map(str), min_size=1, max_size=4), min_size=1), MAPS, ROLES)
def test_any_table_and_any_map(rows: list[list[str]], fields: dict[str, str], role: Any) -> None:
    lines = ["a,b,question,id", *(",".join(json.dumps(cell) for cell in row) for row in rows)]
    outcome("\n".join(lines), ".csv", 1 << 18, fields, role)


@given(st.text(st.sampled_from("abid=,.[]*+#;\0 é"), max_size=20))
def test_any_text_is_a_map_or_a_usage_error(text: str) -> None:
    try:
        paths = parse_map(text)
    except ValueError as error:
        assert str(error)  # noqa: PT017  (the message is what is asked for)
    else:
        assert all(check_field(name) == name for name in paths)
