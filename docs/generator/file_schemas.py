"""JSON Schemas of the files as people write them.

The models describe the canonical form and accept more before they validate: lists for groups, bare
ids, other names. So the schemas start from those of the models, and the shorter ways of writing are
put in where the models' validators take them.
"""

from typing import Any

from pydantic import TypeAdapter

from generator.descriptions import FIELDS
from groupwise.evaluator.metrics.profiles import PROFILES
from groupwise.evaluator.metrics.registry import every_metric
from groupwise.evaluator.validation.settings.baseline import BaselineFile
from groupwise.schemas import FIELD_NAMES, Fixture, Query, Report, RunQuery
from groupwise.schemas.baseline import BaselineFile as BaselineOfScores
from groupwise.schemas.comparison import Comparison
from groupwise.schemas.explanation import Explanation
from groupwise.schemas.ids import DocumentId
from groupwise.schemas.inspection import INSPECTION_SCHEMA, Inspection
from groupwise.schemas.judging import Suggestion
from groupwise.schemas.power import OMITTED, PowerAnalysis
from groupwise.schemas.remap import Remapped
from groupwise.schemas.report import REQUIRED
from groupwise.schemas.validation import FINDINGS_SCHEMA, ValidationReport

Json = dict[str, Any]

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def file_schemas() -> dict[str, Json]:
    """The schema of each kind of file, by name."""
    return {
        "fixture": fixture(),
        "dataset": dataset(),
        "run": run(),
        "report": report(),
        "findings": findings(),
        "baseline": baseline(),
        "scores": scores(),
        "inspection": inspection(),
        "comparison": comparison(),
        "power": power(),
        "explanation": explanation(),
        "remap": remap(),
        "sheet": sheet(),
    }


def fixture() -> Json:
    """A self-contained evaluation."""
    schema = _add_descriptions(Fixture.model_json_schema(), "Fixture")
    definitions = _definitions(schema, flat=True)
    definitions["Query"] = _record(definitions.pop("FixtureQuery"))
    schema["properties"]["profile"]["enum"] = list(PROFILES)
    schema["properties"]["metrics"] = _metrics(FIELDS["Fixture"]["metrics"])
    schema["properties"]["queries"]["items"] = _ref("Query")
    definitions["Fixture"] = schema | _no_flat_lists_unless_asked()
    return _document("A groupwise fixture", _fixture_or_records(), definitions)


def dataset() -> Json:
    """Ground truth by query."""
    schema = _add_descriptions(Query.model_json_schema(), "FixtureQuery")
    definitions = _definitions(schema, flat=False)
    definitions["Query"] = _record(schema)
    definitions["Entry"] = _entry(schema, "ground_truth", _ref("GroundTruth"))
    return _document("A groupwise data set", _list_map_or_record(), definitions)


def run() -> Json:
    """Results by query."""
    schema = _add_descriptions(RunQuery.model_json_schema(), "FixtureQuery")
    definitions = _definitions(schema, flat=False)
    definitions["Query"] = _record(schema)
    definitions["Entry"] = _entry(schema, "results", _results())
    return _document("A groupwise run", _list_map_or_record(), definitions)


def report() -> Json:
    """What `evaluate --format json` prints."""
    schema = _add_descriptions(Report.model_json_schema(mode="serialization"), "Report")
    required = [name for name in FIELDS["Report"] if name in REQUIRED]
    definitions = schema.pop("$defs")
    part = definitions["Slice"]
    part["required"] = [name for name in part["properties"] if name in REQUIRED]
    explained = explanation()
    definitions |= explained.pop("$defs")
    definitions["Explanation"] = {
        n: v for n, v in explained.items() if n not in ("$schema", "title")
    }
    schema["properties"]["explanation"] |= _ref("Explanation")
    return _document("A groupwise report", schema | {"required": required}, definitions)


