"""Ground truth moved to other chunks: outcomes, groups, weights, what stays, what is refused."""

import csv
import io
import json
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from groupwise import Dataset, Fixture, InputError, LossyConversion, OptionError, evaluate, remap
from groupwise.schemas.remap import Remapped

BOOK = (
    "Orders can be returned within thirty days of delivery. The customer pays the postage of a "
    "return, unless the item was damaged. Refunds are made to the original means of payment and "
    "take five working days. Gift cards cannot be returned. Batteries have a warranty of two "
    "years; all other parts have a warranty of five years. Repairs under warranty are free."
)
OTHER = (
    "Die Würde des Menschen ist unantastbar. Sie zu achten und zu schützen ist Verpflichtung aller "
    "staatlichen Gewalt. Jeder hat das Recht auf die freie Entfaltung seiner Persönlichkeit."
)
TOKYO = (
    "東京は日本の首都であり、世界最大級の都市圏を形成している。江戸時代には江戸と呼ばれ、徳川幕府の所在地であった。"
    "明治維新の後に東京と改称され、天皇が京都から移り住んだ。現在の人口は約千四百万人で、政治と経済と文化の中心である。"
)


def cut(
    text: str, size: int, overlap: int = 0, name: str = "c", **more: Any
) -> list[dict[str, Any]]:
    """Chunks with an id by position; with a document, their places too."""
    starts = range(0, max(1, len(text) - overlap), size - overlap)
    found = []
    for number, start in enumerate(starts):
        piece = text[start : start + size]
        place = {**more, "start": start, "end": start + len(piece)} if more else {}
        found.append({"id": f"{name}{number}", "text": piece, **place})
    return found


def groups(report: Remapped, query: int = 0) -> Any:
    return report.ground_truth.queries[query].model_dump(mode="json")["ground_truth"]


def outcomes(report: Remapped) -> list[tuple[Any, tuple[Any, ...], str]]:
    return [(each.from_, each.to, each.outcome) for each in report.alternatives]


@pytest.mark.parametrize("text", [BOOK, OTHER, TOKYO], ids=["English", "German", "Japanese"])
@pytest.mark.parametrize("document", [{}, {"document": "d"}], ids=["text", "span"])
def test_a_chunk_within_a_larger_one_becomes_that(text: str, document: dict[str, Any]) -> None:
    size = len(text) // 4
    old, new = cut(text, size, **document), cut(text, 2 * size, name="n", **document)
    report = remap({"q": [["c0", "c1"], ["c2"]]}, old=old, new=new)
    assert dict(report.counts) == {"exact": 3, "partial": 0, "ambiguous": 0, "lost": 0}
    assert groups(report) == [["n0"], ["n1"]]
    assert {each.by for each in report.alternatives} == {"span" if document else "corpus"}


def test_all_chunks_that_hold_the_text_are_alternatives() -> None:
    old = cut(BOOK, 40)
    new = cut(BOOK, 160, 120, name="n")
    report = remap({"q": [["c3"]]}, old=old, new=new)
    holding = [chunk["id"] for chunk in new if old[3]["text"] in chunk["text"]]
    assert len(holding) > 1
    assert (groups(report), report.counts.exact) == ([holding], 1)


@pytest.mark.parametrize("split", ["groups", "span", None])
def test_a_text_that_chunks_share(split: Any) -> None:
    places: dict[str, Any] = {"document": "d"}
    old, new = cut(BOOK, 200, **places), cut(BOOK, 100, 10, name="n", **places)
    truth = {"q": [{"alternatives": ["c0"], "weight": 3.0, "label": "hop"}]}
    report = remap(truth, old=old, new=new, split=split)
    assert report.alternatives[0].to == ("n0", "n1", "n2")
    if split == "groups":
        shared = [{"alternatives": [n], "weight": 1.0, "label": "hop"} for n in ("n0", "n1", "n2")]
        assert groups(report) == shared
    elif split == "span":
        (group,) = groups(report)
        (alternative,) = group.pop("alternatives")
        assert group == {"weight": 3.0, "label": "hop"}
        assert alternative.pop("id") in {"n0", "n1", "n2"}
        assert alternative == {"document": "d", "start": 0, "end": 200}
    else:
        assert report.counts.ambiguous == 1
        with pytest.raises(LossyConversion, match="1 ambiguous alternative, such as query 'q'"):
            _ = report.ground_truth
        lossy = remap(truth, old=old, new=new, lossy=True)
        assert groups(lossy)[0]["alternatives"] == ["n0", "n1", "n2"]


