"""Which corpus and which texts the records of a data set were judged on."""

from array import array
from collections.abc import Mapping
from typing import Any

MOST_CORPORA = 1000
"""At most this many fingerprints are kept; a sound data set has one."""


class JudgedContent:
    """Content hashes and corpus fingerprints in records, kept as 16 bytes per judged id."""

    def __init__(self) -> None:
        self.corpora: set[str] = set()
        self._ids = array("q")
        self._contents = array("q")

    def add(self, record: Mapping[str, Any]) -> None:
        """Add the ``hashes`` and the ``corpus`` of a record."""
        hashes, corpus = record.get("hashes"), record.get("corpus")
        if isinstance(corpus, str) and len(self.corpora) < MOST_CORPORA:
            self.corpora.add(corpus)
        for name, content in hashes.items() if isinstance(hashes, Mapping) else ():
            if isinstance(content, str):
                self._ids.append(hash(name))
                self._contents.append(hash(content))

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
