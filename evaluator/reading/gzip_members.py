"""The content of gzip data, member after member.

The gzip module of Python takes ten microseconds for each member, and a megabyte may hold forty
thousand of them. Here zlib reads headers and compares checksums.
"""

import zlib
from typing import BinaryIO

GZIP = b"\x1f\x8b"
WITH_HEADER = 31
"""The argument by which zlib expects the header and the checksum of gzip."""
PART_BYTES = 1 << 13
"""What is read at a time; after a member, the rest of it is copied."""


class GzipMembers:
    """Reads the members of gzip data as one stream of bytes."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self._rest = b""
        self._member: zlib._Decompress | None = None

    def rewind(self) -> None:
        """Begin again."""
        self._raw.seek(0)
        self._rest, self._member = b"", None

    def read(self, size: int) -> bytes:
        """Return so many bytes, fewer only at the end.

        Raises:
            EOFError: The data ends within a member.
            zlib.error: The data is damaged.
        """
        parts: list[bytes] = []
        while size > 0:
            member = self._member or self._begin_member()
            if member is None:
                break
            part = self._read_member(member, size)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _begin_member(self) -> "zlib._Decompress | None":
        """Begin the next member; None at the end of the data. Zeros may come before it."""
        while len(self._rest) < len(GZIP):
            more = self._raw.read(PART_BYTES)
            self._rest = (self._rest + more).lstrip(b"\0")
            if not more:
                break
        if not self._rest:
            return None
        if not self._rest.startswith(GZIP):
            raise zlib.error("no gzip data after a member")
        self._member = zlib.decompressobj(WITH_HEADER)
        return self._member

    def _read_member(self, member: "zlib._Decompress", size: int) -> bytes:
        """Return at most so many bytes of a member; none at its end, or before more is read."""
        part = member.decompress(self._rest, size)
        if member.eof:
            self._rest, self._member = member.unused_data.lstrip(b"\0"), None
        elif part:
            self._rest = member.unconsumed_tail
        else:
            self._rest = member.unconsumed_tail + self._raw.read(PART_BYTES)
            if not self._rest:
                raise EOFError("gzip data ends within a member")
        return part
