"""What a file is, told by what it holds; the suffix decides only between kinds of text."""

from __future__ import annotations

import bz2
import io
import lzma
import zipfile
import zlib
from pathlib import PurePosixPath

from pincite.loaders.text_kinds import MARKDOWN_SUFFIXES, SAMPLE, text_kind

__all__ = [
    "MARKDOWN_SUFFIXES",
    "SAMPLE",
    "is_light",
    "is_never_empty",
    "looks_light",
    "sniff",
    "unpacker",
]

_OPEN_DOCUMENTS = {
    b"application/epub+zip": "epub",
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.text-template": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.spreadsheet-template": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
    b"application/vnd.oasis.opendocument.presentation-template": "odp",
}
_OFFICE_FOLDERS = (("word/", "docx"), ("ppt/", "pptx"), ("xl/", "xlsx"))
_ZIP_SUFFIXES = {
    **dict.fromkeys((".docx", ".docm", ".dotx", ".dotm"), "docx"),
    **dict.fromkeys((".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"), "pptx"),
    **dict.fromkeys((".xlsx", ".xlsm", ".xltx", ".xltm"), "xlsx"),
    **{f".{kind}": kind for kind in ("epub", "odt", "ods", "odp")},
}
_BINARY_SUFFIXES = frozenset(
    (
        ".pdf .rtf .xlsb .zip .tar .gz .tgz .bz2 .tbz2 .xz .txz .7z .rar"
        " .png .jpg .jpeg .gif .bmp .tif .tiff .webp .ico .mp3 .mp4 .wav .avi .mov .mkv .exe .dll"
    ).split()
)
_MAXIMUM_MEMBERS = 100_000
_MEDIA_TYPE_LENGTH = 200

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (
    ("encryptedpackage", "encrypted-office"),
    ("__properties_version1.0", "msg"),
    ("worddocument", "doc"),
    ("powerpoint document", "ppt"),
    ("workbook", "xls"),
    ("book", "xls"),
)
_OLE_SUFFIXES = {
    **dict.fromkeys((".doc", ".dot"), "doc"),
    **dict.fromkeys((".ppt", ".pps"), "ppt"),
    **dict.fromkeys((".xls", ".xlt"), "xls"),
    ".msg": "msg",
}

_PDF_HEADER_WITHIN = 1024
"""Readers of PDF accept that much in front of its header."""
_TAR_BLOCK = 512
_MESSAGES = frozenset({"eml", "mbox", "mhtml"})
_LIGHT = frozenset({"code", "markdown", "plain", "srt", "vtt"})


