"""Which corpus and which texts the records of a data set were judged on."""

from array import array
from collections.abc import Iterable, Mapping
from typing import Any

MOST_CORPORA = 1000
"""At most this many fingerprints are kept; a sound data set has one."""


class JudgedContent:
    """Content hashes and corpus fingerprints in records, kept as 16 bytes per judged id."""

    def __init__(self) -> None:
        self.corpora: set[str] = set()
        self._ids = array("q")
        self._contents = array("q")

    def add(self, hashes: Iterable[Any], corpora: Iterable[Any]) -> None:
        """Add the ``hashes`` and the ``corpus`` of records."""
        for judged in hashes:
            if isinstance(judged, Mapping):
                self._add_hashes(judged)
        for corpus in corpora:
            if isinstance(corpus, str) and len(self.corpora) < MOST_CORPORA:
                self.corpora.add(corpus)

    def _add_hashes(self, judged: Mapping[Any, Any]) -> None:
        for name, content in judged.items():
            if isinstance(content, str):
                self._ids.append(hash(name))
                self._contents.append(hash(content))

    def merge(self, other: "JudgedContent") -> bool:
        """Add what other records were judged on; return whether all of it could be kept."""
        self.corpora |= other.corpora
        self._ids += other._ids  # noqa: SLF001  (of this class)
        self._contents += other._contents  # noqa: SLF001
        return len(self.corpora) < MOST_CORPORA

    def may_differ(self, contents: Mapping[int, tuple[str, ...]], *, ids_are_numbers: bool) -> bool:
        """Whether a judged text may differ from the content hashes that its id has now.

        ``contents`` is keyed by the hashes of ids. Those of whole numbers are not the hashes of the
        keys of a record's ``hashes``, which are strings: then nothing can be ruled out.
        """
        if not self._ids or ids_are_numbers:
            return bool(self._ids)
        now = {key: {*map(hash, hashes)} for key, hashes in contents.items()}
        judged = zip(self._ids, self._contents, strict=True)
        return any(content not in now.get(key, (content,)) for key, content in judged)