def test_only_a_sole_alternative_becomes_groups() -> None:
    old, new = cut(BOOK, 200), cut(BOOK, 100, name="n")
    report = remap({"q": [["c0", "c1"]]}, old=old, new=new, split="groups")
    assert [each.outcome for each in report.alternatives] == ["ambiguous", "ambiguous"]
    assert "its group has other alternatives" in (report.alternatives[0].reason or "")


def test_places_are_kept_only_where_there_are_any() -> None:
    report = remap({"q": [["c0"]]}, old=cut(BOOK, 200), new=cut(BOOK, 100, name="n"), split="span")
    assert report.alternatives[0].outcome == "ambiguous"
    assert "no document, start and end" in (report.alternatives[0].reason or "")
    new = cut(BOOK, 100, name="n", document="d")
    found = remap({"q": [["c0"]]}, old=cut(BOOK, 200), new=new, split="span")
    (alternative,) = groups(found)[0]
    assert (alternative["document"], alternative["start"], alternative["end"]) == ("d", 0, 200)


def test_if_one_needs_its_place_all_get_theirs() -> None:
    old, new = cut(BOOK, 100, document="d"), cut(BOOK, 150, name="n", document="d")
    report = remap({"q": [["c0"], ["c1"]]}, old=old, new=new, split="span")
    assert groups(report)[0] == [{"id": "n0", "document": "d", "start": 0, "end": 100}]
    run = {"q": [chunk for chunk in new if chunk["id"] in ("n0", "n1")]}
    matching = {"type": "span", "threshold": 1, "together": True}
    assert evaluate(report.ground_truth, run, metrics="recall", matching=matching).scores == {
        "recall": 1.0
    }
    without = remap({"q": [["c0"]]}, old=old, new=new, split="span")
    assert groups(without) == [["n0"]]


def test_an_excerpt_is_moved_instead_of_its_chunk() -> None:
    old, new = cut(BOOK, 200, document="d"), cut(BOOK, 100, name="n", document="d")
    start = BOOK.index("Refunds")
    by_text = {"id": "c0", "text": "refunds ARE made", "grade": 2}
    by_place = {"id": "c0", "document": "d", "start": start, "end": start + 7}
    report = remap({"q": [[by_text], [by_place]]}, old=old, new=new)
    assert groups(report) == [[{**by_text, "id": "n1"}], [{**by_place, "id": "n1"}]]
    assert report.counts.exact == 2
    unknown = remap({"q": [[{"id": "?", "text": "Gift cards cannot"}]]}, old=old, new=new)
    assert outcomes(unknown) == [("?", ("n2",), "exact")]


def test_everything_else_stays() -> None:
    record = {
        "id": "q",
        "query": "Wann?",
        "ground_truth": [
            {"alternatives": [{"id": "c0", "grade": 3}, "c1"], "weight": 2.0, "label": "one"},
            [{"id": "c2", "grade": 2}],
        ],
        "not_relevant": ["c3"],
        "metadata": {"hops": 2, "deep": {"a": [1, None]}},
        "generation_gt": ["thirty days"],
    }
    old = cut(BOOK, 50)
    new = [{**chunk, "id": f"n{number}"} for number, chunk in enumerate(old)]
    report = remap([record], old=old, new=new)
    moved = json.loads(json.dumps(record).replace('"c', '"n'))
    assert report.ground_truth.queries[0].model_dump(mode="json") == moved
    assert report.not_relevant_counts.exact == 1


