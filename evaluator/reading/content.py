"""The identity of content: which texts count as the same, and the hashes that stand for them.

Two texts have the same content if they are equal after Unicode composition (NFC), with every run of
white space as one space and none at the ends. Everything that stands for a content is a SHA-256
digest of that normal form, and is written into data, so this is a promise:

=================  =========================================  ==========================
``text_id``        ``text:`` and 20 hexadecimal digits        passages without an id
``content_hash``   the same 20 digits                         documents that were judged
``Fingerprint``    ``gw2:``, documents, sum of digests        a corpus
``RecordsPrint``   ``gwr1:``, records, sum of digests         ground truth, or a run
=================  =========================================  ==========================

Version 0.1 wrote content hashes of 16 digits and fingerprints ``gw1:…``, both from BLAKE2b. They
are still read: ``hash_content`` returns the former hash beside the current one, and a
``Fingerprint`` of either version can be computed.
"""

from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b, sha256
from unicodedata import normalize

BYTES = 16
"""The length of the digests whose sum is a fingerprint."""

DIGITS = 20
"""80 bits: enough that no two passages of a corpus share an id."""

VERSION = "gw2"
RECORDS_VERSION = "gwr1"
CORPUS_VERSIONS = ("gw2", "gw1")


def _digest_16(data: bytes) -> bytes:
    return sha256(data).digest()[:BYTES]


DIGESTS: Mapping[str, Callable[[bytes], bytes]] = {
    VERSION: _digest_16,
    RECORDS_VERSION: _digest_16,
    "gw1": lambda data: blake2b(data, digest_size=BYTES).digest(),
}
"""The digest of a document in each version of fingerprints."""


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

    White space is collapsed, and characters are in Unicode's normal form C.

    Example:
        >>> text_id("Paris is in  France. ") == text_id("Paris is in France.")
        True
    """
    return digest_id(normalise_text(text))


def passage_id(title: str, text: str) -> str:
    """Return the id of a passage with a title: that of the title, a space, and the text.

    It is the id that groupwise gives to the passages of data sets that have none, such as MuSiQue.

    Example:
        >>> passage_id("River Senn", "The Senn is a river in Norland.")
        'text:45244758a54b9d63a6ae'
    """
    return text_id(f"{title} {text}")


def digest_id(normal: str) -> str:
    """Return the id of a text that is already in its normal form."""
    return f"text:{_digest(normal)}"


def content_hash(text: str) -> str:
    """Return the content hash of a text.

    >>> content_hash("two words") == content_hash(" two  words ")
    True
    """
    return _digest(normalise_text(text))


def hash_content(normal: str) -> tuple[str, str]:
    """Return the content hash of a text in its normal form, and the one that version 0.1 wrote."""
    return _digest(normal), blake2b(_encode(normal), digest_size=8).hexdigest()


def _digest(normal: str) -> str:
    return sha256(_encode(normal)).hexdigest()[:DIGITS]


def choose_versions(fingerprints: Iterable[str]) -> list[str]:
    """Return the versions in which a corpus is comparable with these fingerprints.

    >>> choose_versions(["gw1:3:0a32", "gw1:4:77c1"])
    ['gw1']
    """
    named = {fingerprint.partition(":")[0] for fingerprint in fingerprints}
    return [version for version in CORPUS_VERSIONS if version in named] or [VERSION] * bool(named)


class Fingerprint:
    """Computes the fingerprint of a corpus from its documents, in any order.

    It consists of the number of documents and the sum of their hashes, so order does not matter and
    no document is kept. A document without a text differs from one with an empty text.
    """

    def __init__(self, version: str = VERSION) -> None:
        self.version = version
        self._count = 0
        self._sum = 0

    def add(self, ids: Iterable[object], normals: Iterable[str]) -> None:
        """Add documents with their texts in normal form."""
        pairs = zip(map(str, ids), normals)  # noqa: B905
        self.add_records(_encode(f"{len(key)}:{key}:{text}") for key, text in pairs)

    def add_ids(self, ids: Iterable[object]) -> None:
        """Add documents that have no text."""
        self.add_records(_encode(f"{len(key)}:{key}") for key in map(str, ids))

    def add_records(self, contents: Iterable[bytes]) -> None:
        """Add records, each as the bytes of its content."""
        digests = [*map(DIGESTS[self.version], contents)]
        self._count += len(digests)
        self._sum = (self._sum + sum(map(int.from_bytes, digests))) % (1 << 8 * BYTES)

    def merge(self, other: "Fingerprint") -> None:
        """Add the documents of another part of the corpus."""
        self._count += other._count  # noqa: SLF001  (of the same class)
        self._sum = (self._sum + other._sum) % (1 << 8 * BYTES)  # noqa: SLF001

    def __str__(self) -> str:
        return f"{self.version}:{self._count}:{self._sum:032x}"


class RecordsPrint(Fingerprint):
    """Computes the fingerprint of ground truth or of a run from its records, in any order.

    What a record holds that counts as content, and how it is written as bytes, is up to the caller.
    """

    def __init__(self) -> None:
        super().__init__(RECORDS_VERSION)


def _encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
