"""Suggestions for ids that are not in the corpus."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import validate
from groupwise.evaluator.validation.corpus.nearest import count_edits, find_nearest

CORPUS = ["doc-10", "doc-11", "doc-2000", "Ünder", "other", "7"]


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        ("DOC-10", ["doc-10"]),
        (" doc-10 ", ["doc-10"]),
        ("doc-1O", ["doc-10", "doc-11"]),
        ("dco-10", ["doc-10"]),
        ("doc-200", ["doc-2000"]),
        ("U\u0308nder", ["Ünder"]),
        ("doc-2xx0", ["doc-2000"]),
        ("something else", []),
        ("8", []),
    ],
)
def test_the_nearest_come_first(missing: str, expected: list[str]) -> None:
    found = find_nearest([missing], CORPUS)
    assert found[missing][: len(expected)] == expected
    assert bool(found[missing]) == bool(expected)


def test_numbers_get_none_and_twenty_are_answered() -> None:
    assert find_nearest([5, 6], [4, 5]) == {5: [], 6: []}
    groups = {"q": [[f"doc-{n}x"] for n in range(30)]}
    report = validate(groups, corpus=[f"doc-{n}" for n in range(30)], select=["CP001"])
    messages = [finding.message for finding in report.findings]
    assert sum("did you mean" in message for message in messages) == 20
    assert messages[19].startswith('"doc-19x" is not in the corpus; did you mean "doc-19"')


def naive_distance(first: str, second: str) -> int:
    if not first or not second:
        return len(first) + len(second)
    if first[0] == second[0]:
        return naive_distance(first[1:], second[1:])
    return 1 + min(
        naive_distance(first[1:], second),
        naive_distance(first, second[1:]),
        naive_distance(first[1:], second[1:]),
    )


SHORT = st.text("ab", max_size=5)


@given(SHORT, SHORT)
def test_edits_are_counted_right(first: str, second: str) -> None:
    assert count_edits(first, second) == naive_distance(first, second)


@given(st.text("ab-1", min_size=3, max_size=6), st.lists(st.text("ab-1", min_size=1, max_size=6)))
def test_what_is_one_edit_away_is_always_found(missing: str, corpus: list[str]) -> None:
    near = {
        document
        for document in corpus
        if document != missing and naive_distance(missing, document) == 1
    }
    found = find_nearest(
        [missing],
        [document for document in corpus if document.strip()] or ["zzzzzzzzz"],
        comparisons=0,
    )
    assert set(found[missing][:3]) <= {*corpus}
    if near and missing not in corpus:
        assert found[missing][0] in near | {
            document
            for document in corpus
            if document.strip() == missing.strip() or sorted(document) == sorted(missing)
        }


def test_the_suggestion_ends_a_message() -> None:
    report = validate({"q": [["doc-1O"], ['a"c', "zzz"]]}, corpus=["doc-10", 'a"b', 'a"d'])
    assert [finding.message for finding in report.findings] == [
        '"doc-1O" is not in the corpus; did you mean "doc-10"?',
        '"a\\"c" is not in the corpus; did you mean "a\\"b" or "a\\"d"?',
        '"zzz" is not in the corpus',
    ]
