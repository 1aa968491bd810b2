"""Whatever is in a file, reading it as any format gives data or an InputError."""

import contextlib
import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groupwise import File, InputError, read
from groupwise.evaluator.formats.registry import Format, list_formats
from tests.strategies import FEWER

NEEDED = {"parquet": "pyarrow"}
WORDS = st.sampled_from(
    ["q1", "q2", "0", "1", "-1", "2.5", "nan", "1e999", "9" * 400, "a", "b", "é", "Q0", "", " ",
     "\t", ",", ";", '"', "\n", "\r\n", "\r", "\x00", "\ufeff", "query_id", "id", "grade", "rank",
     "score", "group", "query-id", "corpus-id", "{", "}", "[", "]", ":", '"id"', '"_id"',
     '"question"', '"ground_truth"', "null", "true", "\x1b[2J", "\u2028"]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=40).map("".join) | st.lists(WORDS, max_size=40).map(" ".join)
LINES = st.lists(
    st.lists(WORDS, min_size=3, max_size=6).map("\t".join), min_size=1, max_size=6
).map("\n".join)
CONTENT = (TEXTS | LINES).map(lambda text: text.encode()) | st.binary(max_size=80)


@pytest.mark.parametrize("one", list_formats().values(), ids=lambda one: one.name)
def test_a_file_is_read_or_refused(one: Format) -> None:
    if one.extra:
        pytest.importorskip(NEEDED.get(one.extra, one.extra))

    @given(CONTENT, st.sampled_from(sorted(one.holds)), st.booleans(), st.booleans())
    @FEWER
    def is_read_or_refused(content: bytes, role: str, insist: bool, packed: bool) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.suppress(InputError):
            suffix = one.suffixes[0] if one.suffixes else ""
            path = Path(folder, f"file{suffix}{'.gz' if packed else ''}")
            path.write_bytes(gzip.compress(content) if packed else content)
            name = one.name if insist else None
            read(File(path, format=name, subtopics=packed), role=role, flat="any")  # type: ignore[call-overload]

    is_read_or_refused()


@pytest.mark.parametrize("one", list_formats().values(), ids=lambda one: one.name)
def test_one_endless_line_is_read_or_refused(one: Format, tmp_path: Path) -> None:
    if one.extra:
        pytest.importorskip(NEEDED.get(one.extra, one.extra))
    path = tmp_path / f"file{one.suffixes[0] if one.suffixes else ''}"
    for sign in ("\0", "a", "[", '"', "{"):
        path.write_text(sign * 100_000)
        with contextlib.suppress(InputError):
            read(File(path, format=one.name), role=min(one.holds), flat="any")
