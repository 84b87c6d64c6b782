"""What a file is, told by what it holds; the suffix decides only between kinds of text."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import PurePosixPath

MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})

_TEXT_SUFFIXES = {
    **dict.fromkeys(MARKDOWN_SUFFIXES, "markdown"),
    **dict.fromkeys((".html", ".htm", ".xhtml"), "html"),
    **dict.fromkeys((".mht", ".mhtml"), "mhtml"),
    **dict.fromkeys((".adoc", ".asciidoc", ".asc"), "asciidoc"),
    **dict.fromkeys((".rst", ".rest"), "restructuredtext"),
    **dict.fromkeys((".yaml", ".yml"), "yaml"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    **dict.fromkeys((".xml", ".xsd", ".xsl", ".rss", ".atom", ".svg"), "xml"),
    **dict.fromkeys((".tsv", ".tab"), "tsv"),
    ".org": "org",
    ".json": "json",
    ".csv": "csv",
    ".srt": "srt",
    ".vtt": "vtt",
    ".eml": "eml",
    ".mbox": "mbox",
    ".ipynb": "ipynb",
}
_CODE_SUFFIXES = frozenset(
    (
        ".bash .bat .c .cc .cfg .clj .cmd .conf .cpp .cs .css .cxx .dart .erl .ex .exs .f90 .fs .go"
        " .gradle .groovy .h .hpp .hs .ini .java .jl .js .jsx .kt .lisp .lua .m .mjs .ml .pas .php"
        " .pl .properties .proto .ps1 .py .pyi .r .rb .rs .scala .scss .sh .sql .swift .tcl .tf"
        " .toml .ts .tsx .vb .vue .zsh"
    ).split()
)
_OPEN_DOCUMENTS = {
    b"application/epub+zip": "epub",
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
}
_OFFICE_FOLDERS = (("word/", "docx"), ("ppt/", "pptx"), ("xl/", "xlsx"))
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (
    ("EncryptedPackage", "encrypted-office"),
    ("__properties_version1.0", "msg"),
    ("WordDocument", "doc"),
    ("PowerPoint Document", "ppt"),
    ("Workbook", "xls"),
    ("Book", "xls"),
)
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\x00")
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]", re.I | re.S
)
_HEADER = re.compile(rb"(?:[!-9;-~]+:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n)+")
_MAIL_FIELDS = re.compile(
    rb"^(?:from|to|subject|date|received|message-id|mime-version|return-path):", re.I | re.M
)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_SAMPLE = 65_536


def sniff(data: bytes, name: str) -> str:
    """The name in `FORMATS` of the format of a file called `name` that holds `data`.

    What is not known is `plain`: whether it is text at all, decoding tells.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _zip_kind(data, suffix)
    if data.startswith(_OLE):
        streams = (kind for stream, kind in _OLE_STREAMS if stream.encode("utf-16-le") in data)
        return next(streams, "ole")
    if data.startswith(b"{\\rtf"):
        return "rtf"
    if data[257:262] == b"ustar" or (data.startswith(_PACKED) and _names_a_tar(name)):
        return "tar"
    return _text_kind(data[:_SAMPLE].removeprefix(_BYTE_ORDER_MARK), suffix)


def _zip_kind(data: bytes, suffix: str) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 200:
                media_type = archive.read("mimetype").strip()
                if media_type in _OPEN_DOCUMENTS:
                    return _OPEN_DOCUMENTS[media_type]
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError):
        # Cut off or damaged: what it was meant to be says the best error.
        kinds = {".docx": "docx", ".pptx": "pptx", ".xlsx": "xlsx", ".epub": "epub"}
        kinds |= {".odt": "odt", ".ods": "ods", ".odp": "odp"}
        return kinds.get(suffix, "zip")
    if "[Content_Types].xml" in names:
        for folder, kind in _OFFICE_FOLDERS:
            if any(member.startswith(folder) for member in names):
                return kind
    return "zip"


def _names_a_tar(name: str) -> bool:
    return name.lower().endswith((".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz"))


def _text_kind(head: bytes, suffix: str) -> str:
    if head.startswith(b"WEBVTT"):
        return "vtt"
    if suffix not in MARKDOWN_SUFFIXES and _HTML.match(head):
        return "html"
    if suffix in _CODE_SUFFIXES:
        return "code"
    known = _TEXT_SUFFIXES.get(suffix)
    if known is not None:
        return known
    if head.startswith(b"From ") and _is_mail(head.partition(b"\n")[2]):
        return "mbox"
    if _is_mail(head):
        return "mhtml" if re.search(rb"^snapshot-content-location:", head, re.I | re.M) else "eml"
    if head.lstrip().startswith(b"<?xml"):
        return "xml"
    return "plain"


def _is_mail(head: bytes) -> bool:
    """Whether `head` begins with header fields of which three or more are those of mail."""
    fields = _HEADER.match(head)
    return fields is not None and len(_MAIL_FIELDS.findall(fields.group())) >= 3
