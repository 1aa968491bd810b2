"""The page of file shapes: the prose is here, the tables come from the models."""

import json
from pathlib import Path
from typing import Any

from generator.descriptions import FIELDS
from generator.file_schemas import Json, file_schemas
from groupwise import inspect
from groupwise.schemas import FIELD_NAMES

SAMPLE = Path(__file__).parents[2] / "fixtures" / "formats" / "golden" / "single-ids.jsonl"

PAGE = """\
# Files

The layouts of groupwise's own files; those of other systems are on the page of
[formats](formats.md).

JSON or JSON Lines in UTF-8, gzipped or not (detected from the content). `-` is standard input. A
file ending in `.jsonl` or `.ndjson` is read as JSON Lines, one ending in `.json` as one document;
for any other name the content decides. Unknown keys, repeated keys and repeated query ids are
errors.

The JSON Schemas beside this page let an editor complete and check files as you type:
[fixture](schemas/fixture.schema.json), [data set](schemas/dataset.schema.json),
[run](schemas/run.schema.json), [report](schemas/report.schema.json),
[findings](schemas/findings.schema.json), [baseline of findings](schemas/baseline.schema.json),
[baseline of scores](schemas/scores.schema.json),
[inspection](schemas/inspection.schema.json), [power](schemas/power.schema.json),
[remapping](schemas/remap.schema.json). A fixture may name
its schema in `"$schema"`. What a JSON Schema cannot express (repeated keys and query ids, ids of
both kinds, a score per result) only groupwise checks.

## Ids

A document id is a non-blank string or a whole number below 2^63. Ground truth and run must use the
same kind, unless `ids="text"` compares all ids as strings. Strings are compared exactly: case,
spaces and Unicode normalisation matter.

## Ground truth of a query

A list of groups. Every group must be met, and any of its alternatives meets it. A group is written
in one of three ways, which can be mixed:

```json
[
  ["a", "b"],
  {"c": 3, "d": 1},
  {"alternatives": ["e", {"id": "f", "grade": 2}], "weight": 2.0, "label": "hop-3"}
]
```

The first is a list of ids, the second a short form for grades, the third a group in full:

@group@

An alternative in full:

@alternative@

`document`, `start` and `end` (exclusive) say which characters of a document it is. They are for
[matching by span](../how-to/matching.md), `text` is for matching by text.

A flat list such as `["a", "b"]` is an error, because it does not say whether all ids must be found
or any: write `[["a"], ["b"]]` or `[["a", "b"]]`, or set the policy `flat`. The same holds for
grades by id without groups, `{"a": 3, "b": 1, "c": 0}`, as in ranx and pytrec_eval: `flat="any"`
makes them one group, `flat="all"` a group each; as in trec_eval, a grade of 0 means judged not
relevant, and one below 0 not judged. The profile `trec` needs no groups and accepts both. An empty
list of groups, or `"answerable": false`, marks an unanswerable query.

## Result of a query

A list, best first: ids, results in full, or pairs of an id and its score, such as `["a", 0.9]`.
Pairs keep their order, as `results` with `scores` do. Pairs with whole numbers only are rejected,
since `["a", 3]` may be an id in two parts. Scores by id, `{"a": 0.9, "x": 0.4}`, have no order;
they are sorted by score, then id, both descending, as in trec_eval.

```json
["a", {"id": "x", "score": 0.7, "tokens": 130}]
```

@result@

## Fixture

Ground truth, results and expected scores in one JSON file. Required are `queries`, and for
each query its id, ground truth and results.

```json
{
  "name": "autorag-basic",
  "profile": "autorag",
  "metrics": ["precision", "recall", "f1", "mrr", "map", "ndcg"],
  "queries": [
    {"id": "q1",
     "ground_truth": [["test-1", "test-2"], ["test-3"]],
     "results": ["test-1", "pred-1", "test-2", "pred-3"],
     "expected": {"ndcg": 0.7039180890341347}}
  ],
  "expected": {"recall": 0.5, "ndcg": 0.7039180890341347},
  "tolerance": 1e-9
}
```

@fixture@

Each record of `queries`:

@record@

An expectation is a number, a bound (`">= 0.8"`, with one of `>=`, `>`, `<=`, `<`), a number with a
tolerance of its own (`{"value": 0.5, "tolerance": 0.02}`), `"no_worse"` (a fresh run scores at
least as well as `results`), or `null`. [How to write
fixtures](../how-to/fixtures.md#expect-bounds) has examples.

A file may also hold just these records, as a list or as JSON Lines.

## Data set and run

One record per query, as a list or as JSON Lines; or one JSON object by query id.

```json
{"id": "q1", "query": "…", "ground_truth": [["a", "b"], ["c"]]}
```

```json
{"id": "q1", "results": ["a", "x", "c"], "scores": [0.9, 0.4, 0.2]}
```

```json
{"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
```

```json
{"q1": ["a", "x", "c"], "q2": ["d"]}
```

A record of a data set has the fields of a fixture's record without `results`, `scores` and
`expected`; a record of a run has `id`, `results` and `scores`. Ground truth and run are joined by
query id, in any order. If both are in the same order, neither is held in memory.

## AutoRAG's names

| field | also written |
|---|---|
@names@

`retrieval_gt` holds lists of ids, as in AutoRAG; write grades and weights in `ground_truth`.

## Report

What `groupwise evaluate --format json` prints and `Report.to_json()` returns. The keys of `scores`
are the metrics as requested, in lower case.

@report@

## Explanation

What `groupwise explain --format json` prints and `Explanation.to_json()` returns. Groups are
counted from 0 here, and from 1 in tables.

@explanation@

Each query:

@explained_query@

Each of its groups:

@explained_group@

Each near miss of a group:

@near_miss@

## Judging sheet

What `groupwise suggest -o SHEET` writes and `--apply SHEET` reads: CSV with these columns, or JSON
Lines with these fields. In CSV, groups are counted from 1, as in tables, and in JSON from 0. An id
that a spreadsheet would change (`=1+1`, `007`, `1-2`, letters beyond ASCII) is written in CSV as a
JSON string, in quotes, and read back as it was. [How to complete a ground
truth](../how-to/complete-your-ground-truth.md) shows what to do with it.

@sheet@

## Findings

What `groupwise validate --format json` prints. `--max-findings` limits the findings of each code;
`counts` and `by_code` include those not listed.

@findings@

Each finding; unknown fields are omitted:

@finding@

## Comparison

What `groupwise compare --format json` prints and `Comparison.to_json()` returns. `runs` and `pairs`
are sorted by name, metrics are in the order asked for.

@comparison@

Each score in `runs`:

@run_score@

Each of the `pairs`; `p_non_inferior` and `non_inferior` are there if a margin is given:

@pair@

Each of the largest gains and losses:

@change@

Each of its `groups`:

@changed_group@

In each run:

@outcome@

`test` says what the p-values and intervals were computed with:

@test@

## Inspection

What `groupwise inspect --format json` prints: the format if it is known, otherwise the fields of
the records; and command lines that are ready to be typed, with the map and the reading of flat
lists in each. Where a flat list can mean any or all, there is a proposal for each.

```json
@inspection@
```

## Power

What `groupwise power --format json` prints; what the numbers mean is on the page
[how many queries do I need?](../how-to/how-many-queries.md)

@power@

Of each metric, and of a plan without data:

@sensitivity@

## Remapping

What `groupwise remap --format json` prints, and `--report` writes; what the outcomes mean is on the
page [after re-chunking](../how-to/after-re-chunking.md).

@remap@

Of each alternative:

@moved@
"""