def findings() -> Json:
    """What `validate --format json` prints."""
    schema = ValidationReport.model_json_schema()
    shown = {name: schema["properties"][name] for name in FIELDS["ValidationReport"]}
    schema = _add_descriptions(schema | {"properties": shown}, "ValidationReport")
    named = {"schema": {"const": FINDINGS_SCHEMA, "description": FIELDS["Report"]["schema"]}}
    definitions = schema.pop("$defs")
    _add_descriptions(definitions["Finding"], "Finding")
    required = [name for name in FIELDS["ValidationReport"] if name not in ("baselined", "stale")]
    body = {"properties": named | schema.pop("properties"), "required": ["schema", *required]}
    return _document("Findings of groupwise", schema | body, definitions)


def baseline() -> Json:
    """What `validate --write-baseline` writes."""
    schema = BaselineFile.model_json_schema()
    return _document("A groupwise baseline", schema, schema.pop("$defs"))


def scores() -> Json:
    """What `evaluate --save-baseline` writes."""
    schema = _add_descriptions(BaselineOfScores.model_json_schema(), "BaselineFile")
    return _document("A groupwise baseline of scores", schema, schema.pop("$defs"))


def inspection() -> Json:
    """What `inspect --format json` prints."""
    schema = Inspection.model_json_schema(mode="serialization")
    named = {"schema": {"const": INSPECTION_SCHEMA, "description": FIELDS["Report"]["schema"]}}
    properties = named | schema.pop("properties")
    body = {"properties": properties, "required": list(properties)}
    return _document("An inspection of groupwise", schema | body, schema.pop("$defs"))


def comparison() -> Json:
    """What `compare --format json` prints."""
    schema = Comparison.model_json_schema()
    required = [name for name in schema["properties"] if name not in Comparison.omitted]
    schema["description"] = schema["description"].replace("``", "`")
    return _document(
        "A comparison of groupwise", schema | {"required": required}, schema.pop("$defs")
    )


def power() -> Json:
    """What `power --format json` prints."""
    schema = PowerAnalysis.model_json_schema(mode="serialization", by_alias=True)
    schema["properties"]["schema"]["description"] = FIELDS["Report"]["schema"]
    required = [name for name in schema["properties"] if name not in OMITTED]
    return _document(
        "A power analysis of groupwise", schema | {"required": required}, schema.pop("$defs")
    )


def explanation() -> Json:
    """What `explain --format json` prints."""
    schema = _add_descriptions(Explanation.model_json_schema(), "Explanation")
    definitions = _with_ids(schema.pop("$defs"))
    for name in FIELDS.keys() & definitions.keys():
        _add_descriptions(definitions[name], name)
    definitions["QueryExplanation"]["required"] = ["hit_vector", "complete", "groups"]
    always = [name for name in FIELDS["GroupExplanation"] if name != "near"]
    definitions["GroupExplanation"]["required"] = always
    definitions["NearMiss"]["required"] = ["id", "rank", "alternative", "differs_in"]
    required = ["schema", "k", "queries", "reasons", "depth_for"]
    body = schema | {"required": required}
    return _document("A groupwise explanation", body, {"Id": _id(), **definitions})


def remap() -> Json:
    """What `remap --format json` prints."""
    schema = Remapped.model_json_schema(by_alias=True)
    schema["properties"]["schema"]["description"] = FIELDS["Report"]["schema"]
    definitions = _with_ids(schema.pop("$defs"))
    moved = ["query", "group", "from", "to", "outcome", "coverage"]
    definitions["MovedAlternative"]["required"] = moved
    definitions["RemapCounts"]["required"] = [*definitions["RemapCounts"]["properties"]]
    body = schema | {"required": ["schema", "counts", "alternatives"]}
    return _document("A groupwise remapping", body, {"Id": _id(), **definitions})


def sheet() -> Json:
    """What `suggest -o SHEET.jsonl` writes, line by line."""
    schema = _with_ids(_add_descriptions(Suggestion.model_json_schema(), "Suggestion"))
    required = ["query", "candidate", "group", "verdict"]
    return _document(
        "A row of a groupwise judging sheet", schema | {"required": required}, {"Id": _id()}
    )


def _document(title: str, body: Json, definitions: Json) -> Json:
    whole = {"$schema": DRAFT, "title": title, **body, "$defs": definitions}
    return _without_titles(whole) | {"title": title}


