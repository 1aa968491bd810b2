"""Files and identities of findings, for forms that other programs read."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath
from urllib.parse import quote_from_bytes

from groupwise.schemas.validation import Finding, ValidationReport


def home_of(finding: Finding, report: ValidationReport) -> str | None:
    """Return the file of a finding; a finding without a file belongs to the first."""
    return finding.file or next(iter(report.files), None)


def relative_path(file: str) -> str:
    """Return the path as repositories write it: slashes, and no leading dot.

    >>> relative_path("./data//qa.json")
    'data/qa.json'
    """
    return PurePath(file).as_posix()


def build_uri(file: str) -> str:
    """Return the file as a URI reference: relative, unless the path is absolute.

    >>> build_uri("data/50% of it: ä.json")
    'data/50%25%20of%20it%3A%20%C3%A4.json'
    >>> build_uri("/data/qa.json")
    'file:///data/qa.json'
    """
    path = PurePath(file)
    quoted = quote_from_bytes(path.as_posix().encode("utf-8", "surrogatepass"))
    return f"file:///{quoted.lstrip('/')}" if path.is_absolute() else quoted


def with_identities(report: ValidationReport) -> Iterator[tuple[Finding, str]]:
    """Yield every finding with a unique name that does not change when records move.

    Findings that differ only in their place are numbered.
    """
    seen: Counter[str] = Counter()
    for finding in report.findings:
        query, identity = finding.query or "", finding.fingerprint or finding.message
        name = hash_texts(finding.file or "", finding.code, query, identity)
        seen[name] += 1
        yield finding, name if seen[name] == 1 else hash_texts(name, str(seen[name]))


def hash_texts(*parts: str) -> str:
    """Return a short hash of some texts."""
    text = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
