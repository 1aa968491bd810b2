"""What counts as the content of a document, and the hashes that stand for it.

Two texts have the same content if they are equal after Unicode's composition (NFC), with every run
of white space as one space and none at the ends. The hashes are written into data sets, so this is
a promise: another rule needs another prefix than ``gw1``.
"""

from collections.abc import Iterable
from hashlib import blake2b
from unicodedata import normalize

FINGERPRINT = "gw1"
BITS = 128


def normalised(text: str) -> str:
    r"""The text as it is compared.

    >>> normalised("  two\n words ")
    'two words'
    """
    # Of white space, only the plain space is printable: most texts need no more than a look.
    plain = text.isprintable() and "  " not in text
    collapsed = text.strip() if plain else " ".join(text.split())
    return collapsed if collapsed.isascii() else normalize("NFC", collapsed)


def content_number(normal: str) -> int:
    """The content hash of a normalised text as a number below 2^64."""
    return int.from_bytes(blake2b(_bytes(normal), digest_size=8).digest())


def spelled(number: int) -> str:
    """A content hash as it is written: 16 hexadecimal digits."""
    return f"{number:016x}"


def content_hash(text: str) -> str:
    """The content hash of a text.

    >>> content_hash("two words") == content_hash(" two  words ")
    True
    """
    return spelled(content_number(normalised(text)))


class Fingerprint:
    """The fingerprint of a corpus, document by document, in any order.

    It is the number of documents and the sum of a hash of each one, so that order does not matter
    and nothing is kept. A document without a text differs from one with an empty text.
    """

    def __init__(self) -> None:
        self._documents = 0
        self._sum = 0

    def add(self, ids: Iterable[object], normals: Iterable[str]) -> None:
        """Add documents with their normalised texts."""
        self._take([f"{len(one)}:{one}:{text}" for one, text in zip(map(str, ids), normals)])  # noqa: B905

    def add_ids(self, ids: Iterable[object]) -> None:
        """Add documents that have no text."""
        self._take([f"{len(one)}:{one}" for one in map(str, ids)])

    def _take(self, documents: list[str]) -> None:
        digests = [blake2b(one, digest_size=BITS // 8).digest() for one in map(_bytes, documents)]
        self._documents += len(digests)
        self._sum = (self._sum + sum(map(int.from_bytes, digests))) % (1 << BITS)

    def __str__(self) -> str:
        return f"{FINGERPRINT}:{self._documents}:{self._sum:032x}"


class NoFingerprint(Fingerprint):
    """Where nobody asks for one, none is taken."""

    def add(self, ids: Iterable[object], normals: Iterable[str]) -> None:
        """Pass documents over."""

    def add_ids(self, ids: Iterable[object]) -> None:
        """Pass documents over."""

    def __str__(self) -> str:
        return ""


def _bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
