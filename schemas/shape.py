"""The base of all models: strict, immutable, with suggestions for unknown fields.

A *lean* validator is derived from a model. It checks the same, and calls none of the functions that
read other spellings and types or describe what is wrong. It stops at the first value that needs one
of them; then the model itself decides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    SerializerFunctionWrapHandler,
    ValidationError,
    model_serializer,
    model_validator,
)
from pydantic_core import (
    CoreSchema,
    PydanticCustomError,
    SchemaValidator,
    core_schema,
)

from groupwise.schemas.binding import find_bound
from groupwise.schemas.values import (
    CANONICAL,
    FIELD_NAMES,
    RENAMED,
    describe,
    escape_surrogates,
    find_nearest,
    find_unfit,
)

if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


INTERNAL = frozenset({
    "again", "assemble", "described_as", "facts", "has_results", "has_truth", "hold",
    "holds", "judged_ids", "kind", "model_config", "of_margin", "omitted", "references",
    "remember", "reshape", "role", "short", "truth",
})  # fmt: skip
"""Names of models that are for groupwise alone; neither ``dir`` nor the reference lists them."""

CONSTRUCTORS = frozenset({"model_validate", "model_validate_json", "model_json_schema"})
"""What models of pydantic are built from, or checked by; the documentation names them."""

SLOTS = "__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__"
_set_fields, _set_given, _set_extra, _set_private = (
    vars(BaseModel)[slot].__set__ for slot in SLOTS
)
"""They fill the slots of a model, in half the time of ``object.__setattr__``."""

PART = MOST_PROBLEMS = 1_000
"""Of a list with so many problems, the rest is not looked at: each takes a kilobyte."""


def _is_hidden(name: str) -> bool:
    """Whether a name of a model is private, or comes from pydantic."""
    return name.startswith("_") or name in INTERNAL or hasattr(BaseModel, name)


class ShapeType(ModelMetaclass):
    """The type of models: it lists their names without those of pydantic, as editors ask it to."""

    def __dir__(cls) -> list[str]:  # noqa: N805  (of a metaclass)
        return [name for name in super().__dir__() if not _is_hidden(name) or name in CONSTRUCTORS]


class Shape(BaseModel, metaclass=ShapeType):
    """A strict, immutable model that suggests the nearest known field for an unknown one.

    ``short`` is the field that may stand for the whole.
    """

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
        defer_build=True,  # most commands check nothing with most models: each is built when used
    )
    described_as: ClassVar[str] = "an object"
    short: ClassVar[str | None] = None

    @model_validator(mode="before")
    @classmethod
    def _read_fields(cls, value: Any) -> Any:
        if isinstance(value, cls):
            return value
        value = cls.reshape(value)
        if type(value) is not dict and not isinstance(value, Mapping):
            raise PydanticCustomError(
                "shape", "expected {described}, got {found}",
                {"found": describe(value), "described": cls.described_as},
            )  # fmt: skip
        return _rename_fields(value, _list_written(cls))

    @classmethod
    def reshape(cls, value: Any) -> Any:
        """Return the mapping of fields that another form of a value stands for."""
        return value if cls.short is None or isinstance(value, Mapping) else {cls.short: value}

    @classmethod
    def assemble(cls, fields: dict[str, Any], given: set[str] | None = None) -> Self:
        """Return a model of all its fields, in their order, whose values are known to be valid.

        ``given`` are the names of those that are not defaults; None: all of them. Models may share
        it, as they are frozen. ``model_construct`` does the same, and looks at each field.
        """
        model = cls.__new__(cls)
        _set_fields(model, fields)
        _set_given(model, {*fields} if given is None else given)
        _set_extra(model, None)
        _set_private(model, None)
        if cls.__private_attributes__:
            model.model_post_init(None)
        return model

    @classmethod
    def model_json_schema(cls, *args: Any, **options: Any) -> dict[str, Any]:
        """Return the JSON Schema; the arguments are those of pydantic.

        Before 2.13, pydantic cannot show a default whose model is not built yet.
        """
        for model in list_subclasses(Shape):
            model.model_rebuild()
        return super().model_json_schema(*args, **options)

    def facts(self) -> dict[str, Any]:
        """Return what identifies a large object on one line; none: all of its fields do."""
        return {}

    def _repr_html_(self) -> str | None:
        """Return what a notebook shows; None: the ``repr``."""
        html: str | None = find_bound("view_in_notebook")(self)
        return html

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        """Yield what ``repr`` shows: a few facts where a model can be large, else all fields."""
        return self.facts().items() or super().__repr_args__()

    def __str__(self) -> str:
        return repr(self)

    def __dir__(self) -> list[str]:
        """List fields, properties and methods that have a use for people."""
        return [name for name in super().__dir__() if not _is_hidden(name)]


@cache
def _list_written(model: type[Shape]) -> frozenset[str]:
    """Return the names of a model's fields as they are written."""
    return frozenset(field.alias or name for name, field in model.model_fields.items())


