"""Surveys of corpora, beside naive answers: sets of ids, and all pairs of texts."""

import json
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from groupwise import InputError
from groupwise.evaluator.reading.content import hash_content, normalise_text
from groupwise.evaluator.validation.corpus import shingles
from groupwise.evaluator.validation.corpus import survey as surveying
from groupwise.evaluator.validation.corpus.survey import CorpusSurvey, survey
from groupwise.evaluator.validation.rules.corpus import find_duplicates

Ids = list[Any]


def hashed(ids: Ids) -> NDArray[np.int64]:
    return np.unique(np.array([hash(document) for document in ids], np.int64))


def surveyed(corpus: Any, gold: Ids, **options: Any) -> CorpusSurvey:
    kind = type(gold[0]) if gold else None
    return survey(corpus, hashed(gold), kind, **options)


def shingle_set(text: str) -> set[tuple[str, ...]]:
    words = normalise_text(text).split()
    return {tuple(words[n : n + 5]) for n in range(len(words) - 4)}


def jaccard(first: str, second: str) -> float:
    own, other = shingle_set(first), shingle_set(second)
    return len(own & other) / len(own | other) if own and other else 0.0


def naive_twins(corpus: dict[str, str], gold: Ids) -> dict[str, dict[str, float]]:
    """By gold id all other documents with the same text, or nearly: every pair is looked at."""
    found: dict[str, dict[str, float]] = {}
    for document in gold:
        for other, text in corpus.items():
            own = corpus.get(document, "")
            if other == document or not own.strip():
                continue
            same = normalise_text(own) == normalise_text(text)
            likeness = 1.0 if same else jaccard(own, text)
            if likeness >= 0.8:
                found.setdefault(document, {})[other] = likeness
    return found


def twins_of(found: CorpusSurvey, gold: Ids) -> dict[str, dict[str, float]]:
    return {
        document: {str(twin.id): twin.likeness for twin in found.twins[hash(document)]}
        for document in gold
        if hash(document) in found.twins
    }


WORDS = st.sampled_from(["the", "a", "cat", "mat", "é", "e\u0301"])
LONG = st.lists(WORDS, min_size=0, max_size=40).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn) -> dict[str, str]:
    """Texts of few words, many of which are others with little changed."""
    texts = draw(st.lists(LONG, min_size=1, max_size=5))
    for _ in range(draw(st.integers(0, 6))):
        words = draw(st.sampled_from(texts)).split()
        place = draw(st.integers(0, len(words)))
        new = draw(st.lists(WORDS, max_size=2))
        texts.append(
            draw(st.sampled_from(["  ", " "])).join([*words[:place], *new, *words[place + 1 :]])
        )
    return {f"d{number}": text for number, text in enumerate(texts)}


@given(corpora(), st.lists(st.sampled_from([f"d{n}" for n in range(14)]), min_size=1, unique=True))
def test_twins_are_those_that_a_look_at_all_pairs_finds(corpus: dict[str, str], gold: Ids) -> None:
    found = surveyed(corpus, gold)
    assert twins_of(found, gold) == naive_twins(corpus, gold)
    assert found.limits == ()


def test_nearly_equal_texts_of_a_larger_corpus() -> None:
    chance = np.random.RandomState(7)
    words = [f"w{n}" for n in range(300)]
    corpus = {f"d{n}": " ".join(chance.choice(words, chance.randint(5, 90))) for n in range(400)}
    for number in range(300):
        changed = corpus[f"d{chance.randint(400)}"].split()
        for _ in range(chance.randint(1, 3)):
            changed[chance.randint(len(changed))] = "other"
        corpus[f"n{number}"] = " ".join(changed)
    gold = [f"d{n}" for n in range(0, 400, 2)]
    expected = naive_twins(corpus, gold)
    assert len(expected) > 30
    assert twins_of(surveyed(corpus, gold), gold) == expected
    exact = {
        document: {o for o, x in near.items() if x == 1.0} for document, near in expected.items()
    }
    only = twins_of(surveyed(corpus, gold, near=False), gold)
    assert {document: set(near) for document, near in only.items()} == {
        o: e for o, e in exact.items() if e
    }


