"""The page about a run, docs/explanation/how-other-evaluators-differ.md."""

import json
import platform
import textwrap
from collections.abc import Iterator, Mapping
from importlib import metadata

from benchmarks.differences.cases import SECTIONS
from benchmarks.differences.model import Case, Group, Peer, Query
from benchmarks.differences.outcomes import Row

WIDTH = 104
_MANY = 9

_OPENING = """\
<!-- Written by `python -m benchmarks.differences --write`, from running the evaluators. -->

# How other evaluators differ

The same name can have several meanings. These are {count} small cases, each run through six other
evaluators and the three [profiles](profiles.md) of groupwise. Every value was obtained by running
the package at the top of its column; none was copied from documentation.

{versions}

- **Inputs.** Evaluators without groups get every alternative as a relevant document, and scores
  n … 1 if a case has none. scikit-learn and torchmetrics require a score for *every* document, so a
  judged document that was not retrieved is ranked below all results, where it still gains unless
  there is a cutoff. AutoRAG gets its lists as they are, cut at k in advance; it has no grades. All
  evaluators run with their defaults.
- **Values.** The mean over the queries of a case: the evaluator's own mean if it has one; for
  AutoRAG, the mean of its tables, which omits queries without a value; for pytrec_eval and
  scikit-learn, which have none, the arithmetic mean.
- **n/a**: the evaluator has no such measure, or its input format cannot express the case.
  **`SomeError`**: it raises this exception.
- **G1 … G6** are known pitfalls of grouped ground truth.

{agreement}

To reproduce this page:

```text
pip install -e . -r benchmarks/differences/requirements.txt
pip install --no-deps -r benchmarks/requirements-nodeps.txt
python -m benchmarks.differences --write docs/explanation/how-other-evaluators-differ.md
```
"""
_BELOW = ("torch", "pyndeval")
"""What the evaluators run on, and so decides about values too."""


def page(found: Mapping[str, Row], peers: list[Peer]) -> str:
    """Write the page."""
    sections = (_section(title, cases, found) for title, cases in SECTIONS.items())
    opening = _OPENING.format(
        count=len(found), versions=_wrap(_versions(peers)), agreement=_wrap(_agreement(found))
    )
    return "\n".join([opening, *sections])


def _versions(peers: list[Peer]) -> str:
    packages = dict.fromkeys([*(peer.package for peer in peers), *_BELOW])
    python = f"{platform.python_implementation()} {platform.python_version()}"
    installed = [python, *(f"{name} {metadata.version(name)}" for name in packages)]
    return f"Versions: {', '.join(installed)}."


def _agreement(found: Mapping[str, Row]) -> str:
    whole = sum(_unanimous(row) for row in found.values())
    return (
        f"In {whole} of the {len(found)} cases, all evaluators that give a value agree. "
        f"Where both give a value, {_describe_agreement(found, 'pytrec_eval', '`trec`')}, and "
        f"{_describe_agreement(found, 'AutoRAG', '`autorag`')}; the notes below explain why."
    )


def _unanimous(row: Row) -> bool:
    values = [outcome for outcome in row.values() if outcome.value is not None]
    return all(outcome.agrees(values[0]) for outcome in values)


def _describe_agreement(found: Mapping[str, Row], first: str, second: str) -> str:
    both = {
        number: row[first].agrees(row[second])
        for number, row in enumerate(found.values(), 1)
        if None not in (row[first].value, row[second].value)
    }
    apart = ", ".join(str(number) for number, agreed in both.items() if not agreed)
    exceptions = f" (not in {apart})" if apart else ""
    return f"{first} and {second} agree in {sum(both.values())} of {len(both)}{exceptions}"


def _section(title: str, cases: list[Case], found: Mapping[str, Row]) -> str:
    numbers = {name: number for number, name in enumerate(found, 1)}
    table = "\n".join(_table(cases, found, numbers))
    notes = "\n".join(_note(case, numbers[case.name]) for case in cases)
    return f"## {title}\n\n{table}\n\n{notes}\n"


def _table(
    cases: list[Case], found: Mapping[str, Row], numbers: Mapping[str, int]
) -> Iterator[str]:
    labels = list(found[cases[0].name])
    yield f"| | case | metric | {' | '.join(labels)} |"
    yield f"|---:|---|---|{'---:|' * len(labels)}"
    for case in cases:
        cells = " | ".join(map(str, found[case.name].values()))
        yield f"| {numbers[case.name]} | {case.name} | {case.metric} | {cells} |"


def _note(case: Case, number: int) -> str:
    queries = "; ".join(_format_query(query) for query in case.queries.values())
    return _wrap(f"**{case.name}.** {queries}. {case.explained}", f"{number}. ")


def _wrap(text: str, bullet: str = "") -> str:
    return textwrap.fill(
        text,
        WIDTH,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )


def _format_query(query: Query) -> str:
    groups = f"`[{', '.join(map(_group, query.groups))}]`"
    against = f" and not `{', '.join(map(str, query.not_relevant))}`" if query.not_relevant else ""
    return f"{groups}{against}, {_results(query)}"


def _group(group: Group) -> str:
    return json.dumps(dict(group) if isinstance(group, Mapping) else list(group))


def _results(query: Query) -> str:
    if query.results is None:
        return "not in the run"
    if not query.results:
        return "an empty result"
    if len(set(query.scores)) == 1 < len(query.ranking) and len(query.ranking) > _MANY:
        return f"`{query.ranking[0]}` … `{query.ranking[-1]}`, all {query.scores[0]}"
    if isinstance(query.results, Mapping):
        return (
            f"`{', '.join(f'{document} {score!r}' for document, score in query.results.items())}`"
        )
    return f"`{', '.join(map(str, query.ranking))}`"
