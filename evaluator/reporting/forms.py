"""Forms: the ways to write a report, those of groupwise and those of users."""

# ruff: noqa: PLC0415  (a form is imported when it is rendered)

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypeVar, get_args

from groupwise.evaluator.errors import ExtensionError, InputError, Problem
from groupwise.evaluator.plugins.loading import load_installed
from groupwise.evaluator.plugins.own import name_in_errors
from groupwise.evaluator.plugins.registry import Registry, check_kind, check_suffixes

if TYPE_CHECKING:
    from groupwise.schemas import Report

Subject = TypeVar("Subject")


@dataclass(frozen=True)
class Form(Generic[Subject]):
    """A way to write a report, or the findings of a validation.

    Attributes:
        name: What ``--format`` calls it.
        render: Returns a report as text with a newline at its end, or as the bytes of a file.
        suffixes: The endings of file names that ask for it, such as ``.md``.
        is_binary: Whether it renders bytes, which belong into a file.
        omits: Parts of a report that it has no place for, by the option that asks for them, such as
            ``curve``; the command line refuses the two together.
        layout: The options of the layout that ``render`` takes as keywords, such as ``worst``; the
            command line refuses the others.
        requires: A module that it needs and that may not be installed, with the extra that brings
            it, such as ``("jinja2", "html")``.
        is_whole: Whether it shows all that can be known of a report: curve, intervals, ceilings,
            fingerprints, and an explanation of each query; the command line then asks for them.
        shows_missed: Whether it names the missed groups of the worst queries; with gates, the
            command line then looks them up.
    """

    name: str
    render: Callable[..., str | bytes]
    suffixes: Sequence[str] = ()
    is_binary: bool = False
    omits: Sequence[str] = ()
    layout: Sequence[str] = ()
    requires: tuple[str, str] | None = None
    is_whole: bool = False
    shows_missed: bool = False

    def __post_init__(self) -> None:
        if not callable(self.render):
            raise ExtensionError(
                f"the form {self.name!r}: expected a function, got {self.render!r}"
            )
        object.__setattr__(self, "suffixes", check_suffixes("form", self.name, self.suffixes))

    def check_installed(self) -> None:
        """Raise an InputError that says what to install, if the form needs it and lacks it."""
        if self.requires is None:
            return
        from importlib.util import find_spec

        module, extra = self.requires
        if find_spec(module) is None:
            needed = f"{self.name} needs {module}, which is not installed"
            raise InputError([Problem(f"{needed}: pip install 'groupwise[{extra}]'")])

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(self.suffixes)})" if self.suffixes else self.name


class Forms(Registry[Form[Subject]]):
    """The forms of one kind of report.

    The first one is the default and written for people: it takes every option of the layout.
    """

    def __init__(self, *built_in: Form[Subject]) -> None:
        super().__init__("form", lambda: {form.name: form for form in built_in})
        self.default = built_in[0]

    def choose(
        self, name: str | None, path: str | None = None, option: str = "--format"
    ) -> Form[Subject]:
        """Return the form of that name, else the one for the suffix of the path, but for ``.gz``.

        The default is for paths without a suffix, and where there is neither name nor path. A
        message names the option that chooses a form.

        Raises:
            ValueError: There is no form of that name, or for that suffix; the message lists them.
        """
        if name is None:
            plain = (path or "").lower().removesuffix(".gz")
            return self._choose_for(PurePath(plain).suffix, option)
        form = self.find(name)
        if form is None:
            raise ValueError(self.describe_unknown(name))
        return form

    def _choose_for(self, suffix: str, option: str) -> Form[Subject]:
        form = self._find_for(suffix) if suffix else self.default
        if form is None:
            known = ", ".join(map(str, self.list_known().values()))
            message = f"no format has the suffix {suffix!r}; choose one with {option}: {known}"
            raise ValueError(message)
        return form

    def _find_for(self, suffix: str) -> Form[Subject] | None:
        """Return the form of a suffix; installed plugins are loaded if it is not known yet."""
        forms = [form for form in self.list_known().values() if suffix in form.suffixes]
        if not forms:
            load_installed()
            forms = [form for form in self.list_known().values() if suffix in form.suffixes]
        return forms[0] if forms else None

    def render(self, subject: Subject, form: Form[Subject], **layout: Any) -> str | bytes:
        """Return a report in a form, with the options of the layout that the form takes."""
        form.check_installed()
        taken = {name: value for name, value in layout.items() if self.takes(form, name)}
        if form.name in self.built_in:
            return form.render(subject, **taken)
        return _render_own(subject, form, **taken)

    def takes(self, form: Form[Subject], option: str) -> bool:
        """Whether a form takes an option of the layout."""
        return form is self.default or option in form.layout

    def check_layout(self, form: Form[Subject], options: Iterable[str]) -> None:
        """Refuse options of the layout that a form does not take."""
        for option in options:
            if not self.takes(form, option):
                taken = f"it takes {', '.join(form.layout)}" if form.layout else "it takes none"
                raise ValueError(f"the form {form.name!r} has no option {option!r}; {taken}")

    def render_text(self, subject: Subject, name: str, **layout: Any) -> str:
        """Return a report as text in the form of that name.

        Raises:
            ValueError: There is no such form, or it is binary.
        """
        rendered = self.render(subject, self.choose(name), **layout)
        if isinstance(rendered, bytes):
            raise ValueError(f"the form {name!r} is binary; write it to a file")  # noqa: TRY004
        return rendered


