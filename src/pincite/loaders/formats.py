"""The formats that are read, and which module reads each; told apart by content.

To add one: a line in `FORMATS`, a module with `extract(data, name, settings) -> Extracted` that
raises `UnreadableContent`, and, in `sniffing.py`, how its files are known.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from pincite.errors import PinciteError
from pincite.loaders.brevity import brevity_note
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file."""

    name: str
    """Also the name of the extractor in citations."""
    version: str
    """Changes when the text, the blocks or the marks of any file do."""
    media_type: str
    module: str
    """In this package."""


_TEXT = (
    Format("markdown", "1", "text/markdown", "text.markdown"),
    Format("plain", "1", "text/plain", "text.plain"),
    Format("asciidoc", "1", "text/asciidoc", "text.asciidoc"),
    Format("restructuredtext", "1", "text/x-rst", "text.restructured"),
    Format("org", "1", "text/org", "text.org_mode"),
)
"""Their text is the decoded file, which `load` sees to."""

_WEB = (
    Format("html", "7", "text/html", "web.html"),
    Format("mhtml", "7", "multipart/related", "web.mhtml"),
    Format("epub", "7", "application/epub+zip", "web.epub"),
)

_CONTAINERS = (
    Format("eml", "1", "message/rfc822", "mail.mail"),
    Format("mbox", "1", "application/mbox", "mail.mailbox_file"),
    Format("msg", "1", "application/vnd.ms-outlook", "mail.outlook"),
    Format("zip", "1", "application/zip", "archives.zip_archive"),
    Format("tar", "1", "application/x-tar", "archives.tar_archive"),
    Format("compressed", "1", "application/octet-stream", "archives.compressed"),
)

_OFFICE = (
    Format("pdf", "10", "application/pdf", "pdf.pdf"),
    Format(
        "docx",
        "7",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "office.docx",
    ),
    Format(
        "pptx",
        "4",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "office.pptx",
    ),
    Format("odt", "4", "application/vnd.oasis.opendocument.text", "office.odf"),
    Format("odp", "4", "application/vnd.oasis.opendocument.presentation", "office.odf"),
    Format("rtf", "4", "application/rtf", "office.rtf"),
)

MAXIMUM_DEPTH = 3
"""Archives and messages inside of each other that are opened."""

_SHEETS = (
    Format("csv", "1", "text/csv", "sheets.delimited"),
    Format("tsv", "1", "text/tab-separated-values", "sheets.delimited"),
    Format(
        "xlsx",
        "4",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "sheets.xlsx",
    ),
    Format("ods", "1", "application/vnd.oasis.opendocument.spreadsheet", "sheets.ods"),
    Format("xls", "1", "application/vnd.ms-excel", "sheets.binary_sheets"),
)

_DATA = (
    Format("code", "1", "text/plain", "text.source_code"),
    Format("json", "1", "application/json", "data.json_text"),
    Format("jsonl", "1", "application/jsonl", "data.json_text"),
    Format("yaml", "1", "application/yaml", "data.yaml_text"),
    Format("xml", "1", "application/xml", "data.xml_text"),
)
"""Their text is the decoded file as well, with a block for each value or stretch of code."""

_SPEECH = (
    Format("ipynb", "1", "application/x-ipynb+json", "data.notebook"),
    Format("srt", "1", "application/x-subrip", "data.subtitles"),
    Format("vtt", "1", "text/vtt", "data.subtitles"),
)

_HELD = (*_TEXT, *_WEB, *_OFFICE, *_SHEETS, *_DATA, *_SPEECH)


def holding(containers: Iterable[Format], held: Iterable[Format]) -> list[Format]:
    """`containers` with versions that change with each of `held`, which they hold: `1.7`."""
    raised = sum(int(form.version) - 1 for form in held)
    return [replace(form, version=f"{form.version}.{raised}") for form in containers]


FORMATS: dict[str, Format] = {form.name: form for form in (*_HELD, *holding(_CONTAINERS, _HELD))}

SNIFFING = "1"
"""Changes when `sniffing.py`, or what it is built on, tells the kind or the encoding of any file
otherwise: all files are read again then."""

UNSUPPORTED: dict[str, str] = {
    "encrypted-office": "is encrypted twice, which is not read: save it without its passwords",
    "doc": "is an old Word document (.doc), which is not read: save it as .docx",
    "ppt": "is an old PowerPoint file (.ppt), which is not read: save it as .pptx",
    "ole": "is an old Microsoft Office file of a kind that is not read: save it in a newer format",
}
"""What to say of kinds of file that are known and not read."""

EXTRACTORS: dict[str, str] = {name: form.version for name, form in FORMATS.items()}
"""Extractor name to version."""


def extract(data: bytes, name: str, settings: LoadSettings) -> tuple[Format, Extracted]:
    """The text, structure and marks of a file called `name` that holds `data`, and its format.

    Raises `UnreadableContent` for files of other formats, and for those that cannot be read,
    whatever it is that the format's parser raises over them.
    """
    if settings.depth > MAXIMUM_DEPTH:
        raise UnreadableContent(
            f"lies inside more than {MAXIMUM_DEPTH} archives or messages: unpack the outer ones"
        )
    # Here and not above: with `EXTRACTORS` alone, `pincite ask` need not load it.
    from pincite.loaders.sniffing import is_never_empty, sniff

    if not data and is_never_empty(name):
        suffix = PurePosixPath(name).suffix
        raise UnreadableContent(
            f"is empty (0 bytes, not a {suffix} file): copy it or download it again, or remove it"
        )
    kind = sniff(data, name)
    if kind == "encrypted-office":
        data = _decrypted(data, settings)
        kind = sniff(data, name)
    if kind in UNSUPPORTED:
        raise UnreadableContent(UNSUPPORTED[kind])
    # What has no module of its own is plain text, or is refused when it is decoded.
    form = FORMATS.get(kind, FORMATS["plain"])
    # One format's library need not be loaded to read another's files.
    module = importlib.import_module(f"pincite.loaders.{form.module}")
    try:
        extracted: Extracted = module.extract(data, name, settings)
    except RecursionError as error:
        raise UnreadableContent(
            f"is nested too deeply to be read as {form.name}: it may be damaged, or made to do harm"
        ) from error
    except (UnreadableContent, PinciteError, MemoryError):
        raise
    except Exception as error:
        # Parsers raise what they like over damaged and hostile files, and one file never stops a
        # folder. What the system refuses (no room for a temporary file) is not the file's fault.
        if isinstance(error, OSError) and error.errno is not None:
            raise
        found = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise UnreadableContent(
            f"cannot be read as {form.name}, it may be damaged ({found}): "
            "save it anew with the program it is from"
        ) from error
    # What a loader says of its file says more.
    note = None if extracted.notes else brevity_note(kind, len(data), extracted.text)
    return form, replace(extracted, notes=(note,)) if note else extracted


def _decrypted(data: bytes, settings: LoadSettings) -> bytes:
    # Few folders hold such files, and the library behind it takes long to load.
    from pincite.loaders.office.encrypted_office import decrypted

    return decrypted(data, settings)
