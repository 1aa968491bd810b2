"""Files and identities of findings, as the forms for other programs need them."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath
from urllib.parse import quote_from_bytes

from groupwise.schemas.validation import Finding, ValidationReport


def home_of(finding: Finding, report: ValidationReport) -> str | None:
    """The file of a finding; one that is of no file in particular goes to the first."""
    return finding.file or next(iter(report.files), None)


def relative_path(file: str) -> str:
    """The file as paths are written in a repository: slashes, and no dot in front.

    >>> relative_path("./data//qa.json")
    'data/qa.json'
    """
    return PurePath(file).as_posix()


def uri(file: str) -> str:
    """The file as a reference: relative, unless it was given from the root.

    >>> uri("data/50% of it: ä.json")
    'data/50%25%20of%20it%3A%20%C3%A4.json'
    >>> uri("/data/qa.json")
    'file:///data/qa.json'
    """
    path = PurePath(file)
    quoted = quote_from_bytes(path.as_posix().encode("utf-8", "surrogatepass"))
    return f"file:///{quoted.lstrip('/')}" if path.is_absolute() else quoted


def with_identities(report: ValidationReport) -> Iterator[tuple[Finding, str]]:
    """Every finding with a name of its own that does not change when records move.

    Findings that are equal but for their place are numbered.
    """
    seen: Counter[str] = Counter()
    for finding in report.findings:
        name = digest(finding.file or "", finding.code, finding.query or "", _what(finding))
        seen[name] += 1
        yield finding, name if seen[name] == 1 else digest(name, str(seen[name]))


def _what(finding: Finding) -> str:
    return finding.fingerprint or finding.message


def digest(*parts: str) -> str:
    """A short name made of some texts."""
    text = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
