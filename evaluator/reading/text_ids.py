"""Ids for texts that have none: the same text has the same id, wherever it is read.

White space is not told apart: runs of it count as one space, at either end as nothing.
"""

from hashlib import sha256

DIGITS = 20
"""Of the SHA-256 digest, in hexadecimal: 80 bits, so that no two passages of a corpus share one."""


def text_id(text: str) -> str:
    """The id of a text: ``text:`` and the beginning of its digest.

    Example:
        >>> text_id("Paris is in  France. ") == text_id("Paris is in France.")
        True
    """
    return digest_id(" ".join(text.split()))


def digest_id(text: str) -> str:
    """The same for a text that is taken as it is, white space and all."""
    return f"text:{sha256(text.encode()).hexdigest()[:DIGITS]}"


def passage_id(title: str, text: str) -> str:
    """The id of a passage with a title: that of the title, a space, and the text."""
    return text_id(f"{title} {text}")