TYPES = {"#/$defs/Id": "id", "#/$defs/Policies": "object", "#/$defs/GroundTruth": "list of groups"}


def files_page() -> str:
    """The shapes of all files."""
    schemas = file_schemas()
    fixture, report, findings = (schemas[name] for name in ("fixture", "report", "findings"))
    fixture, explanation = fixture["$defs"], schemas["explanation"]
    parts = {
        "group": _table(fixture["Group"]["then"]["then"], "Group"),
        "alternative": _table(fixture["Alternative"]["then"], "Alternative"),
        "result": _table(fixture["Result"]["then"], "Result"),
        "fixture": _table(fixture["Fixture"], "Fixture"),
        "record": _table(fixture["Query"] | {"required": ["id", "results"]}, "FixtureQuery"),
        "report": _table(report, "Report"),
        "explanation": _table(explanation, "Explanation"),
        "explained_query": _table(explanation["$defs"]["QueryExplanation"], "QueryExplanation"),
        "explained_group": _table(explanation["$defs"]["GroupExplanation"], "GroupExplanation"),
        "near_miss": _table(explanation["$defs"]["NearMiss"], "NearMiss"),
        "sheet": _table(schemas["sheet"], "Suggestion"),
        "findings": _table(findings, "ValidationReport"),
        "finding": _table(findings["$defs"]["Finding"], "Finding"),
        "comparison": _describe(schemas["comparison"]),
        "run_score": _describe(schemas["comparison"]["$defs"]["RunScore"]),
        "pair": _describe(schemas["comparison"]["$defs"]["Pair"]),
        "change": _describe(schemas["comparison"]["$defs"]["QueryChange"]),
        "changed_group": _describe(schemas["comparison"]["$defs"]["ChangedGroup"]),
        "outcome": _describe(schemas["comparison"]["$defs"]["GroupOutcome"]),
        "test": _describe(schemas["comparison"]["$defs"]["TestSettings"]),
        "inspection": _inspect_sample(),
        "power": _table_of_model(schemas["power"]),
        "remap": _table_of_model(schemas["remap"]),
        "moved": _table_of_model(schemas["remap"]["$defs"]["MovedAlternative"]),
        "sensitivity": _table_of_model(schemas["power"]["$defs"]["Sensitivity"]),
        "names": "\n".join(
            f"| `{field}` | {', '.join(f'`{name}`' for name in names[1:])} |"
            for field, names in FIELD_NAMES.items()
        ),
    }
    page = PAGE
    for name, part in parts.items():
        page = page.replace(f"@{name}@", part)
    return page


