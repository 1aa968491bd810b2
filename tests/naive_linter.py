"""The rules of ground truth and results once more: plain, slow, one query and one rule at a time.

Written from what the rules say (``groupwise rule``), for records as people write them. A place is
the JSON pointer into a list of records.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any, NamedTuple

UNSEEN = {"Cc", "Cf", "Zl", "Zp"}
Found = tuple[str, str | None, str | None]


class Listing(NamedTuple):
    id: Any
    pointer: str


class ListedGroup(NamedTuple):
    pointer: str
    ids: list[Listing]

    @property
    def values(self) -> set[Any]:
        return {one.id for one in self.ids}


def lint(records: list[dict[str, Any]], k: int = 10) -> "Counter[Found]":
    """Every finding: code, query and place."""
    found: list[Found] = []
    for number, record in enumerate(records):
        query = query_of(record)
        found += [(code, query, place) for code, place in of_record(record, f"/{number}", k)]
    return Counter([*found, *of_kinds(records), *of_all(records), *of_rankings(records)])


def query_of(record: dict[str, Any]) -> str | None:
    return str(record["id"]) if isinstance(record.get("id"), str | int) else None


def of_record(record: dict[str, Any], way: str, k: int) -> set[tuple[str, str]]:
    """What is wrong within a record; each rule once at each place."""
    broken = {*broken_shape(record, way)}
    return broken | {*after_shape(record, way, broken=bool(broken))} | {*odd(record, way, k)}


# What the shape must be


def broken_shape(record: dict[str, Any], way: str) -> Iterator[tuple[str, str]]:
    yield from broken_id(record, way)
    truth = record.get("ground_truth", [])
    place = f"{way}/ground_truth"
    if isinstance(truth, str):
        yield "GT006", place
    elif is_flat(truth):
        yield "GT018" if is_split(truth) else "GT005", place
    else:
        for number, group in enumerate(truth):
            yield from broken_group(group, f"{place}/{number}")
    yield from blanks(record.get("results", []), f"{way}/results")


def broken_id(record: dict[str, Any], way: str) -> Iterator[tuple[str, str]]:
    if "id" not in record:
        yield "GT002", way
    elif isinstance(record["id"], str) and not record["id"].strip():
        yield "GT002", f"{way}/id"
    elif not isinstance(record["id"], str | int):
        yield "IO006", f"{way}/id"


def is_flat(truth: list[Any]) -> bool:
    return bool(truth) and all(isinstance(one, str | int) for one in truth)


def broken_group(group: Any, way: str) -> Iterator[tuple[str, str]]:
    if isinstance(group, str):
        yield "GT006", way
    elif isinstance(group, int):
        yield "IO008", way
    elif isinstance(group, list):
        if not group:
            yield "GT004", way
        yield from blanks(group, way)
    elif "alternatives" in group:
        listed = group["alternatives"]
        if not listed or all(isinstance(one, dict) and one.get("grade") == 0 for one in listed):
            yield "GT004", f"{way}/alternatives"
    elif all(grade == 0 for grade in group.values()):
        yield "GT004", way


def blanks(ids: list[Any], way: str) -> Iterator[tuple[str, str]]:
    for number, one in enumerate(ids):
        if isinstance(one, str) and not one.strip():
            yield "GT002", f"{way}/{number}"


def after_shape(record: dict[str, Any], way: str, *, broken: bool) -> Iterator[tuple[str, str]]:
    """What can be said of a whole record only if its parts are sound."""
    truth = record.get("ground_truth")
    if truth == [] and record.get("answerable", True):
        yield "GT003", f"{way}/ground_truth"
    unbroken = not any(broken_shape({"id": "q", **part(record, "ground_truth")}, way))
    listed = [one.id for group in groups(record, way, all_of_them=True) for one in group.ids]
    if unbroken and mixed(listed):
        yield "IO006", f"{way}/ground_truth"
        broken = True
    if not any(blanks(record.get("results", []), "")) and mixed(record.get("results", [])):
        yield "IO006", f"{way}/results"
        broken = True
    if not broken and truth is None and "results" not in record and record.get("answerable", True):
        yield "GT003", way
    if not broken and truth and not record.get("answerable", True):
        yield "IO008", way
    if not broken and "scores" in record and len(record["scores"]) != len(record["results"]):
        yield "IO008", way


def part(record: dict[str, Any], name: str) -> dict[str, Any]:
    return {name: record[name]} if name in record else {}


def mixed(ids: list[Any]) -> bool:
    return len({type(one) for one in ids}) > 1


# Groups, as far as they can be understood


def groups(record: dict[str, Any], way: str, *, all_of_them: bool = False) -> list[ListedGroup]:
    truth = record.get("ground_truth", [])
    if isinstance(truth, str):
        return []
    listed = [
        ListedGroup(f"{way}/ground_truth/{n}", [*meeting(group, f"{way}/ground_truth/{n}",
                                                         zero=all_of_them)])
        for n, group in enumerate(truth)
    ]  # fmt: skip
    return [group for group in listed if group.ids]


def meeting(group: Any, way: str, *, zero: bool) -> Iterator[Listing]:
    """The ids of a group that meet it; with ``zero`` also those judged not relevant."""
    if isinstance(group, list):
        for number, one in enumerate(group):
            if isinstance(one, int) or one.strip():
                yield Listing(one, f"{way}/{number}")
    elif isinstance(group, dict) and "alternatives" in group:
        for number, one in enumerate(group["alternatives"]):
            if not isinstance(one, dict):
                yield Listing(one, f"{way}/alternatives/{number}")
            elif zero or one.get("grade", 1) > 0:
                yield Listing(one["id"], f"{way}/alternatives/{number}/id")
    elif isinstance(group, dict):
        for one, grade in group.items():
            if zero or grade > 0:
                yield Listing(one, f"{way}/{one}")


# What is odd


def odd(record: dict[str, Any], way: str, k: int) -> Iterator[tuple[str, str]]:
    found = groups(record, way)
    results = [
        Listing(one, f"{way}/results/{number}")
        for number, one in enumerate(record.get("results", []))
        if isinstance(one, int) or one.strip()
    ]
    for listed in (*(one for group in found for one in group.ids), *results):
        if is_odd(listed.id):
            yield "GT011", listed.pointer
    query = record.get("id")
    if isinstance(query, str) and query.strip() and is_odd(query):
        yield "GT011", f"{way}/id"
    yield from repeats("RN001", results)
    for rank, (before, after) in enumerate(pairwise(record.get("scores", [])), 1):
        if after > before:
            yield "RN005", f"{way}/scores/{rank}"
            break
    yield from split(record, found, way)
    if not whole_is_split(record, found):
        sound = [group for group in found if not is_split([one.id for one in group.ids])]
        yield from odd_groups(sound, f"{way}/ground_truth", k)


def is_odd(one: Any) -> bool:
    if not isinstance(one, str):
        return False
    unseen = any(unicodedata.category(sign) in UNSEEN for sign in one)
    return unseen or one != one.strip() or any(sign.isspace() and sign != " " for sign in one)


def repeats(code: str, listed: list[Listing]) -> Iterator[tuple[str, str]]:
    for number, one in enumerate(listed):
        if one.id in [earlier.id for earlier in listed[:number]]:
            yield code, one.pointer


def is_split(ids: list[Any]) -> bool:
    if len(ids) < 5 or not all(isinstance(one, str) and len(one) == 1 for one in ids):
        return False
    return ids != sorted(set(ids))


def whole_is_split(record: dict[str, Any], found: list[ListedGroup]) -> bool:
    alone = len(found) == len(record.get("ground_truth", [])) and all(
        len(group.ids) == 1 for group in found
    )
    return alone and is_split([group.ids[0].id for group in found])


def split(record: dict[str, Any], found: list[ListedGroup], way: str) -> Iterator[tuple[str, str]]:
    for group in found:
        if is_split([one.id for one in group.ids]):
            yield "GT018", group.pointer
    if whole_is_split(record, found):
        yield "GT018", f"{way}/ground_truth"


def odd_groups(found: list[ListedGroup], way: str, k: int) -> Iterator[tuple[str, str]]:
    for group in found:
        yield from repeats("GT007", group.ids)
        if len(group.values) > 20:
            yield "GT014", group.pointer
    if found and fewest_results(found) > k:
        yield "GT015", way
    kept = []
    for number, group in enumerate(found):
        if any(group.values == earlier.values for earlier in found[:number]):
            yield "GT008", group.pointer
        elif any(other.values < group.values for other in found):
            yield "GT009", group.pointer
        else:
            kept.append(group)
    if len(kept) > 1:
        yield from shared(kept, way)


def fewest_results(found: list[ListedGroup]) -> int:
    """How many documents meet all groups at least, by trying."""
    documents = sorted(set().union(*(group.values for group in found)), key=str)
    for size in range(1, len(found)):
        for chosen in combinations(documents, size):
            if all(group.values & set(chosen) for group in found):
                return size
    return len(found)


def shared(kept: list[ListedGroup], way: str) -> Iterator[tuple[str, str]]:
    """The most telling of three rules."""
    pairs = [*combinations(kept, 2)]
    overlapping = [pair for pair in pairs if pair[0].values & pair[1].values]
    if set.intersection(*(group.values for group in kept)):
        yield "GT016", way
    elif len(kept) > 2 and len(overlapping) >= len(pairs) / 2:
        yield "GT017", way
    else:
        for one in set().union(*(group.values for group in kept)):
            homes = [group for group in kept if one in group.values]
            if len(homes) > 1:
                yield "GT010", next(each.pointer for each in homes[1].ids if each.id == one)


# What only all records together show


def of_kinds(records: list[dict[str, Any]]) -> Iterator[Found]:
    """Each list of ids that is of another kind than the first one; mixtures are told otherwise."""
    first = None
    for number, record in enumerate(records):
        listed = [one.id for group in groups(record, "") for one in group.ids]
        results = [one for one in record.get("results", []) if isinstance(one, int) or one.strip()]
        for ids in (listed, results):
            if len({type(one) for one in ids}) == 1:
                first = first or type(ids[0])
                if type(ids[0]) is not first:
                    yield "IO006", query_of(record), f"/{number}"


def of_all(records: list[dict[str, Any]]) -> Iterator[Found]:
    queries: set[str] = set()
    texts: set[str] = set()
    spellings: dict[str, list[str]] = {}
    for number, record in enumerate(records):
        query, text = query_of(record), normal(record.get("query") or "")
        if query is not None and query in queries:
            yield "GT001", query, f"/{number}/id"
        queries |= {query} if query is not None else set()
        if text and text in texts:
            yield "GT013", query, f"/{number}/query"
        texts.add(text)
        for group in groups(record, f"/{number}"):
            for one in group.ids:
                seen = spellings.setdefault(normal(one.id), []) if isinstance(one.id, str) else []
                if isinstance(one.id, str) and one.id not in seen:
                    seen.append(one.id)
                    if len(seen) > 1:
                        yield "GT012", query, one.pointer


def normal(text: str) -> str:
    return unicodedata.normalize("NFC", text.strip().casefold())


def of_rankings(records: list[dict[str, Any]]) -> Iterator[Found]:
    depths = sorted(len(ids) for record in records if (ids := understood(record)))
    median = depths[len(depths) // 2] if depths else 0
    for number, record in enumerate(records):
        depth = len(understood(record))
        if depth and (depth * 10 <= median or depth >= median * 10):
            yield "RN006", query_of(record), f"/{number}/results"
    scored = [record["scores"] for record in records if record.get("scores")]
    tied = [row for row in scored if len(set(row)) < len(row)]
    if tied and 2 * len(tied) >= len(scored):
        yield "RN005", None, None
    whole = not any(is_unsound(record) for record in records)
    if whole and depths and any(groups(record, "") for record in records) and not meets(records):
        yield "RN004", None, None


def understood(record: dict[str, Any]) -> list[Any]:
    return [one for one in record.get("results", []) if isinstance(one, int) or one.strip()]


def is_unsound(record: dict[str, Any]) -> bool:
    broken = any(broken_shape(record, ""))
    later = {*after_shape(record, "", broken=broken)} - {("GT003", "/ground_truth")}
    return broken or bool(later)


def meets(records: list[dict[str, Any]]) -> bool:
    return any(
        one.id in understood(record)
        for record in records
        for group in groups(record, "")
        for one in group.ids
    )
