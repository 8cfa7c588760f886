"""Text files as they come: plain or compressed by gzip, in UTF-8 or in what Excel writes."""

import codecs
import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from likewise.errors import InvalidArgument

GZIP = b"\x1f\x8b"  # how compressed files begin, whatever they are called
PIECE = 2**20  # bytes looked at a time
UTF8, EXCEL = (
    "utf-8",
    "cp1252",
)  # the latter: Western Europe and America, until 2016 and often since
_MARKS = {codecs.BOM_UTF8: UTF8, codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """The bytes of a file, decompressed."""
    with path.open("rb") as file:
        is_compressed = file.read(2) == GZIP
        file.seek(0)
        if not is_compressed:
            yield file
            return
        with gzip.open(file) as inner:
            yield cast(BinaryIO, inner)


@contextmanager
def open_text(path: Path, encoding: str) -> Iterator[TextIO]:
    """The text of a file, without a mark at its beginning; ends of lines as they are."""
    with open_bytes(path) as file, io.TextIOWrapper(file, _without_mark(encoding), newline="") as t:
        yield t


def as_utf8(path: Path, encoding: str) -> bytes:
    """All of it in UTF-8."""
    with open_text(path, encoding) as text:
        return text.read().encode()


def is_plain_utf8(path: Path, encoding: str) -> bool:
    """Whether it can be read as it stands on the disk."""
    with path.open("rb") as file:
        return encoding == UTF8 and file.read(2) != GZIP


def check_encoding(encoding: str) -> str:
    """The name of the encoding, if there is one of that name."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise InvalidArgument(
            "encoding", f"{encoding!r} is not known.", "Use utf-8, cp1252, latin-1, utf-16, ..."
        ) from None


def encoding_of(path: Path) -> str:
    """UTF-8 where all of it can be read as that, or as the mark at its beginning says; otherwise
    Excel's, if that can be.
    """
    with open_bytes(path) as file:
        beginning = file.read(4)
    marked = next((name for mark, name in _MARKS.items() if beginning.startswith(mark)), None)
    for encoding in (marked,) if marked else (UTF8, EXCEL):
        if _can_be(path, encoding):
            return encoding
    raise InvalidArgument(
        "encoding", f"{path.name} is in none that is known.", "Say which: --encoding latin-1, ..."
    )


def _can_be(path: Path, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        with open_bytes(path) as file:
            while piece := file.read(PIECE):
                decoder.decode(piece)
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _without_mark(encoding: str) -> str:
    return "utf-8-sig" if encoding == UTF8 else encoding