@pytest.mark.parametrize("document", [{}, {"document": "d"}], ids=["text", "span"])
def test_the_same_chunks_change_nothing(document: dict[str, Any]) -> None:
    old = [
        *cut(BOOK, 90, 30, **document),
        {"id": "x", "text": BOOK[:90]},
        {"id": "y", "text": "—!"},
    ]
    truth = [
        {
            "id": "q1",
            "ground_truth": [["c0", "x"], [{"id": "c2", "grade": 2}]],
            "hashes": {"c0": "h"},
        },
        {"id": "q2", "ground_truth": [["y"], ["c1"]], "not_relevant": ["c3"], "corpus": "f"},
        {"id": "q3", "ground_truth": [], "answerable": False},
    ]
    report = remap(truth, old=old, new=old[::-1])
    assert report.ground_truth == Dataset.model_validate(truth)
    assert {each.by for each in report.alternatives} == {"id"}
    assert [record.model_dump(mode="json") for record in report.ground_truth] == truth


def test_equal_alternatives_become_one_with_the_highest_grade() -> None:
    old, new = cut(BOOK, 50), cut(BOOK, 100, name="n")
    truth = {"q": [[{"id": "c0", "grade": 1}, {"id": "c1", "grade": 3}], ["c0"]]}
    assert groups(remap(truth, old=old, new=new)) == [[{"id": "n0", "grade": 3.0}], ["n0"]]


def test_what_is_relevant_is_not_listed_as_not_relevant() -> None:
    old, new = cut(BOOK, 50), cut(BOOK, 100, name="n")
    record = {"id": "q", "ground_truth": [["c0"]], "not_relevant": ["c1", "c2", "c3", "gone"]}
    report = remap([record], old=old, new=new)
    assert report.ground_truth.queries[0].not_relevant == ("n1",)
    assert report.is_complete
    assert (report.not_relevant_counts.exact, report.not_relevant_counts.lost) == (3, 1)


@pytest.mark.parametrize("split", [None, "groups", "span"])
def test_what_is_not_relevant_is_never_split(split: Any) -> None:
    """Half of a chunk that is not relevant says nothing about the chunk that holds it."""
    old, new = cut(BOOK, 50, document="d"), cut(BOOK, 75, name="n", document="d")
    record = {"id": "q", "ground_truth": [["c0"]], "not_relevant": ["c1", "c2"]}
    report = remap([record], old=old, new=new, split=split)
    assert report.ground_truth.queries[0].not_relevant == ("n1",)
    assert [(each.from_, each.outcome) for each in report.not_relevant] == [
        ("c1", "ambiguous"),
        ("c2", "exact"),
    ]
    assert "1 moved; not moved, and no longer judged: 1." in str(report)


def test_ids_with_spaces_stay_apart_in_csv() -> None:
    new = {"n 1": BOOK[:70], "n2": BOOK[70:]}
    report = remap({"q": [["c1"]]}, old=cut(BOOK, 50), new=new, lossy=True)
    (row,) = csv.DictReader(io.StringIO(report.render("csv")))
    assert row["to"] == '"n 1" n2'


def test_a_group_never_vanishes() -> None:
    new = [{"id": "c0", "text": "Something else entirely, about gardens."}]
    truth = {"q": [["c0", "c1"], ["c2"]]}
    report = remap(truth, old=cut(BOOK, 50), new=new, lossy=True)
    assert report.counts.lost == 3
    assert groups(report) == [["c0 (lost)", "c1"], ["c2"]]
    assert report.alternatives[0].written == ("c0 (lost)",)
    assert evaluate(report.ground_truth, {"q": ["c0"]}, metrics="recall").scores == {"recall": 0.0}
    numbers = remap(
        {"q": [[0], [7]]}, old={0: BOOK, 7: OTHER}, new=[{"id": 0, "text": TOKYO}], lossy=True
    )
    assert groups(numbers) == [[1], [7]]


def test_a_lost_alternative_is_left_out_where_others_remain() -> None:
    old = [*cut(BOOK, 50), {"id": "x", "text": OTHER}]
    report = remap({"q": [["x", "c0"]]}, old=old, new=cut(BOOK, 100, name="n"), lossy=True)
    assert groups(report) == [["n0"]]
    assert outcomes(report) == [("x", (), "lost"), ("c0", ("n0",), "exact")]