def sniff(data: bytes, name: str) -> str:
    """The name in `FORMATS` of the format of a file called `name` that holds `data`.

    What is not known is `plain`: whether it is text at all, decoding tells.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(data, suffix)
    if data.startswith(_OLE):
        return _ole_kind(data, suffix)
    if data.startswith(b"{\\rtf"):
        return "rtf"
    if _is_tar(data[:_TAR_BLOCK]):
        return "tar"
    # After the archives: a PDF kept unpacked in one stands as near to its beginning.
    if _is_pdf(data, suffix):
        return "pdf"
    if unpacker(data) is not None:
        return "tar" if _is_tar(_first_block(data)) else "compressed"
    return text_kind(data, suffix)


def is_never_empty(name: str) -> bool:
    """Whether a file called so holds more than 0 bytes if it is what its name says."""
    suffix = PurePosixPath(name).suffix.lower()
    return suffix in _BINARY_SUFFIXES or suffix in _ZIP_SUFFIXES or suffix in _OLE_SUFFIXES


def is_light(head: bytes, name: str) -> bool:
    """Whether a file called `name` that begins with `head` is text that is read as it stands.

    Reading such a file takes little time and memory, whatever it holds. `head` is the whole file,
    or its first `SAMPLE` bytes.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", _OLE, b"{\\rtf")) or _is_pdf(head, suffix):
        return False
    if _is_tar(head[:_TAR_BLOCK]) or unpacker(head) is not None:
        return False
    return text_kind(head, suffix) in _LIGHT


def looks_light(name: str) -> bool:
    """The same, by the name alone."""
    return is_light(b"", name)


def unpacker(data: bytes) -> zlib._Decompress | bz2.BZ2Decompressor | lzma.LZMADecompressor | None:
    """What unpacks `data` where it is one packed file (gzip, bzip2, xz); else None."""
    if data.startswith(b"\x1f\x8b\x08"):
        return zlib.decompressobj(zlib.MAX_WBITS | 16)
    # "BZh" could begin a text.
    if data.startswith(b"BZh") and data[4:10] in (b"1AY&SY", b"\x17\x72\x45\x38\x50\x90"):
        return bz2.BZ2Decompressor()
    if data.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMADecompressor(memlimit=1 << 28)
    return None


def _is_pdf(data: bytes, suffix: str) -> bool:
    at = data.find(b"%PDF-", 0, _PDF_HEADER_WITHIN)
    if at < 0:
        return False
    if not data[:at].strip(b"\xef\xbb\xbf \t\r\n\x00"):
        return True
    # Something stands in front: a broken download, or a text that writes about PDF.
    if suffix == ".pdf":
        return True
    if b"endobj" not in data or b"\nstartxref" not in data:
        return False
    # Or a message that carries one as it is.
    return text_kind(data[:at], suffix) not in _MESSAGES


def _zip_kind(data: bytes, suffix: str) -> str:
    meant = _ZIP_SUFFIXES.get(suffix, "zip")
    # Before the directory is read: each entry takes a kilobyte then.
    if data.count(b"PK\x01\x02") > _MAXIMUM_MEMBERS:
        return meant
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if "mimetype" in names:
                # What the directory says of its size may be wrong.
                with archive.open("mimetype") as file:
                    media_type = file.read(_MEDIA_TYPE_LENGTH).strip()
                if media_type in _OPEN_DOCUMENTS:
                    return _OPEN_DOCUMENTS[media_type]
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError,
            NotImplementedError):  # fmt: skip
        # Cut off or damaged: what it was meant to be says the best error.
        return meant
    # As the programs do, which compare names of parts without case.
    names = [member.replace("\\", "/").lower() for member in names]
    if "[content_types].xml" in names:
        for folder, kind in _OFFICE_FOLDERS:
            if any(member.startswith(folder) for member in names):
                return kind
    if "meta-inf/container.xml" in names and any(member.endswith(".opf") for member in names):
        return "epub"
    return "zip"


def _ole_kind(data: bytes, suffix: str) -> str:
    # Few folders hold such files, and asking an index that is up to date reads none.
    import olefile

    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            names = {entry.name.lower() for entry in file.root.kids}
    except Exception:
        # A parser's boundary: it raises what it likes over damaged files.
        return _OLE_SUFFIXES.get(suffix, "ole")
    return next((kind for stream, kind in _OLE_STREAMS if stream in names), "ole")


def _is_tar(block: bytes) -> bool:
    """Whether `block` is the header of a member: its sum is written in it (POSIX ustar)."""
    if len(block) < _TAR_BLOCK or not block[0]:
        return False
    try:
        written = int(block[148:156].strip(b" \x00") or b"x", 8)
    except ValueError:
        return False
    return written == sum(block[:148]) + 8 * ord(" ") + sum(block[156:])


def _first_block(data: bytes) -> bytes:
    made = unpacker(data)
    if made is None:
        return b""
    try:
        if isinstance(made, (bz2.BZ2Decompressor, lzma.LZMADecompressor)):
            # A bzip2 block is up to 900 kB and is given whole.
            return made.decompress(data[: 1 << 20], _TAR_BLOCK)
        return made.decompress(data[: 1 << 16], _TAR_BLOCK)
    except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError):
        return b""
