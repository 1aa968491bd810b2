"""The page of public names: signatures and docstrings as the source has them."""

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

import groupwise
from groupwise import testing
from groupwise.evaluator.evaluation.single import metric_names
from groupwise.evaluator.hits import once
from groupwise.schemas.rendering import Rendered
from groupwise.schemas.shape import INTERNAL

HEAD = """\
# Python

Everything here is imported from `groupwise`. Names are loaded when they are first used, so
importing the package alone costs next to nothing.
"""

METRICS = """\
## `groupwise.metrics`

Every metric as a plain function of one query: `{names}`.
Write `groupwise.metrics.recall(…)`, or `from groupwise.metrics import recall`.

```text
function(ground_truth, results, *, k=None, profile=None, flat=None, ids=None, ties=None,
         empty_results=None, unanswerable=None, characters_per_token=None, matching=None,
         vectors=None, label=None, **parameters)
```

It returns the value that `evaluate` has for this query, or None if the metric has none: a rank that
was not reached, or a query without groups. `k` is a number of results, or a text such as `"2000t"`
for a budget of tokens. `parameters` are those of the metric, such as `p=0.9`; the other keywords
are those of `evaluate`. Invalid input raises `InputError`; a profile, cutoff or parameter that is
not accepted raises its subclass `OptionError`.
"""

TESTING = """\
## `groupwise.testing`

Assertions for tests, with any framework: `from groupwise.testing import assert_scores`.
`assert_valid` is there, too. With [pytest](../how-to/pytest.md), the fixture `groupwise` has them
as methods, and records the scores.
"""

ORDER = {"evaluate": 0, "hit_vector": 1, "check_fixture": 2}
SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Example):$", re.MULTILINE)


def _list_assertions() -> Iterator[tuple[str, Any]]:
    yield "assert_scores", testing.assert_scores
    yield "assert_no_regression", testing.assert_no_regression


def api_page() -> str:
    """All public names."""
    names = sorted(groupwise.__all__, key=lambda name: (ORDER.get(name, 9), name))
    objects = [(name, getattr(groupwise, name)) for name in names]
    functions = [(name, value) for name, value in objects if inspect.isfunction(value)]
    classes = [(name, value) for name, value in objects if inspect.isclass(value)]
    models = [(name, value) for name, value in classes if issubclass(value, BaseModel)]
    errors = [(name, value) for name, value in classes if issubclass(value, Exception)]
    others = [pair for pair in classes if pair not in models and pair not in errors]
    parts = [HEAD, "## Functions\n", *(_function(n, f) for n, f in functions)]
    parts += [METRICS.format(names="`, `".join(metric_names()))]
    parts += [TESTING, *(_function(n, f) for n, f in _list_assertions())]
    parts += ["## Classes\n", *(describe_class(name, value) for name, value in others)]
    parts += ["## Errors\n", _error_tree(), *(_error(name, value) for name, value in errors)]
    parts += ["## Models\n", MODELS, *(_model(name, value) for name, value in models)]
    return "\n".join(parts)


MODELS = """\
All models are strict and immutable. `Dataset.model_validate(…)`, `Run.model_validate(…)` and
`Fixture.model_validate(…)` accept the shapes of [files](files.md).
"""


def _function(name: str, function: Any) -> str:
    return f"### `{name}`\n\n```py\n{_signature(function)}\n```\n\n{_prose(function)}\n"


def _signature(function: Any) -> str:
    node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[-1]
    assert isinstance(node, ast.FunctionDef)  # noqa: S101
    given = [_argument(name, default) for name, default in _with_defaults(node.args)]
    positional = len(node.args.posonlyargs) + len(node.args.args)
    if node.args.vararg:
        given.insert(positional, f"*{_argument(node.args.vararg, None)}")
    elif node.args.kwonlyargs:
        given.insert(positional, "*")
    if node.args.kwarg:
        given.extend(_list_keywords(node.args.kwarg, function))
    if node.args.posonlyargs:
        given.insert(len(node.args.posonlyargs), "/")
    returns = f" -> {_spell_type(node.returns)}" if node.returns else ""
    arguments = [argument for argument in given if argument not in ("self", "cls")]
    short = f"{node.name}({', '.join(arguments)}){returns}"
    if len(short) <= 88:
        return short
    return (
        f"{node.name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + f"){returns}"
    )


