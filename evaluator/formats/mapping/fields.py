"""Records of any shape, by naming the path to each field: ``--map query=inputs.question,…``."""

from collections.abc import Mapping

from groupwise.evaluator.errors import InputError, Problem
from groupwise.evaluator.formats.mapping.plan import Plan, build_plan
from groupwise.evaluator.reading.options import Options, Role
from groupwise.evaluator.text import suggest
from groupwise.schemas import Document, Query, RunQuery
from groupwise.schemas.values import CANONICAL

TARGETS: Mapping[Role | None, tuple[str, ...]] = {
    "ground_truth": tuple(Query.model_fields),
    "run": tuple(RunQuery.model_fields),
    "corpus": tuple(Document.model_fields),
    None: tuple(dict.fromkeys([*Query.model_fields, *RunQuery.model_fields])),
}
"""Our fields that records of each role can have."""
PART_OF_METADATA = "metadata."
"""What precedes the name of a part of the metadata, as in ``metadata.type``."""
COMMA, NO_COMMA = "[,]", "[\0]"
"""A comma that separates ids, and what stands for it while fields are separated by commas."""


def parse_map(text: str) -> dict[str, str]:
    """Return the path to each field, from ``field=path`` separated by commas.

    Raises:
        ValueError: The text is malformed, or there is no such field.
    """
    paths: dict[str, str] = {}
    for part in text.replace(COMMA, NO_COMMA).split(","):
        name, sign, path = (piece.strip() for piece in part.partition("="))
        if not (name and sign and path):
            expected = "expected FIELD=PATH, such as query=inputs.question"
            raise ValueError(f"{expected}, got {part.strip()!r}")
        target = check_field(name)
        path = path.replace(NO_COMMA, COMMA)
        _add_path(paths, target, path)
        build_plan({target: path})
    return paths


def _add_path(paths: dict[str, str], name: str, path: str) -> None:
    if paths.setdefault(name, path) != path:
        raise ValueError(f"{name} is given twice: {paths[name]!r} and {path!r}")


def check_field(name: str, targets: tuple[str, ...] = TARGETS[None]) -> str:
    """Return the canonical name of a field.

    Raises:
        ValueError: There is no such field.
    """
    canonical = CANONICAL.get(name, name)
    if not is_target(canonical, targets):
        raise ValueError(f"no field {name!r}; {suggest(name, targets)}")
    return canonical


def is_target(name: str, targets: tuple[str, ...]) -> bool:
    """Whether records have this field, or metadata with such a part."""
    is_part = name.startswith(PART_OF_METADATA) and name != PART_OF_METADATA
    return name in targets or (is_part and "metadata" in targets)


def choose_paths(options: Options) -> Mapping[str, str]:
    """Return the path to each field of a file's role; none if the map is for another file.

    Raises:
        InputError: The map names an unknown field.
    """
    own = TARGETS[options.role]
    known = own if options.role == "corpus" else TARGETS[None]
    try:
        paths: dict[str, str] = {}
        for name, path in options.fields.items():
            _add_path(paths, check_field(name, known), path)
    except ValueError as error:
        raise InputError([Problem(f"map: {error}")]) from None
    chosen = {name: path for name, path in paths.items() if is_target(name, own)}
    return chosen if chosen.keys() - {"id"} else {}


def plan_fields(paths: Mapping[str, str], options: Options) -> Plan:
    """Return the plan of the paths of a file.

    Raises:
        InputError: A path is malformed, or they lead to records in different places.
    """
    try:
        return build_plan(paths, options.fields.get("query"))
    except ValueError as error:
        raise InputError([Problem(f"map: {error}")]) from None
