"""What stands in a file at a place, read anew by another way than Pincite's own.

One small reader for each kind of place, over the standard library, pypdfium2, openpyxl and
python-calamine; nothing of `pincite.loaders` is used. `compare` says whether the words that are
said to stand at a place do.
"""

from __future__ import annotations

import csv
import datetime as dt
import email
import email.policy
import io
import json
import re
import tarfile
import unicodedata
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from enum import StrEnum
from functools import lru_cache
from html import unescape
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

from pincite.places import (
    Box,
    CellPlace,
    ChapterPlace,
    ElementPlace,
    MemberPlace,
    MessagePlace,
    NodePlace,
    NotebookPlace,
    PagePlace,
    ParagraphPlace,
    Place,
    SlidePlace,
    TimePlace,
)

Element = ElementTree.Element
DEVICE = 1_000_000
"""Units across a page: what pdfium gives as whole numbers is exact enough to cut letters apart."""


class Verdict(StrEnum):
    """What came of reading a place anew."""

    EXACT = "exact"
    """The words and nothing else; for cells, the value as it is shown."""
    INSIDE = "inside"
    """The words, with more around or between them."""
    WRONG = "wrong"
    UNREAD = "unread"
    """There is no other way here to read such a place."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words of a span that one mark covers, and all the words of that mark."""

    words: str
    whole: str


@dataclass(frozen=True, slots=True)
class Found:
    """The verdict, and what stands at the place."""

    verdict: Verdict
    there: str = ""


def compare(data: bytes, name: str, place: Place, stretches: Sequence[Stretch]) -> Found:
    """Whether `stretches` stand at `place` of the file called `name` that holds `data`."""
    match place:
        case PagePlace():
            return _pages(data, place, stretches)
        case CellPlace():
            return _cells(data, place, stretches)
        case ElementPlace():
            return _element(data, place, stretches)
        case MemberPlace():
            member = archive_members(data).get(place.path)
            return _inner(member, place.path, place.path, place.within, stretches)
        case ChapterPlace():
            member = archive_members(data).get(place.file)
            return _inner(member, place.file, place.title, place.within, stretches)
        case MessagePlace():
            return _message(data, place, stretches)
        case ParagraphPlace():
            return _holds(paragraph_words(data, place), stretches)
        case SlidePlace():
            return _holds(slide_words(data, place), stretches)
        case NodePlace():
            return _node(data, place, stretches)
        case NotebookPlace():
            return _holds(notebook_words(data, place), stretches)
        case TimePlace():
            return _holds(cue_words(data, place), stretches)


# Words


