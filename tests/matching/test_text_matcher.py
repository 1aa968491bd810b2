"""Matching by text: containment after normalisation, shingles, and fuzzy ratios."""

import re
import sys
import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import InputError, evaluate, hit_vector
from groupwise.evaluator.evaluation.single import read_row
from groupwise.evaluator.matching import Matching
from groupwise.evaluator.passages.text_search import TextForm, locate
from tests.chunking import CHUNKINGS, SPANS, corpora, covering

LONG = "The quick brown fox jumps over the lazy dog while nobody is looking at it."
CHINESE = "東京は日本の首都であり、世界で最も人口の多い都市圏の中心である。"
THAI = "กรุงเทพมหานครเป็นเมืองหลวงและนครที่มีประชากรมากที่สุดของประเทศไทย"


def vector(text: str, results: list[str], **options: Any) -> list[int]:
    found = [{"id": str(number), "text": result} for number, result in enumerate(results)]
    return hit_vector([[{"id": "a", "text": text}]], found, matching={"type": "text", **options})


@pytest.mark.parametrize(
    ("text", "result", "options", "met"),
    [
        ("Paris", "He lives in PARIS.", {}, 1),
        ("Paris", "He lives in PARIS.", {"case": "keep"}, 0),
        ("Paris", "the Parisian way", {}, 0),
        ("Paris", "the Parisian way", {"whole_words": False}, 1),
        ("$32", "from US$32 to $8", {}, 1),
        ("two  words", "these two\n\twords", {}, 1),
        ("two words", "these two\u00a0words", {}, 1),
        ("two words", "these two\u00a0words", {"unicode": "keep"}, 1),
        ("\ufb01sh", "a fish", {}, 1),
        ("\ufb01sh", "a fish", {"unicode": "NFC", "case": "keep"}, 0),
        ("caf\u00e9", "the cafe\u0301 here", {}, 1),
        ("caf\u00e9", "the cafe\u0301 here", {"unicode": "keep"}, 0),
        ("STRASSE", "die Straße", {}, 1),
        ("well known", "a well-known man", {}, 0),
        ("well known", "a well-known man", {"punctuation": "ignore"}, 1),
        ("well-known", "a well known man", {"punctuation": "ignore"}, 1),
        ("it\u2019s", "it's", {"punctuation": "ignore"}, 1),
        ("New York", "NewYork", {}, 0),
        ("New York", "aNewYorker", {"space": "ignore"}, 1),
        ("a b", "a\0b", {}, 1),
        ("首都", "日本の 首 都です", {}, 1),
        ("首都", "日本の都首です", {}, 0),
        ("long", "", {}, 0),
    ],
)
def test_a_text_is_contained_after_normalisation(
    text: str, result: str, options: dict[str, Any], met: int
) -> None:
    assert vector(text, [result], method="contain", **options) == [met]
    assert vector(text, ["x", result, "y", result], **options) == [0, met, 0, met]


def test_what_is_searched_at_once_is_not_found_across_two_results() -> None:
    assert vector("one two", ["zero one", "two three", "one two"]) == [0, 0, 1]
    assert vector("首都", ["日首", "都日"]) == [0, 0]


def test_a_text_that_repeats_itself_is_searched_in_linear_time() -> None:
    assert vector("a" * 2000, ["a" * 200_000, "b", "a" * 1999], whole_words=False) == [1, 0, 0]
    assert vector("a " * 50 + "b", ["a " * 50_000, "a " * 60 + "b"]) == [0, 1]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def share(text: str, result: str, size: int = 3) -> float:
    """The share of distinct runs of words, naively."""
    runs = {tuple(words(text)[at : at + size]) for at in range(len(words(text)) - size + 1)}
    others = {tuple(words(result)[at : at + size]) for at in range(len(words(result)) - size + 1)}
    return len(runs & others) / len(runs)


@pytest.mark.parametrize("cut", range(4, 16))
def test_results_with_enough_shingles_meet_a_text(cut: int) -> None:
    part = "Once, " + " ".join(LONG.split()[:cut]).upper() + "!"
    common = share(LONG, part)
    assert vector(LONG, [part], method="contain") == [int(cut == 15)]
    for threshold in (0.0, 0.3, 0.5, 0.8, 1.0, common):
        expected = int(common >= threshold and common > 0)
        assert vector(LONG, [part], threshold=threshold) == [max(expected, int(cut == 15))]


