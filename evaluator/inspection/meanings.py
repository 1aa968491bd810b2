"""What a field could be, from its name and its values."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from groupwise.evaluator.inspection import vocabulary as words
from groupwise.evaluator.inspection.shapes import BY_ID, FieldFacts, is_pair

SENTENCE = re.compile(r"[.!?…\u3002\uff1f\uff01][\"'»”)\]]*\Z")
CODE = re.compile(r"(?=\S*[^\W\d_])(?:(?=\D*\d)\S+|\S+\.\w{2,5}|(?=\S+[_/#:]\S)\S+)")
NUMBERED = re.compile(r"(?=\S*[^\W\d_])(?=\D*\d)\S+")
LONGEST_ID = 300
MOST_WORDS = 12
WORDS_OF_SENTENCE = 5
DEEPEST_TEXT = 8
SEVERAL = re.compile(r"[^|;]+(?:[|;][^|;]+)+|[^\s,]+(?:,[^\s,]+)+")
"""Several ids in one text; a comma with a space behind it belongs to a title."""
WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")
LONGEST_TITLE = 20
"""Of scripts that write without spaces, in letters."""

STRONG, PLAIN, WEAK = 3, 2, 1
IDS = {"text", "whole number", "list of text", "list of whole numbers", "pair", "list of pairs",
       "list of lists", "list of list of text", "list of text or whole number", BY_ID,
       "list of list of whole numbers"}  # fmt: skip
SCALARS = {"text", "whole number", "text or whole number"}


class Meaning(NamedTuple):
    """What a field could be, and how strongly its name says so."""

    name: str
    strength: int


def find_meanings(facts: FieldFacts) -> list[Meaning]:
    """Return what a field could be, the likeliest first."""
    return sorted(_list_meanings(facts), key=lambda meaning: -meaning.strength)


def _list_meanings(facts: FieldFacts) -> Iterator[Meaning]:
    name, held = facts.words, frozenset(facts.words)
    own = words.split_name(facts.steps[-1])
    if facts.type == "yes or no":
        is_answerable = words.is_named(own, words.ANSWERABLE)
        yield Meaning(words.ANSWERABLE if is_answerable else words.METADATA, PLAIN)
        return
    if _are_scores(facts, own):
        yield Meaning(words.SCORES, PLAIN)
        return
    if strength := _rate_id(facts, own):
        yield Meaning(words.ID, strength)
        return
    if strength := _rate_query(facts, own):
        yield Meaning(words.QUERY, strength)
        return
    if facts.type in IDS:
        yield from _list_references(facts, name, held)


def _are_scores(facts: FieldFacts, own: tuple[str, ...]) -> bool:
    return "number" in facts.type and (words.is_named(own, words.SCORES) or own[-1:] == ("score",))


def _rate_id(facts: FieldFacts, own: tuple[str, ...]) -> int:
    """Return how likely a field is the id of a query: a name of one, and no value twice."""
    if facts.type not in SCALARS or not words.is_named(own, words.ID) or len(facts.steps) > 2:
        return 0
    values = [str(value) for value in facts.values]
    if len(values) != len({*values}) or not all(map(looks_like_id, values)):
        return 0
    return STRONG if "id" in own or "qid" in own else WEAK


def _rate_query(facts: FieldFacts, own: tuple[str, ...]) -> int:
    if facts.type != "text" or facts.is_in_objects:
        return 0
    if words.is_named(own, words.QUERY):
        return STRONG
    texts = [value for value in facts.values if isinstance(value, str)]
    asked = sum(text.rstrip().endswith(("?", "\uff1f")) for text in texts)
    return WEAK if asked * 2 > len(facts.values) else 0


def _list_references(
    facts: FieldFacts, name: tuple[str, ...], held: frozenset[str]
) -> Iterator[Meaning]:
    """Yield what a field with texts or numbers refers to: documents, or nothing retrievable."""
    refers = bool(held & (words.SOURCES | words.PARTS | words.IDENTIFIERS))
    if kind := _name_other(facts, held):
        yield Meaning(kind, PLAIN)
    elif not _are_ids(facts):
        yield _name_text(facts, held, refers=refers)
    elif held & words.WRONG and refers:
        yield Meaning(words.NOT_RELEVANT, PLAIN)
    elif held & words.RETRIEVED and (refers or words.is_named(name, words.RESULTS)):
        yield Meaning(words.RESULTS, STRONG if refers else PLAIN)
    elif strength := _rate_truth(facts, name, held, refers=refers):
        yield Meaning(words.GROUND_TRUTH, strength)
    else:
        is_vague = words.is_named(name, words.GROUND_TRUTH)
        yield Meaning(words.ANSWER if is_vague else words.METADATA, WEAK)


def _name_other(facts: FieldFacts, held: frozenset[str]) -> str | None:
    """Return what a field is by its name alone, whatever its values are; None if it may be ids."""
    own = words.split_name(facts.steps[-1])
    if held & words.FRAGMENTS:
        return words.KEYWORDS
    heads = {name[-1] for name in map(words.split_name, facts.steps) if name}
    is_amount = len(own) > 1 and own[0] in words.AMOUNTS
    if is_amount or (heads & words.OTHER and not {*own} & words.IDENTIFIERS):
        return words.METADATA
    is_answer = held & words.ANSWERS and not {*own} & (words.SOURCES | words.PARTS | {"id"})
    return words.ANSWER if is_answer else None


def _rate_truth(
    facts: FieldFacts, name: tuple[str, ...], held: frozenset[str], *, refers: bool
) -> int:
    if held & words.TRUTH and refers:
        return STRONG
    if facts.type == "whole number":
        return WEAK if held & words.PARTS and "id" in name else 0
    if words.is_named(name, words.GROUND_TRUTH):
        return PLAIN if refers or _are_codes(facts) else 0
    if held & words.TRUTH:
        return PLAIN if _are_codes(facts, NUMBERED) else 0
    return _rate_source(facts, name, held)


def _rate_source(facts: FieldFacts, name: tuple[str, ...], held: frozenset[str]) -> int:
    """Return how likely a document that is only named, such as ``source_file``, should be found."""
    if "source" in held - {*name[-1:]}:
        return PLAIN
    if not held & (words.SOURCES | words.PARTS):
        return 0
    return WEAK if "id" in held or _are_codes(facts) or _are_many(facts) else 0


def _are_codes(facts: FieldFacts, pattern: re.Pattern[str] = CODE) -> bool:
    """Whether most texts can be nothing but ids: a letter and a digit, or the name of a file."""
    texts = [text for value in facts.values for text in list_texts(value)]
    return 5 * sum(bool(pattern.fullmatch(text)) for text in texts) >= 4 * len(texts)


def is_code(text: str) -> bool:
    """Whether a text is one word that no prose has.

    >>> is_code("T1003.001"), is_code("intro.md"), is_code("Lima"), is_code("13 August 1937")
    (True, True, False, False)
    """
    return CODE.fullmatch(text) is not None


def _are_many(facts: FieldFacts) -> bool:
    """Whether most records have a value of their own."""
    return 2 * len({str(value) for value in facts.values}) > len(facts.values) > 1


def _name_text(facts: FieldFacts, held: frozenset[str], *, refers: bool) -> Meaning:
    own = words.split_name(facts.steps[-1])
    if refers or held & {"context", "evidence", "excerpt"}:
        return Meaning(words.PASSAGE, PLAIN)
    if words.is_named(own, words.DOCUMENT):
        return Meaning(words.DOCUMENT, PLAIN)
    is_answer = held & (words.TRUTH | words.RETRIEVED) or facts.type.startswith("list")
    return Meaning(words.ANSWER if is_answer else words.METADATA, PLAIN if is_answer else WEAK)


def _are_ids(facts: FieldFacts) -> bool:
    """Whether most values are ids and not prose."""
    texts = [text for value in facts.values for text in list_texts(value)]
    return 5 * sum(map(looks_like_id, texts)) >= 4 * len(texts)


def list_texts(value: Any, levels: int = DEEPEST_TEXT) -> list[str]:
    """Return the texts in a value: in a list, in the lists of a list, or itself."""
    if isinstance(value, str):
        return [value]
    if is_pair(value):
        return [value[0]]
    parts = value if levels and isinstance(value, list | dict) else ()
    return [text for part in parts for text in list_texts(part, levels - 1)]


def looks_like_id(text: str) -> bool:
    """Whether a text is short and no sentence: an id, a name of a file, a title.

    >>> looks_like_id("Annual report 2019.pdf"), looks_like_id("It was founded in the year 1901.")
    (True, False)
    """
    if not text.strip() or len(text) > LONGEST_ID or "\n" in text:
        return False
    count = len(text.split())
    if len(WITHOUT_SPACES.findall(text)) > LONGEST_TITLE:
        return False
    if count >= WORDS_OF_SENTENCE and (SENTENCE.search(text) or _is_phrase(text)):
        return False
    return count <= MOST_WORDS


def _is_phrase(text: str) -> bool:
    """Whether most words begin with a small letter, unlike those of a title."""
    parts = text.split()
    return 5 * sum(part.isalpha() and part[0].islower() for part in parts) >= 3 * len(parts)


def find_separator(facts: FieldFacts) -> str | None:
    """Return what separates ids if single texts seem to be several, such as ``"a|b"``."""
    texts = [value for value in facts.values if isinstance(value, str)]
    found = [match for match in map(SEVERAL.fullmatch, texts) if match]
    signs = {sign for match in found for sign in "|;," if sign in match[0]}
    return min(signs, key="|;,".index) if signs else None
