"""Which rules apply, in general and to a file.

Rules are selected by codes, by beginnings of codes, by names or by ALL. Where a rule is both
selected and ignored, the longer beginning wins: ``select=["GT"], ignore=["GT01"]`` leaves GT001 to
GT009, and ``select=["GT010"], ignore=["GT"]`` leaves GT010. On a tie, ignoring wins.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path, PurePath

from groupwise.evaluator.errors import OptionError, Problem
from groupwise.evaluator.text import suggest
from groupwise.evaluator.validation.rules.registry import every_rule
from groupwise.evaluator.validation.rules.rule import Rule

EVERY = "ALL"


def find_rules(word: str) -> list[Rule]:
    """Return the rules that a word stands for, in the order of their codes.

    >>> [rule.name for rule in find_rules("gt004")]
    ['empty-group']
    >>> len(find_rules("IO01"))
    1

    Raises:
        ValueError: The word names no rule; the message suggests the nearest codes and names.
    """
    prefix = get_prefix(word)
    found = [rule for rule in every_rule().values() if rule.code.startswith(prefix)]
    if not found:
        raise ValueError(f"no rule {word!r}; {_suggest(word)}")
    return found


def get_prefix(word: str) -> str:
    """Return the common beginning of the codes that a word stands for; blank for ALL."""
    name = word.strip()
    if name.upper() == EVERY:
        return ""
    by_name = {rule.name: rule.code for rule in every_rule().values()}
    return by_name.get(name.lower(), name.upper()) or "no code"


def _suggest(word: str) -> str:
    rules = every_rule().values()
    shown = {rule.code.lower(): repr(rule.code) for rule in rules}
    shown |= {rule.name: repr(rule.name) for rule in rules}
    otherwise = f"'groupwise rule' lists all {len(rules)}"
    return suggest(word, shown, shown=shown.__getitem__, most=3, otherwise=otherwise)


PerFile = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Selection:
    """The rules that apply; ``select_rules`` builds one and checks the words."""

    select: tuple[str, ...] = (EVERY,)
    ignore: tuple[str, ...] = ()
    per_file: PerFile = ()
    folder: str = "."
    _by_file: dict[str | None, frozenset[str]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def wants(self, code: str, file: str | None = None) -> bool:
        """Whether a rule applies to a file, or at all."""
        return code in self.list_codes(file)

    def list_codes(self, file: str | None = None) -> frozenset[str]:
        """Return the codes of all rules that apply to a file."""
        if file not in self._by_file:
            self._by_file[file] = frozenset(self._find_codes(file))
        return self._by_file[file]

    def _find_codes(self, file: str | None) -> Iterator[str]:
        ignored_here = [
            word for glob, words in self.per_file for word in words if self._fits(file, glob)
        ]
        for code in every_rule():
            selected = _get_specificity(code, self.select)
            is_ignored_here = _get_specificity(code, ignored_here) >= 0
            if selected > _get_specificity(code, self.ignore) and not is_ignored_here:
                yield code

    def _fits(self, file: str | None, glob: str) -> bool:
        """Whether a glob fits a file: its path within the folder, or its name."""
        if file is None:
            return False
        path = _relate(file, self.folder)
        return fnmatchcase(path, glob) or fnmatchcase(PurePath(path).name, glob)


def select_rules(
    select: Iterable[str] | Selection | None = None,
    ignore: Iterable[str] = (),
    per_file: Mapping[str, Iterable[str]] | None = None,
    folder: str | os.PathLike[str] = ".",
) -> Selection:
    """Return a selection whose words have been checked.

    Args:
        select: Codes, beginnings of codes, names, or ALL; None: all rules. A selection is returned
            as it is.
        ignore: The rules to leave out, in the same words.
        per_file: By glob, the rules to leave out in the files that it fits.
        folder: The folder that globs are relative to.

    Raises:
        OptionError: One of the words names no rule.
    """
    if isinstance(select, Selection):
        return select
    by_glob = (per_file or {}).items()
    return Selection(
        (EVERY,) if select is None else _check_words(select),
        _check_words(ignore),
        tuple((glob.removeprefix("./"), _check_words(words)) for glob, words in by_glob),
        os.fspath(folder),
    )


def _check_words(words: Iterable[str]) -> tuple[str, ...]:
    checked = (words,) if isinstance(words, str) else tuple(words)
    for word in checked:
        try:
            find_rules(word)
        except ValueError as error:
            raise OptionError([Problem(str(error))]) from None
    return checked


def _get_specificity(code: str, words: Iterable[str]) -> int:
    """Return the length of the longest beginning that fits the code; -1 if none does."""
    prefixes = map(get_prefix, words)
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)


def _relate(file: str, folder: str) -> str:
    """Return the path of a file relative to the folder, if it lies within it."""
    path = Path(os.path.relpath(file, folder) if folder else file)
    return PurePath(file).as_posix() if ".." in path.parts else path.as_posix()
