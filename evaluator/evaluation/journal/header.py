"""The first line of a journal: what its entries depend on, and must not change."""

from collections.abc import Mapping
from typing import Any

from groupwise.evaluator.evaluation.journal.file import OTHER_FILE, SCHEMA, JournalFile
from groupwise.evaluator.evaluation.partial import Setup
from groupwise.evaluator.text import cut
from groupwise.schemas.binding import find_version

LONGEST_VALUE = 120
NO_DIGESTS: Mapping[str, str] = {}
OTHER_RELEASE = (
    "begun by groupwise {before}, this is {now}; finish it with that version, delete it to begin "
    f"again, {OTHER_FILE}"
)
OTHER_KIND = f"this journal is one of {{before}}, not of {{now}}; name the right one, {OTHER_FILE}"
OTHER_SETTING = f"begun with {{before}}, now it is {{now}}; repeat the call as it was, {OTHER_FILE}"
OTHER_CONTENT = (
    "{role}: the content is not that which {journal} was begun with; evaluate the data as it was, "
    "or name another journal"
)


def describe_setup(setup: Setup) -> dict[str, Any]:
    """Return what the state of a partial depends on, under the names of arguments."""
    return {
        "profile": setup.profile,
        "metrics": [measure.label for measure in setup.measures],
        **vars(setup.policies),
        "matching": setup.matching.to_dict(),
        "by": list(setup.by),
        "confidence": setup.confidence,
        "ceilings": sorted(setup.ceilings),
        "per_query": setup.per_query,
        "gates": setup.gated,
    }


def agree_on_header(
    file: JournalFile,
    found: Any,
    kind: str,
    settings: Mapping[str, Any],
    digests: Mapping[str, str] = NO_DIGESTS,
) -> None:
    """Write the header of a new journal; compare that of an old one.

    Args:
        file: The journal.
        found: Its header; None if it has none yet.
        kind: What it is a journal of.
        settings: What its entries depend on, by name.
        digests: Those of inputs that are compared as a whole, by role.

    Raises:
        InputError: The entries belong to something else; the message says what differs.
    """
    if found is None:
        known = {"schema": SCHEMA, "kind": kind, "groupwise": find_version()}
        file.append({**known, "settings": dict(settings), "inputs": dict(digests)})
        return
    if found.get("kind") != kind:
        raise file.refuse(OTHER_KIND.format(before=found.get("kind"), now=kind))
    if found.get("groupwise") != find_version():
        before = cut(str(found.get("groupwise")), LONGEST_VALUE)
        raise file.refuse(OTHER_RELEASE.format(before=before, now=find_version()))
    _compare_settings(file, found["settings"], settings)
    _compare_digests(file, found["inputs"], digests)


def _compare_settings(
    file: JournalFile, found: Mapping[str, Any], settings: Mapping[str, Any]
) -> None:
    for name in {**settings, **found}:
        before, now = found.get(name), settings.get(name)
        if before != now:
            shown = OTHER_SETTING.format(before=_spell(name, before), now=_spell(name, now))
            raise file.refuse(shown)


def _compare_digests(
    file: JournalFile, found: Mapping[str, Any], digests: Mapping[str, str]
) -> None:
    for role in {**digests, **found}:
        if found.get(role) != digests.get(role):
            raise file.refuse(OTHER_CONTENT.format(role=role, journal=file.name))


def _spell(name: str, value: Any) -> str:
    """Return a setting, as an argument is written.

    >>> _spell("by", ["type", "hops"]), _spell("confidence", None), _spell("missing", "skip")
    ("by=['type', 'hops']", 'no confidence', "missing='skip'")
    """
    if value is None or value is False or value == []:
        return f"no {name}"
    return name if value is True else cut(f"{name}={value!r}", LONGEST_VALUE)
