"""Formats of several files of one command: each is used for the files that it can hold."""

from collections.abc import Iterable, Mapping, Sequence

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.reading.options import Role


def choose_formats(roles: Sequence[Role | None], formats: Iterable[str] | None) -> list[str | None]:
    """Return the format of each file, by the role it has.

    Args:
        roles: What each file should hold; None: ground truth, results, or both.
        formats: Names of formats, each required for the files whose role it can hold.

    Raises:
        InputError: There is no such format, it fits no file, or two formats fit the same file.
    """
    if formats is None:
        return [None] * len(roles)
    held = _held_by(formats)
    chosen = [_choose_format(held, role) for role in roles]
    unused = held.keys() - {*chosen}
    if unused:
        raise _refuse(f"format={min(unused)!r} fits none of the files")
    return chosen


def _held_by(names: Iterable[str]) -> dict[str, frozenset[Role]]:
    """Return what a file of each format can hold."""
    from groupwise.evaluator.formats.registry import find_format  # noqa: PLC0415  (imports every format)

    return {name: find_format(name).holds for name in names}


def _choose_format(held: Mapping[str, frozenset[Role]], role: Role | None) -> str | None:
    fitting = [name for name, roles in held.items() if role is None or role in roles]
    if len(fitting) > 1:
        names = " and ".join(f"format={name!r}" for name in fitting)
        raise _refuse(f"{names} for one file; give one of them")
    return fitting[0] if fitting else None


def _refuse(message: str) -> InputError:
    return InputError([Problem(message)])