def test_some_words_in_common_do_not_meet_a_short_text() -> None:
    assert vector("the United States of America", ["the United States of Brazil"]) == [0]


@pytest.mark.parametrize("text", [CHINESE, THAI])
def test_scripts_without_spaces_have_shingles_of_characters(text: str) -> None:
    half, part = text[: len(text) * 2 // 3], text[: len(text) // 4]
    assert vector(text, [half, part, text[::-1], f"x{text} y"]) == [1, 0, 0, 1]
    assert vector(text, [half], threshold=0.9) == [0]


def test_spans_and_texts_of_chunks_agree() -> None:
    for size, overlap in CHUNKINGS[:2]:
        run = covering(size, overlap)
        scores = {
            name: evaluate(SPANS / "questions_df.csv", run, metrics="recall", matching=name)
            for name in ("span", "text")
        }
        pairs = [
            (scores["span"].per_query[query]["recall"], scores["text"].per_query[query]["recall"])
            for query in run
        ]
        assert sum(one == other for one, other in pairs) / len(pairs) > 0.95


def test_a_live_retriever_with_slices_budgets_ties_and_a_missing_query() -> None:
    truth = {
        query: {
            "query": query,
            "ground_truth": [[{"id": "a", "text": text}]],
            "metadata": {"kind": kind},
        }
        for query, text, kind in (("q1", "The mill of Aldmoor", "v"), ("q2", "no", "w"))
    }

    def retrieve(_query: str) -> list[dict[str, Any]]:
        return [
            {"id": "z", "text": "nothing", "score": 0.9, "tokens": 5},
            {"id": "y", "text": "the MILL of aldmoor", "score": 0.9, "tokens": 7},
        ]

    metrics = ["recall@1", "recall@11t", "recall@12t", "trec:mrr"]
    options: dict[str, Any] = {"metrics": metrics, "matching": "text", "ties": "report"}
    report = evaluate(truth, retriever=retrieve, by="kind", **options)
    assert [*report.slices["kind"]["v"].scores.values()] == [0.0, 0.0, 1.0, 0.5]
    assert [*report.slices["kind"]["w"].scores.values()] == [0.0, 0.0, 0.0, 0.0]
    assert report.ties is not None
    bounds = report.ties.bounds["trec:mrr"]
    assert (bounds.worst, bounds.best) == (0.25, 0.5)
    half = evaluate(truth, {"q1": retrieve("")}, **options)
    assert dict(half.scores) == dict(report.scores)
    assert half.counts.missing == 1


FUZZY = "The quick brown f0x jumps over the lazy dog whi1e nobody is 1ooking at it."


def test_fuzzy_ratios_are_for_results_that_share_a_shingle() -> None:
    pytest.importorskip("rapidfuzz")
    scrambled = re.sub(r"[aeiou]", "0", LONG)
    results = [
        f"Before that. {FUZZY} And after.",
        scrambled,
        "nothing alike",
        LONG,
        "the quick brown",
    ]
    assert vector(LONG, results, threshold=0.9) == [0, 0, 0, 1, 0]
    assert vector(LONG, results, threshold=0.9, method="fuzzy") == [1, 0, 0, 1, 0]
    assert vector(LONG, results, threshold=0.9, method="fuzzy", ratio=0.99) == [0, 0, 0, 1, 0]
    truth = {"q": [[{"id": "a", "text": LONG}]]}
    run = {"q": [{"id": str(n), "text": text} for n, text in enumerate(results)]}
    matching = {"type": "text", "threshold": 0.9, "method": "fuzzy"}
    report = evaluate(truth, run, metrics="recall", matching=matching)
    assert report.matching["counts"] == {"compared fuzzily": 2, "pairs": 5}


def test_without_rapidfuzz_fuzzy_matching_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(InputError, match=r"pip install 'groupwise\[text\]'"):
        Matching.parse({"type": "text", "method": "fuzzy"})


@pytest.mark.parametrize(
    ("truth", "result", "message"),
    [
        ("a", {"id": "x", "text": "t"}, 'the alternative "a" has no text'),
        ({"id": "a", "text": " "}, {"id": "x", "text": "t"}, 'the alternative "a" has no text'),
        ({"id": "a", "text": "t"}, "x", 'the result "x" has no text'),
    ],
)
def test_what_has_no_text_is_an_error(truth: Any, result: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        evaluate({"q": [[truth]]}, {"q": [result]}, matching="text")
    assert message in str(error.value)
    assert error.value.problems[0].query == "q"


def test_a_text_of_which_nothing_is_left_is_an_error() -> None:
    with pytest.raises(InputError, match="nothing is left of the text"):
        vector("…!", ["a"], punctuation="ignore")


def test_evidence_says_which_part_of_a_result_it_is() -> None:
    results = [
        {"id": "x", "text": f"So:  {LONG.upper()}"},
        {"id": "y", "text": "It was, he said, the QUICK brown fox - jumps over a cat."},
        {"id": "z", "text": "nothing"},
    ]
    rows = read_row([[{"id": "a", "text": LONG}]], results)
    for method in ("contain", "shingles"):
        (found,) = Matching.parse({"type": "text", "method": method}).find_evidence(rows)
        assert [(one.hit, one.met, one.how) for one in found] == [
            ((1, 0, 0), True, "contained"),
            ((2, 0, 0), False, "shingles"),
        ]
        assert [one.overlap for one in found] == [1.0, share(LONG, results[1]["text"])]
        parts = [results[one.rank - 1]["text"][one.start : one.end] for one in found]
        assert parts == [LONG.upper(), "the QUICK brown fox - jumps over"]


TEXTS = st.text(st.sampled_from("aB c.\t\u00e9e\u0301\ufb01ß東"), max_size=12)
FORMS = st.builds(
    TextForm,
    case=st.sampled_from(["fold", "keep"]),
    unicode=st.sampled_from(["NFKC", "NFC", "keep"]),
    punctuation=st.sampled_from(["keep", "ignore"]),
    space=st.sampled_from(["one", "ignore"]),
)


def naive_form(text: str, form: TextForm) -> str:
    if form.unicode != "keep":
        text = unicodedata.normalize(form.unicode, text)
    if form.case == "fold":
        text = text.casefold()
        text = text if form.unicode == "keep" else unicodedata.normalize(form.unicode, text)
    if form.punctuation == "ignore":
        text = re.sub(r"[.]", " ", text)
    return ("" if form.space == "ignore" else " ").join(text.split())


@given(TEXTS, TEXTS, TEXTS, FORMS)
def test_the_normal_form_is_that_of_its_definition(
    text: str, before: str, after: str, form: TextForm
) -> None:
    normal = naive_form(text, form)
    assert form.apply(text) == normal
    if normal:
        options = {"whole_words": False, "method": "contain", **vars_of(form)}
        whole = naive_form(before + text + after, form)
        assert vector(text, [before + text + after], **options) == [
            int(
                normal.replace(" ", "") in whole.replace(" ", "")
                if "東" in normal and mostly(normal)
                else normal in whole
            )
        ]


def mostly(text: str) -> bool:
    return 2 * text.count("東") > sum(map(str.isalnum, text))


def vars_of(form: TextForm) -> dict[str, Any]:
    return {name: getattr(form, name) for name in ("case", "unicode", "punctuation", "space")}


@given(TEXTS, FORMS, st.data())
def test_a_part_of_the_normal_form_is_located_in_the_text(
    text: str, form: TextForm, data: st.DataObject
) -> None:
    normal = form.apply_joined(text)
    if not normal:
        return
    start = data.draw(st.integers(0, len(normal) - 1))
    length = data.draw(st.integers(1, len(normal) - start))
    found = locate(text, form, start, length)
    if found is not None:
        assert normal[start : start + length].strip() in form.apply_joined(text[slice(*found)])


def test_references_are_found_where_their_authors_took_them_from() -> None:
    text = corpora()["chatlogs"]
    normal = TextForm().apply_joined(text[:2000])
    found = locate(text[:2000], TextForm(), 100, 50)
    assert found is not None
    assert TextForm().apply(text[slice(*found)]) == normal[100:150].strip()


def test_a_text_with_a_nul_is_found() -> None:
    assert vector("say a\0b", ["we say a\0b here", "say a b", "say ab"], method="contain") == [
        1,
        1,
        0,
    ]


def test_a_text_of_which_nothing_is_left_is_named_with_its_query() -> None:
    truth = {"p": [[{"id": "g", "text": "fine"}]], "q": [[{"id": "h", "text": "…"}]]}
    run = {query: [{"id": "r", "text": "fine"}] for query in truth}
    with pytest.raises(InputError) as error:
        evaluate(truth, run, matching={"type": "text", "punctuation": "ignore"})
    assert [problem.query for problem in error.value.problems] == ["q"]
