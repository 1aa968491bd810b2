"""Texts within texts: containment and shared shingles, after normalisation.

The texts of a query are joined and searched at once: a search in a long text costs little more than
one in a short text, and most texts that are searched for are in none.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple
from unicodedata import category, combining, normalize

BREAK = "\0"
"""Separates the texts that are searched."""

UNSPACED = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\ua9e0-\ua9ff\uaa60-\uaa7f"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U0001aff0-\U0001b16f\U00020000-\U0003ffff]"
)
"""Letters of scripts that are written without spaces: Thai, Lao, Tibetan, Khmer, Chinese, …"""

SPACES = [code for code in range(128) if chr(code).isspace()]


class Punctuation(dict[int, int]):
    """Maps punctuation and symbols to a space, for ``str.translate``."""

    def __missing__(self, code: int) -> int:
        self[code] = ord(" ") if category(chr(code))[0] in "PS" else code
        return self[code]


PUNCTUATION = Punctuation()


@dataclass(frozen=True)
class TextForm:
    """The normal form in which texts are compared.

    Attributes:
        case: ``fold``: without regard to case.
        unicode: A normal form of Unicode.
        punctuation: ``ignore``: punctuation and symbols are spaces.
        space: ``one``: a run of white space is one space; ``ignore``: there is none.
    """

    case: Literal["fold", "keep"] = "fold"
    unicode: Literal["NFKC", "NFC", "keep"] = "NFKC"
    punctuation: Literal["keep", "ignore"] = "keep"
    space: Literal["one", "ignore"] = "one"

    def apply(self, text: str) -> str:
        """Return a text in the normal form."""
        return self.apply_joined(text).strip(" ")

    def apply_joined(self, text: str) -> str:
        """Return texts joined by breaks in the normal form; spaces may remain at breaks."""
        text = text.translate(self._ascii) if text.isascii() else self._apply_unicode(text)
        while "  " in text:
            text = text.replace("  ", " ")
        return text

    @cached_property
    def _ascii(self) -> Mapping[int, int | None]:
        """What each character of ASCII becomes."""
        table: dict[int, int | None] = {code: code for code in range(128)}
        if self.case == "fold":
            table |= {code: ord(chr(code).lower()) for code in range(128)}
        if self.punctuation == "ignore":
            table |= {code: ord(" ") for code in range(128) if PUNCTUATION[code] == ord(" ")}
        spaces = [*SPACES, *(code for code, found in table.items() if found == ord(" "))]
        return table | dict.fromkeys(spaces, ord(" ") if self.space == "one" else None)

    def _apply_unicode(self, text: str) -> str:
        if self.unicode != "keep":
            text = normalize(self.unicode, text)
        if self.case == "fold":
            text = text.casefold()
            text = text if self.unicode == "keep" else normalize(self.unicode, text)
        if self.punctuation == "ignore":
            text = text.translate(PUNCTUATION)
        return (" " if self.space == "one" else "").join(text.split())


WORDS = TextForm(unicode="keep", case="keep", punctuation="ignore")
"""The form in which shingles are compared, of texts that are already in their normal form."""

LETTERS = TextForm(unicode="keep", case="keep", punctuation="ignore", space="ignore")


class JoinedTexts:
    """Several texts in a normal form, to be searched at once."""

    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def join(cls, texts: Sequence[str], form: TextForm | None = None) -> "JoinedTexts":
        """Return texts in their normal form; None: as they are."""
        joined = BREAK.join(texts)
        if joined.count(BREAK) >= max(1, len(texts)):
            joined = BREAK.join(text.replace(BREAK, " ") for text in texts)
        return cls(joined if form is None else form.apply_joined(joined))

    @cached_property
    def words(self) -> "JoinedTexts":
        """The words of the texts, with a space before and after each."""
        spaced = WORDS.apply_joined(self.text.replace(BREAK, f" {BREAK} "))
        return JoinedTexts(f" {spaced} ".replace("  ", " "))

    @cached_property
    def unspaced(self) -> "JoinedTexts":
        """The texts without spaces."""
        return JoinedTexts(self.text.replace(" ", ""))

    @cached_property
    def letters(self) -> "JoinedTexts":
        """The texts without spaces and punctuation."""
        return JoinedTexts(LETTERS.apply_joined(self.text))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(BREAK, self.text))]

    def part(self, number: int) -> str:
        """Return one of the texts."""
        starts = self._starts[number : number + 2]
        return self.text[starts[0] : starts[1] - 1 if len(starts) > 1 else None].strip()

    def find(self, wanted: str, *, whole_words: bool = False) -> Iterator[int]:
        """Yield the numbers of the texts that have a text; ``whole_words``: not within a word."""
        text, place = self.text, self.text.find(wanted)
        while place >= 0:
            if not whole_words or _is_whole(text, place, place + len(wanted)):
                number = bisect_right(self._starts, place)
                yield number - 1
                place = self._starts[number] - 1 if number < len(self._starts) else len(text)
            place = text.find(wanted, place + 1)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a part of a text begins and ends where a word does, or is not of letters there."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() and text[start].isalnum()) and not (
        after.isalnum() and text[end - 1].isalnum()
    )


def is_unspaced(text: str) -> bool:
    """Whether a text is mostly in a script that is written without spaces.

    >>> is_unspaced("東京は日本の首都です"), is_unspaced("Tokyo (東京) is the capital")
    (True, False)
    """
    if text.isascii():
        return False
    return 2 * len(UNSPACED.findall(text)) > sum(map(str.isalnum, text))


class Shingles(NamedTuple):
    """The distinct runs of words, or of characters, of a text; with spaces around words."""

    runs: list[str]
    of_words: bool

    def count_in(self, texts: JoinedTexts, *, least: int = 1) -> dict[int, int]:
        """Return how many of the runs each text has; none if no text has at least so many."""
        searched = texts.words if self.of_words else texts.letters
        counts: dict[int, int] = {}
        sufficient = len(self.runs) - least + 1
        for place, run in enumerate(self.runs):
            if place == sufficient and not counts:
                break
            for number in searched.find(run):
                counts[number] = counts.get(number, 0) + 1
        return counts


def cut_shingles(text: str, words: int, characters: int) -> Shingles:
    """Return the shingles of a text in normal form: of words, or of characters if it is unspaced.

    >>> cut_shingles("to be or not", 3, 4).runs
    [' to be or ', ' be or not ']
    """
    if is_unspaced(text):
        letters = LETTERS.apply(text)
        size = min(characters, len(letters))
        runs = [letters[at : at + size] for at in range(len(letters) - size + 1)]
        return Shingles([*dict.fromkeys(filter(None, runs))], of_words=False)
    parts = WORDS.apply(text).split(" ")
    size = min(words, len(parts))
    runs = [f" {' '.join(parts[at : at + size])} " for at in range(len(parts) - size + 1)]
    return Shingles([*dict.fromkeys(filter(str.strip, runs))], of_words=True)


def locate(text: str, form: TextForm, start: int, length: int) -> tuple[int, int] | None:
    """Return where a part of a text's normal form is in the text itself; None if it is unknown.

    >>> locate("A  big  DOG", TextForm(), 2, 3)
    (3, 6)
    """
    parts = [*_split_form(text, form)]
    places = [place for place, part in parts for _ in part]
    is_whole = "".join(part for _, part in parts) == form.apply_joined(text)
    if not is_whole or not 0 < length <= len(places) - start:
        return None
    return places[start][0], places[start + length - 1][1]


def _split_form(text: str, form: TextForm) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield each character with its accents: its range, and what the form makes of it."""
    begin, is_after_space = 0, False
    while begin < len(text):
        end = begin + 1
        while end < len(text) and combining(text[end]):
            end += 1
        part = _apply_within(form, text[begin:end])
        if part != " " or not is_after_space:
            yield (begin, end), part
        is_after_space = part == " " or (is_after_space and not part)
        begin = end


@lru_cache(maxsize=1 << 14)
def _apply_within(form: TextForm, part: str) -> str:
    """Return what a form makes of a part in the middle of a text."""
    return form.apply_joined(f"x{part}x")[1:-1]
