"""Where output goes: in the requested form, to a file or to standard output."""

import os
import sys
from argparse import Namespace
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


def add_output_options(parser: "ArgumentParser", forms: "Forms[Any]") -> None:
    """Add ``--format`` and ``-o``."""

    @argument
    def check_form(name: str) -> str:
        return forms.choose(name).name

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
    return path not in (None, STDOUT)


def check_output(words: Namespace, forms: "Forms[Any]") -> None:
    """Raise a usage error for an output that cannot be written, before any work is done."""
    path = words.output
    if not is_file(path):
        if forms.choose(words.format).is_binary:
            message = f"--format {words.format} is binary; name a file with -o FILE"
            raise UsageError(message)
        return
    check_folder(path, f"-o {path}")
    if Path(path).is_dir():
        raise UsageError(f"-o {path}: this is a folder, not a file")
    if any(os.path.realpath(name) == os.path.realpath(path) for name in words.files):
        raise UsageError(f"-o {path} would overwrite the input")


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
    form = forms.choose(words.format, words.output)
    if not to_file:
        layout |= {"width": streams.width(), "colour": streams.has_colour(sys.stdout)}
    rendered = forms.render(subject, form, **layout)
    data = rendered.encode() if isinstance(rendered, str) else rendered
    if to_file:
        from groupwise.evaluator.reading.writing import write_whole  # noqa: PLC0415

        write_whole(words.output, data)
    elif form is forms.default and isinstance(rendered, str):
        streams.say(rendered)
    else:
        streams.emit(data)
    return form
