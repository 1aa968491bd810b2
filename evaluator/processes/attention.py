"""Other processes want attention while this one works as well: their results wait in pipes.

Whatever reads a part of a file calls for it now and then, between two blocks.
"""

from collections.abc import Callable
from contextvars import ContextVar

ATTEND: ContextVar[Callable[[], None] | None] = ContextVar("groupwise-attend", default=None)
"""What looks after other processes meanwhile; None: there are none, or this one does not work."""


def pay_attention() -> None:
    """Look after the other processes, if there are any."""
    attend = ATTEND.get()
    if attend is not None:
        attend()
