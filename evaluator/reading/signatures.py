"""Files that no format can be, by their first bytes, and what to do about them."""

import re
from collections.abc import Mapping

LFS, ANNEX = b"version https://git-lfs.github.com/spec/", b"/annex/objects/"
POINTERS: Mapping[bytes, str] = {
    LFS: "this is a Git LFS pointer, not the data; fetch the file (git lfs pull)",
    ANNEX: "this is a git-annex pointer, not the data; fetch the file (git annex get)",
}
PAGE = re.compile(rb"\s*<(!doctype\s+html|html)[\s>]", re.IGNORECASE)
MARKUP = re.compile(rb"\s*<(\?xml\b|!--)", re.IGNORECASE)
AS_TABLE = "save the table as CSV or parquet"
UNPACK = "unpack it, and name a file in it"
DECOMPRESS = "decompress it, or use gzip, which is read as it is"
SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"SQLite format 3\0", "an SQLite database", AS_TABLE),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel or Word file of an old kind", AS_TABLE),
    (b"%PDF-", "a PDF document", "give the data as JSON, CSV or parquet"),
    (b"ARROW1\0\0", "an Arrow (Feather) file", "save it as parquet"),
    (b"FEA1\0", "a Feather file", "save it as parquet"),
    (b"Obj\x01", "an Avro file", "save it as parquet or JSON Lines"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", AS_TABLE),
    (b"\x93NUMPY", "a NumPy array", "give ids and groups as JSON, CSV or parquet"),
    (b"(\xb5/\xfd", "a file compressed with Zstandard", DECOMPRESS),
    *(
        (b"BZh%d1AY&SY" % level, "a file compressed with bzip2", DECOMPRESS)
        for level in range(1, 10)
    ),
    (b"\xfd7zXZ\0", "a file compressed with xz", DECOMPRESS),
    (
        b"\x04\x22\x4d\x18",
        "a file compressed with LZ4",
        f"{DECOMPRESS}; save a run of ranx as JSON or parquet",
    ),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", UNPACK),
)
ZIP = b"PK\x03\x04"
ZIPPED: tuple[tuple[bytes, str, str], ...] = (
    (b"xl/", "an Excel workbook (.xlsx)", AS_TABLE),
    (b"word/", "a Word document (.docx)", "give the data as JSON, CSV or parquet"),
    (b"mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument file", AS_TABLE),
    (b".npy", "a NumPy archive (.npz)", "give ids and groups as JSON, CSV or parquet"),
    (b"data.pkl", "a PyTorch file", "give ids and groups as JSON, CSV or parquet"),
    (b"", "a zip archive", UNPACK),
)
PICKLES = frozenset(bytes([0x80, protocol]) for protocol in range(2, 6))
TAR_PLACE, TARS = 257, (b"ustar\0", b"ustar ")
READ_AS = "groupwise reads JSON, JSON Lines, CSV, TREC, parquet and other formats"


def describe_pointer(start: bytes) -> str | None:
    """Return what to do about a file that only points to its content; None for all others."""
    return next((message for begin, message in POINTERS.items() if start.startswith(begin)), None)


def describe_foreign(start: bytes) -> str | None:
    r"""Return what a file is and what to do about it, if it is plainly not of any format.

    >>> describe_foreign(b"SQLite format 3\0")
    'this is an SQLite database; save the table as CSV or parquet'
    """
    if PAGE.match(start):
        return (
            "this is a web page (HTML), not the data; download the file itself: a link to it, or a "
            "login, may be missing"
        )
    if MARKUP.match(start):
        return f"this is XML or HTML; {READ_AS}"
    if start[:2] in PICKLES:
        return (
            "this is a Python pickle, which can run code and is never read; save the data as JSON "
            "or parquet"
        )
    if start.startswith(TARS, TAR_PLACE):
        return f"this is a tar archive; {UNPACK}"
    is_zip = start.startswith(ZIP)
    for mark, kind, advice in ZIPPED if is_zip else SIGNATURES:
        if mark in start if is_zip else start.startswith(mark):
            return f"this is {kind}; {advice}"
    return None