def test_copies_in_several_places_are_ambiguous_unless_one_is_where_it_stood() -> None:
    sentence = "This sentence stands in two documents, word for word the same. "
    old = [{"id": "a#0", "text": sentence, "document": "a"}]
    new = [
        {"id": "n1", "text": f"{sentence}{BOOK}", "document": "b"},
        {"id": "n2", "text": f"{OTHER} {sentence}", "document": "c"},
    ]
    report = remap({"q": [["a#0"]]}, old=old, new=new)
    assert outcomes(report) == [("a#0", ("n1", "n2"), "ambiguous")]
    assert report.alternatives[0].reason == 'its text is in 2 places: "n1", "n2"'
    here = remap({"q": [["a#0"]]}, old=old, new=[*new, {**new[0], "id": "n3", "document": "a"}])
    assert outcomes(here) == [("a#0", ("n3",), "exact")]
    assert here.alternatives[0].by == "document"


@pytest.mark.parametrize(
    ("names", "is_ordered"), [(["d#9", "d#10", "d#11"], True), (["3f9a", "7bc0", "e41d"], False)]
)
def test_a_place_means_something_only_where_ids_have_an_order(
    names: list[str], is_ordered: bool
) -> None:
    """The first id of hashes is no beginning of a document."""
    copy, other = "Gift cards cannot be returned, whatever happens.", "Nobody reads page forty."
    old = dict(zip(names, [copy, f"{other} At all.", f"{other} Not once."], strict=True))
    new = {f"n{name}": text for name, text in old.items()}
    new[f"n{names[2]}"] = f"Again: {copy}"
    report = remap({"q": [[names[0]]]}, old=old, new=new, lossy=True)
    assert report.alternatives[0].outcome == ("exact" if is_ordered else "ambiguous")


def test_a_document_without_a_place_stays() -> None:
    given = {"id": "c0", "document": "d"}
    new = cut(BOOK, 100, name="n", document="d")
    report = remap({"q": [[given]]}, old=cut(BOOK, 50, document="d"), new=new, split="span")
    assert groups(report) == [[{"id": "n0", "document": "d"}]]


def test_a_short_text_within_a_word_is_lost_with_the_reason() -> None:
    report = remap(
        {"q": [["c"]]}, old={"c": "ank today."}, new={"n": "The bank today."}, lossy=True
    )
    assert report.counts.lost == 1
    assert "texts of fewer than 24 letters" in str(report.alternatives[0].reason)


@pytest.mark.parametrize("split", [None, "span"])
@pytest.mark.parametrize("texts", [True, False])
def test_a_span_moves_with_its_text(split: Any, texts: bool) -> None:
    """A preface moves everything on; without places in the new corpus, nothing contradicts it."""
    preface, start = "A preface that the first edition did not have. ", BOOK.index("Gift cards")
    span = {"document": "d", "start": start, "end": start + 20}
    given = {"id": "c1", **span, **({"text": BOOK[start : start + 20]} if texts else {})}
    old, new = cut(BOOK, 160, document="d"), cut(preface + BOOK, 4000, name="n", document="e")
    (moved,) = groups(remap({"q": [[given]]}, old=old, new=new, split=split))
    place = {"document": "e", "start": start + len(preface), "end": start + len(preface) + 20}
    assert moved == [{**given, "id": "n0", **place}]
    bare = [{"id": chunk["id"], "text": chunk["text"]} for chunk in new]
    (kept,) = groups(remap({"q": [[given]]}, old=old, new=bare, split=split))
    assert kept == [{**given, "id": "n0"}]
    longer = [{**chunk, "end": chunk["end"] + 5} for chunk in new]
    (unknown,) = groups(remap({"q": [[given]]}, old=old, new=longer, split=split))
    assert unknown == ([{"id": "n0", "text": given["text"]}] if texts else ["n0"])


