"""PDF files: what a reader sees on the pages, in reading order, and where each word is printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.grid import Cell, add_table
from pincite.loaders.pdf.pdf_blocks import Draft, body_of, drafts_of
from pincite.loaders.pdf.pdf_drawing import drawn
from pincite.loaders.pdf.pdf_hidden import STRUCK
from pincite.loaders.pdf.pdf_layout import Line, in_reading_order, lines_of
from pincite.loaders.pdf.pdf_pages import MAXIMUM_CHARACTERS, PageText, read_page
from pincite.loaders.pdf.pdf_running import split_running
from pincite.loaders.pdf.pdf_tables import PrintedTable
from pincite.loaders.pdf.pdf_text import Vocabulary, pieces_of
from pincite.records import BlockKind, Need

_PASSWORD_ERROR = pdfium.FPDF_ERR_PASSWORD
_SECURITY_ERROR = pdfium.FPDF_ERR_SECURITY
_MOST_UNREADABLE = 200
"""Pages in a row; after that the rest of the file is given up."""
_MOST_BOOKMARKS = 5_000
_MOST_ANNOTATIONS = 1_000
_NO_TITLE = re.compile(
    r"(?:microsoft (?:word|powerpoint|excel)\b.*|untitled\b.*|.*\.(?:docx?|pdf|tex|dvi|pptx?|xlsx?|"
    r"indd|qxd|rtf|odt|html?)|\W*)",
    re.I | re.S,
)
_MOST_NAMED = 10


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """Text, structure and marks of a PDF. Raises `UnreadableContent` where there is no text to be
    had because the file is damaged or asks for a password that is not among those in `settings`.
    """
    document = opened(data, settings.passwords)
    try:
        return _extracted(document, settings)
    finally:
        document.close()


def opened(data: bytes, passwords: Sequence[str]) -> pypdfium2.PdfDocument:
    """The document, to be closed by whoever asked. Raises `UnreadableContent`."""
    asked = False
    for password in (None, *passwords):
        try:
            document = pypdfium2.PdfDocument(data, password=password)
        except pypdfium2.PdfiumError as error:
            code = getattr(error, "err_code", None)
            if code == _PASSWORD_ERROR:
                asked = True
                continue
            if code == _SECURITY_ERROR:
                raise UnreadableContent(
                    "is a PDF encrypted in a way that is not supported: save it without a password"
                ) from error
            raise UnreadableContent(
                "is no PDF that can be read (it is damaged or cut off): open it in a PDF viewer "
                "and save it anew"
            ) from error
        return document
    assert asked
    if passwords:
        raise UnreadableContent(
            "is a PDF that asks for a password, and none of those given opens it: add the right "
            "one to the file given with --password-file",
            need=Need.PASSWORD,
        )
    raise UnreadableContent(
        "is a PDF that asks for a password: write the password into a file and give that with "
        "--password-file",
        need=Need.PASSWORD,
    )


def _extracted(document: pypdfium2.PdfDocument, settings: LoadSettings) -> Extracted:
    count = len(document)
    if count <= 0:
        raise UnreadableContent(
            "is a PDF in which no pages are found (it is damaged): open it in a PDF viewer and "
            "save it anew"
        )
    pages: list[PageText] = []
    unreadable: list[int] = []
    for number, page in _pages(document, count, settings.recognise):
        if page is None:
            unreadable.append(number)
        else:
            pages.append(page)
    if not pages:
        raise UnreadableContent(
            "is a PDF of which no page can be read (it is damaged): open it in a PDF viewer and "
            "save it anew"
        )
    bodies, running = split_running([lines_of(page) for page in pages])
    bodies = [in_reading_order(lines) for lines in bodies]
    body = body_of(bodies)
    drafts, headers = drafts_of(bodies, body, _bookmarks(document))
    vocabulary = Vocabulary([line for lines in bodies for line in lines])
    composer = Composer()
    _compose(composer, drafts, vocabulary)
    _add_running(composer, [*running, headers], vocabulary)
    pictures = [page.number for page in pages if page.is_picture and not page.is_recognised]
    notes = _notes(pages, unreadable, pictures, count)
    if not drafts and not pictures and not unreadable:
        notes.append("no text was found: if the pages show some in a PDF viewer, print it anew")
    attached = pdfium.FPDFDoc_GetAttachmentCount(document.raw)
    if attached > 0:
        files = "a file" if attached == 1 else f"{attached} files"
        notes.append(f"has {files} attached, not read: save what is attached into the folder")
    title = _title(document)
    if not title and drafts and drafts[0].kind is BlockKind.HEADING:
        title = drafts[0].text[:300]
    needs = (Need.RECOGNITION,) if pictures else ()
    return composer.extracted(title=title, notes=notes, needs=needs)


def _pages(
    document: pypdfium2.PdfDocument, count: int, is_recognising: bool
) -> Iterator[tuple[int, PageText | None]]:
    """Each page, read and closed again; None for one that cannot be read."""
    failed = 0
    for index in range(count):
        page = loaded_page(document, index)
        read = None
        if page:
            try:
                text_page = pdfium.FPDFText_LoadPage(page)
                if text_page:
                    try:
                        read = read_page(page, text_page, index + 1, _label(document, index))
                        if is_recognising and read.is_picture and not read.fragments:
                            _recognise(page, read)
                    finally:
                        pdfium.FPDFText_ClosePage(text_page)
            finally:
                pdfium.FPDF_ClosePage(page)
        failed = 0 if read is not None else failed + 1
        yield index + 1, read
        if failed >= _MOST_UNREADABLE:
            return


def _recognise(page: Any, read: PageText) -> None:
    # Its library is large and need not be there: only pages that are pictures pay for it.
    from pincite.loaders.pdf.pdf_recognition import can_recognise, recognise

    if can_recognise():
        recognise(page, read)
        read.is_picture = False


def loaded_page(document: pypdfium2.PdfDocument, index: int) -> Any:
    """The page with what is filled into its forms as part of it; None if it cannot be read."""
    page = pdfium.FPDF_LoadPage(document.raw, index)
    shown = _filled_in(page) if page else []
    if not shown:
        return page
    if not all(shown):
        _make_looks(document, page)
    if _flatten(page):
        pdfium.FPDF_ClosePage(page)
        page = pdfium.FPDF_LoadPage(document.raw, index)
    return page


def _make_looks(document: pypdfium2.PdfDocument, page: Any) -> None:
    """Have what is filled in shown where the file has no look of it: viewers make it, as here."""
    # Pdfium makes those of what is typed over a page when it draws it, those of fields for forms.
    drawn(page, 8, 8)
    if document.formenv is None:
        document.init_forms()
    if document.formenv is not None:
        pdfium.FORM_OnAfterLoadPage(page, document.formenv.raw)
        pdfium.FORM_OnBeforeClosePage(page, document.formenv.raw)


def _flatten(page: Any) -> bool:
    """Make what is filled into forms part of the page; whether anything was."""
    # Where a page has its size from the page tree, pdfium would make it one of 612 by 792 points.
    box = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, box)
    sides = box.left, box.bottom, box.right, box.top
    pdfium.FPDFPage_SetMediaBox(page, *sides)
    pdfium.FPDFPage_SetCropBox(page, *sides)
    return bool(pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY))


def _filled_in(page: Any) -> list[bool]:
    """For each form field, and what is typed over the page: whether the file has a look of it."""
    found: list[bool] = []
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind in (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT):
            mode = pdfium.FPDF_ANNOT_APPEARANCEMODE_NORMAL
            # Two bytes end an empty one.
            found.append(pdfium.FPDFAnnot_GetAP(annotation, mode, None, 0) > 2)
        pdfium.FPDFPage_CloseAnnot(annotation)
    return found


def _label(document: pypdfium2.PdfDocument, index: int) -> str:
    label: str = " ".join(document.get_page_label(index).split())[:40]
    return "" if label == str(index + 1) else label


def _bookmarks(document: pypdfium2.PdfDocument) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    try:
        for bookmark in document.get_toc(max_depth=6):
            target = bookmark.get_dest()
            index = target.get_index() if target is not None else None
            if index is not None:
                found.append((index + 1, bookmark.level, bookmark.get_title()))
            if len(found) >= _MOST_BOOKMARKS:
                break
    except (pypdfium2.PdfiumError, ValueError, UnicodeDecodeError):
        return found  # A broken outline takes nothing from the text.
    return found


def _title(document: pypdfium2.PdfDocument) -> str:
    try:
        title: str = document.get_metadata_value("Title")
    except (pypdfium2.PdfiumError, UnicodeDecodeError):
        return ""
    return "" if _NO_TITLE.fullmatch(title) else title[:300]


def _compose(composer: Composer, drafts: Sequence[Draft], vocabulary: Vocabulary) -> None:
    groups: dict[int, int] = {}
    for draft in drafts:
        if draft.table is not None:
            add_table(composer, _rows(draft.table, vocabulary), None)
            continue
        pieces = pieces_of(draft.lines, draft.marker_width, vocabulary)
        if draft.kind is BlockKind.HEADING:
            composer.heading(pieces, draft.level)
            continue
        if draft.group and draft.group not in groups:
            groups[draft.group] = composer.new_group()
        composer.add(
            draft.kind,
            pieces,
            level=draft.level,
            group=groups.get(draft.group, 0),
            marker=draft.marker,
        )


def _rows(table: PrintedTable, vocabulary: Vocabulary) -> list[list[Cell]]:
    return [
        [
            Cell(
                number,
                cell.column,
                pieces_of(cell.lines, 0, vocabulary),
                columns=cell.columns,
                is_strong=all(line.is_bold for line in cell.lines),
            )
            for cell in row
        ]
        for number, row in enumerate(table.rows, 1)
    ]


def _add_running(
    composer: Composer, running: Sequence[Sequence[Line]], vocabulary: Vocabulary
) -> None:
    """Running headers and footers after the text, what is the same each time side by side."""
    kinds: dict[str, list[Line]] = {}
    for lines in running:
        for line in lines:
            kinds.setdefault(re.sub(r"\d+", "0", line.text), []).append(line)
    for same in kinds.values():
        seen: dict[str, Line] = {}
        for line in same:
            seen.setdefault(line.text, line)
        composer.add(BlockKind.MARKUP, pieces_of(list(seen.values()), 0, vocabulary))


def _notes(
    pages: Sequence[PageText], unreadable: list[int], pictures: list[int], count: int
) -> list[str]:
    notes: list[str] = []
    if unreadable:
        notes.append(
            f"{_named(unreadable)} of {count} could not be read (damaged): open the file in a "
            "PDF viewer and save it anew"
        )
    cut = [page.number for page in pages if page.is_cut]
    if cut:
        notes.append(
            f"{_named(cut)}: only the first {MAXIMUM_CHARACTERS:,} characters of a page are read: "
            "split the file, or save it anew with more pages"
        )
    if pictures:
        verb = "is a picture" if len(pictures) == 1 else "are pictures"
        notes.append(
            f"{_named(pictures)} {verb} without text: install pincite[ocr] and index "
            "with --ocr to have it read"
        )
    beside = [page.number for page in pages if page.holds_picture]
    if beside:
        verb = "has" if len(beside) == 1 else "have"
        notes.append(
            f"{_named(beside)} {verb} a large picture beside the text, whose words are not read: "
            "what a chart or a scanned table says there cannot be quoted"
        )
    recognised = [page.number for page in pages if page.is_recognised]
    if recognised:
        notes.append(
            f"{_named(recognised)}: the words were recognised in a picture and may be misread: "
            "compare what is quoted with the page"
        )
    hidden: Counter[str] = Counter()
    where: dict[str, list[int]] = {}
    for page in pages:
        for reason, number in page.hidden.items():
            hidden[reason] += number
            where.setdefault(reason, []).append(page.number)
    for reason in sorted(hidden):
        what = (
            f"that a reader does not see ({reason})"
            if reason != STRUCK
            else "that are struck through"
        )
        notes.append(f"left out {hidden[reason]} characters {what}: {_named(where[reason])}")
    return notes


def _named(numbers: Sequence[int]) -> str:
    """`page 3`, or `pages 3, 5 and 7`, or `pages 3, 5, ... (12 pages)`."""
    if len(numbers) == 1:
        return f"page {numbers[0]}"
    if len(numbers) > _MOST_NAMED:
        first = ", ".join(map(str, numbers[:_MOST_NAMED]))
        return f"pages {first}, ... ({len(numbers)} pages)"
    return f"pages {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
