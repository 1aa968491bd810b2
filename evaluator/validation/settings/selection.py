"""Which rules are wanted, in general and for a file.

Rules are named by codes, by beginnings of codes, by names or by ALL. Where a code is both selected
and ignored, the longer beginning wins: ``select=["GT"], ignore=["GT01"]`` leaves GT001 to GT009,
and ``select=["GT010"], ignore=["GT"]`` leaves GT010. Of two that are equally long, ignoring wins.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.evaluator.validation.settings.lookup import EVERY, find_rules, get_prefix

PerFile = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Selection:
    """What is wanted; build one with ``selection_of``, which checks the words."""

    select: tuple[str, ...] = (EVERY,)
    ignore: tuple[str, ...] = ()
    per_file: PerFile = ()
    folder: str = "."
    _known: dict[str | None, frozenset[str]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def wants(self, code: str, file: str | None = None) -> bool:
        """Whether a rule applies to a file, or at all."""
        return code in self.wanted(file)

    def wanted(self, file: str | None = None) -> frozenset[str]:
        """The codes of all rules that apply to a file."""
        if file not in self._known:
            self._known[file] = frozenset(self._wanted_in(file))
        return self._known[file]

    def _wanted_in(self, file: str | None) -> Iterator[str]:
        dropped = [word for glob, words in self.per_file for word in words if self._is(file, glob)]
        for code in every_rule():
            selected = _specificity(code, self.select)
            if selected > _specificity(code, self.ignore) and _specificity(code, dropped) < 0:
                yield code

    def _is(self, file: str | None, glob: str) -> bool:
        """Whether a file is meant by a glob: by its path within the folder, or by its name."""
        if file is None:
            return False
        path = _within(file, self.folder)
        return fnmatchcase(path, glob) or fnmatchcase(PurePath(path).name, glob)


def selection_of(
    select: Iterable[str] | None = None,
    ignore: Iterable[str] = (),
    per_file: Mapping[str, Iterable[str]] | None = None,
    folder: str | os.PathLike[str] = ".",
) -> Selection:
    """A selection, its words checked.

    Args:
        select: Codes, beginnings of codes, names, or ALL; without it all rules.
        ignore: What is left out of it.
        per_file: By glob, what is left out in files that the glob fits.
        folder: What the globs are relative to.

    Raises:
        ValueError: No rule goes by one of the words.
    """
    by_glob = (per_file or {}).items()
    return Selection(
        (EVERY,) if select is None else _checked(select),
        _checked(ignore),
        tuple((glob.removeprefix("./"), _checked(words)) for glob, words in by_glob),
        os.fspath(folder),
    )


def _checked(words: Iterable[str]) -> tuple[str, ...]:
    given = tuple(words)
    for word in given:
        find_rules(word)
    return given


def _specificity(code: str, words: Iterable[str]) -> int:
    """How long the longest beginning is that fits the code; -1 if none does."""
    prefixes = map(get_prefix, words)
    return max([len(one) for one in prefixes if code.startswith(one)], default=-1)


def _within(file: str, folder: str) -> str:
    """The path of a file as seen from the folder, where it is within it."""
    path = Path(os.path.relpath(file, folder) if folder else file)
    return PurePath(file).as_posix() if ".." in path.parts else path.as_posix()
