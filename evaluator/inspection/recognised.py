"""Files of a known format: what they hold, and the commands that take them."""

from collections.abc import Iterator, Sequence

from groupwise.evaluator.formats.registry import Format
from groupwise.evaluator.inspection.commands import RUN, TRUTH, spell_command
from groupwise.evaluator.inspection.proposals import FLATS
from groupwise.evaluator.inspection.trials import Held
from groupwise.evaluator.reading.detection import Sample
from groupwise.evaluator.reading.options import Role
from groupwise.schemas.inspection import Proposal

TREC = "the trec profile dissolves groups, so that it needs neither"
SUBTOPICS = "the second column is the group"


def propose_known(name: str, known: Format, held: Held, sample: Sample) -> Iterator[Proposal]:
    """Yield the commands for a file of a known format."""
    roles = held.roles or known.holds - {"corpus"}
    if not held.is_readable:
        yield Proposal(command=spell_command("validate", [name]), why="lists what is wrong with it")
    elif roles == {"corpus"} or not roles:
        command = spell_command("validate", [TRUTH], options=["--corpus", name])
        yield Proposal(command=command, why="documents, to check ground truth against")
    elif held.roles == {"ground_truth", "run"}:
        yield from _propose_flat(held, "evaluate", [name], [("validate", [name])])
    else:
        yield from _propose_roles(name, roles, held, sample, known)


def _propose_roles(
    name: str, roles: frozenset[Role], held: Held, sample: Sample, known: Format
) -> Iterator[Proposal]:
    is_open = len(roles - {"corpus"}) > 1
    if "ground_truth" in roles:
        if known.name == "trec-qrels" and _has_subtopics(sample):
            yield _propose(
                "validate", [name], ["--subtopics"], SUBTOPICS, [("evaluate", [name, RUN])]
            )
        yield from _propose_flat(held, "validate", [name], [("evaluate", [name, RUN])])
        if held.is_flat:
            yield _propose("evaluate", [name, RUN], ["--profile", "trec"], TREC)
    if "run" in roles:
        why = "if it is a run" if is_open else ""
        yield _propose("evaluate", [TRUTH, name], [], why)


def _propose(
    command: str,
    files: Sequence[str],
    options: Sequence[str],
    why: str,
    then: Sequence[tuple[str, Sequence[str]]] = (),
) -> Proposal:
    more = tuple(spell_command(*following, options=options) for following in then)
    return Proposal(command=spell_command(command, files, options=options), why=why, then=more)


def _propose_flat(
    held: Held, command: str, files: Sequence[str], then: Sequence[tuple[str, Sequence[str]]]
) -> Iterator[Proposal]:
    """Yield the command, or one for each way to read flat lists."""
    for flat, why in list(FLATS.items()) if held.is_flat else [(None, "")]:
        yield Proposal(
            command=spell_command(command, files, flat=flat), flat=flat, why=why,
            then=tuple(spell_command(*following, flat=flat) for following in then),
        )  # fmt: skip


def _has_subtopics(sample: Sample) -> bool:
    """Whether the second column of qrels differs between lines."""
    cells = [line.split() for line in sample.lines if not line.startswith(b"#")]
    return len({parts[1] for parts in cells if len(parts) == 4}) > 1