def _render_own(subject: Any, form: Form[Any], **layout: Any) -> str | bytes:
    """Return a report in the form of a user; errors name the form."""
    with name_in_errors("form", form.name):
        rendered = form.render(subject, **layout)
        if not isinstance(rendered, bytes if form.is_binary else str):
            expected, got = "bytes" if form.is_binary else "text", type(rendered).__name__
            raise ExtensionError(f"the form {form.name!r} must return {expected}, got {got}")
        if isinstance(rendered, str):
            rendered.encode()  # a lone surrogate cannot be written
    return rendered


def _render_built_in(name: str, report: "Report", **layout: Any) -> str | bytes:
    """Import the module of a built-in form and call it."""
    render: Callable[..., str | bytes]
    match name:
        case "json":
            from groupwise.evaluator.reporting.json import render
        case "jsonl":
            from groupwise.evaluator.reporting.jsonl import render
        case "csv":
            from groupwise.evaluator.reporting.csv import render
        case "markdown":
            from groupwise.evaluator.reporting.markdown import render
        case "latex":
            from groupwise.evaluator.reporting.latex import render
        case "github":
            from groupwise.evaluator.reporting.github import render
        case "junit":
            from groupwise.evaluator.reporting.junit import render
        case "parquet":
            from groupwise.evaluator.reporting.parquet import render
        case "html":
            from groupwise.evaluator.reporting.html.report import render
        case _:
            from groupwise.evaluator.reporting.terminal import render
    return render(report, **layout)


def _form(name: str, *suffixes: str, **properties: Any) -> "Form[Report]":
    return Form(name, partial(_render_built_in, name), suffixes, **properties)


REPORT_FORMS: "Forms[Report]" = Forms(
    _form("table", ".txt"),
    _form("json", ".json"),
    _form("jsonl", ".jsonl", ".ndjson"),
    _form("csv", ".csv", omits=("curve", "ties", "explain")),
    _form("markdown", ".md", layout=("worst", "ceilings"), shows_missed=True),
    _form("latex", ".tex", omits=("explain",)),
    _form("html", ".html", ".htm", layout=("worst",), requires=("jinja2", "html"), is_whole=True),
    _form("github", layout=("worst", "file"), omits=("curve", "ties", "explain")),
    _form("junit", ".xml", layout=("worst",), omits=("curve", "ties", "explain")),
    _form("parquet", ".parquet", is_binary=True, omits=("explain",)),
)


Kind: TypeAlias = Literal[
    "report", "comparison", "explanation", "findings", "power", "remap", "inspection"
]


def add_form(form: Form[Any], of: Kind = "report") -> Form[Any]:
    """Make a form of your own known by its name and its suffixes.

    Args:
        form: The form; one of the same name that you added before is replaced.
        of: What it writes: ``"report"``, ``"comparison"``, ``"explanation"``, ``"findings"`` of
            a validation, ``"power"``, ``"remap"`` or ``"inspection"``.

    Raises:
        ExtensionError: A built-in form has that name.
        ValueError: ``of`` is none of them.
    """
    check_kind(form, Form)
    find_forms(of).add(form.name, form)
    return form


def find_forms(of: str) -> "Forms[Any]":
    """Return the registry of a kind of result, which is imported when it is needed.

    Raises:
        ValueError: There is no such kind.
    """
    FOUND: Forms[Any]  # noqa: N806  (one of several constants)
    match of:
        case "report":
            FOUND = REPORT_FORMS  # noqa: N806
        case "comparison":
            from groupwise.evaluator.reporting.comparison import COMPARISON_FORMS as FOUND
        case "explanation":
            from groupwise.evaluator.reporting.explanation import EXPLANATION_FORMS as FOUND
        case "findings":
            from groupwise.evaluator.reporting.findings import FINDINGS_FORMS as FOUND
        case "power":
            from groupwise.evaluator.reporting.power import POWER_FORMS as FOUND
        case "remap":
            from groupwise.evaluator.reporting.remap import REMAP_FORMS as FOUND
        case "inspection":
            from groupwise.evaluator.reporting.inspection import INSPECTION_FORMS as FOUND
        case _:
            *known, last = map(repr, get_args(Kind))
            raise ValueError(f"of: expected {', '.join(known)} or {last}, got {of!r}")
    return FOUND


def render(report: "Report", name: str) -> str:
    """Return the report as text in the form of that name.

    The same report gives the same text, whatever the order of its input.
    """
    return REPORT_FORMS.render_text(report, name)


def render_as(subject: Any, kind: str, name: str, layout: Mapping[str, Any]) -> str:
    """Return a result as text in the form of that name, for ``render`` and ``to_*()``.

    Raises:
        ValueError: There is no such form, it is binary, or it does not take an option.
    """
    forms = find_forms(kind)
    forms.check_layout(forms.choose(name), layout)
    return forms.render_text(subject, name, **layout)


def write_as(
    subject: Any,
    kind: str,
    path: str | os.PathLike[str],
    name: str | None,
    layout: Mapping[str, Any],
) -> None:
    """Write a result to a file, whole or not at all, in the form of a name or of the suffix.

    A file whose name ends in ``.gz`` is compressed.

    Raises:
        ValueError: There is no such form, or it does not take an option.
    """
    from groupwise.evaluator.reading.writing import write_data

    forms = find_forms(kind)
    form = forms.choose(name, os.fspath(path), "form=NAME")
    forms.check_layout(form, layout)
    rendered = forms.render(subject, form, **layout)
    write_data(path, [rendered.encode() if isinstance(rendered, str) else rendered])


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write text that has been rendered to a file, whole or not at all."""
    from groupwise.evaluator.reading.writing import write_data

    write_data(path, [text.encode()])