def test_a_document_that_changed_is_not_moved_by_place() -> None:
    old = cut(BOOK, 100, document="d")
    new = cut(f"A new preface stands before everything else.  {BOOK}", 200, name="n", document="d")
    report = remap({"q": [["c1"]]}, old=old, new=new, lossy=True, split="span")
    for found in report.alternatives[0].to:
        text = next(chunk["text"] for chunk in new if chunk["id"] == found)
        assert text in f"A new preface stands before everything else.  {BOOK}"
    assert report.alternatives[0].by == "document"
    assert report.counts.exact == 1


def test_white_space_between_chunks_is_no_loss() -> None:
    words = "First sentence of the text. Second sentence of the text."
    old = [{"id": "c", "text": words, "document": "d", "start": 0, "end": len(words)}]
    half = words.index(" Second")
    new = [
        {"id": "n0", "text": words[:half], "document": "d", "start": 0, "end": half},
        {
            "id": "n1",
            "text": words[half + 1 :],
            "document": "d",
            "start": half + 1,
            "end": len(words),
        },
    ]
    report = remap({"q": [["c"]]}, old=old, new=new, split="groups")
    assert (report.counts.exact, report.alternatives[0].coverage) == (1, 1.0)


def test_part_of_a_text_is_partial_and_too_little_is_lost() -> None:
    old = [{"id": "c", "text": OTHER}]
    most = remap({"q": [["c"]]}, old=old, new={"n": OTHER[: len(OTHER) * 3 // 4]})
    assert outcomes(most) == [("c", ("n",), "partial")]
    assert most.alternatives[0].coverage == pytest.approx(0.75, abs=0.02)
    assert groups(most) == [["n"]]
    little = remap({"q": [["c"]]}, old=old, new={"n": OTHER[: len(OTHER) // 4]})
    assert outcomes(little) == [("c", (), "lost")]
    assert 'the nearest is "n"' in (little.alternatives[0].reason or "")


def test_the_order_of_records_does_not_matter() -> None:
    old, new = cut(BOOK, 70), cut(BOOK, 110, 20, name="n")
    truth = [{"id": f"q{n}", "ground_truth": [[chunk["id"]]]} for n, chunk in enumerate(old)]
    expected = remap(truth, old=old, new=new, split="groups", lossy=True)
    for seed in range(3):
        chance = random.Random(seed)  # noqa: S311
        shuffled = [chance.sample(part, len(part)) for part in (truth, old, new)]
        found = remap(shuffled[0], old=shuffled[1], new=shuffled[2], split="groups", lossy=True)
        assert found.to_json() == expected.to_json()
        by_id = sorted(found.ground_truth, key=lambda query: int(query.id[1:]))
        assert tuple(by_id) == expected.ground_truth.queries


def test_ids_without_an_order() -> None:
    old = cut(BOOK, 70)
    names = [chr(ord("a") + number) for number in (4, 0, 3, 1, 2)]
    new = [{**chunk, "id": name} for chunk, name in zip(cut(BOOK, 90, 10), names, strict=False)]
    report = remap({"q": [[each["id"]] for each in old]}, old=old, new=new, split="groups")
    for each in report.alternatives:
        held = [chunk["text"] for chunk in new if chunk["id"] in each.to]
        wanted = next(chunk["text"] for chunk in old if chunk["id"] == each.from_)
        joined = min(
            ("".join(order) for order in permutations(held)), key=lambda t: wanted not in t
        )
        assert each.outcome in ("exact", "partial")
        assert wanted in joined or all(piece in BOOK for piece in held)


def test_whole_numbers_and_ids_as_text() -> None:
    old, new = {1: BOOK[:90], 2: BOOK[90:]}, [{"id": 10, "text": BOOK}]
    assert groups(remap({"q": [[1], [2]]}, old=old, new=new)) == [[10], [10]]
    text = remap({"q": [[1]]}, old=old, new=new, ids="text")
    assert groups(text) == [["10"]]
    other = remap({"q": [[1]]}, old={"1": BOOK[:90]}, new=new)
    assert "of two kinds; compared as text" in other.warnings[0]


def test_fixtures_lose_their_results_and_say_so() -> None:
    fixture = {"queries": [{"id": "q", "ground_truth": [["c0"]], "results": ["c0"]}]}
    report = remap(Fixture.model_validate(fixture), old=cut(BOOK, 50), new={"n": BOOK})
    assert groups(report) == [["n"]]
    assert "its results, which are of the old corpus" in report.warnings[0]


def test_verdicts_on_old_chunks_stay_and_are_named() -> None:
    kept = {"judgements": [{"candidate": "c1", "group": 0, "verdict": "no"}]}
    record = {"id": "q", "ground_truth": [["c0"]], "metadata": kept}
    report = remap([record], old=cut(BOOK, 50), new={"n": BOOK})
    assert report.ground_truth.queries[0].metadata == kept
    assert "metadata.judgements are about chunks of the old corpus" in report.warnings[0]


def test_hashes_of_the_old_corpus_are_left_out(tmp_path: Path) -> None:
    record = {"id": "q", "ground_truth": [["c0"]], "hashes": {"c0": "x"}, "corpus": "y"}
    report = remap([record], old=cut(BOOK, 50), new={"n": BOOK})
    assert report.ground_truth.queries[0].model_dump(mode="json") == {
        "id": "q",
        "ground_truth": [["n"]],
    }
    assert "groupwise fingerprint" in report.warnings[0]
    report.save_ground_truth(tmp_path / "moved.json")
    assert json.loads((tmp_path / "moved.json").read_text()) == [
        {"id": "q", "ground_truth": [["n"]]}
    ]
    with pytest.raises(InputError, match="expected a name that ends in one of"):
        report.save_ground_truth(tmp_path / "moved.csv")


def test_a_record_that_is_repeated_is_one_chunk() -> None:
    old, new = cut(BOOK, 50), cut(BOOK, 100, name="n")
    assert groups(remap({"q": [["c0"]]}, old=old * 2, new=new * 2)) == [["n0"]]


TWICE = [{"id": "c", "text": "x"}, {"id": "c", "text": "y"}]


@pytest.mark.parametrize(
    ("truth", "old", "new", "message"),
    [
        ({"q": [["c"]]}, {"c": "x"}, [], "no chunks"),
        ({"q": [["c"]]}, [], {"n": "x"}, "no chunks"),
        ({"q": [["c"]]}, {"c": "x"}, ["n"], "no chunk has a text"),
        ({"q": [["c"]]}, {"c": "x"}, TWICE, "several chunks"),
        ({"q": [["c"]]}, TWICE, {"n": "x"}, "several chunks"),
        ({"q": [["n"]]}, {"c": "x"}, {"n": "x"}, "are old and new swapped?"),
        ({"q": [["c"]]}, {"c": "x"}, [{"id": "n", "text": "x"}, {"id": 1}], "use one kind"),
        ({"q": ["c"]}, {"c": "x"}, {"n": "x"}, "must all of them be found"),
        ({}, {"c": "x"}, {"n": "x"}, "no queries"),
        ({"q": [["c"]]}, {"c": 7}, {"n": "x"}, "expected a text"),
        ({"q": [["c"]]}, 7, {"n": "x"}, "expected texts by id"),
    ],
)
def test_what_is_refused(truth: Any, old: Any, new: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        remap(truth, old=old, new=new)
    assert message in str(caught.value)


def test_options_are_checked() -> None:
    with pytest.raises(OptionError, match="split: expected 'span', 'groups' or None, got 'half'"):
        remap({"q": [["c"]]}, old={"c": "x"}, new={"n": "x"}, split="half")  # type: ignore[arg-type]


def test_old_chunks_that_say_nothing_are_lost_with_the_reason() -> None:
    report = remap(
        {"q": [["c", "d", "e"]]}, old=["c", {"id": "d", "text": "…"}], new={"n": "x", "c": "y"}
    )
    assert [each.reason for each in report.alternatives] == [
        "its old chunk has neither text nor document, start and end",
        "its text has no letters or digits to look for",
        "it is not in the old corpus",
    ]


def test_queries_without_an_answer_stay() -> None:
    truth = [{"id": "q", "ground_truth": [], "answerable": False, "not_relevant": ["c0"]}]
    report = remap(truth, old=cut(BOOK, 50), new={"n": BOOK})
    moved = {"id": "q", "ground_truth": [], "answerable": False, "not_relevant": ["n"]}
    assert [query.model_dump(mode="json") for query in report.ground_truth] == [moved]


def test_hostile_ids_stay_data() -> None:
    evil = "=cmd|'/c'!A0\x1b[31m<script>"
    old, new = [{"id": evil, "text": BOOK}], [{"id": f"{evil}2", "text": f"{BOOK}{OTHER}"}]
    report = remap({evil: [[evil]]}, old=old, new=new)
    assert groups(report) == [[f"{evil}2"]]
    for form in ("table", "markdown", "csv"):
        assert "\x1b" not in report.render(form)
    lost = remap({evil: [[evil]]}, old=old, new={"n": OTHER})
    assert "\x1b" not in str(lost)
    assert "<script>" not in lost.to_markdown()
    assert "'=cmd" in lost.to_csv()


def test_progress_counts_queries() -> None:
    seen: list[int] = []
    truth = {f"q{n}": [["c0"]] for n in range(3)}
    remap(truth, old=cut(BOOK, 50), new={"n": BOOK}, progress=seen.append)
    assert seen == [1, 2, 3]


WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]


def random_case(chance: random.Random) -> tuple[dict[str, Any], list[Any], list[Any]]:
    """A query and two cuttings of a text; chunks and alternatives lack this or that."""
    text = " ".join(chance.choices(WORDS, k=80))

    def cut_badly(name: str) -> list[dict[str, Any]]:
        size = chance.randrange(20, 200)
        found = cut(text, size, chance.randrange(size), name, document="d")
        for chunk in found[1:]:
            for field in chance.sample(["text", "start", "document"], chance.choice([0, 0, 1, 3])):
                del chunk[field]
        return found

    old, new = cut_badly("c"), cut_badly(chance.choice("cn"))

    def choose() -> dict[str, Any]:
        start = chance.randrange(len(text))
        excerpts: list[dict[str, Any]] = [
            {}, {"text": text[start : start + 40]},
            {"document": "d", "start": start, "end": start + 30}, {"grade": 2.0},
        ]  # fmt: skip
        return {"id": chance.choice([*old, {"id": "?"}])["id"], **chance.choice(excerpts)}

    groups: list[dict[str, Any]] = [
        {"alternatives": [choose() for _ in range(chance.randrange(1, 4))], "weight": weight}
        for weight in chance.sample([0.25, 1.0, 3.0], 2)
    ]
    groups[0]["alternatives"] = [{"id": "c0"}]
    others = [chunk["id"] for chunk in chance.sample(old, min(2, len(old)))]
    return {"id": "q", "ground_truth": groups, "not_relevant": others}, old, new


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("split", [None, "span", "groups"])
def test_no_group_and_no_weight_is_ever_lost(seed: int, split: Any) -> None:
    query, old, new = random_case(random.Random(seed))  # noqa: S311
    report = remap([query], old=old, new=new, split=split, lossy=True)
    (moved,) = report.ground_truth
    ids = {chunk["id"] for chunk in new}
    assert len(moved.ground_truth.groups) >= len(query["ground_truth"])
    weight = sum(group["weight"] for group in query["ground_truth"])
    assert sum(group.weight for group in moved.ground_truth.groups) == pytest.approx(weight)
    assert ids.isdisjoint({new for each in report.alternatives for new in each.written})
    assert set(moved.not_relevant) <= ids
    for each in report.alternatives:
        assert set(each.to) <= ids
        assert (each.outcome == "lost") == (each.coverage < 0.5)
        assert (each.reason is None) == (each.outcome == "exact")
    written = json.loads(json.dumps(moved.model_dump(mode="json")))
    assert Dataset.model_validate([written]).queries == (moved,)
