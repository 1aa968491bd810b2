"""The names that ask for a score: any case, any alias, with or without the profile."""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

Spellings: TypeAlias = Mapping[str, tuple[str, ...]]
"""The names of the metric that ask for a score, in lower case, by its label."""

NO_SPELLINGS: Spellings = MappingProxyType({})
SPELLING = re.compile(r"(?P<name>[^(@]*+)(?:\((?P<parameters>[^()]*+)\))?\s*+(?:@(?P<cutoff>.*+))?")


class Parts(NamedTuple):
    """What a label consists of, written in one way."""

    name: str
    parameters: tuple[str, ...] = ()
    cutoff: str = ""


def find_label(name: str, labels: Iterable[str], spellings: Spellings) -> str | None:
    """Return the first label that this name asks for.

    >>> find_label("StRecall @5", ["ndcg@5", "recall@5"], {"recall@5": ("recall", "strecall")})
    'recall@5'
    """
    wanted = split_label(name)
    for label in labels:
        parts = split_label(label)
        names = (parts.name, *spellings.get(label, ()))
        if wanted.name in names and wanted[1:] == parts[1:]:
            return label
    return None


def split_label(label: str) -> Parts:
    """Return the parts of a label.

    >>> split_label("Coverage : nDCG( gain = linear, base=2.0 )@05")
    Parts(name='coverage:ndcg', parameters=('base=2', 'gain=linear'), cutoff='5')
    """
    match = SPELLING.fullmatch(label.strip().lower())
    if match is None:
        return Parts(label)
    pairs = (pair.partition("=") for pair in (match["parameters"] or "").split(","))
    given = (_plain(name.strip(), value.strip()) for name, sign, value in pairs if sign)
    cutoff = (match["cutoff"] or "").strip().lstrip("0")
    return Parts("".join(match["name"].split()), tuple(sorted(given)), cutoff)


def _plain(name: str, value: str) -> str:
    """Return a parameter, a number as labels have it; the label of a group is no number."""
    try:
        number = value if name == "label" else repr(float(value) + 0.0).removesuffix(".0")
    except ValueError:
        return f"{name}={value}"
    return f"{name}={number}"
