"""Normal forms: what remains of an id or a text when spelling does not matter."""

import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from groupwise.evaluator.text import UNSEEN
from groupwise.schemas import Id

Signs = NDArray[np.uint8]


def normal(text: str) -> str:
    """The text after NFC, trimming and case folding.

    >>> normal(" Doc-1")
    'doc-1'
    """
    folded = text.strip().casefold()
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def normal_forms(texts: Sequence[str]) -> list[str]:
    """The normal forms of many texts; those of plain ASCII at C speed."""
    if all(map(str.isascii, texts)):
        return list(map(str.strip, map(str.lower, texts)))
    return list(map(normal, texts))


def are_normal(joined: str) -> bool:
    """Whether texts that were joined without anything between them are all their normal forms.

    True is certain; the most common texts, lower-case ASCII without white space, pass.
    """
    signs = ascii_signs(joined)
    return signs is not None and not (signs <= 32).any() and are_lower(signs)


def are_lower(signs: Signs) -> bool:
    """Whether there is no capital letter among these."""
    return not ((signs - ord("A")) < 26).any()


def are_plain(joined: str) -> bool:
    """Whether no text among those joined has an odd character or a space; True is certain."""
    signs = ascii_signs(joined)
    if signs is None:
        return joined.isprintable() and " " not in joined
    return are_visible(signs)


def are_visible(signs: Signs) -> bool:
    """Whether all of these are seen, and none is a space."""
    return not len(signs) or bool(signs.min() > 32 and signs.max() < 127)


def ascii_signs(text: str) -> Signs | None:
    """The characters of a text as numbers, if all of them are ASCII."""
    return np.frombuffer(text.encode(), np.uint8) if text.isascii() else None


def is_odd(one: Id) -> bool:
    """Whether an id has characters that people do not see or do not mean."""
    return isinstance(one, str) and one != cleaned(one)


def cleaned(one: str) -> str:
    r"""The id without white space at its ends, without unseen characters, and with plain spaces.

    >>> cleaned(" a\u200b\tb ")
    'a b'
    """
    spaced = "".join(" " if sign.isspace() else sign for sign in one)
    return UNSEEN.sub("", spaced).strip()


def odd_signs(one: str) -> str:
    """The odd characters of an id by name, for a message."""
    ends = "white space at an end" if one != one.strip() else ""
    found = [sign for sign in one.strip() if sign != " " and (sign.isspace() or UNSEEN.match(sign))]
    names = [unicodedata.name(sign, f"U+{ord(sign):04X}") for sign in dict.fromkeys(found)]
    return ", ".join([*([ends] if ends else []), *names[:3]])