def _rename_fields(value: Mapping[str, Any], known: AbstractSet[str]) -> Mapping[str, Any]:
    """Return fields by their canonical names; refuse unknown and repeated ones."""
    if type(value) is dict and known >= value.keys() and RENAMED.isdisjoint(value):
        return value
    if unknown := [name for name in value if CANONICAL.get(name, name) not in known]:
        raise _build_unknown_field_error(unknown, known)
    fields: dict[str, Any] = {}
    for name, content in value.items():
        field = CANONICAL.get(name, name)
        if field in fields:
            raise PydanticCustomError(
                "twice", "'{field}' is given under two names", {"field": field}
            )
        fields[field] = content
    return fields


def _build_unknown_field_error(names: list[str], known: AbstractSet[str]) -> PydanticCustomError:
    spellings = sorted({name for field in known for name in FIELD_NAMES.get(field, (field,))})
    shown = []
    for name in map(str, names[:3]):
        nearest = find_nearest(name, spellings)
        shown.append(f"{name[:60]!r}" + (f" (did you mean {nearest!r}?)" if nearest else ""))
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return PydanticCustomError(
        "unknown_field", "unknown field {shown}{more}; expected one of {known}",
        {
            "shown": ", ".join(shown), "more": more, "known": ", ".join(sorted(known)),
            "key": escape_surrogates(str(names[0])),
        },
    )  # fmt: skip


def list_subclasses(model: type[Shape]) -> Iterator[type[Shape]]:
    """Yield the models that derive from a model, directly or not."""
    for derived in model.__subclasses__():
        yield derived
        yield from list_subclasses(derived)


class SparseShape(Shape):
    """A model that is written without the fields that have no value."""

    @model_serializer(mode="wrap")
    def _omit_none(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in handler(self).items() if value is not None}


Held: TypeAlias = Literal["ground_truth", "run", "corpus"]


class Record(Shape):
    """A model of which files have many: its lean validator is asked first."""

    holds: ClassVar[frozenset[Held]] = frozenset()
    has_truth: ClassVar[bool] = False
    has_results: ClassVar[bool] = False

    @classmethod
    def model_validate(cls, obj: Any, *, context: Any = None, **options: Any) -> Self:
        """Return a record as a model; the arguments are those of pydantic."""
        if not options and not _is_large(obj) and (context or {}).get("ids") != "text":
            try:
                found: Self = lean_validator(cls).validate_python(obj, context=context)
            except ValidationError:
                pass
            else:
                return found
        return super().model_validate(obj, context=context, **options)


def _is_large(value: Any) -> bool:
    """Whether an object may have so many problems that the lean validator should not list them."""
    if type(value) is not dict:
        return False
    return len(value) > PART or any(
        type(each) is dict and len(each) > PART for each in value.values()
    )


def find_model(record: object) -> type[Record] | None:
    """Return the model of a record that is an instance of one; None if it is anything else."""
    return type(record) if isinstance(record, Record) else None


def refuse_unfit(value: Any) -> Any:
    """Return free data, or raise an error if JSON cannot carry it or it is nested too deep."""
    if unfit := find_unfit([value]):
        kind = "depth" if unfit.startswith("nested") else "finite_number"
        raise PydanticCustomError(kind, "{unfit}", {"unfit": unfit})
    return value


