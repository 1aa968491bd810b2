"""Which chunks hold a text, against a naive search for common letters."""

import random
import re
import unicodedata

import pytest

from groupwise import InputError
from groupwise.evaluator.passages.chunks import read_chunks
from groupwise.evaluator.passages.index import PassageIndex
from groupwise.schemas.reference import Reference
from tests.chunking import chunks, corpora

HAN = "天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏闰余成岁律吕调阳云腾致雨露结为霜"
LATIN = "abcdefghijklmnopqrstuvwxyz"


def letters_of(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(
        sign for sign in folded if unicodedata.category(sign)[0] in "LNMC" and sign > " "
    )


def naive_coverage(wanted: str, held: str) -> float:
    """Share of the letters that are in a common run which is long enough to be found."""
    covered: set[int] = set()
    size = 15 if len(wanted) >= 200 else 11
    for start in range(len(wanted) - size + 1):
        if wanted[start : start + size] in held:
            covered |= {*range(start, start + size)}
    return len(covered) / len(wanted)


def index_of(*texts: str | None) -> PassageIndex:
    return PassageIndex([Reference(f"c{number}", text) for number, text in enumerate(texts)])


def found(index: PassageIndex, text: str, least: float = 0.05) -> dict[int, float]:
    return {holding.chunk: holding.coverage for holding in index.find(text, least=least)}


def random_text(rng: random.Random, alphabet: str, size: int) -> str:
    signs = [rng.choice(alphabet) for _ in range(size)]
    return "".join(sign + rng.choice(["", "", "", " ", ", ", "\n"]) for sign in signs)


@pytest.mark.parametrize("alphabet", [LATIN, HAN, LATIN + HAN + "éß"])
@pytest.mark.parametrize("seed", range(5))
def test_coverage_is_that_of_a_naive_search(alphabet: str, seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311
    source = random_text(rng, alphabet, 600)
    texts = []
    for _ in range(40):
        start = rng.randrange(len(source) - 200)
        size = rng.randrange(20, 200)
        texts.append(source[start : start + size].upper() + random_text(rng, alphabet, 30))
    index = index_of(*texts)
    for _ in range(20):
        start = rng.randrange(len(source) - 300)
        wanted = source[start : start + rng.randrange(80, 300)]
        expected = {
            number: naive_coverage(letters_of(wanted), letters_of(text))
            for number, text in enumerate(texts)
        }
        sufficient = {number: share for number, share in expected.items() if share >= 0.2}
        assert found(index, wanted, 0.2) == pytest.approx(sufficient, abs=1e-12)


@pytest.mark.parametrize(("size", "overlap"), [(400, 0), (800, 100)])
def test_whole_passages_of_real_chunks_are_those_of_a_naive_search(size: int, overlap: int) -> None:
    listed = [*chunks(size, overlap).values()]
    index = PassageIndex(read_chunks(listed))
    folded = [letters_of(chunk["text"]) for chunk in listed]
    rng = random.Random(size)  # noqa: S311
    for _ in range(60):
        text = rng.choice([*corpora().values()])
        start = rng.randrange(len(text) - 300)
        wanted = text[start : start + rng.randrange(80, 300)]
        letters = letters_of(wanted)
        expected = [number for number, held in enumerate(folded) if letters in held]
        assert [holding.chunk for holding in index.find_whole(wanted)] == expected


def test_a_chunk_says_where_it_has_a_text() -> None:
    text = "Before.  The QUICK\n brown fox — jumps over the dog!  After."
    index = index_of(text)
    (holding,) = index.find("the quick brown fox jumps, over the dog")
    assert (holding.is_whole, index.locate(holding)) == (True, (9, text.index("!")))
    assert (
        re.sub(r"\W+", " ", text[9 : text.index("!")]) == "The QUICK brown fox jumps over the dog"
    )


def test_a_text_with_a_changed_word_is_held_partly() -> None:
    old = "The committee met on Tuesday and approved the annual budget of the city."
    index = index_of(old.replace("Tuesday", "Friday"), "The committee was dissolved.")
    holding, other = index.find(old)
    assert not holding.is_whole
    assert holding.parts == [(0, 17), (21, 59)]
    assert other.parts == [(0, len("thecommittee"))]


def test_short_texts_are_not_found_within_words() -> None:
    index = index_of("breathe category", "The cat, asleep.", "東京は日本の首都です")
    assert found(index, "the cat") == {1: 1.0}
    assert found(index, "日本") == {2: 1.0}


def test_frequent_passages_are_found_whole() -> None:
    header = "Confidential and proprietary. Do not distribute without permission. "
    texts = [f"{header}{'0' * 40} page {number}" for number in range(3000)]
    index = index_of(*texts)
    assert len(index.find_whole(header)) == 3000
    assert len(index.find_whole("0" * 30)) == 3000
    assert [holding.chunk for holding in index.find_whole(texts[2999])] == [2999]


@pytest.mark.parametrize("text", ["", " \n", "—!…", "\0", "no such words anywhere at all"])
def test_what_is_in_no_chunk_is_not_found(text: str) -> None:
    assert index_of("some text", None, "").find(text) == []
    assert index_of().find(text) == []


def test_breaks_within_texts_separate_nothing() -> None:
    index = index_of("one two\0three four five six", "seven")
    assert found(index, "two three four five six seven") == {0: pytest.approx(19 / 24)}


def test_chunks_of_a_document_only() -> None:
    text = "The same sentence stands in two documents."
    index = PassageIndex(
        [Reference("a", text, "d1"), Reference("b", text, "d2"), Reference("c", text)]
    )
    assert [holding.chunk for holding in index.find(text, index.of_document("d2"))] == [1]
    assert [holding.chunk for holding in index.find(text)] == [0, 1, 2]
    assert index.of_document(None) == index.of_document("d3") == frozenset()


def test_chunks_are_read_from_any_corpus_and_have_an_id_each() -> None:
    assert read_chunks({"a": "x"}) == [Reference("a", "x")]
    record = {"doc_id": "b", "contents": "y", "path": "d", "start_end_idx": [3, 9]}
    assert read_chunks([record]) == [Reference("b", "y", "d", 3, 9)]
    with pytest.raises(InputError, match="no chunks"):
        read_chunks([])
    with pytest.raises(InputError, match='the id "a" is that of several chunks'):
        read_chunks([{"id": "a"}, {"id": "a", "text": "x"}])
    assert read_chunks([{"id": "a"}, {"id": "b"}, {"id": "a"}]) == [Reference("a"), Reference("b")]