def _table_of_model(schema: Json) -> str:
    """The fields of a model that describes them itself."""
    rows = [
        f"| `{name}` | {_type(content)} | {content.get('description', '')} |"
        for name, content in schema["properties"].items()
    ]
    return "\n".join(["| field | type | |", "|---|---|---|", *rows])


def _inspect_sample() -> str:
    """The inspection of a golden set, as JSON."""
    shown = json.dumps(inspect(SAMPLE).to_dict(), indent=2, ensure_ascii=False)
    return shown.replace(str(SAMPLE), SAMPLE.name)


def _describe(schema: Json) -> str:
    """The fields of a schema that describes them itself."""
    rows = [
        f"| `{name}` | {_type(content)} | {content.get('description', '')} |"
        for name, content in schema["properties"].items()
    ]
    return "\n".join(["| field | type | |", "|---|---|---|", *rows])


def _table(schema: Json, model: str) -> str:
    required = schema.get("required", [])
    rows = [
        f"| `{name}` | {_type(content)} | {_default(content, required=name in required)} | {text} |"
        for name, text in FIELDS[model].items()
        for content in [schema["properties"][name]]
    ]
    return "\n".join(["| field | type | default | |", "|---|---|---|---|", *rows])


def _type(content: Json) -> str:
    if "$ref" in content:
        return TYPES.get(content["$ref"], "object")
    if "const" in content or "enum" in content:
        return " or ".join(f"`{value}`" for value in content.get("enum", [content.get("const")]))
    if "anyOf" in content:
        kinds = [
            part.get("type", "object" if "$ref" in part else "any") for part in content["anyOf"]
        ]
        return _plain_type(kinds)
    return _plain_type(content.get("type", "any"))


def _plain_type(kind: Any) -> str:
    kinds = [kind] if isinstance(kind, str) else kind
    return " or ".join({"array": "list"}.get(name, name) for name in kinds if name != "null")


def _default(content: Json, *, required: bool) -> str:
    if required:
        return "required"
    default = content.get("default")
    is_empty = default in (None, [], "") or isinstance(default, dict)
    return "" if is_empty else f"`{json.dumps(default)}`"
