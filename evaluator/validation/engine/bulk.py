"""Plain records checked in bulk: which of them need to be looked at one by one.

Most records break no rule. A few passes at C speed over a whole batch show that, and only the
records of a batch that does not pass are looked at.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from groupwise.evaluator.intake.bulk import Plain
from groupwise.evaluator.validation.engine.normalisation import are_plain
from groupwise.evaluator.validation.rules.truth_rules import MANY_ALTERNATIVES, SPLIT_IDS
from groupwise.schemas import Id


def suspects(plain: Plain, k: int) -> set[int]:
    """The numbers of the records that may break a rule; the others certainly do not."""
    truths = plain.columns.get("ground_truth", [])
    results = plain.columns.get("results", [])
    scores = plain.columns.get("scores", [])
    return {
        *_odd(plain.ids, ([one] for one in plain.ids)),
        *_of_truths(truths, k),
        *_of_rankings(results),
        *(number for number, row in enumerate(scores) if row != sorted(row, reverse=True)),
    }


def _of_truths(truths: list[list[list[Id]]], k: int) -> set[int]:
    groups = list(chain.from_iterable(truths))
    flat = list(chain.from_iterable(groups))
    found = {number for number, truth in enumerate(truths) if not truth or len(truth) > k}
    if groups and max(map(len, groups)) > MANY_ALTERNATIVES:
        found |= _any(truths, lambda group: len(group) > MANY_ALTERNATIVES)
    if len(set(flat)) != len(flat):
        found |= {number for number, truth in enumerate(truths) if _repeats(truth)}
    found |= _odd(flat, (list(chain.from_iterable(truth)) for truth in truths))
    return found | _split(truths, groups)


def _any(truths: list[list[list[Id]]], holds: Any) -> set[int]:
    return {number for number, truth in enumerate(truths) if any(map(holds, truth))}


def _repeats(truth: list[list[Id]]) -> bool:
    return len(set(chain.from_iterable(truth))) != sum(map(len, truth))


def _split(truths: list[list[list[Id]]], groups: list[list[Id]]) -> set[int]:
    """Where ids may have been split into characters: five of one character, in a row."""
    if max(map(len, groups), default=0) >= SPLIT_IDS:
        found = _any(truths, lambda group: len(group) >= SPLIT_IDS and _are_short(group))
    else:
        found = set()
    if max(map(len, truths), default=0) >= SPLIT_IDS:
        many = ((n, truth) for n, truth in enumerate(truths) if len(truth) >= SPLIT_IDS)
        found |= {n for n, truth in many if _are_short(list(chain.from_iterable(truth)))}
    return found


def _are_short(ids: list[Id]) -> bool:
    return all(type(one) is str and len(one) == 1 for one in ids)


def _odd(flat: list[Any], rows: Iterable[list[Any]]) -> set[int]:
    """Where ids may have odd characters; a plain space within an id is looked at, and passes."""
    if not flat or type(flat[0]) is int or are_plain("".join(flat)):
        return set()
    return {number for number, row in enumerate(rows) if not _is_clean(row)}


def _is_clean(ids: list[str]) -> bool:
    return "".join(ids).isprintable() and ids == list(map(str.strip, ids))


def _of_rankings(results: list[list[Id]]) -> set[int]:
    repeating = {
        number
        for number, (row, distinct) in enumerate(
            zip(results, map(len, map(set, results)), strict=True)
        )
        if distinct != len(row)
    }
    return repeating | _odd(list(chain.from_iterable(results)), results)
