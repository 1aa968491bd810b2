"""Each matcher against its definition, written down naively: which rank meets which group."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groupwise import evaluate, explain
from groupwise.evaluator.passages.text_search import UNSPACED

METRICS = ["recall@1", "recall@2", "recall", "complete", "hit_rate@2", "mrr", "first_hit"]
Ranks = list[list[int]]
"""The ranks that meet each group."""


def naive_scores(ranks: Ranks) -> dict[str, float | None]:
    """Return what the metrics are by the ranks that meet each group."""
    firsts = [min(group) if group else None for group in ranks]

    def recall(k: float) -> float:
        return sum(first is not None and first <= k for first in firsts) / len(firsts)

    found = [first for first in firsts if first is not None]
    return {
        "recall@1": recall(1),
        "recall@2": recall(2),
        "recall": recall(float("inf")),
        "complete": float(None not in firsts),
        "hit_rate@2": float(any(first <= 2 for first in found)),
        "mrr": sum(1 / first for first in found) / len(firsts),
        "first_hit": float(min(found)) if found else None,
    }


def check(truth: Any, results: Any, matching: Any, ranks: Ranks) -> None:
    """Compare scores, and the ranks of the explanation, with those of an oracle."""
    asked: dict[str, Any] = {"matching": matching}
    report = evaluate({"q": truth}, {"q": results}, metrics=METRICS, **asked)
    expected = naive_scores(ranks)
    for name, value in report.per_query["q"].items():
        assert value == (None if expected[name] is None else pytest.approx(expected[name], 1e-12))
    groups = explain({"q": truth}, {"q": results}, **asked).queries["q"].groups
    found = [[rank for rank in (group.rank, *group.again) if rank] for group in groups]
    assert found == ranks


# --- spans ----------------------------------------------------------------------------------------

BOUNDS = st.integers(0, 12)
DOCUMENTS = st.sampled_from(["d", "e", "7", 7])


@st.composite
def pieces(draw: Any, *, least: int) -> dict[str, Any]:
    start = draw(BOUNDS)
    end = start + draw(st.integers(least, 9))
    return {"document": draw(DOCUMENTS), "start": start, "end": end}


def number(values: list[dict[str, Any]], prefix: str) -> list[dict[str, Any]]:
    return [{"id": f"{prefix}{at}", **value} for at, value in enumerate(values)]


GROUPS = st.lists(st.lists(pieces(least=1), min_size=1, max_size=3), min_size=1, max_size=3)


def characters(piece: dict[str, Any]) -> set[tuple[str, int]]:
    return {(str(piece["document"]), at) for at in range(piece["start"], piece["end"])}


def naive_span_ranks(
    groups: Any, results: Any, threshold: Fraction, *, together: bool
) -> Iterator[list[int]]:
    """Yield the ranks that meet each group, by sets of characters."""
    for group in groups:
        met: set[int] = set()
        for alternative in group:
            wanted: set[tuple[str, int]] = characters(alternative)
            seen: set[tuple[str, int]] = set()
            for rank, result in enumerate(results, 1):
                before = seen if together else set()
                new = (characters(result) & wanted) - before
                seen = before | new
                if new and Fraction(len(seen), len(wanted)) >= threshold:
                    met.add(rank)
                    if together:
                        break
        yield sorted(met)


@settings(max_examples=60, deadline=None)
@given(
    GROUPS,
    st.lists(pieces(least=0), min_size=1, max_size=7),
    st.sampled_from(["0", "0.1", "0.3", "0.5", "0.6", "0.75", "1"]),
    st.booleans(),
)
def test_spans_are_met_by_the_characters_that_results_cover(
    groups: Any, results: Any, threshold: str, together: bool
) -> None:
    truth = [number(group, f"g{at}-") for at, group in enumerate(groups)]
    matching = {"type": "span", "threshold": threshold, "together": together}
    ranks = [*naive_span_ranks(groups, results, Fraction(threshold), together=together)]
    check(truth, number(results, "r"), matching, ranks)


def naive_pairing(results: Any, gold: Any) -> int:
    """Return how many results can each stand for a different piece of gold that they meet."""
    if not results or not gold:
        return 0
    rest = results[1:]
    met = [at for at, one in enumerate(gold) if 2 * len(characters(results[0]) & characters(one))
           >= len(characters(one))]  # fmt: skip
    taken = [1 + naive_pairing(rest, gold[:at] + gold[at + 1 :]) for at in met]
    return max([naive_pairing(rest, gold), *taken])


@settings(max_examples=60, deadline=None)
@given(
    st.lists(pieces(least=2), min_size=1, max_size=4, unique_by=str),
    st.lists(pieces(least=1), min_size=1, max_size=4),
    st.randoms(),
)
def test_a_result_counts_as_one_document_and_a_document_once(
    gold: Any, results: Any, random: Any
) -> None:
    gold = [{**one, "document": "d"} for one in gold]
    gold = [one for at, one in enumerate(gold) if one not in gold[:at]]
    results = [{**one, "document": "d"} for one in results]
    names = [f"trec:{name}@{k}" for name in ("recall", "precision") for k in (1, 2, 3, 4)]
    names += ["trec:ndcg", "trec:map", "ndcg", "trec:ndcg@2", "trec:bpref"]
    asked: dict[str, Any] = {"metrics": names, "matching": "span"}

    def score(listed: Any) -> dict[str, Any]:
        truth = [[{**one, "id": f"g{at}", "grade": 1 + at % 3}] for at, one in listed]
        return dict(evaluate({"q": truth}, {"q": number(results, "r")}, **asked).scores)

    scores = score(enumerate(gold))
    for k in (1, 2, 3, 4):
        size = naive_pairing(results[:k], gold)
        assert scores[f"trec:recall@{k}"] == pytest.approx(size / len(gold))
        assert scores[f"trec:precision@{k}"] == pytest.approx(size / k)
    assert all(value <= 1 + 1e-12 for value in scores.values())
    shuffled = [*enumerate(gold)]
    random.shuffle(shuffled)
    assert {name: value for name, value in score(shuffled).items() if "ndcg" not in name} == {
        name: value for name, value in scores.items() if "ndcg" not in name
    }


# --- texts ----------------------------------------------------------------------------------------

WORDS = ["the", "The", "mill", "of", "Brill", "cafe\u0301", "café", "ﬁne", "fine", "a.b", "ß", "SS"]
SIGNS = [" ", "  ", "\n", ", ", ". ", " - ", "\u00a0", "\t"]
PROSE = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(SIGNS)), min_size=1, max_size=14)
TEXTS = PROSE.map(lambda parts: "".join(word + sign for word, sign in parts))
FORMS = st.fixed_dictionaries(
    {
        "case": st.sampled_from(["fold", "keep"]),
        "unicode": st.sampled_from(["NFKC", "NFC", "keep"]),
        "punctuation": st.sampled_from(["keep", "ignore"]),
    }
)


def drop_signs(text: str) -> str:
    return "".join(" " if unicodedata.category(sign)[0] in "PS" else sign for sign in text)


def normal(text: str, form: dict[str, Any]) -> str:
    """Return the normal form of a text, step by step."""
    for _ in range(2):
        text = text if form["unicode"] == "keep" else unicodedata.normalize(form["unicode"], text)
        text = text.casefold() if form["case"] == "fold" else text
    text = drop_signs(text) if form["punctuation"] == "ignore" else text
    return " ".join(text.split())


def is_contained(wanted: str, text: str) -> bool:
    """Whether a text has the words of another one, one after the other."""
    edge_before = r"(?<![^\W_])" if wanted[0].isalnum() else ""
    edge_after = r"(?![^\W_])" if wanted[-1].isalnum() else ""
    return bool(re.search(edge_before + re.escape(wanted) + edge_after, text))


def runs(text: str, size: int) -> set[tuple[str, ...]]:
    words = drop_signs(text).split()
    size = min(size, len(words))
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)} if words else set()


def holds_run(run: tuple[str, ...], text: str) -> bool:
    words = drop_signs(text).split()
    return any(tuple(words[at : at + len(run)]) == run for at in range(len(words)))


def ranks_of(groups: list[list[str]], results: list[str], meets: Callable[..., bool]) -> Ranks:
    """Return the ranks of the results that meet any alternative of each group."""
    return [
        [rank for rank, text in enumerate(results, 1) if any(meets(one, text) for one in group)]
        for group in groups
    ]


def as_truth(groups: list[list[str]]) -> Any:
    return [
        number([{"text": text} for text in group], f"g{at}-") for at, group in enumerate(groups)
    ]


def as_results(texts: list[str]) -> Any:
    return number([{"text": text} for text in texts], "r")


TEXT_GROUPS = st.lists(st.lists(TEXTS, min_size=1, max_size=2), min_size=1, max_size=2)


def has_words(groups: list[list[str]], form: dict[str, Any]) -> bool:
    return all(normal(text, form) for group in groups for text in group)


@settings(max_examples=50, deadline=None)
@given(TEXT_GROUPS, st.lists(TEXTS | st.just(""), min_size=1, max_size=6), FORMS, st.data())
def test_texts_are_met_by_results_that_contain_them(
    groups: list[list[str]], results: list[str], form: dict[str, Any], data: Any
) -> None:
    part = data.draw(st.sampled_from(groups[0])).strip()
    results = [*results, f"x {part} y", f"x{part}y"]

    def meets(wanted: str, text: str) -> bool:
        return is_contained(normal(wanted, form), normal(text, form))

    if has_words(groups, form):
        matching = {"type": "text", "method": "contain", **form}
        check(as_truth(groups), as_results(results), matching, ranks_of(groups, results, meets))


@settings(max_examples=50, deadline=None)
@given(
    TEXT_GROUPS,
    st.lists(TEXTS, min_size=1, max_size=6),
    FORMS,
    st.integers(1, 4),
    st.sampled_from(["0", "0.2", "0.5", "0.7", "1"]),
)
def test_texts_are_met_by_results_with_enough_of_their_shingles(
    groups: list[list[str]], results: list[str], form: dict[str, Any], size: int, threshold: str
) -> None:
    def meets(wanted: str, text: str) -> bool:
        wanted, text = normal(wanted, form), normal(text, form)
        shingles = runs(wanted, size)
        shared = sum(holds_run(run, text) for run in shingles)
        enough = shared > 0 and Fraction(shared, len(shingles)) >= Fraction(threshold)
        return is_contained(wanted, text) or (len(shingles) >= 6 and enough)

    if has_words(groups, form):
        matching = {"type": "text", "words": size, "threshold": threshold, **form}
        check(as_truth(groups), as_results(results), matching, ranks_of(groups, results, meets))


HAN = st.text("東京は日本の首都です大阪。 、", min_size=1, max_size=16)


@settings(max_examples=40, deadline=None)
@given(st.lists(HAN, min_size=1, max_size=3), st.lists(HAN, min_size=1, max_size=5), st.booleans())
def test_texts_without_spaces_are_met_by_their_characters(
    wanted: list[str], results: list[str], shingles: bool
) -> None:
    groups = [[text] for text in wanted]
    results = [*results, f"大{wanted[0]}阪", " ".join(wanted[0])]

    def letters(text: str) -> str:
        return "".join(drop_signs(text).split())

    def meets(one: str, text: str) -> bool:
        gold = letters(one)
        size = min(4, len(gold))
        parts = {gold[at : at + size] for at in range(len(gold) - size + 1)}
        shared = sum(part in letters(text) for part in parts)
        contained = "".join(one.split()) in "".join(text.split())
        return contained or (shingles and len(parts) >= 6 and 2 * shared >= len(parts))

    if all(UNSPACED.search(text) for text in wanted):
        matching = {"type": "text", "method": "shingles" if shingles else "contain"}
        check(as_truth(groups), as_results(results), matching, ranks_of(groups, results, meets))


@settings(max_examples=30, deadline=None)
@given(
    st.lists(TEXTS, min_size=1, max_size=2),
    st.lists(TEXTS, min_size=1, max_size=4),
    st.sampled_from([0.6, 0.8, 0.95]),
    st.data(),
)
def test_texts_are_met_fuzzily_only_by_results_that_share_a_shingle(
    wanted: list[str], results: list[str], ratio: float, data: Any
) -> None:
    fuzz = pytest.importorskip("rapidfuzz.fuzz")
    changed = wanted[0].replace("mill", "mi1l").replace("of", "0f")
    results = [*results, data.draw(st.sampled_from([changed, f"x {changed} y"]))]
    form = {"case": "fold", "unicode": "NFKC", "punctuation": "keep"}
    groups = [[text] for text in wanted]

    def meets(one: str, text: str) -> bool:
        gold, found = normal(one, form), normal(text, form)
        shared = [run for run in runs(gold, 3) if holds_run(run, found)]
        if is_contained(gold, found):
            return True
        total = len(runs(gold, 3))
        if total >= 6 and 2 * len(shared) >= total:
            return True
        compare = fuzz.partial_ratio if len(found) > len(gold) else fuzz.ratio
        return bool(shared) and compare(gold, found) / 100 >= ratio

    if has_words(groups, form):
        matching = {"type": "text", "method": "fuzzy", "ratio": ratio}
        check(as_truth(groups), as_results(results), matching, ranks_of(groups, results, meets))


# --- ids ------------------------------------------------------------------------------------------

IDS = st.sampled_from(["Doc-1#1", "doc-1#2", " doc-1 ", "DOC-2", "doc-2#7", "é", "e\u0301", "x"])
RULES = st.fixed_dictionaries(
    {},
    optional={
        "unicode": st.sampled_from(["NFC", "NFKC", "keep"]),
        "case": st.sampled_from(["fold", "keep"]),
        "trim": st.booleans(),
        "pattern": st.sampled_from(["#.*", r"(\d)$", "-"]),
    },
)


def rename(document: str, rules: dict[str, Any]) -> str:
    if rules.get("unicode", "keep") != "keep":
        document = unicodedata.normalize(rules["unicode"], document)
    if "pattern" in rules:
        document = re.sub(rules["pattern"], "", document)
    document = document.strip() if rules.get("trim") else document
    return document.casefold() if rules.get("case") == "fold" else document


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.lists(IDS, min_size=1, max_size=3), min_size=1, max_size=3),
    st.lists(IDS, min_size=1, max_size=7),
    RULES,
)
def test_ids_are_equal_after_the_rules(
    groups: list[list[str]], results: list[str], rules: dict[str, Any]
) -> None:
    def meets(one: str, result: str) -> bool:
        return rename(one, rules) == rename(result, rules)

    matching = {"type": "normalised", **rules}
    ranks = ranks_of(groups, results, meets)
    check(groups, results, matching, ranks)
    keys = {document: rename(document, rules) for document in results}
    collisions = len(keys) - len({*keys.values()})
    counts = evaluate({"q": groups}, {"q": results}, matching=matching).matching.get("counts", {})
    assert counts.get("collisions in results", 0) == collisions