def bare(words: str) -> str:
    """`words` without white space and signs that are not seen, ligatures taken apart."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKC", words)
        if not letter.isspace() and unicodedata.category(letter) not in ("Cf", "Cc", "Cn")
    )


def _holds(there: str | None, stretches: Sequence[Stretch]) -> Found:
    """For places that are coarser than the words: each stretch must stand there."""
    if there is None:
        return Found(Verdict.UNREAD)
    whole = bare(there)
    missing = next((one for one in stretches if bare(one.words) not in whole), None)
    if missing is not None:
        return Found(Verdict.WRONG, f"{missing.words[:60]!r} is not in {there[:200]!r}")
    if whole == bare("".join(one.words for one in stretches)):
        return Found(Verdict.EXACT, there)
    return Found(Verdict.INSIDE, there)


def _in_order(words: str, there: str) -> bool:
    """Whether the letters of `words` come in `there` in their order."""
    letters = iter(there)
    return all(letter in letters for letter in words)


# Pages (PDF)


@dataclass(frozen=True, slots=True)
class _Letter:
    x: float
    y: float
    letter: str


@lru_cache(maxsize=4)
def _pdf(data: bytes) -> Any:
    import pypdfium2

    return pypdfium2.PdfDocument(data)


@lru_cache(maxsize=64)
def _letters(data: bytes, number: int) -> tuple[_Letter, ...]:
    """The letters of a page with their middles, in parts of the page as shown."""
    import ctypes

    import pypdfium2.raw as pdfium

    page = _pdf(data)[number - 1]
    text = page.get_textpage()
    sides = [ctypes.c_double() for _ in range(4)]
    across, down = ctypes.c_int(), ctypes.c_int()
    letters: list[_Letter] = []
    # A ligature is several letters side by side, whether it is one sign or several in one box.
    shared: list[str] = []
    before: tuple[float, ...] = ()
    for index in range(pdfium.FPDFText_CountChars(text.raw) + 1):
        code = pdfium.FPDFText_GetUnicode(text.raw, index)
        sign = chr(code) if code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"
        box: tuple[float, ...] = ()
        # In this order: left, right, bottom, top.
        if bare(sign) and pdfium.FPDFText_GetCharBox(text.raw, index, *sides):
            box = tuple(side.value for side in sides)
        if shared and box != before:
            left, right, bottom, top = before
            for number, letter in enumerate(shared):
                middle = left + (right - left) * (number + 0.5) / len(shared)
                pdfium.FPDF_PageToDevice(
                    page.raw, 0, 0, DEVICE, DEVICE, 0, middle, (bottom + top) / 2, across, down
                )
                # What reaches over the edge of the page is shown up to the edge.
                x = min(max(across.value / DEVICE, 0.0), 1.0)
                letters.append(_Letter(x, min(max(down.value / DEVICE, 0.0), 1.0), letter))
            shared = []
        if box:
            before = box
            shared += bare(sign)
    return tuple(letters)


def page_words(data: bytes, number: int, boxes: Iterable[Box]) -> str:
    """The letters whose middle lies in one of `boxes`, box by box."""
    near = 2e-4
    return "".join(
        one.letter
        for box in boxes
        for one in _letters(data, number)
        if box.left - near <= one.x <= box.right + near
        and box.top - near <= one.y <= box.bottom + near
    )


def _pages(data: bytes, place: PagePlace, stretches: Sequence[Stretch]) -> Found:
    there = "".join(page_words(data, page.number, page.boxes) for page in place.pages)
    # A hyphen at a line end is left out of the text where it only parts a word.
    found = re.sub(r"[-\u2010\ufffd]", "", bare(there))
    words = re.sub(r"[-\u2010\ufffd]", "", bare("".join(one.words for one in stretches)))
    if found == words:
        return Found(Verdict.EXACT, there)
    if sorted(found) == sorted(words) or _in_order(words, found):
        return Found(Verdict.INSIDE, there)
    return Found(Verdict.WRONG, there)


# Cells (XLSX, ODS, CSV)


@dataclass(frozen=True, slots=True)
class _Value:
    value: Any
    shown_as: str = ""


_Sheet = dict[tuple[int, int], _Value]
"""By row and column, from 1."""
_NUMBER = re.compile(r"[-+−(]?[^\d.,(−-]*[-−]?\d[\d.,'’\s]*(?:[eE][-+]?\d+)?")


@lru_cache(maxsize=4)
def sheets_of(data: bytes) -> dict[str, _Sheet]:
    """The values of each sheet by its name; a table in text has the name ``."""
    if not data.startswith(b"PK"):
        return {"": _table(data)}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        is_open_document = "content.xml" in archive.namelist()
    return _calamine_sheets(data) if is_open_document else _workbook(data)


def _table(data: bytes) -> _Sheet:
    text = decoded(data)
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(",;\t|", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return {
        (row, column): _Value(value)
        for row, values in enumerate(rows, 1)
        for column, value in enumerate(values, 1)
    }


def _workbook(data: bytes) -> dict[str, _Sheet]:
    import openpyxl

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    except (KeyError, ValueError, TypeError):
        # Parts are missing that have nothing to do with the cells.
        return _calamine_sheets(data)
    return {
        sheet.title: {
            (cell.row, cell.column): _Value(cell.value, cell.number_format)
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None
        }
        for sheet in book.worksheets
    }


def _calamine_sheets(data: bytes) -> dict[str, _Sheet]:
    import python_calamine

    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    sheets: dict[str, _Sheet] = {}
    for name in book.sheet_names:
        sheet = book.get_sheet_by_name(name)
        top, left = sheet.start or (0, 0)
        sheets[name] = {
            (top + row, left + column): _Value(value)
            for row, values in enumerate(sheet.to_python(skip_empty_area=True), 1)
            for column, value in enumerate(values, 1)
            if value != ""
        }
    return sheets


def shows(cell: Any, words: str) -> bool:
    """Whether `words` are how the value `cell` may be shown: rounded, grouped, as a date."""
    if bare(str(cell)) == bare(words):
        return True
    if isinstance(cell, bool):
        return words.strip().lower() == str(cell).lower()
    if isinstance(cell, (int, float)):
        return _shows_number(float(cell), words)
    if isinstance(cell, dt.timedelta):
        return _shows_number(cell.total_seconds(), words) or _shows_moment(
            dt.datetime(1900, 1, 1) + cell, words
        )
    if isinstance(cell, dt.time):
        return _shows_moment(dt.datetime.combine(dt.date(1900, 1, 1), cell), words)
    if isinstance(cell, dt.datetime):
        return _shows_moment(cell, words)
    if isinstance(cell, dt.date):
        return _shows_moment(dt.datetime.combine(cell, dt.time()), words)
    return False


def _shows_number(value: float, words: str) -> bool:
    found = _NUMBER.search(words)
    if found is None:
        return False
    digits = found[0].replace("−", "-")
    is_negative = "-" in digits.lower().split("e")[0] or "(" in digits
    digits = re.sub(r"[^\d.eE+-]", "", digits.replace(",", "")).lstrip("+-.").rstrip(".")
    try:
        shown = float(digits)
    except ValueError:
        return False
    decimals = len(digits.lower().split("e")[0].partition(".")[2])
    exponent = int(digits.lower().partition("e")[2] or 0)
    shown = -shown if is_negative else shown
    scaled = value * 100 if "%" in words else value
    step = 10.0 ** (exponent - decimals)
    return abs(shown - scaled) <= 0.500001 * step + 1e-12 * abs(scaled)


def _shows_moment(moment: dt.datetime, words: str) -> bool:
    """Whether every number in `words` is a part of `moment`, and every name one of its names."""
    hour = moment.hour % 12 or 12
    parts = {
        moment.year, moment.year % 100, moment.month, moment.day, moment.hour, hour,
        moment.minute, moment.second, round(moment.microsecond / 1000),
    }  # fmt: skip
    names = f"{moment:%A %B %p} am pm t z".lower().split()
    return all(int(number) in parts for number in re.findall(r"\d+", words)) and all(
        any(name.startswith(word) for name in names)
        for word in re.findall(r"[a-z]+", words.lower())
    )


def _cells(data: bytes, place: CellPlace, stretches: Sequence[Stretch]) -> Found:
    sheet = sheets_of(data).get(place.sheet)
    if sheet is None:
        return Found(Verdict.WRONG, f"there is no sheet {place.sheet!r}")
    inside = {
        at: cell.value
        for at, cell in sheet.items()
        if place.top <= at[0] <= place.bottom and place.left <= at[1] <= place.right
    }
    there = " | ".join(str(value) for value in list(inside.values())[:20])
    verdict = Verdict.EXACT
    used: set[tuple[int, int]] = set()
    for stretch in stretches:
        whole = bare(stretch.whole)
        if whole == bare(place.sheet):  # The heading of the sheet: its place is all of it.
            used |= {(place.top, place.left), (place.bottom, place.right)}
            verdict = Verdict.INSIDE
            continue
        shown = {at for at, value in inside.items() if shows(value, stretch.whole)}
        if not shown:
            shown = {at for at, value in inside.items() if whole in bare(str(value))}
            verdict = Verdict.INSIDE
        if not shown:
            return Found(Verdict.WRONG, f"{stretch.whole!r} is not in {there!r}")
        used |= shown
    edges = (
        {at[0] for at in used} >= {place.top, place.bottom}
        and {at[1] for at in used} >= {place.left, place.right}
    )  # fmt: skip
    return Found(verdict if edges else Verdict.INSIDE, there)


# Elements (HTML)


_CHARSET = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_UNSEEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|template|noscript)\b.*?(?:</\1\s*>|\Z)"
    r"|<[/!?A-Za-z][^>]*(?:>|\Z)",
    re.I | re.S,
)


@lru_cache(maxsize=8)
def decoded(data: bytes) -> str:
    """Text by its byte order mark, the encoding it names, as UTF-8, or as browsers would."""
    for mark, encoding in (
        (b"\xef\xbb\xbf", "utf-8"),
        (b"\xff\xfe\x00\x00", "utf-32-le"),
        (b"\xff\xfe", "utf-16-le"),
        (b"\xfe\xff", "utf-16-be"),
    ):
        if data.startswith(mark):
            data = data[len(mark) :]
            try:
                return data.decode(encoding)
            except UnicodeDecodeError:
                break
    if data[1:100:2].count(0) > 30:
        return data.decode("utf-16-le", "replace")
    if data[0:100:2].count(0) > 30:
        return data.decode("utf-16-be", "replace")
    named = _CHARSET.search(data[:4096])
    for encoding in (named[1].decode("ascii") if named else "utf-8", "utf-8"):
        try:
            # A page that says so in single bytes is not in UTF-16.
            return data.decode("utf-8" if encoding.lower().startswith("utf-16") else encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("cp1252", "replace")


def _element(data: bytes, place: ElementPlace, stretches: Sequence[Stretch]) -> Found:
    if not place.end:
        return Found(Verdict.UNREAD)
    markup = decoded(data)[place.start : place.end]
    found = bare(unescape(_UNSEEN.sub("", markup)))
    words = bare("".join(one.words for one in stretches))
    if found == words:
        return Found(Verdict.EXACT, markup)
    # Words that are repeated from elsewhere come in another order.
    holds = _in_order(words, found) or all(bare(one.words) in found for one in stretches)
    return Found(Verdict.INSIDE if holds else Verdict.WRONG, markup)


# Archives, books, messages


@lru_cache(maxsize=4)
def archive_members(data: bytes) -> dict[str, bytes]:
    """The files in a ZIP or TAR archive, by their paths."""
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(fileobj=io.BytesIO(data)) as tape:
        return {
            member.name: opened.read() for member in tape if (opened := tape.extractfile(member))
        }


def _inner(
    data: bytes | None, name: str, shown: str, within: Place | None, stretches: Sequence[Stretch]
) -> Found:
    """`stretches` in a file inside another; without a place in it, in its name or its text."""
    if data is None:
        return Found(Verdict.WRONG, f"there is no {name!r}")
    if within is not None:
        return compare(data, name, within, stretches)
    if all(bare(one.words) in bare(f"{shown}\n{name}") for one in stretches):
        return Found(Verdict.INSIDE, shown)
    if b"\x00" in data[:1000] or data.startswith((b"PK", b"%PDF", b"{\\rtf")):
        return Found(Verdict.UNREAD)
    there = decoded(data)
    return _holds("\n".join((shown, name, unescape(_UNSEEN.sub("", there)), there)), stretches)


@lru_cache(maxsize=4)
def messages_of(data: bytes) -> tuple[EmailMessage, ...]:
    """The messages of a mailbox, or the one message; malformed ones as the parser takes them."""
    starts = [len(data) - len(data.lstrip())]
    if data.lstrip().startswith(b"From "):
        starts = [one.start() for one in re.finditer(rb"(?m)^From [^\n]*\n(?=[\w-]+:)", data)]
    raw = [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]
    return tuple(_parsed(one) for one in raw)


def _parsed(raw: bytes) -> EmailMessage:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in raw[:2]:
        raw = decoded(raw).encode("utf-8")
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def _payload(part: EmailMessage) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _part_text(part: EmailMessage) -> str:
    data = _payload(part)
    text = decoded(data)
    named = part.get_content_charset()
    if named:
        try:
            text = data.decode(named)
        except (LookupError, UnicodeDecodeError):
            text += data.decode(named, "replace") if named.startswith("utf") else ""
    if part.get_content_type() == "text/html":
        return unescape(_UNSEEN.sub("", text))
    # Quotation marks and joined lines of `format=flowed` are layout.
    return text + re.sub(r"(?m)^(?:> ?)+", "", text)


def _message(data: bytes, place: MessagePlace, stretches: Sequence[Stretch]) -> Found:
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return Found(Verdict.UNREAD)
    messages = messages_of(data)
    if not 0 < place.number <= len(messages):
        return Found(Verdict.WRONG, f"there is no message {place.number}")
    message = messages[place.number - 1]
    fields = _header_words(message, place.name if place.part == "header" else "")
    if place.part == "header":
        return _holds(fields, stretches)
    own = list(_own_parts(message))
    bodies = "\n".join(_part_text(part) for part in own if not part.get_filename())
    if place.part == "body":
        return _holds(bodies, _parted(stretches))
    attached = [part for part in own if _names(part, place.name)]
    if place.part == "attachment" and place.name:
        answers = [
            _inner(content, place.name, place.name, place.within, stretches)
            for part in attached
            for content in _contents(part)
        ]
        right = [one for one in answers if one.verdict is not Verdict.WRONG]
        return (right or answers or [Found(Verdict.WRONG, f"no attachment {place.name!r}")])[0]
    found = _holds("\n".join(_everything(message)), _parted(stretches))
    # What an attachment of another format holds is read at its own place only.
    only_text = all(part.get_content_maintype() == "text" for part in own)
    return found if only_text or found.verdict is not Verdict.WRONG else Found(Verdict.UNREAD)


def _parted(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Stretches cut at what parts the cells of a table: of a body all words have one mark."""
    return [
        Stretch(words, words)
        for one in stretches
        for words in re.split(r"\n|\s*\|\s*|;\s|:\s|(?m:^\s*[-\d]+\.?\s)", one.words)
    ]