def _definitions(schema: Json, *, flat: bool) -> Json:
    """The definitions of a model's schema, with the shorter ways of writing put in."""
    found = _with_ids(schema.pop("$defs"))
    for name in FIELDS.keys() & found.keys():
        _add_descriptions(found[name], name)
    definitions = {"Id": _id()}
    if "Group" in found:
        definitions |= {
            "GroundTruth": _ground_truth(flat=flat),
            "Group": _group(found.pop("Group")),
            "Alternative": _object_or(found.pop("Alternative"), _ref("Id")),
        }
        found.pop("GroundTruth")
    if "Result" in found:
        definitions["Result"] = _object_or(found.pop("Result"), _ref("Id"))
    return definitions | found


def _id() -> Json:
    return TypeAdapter(DocumentId).json_schema()


def _with_ids(node: Any) -> Any:
    """The same schema with a reference wherever an id is spelled out."""
    if isinstance(node, list):
        return [_with_ids(part) for part in node]
    if not isinstance(node, dict):
        return node
    if node.get("anyOf") == _id()["anyOf"]:
        return _ref("Id")
    return {name: _with_ids(part) for name, part in node.items()}


def _ground_truth(*, flat: bool) -> Json:
    description = FIELDS["FixtureQuery"]["ground_truth"]
    groups = {"type": "array", "items": _ref("Group")}
    if not flat:
        return {"description": description, **groups}
    return {
        "description": description,
        "if": {"type": "array", "minItems": 1, "items": {"type": ["string", "integer"]}},
        "then": {"type": "array", "items": _ref("Id")},
        "else": {"if": {"type": "object"}, "then": _flat_grades(), "else": groups},
    }


def _flat_grades() -> Json:
    """Grades by id, without groups; what is not above 0 is not relevant."""
    return {"additionalProperties": {"type": "number", "maximum": 1000}}


def _group(full: Json) -> Json:
    full["properties"]["alternatives"]["minItems"] = 1
    return {
        "description": "A list of alternatives, grades by id, or a group in full.",
        "if": {"type": "object"},
        "then": {"if": {"required": ["alternatives"]}, "then": full, "else": _grades()},
        "else": {"type": "array", "items": _ref("Alternative"), "minItems": 1},
    }


def _grades() -> Json:
    return {
        "type": "object",
        "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1000},
        "minProperties": 1,
        "not": {"additionalProperties": {"const": 0}},
    }


def _object_or(full: Json, short: Json) -> Json:
    description = full.pop("description")
    return {"description": description, "if": {"type": "object"}, "then": full, "else": short}


def _results() -> Json:
    return {
        "description": FIELDS["FixtureQuery"]["results"],
        "type": ["array", "object"],
        "items": {"if": {"type": "array"}, "then": _pair(), "else": _ref("Result")},
        "additionalProperties": {"type": "number"},
    }


def _pair() -> Json:
    return {
        "description": "An id and its score; all results are such pairs, or none.",
        "type": "array",
        "prefixItems": [_ref("Id"), {"type": "number"}],
        "minItems": 2,
        "maxItems": 2,
    }


def _record(schema: Json) -> Json:
    """A record with every name its fields go by, one name for each."""
    schema = _with_ids(schema)
    fields = schema["properties"]
    if "results" in fields:
        fields["results"] = _results()
    record = {
        "description": schema["description"],
        "type": "object",
        "properties": {
            name: _field(fields, field, name) for field in fields for name in _names(field)
        },
        "additionalProperties": False,
        "allOf": [_exactly_one("id")],
    }
    if "results" in fields:
        record["allOf"].append(_exactly_one("results"))
    if "scores" in fields:
        record["allOf"].append(_at_most_one("scores"))
    if "ground_truth" in fields:
        record["allOf"].append(_ground_truth_or_unanswerable())
    return record


