"""An inspection for people, and as JSON: text from the file is shown without control characters."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from groupwise.evaluator.reading.writing import dump_line
from groupwise.evaluator.reporting.forms import Form, Forms
from groupwise.evaluator.text import apply_style, plural, printable, shorten
from groupwise.schemas.inspection import InspectedField, Inspection, Proposal

Paint: TypeAlias = Callable[[str, str], str]
PLAIN_WIDTH = 100
HEAD = ("field", "type", "example", "could be")
LONGEST = {"field": 40, "type": 28, "could be": 28}
SHORTEST_EXAMPLE = 12
ROLES = {"ground_truth": "ground truth", "run": "a run", "corpus": "a corpus"}


def render(inspection: Inspection, width: int = PLAIN_WIDTH, *, colour: bool = False) -> str:
    """Return what the file is, its fields, and the commands to go on with."""
    paint = apply_style if colour else _leave
    parts = [
        [paint(_describe(inspection), "bold")],
        list(_list_fields(inspection.fields, width, paint)) if inspection.fields else [],
        list(_list_proposals(inspection.proposals, paint)) if inspection.proposals else [],
        [f"note: {printable(note)}" for note in inspection.notes],
    ]
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in parts if lines)


def render_json(inspection: Inspection) -> str:
    """Return the inspection as a JSON object on one line: the data unchanged."""
    return f"{dump_line(inspection.to_dict())}\n"


def _leave(text: str, _style: str) -> str:
    return text


def _describe(inspection: Inspection) -> str:
    """Return what the file is, and how much of it was looked at."""
    title = printable(inspection.title)
    if inspection.format:
        held = " and ".join(ROLES[role] for role in inspection.holds)
        title = f"{title} ({inspection.format}): {held}"
    extent = f"; {_describe_extent(inspection)}" if inspection.records else ""
    return f"{printable(inspection.file)}: {title}{extent}"


def _describe_extent(inspection: Inspection) -> str:
    seen = plural(inspection.records, "record")
    if inspection.whole:
        return f"{seen}, all of them seen"
    return f"only the beginning was looked at, {seen}"


def _list_fields(fields: tuple[InspectedField, ...], width: int, paint: Paint) -> Iterator[str]:
    rows = [HEAD, *map(_list_cells, fields)]
    sizes = [max(len(row[at]) for row in rows) for at in range(len(HEAD))]
    room = width - 2 - 2 * (len(HEAD) - 1) - sum(sizes) + sizes[2]
    sizes[2] = min(sizes[2], max(SHORTEST_EXAMPLE, room))
    for number, row in enumerate(rows):
        cells = [shorten(cell, size).ljust(size) for cell, size in zip(row, sizes, strict=True)]
        line = f"  {'  '.join(cells)}".rstrip()
        yield line if number else paint(line, "dim")


def _list_cells(field: InspectedField) -> tuple[str, str, str, str]:
    return (
        shorten(field.path, LONGEST["field"]),
        shorten(field.type, LONGEST["type"]),
        printable(field.example),
        shorten(", ".join(field.could_be), LONGEST["could be"]),
    )


def _list_proposals(proposals: tuple[Proposal, ...], paint: Paint) -> Iterator[str]:
    """Yield each command on a line of its own, however long, so that it can be copied."""
    yield "go on with:" if len(proposals) == 1 else "go on with one of these:"
    for proposal in proposals:
        yield ""
        if proposal.why:
            yield f"  {printable(proposal.why)}"
        for command in (proposal.command, *proposal.then):
            yield f"    {paint(printable(command), 'met')}"


INSPECTION_FORMS: Forms[Inspection] = Forms(
    Form("table", render, (".txt",)), Form("json", render_json, (".json",))
)
