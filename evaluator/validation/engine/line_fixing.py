"""Fixes of JSON Lines, line by line: a file may be larger than memory.

A fix may make another one possible, also in another record: what the first record holds decides
how all are read. So the file is read again, and rewritten, until nothing changes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from typing import BinaryIO, NamedTuple, cast

from groupwise.evaluator.errors import InputError
from groupwise.evaluator.reading.editing import apply_edits, without_overlaps
from groupwise.evaluator.reading.jsonl import JsonLines, LineBatch
from groupwise.evaluator.reading.limits import FINDINGS
from groupwise.evaluator.reading.source import Source
from groupwise.evaluator.reading.text_file import MARK, encode_text
from groupwise.evaluator.reading.writing import Drafts, draft_content
from groupwise.evaluator.validation.engine.fixing import MOST_ROUNDS, Fixer, Found
from groupwise.evaluator.validation.engine.source_check import MixedKinds, RecordCount, SourceCheck
from groupwise.evaluator.validation.facts.session import SourceFacts

COPIED_BYTES = 1 << 20


class FixedFile(NamedTuple):
    """What was fixed in a file.

    Attributes:
        by_code: How many findings of each code were fixed.
        notes: What was not fixed, and why: the first thousand.
        unfixed: How many notes there are in all.
        has_changed: Whether anything was fixed.
        is_readable: False for invalid text.
    """

    by_code: Counter[str]
    notes: tuple[str, ...] = ()
    unfixed: int = 0
    has_changed: bool = False
    is_readable: bool = True


class NewLine(NamedTuple):
    """The number of a line, and what it is to be, without its end."""

    number: int
    content: bytes


class LineFixer(Fixer):
    """Applies fixes to the lines of a file, until nothing changes.

    Attributes:
        progress: Called with the number of records read.
    """

    progress: Callable[[int], None] | None = None
    most_notes = FINDINGS.default

    def fix(self, source: Source) -> FixedFile:
        """Replace the content of a file by the fixed one; where nothing is fixed, it is untouched.

        Raises:
            InputError: It cannot be read; it is untouched.
            OutputError: It cannot be written, or changed meanwhile; it is untouched.
        """
        with draft_content(source.path) as drafts:
            for _ in range(MOST_ROUNDS):
                if not self._fix_once(self._open_last(source, drafts), drafts):
                    break
            has_changed = drafts.last is not None
            drafts.take_place()
        return FixedFile(self.by_code, tuple(self.notes), self.unfixed, has_changed)

    def _open_last(self, source: Source, drafts: Drafts) -> Source:
        """Return the last draft, under the name of the file."""
        if drafts.last is None:
            return source
        last = Source(drafts.last, source.max_bytes)
        last.name = source.name
        return last

    def _fix_once(self, source: Source, drafts: Drafts) -> bool:
        """Write a draft with the fixes of one reading; return whether there are any."""
        lines = self._fix_lines(source)
        first = next(lines, None)
        mark = MARK if source.marked else ""
        start = self._fix_start(source, mark)
        if first is None and start == mark:
            return False
        changed = [] if first is None else chain([first], lines)
        with drafts.write() as file, _compress(file, is_wanted=source.is_compressed) as target:
            target.write(start.encode())
            target.writelines(_replace_lines(source, changed))
        return True

    def _fix_start(self, source: Source, start: str) -> str:
        """Return the start of a file without what is wrong with the file as a whole."""
        facts = SourceFacts(source.name, self.request, has_records=True)
        facts.has_byte_order_mark = bool(start)
        for rewrite in self.list_rewrites(facts):
            start = rewrite(start)
        return start

    def _fix_lines(self, source: Source) -> Iterator[NewLine]:
        """Yield the lines that change, in their order."""
        findings, count = self.begin_round(), RecordCount(self.progress)
        kinds = MixedKinds(self.request.ids)
        check = SourceCheck(JsonLines(source), self.request, findings, kinds, count=count)
        try:
            for batch in check.check_batches():
                found, findings.records = sorted(findings.records.items()), {}
                for (line, column), record in found:
                    old = cast("LineBatch", batch).lines[record.place.number].removesuffix(b"\n")
                    new = self._fix_line(old, line, column, record)
                    if new != old:
                        yield NewLine(line, new)
        except InputError as error:
            findings.add_error(error)

    def _fix_line(self, line: bytes, number: int, column: int, record: Found) -> bytes:
        text = line.decode()
        edits = self.list_edits(text, column - 1, number, record)
        return encode_text(apply_edits(text, without_overlaps(edits)))


@contextmanager
def _compress(file: BinaryIO, *, is_wanted: bool) -> Iterator[BinaryIO]:
    """Yield what to write to, so that a compressed file stays compressed."""
    if not is_wanted:
        yield file
        return
    from gzip import GzipFile  # noqa: PLC0415  (rarely needed)

    with GzipFile("", "wb", fileobj=file, mtime=0) as compressed:
        yield cast("BinaryIO", compressed)


def _replace_lines(source: Source, lines: Iterable[NewLine]) -> Iterator[bytes]:
    """Yield the content of a source, with some of its lines replaced."""
    number = 1
    with source.open() as stream:
        for line in lines:
            yield from islice(iter(stream.readline, b""), line.number - number)
            end = b"\n" if stream.readline().endswith(b"\n") else b""
            yield line.content + end
            number = line.number + 1
        yield from iter(lambda: stream.read(COPIED_BYTES), b"")