def _entry(schema: Json, field: str, short: Json) -> Json:
    """What a map has for a query id: the field itself, or a record without the id."""
    record = _record(schema)
    for name in _names("id"):
        del record["properties"][name]
    del record["allOf"][0]
    entry = _object_or(record, short) | {"description": f"The {field} of one query, or a record."}
    if field != "results":
        return entry
    scores = {"type": "object", "additionalProperties": {"type": "number"}}
    return {"description": entry.pop("description"), "if": scores, "then": {}, "else": entry}


def _field(fields: Json, field: str, name: str) -> Json:
    if name == "retrieval_gt":
        return _autorag_groups()
    content = {key: part for key, part in fields[field].items() if key != "title"}
    if field == "ground_truth":
        content.pop("default", None)
    return content


def _autorag_groups() -> Json:
    ids = {"type": "array", "items": _ref("Id"), "minItems": 1}
    return {"description": "AutoRAG's name: lists of ids.", "type": "array", "items": ids}


def _names(field: str) -> tuple[str, ...]:
    return FIELD_NAMES.get(field, (field,))


def _exactly_one(field: str) -> Json:
    return {"oneOf": [{"required": [name]} for name in _names(field)]}


def _at_most_one(field: str) -> Json:
    return {"not": {"required": list(_names(field))}}


def _ground_truth_or_unanswerable() -> Json:
    unanswerable = {"properties": {"answerable": {"const": False}}, "required": ["answerable"]}
    empty = {name: {"maxItems": 0} for name in _names("ground_truth")}
    return {
        "if": unanswerable,
        "then": {"properties": empty},
        "else": _exactly_one("ground_truth"),
    }


def _list_map_or_record() -> Json:
    """What a file of records may be; a line of JSON Lines is one record."""
    scalar = {"type": ["string", "integer"]}
    one_record = {"anyOf": [{"properties": {n: scalar}, "required": [n]} for n in _names("id")]}
    several = {
        "required": ["queries"],
        "maxProperties": 1,
        "properties": {"queries": {"type": "array"}},
    }
    records = {"type": "array", "items": _ref("Query")}
    return {
        "description": "A list of records, a map by query id, or (a line of JSON Lines) a record.",
        "if": {"type": "array"},
        "then": records,
        "else": {
            "type": "object",
            "if": one_record,
            "then": _ref("Query"),
            "else": {
                "if": several,
                "then": {"properties": {"queries": records}},
                "else": {"additionalProperties": _ref("Entry")},
            },
        },
    }


def _fixture_or_records() -> Json:
    """A fixture, or only its records: a list of them or (a line of JSON Lines) one."""
    return {
        "description": "A fixture, or only its records: a list, or (one line of JSON Lines) one.",
        "if": {"type": "array"},
        "then": {"items": _ref("Query")},
        "else": {
            "if": {"anyOf": [{"required": [name]} for name in _names("id")]},
            "then": _ref("Query"),
            "else": _ref("Fixture"),
        },
    }


def _no_flat_lists_unless_asked() -> Json:
    """Without the policy `flat`, a list of ids where groups belong is an open question."""
    asked = {
        "properties": {
            "policies": {"properties": {"flat": {"type": "string"}}, "required": ["flat"]}
        },
        "required": ["policies"],
    }
    groups = {"type": "array", "items": {"type": ["array", "object"]}}
    query = {"properties": {"ground_truth": groups}}
    return {"if": {"not": asked}, "then": {"properties": {"queries": {"items": query}}}}


def _metrics(description: str) -> Json:
    names = sorted({metric.name for _, metric in every_metric()})
    spelled = {"anyOf": [{"enum": names}, {"type": "string", "pattern": r"\S"}]}
    return {"description": description, "type": ["array", "null"], "items": spelled}


def _add_descriptions(schema: Json, model: str) -> Json:
    """The schema with a line on each of its fields."""
    for name, content in schema["properties"].items():
        content.setdefault("description", FIELDS[model][name])
    schema["description"] = schema["description"].replace("``", "`")
    return schema


def _without_titles(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_titles(part) for part in node]
    if not isinstance(node, dict):
        return node
    return {
        name: _without_titles(part)
        for name, part in node.items()
        if not (name == "title" and isinstance(part, str))
    }


def _ref(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}
