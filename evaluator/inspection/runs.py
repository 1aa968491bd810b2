"""Ground truth and a run that belong together: the commands that evaluate them."""

from collections.abc import Iterator, Mapping, Sequence

from groupwise.evaluator.inspection.commands import spell_command
from groupwise.evaluator.inspection.proposals import NUMBERED
from groupwise.evaluator.inspection.trials import list_ids
from groupwise.evaluator.reading.options import AUTO
from groupwise.evaluator.reading.source import Source
from groupwise.schemas.inspection import Inspection, Proposal

RESULTS = "results"
NUMBER = "#"
NO_RUN = "{name} could not be read as a run; see groupwise inspect {name}"
OTHER_WAYS = "{name} can be read in {count} ways; see groupwise inspect {name}"


def add_run(truth: Inspection, source: Source, run: Inspection, results: Source) -> Inspection:
    """Return the inspection of ground truth with commands that evaluate a run.

    Args:
        truth: What was found in the ground truth.
        source: The ground truth, which may be a pipe that is read already.
        run: What was found in the run.
        results: The run.
    """
    maps = [dict(found.map) for found in run.proposals if RESULTS in found.map]
    if run.format is not None and "run" in run.holds:
        maps = [{}]
    proposals = list(truth.proposals)
    if len(maps) == 1:
        ids = list_ids(results, maps[0], None, "run")
        proposals = [
            _evaluate(_name_queries(found, source, ids), source.path, results.path, maps[0])
            if _is_truth(found)
            else found
            for found in proposals
        ]
    notes = [*_keep_notes(truth.notes, proposals), *run.notes, *_explain(run, maps)]
    return truth.model_copy(update={"proposals": tuple(proposals), "notes": tuple(notes)})


def _name_queries(found: Proposal, source: Source, run_ids: frozenset[str]) -> Proposal:
    """Return the proposal with the question as the id, if that is how the run names queries."""
    question = found.map.get("query")
    if found.map.get("id") != NUMBER or question is None:
        return found
    named = {**found.map, "id": question}
    if run_ids & list_ids(source, found.map, found.flat, "ground_truth"):
        return found
    if not run_ids & list_ids(source, named, found.flat, "ground_truth"):
        return found
    command = spell_command("validate", [source.path], named, found.flat)
    return found.model_copy(update={"map": named, "command": command})


def _keep_notes(notes: Sequence[str], proposals: Sequence[Proposal]) -> Iterator[str]:
    """Yield the notes; the one on numbers only if records are numbered."""
    are_numbered = any(found.map.get("id") == NUMBER for found in proposals)
    return (note for note in notes if are_numbered or not note.startswith(NUMBERED[:10]))


def _is_truth(found: Proposal) -> bool:
    return "validate" in found.command.split() and RESULTS not in found.map


def _evaluate(found: Proposal, path: str, run_path: str, run: Mapping[str, str]) -> Proposal:
    fields = merge_maps(found.map, run)
    command = spell_command("evaluate", [path, run_path], fields, found.flat)
    return found.model_copy(update={"then": (command,)})


def merge_maps(truth: Mapping[str, str], run: Mapping[str, str]) -> Mapping[str, str] | str:
    """Return one map for both files; ``auto``, which has one for each, if they disagree."""
    shared = truth.keys() & run.keys()
    if all(truth[field] == run[field] for field in shared):
        return {**truth, **run}
    return AUTO


def _explain(run: Inspection, maps: list[dict[str, str]]) -> Iterator[str]:
    if not maps:
        yield NO_RUN.format(name=run.file)
    elif len(maps) > 1:
        yield OTHER_WAYS.format(name=run.file, count=len(maps))
