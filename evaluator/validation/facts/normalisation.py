"""Normal forms of ids and texts, and ids without odd characters."""

import unicodedata

from groupwise.evaluator.text import UNSEEN


def normalise(text: str) -> str:
    """Return the text after NFC, trimming and case folding.

    >>> normalise(" Doc-1")
    'doc-1'
    """
    folded = text.strip().casefold()
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded)


def has_odd_characters(value: object) -> bool:
    """Whether an id has characters that people do not see or do not mean."""
    return isinstance(value, str) and value != clean_id(value)


def clean_id(value: str) -> str:
    r"""Return the id trimmed, without unseen characters, and with plain spaces.

    >>> clean_id(" a\u200b\tb ")
    'a b'
    """
    if value.isprintable() and value == value.strip() and not UNSEEN.search(value):
        return value
    spaced = "".join(" " if character.isspace() else character for character in value)
    return UNSEEN.sub("", spaced).strip()


def name_odd_characters(value: str) -> str:
    """Return the names of the odd characters of an id, for a message."""
    names = ["white space at an end"] if value != value.strip() else []
    odd = [sign for sign in value.strip() if sign != " " and (sign.isspace() or UNSEEN.match(sign))]
    names += [unicodedata.name(sign, f"U+{ord(sign):04X}") for sign in dict.fromkeys(odd)][:3]
    return ", ".join(names)
