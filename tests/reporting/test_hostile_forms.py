"""Text from data stays text in every form of every kind of result.

Each form has a reader here that takes its output apart as the program does that shows it, and
refuses anything that text from data could have added to it. A new form needs one as well.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any
from xml.etree.ElementTree import fromstring

import pytest
from markdown_it import MarkdownIt

from groupwise.evaluator.reporting.forms import Form
from groupwise.evaluator.text import STYLES, UNSEEN, is_formula
from tests.reporting.subjects import ALL_FORMS, BUILDERS, IDS, render

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "attribute": '"onmouseover=alert(1) x="',
    "closing": "</script></style></title><img src=x onerror=alert(1)>",
    "address": "javascript:alert(1)//http://evil.example [l](javascript:x) <javascript:x>",
    "formula": "=cmd()|'/c calc'!A0",
    "cells": "a|b`c`*d*_e_ & f \\| g",
    "latex": "\\input{/etc/passwd} %x $y$ #1 ~ ^ }{",
    "ansi": "\x1b[31mred\x1b[0m",
    "osc": "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\\x1b]0;t\x07",
    "bidi": "a\u202egnp.exe\u2066x\u2069",
    "markup": "[bold]x[/bold] [link=http://evil.example]y[/link]",
    "lines": "a\r\n::error::all is lost\n# heading\n\n- item\u2028b\t",
    "command": "::error file=x::y ##[error]z",
    "entity": "&lt;script&gt; &#x202e; ]]> <!-- x -->",
    "mention": "@everyone #1 https://evil.example www.evil.example",
}
FORMS = pytest.mark.parametrize(("kind", "form"), ALL_FORMS, ids=IDS)


@cache
def rendered(kind: str, name: str, text: str) -> str | bytes:
    form = next(form for of, form in ALL_FORMS if (of, form.name) == (kind, name))
    return render(built(kind, text), kind, form)


@cache
def built(kind: str, text: str) -> Any:
    return BUILDERS[kind](text)


class Page(HTMLParser):
    """The elements, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read_html(text: str, plain: str) -> str:
    page, harmless = Page(text), Page(plain)
    assert {*page.tags} <= {*harmless.tags}
    assert page.tags.count("script") == harmless.tags.count("script")
    names = {name for name, _ in page.attributes}
    assert names <= {name for name, _ in harmless.attributes}
    assert not [name for name in names if name.startswith("on")]
    links = [value for name, value in page.attributes if name in ("href", "src", "xlink:href")]
    assert all(link.startswith("#") for link in links)
    return "".join(page.texts)


def read_markdown(text: str, plain: str) -> str:
    renderer = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table")
    return read_html(renderer.render(text), renderer.render(plain))


def read_table(text: str, _plain: str) -> str:
    assert not UNSEEN.search(text.replace("\n", ""))
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert "##[" not in text
    return text


def read_json(text: str, _plain: str) -> str:
    return "".join(strings(json.loads(text)))


def read_lines(text: str, _plain: str) -> str:
    return "".join(part for line in text.splitlines() for part in strings(json.loads(line)))


def strings(value: Any) -> Iterator[str]:
    """The strings of a JSON value, keys included."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


def read_csv(text: str, plain: str) -> str:
    rows, others = (list(csv.reader(io.StringIO(one))) for one in (text, plain))
    assert [*map(len, rows)] == [*map(len, others)]
    cells = [cell for row in rows for cell in row]
    assert not [cell for cell in cells if is_formula(cell)]
    return "\n".join(cell.removeprefix("'") for cell in cells)


def read_latex(text: str, plain: str) -> str:
    def commands(one: str) -> set[str]:
        return set(re.findall(r"\\[a-zA-Z]+", one))

    signs = {"backslash", "asciicircum", "asciitilde", "less", "greater", "bar", "asciigrave"}
    assert commands(text) <= commands(plain) | {rf"\text{sign}" for sign in signs} | {r"\char"}
    bare = re.sub(r"\\[\\&%$#_{}]", "", text)
    lines = [line for line in bare.splitlines() if not line.startswith("%")]
    assert not [line for line in lines if re.search(r"[%$#^~]", line)]
    assert bare.count("{") == bare.count("}")
    assert text.count("\n") == plain.count("\n")
    return text


def read_xml(text: str, plain: str) -> str:
    root, harmless = (fromstring(one.partition("\n")[2]) for one in (text, plain))  # noqa: S314
    assert [e.tag for e in root.iter()] == [e.tag for e in harmless.iter()]
    texts = [part for e in root.iter() for part in (e.text or "", *e.attrib.values())]
    return "".join(texts)


def read_commands(text: str, plain: str) -> str:
    assert len(text.splitlines()) == len(plain.splitlines())
    pattern = r"::(error|warning|notice) [^:\n]*::[^\n]*"
    assert all(re.fullmatch(pattern, line) for line in text.splitlines())
    return text.replace("%25", "%").replace("%3A", ":").replace("%2C", ",")


READERS: dict[str, Callable[[str, str], str]] = {
    "table": read_table, "text": read_table, "json": read_json, "jsonl": read_lines,
    "csv": read_csv, "markdown": read_markdown, "latex": read_latex, "html": read_html,
    "junit": read_xml, "github": read_commands, "gitlab": read_json, "sarif": read_json,
}  # fmt: skip
BINARY = {"parquet"}


@FORMS
def test_text_from_data_stays_text(kind: str, form: Form[Any]) -> None:
    if form.name in BINARY:
        return
    plain = rendered(kind, form.name, "plain")
    assert isinstance(plain, str)
    for text in HOSTILE.values():
        shown = rendered(kind, form.name, text)
        assert isinstance(shown, str)
        assert not [sign for sign in UNSEEN.findall(shown) if sign != "\n"], text
        READERS[form.name](shown, plain)


@FORMS
def test_text_is_shown_as_it_is(kind: str, form: Form[Any]) -> None:
    """What is harmless in one form must not be lost in another."""
    if form.name in BINARY or kind in ("power", "inspection"):
        return
    shown = rendered(kind, form.name, HOSTILE["script"])
    plain = rendered(kind, form.name, "plain")
    assert isinstance(shown, str)
    assert isinstance(plain, str)
    found = READERS[form.name](shown, plain)
    if form.name == "latex":
        found = found.replace(r"\textless{}", "<").replace(r"\textgreater{}", ">")
    assert "<script>alert(1)" in found


@pytest.mark.parametrize("kind", ["report", "comparison", "explanation", "power"])
def test_only_our_styles_colour_a_terminal(kind: str) -> None:
    form = next(form for of, form in ALL_FORMS if of == kind and form.name == "table")
    ours = {f"\x1b[{code}m" for code in (*STYLES.values(), "0")}
    for text in HOSTILE.values():
        shown = form.render(built(kind, text), colour=True)
        assert isinstance(shown, str)
        assert {*re.findall(r"\x1b[^m]*m?", shown)} <= ours
        read_table(re.sub(r"\x1b\[[\d;]*m", "", shown), "")
