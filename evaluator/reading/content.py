"""The identity of content: which texts count as the same, and the hashes that stand for them.

Two texts have the same content if they are equal after Unicode composition (NFC), with every run of
white space as one space and none at the ends. Everything that stands for a content is a digest of
that normal form, and is written into data, so this is a promise; another rule needs other prefixes:

=================  ===============================================  ========================
``text_id``        ``text:`` and 20 hexadecimal digits of SHA-256   passages without an id
``content_hash``   16 hexadecimal digits of BLAKE2b                 documents that were judged
``Fingerprint``    ``gw1:``, documents, sum of BLAKE2b digests      a corpus
=================  ===============================================  ========================
"""

from collections.abc import Iterable
from hashlib import blake2b, sha256
from unicodedata import normalize

FINGERPRINT = "gw1"
BITS = 128
TEXT_ID_DIGITS = 20
"""80 bits: enough that no two passages of a corpus share an id."""


def normalise_text(text: str) -> str:
    r"""Return the normal form in which texts are compared.

    >>> normalise_text("  two\n words ")
    'two words'
    """
    # The plain space is the only printable white space, so most texts need no splitting.
    plain = text.isprintable() and "  " not in text
    collapsed = text.strip() if plain else " ".join(text.split())
    return collapsed if collapsed.isascii() else normalize("NFC", collapsed)


def text_id(text: str) -> str:
    """Return the id of a text that has none: the same content has the same id everywhere.

    >>> text_id("Paris is in  France. ") == text_id("Paris is in France.")
    True
    """
    return digest_id(normalise_text(text))


def passage_id(title: str, text: str) -> str:
    """Return the id of a passage with a title: that of the title, a space, and the text."""
    return text_id(f"{title} {text}")


def digest_id(normal: str) -> str:
    """Return the id of a text that is already in its normal form."""
    return f"text:{sha256(_encode(normal)).hexdigest()[:TEXT_ID_DIGITS]}"


def content_hash(text: str) -> str:
    """Return the content hash of a text.

    >>> content_hash("two words") == content_hash(" two  words ")
    True
    """
    return hash_normal(normalise_text(text))


def hash_normal(normal: str) -> str:
    """Return the content hash of a text that is already in its normal form."""
    return blake2b(_encode(normal), digest_size=8).hexdigest()


class Fingerprint:
    """Computes the fingerprint of a corpus from its documents, in any order.

    It consists of the number of documents and the sum of their hashes, so order does not matter and
    no document is kept. A document without a text differs from one with an empty text.
    """

    def __init__(self) -> None:
        self._documents = 0
        self._sum = 0

    def add(self, ids: Iterable[object], normals: Iterable[str]) -> None:
        """Add documents with their texts in normal form."""
        self._take([f"{len(key)}:{key}:{text}" for key, text in zip(map(str, ids), normals)])  # noqa: B905

    def add_ids(self, ids: Iterable[object]) -> None:
        """Add documents that have no text."""
        self._take([f"{len(key)}:{key}" for key in map(str, ids)])

    def _take(self, documents: list[str]) -> None:
        digests = [
            blake2b(data, digest_size=BITS // 8).digest() for data in map(_encode, documents)
        ]
        self._documents += len(digests)
        self._sum = (self._sum + sum(map(int.from_bytes, digests))) % (1 << BITS)

    def __str__(self) -> str:
        return f"{FINGERPRINT}:{self._documents}:{self._sum:032x}"


class NoFingerprint(Fingerprint):
    """A null object for callers that need no fingerprint."""

    def add(self, ids: Iterable[object], normals: Iterable[str]) -> None:
        """Ignore documents."""

    def add_ids(self, ids: Iterable[object]) -> None:
        """Ignore documents."""

    def __str__(self) -> str:
        return ""


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