def _everything(message: EmailMessage) -> Iterator[str]:
    """The words of all headers, parts and messages inside a message."""
    for part in message.walk():
        assert isinstance(part, EmailMessage)
        yield _header_words(part, "")
        yield part.get_filename() or ""
        yield part.get_content_type()
        if not part.is_multipart():
            yield _part_text(part)


def _header_words(message: EmailMessage, name: str) -> str:
    found = message.get_all(name, []) if name else message.values()
    raw = [value for key, value in message.raw_items() if not name or key.lower() == name.lower()]
    said = [str(value).encode("utf-8", "surrogateescape") for value in [*found, *raw]]
    return "\n".join(value.decode("utf-8", "replace") for value in said)


def _own_parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """The parts of a message without those of messages attached to it."""
    if message.get_content_maintype() == "message":
        yield message
    elif message.is_multipart():
        for part in message.iter_parts():
            assert isinstance(part, EmailMessage)
            yield from _own_parts(part)
    else:
        yield message


def _names(part: EmailMessage, name: str) -> bool:
    subjects = [
        str(inner.get("Subject", "message"))
        for inner in (part.get_payload() if part.is_multipart() else [])
    ]
    known = [part.get_filename(), part.get_content_type(), "message", *subjects]
    return any(bare(name) == bare(one) for one in known if one)