class Listing:
    """Annotates a tuple that is read from a list, or a mapping.

    In a long one, problems are looked for part by part, until there are too many.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        schema: Any = dict(handler(source))
        if schema["type"] == "tuple":
            schema["strict"] = False
        return core_schema.no_info_wrap_validator_function(_validate_parts, schema)


LISTING = Listing()


def _validate_parts(value: Any, validate: Callable[[Any], Any]) -> Any:
    """Validate a list or a mapping up to the part that has too many problems."""
    if not isinstance(value, list | dict) or len(value) <= PART:
        return validate(value)
    problems, end = 0, 0
    while problems <= MOST_PROBLEMS and end < len(value):
        try:
            validate(_cut(value, end, end + PART))
        except ValidationError as error:
            problems += error.error_count()
        end += PART
    return validate(_cut(value, 0, end))


def _cut(value: Any, start: int, end: int) -> Any:
    return dict(islice(value.items(), start, end)) if type(value) is dict else value[start:end]


class Lean:
    """Annotates a type with the schema that its lean validator has."""

    def __init__(self, schema: CoreSchema) -> None:
        self.schema = schema

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        found = handler(source)
        return {**found, "metadata": {**found.get("metadata", {}), "lean": self.schema}}


@cache
def lean_validator(model: type[Shape]) -> SchemaValidator:
    """Return the lean validator of a model."""
    model.model_rebuild()
    schema: Any = model.__pydantic_core_schema__
    lean = _make_lean(schema, {each["ref"]: each for each in schema.get("definitions", ())})
    try:
        return SchemaValidator(lean, None, _use_prebuilt=False)  # those of models within
    except TypeError:  # pydantic before 2.12
        return SchemaValidator(lean)


def _make_lean(schema: Any, shared: Mapping[str, Any]) -> Any:
    """Return a core schema without what is called before its own checks, and without references.

    What is left out may refuse nothing that the schema within accepts.
    """
    if isinstance(schema, list):
        return [_make_lean(part, shared) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if not isinstance(schema.get("type"), str):  # fields by name
        return {name: _make_lean(part, shared) for name, part in schema.items()}
    schema = schema.get("metadata", {}).get("lean", schema)
    kind = schema["type"]
    if kind == "definition-ref":
        return _make_lean(shared[schema["schema_ref"]], shared)
    if kind in ("definitions", "function-before", "function-wrap"):
        return _make_lean(schema["schema"], shared)
    unused = ("serialization", "metadata", "ref")
    lean = {name: _make_lean(part, shared) for name, part in schema.items() if name not in unused}
    return LEAN_FORMS.get(kind, dict)(lean)


def _allow_each(schema: Any) -> Any:
    """Return the schema of a value that is one of several, without asking which."""
    return core_schema.union_schema([*schema["choices"].values()], mode="left_to_right")


def _allow_lists(schema: Any) -> Any:
    """Return the schema of a list, which a set is not; it is faster if its items are alike."""
    (item,) = schema["items_schema"]
    items = item["choices"] if item.get("mode") == "left_to_right" else [item]
    lists: list[Any] = [{**schema, "items_schema": [each], "fail_fast": True} for each in items]
    choices = core_schema.union_schema(lists, mode="left_to_right")
    return core_schema.chain_schema([core_schema.is_instance_schema((list, tuple)), choices])


def _allow_short(schema: Any) -> Any:
    """Return the schema of a model that also accepts the field that may stand for it."""
    model: type[Shape] = schema["cls"]
    if (short := model.short) is None:
        return schema
    blank, given = {name: each.default for name, each in model.model_fields.items()}, {short}
    whole = core_schema.no_info_after_validator_function(
        lambda value: model.assemble({**blank, short: value}, given),
        schema["schema"]["fields"][short]["schema"],
    )
    choices: list[Any] = [whole, schema]
    return core_schema.union_schema(choices)


LEAN_FORMS: Mapping[str, Callable[[Any], Any]] = {
    "tagged-union": _allow_each, "tuple": _allow_lists, "model": _allow_short
}  # fmt: skip