@given(
    st.lists(st.sampled_from("abcdefgh"), max_size=12),
    st.lists(st.sampled_from("abcdefghij"), min_size=1, unique=True),
)
def test_missing_and_repeated_ids(ids: Ids, gold: Ids) -> None:
    found = surveyed(ids, gold)
    assert found.missing == {hash(document) for document in set(gold) - set(ids)}
    assert found.duplicate_count == len(ids) - len(set(ids))
    assert Counter(duplicate.id for duplicate in found.duplicates) == Counter(ids) - Counter(
        set(ids)
    )
    assert found.documents == len(ids)
    assert found.contents == {}
    assert [problem.code for problem in found.problems] == ([] if ids else ["IO009"])


def test_repeated_ids_have_both_places(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    records = [{"id": document, "text": str(n)} for n, document in enumerate("abcab")]
    path.write_text("\n" + "".join(json.dumps(record) + "\n" for record in records))
    found = surveyed(path, ["a"])
    assert [(duplicate.id, duplicate.first, duplicate.again) for duplicate in found.duplicates] == [
        ("a", (2, 1), (5, 1)),
        ("b", (3, 1), (6, 1)),
    ]
    (first, place), (second, _) = find_duplicates(found)
    assert first.message == 'the id "a" is repeated in the corpus (first at line 2)'
    assert (place.file, *place.line_and_column()) == (str(path), 5, 1)
    assert second.code == "CP004"
    assert found.contents == {hash("a"): hash_content("0")}


def test_ids_with_one_hash_are_not_taken_for_repeated() -> None:
    assert hash(-1) == hash(-2)
    found = surveyed({-1: "x", -2: "y"}, [5])
    assert (found.duplicates, found.duplicate_count) == ((), 0)


def test_repeated_ids_beyond_those_named_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(surveying, "DUPLICATES_KEPT", 3)
    found = surveyed(["a"] * 10, ["a"])
    assert (len(found.duplicates), found.duplicate_count) == (3, 9)


def test_twins_beyond_those_named_are_left_out() -> None:
    corpus = {f"d{n}": "all the same" for n in range(100)}
    found = surveyed(corpus, ["d50"])
    assert len(found.twins[hash("d50")]) >= surveying.TWINS_KEPT


def test_contents_are_those_of_gold_documents() -> None:
    corpus = {"a": " one  two", "b": "x", "c": ""}
    found = surveyed(corpus, ["a", "c", "z"])
    assert found.contents == {hash("a"): hash_content("one two"), hash("c"): hash_content("")}
    assert found.texts == 3


def test_blank_texts_are_nobodys_twins() -> None:
    assert surveyed({"a": "", "b": " ", "c": "\n"}, ["a", "b"]).twins == {}


def test_documents_without_text() -> None:
    records = [{"id": "a", "text": "x"}, {"id": "b"}, {"id": "c", "text": None}]
    found = surveyed(records, ["a", "b", "c"])
    assert (found.documents, found.texts, found.missing) == (3, 1, frozenset())
    assert found.contents == {hash("a"): hash_content("x")}
    assert found.twins == {}


def test_all_forms_have_one_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "c.jsonl").write_text('{"id": 7, "text": "a b"}\n{"id": 8, "contents": "c"}\n')
    (tmp_path / "c.tsv").write_text("id\ttext\n8\tc\n7\ta  b\n")
    forms = [tmp_path / "c.jsonl", tmp_path / "c.tsv", {7: "a b", 8: "c"}, {"8": "c", "7": "a b"}]
    assert len({surveyed(form, [7]).fingerprints for form in forms}) == 1


KINDS = [
    ([7, 8], [7, 9], None, {9}),
    (["7", "8"], ["7", "9"], None, {"9"}),
    ({"7": "x", "08": "y"}, [7, 8], None, {8}),
    ({"7": "x"}, ["7", "9"], None, {"9"}),
    ([7, 8], ["7", "9"], "text", {"9"}),
    ({"-3": "x", "x": "y", "9" * 30: "z"}, [-3, 4], None, {4}),
]


@pytest.mark.parametrize(("corpus", "gold", "ids", "missing"), KINDS)
def test_ids_compare_by_kind(corpus: Any, gold: Ids, ids: Any, missing: set[Any]) -> None:
    found = surveyed(corpus, gold, ids=ids)
    assert found.problems == ()
    assert found.missing == {hash(document) for document in missing}


