"""Contents and fingerprints, beside the words that describe them."""

import hashlib
import random
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise.evaluator.reading.content import (
    Fingerprint,
    content_hash,
    hash_content,
    normalise_text,
    text_id,
)

SPACES = " \t\n\r\x0b\x0c\x1c\x85\xa0\u2000\u2003\u2028\u3000"
TEXTS = (
    st.text(st.sampled_from("ab.é" + "e\u0301\u0308\u212b\U0001f600\ud800" + SPACES)) | st.text()
)


def naive(text: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text)).strip(" ")


@given(TEXTS)
def test_a_text_is_normalised_as_described(text: str) -> None:
    assert normalise_text(text) == naive(text)
    assert normalise_text(normalise_text(text)) == normalise_text(text)


def test_content_hashes_are_what_files_hold() -> None:
    expected = hashlib.sha256(b"two words").hexdigest()[:20]
    assert content_hash(" two\n\n words ") == expected
    assert text_id("two words") == f"text:{expected}"
    former = hashlib.blake2b(b"two words", digest_size=8).hexdigest()
    assert hash_content("two words") == (expected, former)
    assert content_hash("Two words") != expected
    assert content_hash("e\u0301") == content_hash("\u00e9")


@given(TEXTS)
def test_the_id_of_a_text_is_a_digest_of_its_content(text: str) -> None:
    digest = hashlib.sha256(naive(text).encode("utf-8", "surrogatepass")).hexdigest()
    assert text_id(text) == f"text:{digest[:20]}"


def test_composed_and_decomposed_texts_have_one_id() -> None:
    assert text_id("cafe\u0301 au lait") == text_id("caf\u00e9\n au lait")
    digest = hashlib.sha256("caf\u00e9 au lait".encode()).hexdigest()
    assert text_id("caf\u00e9 au lait") == f"text:{digest[:20]}"


def fingerprint(documents: list[tuple[str | int, str | None]], version: str = "gw2") -> str:
    found = Fingerprint(version)
    for document, text in documents:
        if text is None:
            found.add_ids([document])
        else:
            found.add([document], [normalise_text(text)])
    return str(found)


def naive_digest(data: bytes, version: str) -> str:
    if version == "gw1":
        return hashlib.blake2b(data, digest_size=16).hexdigest()
    return hashlib.sha256(data).hexdigest()[:32]


def naive_fingerprint(documents: list[tuple[str | int, str | None]], version: str) -> str:
    total = 0
    for document, text in documents:
        content = "" if text is None else f":{naive(text)}"
        spelled = f"{len(str(document))}:{document}{content}".encode("utf-8", "surrogatepass")
        total += int(naive_digest(spelled, version), 16)
    return f"{version}:{len(documents)}:{total % 2**128:032x}"


DOCUMENTS = st.lists(st.tuples(st.text(max_size=3) | st.integers(), st.none() | TEXTS), max_size=6)


@given(DOCUMENTS, st.randoms(), st.sampled_from(["gw1", "gw2"]))
def test_a_fingerprint_does_not_depend_on_the_order(
    documents: list[tuple[str | int, str | None]], chance: random.Random, version: str
) -> None:
    shuffled = documents[:]
    chance.shuffle(shuffled)
    expected = naive_fingerprint(documents, version)
    assert fingerprint(shuffled, version) == fingerprint(documents, version) == expected


@pytest.mark.parametrize(
    "other",
    [
        [("a", "one")],
        [("a", "one"), ("b", "two"), ("b", "two")],
        [("a", "two"), ("b", "one")],
        [("a", "one"), ("b", None)],
        [("a", "one"), ("b", "")],
        [("a", "oneb"), ("", "two")],
    ],
)
def test_other_documents_have_another_fingerprint(
    other: list[tuple[str | int, str | None]],
) -> None:
    assert fingerprint(other) != fingerprint([("a", "one"), ("b", "two")])


def test_white_space_and_the_kind_of_ids_do_not_change_it() -> None:
    assert fingerprint([(7, " a  b")]) == fingerprint([("7", "a b")])
