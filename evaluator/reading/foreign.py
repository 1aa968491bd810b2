"""Files that no format can be, by their first bytes, and what to do about them."""

import re

PAGE = re.compile(rb"\s*<(!doctype\s+html|html)[\s>]", re.IGNORECASE)
MARKUP = re.compile(rb"\s*<(\?xml\b|!--)", re.IGNORECASE)
PICKLE = re.compile(rb"\x80[\x02-\x05]")
TAR = re.compile(rb".{257}ustar[\0 ]", re.DOTALL)
BZIP2 = re.compile(rb"BZh[1-9]1AY&SY")
ZIP = b"PK\x03\x04"
AS_JSON = "give the data as JSON, CSV or parquet"
AS_TABLE = "save the table as CSV or parquet"
AS_PARQUET = "save it as parquet or JSON Lines"
UNPACK = "unpack it, and name a file in it"
DECOMPRESS = "decompress it, or use gzip, which is read as it is"
RANX = f"{DECOMPRESS}; save a run of ranx as JSON or parquet"
WEB_PAGE = (
    "this is a web page (HTML), not the data; download the file itself: a link to it, or a login, "
    "may be missing"
)
PATTERNS = (
    (PAGE, WEB_PAGE),
    (MARKUP, "this is XML or HTML; save the data as JSON, CSV or parquet"),
    (PICKLE, "this is a Python pickle, which can run code and is never read; save it as JSON"),
    (TAR, f"this is a tar archive; {UNPACK}"),
    (BZIP2, f"this is a file compressed with bzip2; {DECOMPRESS}"),
)
SIGNATURES = (
    (b"SQLite format 3\0", "an SQLite database", AS_TABLE),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel or Word file of an old kind", AS_TABLE),
    (b"%PDF-", "a PDF document", AS_JSON),
    (b"ARROW1\0\0", "an Arrow (Feather) file", AS_PARQUET),
    (b"FEA1\0", "a Feather file", AS_PARQUET),
    (b"Obj\x01", "an Avro file", AS_PARQUET),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", AS_TABLE),
    (b"\x93NUMPY", "a NumPy array", AS_JSON),
    (b"(\xb5/\xfd", "a file compressed with Zstandard", DECOMPRESS),
    (b"\xfd7zXZ\0", "a file compressed with xz", DECOMPRESS),
    (b"\x04\x22\x4d\x18", "a file compressed with LZ4", RANX),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", UNPACK),
)
ZIPPED = (
    (b"xl/", "an Excel workbook (.xlsx)", AS_TABLE),
    (b"word/", "a Word document (.docx)", AS_JSON),
    (b"mimetypeapplication/vnd.oasis.opendocument", "an OpenDocument file", AS_TABLE),
    (b".npy", "a NumPy archive (.npz)", AS_JSON),
    (b"data.pkl", "a PyTorch file", AS_JSON),
    (b"", "a zip archive", UNPACK),
)


def describe_foreign(start: bytes) -> str | None:
    r"""Return what a file is and what to do about it, if it is plainly not of any format.

    >>> describe_foreign(b"SQLite format 3\0")
    'this is an SQLite database; save the table as CSV or parquet'
    """
    for pattern, message in PATTERNS:
        if pattern.match(start):
            return message
    is_zip = start.startswith(ZIP)
    for mark, kind, advice in ZIPPED if is_zip else SIGNATURES:
        if mark in start if is_zip else start.startswith(mark):
            return f"this is {kind}; {advice}"
    return None
