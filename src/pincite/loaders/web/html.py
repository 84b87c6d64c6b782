"""Web pages: the words a reader sees, and for each where it stands in the page's source."""

from __future__ import annotations

import codecs
import re
from dataclasses import replace
from pathlib import PurePosixPath

from pincite.loaders.composer import Composer, Piece, Repeated
from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.web.html_flow import BETWEEN, PageBlock
from pincite.loaders.web.html_page import PageReader
from pincite.places import ElementPlace
from pincite.records import BlockKind

MAXIMUM_BYTES = 64 * 1024 * 1024
"""Of one page; it takes up to twenty times as much memory to read it."""

_DECLARED_WITHIN = 4096
_META = re.compile(rb"<meta\s[^>]*?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]+)", re.I)
_XML_DECLARATION = re.compile(rb"\s*<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9_.:-]+)", re.I)
_IS_XML = re.compile(r"\s*<\?xml\b", re.I)
_HTML_SUFFIXES = frozenset({".html", ".htm"})
_XML_SUFFIXES = frozenset({".xhtml", ".xht"})
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# What browsers read pages as that say they are in the encoding on the left.
_READ_AS = {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030",
            "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-11": "cp874",
            "tis-620": "cp874"}  # fmt: skip
_ENCODINGS = re.compile(
    r"utf-8|cp(?:125\d|437|850|852|866|874|932|949|950)|iso8859-\d+|koi8-[rut]|mac-\w+"
    r"|gb18030|hz|big5(?:hkscs)?|euc_jp|euc_jis_2004|shift_jis\w*|iso2022_jp\w*|iso2022_kr|johab"
)
_SHORT = 200
_LONG = 20_000


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The words of a page with its blocks and marks; `UnreadableContent` where it holds no text."""
    if len(data) > MAXIMUM_BYTES:
        raise UnreadableContent(
            f"is a web page of {len(data) // 1_000_000} MB; up to {MAXIMUM_BYTES // 1_000_000} MB "
            "are read: split it"
        )
    source = decode_page(data)
    return page(source, is_xml=_is_xml(source, name))


def decode_page(data: bytes, charset: str = "") -> str:
    """The source of a page: by byte order mark, `charset` of what it came in, or its own word.

    What it says is believed where its bytes can be read so; otherwise its encoding is told as
    that of any text is. Raises `UnreadableContent` where it holds no text.
    """
    if not data.startswith(_MARKS):
        head = data[:_DECLARED_WITHIN]
        found = _XML_DECLARATION.match(head) or _META.search(head)
        declared = [charset] if charset else []
        if found:
            declared.append(found.group(1).decode("ascii"))
        for said in declared:
            text = _decode_as(data, said)
            if text is not None:
                return text
    return decoded_text(data)


def page(source: str, *, is_xml: bool) -> Extracted:
    """The words of the page whose decoded source is `source`, its blocks, marks and notes."""
    return read_page(source, is_xml=is_xml)[0]


def read_page(source: str, *, is_xml: bool) -> tuple[Extracted, tuple[str, ...]]:
    """The words of a page, and the addresses of the pages that its frames show."""
    reader = PageReader(source, is_xml=is_xml)
    reader.read()
    composer = Composer()
    groups: dict[int, int] = {}
    first_heading, heading = "", BlockKind.HEADING
    for block in reader.blocks:
        pieces = _pieces(block)
        if block.kind is heading:
            composer.heading(pieces, block.level)
            first_heading = first_heading or "".join(words for words, _ in pieces)
            continue
        group = block.group
        if group:
            group = groups.get(group) or groups.setdefault(group, composer.new_group())
        composer.add(block.kind, pieces, level=block.level, group=group, marker=block.marker)
    made = composer.extracted(title=reader.title or first_heading)
    made = replace(made, notes=_notes(reader, len(made.text), len(source)))
    return made, tuple(reader.frames)


def _is_xml(source: str, name: str) -> bool:
    """Whether browsers read it as XML: by its name, unless that says nothing."""
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in _XML_SUFFIXES:
        return True
    return suffix not in _HTML_SUFFIXES and _IS_XML.match(source) is not None


def _pieces(block: PageBlock) -> list[Piece]:
    pieces: list[Piece] = []
    for run in block.runs:
        element = run.element
        if element is None:
            pieces += [(words, None) for words, _, _ in run.words]
            continue
        path, identifier = element.path, element.id
        for words, start, end in run.words:
            if start == BETWEEN:
                pieces.append((words, None))
                continue
            place = ElementPlace(path, identifier, start, end)
            pieces.append((words, Repeated(place) if run.repeats else place))
    return pieces


def _decode_as(data: bytes, charset: str) -> str | None:
    """`data` in the encoding a page says it is in; None where that cannot be."""
    try:
        encoding = codecs.lookup(charset).name
    except LookupError:
        return None
    encoding = _READ_AS.get(encoding, encoding)
    # Not UTF-16, for one: what it says could be read in single bytes.
    if not _ENCODINGS.fullmatch(encoding):
        return None
    if encoding == "cp1252":
        # Also what software says that does not know; five of its bytes stand for nothing.
        return None if _is_utf8(data) else data.decode(encoding, errors="replace")
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _notes(reader: PageReader, length: int, source_length: int) -> tuple[str, ...]:
    notes: list[str] = []
    if length <= _SHORT and source_length >= _LONG:
        notes.append(
            f"only {length} characters of words in {source_length}: if the page shows more, a "
            "script puts it there; save the page from a browser once it is shown"
        )
    if reader.read_until < source_length:
        notes.append(
            f"read only in part: the first {reader.read_until:,} characters of its source of "
            f"{source_length:,}, which hold as many pieces as are read of one page; split it"
        )
    if reader.hidden_words:
        notes.append(
            f"left out: {_words(reader.hidden_words)} that the page does not show or strikes out, "
            f"the first at character {reader.hidden_at + 1} of its source: look there if they are "
            "missed"
        )
    if reader.comment_words:
        notes.append(f"left out: {_words(reader.comment_words)} in comments")
    return tuple(notes)


def _words(count: int) -> str:
    return "1 word" if count == 1 else f"{count} words"
