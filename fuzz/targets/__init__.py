"""What takes bytes from outside, one target each: `list_targets` returns them all by name.

A target is called with any bytes. It returns a value, or raises one of the errors that it declares
as refusals; anything else is a finding. `files` has the readers of files, one per registered
format, and what is done with a file; `spellings` has texts such as names of metrics and gates;
`calls` has the compiled walk.
"""

from fuzz.targets import calls, files, spellings
from fuzz.targets.target import Room, Target


def list_targets(room: Room) -> dict[str, Target]:
    """Return all targets by name; those that need files write them into the room."""
    found = (*files.list_targets(room), *spellings.list_targets(room), *calls.list_targets())
    return {target.name: target for target in found}
