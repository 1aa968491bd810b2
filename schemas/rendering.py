"""Results that are written in forms: JSON, tables for people, spreadsheets, papers.

The forms themselves are declared in ``evaluator.reporting``, in one registry per kind of result.
A method ``to_*()`` here belongs to the form of the same name there.
"""

import os
from typing import Any, ClassVar, Self

from groupwise.schemas.binding import find_bound
from groupwise.schemas.shape import Shape


class Rendered(Shape):
    """A result that has forms."""

    kind: ClassVar[str]
    """The registry of its forms, as ``add_form(…, of=kind)`` calls it."""

    def render(self, form: str, **layout: Any) -> str:
        """Return it as text in a form by its name, built in or your own.

        Args:
            form: What ``--format`` calls the form.
            **layout: Options of the form, such as ``worst=10``.

        Raises:
            ValueError: There is no such form, it is binary, or it does not take the option.
        """
        text: str = find_bound("render_as")(self, self.kind, form, layout)
        return text

    def save(self, path: str | os.PathLike[str], form: str | None = None, **layout: Any) -> None:
        """Write it to a file, whole or not at all; ``.gz`` at the end compresses it.

        Args:
            path: The file, such as ``report.json``, ``report.md`` or ``report.csv.gz``.
            form: The name of a form; None chooses it by the name of the file.
            **layout: Options of the form, such as ``worst=10``.

        Raises:
            ValueError: No form has that name or suffix, or it does not take the option.
            OutputError: The file cannot be written; what was there before is untouched.
        """
        find_bound("write_as")(self, self.kind, path, form, layout)

    def to_json(self) -> str:
        """Return a JSON object, as ``--format json`` prints it."""
        return self.render("json")


class Framed(Rendered):
    """A result that has tables for data frames."""

    def to_pandas(self, table: str | None = None) -> Any:
        """Return a table as a DataFrame of pandas; ids are text, None is a missing value.

        A report has the tables ``"queries"`` (a row per query, a column per metric), ``"scores"``
        and ``"slices"``, a comparison ``"pairs"`` and ``"runs"``, an explanation ``"groups"``,
        findings ``"findings"``, a remapping ``"alternatives"``, an analysis of power ``"metrics"``.

        Args:
            table: The name of the table; None: the first.

        Raises:
            InputError: pandas is not installed, or the data of the table is not there.
            OptionError: There is no such table.
        """
        return find_bound("build_frame")(self, self.kind, "pandas", table)

    def to_polars(self, table: str | None = None) -> Any:
        """Return a table as a DataFrame of polars; otherwise like ``to_pandas``."""
        return find_bound("build_frame")(self, self.kind, "polars", table)

    def to_arrow(self, table: str | None = None) -> Any:
        """Return an Arrow table (extra ``parquet``); otherwise like ``to_pandas``."""
        return find_bound("build_frame")(self, self.kind, "pyarrow", table)


class Tabular(Framed):
    """A result that has forms for people and for spreadsheets."""

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a result that was saved as JSON, by ``save`` or ``--format json``.

        Args:
            path: The file, such as ``report.json`` or ``report.json.gz``.

        Raises:
            InputError: The file cannot be read, or holds something else; the message says where.
        """
        loaded: Self = find_bound("load_result")(cls, path)
        return loaded

    def to_csv(self, **layout: Any) -> str:
        """Return comma-separated values, as ``--format csv`` prints them."""
        return self.render("csv", **layout)

    def to_markdown(self, **layout: Any) -> str:
        """Return Markdown, as ``--format markdown`` prints it."""
        return self.render("markdown", **layout)

    def __str__(self) -> str:
        return self.to_markdown()


class Published(Tabular):
    """A result that has forms for papers and pages."""

    def to_latex(self, **layout: Any) -> str:
        """Return LaTeX tables (package booktabs), as ``--format latex`` prints them."""
        return self.render("latex", **layout)

    def to_html(self, path: str | os.PathLike[str] | None = None, **layout: Any) -> str:
        """Return a page that needs no network and no script (extra ``html``).

        What a report lacks for it, such as intervals and the explanation of each query, is
        evaluated again from the same objects or files.

        Args:
            path: A file to write the page to as well, whole or not at all.
            **layout: Options of the form, such as ``worst=10``: how many queries of a report are
                shown in full.

        Raises:
            InputError: jinja2 is not installed, or the data of a report has changed since.
            OutputError: The file cannot be written; what was there before is untouched.
        """
        page = self.render("html", **layout)
        if path is not None:
            find_bound("write_text")(path, page)
        return page