def _contents(part: EmailMessage) -> Iterator[bytes]:
    if part.is_multipart():
        yield from (inner.as_bytes() for inner in part.get_payload())
    elif part.get_content_maintype() == "text":
        # As Pincite hands it on: the part's text, in UTF-8.
        named = part.get_content_charset() or "utf-8"
        try:
            yield _payload(part).decode(named).encode("utf-8")
        except (LookupError, UnicodeDecodeError):
            yield _payload(part)
    else:
        yield _payload(part)


# Paragraphs (DOCX, ODT) and slides (PPTX, ODP): walks over the XML


@dataclass(slots=True)
class _Paragraph:
    words: str
    cell: tuple[int, int, int] = (0, 0, 0)
    """Table, row and column; 0 outside tables."""


@dataclass(slots=True)
class _Walk:
    """Counts paragraphs through the parts of a document."""

    parts: dict[str, list[_Paragraph]] = field(default_factory=dict)
    tables: Counter[str] = field(default_factory=Counter)

    def add(self, part: str, paragraph: _Paragraph) -> None:
        self.parts.setdefault(part, []).append(paragraph)


def _tag(element: Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _value(element: Element, name: str) -> str:
    """An attribute by its local name."""
    return next((v for key, v in element.items() if key.rpartition("}")[2] == name), "")


def _xml(data: bytes, path: str) -> Element | None:
    """The root of a part of a package; entities are not expanded, for none are declared there."""
    content = archive_members(data).get(path)
    if content is None or b"<!ENTITY" in content:
        return None
    try:
        return ElementTree.fromstring(content)
    except ElementTree.ParseError:
        return None


def _relations(data: bytes, path: str) -> dict[str, tuple[str, str]]:
    """Kind and target of each relationship of a part, by its id."""
    folder, _, file = path.rpartition("/")
    root = _xml(data, f"{folder}/_rels/{file}.rels" if folder else f"_rels/{file}.rels")
    found: dict[str, tuple[str, str]] = {}
    for one in root if root is not None else ():
        target = _value(one, "Target")
        steps = [] if target.startswith("/") else folder.split("/") if folder else []
        for step in target.strip("/").split("/"):
            steps = steps[:-1] if step == ".." else [*steps, step]
        kind = _value(one, "Type").rpartition("/")[2]
        found[_value(one, "Id")] = (kind, "/".join(steps))
    return found


_BREAKS = frozenset(("tab", "ptab", "br", "cr", "line-break"))


@lru_cache(maxsize=4)
def word_paragraphs(data: bytes) -> dict[str, list[_Paragraph]]:
    """The paragraphs of each part of a Word document, in the order of the file."""
    main = next(
        (to for kind, to in _relations(data, "").values() if kind == "officeDocument"),
        "word/document.xml",
    )
    walk = _Walk()
    root = _xml(data, main)
    if root is None:
        return {}
    _walk_word(root, walk, "body", (0, 0, 0))
    related = _relations(data, main)
    for part in ("footnotes", "endnotes"):
        target = next((to for kind, to in related.values() if kind == part), "")
        notes = _xml(data, target) if target else None
        if notes is not None:
            _walk_word(notes, walk, part, (0, 0, 0))
    seen: list[str] = []
    for reference in root.iter():
        if _tag(reference) in ("headerReference", "footerReference"):
            kind, target = related.get(_value(reference, "id"), ("", ""))
            margin = _xml(data, target) if target and target not in seen else None
            if margin is not None:
                seen.append(target)
                _walk_word(margin, walk, f"{kind}s", (0, 0, 0))
    return walk.parts


def _walk_word(element: Element, walk: _Walk, part: str, cell: tuple[int, int, int]) -> None:
    tag = _tag(element)
    if tag in ("Fallback", "del", "moveFrom", "rt"):
        return
    if tag == "txbxContent":
        part, cell = "text boxes", (0, 0, 0)
    if tag == "p":
        walk.add(part, _Paragraph("".join(_word_words(element)), cell))
    if tag == "tbl":
        walk.tables[part] += 1
        table = walk.tables[part]
        rows = [row for row in element.iter() if _tag(row) == "tr"]
        own = [row for row in rows if not _is_deeper(element, row, "tbl")]
        for number, row in enumerate(own, 1):
            column = 1
            for inner in row.iter():
                if _tag(inner) == "gridBefore":
                    column += int(_value(inner, "val") or 0)
            for inner in (one for one in row.iter() if _tag(one) == "tc"):
                if _is_deeper(row, inner, "tbl"):
                    continue
                for child in inner:
                    _walk_word(child, walk, part, (table, number, column))
                spans = [one for one in inner.iter() if _tag(one) == "gridSpan"]
                column += int(_value(spans[0], "val") or 1) if spans else 1
        return
    for child in element:
        _walk_word(child, walk, part, cell)


def _is_deeper(outer: Element, inner: Element, tag: str) -> bool:
    """Whether another `tag` lies between the two."""
    return any(
        one is not outer and _tag(one) == tag and any(deep is inner for deep in one.iter())
        for one in outer.iter()
    )


def _word_words(element: Element) -> Iterator[str]:
    for child in element:
        tag = _tag(child)
        if tag in ("del", "moveFrom", "txbxContent", "Fallback", "rt", "p"):
            continue
        if tag == "t":
            yield child.text or ""
        elif tag in _BREAKS:
            yield " "
        elif tag == "noBreakHyphen":
            yield "-"
        else:
            yield from _word_words(child)


@lru_cache(maxsize=4)
def open_document_paragraphs(data: bytes) -> dict[str, list[_Paragraph]]:
    """The paragraphs of an OpenDocument text, in the order of the file."""
    root = _xml(data, "content.xml")
    walk = _Walk()
    body = next((one for one in root.iter() if _tag(one) == "text"), None) if root else None
    for child in body if body is not None else ():
        _walk_open_document(child, walk, "body")
    return walk.parts


def _walk_open_document(element: Element, walk: _Walk, part: str) -> None:
    tag = _tag(element)
    if tag in ("tracked-changes", "annotation", "forms", "sequence-decls"):
        return
    if tag == "note":
        part = "endnotes" if _value(element, "note-class") == "endnote" else "footnotes"
    if tag == "text-box":
        part = "text boxes"
    if tag in ("p", "h"):
        walk.add(part, _Paragraph("".join(_open_words(element))))
    for child in element:
        _walk_open_document(child, walk, part)


def _open_words(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        tag = _tag(child)
        if tag in _BREAKS or tag == "s":
            yield " "
        elif tag not in ("note", "annotation", "text-box"):
            yield from _open_words(child)
        yield child.tail or ""


def paragraph_words(data: bytes, place: ParagraphPlace) -> str | None:
    """The words of the paragraphs of `place`; None for files that are not read here."""
    if not data.startswith(b"PK"):
        return None
    parts = word_paragraphs(data) if "[Content_Types].xml" in archive_members(data) else None
    if parts is None:
        parts = open_document_paragraphs(data)
    chosen = parts.get(place.part, [])[place.first - 1 : place.last]
    if place.table and any(one.cell[0] and one.cell[0] != place.table for one in chosen):
        return f"in table {chosen[0].cell}"
    return "\n".join(one.words for one in chosen)


@lru_cache(maxsize=4)
def _slides(data: bytes) -> tuple[tuple[str, str], ...]:
    """The words of each slide and of its notes, in the order of the slides."""
    root = _xml(data, "content.xml")
    if root is not None:
        pages = [one for one in root.iter() if _tag(one) == "page"]
        return tuple(
            ("\n".join(_drawn_words(page)), "\n".join(_drawn_words(page))) for page in pages
        )
    main = next(
        (to for kind, to in _relations(data, "").values() if kind == "officeDocument"),
        "ppt/presentation.xml",
    )
    root = _xml(data, main)
    related = _relations(data, main)
    listed = [one for one in (root.iter() if root is not None else ()) if _tag(one) == "sldId"]
    slides = []
    for one in listed:
        # Both `id` and `r:id` are there.
        reference = next(v for key, v in one.items() if key.endswith("}id"))
        part = related.get(reference, ("", ""))[1]
        words = {"slide": [part], "notesSlide": []}
        for kind, target in _relations(data, part).values():
            home = "notesSlide" if kind == "notesSlide" else "slide"
            if kind in ("notesSlide", "chart", "diagramData", "chartEx"):
                words[home].append(target)
        slides.append(
            tuple(
                "\n".join(
                    line
                    for target in words[kind]
                    if (xml := _xml(data, target)) is not None
                    for line in _drawn_words(xml)
                )
                for kind in ("slide", "notesSlide")
            )
        )
    return tuple((slide, notes) for slide, notes in slides)


def _drawn_words(root: Element) -> Iterator[str]:
    """The paragraphs of a drawing, and the values of a chart."""
    for element in root.iter():
        tag = _tag(element)
        if tag in ("p", "h"):
            yield "".join(
                (one.text or "") if _tag(one) == "t" else " " if _tag(one) in _BREAKS else ""
                for one in element.iter()
            ) or "".join(element.itertext())
        elif tag in ("v", "f"):
            yield element.text or ""


def slide_words(data: bytes, place: SlidePlace) -> str | None:
    """The words on the slides of `place`, or in their notes."""
    chosen = _slides(data)[place.first - 1 : place.last]
    return "\n".join(notes if place.notes else f"{slide}\n{notes}" for slide, notes in chosen)


# Data, notebooks, recordings


_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\[nrtbf]")
_PART_OF_REFERENCE = re.compile(r"\A#?\w{0,6};|&#?\w{0,6}\Z")
_PART_OF_TAG = re.compile(r"\A[^<>]*>|<[^<>]*\Z")


def _node(data: bytes, place: NodePlace, stretches: Sequence[Stretch]) -> Found:
    """The text is the file, which is written in many ways: letters and digits must agree."""
    text = decoded(data)
    is_xml = text.lstrip().startswith("<")
    there = _xml_words(text, place.path) if is_xml else data_words(text, place.path)
    if there is None:
        return Found(Verdict.UNREAD)
    known = _alphanumeric(there)
    for stretch in stretches:
        words = stretch.words
        if is_xml:
            words = _PART_OF_REFERENCE.sub("", words)
            found = (
                _alphanumeric(unescape(words)) in known
                or _alphanumeric(unescape(_UNSEEN.sub("", _PART_OF_TAG.sub("", words)))) in known
            )
        else:
            found = _alphanumeric(_ESCAPE.sub(_unescaped, words)) in known
        if not found:
            return Found(Verdict.WRONG, f"{words[:60]!r} is not in {there[:200]!r}")
    words = "".join(one.words for one in stretches)
    is_all = known == _alphanumeric(unescape(words) if is_xml else words)
    return Found(Verdict.EXACT if is_all else Verdict.INSIDE, there)


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else ""


def _alphanumeric(words: str) -> str:
    return "".join(letter for letter in words if letter.isalnum())


def data_words(text: str, pointer: str) -> str | None:
    """The value at a JSON Pointer of JSON or YAML, with the key that leads to it; None for other
    text. `` where there is no such value.
    """
    documents = _documents(text)
    if not documents:
        return None
    steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    # Several documents in one file are counted.
    for value in (documents[0],) if len(documents) == 1 else (documents, documents[0]):
        try:
            for step in steps:
                value = value[int(step)] if isinstance(value, list) else value[step]
        except (KeyError, IndexError, ValueError, TypeError):
            continue
        return f"{steps[-1] if steps else ''}: {_flat(value)}"
    return ""


@lru_cache(maxsize=4)
def _documents(text: str) -> list[Any]:
    import yaml

    try:
        # Numbers as they are written.
        return [json.loads(text, parse_float=str, parse_int=str)]
    except (ValueError, RecursionError):
        pass
    try:
        lines = [line for line in text.splitlines() if line.strip()]
        return [json.loads(line, parse_float=str, parse_int=str) for line in lines]
    except (ValueError, RecursionError):
        pass
    try:
        return list(yaml.load_all(text, Loader=yaml.BaseLoader))
    except (yaml.YAMLError, RecursionError, ValueError):
        return []


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key}: {_flat(one)}" for key, one in value.items())
    if isinstance(value, list):
        return " ".join(_flat(one) for one in value)
    return {True: "true", False: "false", None: "null"}.get(value, str(value))


@lru_cache(maxsize=4)
def _xml_tree(text: str) -> Element | None:
    """With names as they are written, prefixes included."""
    if "<!ENTITY" in text:
        return None
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate("utf-8")
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(re.sub(r"\A\s*<\?xml.*?\?>", "", text).encode("utf-8", "replace"), True)
    except expat.ExpatError:
        return None
    return builder.close()


def _xml_words(text: str, path: str) -> str | None:
    """Names, attributes and words of the element at `path`, as they are written."""
    root = _xml_tree(text)
    if root is None:
        return None
    above = Element("")
    above.append(root)
    for step in filter(None, path.split("/")):
        name, _, number = step.rstrip("]").partition("[")
        same = [child for child in above if child.tag == name]
        if len(same) < int(number or 1):
            return ""
        above = same[int(number or 1) - 1]
    return "".join(_written(above))


def _written(element: Element) -> Iterator[str]:
    yield f"<{element.tag}"
    for name, value in element.items():
        yield f' {name}="{value}"'
    if not element.text and not len(element):
        yield "/>"
        return
    yield f">{element.text or ''}"
    for child in element:
        yield from _written(child)
        yield child.tail or ""
    yield f"</{element.tag}>"


def notebook_words(data: bytes, place: NotebookPlace) -> str | None:
    """The source and the outputs of the cells of `place`."""
    book = json.loads(decoded(data))
    cells = book.get("cells")
    if cells is None:
        cells = [cell for sheet in book.get("worksheets", ()) for cell in sheet.get("cells", ())]
    chosen = cells[place.first - 1 : place.last]
    return "\n".join(_flat_strings(cell) for cell in chosen)


def _flat_strings(value: Any) -> str:
    if isinstance(value, dict):
        return "\n".join(_flat_strings(one) for one in value.values())
    if isinstance(value, list):
        joined = all(isinstance(one, str) for one in value)
        return ("" if joined else "\n").join(_flat_strings(one) for one in value)
    words = re.sub(r"\x1b\[[0-9;]*m", "", str(value))
    return f"{words}\n{unescape(_UNSEEN.sub('', words))}"


_CUE = re.compile(
    r"(?m)^[ \t]*((?:\d+:)?\d+:\d+[.,]\d+)[ \t]*-->[ \t]*((?:\d+:)?\d+:\d+[.,]\d+)[^\n]*\n"
    r"((?:[^\n]*\S[^\n]*(?:\n|\Z))*)"
)


def cue_words(data: bytes, place: TimePlace) -> str | None:
    """The words of the cues between the two times of `place`."""
    text = decoded(data).replace("\r\n", "\n")
    return "\n".join(
        unescape(_UNSEEN.sub("", words)) + " ".join(re.findall(r"<v[.\w]*\s+([^>]+)>", words))
        for first, last, words in _CUE.findall(text)
        if place.start <= _milliseconds(first) and _milliseconds(last) <= place.end
    )


def _milliseconds(time: str) -> int:
    *clock, fraction = re.split(r"[:.,]", time)
    seconds = 0
    for part in clock:
        seconds = seconds * 60 + int(part)
    return seconds * 1000 + int(fraction.ljust(3, "0")[:3])
