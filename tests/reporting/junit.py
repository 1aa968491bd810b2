"""The shape of JUnit XML that Jenkins, GitLab and GitHub's actions read.

The elements and attributes are those of junit-10.xsd of Jenkins' xUnit plugin. GitLab keeps only
the first of several cases with one name and class.
"""

from collections import Counter
from xml.etree import ElementTree as ET

SUITE = {"name", "tests", "failures", "errors"}
"""Required of a suite."""
ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": SUITE | {"skipped", "time", "timestamp", "hostname", "id", "package", "file"},
    "testcase": {"name", "time", "classname", "group"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"type", "message"},
    "system-out": set(),
    "properties": set(),
    "property": {"name", "value"},
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testsuite", "properties", "testcase", "system-out", "system-err"},
    "testcase": {"skipped", "error", "failure", "system-out", "system-err"},
    "properties": {"property"},
}
COUNTED = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}


def check_junit(text: str) -> ET.Element:
    """Return the root of a document, after checking it."""
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    root = ET.fromstring(text)  # noqa: S314  (our own output)
    assert root.tag == "testsuites"
    for element in root.iter():
        assert element.attrib.keys() <= ATTRIBUTES[element.tag]
        assert {child.tag for child in element} <= CHILDREN.get(element.tag, set())
        if element.tag == "testsuite":
            assert element.attrib.keys() >= SUITE
        for name, tag in COUNTED.items():
            if name in element.attrib:
                assert element.get(name) == str(sum(1 for _ in element.iter(tag)))
    names = Counter((c.get("classname"), c.get("name")) for c in root.iter("testcase"))
    assert not [name for name, count in names.items() if count > 1]
    return root
