"""Lines of a journal: JSON objects, each sealed with a checksum over all lines up to it.

A line that was cut, changed, removed, or moved breaks the chain of checksums.
"""

from hashlib import blake2b
from typing import Any

import orjson

CHECKSUM_BYTES = 8
SEAL = b',"checksum":"%s"}\n'
SEAL_LENGTH = len(SEAL % (b"0" * 2 * CHECKSUM_BYTES))


class Chain:
    """Seals lines one after another, or checks their seals."""

    def __init__(self) -> None:
        self._digest = blake2b(digest_size=CHECKSUM_BYTES)

    def seal(self, body: dict[str, Any]) -> bytes:
        """Return an object, which has a key, as the next line."""
        text = orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY)[:-1]
        self._digest.update(text)
        return text + self._seal()

    def open(self, line: bytes) -> Any | None:
        """Return the object of the next line; None if its seal is broken."""
        text, seal = line[:-SEAL_LENGTH], line[-SEAL_LENGTH:]
        before = self._digest.copy()
        self._digest.update(text)
        if seal != self._seal():
            self._digest = before
            return None
        return orjson.loads(text + b"}")

    def _seal(self) -> bytes:
        return SEAL % self._digest.hexdigest().encode()
