"""The page of formats, from their registry."""

from collections.abc import Iterator
from typing import get_args

from groupwise.evaluator.formats.losses import DESCRIPTIONS
from groupwise.evaluator.formats.registry import Carried, Format, list_formats

HEAD = """\
# Formats

Every command that takes a data file takes these, also compressed with gzip. A format is told by the
content of the file, then by its name; `--from NAME` (in Python `read(path, format=NAME)`) insists.
`groupwise convert IN OUT` writes one as another. How to use them is told in
[other formats](../how-to/formats.md).
"""
ROLES = {"ground_truth": "ground truth", "run": "run", "corpus": "corpus"}
CARRYING = """\
## What a format carries

What comes back when data is written and read again. `convert` lists what the target cannot carry
before it writes anything, and needs `--lossy` then. Formats without a writer are not in this table.
"""
NOTED = get_args(Carried)


def formats_page() -> str:
    """All formats: how they look, what becomes a group, and what they carry."""
    formats = list(list_formats().values())
    return "\n".join([HEAD, *_table(formats), "", CARRYING, *_carrying(formats), "", *_legend()])


def _table(formats: list[Format]) -> Iterator[str]:
    yield "| name | format | holds | fields | groups, or order of results | written |"
    yield "|---|---|---|---|---|---|"
    for one in formats:
        holds = ", ".join(ROLES[role] for role in ROLES if role in one.holds)
        endings = ", ".join(f"`{suffix}`" for suffix in one.suffixes) or "with `--to`"
        written = endings if one.write else "no"
        title = one.title + (f" (extra `{one.extra}`)" if one.extra else "")
        yield f"| `{one.name}` | {title} | {holds} | {one.fields} | {one.groups} | {written} |"


def _carrying(formats: list[Format]) -> Iterator[str]:
    written = [one for one in formats if one.write]
    yield f"| | {' | '.join(f'`{one.name}`' for one in written)} |"
    yield "|---|" + "---|" * len(written)
    for feature in NOTED:
        marks = ["yes" if feature in one.carries else "" for one in written]
        yield f"| {feature.replace('_', ' ')} | {' | '.join(marks)} |"


def _legend() -> Iterator[str]:
    yield "In other words:\n"
    for feature in NOTED:
        yield f"- *{feature.replace('_', ' ')}*: {DESCRIPTIONS[feature]}"
