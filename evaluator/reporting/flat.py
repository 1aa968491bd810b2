"""Scores as a flat mapping for experiment trackers, under names that all of them accept.

MLflow allows letters, digits and ``_-./: `` in names of up to 250 characters, but no ``@``
(``mlflow.utils.validation``). Weights & Biases sorts and filters by names that GraphQL allows:
letters, digits and underscores, no digit first. Names here fit both.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from groupwise.schemas import Report, Slice

BETWEEN = "__"
"""Separates field, slice, metric and what it is; a single underscore separates words."""
LONGEST = 60
"""Of each part; four of them are shorter than MLflow's 250 characters."""
DIGEST = 8
OTHER = re.compile(r"[^A-Za-z0-9]+")


def flatten_report(report: Report) -> dict[str, float]:
    """Return scores, intervals and ranks, of slices as well; what has no value is left out."""
    spelled = spell_names([*report.scores, *report.ranks])
    flat = dict(_list_part(report, "", spelled))
    fields = spell_names(report.slices)
    for field, slices in report.slices.items():
        names = spell_names(slices)
        for name, part in slices.items():
            where = f"{fields[field]}{BETWEEN}{names[name]}{BETWEEN}"
            flat.update(_list_part(part, where, spelled))
    return {_begin(name): value for name, value in flat.items()}


def _begin(name: str) -> str:
    return f"_{name}" if name[0].isdigit() else name


def _list_part(
    part: Report | Slice, where: str, spelled: Mapping[str, str]
) -> Iterator[tuple[str, float]]:
    """Yield the values of all queries, or of a slice, by name."""
    for metric, parts in _list_values(part):
        for ending, value in parts.items():
            if value is not None:
                more = f"{BETWEEN}{ending}" if ending else ""
                yield f"{where}{spelled[metric]}{more}", float(value)


def _list_values(part: Report | Slice) -> Iterator[tuple[str, dict[str, float | None]]]:
    for metric, mean in part.scores.items():
        ends = part.intervals.get(metric)
        low, high = (None, None) if ends is None else (ends.low, ends.high)
        yield metric, {"": mean, "low": low, "high": high}
    for metric, ranks in part.ranks.items():
        counts = {"found": ranks.found, "not_found": ranks.not_found}
        yield metric, {"median": ranks.median, "worst": ranks.worst, **counts}


def spell_names(names: Iterable[str]) -> dict[str, str]:
    """Return each name in letters, digits and single underscores, no two of them alike.

    A name that is too long, that nothing is left of, or that another one would be spelled like,
    ends in a digest.

    >>> spell_names(["recall@5", "a b"]), spell_names(["a b", "a-b"])
    ({'recall@5': 'recall_at_5', 'a b': 'a_b'}, {'a b': 'a_b_c8687a08', 'a-b': 'a_b_d44362d6'})
    """
    words = {name: spell_words(name) for name in names}
    found = Counter(word.lower() for word in words.values())  # names can become those of files
    plain = {word for word in words.values() if found[word.lower()] == 1 and word}
    spelled = {
        name: word if word in plain and len(word) <= LONGEST else _add_digest(name, word)
        for name, word in words.items()
    }
    if len({word.lower() for word in spelled.values()}) == len(spelled):
        return spelled
    return {name: _hash(name)[: LONGEST - 1] for name in words}  # of names made to collide


def spell_words(text: str) -> str:
    """Return a text in letters, digits and underscores, which may be none.

    >>> spell_words("ndcg(gain=linear)@10"), spell_words("recall@2000t"), spell_words("Café 5")
    ('ndcg_gain_linear_at_10', 'recall_at_2000t', 'Cafe_5')
    """
    plain = unicodedata.normalize("NFKD", text.replace("@", " at "))
    return OTHER.sub("_", plain.encode("ascii", "ignore").decode()).strip("_")


def _add_digest(name: str, word: str) -> str:
    kept = word[: LONGEST - DIGEST - 1].strip("_")
    return f"{kept}_{_hash(name)[:DIGEST]}" if kept else _hash(name)[:DIGEST]


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