def _list_keywords(kwarg: ast.arg, function: Any) -> Iterator[str]:
    """The keywords that a function takes in a mapping: their types, if it says so."""
    unpacked = re.fullmatch(r"Unpack\[(\w+)\]", ast.unparse(kwarg.annotation or ast.Constant("")))
    if unpacked is None:
        yield f"**{_argument(kwarg, None)}"
        return
    yield "*"
    for node in _list_declared(function.__globals__[unpacked[1]]):
        yield _argument(ast.arg(ast.unparse(node.target), node.annotation), ast.Constant(None))


def _with_defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    bare: list[None] = [None] * (len(positional) - len(arguments.defaults))
    yield from zip(positional, [*bare, *arguments.defaults], strict=True)
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


def _argument(argument: ast.arg, default: ast.expr | None) -> str:
    annotation = f": {_spell_type(argument.annotation)}" if argument.annotation else ""
    if default is None:
        return argument.arg + annotation
    return f"{argument.arg}{annotation}{' = ' if annotation else '='}{_unparse(default)}"


def _unparse(node: ast.expr) -> str:
    """Source text; of annotated types only the types."""
    return ast.unparse(_Bare().visit(node)).replace("'", '"')


def _spell_type(node: ast.expr) -> str:
    """An annotation, without the quotes of one that is not evaluated."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = ast.parse(node.value, mode="eval").body
    return _unparse(node)


class _Bare(ast.NodeTransformer):
    """Takes the annotations off annotated types."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if ast.unparse(node.value) == "Annotated" and isinstance(node.slice, ast.Tuple):
            return self.generic_visit(node.slice.elts[0])
        return self.generic_visit(node)


def _prose(value: Any) -> str:
    """A docstring as Markdown."""
    lead, *rest = SECTION.split(inspect.getdoc(value) or "")
    parts = [lead.strip().replace("``", "`")]
    for heading, body in zip(rest[::2], rest[1::2], strict=True):
        indented, more = _split_at_margin(body.strip("\n"))
        parts += [_section(heading, textwrap.dedent(indented)), *more]
    return "\n\n".join(parts) + "\n"


def _split_at_margin(body: str) -> tuple[str, list[str]]:
    """The indented lines of a section, and the paragraph behind them, if there is one."""
    indented, mark, rest = body.partition("\n\n")
    if not mark or rest.startswith(" "):
        return body, []
    return indented, [rest.strip().replace("``", "`")]


def _section(heading: str, body: str) -> str:
    if heading == "Example":
        return f"Example:\n\n```text\n{body.strip()}\n```"
    title = {"Args": "Arguments"}.get(heading, heading)
    joined = re.sub(r"\n\s+", " ", body.strip()).replace("``", "`")
    if heading == "Returns":
        return f"{title}: {' '.join(joined.split())}"
    items = [re.sub(r"^(\w+): ", r"`\1`: ", line) for line in joined.splitlines()]
    return "\n".join([f"{title}:\n", *(f"- {item}" for item in items)])


def _error_tree() -> str:
    tree = inspect.getdoc(inspect.getmodule(groupwise.GroupwiseError)) or ""
    return f"```text\n{textwrap.dedent(tree.partition(chr(10))[2]).strip()}\n```\n"


def _error(name: str, error: type[Exception]) -> str:
    bases = ", ".join(f"`{base.__name__}`" for base in error.__bases__)
    return f"### `{name}`\n\n{_prose(error)}\nBase: {bases}\n"


def describe_class(name: str, value: type) -> str:
    """How to construct a class, its docstring, and those of its methods and properties."""
    parts = [f"### `{name}`\n", *_constructor(name, value), _prose(value), *_methods(value)]
    return "\n".join(parts)


def _constructor(name: str, value: type) -> Iterator[str]:
    """The call that makes an object; protocols and base classes are extended instead."""
    if inspect.isfunction(value.__init__) and not getattr(value, "_is_protocol", False):
        declared = _find_init(value)
        signature = _signature(declared) if declared else f"{name}({_list_fields_of(value)})"
        call = signature.replace("__init__(", f"{name}(").removesuffix(" -> None")
        yield f"```py\n{call}\n```\n"
    elif issubclass(value, tuple):
        yield f"```py\n{name}({_list_fields_of(value)})\n```\n"


def _find_init(value: type) -> Any:
    """The constructor in the source; that of a dataclass has none."""
    return None if dataclasses.is_dataclass(value) else value.__init__  # type: ignore[misc]


