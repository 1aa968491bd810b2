"""The page of formats, from their registry."""

from collections.abc import Iterator
from typing import get_args

from groupwise.evaluator.formats.losses import DESCRIPTIONS
from groupwise.evaluator.formats.registry import Carried, Format, list_formats

HEAD = """\
# Formats

Every command that takes a data file reads these formats, gzipped or not. The format is detected
from the content of the file, then from its name; `--from NAME` (in Python `format=NAME`) names it.
`groupwise convert IN OUT` converts between formats. Examples: [other
formats](../how-to/formats.md). Your own: [extend groupwise](../how-to/extend.md).
"""
ROLES = {"ground_truth": "ground truth", "run": "run", "corpus": "corpus"}
CARRYING = """\
## What a format carries

What survives when data is written and read again. If the target cannot carry everything, `convert`
lists what would be lost and writes only with `--lossy`. Formats without a writer are not listed.
"""
IDENTITY = """\
## What makes up an id

Two documents are the same if their ids are. A document that lacks a part of its id is reported, and
never taken for another one.
"""
NOTED = get_args(Carried)


def formats_page() -> str:
    """All formats: how they look, what becomes a group, and what they carry."""
    formats = list(list_formats().values())
    parts = [HEAD, *_table(formats), "", IDENTITY, *_identity(formats), "", CARRYING]
    return "\n".join([*parts, *_carrying(formats), "", *_legend()])


def _table(formats: list[Format]) -> Iterator[str]:
    yield "| name | format | holds | fields | groups, or order of results | written |"
    yield "|---|---|---|---|---|---|"
    for form in formats:
        holds = ", ".join(ROLES[role] for role in ROLES if role in form.holds)
        suffixes = ", ".join(f"`{suffix}`" for suffix in form.suffixes) or "with `--to`"
        written = suffixes if form.write else "no"
        title = form.title + (f" (extra `{form.extra}`)" if form.extra else "")
        yield f"| `{form.name}` | {title} | {holds} | {form.fields} | {form.groups} | {written} |"


def _identity(formats: list[Format]) -> Iterator[str]:
    yield "| name | id of a document |"
    yield "|---|---|"
    yield from (f"| `{form.name}` | {form.ids} |" for form in formats)


def _carrying(formats: list[Format]) -> Iterator[str]:
    written = [form for form in formats if form.write]
    yield f"| | {' | '.join(f'`{form.name}`' for form in written)} |"
    yield "|---|" + "---|" * len(written)
    for feature in NOTED:
        marks = ["yes" if feature in form.carries else "" for form in written]
        yield f"| {feature.replace('_', ' ')} | {' | '.join(marks)} |"


def _legend() -> Iterator[str]:
    yield "In detail:\n"
    for feature in NOTED:
        yield f"- *{feature.replace('_', ' ')}*: {DESCRIPTIONS[feature]}"
