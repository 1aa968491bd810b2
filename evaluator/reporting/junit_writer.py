"""JUnit XML: suites of cases, as Jenkins, GitLab and GitHub's actions read it.

There is no standard. The elements are those of the schema of Jenkins' xUnit plugin (junit-10.xsd);
GitLab keeps the first of several cases of one name, so names within a suite should differ.
"""

from collections import Counter
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from groupwise.evaluator.reporting.sanitise import xml_safe

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


class JUnit:
    """A document that is filled suite by suite."""

    def __init__(self, name: str) -> None:
        self._root = Element("testsuites", name=xml_safe(name))

    def add_suite(self, name: str) -> "Suite":
        """Add a suite; it is counted when the document is rendered."""
        return Suite(SubElement(self._root, "testsuite", name=xml_safe(name)))

    def render(self) -> str:
        """Return the document."""
        for suite in self._root:
            suite.attrib |= _count_cases(suite) | {"skipped": _count(suite, "skipped")}
        self._root.attrib |= _count_cases(self._root)
        indent(self._root)
        return f"{HEAD}{tostring(self._root, encoding='unicode')}\n"


class Suite:
    """A suite of cases."""

    def __init__(self, element: Element) -> None:
        self._element = element
        self._names: Counter[str] = Counter()

    def add_case(self, name: str) -> "Case":
        """Add a case, which passes unless something is added to it; equal names are numbered."""
        home = self._element.get("name", "")
        shown = xml_safe(name)
        self._names[shown] += 1
        number = f" ({self._names[shown]})" if self._names[shown] > 1 else ""
        return Case(SubElement(self._element, "testcase", name=f"{shown}{number}", classname=home))


class Case:
    """A test case with its result."""

    def __init__(self, element: Element) -> None:
        self._element = element

    def fail(self, message: str, text: str = "", kind: str = "failure") -> None:
        """Say that what was tested does not hold."""
        self._add("failure", message, text, kind)

    def err(self, message: str, text: str = "", kind: str = "error") -> None:
        """Say that it could not be tested."""
        self._add("error", message, text, kind)

    def skip(self, message: str) -> None:
        """Say that it was not tested."""
        SubElement(self._element, "skipped", message=xml_safe(message))

    def print(self, text: str) -> None:
        """Add output, which changes nothing about the outcome."""
        SubElement(self._element, "system-out").text = escape_lines(text)

    def _add(self, tag: str, message: str, text: str, kind: str) -> None:
        element = SubElement(self._element, tag, type=xml_safe(kind), message=xml_safe(message))
        element.text = escape_lines(text or message)


def _count_cases(element: Element) -> dict[str, str]:
    tags = {"tests": "testcase", "failures": "failure", "errors": "error"}
    return {name: _count(element, tag) for name, tag in tags.items()}


def _count(element: Element, tag: str) -> str:
    return str(sum(1 for _ in element.iter(tag)))


def escape_lines(text: str) -> str:
    """Return lines that XML allows."""
    return "\n".join(map(xml_safe, text.split("\n")))
