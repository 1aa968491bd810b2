"""Messages between processes: pickled, but for large arrays, whose content is sent as it is.

So it is copied once on its way, and not into a pickle and out of it as well.
"""

import io
import os
import pickle
from array import array
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from typing import Any, NamedTuple

HAS_FILES = hasattr(os, "readv")
"""Whether connections are files; where they are not, all arrays are pickled."""
LARGE = 1 << 16
"""From so many bytes on an array is sent by itself."""
SIZE_BYTES = array("q").itemsize


class Message(NamedTuple):
    """A pickled value with the sizes of large arrays and their number, and their content."""

    head: bytes
    arrays: list[memoryview]

    def send(self, connection: Connection) -> None:
        """Send it, whole."""
        connection.send_bytes(self.head)
        for content in self.arrays:
            _write(connection.fileno(), content)


def pack_message(value: Any) -> Message:
    """Return the message with a value."""
    arrays: list[memoryview] = []

    def is_pickled(content: pickle.PickleBuffer) -> bool:
        raw = content.raw()
        is_large = HAS_FILES and raw.nbytes >= LARGE
        arrays.extend([raw] if is_large else [])
        return not is_large

    file = io.BytesIO()
    ForkingPickler(file, 5, True, is_pickled).dump(value)  # noqa: FBT003  (by position only)
    file.write(array("q", [*(raw.nbytes for raw in arrays), len(arrays)]).tobytes())
    return Message(file.getvalue(), arrays)


def receive_message(connection: Connection) -> Any:
    """Return the next value.

    Raises:
        EOFError: The connection has ended, also in the middle of a message.
    """
    head = connection.recv_bytes()
    (count,) = array("q", head[-SIZE_BYTES:])
    sizes = array("q", head[-(count + 1) * SIZE_BYTES : -SIZE_BYTES])
    buffers = [_read(connection.fileno(), size) for size in sizes]
    return pickle.loads(head, buffers=buffers)  # noqa: S301  (a process of ours sent it)


def _write(target: int, data: memoryview) -> None:
    while data.nbytes:
        data = data[os.write(target, data) :]


def _read(source: int, size: int) -> bytearray:
    content = bytearray(size)
    rest = memoryview(content)
    while rest.nbytes:
        count = os.readv(source, [rest])
        if not count:
            raise EOFError
        rest = rest[count:]
    return content