def test_a_list_of_numbers_in_a_text_file(tmp_path: Path) -> None:
    (tmp_path / "ids.txt").write_text("7\n8\n")
    assert surveyed(tmp_path / "ids.txt", [7, 9]).missing == {hash(9)}
    assert surveyed(tmp_path / "ids.txt", ["7", "9"]).missing == {hash("9")}


@pytest.mark.parametrize(
    ("corpus", "gold", "expected"),
    [
        ([7, 8], ["7"], "the id 7 is a whole number, while those of the ground truth"),
        (["7"], [7], 'the id "7" is a string, while those of the ground truth'),
        (["a", 7], ["a"], "the id 7 is a whole number"),
        (["a", 7], [], "the id 7 is a whole number, while those of the documents before it"),
    ],
)
def test_mixed_kinds_are_one_problem_with_a_way_out(corpus: Any, gold: Ids, expected: str) -> None:
    found = surveyed(corpus, gold)
    (problem,) = found.problems
    assert problem.code == "IO006"
    assert problem.message.startswith(expected)
    assert "--ids text" in problem.message
    assert not found.comparable
    assert (found.missing, found.contents, found.twins) == (frozenset(), {}, {})


def test_problems_are_collected_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text('{"id": "a"}\n' + '{"id": ""}\n' * 50 + '{"id": "b"}\n')
    found = surveyed(path, ["a", "b"])
    assert (found.documents, found.problem_count, len(found.problems)) == (2, 50, 50)
    assert found.problems[0].line == 2


def test_what_cannot_be_read_to_its_end_is_refused(tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text('[{"id": "a"}')
    with pytest.raises(InputError):
        surveyed(tmp_path / "c.json", ["a"])


def test_memory_is_bounded_and_says_so() -> None:
    kept = shingles.GoldShingles(kept=10)
    kept.add(np.array([0, 1, 2]), ["a b c d e f g", "h i", "1 2 3 4 5 6 7 8 9 10 11 12 13"])
    kept.add(np.array([3]), ["l m n o p"])
    assert kept.left_out == 2
    index = kept.build_index(4)
    assert [pair.row for pair in index.find_near(shingles.compute_shingles(["a b c d e f g"]))] == [
        0
    ]


ALIKE = " ".join(f"w{n}" for n in range(30))
CUT = "too many texts resemble gold texts: not all of them were compared"


@pytest.mark.parametrize("limits", [(2, 100), (1000, 2)])
def test_time_is_bounded_and_says_so(
    limits: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shingles.AnchorIndex.__init__, "__defaults__", limits)
    found = surveyed({f"d{n}": f"{ALIKE} x{n}" for n in range(10)}, ["d0"])
    assert found.limits == (CUT,)
    assert len(found.twins[hash("d0")]) == 2


def test_each_of_many_alike_gold_texts_is_compared_with_a_bounded_number() -> None:
    """All pairs are 90,000; in order of the corpus, they left most gold texts without a twin."""
    gold = [f"d{n}" for n in range(300)]
    found = surveyed({document: f"{ALIKE} x{document}" for document in gold}, gold)
    assert found.limits == (CUT,)
    assert all(len(found.twins[hash(document)]) == 20 for document in gold)


@pytest.mark.parametrize("at_once", [1, 7, 50])
def test_pairs_are_the_same_however_many_are_looked_at_at_once(
    at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = {f"d{n}": f"{ALIKE} x{n % 4} y{n % 3}" for n in range(15)}
    corpus |= {f"e{n}": f"{ALIKE[:60]} {'z ' * n}" for n in range(8)}
    gold = ["d0", "d1", "d5", "d14", "e0", "e3"]
    for name in ("PAIRED_AT_ONCE", "SHINGLES_AT_ONCE"):
        monkeypatch.setattr(shingles, name, at_once)
    found = surveyed(corpus, gold)
    assert twins_of(found, gold) == naive_twins(corpus, gold)


@pytest.mark.nightly
def test_many_alike_texts_take_little_memory() -> None:
    gold = [f"d{n}" for n in range(1500)]
    corpus = {document: f"{ALIKE} {ALIKE[::-1]} {document}" for document in gold}
    tracemalloc.start()
    surveyed(corpus, gold)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 150 << 20
