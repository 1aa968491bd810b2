"""What arrives at the other end of a connection is what was sent, arrays of any size included."""

import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import pytest

from groupwise.evaluator.processes import messages
from groupwise.evaluator.processes.messages import LARGE, Message, pack_message, receive_message

VALUES: dict[str, Any] = {
    "none": None,
    "text": ("note", {"a": [1, 2.5]}),
    "small array": np.arange(5),
    "no items": [np.zeros(0), np.zeros((0, 7))],
    "at the border": [np.arange(LARGE // 8), np.arange(LARGE // 8 - 1)],
    "larger than a pipe": np.arange(3_000_000, dtype=np.int32).reshape(3, -1),
    "several": {"a": np.full(LARGE, 7, np.uint8), "b": [np.arange(LARGE), np.arange(LARGE) > 3]},
    "the same twice": [array := np.arange(LARGE), array],
    "by columns": np.asfortranarray(np.arange(2 * LARGE).reshape(2, -1)),
    "every other": np.arange(2 * LARGE)[::2],
    "objects": np.array(["x", None] * LARGE, dtype=object),
}


@pytest.fixture(params=[True, False], ids=["files", "no files"])
def pipe(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return both ends of a pipe; without files, all is pickled."""
    monkeypatch.setattr(messages, "HAS_FILES", request.param)
    near, far = Pipe()
    yield near, far
    near.close()
    far.close()


def exchange(message: Message, near: Connection, far: Connection) -> Any:
    """Send a message, and return what is received: both at once, as a pipe is small."""
    sender = threading.Thread(target=message.send, args=(far,))
    sender.start()
    value = receive_message(near)
    sender.join()
    return value


@pytest.mark.parametrize("name", VALUES)
def test_values_arrive_as_they_were_sent(name: str, pipe: tuple[Connection, Connection]) -> None:
    value = exchange(pack_message(VALUES[name]), *pipe)
    np.testing.assert_equal(value, VALUES[name])
    assert exchange(pack_message("the next"), *pipe) == "the next"


def test_arrays_that_arrive_can_be_changed(pipe: tuple[Connection, Connection]) -> None:
    value = exchange(pack_message([np.arange(9), np.arange(LARGE)]), *pipe)
    for received in value:
        received[-1] = 7
    assert [received[-1] for received in value] == [7, 7]


def test_large_arrays_are_not_in_the_pickle() -> None:
    message = pack_message(("done", np.arange(10 * LARGE)))
    assert len(message.head) < 1000
    assert [array.nbytes for array in message.arrays] == [80 * LARGE]


def test_the_end_in_the_middle_of_an_array_is_an_end() -> None:
    near, far = Pipe()
    message = pack_message(np.arange(LARGE))
    far.send_bytes(message.head)
    far.close()
    with near, pytest.raises(EOFError):
        receive_message(near)