def _list_fields_of(value: type) -> str:
    """The fields of a dataclass or a named tuple, with their defaults."""
    given = [
        _argument(ast.arg(ast.unparse(node.target), node.annotation), _find_default(node))
        for node in _list_declared(value)
        if "init=False" not in ast.unparse(node)
    ]
    short = ", ".join(given)
    return short if len(short) <= 70 else "\n    " + ",\n    ".join(given) + ",\n"


def _find_default(node: ast.AnnAssign) -> ast.expr | None:
    """The default of a field; of one that is made anew each time, the call that makes it."""
    if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "field":
        made = {keyword.arg: keyword.value for keyword in node.value.keywords}
        return made.get("default") or ast.Call(made["default_factory"], [], [])
    return node.value


def _list_declared(owner: type) -> Iterator[ast.AnnAssign]:
    body = ast.parse(textwrap.dedent(inspect.getsource(owner))).body[0]
    for node in body.body if isinstance(body, ast.ClassDef) else []:
        if isinstance(node, ast.AnnAssign) and "ClassVar" not in ast.unparse(node.annotation):
            yield node


def _model(name: str, model: type[BaseModel]) -> str:
    constructors = _list_constructors(model)
    parts = [f"### `{name}`\n", _prose(model), *_fields(model), *_methods(model), *constructors]
    return "\n".join(parts)


def _list_constructors(model: type[BaseModel]) -> Iterator[str]:
    """The class methods of a model, and of those it extends, that build one from other objects."""
    homes = [base for base in reversed(model.__mro__) if base.__module__.startswith("groupwise.")]
    for base in homes:
        for name, member in vars(base).items():
            if isinstance(member, classmethod) and name.startswith(("from_", "load")):
                call = f"{model.__name__}.{_signature(member.__func__)}"
                shown = call.replace("-> Self", f"-> {model.__name__}")
                yield f"#### `{model.__name__}.{name}`\n\n```py\n{shown}\n```\n\n{_prose(member)}"


def _fields(model: type[BaseModel]) -> Iterator[str]:
    yield "| field | type | default |"
    yield "|---|---|---|"
    for node in _list_fields(model):
        default = "" if node.value is None else _default(node.value)
        kind = _unparse(node.annotation).replace("|", "\\|")
        yield f"| `{_name(node, model)}` | `{kind}` | {default} |"
    yield ""


def _list_fields(model: type[BaseModel]) -> Iterator[ast.AnnAssign]:
    """The fields of a model and of the models it extends, as its source declares them."""
    homes = [base for base in reversed(model.__mro__) if base.__module__.startswith("groupwise.")]
    found = {ast.unparse(node.target): node for home in homes for node in _list_declared(home)}
    yield from (node for name, node in found.items() if not name.startswith("_"))


def _name(node: ast.AnnAssign, model: type[BaseModel]) -> str:
    field = model.model_fields[ast.unparse(node.target)]
    return field.alias or ast.unparse(node.target)


def _default(value: ast.expr) -> str:
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "Field":
        keywords = {keyword.arg: keyword.value for keyword in value.keywords}
        first = value.args[0] if value.args else keywords.get("default")
        if first is not None:
            return f"`{_unparse(first)}`"
        return "empty" if "default_factory" in keywords else ""
    return f"`{_unparse(value).replace('.model_construct(', '(')}`"


def _methods(owner: type) -> Iterator[str]:
    for name, member in _list_members(owner).items():
        if name.startswith("_") or name in INTERNAL:
            continue
        if isinstance(member, property | once):
            yield f"- `.{name}`: {_on_one_line(member)}"
        elif inspect.isfunction(member) and member.__name__ == name:
            yield f"- `.{_format_call(member)}`: {_on_one_line(member)}"
    yield ""


def _list_members(owner: type) -> dict[str, Any]:
    """The members of a class, then those that all results with forms share."""
    shared = [base for base in owner.__mro__[1:] if issubclass(base, Rendered)]
    homes = [vars(home) for home in (owner, *shared)]
    known = {name: member for home in reversed(homes) for name, member in home.items()}
    return dict(vars(owner)) | known


def _format_call(function: Any) -> str:
    """The signature of a function on one line."""
    signature = " ".join(_signature(function).split())
    return signature.replace("( ", "(").replace(", )", ")")


def _on_one_line(member: Any) -> str:
    """A docstring without line breaks; its sections are for readers of the source."""
    lead, *_ = SECTION.split(inspect.getdoc(member) or "")
    return " ".join(lead.split()).replace("``", "`")
