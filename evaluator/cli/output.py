"""Where output goes: in the requested form, to a file or to standard output."""

import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from groupwise.evaluator.cli import streams
from groupwise.evaluator.cli.arguments import argument
from groupwise.evaluator.cli.usage import UsageError

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from groupwise.evaluator.reporting.forms import Form, Forms

Subject = TypeVar("Subject")
STDOUT = "-"
NO_LAYOUT: Mapping[str, str] = {}


def add_output_options(parser: "ArgumentParser", forms: "Forms[Any]") -> None:
    """Add ``--format`` and ``-o``."""

    @argument
    def check_form(name: str) -> str:
        try:
            return forms.choose(name).name
        except ValueError as error:
            raise ValueError(str(error).replace("no form ", "no format ", 1)) from None

    default = f"default: by the suffix of -o FILE, else {forms.default.name}"
    parser.add_argument("--format", type=check_form, metavar="|".join(forms.built_in),
                        help=f"output format ({default})")  # fmt: skip
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="write to FILE, whole or not at all; - is stdout")  # fmt: skip


def say_json(content: Any) -> None:
    """Show data as JSON on standard output."""
    import json  # noqa: PLC0415

    streams.say(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def is_file(path: str | None) -> bool:
    """Whether ``-o`` names a file, and not standard output."""
    return path not in (None, STDOUT, "/dev/stdout")


def check_output(
    words: Namespace,
    forms: "Forms[Any]",
    parts: Mapping[str, str],
    layout: Mapping[str, str] = NO_LAYOUT,
) -> None:
    """Raise a usage error for an output that cannot be written, before any work is done.

    Args:
        words: The command line.
        forms: The forms to choose from.
        parts: The parts of the report that options ask for, with the option as it is typed.
        layout: The options of its layout, likewise.
    """
    form = choose_form(words, forms)
    form.check_installed()
    for part, option in parts.items():
        able = [known for known in forms.list_known().values() if part not in known.omits]
        _check_form(form, able, option)
    for name, option in layout.items():
        able = [known for known in forms.list_known().values() if forms.takes(known, name)]
        _check_form(form, able, option)
    if is_file(words.output):
        check_target("-o", words.output, list_inputs(words))
    elif form.is_binary:
        raise UsageError(f"--format {form.name} is binary; name a file with -o FILE")


def _check_form(form: "Form[Any]", able: "Sequence[Form[Any]]", option: str) -> None:
    """Raise a usage error unless the form is one of those that show what an option asks for."""
    if form not in able:
        names = ", ".join(each.name for each in able)
        raise UsageError(f"--format {form.name} has no place for {option}; use one of {names}")


def choose_form(words: Namespace, forms: "Forms[Subject]") -> "Form[Subject]":
    """Return the form that ``--format`` names, else the one for the suffix of ``-o``."""
    path = words.output if is_file(words.output) else None
    try:
        return forms.choose(words.format, path)
    except ValueError as error:
        charts = "; --plot CHART=FILE writes charts" if _is_chart(path, words) else ""
        raise UsageError(f"-o {path}: {error}{charts}") from None


def _is_chart(path: str | None, words: Namespace) -> bool:
    """Whether a file has the ending of charts, and the command has some."""
    return (path or "").lower().endswith(".svg") and hasattr(words, "plot")


def list_inputs(words: Namespace) -> list[str]:
    """Return the files that a command reads."""
    others = (getattr(words, name, None) for name in ("corpus", "run", "vectors", "baseline"))
    return [*words.files, *(name for name in others if name)]


def check_target(flag: str, path: str, inputs: Sequence[str]) -> None:
    """Raise a usage error for a file that cannot be written, or that holds the input."""
    shown = f"{flag} {path}"
    check_folder(path, shown)
    if Path(path).is_dir():
        raise UsageError(f"{shown}: this is a folder, not a file")
    if any(os.path.realpath(name) == os.path.realpath(path) for name in inputs):
        raise UsageError(f"{shown} would overwrite the input")


def check_folder(path: str, shown: str) -> None:
    """Raise a usage error if the folder of a file to write does not exist."""
    folder = Path(path).parent
    if not folder.is_dir():
        raise UsageError(f"{shown}: there is no folder {os.fspath(folder)!r}")


def deliver(
    subject: Subject, words: Namespace, forms: "Forms[Subject]", **layout: Any
) -> "Form[Subject]":
    """Write a report in the requested form, and return that form."""
    to_file = is_file(words.output)
    form = choose_form(words, forms)
    if not to_file:
        layout |= {"width": streams.width(), "colour": streams.has_colour(sys.stdout)}
    rendered = forms.render(subject, form, **layout)
    data = rendered.encode() if isinstance(rendered, str) else rendered
    if to_file:
        from groupwise.evaluator.reading.writing import write_data  # noqa: PLC0415

        write_data(words.output, [data])
    elif form is forms.default and isinstance(rendered, str):
        streams.say_fitting(rendered)
    else:
        streams.emit(data)
    return form
